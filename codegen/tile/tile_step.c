/* Tile step: one step of the serial loop, or several in sequence: the body at every accumulator,
 * taps (unrolled reduction dimensions) outermost; as loops that compilers unroll, or unrolled
 * here. */
#include "codegen/code/count.h"
#include "codegen/tile/tile_inside.h"
#include <string.h>

enum {
    LONG_TAP = 8,      /* updates of a tap that take longer than a loop over taps */
    MOST_SHARING = 96, /* limit on updates that are unrolled here so that they share loads */
    MOST_COUNTED = SQ_TILE_MOST_SLIDING /* and on those whose registers are counted */
};

/* Returns a product of small integers, added in f32. */
static const sq_code_expr *exact_fma(sq_tile *t, const sq_expr *mul, const sq_code_expr *sum,
                                     const sq_point *p)
{
    const sq_code_expr *a = sq_tile_read_as(t, mul->arg[0]->arg[0], SQ_F32, p);
    const sq_code_expr *b = sq_tile_read_as(t, mul->arg[1]->arg[0], SQ_F32, p);
    return sq_code_fma(t->pool, SQ_F32, a, b, sum);
}

/* Appends the body at one point, added to its accumulator. */
static void update(sq_tile *t, const sq_stmt *s, const sq_code_expr *to, const sq_point *p)
{
    if (s->reduce == SQ_OP_ADD && (s->body->op == SQ_OP_MUL || sq_stmt_has_words(s) || sq_tile_pairs(t))) {
        const sq_code_expr *f = t->acc_kind == SQ_ACC_PARTIAL ? exact_fma(t, s->body, to, p)
                                : sq_tile_pairs(t)            ? sq_tile_pair_products(t, s->body, to, p)
                                : sq_stmt_has_words(s)        ? sq_tile_dot(t, s->body, to, p)
                                                              : sq_tile_fma(t, s->body, false, to, p);
        if (!t->counting)
            sq_tile_set(t, to, f);
        return;
    }
    sq_tile_combine(t, s, to, sq_tile_eval(t, s->body, p));
}

int sq_tile_width(const sq_tile *t)
{
    bool along = t->across && t->group->micro.vector == t->group->micro.serial;
    return !along ? 1 : sq_tile_pairs(t) ? t->parts * t->lanes : t->lanes;
}

static bool is_read_by_body(const sq_tile *t, int base)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(t->group->stmt[0], read, in_body);
    for (int i = 0; i < n; i++)
        if (in_body[i] && t->bases.of[sq_tile_ref(t, read[i])] == base)
            return true;
    return false;
}

/* If registers are scarce, two taps that read one address load it twice: otherwise the compiler
 * keeps the value and spills accumulators for it. */
static void begin_tap(sq_tile *t, bool fresh)
{
    sq_values_forget_inner(t->values);
    for (int i = 0; i < t->bases.n && fresh; i++)
        if (is_read_by_body(t, i))
            sq_tile_fresh(t, t->bases.base[i].name);
}

/* How the terms of steps are added. */
typedef struct manner {
    int steps;
    bool fresh; /* each tap loads its operands again */
    const sq_tile_order *order;
} manner;

static void step_body(sq_tile *t, const sq_stmt *s, const manner *m)
{
    for (int x = 0; x < m->steps; x++)
        for (int i = 0; i < m->order->n; i++) {
            int r = m->order->at[i].row, tap = m->order->at[i].tap;
            if (r == 0 && (tap > 0 || x > 0) && m->fresh && !t->counting)
                begin_tap(t, true);
            for (int v = 0; v < t->vectors; v++) {
                sq_point p = sq_tile_point(t, r, v, tap, x * sq_tile_width(t));
                update(t, s, sq_tile_acc(t, r, v, x % t->sets), &p);
            }
        }
}

/* Runs twice: once to count the uses of each value, once for real. */
static void counted_steps(sq_tile *t, const sq_stmt *s, const manner *m)
{
    sq_values_enter(t->values);
    t->counting = true;
    step_body(t, s, m);
    t->counting = false;
    sq_values_forget_inner(t->values);
    step_body(t, s, m);
    sq_values_leave(t->values);
}

/* Returns the same as loops that compilers unroll: each tap computes its values, and compilers find
 * common ones, unless `fresh` prevents it. NULL: the steps cannot be rolled. */
static sq_code *steps_in_loops(sq_tile *t, const sq_stmt *s, int steps, bool fresh)
{
    sq_tile_box box;
    sq_values_enter(t->values);
    sq_tile_box_steps(t, &box, steps);
    for (int x = 0; box.at && x < steps; x++)
        for (int tap = 0; tap < t->taps; tap++)
            for (int r = 0; r < t->rows; r++)
                for (int v = 0; v < t->vectors; v++) {
                    int row = sq_tile_row_in_turn(t, r);
                    sq_point p = sq_tile_point(t, row, v, tap, x * sq_tile_width(t));
                    sq_tile_box_next(t, &box);
                    if (r == 0 && v == 0 && (t->taps > 1 || steps > 1))
                        begin_tap(t, fresh);
                    update(t, s, sq_tile_acc(t, row, v, x % t->sets), &p);
                }
    sq_code *loops = sq_tile_box_end(t, &box);
    sq_values_leave(t->values);
    return loops;
}

