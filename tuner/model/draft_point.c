/* Draft, point: see draft_point.h. */
#include "codegen/tile/tile.h"
#include "tuner/model/draft_point.h"
#include <math.h>

bool sq_draft_reduces(const sq_shape *h)
{
    return h->group->stmt[0]->updates != NULL;
}

bool sq_draft_is_packed(const sq_costing *c, int i)
{
    return c->q->packing[i] != SQ_UNPACKED;
}

bool sq_draft_in_rows(const sq_costing *c, int i)
{
    return !sq_draft_is_packed(c, i) && c->h->operand[i].nsubs > 1;
}

bool sq_draft_knows_rows(const sq_costing *c)
{
    return !c->h->guessed || sq_draft_reduces(c->h);
}

static double gcd(double a, double b)
{
    return b < 1 ? a : gcd(b, fmod(a, b));
}

double sq_draft_rows_that_fit(const sq_costing *c, const sq_operand *o, double cache)
{
    double line = c->m->cost->cache_line, ways = c->m->cost->cache_ways;
    double sets = cache / (ways * line), row = (double)o->stride[o->nsubs - 2] * o->bytes;
    return ways * sets * line / gcd(row, sets * line);
}

bool sq_draft_is_point(const sq_costing *c)
{
    return c->q->serial < 0 && !sq_draft_reduces(c->h);
}

/* Rows of an operand that a tile without a loop touches. */
static double rows_in_tile(const sq_costing *c, const sq_operand *o)
{
    double n = 1;
    for (int a = 0; a < o->nsubs - 1; a++) {
        double along = 1 + (double)o->window[a];
        for (int d = 0; d < c->h->nfree; d++)
            along += fabs((double)o->coef[a][d]) * (double)(c->q->points[d] - 1);
        n *= o->coef[a][c->q->vector] ? 1 : along;
    }
    return n;
}

double sq_draft_beside(const sq_costing *c)
{
    const sq_machine_cost *cost = c->m->cost;
    double vectors = (double)c->q->points[c->q->vector] / c->q->lanes, stored = c->count.sums;
    double lines = stored * (double)(c->q->lanes * c->h->bytes) / cost->cache_line;
    double addresses = stored, crowded = 0;
    bool reads_rows = false;
    for (int i = 0; i < c->h->noperands; i++) {
        const sq_operand *o = &c->h->operand[i];
        addresses += o->read ? c->count.reads[i] : 0;
        reads_rows |= o->read && o->nsubs > 1 && sq_operand_moves(o, c->q->vector) &&
                      rows_in_tile(c, o) > o->nrows;
        if (!sq_draft_in_rows(c, i) || !sq_draft_knows_rows(c))
            continue;
        double rows = rows_in_tile(c, o), fit = sq_draft_rows_that_fit(c, o, (double)c->m->l1);
        crowded += rows > fit ? (rows - fit) * vectors : 0;
    }
    double cycles = cost->address * fmax(0, addresses - cost->addresses);
    if (stored > vectors)
        cycles += cost->crowded_row * crowded + (reads_rows ? cost->row_beside * lines : 0);
    return cycles;
}

int sq_draft_terms(const sq_costing *c)
{
    const sq_stmt *s = c->h->group->stmt[0];
    const int terms = s->body ? sq_tile_pair_terms(s->body, c->t) : 1;
    const int serial = c->q->serial;
    bool all = terms > 1 && c->q->across && c->q->vector == serial &&
               !(c->h->known[serial] && c->h->extent[serial] < (int64_t)c->q->lanes * terms);
    for (int i = 0; i < c->h->noperands && all; i++) {
        const sq_operand *o = &c->h->operand[i];
        if (!o->in_body)
            continue;
        sq_type type = o->array->type;
        all = (type == SQ_U8 || (terms == 2 && (type == SQ_I8 || type == SQ_I16))) && !o->clamped && !o->padded &&
              sq_operand_step(o, serial) == 1 && c->q->packing[i] == SQ_UNPACKED;
    }
    return all ? terms : 1;
}
