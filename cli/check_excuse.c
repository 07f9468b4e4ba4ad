/* Check excuse: which blocks may be there that neither ran nor are proven unreachable. The emitter
 * writes some for callers who break the contract, for want of memory, and helpers that serve more
 * than one kernel needs: each is known by the name that it gives the function. Text that was given
 * may use the same names for anything, so its blocks are excused only as far as they are, token by
 * token, what squall would emit itself. */
#include "cli/check_text.h"
#include <ctype.h>
#include <string.h>

static const char no_arrays[] = "for sizes that no arrays can have";
static const char assumption[] = "for sizes that break an assumption";
static const char no_memory[] = "for want of memory";
static const char memory_or_calls[] = "for want of memory or for calls at the same time";
static const char all_kernels[] = "in copies that are written for all kernels";
static const char all_lanes[] = "in loads and stores that are written for any number of lanes";
static const char at_sizes[] = "not at the sizes given";

static const struct known {
    const char *helper;    /* the function's name behind its prefix; "copy_*" and "*_x": a part of it */
    const char *condition; /* what the block's begins with; NULL: it may have any, or none */
    bool exits;            /* only blocks that do nothing but return */
    const char *reason;
} known[] = {{"fits", NULL, true, no_arrays},           {"times", NULL, false, no_arrays},
             {"plain", NULL, false, assumption},        {"in", "!workspace", true, no_memory},
             {"take", NULL, false, memory_or_calls},    {"give", NULL, false, memory_or_calls},
             {"copy_*", NULL, false, all_kernels},      {"clip_*", NULL, false, all_kernels},
             {"*_store_parts", NULL, false, all_lanes}, {"*_store_n", NULL, false, all_lanes},
             {"*_load_n", NULL, false, all_lanes}};

/* ---- what the emitter calls it ---- */

/* "min" of "gemm_min", "gemm_2_min" and "gemm_fallback_min"; NULL: it has no prefix of the kernel whose
 * function is `root`. */
static const char *helper_of(const char *name, const char *root)
{
    size_t n = strlen(root);
    if (strncmp(name, root, n) != 0 || name[n] != '_')
        return NULL;
    const char *helper = name + n + 1, *digits = helper;
    while (isdigit((unsigned char)*digits))
        digits++;
    if (digits > helper && *digits == '_')
        helper = digits + 1;
    static const char fallback[] = "fallback_";
    return strncmp(helper, fallback, strlen(fallback)) == 0 ? helper + strlen(fallback) : helper;
}

/* Where a user has the name, the emitter's gets underscores behind it. */
static bool is_helper(const char *helper, const char *pattern)
{
    size_t n = strcspn(pattern, "*"), all = helper ? strlen(helper) : 0,
           behind = strlen(pattern + (*pattern == '*'));
    if (*pattern == '*')
        return all > behind && strcmp(helper + all - behind, pattern + 1) == 0;
    return helper && strncmp(helper, pattern, n) == 0 &&
           (pattern[n] || helper[n + strspn(helper + n, "_")] == 0);
}

/* True if it is "!gemm_fits(...)": the sizes break the contract. */
static bool tests_sizes(const sq_block *b, const char *root, sq_arena *arena)
{
    if (!b->condition || b->condition[0] != '!' || b->kind != SQ_BLOCK_THEN)
        return false;
    size_t n = strcspn(b->condition + 1, "( ");
    const char *called = sq_arena_strndup(arena, b->condition + 1, n);
    return b->condition[1 + n] == '(' && is_helper(helper_of(called, root), "fits");
}

static const char *reason_of(const sq_check *c, const char *root, const sq_block *b)
{
    const char *helper = helper_of(c->blocks.function[b->function].name, root);
    if (tests_sizes(b, root, c->m.task.arena))
        return b->is_exit ? no_arrays : assumption;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *begins = known[i].condition;
        if (is_helper(helper, known[i].helper) && (b->is_exit || !known[i].exits) &&
            (!begins || (b->condition && strncmp(b->condition, begins, strlen(begins)) == 0)))
            return known[i].reason;
    }
    return NULL;
}

/* True if the path to the block depends on more than sizes and loop variables, as far as conditions
 * show. */
static bool meets_data(const sq_blocks *b, int block)
{
    for (int o = block; o >= 0 && b->of[o].function == b->of[block].function; o--) {
        const char *text = block <= b->of[o].last ? b->of[o].condition : NULL;
        if (text && (strchr(text, '[') || strstr(text, "(*") || strstr(text, " *(") ||
                     strpbrk(text, ".\"'")))
            return true;
    }
    return false;
}

