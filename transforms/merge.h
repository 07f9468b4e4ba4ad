/* Merge: combines dimensions of statements into one, and removes those with a single value.
 *
 *     Y[n][c] = sum(X[n][c][y][x], y, x)      with X[N][C][7][7]
 *     Y[n_c]  = sum(X[n_c][y_x], y_x)         with X[N*C][49]
 *
 * A dimension x is merged into y if the two are adjacent subscripts of every array that has them, x
 * covers the whole extent there, and neither is used elsewhere: y_x = extent * y + x then counts the
 * same instances in the same order, and the arrays' layout does not change. All statements that access
 * an array use the same shape. A dimension of one value is removed. */
#ifndef SQ_TRANSFORMS_MERGE_H
#define SQ_TRANSFORMS_MERGE_H
#include "ir/schedule/schedule.h"

/* The changes of a statement's dimensions. */
typedef struct sq_merge_stmt {
    const sq_stmt *of;
    bool gone[SQ_MAX_DIMS];       /* has one value, and is removed */
    int64_t value[SQ_MAX_DIMS];   /* that value */
    int next[SQ_MAX_DIMS];        /* the dimension merged into this one, which counts faster; -1: none */
    const char *why[SQ_MAX_DIMS]; /* NULL, or why a requested merge is impossible */
} sq_merge_stmt;

/* The changes of an array's dimensions. */
typedef struct sq_merge_array {
    const sq_array *of;
    bool *gone;       /* has one element along it, and is removed */
    bool *joined;     /* is merged with the next dimension that remains */
    const char **why; /* why dimensions that should be merged are not */
} sq_merge_array;

typedef struct sq_merge {
    const sq_kernel *k;
    sq_arena *arena;     /* k's */
    sq_merge_stmt *stmt; /* in the order of the kernel's */
    sq_merge_array *array;
} sq_merge;

/* Returns an object that changes nothing. */
sq_merge *sq_merge_new(const sq_kernel *k);
/* Returns the only value of a statement's dimension that may be removed; false with *why, if there
 * is none. */
bool sq_merge_single(const sq_merge *m, int stmt, int dim, int64_t *value, const char **why);
/* Returns the first value of a dimension, for merging, and its end, over the parameters; false, and
 * both NULL, if they are not single expressions or depend on other dimensions. __isl_give */
bool sq_merge_range(const sq_merge *m, const sq_stmt *s, int d, isl_aff **lo, isl_aff **end);
/* Removes and merges all dimensions that can be. */
void sq_merge_all(sq_merge *m);
/* Requests that dimension q of a statement is merged into p. sq_merge_settle then also merges the
 * dimensions of other statements at this position of the arrays concerned, and undoes (next is -1
 * again, with why) what is impossible. */
void sq_merge_ask(sq_merge *m, int stmt, int p, int q);
void sq_merge_settle(sq_merge *m);

/* Returns the kernel that results from m's, without dependences; NULL with *why. */
sq_kernel *sq_merge_make(const sq_merge *m, const char **why);
#endif
