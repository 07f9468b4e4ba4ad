/* The evaluator: runs the program tree point by point, in the order that docs/LANGUAGE.md gives it.
 *
 * Statements run one after the other. An index statement runs for all values of its indices, in no
 * order: here row by row. Loops count as C's. What is read of a temporary was written before. */
#include "data.h"

#include <math.h>
#include <stdlib.h>

static struct value eval(struct run *r, int node);

/* True if it is a value: then of the types of C, which wrap around. */
static bool is_value(const struct program *p, int node)
{
    const struct node *n = &p->nodes[node];
    if (n->op == OP_NUMBER || n->op == OP_VAR)
        return false;
    return n->op == OP_READ || is_value(p, n->a) || is_value(p, n->b);
}

/* Subscripts, ends of ranges: whole numbers without rounding. */
static int64_t whole(struct run *r, int node)
{
    const struct node *n = &r->program->nodes[node];
    if (is_value(r->program, node))
        return eval(r, node).i;
    if (n->op == OP_NUMBER)
        return (int64_t)n->number;
    if (n->op == OP_VAR)
        return r->vars[n->var];
    int64_t a = whole(r, n->a), b = whole(r, n->b);
    switch (n->op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_MOD: return a % b;
    case OP_MAX: return a > b ? a : b;
    case OP_MIN: return a < b ? a : b;
    default: r->failed = true; return 0;
    }
}

static int64_t clamped(int64_t at, int64_t extent)
{
    return at < 0 ? 0 : at >= extent ? extent - 1 : at;
}

/* The place of an element, -1 outside of the array. */
static int64_t element(struct run *r, int array, const int *sub, bool clamp)
{
    int64_t place = 0;
    for (int d = 0; d < r->program->arrays[array].dims; d++) {
        int64_t at = whole(r, sub[d]), extent = r->extents[array][d];
        if (clamp)
            at = clamped(at, extent);
        if (at < 0 || at >= extent)
            return -1;
        place = place * extent + at;
    }
    return place;
}

static struct value read_array(struct run *r, const struct node *n)
{
    enum type type = r->program->arrays[n->array].type;
    int64_t at = element(r, n->array, n->sub, n->op == OP_CLAMP);
    if (at < 0 && n->op == OP_PAD)
        return value_number(type_promoted(type), n->number);
    if (at < 0) {
        r->failed = true;
        return value_number(type_promoted(type), 0);
    }
    return value_load(&r->buffers[n->array], type, at);
}

struct reducing {
    const struct node *node;
    struct value total;
    double magnitude;
    int64_t terms, at, best;
};

static void take_extreme(struct reducing *red, struct value x, bool most)
{
    struct value c = value_binary(most ? OP_GT : OP_LT, x, red->total);
    bool place = red->node->op == OP_ARGMAX || red->node->op == OP_ARGMIN;
    double e = red->total.e > x.e ? red->total.e : x.e;
    if (red->terms == 0 || (c.e == 0 && c.i) || (c.e > 0 && (most ? x.v > red->total.v
                                                              : x.v < red->total.v)))
        red->total = x, red->best = red->at;
    red->total.e = c.e > 0 && place && red->terms ? INFINITY : e;
}

static void take_term(struct reducing *red, struct value x)
{
    enum op op = red->node->op;
    if (op == OP_SUM && type_floats(x.type)) {
        red->total.v += x.v;
        red->total.e += x.e;
        red->magnitude += fabs(x.v) + x.e;
    } else if (op == OP_SUM) {
        red->total = value_binary(OP_ADD, red->total, x);
    } else if (op == OP_PROD) {
        red->total = value_binary(OP_MUL, red->total, x);
    } else {
        take_extreme(red, x, op == OP_RMAX || op == OP_ARGMAX);
    }
    red->terms++;
}

/* What argmax says of the current place: of one index its value, of two the number, row by row, in
 * their ranges. */
