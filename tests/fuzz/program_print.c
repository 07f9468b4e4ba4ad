/* Program, printed: the same tree as a description, as plain C, or as a region of ordinary C. In
 * plain C an index statement is loops around an assignment, a reduction a statement expression of
 * GNU C, an array a pointer with the subscripts multiplied out. */
#include "tests/fuzz/print.h"
#include <stdlib.h>
#include <string.h>

static const char size_name[] = "MNKL";

static void put_term(sq_text *to, bool *some, int factor, const char *name)
{
    if (factor == 0)
        return;
    sq_text_puts(to, factor < 0 ? (*some ? " - " : "-") : *some ? " + " : "");
    int n = abs(factor);
    if (!*name)
        sq_text_printf(to, "%d", n);
    else if (n == 1)
        sq_text_puts(to, name);
    else
        sq_text_printf(to, "%d * %s", n, name);
    *some = true;
}

void put_affine(const printer *o, const affine *a)
{
    bool some = false;
    sq_text_puts(o->to, a->divisor ? "(" : "");
    for (int pass = 0; pass < 2; pass++) { /* what is added first */
        for (int s = 0; s < o->p->nsizes; s++)
            if ((a->size[s] > 0) == !pass)
                put_term(o->to, &some, a->size[s], (char[2]){size_name[s], 0});
        for (int v = 0; v < o->p->nvars; v++)
            if ((a->var[v] > 0) == !pass)
                put_term(o->to, &some, a->var[v], o->p->var[v].name);
    }
    put_term(o->to, &some, a->constant, "");
    if (!some)
        sq_text_puts(o->to, "0");
    if (a->divisor)
        sq_text_printf(o->to, ") %s %d", a->remainder ? "%" : "/", a->divisor);
}

void put_extent(const printer *o, const extent *e)
{
    affine a = {.constant = e->plus};
    if (e->size >= 0)
        a.size[e->size] = e->times;
    put_affine(o, &a);
}

/* ---- values ---- */

static void put_expr(const printer *o, const expr *e);

/* In C the elements of halves are bits. */
static const char *half(const printer *o, sq_type t)
{
    return !o->c ? NULL : t == SQ_F16 ? "f16" : t == SQ_BF16 ? "bf16" : NULL;
}

static void put_element(const printer *o, int which, const affine *sub, bool clamp)
{
    const array *a = &o->p->array[which];
    sq_text_puts(o->to, a->name);
    if (o->region && a->form == A_NUMBER)
        return;
    if (!o->c || (o->region && a->form != A_FLAT)) {
        for (int d = 0; d < a->ndim; d++) {
            sq_text_puts(o->to, "[");
            put_affine(o, &sub[d]);
            sq_text_puts(o->to, "]");
        }
        return;
    }
    sq_text_puts(o->to, "[");
    for (int d = 1; d < a->ndim; d++)
        sq_text_puts(o->to, "(");
    for (int d = 0; d < a->ndim; d++) {
        if (d) {
            sq_text_puts(o->to, o->region ? ") * (" : ") * (int64_t)(");
            put_extent(o, &a->dim[d]);
            sq_text_puts(o->to, ") + ");
        }
        sq_text_puts(o->to, clamp ? "inside(" : "(");
        put_affine(o, &sub[d]);
        if (clamp) {
            sq_text_puts(o->to, ", ");
            put_extent(o, &a->dim[d]);
        }
        sq_text_puts(o->to, ")");
    }
    sq_text_puts(o->to, a->ndim ? "]" : "0]");
}

/* In C: ((0 <= i && i < N) ? A[i] : v) */
static void put_read(const printer *o, const expr *e)
{
    const array *a = &o->p->array[e->which];
    if (o->c && e->pad) {
        sq_text_puts(o->to, "((");
        for (int d = 0; d < a->ndim; d++) {
            sq_text_puts(o->to, d ? " && 0 <= " : "0 <= ");
            put_affine(o, &e->sub[d]);
            sq_text_puts(o->to, " && ");
            put_affine(o, &e->sub[d]);
            sq_text_puts(o->to, " < ");
            put_extent(o, &a->dim[d]);
        }
        sq_text_puts(o->to, ") ? ");
    } else if (e->pad || e->clamp) {
        sq_text_puts(o->to, o->c ? "(" : e->pad ? "pad(" : "clampedge(");
    }
    if (half(o, a->type))
        sq_text_printf(o->to, "rd_%s(", half(o, a->type));
    put_element(o, e->which, e->sub, e->clamp);
    sq_text_puts(o->to, half(o, a->type) ? ")" : "");
    if (e->pad)
        sq_text_printf(o->to, o->c ? " : (%s)%g)" : ", %.0s%g)",
                       sq_type_name(sq_type_real(e->type) ? sq_type_promoted(e->type) : e->type),
                       e->number);
    else if (e->clamp)
        sq_text_puts(o->to, ")");
}

