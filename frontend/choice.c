/* Choice: ifs in C loops whose conditions depend on values, or leave out few terms of a sum. An assignment under one
 * becomes a choice between its value and what its element holds: x = c ? e : x. An array's element is stored to where
 * the condition holds alone, as C does (sq_stmt.is_maybe). */
#include "frontend/build.h"
#include "ir/kernel/ranges.h"
#include "ir/kernel/volume.h"
#include <isl/space.h>

void sq_choice_assigned(sq_builder *b, const sq_array *array)
{
    for (sq_choice *c = b->choice; c; c = c->outer)
        c->is_stale |= sq_flow_reads(c->condition, array);
}

void sq_choice_help(sq_builder *b)
{
    if (!b->scop) {
        sq_help(b->r.d, SQ_NOWHERE,
                "what depends on values is a choice between values, A[i] = B[i] > 0 ? x : A[i], or an if in a C loop");
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

/* ---- windows ---- */

/* True if it holds at all but a few instances, and for which is no range of each loop by itself. Takes the set. */
static bool leaves_few(sq_builder *b, isl_set *holds)
{
    enum { FEW = 8 };
    bool couples = sq_set_couples(holds);
    isl_set *all = sq_known(b, isl_set_universe(isl_space_copy(b->universe)));
    isl_set *out = isl_set_subtract(isl_set_copy(all), isl_set_copy(holds));
    isl_set_free(holds);
    for (int v = b->nvars - 1; v >= 0; v--) {
        bool around = false;
        for (int l = 0; l < b->nloops; l++)
            around |= b->loop[l] == v;
        if (!around) {
            all = isl_set_project_out(all, isl_dim_set, (unsigned)v, 1);
            out = isl_set_project_out(out, isl_dim_set, (unsigned)v, 1);
        }
    }
    double of = couples ? sq_volume(b->k, all) : 0;
    bool few = of > 0 && sq_volume(b->k, out) * FEW <= of;
    isl_set_free(all);
    isl_set_free(out);
    return few;
}

bool sq_choice_is_window(sq_builder *b, CXCursor side, isl_set *holds)
{
    int n;
    CXCursor *part = sq_cursor_children(&b->r, side, &n);
    while (side.kind == CXCursor_CompoundStmt && n == 1) {
        side = part[0];
        part = sq_cursor_children(&b->r, side, &n);
    }
    if (side.kind != CXCursor_CompoundAssignOperator || n != 2)
        return false;
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(side);
    const sq_symbol *s = sq_symbol_find(b, b->r.cl->clang_getCursorReferenced(sq_cursor_strip(&b->r, part[0])));
    bool sums = op == CXBinaryOperator_AddAssign || op == CXBinaryOperator_SubAssign;
    return sums && s && s->kind == SQ_SYM_ARRAY && s->array->ndim == 0 &&
           !(b->k->fp == SQ_FP_STRICT && sq_type_real(s->array->type)) && leaves_few(b, isl_set_copy(holds));
}
