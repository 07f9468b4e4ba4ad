/* Entries: see entries.h. */
#include "codegen/file/entries.h"
#include "codegen/file/function_inside.h"
#include "codegen/file/packed.h"
#include "codegen/print/names.h"
#include "codegen/print/tasks.h"
#include <string.h>

enum { MOST_MORE = 4, MOST_ENTRIES = 6 };

/* What is called for a kernel. */
typedef struct entry {
    const char *type, *suffix; /* "int", "_in" */
    const char *refused;       /* what it returns for sizes that no row takes; NULL: nothing */
    bool sizes;                /* of the kernel's parameters only those */
    const sq_array *packs;     /* the array that it packs, and is named after; NULL */
    const char *more[MOST_MORE][2]; /* behind them: "void *", "workspace" */
} entry;

/* The functions that pack. */
static int list_packing(const sq_kernel *k, entry *e)
{
    int n = 0;
    for (int p = 0; p < k->nparams; p++) {
        const sq_array *a = k->param[p].array;
        if (!a || !a->is_packed)
            continue;
        e[n++] = (entry){.type = "size_t", .suffix = sq_packed_bytes("", a, k->arena), .refused = "0", .sizes = true};
        e[n++] = (entry){.type = "int",
                         .suffix = sq_packed_function("", a, k->arena),
                         .refused = "1",
                         .sizes = true,
                         .packs = a,
                         .more = {{sq_arena_printf(k->arena, "const %s *", sq_type_ctype(a->type)), a->name},
                                  {"void *", "to"}}};
    }
    return n;
}

static int list_into(const sq_entries *x, entry *e)
{
    int n = list_packing(x->k, e);
    if (x->has_k)
        e[n++] = (entry){.type = x->has_codes ? "int" : "void", .suffix = "", .refused = x->has_codes ? "1" : NULL};
    e[n++] = (entry){.type = "int", .suffix = "_in", .refused = "1", .more = {{"void *", "workspace"}}};
    e[n++] = (entry){.type = "size_t", .suffix = "_workspace", .refused = "0", .sizes = true};
    if (sq_function_accepts(x->k))
        e[n++] = (entry){.type = "int", .suffix = "_accepts", .refused = "0", .sizes = true};
    if (!x->tasks)
        return n;
    const char *run = sq_arena_printf(x->k->arena, "%s_run ", x->function);
    e[n++] = (entry){.type = "size_t",
                     .suffix = "_on_workspace",
                     .refused = "0",
                     .sizes = true,
                     .more = {{"int ", "threads"}}};
    e[n++] = (entry){.type = "int",
                     .suffix = "_on",
                     .refused = "1",
                     .more = {{"void *", "workspace"}, {"int ", "threads"}, {run, "run"}, {"void *", "pool"}}};
    return n;
}

/* Returns the entries; their number is *n. */
static entry *list_entries(const sq_entries *x, int *n)
{
    entry *e = SQ_NEW_ARRAY(x->k->arena, entry, MOST_ENTRIES + 2 * x->k->nparams);
    *n = list_into(x, e);
    return e;
}

/* What the entry is called, of a row or of K. */
static const char *name_of(const sq_entries *x, const entry *e, const char *function)
{
    return e->packs ? sq_packed_function(function, e->packs, x->k->arena)
                    : sq_arena_printf(x->k->arena, "%s%s", function, e->suffix);
}

/* "void *workspace", under names that no parameter of the kernel has; NULL: nothing. */
static const char *more_of(const sq_kernel *k, const entry *e, bool declare)
{
    const char *all = NULL;
    for (int i = 0; i < MOST_MORE && e->more[i][0]; i++)
        all = sq_arena_printf(k->arena, "%s%s%s", i ? all : "", i ? ", " : "",
                              sq_emit_own(k, declare ? e->more[i][0] : "", e->more[i][1], k->arena));
    return all;
}

