/* Point: see point.h. */
#include "codegen/lower/point.h"
#include "codegen/nest/base.h"
#include "codegen/code/from_isl.h"
#include "codegen/nest/fold_comparison.h"
#include "ir/kernel/evaluate.h"
#include "ir/kernel/narrow.h"
#include "support/diag.h"
#include <math.h>

/* ---- arrays ---- */

static sq_bound_array *pair(sq_point_values *p, const sq_array *a, const sq_code_buffer *b,
                            sq_bound_array *before)
{
    sq_bound_array *x = SQ_NEW(p->pool->arena, sq_bound_array);
    *x = (sq_bound_array){a, b, before};
    return x;
}

void sq_point_bind(sq_point_values *p, const sq_array *a, const sq_code_buffer *b)
{
    p->bound = pair(p, a, b, p->bound);
}

static const sq_code_buffer *bound_to(const sq_bound_array *x, const sq_array *a)
{
    while (x && x->array != a)
        x = x->before;
    return x ? x->buffer : NULL;
}

static sq_code_buffer *buffer_of(sq_code_pool *p, const sq_array *a)
{
    sq_code_buffer *b = SQ_NEW(p->arena, sq_code_buffer);
    *b = (sq_code_buffer){.name = a->name,
                          .type = a->type,
                          .storage = SQ_CODE_MEMORY,
                          .is_readonly = a->role == SQ_IN,
                          .ndim = a->ndim,
                          .extent = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, a->ndim),
                          .stride = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, a->ndim)};
    for (int d = 0; d < a->ndim; d++) {
        b->extent[d] = sq_code_from_aff(p, a->extent[d], NULL);
        b->stride[d] = sq_stride_code(a, d, p);
    }
    return b;
}

static const sq_code_buffer *bound_buffer(sq_point_values *p, const sq_array *a)
{
    const sq_code_buffer *b = bound_to(p->bound, a);
    b = b ? b : bound_to(p->memory, a);
    if (!b) {
        b = buffer_of(p->pool, a);
        p->memory = pair(p, a, b, p->memory);
    }
    return b;
}

const sq_code_buffer *sq_point_stack(sq_point_values *p, const sq_array *a, const char *name)
{
    sq_code_buffer *b = buffer_of(p->pool, a);
    b->name = name;
    b->storage = a->ndim ? SQ_CODE_STACK : SQ_CODE_REGISTER;
    b->is_readonly = false;
    return b;
}

/* ---- reads ---- */

static const sq_code_expr *subscript(sq_point_values *p, const sq_access *a, int d)
{
    isl_aff *aff = isl_multi_aff_get_aff(a->map, d);
    const sq_code_expr *e = sq_code_from_aff(p->pool, aff, p->at);
    isl_aff_free(aff);
    const char *from = sq_window_from(sq_window_find(p->window, p->nwindows, a->array), p->group, d);
    return from ? sq_code_sub(p->pool, e, sq_code_name(p->pool, from)) : e;
}

/* Returns the element of an access; `read`: the expression that contains the access, NULL for a
 * write. */
static const sq_code_expr *element(sq_point_values *p, const sq_access *a, const sq_expr *read)
{
    const sq_code_buffer *b = bound_buffer(p, a->array);
    const sq_code_expr *index[SQ_MAX_DIMS];
    for (int d = 0; d < b->ndim; d++) {
        const sq_expr *value = read ? sq_expr_subscript(read, d) : NULL;
        index[d] = value ? sq_code_position(p->pool, sq_point_value(p, value)) : subscript(p, a, d);
        if (a->edge == SQ_EDGE_CLAMP)
            index[d] = sq_code_clamp(p->pool, index[d], b->extent[d]);
    }
    return sq_code_load(p->pool, b, index);
}

const sq_code_expr *sq_point_element(sq_point_values *p, const sq_access *a)
{
    return element(p, a, NULL);
}

/* Returns the condition that the element is inside the array. */
static const sq_code_expr *inside(sq_point_values *p, const sq_access *a)
{
    const sq_code_buffer *b = bound_buffer(p, a->array);
    const sq_code_expr *all = sq_code_number(p->pool, 1), *zero = sq_code_number(p->pool, 0);
    for (int d = 0; d < b->ndim; d++) {
        const sq_code_expr *i = subscript(p, a, d);
        all = sq_code_and(p->pool, all, sq_code_compare(p->pool, SQ_CODE_GE, i, zero));
        all = sq_code_and(p->pool, all, sq_code_compare(p->pool, SQ_CODE_LT, i, b->extent[d]));
    }
    return all;
}

static const sq_code_expr *read(sq_point_values *p, const sq_expr *of)
{
    const sq_access *a = of->access;
    const sq_code_expr *e = element(p, a, of);
    if (a->edge != SQ_EDGE_PAD || e->buffer->storage == SQ_CODE_REGISTER)
        return e;
    return sq_code_select(p->pool, inside(p, a), e,
                          sq_code_constant(p->pool, a->array->type, a->outside));
}

/* ---- values ---- */

const sq_code_expr *sq_point_cast(sq_point_values *p, sq_type type, const sq_code_expr *e)
{
    if (e->type == type && !sq_code_is_index(e))
        return e;
    return sq_code_operation(p->pool, SQ_OP_CAST, type, &e);
}

