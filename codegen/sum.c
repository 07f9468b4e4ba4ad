/* Sum: see sum.h. */
#include "codegen/sum.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool sq_text_number(const char *text, int64_t *value)
{
    char *end;
    if (!*text)
        return false;
    *value = strtoll(text, &end, 10);
    return *end == 0;
}

const char *sq_text_factor(const char *text, sq_arena *arena)
{
    return strpbrk(text, " -?") ? sq_arena_printf(arena, "(%s)", text) : text;
}

/* Takes term off the front of the sum, if it stands there. */
static bool cancels(sq_sum *s, const char *term)
{
    size_t n = strlen(term);
    if (!s->terms.n || strncmp(s->terms.s, term, n) != 0)
        return false;
    const char *rest = s->terms.s + n;
    if (*rest && strncmp(rest, " + ", 3) != 0)
        return false;
    sq_text left = {0};
    sq_text_puts(&left, *rest ? rest + 3 : "");
    sq_text_free(&s->terms);
    s->terms = left;
    return true;
}

void sq_sum_add(sq_sum *s, int64_t coef, const char *term)
{
    int64_t n, size = coef < 0 ? -coef : coef;
    if (!term || !coef)
        return;
    if (sq_text_number(term, &n)) {
        s->konst += coef * n;
        return;
    }
    if (coef == -1 && cancels(s, term))
        return;
    bool first = s->terms.n == 0;
    bool compound = (strpbrk(term, " ?") && (coef != 1 || strchr(term, '?'))) ||
                    (*term == '-' && !first) || (*term == '-' && coef != 1);
    sq_text_puts(&s->terms, coef < 0 ? (first ? "-" : " - ") : (first ? "" : " + "));
    if (size != 1)
        sq_text_printf(&s->terms, "%" PRId64 " * ", size);
    sq_text_printf(&s->terms, compound ? "(%s)" : "%s", term);
}

const char *sq_sum_text(sq_sum *s, sq_arena *arena)
{
    const char *text;
    if (!s->terms.n)
        text = sq_arena_printf(arena, "%" PRId64, s->konst);
    else if (!s->konst)
        text = sq_arena_strdup(arena, s->terms.s);
    else
        text = sq_arena_printf(arena, "%s %c %" PRId64, s->terms.s, s->konst < 0 ? '-' : '+',
                               s->konst < 0 ? -s->konst : s->konst);
    sq_text_free(&s->terms);
    s->konst = 0;
    return text;
}

const char *sq_text_difference(const char *hi, const char *lo, sq_arena *arena)
{
    int64_t n;
    size_t len = strlen(lo);
    if (strncmp(hi, lo, len) == 0 && strncmp(hi + len, " + ", 3) == 0 &&
        sq_text_number(hi + len + 3, &n))
        return hi + len + 3;
    sq_sum s = {0};
    sq_sum_add(&s, 1, hi);
    sq_sum_add(&s, -1, lo);
    return sq_sum_text(&s, arena);
}
