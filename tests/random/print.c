/* Prints a program: a description (.sq), or a C function with a region. */
#include "tree.h"
#include "data.h"

#include <stdlib.h>
#include <string.h>

static void print_node(const struct program *p, int node, FILE *out);

static void print_term(int factor, const char *name, int divisor, bool *any, FILE *out)
{
    if (factor == 0)
        return;
    fprintf(out, "%s", *any ? (factor > 0 ? " + " : " - ") : factor > 0 ? "" : "-");
    if (abs(factor) > 1)
        fprintf(out, "%d * ", abs(factor));
    if (divisor > 1)
        fprintf(out, abs(factor) > 1 ? "(%s / %d)" : "%s / %d", name, divisor);
    else
        fprintf(out, "%s", name);
    *any = true;
}

void print_form(const struct program *p, struct form f, FILE *out)
{
    bool any = false;
    for (int s = 0; s < p->size_count; s++) {
        print_term(f.k[s], p->vars[s].name, 1, &any, out);
        print_term(f.half[s], p->vars[s].name, 2, &any, out);
        print_term(f.third[s], p->vars[s].name, 3, &any, out);
    }
    if (f.c || !any)
        fprintf(out, any ? (f.c > 0 ? " + %d" : " - %d") : (f.c > 0 ? "%d" : "-%d"), abs(f.c));
}

/* A negative one in brackets: after a minus it would be a decrement. */
static void print_number(const struct node *n, FILE *out)
{
    bool whole = n->number == (int)n->number, negative = n->number < 0;
    fprintf(out, negative ? "(" : "");
    if (type_floats(n->type))
        fprintf(out, whole ? "%.1f%s" : "%g%s", n->number, n->type == F32 ? "f" : "");
    else
        fprintf(out, "%d", (int)n->number);
    fprintf(out, negative ? ")" : "");
}

/* [i][j], or [(i) * (M) + j] of an array behind a flat pointer. */
static void print_subscripts(const struct program *p, const struct array *a, const int *sub,
                             FILE *out)
{
    if (a->dims > 1 && a->layout == LAYOUT_FLAT) {
        fprintf(out, "[");
        for (int d = 0; d + 2 < a->dims; d++)
            fputc('(', out);
        for (int d = 0; d < a->dims; d++) {
            if (d) {
                fprintf(out, " * (");
                print_form(p, a->extent[d], out);
                fprintf(out, ") + ");
            }
            fputc('(', out);
            print_node(p, sub[d], out);
            fputc(')', out);
            if (d && d + 1 < a->dims)
                fputc(')', out);
        }
        fprintf(out, "]");
        return;
    }
    for (int d = 0; d < a->dims; d++) {
        fputc('[', out);
        print_node(p, sub[d], out);
        fputc(']', out);
    }
}

static void print_element(const struct program *p, int array, const int *sub, FILE *out)
{
    fprintf(out, "%s", p->arrays[array].name);
    print_subscripts(p, &p->arrays[array], sub, out);
}

static void print_operand(const struct program *p, int node, FILE *out)
{
    enum op op = p->nodes[node].op;
    bool brackets = (op >= OP_ADD && op <= OP_LOR) || op == OP_SELECT || op == OP_NEG || op == OP_NOT
        || op == OP_CAST || ((op == OP_MAX || op == OP_MIN) && p->region);
    if (brackets)
        fputc('(', out);
    print_node(p, node, out);
    if (brackets)
        fputc(')', out);
}

static void print_call(const struct program *p, const char *name, const struct node *n, FILE *out)
{
    fprintf(out, "%s(", name);
    print_node(p, n->a, out);
    if (n->op == OP_PAD)
        fprintf(out, ", %g", n->number);
    if (n->b >= 0) {
        fprintf(out, ", ");
        print_node(p, n->b, out);
    }
    for (int r = 0; r < n->reduced_count; r++)
        fprintf(out, ", %s", p->vars[n->reduced[r]].name);
    fputc(')', out);
}

static void print_function(const struct program *p, const struct node *n, FILE *out)
{
    static const char *const doubles[CALLS] = {"fabs", "sqrt", "exp", "tanh", "floor", "sin", "cos",
        "ceil", "exp2", "log", "log2", "erf", "sigmoid", "rsqrt"};
    static const char *const reductions[] = {"sum", "prod", "rmax", "rmin", "argmax", "argmin"};
    char name[24];
    if (n->op == OP_CALL)
        snprintf(name, sizeof name, "%s%s", doubles[n->call], n->type == F32 ? "f" : "");
    else if (n->op == OP_SAT)
        snprintf(name, sizeof name, "sat_%.*s", (int)strlen(type_name(n->type, false)) - 2,
            type_name(n->type, false));
    else if (n->op >= OP_SUM)
        snprintf(name, sizeof name, "%s", reductions[n->op - OP_SUM]);
    else
        snprintf(name, sizeof name, "%s", n->op == OP_RELU ? "relu" : n->op == OP_MAX ? "max2"
            : "min2");
    print_call(p, name, n, out);
}

