/* Draft, step: cycles of one step of a tile's serial loop, from what it counts (draft_count.h), and what compilers make
 * of several steps that are written out. */
#include "tuner/model/draft_point.h"
#include <math.h>

/* Of the loop that is emitted: codegen/tile/tile_sum.c. */
enum {
    LONG_STEP = 8,       /* updates of accumulators in a step that is long */
    FREE_REGISTERS = 10, /* what long steps leave where they are written out as asked */
    TWO_STEPS = 2,       /* written out of others, */
    FEW_STEPS = 4        /* and of those that read other rows each */
};

static double fma_rate(const sq_costing *c)
{
    bool full = c->q->lanes * c->h->bytes >= c->m->vector_bytes;
    return full ? c->m->fma_per_cycle : fmax(c->m->fma_per_cycle, c->m->cost->narrow_fma);
}

/* True if steps read rows that lie apart: codegen/tile/tile_point.c. */
static bool runs_over_rows(const sq_costing *c)
{
    bool runs = false;
    for (int i = 0; i < c->h->noperands && c->q->serial >= 0; i++)
        for (int a = 0; a + 1 < c->h->operand[i].nsubs; a++)
            runs |= c->h->operand[i].in_body && !sq_draft_is_packed(c, i) && c->h->operand[i].coef[a][c->q->serial];
    return runs;
}

/* True if a step is long and its sums take most registers: codegen/tile/tile_sum.c. */
static bool is_long_step(const sq_costing *c)
{
    return c->count.terms <= 1 && c->count.sums >= LONG_STEP &&
           c->t->registers - c->count.sums * c->q->split < FREE_REGISTERS;
}

/* Steps of the serial loop that are written out. (With 32 registers those asked for are priced: not measured yet.) */
double sq_draft_written_steps(const sq_costing *c)
{
    double asked = fmax(c->q->unroll, c->q->split);
    if (c->t->registers > 16 || !is_long_step(c))
        return asked;
    return c->q->split > 1 ? c->q->split : fmin(asked, runs_over_rows(c) ? FEW_STEPS : TWO_STEPS);
}

/* True if several steps are written out, and the sums, the row and a broadcast leave `left` of 16 registers; a
 * processor with 32 reads broadcasts as operands. */
static bool crowds_steps(const sq_costing *c, double left)
{
    return c->t->registers <= 16 && sq_draft_written_steps(c) > c->q->split &&
           c->count.least_registers + left == c->t->registers;
}

/* True if the distances of all rows that a step reads are constants. */
static bool knows_distances(const sq_costing *c)
{
    bool known = true;
    for (int d = 0; d < c->h->ndim; d++)
        known &= c->h->known[d];
    return known;
}

/* Share that steps add which are written out one after the other: gcc 12 begins the next one early. Where it also needs
 * registers for distances, and one or none is left, it keeps a sum in memory. */
static double crowding(const sq_costing *c)
{
    if (!knows_distances(c))
        return crowds_steps(c, 0) || crowds_steps(c, 1) ? c->m->cost->spill : 0;
    double further = sq_draft_written_steps(c) - c->q->split;
    return is_long_step(c) && crowds_steps(c, 1) ? c->m->cost->crowded_step * further : 0;
}

static double register_penalty(const sq_costing *c)
{
    double room = c->t->registers, need = c->count.least_registers;
    if (need > c->m->cost->most_registers * room)
        return INFINITY;
    return 1 + c->m->cost->spill * fmax(0, need - room) + crowding(c);
}

/* Rows walked side by side whose lines push each other out of the first cache before they are used up. */
static double crowded_rows(const sq_costing *c)
{
    double cycles = 0;
    for (int i = 0; i < c->h->noperands && c->q->serial >= 0; i++) {
        const sq_operand *o = &c->h->operand[i];
        if (!o->in_body || !sq_draft_in_rows(c, i) || sq_operand_step(o, c->q->serial) != 1)
            continue;
        double rows = 1;
        for (int d = 0; d < c->h->nfree; d++)
            if (sq_operand_moves(o, d))
                rows *= (double)c->q->points[d];
        double fit = sq_draft_rows_that_fit(c, o, (double)c->m->l1);
        cycles += rows > fit ? rows - fit : 0;
    }
    return c->m->cost->crowded_row * cycles;
}

