/* Packed header: what callers have to know of the functions that pack. */
#include "codegen/file/packed.h"
#include "codegen/print/names.h"

/* "const float *W, void *to" */
static const char *source_of(const sq_kernel *k, const sq_array *a)
{
    sq_text t = {0};
    sq_text_printf(&t, "const %s *", sq_type_ctype(a->type));
    sq_emit_renamed(k, a->name, &t);
    sq_text_printf(&t, ", %s", sq_emit_own(k, "void *", "to", k->arena));
    return sq_text_take(&t, k->arena);
}

static void put_array(const sq_kernel *k, const sq_array *a, const char *api, const char *function, sq_text *to)
{
    const char *pack = sq_packed_function(function, a, k->arena), *bytes = sq_packed_bytes(function, a, k->arena);
    sq_text_printf(
        to,
        "/* %s packs %s into %s bytes that begin at a multiple of 64: once, for all calls of\n"
        " * %s with sizes that agree in those of %s. It returns 0, or one of SQUALL_ERROR_...; %s\n"
        " * returns 0 for sizes that are not accepted. What is packed may be moved and stored. It begins with "
        "a number\n * of its layout, which depends on the target and on the schedule, and of its sizes: "
        "%s compares it, and\n * returns SQUALL_ERROR_PACKED for other memory. Threads may call these functions "
        "at the same time. */\n",
        pack, a->name, bytes, function, a->name, bytes, function);
    sq_visibility_put(api, to);
    sq_text_printf(to, "size_t %s(%s);\n", bytes, sq_emit_params(k, SQ_EMIT_FOREIGN, true, NULL, k->arena));
    sq_visibility_put(api, to);
    sq_text_printf(to, "int %s(%s);\n", pack, sq_emit_params(k, SQ_EMIT_FOREIGN, true, source_of(k, a), k->arena));
}

void sq_packed_declare(const sq_kernel *k, const char *api, const char *function, sq_text *to)
{
    for (int p = 0; p < k->nparams; p++)
        if (k->param[p].array && k->param[p].array->is_packed)
            put_array(k, k->param[p].array, api, function, to);
}
