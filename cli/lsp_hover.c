/* Hover: what `squall explain` says of the kernel, the loop or the statement under the cursor, and what
 * a transform does, in Markdown. */
#include "cli/lsp.h"
#include "transforms/transform.h"
#include <string.h>

static const char *string_of(const json_t *row, const char *key)
{
    const char *s = json_string_value(json_object_get(row, key));
    return s ? s : "";
}

static int line_of(const json_t *row)
{
    return (int)json_integer_value(json_object_get(row, "line"));
}

const json_t *sq_lsp_names_at(const sq_lsp_document *x, size_t at)
{
    int line = sq_lsp_line_of(x->text, at);
    const json_t *last = NULL;
    for (size_t i = 0; i < json_array_size(x->names); i++) {
        const json_t *row = json_array_get(x->names, i);
        if (line_of(row) <= line && (!last || line_of(row) >= line_of(last)))
            last = row;
    }
    return last;
}

/* The facts of the kernel that the byte is in. */
static const json_t *facts_at(const sq_lsp_document *x, size_t at)
{
    const json_t *names = sq_lsp_names_at(x, at);
    for (size_t i = 0; names && i < json_array_size(x->facts); i++) {
        const json_t *row = json_array_get(x->facts, i);
        if (strcmp(string_of(row, "kernel"), string_of(names, "kernel")) == 0)
            return row;
    }
    return NULL;
}

static void put_verdict(sq_text *to, const json_t *row, const char *what)
{
    const json_t *v = json_object_get(row, what);
    sq_text_printf(to, "- %s: **%s**, %s\n", what,
                   json_is_true(json_object_get(v, "can")) ? "yes" : "no", string_of(v, "why"));
}

static bool holds(const json_t *list, const char *text)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_array_get(list, i)), text) == 0)
            return true;
    return false;
}

static void put_loop(sq_text *to, const json_t *loop)
{
    const json_t *stmts = json_object_get(loop, "statements");
    sq_text_printf(to, "%s `%s` around",
                   json_is_true(json_object_get(loop, "sum")) ? "reduction over" : "loop",
                   string_of(loop, "name"));
    for (size_t i = 0; i < json_array_size(stmts); i++)
        sq_text_printf(to, "%s %s", i ? "," : "", json_string_value(json_array_get(stmts, i)));
    sq_text_puts(to, "\n\n");
    put_verdict(to, loop, "parallel");
    put_verdict(to, loop, "vector");
    put_verdict(to, loop, "tile");
    sq_text_puts(to, "\n");
}

/* The loops of that name: around statement `stmt`, if one of them is, else all. */
static void put_loops(sq_text *to, const json_t *facts, const char *name, const char *stmt)
{
    const json_t *loops = json_object_get(facts, "loops");
    for (int narrow = stmt != NULL; narrow >= 0 && !to->n; narrow--)
        for (size_t i = 0; i < json_array_size(loops); i++) {
            const json_t *loop = json_array_get(loops, i);
            if (strcmp(string_of(loop, "name"), name) == 0 &&
                (!narrow || holds(json_object_get(loop, "statements"), stmt)))
                put_loop(to, loop);
        }
}

static void put_statement(sq_text *to, const json_t *stmt)
{
    json_int_t lanes = json_integer_value(json_object_get(stmt, "lanes"));
    const json_t *forward = json_object_get(stmt, "forward");
    sq_text_printf(to, "statement `%s` writes `%s`", string_of(stmt, "name"),
                   string_of(stmt, "writes"));
    if (lanes > 0)
        sq_text_printf(to, "; compiled: vectors of %lld", (long long)lanes);
    else if (lanes == 0)
        sq_text_puts(to, "; compiled: one point at a time");
    if (forward)
        sq_text_printf(to, "; %s%s",
                       json_is_true(json_object_get(forward, "can")) ? "" : "not inlined: ",
                       string_of(forward, "why"));
    sq_text_puts(to, "\n\n");
}

/* The statement that stands on the line, or goes on there. */
static const json_t *statement_at(const json_t *facts, int line)
{
    const json_t *stmts = json_object_get(facts, "statements"), *last = NULL;
    for (size_t i = 0; i < json_array_size(stmts); i++) {
        const json_t *row = json_array_get(stmts, i);
        if (line_of(row) <= line && (!last || line_of(row) > line_of(last)))
            last = row;
    }
    return last;
}

