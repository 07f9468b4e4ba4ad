/* Draws index kernels: one to four index statements that feed each other. */
#include "tree.h"

#include <string.h>

static int draw_size(const struct program *p)
{
    return below(p->size_count);
}

static int new_var(struct program *p, const char *stem, enum var_kind kind)
{
    struct var *v = &p->vars[p->var_count];
    memset(v, 0, sizeof *v);
    snprintf(v->name, sizeof v->name, "%s%d", stem, p->var_count);
    v->kind = kind;
    return p->var_count++;
}

/* [least, last + 1) as nodes; last has at most one size. */
static void set_range(struct program *p, int v, int least, int size, int offset)
{
    p->vars[v].least = least;
    p->vars[v].rectangular = true;
    p->vars[v].lo = new_number(p, I32, least);
    if (size < 0) {
        p->vars[v].hi = new_number(p, I32, offset);
        p->vars[v].last = form_constant(offset - 1);
        return;
    }
    int hi = new_var_node(p, size);
    if (offset)
        hi = new_binary(p, offset > 0 ? OP_ADD : OP_SUB, hi,
            new_number(p, I32, offset > 0 ? offset : -offset));
    p->vars[v].hi = hi;
    p->vars[v].last = form_size(size, offset - 1);
}

/* A triangle or a band beside variable `outer`. */
static void set_triangle(struct program *p, int v, int outer)
{
    struct var *var = &p->vars[v];
    const struct var *out = &p->vars[outer];
    int kind = below(3);
    var->least = out->least > 0 ? 0 : out->least;
    var->last = out->last;
    var->rectangular = false;
    int o = new_var_node(p, outer);
    if (kind == 0) {
        var->lo = new_number(p, I32, var->least);
        var->hi = new_binary(p, OP_ADD, o, new_number(p, I32, 1));
    } else if (kind == 1) {
        var->lo = o;
        var->hi = out->hi;
        var->least = out->least;
    } else {
        int below_o = new_binary(p, OP_SUB, o, new_number(p, I32, 2));
        var->lo = new_node(p, OP_MAX, I32);
        p->nodes[var->lo].a = new_number(p, I32, var->least);
        p->nodes[var->lo].b = below_o;
        var->hi = new_node(p, OP_MIN, I32);
        p->nodes[var->hi].a = out->hi;
        p->nodes[var->hi].b = new_binary(p, OP_ADD, o, new_number(p, I32, 3));
    }
}

static int reused_index(const struct program *p, const struct scope *scope)
{
    for (int v = p->size_count; v < p->var_count; v++) {
        bool taken = p->vars[v].kind != VAR_INDEX || !p->vars[v].rectangular;
        for (int k = 0; k < scope->count; k++)
            taken |= scope->vars[k] == v;
        if (!taken && chance(65))
            return v;
    }
    return -1;
}

/* An index with its range: one that is there, or a new one. */
int draw_index_range(struct program *p, const struct scope *scope, const char *stem, bool inner)
{
    int again = chance(70) || p->var_count >= MAX_VARS - 2 ? reused_index(p, scope) : -1;
    if (again >= 0)
        return again;
    int v = new_var(p, stem, VAR_INDEX), kind = below(100);
    if (inner && scope->count && kind < 12 && p->vars[scope->vars[0]].rectangular)
        set_triangle(p, v, scope->vars[below(scope->count)]);
    else if (kind < 66)
        set_range(p, v, 0, draw_size(p), 0);
    else if (kind < 78)
        set_range(p, v, 1 + below(2), draw_size(p), chance(50) ? -1 : 0);
    else if (kind < 86)
        set_range(p, v, 0, draw_size(p), 1 + below(3));
    else
        set_range(p, v, 0, -1, chance(25) ? 1 : 2 + below(6));
    return v;
}

