/* Image: the arrays and scalars of one call of a kernel, for running kernels without emitting them.
 * Elements are numbers of their type, in C's order; for each it is known whether it was ever
 * defined. */
#ifndef SQ_IR_KERNEL_IMAGE_H
#define SQ_IR_KERNEL_IMAGE_H
#include "ir/kernel/kernel.h"

typedef struct sq_image_array {
    const sq_array *array;
    int64_t *extent; /* one per dimension of the array */
    int64_t count;   /* number of elements */
    sq_number *at;
    bool *defined;
} sq_image_array;

typedef struct sq_image {
    const sq_kernel *kernel;
    int64_t *size;         /* in the order of the kernel's, fixed ones with their values; then its
                              products */
    sq_image_array *array; /* in the order of the kernel's, including local ones */
    sq_number *scalar;     /* in the order of the parameters; unused for other parameters */
} sq_image;

/* How an array is filled. */
typedef struct sq_image_contents {
    uint64_t seed;
    bool positive;    /* floating-point numbers are in [0.5, 1.5) instead of [-1, 1) */
    bool any_integer; /* integers have any value of their type; else -8 to 8, and 1 to 16 if unsigned */
    bool dominant;    /* matrices are diagonally dominant, as factorizations need */
} sq_image_contents;

/* Returns the number of elements of all arrays at the sizes, without allocating them. */
double sq_image_elements(const sq_kernel *k, const int64_t *sizes);
/* Returns an undefined image in the arena. sizes: one for each size of the kernel; ignored for
 * fixed ones. */
sq_image *sq_image_new(const sq_kernel *k, const int64_t *sizes, sq_arena *arena);
/* Returns an undefined image for the same kernel and sizes. */
sq_image *sq_image_like(const sq_image *m, sq_arena *arena);
/* Fills what a caller fills: scalars, and arrays that are read before they are written; those whose elements are
 * promised to lie in a range, with numbers of that range.
 * Floating-point numbers have few digits, so that all types represent them. */
void sq_image_fill(sq_image *m, const sq_image_contents *c);
/* Copies the contents of parameters to those of the same names, for kernels of which one was made
 * of the other or that are the same; local arrays become undefined, except words of other arrays.
 * Both images have the same sizes. */
void sq_image_copy(sq_image *to, const sq_image *from);
/* True if all arrays that a caller gets back are the same in both: defined in both, and different
 * by at most bound[a] * (1 + |expected|), with a the array's number in the kernel of `expected`;
 * NULL: equal. Otherwise *why, in the arena, names the first element that differs. */
bool sq_image_same(const sq_image *expected, const sq_image *actual, const double *bound,
                   sq_arena *arena, const char **why);
/* Returns the array of this name, or NULL. */
sq_image_array *sq_image_named(const sq_image *m, const char *name);
/* Returns "[3][0]": the subscripts of element i, in the arena. */
const char *sq_image_place(const sq_image_array *a, int64_t i, sq_arena *arena);
#endif
