/* Workspace: where temporaries live. Short ones of known size have thread-local memory; others lie
 * in one piece that the caller gives, or that is taken from malloc in every call. */
#include "codegen/base.h"
#include "codegen/function_inside.h"
#include "codegen/text_of.h"
#include <math.h>
#include <string.h>

enum { SHORT_BYTES = 65536 }; /* of a temporary that every thread may keep a copy of */

static bool lives_in_workspace(const sq_array *a)
{
    double bytes = sq_type_bytes(a->type);
    for (int x = 0; x < a->ndim; x++) {
        int64_t e = sq_array_extent(a, x);
        if (e < 0)
            return a->role == SQ_LOCAL;
        bytes *= (double)e;
    }
    return a->role == SQ_LOCAL && bytes > SHORT_BYTES;
}

bool sq_function_allocates(const sq_kernel *k)
{
    for (int i = 0; i < k->narrays; i++)
        if (lives_in_workspace(k->array[i]))
            return true;
    return false;
}

static int64_t elements(const sq_array *a)
{
    int64_t n = 1;
    for (int x = 0; x < a->ndim; x++)
        n *= sq_array_extent(a, x);
    return n > 0 ? n : 1;
}

void sq_workspace_take(sq_printer *p, const sq_array *a)
{
    const char *c = sq_type_ctype(a->type);
    sq_text bytes = {0};
    for (int x = 0; x < a->ndim; x++)
        sq_text_puts(&bytes, "sq_times(");
    sq_text_printf(&bytes, "sizeof(%s)", c);
    for (int x = 0; x < a->ndim; x++)
        sq_text_printf(&bytes, ", %s)", sq_aff_text(p->kernel, a->extent[x], p->arena));
    sq_text_line(&p->memory, "%s *const %s = (%s *)(void *)@space;", c, a->name, c);
    sq_text_line(&p->memory, "@space += sq_lines(%s);", sq_text_str(&bytes));
    sq_text_line(&p->bytes, "@bytes = sq_plus(@bytes, sq_lines(%s));", sq_text_str(&bytes));
    sq_text_free(&bytes);
}

void sq_function_locals(sq_printer *p)
{
    p->bytes.indent = 1;
    for (int i = 0; i < p->kernel->narrays; i++) {
        const sq_array *a = p->kernel->array[i];
        const char *c = sq_type_ctype(a->type);
        if (a->role != SQ_LOCAL || !sq_text_mentions(sq_text_str(&p->body), a->name))
            continue; /* a parameter, or contracted to registers */
        if (lives_in_workspace(a)) {
            sq_workspace_take(p, a);
        } else if (a->ndim == 0) {
            sq_text_line(&p->memory, "%s %s_memory = 0, *const %s = &%s_memory;", c, a->name,
                         a->name, a->name);
        } else {
            sq_print_memory(a->name, c, elements(a), &p->memory);
            sq_print_pointer(a->name, c, &p->memory);
        }
    }
}

static const char byte_helpers[] =
    "/* Bytes: counted so that what cannot be addressed stays too much for malloc. */\n"
    "SQ_INLINE size_t sq_times(size_t n, int64_t extent)\n"
    "{\n"
    "    size_t r;\n"
    "    if (extent <= 0)\n"
    "        return 0;\n"
    "    return __builtin_mul_overflow(n, (size_t)extent, &r) || r > PTRDIFF_MAX / 2 ? PTRDIFF_MAX "
    "/ 2 : r;\n"
    "}\n"
    "SQ_INLINE size_t sq_lines(size_t n) { return (n + 63) / 64 * 64; }\n"
    "SQ_INLINE size_t sq_plus(size_t a, size_t b) { return a > PTRDIFF_MAX - b ? PTRDIFF_MAX : a + "
    "b; }\n\n";

void sq_workspace_helpers(const sq_printer *p, sq_text *to)
{
    if (p->bytes.n)
        sq_text_puts(to, byte_helpers);
}

void sq_workspace_bytes(const sq_printer *p, sq_text *to)
{
    sq_text inner = {.indent = 1};
    if (!p->bytes.n)
        return;
    sq_text_line(&inner, "size_t @bytes = 64; /* to align the first */");
    sq_text_puts(&inner, sq_text_str(&p->bytes));
    sq_text_line(&inner, "return @bytes;");
    sq_function_of_sizes(p->kernel, "static SQ_TARGET size_t sq_bytes", &inner, to);
}

void sq_workspace_print(const sq_printer *p, bool check, const char *linkage, sq_text *to)
{
    sq_text sizes = {0};
    sq_emit_sizes(p->kernel, false, &sizes);
    if (!*linkage && !p->options->header)
        sq_text_printf(to, "size_t %s_workspace(%s);\n", p->function, sq_text_str(&sizes));
    sq_text_printf(to, "%ssize_t %s_workspace(%s)\n{\n", linkage, p->function, sq_text_str(&sizes));
    sq_text inner = {0};
    const char *none = "0";
    if (p->plain)
        none = sq_function_call_plain(p, "_workspace", SQ_LIST_SIZES, NULL);
    sq_function_unfit(p, check, sq_arena_printf(p->arena, "\n        return %s;\n", none), &inner);
    if (p->bytes.n) {
        sq_text_puts(&inner, "    return sq_bytes(");
        sq_function_list(p->kernel, SQ_LIST_SIZES, false, NULL, &inner);
        sq_text_puts(&inner, ");\n");
    } else {
        sq_text_puts(&inner, "    return 0;\n");
    }
    to->indent = 1;
    sq_function_unused(p->kernel, SQ_LIST_SIZES, &inner, to);
    to->indent = 0;
    sq_text_printf(to, "%s}\n\n", sq_text_str(&inner));
    sq_text_free(&inner);
    sq_text_free(&sizes);
}

void sq_workspace_allocating(const sq_printer *p, sq_text *to)
{
    sq_function_head(p, "", NULL, to);
    sq_text_printf(to, "    const size_t @bytes = %s_workspace(", p->function);
    sq_function_list(p->kernel, SQ_LIST_SIZES, false, NULL, to);
    sq_text_printf(to,
                   ");\n"
                   "    void *const @workspace = @bytes ? malloc(@bytes) : NULL;\n"
                   "    if (@bytes && !@workspace)\n"
                   "        abort();\n"
                   "    %s_in(",
                   p->function);
    sq_function_list(p->kernel, SQ_LIST_ALL, false, "@workspace", to);
    sq_text_puts(to, ");\n    free(@workspace);\n}\n");
}
