/* The text of a kernel for --dump=parse: its arrays with extents and roles, the constraints on its
 * sizes, and per statement domain, expressions and accesses. Tests compare this text, so it has all
 * results of the frontend and nothing that depends on the machine. */
#include "ir/kernel/kernel.h"
#include "support/text.h"
#include <isl/printer.h>
#include <stdlib.h>

static const char *const roles[] = {"in", "out", "inout", "local"};

/* Takes a string that isl allocated with malloc. */
static void put_owned(sq_text *to, char *s)
{
    sq_text_puts(to, s ? s : "?");
    free(s);
}

/* isl drops redundant constraints when a set is queried, so these are dropped first: the text is
 * the same before and after, as the hash of a kernel must be. */
static void put_set(sq_text *to, const char *what, isl_set *set)
{
    if (!set)
        return;
    isl_set *lean = isl_set_remove_redundancies(isl_set_detect_equalities(isl_set_copy(set)));
    sq_text_printf(to, "    %-8s ", what);
    put_owned(to, isl_set_to_str(lean));
    sq_text_puts(to, "\n");
    isl_set_free(lean);
}

static void put_access(sq_text *to, const sq_access *a)
{
    static const char *const edges[] = {"", "pad ", "clamp "};
    sq_text_puts(to, edges[a->edge]);
    if (a->edge == SQ_EDGE_PAD && sq_type_real(a->array->type))
        sq_text_printf(to, "%g ", a->outside.real);
    else if (a->edge == SQ_EDGE_PAD)
        sq_text_printf(to, "%lld ", (long long)a->outside.integer);
    put_owned(to, isl_multi_aff_to_str(a->map));
}

static void put_constant(sq_text *to, const sq_expr *e)
{
    if (sq_type_real(e->type))
        sq_text_printf(to, "%.17g", e->real);
    else
        sq_text_printf(to, "%lld", (long long)e->integer);
}

static void put_leaf(sq_text *to, const sq_expr *e)
{
    if (e->op == SQ_OP_CONST)
        put_constant(to, e);
    else if (e->op == SQ_OP_SCALAR)
        sq_text_puts(to, e->scalar->name);
    else if (e->op == SQ_OP_INDEX)
        put_owned(to, isl_aff_to_str(e->index));
    else if (e->op == SQ_OP_READ)
        sq_text_puts(to, e->access->array->name);
    else
        sq_text_puts(to, "reduced");
}

/* Prints name:type(arguments); reads by array only, their maps follow in lines of their own. */
static void put_expr(sq_text *to, const sq_expr *e)
{
    if (e->nargs == 0) {
        put_leaf(to, e);
        return;
    }
    if (e->op == SQ_OP_CAST)
        sq_text_printf(to, "%s(", sq_type_name(e->type));
    else
        sq_text_printf(to, "%s(", sq_op_get(e->op)->name);
    for (int i = 0; i < e->nargs; i++) {
        if (i)
            sq_text_puts(to, ", ");
        put_expr(to, e->arg[i]);
    }
    sq_text_puts(to, ")");
}

static void put_reads(sq_text *to, const sq_stmt *s)
{
    int n = sq_stmt_reads(s, NULL, NULL, 0);
    sq_access **read = calloc((size_t)n + 1, sizeof *read);
    if (!read)
        return;
    sq_stmt_reads(s, read, NULL, n);
    for (int i = 0; i < n; i++) {
        sq_text_puts(to, "    read     ");
        put_access(to, read[i]);
        sq_text_puts(to, "\n");
    }
    free(read);
}

static void put_value(sq_text *to, const char *what, const sq_expr *e)
{
    sq_text_printf(to, "    %-8s %s ", what, sq_type_name(e->type));
    put_expr(to, e);
    sq_text_puts(to, "\n");
}

