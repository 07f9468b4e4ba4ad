/* Completion: transforms and the names that stand in their arguments, where a script stands: in the
 * braces of a .sched file, in a file that is a script, and behind -e in a comment of a description;
 * and the words of `#pragma squall`. */
#include "cli/lsp.h"
#include "support/words.h"
#include "transforms/script.h"
#include <string.h>

/* Kinds of the protocol. */
enum { FUNCTION = 3, FIELD = 5, VARIABLE = 6, KEYWORD = 14, CONSTANT = 21 };

static void add(json_t *list, const char *label, int kind, const char *detail, const char *doc)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(list, i), "label")), label) ==
            0)
            return;
    json_t *item = json_pack("{s:s, s:i}", "label", label, "kind", kind);
    if (detail)
        json_object_set_new(item, "detail", json_string(detail));
    if (doc)
        json_object_set_new(item, "documentation", json_string(doc));
    json_array_append_new(list, item);
}

static void add_all(json_t *list, const json_t *names, const char *key, int kind, const char *what)
{
    const json_t *words = json_object_get(names, key);
    for (size_t i = 0; i < json_array_size(words); i++)
        add(list, json_string_value(json_array_get(words, i)), kind, what, NULL);
}

/* ---- where ---- */

/* First byte behind the last `{` in front of `at` that no `}` closes; a comment is no code. */
static bool in_braces(const sq_lsp_document *x, size_t at, size_t *from)
{
    bool inside = false, comment = false;
    for (size_t i = 0; i < at; i++) {
        char c = x->text[i];
        comment = c == '#' ? true : c == '\n' ? false : comment;
        if (!comment && c == '{')
            *from = i + 1;
        if (!comment && (c == '{' || c == '}'))
            inside = c == '{';
    }
    return inside && !comment;
}

static size_t line_start(const sq_lsp_document *x, size_t at)
{
    while (at > 0 && x->text[at - 1] != '\n' && x->text[at - 1] != '\r')
        at--;
    return at;
}

/* Behind -e ' on the same line. */
static bool in_quotes(const sq_lsp_document *x, size_t at, size_t *from)
{
    bool inside = false;
    for (size_t i = line_start(x, at); i < at; i++) {
        bool opens =
            !inside && x->text[i] == '\'' && i >= 3 && memcmp(x->text + i - 3, "-e ", 3) == 0;
        if (opens)
            *from = i + 1;
        inside = opens || (inside && x->text[i] != '\'');
    }
    return inside;
}

bool sq_lsp_in_script(const sq_lsp_document *x, size_t at, size_t *from)
{
    *from = 0;
    return x->kind == SQ_LSP_SCRIPT ||
           (x->kind == SQ_LSP_SCHED ? in_braces(x, at, from) : in_quotes(x, at, from));
}

/* ---- what ---- */

/* The next kernel, or the last: a pragma, and a comment with a command, stand before theirs. */
static const json_t *names_near(const sq_lsp_document *x, size_t at)
{
    const int line = sq_lsp_line_of(x->text, at);
    for (size_t i = 0; i < json_array_size(x->names); i++) {
        const json_t *row = json_array_get(x->names, i);
        if (json_integer_value(json_object_get(row, "line")) > line)
            return row;
    }
    return sq_lsp_names_at(x, at);
}

/* tile(i:48) makes a loop i0. */
static void add_tiles(json_t *list, const sq_lsp_document *x, size_t from, size_t at)
{
    char name[64];
    for (size_t i = from; i < at; i++) {
        size_t n = 0;
        while (i + n < at && sq_is_word_byte(x->text[i + n]))
            n++;
        if (n > 0 && i + n < at && x->text[i + n] == ':' && n < sizeof name - 2 && i > 0 &&
            strchr("(, ", x->text[i - 1]) && i + n + 1 < at && x->text[i + n + 1] >= '0' &&
            x->text[i + n + 1] <= '9') {
            snprintf(name, sizeof name, "%.*s0", (int)n, x->text + i);
            add(list, name, VARIABLE, "loop of tiles", NULL);
        }
        i += n;
    }
}

/* True behind `i:` and in the product that begins there. */
static bool in_number(const sq_lsp_document *x, size_t from, size_t at)
{
    while (at > from && (sq_is_word_byte(x->text[at - 1]) || strchr("*/ \t", x->text[at - 1])))
        at--;
    return at > from && x->text[at - 1] == ':';
}

