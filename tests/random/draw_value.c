/* Draws values and subscripts: what stands on the right of an assignment.
 *
 * A subscript is drawn first and says which elements it may mean, from `least` (a number) to `last`
 * (a form); the array's extent grows to hold them. So every access is in bounds by construction, and
 * what squall refuses of it is its own limit. */
#include "tree.h"

enum type draw_type(const struct program *p)
{
    static const enum type kernels[] = {F32, F32, F32, F64, F64, I32, I32, I8, U8, I16, U16, I64,
        U32, U64, F16, BF16};
    static const enum type regions[] = {F32, F32, F64, F64, F64, I32, I32, I8, U8, I16, I64};
    return p->region ? regions[below(11)] : kernels[below(16)];
}

int draw_array(struct program *p, enum type type, int dims)
{
    struct array *a = &p->arrays[p->array_count];
    *a = (struct array){.type = type, .dims = dims};
    snprintf(a->name, sizeof a->name, "%c%d", dims ? 'A' + below(20) : 's', p->array_count);
    for (int d = 0; d < dims; d++)
        a->extent[d] = form_constant(0);
    a->layout = p->region ? (enum layout)below(4) : LAYOUT_ARRAY;
    return p->array_count++;
}

/* Array `array` has elements up to `last` in its dimension `dim`. */
void need_extent(struct program *p, int array, int dim, struct form last)
{
    last.c++;
    struct form *extent = &p->arrays[array].extent[dim];
    *extent = form_most(p, *extent, last);
}

static int number_node(struct program *p, int value)
{
    return new_number(p, I32, value);
}

static int plus(struct program *p, int node, int constant)
{
    if (constant == 0)
        return node;
    enum op op = constant > 0 ? OP_ADD : OP_SUB;
    return new_binary(p, op, node, number_node(p, constant > 0 ? constant : -constant));
}

static struct form form_scaled(struct form f, int factor)
{
    return form_add(form_constant(0), f, factor);
}

/* last / divisor, at least: of one size by its part, of others undivided */
static struct form form_divided(struct form f, int divisor)
{
    int sizes = 0, size = 0;
    for (int s = 0; s < MAX_SIZES; s++)
        if (f.k[s])
            sizes += f.k[s] == 1 && !f.half[s] && !f.third[s] ? 1 : 2, size = s;
    if (sizes == 0 && form_is_constant(f))
        return form_constant(f.c < 0 ? 0 : f.c / divisor);
    if (sizes != 1)
        return form_most(&(struct program){0}, f, form_constant(0));
    struct form parts = form_constant(f.c > 0 ? (f.c + divisor - 1) / divisor : 0);
    if (divisor == 2)
        parts.half[size] = 1;
    else
        parts.third[size] = 1;
    return parts;
}

struct span {
    int node, least;
    struct form last;
};

/* factor * (hi - 1 - v) for a variable of [least, hi) whose hi is a form: backwards */
static struct span reversed(struct program *p, int v, int factor)
{
    const struct var *var = &p->vars[v];
    int node = new_binary(p, OP_SUB, plus(p, var->hi, -1), new_var_node(p, v));
    struct form last = var->last;
    last.c -= var->least;
    if (factor > 1)
        node = new_binary(p, OP_MUL, number_node(p, factor), node);
    return (struct span){node, 0, form_scaled(last, factor)};
}

/* v * factor + offset */
static struct span strided(struct program *p, int v, int factor)
{
    int node = new_var_node(p, v);
    if (factor > 1)
        node = new_binary(p, OP_MUL, number_node(p, factor), node);
    return (struct span){node, p->vars[v].least * factor, form_scaled(p->vars[v].last, factor)};
}

static struct span two_variables(struct program *p, const struct scope *scope, int v)
{
    int w = scope->vars[below(scope->count)];
    struct span a = strided(p, v, chance(30) ? 2 : 1), b = strided(p, w, 1);
    return (struct span){new_binary(p, OP_ADD, a.node, b.node), a.least + b.least,
        form_add(a.last, b.last, 1)};
}