/* ---- what squall would emit ---- */

/* Reads it the first time. */
const sq_blocks *sq_check_own(sq_check *c)
{
    sq_verdict v;
    const char *text = sq_text_str(&c->m.task.source);
    if (c->own_is_tried)
        return c->own.token ? &c->own : NULL;
    c->own_is_tried = true;
    if (sq_verify_blocks(c->verify, text, c->m.task.arena, &c->own, &v) == 0)
        return &c->own;
    sq_warning(c->m.task.d, SQ_NOWHERE,
               "the text cannot be compared with what squall would emit: %s", v.message);
    c->own.token = NULL;
    return NULL;
}

/* `# 12 "gemm.c"`: says where text stands, and is none of it. */
static bool is_marker(const sq_token *t)
{
    return t->kind == SQ_TOKEN_DIRECTIVE && t->n > 2 && t->at[1] == ' ' &&
           isdigit((unsigned char)t->at[2]);
}

/* Tokens [a, to_a) of one text and [b, to_b) of another. */
static bool same_tokens(const sq_token *a, const sq_token *to_a, const sq_token *b,
                        const sq_token *to_b)
{
    for (;; a++, b++) {
        while (a < to_a && is_marker(a))
            a++;
        while (b < to_b && is_marker(b))
            b++;
        if (a >= to_a || b >= to_b)
            return a >= to_a && b >= to_b;
        if (a->kind != b->kind || a->n != b->n || memcmp(a->at, b->at, (size_t)a->n) != 0)
            return false;
    }
}

/* The first token of a function's definition, its linkage or its type. */
static const sq_token *head_of(const sq_blocks *b, const sq_block_function *f)
{
    const sq_token *t = b->token + f->first;
    while (t > b->token &&
           (is_marker(t - 1) || (t[-1].kind != SQ_TOKEN_DIRECTIVE && !sq_token_is(t - 1, ";") &&
                                 !sq_token_is(t - 1, "}"))))
        t--;
    return t;
}

/* Behind the bracket that closes the one at t. */
static const sq_token *past_bracket(const sq_token *t)
{
    int depth = 0;
    do {
        depth += sq_token_is(t, "(") - sq_token_is(t, ")");
        t++;
    } while (depth > 0 && t->kind != SQ_TOKEN_END);
    return t;
}

/* The same condition with the same statements behind it. */
static bool is_same_block(const sq_blocks *x, const sq_block *a, const sq_blocks *y,
                          const sq_block *b)
{
    const sq_token *s = x->token, *t = y->token;
    return a->kind == b->kind && a->header && b->header &&
           same_tokens(s + a->header, past_bracket(s + a->header), t + b->header,
                       past_bracket(t + b->header)) &&
           same_tokens(s + a->from, s + a->to, t + b->from, t + b->to);
}

/* True if the block's function is one that Squall would emit, or at least the block occurs in one.
 * Always true of text that Squall has emitted (no path). */
static bool is_ours(sq_check *c, const sq_block *b)
{
    const sq_blocks *x = &c->blocks, *y = &c->own;
    const sq_block_function *f = &x->function[b->function];
    if (!c->path)
        return true;
    if (!sq_check_own(c))
        return false;
    for (int g = 0; g < y->nfunctions; g++) {
        const sq_block_function *own = &y->function[g];
        if (strcmp(own->name, f->name) != 0)
            continue;
        if (same_tokens(head_of(x, f), x->token + f->last, head_of(y, own), y->token + own->last))
            return true;
        for (int i = 0; i < y->n; i++)
            if (y->of[i].function == g && is_same_block(x, b, y, &y->of[i]))
                return true;
    }
    return false;
}

bool sq_check_is_own_operand(sq_check *c, const sq_block *b)
{
    const sq_blocks *x = &c->blocks, *y = &c->own;
    if (!sq_block_is_outcome(b) || !sq_check_own(c))
        return false;
    for (int i = 0; i < y->n; i++)
        if (y->of[i].kind == b->kind &&
            strcmp(y->function[y->of[i].function].name, x->function[b->function].name) == 0 &&
            same_tokens(x->token + b->from, x->token + b->to, y->token + y->of[i].from,
                        y->token + y->of[i].to))
            return true;
    return false;
}

const char *sq_check_excuse(sq_check *c, int kernel, const char *root, int block)
{
    const sq_block *b = &c->blocks.of[block];
    const char *reason = reason_of(c, root, b);
    if (!reason && c->rows[kernel].is_given && !meets_data(&c->blocks, block))
        reason = at_sizes;
    return reason && is_ours(c, b) ? reason : NULL;
}
