/* Unreachable: see unreachable.h. Names of a function get its depth on the way from the root, so
 * that those of caller and callee stay two. */
#include "tuner/unreachable.h"
#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 64, MOST_CALLS = 64, MOST_DEPTH = 6 };

/* One function on the way, with the names that keep their value while the block can see them. */
typedef struct frame {
    int function, depth;
    int at; /* token: the block's first, or the call on the way to it */
    int block; /* -1: a call */
    int n;
    const sq_token *name[MOST_NAMES];
    bool twice[MOST_NAMES]; /* declared again, or assigned: nothing is known of it */
} frame;

typedef struct proof {
    const sq_blocks *b;
    const char *root;
    const bool *reached;
    isl_set *context;
    sq_arena *arena;
    int calls; /* looked at so far */
    sq_text *quotients; /* what they are, of the condition in hand: " and ..." */
    int *nquotients;
    isl_set *may; /* parameters of the root on the first way that is not empty */
} proof;

static const sq_token *token_at(const proof *p, int i)
{
    return &p->b->token[i];
}

static bool same(const sq_token *a, const sq_token *b)
{
    return a->n == b->n && memcmp(a->at, b->at, (size_t)a->n) == 0;
}

static bool is_mark(const sq_token *t, const char *marks)
{
    return t->kind == SQ_TOKEN_MARK && strchr(marks, *t->at);
}

/* Past the bracket that closes the one at i. */
static int past_brackets(const proof *p, int i)
{
    int depth = 0;
    do {
        depth += is_mark(token_at(p, i), "([{");
        depth -= is_mark(token_at(p, i), ")]}");
        i++;
    } while (depth > 0 && i < p->b->ntokens);
    return i;
}

/* ---- names ---- */

static int find_name(const frame *f, const sq_token *t)
{
    for (int i = 0; i < f->n; i++)
        if (same(f->name[i], t))
            return i;
    return -1;
}

static void declare(frame *f, const sq_token *t)
{
    int i = find_name(f, t);
    if (i >= 0)
        f->twice[i] = true;
    else if (f->n < MOST_NAMES)
        f->name[f->n++] = t;
}

/* `int64_t name =`, `const int64_t name =`, `int name,`: of an integer. */
static bool is_declared(const proof *p, int i)
{
    return token_at(p, i)->kind == SQ_TOKEN_WORD && i > 0 &&
           (sq_token_is(token_at(p, i - 1), "int64_t") || sq_token_is(token_at(p, i - 1), "int"));
}

/* `x =`, `x +=`, `x++`, `++x`, `&x`: not `x ==`. */
static bool is_changed(const proof *p, int i)
{
    const sq_token *t = token_at(p, i), *after = t + 1, *before = t - 1;
    if (is_mark(after, "=") && !is_mark(after + 1, "="))
        return true;
    if (is_mark(after, "+-*/%&|^") && is_mark(after + 1, "="))
        return true;
    if (is_mark(after, "+-") && is_mark(after + 1, after->at[0] == '+' ? "+" : "-") &&
        after[1].at == after->at + 1)
        return true;
    return (is_mark(before, "+-") && before[-1].at == before->at - 1 &&
            before[-1].at[0] == before->at[0]) ||
           (is_mark(before, "&") && !is_mark(before - 1, "&"));
}

/* The bracket of the `for` whose header token i stands in, if it declares i's name; 0: none does. */
static int header_of(const proof *p, int function, int i)
{
    for (int k = p->b->function[function].first; k < i; k++)
        if (sq_token_is(token_at(p, k), "for") && i < past_brackets(p, k + 1) &&
            is_declared(p, k + 3) && same(token_at(p, k + 3), token_at(p, i)))
            return k + 1;
    return 0;
}

static bool is_around(const frame *f, const sq_block *b)
{
    return b->from <= f->at && f->at < b->to;
}

/* Is the declaration at token i seen by the frame's place: every block around it, or the loop whose
 * header it stands in, is around that, too. */