static const char *const operators[OPS] = {[OP_ADD] = "+", [OP_SUB] = "-", [OP_MUL] = "*",
    [OP_DIV] = "/", [OP_MOD] = "%", [OP_AND] = "&", [OP_OR] = "|", [OP_XOR] = "^", [OP_SHL] = "<<",
    [OP_SHR] = ">>", [OP_LT] = "<", [OP_LE] = "<=", [OP_GT] = ">", [OP_GE] = ">=", [OP_EQ] = "==",
    [OP_NE] = "!=", [OP_LAND] = "&&", [OP_LOR] = "||"};

static void print_select(const struct program *p, const struct node *n, FILE *out)
{
    print_operand(p, n->a, out);
    fprintf(out, " ? ");
    print_operand(p, n->b, out);
    fprintf(out, " : ");
    print_operand(p, n->c, out);
}

/* min2 and max2 are words of descriptions; in C they are choices. */
static void print_extreme(const struct program *p, const struct node *n, FILE *out)
{
    print_operand(p, n->a, out);
    fprintf(out, n->op == OP_MAX ? " > " : " < ");
    print_operand(p, n->b, out);
    fprintf(out, " ? ");
    print_operand(p, n->a, out);
    fprintf(out, " : ");
    print_operand(p, n->b, out);
}

static void print_node(const struct program *p, int node, FILE *out)
{
    const struct node *n = &p->nodes[node];
    if (n->op == OP_NUMBER) {
        print_number(n, out);
    } else if (n->op == OP_VAR) {
        fprintf(out, "%s", p->vars[n->var].name);
    } else if (n->op == OP_READ) {
        print_element(p, n->array, n->sub, out);
    } else if (n->op == OP_PAD || n->op == OP_CLAMP) {
        fprintf(out, n->op == OP_PAD ? "pad(" : "clampedge(");
        print_element(p, n->array, n->sub, out);
        fprintf(out, n->op == OP_PAD ? ", %g)" : ")", n->number);
    } else if (operators[n->op]) {
        print_operand(p, n->a, out);
        fprintf(out, " %s ", operators[n->op]);
        print_operand(p, n->b, out);
    } else if (n->op == OP_NEG || n->op == OP_NOT) {
        fputc(n->op == OP_NEG ? '-' : '~', out);
        print_operand(p, n->a, out);
    } else if (n->op == OP_CAST) {
        fprintf(out, "(%s)", type_name((enum type)n->array, p->region));
        print_operand(p, n->a, out);
    } else if (n->op == OP_SELECT) {
        print_select(p, n, out);
    } else if ((n->op == OP_MAX || n->op == OP_MIN) && p->region) {
        print_extreme(p, n, out);
    } else {
        print_function(p, n, out);
    }
}

static void indent(int depth, FILE *out)
{
    fprintf(out, "%*s", 4 * depth, "");
}

/* True if the index stands alone in a subscript of an extent that is not its range; *seen: anywhere. */
static bool reads_elsewhere(const struct program *p, int node, int var, bool *seen)
{
    if (node < 0)
        return false;
    const struct node *n = &p->nodes[node];
    bool wrong = reads_elsewhere(p, n->a, var, seen) || reads_elsewhere(p, n->b, var, seen)
        || reads_elsewhere(p, n->c, var, seen);
    if (n->op != OP_READ)
        return wrong || n->op == OP_PAD || n->op == OP_CLAMP;
    struct form end = p->vars[var].last;
    end.c++;
    for (int d = 0; d < p->arrays[n->array].dims; d++) {
        const struct node *sub = &p->nodes[n->sub[d]];
        if (sub->op != OP_VAR || sub->var != var)
            continue;
        *seen = true;
        wrong |= !form_equal(p->arrays[n->array].extent[d], end);
    }
    return wrong;
}

/* True if the language would not give index `var` of the statement its range by itself. */
bool needs_range(const struct program *p, const struct statement *s, int var)
{
    const struct var *v = &p->vars[var];
    struct form end = v->last;
    end.c++;
    if (!v->rectangular || v->least != 0)
        return true;
    for (int d = 0; d < p->arrays[s->array].dims; d++)
        if (p->nodes[s->sub[d]].var == var)
            return !form_equal(p->arrays[s->array].extent[d], end)
                || p->nodes[s->sub[0]].var == p->nodes[s->sub[p->arrays[s->array].dims - 1]].var;
    bool seen = false;
    return reads_elsewhere(p, s->value, var, &seen) || !seen;
}


