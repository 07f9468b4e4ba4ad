/* Unreachable: see unreachable.h. Facts are collected on the path from the block to the root, one
 * after the other; the functions on it are numbered from 0, so that names of caller and callee are
 * distinct.
 *
 * Facts are formulas of expressions, with where they overflow; types bound all names from the start. */
#include "tuner/proof/unreachable.h"
#include "ir/kernel/quota.h"
#include "tuner/proof/affine.h"
#include "tuner/proof/countdown.h"
#include "tuner/proof/facts.h"
#include <isl/set.h>
#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 64, MOST_DEPTH = 6 };
/* Limits on isl's operations: sufficient for nearly all blocks, and for a tile over a triangle. */
enum { MOST_OPERATIONS = 1000000, MOST_HARD = 2000000 };

/* A function on the path. */
typedef struct frame {
    int function, depth;
    int at;    /* token: the block's first, or the call on the path to it */
    int block; /* -1: a call */
    const sq_scope *scope;
} frame;

typedef struct proof {
    const sq_blocks *b;
    const char *const *root;
    const bool *reached;
    const sq_kernel *k;
    sq_arena *arena;
    int calls;    /* number of calls visited */
    isl_set *may; /* sizes of the first path from the root without a contradiction */
    sq_facts facts;
    int ntold, told_room;
    sq_affine_use *told; /* names whose declarations are facts already */
} proof;

static const sq_token *token_at(const proof *p, int i)
{
    return &p->b->token[i];
}

static isl_ctx *context_of(const proof *p)
{
    return isl_set_get_ctx(p->k->context);
}

/* ---- facts ---- */

/* Drops all but this number of facts, and of names whose declarations are facts. */
static void forget(proof *p, int nfacts, int ntold)
{
    sq_facts_forget(&p->facts, nfacts);
    p->ntold = ntold;
}

/* Returns the set of a formula over the names and parts. */
static isl_set *read_set(const proof *p, const sq_affine *a, const char *formula)
{
    sq_text text = {0};
    for (int i = 0; i < a->nuses; i++)
        sq_text_printf(&text, "%sn%d_%d", i ? "," : "[", a->use[i].token, a->use[i].depth);
    sq_text_printf(&text, "%s -> { : ", a->nuses ? "]" : "[]");
    for (int i = 0; i < a->nparts; i++)
        sq_text_printf(&text, "%sp%d", i ? "," : "exists (", i);
    sq_text_printf(&text, "%s(%s)%s%s }", a->nparts ? " : " : "", formula, sq_text_str(&a->parts),
                   a->nparts ? ")" : "");
    isl_set *set = isl_set_read_from_str(context_of(p), sq_text_str(&text));
    sq_text_free(&text);
    return set;
}

static void assume_names(proof *p, const frame *f, const sq_affine *a);

static sq_affine reading(const proof *p, const frame *f)
{
    return (sq_affine){.b = p->b, .arena = p->arena, .scope = f->scope, .depth = f->depth};
}

/* Adds the formula and the declarations of the names in it as facts; nothing if there is no
 * formula. Frees the parser's data. */
static void conclude(proof *p, const frame *f, sq_affine *a, const char *formula)
{
    bool any = formula && !a->fails;
    isl_set *overflows = NULL;
    if (any && a->overflows.n)
        overflows = read_set(p, a, sq_text_str(&a->overflows) + strlen(" or "));
    if (any && (!a->overflows.n || overflows))
        sq_facts_add(&p->facts, read_set(p, a, formula), overflows);
    sq_affine_free(a);
    if (any)
        assume_names(p, f, a);
}

/* ---- operands of conditions ---- */

/* Returns the first of these punctuators outside of brackets; `end` without one. */
static int find_mark(const proof *p, int from, int end, const char *marks)
{
    while (from < end && !sq_token_mark(token_at(p, from), marks))
        from = (p->b->pair[from] > from ? p->b->pair[from] : from) + 1;
    return from < end ? from : end;
}

/* Returns the end of the operand of a condition at token i, which `&&` (or `||`) joins to the
 * next. */
static int part_end(const proof *p, int i, int end, const char *mark)
{
    for (i = find_mark(p, i, end, mark); i < end; i = find_mark(p, i + 1, end, mark))
        if (i + 1 < end && sq_token_is(token_at(p, i + 1), mark))
            return i;
    return end;
}

/* ---- declarations ---- */

/* Adds "name = value", or, for a loop's name, that the difference is a multiple of the step. The
 * value fits into its type. */
