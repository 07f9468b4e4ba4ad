/* Entry: what the emitted function looks like from outside: its parameter list, what its arrays are, and the uniform
 * wrapper `entry(void *const *arg)` through which every harness calls a kernel of any signature. */
#include "codegen/emit.h"
#include "codegen/file/function_inside.h"
#include "codegen/print/names.h"
#include "codegen/nest/text_of.h"
#include "support/version.h"
#include "support/words.h"
#include <inttypes.h>
#include <isl/aff.h>
#include <stdlib.h>
#include <string.h>

void sq_emit_name(const sq_kernel *k, const char *name, bool needs, sq_text *to)
{
    sq_text free_name = {0};
    sq_text_puts(&free_name, name);
    while (needs) {
        sq_text_puts(&free_name, "_");
        needs = sq_names_taken(k, sq_text_str(&free_name));
    }
    sq_text_puts(to, sq_text_str(&free_name));
    sq_text_free(&free_name);
}

const char *sq_emit_own(const sq_kernel *k, const char *type, const char *name, sq_arena *arena)
{
    sq_text t = {0};
    sq_text_puts(&t, type);
    sq_emit_name(k, name, sq_names_taken(k, name), &t);
    return sq_text_take(&t, arena);
}

/* Of a size where it is computed with. */
static const char *type_inside(const sq_size *s)
{
    return s->type == SQ_I32 ? "int" : "int64_t";
}

static void put_param(const sq_kernel *k, const sq_param *p, sq_emit_form form, sq_text *to)
{
    if (p->size)
        sq_text_printf(to, "%s ", form == SQ_EMIT_INSIDE ? type_inside(p->size) : sq_size_ctype(p->size));
    else if (p->scalar)
        sq_text_printf(to, "%s ", sq_type_ctype(p->scalar->type));
    else
        sq_text_printf(to, "%s%s *", p->array->role == SQ_IN ? "const " : "",
                       p->array->is_packed && form != SQ_EMIT_INSIDE ? "void" : sq_type_ctype(p->array->type));
    const char *name = sq_param_name(p);
    sq_emit_name(k, name, form == SQ_EMIT_FOREIGN && sq_is_header_word(name), to);
}

void sq_emit_param(const sq_kernel *k, const sq_param *p, bool foreign, sq_text *to)
{
    put_param(k, p, foreign ? SQ_EMIT_FOREIGN : SQ_EMIT_PUBLIC, to);
}

const char *sq_emit_params(const sq_kernel *k, sq_emit_form form, bool only_sizes, const char *more, sq_arena *arena)
{
    sq_text t = {0};
    for (int p = 0; p < k->nparams; p++) {
        if (!sq_param_shown(&k->param[p]) || (only_sizes && !k->param[p].size))
            continue;
        sq_text_puts(&t, t.n ? ", " : "");
        put_param(k, &k->param[p], form, &t);
    }
    if (more)
        sq_text_printf(&t, "%s%s", t.n ? ", " : "", more);
    else if (!t.n)
        sq_text_puts(&t, "void");
    return sq_text_take(&t, arena);
}

bool sq_emit_has_params(const sq_kernel *k, bool only_sizes)
{
    bool has = false;
    for (int p = 0; p < k->nparams && !has; p++)
        has = sq_param_shown(&k->param[p]) && (k->param[p].size || !only_sizes);
    return has;
}

const char *sq_param_ctype(const sq_param *q)
{
    return q->size     ? type_inside(q->size)
           : q->scalar ? sq_type_ctype(q->scalar->type)
                       : sq_type_ctype(q->array->type);
}

static void put_argument(const sq_param *q, int p, sq_text *to)
{
    if (q->array)
        sq_text_printf(to, "(%s%s *)arg[%d]", q->array->role == SQ_IN ? "const " : "", sq_param_ctype(q), p);
    else
        sq_text_printf(to, "*(const %s *)arg[%d]", sq_param_ctype(q), p);
}

void sq_emit_entry(const sq_kernel *k, const char *function, const char *entry, sq_text *to)
{
    int shown = 0;
    sq_text_line(to, "void %s(void *const *arg);", entry);
    sq_text_open(to, "void %s(void *const *arg)\n{", entry);
    sq_text_printf(to, "    (void)arg;\n    %s(", function);
    for (int p = 0; p < k->nparams; p++) {
        if (!sq_param_shown(&k->param[p]))
            continue;
        if (shown++)
            sq_text_puts(to, ", ");
        put_argument(&k->param[p], p, to);
    }
    sq_text_puts(to, ");\n");
    sq_text_close(to, "}");
}

void sq_print_provenance(const char *lines, sq_text *to)
{
    if (!lines || !*lines)
        return;
    sq_text_puts(to, "/* ");
    for (const char *c = lines; *c; c++) {
        if (*c == '\n' && !c[1])
            break;
        sq_text_putn(to, c, 1);
        if (*c == '\n')
            sq_text_puts(to, " * ");
    }
    sq_text_puts(to, " */\n");
}

bool sq_memory_none(const sq_memory *m)
{
    return m && !m->panels && !m->temporaries && !m->fallback;
}

