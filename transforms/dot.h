/* Dot: sums of products of small integers by the packed dot products of processors (VNNI and the
 * like):
 *
 *     S0:  C[i][j] = sum(A[i][k] * B[k][j], k)                     A of uint8_t, B of int8_t
 *
 *     S0_A:  A_words[i][k] = A[i][4*k … 4*k + 3]                   in one int32_t, padded with zeros
 *     S0_B:  B_words[k][j] = B[4*k … 4*k + 3][j]
 *     S0:    C[i][j] = sum(dot4(A_words[i][k], B_words[k][j]), k)
 *
 * dot4 has an unsigned and a signed factor. For a factor of the wrong signedness the sign bit of each
 * element is flipped, which adds or subtracts 128, and another statement computes the correction:
 *
 *     S0_over:  over[j] = sum(dot4(128 128 128 128, B_words[k][j]), k)
 *     S0:       C[i][j] = sum(dot4(A_words[i][k], B_words[k][j]), k) - over[j]
 *
 * Sums wrap around, so the difference is exact whatever the sums are. Elements of 16 bits are packed two
 * to a word, both signed. Outside of an array (pad), and beyond the end of the sum, words consist of the
 * boundary value: one of the two factors has zeros there.
 *
 * If elements are contiguous along k and K is known to be a multiple of the parts, an array's words can
 * be read in place, without a pass that copies them: `dot(S0, k, B)`. */
#ifndef SQ_TRANSFORMS_DOT_H
#define SQ_TRANSFORMS_DOT_H
#include "ir/schedule/schedule.h"

/* One of the two factors. */
typedef struct sq_dot_factor {
    const sq_access *read;
    int sub;    /* the subscript that is the summed dimension */
    bool turns; /* the sign bits of its elements are flipped */
    bool in_place; /* no statement packs its words: they are read in place */
} sq_dot_factor;

typedef struct sq_dot {
    const sq_kernel *k;
    const sq_stmt *of;
    int dim;                 /* the summed dimension that words lie along */
    int parts;               /* elements per word: 4 or 2 */
    sq_dot_factor factor[2]; /* of[0]: the unsigned one */
} sq_dot;

/* Returns a static sentence, continuing the statement's name, why its sum along the dimension
 * cannot be a sum of word products; NULL, with *x filled, if it can. */
const char *sq_dot_find(const sq_kernel *k, const sq_stmt *s, int dim, sq_dot *x);
/* True if a statement has a sum of products of bytes, along some dimension, that words can be made
 * of. */
bool sq_dot_any(const sq_kernel *k);
/* Returns a static sentence, continuing the array's name, why a factor's words cannot be read in
 * place; NULL: they can. */
const char *sq_dot_refuses_place(const sq_dot *x, int factor);
/* Returns the kernel with words, not yet ended (sq_rewritten_end); NULL if the dependences are not
 * known. */
sq_kernel *sq_dot_make(const sq_dot *x);
#endif