static void assume_value(proof *p, const frame *f, const sq_name *name)
{
    sq_affine a = reading(p, f);
    int bits;
    const char *text = sq_affine_number(&a, name->value, name->end, &bits), *own;
    if (text && bits > name->bits)
        sq_affine_fits(&a, text, name->bits);
    own = sq_affine_name(&a, name);
    conclude(p, f, &a, text ? sq_arena_printf(p->arena, "%s = (%s)", own, text) : NULL);
}

/* Finds `i < bound` or `i <= bound` among the operands of && in a loop's condition: the tokens of
 * the bound, and whether it is inclusive. */
static bool find_bound(const proof *p, const sq_name *name, int *from, int *end, bool *within)
{
    int last = name->condition_end;
    if (find_mark(p, name->condition, last, "|?,") < last)
        return false;
    for (int i = name->condition; i < last; i++)
        if (sq_token_changes(token_at(p, i)))
            return false;
    for (int i = name->condition; i < last; i = *end + 2) {
        *end = part_end(p, i, last, "&");
        *within = sq_token_is(token_at(p, i + 2), "=");
        *from = i + 2 + *within;
        if (sq_token_same(token_at(p, i), token_at(p, name->token)) &&
            sq_token_is(token_at(p, i + 1), "<") && *from < *end)
            return true;
    }
    return false;
}

/* Adds the values of a loop's name: they begin with the first and differ by the step, as long as
 * the one behind the last does not overflow. */
static void assume_steps(proof *p, const frame *f, const sq_name *name)
{
    sq_affine a = reading(p, f);
    int bits, from, end;
    bool within;
    const char *text = NULL, *bound = NULL, *own = NULL;
    if (!find_bound(p, name, &from, &end, &within))
        return;
    bound = sq_affine_number(&a, from, end, &bits);
    for (int i = 0; i < a.nuses; i++)
        if (a.use[i].token == name->token)
            bound = NULL; /* it is not constant */
    if (bound) {
        sq_affine_fits(&a, sq_arena_printf(p->arena, "(%s) + %ld", bound, name->step - !within),
                       name->bits);
        text = sq_affine_number(&a, name->value, name->end, &bits);
    }
    if (text && bits > name->bits)
        sq_affine_fits(&a, text, name->bits);
    own = sq_affine_name(&a, name);
    conclude(p, f, &a,
             text ? sq_arena_printf(p->arena, "exists (e : e >= 0 and %s = %ld e + (%s))", own,
                                    name->step, text)
                  : NULL);
}

static void assume_condition(proof *p, const frame *f, int from, int end, bool holds);

static void assume_range(proof *p, const frame *f, const sq_name *name)
{
    sq_affine a = reading(p, f);
    const char *own = sq_affine_name(&a, name);
    const char *most = name->bits == 32 ? "2147483647" : "9223372036854775807";
    sq_facts_add(&p->facts, read_set(p, &a, sq_arena_printf(p->arena, "-%s - 1 <= %s <= %s", most, own, most)),
             NULL);
}

static void tell(proof *p, const frame *f, const sq_name *name)
{
    for (int i = 0; i < p->ntold; i++)
        if (p->told[i].token == name->token && p->told[i].depth == f->depth)
            return;
    p->told = sq_arena_grow(p->arena, p->told, p->ntold, &p->told_room, sizeof *p->told);
    p->told[p->ntold++] = (sq_affine_use){name->token, f->depth};
    assume_range(p, f, name);
    if (name->step) {
        bool decides = name->condition <= f->at && f->at < name->condition_end;
        assume_steps(p, f, name);
        if (!decides) /* there it need not be true */
            assume_condition(p, f, name->condition, name->condition_end, true);
    } else if (name->param < 0) {
        assume_value(p, f, name);
    }
}

/* Adds the facts of all names of the frame that were read. */
static void assume_names(proof *p, const frame *f, const sq_affine *a)
{
    for (int i = 0; i < a->nuses; i++)
        for (int k = 0; a->use[i].depth == f->depth && k < f->scope->n; k++)
            if (f->scope->name[k].token == a->use[i].token)
                tell(p, f, &f->scope->name[k]);
}

/* ---- conditions ---- */

static void assume_part(proof *p, const frame *f, int from, int end, bool holds)
{
    sq_affine a = reading(p, f);
    const char *text = sq_affine_truth(&a, from, end);
    conclude(p, f, &a, text && !holds ? sq_arena_printf(p->arena, "not %s", text) : text);
}

/* Adds that the condition in tokens [from, end) holds, or does not: those operands of it that are
 * affine. */
