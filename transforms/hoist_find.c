/* Hoist, find: the parts of a statement that fewer loops move; see hoist.h. */
#include "transforms/hoist.h"
#include <isl/aff.h>
#include <isl/val.h>

typedef struct finder {
    sq_hoist *x;
    bool in_body;
    int ndim; /* of the expression's instances */
} finder;

/* What an expression reads. */
typedef struct reads {
    const finder *f;
    const sq_expr *of;
    const sq_access *whole; /* the first read that spans what the expression does; NULL: there is none */
    sq_projection moves;    /* the dimensions that move it, in the order of its subscripts */
    bool stays;             /* it must be computed where it is */
} reads;

static bool is_guarded(const sq_access *a)
{
    return a->where || a->is_guarded || a->array->words_of;
}

/* The only dimension that moves a subscript, which is that dimension and what does not move; -1: it is another. */
static int alone_in(const finder *f, const sq_access *a, int sub)
{
    int only = -1;
    isl_aff *at = isl_multi_aff_get_aff(a->map, sub);
    for (int d = 0; d < f->ndim && only != SQ_MAX_DIMS; d++) {
        if (isl_aff_involves_dims(at, isl_dim_in, (unsigned)d, 1) != isl_bool_true)
            continue;
        isl_val *by = isl_aff_get_coefficient_val(at, isl_dim_in, d);
        bool is_one = isl_val_is_one(by) == isl_bool_true && isl_aff_dim(at, isl_dim_div) == 0;
        only = only < 0 && is_one ? d : SQ_MAX_DIMS;
        isl_val_free(by);
    }
    isl_aff_free(at);
    return only == SQ_MAX_DIMS ? -1 : only;
}

/* True if each dimension that moves the expression is a subscript of this read by itself, of elements that are not
 * smaller: an array of the expression's values is not larger than what is read then. Fills *p. */
static bool spans(const finder *f, const sq_expr *e, const sq_access *a, sq_projection *p)
{
    bool is_in[SQ_MAX_DIMS] = {false};
    *p = (sq_projection){0};
    for (int sub = 0; sub < a->array->ndim; sub++) {
        int d = alone_in(f, a, sub);
        if (d >= 0 && !is_in[d])
            p->dim[p->n++] = d;
        is_in[d < 0 ? 0 : d] |= d >= 0;
    }
    for (int d = 0; d < f->ndim; d++)
        if (sq_expr_moves(e, d) != is_in[d])
            return false;
    return sq_type_bytes(e->type) <= sq_type_bytes(a->array->type);
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
    if (!r->whole && !a->indirect && spans(r->f, r->of, a, &r->moves))
        r->whole = a;
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
    reads r = {.f = f, .of = e};
    sq_expr_walk((sq_expr *)e, look, &r);
    if (!is_operation(e) || r.stays || !r.whole || r.moves.n == 0 || r.moves.n == f->ndim)
        return false;
    for (int i = 0; i < x->n; i++)
        if (x->part[i].in_body == f->in_body && sq_expr_same(x->part[i].value, e))
            return true;
    if (x->n == SQ_MOST_HOISTED)
        return false;
    sq_hoisted part = {.value = e, .of = r.whole->array, .moves = r.moves, .in_body = f->in_body};
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
