/* Rows: the operations of vector.h, a row each with name, types, text and meaning. define() prints
 * the text for a target; the meaning is C on single lanes, written independently.
 * tests/exec/isa_rows.c prints a call and the meaning for every row, type, number of lanes and
 * target, and compares the contents of memory.
 *
 * In a call '@' is replaced by the function's name. Calls and meanings use these names:
 *     l, L                the lane, and their number; a meaning is executed for each l, in any order
 *     a, b, c -> r        vectors of the type; m, -> t: masks, as integers as wide; j: such integers, 0 to SQ_TABLE - 1
 *     e -> g              vectors of f32, of the types that are held in it
 *     x                   one value, either way
 *     p, q                memory that is written, and memory that is read
 *     y -> z              L vectors of the type
 *     n, s, d, h, f       a number of lanes, two distances, a number of rows, a flag
 *     k                   a channel, 0 to 3: all elements between lanes exist
 *     T, W                the type, and the one whose sums wrap around; FMA, GET, BITS: for single values */
#ifndef SQ_CODEGEN_ISA_ROWS_H
#define SQ_CODEGEN_ISA_ROWS_H
#include "codegen/isa/vector.h"

typedef void sq_define_fn(const sq_vector *v, sq_vop op, const char *n, const sq_target *t,
                          sq_text *to);

typedef struct sq_vector_row {
    const char *name; /* "fma" */
    /* values, only f16 and bf16, words of smaller integers in int32_t, unsigned integers of 8 and 16 bits, pairs of
     * floating values, vectors of a multiple of four lanes, int64_t */
    enum {
        SQ_ROW_ANY,
        SQ_ROW_HELD,
        SQ_ROW_STORED,
        SQ_ROW_WORDS,
        SQ_ROW_SMALL,
        SQ_ROW_REAL,
        SQ_ROW_FOURS,
        SQ_ROW_LONG
    } types;
    bool single;          /* there is a variant for a single value, too */
    sq_define_fn *define; /* NULL: the compilers' vector extension suffices */
    sq_vop_set needs;     /* rows that the text calls, all before it */
    const char *call, *meaning;
    uint64_t
        halved; /* replaces `needs` for vectors for which sq_vector_halved is true; 0: no difference */
} sq_vector_row;

extern const sq_vector_row sq_vector_rows[SQ_NVOPS];
bool sq_vector_row_takes(const sq_vector_row *r, sq_type type, int lanes);

sq_define_fn sq_define_memory, sq_define_part, sq_define_masked, sq_define_store_parts,
    sq_define_gather, sq_define_indexed;                                     /* memory.c */
sq_define_fn sq_define_where, sq_define_comparison, sq_define_select;        /* masks.c */
sq_define_fn sq_define_fma, sq_define_fma_low, sq_define_dot, sq_define_sad, sq_define_extreme, sq_define_average,
    sq_define_scale, sq_define_sum; /* arithmetic.c */
sq_define_fn sq_define_halves, sq_define_zip16, sq_define_zip, sq_define_zip3,
    sq_define_joined, sq_define_swizzle, sq_define_fours;                                                 /* halves.c */
sq_define_fn sq_define_strided, sq_define_channel;                    /* strided.c */
sq_define_fn sq_define_strided_copy, sq_define_strided_clip;          /* strided_copy.c */
sq_define_fn sq_define_reversed, sq_define_back, sq_define_back_part; /* reverse.c */
sq_define_fn sq_define_transpose, sq_define_turn;                     /* transpose.c */
sq_define_fn sq_define_stored;                                        /* float16.c */

/* memory.c: prints a loop over the first n lanes, which compilers do not vectorise. */
void sq_put_lanes(const sq_vector *v, const char *assignment, sq_text *to);
/* Returns the operations that strided loads of the first lanes need on a target, among those in
 * `used`. */
sq_vop_set sq_strided_needs(const sq_vector *v, sq_vop_set used, const sq_target *t);
/* True if a multiply-add of this shape rounds once. */
bool sq_vector_fuses(const sq_vector *v, const sq_target *t);
#endif
