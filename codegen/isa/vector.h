/* Vector: the text of vector operations, `sq_f32x16_fma(a, b, c)`, as small static functions in the
 * emitted file: types from the compilers' vector extension, and per ISA only what the extension
 * cannot say (fused multiply-add, masked memory, max). Builtins are written directly instead of
 * including the ISA's header: that header alone costs gcc 0.2 s, as much as the rest of a trial.
 * Only operations that were asked for are defined. */
#ifndef SQ_CODEGEN_ISA_VECTOR_H
#define SQ_CODEGEN_ISA_VECTOR_H
#include "codegen/emit.h"

/* In the order of their definitions: none calls a later one. A row each in rows.c. */
typedef enum sq_vop {
    SQ_VOP_LOAD,
    SQ_VOP_STORE,
    SQ_VOP_ALL,
    SQ_VOP_FMA,
    SQ_VOP_DOT4, /* products of the bytes of words, added up: SQ_OP_DOT4 */
    SQ_VOP_DOT2,
    SQ_VOP_MAX,
    SQ_VOP_MIN,
    SQ_VOP_LOAD_N, /* the first n lanes */
    SQ_VOP_STORE_N,
    SQ_VOP_LOAD_PART, /* the first n lanes if a flag is set; else all */
    SQ_VOP_STORE_PART,
    SQ_VOP_STORE_PIECES, /* the first n lanes without a mask */
    SQ_VOP_LOAD_WHERE, /* lanes of which a mask, of integers as wide, has the bits set */
    SQ_VOP_STORE_WHERE,
    SQ_VOP_GATHER,
    SQ_VOP_INDEXED, /* of the elements from a place on those that the lanes of integers as wide say */
    SQ_VOP_LOOKUP,  /* the same where these are less than SQ_TABLE */
    SQ_VOP_HALVES_LOW, /* halves of two vectors, and zips within 16 bytes: see halves.c */
    SQ_VOP_HALVES_HIGH,
    SQ_VOP_ZIP16_FIRST,
    SQ_VOP_ZIP16_SECOND,
    SQ_VOP_JOINED,  /* a load of two halves */
    SQ_VOP_STRIDE2, /* lanes a small known distance apart: see strided.c */
    SQ_VOP_STRIDE2_N,
    SQ_VOP_STRIDE3,
    SQ_VOP_STRIDE3_N,
    SQ_VOP_STRIDE4,
    SQ_VOP_STRIDE4_N,
    SQ_VOP_COPY2, /* copies of elements a small known distance apart to neighbouring places */
    SQ_VOP_COPY3,
    SQ_VOP_COPY4,
    SQ_VOP_CLIP2, /* the same of a row, with a value beyond its ends */
    SQ_VOP_CLIP3,
    SQ_VOP_CLIP4,
    SQ_VOP_SCATTER,
    SQ_VOP_REVERSED,  /* what the next four are made of */
    SQ_VOP_LOAD_BACK, /* each lane lies before the one before it: see reverse.c */
    SQ_VOP_STORE_BACK,
    SQ_VOP_LOAD_BACK_N,
    SQ_VOP_STORE_BACK_N,
    SQ_VOP_ZIP_FIRST, /* lanes of two vectors in turn: half of them, the first or the second */
    SQ_VOP_ZIP_SECOND,
    SQ_VOP_ZIP3_FIRST, /* of three: a third of them */
    SQ_VOP_ZIP3_SECOND,
    SQ_VOP_ZIP3_THIRD,
    SQ_VOP_TRANSPOSE, /* of as many vectors as lanes: see transpose.c */
    SQ_VOP_TURN,      /* a copy of rows to columns, by transposes */
    SQ_VOP_SUM,
    SQ_VOP_GET,     /* f16, bf16: from the bits of elements to values, which are f32 */
    SQ_VOP_BITS,    /* and back, rounded */
    SQ_VOP_ROUND,   /* values as elements hold them */
    SQ_VOP_ALIGNED, /* a load from a multiple of the vector's size */
    SQ_VOP_STORE_ALIGNED,
    SQ_NVOPS
} sq_vop;
#define SQ_VOP_BIT(op) (UINT64_C(1) << (op))

/* The largest distance of lanes that has a load of its own: SQ_VOP_STRIDE4. */
enum { SQ_STRIDE_MOST = 4 };

/* One vector shape in use, and which operations on it. */
typedef struct sq_vector {
    sq_type type;
    int lanes;          /* 1: plain scalars, nothing to define but fma, max and functions */
    uint64_t used;      /* bit per sq_vop */
    unsigned converts;  /* to which integer types: bit per sq_type */
    uint64_t functions; /* bit per sq_op; see math.h */
    unsigned infix;     /* operators in use, where they need definitions: see sq_vector_infix */
    bool anywhere;      /* elements in memory may begin at any byte */
    bool strict;        /* no multiply-add is fused: the same bits on every target */
} sq_vector;

/* "sq_f32x16", or the C type for one lane. In static or arena memory. */
const char *sq_vector_name(const sq_vector *v, sq_arena *arena);
/* The C type of an element in memory: "float"; "sq_word" of those that may begin at any byte. */
static inline const char *sq_vector_element(const sq_vector *v)
{
    return v->anywhere ? "sq_word" : sq_type_ctype(v->type);
}
/* "sq_f32x16_fma", marked as used. */
const char *sq_vector_op(sq_vector *v, sq_vop op, sq_arena *arena);
/* Lanes of n vectors, 2 or 3, in turn: of the vectors that they make, the one of that number. */
sq_vop sq_vop_zip(int n, int number);
/* The load of lanes `step` elements apart, 2 to SQ_STRIDE_MOST; `rest`: of the first n lanes. */
sq_vop sq_vop_strided(int step, bool rest);
/* The copy of elements `step` apart, 2 to SQ_STRIDE_MOST; `clips`: of a row that may end before. */
sq_vop sq_vop_strided_copy(int step, bool clips);
/* True if the target brings such lanes by shuffles, of elements of so many bytes. */
bool sq_strided_shuffles(int bytes, const sq_target *t);
/* What such a load of a vector takes; `shuffles` are the text's, of which compilers may make several. */
typedef struct sq_strided_count {
    int loads, shuffles;
} sq_strided_count;
sq_strided_count sq_strided_counted(int bytes, int lanes, int step, const sq_target *t);
/* Marks an operator on whole vectors: + - * /, and ~ for the sign in front. */
void sq_vector_infix(sq_vector *v, char infix);
bool sq_vector_has_infix(const sq_vector *v, char infix);
/* The type's definition; those of all shapes come before any operation. Marks what marked
 * functions need. */
void sq_vector_declare(sq_vector *v, sq_text *to);
/* Definitions of what is used. SQ_INLINE must be defined before. */
void sq_vector_define(const sq_vector *v, const sq_target *t, sq_text *to);
#endif