static bool is_seen(const proof *p, const frame *f, int i)
{
    int header = header_of(p, f->function, i);
    if (i >= f->at && !header)
        return false;
    for (int k = 0; k < p->b->n; k++) {
        const sq_block *b = &p->b->of[k];
        bool holds = (b->from <= i && i < b->to) || (header && b->header == header);
        if (b->function == f->function && holds && k != f->block && !is_around(f, b))
            return false;
    }
    return true;
}

/* The parameters, which stand in front of the body. */
static int first_param(const proof *p, int function)
{
    int i = p->b->function[function].first - 1;
    for (int depth = 0; i > 0; i--) {
        depth += is_mark(token_at(p, i), ")");
        depth -= is_mark(token_at(p, i), "(");
        if (depth == 0)
            break;
    }
    return i + 1;
}

static void find_names(const proof *p, frame *f)
{
    const sq_block_function *own = &p->b->function[f->function];
    f->n = 0;
    memset(f->twice, 0, sizeof f->twice);
    for (int i = first_param(p, f->function); i < own->last; i++) {
        bool outside = i < own->first;
        if (is_declared(p, i) && (outside || is_seen(p, f, i)))
            declare(f, token_at(p, i));
    }
    for (int i = own->first; i < own->last; i++) {
        int n = token_at(p, i)->kind == SQ_TOKEN_WORD ? find_name(f, token_at(p, i)) : -1;
        if (n >= 0 && is_changed(p, i) && !is_declared(p, i) && !header_of(p, f->function, i))
            f->twice[n] = true;
    }
}

static const char *name_of(const proof *p, const frame *f, const sq_token *t)
{
    return sq_arena_printf(p->arena, "%.*s_%d", t->n, t->at, f->depth);
}

/* ---- C to isl ---- */

/* A helper of the emitted text, by the end of its name, as isl calls it. */
static const char *helper(const sq_token *t)
{
    static const char *const names[][2] = {
        {"_min", "min"}, {"_max", "max"}, {"_floord", "floord"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i][0]);
        if ((size_t)t->n > n && memcmp(t->at + t->n - n, names[i][0], n) == 0)
            return names[i][1];
    }
    return NULL;
}

static bool put_word(const proof *p, const frame *f, int i, sq_text *to)
{
    const sq_token *t = token_at(p, i);
    int n = find_name(f, t);
    if (is_mark(t + 1, "(") && helper(t))
        sq_text_puts(to, helper(t));
    else if (*t->at >= '0' && *t->at <= '9' && !memchr(t->at, '.', (size_t)t->n))
        sq_text_putn(to, t->at, (size_t)t->n);
    else if (n >= 0 && !f->twice[n] && !is_mark(t + 1, "(["))
        sq_text_printf(to, "%.*s_%d", t->n, t->at, f->depth);
    else
        return false;
    return true;
}

