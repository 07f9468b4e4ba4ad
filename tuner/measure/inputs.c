/* Inputs: see inputs.h. A kind is a row of a table: when it is useful, and its case. */
#include "tuner/measure/inputs.h"
#include "support/words.h"
#include <stdio.h>

enum {
    TURNS = 3, /* kinds among which rows rotate: large inputs, special ones, infinities */
    SPECIAL_DRAWS = 6,
    NONFINITE_DRAWS = 4,
    THRESHOLD_DRAWS = 3,
    EXTREME_DRAWS = 4,
    BOUND_DRAWS = 8,
    LONG_DRAWS = 2,
    NARROW_DRAWS = 2, /* all values, and those at the ends: runtime/fill.c */
    DRAWS = 16        /* inputs for a kernel that selects one element of many */
};
static const double few_flops_long = 2e6; /* limit for a row with a long size, of which there are few */
/* limit for a row that is run more than once: the naive nest runs five times for large inputs */
static const double few_flops = 4e5;

/* The current row. */
typedef struct place {
    const sq_inputs *in;
    const int64_t *size;
    int row;
    unsigned long long seed;
    bool cheap, is_long;
} place;

/* True for a kernel with extrema: these depend on one element, so few inputs reveal that another
 * one is not read. */
static bool has_extremum(const sq_kernel *k)
{
    for (int s = 0; s < k->nstmts; s++)
        if (k->stmt[s]->body &&
            (k->stmt[s]->reduce == SQ_OP_MAX || k->stmt[s]->reduce == SQ_OP_MIN))
            return true;
    return false;
}

static bool has_long(const sq_kernel *k, const int64_t *size)
{
    bool any = false;
    for (int i = 0; i < k->nsizes; i++)
        any |= !k->size[i]->fixed && size[i] > SQ_LONG_SIZE;
    return any;
}

static bool is_loose_word(const char *word)
{
    static const char loose[] =
        " -ffast-math -Ofast -ffinite-math-only -fno-honor-nans -fno-honor-infinities "
        "-fno-signed-zeros -funsafe-math-optimizations -fassociative-math -freciprocal-math "
        "-ffp-model=fast -ffp-model=aggressive -mdaz-ftz ";
    return sq_is_word_of(loose, word);
}

sq_inputs sq_inputs_of(const sq_kernel *k, const char *const *compiler, int nwords)
{
    sq_inputs in = {.k = k, .reach = sq_reach_of(k)};
    in.special = sq_special_of(k, &in.reach);
    in.nonfinite = sq_nonfinite_of(k);
    in.thresholds = sq_thresholds_of(k, &in.reach);
    in.extremes = sq_extremes_of(k);
    for (int i = 0; i < nwords; i++)
        in.is_loose |= is_loose_word(compiler[i]);
    return in;
}

/* ---- kinds ---- */

static bool takes_case(const place *p)
{
    (void)p;
    return true;
}

static void put_case(const place *p, sq_text *to)
{
    const sq_kernel *k = p->in->k;
    sq_case_spec_signed(k, p->size, p->seed, to);
    if (p->in->reach.is_open)
        sq_text_puts(to, "spread 1\n");
    if (p->cheap && has_extremum(k))
        sq_text_printf(to, "draws %d\n", DRAWS);
    else if (has_long(k, p->size))
        sq_text_printf(to, "draws %d\n", LONG_DRAWS);
}

static bool takes_far(const place *p)
{
    bool last =
        p->is_long && has_extremum(p->in->k); /* the element may be at an index beyond 16 bits */
    return p->cheap && (p->row % TURNS == 0 || last) && p->in->reach.is_worth;
}

/* Alternates between the largest possible inputs, and moderate ones that do not saturate all
 * functions. */
static void put_far(const place *p, sq_text *to)
{
    const sq_reach *reach = &p->in->reach;
    sq_case_spec_far(p->in->k, p->size, p->seed + 1, reach,
                     p->row % (2 * TURNS) ? reach->largest : 8, to);
    if (reach->has_bounds || (p->is_long && has_extremum(p->in->k)))
        sq_text_printf(to, "draws %d\n", BOUND_DRAWS);
}

static bool takes_narrow(const place *p)
{
    return p->cheap && (p->row % TURNS == 0 || p->is_long) &&
           sq_case_has_narrow(p->in->k, &p->in->reach);
}

static void put_narrow(const place *p, sq_text *to)
{
    sq_case_spec_narrow(p->in->k, p->size, p->seed + 5, &p->in->reach, to);
    sq_text_printf(to, "draws %d\n", NARROW_DRAWS);
}

static bool takes_special(const place *p)
{
    return p->cheap && p->row % TURNS == 1 && p->in->special.is_worth;
}

static void put_special(const place *p, sq_text *to)
{
    sq_case_spec_special(p->in->k, p->size, p->seed + 2, &p->in->special, to);
    sq_text_printf(to, "draws %d\n", SPECIAL_DRAWS);
}

static bool takes_nonfinite(const place *p)
{
    return p->cheap && p->row % TURNS == 2 && p->in->nonfinite.is_worth && !p->in->is_loose;
}

static void put_nonfinite(const place *p, sq_text *to)
{
    sq_case_spec_nonfinite(p->in->k, p->size, p->seed + 3, &p->in->nonfinite, !p->in->reach.is_open,
                           to);
    sq_text_printf(to, "draws %d\n", NONFINITE_DRAWS);
}

static bool takes_thresholds(const place *p)
{
    return p->cheap && p->in->thresholds.is_worth && !p->in->is_loose;
}

static void put_thresholds(const place *p, sq_text *to)
{
    sq_case_spec_thresholds(p->in->k, p->size, p->seed + 4, &p->in->thresholds, &p->in->reach, to);
    sq_text_printf(to, "draws %d\n", THRESHOLD_DRAWS);
}

static bool takes_extreme(const place *p)
{
    const sq_extremes *e = &p->in->extremes;
    return p->cheap && p->row % TURNS == 1 && e->is_worth && !p->in->is_loose &&
           (!e->is_moderate || p->in->reach.is_worth);
}

static void put_extreme(const place *p, sq_text *to)
{
    sq_case_spec_extreme(p->in->k, p->size, p->seed + 6, &p->in->extremes, to);
    sq_text_printf(to, "draws %d\n", EXTREME_DRAWS);
}

/* In this order. */
static const struct {
    bool (*takes)(const place *p);
    void (*put)(const place *p, sq_text *to);
} kinds[] = {{takes_case, put_case},
             {takes_far, put_far},
             {takes_narrow, put_narrow},
             {takes_special, put_special},
             {takes_nonfinite, put_nonfinite},
             {takes_thresholds, put_thresholds},
             {takes_extreme, put_extreme}};

void sq_inputs_put(const sq_inputs *in, const int64_t *size, int row, unsigned long long seed, sq_text *to)
{
    place p = {in, size, row, seed * 1000 + (unsigned)(row * 51), false, has_long(in->k, size)};
    p.cheap = sq_kernel_operations(in->k, size) < (p.is_long ? few_flops_long : few_flops);
    sq_text_printf(to, "row %d\n", row);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!kinds[i].takes(&p))
            continue;
        sq_text_puts(to, "inputs\n");
        kinds[i].put(&p, to);
    }
}
