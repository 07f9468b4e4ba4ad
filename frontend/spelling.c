/* Spelling: see spelling.h. Parentheses are those that the operators need, numbers are their values. */
#include "frontend/spelling.h"
#include <string.h>

static CXType type_of(const sq_spelling *s, CXCursor c)
{
    return s->r->cl->clang_getCanonicalType(s->r->cl->clang_getCursorType(c));
}

static const char *type_text(const sq_spelling *s, CXType t)
{
    return sq_clang_string(s->r, s->r->cl->clang_getTypeSpelling(t));
}

static bool fail(sq_spelling *s)
{
    s->fails = true;
    return false;
}

/* ---- numbers ---- */

static const char *suffix_of(enum CXTypeKind k)
{
    switch (k) {
    case CXType_UInt:
        return "u";
    case CXType_Long:
        return "L";
    case CXType_ULong:
        return "uL";
    case CXType_LongLong:
        return "LL";
    case CXType_ULongLong:
        return "uLL";
    case CXType_Float:
        return "f";
    case CXType_Int:
    case CXType_Double:
        return "";
    default:
        return NULL;
    }
}

static void put_number(sq_spelling *s, CXCursor c)
{
    const sq_clang *cl = s->r->cl;
    const char *suffix = suffix_of(type_of(s, c).kind);
    CXEvalResult e = cl->clang_Cursor_Evaluate(c);
    CXEvalResultKind kind = e ? cl->clang_EvalResult_getKind(e) : 0;
    if (suffix && kind == CXEval_Float)
        sq_text_printf(&s->out, "%a%s", cl->clang_EvalResult_getAsDouble(e), suffix);
    else if (suffix && kind == CXEval_Int) {
        long long value = cl->clang_EvalResult_getAsLongLong(e);
        bool below = value < 0 && c.kind == CXCursor_CharacterLiteral; /* '\xff' */
        sq_text_printf(&s->out, below ? "(%lld)" : "%lld%s", value, suffix);
        s->fails |= value < 0 && !below;
    }
    else
        fail(s);
    if (e)
        cl->clang_EvalResult_dispose(e);
}

/* ---- operators ---- */

static const struct {
    const char *text;
    int binds;
} binary[] = {
    [CXBinaryOperator_Mul] = {"*", SQ_BINDS_PRODUCT},
    [CXBinaryOperator_Div] = {"/", SQ_BINDS_PRODUCT},
    [CXBinaryOperator_Rem] = {"%", SQ_BINDS_PRODUCT},
    [CXBinaryOperator_Add] = {"+", SQ_BINDS_SUM},
    [CXBinaryOperator_Sub] = {"-", SQ_BINDS_SUM},
    [CXBinaryOperator_Shl] = {"<<", 11},
    [CXBinaryOperator_Shr] = {">>", 11},
    [CXBinaryOperator_LT] = {"<", 10},
    [CXBinaryOperator_GT] = {">", 10},
    [CXBinaryOperator_LE] = {"<=", 10},
    [CXBinaryOperator_GE] = {">=", 10},
    [CXBinaryOperator_EQ] = {"==", 9},
    [CXBinaryOperator_NE] = {"!=", 9},
    [CXBinaryOperator_And] = {"&", 8},
    [CXBinaryOperator_Xor] = {"^", 7},
    [CXBinaryOperator_Or] = {"|", 6},
    [CXBinaryOperator_LAnd] = {"&&", 5},
    [CXBinaryOperator_LOr] = {"||", 4},
    [CXBinaryOperator_Assign] = {"=", SQ_BINDS_ASSIGN},
    [CXBinaryOperator_MulAssign] = {"*=", SQ_BINDS_ASSIGN},
    [CXBinaryOperator_DivAssign] = {"/=", SQ_BINDS_ASSIGN},
    [CXBinaryOperator_RemAssign] = {"%=", SQ_BINDS_ASSIGN},
    [CXBinaryOperator_AddAssign] = {"+=", SQ_BINDS_ASSIGN},
    [CXBinaryOperator_SubAssign] = {"-=", SQ_BINDS_ASSIGN},
    [CXBinaryOperator_ShlAssign] = {"<<=", SQ_BINDS_ASSIGN},
    [CXBinaryOperator_ShrAssign] = {">>=", SQ_BINDS_ASSIGN},
    [CXBinaryOperator_AndAssign] = {"&=", SQ_BINDS_ASSIGN},
    [CXBinaryOperator_XorAssign] = {"^=", SQ_BINDS_ASSIGN},
    [CXBinaryOperator_OrAssign] = {"|=", SQ_BINDS_ASSIGN},
    [CXBinaryOperator_Comma] = {",", SQ_BINDS_COMMA},
};