/* The length of an operator of two characters, and what isl writes for it. */
static const char *operator_of(const sq_token *t)
{
    static const char *const names[][2] = {{"&&", " and "}, {"||", " or "}, {"==", " = "},
                                           {"<=", " <= "},  {">=", " >= "}, {"!=", " != "}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (t->at[0] == names[i][0][0] && t->at[1] == names[i][0][1])
            return names[i][1];
    return NULL;
}

/* What stands in `to` from `start` on, over a constant: a name for it, and what C says of that, which
 * rounds towards zero. */
static bool put_quotient(const proof *p, const sq_token *by, size_t start, sq_text *to)
{
    long c = by->kind == SQ_TOKEN_WORD ? strtol(by->at, NULL, 10) : 0;
    if (c <= 0)
        return false;
    const char *x = sq_arena_strndup(p->arena, to->s + start, to->n - start);
    int n = (*p->nquotients)++;
    to->n = start;
    to->s[start] = 0;
    sq_text_printf(to, "d%d", n);
    sq_text_printf(p->quotients,
                   " and (((%s) >= 0 and 0 <= (%s) - %ld d%d < %ld) or ((%s) < 0 and 0 <= %ld d%d - "
                   "(%s) < %ld))",
                   x, x, c, n, c, x, c, n, x, c);
    return true;
}

/* Where operands begin in the text written so far. */
typedef struct operands {
    size_t last, open[32];
    int depth;
} operands;

/* Is what stands before the `/` at token i the factor of a product: that is divided, then. */
static bool divides_product(const proof *p, int from, int i)
{
    int depth = 0;
    for (i--; i >= from; i--) {
        depth += is_mark(token_at(p, i), ")");
        depth -= is_mark(token_at(p, i), "(");
        if (depth == 0)
            break;
    }
    if (i > from && is_mark(token_at(p, i), "(") && token_at(p, i - 1)->kind == SQ_TOKEN_WORD)
        i--;
    return i > from && is_mark(token_at(p, i - 1), "*/%-)");
}

static bool put_mark(const proof *p, int i, operands *o, sq_text *to)
{
    const sq_token *t = token_at(p, i);
    if (is_mark(t, "(") && o->depth == 32)
        return false;
    if (is_mark(t, "(")) {
        bool is_call = token_at(p, i - 1)->kind == SQ_TOKEN_WORD && helper(token_at(p, i - 1));
        o->open[o->depth++] = is_call ? o->last : to->n;
    }
    sq_text_printf(to, " %c ", *t->at);
    if (is_mark(t, ")") && o->depth > 0)
        o->last = o->open[--o->depth];
    return true;
}

/* Tokens [from, to) as isl's text; false: it has none that means the same. */
static bool translate(const proof *p, const frame *f, int from, int end, sq_text *to)
{
    operands o = {.last = to->n};
    for (int i = from; i < end; i++) {
        const sq_token *t = token_at(p, i);
        if (is_mark(t, "(") && sq_token_is(t + 1, "int64_t") && is_mark(t + 2, ")")) {
            i += 2;
        } else if (t->kind == SQ_TOKEN_WORD) {
            o.last = to->n;
            if (!put_word(p, f, i, to))
                return false;
        } else if (t->kind == SQ_TOKEN_MARK && operator_of(t)) {
            sq_text_puts(to, operator_of(t));
            i++;
        } else if (is_mark(t, "!")) {
            sq_text_puts(to, " not ");
        } else if (is_mark(t, "/")) {
            if (divides_product(p, from, i) || !put_quotient(p, t + 1, o.last, to))
                return false;
            i++;
        } else if (is_mark(t, "+-*(),<>?:")) {
            if (!put_mark(p, i, &o, to))
                return false;
        } else if (t->kind != SQ_TOKEN_DIRECTIVE) {
            return false;
        }
    }
    return from < end;
}

/* Is what stands there a number, no truth: isl's `a = b = c` is two conditions. */
static bool is_value(const proof *p, int from, int end)
{
    for (int i = from; i < end;) {
        if (is_mark(token_at(p, i), "<>=!&|?"))
            return false;
        int past = is_mark(token_at(p, i), "([{") ? past_brackets(p, i) : 0;
        if (past && !is_value(p, i + 1, past - 1))
            return false;
        i = past ? past : i + 1;
    }
    return true;
}

/* The first of these marks that no brackets enclose; `end` without one. */
static int find_mark(const proof *p, int from, int end, const char *marks)
{
    while (from < end && !is_mark(token_at(p, from), marks))
        from = is_mark(token_at(p, from), "([{") ? past_brackets(p, from) : from + 1;
    return from < end ? from : end;
}

/* "name = value", of `c ? a : b` the two cases. False: it has no text that means the same. */
static bool put_equal(const proof *p, const frame *f, const char *name, int from, int end,
                      sq_text *to)
{
    while (from < end && is_mark(token_at(p, from), "(") && past_brackets(p, from) == end) {
        from++;
        end--;
    }
    int question = find_mark(p, from, end, "?"), colon = question + 1;
    if (question == end) {
        sq_text_printf(to, "%s = ", name);
        return is_value(p, from, end) && translate(p, f, from, end, to);
    }
    for (int open = 1; colon < end; colon++) {
        open += is_mark(token_at(p, colon), "?") - is_mark(token_at(p, colon), ":");
        if (open == 0)
            break;
    }
    sq_text when = {0};
    bool known = translate(p, f, from, question, &when);
    sq_text_printf(to, "(((%s) and ", sq_text_str(&when));
    known = known && put_equal(p, f, name, question + 1, colon, to);
    sq_text_printf(to, ") or (not (%s) and ", sq_text_str(&when));
    known = known && put_equal(p, f, name, colon + 1, end, to);
    sq_text_puts(to, "))");
    sq_text_free(&when);
    return known;
}

static void forget_quotients(const proof *p)
{
    sq_text_clear(p->quotients);
    *p->nquotients = 0;
}

static isl_set *add(const proof *p, isl_set *set, const frame *f, const frame *g,
                    const char *constraint)
{
    sq_text text = {0};
    const frame *frames[] = {f, g};
    int n = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; frames[k] && i < frames[k]->n; i++)
            sq_text_printf(&text, "%s%.*s_%d", n++ ? "," : "[", frames[k]->name[i]->n,
                           frames[k]->name[i]->at, frames[k]->depth);
    sq_text_printf(&text, "%s -> { : ", n ? "]" : "[]");
    for (int i = 0; i < *p->nquotients; i++)
        sq_text_printf(&text, "%sd%d", i ? "," : "exists (", i);
    sq_text_printf(&text, "%s(%s)%s%s }", *p->nquotients ? " : " : "", constraint,
                   sq_text_str(p->quotients), *p->nquotients ? ")" : "");
    forget_quotients(p);
    isl_set *one = isl_set_read_from_str(isl_set_get_ctx(p->context), sq_text_str(&text));
    sq_text_free(&text);
    if (!one)
        return set;
    return isl_set_intersect(set, isl_set_align_params(one, isl_set_get_space(set)));
}