static struct span draw_span(struct program *p, const struct scope *scope)
{
    int v = scope->vars[below(scope->count)], kind = below(100);
    const struct var *var = &p->vars[v];
    if (kind < 8)
        return strided(p, v, 2 + below(2));
    if (kind < 14 && var->least >= 0) {
        int divisor = 2 + below(2), node = new_binary(p, OP_DIV, new_var_node(p, v),
            number_node(p, divisor));
        return (struct span){node, 0, form_divided(var->last, divisor)};
    }
    if (kind < 17 && var->least >= 0) {
        int divisor = 2 + below(2);
        return (struct span){new_binary(p, OP_MOD, new_var_node(p, v), number_node(p, divisor)), 0,
            form_constant(divisor - 1)};
    }
    if (kind < 25 && var->rectangular)
        return reversed(p, v, chance(75) ? 1 : 2);
    if (kind < 32 && scope->count > 1)
        return two_variables(p, scope, v);
    if (kind < 34)
        return (struct span){number_node(p, below(3)), 0, form_constant(2)};
    return strided(p, v, 1);
}

/* A subscript; its least and last value. Those that may leave the array (inside of pad or clampedge)
 * have offsets of both signs, the others are moved until they are not negative. */
int draw_subscript(struct program *p, const struct scope *scope, int *least, struct form *last,
                   bool may_leave)
{
    struct span s = draw_span(p, scope);
    int offset = chance(35) ? below(4) : 0;
    if (may_leave)
        offset = below(7) - 3;
    else if (chance(30) && s.least > 0)
        offset = -s.least + below(s.least + 1);
    if (!may_leave && s.least + offset < 0)
        offset = -s.least;
    *least = s.least + offset;
    *last = s.last;
    last->c += offset;
    return plus(p, s.node, offset);
}

/* An array of the wanted kind that may be read here, or -1; never one that the statement writes. */
static int known_array(struct program *p, const struct scope *scope, bool floats)
{
    int at = below(p->array_count);
    for (int n = 0; n < p->array_count; n++, at = (at + 1) % p->array_count) {
        const struct array *a = &p->arrays[at];
        if (a->dims == 0 || a->local || at == scope->forbidden || type_floats(a->type) != floats)
            continue;
        if (a->written && !a->used && chance(30))
            continue;
        return at;
    }
    return -1;
}

/* A local array whose elements [least_written, last_written] are filled: read at bare variables
 * whose ranges lie inside. */
static int local_read(struct program *p, const struct scope *scope, bool floats)
{
    for (int at = 0; at < p->array_count; at++) {
        struct array *a = &p->arrays[at];
        if (!a->local || !a->written || a->declared || at == scope->forbidden || a->dims == 0
            || type_floats(a->type) != floats)
            continue;
        int subs[MAX_DIMS], d;
        for (d = 0; d < a->dims; d++) {
            int v = -1;
            for (int k = 0; k < scope->count && v < 0; k++)
                if (form_equal(p->vars[scope->vars[k]].last, a->last_written[d])
                    && p->vars[scope->vars[k]].least >= a->least_written[d])
                    v = scope->vars[k];
            if (v < 0)
                break;
            subs[d] = p->vars[v].rectangular && a->least_written[d] == 0 && chance(10)
                ? reversed(p, v, 1).node : new_var_node(p, v);
        }
        if (d < a->dims)
            continue;
        int n = new_node(p, OP_READ, type_promoted(a->type));
        p->nodes[n].array = at;
        a->used = true;
        for (d = 0; d < a->dims; d++)
            p->nodes[n].sub[d] = subs[d];
        return n;
    }
    return -1;
}

/* What an earlier statement made, the last one first: statements feed each other. */
static int made_array(const struct program *p, const struct scope *scope, bool floats)
{
    for (int at = p->array_count; at-- > 0;) {
        const struct array *a = &p->arrays[at];
        if (a->dims > 0 && a->written && !a->local && at != scope->forbidden
            && type_floats(a->type) == floats)
            return at;
    }
    return -1;
}

