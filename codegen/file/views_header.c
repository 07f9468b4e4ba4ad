/* Views, header: the types of views, and what a header declares for them. */
#include "codegen/emit.h"
#include "codegen/file/views.h"
#include "codegen/nest/ref.h"
#include "codegen/print/names.h"
#include "support/words.h"
#include <stdio.h>

/* ---- types ---- */

const char *sq_views_type(const sq_array *a, sq_arena *arena)
{
    const char *is_const = a->role == SQ_IN ? "const_" : "";
    return sq_arena_printf(arena, "squall_%s%s_%dd", is_const, sq_type_suffix(a->type), a->ndim);
}

static const char codes[] =
    "#ifndef SQUALL_VIEWS\n#define SQUALL_VIEWS\n"
    "/* Functions of arrays with strides return 0, or a code whose class is here; nothing has changed then. */\n"
    "enum {\n"
    "    SQUALL_VIEWS_SIZES = 1,   /* sizes are not accepted, or there is no workspace */\n"
    "    SQUALL_VIEWS_EXTENTS = 2, /* extents do not agree, an extent is negative, or there is no array at NULL */\n"
    "    SQUALL_VIEWS_OVERLAP = 3, /* elements that are written overlap each other, or another array */\n"
    "    SQUALL_VIEWS_MEMORY = 4   /* there is no memory for copies */\n"
    "};\n"
    "/* The array that a code is about, counted from 0 among the arrays; of EXTENTS its dimension, of\n"
    " * OVERLAP the other array. -1: none. */\n"
    "#define SQUALL_VIEWS_CLASS(code) ((code) & 15)\n"
    "#define SQUALL_VIEWS_ARRAY(code) (((code) >> 4 & 255) - 1)\n"
    "#define SQUALL_VIEWS_OTHER(code) (((code) >> 12) - 1)\n"
    "#endif\n";

static void put_type(const sq_array *a, sq_text *to)
{
    const char *type = sq_type_suffix(a->type), *c = sq_type_ctype(a->type);
    char guard[32];
    snprintf(guard, sizeof guard, "SQUALL_%s_%dD", type, a->ndim);
    for (char *g = guard; *g; g++)
        *g = *g >= 'a' && *g <= 'z' ? (char)(*g & ~0x20) : *g;
    sq_text_printf(to,
                   "#ifndef %s\n#define %s\n"
                   "/* %d dimension%s of %s: at is element 0; stride counts elements from one to the next. */\n",
                   guard, guard, a->ndim, a->ndim > 1 ? "s" : "", type);
    for (int is_const = 0; is_const < 2; is_const++) {
        char name[32];
        snprintf(name, sizeof name, "squall_%s%s_%dd", is_const ? "const_" : "", type, a->ndim);
        sq_text_printf(to, "typedef struct %s {\n    %s%s *at;\n    int64_t extent[%d], stride[%d];\n} %s;\n", name,
                       is_const ? "const " : "", c, a->ndim, a->ndim, name);
    }
    sq_text_puts(to, "#endif\n");
}

void sq_views_types(const sq_kernel *k, sq_text *to)
{
    sq_text_puts(to, codes);
    for (int p = 0; p < k->nparams; p++) {
        const sq_array *a = k->param[p].array;
        bool had = !a;
        for (int q = 0; q < p && !had; q++)
            had = k->param[q].array && k->param[q].array->type == a->type && k->param[q].array->ndim == a->ndim;
        if (!had)
            put_type(a, to);
    }
}

/* ---- parameters ---- */

static void put_param(const sq_views *v, const sq_param *p, sq_views_form as, sq_text *to)
{
    const char *name = sq_param_name(p);
    if (p->size && as == SQ_VIEWS_POINTERS) {
        sq_text_printf(to, "int64_t %s", name);
        return;
    }
    if (!p->array && as != SQ_VIEWS_ADDRESSES) {
        sq_emit_param(v->k, p, as == SQ_VIEWS_FOREIGN, to);
        return;
    }
    if (as != SQ_VIEWS_ADDRESSES)
        sq_text_printf(to, "%s%s %s", as == SQ_VIEWS_POINTERS ? "const " : "", sq_views_type(p->array, v->arena),
                       as == SQ_VIEWS_POINTERS ? "*" : "");
    else if (p->array)
        sq_text_puts(to, "&");
    else if (p->size->is_size_t)
        sq_text_puts(to, "(int64_t)");
    sq_emit_name(v->k, name, as == SQ_VIEWS_FOREIGN && sq_is_header_word(name), to);
}

void sq_views_params(const sq_views *v, sq_views_form as, bool all, const char *more, sq_text *to)
{
    const char *comma = "";
    for (int i = 0; i < v->k->nparams; i++) {
        const sq_param *p = &v->k->param[i];
        if (!sq_views_passes(v, p) || (p->scalar && !all))
            continue;
        sq_text_puts(to, comma);
        put_param(v, p, as, to);
        comma = ", ";
    }
    if (more)
        sq_text_printf(to, "%s%s", comma, more);
    else if (!*comma && as != SQ_VIEWS_ADDRESSES)
        sq_text_puts(to, "void");
}

/* ---- the header ---- */

