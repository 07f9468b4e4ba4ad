/* Loads libclang with dlopen and wraps the few things every reader of a syntax tree needs. The
 * library is never unloaded: LLVM registers handlers at exit. */
#include "frontend/clang.h"
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What the build found, then Debian's names, the version that is tested first, then the others'. */
static const char *const names[] = {
    SQ_LIBCLANG_NAME,   SQ_LIBCLANG_PATH,   "libclang-19.so.1", "libclang-20.so.1",
    "libclang-18.so.1", "libclang-17.so.1", "libclang.so.13",   "libclang.so",
};

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define SQ_CLANG_FUNCTION(result, name, ...) {#name, offsetof(sq_clang, name)},
#include "frontend/clang_api.def"
#undef SQ_CLANG_FUNCTION
};

/* The first function that is missing, NULL if none is. */
static const char *fill(sq_clang *table, void *library)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *f = dlsym(library, functions[i].name);
        if (!f)
            return functions[i].name;
        memcpy((char *)table + functions[i].offset, &f, sizeof f);
    }
    return NULL;
}

/* libclang parses on a thread of its own with a small stack, and its handler of crashes runs on
 * that same stack: deep nesting would kill the process without a word. On our thread the caller's
 * limits and handlers hold. */
static void parse_on_our_stack(void)
{
    setenv("LIBCLANG_NOTHREADS", "1", 1);
    setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
}

const sq_clang *sq_clang_load(sq_diags *d)
{
    static sq_clang table;
    static bool loaded;
    const char *missing = NULL;
    parse_on_our_stack();
    for (size_t i = 0; !loaded && i < sizeof names / sizeof *names; i++) {
        void *library = *names[i] ? dlopen(names[i], RTLD_LAZY | RTLD_LOCAL) : NULL;
        if (!library)
            continue;
        missing = fill(&table, library);
        loaded = !missing;
        if (!loaded)
            dlclose(library);
    }
    if (loaded)
        return &table;
    if (missing)
        sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "the libclang found is too old: it has no %s",
                 missing);
    else
        sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "libclang is not installed");
    sq_help(d, SQ_NOWHERE,
            "libclang 17 or newer reads descriptions; on Debian: apt install "
            "libclang1-19");
    return NULL;
}

char *sq_clang_string(const sq_reader *r, CXString s)
{
    const char *text = r->cl->clang_getCString(s);
    char *copy = sq_arena_strdup(r->arena, text ? text : "");
    r->cl->clang_disposeString(s);
    return copy;
}

char *sq_cursor_spelling(const sq_reader *r, CXCursor c)
{
    return sq_clang_string(r, r->cl->clang_getCursorSpelling(c));
}

typedef struct child_list {
    const sq_reader *r;
    CXCursor *c;
    int n, max;
} child_list;

static enum CXChildVisitResult add_child(CXCursor c, CXCursor parent, CXClientData user)
{
    child_list *l = user;
    (void)parent;
    if (l->n == l->max) {
        int max = l->max ? 2 * l->max : 4;
        CXCursor *more = SQ_NEW_ARRAY(l->r->arena, CXCursor, max);
        if (l->n)
            memcpy(more, l->c, (size_t)l->n * sizeof *more);
        l->c = more;
        l->max = max;
    }
    l->c[l->n++] = c;
    return CXChildVisit_Continue;
}

CXCursor *sq_cursor_children(const sq_reader *r, CXCursor c, int *n)
{
    child_list l = {.r = r};
    r->cl->clang_visitChildren(c, add_child, &l);
    *n = l.n;
    return l.c;
}

bool sq_cursor_same(const sq_reader *r, CXCursor a, CXCursor b)
{
    return r->cl->clang_equalCursors(a, b);
}

/* True if a signed integer type with this number of bytes holds a literal. */
static bool holds_literal(const sq_reader *r, long long bytes, CXCursor literal)
{
    CXEvalResult e = r->cl->clang_Cursor_Evaluate(literal);
    int64_t value = e ? r->cl->clang_EvalResult_getAsLongLong(e) : 0;
    if (e)
        r->cl->clang_EvalResult_dispose(e);
    return e && value >= 0 && (bytes > 7 || value < INT64_C(1) << (8 * bytes - 1));
}

bool sq_cast_keeps(const sq_reader *r, CXCursor cast, CXCursor operand)
{
    const sq_clang *cl = r->cl;
    operand = sq_cursor_strip(r, operand);
    long long bytes = cl->clang_Type_getSizeOf(cl->clang_getCursorType(cast));
    return operand.kind == CXCursor_IntegerLiteral
               ? holds_literal(r, bytes, operand)
               : bytes >= cl->clang_Type_getSizeOf(cl->clang_getCursorType(operand));
}

