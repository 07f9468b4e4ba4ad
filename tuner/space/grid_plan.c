/* Grid plan: see grid_plan.h. Kinds are tried for each group from the best by default to one that
 * always fits. C loops that are not perfectly nested, and statements with carried dependences, use
 * auto(); statements on the same rows share one kernel. */
#include "tuner/space/grid_plan.h"
#include "ir/schedule/tree.h"
#include "transforms/transform.h"
#include "tuner/device/device_file.h"
#include "tuner/model/draft.h"
#include <math.h>
#include <string.h>

enum {
    LARGE = 4096, /* for sizes that are not known */
    IDLE = 2      /* per multiprocessor: fewer blocks leave it idle */
};
enum { LEAST_POINTS = 4, SMALL_TILE = 64 }; /* used if the default tile is refused */
static const double tie = 1.03;
static const double worth = 0.95; /* relative to the default's time, at most: the model is not more precise */

/* The context of choosing units. */
typedef struct planner {
    sq_schedule *s;
    const sq_device *d;
    const sq_target *t;
    const int64_t *sizes;
    bool sized; /* sizes are given, not guessed */
    sq_arena *a;
    sq_grid_plan *plan;
} planner;

void sq_grid_sizes(const sq_kernel *k, int64_t *sizes)
{
    for (int i = 0; i < k->nsizes; i++)
        sizes[i] = k->size[i]->fixed ? k->size[i]->value : k->ntune > 0 ? k->tune[0][i] : LARGE;
}

/* True if each size is known or one to choose for: for guesses the default parameters are as
 * good. */
static bool sized(const sq_kernel *k, const int64_t *sizes)
{
    for (int i = 0; i < k->nsizes; i++)
        if (!k->size[i]->fixed && k->ntune == 0 && sizes[i] == LARGE)
            return false;
    return true;
}

static bool emits(const sq_schedule *s, const sq_target *t)
{
    sq_text scratch = {0};
    sq_diags *d = sq_diags_new();
    sq_emit_options o = {.target = t, .is_untested = true};
    bool fine = sq_emit_source(s, &o, &scratch, d) == 0;
    sq_text_free(&scratch);
    sq_diags_free(d);
    return fine;
}

/* Returns the schedule with the unit, if it is legal and can be emitted; else NULL. */
static sq_schedule *with_unit(const planner *p, const sq_grid_unit *u)
{
    sq_text calls = {0};
    sq_schedule *trial = sq_schedule_copy(p->s, p->a);
    if (!sq_grid_unit_fits(u))
        return NULL;
    sq_grid_unit_script(u, &calls);
    bool ok = sq_script_try(trial, sq_text_str(&calls), p->a) && emits(trial, p->t);
    sq_text_free(&calls);
    return ok ? trial : NULL;
}

/* Adds the unit to the plan if possible. */
static bool take(planner *p, const sq_grid_unit *u)
{
    const sq_schedule *with = with_unit(p, u);
    if (!with)
        return false;
    *p->s = *with;
    p->plan->unit[p->plan->n++] = *u;
    return true;
}

/* ---- parameters ---- */

/* Tries all values of the knobs from `knob` on; keeps the best so far. */
static void try_numbers(const sq_grid_unit *rule, const sq_device *d, sq_grid_knob knob,
                        sq_grid_unit *u, double *least, sq_grid_unit *best)
{
    long value[SQ_KNOB_VALUES];
    if (knob > SQ_KNOB_STAGES) {
        double cost = sq_grid_unit_cost(u, d);
        if (cost < *least) {
            *least = cost;
            *best = *u;
        }
        return;
    }
    int n = sq_grid_knob_values(rule, knob, value);
    if (n == 0)
        try_numbers(rule, d, knob + 1, u, least, best);
    for (int i = 0; i < n; i++) {
        u->knob[knob] = value[i];
        try_numbers(rule, d, knob + 1, u, least, best);
    }
    u->knob[knob] = rule->knob[knob];
}

/* Chooses parameters that the model prefers to the default, at sizes for which the default gives so
 * few blocks that a device idles; otherwise, as measured, the default is as good as the model's
 * choice. Copies run ahead if it makes no difference to the model. */
static bool choose_numbers(const sq_grid_unit *rule, const sq_device *d, sq_grid_unit *best)
{
    sq_launch l;
    sq_grid_unit u = *rule;
    double of_rule = worth * sq_grid_unit_cost(rule, d), least = of_rule;
    if (sq_grid_unit_count(rule, d, &l) > 0 && l.blocks >= IDLE * d->multiprocessors)
        return false;
    try_numbers(rule, d, SQ_KNOB_ROWS, &u, &least, best);
    if (least >= of_rule)
        return false;
    u = *best;
    u.knob[SQ_KNOB_STAGES] = 2;
    if (best->knob[SQ_KNOB_STAGES] == 1 && rule->of[0]->taps == 1 &&
        sq_grid_unit_cost(&u, d) <= tie * least)
        *best = u;
    return true;
}