/* The condition in tokens [from, end), or its opposite. Of one that holds, parts that are not affine
 * may be left out. */
static isl_set *add_condition(const proof *p, isl_set *set, const frame *f, int from, int end,
                              bool holds)
{
    sq_text text = {0};
    forget_quotients(p);
    sq_text_puts(&text, holds ? "(" : "not (");
    if (translate(p, f, from, end, &text)) {
        sq_text_puts(&text, ")");
        set = add(p, set, f, NULL, sq_text_str(&text));
    } else if (holds) {
        for (int i = from, start = from; i <= end; i++) {
            bool both = i < end && is_mark(token_at(p, i), "&") &&
                        is_mark(token_at(p, i + 1), "&");
            if (i < end && !both) {
                if (is_mark(token_at(p, i), "([{"))
                    i = past_brackets(p, i) - 1;
                else if (is_mark(token_at(p, i), "|?"))
                    break;
                continue;
            }
            if (start > from || i < end)
                set = add_condition(p, set, f, start, i, true);
            start = i + 2;
            i++;
        }
    }
    sq_text_free(&text);
    return set;
}

/* `int64_t i = A; i < B; i += C`, between the brackets of a `for`. */
static isl_set *add_loop(const proof *p, isl_set *set, const frame *f, int from, int end)
{
    int semicolon[2], n = 0;
    for (int i = from; i < end && n < 2; i++)
        if (is_mark(token_at(p, i), ";"))
            semicolon[n++] = i;
    if (n < 2)
        return set;
    set = add_condition(p, set, f, semicolon[0] + 1, semicolon[1], true);
    const sq_token *name = token_at(p, from + 1), *step = token_at(p, semicolon[1] + 1);
    bool known = is_declared(p, from + 1) && find_name(f, name) >= 0 &&
                 !f->twice[find_name(f, name)] && same(name, step) && is_mark(step + 1, "+");
    long by = known && is_mark(step + 2, "+") ? 1
              : known && is_mark(step + 2, "=") && step[3].kind == SQ_TOKEN_WORD &&
                      is_mark(step + 4, ")")
                  ? strtol(step[3].at, NULL, 10)
                  : 0;
    sq_text text = {0};
    forget_quotients(p);
    sq_text_printf(&text, "exists (e : e >= 0 and %.*s_%d = %ld e + (", name->n, name->at, f->depth,
                   by);
    if (by > 0 && is_value(p, from + 3, semicolon[0]) &&
        translate(p, f, from + 3, semicolon[0], &text)) {
        sq_text_puts(&text, "))");
        set = add(p, set, f, NULL, sq_text_str(&text));
    }
    sq_text_free(&text);
    return set;
}