/* True if the call around is of that name: no brackets stand inside of others. */
static bool in_call_of(const sq_lsp_document *x, size_t from, size_t at, const char *name)
{
    size_t n = strlen(name);
    while (at > from && x->text[at - 1] != '(')
        at--;
    return at > from + n && memcmp(x->text + at - 1 - n, name, n) == 0;
}

static void complete_script(json_t *list, const sq_lsp_document *x, size_t from, size_t at)
{
    const json_t *names = sq_lsp_is_source(x) ? names_near(x, at) : sq_lsp_names_at(x, at);
    int depth = 0;
    for (size_t i = from; i < at; i++)
        depth += x->text[i] == '(' ? 1 : x->text[i] == ')' && depth > 0 ? -1 : 0;
    for (const sq_transform *t = sq_transforms; t->name && depth == 0; t++)
        add(list, t->name, FUNCTION, t->args, t->doc);
    add_all(list, names, "statements", FIELD, "statement");
    if (depth == 0)
        return;
    if (in_number(x, from, at)) {
        for (const sq_script_unit *u = sq_script_units; u->name && !in_call_of(x, from, at, "auto"); u++)
            add(list, u->name, CONSTANT, u->doc, NULL);
        return;
    }
    add_all(list, names, "loops", VARIABLE, "loop");
    add_tiles(list, x, from, at);
    add_all(list, names, "arrays", CONSTANT, "array");
    add(list, "at", KEYWORD, NULL, NULL);
    add(list, "as", KEYWORD, NULL, NULL);
}

/* True if the word stands in the line. */
static bool is_named(const char *line, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = strstr(line, word); p; p = strstr(p + 1, word))
        if (!sq_is_word_byte(p[n]) && (p == line || !sq_is_word_byte(p[-1])))
            return true;
    return false;
}

/* A line names every parameter once: those that it has not named up to here. */
static void add_parameters(json_t *list, const json_t *names, const char *line)
{
    const json_t *words = json_object_get(names, "parameters");
    for (size_t i = 0; i < json_array_size(words); i++)
        if (!is_named(line, json_string_value(json_array_get(words, i))))
            add(list, json_string_value(json_array_get(words, i)), VARIABLE, "parameter", NULL);
}

static void complete_pragma(json_t *list, const sq_lsp_document *x, size_t at)
{
    static const struct {
        const char *before, *words[4];
    } forms[] = {{"fp ", {"strict", "reassoc", "fast"}}, {"", {"tune", "fp", "parameters"}}};
    size_t start = line_start(x, at), n = at - start;
    char line[1024];
    snprintf(line, sizeof line, "%.*s", (int)(n < sizeof line ? n : sizeof line - 1),
             x->text + start);
    const char *p = line + strspn(line, " \t");
    if (*p++ != '#' || strncmp(p += strspn(p, " \t"), "pragma", 6) != 0)
        return;
    p += 6 + strspn(p + 6, " \t");
    if (strncmp(p, "squall", 6) != 0) {
        add(list, "squall", KEYWORD, NULL, NULL);
        return;
    }
    p += 6 + strspn(p + 6, " \t");
    if (strncmp(p, "tune ", 5) == 0) {
        add_all(list, names_near(x, at), "sizes", VARIABLE, "size");
        return;
    }
    if (strncmp(p, "parameters ", 11) == 0) {
        add_parameters(list, names_near(x, at), p + 11);
        return;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strncmp(p, forms[i].before, strlen(forms[i].before)) != 0)
            continue;
        for (int w = 0; forms[i].words[w]; w++)
            add(list, forms[i].words[w], KEYWORD, NULL, NULL);
        return;
    }
}

json_t *sq_lsp_complete(const sq_lsp_document *x, const json_t *params, bool *wait)
{
    size_t at = sq_lsp_offset(x->text, x->n, json_object_get(params, "position")), from;
    *wait = !x->names && x->worker.pid && !x->worker.has_spoken;
    if (*wait)
        return NULL;
    json_t *list = json_array();
    if (sq_lsp_in_script(x, at, &from))
        complete_script(list, x, from, at);
    else if (sq_lsp_is_source(x))
        complete_pragma(list, x, at);
    return list;
}