static int choose_array(struct program *p, const struct scope *scope, bool floats)
{
    int made = !scope->loops && chance(25) ? made_array(p, scope, floats) : -1;
    if (made >= 0)
        return made;
    int array = p->array_count && chance(65) ? known_array(p, scope, floats) : -1;
    if (array >= 0 || p->array_count >= MAX_ARRAYS - 2)
        return array;
    enum type type;
    do
        type = draw_type(p);
    while (type_floats(type) != floats);
    static const int dims[] = {1, 1, 1, 2, 2, 2, 2, 3};
    return draw_array(p, type, dims[below(8)]);
}

/* A read of an array: of a new one, of one that is there already at other subscripts, or of a local
 * one. Falls back to a number where there is none. */
int draw_read(struct program *p, struct scope *scope, bool floats)
{
    int local = chance(60) ? local_read(p, scope, floats) : -1;
    if (local >= 0)
        return local;
    int array = choose_array(p, scope, floats);
    if (array < 0 || scope->count == 0)
        return new_number(p, floats ? F32 : I32, 1 + below(3));
    bool edge = !p->region && chance(12);
    enum type type = p->arrays[array].type;
    int n = new_node(p, edge ? (chance(50) ? OP_PAD : OP_CLAMP) : OP_READ, type_promoted(type));
    p->nodes[n].array = array;
    p->nodes[n].number = below(3);
    p->arrays[array].used = true;
    struct scope same = {.vars = {scope->vars[below(scope->count)]}, .count = 1};
    const struct scope *from = chance(20) ? &same : scope; /* diagonals: A[i + 1][i] */
    for (int d = 0; d < p->arrays[array].dims; d++) {
        int least;
        struct form last;
        int sub = draw_subscript(p, from, &least, &last, edge && chance(60));
        p->nodes[n].sub[d] = sub;
        if (!edge)
            need_extent(p, array, d, last);
        else if (p->nodes[n].op == OP_CLAMP || chance(80)) /* an empty array has no edge */
            need_extent(p, array, d, form_most(p, form_constant(0), form_add(last,
                form_constant(below(3)), -1)));
    }
    return n;
}

static bool in_scope(const struct program *p, const struct scope *scope, int node)
{
    if (node < 0)
        return true;
    const struct node *n = &p->nodes[node];
    bool known = n->op != OP_VAR || p->vars[n->var].kind == VAR_SIZE;
    for (int v = 0; v < scope->count; v++)
        known |= scope->vars[v] == n->var;
    return known && in_scope(p, scope, n->a) && in_scope(p, scope, n->b);
}

/* A read that was drawn last, at other constant offsets; -1 where there is none. The array grows by
 * the offset, which is enough whatever the subscript is. */
static int offset_read(struct program *p, const struct scope *scope, bool floats)
{
    int from = p->node_count;
    while (from-- > 0) {
        const struct node *n = &p->nodes[from];
        if (n->op != OP_READ || n->array == scope->forbidden || n->guarded)
            continue;
        const struct array *a = &p->arrays[n->array];
        bool usable = a->dims > 0 && !a->local && !a->table && type_floats(a->type) == floats;
        for (int d = 0; usable && d < a->dims; d++)
            usable = in_scope(p, scope, n->sub[d]);
        if (!usable)
            continue;
        int copy = new_node(p, OP_READ, n->type), moved = below(a->dims);
        p->nodes[copy].array = n->array;
        for (int d = 0; d < a->dims; d++) {
            int offset = d == moved || chance(30) ? 1 + below(2) : 0;
            struct form last = a->extent[d];
            last.c += offset - 1;
            int sub = plus(p, p->nodes[from].sub[d], offset);
            p->nodes[copy].sub[d] = sub;
            if (offset)
                need_extent(p, p->nodes[copy].array, d, last);
        }
        return copy;
    }
    return -1;
}

