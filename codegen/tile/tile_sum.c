/* Tile sums: the loop that fills the accumulators (tile_acc.c) by steps (tile_step.c). If vectors
 * are along a reduction dimension their lanes are partial sums: they are added up at the end, and
 * the remainder of the dimension follows point by point. */
#include "codegen/nest/fold_comparison.h"
#include "codegen/tile/tile_inside.h"
#include <stdlib.h>
#include <string.h>

enum {
    MOST_UNROLLED = 32,
    LONG_STEP = 8,       /* updates of accumulators: vectors, or scalars */
    MOST_TAPS = 128,     /* limit on those of unrolled steps with taps */
    TWO_STEPS = 2,       /* unroll factor of long steps, */
    FEW_STEPS = 4,       /* and of steps each of which reads other rows */
    FREE_REGISTERS = 10, /* registers that compilers need in addition to accumulators for unrolled steps */
    /* limit on the operations of unrolled steps: with more, their operands fill the registers,
     * whose number determines how many blocks are resident */
    MOST_WRITTEN = 1024,
};

/* ---- the serial loop ---- */

static void advance(sq_tile *t, int by)
{
    if (sq_tile_counts_steps(t)) {
        const sq_code_expr *at = sq_tile_serial(t);
        sq_tile_append(t, sq_code_assign(t->pool, at->name, sq_code_plus(t->pool, at, by)));
    }
    for (int i = 0; i < t->bases.n; i++) {
        const sq_code_expr *step =
            sq_tile_advance(t, t->bases.base[i].ref, t->group->micro.serial, by);
        if (sq_code_is(step, 0))
            continue;
        sq_code *x = sq_code_new(t->pool, SQ_CODE_ADVANCE);
        x->buffer = t->pointer[i];
        x->value = step;
        sq_tile_append(t, x);
    }
}

/* Returns the registers that the loads of one read take if they are kept during the whole loop. */
static int kept_loads(const sq_tile *t, const sq_ref *r)
{
    bool rows = false, taps = false;
    for (int d = 0; d < t->group->ndim; d++)
        if (d != t->group->micro.vector && sq_ref_depends(r, d))
            *(d < t->group->nfree ? &rows : &taps) = true;
    int n = (rows ? t->rows : 1) * (taps ? t->taps : 1);
    const sq_point origin = {0};
    const sq_code_expr *step = sq_tile_lane_step(t, r, &origin);
    return n * (!step || !sq_code_is(step, 0) ? t->vectors : 1);
}

/* The loads of a step: an element, or an element with the cast that it has, which is one operation
 * for both. */
typedef struct loads {
    const sq_expr *e[SQ_MAX_STMT_READS];
    int n;
} loads;

/* Comparisons that follow from the types compute nothing. Subscripts are not vector values. */
static void find_loads(const sq_expr *e, loads *l)
{
    if (e->op == SQ_OP_READ && e->access->indirect)
        return;
    const sq_expr *last = l->n ? l->e[l->n - 1] : NULL;
    bool of_last = last && last->op == SQ_OP_CAST && last->arg[0] == e;
    bool wanted =
        e->op == SQ_OP_CAST ? sq_expr_is_element(e->arg[0]) : e->op == SQ_OP_READ && !of_last;
    if (sq_expr_fold_comparison(e) >= 0)
        return;
    if (wanted && l->n < SQ_MAX_STMT_READS)
        l->e[l->n++] = e;
    for (int i = 0; i < e->nargs; i++)
        find_loads(e->arg[i], l);
}

static void load_all(sq_tile *t, const sq_expr *load)
{
    for (int tap = 0; tap < t->taps; tap++)
        for (int r = 0; r < t->rows; r++)
            for (int v = 0; v < t->vectors; v++) {
                sq_point p = sq_tile_point(t, r, v, tap, 0);
                if (t->acc_kind == SQ_ACC_PARTIAL) /* as a product of small integers reads it */
                    sq_tile_read_as(t, load->op == SQ_OP_CAST ? load->arg[0] : load, SQ_F32, &p);
                else
                    sq_tile_eval(t, load, &p);
            }
}

