/* Products: bounds of loops, i < im.w * im.h * im.c and i < w*h, as variables of their own. To isl two sizes that are
 * multiplied are no size. The same product in a subscript, j*im.w*im.h + i, has the same name then: j*n + i. Subscripts
 * whose loops run to each factor by itself keep theirs, which say the shape of the array (flat.c). */
#include "frontend/members_inside.h"
#include "support/text.h"
#include "support/words.h"
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Adds the factors of c, numbers in variables or members; false where it is no product of such alone. */
static bool add_factors(sq_member_finder *f, CXCursor c, sq_mention *m, const char **text)
{
    int n;
    size_t from, to, first, last;
    c = sq_cursor_strip(f->r, c);
    if (c.kind == CXCursor_BinaryOperator &&
        f->r->cl->clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Mul) {
        CXCursor *child = sq_cursor_children(f->r, c, &n);
        return n == 2 && add_factors(f, child[0], m, text) && add_factors(f, child[1], m, text);
    }
    CXType t = f->r->cl->clang_getCanonicalType(f->r->cl->clang_getCursorType(c));
    if (m->n == SQ_MOST_FACTORS || t.kind != CXType_Int || sq_member_is_volatile(f, c))
        return false;
    if (!sq_member_base(f, c, &m->base[m->n]) || !sq_scop_span(f->r, c, &from, &to) || to <= from)
        return false;
    bool in_call = sq_member_in_call(f, c, &first, &last), is_path = sq_member_is_path(f->text + from, to - from, true);
    text[m->n] = in_call   ? sq_member_path(f, c)
                 : is_path ? sq_arena_strndup(f->r->arena, f->text + from, to - from)
                           : NULL;
    if (!text[m->n])
        return false;
    m->arrow[m->n] = strstr(text[m->n], "->") != NULL;
    m->n++;
    return true;
}

static int by_letters(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "im.h*im.w" of both im.w*im.h and im.h * im.w. */
static const char *key_of(const sq_member_finder *f, const char **text, int n)
{
    const char *sorted[SQ_MOST_FACTORS], *key = "";
    memcpy(sorted, text, (size_t)n * sizeof *text);
    qsort(sorted, (size_t)n, sizeof *sorted, by_letters);
    for (int i = 0; i < n; i++)
        key = sq_arena_printf(f->r->arena, "%s%s%s", key, i ? "*" : "", sorted[i]);
    return key;
}

/* True if the text is nothing but names, members, * and blanks. */
static bool is_simple(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!sq_is_word_byte(text[i]) && !strchr(".->* \t", text[i]))
            return false;
    return true;
}

/* The product wherever a macro that stands for a call, or for other macros, has it in the order of the bound. */
static void take_in_call(sq_member_finder *f, sq_mention m, const char **factor, const char *times)
{
    size_t from = m.from, to = m.to;
    m.text = factor[0];
    for (int i = 1; i < m.n; i++)
        m.text = sq_arena_printf(f->r->arena, "%s%s%s", m.text, times, factor[i]);
    for (size_t at = from; (at = sq_member_find(f, m.text, at, to)) < to; at = m.to) {
        size_t before = at;
        m.from = at;
        m.to = at + strlen(m.text);
        while (before > from && is_blank(f->text[before - 1]))
            before--;
        if (before == from || strchr("+-*([,?:<>=", f->text[before - 1]))
            sq_member_mention(f, &m);
    }
}

void sq_member_bound(sq_member_finder *f, CXCursor loop)
{
    int n, sides;
    CXCursor *part = sq_cursor_children(f->r, loop, &n);
    if (n != 4 || part[1].kind != CXCursor_BinaryOperator)
        return;
    CXCursor *side = sq_cursor_children(f->r, part[1], &sides);
    const char *text[SQ_MOST_FACTORS];
    sq_mention m = {.type = "int"};
    if (sides != 2 || !add_factors(f, side[1], &m, text) || m.n < 2 || !sq_scop_span(f->r, side[1], &m.from, &m.to))
        return;
    m.key = key_of(f, text, m.n);
    if (sq_member_in_call(f, side[1], &m.from, &m.to)) {
        take_in_call(f, m, text, " * ");
        take_in_call(f, m, text, "*");
        return;
    }
    if (!is_simple(f->text + m.from, m.to - m.from))
        return;
    m.text = sq_arena_strndup(f->r->arena, f->text + m.from, m.to - m.from);
    sq_member_mention(f, &m);
}

/* ---- subscripts ---- */

/* A word of a subscript: a name, a member, a number. */
typedef struct word {
    size_t from, to;
    bool taken; /* by a product */
} word;

enum { MOST_WORDS = 32 };

/* The words of a text; MOST_WORDS + 1: there are more. */
static int words_of(const char *text, size_t from, size_t to, word *w)
{
    int n = 0;
    for (size_t at = from; at < to && n <= MOST_WORDS;) {
        if (!sq_is_word_byte(text[at])) {
            at++;
            continue;
        }
        size_t end = at;
        while (end < to && (sq_is_word_byte(text[end]) || text[end] == '.' || strncmp(text + end, "->", 2) == 0))
            end += text[end] == '-' ? 2 : 1;
        if (n < MOST_WORDS)
            w[n] = (word){at, end, false};
        n++;
        at = end;
    }
    return n;
}

