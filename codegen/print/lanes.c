/* Lanes: an innermost loop over one store in vectors. Elements that do not change from step to step
 * are broadcast, the others lie side by side. Sums are kept lane by lane in several accumulators and
 * added up at the end. What is left over runs point by point, or under a mask where the target has
 * such loads and stores. */
#include "codegen/print/lanes.h"
#include "codegen/isa.h"
#include "codegen/lower/tree.h"
#include "codegen/math.h"
#include "codegen/scalar.h"

enum { CHAINS = 4 };

typedef struct lanes {
    sq_printer *p;
    const sq_c_printer *c;
    const sq_code *l, *store; /* the loop, and its body */
    sq_vector *v;
    sq_text *to;
    sq_code_pool *pool;
    const char *left; /* number of lanes that exist, as text; NULL: all */
    int64_t ahead;    /* points by which the iterator is ahead */
} lanes;

/* ---- values ---- */

static const char *op(const lanes *x, sq_vop o)
{
    return sq_vector_op(x->v, o, x->p->arena);
}

static const char *all(const lanes *x, const char *scalar)
{
    return sq_arena_printf(x->p->arena, "%s(%s)", op(x, SQ_VOP_ALL), scalar);
}

/* The element's text with the iterator `ahead` points on. */
static const char *element(const lanes *x, const sq_code_buffer *b,
                           const sq_code_expr *const *index)
{
    const sq_code_expr *at[SQ_MAX_DIMS],
        *on = sq_code_plus(x->pool, sq_code_name(x->pool, x->l->name), x->ahead);
    sq_text t = {0};
    for (int d = 0; d < b->ndim; d++)
        at[d] = x->ahead ? sq_code_substitute(x->pool, index[d], x->l->name, on) : index[d];
    sq_c_element(x->c, b, at, &t);
    return sq_text_take(&t, x->p->arena);
}

static const char *place(const lanes *x)
{
    return element(x, x->store->buffer, x->store->index);
}

static const char *load(const lanes *x, const sq_code_expr *e)
{
    const char *text = element(x, e->buffer, e->arg);
    bool moves = false;
    for (int d = 0; d < e->nargs; d++)
        moves |= sq_code_mentions(e->arg[d], x->l->name);
    if (!moves)
        return all(x, text);
    if (x->left)
        return sq_arena_printf(x->p->arena, "%s(&%s, %s)", op(x, SQ_VOP_LOAD_N), text, x->left);
    return sq_arena_printf(x->p->arena, "%s(&%s)", op(x, SQ_VOP_LOAD), text);
}

static const char *number(const lanes *x, const sq_code_expr *e)
{
    sq_text t = {0};
    sq_scalar_number(e->real, x->v->type, &t);
    const char *text = all(x, sq_text_str(&t));
    sq_text_free(&t);
    return text;
}

static const char *value(const lanes *x, const sq_code_expr *e);

/* c + sign a*b in one operation, where the contract allows it. */
static const char *fused(const lanes *x, const sq_code_expr *mul, const char *sign, const char *c)
{
    return sq_arena_printf(x->p->arena, "%s(%s%s, %s, %s)", op(x, SQ_VOP_FMA), sign,
                           value(x, mul->arg[0]), value(x, mul->arg[1]), c);
}

static const char *sum(const lanes *x, const char *a, bool minus, const sq_code_expr *b)
{
    bool product = b->op == SQ_CODE_OPERATION && b->operation == SQ_OP_MUL;
    if (product && x->p->kernel->fp != SQ_FP_STRICT)
        return fused(x, b, minus ? "-" : "", a);
    return sq_arena_printf(x->p->arena, "(%s %c %s)", a, minus ? '-' : '+', value(x, b));
}

static const char *call(const lanes *x, const sq_code_expr *e)
{
    const char *f = sq_math_name(x->v, e->operation, x->p->arena), *a = value(x, e->arg[0]);
    return e->nargs == 1 ? sq_arena_printf(x->p->arena, "%s(%s)", f, a)
                         : sq_arena_printf(x->p->arena, "%s(%s, %s)", f, a, value(x, e->arg[1]));
}

