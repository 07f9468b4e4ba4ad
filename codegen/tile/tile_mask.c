/* Tile, masks: conditions as masks, and what they choose. */
#include "codegen/isa/isa.h"
#include "codegen/tile/tile_inside.h"
#include "codegen/nest/fold_comparison.h"

/* Returns the type of comparisons that select between values of a type: for vectors integers of the
 * same width, with all bits set or none. */
static sq_type mask_of(const sq_tile *t, sq_type type)
{
    return t->lanes == 1 ? SQ_I32 : sq_type_integer(sq_type_bytes(type), false);
}

/* True if a widened integer is compared with a number that its own type has: its lanes need not be
 * widened for a mask that has a bit for each. */
static bool compares_narrow(const sq_tile *t, const sq_expr *e)
{
    const sq_expr *a = e->arg[0], *b = e->arg[1];
    return t->target->isa->mask_registers && t->lanes > 1 && a->op == SQ_OP_CAST &&
           b->op == SQ_OP_CONST && sq_type_holds(a->type, a->arg[0]->type) &&
           sq_type_wrap(a->arg[0]->type, b->integer) == b->integer;
}

/* Returns a comparison with lanes as wide as its operands, converted to the width of the mask. */
static const sq_code_expr *comparison(sq_tile *t, const sq_expr *e, sq_type mask, const sq_point *p)
{
    bool narrow = compares_narrow(t, e);
    const sq_expr *x = narrow ? e->arg[0]->arg[0] : e->arg[0];
    sq_type type = sq_type_held(x->type), own = mask_of(t, type);
    const sq_code_expr *a = sq_tile_eval(t, x, p),
                       *b = narrow ? sq_tile_constant(t, type, (sq_number){0, e->arg[1]->integer})
                                   : sq_tile_eval(t, e->arg[1], p);
    const sq_code_expr *m = sq_tile_named(t, "m", sq_tile_binary(t, e->op, own, a, b));
    return own == mask ? m : sq_tile_named(t, "m", sq_code_operation(t->pool, SQ_OP_CAST, mask, &m));
}

/* Returns a condition as a mask. */
static const sq_code_expr *condition_value(sq_tile *t, const sq_expr *e, sq_type mask,
                                           const sq_point *p)
{
    bool joined = e->op == SQ_OP_AND || e->op == SQ_OP_OR;
    int folded = sq_expr_fold_comparison(e);
    if (folded >= 0) /* compilers warn of an operand that is compared with itself */
        return sq_tile_named(t, "m",
                             t->lanes == 1
                                 ? sq_tile_constant(t, mask, (sq_number){.integer = folded})
                                 : sq_code_mask(t->pool, mask, t->lanes, folded));
    if (e->op == SQ_OP_NOT) {
        const sq_code_expr *m = condition_value(t, e->arg[0], mask, p);
        return sq_tile_named(t, "m", sq_code_operation(t->pool, SQ_OP_NOT, mask, &m));
    }
    if (!joined)
        return comparison(t, e, mask, p);
    const sq_code_expr *a = condition_value(t, e->arg[0], mask, p),
                       *b = condition_value(t, e->arg[1], mask, p);
    return sq_tile_named(t, "m", sq_tile_binary(t, e->op, mask, a, b));
}

/* Both arms are computed, and lanes selected. */
const sq_code_expr *sq_tile_select(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const sq_code_expr *m = condition_value(t, e->arg[0], mask_of(t, e->type), p);
    const sq_code_expr *a = sq_tile_eval(t, e->arg[1], p), *b = sq_tile_eval(t, e->arg[2], p);
    return sq_tile_named(t, "t", sq_code_choose(t->pool, m, a, b));
}

/* Returns a condition as a value: 1 or 0. */
const sq_code_expr *sq_tile_truth(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const sq_code_expr *m = condition_value(t, e, mask_of(t, e->type), p);
    if (t->lanes == 1)
        return m;
    const sq_code_expr *one =
        sq_tile_named(t, "k", sq_tile_constant(t, e->type, (sq_number){1, 1}));
    return sq_tile_named(
        t, "t", sq_code_choose(t->pool, m, one, sq_tile_constant(t, e->type, (sq_number){0, 0})));
}
