/* ISA: the operations that a machine says better than the compilers' vector extension, as the
 * bodies of the small functions of codegen/isa/vector.h. A member is NULL where it has none of them,
 * and returns false for shapes that it has not; what is printed then is the extension's way. `type`
 * is the C name of the vectors. */
#ifndef SQ_CODEGEN_ISA_ISA_H
#define SQ_CODEGEN_ISA_ISA_H
#include "codegen/isa/vector.h"

typedef struct sq_isa {
    bool f16; /* converts single values of f16: the texts of codegen/print/helpers.c for x86 */
    unsigned masks;  /* bytes of the elements, 1 | 2 | 4 | 8, of which `masked` takes whole vectors:
                        a rest of a row is one step */
    bool dear_masks; /* stores of some lanes cost more than a vector that is computed twice */
    bool halved;     /* shuffles of 32 bytes work within the halves; what crosses them is slow */
    bool merged;     /* one instruction loads an element into a lane of a register */
    bool blended;    /* lanes of two vectors are taken where they are in one cheap instruction */
    /* a * b + c, rounded once */
    bool (*fma)(const sq_vector *v, const sq_target *t, sq_text *to);
    unsigned dots; /* products of words that it has, by the parts of a word: 4 | 2 */
    /* c and the products of the bytes of a, without sign, with those of b; else of the halves of both */
    bool (*dot)(const sq_vector *v, bool bytes, const sq_target *t, sq_text *to);
    /* The greater of a and b if `max`, else the lesser: a > b ? a : b, or with <. */
    bool (*minmax)(const sq_vector *v, bool max, const sq_target *t, sq_text *to);
    bool (*sqrt)(const sq_vector *v, const sq_target *t, sq_text *to);
    /* the first n lanes to or from p */
    bool (*masked)(const sq_vector *v, const char *type, bool store, sq_text *to);
    /* the lanes of which m, a vector of integers as wide, has all bits set, to or from p */
    bool (*where)(const sq_vector *v, const char *type, bool store, sq_text *to);
    /* lane l is p[j[l]]; j: integers as wide. Of `lookup` they are below SQ_TABLE */
    bool (*indexed)(const sq_vector *v, const char *type, const sq_target *t, sq_text *to);
    bool (*lookup)(const sq_vector *v, const char *type, const sq_target *t, sq_text *to);
    /* half of the lanes from p on, the others from q on */
    bool (*joined)(const sq_vector *v, const char *type, sq_text *to);
    /* integers x, as vectors `result` of type `into` */
    bool (*convert)(const sq_vector *v, sq_type into, const char *result, const sq_target *t,
                    sq_text *to);
    /* f16 h to f32, and f32 x to f16 */
    bool (*half_get)(const sq_vector *v, const sq_target *t, sq_text *to);
    bool (*half_bits)(const sq_vector *v, const char *type, const sq_target *t, sq_text *to);
} sq_isa;

/* The body of an fma: newer clang has a generic builtin and may drop its own; `clang` is the value
 * for older ones, `gcc` for others. */
void sq_isa_put_fma(const char *clang, const char *gcc, sq_text *to);

extern const sq_isa sq_isa_none, sq_isa_avx2, sq_isa_avx512, sq_isa_avxvnni, sq_isa_avx512vnni,
    sq_isa_neon;
#endif
