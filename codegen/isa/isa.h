/* ISA: the operations for which an instruction set has better code than the compilers' vector
 * extension, as bodies of the small functions of codegen/isa/vector.h. A member is NULL if the
 * instruction set has none of the kind, and returns false for shapes that it does not have; then
 * the code of the extension is printed. `type` is the C name of the vectors. */
#ifndef SQ_CODEGEN_ISA_ISA_H
#define SQ_CODEGEN_ISA_ISA_H
#include "codegen/isa/vector.h"

typedef struct sq_isa {
    bool
        f16; /* has conversions of single f16 values: the texts of codegen/print/helpers.c for x86 */
    /* element sizes in bytes, 1 | 2 | 4 | 8, of which `masked` takes full vectors, so that a
     * remainder of a row is one step */
    unsigned masks;
    bool slow_masks; /* masked stores cost more than computing a vector twice */
    bool halved;     /* shuffles of 32 bytes work within 16-byte lanes; crossing these is slow */
    bool merged;     /* one instruction loads an element into a lane of a register */
    bool
        blended; /* lanes of two vectors are blended, each in its place, by one cheap instruction */
    /* a * b + c, rounded once */
    bool (*fma)(const sq_vector *v, const sq_target *t, sq_text *to);
    /* the same, but for even lanes: a * b - c */
    bool (*fma_turned)(const sq_vector *v, const sq_target *t, sq_text *to);
    /* the same of int64_t, of the lower 32 bits of a and b alone; NULL: that costs what other products do */
    bool (*fma_low)(const sq_vector *v, const sq_target *t, sq_text *to);
    unsigned dots; /* products of packed words that it has, by elements per word: 4 | 2 */
    /* adds to c the products of the unsigned bytes of a and the signed ones of b; else of the
     * 16-bit elements of both */
    bool (*dot)(const sq_vector *v, bool bytes, const sq_target *t, sq_text *to);
    /* adds the distances of the unsigned bytes of a and b to c: those of two words to the first of them */
    bool (*sad)(const sq_vector *v, const sq_target *t, sq_text *to);
    /* The maximum of a and b if `max`, else the minimum: a > b ? a : b, or with <. */
    bool (*minmax)(const sq_vector *v, bool max, const sq_target *t, sq_text *to);
    /* (a + b + 1) >> 1 of unsigned integers of 8 and 16 bits */
    bool (*average)(const sq_vector *v, const sq_target *t, sq_text *to);
    bool (*sqrt)(const sq_vector *v, const sq_target *t, sq_text *to);
    /* a rounded to whole numbers, upwards if `up` */
    bool (*whole)(const sq_vector *v, bool up, const sq_target *t, sq_text *to);
    /* a times 2 to the power of b, which is rounded down; of vectors of 16 bytes to the widest */
    void (*scale)(const sq_vector *v, sq_text *to);
    /* loads or stores the first n lanes at p */
    bool (*masked)(const sq_vector *v, const char *type, bool store, sq_text *to);
    /* Masks are unsigned integers of a bit for each lane, which compilers keep in registers of their own;
     * else vectors of integers as wide as the lanes, all bits set or none. */
    bool mask_registers;
    /* loads or stores at p the lanes in which the mask m holds */
    bool (*where)(const sq_vector *v, const char *type, bool store, sq_text *to);
    /* the mask of a < b and the like, of all shapes; with mask registers only */
    void (*compare)(const sq_vector *v, sq_op op, sq_text *to);
    /* a where m holds, else b */
    bool (*select)(const sq_vector *v, const char *type, sq_text *to);
    /* lane l is p[j[l]]; j: integers as wide. In `lookup` they are below SQ_TABLE */
    bool (*indexed)(const sq_vector *v, const char *type, const sq_target *t, sq_text *to);
    bool (*lookup)(const sq_vector *v, const char *type, const sq_target *t, sq_text *to);
    /* half of the lanes from p, the others from q */
    bool (*joined)(const sq_vector *v, const char *type, sq_text *to);
    /* converts x to vectors `result` of type `into`: integers, and f32 and i32 to f64 */
    bool (*convert)(const sq_vector *v, sq_type into, const char *result, const sq_target *t,
                    sq_text *to);
    /* converts f16 h to f32, and f32 x to f16 */
    bool (*f16_get)(const sq_vector *v, const sq_target *t, sq_text *to);
    bool (*f16_bits)(const sq_vector *v, const char *type, const sq_target *t, sq_text *to);
} sq_isa;

/* Prints the body of an fma: newer clang has a generic builtin and may drop its own; `clang` is the
 * value for older ones, `gcc` for others. */
void sq_isa_put_fma(const char *clang, const char *gcc, sq_text *to);

extern const sq_isa sq_isa_none, sq_isa_avx2, sq_isa_avx512, sq_isa_avxvnni, sq_isa_avx512vnni,
    sq_isa_neon;

/* Parts of a format: lines for clang, and for gcc, which has other names or other arguments of a builtin. */
#define SQ_FOR_CLANG "#if defined(__clang__)\n    "
#define SQ_FOR_GCC "\n#else\n    "
#define SQ_FOR_BOTH "\n#endif\n"
#endif
