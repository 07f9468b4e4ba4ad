/* Scop use: the record of a variable that a region uses, found by its declaration, and what assigns to a variable. */
#include "frontend/members.h"
#include "frontend/scop_build.h"
#include <string.h>

sq_use *sq_scop_use(const sq_builder *b, CXCursor decl)
{
    sq_scop *s = b->scop;
    for (int i = 0; i < s->nuses; i++)
        if (!s->use[i].is_given && !s->use[i].is_view && b->r.cl->clang_equalCursors(s->use[i].decl, decl))
            return &s->use[i];
    return NULL;
}

const char *sq_scop_text(const sq_builder *b, CXCursor decl)
{
    const sq_use *u = sq_scop_use(b, decl);
    return u && u->member ? u->member->text : sq_member_said(&b->r, sq_cursor_spelling(&b->r, decl));
}

sq_use *sq_scop_put_use(sq_builder *b, const sq_use *u)
{
    sq_scop *s = b->scop;
    sq_use *more = SQ_NEW_ARRAY(b->r.arena, sq_use, s->nuses + 1);
    if (s->nuses)
        memcpy(more, s->use, (size_t)s->nuses * sizeof *more);
    s->use = more;
    s->use[s->nuses] = *u;
    return &s->use[s->nuses++];
}

bool sq_scop_variable(const sq_builder *b, CXCursor c, CXCursor *decl)
{
    c = sq_cursor_strip(&b->r, c);
    if (c.kind != CXCursor_DeclRefExpr)
        return false;
    *decl = b->r.cl->clang_getCursorReferenced(c);
    return decl->kind == CXCursor_VarDecl || decl->kind == CXCursor_ParmDecl;
}

bool sq_scop_assigned_by(const sq_builder *b, CXCursor c, CXCursor *decl)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    return n > 0 && sq_cursor_assigns(&b->r, c) && sq_scop_variable(b, child[0], decl);
}
