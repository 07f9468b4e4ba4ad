/* Block pool: where K finds its workspace. The emitted file keeps blocks that calls have left, so that a
 * call takes no new pages of the system. docs/CODEGEN.md, "Memory of a call", says why it is no memory of
 * threads. Candidates of a search leave these functions to a file of their own, since compiling them takes a tenth
 * of all that a small candidate takes. */
#include "codegen/file/function_inside.h"
#include "codegen/print/names.h"

/* K says that there is no memory, and does not end the program. */
static bool says(const sq_printer *p)
{
    return p->options->may_fail || p->options->has_codes;
}

/* The functions are in a file of their own. */
static bool is_apart(const sq_printer *p)
{
    return p->options->shares_pool && !says(p);
}

static void put_take(const sq_printer *p, const char *linkage, sq_text *to)
{
    sq_text_printf(to,
                   "/* Blocks of memory that calls leave to those after them. Each belongs to one "
                   "place here or to one call. */\n"
                   "static struct sq_block { size_t bytes; char memory[]; } *sq_kept[%d];\n\n"
                   "/* A block of at least that many bytes%s. */\n"
                   "%sstruct sq_block *sq_take(size_t bytes)\n{\n"
                   "    struct sq_block *b = NULL;\n"
                   "    for (int i = 0; i < %d && !b; i++)\n"
                   "        if (__atomic_load_n(&sq_kept[i], __ATOMIC_RELAXED))\n"
                   "            b = __atomic_exchange_n(&sq_kept[i], NULL, __ATOMIC_ACQUIRE);\n"
                   "    if (b && b->bytes >= bytes)\n        return b;\n"
                   "    free(b);\n",
                   SQ_POOL_PLACES, says(p) ? "; NULL where there is no memory" : "", linkage, SQ_POOL_PLACES);
    if (says(p))
        sq_text_puts(to, "    if ((b = calloc(1, sizeof *b + bytes)))\n        b->bytes = bytes;\n");
    else
        sq_text_printf(to,
                       "    if (!(b = calloc(1, sizeof *b + bytes)))\n        perror(\"%s\"), abort();\n"
                       "    b->bytes = bytes;\n",
                       p->function);
    sq_text_puts(to, "    return b;\n}\n\n");
}

/* The largest block that is kept. */
static void put_most(const sq_printer *p, sq_text *to)
{
    sq_text_printf(to, "%d%s", SQ_POOL_MOST, p->space.own > 0 ? " * (1 + (size_t)sq_threads())" : "");
}

/* A block goes to a place, what was there to the next one, until a place was empty. `most` is the largest that is kept:
 * a number, or a parameter. */
static void put_give_rest(const char *most, sq_text *to)
{
    sq_text_printf(to,
                   "    for (int i = 0; i < %d && b && b->bytes <= %s; i++) /* larger ones are not kept */\n"
                   "        b = __atomic_exchange_n(&sq_kept[i], b, __ATOMIC_ACQ_REL);\n"
                   "    free(b);\n}\n\n"
                   "/* When the program ends, or the library is unloaded. */\n"
                   "__attribute__((destructor)) static void sq_drop(void)\n{\n"
                   "    for (int i = 0; i < %d; i++)\n"
                   "        free(__atomic_exchange_n(&sq_kept[i], NULL, __ATOMIC_ACQUIRE));\n}\n\n",
                   SQ_POOL_PLACES, most, SQ_POOL_PLACES);
}

static const char declared[] = "/* In a file that K is linked with: a block of at least that many bytes, which larger "
                               "calls than `most` do not leave to others. */\n"
                               "struct sq_block { size_t bytes; char memory[]; };\n"
                               "#pragma GCC visibility push(hidden)\n"
                               "struct sq_block *sq_take(size_t bytes);\n"
                               "void sq_give(struct sq_block *b, size_t most);\n"
                               "#pragma GCC visibility pop\n\n";

void sq_pool_print(const sq_printer *p, sq_text *to)
{
    if (is_apart(p)) {
        sq_text_puts(to, declared);
        return;
    }
    put_take(p, "static ", to);
    sq_text most = {0};
    put_most(p, &most);
    sq_text_puts(to, "static void sq_give(struct sq_block *b)\n{\n");
    put_give_rest(sq_text_str(&most), to);
    sq_text_free(&most);
}

void sq_pool_call(const sq_printer *p, const char *bytes, const char *call, sq_text *to)
{
    sq_text give = {0};
    sq_text_puts(&give, "sq_give(@block");
    if (is_apart(p)) {
        sq_text_puts(&give, ", ");
        put_most(p, &give);
    }
    sq_text_line(to, "struct sq_block *const @block = sq_take(%s);", bytes);
    if (says(p))
        sq_text_line(to, "if (!@block)\n        return %d;", p->options->has_codes ? 2 : 1);
    sq_text_line(to, "%s;", call);
    sq_text_line(to, "%s);", sq_text_str(&give));
    sq_text_free(&give);
}

void sq_emit_pool(const sq_kernel *k, const char *function, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    const sq_emit_options none = {0};
    const sq_printer p = {.options = &none, .kernel = k, .function = function};
    const sq_schedule names = {.kernel = k};
    sq_text text = {0};
    sq_text_puts(&text, "#include <stdio.h>\n#include <stdlib.h>\n\n#pragma GCC visibility push(hidden)\n");
    put_take(&p, "", &text);
    sq_text_puts(&text, "void sq_give(struct sq_block *b, size_t most)\n{\n");
    put_give_rest("most", &text);
    sq_text_puts(&text, "#pragma GCC visibility pop\n");
    sq_names_settle(&names, NULL, sq_arena_printf(arena, "%s_", function), false, sq_text_str(&text), to);
    sq_text_free(&text);
    sq_arena_free(arena);
}
