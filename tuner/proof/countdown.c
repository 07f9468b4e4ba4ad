/* Countdown: see countdown.h. */
#include "tuner/proof/countdown.h"
#include "tuner/proof/scope.h"
#include <stdlib.h>

/* Returns a positive decimal number; else 0. */
static long number_of(const sq_token *t)
{
    char *end;
    long n = t->n && *t->at > '0' && *t->at <= '9' ? strtol(t->at, &end, 10) : 0;
    return n && end == t->at + t->n ? n : 0;
}

/* Matches tokens from i on: a letter each, @ the name, # the number. */
static bool is_shaped(const sq_blocks *b, int i, const char *shape, const sq_token *name, long n)
{
    for (; *shape; shape++, i++) {
        const sq_token *t = &b->token[i];
        bool fits = *shape == '@'   ? sq_token_same(t, name)
                    : *shape == '#' ? number_of(t) == n
                                    : sq_token_is(t, (char[]){*shape, 0});
        if (!fits)
            return false;
    }
    return true;
}

/* True if the name is changed only by the head of the loop whose body is tokens [from, end), which
 * is last. */
static bool is_kept(const sq_blocks *b, int from, int end, const sq_token *name)
{
    for (int i = from; i < end; i++)
        if (sq_token_same(&b->token[i], name) || sq_token_is(&b->token[i], "break"))
            return false;
    return true;
}

/* Returns the start of the value in `int64_t name = value;`, which ends here; 0: it is something
 * else. */
static int declared_value(const sq_blocks *b, int first, int end, const sq_token *name)
{
    int i = end - 1;
    if (end <= first || !sq_token_is(&b->token[end], ";"))
        return 0;
    while (i > first && !sq_token_mark(&b->token[i], ";{}"))
        i--;
    bool is_value = i + 4 < end && sq_token_is(&b->token[i + 1], "int64_t") &&
                    is_shaped(b, i + 2, "@=", name, 0);
    return is_value ? i + 4 : 0;
}

/* Returns the step of `for (; left >= 4; left -= 4) {...}` whose `(` is token i; 0: it is something
 * else. */
static long step_of(const sq_blocks *b, int i, const sq_token *name)
{
    int open = b->pair[i] + 1;
    long step = number_of(&b->token[i + 5]);
    bool is = step && is_shaped(b, i, "(;@>=#;@-=#)", name, step) &&
              sq_token_is(&b->token[i - 1], "for") && sq_token_is(&b->token[open], "{") &&
              is_kept(b, open, b->pair[open], name);
    return is ? step : 0;
}

/* Returns the `(` of the loop whose body ends with token i; 0: it is no loop body. */
static int loop_before(const sq_blocks *b, int first, int i)
{
    int loop = i > first && sq_token_is(&b->token[i], "}") ? b->pair[b->pair[i] - 1] : 0;
    return loop > first ? loop : 0;
}

bool sq_countdown_find(const sq_blocks *all, sq_arena *arena, int first, const sq_block *b,
                       sq_countdown *countdown)
{
    const sq_token *name = &all->token[b->header + 2];
    bool is_last =
        is_shaped(all, b->header, "(;@>0;@--)", name, 0) && is_kept(all, b->from, b->to, name);
    long step = is_last ? 1 : step_of(all, b->header, name);
    const char *says = sq_arena_printf(arena, "v0 >= %ld", step);
    int behind = b->header - 2, n = 0;
    for (int loop; step && (loop = loop_before(all, first, behind)); behind = loop - 2, n++) {
        step = step_of(all, loop, name);
        says = sq_arena_printf(
            arena, "exists (e, v%d : e >= 0 and 0 <= v%d < %ld and v%d = %ld e + v%d and %s)", n, n,
            step, n + 1, step, n, says);
    }
    says = sq_arena_printf(arena, "exists (v%d : v = v%d and %s)", n, n, says);
    *countdown = (sq_countdown){declared_value(all, first, behind, name), behind, says};
    return step && countdown->value;
}
