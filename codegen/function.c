/* Function: see function.h. */
#include "codegen/base.h"
#include "codegen/function_inside.h"
#include <string.h>

/* ---- parameter lists ---- */

static bool listed(const sq_param *q, sq_listed which)
{
    return !(q->size && q->size->fixed) && (which == SQ_LIST_ALL || q->size);
}

void sq_function_list(const sq_kernel *k, sq_listed which, bool declare, const char *last,
                      sq_text *to)
{
    const char *sep = "";
    for (int i = 0; i < k->nparams; i++) {
        const sq_param *q = &k->param[i];
        if (!listed(q, which))
            continue;
        sq_text_puts(to, sep);
        sep = ", ";
        if (declare && q->size)
            sq_text_puts(to, "int64_t ");
        else if (declare && q->scalar)
            sq_text_printf(to, "%s ", sq_type_ctype(q->scalar->type));
        else if (declare)
            sq_text_printf(to, "%s%s *", q->array->role == SQ_IN ? "const " : "",
                           sq_type_ctype(q->array->type));
        sq_text_puts(to, sq_param_name(q));
    }
    if (last)
        sq_text_printf(to, "%s%s", sep, last);
    else if (declare && !*sep)
        sq_text_puts(to, "void");
}

void sq_function_unused(const sq_kernel *k, sq_listed which, const sq_text *body, sq_text *to)
{
    for (int i = 0; i < k->nparams; i++)
        if (listed(&k->param[i], which) &&
            !sq_text_mentions(sq_text_str(body), sq_param_name(&k->param[i])))
            sq_text_line(to, "(void)%s;", sq_param_name(&k->param[i]));
}

void sq_function_of_sizes(const sq_kernel *k, const char *head, sq_text *inner, sq_text *to)
{
    sq_text_printf(to, "%s(", head);
    sq_function_list(k, SQ_LIST_SIZES, true, NULL, to);
    sq_text_puts(to, ")\n{\n");
    to->indent = 1;
    sq_function_unused(k, SQ_LIST_SIZES, inner, to);
    to->indent = 0;
    sq_text_puts(to, sq_text_str(inner));
    sq_text_puts(to, "}\n\n");
    sq_text_free(inner);
}

void sq_function_unfit(const sq_printer *p, bool check, const char *then, sq_text *to)
{
    if (!check)
        return;
    sq_text_puts(to, "    if (!sq_fits(");
    sq_function_list(p->kernel, SQ_LIST_SIZES, false, NULL, to);
    sq_text_printf(to, "))%s", then);
}

const char *sq_function_call_plain(const sq_printer *p, const char *suffix, sq_listed which,
                                   const char *last)
{
    sq_text t = {0};
    sq_text_printf(&t, "%s%s(", p->plain, suffix);
    sq_function_list(p->kernel, which, false, last, &t);
    sq_text_puts(&t, ")");
    const char *text = sq_arena_strdup(p->arena, sq_text_str(&t));
    sq_text_free(&t);
    return text;
}

/* ---- the functions ---- */

static void put_strides(sq_printer *p, sq_text *to)
{
    for (int i = 0; i < p->kernel->narrays; i++) {
        const sq_array *a = p->kernel->array[i];
        for (int x = 0; x < a->ndim; x++) {
            const char *name = sq_stride_name(a, x, p->arena);
            if (!sq_array_stride(a, x) && sq_text_mentions(sq_text_str(&p->body), name))
                sq_text_line(to, "const int64_t %s = %s;", name,
                             sq_array_stride_text(p->kernel, a, x, p->arena));
        }
    }
}

/* Does it read an array that it writes? */
static bool reads_own(const sq_kernel *k)
{
    for (int w = 0; w < k->nstmts; w++)
        for (int s = 0; s < k->nstmts; s++)
            if (sq_stmt_reads_array(k->stmt[s], k->stmt[w]->write->array))
                return true;
    return false;
}

/* gcc 12 counts the places of one array that it both reads and writes from one of them, forgets the
 * other's pointer, takes the nest for a function that writes nothing, and drops its call where it
 * does not put the nest in its place: never for another instruction set, or without inlining. */
static void put_apart(const sq_printer *p, sq_text *to)
{
    if (reads_own(p->kernel))
        sq_text_puts(to, "#if defined(__GNUC__) && __GNUC__ >= 8 && !defined(__clang__)\n"
                         "__attribute__((noipa)) /* gcc 12 would lose writes in place */\n"
                         "#endif\n");
}

