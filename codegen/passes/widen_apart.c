/* Widen, apart: accesses whose ranges over the whole loop do not meet, as the two halves of an array that is turned
 * around in place, or planes one behind the other. See widen.h. */
#include "codegen/code/from_isl.h"
#include "codegen/passes/widen.h"

/* Returns the subscript at the first iteration, or at the last number below the end. */
static const sq_code_expr *at_end(const sq_widen *w, const sq_code_expr *index, bool last)
{
    const sq_code_expr *at = last ? sq_code_plus(w->pool, w->loop->hi, -1) : w->loop->lo;
    return sq_code_substitute(w->pool, index, w->loop->name, at);
}

/* True if b is greater than a in all pairs of iterations: it is at their ends, and both are affine. known: of the sizes
 * at which there is an iteration. */
static bool is_above(const sq_widen *w, isl_set *known, const sq_code_expr *a, const sq_code_expr *b)
{
    bool above = true;
    for (int i = 0; i < 4 && above; i++) {
        const sq_code_expr *by = sq_code_sub(w->pool, at_end(w, b, i & 1), at_end(w, a, i >> 1));
        int64_t number;
        by = sq_code_plus(w->pool, by, -1);
        above = sq_code_known(by, &number) ? number >= 0 : sq_code_is_never_negative(by, known);
    }
    return above;
}

bool sq_widen_is_apart(const sq_widen *w, const sq_code_expr *a, const sq_code_expr *b)
{
    int64_t coef;
    bool apart = false;
    const sq_code_expr *more = sq_code_plus(w->pool, sq_code_sub(w->pool, w->loop->hi, w->loop->lo), -1);
    isl_set *known = sq_code_not_negative(more, w->c->kernel->context);
    for (int d = 0; d < a->nargs && !apart; d++)
        apart = sq_code_is_affine(a->arg[d], w->loop->name, &coef) &&
                sq_code_is_affine(b->arg[d], w->loop->name, &coef) &&
                (is_above(w, known, a->arg[d], b->arg[d]) || is_above(w, known, b->arg[d], a->arg[d]));
    isl_set_free(known);
    return apart;
}
