/* Instead: what is written instead of functions of <math.h> that a region cannot call, of divisors that vary, and of
 * subscripts before their array. */
#include "frontend/build.h"
#include <string.h>

const char *sq_instead_of(const char *name)
{
    static const char *const other[][2] = {
        {"fma", "write a*b + c, of which squall makes one instruction where the target has it"},
        {"fmod", "write x - y*trunc(x/y), which is rounded"},
        {"copysign", "write y < 0 ? -fabs(x) : fabs(x), which takes -0 for 0"},
        {"atan2", "compute it in a loop of its own outside of the region"}};
    const char *text = NULL;
    for (size_t i = 0, n; i < sizeof other / sizeof *other && !text; i++) {
        n = strlen(other[i][0]); /* or its f form */
        text = strncmp(name, other[i][0], n) == 0 && strcmp(name + n, name[n] ? "f" : "") == 0 ? other[i][1] : NULL;
    }
    return text;
}

static bool is_parameter(const sq_builder *b, CXCursor c)
{
    return c.kind == CXCursor_DeclRefExpr && b->r.cl->clang_getCursorReferenced(c).kind == CXCursor_ParmDecl;
}

void sq_instead_fix(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    CXCursor by = n == 2 ? sq_cursor_strip(&b->r, part[1]) : c;
    const char *name = sq_cursor_spelling(&b->r, by);
    if (is_parameter(b, by))
        sq_help(b->r.d, SQ_NOWHERE, "if callers have few values of '%s', --fix=%s=2 makes it a constant", name, name);
}

bool sq_instead_fix_factor(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    CXCursor x = n == 2 ? sq_cursor_strip(&b->r, part[0]) : c, y = n == 2 ? sq_cursor_strip(&b->r, part[1]) : c;
    bool first = is_parameter(b, x), second = is_parameter(b, y);
    const char *name = sq_cursor_spelling(&b->r, first ? x : y);
    if (first != second)
        sq_help(b->r.d, SQ_NOWHERE, "if callers have few values of '%s', --fix=%s=2 makes it a constant", name, name);
    return first != second;
}

bool sq_instead_turned(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *side = sq_cursor_children(&b->r, c, &n);
    CXCursor array = n == 2 ? sq_cursor_strip(&b->r, side[1]) : c;
    const sq_symbol *s = sq_symbol_find(b, b->r.cl->clang_getCursorReferenced(array));
    if (c.kind != CXCursor_ArraySubscriptExpr || array.kind != CXCursor_DeclRefExpr || !s || s->kind != SQ_SYM_ARRAY)
        return false;
    const char *name = sq_cursor_spelling(&b->r, array);
    const char *index = sq_cursor_spelling(&b->r, sq_cursor_strip(&b->r, side[0]));
    sq_refuse(b, c, "here the subscript stands before its array; accepted is %s[%s]", name, *index ? index : "i");
    return true;
}
