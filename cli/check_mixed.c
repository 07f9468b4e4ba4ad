/* Check mixed: see check_mixed.h. */
#include "cli/check_mixed.h"
#include "cli/check_reach.h"
#include <stdlib.h>
#include <string.h>

enum {
    MOST_NUMBERS = 6, /* the largest ones: smaller sizes are run together anyway */
    MOST_VALUES = 96,
    BEFORE = 13       /* no number of a text that is looked at: whatever else a size is */
};
static const sq_check_limits limits = {.bytes = 64e6, .flops = 4e7, .rows = 160};

typedef struct values {
    int n;
    int64_t at[MOST_VALUES];
} values;

static void add(values *v, int64_t value)
{
    for (int i = 0; i < v->n; i++)
        if (v->at[i] == value)
            return;
    if (value > 0 && v->n < MOST_VALUES)
        v->at[v->n++] = value;
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* Behind each number, the largest first, and before all. */
static values behind(const int64_t *number, int n)
{
    values v = {0};
    int64_t sorted[MOST_VALUES];
    n = n < MOST_VALUES ? n : MOST_VALUES;
    if (n > 0)
        memcpy(sorted, number, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_size);
    for (int i = 0; i < n && v.n < MOST_NUMBERS; i++)
        add(&v, sorted[i] + 1);
    add(&v, BEFORE);
    return v;
}

/* Behind what two of them make, as n + 37 > 400 does, and behind multiples, as n / 3 > 100 does. */
static values made_of(const values *of)
{
    values v = {0};
    for (int i = 0; i + 1 < of->n; i++) {
        int64_t x = of->at[i] - 1;
        add(&v, 2 * x + 2);
        add(&v, 4 * x + 4);
        for (int j = i + 1; j + 1 < of->n; j++) {
            int64_t y = of->at[j] - 1;
            add(&v, x + y + 1);
            add(&v, x - y + 1);
        }
    }
    return v;
}

/* Size p is x and size q is y, the others are what they are in `row`. */
static void add_pair(const sq_kernel *k, int64_t *row, int p, int64_t x, int q, int64_t y, sq_check_rows *r)
{
    int64_t was[2] = {row[p], row[q]};
    row[p] = x;
    row[q] = y;
    sq_check_add(k, row, &limits, r);
    row[p] = was[0];
    row[q] = was[1];
}

static void fill(const sq_kernel *k, int64_t value, int64_t *row)
{
    for (int i = 0; i < k->nsizes; i++)
        row[i] = k->size[i]->fixed ? k->size[i]->value : value;
}

static void add_alike(const sq_kernel *k, const values *v, sq_check_rows *r)
{
    int64_t row[SQ_MAX_SIZES];
    for (int i = 0; i < v->n; i++) {
        fill(k, v->at[i], row);
        sq_check_add(k, row, &limits, r);
    }
}

void sq_check_mixed(const sq_kernel *k, sq_arena *arena, const int64_t *number, int n, sq_check_rows *r)
{
    int64_t row[SQ_MAX_SIZES];
    values one = behind(number, n), two = made_of(&one);
    r->n = 0;
    r->size = SQ_NEW_ARRAY(arena, int64_t, limits.rows * k->nsizes + 1);
    add_alike(k, &one, r);
    add_alike(k, &two, r);
    fill(k, BEFORE, row);
    for (int p = 0; p < k->nsizes; p++) {
        for (int i = 0; i < two.n && !k->size[p]->fixed; i++)
            add_pair(k, row, p, two.at[i], p, two.at[i], r);
        for (int q = 0; q < p && !k->size[p]->fixed; q++)
            for (int i = 0; i < one.n * one.n && !k->size[q]->fixed; i++)
                add_pair(k, row, p, one.at[i / one.n], q, one.at[i % one.n], r);
    }
}
