/* Opening of calls: whether the text of a function can stand at all where it is called. */
#include "frontend/calls_inside.h"
#include "support/words.h"
#include <string.h>

/* A macro is to say the same where the call is. */
static bool is_one_macro(const sq_inlining *x, const char *name)
{
    int n = 0;
    for (int i = 0; i < x->f->ntop; i++)
        n += x->f->top[i].kind == CXCursor_MacroDefinition &&
             strcmp(sq_cursor_spelling(x->f->r, x->f->top[i]), name) == 0;
    for (const char *at = x->f->text; n == 1 && (at = strstr(at, "undef")); at += strlen("undef")) {
        const char *word = at + strlen("undef") + strspn(at + strlen("undef"), " \t\\\r\n");
        n += strncmp(word, name, strlen(name)) == 0;
    }
    return n == 1;
}

static void check_macros(sq_inlining *x)
{
    size_t from, to;
    for (int i = 0; i < x->f->ntop && !x->why; i++)
        if (x->f->top[i].kind == CXCursor_MacroExpansion &&
            sq_scop_span(x->f->r, x->f->top[i], &from, &to) && from >= x->from && to <= x->to &&
            !is_one_macro(x, sq_cursor_spelling(x->f->r, x->f->top[i])))
            sq_inlining_fails(x, x->f->top[i], "this macro may be another one at the call");
}

/* Pragmas between the function and the call may have changed what its arithmetic is. */
static void check_pragmas(sq_inlining *x)
{
    const char *between =
        sq_arena_strndup(x->f->r->arena, x->f->text + x->to, x->f->region.from - x->to);
    static const char *const words[] = {"STDC", "float_control", "optimize", "FP_CONTRACT", "fp"};
    for (const char *at = between; (at = strstr(at, "pragma")); at += strlen("pragma"))
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            const char *line = sq_arena_strndup(x->f->r->arena, at, strcspn(at, "\n"));
            if (sq_text_mentions(line, words[i]) && !sq_text_mentions(line, "squall"))
                sq_inlining_fails(x, x->function,
                                  "a pragma about arithmetic stands between it and the call");
        }
}

bool sq_call_open(sq_inlining *x, CXCursor *body)
{
    int n;
    CXCursor *child = sq_cursor_children(x->f->r, x->function, &n);
    size_t at, to;
    *body = child[n - 1];
    if (!sq_scop_span(x->f->r, x->function, &x->from, &x->to) ||
        !sq_scop_span(x->f->r, *body, &at, &to) || body->kind != CXCursor_CompoundStmt)
        return sq_inlining_fails(x, x->function, "its body is not in this file") != NULL;
    const char *head = sq_arena_strndup(x->f->r->arena, x->f->text + x->from, at - x->from);
    if (sq_text_mentions(head, "weak") || sq_text_mentions(head, "__weak__"))
        return sq_inlining_fails(x, x->function, "another definition may take its place") != NULL;
    sq_call_check_text(x, *body);
    check_macros(x);
    check_pragmas(x);
    CXType result = x->f->r->cl->clang_getCursorResultType(x->function);
    x->is_void = x->f->r->cl->clang_getCanonicalType(result).kind == CXType_Void;
    return !x->why;
}