static void put_number(const printer *o, const expr *e)
{
    sq_text digits = {0};
    sq_text_printf(&digits, "%.9g", e->number);
    const char *s = sq_text_str(&digits);
    if (!sq_type_real(e->type) && e->type != SQ_I32) {
        sq_text_printf(o->to, "(%s)", sq_type_name(e->type));
    }
    bool real = e->type == SQ_F32 || e->type == SQ_F64;
    const char *point = real && !strpbrk(s, ".e") ? ".0" : "";
    sq_text_printf(o->to, e->number < 0 ? "(%s%s%s)" : "%s%s%s", s, point,
                   e->type == SQ_F32 ? "f" : "");
    sq_text_free(&digits);
}

static const char *identity(const expr *e)
{
    static const struct {
        sq_type type;
        const char *least, *greatest;
    } rows[] = {{SQ_F32, "-INFINITY", "INFINITY"},  {SQ_F64, "-INFINITY", "INFINITY"},
                {SQ_I8, "INT8_MIN", "INT8_MAX"},    {SQ_I16, "INT16_MIN", "INT16_MAX"},
                {SQ_I32, "INT32_MIN", "INT32_MAX"}, {SQ_I64, "INT64_MIN", "INT64_MAX"},
                {SQ_U8, "0", "UINT8_MAX"},          {SQ_U16, "0", "UINT16_MAX"},
                {SQ_U32, "0", "UINT32_MAX"},        {SQ_U64, "0", "UINT64_MAX"}};
    if (strcmp(e->text, "sum") == 0)
        return "0";
    for (size_t i = 0; i < sizeof rows / sizeof *rows && e->text[0] == 'r'; i++)
        if (rows[i].type == e->type)
            return strcmp(e->text, "rmax") == 0 ? rows[i].least : rows[i].greatest;
    return "1";
}

static void put_bound(const printer *o, const variable *v, bool high)
{
    if (v->ranged)
        put_affine(o, high ? &v->hi : &v->lo);
    else if (high)
        put_extent(o, &v->box);
    else
        sq_text_puts(o->to, "0");
}

static void put_index_loop(const printer *o, int var)
{
    const variable *v = &o->p->var[var];
    sq_text_printf(o->to, "for (int %s = ", v->name);
    put_bound(o, v, false);
    sq_text_printf(o->to, "; %s < ", v->name);
    put_bound(o, v, true);
    sq_text_printf(o->to, "; %s++) ", v->name);
}

/* The value of the one index where the first of the greatest or least values is. */
static void put_position_c(const printer *o, const expr *e)
{
    const char *name = o->p->var[e->var[0]].name, *type = sq_type_name(e->arg[0]->type);
    sq_text_puts(o->to, "({ int at_ = -1; ");
    sq_text_printf(o->to, "%s best_ = 0; ", half(o, e->arg[0]->type) ? "float" : type);
    put_index_loop(o, e->var[0]);
    sq_text_puts(o->to, "{ __auto_type x_ = ");
    put_expr(o, e->arg[0]);
    sq_text_printf(o->to, "; if (at_ < 0 || x_ %s best_) at_ = %s, best_ = x_; } at_; })",
                   strcmp(e->text, "argmax") == 0 ? ">" : "<", name);
}

