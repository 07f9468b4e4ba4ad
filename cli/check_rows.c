/* Check rows: see check_rows.h. */
#include "cli/check_rows.h"
#include "support/stats.h"
#include "tuner/case_spec.h"
#include <string.h>

enum { MAX_ROWS = 40, RANDOM_ROWS = 16, TRIES = 4000 };
static const int64_t even[] = {64, 132}; /* what stands aligned is accessed by wider loads */
static const int64_t odd[] = {0, 1, 2, 3, 7, 13, 31, 33, 127, 129};

static void add_row(sq_check_rows *r, const sq_check_limits *most, const int64_t *row)
{
    size_t bytes = (size_t)r->k->nsizes * sizeof *row;
    for (int i = 0; i < r->n; i++)
        if (memcmp(r->size + (ptrdiff_t)i * r->k->nsizes, row, bytes) == 0)
            return;
    if (r->n == MAX_ROWS || !sq_kernel_takes(r->k, r->k->context, row) ||
        sq_case_bytes(r->k, row) > most->bytes || sq_kernel_flops(r->k, row) > most->flops)
        return;
    memcpy(r->size + (ptrdiff_t)r->n++ * r->k->nsizes, row, bytes);
}

static void fill(const sq_kernel *k, int64_t *row, int64_t value)
{
    for (int i = 0; i < k->nsizes; i++)
        row[i] = k->size[i]->fixed ? k->size[i]->value : value;
}

/* All sizes alike, then mixtures: a size that is small where others are large is where edges meet.
 */
static void add_odd_rows(sq_check_rows *r, const sq_check_limits *limits, unsigned long long seed)
{
    int64_t row[64] = {0};
    sq_rng rng = {seed};
    const size_t n = sizeof odd / sizeof *odd;
    for (size_t i = 0; i < n; i++) {
        fill(r->k, row, odd[i]);
        add_row(r, limits, row);
    }
    for (size_t i = 0; i < sizeof even / sizeof *even; i++) {
        fill(r->k, row, even[i]);
        add_row(r, limits, row);
    }
    int most = r->n + RANDOM_ROWS;
    for (int t = 0; t < TRIES && r->n < most; t++) {
        for (int i = 0; i < r->k->nsizes; i++)
            row[i] = r->k->size[i]->fixed    ? r->k->size[i]->value
                     : sq_rng_below(&rng, 2) ? odd[sq_rng_below(&rng, n)]
                                             : (int64_t)sq_rng_below(&rng, 140);
        add_row(r, limits, row);
    }
}

int sq_check_rows_choose(sq_measure *m, const sq_kernel *k, const sq_check_limits *limits,
                         sq_check_rows *r)
{
    bool symbolic = false;
    *r = (sq_check_rows){.k = k};
    r->size = SQ_NEW_ARRAY(m->task.arena, int64_t, MAX_ROWS * r->k->nsizes + 1);
    for (int i = 0; i < r->k->nsizes; i++)
        symbolic |= !r->k->size[i]->fixed;
    if (!symbolic || m->settings.at.n) {
        int64_t *rows;
        int n = sq_measure_sizes(m, r->k, &rows);
        if (n < 0)
            return -1;
        r->n = n < MAX_ROWS ? n : MAX_ROWS;
        memcpy(r->size, rows, (size_t)(r->n * r->k->nsizes) * sizeof *rows);
        return 0;
    }
    add_odd_rows(r, limits, (unsigned long long)m->settings.seed);
    if (r->n == 0)
        return sq_error(m->task.d, SQ_FAULT_USAGE, SQ_NOWHERE,
                        "no odd sizes fit kernel '%s'; name some with --at", r->k->name);
    return 0;
}