/* Reduces the steps at a time, then the stages, if a block of the device has no room for the
 * defaults. */
static void fit_device(sq_grid_unit *u, const sq_device *d)
{
    const sq_tensor_shape *s = u->of[0]->tensor.shape;
    while (u->kind == SQ_GRID_TENSOR && sq_grid_unit_fits(u) && isinf(sq_grid_unit_cost(u, d))) {
        if (u->knob[SQ_KNOB_STEPS] > 2L * s->k)
            u->knob[SQ_KNOB_STEPS] /= 2;
        else if (u->knob[SQ_KNOB_STAGES] > 1)
            u->knob[SQ_KNOB_STAGES]--;
        else
            return;
    }
}

/* Takes the default parameters, or better ones for these sizes. */
static bool take_product(planner *p, sq_grid_unit *u)
{
    fit_device(u, p->d);
    sq_grid_unit better;
    if (p->sized && sq_grid_unit_fits(u) && choose_numbers(u, p->d, &better) && take(p, &better))
        return true;
    if (take(p, u))
        return true;
    if (u->kind != SQ_GRID_PRODUCT || u->knob[SQ_KNOB_ROW_POINTS] <= LEAST_POINTS)
        return false;
    u->knob[SQ_KNOB_ROW_POINTS] = u->knob[SQ_KNOB_COLUMN_POINTS] = LEAST_POINTS;
    for (sq_grid_knob k = SQ_KNOB_ROWS; k <= SQ_KNOB_COLUMNS; k++)
        u->knob[k] = u->knob[k] > SMALL_TILE ? SMALL_TILE : u->knob[k];
    return take(p, u);
}

/* ---- one group ---- */

static sq_grid_unit unit_of(sq_grid_kind kind, const sq_grid_shape *h)
{
    sq_grid_unit u = {.kind = kind, .n = 1, .of = {h}, .name = h->g->stmt[0]->name};
    sq_grid_knob_defaults(&u);
    return u;
}

static sq_grid_shape *shape_of(planner *p, int group)
{
    sq_grid_shape *h = SQ_NEW(p->a, sq_grid_shape);
    sq_grid_shape_of(p->s->kernel, p->s->group[group], p->sizes, p->a, h);
    h->lanes = h->vectors ? sq_emit_grid_lanes(h->g, p->t) : 1;
    h->warpgroups =
        p->t->grid->warpgroups && h->tensor.shape &&
        (h->tensor.lines < 0 || sq_grid_walks(h->tensor.of[0], h->tensor.lines)) &&
        sq_tensor_shape_of(h->tensor.shape->operand, h->tensor.shape->sum, SQ_WARPGROUP);
    return h;
}

static void take_group(planner *p, int group)
{
    sq_grid_shape *h = shape_of(p, group);
    sq_grid_unit warpgroups = unit_of(SQ_GRID_TENSOR, h);
    if (sq_grid_take_warpgroups(&warpgroups) && take_product(p, &warpgroups))
        return;
    for (sq_grid_kind kind = SQ_GRID_TENSOR; kind <= SQ_GRID_LOOPS; kind++) {
        sq_grid_unit u = unit_of(kind, h);
        bool product = kind == SQ_GRID_TENSOR || kind == SQ_GRID_PRODUCT;
        if (product ? take_product(p, &u) : take(p, &u))
            return;
    }
    for (sq_grid_kind kind = SQ_GRID_LEAST_HELD; kind <= SQ_GRID_LEAST; kind++)
        for (int d = 0; d < h->g->nfree; d++) {
            sq_grid_unit u = unit_of(kind, h);
            u.dim = d;
            if (take(p, &u))
                return;
        }
}

/* ---- rows ---- */

static bool in_run(const sq_schedule *s, int group)
{
    return s->group[group]->shared > 0 ||
           (group + 1 < s->ngroups && s->group[group + 1]->shared > 0);
}

/* True if the group would be a product in tiles: then it is not computed row by row. */
static bool is_tiled(const planner *p, const sq_grid_shape *h)
{
    sq_grid_unit tensor = unit_of(SQ_GRID_TENSOR, h), product = unit_of(SQ_GRID_PRODUCT, h);
    return with_unit(p, &tensor) || with_unit(p, &product);
}

/* Takes as many groups as fit from one on; rows are the dimensions of the first sum that a team
 * computes. In other sums each element is computed by one thread, such as scores before the softmax
 * of a row. */
