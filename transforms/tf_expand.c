/* expand(S0, S1): what a statement writes to a temporary gets an array of its own, an element for
 * each instance, which its readers read. If one scalar is reused, only its memory orders the loop;
 * fused in one register tile, the array is never stored. Legal if each read gets its value from one
 * instance, whatever happens to the statement's operands in between. */
#include "ir/kernel/quota.h"
#include "ir/dependence/rewrite.h"
#include "ir/kernel/touch.h"
#include "transforms/edit.h"
#include "transforms/rows.h"
#include "transforms/substitute.h"
#include <isl/aff.h>
#include <string.h>

_Static_assert((int)SQ_MAX_ARGS <= (int)SQ_MOST_NEW_ARRAYS, "each argument makes an array");

enum { MOST_OPERATIONS = 20000000 }; /* limit on isl's operations, for all statements */

/* A statement that gets an array. */
typedef struct expanded {
    sq_substitution reads;
    sq_array *array;
} expanded;

typedef struct expander {
    const sq_schedule *s;
    const sq_kernel *k;
    const sq_call *call;
    expanded *of; /* per argument */
    const char **why;
    sq_culprit *at;
} expander;

/* ---- the array ---- */

static isl_stat take_piece(isl_set *where, isl_aff *most, void *user)
{
    isl_aff **only = user;
    isl_set_free(where);
    isl_aff_free(*only);
    *only = most;
    return isl_stat_ok;
}

/* Returns the maximum of a dimension plus 1, over the parameters; NULL if it is not a single
 * expression, or the dimension may be negative. */
static isl_aff *extent_of(isl_set *instances /* __isl_keep */, int d)
{
    isl_aff *most = NULL;
    isl_set *low = isl_set_upper_bound_si(isl_set_copy(instances), isl_dim_set, (unsigned)d, -1);
    isl_pw_aff *max = isl_set_dim_max(isl_set_copy(instances), d);
    if (isl_set_is_empty(low) == isl_bool_true && isl_pw_aff_n_piece(max) == 1)
        isl_pw_aff_foreach_piece(max, take_piece, &most);
    isl_set_free(low);
    isl_pw_aff_free(max);
    return most ? isl_aff_add_constant_si(most, 1) : NULL;
}

static int add_array(expander *n, sq_kernel *made, int arg)
{
    const sq_stmt *s = n->of[arg].reads.of;
    const sq_array *like = s->write->array;
    sq_array *a = SQ_NEW(made->arena, sq_array);
    *a = (sq_array){.name = sq_rewritten_name(made, n->k, like->name, "_all"),
                    .type = like->type,
                    .role = SQ_LOCAL,
                    .ndim = s->nfree,
                    .loc = like->loc};
    a->extent = SQ_NEW_ARRAY(made->arena, isl_aff *, a->ndim);
    made->array[made->narrays++] = n->of[arg].array = a;
    isl_set *instances = sq_stmt_instances(n->k, s, false);
    int rc = 0;
    for (int d = 0; d < a->ndim; d++) {
        a->extent[d] = extent_of(instances, d);
        rc = a->extent[d] ? rc : -1;
    }
    isl_set_free(instances);
    return !rc ? 0
               : sq_edit_refuse(n->s, n->why, n->at, arg,
                                "the loops around %s do not end at single expressions of sizes, "
                                "which an array's extents are",
                                s->name);
}

/* ---- the new kernel ---- */

static sq_access *access_of(const expander *n, int arg, isl_multi_aff *map /* __isl_take */,
                            sq_loc loc)
{
    sq_access *a = SQ_NEW(n->k->arena, sq_access);
    sq_array *array = n->of[arg].array;
    map = isl_multi_aff_set_tuple_name(map, isl_dim_out, array->name);
    *a = (sq_access){.array = array, .map = map, .loc = loc};
    return a;
}