bool sq_cursor_is_expression(CXCursor c)
{
    return c.kind >= CXCursor_FirstExpr && c.kind < CXCursor_FirstStmt;
}

bool sq_cursor_is_comma(const sq_reader *r, CXCursor c)
{
    return c.kind == CXCursor_BinaryOperator &&
           r->cl->clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Comma;
}

bool sq_cursor_is_unary(const sq_reader *r, CXCursor c, enum CXUnaryOperatorKind kind)
{
    return c.kind == CXCursor_UnaryOperator && r->cl->clang_getCursorUnaryOperatorKind(c) == kind;
}

bool sq_cursor_is_assignment(const sq_reader *r, CXCursor c)
{
    return c.kind == CXCursor_BinaryOperator &&
           r->cl->clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign;
}

bool sq_cursor_assigns(const sq_reader *r, CXCursor c)
{
    enum CXUnaryOperatorKind unary = r->cl->clang_getCursorUnaryOperatorKind(c);
    return c.kind == CXCursor_CompoundAssignOperator || sq_cursor_is_assignment(r, c) ||
           (c.kind == CXCursor_UnaryOperator && unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec);
}

bool sq_cursor_initial(const sq_reader *r, CXCursor decl, CXCursor *value)
{
    if (decl.kind != CXCursor_VarDecl)
        return false;
    *value = r->cl->clang_Cursor_getVarDeclInitializer(decl);
    return !r->cl->clang_Cursor_isNull(*value);
}

bool sq_cursor_covers(const sq_reader *r, CXCursor child, CXCursor c)
{
    CXSourceRange a = r->cl->clang_getCursorExtent(child), b = r->cl->clang_getCursorExtent(c);
    return a.begin_int_data == b.begin_int_data && a.end_int_data == b.end_int_data;
}

CXCursor sq_cursor_strip(const sq_reader *r, CXCursor c)
{
    while (c.kind == CXCursor_ParenExpr || c.kind == CXCursor_UnexposedExpr) {
        int n;
        CXCursor *child = sq_cursor_children(r, c, &n);
        if (n != 1 || (c.kind == CXCursor_UnexposedExpr && !sq_cursor_covers(r, child[0], c)))
            break;
        c = child[0];
    }
    return c;
}

/* The name as given for the description itself; the diagnostics get the text of other files. */
static const char *file_name(sq_reader *r, CXFile file)
{
    const char *name = sq_clang_string(r, r->cl->clang_getFileName(file));
    if (strncmp(name, SQ_PRELUDE_DIR "/", sizeof SQ_PRELUDE_DIR) == 0)
        name += sizeof SQ_PRELUDE_DIR;
    for (int i = 0; i < r->nknown; i++)
        if (strcmp(r->known[i], name) == 0)
            return r->known[i];
    size_t n = 0;
    const char *text = r->cl->clang_getFileContents(r->unit, file, &n);
    if (text && r->nknown < (int)(sizeof r->known / sizeof *r->known)) {
        r->known[r->nknown++] = name;
        sq_diags_source(r->d, name, text, n);
    }
    return name;
}

sq_loc sq_place_loc(sq_reader *r, CXSourceLocation place)
{
    CXFile file = NULL;
    unsigned line = 0, col = 0;
    r->cl->clang_getFileLocation(place, &file, &line, &col, NULL);
    if (!file)
        return SQ_NOWHERE;
    return (sq_loc){file_name(r, file), (int)line, (int)col, 0};
}

sq_loc sq_range_loc(sq_reader *r, CXSourceRange range)
{
    sq_loc a = sq_place_loc(r, r->cl->clang_getRangeStart(range));
    sq_loc b = sq_place_loc(r, r->cl->clang_getRangeEnd(range));
    if (a.line && a.line == b.line && b.col > a.col)
        a.len = b.col - a.col;
    return a;
}

sq_loc sq_cursor_loc(sq_reader *r, CXCursor c)
{
    return sq_range_loc(r, r->cl->clang_getCursorExtent(c));
}

bool sq_cursor_evaluated(const sq_reader *r, CXCursor c, int64_t *value)
{
    const sq_clang *cl = r->cl;
    CXEvalResult e = cl->clang_Cursor_Evaluate(c);
    bool fits = e && cl->clang_EvalResult_getKind(e) == CXEval_Int;
    if (fits)
        *value = cl->clang_EvalResult_getAsLongLong(e);
    if (e)
        cl->clang_EvalResult_dispose(e);
    return fits;
}