static void put_reduction_c(const printer *o, const expr *e)
{
    if (e->text[0] == 'a') {
        put_position_c(o, e);
        return;
    }
    const char *type = sq_type_name(e->type);
    sq_text_printf(o->to, "({ %s acc_ = %s; ", type, identity(e));
    for (int i = 0; i < e->nvars; i++)
        put_index_loop(o, e->var[i]);
    sq_text_printf(o->to, "{ %s x_ = ", type);
    put_expr(o, e->arg[0]);
    if (e->text[0] == 'r')
        sq_text_printf(o->to, "; acc_ = x_ %s acc_ ? x_ : acc_; } acc_; })",
                       strcmp(e->text, "rmax") == 0 ? ">" : "<");
    else
        sq_text_printf(o->to, "; acc_ = acc_ %s x_; } acc_; })", e->text[0] == 's' ? "+" : "*");
}

static void put_call(const printer *o, const expr *e)
{
    sq_text_printf(o->to, "%s(", e->text);
    put_expr(o, e->arg[0]);
    if (e->nargs > 1) {
        sq_text_puts(o->to, ", ");
        put_expr(o, e->arg[1]);
    }
    for (int i = 0; i < e->nvars && e->listed; i++)
        sq_text_printf(o->to, ", %s", o->p->var[e->var[i]].name);
    sq_text_puts(o->to, ")");
}

static void put_select(const printer *o, const expr *e)
{
    sq_text_puts(o->to, "(");
    if (e->affine_condition) {
        put_affine(o, &e->sub[0]);
        sq_text_puts(o->to, " >= 0");
    } else {
        put_expr(o, e->arg[0]);
        sq_text_printf(o->to, " %s ", e->text);
        put_expr(o, e->arg[1]);
    }
    sq_text_puts(o->to, " ? ");
    put_expr(o, e->arg[2]);
    sq_text_puts(o->to, " : ");
    put_expr(o, e->arg[3]);
    sq_text_puts(o->to, ")");
}

static void put_cast(const printer *o, const expr *e)
{
    const char *bits = half(o, e->type);
    if (bits)
        sq_text_printf(o->to, "rd_%s(wr_%s(", bits, bits);
    else
        sq_text_printf(o->to, e->implicit ? "(" : "(%s)(", sq_type_name(e->type));
    put_expr(o, e->arg[0]);
    sq_text_puts(o->to, bits ? "))" : ")");
}

/* At most one of a statement. */
static void put_variable_name(const printer *o, const expr *e)
{
    sq_text_printf(o->to, "w_%s", sq_type_name(e->type));
}

static void put_expr(const printer *o, const expr *e)
{
    if (e->named && e != o->defined) {
        put_variable_name(o, e);
        return;
    }
    switch (e->kind) {
    case E_CONST:
        put_number(o, e);
        break;
    case E_READ:
        put_read(o, e);
        break;
    case E_SCALAR:
        sq_text_printf(o->to, "s%d", e->which);
        break;
    case E_INDEX:
        sq_text_printf(o->to, "(%s)(", sq_type_name(e->type));
        put_affine(o, &e->sub[0]);
        sq_text_puts(o->to, ")");
        break;
    case E_CAST:
        put_cast(o, e);
        break;
    case E_BINARY:
        if (strlen(e->text) > 2) {
            put_call(o, e);
            break;
        }
        sq_text_puts(o->to, "(");
        put_expr(o, e->arg[0]);
        sq_text_printf(o->to, " %s ", e->text);
        put_expr(o, e->arg[1]);
        sq_text_puts(o->to, ")");
        break;
    case E_UNARY:
        put_call(o, e);
        break;
    case E_SELECT:
        put_select(o, e);
        break;
    case E_REDUCE:
        if (o->c)
            put_reduction_c(o, e);
        else
            put_call(o, e);
    }
}

/* ---- statements ---- */

static void put_indent(const printer *o)
{
    for (int i = 0; i < o->to->indent; i++)
        sq_text_puts(o->to, "    ");
}

static void put_assign(const printer *o, const node *n, const char *end)
{
    const char *bits = half(o, o->p->array[n->target].type);
    put_element(o, n->target, n->sub, false);
    if (bits) {
        sq_text_printf(o->to, " = wr_%s(", bits);
        if (strcmp(n->op, "=") != 0) {
            sq_text_printf(o->to, "rd_%s(", bits);
            put_element(o, n->target, n->sub, false);
            sq_text_printf(o->to, ") %c (", *n->op);
        }
    } else {
        sq_text_printf(o->to, " %s ", n->op);
    }
    put_expr(o, n->value);
    sq_text_puts(o->to, !bits ? "" : strcmp(n->op, "=") != 0 ? "))" : ")");
    sq_text_puts(o->to, end);
}