void draw_sizes(struct program *p)
{
    static const char *const names[MAX_SIZES] = {"N", "M", "K", "L"};
    p->size_count = 1 + below(3);
    p->related = p->size_count > 1 && chance(15);
    p->rounding = chance(80) ? 0 : 1 + below(2);
    p->least_size = chance(75) ? below(2) : -1; /* -1: nothing is assumed of sizes */
    for (int s = 0; s < p->size_count; s++) {
        int v = new_var(p, names[s], VAR_SIZE);
        strcpy(p->vars[v].name, names[s]);
        p->size_long[s] = !p->region && chance(12);
        if (!p->region && chance(20))
            p->sizes_fixed |= 1 << s;
    }
}

/* What an index statement writes: a new output, one that is there, or a local array. */
static int draw_target(struct program *p, int dims, bool last)
{
    for (int a = 0; a < p->array_count && chance(25); a++)
        if (p->arrays[a].written && !p->arrays[a].local && p->arrays[a].dims == dims)
            return a;
    int a = draw_array(p, draw_type(p), dims);
    p->arrays[a].local = !last && chance(35);
    return a;
}

static void draw_left_side(struct program *p, struct statement *s, struct scope *scope)
{
    struct array *a = &p->arrays[s->array];
    bool fresh = !a->written;
    for (int d = 0; d < a->dims; d++) {
        bool again = d > 0 && !a->local && chance(4); /* A[i][i] */
        int v = again ? scope->vars[0] : draw_index_range(p, scope, "i", false);
        if (!again)
            scope->vars[scope->count++] = v;
        s->sub[d] = new_var_node(p, v);
        need_extent(p, s->array, d, p->vars[v].last);
        if (fresh) {
            a->least_written[d] = p->vars[v].least;
            a->last_written[d] = p->vars[v].last;
        }
    }
}

/* `value` as the type of the array: C's conversion, or the nearest where that might not fit. */
static int fit_value(struct program *p, int value, enum type type)
{
    if (type_floats(type) || !type_floats(p->nodes[value].type))
        return value;
    int n = new_node(p, OP_SAT, type);
    p->nodes[n].a = value;
    return n;
}

static int draw_where(struct program *p, struct scope *scope)
{
    struct scope inner = *scope;
    int v = draw_index_range(p, &inner, "k", true), w = -1;
    inner.vars[0] = v, inner.vars[inner.count++] = v;
    if (p->vars[v].rectangular && chance(25)) {
        w = draw_index_range(p, &inner, "k", false);
        inner.vars[inner.count++] = w, inner.vars[inner.count++] = w;
    }
    int read = draw_read(p, &inner, chance(60));
    if (p->nodes[read].op != OP_READ || p->nodes[read].array < 0)
        return -1;
    for (int d = 0; d < scope->count; d++)
        inner.vars[d] = scope->vars[d];
    int n = new_node(p, chance(50) ? OP_ARGMAX : OP_ARGMIN, I32);
    p->nodes[n].a = read;
    p->nodes[n].reduced_count = 1 + (w >= 0);
    p->nodes[n].reduced[0] = v;
    p->nodes[n].reduced[1] = w;
    return n;
}

/* A read of a new array at two variables, in either order. */
static int draw_factor(struct program *p, int v, int w, bool floats)
{
    enum type type;
    do
        type = draw_type(p);
    while (type_floats(type) != floats);
    int array = draw_array(p, type, 2), n = new_node(p, OP_READ, type_promoted(type));
    int swap = below(2);
    p->nodes[n].array = array;
    p->arrays[array].used = true;
    for (int d = 0; d < 2; d++) {
        struct scope one = {.vars = {d == swap ? v : w}, .count = 1};
        struct form last;
        int least, sub = draw_subscript(p, &one, &least, &last, false);
        p->nodes[n].sub[d] = sub;
        need_extent(p, array, d, last);
    }
    return n;
}