static sq_expr *instead(const sq_expr *e, void *user)
{
    const expander *n = user;
    for (int i = 0; i < n->call->nargs; i++)
        for (int r = 0; r < n->of[i].reads.nspots; r++) {
            const sq_spot *spot = &n->of[i].reads.spot[r];
            if (spot->read != e->access)
                continue;
            sq_expr *read = sq_expr_node(n->k, SQ_OP_READ, e->type, e->loc, 0, NULL);
            read->access = access_of(n, i, isl_multi_aff_copy(spot->from), e->loc);
            return read;
        }
    return NULL;
}

static sq_stmt *copied(expander *n, const sq_stmt *s)
{
    sq_stmt *c = sq_stmt_copied(n->k, s, instead, n);
    for (int i = 0; i < n->call->nargs; i++) {
        if (n->of[i].reads.of != s)
            continue;
        isl_multi_aff_free(c->write->map);
        c->write = access_of(
            n, i, isl_multi_aff_identity_on_domain_space(isl_set_get_space(s->domain)), s->loc);
    }
    return c;
}

static sq_kernel *make(expander *n)
{
    sq_kernel *made = sq_rewritten_begin(n->k, n->k->nstmts);
    if (!made) {
        sq_edit_refuse(n->s, n->why, n->at, -1, "the dependences are not known");
        return NULL;
    }
    for (int i = 0; i < n->call->nargs; i++)
        if (add_array(n, made, i))
            return NULL;
    for (int i = 0; i < n->k->nstmts; i++)
        made->stmt[made->nstmts++] = copied(n, n->k->stmt[i]);
    return made;
}

/* ---- the call ---- */

static int find_reads(expander *n, int arg)
{
    sq_substitution *reads = &n->of[arg].reads;
    const sq_stmt *of = sq_kernel_stmt(n->k, n->call->arg[arg].name);
    if (!of)
        return sq_edit_no_stmt(n->s, n->call, arg, n->why, n->at);
    for (int i = 0; i < arg; i++)
        if (n->of[i].reads.of == of)
            return sq_edit_refuse(n->s, n->why, n->at, arg, "%s is named twice", of->name);
    if (of->write->array->role != SQ_LOCAL)
        return sq_edit_refuse(n->s, n->why, n->at, arg,
                              "%s is the caller's, who sees what %s writes; only a temporary can "
                              "have other memory",
                              of->write->array->name, of->name);
    return sq_substitution_find_reads(reads, n->k, of)
               ? sq_edit_refuse(n->s, n->why, n->at, arg, "%s", reads->why)
               : 0;
}

static sq_kernel *expand(expander *n)
{
    const char *text = NULL;
    int rc = 0;
    sq_quota q = sq_quota_begin(n->k->ctx, sq_quota_share(n->k, MOST_OPERATIONS));
    for (int i = 0; i < n->call->nargs && rc == 0; i++)
        rc = find_reads(n, i);
    sq_kernel *made = rc ? NULL : make(n);
    for (int i = 0; i < n->call->nargs; i++)
        sq_substitution_free(&n->of[i].reads);
    if (!sq_quota_end(q, &text))
        return made;
    sq_edit_refuse(n->s, n->why, n->at, -1, "the dataflow cannot be computed: %s", text);
    return NULL;
}

int sq_apply_expand(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    (void)g;
    const char *text = sq_edit_list(s, call, why, at);
    if (!text)
        return -1;
    const sq_schedule *start = sq_rewritten_find(s->kernel, text);
    expander n = {s,   s->kernel, call, SQ_NEW_ARRAY(s->kernel->arena, expanded, call->nargs),
                  why, at};
    sq_kernel *made = start ? NULL : expand(&n);
    if (made) {
        start = sq_schedule_new(made, made->arena);
        start = sq_rewritten_end(s->kernel, made, start, text, why) ? NULL : start;
    }
    if (!start)
        return -1;
    sq_schedule_rewritten(s, start, text);
    return 0;
}
