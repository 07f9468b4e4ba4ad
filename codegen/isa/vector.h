/* Vector: the text of vector operations, `sq_f32x16_fma(a, b, c)`, as small static functions in the
 * emitted file: types of the compilers' vector extension, and per ISA only what the extension
 * cannot express (fused multiply-add, masked memory, max). Builtins are called directly instead of
 * including the ISA's header: that header alone costs gcc 0.2 s, as much as the rest of a trial.
 * Only operations that were requested are defined. */
#ifndef SQ_CODEGEN_ISA_VECTOR_H
#define SQ_CODEGEN_ISA_VECTOR_H
#include "codegen/code/uses.h"
#include "codegen/emit.h"

/* In the order of their definitions: none calls a later one. rows.c has a row for each. */
typedef enum sq_vop {
    SQ_VOP_LOAD,
    SQ_VOP_STORE,
    SQ_VOP_ALL,
    SQ_VOP_FMA,
    SQ_VOP_FMA_TURNED, /* the third vector is subtracted in even lanes */
    SQ_VOP_DOT4, /* sum of the products of the bytes of words: SQ_OP_DOT4 */
    SQ_VOP_DOT2,
    SQ_VOP_SAD4, /* distances of bytes, of two words in the first of them: SQ_OP_SAD4 */
    SQ_VOP_FMA_LOW, /* the product of the lower halves, in 64 bits, and a sum: SQ_OP_MUL_LOW */
    SQ_VOP_MAX,
    SQ_VOP_MIN,
    SQ_VOP_AVERAGE, /* (a + b + 1) >> 1: SQ_OP_AVERAGE */
    SQ_VOP_SCALE, /* the first vector times 2 to the power of the second, rounded down; of some targets */
    SQ_VOP_LOAD_N, /* of the first n lanes */
    SQ_VOP_STORE_N,
    SQ_VOP_LOAD_PART, /* of the first n lanes if a flag is set; else all */
    SQ_VOP_STORE_PART,
    SQ_VOP_STORE_PARTS, /* of the first n lanes, without a mask */
    SQ_VOP_LOAD_WHERE,  /* of lanes in which a mask holds: see masks.c */
    SQ_VOP_STORE_WHERE,
    SQ_VOP_LT, /* masks */
    SQ_VOP_LE,
    SQ_VOP_EQ,
    SQ_VOP_NE,
    SQ_VOP_SELECT, /* lanes of the first vector where a mask holds, else of the second */
    SQ_VOP_GATHER,
    SQ_VOP_INDEXED,    /* gather at the offsets in a vector of integers as wide */
    SQ_VOP_LOOKUP,     /* the same where the offsets are less than SQ_TABLE */
    SQ_VOP_HALVES_LOW, /* halves of two vectors, and interleaving within 16 bytes: see halves.c */
    SQ_VOP_HALVES_HIGH,
    SQ_VOP_ZIP16_FIRST,
    SQ_VOP_ZIP16_SECOND,
    SQ_VOP_JOINED,  /* a load of two half vectors */
    SQ_VOP_STRIDE2, /* loads with a small constant stride: see strided.c */
    SQ_VOP_STRIDE2_N,
    SQ_VOP_STRIDE3,
    SQ_VOP_STRIDE3_N,
    SQ_VOP_STRIDE4,
    SQ_VOP_STRIDE4_N,
    SQ_VOP_CHANNEL2, /* the same where all elements between exist as well: see strided.c */
    SQ_VOP_CHANNEL2_N,
    SQ_VOP_CHANNEL3,
    SQ_VOP_CHANNEL3_N,
    SQ_VOP_CHANNEL4,
    SQ_VOP_CHANNEL4_N,
    SQ_VOP_COPY2, /* copies of elements with a small constant stride to contiguous memory */
    SQ_VOP_COPY3,
    SQ_VOP_COPY4,
    SQ_VOP_CLIP2, /* the same for a row, with a value beyond its ends */
    SQ_VOP_CLIP3,
    SQ_VOP_CLIP4,
    SQ_VOP_SCATTER,
    SQ_VOP_REVERSED,  /* used by the next four */
    SQ_VOP_LOAD_BACK, /* lanes at descending addresses: see reverse.c */
    SQ_VOP_STORE_BACK,
    SQ_VOP_LOAD_BACK_N,
    SQ_VOP_STORE_BACK_N,
    SQ_VOP_ZIP_FIRST, /* interleaved lanes of two vectors: the first or the second half */
    SQ_VOP_ZIP_SECOND,
    SQ_VOP_ZIP3_FIRST, /* of three vectors: a third of them */
    SQ_VOP_ZIP3_SECOND,
    SQ_VOP_ZIP3_THIRD,
    SQ_VOP_TWICE_FIRST, /* within each two lanes: one of them twice, or both the other way round */
    SQ_VOP_TWICE_SECOND,
    SQ_VOP_SWAPPED,
    SQ_VOP_FOURS, /* within each four lanes: any of them, by number */
    SQ_VOP_TRANSPOSE, /* of as many vectors as they have lanes: see transpose.c */
    SQ_VOP_TURN,      /* a copy of rows to columns by transposes */
    SQ_VOP_SUM,
    SQ_VOP_GET,     /* f16, bf16: converts the bits of elements to f32 */
    SQ_VOP_BITS,    /* converts f32 to these bits, rounded */
    SQ_VOP_ROUND,   /* rounds f32 to values of the element type */
    SQ_VOP_ALIGNED, /* a load from an aligned address */
    SQ_VOP_STORE_ALIGNED,
    SQ_NVOPS
} sq_vop;
/* A set of them. */
typedef unsigned __int128 sq_vop_set;
#define SQ_VOP_BIT(op) ((sq_vop_set)1 << (op))