/* ---- frames ---- */

/* What holds where the frame's place runs, inside its function. */
static isl_set *add_frame(const proof *p, isl_set *set, const frame *f)
{
    const sq_block_function *own = &p->b->function[f->function];
    for (int k = 0; k < p->b->n; k++) {
        const sq_block *b = &p->b->of[k];
        if (b->function != f->function || (k != f->block && !is_around(f, b)))
            continue;
        if (b->header > 0 && b->kind == SQ_BLOCK_LOOP &&
            sq_token_is(token_at(p, b->header - 1), "for"))
            set = add_loop(p, set, f, b->header + 1, past_brackets(p, b->header) - 1);
        else if (b->header > 0 && b->kind != SQ_BLOCK_LOOP)
            set = add_condition(p, set, f, b->header + 1, past_brackets(p, b->header) - 1,
                                b->kind == SQ_BLOCK_THEN);
    }
    for (int i = own->first; i < f->at; i++) {
        int n = is_declared(p, i) ? find_name(f, token_at(p, i)) : -1;
        if (n < 0 || f->twice[n] || !is_mark(token_at(p, i + 1), "=") || !is_seen(p, f, i) ||
            header_of(p, f->function, i))
            continue;
        int end = i;
        while (!is_mark(token_at(p, end), ";"))
            end++;
        sq_text text = {0};
        forget_quotients(p);
        if (put_equal(p, f, name_of(p, f, token_at(p, i)), i + 2, end, &text))
            set = add(p, set, f, NULL, sq_text_str(&text));
        sq_text_free(&text);
    }
    return set;
}

/* Parameters of the root are sizes by their names. */
static isl_set *add_root(const proof *p, isl_set *set, const frame *f)
{
    isl_space *space = isl_set_get_space(p->context);
    set = isl_set_intersect(set, isl_set_align_params(isl_set_params(isl_set_copy(p->context)),
                                                      isl_set_get_space(set)));
    for (int i = 0; i < f->n; i++) {
        const char *name = sq_arena_strndup(p->arena, f->name[i]->at, (size_t)f->name[i]->n);
        sq_text text = {0};
        if (f->twice[i] || isl_space_find_dim_by_name(space, isl_dim_param, name) < 0)
            continue;
        sq_text_printf(&text, "[%s, %s_%d] -> { : %s = %s_%d }", name, name, f->depth, name, name,
                       f->depth);
        isl_set *one = isl_set_read_from_str(isl_set_get_ctx(p->context), sq_text_str(&text));
        sq_text_free(&text);
        set = isl_set_intersect(set, isl_set_align_params(one, isl_set_get_space(set)));
    }
    isl_space_free(space);
    return set;
}

