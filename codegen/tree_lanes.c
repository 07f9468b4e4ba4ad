/* Tree lanes: an innermost loop over one statement in vectors. Elements that do not change from
 * step to step are loaded before the loop, the others lie side by side. Sums are kept lane by lane
 * in several accumulators and added up at the end. What is left over runs point by point, or under
 * a mask where the target has such loads and stores. */
#include "codegen/isa.h"
#include "codegen/math.h"
#include "codegen/scalar.h"
#include "codegen/tree_text.h"
#include "support/words.h"
#include <isl/aff.h>
#include <isl/val.h>
#include <string.h>

enum { CHAINS = 4 };

typedef struct lanes {
    sq_printer *p;
    sq_scan *s;
    const sq_lane_loop *l;
    sq_vector *v;
    sq_text *to;
    const char *left; /* number of lanes that exist, as text; NULL: all */
    int64_t ahead;    /* points by which the iterator is ahead */
} lanes;

/* ---- may it ---- */

typedef struct look {
    sq_type type;
    bool fine;
} look;

static bool has_form(sq_op op)
{
    switch (op) {
    case SQ_OP_CONST:
    case SQ_OP_SCALAR:
    case SQ_OP_READ:
    case SQ_OP_NEG:
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_MUL:
    case SQ_OP_DIV:
    case SQ_OP_MIN:
    case SQ_OP_MAX:
        return true;
    default:
        return sq_math_is_function(op);
    }
}

static void look_at(sq_expr *e, void *user)
{
    look *k = user;
    k->fine &= has_form(e->op) && e->type == k->type;
}

/* Elements between two steps along the last dimension; -1 if others change, too. */
static int64_t step_of(const sq_lane_loop *l, const sq_access *a)
{
    double by[SQ_MAX_DIMS], step;
    for (int d = 0; d < l->stmt->nfree; d++)
        by[d] = (double)l->step[d];
    bool known = a->edge == SQ_EDGE_NONE && sq_access_step(a, by, l->stmt->nfree, &step);
    return known ? (int64_t)step : -1;
}

/* What is added to the sum. */
static const sq_expr *addend(const sq_stmt *s)
{
    const sq_access *sum = sq_stmt_sum(s);
    const sq_expr *first = s->value->arg[0];
    return first->op == SQ_OP_READ && first->access == sum ? s->value->arg[1] : first;
}

bool sq_lanes_fit(const sq_printer *p, const sq_lane_loop *l)
{
    const sq_stmt *s = l->stmt;
    sq_access *read[SQ_MAX_STMT_READS];
    look k = {s->write->array->type, true};
    int n = sq_stmt_reads(s, read, NULL, SQ_MAX_STMT_READS);
    if ((k.type != SQ_F32 && k.type != SQ_F64) || s->updates || n > SQ_MAX_STMT_READS)
        return false;
    sq_expr_walk(s->value, look_at, &k);
    for (int i = 0; i < n; i++) {
        int64_t step = step_of(l, read[i]);
        k.fine &= step == 0 || step == 1;
    }
    bool adds = s->value->op == SQ_OP_ADD || s->value->op == SQ_OP_SUB;
    k.fine &= l->sums ? adds && step_of(l, s->write) == 0 : step_of(l, s->write) == 1;
    return k.fine && p->options->target->vector_bytes / sq_type_bytes(k.type) > 1;
}

/* ---- values ---- */

static sq_vector *shape(sq_printer *p, sq_type type, int count)
{
    for (int i = 0; i < p->nshapes; i++)
        if (p->shape[i].type == type && p->shape[i].lanes == count)
            return &p->shape[i];
    if (p->nshapes == SQ_MAX_SHAPES)
        sq_bug("tree", "too many vector shapes in %s", p->function);
    p->shape[p->nshapes] = (sq_vector){.type = type, .lanes = count};
    return &p->shape[p->nshapes++];
}

static const char *op(const lanes *x, sq_vop o)
{
    return sq_vector_op(x->v, o, x->p->arena);
}

static const char *all(const lanes *x, const char *scalar)
{
    return sq_arena_printf(x->p->arena, "%s(%s)", op(x, SQ_VOP_ALL), scalar);
}

/* The element's text with the iterator `ahead` points on. */
static const char *element(const lanes *x, const sq_access *a)
{
    const char *text = sq_scan_place(x->s, a), *it = x->l->iterator;
    size_t n = strlen(it);
    sq_text t = {0};
    if (x->ahead == 0)
        return text;
    for (const char *c = text; *c;) {
        bool here = strncmp(c, it, n) == 0 && !sq_is_word_byte(c[n]) &&
                    (c == text || !sq_is_word_byte(c[-1]));
        if (here)
            sq_text_printf(&t, "(%s + %lld)", it, (long long)x->ahead);
        else
            sq_text_putn(&t, c, 1);
        c += here ? n : 1;
    }
    text = sq_arena_strdup(x->p->arena, sq_text_str(&t));
    sq_text_free(&t);
    return text;
}

static const char *load(const lanes *x, const sq_access *a)
{
    const char *e = element(x, a);
    if (step_of(x->l, a) == 0)
        return all(x, e);
    if (x->left)
        return sq_arena_printf(x->p->arena, "%s(&%s, %s)", op(x, SQ_VOP_LOAD_N), e, x->left);
    return sq_arena_printf(x->p->arena, "%s(&%s)", op(x, SQ_VOP_LOAD), e);
}

static const char *number(const lanes *x, const sq_expr *e)
{
    sq_text t = {0};
    sq_scalar_number(e->real, x->v->type, &t);
    const char *text = all(x, sq_text_str(&t));
    sq_text_free(&t);
    return text;
}

