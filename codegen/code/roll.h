/* Roll: makes loops, which compilers unroll, of code that is written out for each point of a
 * box. */
#ifndef SQ_CODE_ROLL_H
#define SQ_CODE_ROLL_H
#include "codegen/code/code.h"

/* A dimension of the box: the variable of its loop, and its number of points. */
typedef struct sq_roll_dim {
    const char *name;
    int n;
} sq_roll_dim;

enum { SQ_ROLL_DIMS = 12 };

/* Returns loops over the box that do what the code at its points does, in the order of the points,
 * the last dimension fastest. The innermost dimensions stay written out where a loop would not be
 * shorter. A value that only the first iterations of some loops compute, for all iterations, is
 * computed in front of these loops or kept in an array of registers; unrolling such loops gives the
 * code at the points. No value of the code may be used outside of the box. Returns NULL if the code
 * has no such form, or is shorter as it is. */
sq_code *sq_code_roll(sq_code_pool *p, const sq_roll_dim *dim, int ndims, sq_code *const *point);
#endif
