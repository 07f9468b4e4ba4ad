/* Fixes: what a message suggests, as an edit of the text. */
#include "cli/lsp.h"
#include "support/words.h"
#include <string.h>

/* Where the word stands in [from, to), not as a part of another; `to`: nowhere. */
static size_t find(const char *text, size_t from, size_t to, const char *word, size_t n)
{
    for (size_t at = from; at + n <= to; at++)
        if (memcmp(text + at, word, n) == 0 && (at == 0 || !sq_is_word_byte(text[at - 1])) &&
            (at + n == to || !sq_is_word_byte(text[at + n])))
            return at;
    return to;
}

json_t *sq_lsp_fix(const char *text, size_t n, size_t at, const char *wrong, const char *meant)
{
    size_t length = strlen(wrong);
    if (at >= n || !length)
        return NULL;
    int line = sq_lsp_line_of(text, at);
    size_t first = sq_lsp_line(text, n, line), last = sq_lsp_line(text, n, line + 1);
    size_t place = find(text, at, last, wrong, length);
    if (place == last)
        place = find(text, first, last, wrong, length);
    if (place == last)
        return NULL;
    return json_pack("{s:o, s:s, s:o}", "range", sq_lsp_range(text, n, place, place + length), "newText", meant,
                     "title", json_sprintf("replace '%s' by '%s'", wrong, meant));
}

static bool is_before(const json_t *a, const json_t *b)
{
    json_int_t la = json_integer_value(json_object_get(a, "line"));
    json_int_t lb = json_integer_value(json_object_get(b, "line"));
    return la < lb || (la == lb && json_integer_value(json_object_get(a, "character")) <
                                       json_integer_value(json_object_get(b, "character")));
}

static bool overlap(const json_t *a, const json_t *b)
{
    return !is_before(json_object_get(a, "end"), json_object_get(b, "start")) &&
           !is_before(json_object_get(b, "end"), json_object_get(a, "start"));
}

json_t *sq_lsp_actions(const sq_lsp_document *x, const json_t *params, bool *wait)
{
    const json_t *range = json_object_get(params, "range");
    json_t *list = json_array();
    *wait = x->worker.pid && !x->worker.has_spoken;
    for (size_t i = 0; i < json_array_size(x->diagnostics) && !*wait; i++) {
        json_t *found = json_array_get(x->diagnostics, i), *fix = json_object_get(found, "data");
        if (!fix || !overlap(json_object_get(found, "range"), range))
            continue;
        json_t *edits = json_pack("[{s:O, s:O}]", "range", json_object_get(fix, "range"), "newText",
                                  json_object_get(fix, "newText"));
        json_array_append_new(list, json_pack("{s:O, s:s, s:b, s:[O], s:{s:{s:o}}}", "title",
                                              json_object_get(fix, "title"), "kind", "quickfix",
                                              "isPreferred", 1, "diagnostics", found, "edit",
                                              "changes", x->uri, edits));
    }
    return list;
}