/* Hoists loads that do not depend on the step, if registers allow. */
static void hoist(sq_tile *t, const sq_stmt *s)
{
    loads l = {0};
    int limit = t->target->registers - 2 - t->rows * t->vectors * t->sets, wanted = 0;
    find_loads(s->body, &l);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < l.n; i++) {
            const sq_expr *read = l.e[i]->op == SQ_OP_CAST ? l.e[i]->arg[0] : l.e[i];
            const sq_ref *r = t->nest->ref[sq_tile_ref(t, read->access)];
            if (sq_ref_depends(r, t->group->micro.serial))
                continue;
            if (pass == 0)
                wanted += kept_loads(t, r);
            else if (wanted <= limit)
                load_all(t, l.e[i]);
        }
}

static int in_order(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(sq_offset));
}

/* Collects the offsets that step x reads through a base; returns how many. */
static int places(const sq_tile *t, int base, int x, sq_offset *to)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int n = 0, nread = sq_stmt_all_reads(t->group->stmt[0], read, in_body);
    for (int i = 0; i < nread; i++) {
        int ref = sq_tile_ref(t, read[i]);
        if (!in_body[i] || t->bases.of[ref] != base ||
            !sq_ref_depends(t->nest->ref[ref], t->group->micro.serial))
            continue;
        for (int p = 0; p < t->taps * t->rows * t->vectors; p++) {
            int tap = p / (t->rows * t->vectors), row = p / t->vectors % t->rows;
            sq_point at = sq_tile_point(t, row, p % t->vectors, tap, x * sq_tile_width(t));
            to[n++] = sq_ref_offset(t->nest->ref[ref], at.at);
        }
    }
    return n;
}

/* True if some of n consecutive steps read the same elements: a window that moves along the serial
 * dimension. The text of such steps is unrolled and loads an element once. */
static bool steps_share(const sq_tile *t, int n)
{
    int most = SQ_MAX_STMT_READS * t->taps * t->rows * t->vectors + 1;
    sq_offset *first = malloc((size_t)most * 2 * sizeof *first), *later = first + most;
    bool shared = !first;
    for (int b = 0; b < t->bases.n && !shared; b++) {
        int nfirst = places(t, b, 0, first);
        qsort(first, (size_t)nfirst, sizeof *first, in_order);
        for (int x = 1; x < n && !shared; x++) {
            int nlater = places(t, b, x, later);
            for (int i = 0; i < nlater && !shared; i++)
                shared = bsearch(&later[i], first, (size_t)nfirst, sizeof *first, in_order);
        }
    }
    free(first);
    return shared;
}

/* True if a step of the tile is so long that its loop costs nothing, and accumulators take most
 * registers: then compilers would move them between unrolled steps, as they do anyway between
 * taps. */
static bool is_long_step(const sq_tile *t)
{
    int sums = t->rows * t->vectors;
    return t->target->language->unroll && t->taps == 1 && sums >= LONG_STEP &&
           t->target->registers - sums * t->sets < FREE_REGISTERS;
}

/* Returns the steps with taps in one iteration, of u that are asked for: where they are long, their loop costs nothing,
 * and more of them only make the text longer that compilers optimise. */
static int few_taps(const sq_tile *t, int u)
{
    while (u > t->sets && t->taps * t->rows * t->vectors * u >= MOST_TAPS)
        u = (u / 2 + t->sets - 1) / t->sets * t->sets;
    return u;
}

/* Returns the steps in one iteration of the serial loop: a multiple of the sets of accumulators. */
static int unrolled(const sq_tile *t)
{
    int u = t->group->micro.unroll > 1 ? t->group->micro.unroll : 1;
    u = (u + t->sets - 1) / t->sets * t->sets;
    bool taps = t->target->language->unroll && t->taps > 1;
    if ((!taps && !is_long_step(t)) || steps_share(t, u))
        return u;
    if (taps)
        return few_taps(t, u);
    int most = sq_tile_sum_runs_over_rows(t) ? FEW_STEPS : TWO_STEPS;
    return t->sets > 1 || u < TWO_STEPS ? t->sets : u < most ? TWO_STEPS : most;
}

