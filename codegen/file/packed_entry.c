/* Packed entry: calls of a function that takes packed arrays, for harnesses that have arrays as they are. */
#include "codegen/file/function_inside.h"
#include "codegen/file/packed.h"
#include <string.h>

static const char *given(const sq_kernel *k, const sq_array *a)
{
    return sq_arena_printf(k->arena, "squall_packed_%s", a->name);
}

/* "M, N, X, squall_packed_W, workspace": arguments of the function itself. */
static void put_arguments(const sq_kernel *k, bool all, const char *last, sq_text *to)
{
    const char *comma = "";
    for (int p = 0; p < k->nparams; p++) {
        const sq_param *q = &k->param[p];
        if (!(q->size ? sq_param_shown(q) : all))
            continue;
        sq_text_printf(to, "%s%s", comma, q->array && q->array->is_packed ? given(k, q->array) : sq_param_name(q));
        comma = ", ";
    }
    if (last)
        sq_text_printf(to, "%s%s", comma, last);
}

static void put_call(const sq_kernel *k, const char *function, bool all, const char *last, sq_text *to)
{
    sq_text_printf(to, "%s(", function);
    put_arguments(k, all, last, to);
    sq_text_puts(to, ")");
}

/* Packs an array into memory of its own, unless it is held. */
static void put_pack(const sq_kernel *k, const sq_array *a, const char *packs, sq_text *to)
{
    const char *name = given(k, a);
    sq_text_line(to, "static void *%s_from;", name);
    sq_text_line(to, "static char *%s;", name);
    sq_text_open(to, "if (!%s_from) {", name);
    sq_text_printf(to, "        __SIZE_TYPE__ squall_bytes = ");
    put_call(k, sq_packed_bytes(packs, a, k->arena), false, NULL, to);
    sq_text_puts(to, ";\n");
    sq_text_line(to, "%s_from = __builtin_malloc(squall_bytes + 128);", name);
    sq_text_line(to, "if (!%s_from)", name);
    sq_text_line(to, "    __builtin_abort();");
    sq_text_line(to, "%s = (char *)%s_from + (-(__UINTPTR_TYPE__)%s_from & 63);", name, name, name);
    sq_text_line(to, "__builtin_memset(%s + squall_bytes, 0xff, 64);", name);
    sq_text_printf(to, "        if (");
    put_call(k, sq_packed_function(packs, a, k->arena), false, sq_arena_printf(k->arena, "%s, %s", a->name, name), to);
    sq_text_puts(to, " != (squall_bytes ? 0 : 1))\n            __builtin_abort();\n");
    sq_text_line(to, "for (int squall_i = 0; squall_i < 64; squall_i++)");
    sq_text_line(to, "    if (((unsigned char *)%s)[squall_bytes + squall_i] != 0xff)", name);
    sq_text_line(to, "        __builtin_abort(); /* it wrote behind its end */");
    sq_text_close(to, "}");
}

static void put_free(const sq_kernel *k, const sq_array *a, sq_text *to)
{
    const char *name = given(k, a);
    sq_text_line(to, "__builtin_free(%s_from);", name);
    sq_text_line(to, "%s_from = 0;", name);
}

void sq_packed_wrap(const sq_kernel *k, const sq_packed_call *c, sq_text *to)
{
    sq_text_open(to, "static int %s(%s%s)\n{", c->wrapper, sq_emit_params(k, SQ_EMIT_INSIDE, false, NULL, k->arena),
                 c->declared ? c->declared : "");
    for (int p = 0; p < k->nparams; p++)
        if (k->param[p].array && k->param[p].array->is_packed)
            put_pack(k, k->param[p].array, c->packs, to);
    sq_text_puts(to, c->before ? c->before : "");
    sq_text_printf(to, "    int squall_code = ");
    put_call(k, c->function, true, c->passed, to);
    sq_text_puts(to, ";\n");
    if (c->holds)
        sq_text_open(to, "if (!%s) {", c->holds);
    for (int p = 0; p < k->nparams; p++)
        if (k->param[p].array && k->param[p].array->is_packed)
            put_free(k, k->param[p].array, to);
    if (c->holds)
        sq_text_close(to, "}");
    sq_text_line(to, "return squall_code;");
    sq_text_close(to, "}");
}

void sq_c_entry(const sq_kernel *k, const char *function, const char *entry, sq_text *to)
{
    if (!sq_packed_any(k)) {
        sq_emit_entry(k, function, entry, to);
        return;
    }
    const char *holds = sq_arena_printf(k->arena, "%s_holds", entry),
               *wrapper = sq_arena_printf(k->arena, "%s_packed", entry);
    sq_text_line(to, "/* Packs in each call, unless it is told to hold what is packed: calls are then timed. */");
    sq_text_line(to, "static int %s;", holds);
    sq_text_line(to, "void %s_hold(int on);\nvoid %s_hold(int on) { %s = on; }", entry, entry, holds);
    sq_packed_wrap(k, &(sq_packed_call){.wrapper = wrapper, .function = function, .packs = function, .holds = holds},
                   to);
    sq_emit_entry(k, wrapper, entry, to);
}