static void put_ranges(const printer *o, const expr *e)
{
    for (int i = 0; i < e->nvars; i++) {
        const variable *v = &o->p->var[e->var[i]];
        if (!v->ranged)
            continue;
        put_indent(o);
        sq_text_printf(o->to, "range(%s, ", v->name);
        put_affine(o, &v->lo);
        sq_text_puts(o->to, ", ");
        put_affine(o, &v->hi);
        sq_text_puts(o->to, ");\n");
    }
    for (int i = 0; i < e->nargs; i++)
        if (e->arg[i])
            put_ranges(o, e->arg[i]);
}

static void put_index_statement(const printer *o, const node *n)
{
    if (!o->c) {
        expr free_vars = {.nvars = n->nfree};
        memcpy(free_vars.var, n->free_var, sizeof n->free_var);
        put_ranges(o, &free_vars);
        put_ranges(o, n->value);
    }
    put_indent(o);
    for (int i = 0; i < n->nfree && o->c; i++)
        put_index_loop(o, n->free_var[i]);
    put_assign(o, n, ";\n");
}

static void put_loop(const printer *o, const node *n)
{
    const variable *v = &o->p->var[n->var];
    put_indent(o);
    sq_text_printf(o->to, "for (%s%s = ", o->region && o->p->outer_counters ? "" : "int ", v->name);
    put_affine(o, n->stride < 0 ? &v->hi : &v->lo);
    if (n->stride < 0)
        sq_text_printf(o->to, " - 1; %s >= ", v->name);
    else
        sq_text_printf(o->to, n->closed ? "; %s <= " : "; %s < ", v->name);
    put_affine(o, n->stride < 0 ? &v->lo : &v->hi);
    sq_text_printf(o->to, n->closed && n->stride > 0 ? " - 1; " : "; ");
    if (abs(n->stride) == 1)
        sq_text_printf(o->to, "%s%s) {\n", v->name, n->stride < 0 ? "--" : "++");
    else
        sq_text_printf(o->to, "%s %s %d) {\n", v->name,
                       n->stride < 0 ? "-=" : "+=", abs(n->stride));
}

static void put_guard(const printer *o, const node *n)
{
    put_indent(o);
    sq_text_puts(o->to, "if (");
    for (int i = 0; i < n->nconditions; i++) {
        if (i)
            sq_text_puts(o->to, n->either ? " || " : " && ");
        if (n->modulus && i == 0)
            sq_text_puts(o->to, "(");
        put_affine(o, &n->condition[i]);
        if (n->modulus && i == 0)
            sq_text_printf(o->to, ") %% %d == 0", n->modulus);
        else
            sq_text_puts(o->to, n->equal[i] ? " == 0" : " >= 0");
    }
    sq_text_puts(o->to, ") {\n");
}

static const expr *find_named(const expr *e)
{
    const expr *found = e->named ? e : NULL;
    for (int i = 0; i < e->nargs && !found; i++)
        found = find_named(e->arg[i]);
    return found;
}

/* { f32 w = A[i] + 1; B[i] = w / 2; } */
static void put_statement(const printer *o, const node *n)
{
    const expr *named = find_named(n->value);
    put_indent(o);
    if (named) {
        printer whole = *o;
        whole.defined = named;
        sq_text_printf(o->to, "{ %s ", sq_type_name(named->type));
        put_variable_name(o, named);
        sq_text_puts(o->to, " = ");
        put_expr(&whole, named);
        sq_text_puts(o->to, "; ");
    }
    put_assign(o, n, named ? "; }\n" : ";\n");
}

void put_nodes(const printer *o, const node *n)
{
    for (; n; n = n->next) {
        if (n->kind == N_INDEX) {
            put_index_statement(o, n);
            continue;
        }
        if (n->kind == N_ASSIGN) {
            put_statement(o, n);
            continue;
        }
        if (n->kind == N_LOOP)
            put_loop(o, n);
        else
            put_guard(o, n);
        o->to->indent++;
        put_nodes(o, n->body);
        o->to->indent--;
        if (n->other) {
            put_indent(o);
            sq_text_puts(o->to, "} else {\n");
            o->to->indent++;
            put_nodes(o, n->other);
            o->to->indent--;
        }
        put_indent(o);
        sq_text_puts(o->to, "}\n");
    }
}

