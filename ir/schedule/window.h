/* Window: what a temporary needs of memory where all of its statements share loops. In
 *
 *     for (i0 = 0; i0 < N; i0 += 4)     fuse(S1, S2 at i0)
 *         S1: E[i][j] = ...             i from i0 to i0 + 3
 *         S2: ... = E[i][j] ...
 *
 * each iteration of i0 uses four rows, and no other iteration uses them: the array has four rows, and row i is
 * number i - i0 of them. The rows stay in the cache, and the memory of a call does not grow with N. */
#ifndef SQ_IR_SCHEDULE_WINDOW_H
#define SQ_IR_SCHEDULE_WINDOW_H
#include "ir/schedule/schedule.h"

typedef struct sq_window {
    const sq_array *array;
    int ndims;             /* leading subscripts that count from a shared loop's variable */
    int loop[SQ_MAX_DIMS]; /* of each of them: the number of that loop, the same in all groups */
    int64_t rows;          /* values of the last of them; the others have one */
} sq_window;

/* True if the array is a temporary that has a window, which *w describes then. Where threads share one of the loops
 * each would need its own: there is none. */
bool sq_window_of(const sq_schedule *s, const sq_array *a, sq_window *w);
/* Returns the windows of all arrays of the fusion that begins with group `head`, in the arena; *n: how many. */
const sq_window *sq_windows_of(const sq_schedule *s, int head, sq_arena *arena, int *n);
/* Returns the array's one of n windows; NULL: it has none. */
const sq_window *sq_window_find(const sq_window *w, int n, const sq_array *a);
/* Returns the name of the loop that subscript d counts from in a group of the fusion; NULL: it counts from 0. */
const char *sq_window_from(const sq_window *w, const sq_group *g, int d);
#endif
