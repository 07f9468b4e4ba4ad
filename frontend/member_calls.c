/* Members in calls: where a name stands for what a function of the file computes (calls.h), clang says of all in it
 * that it is at the name. What is to get a stand-in is looked for in the text of its macro. */
#include "frontend/calls.h"
#include "frontend/members_inside.h"
#include "support/words.h"
#include <string.h>

bool sq_member_in_call(const sq_member_finder *f, CXCursor c, size_t *from, size_t *to)
{
    size_t at, end, n = 0;
    if (f->calls_at == 0 || !sq_scop_span(f->r, c, &at, &end))
        return false;
    while (sq_is_word_byte(f->text[at + n]))
        n++;
    const char *define = sq_arena_printf(f->r->arena, "#define %.*s ", (int)n, f->text + at);
    const char *line = n > 0 ? strstr(f->text + f->calls_at, define) : NULL;
    if (!line)
        return false;
    *from = (size_t)(line - f->text) + strlen(define);
    *to = *from + strcspn(f->text + *from, "\n");
    return true;
}

const char *sq_member_path(const sq_member_finder *f, CXCursor c)
{
    int n;
    c = sq_cursor_strip(f->r, c);
    const char *name = sq_cursor_spelling(f->r, c);
    if (c.kind == CXCursor_DeclRefExpr)
        return name;
    CXCursor *child = sq_cursor_children(f->r, c, &n);
    const char *of =
        c.kind == CXCursor_MemberRefExpr && n == 1 ? sq_member_path(f, child[0]) : NULL;
    if (!of)
        return NULL;
    CXType t = f->r->cl->clang_getCanonicalType(
        f->r->cl->clang_getCursorType(sq_cursor_strip(f->r, child[0])));
    return sq_arena_printf(f->r->arena, "%s%s%s", of, t.kind == CXType_Pointer ? "->" : ".", name);
}

size_t sq_member_find(const sq_member_finder *f, const char *path, size_t from, size_t to)
{
    const char *text = f->text;
    size_t n = strlen(path);
    for (size_t at = from; at + n <= to; at++) {
        char before = at > from ? text[at - 1] : ' ', behind = text[at + n];
        bool is_member = before == '.' || (before == '>' && at > from + 1 && text[at - 2] == '-');
        bool has_member = behind == '.' || (behind == '-' && text[at + n + 1] == '>');
        bool inside = is_member || has_member || sq_is_word_byte(before) || sq_is_word_byte(behind);
        if (memcmp(text + at, path, n) == 0 && !inside)
            return at;
    }
    return to;
}

void sq_member_in_text(sq_member_finder *f, CXCursor c, sq_mention m, size_t from, size_t to)
{
    m.text = m.key = sq_member_path(f, c);
    for (size_t at = from; m.text && (at = sq_member_find(f, m.text, at, to)) < to; at = m.to) {
        m.from = at;
        m.to = at + strlen(m.text);
        sq_member_mention(f, &m);
    }
}

void sq_member_subscripts(sq_member_finder *f, size_t from, size_t to)
{
    for (size_t at = from; at < to; at++) {
        size_t end = at + 1;
        for (int depth = 1; f->text[at] == '[' && depth > 0 && end < to; end++)
            depth += (f->text[end] == '[') - (f->text[end] == ']');
        if (end > at + 1)
            sq_member_subscript(f, at + 1, end - 1);
    }
}
