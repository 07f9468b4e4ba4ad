/* Interpret: pairs without a compiler. A candidate is lowered to code, and the code is interpreted at
 * rows of small sizes, in three orders of the loops that may run in any; the memory it leaves must be
 * that of the program's own evaluation (ir/kernel/reference.h). */
#include "codegen/code/interpret.h"
#include "codegen/passes/group.h"
#include "codegen/print/names.h"
#include "ir/kernel/form.h"
#include "ir/kernel/reference.h"
#include "tests/exec/exec.h"
#include "tests/fuzz/fuzz.h"
#include "transforms/transform.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_ROWS_DRAWN = 400,
    FIXED_ROWS = 12,
    MOST_SCRIPTS_TRIED = 24,
    WANTED = 8,
    MOST_INSTANCES = 3000
};

/* The program at one row of sizes. */
typedef struct outcome {
    int64_t size[SQ_MAX_SIZES];
    sq_image *before, *after, *actual;
    double *bound; /* NULL: not asked for yet */
} outcome;

typedef struct interpretation {
    const setup *s;
    const reading *x;
    const trial *t;
    sq_rng *r;
    counts *n;
    sq_arena *arena;
    int nrows;
    outcome row[MOST_ROWS_DRAWN];
    const sq_points *allowed; /* of sizes: not of dimensions */
    const sq_target *target;
    bool threads;
    const char *script;
    bool failed;
} interpretation;

/* ---- rows of sizes ---- */

static bool note(const int64_t *at, void *user)
{
    (void)at;
    *(bool *)user = true;
    return true;
}

static bool draw_row(interpretation *p, int64_t *sizes)
{
    static const int64_t some[] = {1, 2, 3, 4, 5, 2, 3, 1, 4, 5, 6, 3, 7, 8, 9, 13, 17, 33, 0};
    const sq_kernel *k = p->x->kernel;
    for (int attempt = 0; attempt < 8; attempt++) {
        bool allowed = false;
        for (int i = 0; i < k->nsizes; i++)
            sizes[i] = k->size[i]->fixed ? k->size[i]->value
                                         : some[sq_rng_below(p->r, sizeof some / sizeof *some)];
        sq_points_each(p->allowed, sizes, &(int64_t){0}, 0, note, &allowed);
        if (allowed)
            return true;
    }
    return false;
}

static void fail(interpretation *p, const outcome *o, int order, const char *why)
{
    const sq_kernel *k = p->x->kernel;
    p->n->failures++;
    p->failed = true;
    if (p->s->fault)
        return;
    printf(
        "FAILED program %ld, fuzz --interpret --only=%ld\n%s    %s\n    script '%s', target %s%s, "
        "order %d, at",
        p->t->program, p->t->program, p->x->text, why, p->script, p->target->name,
        p->threads ? ",openmp" : "", order);
    for (int i = 0; i < k->nsizes; i++)
        printf(" %s=%" PRId64 "%s", k->size[i]->name, o->before->size[i],
               k->size[i]->fixed ? " (fixed)" : "");
    printf("\n");
    fflush(stdout);
}

/* A row that the program has a result at. Of a program that was accepted all elements are inside and
 * defined; integers may overflow in divisions and casts. */
static void add_row(interpretation *p, const sq_reference *reference)
{
    const sq_kernel *k = p->x->kernel;
    outcome *o = &p->row[p->nrows];
    *o = (outcome){.bound = NULL};
    if (!draw_row(p, o->size))
        return;
    const sq_image_contents c = {.seed = sq_rng_next(p->r), .any_integer = sq_rng_below(p->r, 2)};
    o->before = sq_image_new(k, o->size, p->arena);
    o->after = sq_image_like(o->before, p->arena);
    o->actual = sq_image_like(o->before, p->arena);
    sq_image_fill(o->before, &c);
    sq_image_copy(o->after, o->before);
    const char *wrong = sq_reference_run(reference, o->after, MOST_INSTANCES, p->arena);
    if (!wrong)
        p->nrows++;
    else if (strstr(wrong, "outside") || strstr(wrong, "not defined") || strstr(wrong, "no end"))
        fail(p, o, 0, wrong);
    else if (wrong != sq_reference_more)
        p->n->cases_undefined++;
}

/* ---- candidates ---- */

/* The bounds are for sums of one statement; programs heap up sums on a few elements. */
static const double *bound_of(interpretation *p, outcome *o)
{
    const sq_kernel *k = p->x->kernel;
    if (o->bound)
        return o->bound;
    o->bound = SQ_NEW_ARRAY(p->arena, double, k->narrays + 1);
    sq_kernel_rounding(k, o->after->size, o->bound);
    for (int a = 0; a < k->narrays; a++)
        o->bound[a] *= 16;
    return o->bound;
}