static const sq_code_expr *variable(const sq_tile *t, const char *name)
{
    return sq_code_name(t->pool, name);
}

static const sq_code_expr *number(const sq_tile *t, int64_t n)
{
    return sq_code_number(t->pool, n);
}

static void put_variable(sq_tile *t, const char *name, const sq_code_expr *value, bool is_int)
{
    sq_code *x = sq_code_let(t->pool, name, value);
    x->kind = SQ_CODE_VARIABLE;
    x->is_int = is_int;
    sq_tile_append(t, x);
}

/* Appends a loop of n iterations over `of` steps each, which the compiler unrolls by `unroll` (0:
 * completely). */
static void unrolled_steps(sq_tile *t, const sq_stmt *s, int64_t n, int of, int unroll)
{
    sq_code *x = sq_code_new(t->pool, SQ_CODE_LOOP);
    sq_code_list inner = {0}, *to = sq_tile_into(t, &inner);
    sq_tile_step(t, s, of);
    advance(t, of * sq_tile_width(t));
    sq_tile_into(t, to);
    x->name = "@step";
    x->lo = number(t, 0);
    x->hi = number(t, n);
    x->step = 1;
    x->runs = SQ_CODE_UNROLLED;
    x->unroll = unroll;
    x->body = inner.first;
    sq_tile_append(t, x);
}

/* Appends a loop over n steps per iteration as long as n are left. */
static void step_loop(sq_tile *t, const sq_stmt *s, int n)
{
    int by = n * sq_tile_width(t);
    bool unrolls = t->target->language->unroll && n > t->sets && !steps_share(t, n);
    sq_code *x = sq_code_new(t->pool, SQ_CODE_LOOP);
    sq_code_list inner = {0}, *to = sq_tile_into(t, &inner);
    if (t->lanes == 1)
        sq_tile_fresh(t, "@left"); /* see put_lanes in vector.c */
    if (unrolls) {
        unrolled_steps(t, s, n / t->sets, t->sets, 0);
    } else {
        sq_tile_step(t, s, n);
        advance(t, by);
    }
    sq_tile_into(t, to);
    x->name = "@left";
    x->cond = by == 1 ? sq_code_compare(t->pool, SQ_CODE_GT, variable(t, x->name), number(t, 0))
                      : sq_code_compare(t->pool, SQ_CODE_GE, variable(t, x->name), number(t, by));
    x->step = -by;
    x->body = inner.first;
    sq_tile_append(t, x);
}

/* True if the serial dimension may have as many points as one iteration of a loop of n steps takes.
 * Exact sums take ranges of any length. */
static bool begins(const sq_tile *t, int n)
{
    return t->acc_kind == SQ_ACC_PARTIAL || !t->nest->steps.most ||
           t->nest->steps.most >= (int64_t)n * sq_tile_width(t);
}

static bool leaves_steps(const sq_tile *t, int n)
{
    const sq_steps *all = &t->nest->steps;
    bool is_known = all->most > 0 || all->divisor > 0;
    return t->acc_kind == SQ_ACC_PARTIAL || !is_known || all->divisor % (n * sq_tile_width(t)) != 0;
}

/* True if there may be points that no step of one element a lane takes. */
static bool leaves_points(sq_tile *t)
{
    bool pairs = t->pairs;
    t->pairs = false;
    bool leaves = leaves_steps(t, 1);
    t->pairs = pairs;
    return leaves;
}

/* Appends a step of one element a lane, where steps of two leave as many. */
static void lone_step(sq_tile *t, const sq_stmt *s)
{
    bool leaves = sq_tile_pairs(t) && leaves_steps(t, 1);
    t->pairs &= !leaves;
    if (leaves)
        step_loop(t, s, 1);
    t->pairs |= leaves;
}

/* True if single steps are long enough for a tile that lacks points, which spares compilers another copy of several. */
static bool takes_single_steps(const sq_tile *t)
{
    return sq_tile_may_lack(t) && t->sets == 1 && t->taps * t->rows * t->vectors >= LONG_STEP;
}