static int cast_to(struct program *p, int value, enum type type)
{
    int n = new_node(p, OP_CAST, type_promoted(type));
    p->nodes[n].a = value;
    p->nodes[n].array = (int)type; /* what it is rounded to before it is promoted */
    return n;
}

static int draw_constant(struct program *p, bool floats)
{
    static const double values[] = {0.5, 0.25, -0.5, 0.75, 1, 2, -1, 0.125};
    if (floats)
        return new_number(p, chance(80) ? F32 : F64, values[below(8)]);
    return new_number(p, I32, below(9) - 3);
}

static int draw_scalar(struct program *p, bool floats)
{
    for (int a = 0; a < p->array_count; a++)
        if (p->arrays[a].dims == 0 && !p->arrays[a].local
            && type_floats(p->arrays[a].type) == floats && chance(70)) {
            int n = new_node(p, OP_READ, type_promoted(p->arrays[a].type));
            p->nodes[n].array = a;
            p->arrays[a].used = true;
            return n;
        }
    if (p->array_count >= MAX_ARRAYS - 2)
        return draw_constant(p, floats);
    int a = draw_array(p, floats ? (chance(60) ? F32 : F64) : (chance(70) ? I32 : I64), 0);
    int n = new_node(p, OP_READ, p->arrays[a].type);
    p->nodes[n].array = a;
    p->arrays[a].used = true;
    return n;
}

/* An operand without operators. */
static int draw_leaf(struct program *p, struct scope *scope, bool floats)
{
    int table = with_tables && chance(30) ? draw_table(p, scope, floats) : -1;
    if (table >= 0)
        return table;
    int kind = below(100), again = kind < 18 ? offset_read(p, scope, floats) : -1;
    if (again >= 0)
        return again;
    if (kind < 78)
        return draw_read(p, scope, floats);
    if (kind < 88)
        return draw_constant(p, floats);
    if (kind < 94 || scope->count == 0)
        return draw_scalar(p, floats);
    int v = new_var_node(p, scope->vars[below(scope->count)]);
    return floats ? cast_to(p, new_binary(p, OP_MOD, v, number_node(p, 7)), F32) : v;
}

static int draw_condition(struct program *p, struct scope *scope, int depth)
{
    static const enum op compares[] = {OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE};
    bool floats = chance(50);
    enum op op = compares[below(6)];
    if (scope->count && chance(35)) {
        int v = new_var_node(p, scope->vars[below(scope->count)]);
        if (chance(30))
            v = new_binary(p, OP_MOD, v, number_node(p, 2 + below(2)));
        int w = scope->vars[below(scope->count)];
        bool same = p->nodes[v].op != OP_VAR || p->nodes[v].var == w;
        return new_binary(p, op, v, same || chance(60) ? number_node(p, below(6))
            : new_var_node(p, w));
    }
    int a = draw_value(p, scope, depth - 1, floats);
    int c = new_binary(p, op, a, chance(50) ? draw_constant(p, floats)
        : draw_value(p, scope, depth - 2, floats));
    if (chance(15))
        return new_binary(p, chance(50) ? OP_LAND : OP_LOR, c, draw_condition(p, scope, depth - 2));
    return c;
}

/* Both of one type, as max2 and its like want them. */
static int draw_pair(struct program *p, struct scope *scope, int depth, bool floats, enum op op)
{
    int a = draw_value(p, scope, depth - 1, floats), b = draw_value(p, scope, depth - 1, floats);
    enum type type = type_common(p->nodes[a].type, p->nodes[b].type);
    int n = new_node(p, op, type), first = cast_to(p, a, type), second = cast_to(p, b, type);
    p->nodes[n].a = first;
    p->nodes[n].b = second;
    return n;
}

static int call_of(struct program *p, enum call call, int a)
{
    int n = new_node(p, OP_CALL, p->nodes[a].type);
    p->nodes[n].a = a;
    p->nodes[n].call = call;
    return n;
}

/* Of what the function is known of: roots not of negative numbers, powers not of positive ones,
 * logarithms from 1 on. */