/* What a call makes of the callee's parameters. */
static isl_set *add_arguments(const proof *p, isl_set *set, const frame *callee,
                              const frame *caller)
{
    int param = first_param(p, callee->function), arg = caller->at + 2;
    int last = p->b->function[callee->function].first, end = past_brackets(p, caller->at + 1) - 1;
    while (param < last && arg < end) {
        int stop = arg, name = param;
        while (stop < end && !is_mark(token_at(p, stop), ","))
            stop = is_mark(token_at(p, stop), "([{") ? past_brackets(p, stop) : stop + 1;
        while (name < last && !is_mark(token_at(p, name), ",)"))
            name++;
        int n = find_name(callee, token_at(p, name - 1));
        sq_text text = {0};
        forget_quotients(p);
        if (n >= 0 && !callee->twice[n] &&
            put_equal(p, caller, name_of(p, callee, callee->name[n]), arg, stop, &text))
            set = add(p, set, callee, caller, sq_text_str(&text));
        sq_text_free(&text);
        arg = stop + 1;
        param = name + 1;
    }
    return set;
}

static bool is_never(proof *p, isl_set *set, const frame *f);

/* Does no call of the frame's function happen with what `set` says. */
static bool is_never_called(proof *p, isl_set *set, const frame *f)
{
    const char *name = p->b->function[f->function].name;
    for (int g = 0; g < p->b->nfunctions; g++) {
        const sq_block_function *from = &p->b->function[g];
        for (int i = from->first; p->reached[g] && i < from->last; i++) {
            if (!sq_token_is(token_at(p, i), name))
                continue;
            if (g == f->function || !is_mark(token_at(p, i + 1), "(") || ++p->calls > MOST_CALLS)
                return false;
            frame *caller = SQ_NEW(p->arena, frame);
            *caller = (frame){.function = g, .depth = f->depth + 1, .at = i, .block = -1};
            find_names(p, caller);
            isl_set *there = add_arguments(p, isl_set_copy(set), f, caller);
            bool never = is_never(p, add_frame(p, there, caller), caller);
            if (!never)
                return false;
        }
    }
    return true;
}

/* Of what is known on a way from the root, what is said of its parameters. */
static void keep_way(proof *p, isl_set *set)
{
    isl_space *space = isl_set_get_space(p->context);
    p->may = isl_set_copy(set);
    for (int i = (int)isl_set_dim(set, isl_dim_param) - 1; i >= 0; i--)
        if (isl_space_find_dim_by_name(space, isl_dim_param,
                                       isl_set_get_dim_name(set, isl_dim_param, (unsigned)i)) < 0)
            p->may = isl_set_project_out(p->may, isl_dim_param, (unsigned)i, 1);
    isl_space_free(space);
}

/* Takes the set: what is known of the frame and of those it called. */
static bool is_never(proof *p, isl_set *set, const frame *f)
{
    bool is_root = strcmp(p->b->function[f->function].name, p->root) == 0;
    if (is_root)
        set = add_root(p, set, f);
    bool never = isl_set_is_empty(set) == isl_bool_true;
    if (!never && !is_root && f->depth < MOST_DEPTH)
        never = is_never_called(p, set, f);
    if (!never && is_root && !p->may)
        keep_way(p, set);
    isl_set_free(set);
    return never;
}

bool sq_block_unreachable(const sq_blocks *b, int block, const char *root, const bool *reached,
                          isl_set *context, sq_arena *arena, isl_set **may)
{
    const sq_block *own = &b->of[block];
    sq_text quotients = {0};
    int nquotients = 0;
    proof p = {b, root, reached, context, arena, 0, &quotients, &nquotients, NULL};
    frame *f = SQ_NEW(arena, frame);
    *f = (frame){.function = own->function, .at = own->from, .block = block};
    find_names(&p, f);
    isl_set *all = isl_set_universe(isl_space_params_alloc(isl_set_get_ctx(context), 0));
    bool never = is_never(&p, add_frame(&p, all, f), f);
    sq_text_free(&quotients);
    if (may && !never)
        *may = isl_set_copy(p.may);
    isl_set_free(p.may);
    return never;
}
