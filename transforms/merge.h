/* Merge: dimensions of statements that are counted as one, or not at all.
 *
 *     Y[n][c] = sum(X[n][c][y][x], y, x)      with X[N][C][7][7]
 *     Y[n_c]  = sum(X[n_c][y_x], y_x)         with X[N*C][49]
 *
 * A dimension x joins y if x runs over a whole extent of every array that the two are subscripts
 * of, side by side, and neither is used elsewhere: y_x = extent * y + x then counts the same
 * instances in the same order, and the arrays' elements lie as before. All statements that touch an
 * array see it in the same shape. A dimension of one value vanishes. */
#ifndef SQ_TRANSFORMS_MERGE_H
#define SQ_TRANSFORMS_MERGE_H
#include "ir/schedule/schedule.h"

/* What becomes of a statement's dimensions. */
typedef struct sq_merge_stmt {
    const sq_stmt *of;
    bool gone[SQ_MAX_DIMS];       /* has one value, and vanishes */
    int64_t value[SQ_MAX_DIMS];   /* which */
    int next[SQ_MAX_DIMS];        /* the dimension that joins it, and counts faster; -1: none */
    const char *why[SQ_MAX_DIMS]; /* NULL, or why one that was asked for does not */
} sq_merge_stmt;

/* What becomes of an array's dimensions. */
typedef struct sq_merge_array {
    const sq_array *of;
    bool *gone;       /* has one element along it, and vanishes */
    bool *joined;     /* is one with the next that stays */
    const char **why; /* of dimensions that were to be joined and are not */
} sq_merge_array;

typedef struct sq_merge {
    const sq_kernel *k;
    sq_arena *arena;     /* k's */
    sq_merge_stmt *stmt; /* in the order of the kernel's */
    sq_merge_array *array;
} sq_merge;

/* Nothing vanishes, nothing joins. */
sq_merge *sq_merge_new(const sq_kernel *k);
/* The only value of a statement's dimension that may vanish; false with *why, if there is none. */
bool sq_merge_single(const sq_merge *m, int stmt, int dim, int64_t *value, const char **why);
/* Where a dimension that joins others begins, and what is behind its end, over the parameters; false,
 * and both NULL, where that is no single expression or depends on other dimensions. __isl_give */
bool sq_merge_range(const sq_merge *m, const sq_stmt *s, int d, isl_aff **lo, isl_aff **end);
/* All that can vanish, vanishes, and all that can be joined is. */
void sq_merge_all(sq_merge *m);
/* Asks for dimension q of a statement to join p. sq_merge_settle then also joins the dimensions that
 * other statements have there in the arrays concerned, and takes back (next is -1 again, with why)
 * what cannot be. */
void sq_merge_ask(sq_merge *m, int stmt, int p, int q);
void sq_merge_settle(sq_merge *m);
/* True if anything vanishes or joins. */
bool sq_merge_any(const sq_merge *m);

/* The kernel that it makes of m's, without dependences; NULL with *why. */
sq_kernel *sq_merge_make(const sq_merge *m, const char **why);
#endif
