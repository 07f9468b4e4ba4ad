/* Image: the arrays and scalars of one call of a kernel, for whoever runs kernels without emitting
 * them. Elements are numbers of their type, in C's order; of each it is known whether it was ever
 * defined. */
#ifndef SQ_IR_KERNEL_IMAGE_H
#define SQ_IR_KERNEL_IMAGE_H
#include "ir/kernel/kernel.h"

typedef struct sq_image_array {
    const sq_array *array;
    int64_t *extent; /* as many as the array has dimensions */
    int64_t count;   /* of elements */
    sq_number *at;
    bool *defined;
} sq_image_array;

typedef struct sq_image {
    const sq_kernel *kernel;
    int64_t *size;         /* in the order of the kernel's, fixed ones with their values; then its
                              products */
    sq_image_array *array; /* in the order of the kernel's, its own ones too */
    sq_number *scalar;     /* in the order of the parameters; of other parameters nothing */
} sq_image;

/* What an array is filled with. */
typedef struct sq_image_contents {
    uint64_t seed;
    bool positive;    /* floating numbers in [0.5, 1.5) instead of [-1, 1) */
    bool any_integer; /* of their type; else from -8 to 8, without a sign from 1 to 16 */
    bool dominant;    /* the diagonals of matrices are heavy: what a factorization needs */
} sq_image_contents;

/* Elements of all arrays at the sizes, before anything is allocated for them. */
double sq_image_elements(const sq_kernel *k, const int64_t *sizes);
/* All undefined, in the arena. sizes: one a size of the kernel, where it is not fixed. */
sq_image *sq_image_new(const sq_kernel *k, const int64_t *sizes, sq_arena *arena);
/* The same kernel and sizes, all undefined. */
sq_image *sq_image_like(const sq_image *m, sq_arena *arena);
/* Fills what a caller fills: scalars, and arrays that are read before they are written. Floating
 * numbers have few digits, so that all types hold them. */
void sq_image_fill(sq_image *m, const sq_image_contents *c);
/* Gives the parameters the contents of those of the same names, of a kernel that this one was made
 * of or of the same one; arrays of its own become undefined, but for words in others. Both have the same sizes. */
void sq_image_copy(sq_image *to, const sq_image *from);
/* True if all arrays that a caller gets back are the same in both: defined where the other is, and
 * different by at most bound[a] * (1 + |expected|), a the array's number in the kernel of
 * `expected`; NULL: by nothing. Else *why says in the arena which element differs first. */
bool sq_image_same(const sq_image *expected, const sq_image *actual, const double *bound,
                   sq_arena *arena, const char **why);
/* The array of this name; NULL. */
sq_image_array *sq_image_named(const sq_image *m, const char *name);
/* "[3][0]": the subscripts of element i, in the arena. */
const char *sq_image_place(const sq_image_array *a, int64_t i, sq_arena *arena);
#endif
