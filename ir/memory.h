/* Memory: the arrays and scalars of one call of a kernel, for whoever runs kernels without emitting
 * them. Elements are numbers of their type, in C's order; of each it is known whether it was ever
 * defined. */
#ifndef SQ_IR_MEMORY_H
#define SQ_IR_MEMORY_H
#include "ir/kernel.h"

typedef struct sq_memory_array {
    const sq_array *array;
    int64_t *extent; /* as many as the array has dimensions */
    int64_t count;   /* of elements */
    sq_number *at;
    bool *defined;
} sq_memory_array;

typedef struct sq_memory {
    const sq_kernel *kernel;
    int64_t *size;          /* in the order of the kernel's; fixed ones have their values */
    sq_memory_array *array; /* in the order of the kernel's, its own ones too */
    sq_number *scalar;      /* in the order of the parameters; of other parameters nothing */
} sq_memory;

/* What an array is filled with. */
typedef struct sq_memory_contents {
    uint64_t seed;
    bool positive;    /* floating numbers in [0.5, 1.5) instead of [-1, 1) */
    bool any_integer; /* of their type; else from -8 to 8, without a sign from 1 to 16 */
    bool dominant;    /* the diagonals of matrices are heavy: what a factorization needs */
} sq_memory_contents;

/* All undefined, in the arena. sizes: one a size of the kernel, where it is not fixed. */
sq_memory *sq_memory_new(const sq_kernel *k, const int64_t *sizes, sq_arena *arena);
/* Fills what a caller fills: scalars, and arrays that are read before they are written. Floating
 * numbers have few digits, so that all types hold them. */
void sq_memory_fill(sq_memory *m, const sq_memory_contents *c);
/* Gives the parameters the contents of those of the same names, of a kernel that this one was made
 * of or of the same one. Both have the same sizes. */
void sq_memory_copy(sq_memory *to, const sq_memory *from);
/* True if all arrays that a caller gets back are the same in both: defined where the other is, and
 * apart by at most bound[a] * (1 + |expected|), a the array's number in the kernel of `expected`; NULL:
 * by nothing. Else *why says in the arena which element differs first. */
bool sq_memory_same(const sq_memory *expected, const sq_memory *actual, const double *bound,
                    sq_arena *arena, const char **why);
/* The array of this name; NULL. */
sq_memory_array *sq_memory_named(const sq_memory *m, const char *name);
/* "[3][0]": the subscripts of element i, in the arena. */
const char *sq_memory_place(const sq_memory_array *a, int64_t i, sq_arena *arena);
#endif