/* Leaves the loops over taps to the processor: taps that share no loads gain nothing from text of their own. */
static void keep_tap_loops(const sq_tile *t, sq_code *x)
{
    for (; x; x = x->next) {
        for (int d = t->group->nfree; d < t->group->ndim && x->kind == SQ_CODE_LOOP; d++)
            if (strcmp(x->name, sq_tile_loop_name(t, d)) == 0)
                x->runs = SQ_CODE_SERIAL;
        keep_tap_loops(t, x->body);
    }
}

/* The resources that n steps need. */
typedef struct rehearsal {
    int made;      /* values in registers */
    int forgotten; /* values that were evicted from registers, to be computed again */
    int registers; /* largest number of live values and accumulators; 0: not counted */
} rehearsal;

static int updates_of(const sq_tile *t, int n)
{
    return n * t->taps * t->rows * t->vectors;
}

static int registers_of(const sq_tile *t, const sq_code *steps)
{
    const sq_count_how how = {.vector_bytes = t->target->vector_bytes, .most_step = 1};
    return sq_code_counted(t->pool, steps, &how).registers;
}

static rehearsal rehearse(sq_tile *t, const sq_stmt *s, const manner *m)
{
    int made = sq_values_made(t->values), forgotten = sq_values_forgotten(t->values);
    sq_code_list thrown_away = {0}, *to = sq_tile_into(t, &thrown_away);
    t->rehearses = true;
    counted_steps(t, s, m);
    t->rehearses = false;
    sq_tile_into(t, to);
    bool counts = !t->target->grid && updates_of(t, m->steps) <= MOST_COUNTED;
    return (rehearsal){sq_values_made(t->values) - made, sq_values_forgotten(t->values) - forgotten,
                       counts ? registers_of(t, thrown_away.first) : 0};
}

/* True if loads limit the step, since taps share many of them and have few operations: as in
 * depthwise convolution. In loops, compilers load each tap's operands from memory again. */
static bool shares_loads(sq_tile *t, const sq_stmt *s, manner m, const rehearsal *together)
{
    int updates = updates_of(t, m.steps);
    if (t->taps == 1 || updates > MOST_SHARING)
        return false;
    m.fresh = true;
    int alone = rehearse(t, s, &m).made;
    return 2 * alone > updates && 4 * alone >= 5 * together->made;
}

/* True if terms that read the same elements, added one after the other, load more of them once than `together`, with
 * no more registers than there are. Sets the order. */
static bool slides(sq_tile *t, const sq_stmt *s, manner m, const rehearsal *together, sq_tile_order *order)
{
    if (t->target->grid || s->ordered || updates_of(t, m.steps) > SQ_TILE_MOST_SLIDING ||
        !sq_tile_order_sliding(t, order))
        return false;
    m.order = order;
    rehearsal sliding = rehearse(t, s, &m);
    return sliding.forgotten < together->forgotten && sliding.registers <= t->target->registers;
}

/* True if few operations take all registers: gcc moves accumulators between registers when it
 * unrolls loops itself, which costs a tenth in a filter with 12 accumulators on AVX2. */
static bool is_tight(const sq_tile *t, const rehearsal *r)
{
    return r->registers >= t->target->registers;
}

/* True if a tap takes longer than a loop over taps, and its rows use each operand several times: clang moves
 * accumulators between registers in loops where it could as well load operands from memory. */
static bool is_long_tap(const sq_tile *t)
{
    int ndims = 0;
    for (int d = 0; d < t->group->nfree; d++)
        ndims += sq_tile_row(t, d) && t->variant->points[d] > 1;
    return t->taps > 1 && ndims > 1 && t->rows * t->vectors >= LONG_TAP;
}

/* A rehearsal finds out whether taps share more values than there are registers: then they share them in another order
 * of terms, or the compiler must not share them either. */
void sq_tile_step(sq_tile *t, const sq_stmt *s, int n)
{
    sq_tile_order in_turn = sq_tile_order_in_turn(t), sliding;
    manner m = {n, false, &in_turn};
    rehearsal together = rehearse(t, s, &m);
    if (together.forgotten > 0 && slides(t, s, m, &together, &sliding)) {
        m.order = &sliding;
        counted_steps(t, s, &m);
        return;
    }
    m.fresh = together.forgotten > 0;
    const rehearsal own = m.fresh ? rehearse(t, s, &m) : together;
    bool is_long = m.fresh && is_long_tap(t);
    bool written = !is_long && (is_tight(t, &own) || (!m.fresh && shares_loads(t, s, m, &together)));
    if (is_long)
        t->slow = sq_tile_slow_rows(t);
    sq_code *loops = written ? NULL : steps_in_loops(t, s, n, m.fresh);
    if (loops && is_long)
        keep_tap_loops(t, loops);
    t->slow = -1;
    if (loops)
        sq_tile_append(t, loops);
    else
        counted_steps(t, s, &m);
}
