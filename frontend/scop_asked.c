/* Scop asked: which pointers and numbers the conditions of a region ask for (scop_null.c). Each becomes a use beside
 * that of the pointer or number itself, and a size. */
#include "frontend/scop_build.h"
#include "support/words.h"

/* da_given, or da_given_ where the file has that already. */
static const char *name_of(const sq_builder *b, const char *pointer)
{
    const char *name = sq_arena_printf(b->r.arena, "%s_given", pointer);
    while (sq_text_mentions(b->scop->text, name))
        name = sq_arena_printf(b->r.arena, "%s_", name);
    return name;
}

static void add(sq_builder *b, CXCursor decl)
{
    sq_use *known = sq_null_use(b, decl);
    if (known) {
        known->nasked++;
        return;
    }
    sq_use *pointer = sq_scop_add_use(b, decl), u = {.decl = decl, .name = name_of(b, pointer->name), .nasked = 1};
    u.member = pointer->member;
    u.in_function = u.named = u.has_initial = u.is_given = true;
    sq_scop_put_use(b, &u);
}

/* Conditions of ifs and choices, and operands of ! && ||. */
static void look(sq_builder *b, CXCursor c, bool is_condition)
{
    int n;
    bool given;
    CXCursor decl, *child = sq_cursor_children(&b->r, c, &n);
    if (is_condition && sq_null_asked(b, c, &decl, &given)) {
        add(b, decl);
        return;
    }
    enum CXBinaryOperatorKind binary = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    bool joins = binary == CXBinaryOperator_LAnd || binary == CXBinaryOperator_LOr ||
                 b->r.cl->clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_LNot;
    bool chooses = c.kind == CXCursor_IfStmt || c.kind == CXCursor_ConditionalOperator;
    bool compares = binary == CXBinaryOperator_EQ || binary == CXBinaryOperator_NE;
    bool passes = is_condition && (c.kind == CXCursor_ParenExpr || c.kind == CXCursor_UnexposedExpr);
    if (compares && sq_null_asked(b, c, &decl, &given))
        add(b, decl);
    for (int i = 0; i < n; i++)
        look(b, child[i], joins || passes || (chooses && i == 0));
}

void sq_null_uses(sq_builder *b)
{
    for (int i = 0; i < b->scop->nstmts; i++)
        look(b, b->scop->stmt[i], false);
}

bool sq_null_only(const sq_builder *b, const sq_use *u)
{
    const sq_clang *cl = b->r.cl;
    const sq_use *given = u->is_given ? NULL : sq_null_use(b, u->decl);
    CXType t = cl->clang_getCanonicalType(cl->clang_getCursorType(u->decl));
    if (!given || cl->clang_getCanonicalType(cl->clang_getPointeeType(t)).kind != CXType_Record)
        return false;
    int n = 0;
    for (int i = 0; i < b->scop->nstmts; i++)
        n += sq_scop_mentions(b, b->scop->stmt[i], u->decl);
    return n == given->nasked;
}

int sq_null_declare(sq_builder *b, sq_use *u)
{
    const sq_size given = {.name = u->name, .type = SQ_I32, .loc = sq_cursor_loc(&b->r, u->decl), .is_truth = true};
    return sq_symbol_size(b, u->symbol, &given);
}
