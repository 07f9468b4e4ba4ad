/* Calls, memory: memset(p, 0, n * sizeof *p) and memcpy(p, q, n * sizeof *p) become the loops over elements that they
 * are, where p leads to numbers and n counts these. */
#include "frontend/calls_inside.h"
#include <string.h>

static CXType pointee(const sq_call_finder *f, CXCursor pointer)
{
    const sq_clang *cl = f->r->cl;
    CXType t = cl->clang_getCanonicalType(cl->clang_getCursorType(pointer)), element = cl->clang_getArrayElementType(t);
    if (element.kind == CXType_Invalid)
        element = cl->clang_getPointeeType(t);
    return cl->clang_getCanonicalType(element);
}

/* Its text, which has to be one line without comments; NULL: it is not. */
static const char *text_of(const sq_call_finder *f, CXCursor c)
{
    size_t from, to;
    if (!sq_scop_span(f->r, c, &from, &to))
        return NULL;
    const char *text = sq_arena_strndup(f->r->arena, f->text + from, to - from);
    return strpbrk(text, "\r\n\\") || strstr(text, "//") || strstr(text, "/*") ? NULL : text;
}

static bool is_size_of(const sq_call_finder *f, CXCursor c, long long bytes)
{
    int64_t value;
    c = sq_cursor_strip(f->r, c);
    return c.kind == CXCursor_UnaryExpr && sq_cursor_evaluated(f->r, c, &value) && value == bytes;
}

/* How many elements the bytes are; *type of what counts them. NULL: that is not said. */
static const char *count_of(const sq_call_finder *f, CXCursor size, long long bytes, const char **type)
{
    int n;
    int64_t all;
    size = sq_cursor_strip(f->r, size);
    CXCursor *side = sq_cursor_children(f->r, size, &n), by = size;
    *type = "int";
    if (sq_cursor_evaluated(f->r, size, &all))
        return all >= 0 && all < INT32_MAX && all % bytes == 0
                   ? sq_arena_printf(f->r->arena, "%lld", (long long)(all / bytes))
                   : NULL;
    bool times = size.kind == CXCursor_BinaryOperator && n == 2 &&
                 f->r->cl->clang_getCursorBinaryOperatorKind(size) == CXBinaryOperator_Mul;
    if (times && is_size_of(f, side[1], bytes))
        by = sq_cursor_strip(f->r, side[0]);
    else if (times && is_size_of(f, side[0], bytes))
        by = sq_cursor_strip(f->r, side[1]);
    else if (bytes != 1)
        return NULL;
    if (f->r->cl->clang_getCanonicalType(f->r->cl->clang_getCursorType(by)).kind != CXType_Int)
        *type = "long";
    return text_of(f, by);
}

/* The function of the C library. */
static bool is_of_library(const sq_call_finder *f, CXCursor call, const char *name)
{
    CXCursor callee = f->r->cl->clang_getCursorReferenced(call);
    return strcmp(sq_cursor_spelling(f->r, callee), name) == 0 &&
           f->r->cl->clang_Location_isInSystemHeader(f->r->cl->clang_getCursorLocation(callee));
}

const char *sq_call_memory(const sq_call_finder *f, CXCursor stmt)
{
    int n;
    int64_t value;
    CXCursor call = sq_cursor_strip(f->r, stmt), *arg = sq_cursor_children(f->r, call, &n);
    bool sets = call.kind == CXCursor_CallExpr && is_of_library(f, call, "memset"),
         copies = call.kind == CXCursor_CallExpr && is_of_library(f, call, "memcpy");
    if (n != 4 || (!sets && !copies))
        return NULL;
    CXCursor to = sq_cursor_strip(f->r, arg[1]), from = sq_cursor_strip(f->r, arg[2]);
    CXType t = pointee(f, to);
    long long bytes = f->r->cl->clang_Type_getSizeOf(t);
    bool fits = sq_address_is_number(t) && bytes > 0 && !f->r->cl->clang_isVolatileQualifiedType(t) &&
                (copies ? sq_address_is_number(pointee(f, from)) && pointee(f, from).kind == t.kind
                        : sq_cursor_evaluated(f->r, from, &value) && value == 0);
    const char *type, *count = fits ? count_of(f, arg[3], bytes, &type) : NULL, *target = text_of(f, to),
                      *source = text_of(f, from), *at = sq_call_turn_name(f);
    if (!count || !target || !source)
        return NULL;
    const char *element = sets ? "0" : sq_arena_printf(f->r->arena, "*((%s) + %s)", source, at);
    return sq_arena_printf(f->r->arena, "for (%s %s = 0; %s < (%s); %s++) *((%s) + %s) = %s;", type, at, at, count, at,
                           target, at, element);
}