/* Appends a loop of u steps at once for whole tiles. */
static void loop_of_whole(sq_tile *t, const sq_stmt *s, int u)
{
    sq_code_list inner = {0}, *to = sq_tile_into(t, &inner);
    step_loop(t, s, u);
    sq_tile_into(t, to);
    inner.first->cond = sq_code_and(t->pool, sq_tile_flag(t, "@whole", true), inner.first->cond);
    sq_tile_append(t, inner.first);
}

/* Appends loops of u steps at once, and the remainder. */
static void step_loops(sq_tile *t, const sq_stmt *s, int u)
{
    bool several = u > 1 && begins(t, u), single = !several || leaves_steps(t, u);
    if (several)
        (single && takes_single_steps(t) ? loop_of_whole : step_loop)(t, s, u);
    if (single)
        step_loop(t, s, 1);
    lone_step(t, s);
}

/* Returns the serial steps in an iteration of the loop around; 0 if there is none. */
static int64_t stretch(const sq_tile *t)
{
    for (int l = t->group->nloops - 1; l >= 0; l--)
        if (t->group->loop[l].dim == t->group->micro.serial)
            return t->group->loop[l].step;
    return 0;
}

bool sq_tile_short(const sq_tile *t)
{
    int64_t n = stretch(t);
    return n > 0 && n <= INT32_MAX && t->target->language->unrolls;
}

/* Returns how many of n consecutive steps the compiler unrolls. */
static int64_t written_out(const sq_tile *t, const sq_stmt *s, int64_t n)
{
    int64_t one = s->body ? sq_expr_flops(s->body) : 1;
    for (int d = 0; d < t->group->ndim; d++)
        one *= t->group->micro.points[d];
    while (n > 1 && n % 2 == 0 && n * one > MOST_WRITTEN)
        n /= 2;
    return n;
}

/* The compiler unrolls as many steps as a tile of the loop around has; else u. */
static void pragma_loop(sq_tile *t, const sq_stmt *s, int u)
{
    int64_t n = stretch(t);
    bool is_unrolled = n > 1 && n <= MOST_UNROLLED && t->sets == 1 && sq_tile_width(t) == 1;
    if (!is_unrolled) {
        step_loops(t, s, u);
        return;
    }
    int64_t row = written_out(t, s, n);
    sq_code_list all = {0}, some = {0}, *to = sq_tile_into(t, &all);
    unrolled_steps(t, s, n, 1, row == n ? 0 : (int)row);
    if (t->acc_kind == SQ_ACC_PARTIAL) /* remainders are tested later */
        sq_tile_append(t, sq_code_assign(t->pool, "@left", number(t, 0)));
    sq_tile_into(t, &some);
    step_loops(t, s, u);
    sq_tile_into(t, to);
    sq_tile_if(t, sq_code_compare(t->pool, SQ_CODE_EQ, variable(t, "@left"), number(t, n)), &all,
               &some);
}

static void serial_loop(sq_tile *t, const sq_stmt *s)
{
    int u = unrolled(t);
    hoist(t, s);
    if (t->target->language->unrolls)
        pragma_loop(t, s, u);
    else
        step_loops(t, s, u);
}

/* Appends a list of statements in a scope of its own. */
static void put_block(sq_tile *t, const sq_code_list *inner)
{
    sq_code *x = sq_code_new(t->pool, SQ_CODE_BLOCK);
    x->body = inner->first;
    sq_tile_append(t, x);
}

/* Defines the index of a step, if it is used as a value. */
static void put_serial(sq_tile *t)
{
    const sq_code_expr *at[SQ_MAX_DIMS] = {0};
    if (!sq_tile_counts_steps(t))
        return;
    sq_tile_begin(t, at);
    put_variable(t, sq_tile_serial(t)->name, at[t->group->micro.serial], false);
}

/* Appends all steps of the serial loop, or the only one without it. is_int: 32 bits suffice to
 * count them. */
