/* Control: statements of C by which it jumps, or goes on for as long as values say, and others that are none of a
 * kernel. They are refused wherever they stand, what is not read for another error included, so that one run tells
 * of all of them. */
#include "frontend/build.h"

/* What is written instead; NULL: nothing that can be said here. */
static const char *instead(const sq_builder *b, CXCursor c)
{
    switch (c.kind) {
    case CXCursor_BreakStmt:
        return b->scop ? "a loop ends where its condition says: for (…; i < N && i < 3; …); a search for the first "
                         "place goes on to the end, if (i < at && a[i] > 0) at = i;"
                       : "a loop ends where its condition says: for (…; i < N && i < 3; …)";
    case CXCursor_ContinueStmt:
        return "write if (…) around what the other turns do";
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
        return "write for (int i = 0; i < N; i++)";
    case CXCursor_SwitchStmt:
        return "write if (…) … else …, or c ? x : y";
    case CXCursor_BinaryOperator:
        return b->r.cl->clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_EQ
                   ? "an assignment is written with ="
                   : NULL;
    default:
        return NULL;
    }
}

static const char statements[] = "a statement expression, ({ ... }),";

const char *sq_control_name(CXCursor c)
{
    static const struct {
        enum CXCursorKind kind;
        const char *name;
    } names[] = {{CXCursor_WhileStmt, "a while loop"}, {CXCursor_DoStmt, "a do loop"},
                 {CXCursor_SwitchStmt, "switch"},      {CXCursor_CaseStmt, "case"},
                 {CXCursor_DefaultStmt, "default"},    {CXCursor_BreakStmt, "break"},
                 {CXCursor_ContinueStmt, "continue"},  {CXCursor_ReturnStmt, "return"},
                 {CXCursor_GotoStmt, "goto"},          {CXCursor_IndirectGotoStmt, "goto"},
                 {CXCursor_LabelStmt, "a label"},      {CXCursor_ConditionalOperator, "a choice of values"},
                 {CXCursor_GCCAsmStmt, "asm"},         {CXCursor_MSAsmStmt, "asm"},
                 {CXCursor_StmtExpr, statements}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].kind == c.kind)
            return names[i].name;
    return sq_cursor_is_expression(c) ? "a value that is not assigned" : "this";
}

const char *sq_control_value_name(const sq_reader *r, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(r, c, &n);
    switch (c.kind) {
    case CXCursor_StmtExpr:
        return statements;
    case CXCursor_GenericSelectionExpr:
        return "_Generic";
    case CXCursor_CompoundLiteralExpr:
        return "a compound literal";
    case CXCursor_MemberRefExpr:
        return "a member of what is no variable and no element";
    case CXCursor_UnaryExpr:
        return "sizeof";
    case CXCursor_UnexposedExpr: /* libclang shows of a ?: b the latter alone */
        return n && r->cl->clang_getCursorExtent(child[n - 1]).end_int_data ==
                            r->cl->clang_getCursorExtent(c).end_int_data
                   ? "a ?: b without its second operand"
                   : "a built-in of the compiler";
    default:
        return "this";
    }
}

int sq_control_refuse(sq_builder *b, CXCursor c)
{
    const char *help = instead(b, c);
    sq_refuse(b, c,
              b->scop ? "%s is no statement of a region; accepted are assignments, for, if and declarations"
                      : "%s is no statement of a kernel; accepted are assignments to array elements, "
                        "range, assume, for, if and declarations",
              sq_control_name(c));
    if (help)
        sq_help(b->r.d, SQ_NOWHERE, "%s", help);
    return -1;
}

/* What jumps out of a loop or a switch belongs to that: of these only the outermost is told. */
static enum CXChildVisitResult look_at(CXCursor c, CXCursor parent, CXClientData user)
{
    (void)parent;
    switch (c.kind) {
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_ReturnStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_SwitchStmt:
        sq_control_refuse(user, c);
        return CXChildVisit_Continue;
    default:
        return sq_cursor_is_expression(c) ? CXChildVisit_Continue : CXChildVisit_Recurse;
    }
}

int sq_control_look(sq_builder *b, CXCursor c)
{
    if (look_at(c, c, b) == CXChildVisit_Recurse)
        b->r.cl->clang_visitChildren(c, look_at, b);
    return -1;
}
