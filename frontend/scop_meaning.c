/* Scop meaning: variables of a region that stand for a value, what reads elements by such names, functions that
 * stand for C's own. */
#include "frontend/scop_build.h"
#include <isl/aff.h>
#include <isl/set.h>
#include <string.h>

bool sq_scop_is_assigned(const sq_builder *b, CXCursor decl)
{
    for (int i = 0; i < b->scop->nassigned; i++)
        if (b->r.cl->clang_equalCursors(b->scop->assigned[i], decl))
            return true;
    return false;
}

enum { MOST_FOLLOWED = 1 << 16 }; /* a chain of x = y + y would double with each */

bool sq_scop_meaning(const sq_builder *b, CXCursor decl, CXCursor *value)
{
    int type = sq_type_read(b, b->r.cl->clang_getCursorType(decl));
    if (decl.kind != CXCursor_VarDecl || (type != SQ_I32 && type != SQ_I64 && type != SQ_U64) ||
        !sq_scop_inside(b, decl) || sq_scop_is_assigned(b, decl) ||
        b->scop->nfollowed == MOST_FOLLOWED)
        return false;
    if (!sq_cursor_initial(&b->r, decl, value))
        return false;
    b->scop->nfollowed++;
    return !sq_declared_mentions(b, *value, decl);
}

bool sq_scop_stands_for(const sq_builder *b, CXCursor decl, CXCursor *value)
{
    int type = sq_type_read(b, b->r.cl->clang_getCursorType(decl));
    if (decl.kind != CXCursor_VarDecl || type < 0 || sq_type_real((sq_type)type) || !sq_scop_inside(b, decl) ||
        sq_scop_is_assigned(b, decl) || b->scop->nfollowed == MOST_FOLLOWED ||
        !sq_cursor_initial(&b->r, decl, value) || sq_declared_mentions(b, *value, decl))
        return false;
    bool moves = sq_scop_is_stepped(b, *value);
    for (const sq_counter *k = b->scop->counters; k && !moves; k = k->next)
        moves = sq_declared_mentions(b, *value, k->decl);
    b->scop->nfollowed++;
    return !moves;
}

bool sq_indirect_is(const sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    bool deref = b->scop && c.kind == CXCursor_UnaryOperator &&
                 b->r.cl->clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_Deref;
    CXCursor value;
    bool found = c.kind == CXCursor_ArraySubscriptExpr || deref;
    if (b->scop && c.kind == CXCursor_DeclRefExpr &&
        sq_scop_stands_for(b, b->r.cl->clang_getCursorReferenced(c), &value))
        return sq_indirect_is(b, value);
    for (int i = 0; i < n && !found; i++)
        found = sq_indirect_is(b, child[i]);
    return found;
}

bool sq_scop_is_stepped(const sq_builder *b, CXCursor c)
{
    bool found = false;
    for (int i = 0; i < b->scop->nuses && !found; i++)
        found = b->scop->use[i].is_stepped && sq_declared_mentions(b, c, b->scop->use[i].decl);
    return found;
}

bool sq_scop_named(const sq_builder *b, const sq_symbol *s, CXCursor *value)
{
    return s && s->kind == SQ_SYM_ARRAY && s->array->is_named && sq_scop_meaning(b, s->decl, value) &&
           !sq_scop_is_stepped(b, *value);
}

/* 1 where the condition holds, else 0; NULL after an error. */
static isl_pw_aff *truth(sq_builder *b, CXCursor c)
{
    isl_set *holds = sq_condition_read(b, c);
    return holds ? isl_set_indicator_function(holds) : NULL;
}

isl_pw_aff *sq_scop_named_form(sq_builder *b, const sq_array *array)
{
    CXCursor value;
    const sq_symbol *s = b->symbols;
    while (s && s->array != array)
        s = s->next;
    if (!sq_scop_named(b, s, &value))
        return NULL;
    size_t mark = sq_diags_mark(b->r.d);
    sq_affine_of of = b->affine_of;
    isl_pw_aff *form = sq_condition_is(b, value) ? truth(b, value) : sq_piecewise_read(b, value);
    b->affine_of = of;
    sq_diags_rewind(b->r.d, mark);
    return form;
}

bool sq_scop_is_library(const sq_builder *b, CXCursor call)
{
    const sq_clang *cl = b->r.cl;
    CXCursor f = cl->clang_getCursorReferenced(call);
    CXFile file = NULL;
    cl->clang_getFileLocation(cl->clang_getCursorLocation(f), &file, NULL, NULL, NULL);
    return f.kind == CXCursor_FunctionDecl &&
           (!file || cl->clang_Location_isInSystemHeader(cl->clang_getCursorLocation(f)));
}
