/* Naive text: isl's loop tree of the naive nest as C, with its three kinds of leaves: clear a
 * partial sum, add to it, write the finished value. Simple on purpose, as all other text is
 * compared with it: coordinates become local variables, accesses are printed from their affine
 * maps, bounds of pad() are tested where they are read. */
#include "codegen/reference/naive.h"
#include "codegen/print/scalar.h"
#include <isl/id.h>
#include <string.h>

const char *const sq_naive_suffix[SQ_NAIVE_PHASES] = {"_clear", "_add", "_write"};

/* What the printer of one statement's leaves needs. */
struct leaf {
    const sq_naive *n;
    const sq_stmt *stmt;
    const char **dim; /* names of the C variables that hold the instance's coordinates */
    const char *slot; /* its partial sum, in C: an element of the emitted function's own array */
    const sq_scalar_style *style;
};

struct printer {
    const sq_naive *n;
    const char *stem;
    sq_text *to;
    const char *shared; /* printed before the loops of the outermost dimension; or NULL */
};

/* True if the kernel uses this name, so that a loop variable needs another one. */
static bool is_taken(const sq_kernel *k, const char *name)
{
    for (int p = 0; p < k->nsizes; p++)
        if (strcmp(k->size[p]->name, name) == 0)
            return true;
    for (int p = 0; p < k->nparams; p++)
        if (k->param[p].scalar && strcmp(k->param[p].scalar->name, name) == 0)
            return true;
    return sq_kernel_array(k, name) != NULL;
}

static bool begins(const char *name, const char *stem)
{
    return strncmp(name, stem, strlen(stem)) == 0;
}

static bool is_begun(const sq_kernel *k, const char *stem)
{
    bool found = false;
    for (int p = 0; p < k->nparams; p++)
        found |= k->param[p].scalar && begins(k->param[p].scalar->name, stem);
    for (int i = 0; i < k->nsizes; i++)
        found |= begins(k->size[i]->name, stem);
    for (int a = 0; a < k->narrays; a++)
        found |= begins(k->array[a]->name, stem);
    for (int s = 0; s < k->nstmts; s++)
        for (int d = 0; d < k->stmt[s]->ndim; d++)
            found |= begins(k->stmt[s]->dim[d], stem);
    return found;
}

const char *sq_naive_stem(const sq_kernel *k)
{
    const char *stem = "sq_";
    while (is_begun(k, stem))
        stem = sq_arena_printf(k->arena, "%s_", stem);
    return stem;
}

/* Returns the statement's dimension names, changed if they would shadow an array or a size. */
static const char **dim_names(const sq_kernel *k, const sq_stmt *s)
{
    const char **name = SQ_NEW_ARRAY(k->arena, const char *, s->ndim + 1);
    for (int d = 0; d < s->ndim; d++) {
        name[d] = s->dim[d];
        while (is_taken(k, name[d]))
            name[d] = sq_arena_printf(k->arena, "%s_", name[d]);
    }
    return name;
}

/* ---- expressions ---- */

/* True if arithmetic is in double, for more precision than the compared text has; under strict both
 * are the same. */
static bool is_wide(const sq_naive *n)
{
    return n->k->fp != SQ_FP_STRICT && !n->is_as_written;
}

/* read: the expression that contains the access, NULL for a write. */
static const char *subscript(const struct leaf *l, const sq_access *a, const sq_expr *read, int d)
{
    sq_text t = {0};
    const sq_expr *value = read ? sq_expr_subscript(read, d) : NULL;
    isl_aff *aff = value ? NULL : isl_multi_aff_get_aff(a->map, d);
    if (value)
        sq_scalar_expr(value, l->style, &t);
    else
        sq_scalar_aff(aff, l->dim, l->n->prefix, &t);
    isl_aff_free(aff);
    return sq_text_take(&t, l->n->k->arena);
}

static const char *extent(const struct leaf *l, const sq_array *a, int d)
{
    sq_text t = {0};
    sq_scalar_aff(a->extent[d], NULL, l->n->prefix, &t);
    return sq_text_take(&t, l->n->k->arena);
}

