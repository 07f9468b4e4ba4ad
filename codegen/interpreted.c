/* Interpreted: see interpreted.h. */
#include "codegen/interpreted.h"
#include "codegen/code/compare.h"
#include "codegen/grid/cuda.h"
#include "codegen/passes/group.h"
#include "ir/kernel/reference.h"
#include "support/stats.h"
#include <string.h>

enum {
    ROWS = 12,
    ATTEMPTS = 1000,
    MOST_INSTANCES = 100000,
    MOST_ELEMENTS = 200000, /* of all arrays together */
    MOST_LENGTHS = 64,
    LONGEST = 300
};

/* Sizes that are tried: small ones first, then those at which tiles have one point more or less. */
typedef struct lengths {
    int n, nsmall;
    int64_t of[MOST_LENGTHS];
} lengths;

typedef struct rows {
    const sq_kernel *described, *kernel;
    sq_arena *arena;
    lengths length;
    int n;
    const sq_image *before[ROWS];
    sq_image *after[ROWS];
    const double *bound[ROWS];
} rows;

static void add_length(lengths *l, int64_t n)
{
    for (int i = 0; i < l->n; i++)
        if (l->of[i] == n)
            return;
    if (n >= 1 && n <= LONGEST && l->n < MOST_LENGTHS)
        l->of[l->n++] = n;
}

static void add_tile(lengths *l, int64_t points)
{
    for (int64_t n = points - 1; points > 1 && n <= points + 1; n++)
        add_length(l, n);
    add_length(l, 2 * points + 1);
}

static lengths lengths_of(const sq_schedule *s)
{
    static const int64_t some[] = {5, 7, 3, 4, 9, 1, 2, 6, 11, 13, 17};
    lengths l = {0};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        add_length(&l, some[i]);
    l.nsmall = l.n;
    for (int64_t n = 8; s->kernel->nassumes > 0 && n <= 64; n *= 2) /* which they may say to divide a size */
        add_length(&l, n);
    for (int i = 0; i < s->ngroups; i++) {
        const sq_group *g = s->group[i];
        for (int d = 0; g->kind == SQ_GROUP_TILED && d < g->ndim; d++)
            add_tile(&l, g->micro.points[d]);
        for (int j = 0; g->kind == SQ_GROUP_TILED && j < g->nloops; j++)
            add_tile(&l, g->loop[j].step);
    }
    return l;
}

/* Mostly small ones: of many dimensions few can be long. */
static bool draw_sizes(const sq_kernel *k, const lengths *l, sq_rng *r, int64_t *sizes)
{
    for (int i = 0; i < k->nsizes; i++) {
        size_t of = (size_t)(sq_rng_below(r, 2) ? l->nsmall : l->n);
        sizes[i] = k->size[i]->fixed ? k->size[i]->value : l->of[sq_rng_below(r, of)];
    }
    return sq_kernel_takes(k, k->context, sizes) && sq_image_elements(k, sizes) < MOST_ELEMENTS;
}

/* By how much results may differ, array by array of the described kernel. */
static const double *bound_of(const rows *x, const int64_t *sizes)
{
    double *bound = SQ_NEW_ARRAY(x->arena, double, x->described->narrays + 1);
    sq_kernel_rounding(x->described, sizes, bound);
    return bound;
}

/* A row at which the description has a result, with few instances. */
static void add_row(rows *x, const sq_reference *r, sq_rng *rng)
{
    int64_t sizes[SQ_MAX_SIZES];
    const sq_image_contents c = {.seed = sq_rng_next(rng), .positive = true, .dominant = true};
    if (!draw_sizes(x->described, &x->length, rng, sizes))
        return;
    sq_image *after = sq_image_new(x->described, sizes, x->arena);
    sq_image_fill(after, &c);
    sq_image *before = sq_image_new(x->kernel, sizes, x->arena);
    sq_image_copy(before, after);
    if (sq_reference_run(r, after, MOST_INSTANCES, x->arena))
        return;
    x->before[x->n] = before;
    x->after[x->n] = after;
    x->bound[x->n++] = bound_of(x, after->size);
}

/* Compares the code that `stage` made with the description. */
static int compare(const rows *x, const char *stage, bool is_lowered, const sq_code *code,
                   sq_diags *d)
{
    bool is_over = false;
    const sq_code_inputs in = {x->n, x->before, x->bound, &is_over};
    const char *why = sq_code_departs(code, &in, x->after, x->arena), *name = x->described->name;
    if (!why)
        return 0;
    if (!is_over || !is_lowered)
        return sq_error(d, SQ_FAULT_BUG, x->described->loc, "'%s' changes what '%s' computes: %s",
                        stage, name, why);
    sq_error(d, SQ_FAULT_REFUSED, x->described->loc, "'%s' cannot be interpreted: %s", name, why);
    sq_help(d, x->described->loc, "smaller sizes with --fix=..., or check without --passes");
    return -1;
}

static int make_rows(rows *x, sq_diags *d)
{
    sq_rng rng = {1};
    const sq_reference *r = sq_reference_new(x->described, x->arena);
    for (int i = 0; r && i < ATTEMPTS && x->n < ROWS; i++)
        add_row(x, r, &rng);
    if (x->n > 0)
        return 0;
    return sq_error(d, SQ_FAULT_REFUSED, x->described->loc,
                    "'%s' cannot be interpreted: no small sizes were found at which it has a "
                    "result; --fix=... gives some",
                    x->described->name);
}

static int check(const sq_schedule *given, const sq_interpreted_options *how, rows *x,
                 sq_interpreted *to, sq_diags *d)
{
    sq_code *code = NULL;
    sq_code_pool *pool = sq_code_pool_new(x->arena);
    const sq_schedule *s = sq_cuda_schedule(given, how->target, x->arena);
    const sq_group_options o = {.nest = {.target = how->target, .threads = how->threads}};
    int rc = how->target->grid ? sq_target_takes(how->target, s, d) : 0;
    rc = rc == 0 ? sq_schedule_code(s, &o, pool, &code, d) : rc;
    rc = rc == 0 ? make_rows(x, d) : rc;
    if (rc == 0)
        rc = compare(x, "lower", true, code, d);
    for (int i = 0; i < how->npasses && rc == 0; i++) {
        sq_schedule_step(s, &o, &how->pass[i], i, pool, code);
        rc = compare(x, how->pass[i].name, false, code, d);
    }
    *to = (sq_interpreted){x->n};
    return rc;
}

int sq_interpreted_check(const sq_schedule *s, const sq_kernel *described,
                         const sq_interpreted_options *how, sq_interpreted *to, sq_diags *d)
{
    rows *x = &(rows){.described = described,
                      .kernel = s->kernel,
                      .length = lengths_of(s),
                      .arena = sq_arena_new()};
    int rc = check(s, how, x, to, d);
    sq_arena_free(x->arena);
    return rc;
}