static int64_t where(struct run *r, const struct node *n)
{
    const struct var *v = r->program->vars;
    int64_t at = r->vars[n->reduced[0]];
    if (n->reduced_count == 1)
        return at;
    int64_t first = whole(r, v[n->reduced[0]].lo), lo = whole(r, v[n->reduced[1]].lo);
    return (at - first) * (whole(r, v[n->reduced[1]].hi) - lo) + r->vars[n->reduced[1]] - lo;
}

static void reduce(struct run *r, struct reducing *red, int level)
{
    const struct program *p = r->program;
    if (level == red->node->reduced_count) {
        red->at = where(r, red->node);
        take_term(red, eval(r, red->node->a));
        return;
    }
    int v = red->node->reduced[level];
    int64_t hi = whole(r, p->vars[v].hi);
    for (int64_t i = whole(r, p->vars[v].lo); i < hi && r->work < r->limit; i++) {
        r->vars[v] = i;
        reduce(r, red, level + 1);
    }
}

static struct value least_value(enum type type, bool least)
{
    if (type_floats(type))
        return (struct value){.e = INFINITY, .type = type};
    uint64_t top = (uint64_t)1 << (8 * type_bytes(type) - 1);
    int64_t i = type_signed(type) ? (least ? (int64_t)(0 - top) : (int64_t)(top - 1))
        : least ? 0 : wrap(-1, type);
    return (struct value){.i = i, .type = type};
}

/* The type of a value before it is promoted: extremes keep it. */
static enum type own_type(const struct program *p, int node)
{
    const struct node *n = &p->nodes[node];
    if (n->op == OP_READ || n->op == OP_PAD || n->op == OP_CLAMP)
        return p->arrays[n->array].type;
    if (n->op == OP_RELU || n->op == OP_MAX || n->op == OP_MIN)
        return own_type(p, n->a);
    return n->op == OP_CAST ? (enum type)n->array : n->type;
}

static struct value eval_reduction(struct run *r, const struct node *n)
{
    struct reducing red = {.node = n, .best = -1};
    enum type type = r->program->nodes[n->a].type;
    red.total = value_number(type, n->op == OP_PROD);
    reduce(r, &red, 0);
    if (n->op == OP_ARGMAX || n->op == OP_ARGMIN) /* a place is known or not: its value's error is none */
        return (struct value){
            .i = red.best, .e = red.total.e < INFINITY ? 0 : INFINITY, .type = I32};
    if (red.terms == 0 && n->op != OP_SUM && n->op != OP_PROD)
        return value_convert(least_value(own_type(r->program, n->a), n->op == OP_RMAX), type);
    if (type_floats(type) && n->op == OP_SUM)
        return value_sum_rounded(red.total, red.magnitude, red.terms);
    return red.total;
}

/* What is not needed is not evaluated, as in C; a choice that rounding may change is unknown unless
 * both sides are nearly the same. */
static struct value eval_select(struct run *r, const struct node *n)
{
    struct value c = eval(r, n->a);
    if (c.e == 0)
        return value_convert(eval(r, c.i ? n->b : n->c), n->type);
    struct value a = value_convert(eval(r, n->b), n->type);
    a.e = INFINITY;
    return a;
}

static struct value eval_logic(struct run *r, const struct node *n)
{
    struct value a = eval(r, n->a);
    if (a.e > 0 || (a.i != 0) == (n->op == OP_LOR))
        return (struct value){.i = a.i != 0, .e = a.e, .type = I32};
    struct value b = eval(r, n->b);
    return (struct value){.i = b.i != 0, .e = b.e, .type = I32};
}

static struct value eval_extreme(struct run *r, const struct node *n)
{
    struct value a = eval(r, n->a), b = n->op == OP_RELU ? value_number(a.type, 0) : eval(r, n->b);
    struct value c = value_binary(OP_GT, a, b);
    if (n->op == OP_MIN)
        c.i = !c.i;
    struct value x = c.i ? a : b;
    if (c.e > 0) {
        x = (a.v > b.v) == (n->op != OP_MIN) ? a : b;
        x.e = a.e > b.e ? a.e : b.e;
    }
    return x;
}