/* ---- the whole ---- */

static bool is_parameter(const array *a)
{
    return !a->local && (a->written || a->read);
}

static void put_parameters(const printer *o)
{
    const char *sep = "";
    for (int s = 0; s < o->p->nsizes; s++, sep = ", ")
        sq_text_printf(o->to, "%sint %c", sep, size_name[s]);
    for (int s = 0; s < o->p->nscalars; s++, sep = ", ")
        sq_text_printf(o->to, "%s%s s%d", sep, sq_type_name(o->p->scalar[s]), s);
    for (int i = 0; i < o->p->narrays; i++) {
        const array *a = &o->p->array[i];
        if (!is_parameter(a))
            continue;
        bool overlaps = o->p->overlap[0] != o->p->overlap[1] &&
                        (o->p->overlap[0] == i || o->p->overlap[1] == i);
        sq_text_printf(o->to, "%s%s%s%s %s", sep,
                       !a->written             ? "const "
                       : a->inout && !a->local ? "inout "
                                               : "",
                       overlaps ? "alias " : "", sq_type_name(a->type), a->name);
        for (int d = 0; d < a->ndim; d++) {
            sq_text_puts(o->to, "[");
            put_extent(o, &a->dim[d]);
            sq_text_puts(o->to, "]");
        }
        sep = ", ";
    }
}

static void put_locals(const printer *o)
{
    for (int i = 0; i < o->p->narrays; i++) {
        const array *a = &o->p->array[i];
        if (!a->local || !(a->written || a->read))
            continue;
        sq_text_printf(o->to, "    %s %s", sq_type_name(a->type), a->name);
        for (int d = 0; d < a->ndim; d++) {
            sq_text_puts(o->to, "[");
            put_extent(o, &a->dim[d]);
            sq_text_puts(o->to, "]");
        }
        sq_text_puts(o->to, ";\n");
    }
}

/* Is there an index of this name before the one given? */
static bool declared(const program *p, int var)
{
    for (int v = 0; v < var; v++)
        if (p->var[v].index && strcmp(p->var[v].name, p->var[var].name) == 0)
            return true;
    return false;
}

void program_print(const program *p, sq_text *to)
{
    printer o = {.p = p, .to = to};
    const char *sep = "    idx ";
    static const char *const around[] = {
        "#pragma squall fp strict\nkernel fuzzed_min(int M, const f64 A[M], int32_t B[M][M])\n{\n"
        "    idx i, j, q0;\n    range(q0, 0, i + 1);\n    B[i][j] = sum(A[q0], q0) < j;\n}\n",
        "kernel fuzzed_1(int K, int N, inout f32 C[K], const int16_t D[N])\n{\n"
        "    for (int a = 1; a < K; a++)\n        C[a] += C[a - 1];\n    assume(N >= K);\n}\n"};
    sq_text_puts(to, "#include \"squall.h\"\n");
    sq_text_puts(to, p->companion ? around[0] : "");
    if (p->fp != SQ_FP_REASSOC)
        sq_text_printf(to, "#pragma squall fp %s\n", sq_fp_name(p->fp));
    sq_text_puts(to, "kernel " PROGRAM_NAME "(");
    put_parameters(&o);
    sq_text_puts(to, ")\n{\n");
    for (int v = 0; v < p->nvars; v++)
        if (p->var[v].index && !declared(p, v)) {
            sq_text_printf(to, "%s%s", sep, p->var[v].name);
            sep = ", ";
        }
    sq_text_puts(to, sep[0] == ',' ? ";\n" : "");
    put_locals(&o);
    if (p->assumes) {
        sq_text_puts(to, "    assume(");
        put_affine(&o, &p->assumed);
        sq_text_puts(to, " >= 0);\n");
    }
    to->indent = 1;
    put_nodes(&o, p->body);
    to->indent = 0;
    sq_text_puts(to, "}\n");
    sq_text_puts(to, p->companion ? around[1] : "");
}
