/* Promise: see promise.h. Attributes are replaced by a name that no compiler knows, with their
 * arguments. */
#include "tuner/proof/promise.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

const char sq_promise_macros[] = "#define __builtin_unreachable() ((void)0)\n"
                                 "#define __builtin_assume(...) ((void)0)\n"
                                 "#define __builtin_assume_aligned(x, ...) ((void *)(x))\n"
                                 "#define __builtin_expect_with_probability(x, y, z) (x)\n"
                                 "#define _Noreturn\n"
                                 "#define restrict\n"
                                 "#define __restrict\n"
                                 "#define __restrict__\n";

/* Some promise what a function does, which has to be tested; some prevent the test. */
static bool is_struck(const char *p, size_t n)
{
    static const char *const names[] = {
        "const",          "pure",       "noreturn",    "malloc",          "alloc_align",
        "assume_aligned", "alloc_size", "nonnull",     "returns_nonnull", "leaf",
        "assume",         "access",     "noipa",       "noinline",        "no_icf",
        "cold",           "nothrow",    "unsequenced", "reproducible"};
    if (n > 4 && memcmp(p, "__", 2) == 0) {
        p += 2;
        n -= 4;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && memcmp(names[i], p, n) == 0)
            return true;
    return false;
}

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    return n;
}

/* Removes the attributes from the bracket at p on; returns the position behind the matching one. */
static const char *strike(const char *p, sq_text *to)
{
    int depth = 0;
    do {
        size_t n = word_length(p);
        if (n && depth == 2 && is_struck(p, n))
            sq_text_puts(to, "squall_struck");
        else
            sq_text_putn(to, p, n ? n : 1);
        depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
        p += n ? n : 1;
    } while (*p && depth > 0);
    return p;
}

void sq_promise_strike(const char *text, sq_text *to)
{
    while (*text) {
        size_t n = word_length(text), gap = n + strspn(text + n, " \t\n");
        bool is_list = (n == 13 && memcmp(text, "__attribute__", n) == 0) ||
                       (n == 11 && memcmp(text, "__attribute", n) == 0);
        bool is_pair = *text == '[' && text[1 + strspn(text + 1, " \t\n")] == '[';
        if ((is_list && text[gap] == '(') || is_pair) {
            sq_text_putn(to, text, gap);
            text = strike(text + gap, to);
            continue;
        }
        sq_text_putn(to, text, n ? n : 1);
        text += n ? n : 1;
    }
}