static void assume_condition(proof *p, const frame *f, int from, int end, bool holds)
{
    if (f->scope->jumps)
        return;
    for (int i = from; i < end; i++)
        if (sq_token_changes(token_at(p, i)))
            return; /* `a = 1 && b` is no `&&` */
    bool is_one = find_mark(p, from, end, holds ? "|?," : "?,") < end;
    for (int i = from; i < end;) {
        int stop = is_one ? end : part_end(p, i, end, holds ? "&" : "|");
        assume_part(p, f, i, stop, holds);
        i = stop + 2;
    }
}

/* ---- frames ---- */

static bool is_around(const frame *f, const sq_block *b)
{
    return b->from <= f->at && f->at < b->to;
}

/* Adds the condition of a `for`, between its semicolons. */
static void assume_loop(proof *p, const frame *f, int from, int end)
{
    int semicolon[2], n = 0;
    for (int i = from; i < end && n < 2; i++) {
        if (sq_token_is(token_at(p, i), ";"))
            semicolon[n++] = i;
        i = p->b->pair[i] > i ? p->b->pair[i] : i;
    }
    if (n == 2)
        assume_condition(p, f, semicolon[0] + 1, semicolon[1], true);
}

/* Adds the facts of a loop that decrements a variable declared in front of it. */
static void assume_countdown(proof *p, const frame *f, const sq_block *b)
{
    sq_countdown c;
    int bits;
    if (f->scope->jumps ||
        !sq_countdown_find(p->b, p->arena, p->b->function[f->function].first, b, &c))
        return;
    sq_affine a = reading(p, f);
    const char *text = sq_affine_number(&a, c.value, c.end, &bits);
    conclude(p, f, &a,
             text ? sq_arena_printf(p->arena, "exists (v : v = (%s) and %s)", text, c.says) : NULL);
}

/* Adds the outcome of an operand, and the outcomes known where it is evaluated. */
static void assume_outcome(proof *p, const frame *f, const sq_block *b)
{
    for (int g = b->guard; g >= 0; g = p->b->guard[g].outer)
        assume_condition(p, f, p->b->guard[g].from, p->b->guard[g].to, p->b->guard[g].holds);
    assume_condition(p, f, b->from, b->to, b->kind == SQ_BLOCK_TRUE);
}

/* Adds what holds at the frame's position inside of its function. */
static void assume_frame(proof *p, const frame *f)
{
    const sq_block_function *own = &p->b->function[f->function];
    if (f->block >= 0 && sq_block_is_outcome(&p->b->of[f->block]))
        assume_outcome(p, f, &p->b->of[f->block]);
    for (int k = own->block; k < own->end; k++) {
        const sq_block *b = &p->b->of[k];
        if (b->header <= 0 || (k != f->block && !is_around(f, b)))
            continue;
        int from = b->header + 1, end = p->b->pair[b->header];
        if (b->kind != SQ_BLOCK_LOOP)
            assume_condition(p, f, from, end, b->kind == SQ_BLOCK_THEN);
        else if (sq_token_is(token_at(p, b->header - 1), "for")) {
            assume_loop(p, f, from, end);
            assume_countdown(p, f, b);
        }
    }
}

/* True if a reached function takes the function's name as a value: then it may be called with any
 * sizes. */
static bool is_named(const proof *p, int function)
{
    for (int g = 0; g < p->b->nfunctions; g++)
        for (int i = p->b->function[g].first; p->reached[g] && i < p->b->function[g].last; i++)
            if (sq_blocks_named(p->b, g, i) == function)
                return true;
    return false;
}

/* Parameters of the root are the kernel's, in its order. */
static void assume_root(proof *p, const frame *f)
{
    if (is_named(p, f->function))
        return;
    sq_facts_add(&p->facts, isl_set_params(isl_set_copy(p->k->context)), NULL);
    for (int i = 0, at = 0; i < p->k->nparams; i++) {
        const sq_size *size = p->k->param[i].size;
        const sq_name *name = size && !size->fixed ? sq_scope_param(f->scope, p->b, at) : NULL;
        at += !size || !size->fixed;
        if (!name || name->bits < 8 * sq_type_bytes(size->type))
            continue; /* it may be another number */
        sq_affine a = reading(p, f);
        const char *own = sq_affine_name(&a, name), *says = sq_param_name(&p->k->param[i]);
        const char *text =
            sq_arena_printf(p->arena, "[%s, %s] -> { : %s = %s }", own, says, own, says);
        sq_facts_add(&p->facts, isl_set_read_from_str(context_of(p), text), NULL);
    }
}