static const char *const unary[] = {
    [CXUnaryOperator_PreInc] = "++", [CXUnaryOperator_PreDec] = "--", [CXUnaryOperator_AddrOf] = "&",
    [CXUnaryOperator_Deref] = "*",   [CXUnaryOperator_Plus] = "+",    [CXUnaryOperator_Minus] = "-",
    [CXUnaryOperator_Not] = "~",     [CXUnaryOperator_LNot] = "!",
};

static void put_binary(sq_spelling *s, CXCursor c, int binds)
{
    int n;
    CXCursor *side = sq_cursor_children(s->r, c, &n);
    size_t kind = s->r->cl->clang_getCursorBinaryOperatorKind(c);
    if (n != 2 || kind >= sizeof binary / sizeof *binary || !binary[kind].text) {
        fail(s);
        return;
    }
    int own = binary[kind].binds;
    bool right = own == SQ_BINDS_ASSIGN;
    sq_text_puts(&s->out, own < binds ? "(" : "");
    sq_spelling_expression(s, side[0], own + right);
    sq_text_printf(&s->out, " %s ", binary[kind].text);
    sq_spelling_expression(s, side[1], own + !right);
    sq_text_puts(&s->out, own < binds ? ")" : "");
}

static void put_unary(sq_spelling *s, CXCursor c, int binds)
{
    int n;
    CXCursor *operand = sq_cursor_children(s->r, c, &n);
    size_t kind = s->r->cl->clang_getCursorUnaryOperatorKind(c);
    bool post = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec;
    if (n != 1 || (!post && (kind >= sizeof unary / sizeof *unary || !unary[kind]))) {
        fail(s);
        return;
    }
    bool inside = !post && SQ_BINDS_UNARY < binds;
    sq_text_puts(&s->out, inside ? "(" : "");
    if (!post)
        sq_text_printf(&s->out, "%s ", unary[kind]); /* not --x of -(-x) */
    sq_spelling_expression(s, operand[0], post ? SQ_BINDS_POSTFIX : SQ_BINDS_UNARY);
    if (post)
        sq_text_puts(&s->out, kind == CXUnaryOperator_PostInc ? "++" : "--");
    sq_text_puts(&s->out, inside ? ")" : "");
}

static void put_choice(sq_spelling *s, CXCursor c, int binds)
{
    int n;
    CXCursor *side = sq_cursor_children(s->r, c, &n);
    if (n != 3) {
        fail(s);
        return;
    }
    sq_text_puts(&s->out, SQ_BINDS_CHOICE < binds ? "(" : "");
    sq_spelling_expression(s, side[0], SQ_BINDS_CHOICE + 1);
    sq_text_puts(&s->out, " ? ");
    sq_spelling_expression(s, side[1], SQ_BINDS_CHOICE);
    sq_text_puts(&s->out, " : ");
    sq_spelling_expression(s, side[2], SQ_BINDS_CHOICE);
    sq_text_puts(&s->out, SQ_BINDS_CHOICE < binds ? ")" : "");
}