static const char *operation(const lanes *x, const sq_code_expr *e)
{
    sq_arena *arena = x->p->arena;
    const char *a = e->operation == SQ_OP_ADD || e->operation == SQ_OP_SUB || e->nargs < 2
                        ? NULL
                        : value(x, e->arg[0]);
    switch (e->operation) {
    case SQ_OP_NEG:
        return sq_arena_printf(arena, "(-%s)", value(x, e->arg[0]));
    case SQ_OP_ADD:
    case SQ_OP_SUB:
        return sum(x, value(x, e->arg[0]), e->operation == SQ_OP_SUB, e->arg[1]);
    case SQ_OP_MIN:
    case SQ_OP_MAX:
        return sq_arena_printf(arena, "%s(%s, %s)",
                               op(x, e->operation == SQ_OP_MIN ? SQ_VOP_MIN : SQ_VOP_MAX), a,
                               value(x, e->arg[1]));
    default:
        if (sq_math_is_function(e->operation))
            return call(x, e);
        return sq_arena_printf(arena, "(%s %s %s)", a, sq_op_get(e->operation)->infix,
                               value(x, e->arg[1]));
    }
}

static const char *value(const lanes *x, const sq_code_expr *e)
{
    switch (e->op) {
    case SQ_CODE_CONSTANT:
        return number(x, e);
    case SQ_CODE_SCALAR:
        return all(x, e->name);
    case SQ_CODE_LOAD:
        return load(x, e);
    default:
        return operation(x, e);
    }
}

/* ---- loops ---- */

static void put_rest(lanes *x)
{
    const char *i = x->l->name;
    sq_text_open(x->to, "for (; %s < @end; %s++) {", i, i);
    sq_c_code(x->c, x->store, x->to);
    sq_text_close(x->to, "}");
}

static void put_elementwise(lanes *x)
{
    const char *i = x->l->name;
    sq_text_open(x->to, "for (; %s + %d < @end; %s += %d) {", i, x->v->lanes - 1, i, x->v->lanes);
    sq_text_line(x->to, "%s(&%s, %s);", op(x, SQ_VOP_STORE), place(x), value(x, x->store->value));
    sq_text_close(x->to, "}");
    if (!(x->p->options->target->isa->masks & (unsigned)sq_type_bytes(x->v->type))) {
        put_rest(x);
        return;
    }
    x->left = sq_arena_printf(x->p->arena, "@end - %s", i);
    sq_text_open(x->to, "if (%s < @end) {", i);
    sq_text_line(x->to, "%s(&%s, %s, %s);", op(x, SQ_VOP_STORE_N), place(x),
                 value(x, x->store->value), x->left);
    sq_text_close(x->to, "}");
}

/* acc = acc + addend, `chains` times, each for the next vector. */
static void put_chains(lanes *x, int chains)
{
    const char *i = x->l->name;
    const sq_code_expr *e = sq_lanes_addend(x->store);
    int n = x->v->lanes;
    sq_text_open(x->to, "for (; %s + %d < @end; %s += %d) {", i, chains * n - 1, i, chains * n);
    for (int c = 0; c < chains; c++) {
        const char *acc = sq_arena_printf(x->p->arena, "@acc%d", c);
        x->ahead = (int64_t)c * n;
        sq_text_line(x->to, "%s = %s;", acc, sum(x, acc, false, e));
    }
    x->ahead = 0;
    sq_text_close(x->to, "}");
}

static void put_sums(lanes *x)
{
    const char *type = sq_vector_name(x->v, x->p->arena);
    sq_text_open(x->to, "if (%s + %d < @end) {", x->l->name, x->v->lanes - 1);
    for (int c = 0; c < CHAINS; c++)
        sq_text_line(x->to, "%s @acc%d = {0};", type, c);
    put_chains(x, CHAINS);
    put_chains(x, 1);
    sq_text_line(x->to, "%s %c= %s((@acc0 + @acc1) + (@acc2 + @acc3));", place(x),
                 x->store->value->operation == SQ_OP_SUB ? '-' : '+', op(x, SQ_VOP_SUM));
    sq_text_close(x->to, "}");
    put_rest(x);
}

void sq_lanes_print(const sq_code *loop, void *user, sq_text *to)
{
    sq_printer *p = user;
    sq_type type = loop->body->buffer->type;
    int count = p->options->target->vector_bytes / sq_type_bytes(type);
    sq_c_printer c = sq_print_c(p);
    lanes x = {.p = p,
               .c = &c,
               .l = loop,
               .store = loop->body,
               .v = sq_print_shape(p, type, count),
               .to = to,
               .pool = p->code};
    sq_print_note(p, loop->body->stmt, count);
    sq_text_open(to, "{");
    sq_text_line(to, "const int64_t @end = %s;", sq_code_text(loop->hi, p->arena));
    sq_text_line(to, "int64_t %s = %s;", loop->name, sq_code_text(loop->lo, p->arena));
    if (loop->runs == SQ_CODE_SUMS)
        put_sums(&x);
    else
        put_elementwise(&x);
    sq_text_close(to, "}");
}
