/* Block pool: where K finds its workspace. The emitted file keeps blocks that calls have left, so that a
 * call takes no new pages of the system. docs/CODEGEN.md, "Memory of a call", says why it is no memory of
 * threads. */
#include "codegen/file/function_inside.h"

/* K says that there is no memory, and does not end the program. */
static bool says(const sq_printer *p)
{
    return p->options->may_fail || p->options->has_codes;
}

static void put_take(const sq_printer *p, sq_text *to)
{
    sq_text_printf(to,
                   "/* Blocks of memory that calls leave to those after them. Each belongs to one "
                   "place here or to one call. */\n"
                   "static struct sq_block {\n    size_t bytes;\n    char memory[];\n} "
                   "*sq_kept[%d];\n\n"
                   "/* A block of at least that many bytes%s. */\n"
                   "static struct sq_block *sq_take(size_t bytes)\n{\n"
                   "    struct sq_block *b = NULL;\n"
                   "    for (int i = 0; i < %d && !b; i++)\n"
                   "        if (__atomic_load_n(&sq_kept[i], __ATOMIC_RELAXED))\n"
                   "            b = __atomic_exchange_n(&sq_kept[i], NULL, __ATOMIC_ACQUIRE);\n"
                   "    if (b && b->bytes >= bytes)\n        return b;\n"
                   "    free(b);\n"
                   "    b = calloc(1, sizeof *b + bytes);\n",
                   SQ_POOL_PLACES, says(p) ? "; NULL where there is no memory" : "", SQ_POOL_PLACES);
    if (says(p))
        sq_text_puts(to, "    if (b)\n        b->bytes = bytes;\n    return b;\n}\n\n");
    else
        sq_text_printf(to,
                       "    if (!b)\n        perror(\"%s\"), abort();\n"
                       "    b->bytes = bytes;\n    return b;\n}\n\n",
                       p->function);
}

static void put_give(const sq_printer *p, sq_text *to)
{
    const char *threads = p->space.own > 0 ? " * (1 + (size_t)sq_threads())" : "";
    sq_text_printf(to,
                   "static void sq_give(struct sq_block *b)\n{\n"
                   "    const size_t most = %d%s; /* larger ones are not kept */\n"
                   "    for (int i = 0; i < %d && b->bytes <= most; i++) {\n"
                   "        struct sq_block *none = NULL;\n"
                   "        if (__atomic_compare_exchange_n(&sq_kept[i], &none, b, 0, "
                   "__ATOMIC_RELEASE, __ATOMIC_RELAXED))\n"
                   "            return;\n"
                   "    }\n"
                   "    free(b);\n}\n\n"
                   "/* When the program ends, or the library is unloaded. */\n"
                   "__attribute__((destructor)) static void sq_drop(void)\n{\n"
                   "    for (int i = 0; i < %d; i++)\n"
                   "        free(__atomic_exchange_n(&sq_kept[i], NULL, __ATOMIC_ACQUIRE));\n}\n\n",
                   SQ_POOL_MOST, threads, SQ_POOL_PLACES, SQ_POOL_PLACES);
}

void sq_pool_print(const sq_printer *p, sq_text *to)
{
    put_take(p, to);
    put_give(p, to);
}

void sq_pool_call(const sq_printer *p, const char *bytes, const char *call, sq_text *to)
{
    sq_text_line(to, "struct sq_block *const @block = sq_take(%s);", bytes);
    if (says(p))
        sq_text_line(to, "if (!@block)\n        return %d;", p->options->has_codes ? 2 : 1);
    sq_text_line(to, "%s;", call);
    sq_text_line(to, "sq_give(@block);");
}
