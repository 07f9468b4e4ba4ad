/* Check values: which values of every size a kernel is checked at, by its schedule. Small ones give a
 * dimension each remainder of its register tile, large ones end around its tiles and in the third, long
 * ones do not fit in 16 bits. */
#ifndef SQ_CLI_CHECK_VALUES_H
#define SQ_CLI_CHECK_VALUES_H
#include "cli/measure.h"

typedef enum sq_value_kind {
    SQ_VALUE_SMALL,
    SQ_VALUE_LARGE,  /* around a tile; and none at all */
    SQ_VALUE_SECOND, /* in a second tile */
    SQ_VALUE_THIRD,  /* in a third tile */
    SQ_VALUE_LONG    /* more than 16 bits count */
} sq_value_kind;

/* Lengths that are wrong where 16 bits count them: without a sign they are a rest, with one below 0, and the last is
 * none. */
typedef enum sq_long_length {
    SQ_LONG_UNSIGNED, /* 65603 */
    SQ_LONG_SIGNED,   /* 32771 */
    SQ_LONG_NONE,     /* 65536 */
    SQ_NLONG_LENGTHS
} sq_long_length;
extern const int64_t sq_long_lengths[SQ_NLONG_LENGTHS];

typedef struct sq_check_value {
    int64_t v;
    sq_value_kind kind;
    bool is_refused; /* no row with it is within the limits */
    sq_long_length which; /* that it was made for, if it is long */
    const char *why; /* "a third tile of k0" */
} sq_check_value;

typedef struct sq_check_values {
    sq_measure *m;
    const sq_kernel *k;
    int64_t
        base[SQ_MAX_SIZES]; /* sizes from which extents are measured: the description allows them */
    int64_t unit[SQ_MAX_SIZES]; /* the least with a whole register tile */
    int64_t step[SQ_MAX_SIZES]; /* from one that the description allows to the next, near the base */
    struct sq_size_values {
        int n, room;
        sq_check_value *at; /* in the task's arena */
    } of[SQ_MAX_SIZES];
} sq_check_values;

/* Fills unit, step and of, where m, k and base are. */
void sq_check_values_of(sq_check_values *c, const sq_schedule *s);
/* How many small values up to `most` a size has. */
int sq_check_values_count(const sq_check_values *c, int size, int64_t most);
/* The i-th of them, counted around; the base where there is none. */
int64_t sq_check_values_small(const sq_check_values *c, int size, size_t i, int64_t most);
/* Whole register tiles: more than one and a rest at step 0, since a triangle has none in the first of
 * both its sizes; with each step fewer, from the third on at most `most`. */
int64_t sq_check_values_whole(const sq_check_values *c, int size, int step, int64_t most);
#endif