static void all_steps(sq_tile *t, const sq_stmt *s, bool is_int)
{
    sq_code_list inner = {0}, *to = t->to;
    if (t->group->micro.serial >= 0) {
        put_variable(t, "@left", sq_tile_points(t, t->group->micro.serial), is_int);
        put_serial(t);
        serial_loop(t, s);
        return;
    }
    sq_tile_into(t, &inner);
    sq_tile_step(t, s, 1);
    sq_tile_into(t, to);
    put_block(t, &inner);
}

static void add_partial(sq_tile *t, const sq_stmt *s)
{
    sq_tile_box box = sq_tile_box_points(t);
    while (sq_tile_box_point(t, &box)) {
        const sq_code_expr *f = sq_tile_acc_of(t, SQ_ACC_PARTIAL, box.row, box.vector, 0);
        sq_tile_combine(t, s, sq_tile_acc_of(t, SQ_ACC_SUMS, box.row, box.vector, 0),
                        sq_tile_converted(t, f, s->body->type));
    }
}

/* Appends one range, accumulated in f32. */
static void exact_stretch(sq_tile *t, const sq_stmt *s)
{
    t->acc_kind = SQ_ACC_PARTIAL;
    sq_tile_declare(t, s);
    if (t->group->micro.serial >= 0)
        serial_loop(t, s);
    else
        sq_tile_step(t, s, 1);
    sq_tile_merge_sets(t, s);
    add_partial(t, s);
    t->acc_kind = SQ_ACC_SUMS;
}

/* Splits the serial loop into ranges that f32 adds up exactly. */
static void exact_steps(sq_tile *t, const sq_stmt *s)
{
    int64_t most = t->terms / t->taps;
    const sq_code_expr *more = variable(t, "@more"), *stretch = variable(t, "@stretch");
    sq_code_list inner = {0}, *to = sq_tile_into(t, &inner);
    if (t->group->micro.serial < 0) {
        exact_stretch(t, s);
        sq_tile_into(t, to);
        put_block(t, &inner);
        return;
    }
    sq_tile_append(t,
                   sq_code_let(t->pool, "@stretch", sq_code_min(t->pool, more, number(t, most))));
    put_variable(t, "@left", stretch, false);
    exact_stretch(t, s);
    const sq_code_expr *done = sq_code_sub(t->pool, stretch, variable(t, "@left"));
    sq_tile_append(t, sq_code_assign(t->pool, "@more", sq_code_sub(t->pool, more, done)));
    sq_tile_into(t, to);
    put_variable(t, "@more", sq_tile_points(t, t->group->micro.serial), false);
    sq_code *x = sq_code_new(t->pool, SQ_CODE_LOOP);
    x->cond = sq_code_compare(t->pool, SQ_CODE_GE, more, number(t, sq_tile_width(t)));
    x->body = inner.first;
    sq_tile_append(t, x);
}

/* True if some ranges are long enough for exact sums to pay. */
static bool is_exact(const sq_tile *t)
{
    return t->terms / t->taps >= 32 * sq_tile_width(t) ||
           (t->terms >= t->taps && t->group->micro.serial < 0);
}

void sq_tile_sum_begin(sq_tile *t)
{
    sq_tile_declare(t, t->group->stmt[0]);
}

void sq_tile_sum_steps(sq_tile *t)
{
    all_steps(t, t->group->stmt[0], sq_tile_short(t));
}

void sq_tile_sum_end(sq_tile *t)
{
    sq_tile_merge_sets(t, t->group->stmt[0]);
}

void sq_tile_sum(sq_tile *t)
{
    const sq_stmt *s = t->group->stmt[0];
    bool exact = is_exact(t), tail = sq_tile_width(t) > 1 && leaves_points(t);
    int sets = t->sets;
    t->sets = exact ? 1 : sets;
    sq_tile_declare(t, s);
    if (!t->across)
        sq_tile_sum_resume(t);
    t->sets = sets;
    if (exact)
        exact_steps(t, s);
    else
        all_steps(t, s, false);
    if (!exact)
        sq_tile_merge_sets(t, s);
    if (!t->across)
        return;
    sq_tile_add_up(t, s);
    if (tail && exact)
        put_variable(t, "@left", variable(t, "@more"), false);
    if (tail)
        step_loop(t, s, 1);
    sq_tile_sum_resume(t);
}
