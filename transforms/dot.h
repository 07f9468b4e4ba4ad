/* Dot: sums of products of small integers by the products of words that processors have (VNNI and its like):
 *
 *     S0:  C[i][j] = sum(A[i][k] * B[k][j], k)                     A of uint8_t, B of int8_t
 *
 *     S0_A:  A_words[i][k] = A[i][4*k … 4*k + 3]                   in one int32_t; beyond the end zeros
 *     S0_B:  B_words[k][j] = B[4*k … 4*k + 3][j]
 *     S0:    C[i][j] = sum(dot4(A_words[i][k], B_words[k][j]), k)
 *
 * dot4 has a factor without sign and one with. Of a factor with the wrong sign the highest bit of each element is
 * turned, which adds or takes away 128, and a statement more has what that adds to the sums:
 *
 *     S0_over:  over[j] = sum(dot4(128 128 128 128, B_words[k][j]), k)
 *     S0:       C[i][j] = sum(dot4(A_words[i][k], B_words[k][j]), k) - over[j]
 *
 * Sums wrap around, so the difference is exact whatever the sums are. Elements of 16 bits go two to a word, both with
 * sign. Outside of an array (pad) whole words are of what stands there, beyond the end of the sum as well: one of the
 * two factors has zeros there.
 *
 * Where elements lie side by side along k and K is known to be a multiple of the parts, an array's words can be read
 * where they are, without a pass that copies them: `dot(S0, k, B)`. */
#ifndef SQ_TRANSFORMS_DOT_H
#define SQ_TRANSFORMS_DOT_H
#include "ir/schedule/schedule.h"

/* One of the two factors. */
typedef struct sq_dot_factor {
    const sq_access *read;
    int sub;    /* the subscript that is the summed dimension */
    bool turns; /* the highest bits of its elements */
    bool in_place; /* no statement makes its words: they are read where the elements lie */
} sq_dot_factor;

typedef struct sq_dot {
    const sq_kernel *k;
    const sq_stmt *of;
    int dim;                 /* the summed dimension that words lie along */
    int parts;               /* elements of a word: 4 or 2 */
    sq_dot_factor factor[2]; /* of[0]: the one without sign */
} sq_dot;

/* Why the statement's sum along the dimension is none of products of words, a static sentence that goes on from its
 * name; NULL, and *x is filled: it is. */
const char *sq_dot_find(const sq_kernel *k, const sq_stmt *s, int dim, sq_dot *x);
/* True if a statement sums products of bytes that words are made of along some dimension. */
bool sq_dot_any(const sq_kernel *k);
/* Why a factor's words cannot be read where its elements lie, a static sentence that goes on from the array's name;
 * NULL: they can. */
const char *sq_dot_refuses_place(const sq_dot *x, int factor);
/* The kernel with words, not finished (sq_rewritten_end); NULL if the dependences are not known. */
sq_kernel *sq_dot_make(const sq_dot *x);
#endif
