/* Widen pair: sums of products of small integers. A lane of 32 bits adds the products of two neighbours by the
 * instruction that multiplies pairs of 16 bits (pmaddwd), so that one of two chains takes the iterations of both, as in
 * register tiles (codegen/tile/tile_pair.c). */
#include "codegen/isa/isa.h"
#include "codegen/passes/widen.h"

/* Bytes of the smallest vector that has the instruction. */
enum { LEAST_VECTOR = 16 };

static bool is_operation(const sq_code_expr *e, sq_op op, sq_type type)
{
    return e->op == SQ_CODE_OPERATION && e->operation == op && e->type == type;
}

/* True if it is an element of up to this many bytes, which lies behind that of the iteration before. */
static bool is_element(const sq_widen *w, const sq_code_expr *e, int bytes)
{
    int64_t step;
    if (!is_operation(e, SQ_OP_CAST, SQ_I32) || e->arg[0]->op != SQ_CODE_LOAD)
        return false;
    const sq_code_expr *place = e->arg[0];
    bool fits = place->type == SQ_I8 || place->type == SQ_U8 || place->type == SQ_I16;
    return fits && sq_type_bytes(place->type) <= bytes && place->buffer->storage != SQ_CODE_REGISTER &&
           !sq_widen_is_stored(w, place->buffer) && sq_widen_is_sure(w, place) && sq_widen_step(w, place, &step) &&
           step == 1;
}

/* An element, or a sum or difference of bytes, which has 16 bits, too. */
static bool is_factor(const sq_widen *w, const sq_code_expr *e)
{
    bool sum = is_operation(e, SQ_OP_ADD, SQ_I32) || is_operation(e, SQ_OP_SUB, SQ_I32);
    return sum ? is_element(w, e->arg[0], 1) && is_element(w, e->arg[1], 1) : is_element(w, e, 2);
}

bool sq_widen_has_pairs(const sq_widen *w, const sq_widen_store *s)
{
    const sq_target *t = w->c->target;
    int bytes = w->lanes * sq_type_bytes(SQ_I32);
    return t->isa->dots & 2 && bytes >= LEAST_VECTOR && bytes <= t->vector_bytes && s->kind == SQ_WIDEN_SUM &&
           (s->op == SQ_OP_ADD || s->op == SQ_OP_SUB) && !s->is_last && !s->x->cond && !w->is_backwards &&
           w->loop->step == 1 && is_operation(s->added, SQ_OP_MUL, SQ_I32) && is_factor(w, s->added->arg[0]) &&
           is_factor(w, s->added->arg[1]);
}

static const sq_code_expr *in_16_bits(const sq_widen *w, const sq_code_expr *e)
{
    if (e->operation == SQ_OP_CAST) {
        const sq_code_lanes at = {.index = sq_widen_subscripts(w, e->arg[0], 0),
                                  .step = sq_code_number(w->pool, 1)};
        return sq_widen_converted(w, sq_code_load_lanes(w->pool, e->arg[0]->buffer, 2 * w->lanes, &at), SQ_I16);
    }
    const sq_code_expr *arg[] = {in_16_bits(w, e->arg[0]), in_16_bits(w, e->arg[1])};
    return sq_code_operation(w->pool, e->operation, SQ_I16, arg);
}

const sq_code_expr *sq_widen_pairs(sq_widen *w, const sq_code_expr *so_far, const sq_code_expr *product)
{
    const sq_code_expr *a = sq_code_pairs(w->pool, in_16_bits(w, product->arg[0])),
                       *b = sq_code_pairs(w->pool, in_16_bits(w, product->arg[1]));
    return sq_code_dot(w->pool, SQ_OP_DOT2, a, b, so_far);
}