/* The operand of a unary operator; false: c is none of that kind. */
static bool operand_of(const sq_spelling *s, CXCursor c, enum CXUnaryOperatorKind kind, CXCursor *operand)
{
    int n;
    c = sq_cursor_strip(s->r, c);
    CXCursor *child = sq_cursor_children(s->r, c, &n);
    bool is = c.kind == CXCursor_UnaryOperator && n == 1 && s->r->cl->clang_getCursorUnaryOperatorKind(c) == kind;
    if (is)
        *operand = child[0];
    return is;
}

/* (*p).w is p->w, (&im)->w is im.w. */
static void put_member(sq_spelling *s, CXCursor c)
{
    int n;
    CXCursor operand, *of = sq_cursor_children(s->r, c, &n);
    if (n != 1) {
        fail(s);
        return;
    }
    bool arrow = type_of(s, sq_cursor_strip(s->r, of[0])).kind == CXType_Pointer;
    if (operand_of(s, of[0], arrow ? CXUnaryOperator_AddrOf : CXUnaryOperator_Deref, &operand)) {
        of = &operand;
        arrow = !arrow;
    }
    sq_spelling_expression(s, of[0], SQ_BINDS_POSTFIX);
    const char *name = sq_cursor_spelling(s->r, c);
    if (!*name)
        fail(s); /* of a struct without a name */
    sq_text_printf(&s->out, "%s%s", arrow ? "->" : ".", name);
}

/* ---- the rest ---- */

static void put_subscript(sq_spelling *s, CXCursor c)
{
    int n;
    CXCursor *of = sq_cursor_children(s->r, c, &n);
    if (n != 2) {
        fail(s);
        return;
    }
    sq_spelling_expression(s, of[0], SQ_BINDS_POSTFIX);
    sq_text_puts(&s->out, "[");
    sq_spelling_expression(s, of[1], 0);
    sq_text_puts(&s->out, "]");
}

static void put_call(sq_spelling *s, CXCursor c)
{
    int n = s->r->cl->clang_Cursor_getNumArguments(c);
    if (s->r->cl->clang_getCursorReferenced(c).kind != CXCursor_FunctionDecl)
        fail(s);
    sq_text_printf(&s->out, "%s(", sq_cursor_spelling(s->r, c));
    for (int i = 0; i < n; i++) {
        sq_text_puts(&s->out, i ? ", " : "");
        sq_spelling_expression(s, s->r->cl->clang_Cursor_getArgument(c, (unsigned)i), SQ_BINDS_ASSIGN);
    }
    sq_text_puts(&s->out, ")");
}

static void put_cast(sq_spelling *s, CXCursor c, int binds)
{
    int n;
    CXCursor *child = sq_cursor_children(s->r, c, &n);
    const char *type = type_text(s, type_of(s, c));
    if (n == 0 || strchr(type, '(')) { /* to a pointer to an array, and the like */
        fail(s);
        return;
    }
    sq_text_printf(&s->out, "%s(%s)", SQ_BINDS_UNARY < binds ? "(" : "", type);
    sq_spelling_expression(s, child[n - 1], SQ_BINDS_UNARY);
    sq_text_puts(&s->out, SQ_BINDS_UNARY < binds ? ")" : "");
}

void sq_spelling_expression(sq_spelling *s, CXCursor c, int binds)
{
    c = sq_cursor_strip(s->r, c);
    if (s->out.n > SQ_SPELLING_BYTES)
        fail(s);
    if (s->fails || (s->other && s->other(s, c)))
        return;
    switch (c.kind) {
    case CXCursor_DeclRefExpr:
        sq_text_puts(&s->out, sq_cursor_spelling(s->r, c));
        return;
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_UnaryExpr: /* sizeof */
        put_number(s, c);
        return;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        put_binary(s, c, binds);
        return;
    case CXCursor_UnaryOperator:
        put_unary(s, c, binds);
        return;
    case CXCursor_ConditionalOperator:
        put_choice(s, c, binds);
        return;
    case CXCursor_MemberRefExpr:
        put_member(s, c);
        return;
    case CXCursor_ArraySubscriptExpr:
        put_subscript(s, c);
        return;
    case CXCursor_CallExpr:
        put_call(s, c);
        return;
    case CXCursor_CStyleCastExpr:
        put_cast(s, c, binds);
        return;
    default:
        fail(s);
    }
}

