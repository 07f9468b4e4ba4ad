/* Draws C loops, for kernels and for regions of ordinary C: nests as people write them, perfect or
 * not, up and down, triangles, ifs, sums in local scalars, recurrences. */
#include "tree.h"

#include <string.h>

static int affine(struct program *p, int v, int offset)
{
    int n = new_var_node(p, v);
    if (offset == 0)
        return n;
    return new_binary(p, offset > 0 ? OP_ADD : OP_SUB, n,
        new_number(p, I32, offset > 0 ? offset : -offset));
}

/* Around [0, N), with a border where a stencil wants one. */
static void rectangle(struct program *p, struct var *v)
{
    int size = below(p->size_count), border = chance(30) ? 1 + below(2) : 0;
    v->least = border;
    v->lo = new_number(p, I32, border);
    v->hi = affine(p, size, -border);
    v->last = form_size(size, -border - 1);
    v->rectangular = true;
}

static void triangle(struct program *p, struct var *v, int outer)
{
    const struct var *o = &p->vars[outer];
    v->rectangular = false;
    v->last = o->last;
    v->least = o->least;
    if (chance(50)) {
        v->least = 0;
        v->lo = new_number(p, I32, 0);
        v->hi = affine(p, outer, below(2));
    } else {
        v->lo = affine(p, outer, below(2));
        v->hi = o->hi;
    }
}

static int draw_loop_variable(struct program *p, const struct scope *scope)
{
    static const char *const names[] = {"i", "j", "k", "l", "m", "n"};
    int at = p->var_count++;
    struct var v = {.kind = VAR_LOOP};
    int depth = scope->count < 5 ? scope->count : 5;
    snprintf(v.name, sizeof v.name, "%s%d", names[depth], at);
    p->vars[at] = v;
    if (scope->count && chance(30) && p->vars[scope->vars[scope->count - 1]].rectangular)
        triangle(p, &v, scope->vars[scope->count - 1]);
    else
        rectangle(p, &v);
    p->vars[at] = v;
    return at;
}

static int draw_step(void)
{
    static const int steps[] = {1, 1, 1, 1, 1, 1, 1, -1, -1, 2, 3, -2};
    return steps[below(12)];
}

static int draw_block(struct program *p, struct scope *scope, int depth);

static int draw_loop(struct program *p, struct scope *scope, int depth)
{
    struct scope inner = *scope;
    int v = draw_loop_variable(p, scope), s = new_statement(p, ST_LOOP);
    inner.vars[inner.count++] = v;
    p->statements[s].var = v;
    p->statements[s].step = draw_step();
    int body = draw_block(p, &inner, depth - 1);
    p->statements[s].body = body;
    return s;
}

/* An array that is written: one that is there, often, so that loops carry values. */
static int draw_written(struct program *p)
{
    int at = below(p->array_count ? p->array_count : 1);
    for (int n = 0; n < p->array_count; n++, at = (at + 1) % p->array_count)
        if (p->arrays[at].dims && !p->arrays[at].local && !p->arrays[at].kept && chance(30))
            return at;
    if (p->array_count >= MAX_ARRAYS - 3)
        for (at = 0; at < p->array_count; at++)
            if (p->arrays[at].dims && !p->arrays[at].local && !p->arrays[at].kept)
                return at;
    return draw_array(p, draw_type(p), chance(40) ? 1 : 2);
}

static enum op draw_assignment(void)
{
    static const enum op ops[] = {OP_NUMBER, OP_NUMBER, OP_NUMBER, OP_ADD, OP_ADD, OP_SUB};
    return ops[below(6)];
}

static int draw_assign(struct program *p, struct scope *scope, int local)
{
    int s = new_statement(p, ST_ASSIGN);
    struct statement st = p->statements[s];
    st.array = draw_written(p);
    struct array *a = &p->arrays[st.array];
    for (int d = 0; d < a->dims; d++) {
        int least;
        struct form last;
        st.sub[d] = draw_subscript(p, scope, &least, &last, false);
        need_extent(p, st.array, d, last);
    }
    bool floats = type_floats(a->type);
    st.op = draw_assignment();
    st.value = draw_value(p, scope, 1 + below(2), floats);
    if (local >= 0 && floats == type_floats(p->arrays[local].type)) {
        int t = new_node(p, OP_READ, type_promoted(p->arrays[local].type));
        p->nodes[t].array = local;
        st.value = chance(50) ? t : new_binary(p, OP_ADD, st.value, t);
    }
    a->written = true;
    p->statements[s] = st;
    return s;
}