static int draw_call(struct program *p, struct scope *scope, int depth)
{
    int a = draw_value(p, scope, depth - 1, true);
    enum call call = (enum call)below(p->region ? CALL_SIGMOID : CALLS);
    bool logarithm = call == CALL_LOG || call == CALL_LOG2 || call == CALL_RSQRT;
    bool power = call == CALL_EXP || call == CALL_EXP2;
    if (logarithm || power || call == CALL_SQRT)
        a = call_of(p, CALL_FABS, a);
    if (logarithm)
        a = new_binary(p, OP_ADD, a, new_number(p, F32, 1));
    if (power) {
        int n = new_node(p, OP_NEG, p->nodes[a].type);
        p->nodes[n].a = a;
        a = n;
    }
    return call_of(p, call, a);
}

/* A floating value by way of another type; sat_ is a word of descriptions. */
static int draw_cast(struct program *p, struct scope *scope, int depth)
{
    static const enum type types[] = {F32, F64, F32, F64, F16, BF16};
    static const enum type whole[] = {I8, U8, I16, U16, I32, U32};
    int value = draw_value(p, scope, depth - 1, chance(40));
    if (!p->region && type_floats(p->nodes[value].type) && chance(25)) {
        int n = new_node(p, OP_SAT, whole[below(6)]);
        p->nodes[n].a = value;
        value = n;
    }
    return cast_to(p, value, types[below(p->region ? 4 : 6)]);
}

static int draw_float_operator(struct program *p, struct scope *scope, int depth)
{
    int kind = below(100);
    if (kind < 60) {
        int a = draw_value(p, scope, depth - 1, true);
        int b = scope->loops && kind >= 40 ? draw_constant(p, true)
            : draw_value(p, scope, depth - 1, true);
        return new_binary(p, kind < 22 ? OP_ADD : kind < 40 ? OP_SUB : OP_MUL, a, b);
    }
    if (kind < 66) {
        int a = draw_value(p, scope, depth - 1, true);
        return new_binary(p, OP_DIV, a, new_number(p, F32, 1 + below(3)));
    }
    if (kind < 76)
        return draw_call(p, scope, depth);
    if (kind < 84)
        return draw_cast(p, scope, depth);
    if (kind < 88) {
        int n = new_node(p, OP_NEG, F32);
        p->nodes[n].a = draw_value(p, scope, depth - 1, true);
        p->nodes[n].type = p->nodes[p->nodes[n].a].type;
        return n;
    }
    if (!p->region && kind < 93) {
        int a = draw_value(p, scope, depth - 1, true), n = new_node(p, OP_RELU, p->nodes[a].type);
        p->nodes[n].a = a;
        return n;
    }
    return p->region ? draw_leaf(p, scope, true)
        : draw_pair(p, scope, depth, true, chance(50) ? OP_MAX : OP_MIN);
}

static int draw_integer_operator(struct program *p, struct scope *scope, int depth)
{
    static const enum op bits[] = {OP_AND, OP_OR, OP_XOR};
    int kind = below(100), a = draw_value(p, scope, depth - 1, false);
    if (kind < 45)
        return new_binary(p, kind < 20 ? OP_ADD : kind < 35 ? OP_SUB : OP_MUL, a,
            draw_value(p, scope, depth - 1, false));
    if (kind < 60)
        return new_binary(p, bits[below(3)], a, draw_value(p, scope, depth - 1, false));
    if (kind < 68)
        return new_binary(p, chance(50) ? OP_DIV : OP_MOD, a, number_node(p, 2 + below(7)));
    if (kind < 76)
        return new_binary(p, p->region || chance(50) ? OP_SHR : OP_SHL, a, number_node(p, below(5)));
    if (kind < 82) {
        int n = new_node(p, chance(50) ? OP_NEG : OP_NOT, p->nodes[a].type);
        p->nodes[n].a = a;
        return n;
    }
    if (kind < 92) {
        static const enum type types[] = {I8, I16, I32, I64, U8, U16, U32};
        return cast_to(p, a, types[below(p->region ? 4 : 7)]);
    }
    return p->region ? a : draw_pair(p, scope, depth, false, chance(50) ? OP_MAX : OP_MIN);
}

