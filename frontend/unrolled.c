/* Unrolled: loops whose body says one thing for i, i + 1 and so on, as often as they step by. They are read as the loop
 * that says it once and steps by 1, which does the same in the same order; together with the loop for the rest, where
 * that follows and says the same. */
#include "frontend/respelling_inside.h"
#include <string.h>

enum { MOST_COPIES = 64 };

/* ---- copies ---- */

typedef struct copy {
    const sq_respeller *x;
    CXCursor decl;
    int64_t ahead; /* of its variable */
} copy;

/* i + 2 of the copy for i + 1 is said as i + 1. */
static bool put_ahead(sq_spelling *s, CXCursor c)
{
    const copy *of = s->user;
    CXCursor decl;
    int64_t ahead;
    if (!sq_ahead_of(of->x, c, &decl, &ahead) || !sq_cursor_same(s->r, decl, of->decl))
        return false;
    sq_text_printf(&s->out, "(i + %lld)", (long long)(ahead - of->ahead));
    return true;
}

/* The text of n statements for i + ahead; NULL: they have none. */
static const char *copy_text(const sq_respeller *x, const CXCursor *stmt, int n, CXCursor decl, int64_t ahead)
{
    copy of = {x, decl, ahead};
    sq_spelling s = {.r = x->r, .other = put_ahead, .user = &of};
    for (int i = 0; i < n; i++)
        sq_spelling_statement(&s, stmt[i]);
    const char *text = sq_text_take(&s.out, x->r->arena);
    return s.fails ? NULL : text;
}

static CXCursor *statements(const sq_respeller *x, const CXCursor *body, int *n)
{
    *n = 1;
    return body->kind == CXCursor_CompoundStmt ? sq_cursor_children(x->r, *body, n) : (CXCursor *)body;
}

static bool is_copied(const sq_respeller *x, const sq_ending *of, int *per)
{
    int n;
    CXCursor *stmt = statements(x, &of->body, &n);
    *per = of->by > 1 && of->by <= MOST_COPIES && n % of->by == 0 ? n / (int)of->by : 0;
    const char *first = *per > 0 ? copy_text(x, stmt, *per, of->decl, 0) : NULL;
    bool same = first && !sq_respeller_changes(x, of->body, of->decl);
    for (int i = 1; i < of->by && same; i++) {
        const char *text = copy_text(x, stmt + i * *per, *per, of->decl, i);
        same = text && strcmp(text, first) == 0;
    }
    return same;
}

/* ---- the loop for the rest ---- */

static const char *bound_text(const sq_respeller *x, const sq_ending *of)
{
    sq_spelling s = {.r = x->r};
    sq_spelling_expression(&s, of->bound, SQ_BINDS_POSTFIX);
    return sq_text_take(&s.out, x->r->arena);
}

/* True if the next statement is a loop that goes on from this one, step by step to a bound that this one cannot pass,
 * and says the same. Bounds without a sign may wrap around: they stay. */
static bool has_rest(const sq_respeller *x, const sq_unrolled *u, CXCursor next)
{
    int n;
    sq_ending rest;
    const sq_ending *of = &u->ending;
    if (!sq_head_goes_on(x, next, of->loop) || !sq_ending_read(x, next, &rest) || rest.by != 1)
        return false;
    CXCursor *stmt = statements(x, &rest.body, &n), *first = statements(x, &of->body, &(int){0});
    const char *says = copy_text(x, stmt, n, rest.decl, 0);
    return says && n == u->per && strcmp(says, copy_text(x, first, n, of->decl, 0)) == 0 &&
           sq_respeller_is_signed(x, of->bound) && sq_respeller_is_signed(x, of->decl) &&
           of->ahead - rest.ahead >= of->by - 1 && strcmp(bound_text(x, of), bound_text(x, &rest)) == 0;
}

/* ---- what is found ---- */

static void take(sq_respeller *x, const CXCursor *stmt, int n, int k)
{
    int parts;
    sq_unrolled u = {0};
    sq_cursor_children(x->r, stmt[k], &parts);
    if (!sq_ending_read(x, stmt[k], &u.ending) || (parts != 4 && !sq_head_is(x, stmt[k])) ||
        !is_copied(x, &u.ending, &u.per))
        return;
    u.has_rest = k + 1 < n && has_rest(x, &u, stmt[k + 1]);
    if (!u.has_rest && k + 1 < n && sq_head_goes_on(x, stmt[k + 1], stmt[k]))
        return; /* where that begins is said of the loop as it is */
    x->unrolled = sq_arena_grow(x->r->arena, x->unrolled, x->nunrolled, &x->unrolled_room, sizeof *x->unrolled);
    x->unrolled[x->nunrolled++] = u;
}

void sq_unrolled_find(sq_respeller *x)
{
    x->nunrolled = 0;
    sq_respeller_each_loop(x, take);
}

const sq_unrolled *sq_unrolled_of(const sq_respeller *x, CXCursor loop)
{
    for (int i = 0; i < x->nunrolled; i++)
        if (sq_cursor_same(x->r, x->unrolled[i].ending.loop, loop))
            return &x->unrolled[i];
    return NULL;
}

/* ---- text ---- */

void sq_unrolled_put_turns(const sq_respeller *x, sq_spelling *s, const sq_unrolled *u, const char *name)
{
    int n;
    CXCursor *stmt = statements(x, &u->ending.body, &n);
    sq_text_printf(&s->out, "%s < ", name);
    sq_ending_put(x, s, &u->ending, sq_head_put_first);
    sq_text_printf(&s->out, "; %s++) { ", name);
    for (int i = 0; i < u->per; i++)
        sq_spelling_statement(s, stmt[i]);
    sq_text_puts(&s->out, "} ");
}

bool sq_unrolled_put(const sq_respeller *x, sq_spelling *s, CXCursor c)
{
    int n;
    const sq_unrolled *u = sq_unrolled_of(x, c);
    if (!u || (sq_head_is(x, c) && !u->has_rest))
        return false;
    if (u->has_rest)
        return true;
    CXCursor *part = sq_cursor_children(x->r, c, &n);
    const char *name = sq_cursor_spelling(x->r, u->ending.decl);
    bool declares = part[0].kind == CXCursor_DeclStmt;
    sq_text_printf(&s->out, "for (%s%s%s = ",
                   declares ? sq_struct_type_text(x, sq_address_type(x->r, u->ending.decl)) : "", declares ? " " : "",
                   name);
    sq_head_put_first(x, s, &u->ending);
    sq_text_puts(&s->out, "; ");
    sq_unrolled_put_turns(x, s, u, name);
    return true;
}
