/* Tile pair: sums of products of small integers, and of distances of bytes, whose lanes lie along the sum. A lane is
 * any partial sum: it takes two products of a step, of elements widened to 16 bits, by the instruction that multiplies
 * pairs and adds them (pmaddwd), or four distances by the one that adds those of bytes (psadbw). That is half as many
 * multiplications as in 32 bits or in f32, and no conversion. */
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

static bool is_same(const sq_expr *a, const sq_expr *b)
{
    if (a->op != b->op || a->type != b->type || a->nargs != b->nargs)
        return false;
    if (a->op == SQ_OP_READ)
        return a->access->array == b->access->array &&
               isl_multi_aff_plain_is_equal(a->access->map, b->access->map) == isl_bool_true;
    bool same = a->op == SQ_OP_CAST || a->op == SQ_OP_SUB;
    for (int i = 0; i < a->nargs && same; i++)
        same = is_same(a->arg[i], b->arg[i]);
    return same;
}

static bool is_difference(const sq_expr *e, const sq_expr *a, const sq_expr *b)
{
    return e->op == SQ_OP_SUB && e->type == SQ_I32 && is_same(e->arg[0], a) && is_same(e->arg[1], b);
}

/* Returns a - b where the value is the distance of two bytes: of a - b its absolute value, or the one of a - b and
 * b - a that is not negative. NULL: it is another value. */
static const sq_expr *distance_of(const sq_expr *e)
{
    const sq_expr *less = e->op == SQ_OP_SELECT && e->type == SQ_I32 && e->arg[0]->op == SQ_OP_LT ? e->arg[0] : NULL;
    const sq_expr *x = less ? e->arg[2] : NULL, *other = less ? e->arg[1] : NULL;
    if (!x || x->op != SQ_OP_SUB || x->arg[0]->op != SQ_OP_CAST || x->arg[1]->op != SQ_OP_CAST)
        return NULL;
    if (other->op == SQ_OP_NEG)
        return is_same(less->arg[0], x) && less->arg[1]->op == SQ_OP_CONST && less->arg[1]->integer == 0 &&
                       is_same(other->arg[0], x)
                   ? x
                   : NULL;
    /* b < a ? a - b : b - a, where x is b - a */
    bool fine = is_same(less->arg[0], x->arg[0]) && is_same(less->arg[1], x->arg[1]) &&
                is_difference(other, x->arg[1], x->arg[0]);
    return fine ? other : NULL;
}

static bool is_byte(const sq_nest *n, const sq_expr *e)
{
    return is_element(n, e, 1) && e->arg[0]->access->array->type == SQ_U8;
}

int sq_tile_pair_terms(const sq_expr *body, const sq_target *t)
{
    if (body->type != SQ_I32 || !t->isa)
        return 1;
    if (t->isa->sad && distance_of(body))
        return 4;
    return t->isa->dots & 2 && body->op == SQ_OP_MUL ? 2 : 1;
}

/* Returns how many of the body's terms a lane takes at once. */
static int parts_of(const sq_nest *n, const sq_target *t, const sq_expr *body)
{
    const int terms = sq_tile_pair_terms(body, t);
    const sq_expr *x = terms == 4 ? distance_of(body) : body;
    bool fits = terms > 1;
    for (int i = 0; i < 2 && fits; i++)
        fits = terms == 4 ? is_byte(n, x->arg[i]) : is_factor(n, x->arg[i]);
    return fits ? terms : 1;
}

int sq_tile_pair_parts(const sq_nest *n, const sq_target *t)
{
    const sq_group *g = n->group;
    const sq_stmt *s = g->stmt[0];
    int bytes = sq_tile_lanes(n, t) * sq_type_bytes(SQ_I32);
    bool has = bytes >= LEAST_VECTOR && bytes <= t->vector_bytes;
    bool along = g->micro.serial >= g->nfree && g->micro.vector == g->micro.serial;
    return has && along && g->nstmts == 1 && s->updates && s->reduce == SQ_OP_ADD ? parts_of(n, t, s->body) : 1;
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

/* Returns the elements of a factor from a point on, several for each lane. */
static const sq_code_expr *words_of(sq_tile *t, const sq_expr *factor, const sq_point *p)
{
    int lanes = t->lanes;
    t->lanes = t->parts * lanes;
    const sq_code_expr *all =
        t->parts == 4 ? sq_tile_read_as(t, factor->arg[0], SQ_U8, p) : in_16_bits(t, factor, p);
    t->lanes = lanes;
    return sq_code_pairs(t->pool, all);
}

const sq_code_expr *sq_tile_pair_products(sq_tile *t, const sq_expr *body, const sq_code_expr *c, const sq_point *p)
{
    const sq_expr *const of = t->parts == 4 ? distance_of(body) : body;
    const sq_code_expr *a = words_of(t, of->arg[0], p), *b = words_of(t, of->arg[1], p);
    return sq_code_dot(t->pool, t->parts == 4 ? SQ_OP_SAD4 : SQ_OP_DOT2, a, b, c);
}
