/* Region names: local names of emitted text that are names of the file, too, get others. They would
 * be right as they are, but -Wshadow is part of many builds. */
#include "cli/region.h"
#include "support/words.h"
#include <ctype.h>
#include <string.h>

/* What a global name is called in the text. */
typedef struct renaming {
    const sq_region *region;
    sq_arena *arena;
    const char *text;
    const char **fresh; /* of each global; NULL: not asked for yet */
} renaming;

static bool is_taken(const renaming *n, const char *name)
{
    const sq_region *r = n->region;
    bool taken = sq_text_mentions(n->text, name);
    for (int i = 0; i < r->nglobals; i++)
        taken |= strcmp(r->global[i], name) == 0;
    for (int i = 0; i < r->nmacros; i++)
        taken |= strcmp(r->macro[i], name) == 0;
    return taken;
}

/* NULL: it keeps its name. */
static const char *other_name(renaming *n, const char *word, size_t length)
{
    for (int i = 0; i < n->region->nglobals; i++) {
        const char *global = n->region->global[i];
        if (strlen(global) != length || strncmp(global, word, length) != 0)
            continue;
        if (!n->fresh[i])
            n->fresh[i] = sq_arena_printf(n->arena, "%s_", global);
        while (is_taken(n, n->fresh[i]))
            n->fresh[i] = sq_arena_printf(n->arena, "%s_", n->fresh[i]);
        return n->fresh[i];
    }
    return NULL;
}

/* Behind the bracket that closes the first one at or behind `at`. */
static const char *past_brackets(const char *at)
{
    int depth = 0;
    for (at += strcspn(at, "("); *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            return at + 1;
    }
    return at;
}

/* How a loop is shared is said by words that are no names. */
static bool is_clause(const char *word, size_t n)
{
    static const char *const words[] = {"dynamic", "guided", "runtime", "monotonic"};
    bool is = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is |= strlen(words[i]) == n && strncmp(words[i], word, n) == 0;
    return is;
}

/* The end of what holds no local names, where `at` is its start, else `at`: comments, texts,
 * attributes, directives but for the arguments of those of OpenMP. */
static const char *past_other(const char *at, bool *is_omp)
{
    static const char attribute[] = "__attribute__", omp[] = "#pragma omp ";
    if (strncmp(at, "/*", 2) == 0) {
        const char *end = strstr(at, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at == '"')
        return at + 1 + strcspn(at + 1, "\"") + 1;
    if (strncmp(at, omp, strlen(omp)) == 0) {
        *is_omp = true;
        return at + strcspn(at, "(\n");
    }
    if (*at == '#')
        return at + strcspn(at, "\n");
    return strncmp(at, attribute, strlen(attribute)) == 0 ? past_brackets(at) : at;
}

void sq_region_rename(const sq_region *r, const char *text, sq_text *to)
{
    renaming n = {r, r->arena, text, SQ_NEW_ARRAY(r->arena, const char *, r->nglobals + 1)};
    for (bool is_omp = false; *text;) {
        is_omp &= *text != '\n';
        const char *end = past_other(text, &is_omp), *other = NULL;
        if (end == text)
            while (sq_is_word_byte(*end))
                end++;
        else {
            sq_text_putn(to, text, (size_t)(end - text));
            text = end;
            continue;
        }
        size_t length = (size_t)(end - text);
        /* no local name is called */
        if (length && !isdigit((unsigned char)*text) && *end != '(' &&
            !(is_omp && is_clause(text, length)))
            other = other_name(&n, text, length);
        if (other)
            sq_text_puts(to, other);
        else
            sq_text_putn(to, text, length ? length : 1);
        text += length ? length : 1;
    }
}