/* True if the tile adds up whole sums: then the next tile waits for nothing of it. */
static bool has_whole_sums(const sq_costing *c)
{
    for (int d = c->h->nfree; d < c->h->ndim; d++)
        if (!c->h->known[d] || c->q->points[d] < c->h->extent[d])
            return false;
    return true;
}

/* Cycles from one addition to a sum to the next: integers take one. Extrema come with conditions, for positions. */
static double latency(const sq_costing *c)
{
    const sq_stmt *s = c->h->group->stmt[0];
    return s->reduce == SQ_OP_ADD && !sq_type_real(s->body->type) ? 1 : c->m->fma_latency;
}

/* Cycles that one sum takes in a step, which waits for itself. */
double sq_draft_chain_cycles(const sq_costing *c)
{
    if (!sq_draft_reduces(c->h))
        return c->q->waits ? c->m->fma_latency : 0;
    double cycles = c->count.terms * latency(c) / c->q->split;
    double instructions = c->count.arithmetic + c->count.loads;
    bool overtaken = has_whole_sums(c) && instructions < c->m->cost->in_flight;
    return overtaken ? cycles * instructions / c->m->cost->in_flight : cycles;
}

/* How often a step loads a vector that rows share. Where long steps leave no register gcc makes operands of them: of
 * every row's multiply-adds, or of every second one's in four steps over rows. */
static double times_loaded(const sq_costing *c, int i)
{
    if (!knows_distances(c) || !is_long_step(c) || !crowds_steps(c, 0) || sq_draft_lane_step(c->q, i) != 1)
        return 1;
    double rows = 1;
    for (int d = 0; d < c->h->nfree; d++)
        rows *= d == c->q->vector || sq_operand_moves(&c->h->operand[i], d) ? 1 : (double)c->q->points[d];
    return sq_draft_written_steps(c) > TWO_STEPS ? fmax(1, rows / 2) : rows;
}

/* True if compilers keep the elements of an operand in registers from one tile to the next: each is the same for all
 * lanes and in all tiles of the loop around, and there is no loop inside. (With 32 registers: not measured yet.) */
static bool is_held(const sq_costing *c, int i)
{
    const sq_operand *o = &c->h->operand[i];
    int v = c->q->vector;
    bool loops = v >= 0 && v < c->h->nfree && (!c->h->known[v] || c->q->points[v] < c->h->extent[v]);
    return c->t->registers <= 16 && c->q->serial < 0 && loops && o->in_body && sq_draft_lane_step(c->q, i) == 0 &&
           !sq_operand_moves(o, v) && c->count.least_registers + c->count.reads[i] <= c->t->registers;
}

/* Cycles of one step of the serial loop (all there is, without one). */
double sq_draft_step_cycles(const sq_costing *c)
{
    const sq_machine_cost *cost = c->m->cost;
    double fma = c->count.arithmetic, loads = 0, again = 0;
    for (int i = 0; i < c->h->noperands; i++) {
        double n = c->count.reads[i] > 0 && !is_held(c, i) ? sq_draft_load_cost(c, i) : 0;
        loads += n;
        again += n * times_loaded(c, i);
    }
    double work = fmax(fma / fma_rate(c), again / c->m->loads_per_cycle), memory = loads / c->m->loads_per_cycle;
    double chain = sq_draft_chain_cycles(c);
    double loop = c->q->serial >= 0 ? cost->loop_issue / sq_draft_written_steps(c) : 0;
    double issue = (fma + cost->load_issue * loads + loop) / cost->issue;
    double most = fmax(work, fmax(chain, issue)) +
                  (sq_draft_is_point(c) ? sq_draft_beside(c) : crowded_rows(c));
    return (most + cost->load_overlap * memory) * register_penalty(c);
}