/* The largest stride of lanes that has a load of its own: SQ_VOP_STRIDE4. */
enum { SQ_STRIDE_MOST = 4 };

/* A vector shape in use, and the operations used on it. */
typedef struct sq_vector {
    sq_type type;
    int lanes;          /* 1: scalars, for which only fma, max and functions are defined */
    sq_vop_set used;
    unsigned converts;  /* types it is converted to by functions: a bit per sq_type */
    uint64_t functions; /* a bit per sq_op; see math.h */
    unsigned infix;     /* operators in use, where they need definitions: see sq_vector_infix */
    bool anywhere;      /* elements in memory may begin at any byte */
    bool strict;        /* no multiply-add is fused: the same bits on all targets */
    bool fast;          /* functions meet no infinity and no NaN */
    const sq_uses *uses; /* helpers that its functions call are added; NULL: they are not */
} sq_vector;

/* Returns "sq_f32x16", or the C type for one lane. In static or arena memory. */
const char *sq_vector_name(const sq_vector *v, sq_arena *arena);
/* word.c: returns the C type of integers at any byte address, of whatever type they are a part: "sq_word" for
 * int32_t. */
const char *sq_word_name(sq_type type);
void sq_word_declare(sq_type type, sq_text *to);
/* Returns the C type of an element in memory: "float"; that of sq_word_name for those at any byte address. */
static inline const char *sq_vector_element(const sq_vector *v)
{
    return v->anywhere ? sq_word_name(v->type) : sq_type_ctype(v->type);
}
/* Returns "sq_f32x16_fma", marked as used. */
const char *sq_vector_op(sq_vector *v, sq_vop op, sq_arena *arena);
/* Returns the comparison LT, LE, EQ or NE. */
sq_vop sq_vop_comparison(sq_op op);
/* Returns the C type of a mask in a mask register: "uint16_t". */
const char *sq_vector_mask_bits(int lanes);
/* Interleaves the lanes of n vectors, 2 or 3: returns the operation for the vector `number` of the
 * result. */
sq_vop sq_vop_zip(int n, int number);
/* Returns what exchanges lanes as a sq_code_swizzles does. */
sq_vop sq_vop_swizzle(int64_t how);
/* Returns the load of lanes with the stride `step`, 2 to SQ_STRIDE_MOST; `rest`: of the first n
 * lanes. */
sq_vop sq_vop_strided(int step, bool rest);
/* Returns the load of a channel: of lanes with the stride `step`, 2 to SQ_STRIDE_MOST, between which all
 * elements exist; `rest`: of the first n lanes, where the target has masks. Those of all channels load
 * the same vectors. */
sq_vop sq_vop_channel(int step, bool rest);
/* Returns the copy of elements with the stride `step`, 2 to SQ_STRIDE_MOST; `clips`: of a row that
 * may end before. */
sq_vop sq_vop_strided_copy(int step, bool clips);
/* True if the target loads strided lanes by shuffles, for elements of this size. */
bool sq_strided_shuffles(int bytes, const sq_target *t);
/* Returns which of `step` channels a place is, if the elements of the first and the last one are read:
 * those that are read side by side are channels from the first one on. -1: none. reads: true if the
 * element at a distance from the place is read. */
int sq_strided_channel(int step, bool (*reads)(const void *user, int64_t distance),
                       const void *user);
/* True if channels cost less than strided loads of each, where all of them are read. */
bool sq_strided_shares(int bytes, int lanes, int step, const sq_target *t);
/* The cost of a strided load of a vector, or of one channel of as many as there are; `shuffles` are
 * those in the text, each of which compilers may expand into several. */
typedef struct sq_strided_count {
    int loads, shuffles;
} sq_strided_count;
sq_strided_count sq_strided_counted(int bytes, int lanes, int step, bool channels,
                                    const sq_target *t);
/* Marks an operator on whole vectors: + - * /, and ~ for negation. */
void sq_vector_infix(sq_vector *v, char infix);
bool sq_vector_has_infix(const sq_vector *v, char infix);
/* Prints the type's definition; those of all shapes come before any operation. Marks the operations
 * that marked functions need. */
void sq_vector_declare(sq_vector *v, sq_text *to);
/* Prints SQ_FRESH of a variable, inside of a definition. */
static inline void sq_vector_put_fresh(const sq_vector *v, const char *name, sq_text *to)
{
    sq_text_line(to, "%s(%s);", sq_uses_helper(v->uses, "SQ_FRESH"), name);
}
/* Prints definitions of what is used. SQ_INLINE must be defined before. */
void sq_vector_define(const sq_vector *v, const sq_target *t, sq_text *to);
#endif
