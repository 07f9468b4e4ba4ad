/* Interpreted: see interpreted.h. */
#include "codegen/interpreted.h"
#include "codegen/code/compare.h"
#include "codegen/lower/group.h"
#include "codegen/names.h"
#include "ir/reference.h"
#include "support/stats.h"
#include <string.h>

enum { ROWS = 12, ATTEMPTS = 400, MOST_INSTANCES = 100000 };

typedef struct rows {
    const sq_kernel *described, *kernel;
    sq_arena *arena;
    int n;
    const sq_image *before[ROWS];
    sq_image *after[ROWS];
    const double *bound[ROWS];
} rows;

static bool draw_sizes(const sq_kernel *k, sq_rng *r, int64_t *sizes)
{
    static const int64_t some[] = {5, 7, 3, 4, 9, 1, 2, 6, 11, 13, 17};
    size_t most = sizeof some / sizeof *some;
    for (int i = 0; i < k->nsizes; i++)
        sizes[i] = k->size[i]->fixed ? k->size[i]->value : some[sq_rng_below(r, most)];
    return sq_kernel_takes(k, k->context, sizes);
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
    if (!draw_sizes(x->described, rng, sizes))
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

static int compare(const rows *x, const sq_code_version *stage, int n, sq_interpreted *to,
                   sq_diags *d)
{
    const sq_code_inputs in = {x->n, x->before, x->bound};
    const char *why;
    int wrong = sq_code_first_departure(stage, n, &in, x->after, x->arena, &why);
    if (wrong >= 0)
        return sq_error(d, SQ_FAULT_BUG, x->described->loc, "'%s' changes what '%s' computes: %s",
                        stage[wrong].pass, x->described->name, why);
    *to = (sq_interpreted){.rows = x->n, .nstages = n};
    return 0;
}

static int check(const sq_schedule *s, const sq_target *t, bool threads, rows *x,
                 sq_interpreted *to, sq_diags *d)
{
    sq_rng rng = {1};
    sq_code *code = NULL;
    sq_lowered done = sq_lower_schedule(sq_names_of_loops(s, x->arena), t, threads,
                                        sq_code_pool_new(x->arena), &code, d);
    if (done != SQ_LOWER_DONE) {
        *to = (sq_interpreted){.has_tiles = done == SQ_LOWER_NOT_AS_CODE};
        return done == SQ_LOWER_NOT_AS_CODE ? 0 : -1;
    }
    const sq_reference *r = sq_reference_new(x->described, x->arena);
    for (int i = 0; r && i < ATTEMPTS && x->n < ROWS; i++)
        add_row(x, r, &rng);
    if (x->n == 0)
        return sq_error(d, SQ_FAULT_REFUSED, x->described->loc,
                        "'%s' cannot be interpreted: no small sizes were found at which it has a "
                        "result; --fix=... gives some",
                        x->described->name);
    return compare(x, &(sq_code_version){"lower", code}, 1, to, d);
}

int sq_interpreted_check(const sq_schedule *s, const sq_kernel *described, const sq_target *t,
                         bool threads, sq_interpreted *to, sq_diags *d)
{
    rows *x = &(rows){.described = described, .kernel = s->kernel, .arena = sq_arena_new()};
    int rc = check(s, t, threads, x, to, d);
    sq_arena_free(x->arena);
    return rc;
}