/* i >= 2 ? A[i - 2] : x, i + 1 < N ? A[i + 1] : x: in bounds only where it is read. */
static int draw_border(struct program *p, struct scope *scope, int v, bool floats)
{
    const struct var *var = &p->vars[v];
    int offset = 1 + below(3), back = chance(50), array, n = new_node(p, OP_SELECT, I32);
    enum type type;
    do
        type = draw_type(p);
    while (type_floats(type) != floats);
    array = draw_array(p, type, 1);
    p->arrays[array].used = true;
    need_extent(p, array, 0, var->last);
    int c = back ? new_binary(p, OP_GE, new_var_node(p, v), number_node(p, offset))
        : new_binary(p, OP_LT, plus(p, new_var_node(p, v), offset), var->hi);
    int read = new_node(p, OP_READ, type_promoted(type));
    p->nodes[read].array = array;
    p->nodes[read].guarded = true;
    int sub = plus(p, new_var_node(p, v), back ? -offset : offset);
    p->nodes[read].sub[0] = sub;
    int other = draw_leaf(p, scope, floats);
    p->nodes[n].type = type_common(p->nodes[read].type, p->nodes[other].type);
    p->nodes[n].a = c;
    p->nodes[n].b = read;
    p->nodes[n].c = other;
    return n;
}

static int draw_select(struct program *p, struct scope *scope, int depth, bool floats)
{
    int v = scope->count ? scope->vars[below(scope->count)] : -1;
    if (v >= 0 && !p->region && p->vars[v].rectangular && p->vars[v].least == 0
        && p->array_count < MAX_ARRAYS - 4 && chance(30))
        return draw_border(p, scope, v, floats);
    int c = draw_condition(p, scope, depth);
    int a = draw_value(p, scope, depth - 1, floats), b = draw_value(p, scope, depth - 1, floats);
    int n = new_node(p, OP_SELECT, type_common(p->nodes[a].type, p->nodes[b].type));
    p->nodes[n].a = c;
    p->nodes[n].b = a;
    p->nodes[n].c = b;
    return n;
}

/* A sum, product, maximum or minimum over one or two new indices. */
static int draw_reduction(struct program *p, struct scope *scope, int depth, bool floats)
{
    static const enum op ops[] = {OP_SUM, OP_SUM, OP_SUM, OP_SUM, OP_RMAX, OP_RMAX, OP_RMIN,
        OP_RMIN, OP_PROD};
    struct scope inner = *scope;
    inner.reductions = 0;
    int reduced[MAX_REDUCED], count = chance(70) ? 1 : 2;
    scope->reductions--;
    for (int r = 0; r < count; r++) {
        reduced[r] = draw_index_range(p, &inner, "k", true);
        inner.vars[inner.count++] = reduced[r];
        if (chance(60)) /* so that it is met often */
            inner.vars[inner.count++] = reduced[r];
    }
    enum op op = ops[below(9)];
    if (floats && op == OP_PROD)
        op = OP_SUM;
    int value = draw_value(p, &inner, depth > 2 ? 2 : depth, floats);
    int n = new_node(p, op, p->nodes[value].type);
    p->nodes[n].a = value;
    p->nodes[n].reduced_count = count;
    for (int r = 0; r < count; r++)
        p->nodes[n].reduced[r] = reduced[r];
    return n;
}

int draw_value(struct program *p, struct scope *scope, int depth, bool floats)
{
    if (p->node_count > MAX_NODES - 300)
        return draw_constant(p, floats);
    if (scope->reductions > 0 && scope->count < 8 && chance(45))
        return draw_reduction(p, scope, depth, floats);
    if (depth <= 0 || chance(20))
        return draw_leaf(p, scope, floats);
    if (chance(11))
        return draw_select(p, scope, depth, floats);
    if (floats)
        return draw_float_operator(p, scope, depth);
    return draw_integer_operator(p, scope, depth);
}
