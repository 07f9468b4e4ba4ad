/* Hoist, make: the kernel in which statements compute the parts; see hoist.h. */
#include "ir/dependence/rewrite.h"
#include "ir/kernel/piece.h"
#include "transforms/hoist.h"
#include <isl/aff.h>
#include <isl/set.h>

typedef struct maker {
    const sq_hoist *x;
    sq_kernel *made;
    sq_array *to[SQ_MOST_HOISTED]; /* what the parts are written to */
} maker;

/* Returns the instances that evaluate the part's expression. */
static isl_set *evaluated(const sq_hoist *x, const sq_hoisted *part)
{
    return part->in_body ? x->of->updates : x->of->domain;
}

/* Returns the smallest extent that holds subscript d of the instances, which is an expression of the sizes; NULL: it is
 * none, or d may be negative. */
static isl_aff *extent_of(const maker *m, isl_set *instances /* __isl_keep */, int d)
{
    isl_set *all = isl_set_intersect_params(isl_set_copy(instances), isl_set_copy(m->made->context));
    isl_set *from = isl_set_lower_bound_si(isl_set_copy(all), isl_dim_set, (unsigned)d, 0);
    bool negative = isl_set_is_subset(all, from) != isl_bool_true;
    isl_set_free(from);
    isl_aff *last = sq_only_piece(isl_pw_aff_coalesce(isl_set_dim_max(all, d)));
    if (negative)
        last = isl_aff_free(last);
    return last ? isl_aff_add_constant_si(last, 1) : NULL;
}

/* Makes the part's array for instances of its statement; false if an extent is not known. */
static bool make_array(maker *m, int part, isl_set *instances /* __isl_keep */)
{
    const sq_hoisted *h = &m->x->part[part];
    sq_array *a = SQ_NEW(m->made->arena, sq_array);
    *a = (sq_array){.name = sq_rewritten_name(m->made, m->x->k, h->of->name, "_hoisted"),
                    .type = h->value->type,
                    .role = SQ_LOCAL,
                    .is_hoisted = true,
                    .ndim = h->moves.n,
                    .loc = h->value->loc,
                    .extent = SQ_NEW_ARRAY(m->made->arena, isl_aff *, h->moves.n)};
    m->made->array[m->made->narrays++] = a;
    m->to[part] = a;
    bool known = true;
    for (int d = 0; d < a->ndim; d++)
        known &= (a->extent[d] = extent_of(m, instances, d)) != NULL;
    return known;
}

/* Makes the statement that computes a part; false if its range is not known. */
static bool make_part(maker *m, int part)
{
    const sq_stmt *of = m->x->of;
    const sq_hoisted *h = &m->x->part[part];
    sq_stmt *s = SQ_NEW(m->made->arena, sq_stmt);
    const char *name = sq_arena_printf(m->made->arena, "%s_%s", of->name, h->of->name);
    *s = (sq_stmt){.name = sq_rewritten_name(m->made, m->x->k, name, ""),
                   .ndim = h->moves.n,
                   .nfree = h->moves.n,
                   .reduce = SQ_OP_CONST,
                   .loc = h->value->loc,
                   .dim = SQ_NEW_ARRAY(m->made->arena, const char *, h->moves.n)};
    for (int d = 0; d < s->ndim; d++)
        s->dim[d] = of->dim[h->moves.dim[d]];
    isl_set *old = evaluated(m->x, h);
    s->domain = sq_projected_set(m->made, &h->moves, old, s->name);
    m->made->stmt[m->made->nstmts++] = s;
    isl_multi_aff *by = sq_projected_instance(m->made, &h->moves, s->name, old);
    s->value = sq_expr_copied(m->made, h->value, by, NULL, NULL);
    isl_multi_aff_free(by);
    bool known = make_array(m, part, s->domain);
    isl_multi_aff *own = isl_multi_aff_identity_on_domain_space(isl_set_get_space(s->domain));
    s->write = sq_access_new(m->made, m->to[part], own, s->loc);
    return known;
}

/* Returns the part that an expression is; -1. */
static int part_of(const maker *m, const sq_expr *e, bool in_body)
{
    for (int i = 0; i < m->x->n; i++)
        if (m->x->part[i].in_body == in_body && sq_expr_same(m->x->part[i].value, e))
            return i;
    return -1;
}

static sq_expr *read_of(const maker *m, int part, sq_loc loc)
{
    const sq_hoisted *h = &m->x->part[part];
    isl_space *from = isl_set_get_space(evaluated(m->x, h));
    sq_expr *e = sq_expr_node(m->made, SQ_OP_READ, m->to[part]->type, loc, 0, NULL);
    e->access = sq_access_new(m->made, m->to[part], sq_projected_subscripts(&h->moves, h->moves.n, from), loc);
    return e;
}

/* Copies an expression with reads in the place of parts. */
static sq_expr *copied(const maker *m, const sq_expr *e, bool in_body)
{
    int part = part_of(m, e, in_body);
    if (part >= 0)
        return read_of(m, part, e->loc);
    if (e->op == SQ_OP_READ || e->nargs == 0)
        return sq_expr_copied(m->made, e, NULL, NULL, NULL);
    sq_expr *c = SQ_NEW(m->made->arena, sq_expr);
    *c = *e;
    for (int i = 0; i < e->nargs; i++)
        c->arg[i] = copied(m, e->arg[i], in_body);
    return c;
}

static void put_rest(const maker *m)
{
    sq_stmt bare = *m->x->of;
    bare.body = bare.value = NULL;
    sq_stmt *s = sq_stmt_copied(m->made, &bare, NULL, NULL);
    s->body = m->x->of->body ? copied(m, m->x->of->body, true) : NULL;
    s->value = copied(m, m->x->of->value, false);
    m->made->stmt[m->made->nstmts++] = s;
}

sq_kernel *sq_hoist_make(const sq_hoist *x, const char **why)
{
    const sq_kernel *k = x->k;
    maker m = {.x = x, .made = sq_rewritten_begin(k, k->nstmts + x->n)};
    bool known = true;
    *why = "has dependences that are not known";
    for (int i = 0; m.made && i < k->nstmts; i++) {
        if (k->stmt[i] != x->of) {
            m.made->stmt[m.made->nstmts++] = sq_stmt_copied(m.made, k->stmt[i], NULL, NULL);
            continue;
        }
        for (int part = 0; part < x->n; part++)
            known &= make_part(&m, part);
        put_rest(&m);
    }
    if (m.made && !known)
        *why = "has a part over loops whose ends are no single expressions of the sizes, or which count from below 0";
    return known ? m.made : NULL;
}