/* What an innermost loop does a step; a tile that no loop runs through has no steps. */
static void put_counts(sq_text *to, const json_t *facts)
{
    const json_t *counts = json_object_get(facts, "counts");
    for (size_t i = 0; i < json_array_size(counts); i++) {
        const json_t *row = json_array_get(counts, i), *n = json_object_get(row, "count");
        const char *along = string_of(row, "along");
        sq_text_printf(to, *along ? "- a step along `%s` of" : "- a tile%s of", along);
        sq_text_printf(to, " %s: %.4g multiply-adds, %.4g loads, %.4g stores\n", string_of(row, "statements"),
                       json_number_value(json_object_get(n, "multiply_adds")),
                       json_number_value(json_object_get(n, "loads")),
                       json_number_value(json_object_get(n, "stores")));
    }
}

/* What its function takes, in which order. */
static void put_call(sq_text *to, const json_t *names, const char *kernel)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        const json_t *row = json_array_get(names, i), *list = json_object_get(row, "parameters");
        if (strcmp(string_of(row, "kernel"), kernel) != 0)
            continue;
        sq_text_printf(to, "parameters of the function: `");
        for (size_t p = 0; p < json_array_size(list); p++)
            sq_text_printf(to, "%s%s", p ? ", " : "", json_string_value(json_array_get(list, p)));
        sq_text_puts(to, "`\n\n");
        return;
    }
}

static void put_kernel(sq_text *to, const json_t *facts, const json_t *names)
{
    const json_t *stmts = json_object_get(facts, "statements"),
                 *pairs = json_object_get(facts, "pairs");
    sq_text_printf(to, "kernel `%s`\n\n", string_of(facts, "kernel"));
    put_call(to, names, string_of(facts, "kernel"));
    for (size_t i = 0; i < json_array_size(stmts); i++)
        put_statement(to, json_array_get(stmts, i));
    put_counts(to, facts);
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *row = json_array_get(pairs, i), *fuse = json_object_get(row, "fuse");
        sq_text_printf(
            to, "- %s with %s: fuse **%s**, %s\n", string_of(row, "first"), string_of(row, "then"),
            json_is_true(json_object_get(fuse, "can")) ? "yes" : "no", string_of(fuse, "why"));
    }
}

static void put_transform(sq_text *to, const char *name)
{
    const sq_transform *t = sq_transform_get(name);
    if (t)
        sq_text_printf(to, "`%s`\n\n%s\n\nfor example on gemm: `%s`\n", t->args, t->doc,
                       t->example);
}

/* The name without a tile's number: `i0` -> `i`. */
static void cut_number(char *name)
{
    size_t n = strlen(name);
    while (n > 1 && name[n - 1] >= '0' && name[n - 1] <= '9')
        name[--n] = 0;
}

/* Of a word; nothing where nothing is known of it. */
static void put_word(sq_text *to, const sq_lsp_document *x, char *word, size_t at)
{
    size_t from;
    const json_t *facts = facts_at(x, at), *stmt = NULL, *row;
    bool script = sq_lsp_in_script(x, at, &from);
    if (script)
        put_transform(to, word);
    if (!to->n && facts && strcmp(word, string_of(facts, "kernel")) == 0)
        put_kernel(to, facts, x->names);
    if (sq_lsp_is_source(x) && !script)
        stmt = statement_at(facts, sq_lsp_line_of(x->text, at));
    if (!to->n)
        put_loops(to, facts, word, stmt ? string_of(stmt, "name") : NULL);
    const json_t *stmts = json_object_get(facts, "statements");
    for (size_t i = 0; i < json_array_size(stmts) && !to->n; i++)
        if (strcmp(string_of(row = json_array_get(stmts, i), "name"), word) == 0)
            put_statement(to, row);
    if (!to->n && script) {
        cut_number(word);
        put_loops(to, facts, word, NULL);
    }
    if (!to->n && stmt)
        put_statement(to, stmt);
}

json_t *sq_lsp_hover(const sq_lsp_document *x, const json_t *params, bool *wait)
{
    size_t at = sq_lsp_offset(x->text, x->n, json_object_get(params, "position")), from, to;
    *wait = x->worker.pid != 0;
    if (*wait || !sq_lsp_word(x->text, x->n, at, &from, &to))
        return NULL;
    sq_text word = {0}, text = {0};
    sq_text_putn(&word, x->text + from, to - from);
    put_word(&text, x, word.s, from);
    json_t *out = NULL;
    if (text.n)
        out = json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", "markdown", "value",
                        sq_lsp_string(text.s), "range", sq_lsp_range(x->text, x->n, from, to));
    sq_text_free(&word);
    sq_text_free(&text);
    return out;
}