static const char *value(const lanes *x, const sq_expr *e);

/* c + sign a*b in one operation, where the contract allows it. */
static const char *fused(const lanes *x, const sq_expr *mul, const char *sign, const char *c)
{
    return sq_arena_printf(x->p->arena, "%s(%s%s, %s, %s)", op(x, SQ_VOP_FMA), sign,
                           value(x, mul->arg[0]), value(x, mul->arg[1]), c);
}

static const char *sum(const lanes *x, const char *a, bool minus, const sq_expr *b)
{
    if (b->op == SQ_OP_MUL && x->s->kernel->fp != SQ_FP_STRICT)
        return fused(x, b, minus ? "-" : "", a);
    return sq_arena_printf(x->p->arena, "(%s %c %s)", a, minus ? '-' : '+', value(x, b));
}

static const char *call(const lanes *x, const sq_expr *e)
{
    const char *f = sq_math_name(x->v, e->op, x->p->arena), *a = value(x, e->arg[0]);
    return e->nargs == 1 ? sq_arena_printf(x->p->arena, "%s(%s)", f, a)
                         : sq_arena_printf(x->p->arena, "%s(%s, %s)", f, a, value(x, e->arg[1]));
}

static const char *value(const lanes *x, const sq_expr *e)
{
    sq_arena *arena = x->p->arena;
    switch (e->op) {
    case SQ_OP_CONST:
        return number(x, e);
    case SQ_OP_SCALAR:
        return all(x, e->scalar->name);
    case SQ_OP_READ:
        return load(x, e->access);
    case SQ_OP_NEG:
        return sq_arena_printf(arena, "(-%s)", value(x, e->arg[0]));
    case SQ_OP_ADD:
    case SQ_OP_SUB:
        return sum(x, value(x, e->arg[0]), e->op == SQ_OP_SUB, e->arg[1]);
    case SQ_OP_MIN:
    case SQ_OP_MAX:
        return sq_arena_printf(arena, "%s(%s, %s)",
                               op(x, e->op == SQ_OP_MIN ? SQ_VOP_MIN : SQ_VOP_MAX),
                               value(x, e->arg[0]), value(x, e->arg[1]));
    default:
        if (sq_math_is_function(e->op))
            return call(x, e);
        return sq_arena_printf(arena, "(%s %s %s)", value(x, e->arg[0]), sq_op_get(e->op)->infix,
                               value(x, e->arg[1]));
    }
}

/* ---- loops ---- */

static void put_rest(lanes *x)
{
    const char *i = x->l->iterator;
    sq_text_open(x->to, "for (; %s < @end; %s++) {", i, i);
    sq_text_line(x->to, "%s = %s;", sq_scan_place(x->s, x->l->stmt->write),
                 sq_scan_stored(x->s, x->l->stmt->value));
    sq_text_close(x->to, "}");
}

static void put_elementwise(lanes *x)
{
    const char *i = x->l->iterator;
    const sq_stmt *s = x->l->stmt;
    sq_text_open(x->to, "for (; %s + %d < @end; %s += %d) {", i, x->v->lanes - 1, i, x->v->lanes);
    sq_text_line(x->to, "%s(&%s, %s);", op(x, SQ_VOP_STORE), element(x, s->write),
                 value(x, s->value));
    sq_text_close(x->to, "}");
    if (!(x->p->options->target->isa->masks & (unsigned)sq_type_bytes(x->v->type))) {
        put_rest(x);
        return;
    }
    x->left = sq_arena_printf(x->p->arena, "@end - %s", i);
    sq_text_open(x->to, "if (%s < @end) {", i);
    sq_text_line(x->to, "%s(&%s, %s, %s);", op(x, SQ_VOP_STORE_N), element(x, s->write),
                 value(x, s->value), x->left);
    sq_text_close(x->to, "}");
}

/* acc = acc + addend, `chains` times, each for the next vector. */
static void put_chains(lanes *x, int chains)
{
    const char *i = x->l->iterator;
    const sq_expr *e = addend(x->l->stmt);
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
    const sq_stmt *s = x->l->stmt;
    const char *place = sq_scan_place(x->s, s->write);
    sq_text_open(x->to, "if (%s + %d < @end) {", x->l->iterator, x->v->lanes - 1);
    for (int c = 0; c < CHAINS; c++)
        sq_text_line(x->to, "%s @acc%d = {0};", type, c);
    put_chains(x, CHAINS);
    put_chains(x, 1);
    sq_text_line(x->to, "%s %c= %s((@acc0 + @acc1) + (@acc2 + @acc3));", place,
                 s->value->op == SQ_OP_SUB ? '-' : '+', op(x, SQ_VOP_SUM));
    sq_text_close(x->to, "}");
    put_rest(x);
}

void sq_lanes_print(sq_printer *p, sq_scan *s, const sq_lane_loop *l, sq_text *to)
{
    sq_type type = l->stmt->write->array->type;
    int count = p->options->target->vector_bytes / sq_type_bytes(type);
    lanes x = {.p = p, .s = s, .l = l, .v = shape(p, type, count), .to = to};
    sq_print_note(p, l->stmt, count);
    sq_text_open(to, "{");
    sq_text_line(to, "const int64_t @end = %s;", l->end);
    sq_text_line(to, "int64_t %s = %s;", l->iterator, l->first);
    if (l->sums)
        put_sums(&x);
    else
        put_elementwise(&x);
    sq_text_close(to, "}");
}
