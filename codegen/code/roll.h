/* Roll: the code of the points of a box, written out, as loops that compilers unroll. */
#ifndef SQ_CODE_ROLL_H
#define SQ_CODE_ROLL_H
#include "codegen/code/code.h"

/* A dimension of the box: the variable that its loop gets, and its points. */
typedef struct sq_roll_dim {
    const char *name;
    int n;
} sq_roll_dim;

enum { SQ_ROLL_DIMS = 12 };

/* Loops over the box that do what the code at its points does, in the order of the points, the last
 * dimension fastest. The innermost dimensions stay written out where a loop would not be shorter.
 * A value that only the first iterations of some loops compute, for all of them, is computed in front
 * of these loops, or kept in an array of registers; what such loops unroll to is the code at the
 * points. No value of it may be used outside of the box. NULL: the code has no such form, or is
 * shorter as it is. */
sq_code *sq_code_roll(sq_code_pool *p, const sq_roll_dim *dim, int ndims, sq_code *const *point);
#endif