/* Appends A[((i)*N + j)*K + k], with subscripts clamped if requested. */
static void put_element(const struct leaf *l, const sq_access *a, const sq_expr *read, sq_text *to)
{
    sq_arena *arena = l->n->k->arena;
    const char *index = "0";
    for (int d = 0; d < a->array->ndim; d++) {
        const char *term = subscript(l, a, read, d), *n = extent(l, a->array, d);
        if (a->edge == SQ_EDGE_CLAMP)
            term = sq_arena_printf(arena, "%sclamp(%s, %s)", l->n->prefix, term, n);
        index = d ? sq_arena_printf(arena, "(%s)*(%s) + %s", index, n, term) : term;
    }
    sq_text_printf(to, "%s[%s]", a->array->name, index);
}

static void put_inside(const struct leaf *l, const sq_expr *read, sq_text *to)
{
    const sq_access *a = read->access;
    for (int d = 0; d < a->array->ndim; d++)
        sq_text_printf(to, "%1$s%2$s >= 0 && %2$s < %3$s", d ? " && " : "", subscript(l, a, read, d),
                       extent(l, a->array, d));
}

static void put_read(const sq_expr *e, const struct leaf *l, sq_text *to)
{
    const sq_access *a = e->access;
    bool wide = sq_type_real(e->type) && is_wide(l->n), stored = sq_type_stored(e->type);
    bool padded = a->edge == SQ_EDGE_PAD && a->array->ndim > 0;
    if (padded) {
        sq_text_puts(to, "(");
        put_inside(l, e, to);
        sq_text_puts(to, " ? ");
    }
    sq_text_puts(to, wide ? "(double)" : "");
    if (stored)
        sq_text_printf(to, "%s%s_get(", l->n->prefix, sq_type_suffix(e->type));
    put_element(l, a, e, to);
    if (stored)
        sq_text_puts(to, ")");
    if (padded) {
        sq_text_puts(to, " : ");
        sq_scalar_value(a->outside, wide ? SQ_F64 : e->type, to);
        sq_text_puts(to, ")");
    }
}

static void put_leaf(const sq_expr *e, sq_text *to, void *user)
{
    const struct leaf *l = user;
    if (e->op == SQ_OP_READ) {
        put_read(e, l, to);
    } else if (e->op == SQ_OP_INDEX) {
        bool wide = sq_type_real(e->type) && is_wide(l->n);
        sq_text_printf(to, "((%s)(", wide ? "double" : sq_type_ctype(e->type));
        sq_scalar_aff(e->index, l->dim, l->n->prefix, to);
        sq_text_puts(to, "))");
    } else {
        sq_text_puts(to, l->slot);
    }
}

/* ---- leaves ---- */

static const char *identity(const sq_stmt *s)
{
    return sq_scalar_identity(s->body->type, s->reduce);
}

const char *sq_naive_sum_ctype(const sq_naive *n, const sq_stmt *s)
{
    sq_type type = s->body->type;
    bool wide = sq_type_real(type) && !s->ordered && !n->is_as_written;
    return wide ? "double" : sq_type_stored(type) ? "float" : sq_type_ctype(type);
}

/* Returns the operator of a reduction; NULL: it is a maximum or a minimum. */
static const char *infix_of(sq_op reduce)
{
    bool extreme = reduce == SQ_OP_MAX || reduce == SQ_OP_MIN;
    return extreme ? NULL : sq_op_get(reduce)->infix;
}