static void put_stmt(sq_text *to, const sq_stmt *s)
{
    sq_text_printf(to, "  %s%s dims", s->name, s->written_loops ? " written" : "");
    for (int d = 0; d < s->ndim; d++)
        sq_text_printf(to, "%s %s", d == s->nfree ? " |" : "", s->dim[d]);
    sq_text_puts(to, "\n");
    put_set(to, "domain", s->domain);
    put_set(to, "updates", s->updates);
    if (s->textual) {
        sq_text_puts(to, "    textual  ");
        put_owned(to, isl_map_to_str(s->textual));
        sq_text_puts(to, "\n");
    }
    if (s->body)
        put_value(to, sq_op_get(s->reduce)->name, s->body);
    put_value(to, "value", s->value);
    sq_text_puts(to, "    write    ");
    put_access(to, s->write);
    sq_text_puts(to, "\n");
    put_reads(to, s);
}

static void put_end(sq_text *to, const char *which, isl_aff *end)
{
    if (!end)
        return;
    sq_text_printf(to, " %s ", which);
    put_owned(to, isl_aff_to_str(end));
}

static void put_array(sq_text *to, const sq_array *a)
{
    sq_text_printf(to, "  %s%s%s %s %s", roles[a->role], a->alias ? " alias" : "", a->is_packed ? " packed" : "",
                   sq_type_name(a->type), a->name);
    for (int d = 0; d < a->ndim; d++) {
        sq_text_puts(to, " ");
        put_owned(to, isl_aff_to_str(a->extent[d]));
    }
    put_end(to, "least", a->least);
    put_end(to, "most", a->most);
    sq_text_puts(to, "\n");
}

static void put_params(sq_text *to, const sq_kernel *k)
{
    for (int i = 0; i < k->nparams; i++) {
        const sq_param *p = &k->param[k->written ? k->written[i] : i];
        if (p->size && p->size->fixed)
            sq_text_printf(to, "  size %s = %lld\n", p->size->name, (long long)p->size->value);
        else if (p->size)
            sq_text_printf(to, "  size %s\n", p->size->name);
        else if (p->scalar)
            sq_text_printf(to, "  scalar %s %s\n", sq_type_name(p->scalar->type), p->scalar->name);
        else
            put_array(to, p->array);
    }
    for (int i = 0; i < k->narrays; i++)
        if (k->array[i]->role == SQ_LOCAL)
            put_array(to, k->array[i]);
}

void sq_kernel_dump_computed(const sq_kernel *k, sq_text *to)
{
    sq_text_printf(to, "kernel %s\n", k->name);
    put_params(to, k);
    put_set(to, "context", k->context);
    if (k->fp != SQ_FP_REASSOC)
        sq_text_printf(to, "  fp %s\n", sq_fp_name(k->fp));
    for (int i = k->nasked; i < k->ntune; i++) {
        sq_text_puts(to, "    tune    ");
        for (int j = 0; j < k->nsizes; j++)
            sq_text_printf(to, " %s=%lld", k->size[j]->name, (long long)k->tune[i][j]);
        sq_text_puts(to, "\n");
    }
    for (int i = 0; i < k->nstmts; i++)
        put_stmt(to, k->stmt[i]);
}

/* Prints what callers promise and pass, which does not change the result. */
static void put_contract(const sq_kernel *k, sq_text *to)
{
    for (int i = 0; i < k->narrays; i++)
        if (k->array[i]->align)
            sq_text_printf(to, "  aligned %d %s\n", k->array[i]->align, k->array[i]->name);
    for (int i = 0; i < k->nsizes; i++)
        if (k->size[i]->is_size_t)
            sq_text_printf(to, "  size_t %s\n", k->size[i]->name);
    if (!k->written)
        return;
    sq_text_puts(to, "  parameters");
    for (int i = 0; i < k->nparams; i++)
        sq_text_printf(to, " %s", sq_param_name(&k->param[i]));
    sq_text_puts(to, "\n");
}

void sq_kernel_dump(const sq_kernel *k, sq_text *to)
{
    sq_kernel_dump_computed(k, to);
    put_contract(k, to);
}
