/* Tile pair: sums of products of small integers whose lanes lie along the sum. A lane is any partial sum: it takes two
 * products of a step, of factors of 16 bits, by the instruction that multiplies pairs and adds them (pmaddwd).
 * Those are half as many multiplications as in 32 bits or in f32, and no conversion to f32. */
#include "codegen/isa/isa.h"
#include "codegen/tile/tile_inside.h"

/* Bytes of the smallest vector that has the instruction. */
enum { LEAST_VECTOR = 16 };

/* True if the access reads small integers where they lie, one behind the other along the serial dimension. */
static bool reads_along(const sq_nest *n, const sq_access *a)
{
    int serial = n->group->micro.serial;
    for (int i = 0; i < n->nrefs; i++) {
        const sq_ref *r = n->ref[i];
        if (r->access != a)
            continue;
        bool along = r->affine && !r->buffer && r->nsubs > 0 && r->coef[r->nsubs - 1][serial] == 1;
        for (int d = 0; d < r->nsubs - 1 && along; d++)
            along = r->coef[d][serial] == 0;
        return along;
    }
    return false;
}

/* True if it is an element of up to this many bytes. */
static bool is_element(const sq_nest *n, const sq_expr *e, int bytes)
{
    if (e->op != SQ_OP_CAST || e->type != SQ_I32 || e->arg[0]->op != SQ_OP_READ)
        return false;
    const sq_access *a = e->arg[0]->access;
    sq_type type = a->array->type;
    bool fits = (type == SQ_I8 || type == SQ_U8 || type == SQ_I16) && sq_type_bytes(type) <= bytes;
    return fits && a->edge == SQ_EDGE_NONE && !a->indirect && !a->where && reads_along(n, a);
}

/* An element, or a sum or difference of bytes, which has 16 bits, too. */
static bool is_factor(const sq_nest *n, const sq_expr *e)
{
    bool sum = (e->op == SQ_OP_ADD || e->op == SQ_OP_SUB) && e->type == SQ_I32;
    return sum ? is_element(n, e->arg[0], 1) && is_element(n, e->arg[1], 1) : is_element(n, e, 2);
}

int sq_tile_pair_parts(const sq_nest *n, const sq_target *t)
{
    const sq_group *g = n->group;
    const sq_stmt *s = g->stmt[0];
    int bytes = sq_tile_lanes(n, t) * sq_type_bytes(SQ_I32);
    bool has = t->isa && t->isa->dots & 2 && bytes >= LEAST_VECTOR && bytes <= t->vector_bytes;
    bool along = g->micro.serial >= g->nfree && g->micro.vector == g->micro.serial;
    if (!has || !along || g->nstmts != 1 || !s->updates || s->reduce != SQ_OP_ADD || s->body->op != SQ_OP_MUL ||
        s->body->type != SQ_I32)
        return 1;
    return is_factor(n, s->body->arg[0]) && is_factor(n, s->body->arg[1]) ? 2 : 1;
}

bool sq_tile_pairs(const sq_tile *t)
{
    return t->pairs && t->lanes > 1;
}

static const sq_code_expr *in_16_bits(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    if (e->op == SQ_OP_CAST)
        return sq_tile_read_as(t, e->arg[0], SQ_I16, p);
    const sq_code_expr *a = in_16_bits(t, e->arg[0], p), *b = in_16_bits(t, e->arg[1], p);
    return sq_tile_named(t, "t", sq_tile_binary(t, e->op, SQ_I16, a, b));
}

/* Returns a factor from a point on, two for each lane. */
static const sq_code_expr *pairs_of(sq_tile *t, const sq_expr *factor, const sq_point *p)
{
    int lanes = t->lanes;
    t->lanes = 2 * lanes;
    const sq_code_expr *all = in_16_bits(t, factor, p);
    t->lanes = lanes;
    return sq_code_pairs(t->pool, all);
}

const sq_code_expr *sq_tile_pair_products(sq_tile *t, const sq_expr *mul, const sq_code_expr *c, const sq_point *p)
{
    const sq_code_expr *a = pairs_of(t, mul->arg[0], p), *b = pairs_of(t, mul->arg[1], p);
    return sq_code_dot(t->pool, SQ_OP_DOT2, a, b, c);
}