static void put_add(const struct leaf *l, const sq_scalar_style *style, sq_text *to)
{
    const sq_stmt *s = l->stmt;
    sq_text body = {0};
    sq_scalar_expr(s->body, style, &body);
    const char *b = sq_text_str(&body);
    const char *infix = infix_of(s->reduce);
    if (infix) {
        const char *c = sq_naive_sum_ctype(l->n, s);
        if (sq_type_real(s->body->type))
            sq_text_line(to, "%s %s= %s;", l->slot, infix, b);
        else /* wraps around */
            sq_text_line(to, "%s = (%s)((uint64_t)%s %s (uint64_t)%s);", l->slot, c, l->slot, infix,
                         b);
    } else {
        sq_text_line(to, "%s squall_v = %s;", sq_naive_sum_ctype(l->n, s), b); /* no name of the description */
        const char *first = s->keeps_old ? "squall_v" : l->slot, *second = s->keeps_old ? l->slot : "squall_v";
        sq_text_line(to, "%s = %s %c %s ? %s : %s;", l->slot, first, s->reduce == SQ_OP_MAX ? '>' : '<', second, first,
                     second);
    }
    sq_text_free(&body);
}

static void put_write(const struct leaf *l, const sq_scalar_style *style, sq_text *to)
{
    const sq_stmt *s = l->stmt;
    sq_text left = {0}, right = {0};
    put_element(l, s->write, NULL, &left);
    sq_scalar_stored(s->value, style, &right);
    sq_text_line(to, "%s = (%s)%s;", sq_text_str(&left), sq_type_ctype(s->write->array->type),
                 sq_text_str(&right));
    sq_text_free(&left);
    sq_text_free(&right);
}

/* ---- isl's loop tree as C ---- */

static void put_ast_expr(const struct printer *p, isl_ast_expr *e /* __isl_take */, sq_text *to);

static void put_ast_arg(const struct printer *p, isl_ast_expr *e, int i, sq_text *to)
{
    put_ast_expr(p, isl_ast_expr_get_op_arg(e, i), to);
}

static void put_ast_infix(const struct printer *p, isl_ast_expr *e, const char *infix, sq_text *to)
{
    sq_text_puts(to, "(");
    put_ast_arg(p, e, 0, to);
    sq_text_puts(to, infix);
    put_ast_arg(p, e, 1, to);
    sq_text_puts(to, ")");
}

/* Appends floord(a, b), and min and max folded over any number of arguments. */
static void put_ast_call(const struct printer *p, isl_ast_expr *e, const char *name, sq_text *to)
{
    int n = (int)isl_ast_expr_get_op_n_arg(e);
    for (int i = 1; i < n; i++)
        sq_text_printf(to, "%s%s(", p->n->prefix, name);
    put_ast_arg(p, e, 0, to);
    for (int i = 1; i < n; i++) {
        sq_text_puts(to, ", ");
        put_ast_arg(p, e, i, to);
        sq_text_puts(to, ")");
    }
}

static const char *ast_infix(enum isl_ast_expr_op_type t)
{
    switch (t) {
    case isl_ast_expr_op_add:
        return " + ";
    case isl_ast_expr_op_sub:
        return " - ";
    case isl_ast_expr_op_mul:
        return "*";
    case isl_ast_expr_op_div:
    case isl_ast_expr_op_pdiv_q:
        return " / ";
    case isl_ast_expr_op_pdiv_r:
    case isl_ast_expr_op_zdiv_r:
        return " % ";
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then:
        return " && ";
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else:
        return " || ";
    case isl_ast_expr_op_eq:
        return " == ";
    case isl_ast_expr_op_le:
        return " <= ";
    case isl_ast_expr_op_lt:
        return " < ";
    case isl_ast_expr_op_ge:
        return " >= ";
    case isl_ast_expr_op_gt:
        return " > ";
    default:
        return NULL;
    }
}

static void put_ast_op(const struct printer *p, isl_ast_expr *e, sq_text *to)
{
    enum isl_ast_expr_op_type t = isl_ast_expr_op_get_type(e);
    if (ast_infix(t)) {
        put_ast_infix(p, e, ast_infix(t), to);
    } else if (t == isl_ast_expr_op_minus) {
        sq_text_puts(to, "(-");
        put_ast_arg(p, e, 0, to);
        sq_text_puts(to, ")");
    } else if (t == isl_ast_expr_op_fdiv_q) {
        put_ast_call(p, e, "floord", to);
    } else if (t == isl_ast_expr_op_min || t == isl_ast_expr_op_max) {
        put_ast_call(p, e, t == isl_ast_expr_op_min ? "min_i64" : "max_i64", to);
    } else if (t == isl_ast_expr_op_cond || t == isl_ast_expr_op_select) {
        sq_text_puts(to, "(");
        put_ast_arg(p, e, 0, to);
        sq_text_puts(to, " ? ");
        put_ast_arg(p, e, 1, to);
        sq_text_puts(to, " : ");
        put_ast_arg(p, e, 2, to);
        sq_text_puts(to, ")");
    } else {
        sq_bug("naive", "isl expression of kind %d", (int)t);
    }
}