static void find_rows(planner *p, int from, sq_grid_unit *x)
{
    x->n = 0;
    x->nrows = -1;
    for (int i = from; i < p->s->ngroups && x->n < SQ_GRID_MOST_ROWS; i++) {
        const sq_group *g = p->s->group[i];
        if (g->kind != SQ_GROUP_TILED || g->nfree == 0)
            return;
        const sq_grid_shape *h = shape_of(p, i);
        bool sums = g->stmt[0]->updates != NULL, team = sums && sq_grid_has_team(h);
        if (team && x->nrows >= 0 && g->nfree != x->nrows)
            return;
        if (sums && !team && is_tiled(p, h))
            return;
        if (team)
            x->nrows = g->nfree;
        x->of[x->n++] = h;
    }
}

static bool take_rows(planner *p, int group)
{
    sq_grid_unit x = {.kind = SQ_GRID_ROWS};
    find_rows(p, group, &x);
    if (x.n < 2 || x.nrows < 0) /* no team: no rows */
        return false;
    x.name = x.of[0]->g->stmt[0]->name;
    sq_grid_knob_defaults(&x);
    for (; x.n > 1; x.n--)
        if (take(p, &x))
            return true;
    return false;
}

/* ---- loops for many statements ---- */

/* Counts the loops around statements that the grid shares. */
static int shared_loops(const sq_tree *t)
{
    int sum = 0;
    for (int i = 0; i < t->nmembers; i++)
        sum += t->member[i].parallel ? t->nstmts : 0;
    for (int i = 0; i < t->nchildren; i++)
        sum += shared_loops(t->child[i]);
    return sum;
}

static int group_of(const sq_schedule *s, const char *stmt)
{
    int g = 0;
    while (strcmp(s->group[g]->stmt[0]->name, stmt) != 0)
        g++;
    return g;
}

/* Takes the first auto() in which each statement has a shared loop, or the one with most shared
 * loops; the last is a wavefront, with a thread for each point of it. */
static bool take_tree(planner *p, int group)
{
    const sq_group *g = p->s->group[group];
    sq_grid_shape *h = SQ_NEW(p->a, sq_grid_shape);
    *h = (sq_grid_shape){.g = g, .arena = p->a};
    sq_grid_unit u = unit_of(SQ_GRID_TREE, h);
    const sq_schedule *best = NULL;
    int most = 0, way = 0;
    for (int i = 0; i < 3 && most < g->nstmts; i++) {
        sq_text call = {0};
        sq_schedule *trial = sq_schedule_copy(p->s, p->a);
        u.knob[SQ_KNOB_WAY] = i;
        sq_grid_unit_script(&u, &call);
        bool ok = sq_script_try(trial, sq_text_str(&call), p->a);
        sq_text_free(&call);
        int n = ok ? shared_loops(trial->group[group_of(trial, u.name)]->plan->tree) : 0;
        if (n > most && emits(trial, p->t)) {
            most = n;
            best = trial;
            way = i;
        }
    }
    if (!best)
        return false;
    *p->s = *best;
    u.knob[SQ_KNOB_WAY] = way;
    p->plan->unit[p->plan->n++] = u;
    return true;
}

/* ---- all ---- */

void sq_grid_plan_make(sq_schedule *s, const sq_device *d, const sq_target *t, const int64_t *sizes,
                       sq_arena *a, sq_grid_plan *plan)
{
    planner p = {s, d, t, sizes, sized(s->kernel, sizes), a, plan};
    plan->n = 0;
    plan->unit = SQ_NEW_ARRAY(a, sq_grid_unit, s->ngroups + 1);
    for (int g = 0; g < s->ngroups; g++)
        if (s->kernel->deps && sq_draft_by_auto(s->kernel, s->group[g]) && take_tree(&p, g))
            continue;
        else if (s->group[g]->kind == SQ_GROUP_TILED && !in_run(s, g) && !take_rows(&p, g))
            take_group(&p, g);
}

const sq_device *sq_grid_device(const sq_machine *m, const sq_target *t)
{
    return m->device ? m->device : sq_device_known(t->grid->arch);
}

void sq_draft_grid(sq_schedule *s, const sq_device *d, const sq_target *t, const int64_t *sizes,
                   sq_arena *a, sq_text *script)
{
    sq_grid_plan plan;
    sq_draft_fuse(s, a, script);
    sq_grid_plan_make(s, d, t, sizes, a, &plan);
    for (int i = 0; i < plan.n; i++) {
        sq_grid_unit_script(&plan.unit[i], script);
        sq_text_puts(script, " ");
    }
}