/* "M, N"; of the sizes that are from there. */
static const char *names_of(const sq_views *v, sq_view_from from)
{
    sq_text t = {0};
    for (int s = 0; s < v->k->nsizes; s++)
        if (!v->k->size[s]->fixed && v->size[s].from == from)
            sq_text_printf(&t, "%s%s", t.n ? ", " : "", v->k->size[s]->name);
    return sq_text_take(&t, v->arena);
}

/* True if the shapes in the comment do not say what extents its view has. */
static bool differs(const sq_views *v, int i)
{
    bool any = false;
    for (int x = 0; x < v->array[i].array->ndim; x++)
        any |= v->array[i].used[x] != NULL;
    return any;
}

/* "[h][4 * w - 1 or more]" */
static void put_extents(const sq_views *v, int i, sq_text *to)
{
    for (int x = 0; x < v->array[i].array->ndim; x++)
        sq_text_printf(to, "[%s%s]", sq_aff_text(v->k, sq_views_extent(v, i, x), NULL, v->arena),
                       sq_views_may_exceed(v, i, x) ? " or more" : "");
}

/* Where sizes are from that are no parameters, and the extents that the shapes do not show. */
static void put_sizes(const sq_views *v, sq_text *to)
{
    const char *found = names_of(v, SQ_VIEW_EXTENT), *lengths = names_of(v, SQ_VIEW_LENGTH);
    if (*found)
        sq_text_printf(to, " * Extents say the sizes %s.", found);
    if (*lengths)
        sq_text_printf(to, "%s Strides say %s.", *found ? "" : " *", lengths);
    if (*found || *lengths)
        sq_text_puts(to, "\n");
    const char *before = " * Extents are";
    for (int i = 0; i < v->narrays; i++)
        if (differs(v, i)) {
            sq_text_printf(to, "%s %s", before, v->array[i].array->name);
            put_extents(v, i, to);
            before = ",";
        }
    sq_text_puts(to, *before == ',' ? ".\n" : "");
}

static void put_contract(const sq_views *v, const char *function, bool is_freestanding, sq_text *to)
{
    sq_text_printf(to,
                   "/* %s of arrays with strides, which may be negative or, in what is only read, 0. Arrays whose last "
                   "stride is 1 and\n * whose rows are as long as %s has them are used where they lie, others are "
                   "copied.\n",
                   function, function);
    put_sizes(v, to);
    sq_text_printf(to, " * Returns 0, or a code of SQUALL_VIEWS_... and has changed nothing.%s */\n",
                   is_freestanding ? "" : " Memory for copies is kept as that of a call is.");
    if (is_freestanding)
        sq_text_printf(to, "/* There is no %s_views: it would have to take memory. */\n", function);
}

static const char *own(const sq_views *v, const char *type, const char *name)
{
    return sq_emit_own(v->k, type, name, v->arena);
}

static void put_prototype(const sq_views *v, const sq_views_file *f, const char *start, bool all, const char *last,
                          sq_text *to)
{
    sq_visibility_put(f->api, to);
    sq_text_puts(to, start);
    sq_views_params(v, SQ_VIEWS_FOREIGN, all, last, to);
    sq_text_puts(to, ");\n");
}

/* K_views_on and its workspace. */
static void put_tasks(const sq_views *v, const sq_views_file *f, const char *function, sq_text *to)
{
    const char *threads = own(v, "int ", "threads"), *run = sq_arena_printf(v->arena, "%s_run ", function);
    sq_text_printf(to,
                   "/* %s_views_on is that with threads of yours, as %s_on has them: %s_views_on_workspace bytes. The "
                   "caller alone\n * makes copies. */\n",
                   function, function, function);
    put_prototype(v, f, sq_arena_printf(v->arena, "size_t %s_views_on_workspace(", function), false, threads, to);
    put_prototype(v, f, sq_arena_printf(v->arena, "int %s_views_on(", function), true,
                  sq_arena_printf(v->arena, "%s, %s, %s, %s", own(v, "void *", "workspace"), threads,
                                  own(v, run, "run"), own(v, "void *", "pool")),
                  to);
}

void sq_views_declare(const sq_views_file *f, const sq_kernel *k, const char *function, sq_text *to)
{
    sq_views *v = sq_views_of(k);
    put_contract(v, function, f->is_freestanding, to);
    if (!f->is_freestanding)
        put_prototype(v, f, sq_arena_printf(v->arena, "int %s_views(", function), true, NULL, to);
    sq_text_printf(to,
                   "/* %s_views_in works in the caller's memory, copies and %s_in: %s_views_workspace bytes, aligned "
                   "or\n * not; that is 0 where views are refused. */\n",
                   function, function, function);
    put_prototype(v, f, sq_arena_printf(v->arena, "size_t %s_views_workspace(", function), false, NULL, to);
    put_prototype(v, f, sq_arena_printf(v->arena, "int %s_views_in(", function), true, own(v, "void *", "workspace"),
                  to);
    if (f->has_tasks)
        put_tasks(v, f, function, to);
    sq_text_printf(to, "/* A code in words, with the names of the arrays. */\n");
    sq_visibility_put(f->api, to);
    sq_text_printf(to, "const char *%s_views_error(int code);\n", function);
    sq_views_free(v);
}