const sq_code_expr *sq_point_register(sq_point_values *p, const sq_code_buffer *b)
{
    return sq_code_load(p->pool, b, NULL);
}

/* Returns the result of a comparison that follows from the types, or of a value with itself, as two
 * indices may be in a loop of one iteration; -1 if it is not known. Compilers warn of both. */
static int outcome_of(const sq_expr *e, const sq_code_expr *const *arg)
{
    bool equal = e->op == SQ_OP_EQ || e->op == SQ_OP_LE;
    bool compares = equal || e->op == SQ_OP_NE || e->op == SQ_OP_LT;
    if (compares && arg[0] == arg[1] && !sq_type_real(arg[0]->type))
        return equal;
    return sq_expr_fold_comparison(e);
}

static const sq_code_expr *of_arguments(sq_point_values *p, const sq_expr *e)
{
    const sq_code_expr *arg[3];
    for (int i = 0; i < e->nargs; i++)
        arg[i] = sq_point_value(p, e->arg[i]);
    int folded = outcome_of(e, arg);
    if (e->op == SQ_OP_SELECT)
        return sq_code_choose(p->pool, arg[0], arg[1], arg[2]);
    if (e->op == SQ_OP_WORD)
        return arg[0];
    if (sq_op_takes_words(e->op))
        return sq_code_dot(p->pool, e->op, arg[0], arg[1],
                           sq_code_constant(p->pool, SQ_I32, (sq_number){0, 0}));
    if (folded < 0)
        return sq_code_operation(p->pool, e->op, e->type, arg);
    arg[2] = sq_code_constant(p->pool, e->type, (sq_number){.integer = folded});
    return sq_code_comma(p->pool, 3, arg);
}

const sq_code_expr *sq_point_value(sq_point_values *p, const sq_expr *e)
{
    const sq_code_expr *index;
    switch (e->op) {
    case SQ_OP_CONST:
        return sq_code_constant(p->pool, e->type, (sq_number){e->real, e->integer});
    case SQ_OP_SCALAR:
        return sq_code_scalar(p->pool, e->type, e->scalar->name);
    case SQ_OP_INDEX:
        index = sq_code_from_aff(p->pool, e->index, p->at);
        return sq_code_operation(p->pool, SQ_OP_CAST, e->type, &index);
    case SQ_OP_READ:
        return read(p, e);
    case SQ_OP_REDUCED:
        return sq_point_register(p, p->sum);
    default:
        return of_arguments(p, e);
    }
}

/* ---- stores ---- */

sq_code *sq_point_assign(sq_point_values *p, const sq_code_expr *place, const sq_code_expr *value)
{
    return sq_code_store(p->pool, place->buffer, place->arg, sq_point_cast(p, place->type, value));
}

sq_code *sq_point_store(sq_point_values *p, const sq_access *a, const sq_code_expr *value)
{
    return sq_point_assign(p, sq_point_element(p, a), value);
}

static bool is_element(const sq_expr *e, const sq_access *a)
{
    return e->op == SQ_OP_READ && e->access->array == a->array &&
           isl_multi_aff_plain_is_equal(e->access->map, a->map) == isl_bool_true;
}

/* Returns a && b, where a may be missing. */
static const sq_code_expr *both_of(sq_point_values *p, const sq_code_expr *a, const sq_code_expr *b)
{
    const sq_code_expr *arg[] = {a, b};
    return a ? sq_code_operation(p->pool, SQ_OP_AND, SQ_I32, arg) : b;
}

sq_code *sq_point_finish(sq_point_values *p, const sq_stmt *s)
{
    const sq_code_expr *cond = NULL, *c;
    const sq_expr *e = s->is_maybe ? s->value : sq_stmt_in_lanes(s);
    while (s->is_maybe && e->op == SQ_OP_SELECT) {
        bool otherwise = is_element(e->arg[1], s->write);
        if (!otherwise && !is_element(e->arg[2], s->write))
            break;
        c = sq_point_value(p, e->arg[0]);
        if (otherwise)
            c = sq_code_operation(p->pool, SQ_OP_NOT, SQ_I32, &c);
        cond = both_of(p, cond, c);
        e = e->arg[otherwise ? 2 : 1];
    }
    sq_code *x = sq_point_store(p, s->write, sq_point_value(p, e));
    x->cond = cond;
    x->stmt = s;
    return x;
}

sq_code *sq_point_combine(sq_point_values *p, const sq_stmt *s, const sq_code_expr *place,
                          const sq_code_expr *v)
{
    sq_type type = s->body->type;
    const sq_code_expr *arg[2];
    arg[s->keeps_old] = sq_point_cast(p, type, place);
    arg[!s->keeps_old] = sq_point_cast(p, type, v);
    return sq_point_assign(p, place, sq_code_operation(p->pool, s->reduce, type, arg));
}

const sq_code_expr *sq_point_identity(sq_point_values *p, const sq_stmt *s)
{
    return sq_code_constant(p->pool, s->body->type, sq_op_identity(s->reduce, s->body->type));
}