/* ---- statements ---- */

/* "float v = x;", of numbers alone: other types are more than a word before the name. */
static void put_declared(sq_spelling *s, CXCursor decl)
{
    CXCursor value;
    const char *type = type_text(s, type_of(s, decl));
    if (decl.kind != CXCursor_VarDecl || strpbrk(type, "[(*") || type_of(s, decl).kind == CXType_Record ||
        s->r->cl->clang_Cursor_getStorageClass(decl) == CX_SC_Static) {
        fail(s);
        return;
    }
    sq_text_printf(&s->out, "%s %s", type, sq_cursor_spelling(s->r, decl));
    if (sq_cursor_initial(s->r, decl, &value)) {
        sq_text_puts(&s->out, " = ");
        sq_spelling_expression(s, value, SQ_BINDS_ASSIGN);
    }
    sq_text_puts(&s->out, "; ");
}

static void put_for(sq_spelling *s, CXCursor c)
{
    int n;
    CXCursor *part = sq_cursor_children(s->r, c, &n);
    if (n != 4) {
        fail(s); /* which part is left out is not said */
        return;
    }
    sq_text_puts(&s->out, "for (");
    sq_spelling_statement(s, part[0]);
    sq_spelling_expression(s, part[1], 0);
    sq_text_puts(&s->out, "; ");
    sq_spelling_expression(s, part[2], 0);
    sq_text_puts(&s->out, ") ");
    sq_spelling_body(s, part[3]);
}

void sq_spelling_body(sq_spelling *s, CXCursor c)
{
    if (!s->other || !s->other(s, c))
        sq_spelling_statement(s, c);
}

static void put_if(sq_spelling *s, CXCursor c)
{
    int n;
    CXCursor *part = sq_cursor_children(s->r, c, &n);
    sq_text_puts(&s->out, "if (");
    sq_spelling_expression(s, part[0], 0);
    sq_text_puts(&s->out, ") { ");
    for (int i = 1; i < n; i++) {
        sq_text_puts(&s->out, i > 1 ? "} else { " : "");
        sq_spelling_statement(s, part[i]);
    }
    sq_text_puts(&s->out, "} ");
}

static void put_do(sq_spelling *s, CXCursor c)
{
    int n;
    CXCursor *part = sq_cursor_children(s->r, c, &n);
    sq_text_puts(&s->out, "do { ");
    sq_spelling_statement(s, part[0]);
    sq_text_puts(&s->out, "} while (");
    sq_spelling_expression(s, part[n - 1], 0);
    sq_text_puts(&s->out, "); ");
}

void sq_spelling_statement(sq_spelling *s, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(s->r, c, &n);
    switch (c.kind) {
    case CXCursor_CompoundStmt:
        sq_text_puts(&s->out, "{ ");
        for (int i = 0; i < n; i++)
            sq_spelling_statement(s, child[i]);
        sq_text_puts(&s->out, "} ");
        return;
    case CXCursor_DeclStmt:
        for (int i = 0; i < n; i++)
            if (!s->other || !s->other(s, child[i]))
                put_declared(s, child[i]);
        sq_text_puts(&s->out, n == 0 || s->out.n == 0 ? "; " : "");
        return;
    case CXCursor_ForStmt:
        if (!s->other || !s->other(s, c))
            put_for(s, c);
        return;
    case CXCursor_IfStmt:
        if (!s->other || !s->other(s, c))
            put_if(s, c);
        return;
    case CXCursor_DoStmt:
        put_do(s, c);
        return;
    case CXCursor_NullStmt:
        sq_text_puts(&s->out, "; ");
        return;
    default:
        if (!sq_cursor_is_expression(c))
            fail(s);
        sq_spelling_expression(s, c, 0);
        sq_text_puts(&s->out, "; ");
    }
}