static void put_ast_expr(const struct printer *p, isl_ast_expr *e, sq_text *to)
{
    enum isl_ast_expr_type t = isl_ast_expr_get_type(e);
    if (t == isl_ast_expr_op) {
        put_ast_op(p, e, to);
    } else if (t == isl_ast_expr_id) {
        isl_id *id = isl_ast_expr_id_get_id(e);
        bool iterator = begins(isl_id_get_name(id), p->stem);
        sq_text_printf(to, "%s%s", iterator ? "" : "(int64_t)", isl_id_get_name(id));
        isl_id_free(id);
    } else {
        isl_val *v = isl_ast_expr_int_get_val(e);
        sq_text_printf(to, "%ld", isl_val_get_num_si(v));
        isl_val_free(v);
    }
    isl_ast_expr_free(e);
}

const sq_stmt *sq_naive_stmt(const sq_kernel *k, const char *tuple, sq_naive_phase *phase)
{
    const char *cut = strrchr(tuple, '_');
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(cut - tuple), tuple);
    for (int p = 0; p < SQ_NAIVE_PHASES; p++)
        if (strcmp(cut, sq_naive_suffix[p]) == 0)
            *phase = (sq_naive_phase)p;
    return sq_kernel_stmt(k, name);
}

/* Appends `const int64_t i = …;` for every coordinate of the instance. */
static void put_coordinates(const struct printer *p, isl_ast_expr *call, const char **dim)
{
    int n = (int)isl_ast_expr_get_op_n_arg(call) - 1;
    for (int d = 0; d < n; d++) {
        sq_text value = {0};
        put_ast_arg(p, call, d + 1, &value);
        sq_text_line(p->to, "const int64_t %s = %s;", dim[d], sq_text_str(&value));
        sq_text_line(p->to, "(void)%s;", dim[d]);
        sq_text_free(&value);
    }
}

static void put_slot(const struct printer *p, const sq_stmt *s, isl_ast_node *node, sq_text *to)
{
    isl_id *id = isl_ast_node_get_annotation(node);
    sq_text_printf(to, "%ssum_%s[", p->stem, s->name);
    if (id)
        put_ast_expr(p, isl_ast_expr_copy(isl_id_get_user(id)), to);
    else
        sq_text_puts(to, "0");
    sq_text_puts(to, "]");
    isl_id_free(id);
}

static void put_user(const struct printer *p, isl_ast_node *node)
{
    isl_ast_expr *call = isl_ast_node_user_get_expr(node);
    isl_ast_expr *callee = isl_ast_expr_get_op_arg(call, 0);
    isl_id *id = isl_ast_expr_id_get_id(callee);
    sq_naive_phase phase = SQ_NAIVE_WRITE;
    const sq_stmt *s = sq_naive_stmt(p->n->k, isl_id_get_name(id), &phase);
    sq_text slot = {0};
    put_slot(p, s, node, &slot);
    struct leaf l = {p->n, s, dim_names(p->n->k, s), sq_text_str(&slot), NULL};
    bool strict = p->n->k->fp == SQ_FP_STRICT;
    sq_scalar_style style = {p->n->prefix, is_wide(p->n), !strict, put_leaf, &l, NULL};
    l.style = &style;
    put_coordinates(p, call, l.dim);
    if (phase == SQ_NAIVE_CLEAR)
        sq_text_line(p->to, "%s = %s;", l.slot, identity(s));
    else if (phase == SQ_NAIVE_ADD)
        put_add(&l, &style, p->to);
    else
        put_write(&l, &style, p->to);
    sq_text_free(&slot);
    isl_id_free(id);
    isl_ast_expr_free(callee);
    isl_ast_expr_free(call);
}