/* A product as of matrices: sum(A[i][k] * B[k][j], k), what schedules pack; often with more behind it. */
static int draw_product(struct program *p, struct scope *scope, bool floats)
{
    struct scope inner = *scope;
    int k = draw_index_range(p, &inner, "k", false);
    int a = draw_factor(p, scope->vars[0], k, floats);
    int b = draw_factor(p, k, scope->vars[scope->count - 1], floats);
    int product = new_binary(p, OP_MUL, a, b), n = new_node(p, OP_SUM, p->nodes[product].type);
    p->nodes[n].a = product;
    p->nodes[n].reduced_count = 1;
    p->nodes[n].reduced[0] = k;
    scope->reductions = 0;
    return chance(60) ? n
        : new_binary(p, chance(50) ? OP_ADD : OP_MUL, n, draw_value(p, scope, 1, floats));
}

static int own_element(struct program *p, const struct statement *s)
{
    int n = new_node(p, OP_READ, type_promoted(p->arrays[s->array].type));
    p->nodes[n].array = s->array;
    memcpy(p->nodes[n].sub, s->sub, sizeof s->sub);
    return n;
}

static int draw_statement(struct program *p, bool last)
{
    static const int dims[] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 1};
    int s = new_statement(p, ST_INDEX);
    struct statement st = p->statements[s];
    struct scope scope = {.lhs_read = -1};
    st.array = draw_target(p, dims[below(10)], last);
    draw_left_side(p, &st, &scope);
    scope.forbidden = st.array;
    scope.reductions = chance(55) ? 1 + chance(20) : 0;
    struct array *a = &p->arrays[st.array];
    int value = type_floats(a->type) || !chance(20) ? -1 : draw_where(p, &scope);
    if (value < 0 && scope.count > 1 && p->array_count < MAX_ARRAYS - 6 && chance(35))
        value = draw_product(p, &scope, type_floats(a->type));
    else if (value < 0)
        value = draw_value(p, &scope, 1 + below(3), type_floats(a->type) ? chance(88) : chance(15));
    else
        scope.reductions = 0;
    if (a->written && chance(40)) {
        int own = own_element(p, &st);
        value = new_binary(p, chance(50) ? OP_ADD : OP_SUB, own, value);
    } else if (!a->local && chance(20) && p->nodes[value].op < OP_SUM) {
        static const enum op ops[] = {OP_ADD, OP_SUB, OP_ADD, OP_MUL, OP_AND, OP_OR, OP_XOR};
        if (!type_floats(p->nodes[value].type) || type_floats(a->type))
            st.op = ops[below(type_floats(a->type) ? 4 : 7)];
    }
    st.value = fit_value(p, value, a->type);
    a->written = true;
    p->statements[s] = st;
    return s;
}

/* Extents of arrays that nobody reads at all; some larger than they need be. */
void finish_extents(struct program *p)
{
    for (int a = 0; a < p->array_count; a++)
        for (int d = 0; d < p->arrays[a].dims; d++) {
            struct form *e = &p->arrays[a].extent[d];
            if (form_is_constant(*e) && e->c < 1)
                e->c = 1;
            if (e->c < 0)
                e->c = 0;
            if (chance(6) && !p->arrays[a].local)
                e->c += 1 + below(4);
        }
}

/* Now and then all of it runs several times: a loop over time. */
static void draw_time(struct program *p)
{
    int v = new_var(p, "t", VAR_LOOP), s = new_statement(p, ST_LOOP);
    if (chance(50))
        set_range(p, v, 0, -1, 1 + below(3));
    else
        set_range(p, v, 0, draw_size(p), 0);
    p->statements[s].var = v;
    p->statements[s].body = p->first;
    p->first = s;
}

void draw_index_kernel(struct program *p, int number)
{
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "kernel%d", number);
    draw_sizes(p);
    static const int counts[] = {1, 1, 1, 2, 2, 3, 3, 4};
    int count = counts[below(8)], before = -1;
    for (int n = 0; n < count && p->array_count < MAX_ARRAYS - 5; n++) {
        int s = draw_statement(p, n == count - 1);
        if (before < 0)
            p->first = s;
        else
            p->statements[before].next = s;
        before = s;
    }
    if (chance(10))
        draw_time(p);
    for (int a = 0; a < p->array_count; a++)
        p->arrays[a].inout = p->arrays[a].written && chance(20);
    finish_extents(p);
}
