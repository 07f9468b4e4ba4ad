/* Hoist, find: the parts of a statement that fewer loops move; see hoist.h. */
#include "transforms/hoist.h"

typedef struct finder {
    sq_hoist *x;
    bool in_body;
    int ndim; /* of the expression's instances */
} finder;

/* What an expression reads. */
typedef struct reads {
    const finder *f;
    const sq_access *first;
    int subscripts; /* the most of one array */
    bool stays;     /* it must be computed where it is */
} reads;

static bool is_guarded(const sq_access *a)
{
    return a->where || a->is_guarded || a->array->words_of;
}

static void look(sq_expr *e, void *user)
{
    reads *r = user;
    r->stays |= e->op == SQ_OP_REDUCED || e->op == SQ_OP_WORD || sq_op_takes_words(e->op);
    if (e->op != SQ_OP_READ)
        return;
    const sq_access *a = e->access;
    const sq_array *to = sq_array_described(r->f->x->of->write->array);
    r->stays |= is_guarded(a) || sq_array_described(a->array) == to || a->array->alias || to->alias;
    r->first = r->first ? r->first : a;
    r->subscripts = a->array->ndim > r->subscripts ? a->array->ndim : r->subscripts;
}

static void add_dim(sq_projection *p, int d)
{
    for (int i = 0; i < p->n; i++)
        if (p->dim[i] == d)
            return;
    p->dim[p->n++] = d;
}

/* Returns the dimensions that the expression moves with: those of the first array's subscripts in their order, then
 * the others. */
static sq_projection moves_of(const finder *f, const sq_expr *e, const sq_access *first)
{
    sq_projection p = {0};
    for (int a = 0; a < first->array->ndim; a++) {
        isl_aff *at = isl_multi_aff_get_aff(first->map, a);
        for (int d = 0; d < f->ndim; d++)
            if (isl_aff_involves_dims(at, isl_dim_in, (unsigned)d, 1) == isl_bool_true)
                add_dim(&p, d);
        isl_aff_free(at);
    }
    for (int d = 0; d < f->ndim; d++)
        if (sq_expr_moves(e, d))
            add_dim(&p, d);
    return p;
}

/* True if the expression is an operation whose result an array may hold. */
static bool is_operation(const sq_expr *e)
{
    return e->nargs > 0 && e->op != SQ_OP_READ && !sq_op_is_condition(e->op) && !sq_type_stored(e->type);
}

/* Adds the expression if it is a part; true if it is one. */
static bool add_part(const finder *f, const sq_expr *e)
{
    sq_hoist *x = f->x;
    reads r = {.f = f};
    sq_expr_walk((sq_expr *)e, look, &r);
    if (!is_operation(e) || r.stays || !r.first)
        return false;
    sq_projection moves = moves_of(f, e, r.first);
    if (moves.n == 0 || moves.n == f->ndim || moves.n > r.subscripts)
        return false;
    for (int i = 0; i < x->n; i++)
        if (x->part[i].in_body == f->in_body && sq_expr_same(x->part[i].value, e))
            return true;
    if (x->n == SQ_MOST_HOISTED)
        return false;
    sq_hoisted part = {.value = e, .of = r.first->array, .moves = moves, .in_body = f->in_body};
    x->part[x->n++] = part;
    return true;
}

/* Visits operands that are computed whatever the others are. */
static void find(const finder *f, const sq_expr *e)
{
    if (e->op == SQ_OP_READ || add_part(f, e))
        return;
    bool chooses = e->op == SQ_OP_SELECT || e->op == SQ_OP_AND || e->op == SQ_OP_OR;
    for (int i = 0; i < e->nargs && !(chooses && i > 0); i++)
        find(f, e->arg[i]);
}

void sq_hoist_find(const sq_kernel *k, const sq_stmt *s, sq_hoist *x)
{
    *x = (sq_hoist){.k = k, .of = s};
    if (s->ndim > SQ_MAX_DIMS || s->is_maybe)
        return;
    if (s->body)
        find(&(finder){.x = x, .in_body = true, .ndim = s->ndim}, s->body);
    find(&(finder){.x = x, .ndim = s->nfree}, s->value);
}