/* All indices of a statement, those that others' ranges mention first. */
static int statement_indices(const struct program *p, int node, int *list, int count)
{
    if (node < 0)
        return count;
    const struct node *n = &p->nodes[node];
    for (int r = 0; r < n->reduced_count; r++) {
        bool known = false;
        for (int k = 0; k < count; k++)
            known |= list[k] == n->reduced[r];
        if (!known)
            list[count++] = n->reduced[r];
    }
    count = statement_indices(p, n->a, list, count);
    count = statement_indices(p, n->b, list, count);
    return statement_indices(p, n->c, list, count);
}

static int print_ranges(const struct program *p, const struct statement *s, FILE *out)
{
    int list[MAX_VARS], count = 0, printed = 0;
    for (int d = 0; d < p->arrays[s->array].dims; d++)
        if (d == 0 || p->nodes[s->sub[d]].var != p->nodes[s->sub[0]].var)
            list[count++] = p->nodes[s->sub[d]].var;
    count = statement_indices(p, s->value, list, count);
    for (int k = 0; k < count; k++) {
        if (!needs_range(p, s, list[k]))
            continue;
        if (!printed++)
            fprintf(out, "    {\n");
        fprintf(out, "        range(%s, ", p->vars[list[k]].name);
        print_node(p, p->vars[list[k]].lo, out);
        fprintf(out, ", ");
        print_node(p, p->vars[list[k]].hi, out);
        fprintf(out, ");\n");
    }
    return printed;
}

static void print_assignment(const struct program *p, const struct statement *s, FILE *out)
{
    print_element(p, s->array, s->sub, out);
    fprintf(out, " %s= ", s->op == OP_NUMBER ? "" : operators[s->op]);
    print_node(p, s->value, out);
    fprintf(out, ";\n");
}

static void print_list(const struct program *p, int first, int depth, FILE *out);

static void print_loop(const struct program *p, const struct statement *s, int depth, FILE *out)
{
    const struct var *v = &p->vars[s->var];
    fprintf(out, "for (int %s = ", v->name);
    if (s->step < 0) {
        print_operand(p, v->hi, out);
        fprintf(out, " - 1; %s >= ", v->name);
        print_node(p, v->lo, out);
    } else {
        bool last = s->var % 3 == 0; /* some say their last value */
        print_node(p, v->lo, out);
        fprintf(out, last ? "; %s <= " : "; %s < ", v->name);
        print_operand(p, v->hi, out);
        fprintf(out, last ? " - 1" : "");
    }
    if (abs(s->step) == 1)
        fprintf(out, "; %s%s) {\n", v->name, s->step > 0 ? "++" : "--");
    else
        fprintf(out, "; %s %s= %d) {\n", v->name, s->step > 0 ? "+" : "-", abs(s->step));
    print_list(p, s->body, depth + 1, out);
    indent(depth, out);
    fprintf(out, "}\n");
}

static void print_if(const struct program *p, const struct statement *s, int depth, FILE *out)
{
    fprintf(out, "if (");
    print_node(p, s->value, out);
    fprintf(out, ") {\n");
    print_list(p, s->body, depth + 1, out);
    indent(depth, out);
    if (s->otherwise >= 0) {
        fprintf(out, "} else {\n");
        print_list(p, s->otherwise, depth + 1, out);
        indent(depth, out);
    }
    fprintf(out, "}\n");
}

static void print_statement(const struct program *p, const struct statement *s, int depth,
                            FILE *out)
{
    int ranges = s->kind == ST_INDEX ? print_ranges(p, s, out) : 0;
    indent(depth + (ranges > 0), out);
    if (s->kind == ST_LOOP) {
        print_loop(p, s, depth, out);
    } else if (s->kind == ST_IF) {
        print_if(p, s, depth, out);
    } else if (s->kind == ST_DECLARE) {
        fprintf(out, "%s %s = ", type_name(p->arrays[s->array].type, p->region),
            p->arrays[s->array].name);
        print_node(p, s->value, out);
        fprintf(out, ";\n");
    } else {
        print_assignment(p, s, out);
    }
    if (ranges > 0)
        fprintf(out, "    }\n");
}

static void print_list(const struct program *p, int first, int depth, FILE *out)
{
    for (int s = first; s >= 0; s = p->statements[s].next)
        print_statement(p, &p->statements[s], depth, out);
}