void sq_memory_join(sq_memory *all, const sq_memory *one, bool first)
{
    if (first) {
        *all = *one;
        return;
    }
    bool differ = all->panels != one->panels || all->each_thread != one->each_thread;
    all->temporaries |= one->temporaries || differ; /* the number follows from the function */
    all->fallback |= one->fallback;
    all->panels = all->panels > one->panels ? all->panels : one->panels;
    all->each_thread = all->each_thread > one->each_thread ? all->each_thread : one->each_thread;
}

/* ---- what a caller has to know of the arrays ---- */

static bool is_param(const sq_kernel *k, const char *name)
{
    for (int p = 0; p < k->nparams; p++)
        if (strcmp(sq_param_name(&k->param[p]), name) == 0)
            return true;
    return false;
}

void sq_emit_renamed(const sq_kernel *k, const char *text, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    for (size_t n; *text; text += n) {
        for (n = 0; sq_is_word_byte(text[n]);)
            n++;
        const char *word = sq_arena_strndup(arena, text, n);
        if (n && sq_is_header_word(word) && is_param(k, word))
            sq_emit_name(k, word, true, to);
        else
            sq_text_putn(to, text, n ? n : 1);
        n += n == 0;
    }
    sq_arena_free(arena);
}

/* "N / 2 + 1", as C has it. */
static const char *extent_text(const sq_kernel *k, isl_aff *extent, sq_arena *arena)
{
    sq_text t = {0};
    sq_emit_renamed(k, sq_aff_text(k, extent, NULL, arena), &t);
    return sq_text_take(&t, arena);
}

/* "A[M][K]", under the names that the prototype has. */
static const char *shape_text(const sq_kernel *k, const sq_array *a, sq_arena *arena)
{
    sq_text t = {0};
    sq_emit_renamed(k, a->name, &t);
    a = sq_array_described(a);
    for (int x = 0; x < a->ndim; x++)
        sq_text_printf(&t, "[%s]", extent_text(k, a->extent[x], arena));
    sq_text_puts(&t, a->is_packed ? " packed" : "");
    return sq_text_take(&t, arena);
}

/* " *   reads   A[M][K], B[K][N]", in lines of a file's width; nothing where no array has the role. */
static void put_role(const sq_kernel *k, sq_role role, const char *verb, const char *margin,
                     sq_arena *arena, sq_text *to)
{
    enum { WIDTH = 98 };
    const char *front = sq_arena_printf(arena, "%s   %-7s ", margin, verb);
    size_t column = 0;
    for (int p = 0; p < k->nparams; p++) {
        const sq_array *a = k->param[p].array;
        if (!a || a->role != role)
            continue;
        const char *shape = shape_text(k, a, arena);
        bool breaks = column + strlen(shape) + 2 > WIDTH;
        if (column == 0)
            sq_text_puts(to, front);
        else
            sq_text_puts(to, breaks ? sq_arena_printf(arena, ",\n%s           ", margin) : ", ");
        column = (column == 0 || breaks ? strlen(front) : column + 2) + strlen(shape);
        sq_text_puts(to, shape);
    }
    if (column)
        sq_text_puts(to, "\n");
}

/* " *   Elements of I are 0 to V - 1: not checked." */
static void put_ranges(const sq_kernel *k, const char *margin, sq_arena *arena, sq_text *to)
{
    for (int p = 0; p < k->nparams; p++) {
        const sq_array *a = k->param[p].array ? sq_array_described(k->param[p].array) : NULL;
        if (!a || (!a->least && !a->most))
            continue;
        sq_text_printf(to, "%s   Elements of ", margin);
        sq_emit_renamed(k, a->name, to);
        const char *least = a->least                    ? extent_text(k, a->least, arena)
                            : sq_type_unsigned(a->type) ? "0"
                                                        : NULL;
        const char *most = a->most ? extent_text(k, a->most, arena) : NULL;
        if (least && most)
            sq_text_printf(to, " are %s to %s: not checked.\n", least, most);
        else
            sq_text_printf(to, " are at %s %s: not checked.\n", least ? "least" : "most", least ? least : most);
    }
}

void sq_emit_roles(const sq_kernel *k, const char *margin, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    put_role(k, SQ_IN, "reads", margin, arena, to);
    put_role(k, SQ_INOUT, "updates", margin, arena, to);
    put_role(k, SQ_OUT, "writes", margin, arena, to);
    put_ranges(k, margin, arena, to);
    sq_arena_free(arena);
}

bool sq_emit_may_overlap(const sq_kernel *k)
{
    for (int p = 0; p < k->nparams; p++)
        if (k->param[p].array && k->param[p].array->alias)
            return true;
    return false;
}

/* The version of what is declared, for the programs that call it: docs/VERSIONS.md. */
void sq_print_abi(const char *name, sq_text *to)
{
    sq_text_printf(to, "#define %s_MAJOR %d\n#define %s_MINOR %d\n", name, SQ_ABI_MAJOR, name,
                   SQ_ABI_MINOR);
}