static void put_node(const struct printer *p, isl_ast_node *node /* __isl_take */);

/* Returns the condition of a loop without outer parentheses, with which OpenMP does not accept the
 * loop. */
static const char *bare_condition(const struct printer *p, const sq_text *t)
{
    const char *s = sq_text_str(t), *at = s;
    int depth = 0;
    do
        depth += (*at == '(') - (*at == ')');
    while (depth > 0 && *++at);
    return at > s && !at[1] ? sq_arena_printf(p->n->k->arena, "%.*s", (int)(at - s) - 1, s + 1) : s;
}

static void put_for(const struct printer *p, isl_ast_node *node)
{
    sq_text from = {0}, while_ = {0}, step = {0}, name = {0};
    const char *outermost = sq_arena_printf(p->n->k->arena, "%sc0", p->stem);
    put_ast_expr(p, isl_ast_node_for_get_iterator(node), &name);
    put_ast_expr(p, isl_ast_node_for_get_init(node), &from);
    if (isl_ast_node_for_is_degenerate(node) == isl_bool_true) {
        sq_text_open(p->to, "{");
        sq_text_line(p->to, "const int64_t %s = %s;", sq_text_str(&name), sq_text_str(&from));
    } else {
        put_ast_expr(p, isl_ast_node_for_get_cond(node), &while_);
        put_ast_expr(p, isl_ast_node_for_get_inc(node), &step);
        bool shared = p->shared && strcmp(sq_text_str(&name), outermost) == 0;
        if (shared)
            sq_text_line(p->to, "%s", p->shared);
        sq_text_open(p->to, "for (int64_t %s = %s; %s; %s += %s) {", sq_text_str(&name),
                     sq_text_str(&from),
                     shared ? bare_condition(p, &while_) : sq_text_str(&while_),
                     sq_text_str(&name), sq_text_str(&step));
    }
    put_node(p, isl_ast_node_for_get_body(node));
    sq_text_close(p->to, "}");
    sq_text_free(&from);
    sq_text_free(&while_);
    sq_text_free(&step);
    sq_text_free(&name);
}

static void put_if(const struct printer *p, isl_ast_node *node)
{
    sq_text cond = {0};
    put_ast_expr(p, isl_ast_node_if_get_cond(node), &cond);
    sq_text_open(p->to, "if (%s) {", sq_text_str(&cond));
    put_node(p, isl_ast_node_if_get_then_node(node));
    if (isl_ast_node_if_has_else_node(node) == isl_bool_true) {
        sq_text_close(p->to, "} else {");
        p->to->indent++;
        put_node(p, isl_ast_node_if_get_else_node(node));
    }
    sq_text_close(p->to, "}");
    sq_text_free(&cond);
}

static isl_stat put_child(isl_ast_node *node, void *user)
{
    const struct printer *p = user;
    put_node(p, node);
    return isl_stat_ok;
}

static void put_node(const struct printer *p, isl_ast_node *node)
{
    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_for:
        put_for(p, node);
        break;
    case isl_ast_node_if:
        put_if(p, node);
        break;
    case isl_ast_node_block: {
        isl_ast_node_list *list = isl_ast_node_block_get_children(node);
        isl_ast_node_list_foreach(list, put_child, (void *)p);
        isl_ast_node_list_free(list);
        break;
    }
    case isl_ast_node_user:
        sq_text_open(p->to, "{");
        put_user(p, node);
        sq_text_close(p->to, "}");
        break;
    default:
        sq_bug("naive", "isl node of unknown kind");
    }
    isl_ast_node_free(node);
}

void sq_naive_print(const sq_naive *n, isl_ast_node *tree, const char *shared, sq_text *to)
{
    struct printer p = {n, sq_naive_stem(n->k), to, shared};
    put_node(&p, tree);
}