/* "int M, const float *A, void *workspace" */
static const char *params_of(const sq_kernel *k, const entry *e, sq_emit_form form)
{
    return sq_emit_params(k, form, e->sizes, more_of(k, e, true), k->arena);
}

void sq_guard_begin(const char *guard, sq_text *to)
{
    if (*guard)
        sq_text_printf(to, "#if %s\n", guard);
}

void sq_guard_end(const char *guard, sq_text *to)
{
    sq_text_puts(to, *guard ? "#endif\n" : "");
}

/* The functions of each row, in the order of the rows. */
static void put_rows(const sq_entries *x, const entry *e, int n, sq_text *to)
{
    sq_text_printf(to, "\n/* %s %s. */\nstatic const struct sq_%s_row {\n", x->function, x->what, x->function);
    for (int i = 0; i < n; i++)
        sq_text_printf(to, "    %s (*k%s)(%s);\n", e[i].type, e[i].suffix, params_of(x->k, &e[i], SQ_EMIT_PUBLIC));
    sq_text_printf(to, "} sq_%s_rows[] = {\n", x->function);
    for (int t = 0; t < x->n; t++) {
        sq_guard_begin(x->guard ? x->guard[t] : "", to);
        sq_text_puts(to, "    {");
        for (int i = 0; i < n; i++)
            sq_text_printf(to, "%s%s", i ? ", " : "", name_of(x, &e[i], x->row[t]));
        sq_text_puts(to, "},\n");
        sq_guard_end(x->guard ? x->guard[t] : "", to);
    }
    sq_text_puts(to, "};\n");
}

/* The row's number, under a name that no parameter has; returns at once where it is none. */
static const char *put_number(const sq_entries *x, const entry *e, sq_text *to)
{
    if (!x->refuses)
        return x->number;
    sq_text_printf(to, "    const int sq_number = %s;\n    if (sq_number < 0)\n        return%s%s;\n", x->number,
                   e->refused ? " " : "", e->refused ? e->refused : "");
    return "sq_number";
}

static void put_entry(const sq_entries *x, const entry *e, sq_text *to)
{
    for (int body = x->has_header; body < 2; body++) {
        if (!body)
            sq_visibility_put(x->api, to);
        sq_text_printf(to, "%s%s%s %s(%s)%s", body ? "\n" : "", x->linkage, e->type, name_of(x, e, x->function),
                       params_of(x->k, e, SQ_EMIT_PUBLIC), body ? "\n{\n" : ";\n");
    }
    const char *number = put_number(x, e, to);
    const char *arguments = sq_function_call(x->k, "", e->sizes ? SQ_LIST_SIZES : SQ_LIST_ALL, SQ_LIST_PASSED,
                                             more_of(x->k, e, false), x->k->arena);
    sq_text_printf(to, "    %ssq_%s_rows[%s].k%s%s;\n}\n", e->refused ? "return " : "", x->function, number, e->suffix,
                   arguments);
}

void sq_entries_print(const sq_entries *x, sq_text *to)
{
    int n;
    const entry *e = list_entries(x, &n);
    if (x->tasks && !x->has_header)
        sq_tasks_typedef(x->function, to);
    put_rows(x, e, n, to);
    for (int i = 0; i < n; i++)
        put_entry(x, &e[i], to);
}

void sq_entries_declare_rows(const sq_entries *x, sq_text *to)
{
    int n;
    const entry *e = list_entries(x, &n);
    for (int t = 0; t < x->n; t++) {
        sq_guard_begin(x->guard ? x->guard[t] : "", to);
        for (int i = 0; i < n; i++) {
            sq_visibility_put(x->api, to);
            sq_text_printf(to, "%s %s(%s);\n", e[i].type, name_of(x, &e[i], x->row[t]),
                           params_of(x->k, &e[i], SQ_EMIT_FOREIGN));
        }
        sq_guard_end(x->guard ? x->guard[t] : "", to);
    }
}