/* double t = 0; for (...) t += ...; A[i] = t; */
static int draw_accumulation(struct program *p, struct scope *scope)
{
    if (p->array_count >= MAX_ARRAYS - 3 || scope->count > 3)
        return draw_assign(p, scope, -1);
    static const enum type types[] = {F32, F64, F64, I32};
    int t = draw_array(p, types[below(4)], 0), declare = new_statement(p, ST_DECLARE);
    bool floats = type_floats(p->arrays[t].type);
    p->arrays[t].local = p->arrays[t].declared = p->arrays[t].written = true;
    p->statements[declare].array = t;
    int value = floats && chance(40) ? draw_value(p, scope, 1, true)
        : new_number(p, floats ? F32 : I32, 0);
    p->statements[declare].value = value;
    struct scope inner = *scope;
    int v = draw_loop_variable(p, scope), loop = new_statement(p, ST_LOOP);
    inner.vars[inner.count++] = v;
    p->statements[loop].var = v;
    p->statements[loop].step = draw_step();
    int add = new_statement(p, ST_ASSIGN);
    value = draw_value(p, &inner, 1 + below(2), floats);
    p->statements[add].array = t;
    p->statements[add].op = chance(80) ? OP_ADD : OP_SUB;
    p->statements[add].value = value;
    p->statements[loop].body = add;
    p->statements[declare].next = loop;
    int use = draw_assign(p, scope, t);
    p->statements[loop].next = use;
    return declare;
}

static int draw_if(struct program *p, struct scope *scope, int depth)
{
    static const enum op compares[] = {OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE};
    int s = new_statement(p, ST_IF), v = scope->vars[below(scope->count)], c;
    int w = scope->vars[below(scope->count)];
    if (chance(40))
        c = new_binary(p, chance(70) ? OP_EQ : OP_NE, new_binary(p, OP_MOD, new_var_node(p, v),
            new_number(p, I32, 2 + below(2))), new_number(p, I32, below(2)));
    else if (w != v)
        c = new_binary(p, compares[below(6)], new_var_node(p, v), new_var_node(p, w));
    else
        c = new_binary(p, compares[below(4)], new_var_node(p, v), new_number(p, I32, 1 + below(6)));
    p->statements[s].value = c;
    int body = depth > 1 && chance(20) ? draw_loop(p, scope, depth - 1) : draw_assign(p, scope, -1);
    p->statements[s].body = body;
    int otherwise = chance(40) ? draw_assign(p, scope, -1) : -1;
    p->statements[s].otherwise = otherwise;
    return s;
}

static int draw_item(struct program *p, struct scope *scope, int depth)
{
    if (p->statement_count > MAX_STATEMENTS - 10 || p->var_count > MAX_VARS - 4)
        return draw_assign(p, scope, -1);
    if (scope->count == 0 || (depth > 0 && chance(55)))
        return draw_loop(p, scope, depth);
    int kind = below(100);
    return kind < 65 ? draw_assign(p, scope, -1)
        : kind < 85 ? draw_accumulation(p, scope) : draw_if(p, scope, depth);
}

/* One to three statements in a row. */
static int draw_block(struct program *p, struct scope *scope, int depth)
{
    int count = chance(60) ? 1 : chance(70) ? 2 : 3, first = -1, before = -1;
    for (int n = 0; n < count; n++) {
        int s = draw_item(p, scope, depth);
        if (before < 0)
            first = s;
        else
            p->statements[before].next = s;
        for (before = s; p->statements[before].next >= 0;)
            before = p->statements[before].next;
    }
    return first;
}

void draw_loop_program(struct program *p, int number, bool region)
{
    memset(p, 0, sizeof *p);
    p->region = region;
    snprintf(p->name, sizeof p->name, region ? "region%d" : "loops%d", number);
    draw_sizes(p);
    p->integers_small = region;
    struct scope scope = {.forbidden = -1, .loops = true, .lhs_read = -1};
    p->first = draw_block(p, &scope, 1 + below(3));
    finish_extents(p);
}
