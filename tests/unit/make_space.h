/* Make space: a synthetic space and a cost on it, which tests of searches share. */
#ifndef SQ_TESTS_UNIT_MAKE_SPACE_H
#define SQ_TESTS_UNIT_MAKE_SPACE_H
#include "tuner/search/search.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { LEVELS = 12 };
static const long powers[LEVELS] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};

/* Their networks take seconds to learn. */
static inline bool learns_slowly(const sq_search *row)
{
    static const char *const names[] = {"pruner", "moa", "tensorcore"};
    bool is_slow = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is_slow |= strncmp(row->name, names[i], strlen(names[i])) == 0;
    return is_slow;
}

/* n coordinates "c0", "c1" …, all powers of two and of no dimension, from their least. The caller frees it. */
static inline sq_space *make_space(int n)
{
    sq_space *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->n = n;
    for (int c = 0; c < n; c++) {
        s->coord[c] = (sq_coord){.nvalues = LEVELS, .value = powers, .axis = -1};
        snprintf(s->coord[c].name, sizeof s->coord[c].name, "c%d", c);
    }
    return s;
}

/* One basin: how far the coordinates from..to are from the best ones. */
static inline double basin(const int *p, const int *best, int from, int to)
{
    double sum = 0;
    for (int c = from; c < to; c++)
        sum += 0.05 * (p[c] - best[c]) * (p[c] - best[c]);
    return sum;
}
#endif