/* Adds the values that a call gives to the callee's parameters. */
static void assume_arguments(proof *p, const frame *callee, const frame *caller)
{
    int end = p->b->pair[caller->at + 1];
    for (int from = caller->at + 2, param = 0; from < end; param++) {
        int stop = from, bits;
        while (stop < end && !sq_token_is(token_at(p, stop), ","))
            stop = p->b->pair[stop] > stop ? p->b->pair[stop] + 1 : stop + 1;
        const sq_name *name = sq_scope_param(callee->scope, p->b, param);
        if (name) {
            sq_affine a = reading(p, caller);
            const char *text = sq_affine_number(&a, from, stop, &bits);
            if (text && bits > name->bits)
                sq_affine_fits(&a, text, name->bits);
            a.depth = callee->depth;
            const char *own = sq_affine_name(&a, name);
            conclude(p, caller, &a,
                     text ? sq_arena_printf(p->arena, "%s = (%s)", own, text) : NULL);
        }
        from = stop + 1;
    }
}

/* ---- the proof ---- */

static bool is_never(proof *p, const frame *f);

/* True if the facts show that the call at token i of function `from` never happens. */
static bool is_never_from(proof *p, const frame *f, int from, int i)
{
    int nfacts = p->facts.n, ntold = p->ntold;
    if (from == f->function || !sq_token_is(token_at(p, i + 1), "(") || ++p->calls > MOST_CALLS)
        return false;
    frame caller = {from, f->depth + 1, i, -1, sq_scope_of(p->b, from)};
    sq_known known = sq_facts_known(&p->facts);
    assume_arguments(p, f, &caller);
    assume_frame(p, &caller);
    bool never = is_never(p, &caller);
    forget(p, nfacts, ntold);
    sq_facts_restore(&p->facts, known);
    return never;
}

/* True if the facts show that no call of the frame's function happens. */
static bool is_never_called(proof *p, const frame *f)
{
    for (int g = 0; g < p->b->nfunctions; g++) {
        const sq_block_function *from = &p->b->function[g];
        for (int i = from->first; p->reached[g] && i < from->last; i++)
            if (sq_blocks_named(p->b, g, i) == f->function && !is_never_from(p, f, g, i))
                return false;
    }
    return !p->b->function[f->function].is_value;
}

/* Keeps the sizes that the facts on a path from the root allow. */
static void keep_way(proof *p)
{
    isl_space *sizes = isl_set_get_space(p->k->context);
    isl_set *set = sq_facts_all(&p->facts);
    for (int i = (int)isl_set_dim(set, isl_dim_param) - 1; i >= 0; i--)
        if (isl_space_find_dim_by_name(sizes, isl_dim_param,
                                       isl_set_get_dim_name(set, isl_dim_param, (unsigned)i)) < 0)
            set = isl_set_project_out(set, isl_dim_param, (unsigned)i, 1);
    isl_space_free(sizes);
    p->may = set;
}

static bool is_called_outside(const proof *p, int function)
{
    for (const char *const *root = p->root; *root; root++)
        if (strcmp(p->b->function[function].name, *root) == 0)
            return true;
    return false;
}

static bool is_never(proof *p, const frame *f)
{
    bool is_root = is_called_outside(p, f->function);
    if (is_root)
        assume_root(p, f);
    if (sq_facts_contradict(&p->facts))
        return true;
    if (is_root && !p->may)
        keep_way(p);
    return !is_root && f->depth < MOST_DEPTH && is_never_called(p, f);
}

/* Proves within a limit on isl's operations; *is_given_up: it was exceeded. */
static bool prove(proof *p, int block, unsigned long operations, isl_set **may, bool *is_given_up)
{
    const sq_block *own = &p->b->of[block];
    frame f = {own->function, 0, own->from, block, sq_scope_of(p->b, own->function)};
    const char *why;
    sq_quota quota = sq_quota_begin(p->k->ctx, operations);
    assume_frame(p, &f);
    bool never = is_never(p, &f);
    forget(p, 0, 0);
    *is_given_up = sq_quota_end(quota, &why);
    never = never && !*is_given_up;
    if (may && !never && !*is_given_up)
        *may = isl_set_copy(p->may);
    isl_set_free(p->may);
    return never;
}

bool sq_block_unreachable(const sq_blocks *b, int block, const char *const *root,
                          const bool *reached, const sq_kernel *k, sq_arena *arena, int *hard,
                          isl_set **may)
{
    const proof start = {
        .b = b, .root = root, .reached = reached, .k = k, .arena = arena, .facts = {.ctx = k->ctx}};
    bool is_given_up;
    proof p = start;
    bool never = prove(&p, block, MOST_OPERATIONS, may, &is_given_up);
    if (!is_given_up || *hard <= 0)
        return never;
    p = start;
    never = prove(&p, block, MOST_HARD, may, &is_given_up);
    *hard -= is_given_up;
    return never;
}