static void print_extents(const struct program *p, const struct array *a, int from, FILE *out)
{
    static const int64_t most[MAX_SIZES] = {CONSTANT_SIZE, CONSTANT_SIZE, CONSTANT_SIZE,
        CONSTANT_SIZE};
    for (int d = from; d < a->dims; d++) {
        fputc('[', out);
        if (a->layout == LAYOUT_CONSTANT)
            fprintf(out, "%lld", (long long)form_value(a->extent[d], most));
        else
            print_form(p, a->extent[d], out);
        fputc(']', out);
    }
}

static void print_parameter(const struct program *p, const struct array *a, FILE *out)
{
    const char *type = type_name(a->type, p->region), *constant = a->written ? "" : "const ";
    if (a->dims == 0) {
        fprintf(out, "%s %s", type, a->name);
        return;
    }
    fprintf(out, "%s%s%s ", a->inout && !p->region ? "inout " : "", constant, type);
    if (a->layout == LAYOUT_FLAT || (a->layout == LAYOUT_ROWS && a->dims == 1)) {
        fprintf(out, "*%s", a->name);
    } else if (a->layout == LAYOUT_ROWS) {
        fprintf(out, "(*%s)", a->name);
        print_extents(p, a, 1, out);
    } else {
        fprintf(out, "%s", a->name);
        print_extents(p, a, 0, out);
    }
}

void print_parameters(const struct program *p, FILE *out)
{
    for (int s = 0; s < p->size_count; s++)
        fprintf(out, "%s%s %s", s ? ", " : "", p->size_long[s] ? "int64_t" : "int",
            p->vars[s].name);
    for (int a = 0; a < p->array_count; a++)
        if (is_parameter(&p->arrays[a])) {
            fprintf(out, ",\n    ");
            print_parameter(p, &p->arrays[a], out);
        }
}

static void print_declarations(const struct program *p, FILE *out)
{
    int shown = 0;
    for (int v = p->size_count; v < p->var_count; v++)
        if (p->vars[v].kind == VAR_INDEX)
            fprintf(out, "%s%s", shown++ ? ", " : "    idx ", p->vars[v].name);
    if (shown)
        fprintf(out, ";\n");
    for (int a = 0; a < p->array_count; a++)
        if (p->arrays[a].local && !p->arrays[a].declared && p->arrays[a].written) {
            fprintf(out, "    %s %s", type_name(p->arrays[a].type, false), p->arrays[a].name);
            print_extents(p, &p->arrays[a], 0, out);
            fprintf(out, ";\n");
        }
    if (p->least_size >= 0) {
        fprintf(out, "    assume(");
        for (int s = 0; s < p->size_count; s++)
            fprintf(out, "%s%s >= %d", s ? " && " : "", p->vars[s].name, p->least_size);
        fprintf(out, ");\n");
    }
    if (p->related)
        fprintf(out, "    assume(%s <= %s);\n", p->vars[0].name, p->vars[1].name);
}

/* What is assumed of elements, over indices of their own. */
static void print_promises(const struct program *p, FILE *out)
{
    bool first = true;
    for (int a = 0; a < p->array_count; a++) {
        const struct array *x = &p->arrays[a];
        if (!x->promised || !is_parameter(x))
            continue;
        fprintf(out, first ? "    idx at0, at1;\n" : "");
        first = false;
        const char *subs = x->dims == 1 ? "[at0]" : "[at1][at0]";
        fprintf(out, "    assume(%s%s >= %d && %s%s <= %d);\n", x->name, subs, x->least, x->name, subs, x->most);
    }
}

static void print_region(const struct program *p, FILE *out)
{
    fprintf(out, "#include <math.h>\n#include <stdint.h>\n\nextern int random_original;\n\n"
        "void %s(", p->name);
    print_parameters(p, out);
    fprintf(out, ")\n{\n#pragma scop\n");
    print_list(p, p->first, 1, out);
    fprintf(out, "#pragma endscop\n}\n");
}

void print_program(const struct program *p, FILE *out)
{
    if (p->region) {
        print_region(p, out);
        return;
    }
    fprintf(out, "#include \"squall.h\"\n%s\nkernel %s(", p->rounding == 0 ? ""
        : p->rounding == 1 ? "#pragma squall fp strict\n" : "#pragma squall fp fast\n", p->name);
    print_parameters(p, out);
    fprintf(out, ")\n{\n");
    print_declarations(p, out);
    print_promises(p, out);
    print_list(p, p->first, 1, out);
    fprintf(out, "}\n");
}
