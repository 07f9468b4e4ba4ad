/* Choice: ifs of a region whose conditions depend on values. An assignment under one becomes a choice
 * between its value and what its element holds: x = c ? e : x. An array's element is stored to where the
 * condition holds alone, as C does (sq_stmt.is_maybe). */
#include "frontend/build.h"

typedef struct reading {
    const sq_array *array;
    bool found;
} reading;

static void find_read(sq_expr *e, void *user)
{
    reading *r = user;
    r->found |= e->op == SQ_OP_READ && e->access->array == r->array;
}

void sq_choice_assigned(sq_builder *b, const sq_array *array)
{
    for (sq_choice *c = b->choice; c; c = c->outer) {
        reading r = {array, false};
        sq_expr_walk((sq_expr *)c->condition, find_read, &r);
        c->is_stale |= r.found;
    }
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

sq_expr *sq_choice_value(sq_builder *b, sq_expr *value, const sq_expr *other)
{
    for (const sq_choice *c = b->choice; c; c = c->outer) {
        if (c->is_stale) {
            sq_error(b->r.d, SQ_FAULT_INPUT, value->loc,
                     "the condition around this reads what another statement under it has changed; "
                     "accepted are conditions whose values stay until their last statement");
            sq_note(b->r.d, c->loc, "%s", "given here");
            sq_choice_help(b);
            return NULL;
        }
        sq_expr *else_value = sq_expr_copy(b, other), *condition = sq_expr_copy(b, c->condition);
        value = c->holds ? sq_expr_choice(b, condition, value, else_value, value->loc)
                         : sq_expr_choice(b, condition, else_value, value, value->loc);
    }
    return value;
}