static void put_nest(sq_printer *p, sq_text *to)
{
    sq_text inner = {.indent = 1};
    put_strides(p, &inner);
    sq_text_puts(&inner, sq_text_str(&p->memory));
    sq_text_puts(&inner, sq_text_str(&p->body));
    put_apart(p, to);
    sq_text_puts(to, "static SQ_TARGET void sq_nest(");
    sq_function_list(p->kernel, SQ_LIST_ALL, true, p->bytes.n ? "char *@space" : NULL, to);
    sq_text_puts(to, ")\n{\n");
    to->indent = 1;
    sq_function_unused(p->kernel, SQ_LIST_ALL, &inner, to);
    to->indent = 0;
    sq_text_puts(to, sq_text_str(&inner));
    sq_text_puts(to, "}\n\n");
    sq_text_free(&inner);
}

void sq_function_head(const sq_printer *p, const char *suffix, const char *last, sq_text *to)
{
    const char *linkage = p->options->is_static ? "static " : "";
    sq_text params = {0};
    sq_emit_params(p->kernel, &params);
    if (last && strcmp(sq_text_str(&params), "void") == 0)
        sq_text_clear(&params);
    if (last)
        sq_text_printf(&params, "%s%s", params.n ? ", " : "", last);
    if (!p->options->header)
        sq_text_printf(to, "%svoid %s%s(%s);\n", linkage, p->function, suffix, params.s);
    sq_text_printf(to, "%svoid %s%s(%s)\n{\n", linkage, p->function, suffix, params.s);
    sq_text_free(&params);
}

/* What K, or K_in, does: the nests, or what else there is for these sizes. */
static void put_door(const sq_printer *p, bool check, const char *suffix, const char *last,
                     sq_text *to)
{
    const char *then = "\n        return;\n";
    if (p->plain)
        then = sq_arena_printf(p->arena, " {\n        %s;\n        return;\n    }\n",
                               sq_function_call_plain(p, suffix, SQ_LIST_ALL, last));
    sq_function_unfit(p, check, then, to);
    if (last && !p->bytes.n)
        sq_text_printf(to, "    (void)%s;\n", last);
    sq_text_puts(to, "    sq_nest(");
    sq_function_list(p->kernel, SQ_LIST_ALL, false,
                     p->bytes.n ? "(char *)@workspace + (-(uintptr_t)@workspace & 63)" : NULL, to);
    sq_text_puts(to, ");\n}\n");
}

void sq_function_print(sq_printer *p, sq_text *to)
{
    bool allocates = sq_function_allocates(p->kernel), check;
    sq_workspace_helpers(p, to);
    put_nest(p, to);
    check = sq_accepts_check(p, to);
    if ((!p->options->is_static || p->options->is_plain) && sq_function_accepts(p->kernel))
        sq_accepts_print(p, check, to);
    if (!allocates) {
        sq_function_head(p, "", NULL, to);
        put_door(p, check, "", NULL, to);
        return;
    }
    sq_workspace_bytes(p, to);
    sq_workspace_print(p, check, p->options->is_static ? "static " : "", to);
    sq_function_head(p, "_in", "void *@workspace", to);
    put_door(p, check, "_in", "@workspace", to);
    if (p->options->is_plain)
        return; /* only called with a workspace */
    sq_text_puts(to, "\n");
    sq_workspace_allocating(p, to);
}

int sq_function_plain(sq_printer *p, sq_text *to, sq_diags *d)
{
    const sq_kernel *k = p->kernel;
    if (p->options->is_plain || p->options->is_promised || !sq_accepts_plain(k))
        return 0;
    sq_kernel *plain = SQ_NEW(p->arena, sq_kernel);
    *plain = k->described ? *k->described : *k;
    plain->array = k->array; /* has its workspace where the other has one */
    plain->narrays = k->narrays;
    plain->context = k->accepted;
    plain->deps = NULL;
    plain->rewritten = NULL;
    sq_emit_options o = *p->options;
    o.header = NULL;
    o.openmp = false;
    o.is_static = o.is_plain = true;
    o.function = p->plain = sq_arena_printf(p->arena, "%s_plain", p->function);
    o.helpers = sq_arena_printf(p->arena, "%s_", p->plain);
    sq_text_printf(to, "/* For sizes that break what the description assumes of them. */\n");
    return sq_emit_source(sq_schedule_new(plain, p->arena), &o, to, d);
}