/* True if nothing but one * and blanks stand between two words. */
static bool is_times(const char *text, const word *a, const word *b)
{
    int stars = 0;
    for (size_t at = a->to; at < b->from; at++) {
        if (text[at] != '*' && !is_blank(text[at]))
            return false;
        stars += text[at] == '*';
    }
    return stars == 1;
}

/* True if the words there are factors together: nothing before them is a division, a cast or `sizeof`, which would be
 * of the first alone, and nothing behind them is of the last alone. */
static bool are_factors(const char *text, size_t from, size_t at, size_t end, size_t to)
{
    while (at > from && is_blank(text[at - 1]))
        at--;
    while (end < to && is_blank(text[end]))
        end++;
    return (at == from || strchr("+-*([,?:", text[at - 1])) && (end == to || !strchr("[(", text[end]));
}

static bool is_product(const sq_member_finder *f, const word *w, const sq_mention *m, size_t from, size_t to)
{
    const char *text[SQ_MOST_FACTORS];
    for (int i = 0; i < m->n; i++) {
        if (w[i].taken || (i > 0 && !is_times(f->text, &w[i - 1], &w[i])))
            return false;
        text[i] = sq_arena_strndup(f->r->arena, f->text + w[i].from, w[i].to - w[i].from);
    }
    return are_factors(f->text, from, w[0].from, w[m->n - 1].to, to) && strcmp(key_of(f, text, m->n), m->key) == 0;
}

/* True if a word that no product has taken is one of the product's factors. */
static bool has_factor(const sq_member_finder *f, const word *w, int n, const sq_mention *m)
{
    for (int i = 0; i < n; i++) {
        const char *at = m->key;
        size_t length = w[i].to - w[i].from;
        for (bool more = !w[i].taken; more; at++) {
            size_t end = strcspn(at, "*");
            if (end == length && memcmp(at, f->text + w[i].from, length) == 0)
                return true;
            at += end;
            more = *at == '*';
        }
    }
    return false;
}

static void take_subscript(sq_member_finder *f, const sq_mention *bound, size_t from, size_t to)
{
    word w[MOST_WORDS];
    int n = words_of(f->text, from, to, w), at[MOST_WORDS], found = 0;
    for (int i = 0; n <= MOST_WORDS && i + bound->n <= n; i++) {
        if (!is_product(f, &w[i], bound, from, to))
            continue;
        for (int k = 0; k < bound->n; k++)
            w[i + k].taken = true;
        at[found++] = i;
    }
    if (found == 0 || has_factor(f, w, n, bound))
        return;
    for (int i = 0; i < found; i++) {
        sq_mention m = *bound;
        m.from = w[at[i]].from;
        m.to = w[at[i] + bound->n - 1].to;
        m.text = sq_arena_strndup(f->r->arena, f->text + m.from, m.to - m.from);
        sq_member_mention(f, &m);
    }
}

bool sq_member_is_shadowed(sq_member_finder *f, const sq_mention *m)
{
    bool is = false;
    for (int i = 0; i < m->n; i++) {
        const char *name = sq_cursor_spelling(f->r, m->base[i]);
        for (int h = 0; h < f->nholders && !is; h++)
            is = !f->r->cl->clang_equalCursors(f->holder[h].decl, m->base[i]) &&
                 strcmp(sq_cursor_spelling(f->r, f->holder[h].decl), name) == 0;
    }
    return is;
}

bool sq_member_has_written(const sq_member_finder *f, const sq_mention *m)
{
    bool has = false;
    for (const char *at = m->key, *end; !has; at = end + 1) {
        end = at + strcspn(at, "*");
        has = sq_member_is_written(f, at, (size_t)(end - at));
        if (!*end)
            break;
    }
    return has;
}

const char *sq_member_fits(const sq_member_finder *f, const sq_mention *m)
{
    const char *all = "", *last;
    int n = 0;
    for (const char *at = m->text; (last = strchr(at, '*')); at = last + 1) {
        size_t first = strspn(last + 1, " \t"), before = (size_t)(last - m->text);
        while (is_blank(m->text[before - 1]))
            before--;
        size_t end = strcspn(last + 1 + first, "* \t");
        all = sq_arena_printf(f->r->arena, "%s%s!__builtin_mul_overflow(%.*s, %.*s, &(int){0})", all, n++ ? " && " : "",
                              (int)before, m->text, (int)end, last + 1 + first);
    }
    return n > 1 ? sq_arena_printf(f->r->arena, "(%s)", all) : all;
}

void sq_member_products(sq_member_finder *f)
{
    int bounds = f->nmentions;
    for (int i = 0; i < bounds; i++) {
        const sq_mention bound = f->mention[i];
        for (int s = 0; bound.n > 1 && s < f->nsubscripts; s++)
            take_subscript(f, &bound, f->subscript[s][0], f->subscript[s][1]);
    }
}
