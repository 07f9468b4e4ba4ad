/* Choice: ifs of a region whose conditions depend on values. An assignment under one becomes a choice
 * between its value and what its element holds: x = c ? e : x. An array's element is stored to where the
 * condition holds alone, as C does (sq_stmt.is_maybe). */
#include "frontend/build.h"

void sq_choice_assigned(sq_builder *b, const sq_array *array)
{
    for (sq_choice *c = b->choice; c; c = c->outer)
        c->is_stale |= sq_flow_reads(c->condition, array);
}

void sq_choice_help(sq_builder *b)
{
    if (!b->scop) {
        sq_help(b->r.d, SQ_NOWHERE,
                "what depends on values is a choice between values: A[i] = B[i] > 0 ? x : A[i]");
        return;
    }
    sq_help(b->r.d, SQ_NOWHERE,
            "what depends on values is a choice between values: m = a[i] > m ? a[i] : m; where the "
            "greatest stands is another one before it: at = a[i] > m ? i : at");
}

sq_expr *sq_choice_value(sq_builder *b, sq_expr *value, const sq_expr *other, const sq_dead *dead)
{
    const sq_expr *kept = other;
    if (dead)
        other = sq_expr_constant(b, value->type, 0, 0, value->loc);
    for (const sq_choice *c = b->choice; c; c = c->outer) {
        if (c->is_stale) /* sq_flow_spoils has it held */
            sq_bug("choice", "line %d: a condition is read after it has changed", c->loc.line);
        sq_expr *else_value = sq_expr_copy(b, other), *condition = sq_expr_copy(b, c->condition);
        value = c->holds ? sq_expr_choice(b, condition, value, else_value, value->loc)
                         : sq_expr_choice(b, condition, else_value, value, value->loc);
        if (dead && c == dead->under)
            other = kept;
    }
    return value;
}