static struct value eval_unary(struct run *r, const struct node *n)
{
    struct value a = eval(r, n->a);
    switch (n->op) {
    case OP_NEG:
        a.v = -a.v;
        a.i = wrap((int64_t)(0 - (uint64_t)a.i), a.type);
        return a;
    case OP_NOT: a.i = wrap(~a.i, a.type); return a;
    case OP_CAST: return value_convert(value_convert(a, (enum type)n->array), n->type);
    case OP_SAT: return value_saturate(a, n->type);
    case OP_CALL: return value_call(n->call, a);
    default: r->failed = true; return a;
    }
}

static struct value eval(struct run *r, int node)
{
    const struct node *n = &r->program->nodes[node];
    r->work++;
    switch (n->op) {
    case OP_NUMBER: return value_number(n->type, n->number);
    case OP_VAR: return (struct value){.i = r->vars[n->var], .type = I32};
    case OP_READ:
    case OP_PAD:
    case OP_CLAMP: return read_array(r, n);
    case OP_SELECT: return eval_select(r, n);
    case OP_LAND:
    case OP_LOR: return eval_logic(r, n);
    case OP_MAX:
    case OP_MIN:
    case OP_RELU: return eval_extreme(r, n);
    default: break;
    }
    if (n->op >= OP_SUM)
        return eval_reduction(r, n);
    if (n->op >= OP_NEG)
        return eval_unary(r, n);
    struct value a = eval(r, n->a);
    return value_binary(n->op, a, eval(r, n->b));
}

static void assign(struct run *r, const struct statement *s)
{
    enum type type = r->program->arrays[s->array].type;
    struct value x = eval(r, s->value);
    int64_t at = element(r, s->array, s->sub, false);
    if (at < 0) {
        r->failed = true;
        return;
    }
    if (s->op != OP_NUMBER) {
        struct value old = value_load(&r->buffers[s->array], type, at);
        double magnitude = fabs(old.v) + fabs(x.v); /* the terms may come in any order */
        x = value_binary(s->op, old, x);
        if (type_floats(x.type) && x.e > 0 && (s->op == OP_ADD || s->op == OP_SUB))
            x = value_sum_rounded(x, magnitude, 0);
    }
    value_store(&r->buffers[s->array], type, at, value_convert(x, type));
}

static void all_points(struct run *r, const struct statement *s, int dim)
{
    const struct program *p = r->program;
    if (dim == p->arrays[s->array].dims) {
        assign(r, s);
        return;
    }
    int v = p->nodes[s->sub[dim]].var;
    for (int d = 0; d < dim; d++)
        if (p->nodes[s->sub[d]].var == v) { /* A[i][i] */
            all_points(r, s, dim + 1);
            return;
        }
    int64_t hi = whole(r, p->vars[v].hi);
    for (int64_t i = whole(r, p->vars[v].lo); i < hi && r->work < r->limit; i++) {
        r->vars[v] = i;
        all_points(r, s, dim + 1);
    }
}

static void run_list(struct run *r, int first);

static void run_loop(struct run *r, const struct statement *s)
{
    const struct var *v = &r->program->vars[s->var];
    int64_t lo = whole(r, v->lo), hi = whole(r, v->hi);
    for (int64_t i = s->step > 0 ? lo : hi - 1; i >= lo && i < hi && r->work < r->limit;
         i += s->step) {
        r->vars[s->var] = i;
        r->work++;
        run_list(r, s->body);
    }
}

static void run_list(struct run *r, int first)
{
    for (int at = first; at >= 0; at = r->program->statements[at].next) {
        const struct statement *s = &r->program->statements[at];
        if (s->kind == ST_LOOP)
            run_loop(r, s);
        else if (s->kind == ST_IF)
            run_list(r, eval(r, s->value).i ? s->body : s->otherwise);
        else if (s->kind == ST_INDEX)
            all_points(r, s, 0);
        else
            assign(r, s);
    }
}

void run_evaluate(struct run *r)
{
    r->work = 0;
    for (int s = 0; s < r->program->size_count; s++)
        r->vars[s] = r->sizes[s];
    run_list(r, r->program->first);
}
