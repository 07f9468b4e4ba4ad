/* Opening of calls: whether the text of a function can stand at all where it is called. */
#include "frontend/calls_inside.h"
#include "support/words.h"
#include <string.h>

/* The definition of a macro; NULL cursor: there is none, or more than one, or it ends somewhere. */
static bool only_definition(const sq_inlining *x, const char *name, CXCursor *macro)
{
    int n = 0;
    for (int i = 0; i < x->f->ntop; i++)
        if (x->f->top[i].kind == CXCursor_MacroDefinition &&
            strcmp(sq_cursor_spelling(x->f->r, x->f->top[i]), name) == 0) {
            *macro = x->f->top[i];
            n++;
        }
    for (const char *at = x->f->text; n == 1 && (at = strstr(at, "undef")); at += strlen("undef")) {
        const char *word = at + strlen("undef") + strspn(at + strlen("undef"), " \t\\\r\n");
        n += strncmp(word, name, strlen(name)) == 0;
    }
    return n == 1;
}

/* The text of a macro's definition, wherever it stands; "" of the compiler's own. */
static const char *definition_text(const sq_inlining *x, CXCursor macro)
{
    const sq_clang *cl = x->f->r->cl;
    CXFile file = NULL;
    unsigned from = 0, to = 0;
    size_t n = 0;
    CXSourceRange range = cl->clang_getCursorExtent(macro);
    cl->clang_getFileLocation(cl->clang_getRangeStart(range), &file, NULL, NULL, &from);
    cl->clang_getFileLocation(cl->clang_getRangeEnd(range), NULL, NULL, NULL, &to);
    const char *text = file ? cl->clang_getFileContents(x->f->r->unit, file, &n) : NULL;
    return text && from < to && to <= n ? sq_arena_strndup(x->f->r->arena, text + from, to - from) : "";
}

/* A macro is to say the same where the call is, and so are those that it is made of. */
static bool is_same_macro(const sq_inlining *x, const char *name, int depth)
{
    static const char *const places[] = {"__LINE__", "__COUNTER__", "__FILE__", "__func__", "__FUNCTION__", "_Pragma"};
    CXCursor macro;
    if (depth > SQ_CALL_DEPTH || !only_definition(x, name, &macro))
        return false;
    const char *text = definition_text(x, macro);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (sq_text_mentions(text, places[i]))
            return false;
    for (int i = 0; i < x->f->ntop && *text; i++) {
        if (x->f->top[i].kind != CXCursor_MacroDefinition)
            continue;
        const char *other = sq_cursor_spelling(x->f->r, x->f->top[i]);
        if (strcmp(other, name) != 0 && sq_text_mentions(text, other) && !is_same_macro(x, other, depth + 1))
            return false;
    }
    return true;
}

/* True if the function's text has the macro expanded; an assert's is not looked into. */
static bool is_expanded(const sq_inlining *x, const char *name)
{
    size_t from, to;
    for (int i = 0; i < x->f->ntop; i++)
        if (x->f->top[i].kind == CXCursor_MacroExpansion && sq_scop_span(x->f->r, x->f->top[i], &from, &to) &&
            from >= x->from && to <= x->to && strcmp(sq_cursor_spelling(x->f->r, x->f->top[i]), name) == 0)
            return true;
    return false;
}

/* Words of the function that are macros: the same ones at the call, and not others that came after it. */
static void check_macros(sq_inlining *x)
{
    const char *text = sq_arena_strndup(x->f->r->arena, x->f->text + x->from, x->to - x->from);
    for (int i = 0; i < x->f->ntop && !x->why; i++) {
        CXCursor c = x->f->top[i];
        const char *name = c.kind == CXCursor_MacroDefinition ? sq_cursor_spelling(x->f->r, c) : "";
        if (!*name || !sq_text_mentions(text, name) || strcmp(name, "assert") == 0)
            continue;
        if (!is_expanded(x, name) || !is_same_macro(x, name, 0))
            sq_inlining_fails(x, x->function,
                              sq_arena_printf(x->f->r->arena, "the macro '%s' may be another one at the call", name));
    }
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

/* What stands before the body of a function, or all of a declaration; NULL: it is not in the file. */
static const char *head_of(const sq_inlining *x, CXCursor c, const CXCursor *child, int n)
{
    size_t from, to, body, end;
    if (!sq_scop_span(x->f->r, c, &from, &to))
        return NULL;
    if (n > 0 && child[n - 1].kind == CXCursor_CompoundStmt && sq_scop_span(x->f->r, child[n - 1], &body, &end))
        to = body;
    return sq_arena_strndup(x->f->r->arena, x->f->text + from, to - from);
}

/* By one of its declarations or by a pragma; of a header only that there is an attribute is seen. */
static bool is_weak(const sq_inlining *x)
{
    bool is = strstr(x->f->text, "pragma weak") != NULL;
    const char *name = sq_cursor_spelling(x->f->r, x->function);
    for (int i = 0; i < x->f->ntop && !is; i++) {
        int n;
        CXCursor c = x->f->top[i];
        if (c.kind != CXCursor_FunctionDecl || strcmp(sq_cursor_spelling(x->f->r, c), name) != 0)
            continue;
        CXCursor *child = sq_cursor_children(x->f->r, c, &n);
        const char *head = head_of(x, c, child, n);
        is = head && (sq_text_mentions(head, "weak") || sq_text_mentions(head, "__weak__"));
        for (int k = 0; k < n && !head; k++)
            is |= child[k].kind == CXCursor_FirstAttr;
    }
    return is;
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
    if (is_weak(x))
        return sq_inlining_fails(x, x->function, "another definition may take its place") != NULL;
    sq_call_check_text(x, *body);
    check_macros(x);
    check_pragmas(x);
    CXType result = x->f->r->cl->clang_getCursorResultType(x->function);
    x->is_void = x->f->r->cl->clang_getCanonicalType(result).kind == CXType_Void;
    return !x->why;
}
