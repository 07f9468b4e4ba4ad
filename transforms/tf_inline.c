/* inline(S0, S1): recomputes the value of S0 wherever it is read, and removes S0 with its
 * temporary; then S1, whose value may contain that of S0. substitute.h has the conditions. */
#include "ir/kernel/quota.h"
#include "ir/dependence/rewrite.h"
#include "transforms/edit.h"
#include "transforms/rows.h"
#include "transforms/substitute.h"

enum { MOST_OPERATIONS = 20000000 }; /* limit on isl's operations, for one statement */

typedef struct inliner {
    const sq_schedule *s;
    const sq_call *call;
    const char **why;
    sq_culprit *at;
} inliner;

/* Returns k without the statement that argument `arg` names; NULL if it is refused. */
static sq_kernel *without(inliner *n, const sq_kernel *k, int arg)
{
    sq_substitution sub = {0};
    const char *text = NULL;
    const sq_stmt *of = sq_kernel_stmt(k, n->call->arg[arg].name);
    if (!of) {
        if (sq_kernel_stmt(n->s->kernel, n->call->arg[arg].name))
            sq_edit_refuse(n->s, n->why, n->at, arg, "%s is named twice", n->call->arg[arg].name);
        else
            sq_edit_no_stmt(n->s, n->call, arg, n->why, n->at);
        return NULL;
    }
    sq_quota q = sq_quota_begin(k->ctx, sq_quota_share(k, MOST_OPERATIONS));
    int rc = sq_substitution_find(&sub, k, of);
    sq_kernel *made = rc ? NULL : sq_substitution_make(&sub, n->s->kernel);
    sq_substitution_free(&sub);
    if (sq_quota_end(q, &text)) {
        sq_edit_refuse(n->s, n->why, n->at, arg, "the dataflow of %s cannot be computed: %s",
                       of->name, text);
        return NULL;
    }
    if (!made)
        sq_edit_refuse(n->s, n->why, n->at, rc ? arg : -1, "%s",
                       rc ? sub.why : "the dependences are not known");
    return made;
}

static const sq_schedule *make(inliner *n, const char *text)
{
    const sq_kernel *k = n->s->kernel;
    sq_kernel *made = NULL;
    for (int i = 0; i < n->call->nargs; i++) {
        made = without(n, made ? made : k, i);
        if (!made)
            return NULL;
    }
    const sq_schedule *start = sq_schedule_new(made, made->arena);
    return sq_rewritten_end(k, made, start, text, n->why) ? NULL : start;
}

int sq_apply_inline(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    (void)g;
    inliner n = {s, call, why, at};
    const char *text = sq_edit_list(s, call, why, at);
    if (!text)
        return -1;
    const sq_schedule *start = sq_rewritten_find(s->kernel, text);
    start = start ? start : make(&n, text);
    if (!start)
        return -1;
    sq_schedule_rewritten(s, start, text);
    return 0;
}