/* Orders take turns. */
static void run_row(interpretation *p, const sq_kernel *k, const sq_code *x, int row,
                    sq_arena *arena)
{
    outcome *o = &p->row[row];
    const int order = row % 3;
    const sq_interpret_options options = {.order = (sq_interpret_order)order,
                                          .seed = (uint64_t)row};
    sq_image *m = k == p->x->kernel ? o->actual : sq_image_new(k, o->size, arena);
    sq_image_copy(m, o->before);
    const char *why = sq_code_interpret(x, m, &options, arena);
    p->n->pairs++;
    if (!why && !sq_image_same(o->after, m, NULL, arena, &why) &&
        sq_image_same(o->after, m, bound_of(p, o), arena, &why))
        why = NULL;
    if (why)
        fail(p, o, order, why);
}

static void run_candidate(interpretation *p, const sq_schedule *s, sq_arena *arena, sq_diags *d)
{
    sq_code *x = NULL;
    sq_code_pool *pool = sq_code_pool_new(arena);
    pool->is_verified = !p->s->fault; /* what is broken on purpose is to be found by running it */
    fault_made broken = fault_begin(p->s->fault, s->kernel, p->r);
    const sq_group_options o = {.nest = {.target = p->target, .threads = p->threads},
                                .npasses = sq_rng_below(p->r, 4) ? SQ_ALL_PASSES : 0};
    int rc = p->target->grid ? sq_target_takes(p->target, s, d) : 0;
    rc = rc == 0 ? sq_schedule_code(s, &o, pool, &x, d) : rc;
    fault_end(&broken);
    p->n->candidates += rc == 0;
    p->n->interpreted += rc == 0;
    for (int row = 0; rc == 0 && row < p->nrows && !p->failed; row++)
        run_row(p, s->kernel, x, row, arena);
}

static const sq_target *draw_target(interpretation *p)
{
    static const char *const names[] = {"c", "avx2", "avx512", "neon", "generic"};
    size_t i = sq_rng_below(p->r, 6);
    if (p->s->grid)
        return p->s->grid;
    return i < 5 ? sq_target_get(names[i]) : sq_target_arch("cuda", "sm_80");
}

/* True if the script was accepted. */
static bool try_script(interpretation *p, const char *script)
{
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(p->x->kernel, arena);
    p->script = script;
    p->threads = sq_rng_below(p->r, 2);
    p->n->scripts++;
    if (sq_script_apply(s, script, "<script>", arena, d) == 0)
        run_candidate(p, sq_names_of_loops(s, arena), arena, d);
    bool taken = sq_diags_errors(d) == 0;
    if (!taken && sq_diags_fault(d) == SQ_FAULT_REFUSED) {
        p->n->scripts_refused++;
        count_class(p->n->scripts_by, sq_diags_message(d, 0));
    } else if (!taken) {
        fail(p, &p->row[0], 0, sq_diags_message(d, 0));
    }
    sq_diags_free(d);
    sq_arena_free(arena);
    return taken;
}

static void try_scripts(interpretation *p)
{
    p->target = draw_target(p);
    int accepted = try_script(p, "");
    for (int i = 0; i < MOST_SCRIPTS_TRIED && accepted < WANTED && !p->failed; i++) {
        sq_text script = {0};
        p->target = draw_target(p);
        if (p->target->grid && sq_rng_below(p->r, 4))
            grid_script(p->x->kernel, p->target, p->r, &script);
        else if (sq_rng_below(p->r, 2))
            random_auto(p->x->kernel, p->r, &script);
        else
            random_script(p->x->kernel, p->r, &script);
        accepted += try_script(p, sq_text_str(&script));
        sq_text_free(&script);
    }
}

void interpret_reading(const setup *s, const reading *x, trial *t, sq_rng *r, counts *n)
{
    sq_arena *arena = sq_arena_new();
    interpretation *p = SQ_NEW(arena, interpretation);
    *p = (interpretation){.s = s, .x = x, .t = t, .r = r, .n = n, .arena = arena, .script = ""};
    p->target = sq_target_get("c");
    isl_set *sizes = isl_set_from_params(isl_set_copy(x->kernel->context));
    p->allowed = sq_points_new(x->kernel, sizes, arena);
    isl_set_free(sizes);
    const sq_reference *reference = p->allowed ? sq_reference_new(x->kernel, arena) : NULL;
    bool fixed = isl_set_dim(x->kernel->context, isl_dim_param) == 0;
    int rows = fixed ? FIXED_ROWS : MOST_ROWS_DRAWN;
    for (int i = 0; reference && i < rows && !p->failed; i++)
        add_row(p, reference);
    if (!reference)
        fail(p, &(outcome){.before = sq_image_new(x->kernel, (int64_t[SQ_MAX_SIZES]){0}, arena)}, 0,
             "its sets have no form that can be evaluated");
    if (p->nrows > 0 && !p->failed) {
        if (t->ncases == 0) /* the first row is what sizes are fixed to */
            for (int i = 0; i < x->kernel->nsizes; i++)
                for (int k = 0; k < MOST_PROGRAM_SIZES; k++)
                    if (strcmp(size_text(k), x->kernel->size[i]->name) == 0)
                        t->size[0][k] = p->row[0].before->size[i];
        t->ncases = 1;
        try_scripts(p);
    }
    sq_arena_free(arena);
}
