/* Address: see address.h. Sizes and offsets are those that clang computes. */
#include "frontend/address.h"
#include <string.h>

CXType sq_address_type(const sq_reader *r, CXCursor c)
{
    return r->cl->clang_getCanonicalType(r->cl->clang_getCursorType(c));
}

bool sq_address_is_number(CXType t)
{
    return (t.kind >= CXType_Bool && t.kind <= CXType_ULongLong) ||
           (t.kind >= CXType_Char_S && t.kind <= CXType_Double);
}

static bool is_array_type(const sq_reader *r, CXType t)
{
    return r->cl->clang_getArrayElementType(t).kind != CXType_Invalid;
}

static bool fail(sq_address *a, CXCursor c, const char *why)
{
    if (!a->why) {
        a->why = why;
        a->at = c;
    }
    return false;
}

static bool add_term(sq_address *a, CXCursor index, int64_t bytes)
{
    if (a->n == SQ_ADDRESS_TERMS)
        return fail(a, index, "it has more than 8 subscripts");
    a->term[a->n++] = (sq_address_term){.index = index, .bytes = bytes};
    return true;
}

/* Takes the whole expression as the array or pointer that the subscripts are of. */
static bool take_base(sq_address *a, CXCursor c)
{
    *a = (sq_address){.base = c, .is_moved = a->is_moved};
    return true;
}

/* The name of the variable at the root of im, im.w, p->size.w; false for anything else. */
static bool root_of(const sq_reader *r, CXCursor c, CXCursor *name)
{
    int n = 1;
    for (c = sq_cursor_strip(r, c); c.kind == CXCursor_MemberRefExpr && n == 1;) {
        CXCursor *of = sq_cursor_children(r, c, &n);
        if (n == 1)
            c = sq_cursor_strip(r, of[0]);
    }
    CXCursor decl = r->cl->clang_getCursorReferenced(c);
    *name = c;
    return c.kind == CXCursor_DeclRefExpr && (decl.kind == CXCursor_VarDecl || decl.kind == CXCursor_ParmDecl);
}

/* True if c is a variable or its members, and stays what it is wherever the region reads it. */
static bool is_path(const sq_address_reader *r, CXCursor c)
{
    CXCursor name;
    sq_address_row row;
    return root_of(r->r, c, &name) && !r->row(r, name, &row) &&
           !r->is_array(r, r->r->cl->clang_getCursorReferenced(name));
}

/* True if the member is one of a union: the record, or a union without a name in it. */
static bool is_in_union(const sq_reader *r, CXCursor field, CXCursor record)
{
    bool is = false, ends = false;
    for (CXCursor in = field; !is && !ends;) {
        in = r->cl->clang_getCursorSemanticParent(in);
        is = in.kind == CXCursor_UnionDecl;
        ends = r->cl->clang_equalCursors(in, record) || in.kind != CXCursor_StructDecl;
    }
    return is;
}

static bool read_member(const sq_address_reader *r, CXCursor c, sq_address *a)
{
    const sq_clang *cl = r->r->cl;
    int n;
    CXCursor *of = sq_cursor_children(r->r, c, &n), field = cl->clang_getCursorReferenced(c);
    if (is_path(r, c))
        return take_base(a, c);
    if (n != 1)
        return false;
    CXType t = sq_address_type(r->r, sq_cursor_strip(r->r, of[0]));
    bool arrow = t.kind == CXType_Pointer;
    if (!(arrow ? sq_address_value(r, of[0], a) : sq_address_read(r, of[0], a)))
        return false;
    CXType record = arrow ? cl->clang_getCanonicalType(cl->clang_getPointeeType(t)) : t;
    if (is_in_union(r->r, field, cl->clang_getTypeDeclaration(record)))
        return fail(a, c, "it is a member of a union, and what the bytes are depends on who wrote them");
    long long bits = cl->clang_Type_getOffsetOf(record, sq_cursor_spelling(r->r, field));
    if (cl->clang_Cursor_isBitField(field) || bits < 0 || bits % 8 != 0)
        return fail(a, c, "it is a bit-field, and has no bytes of its own");
    a->offset += bits / 8;
    a->in_struct = true;
    return true;
}

/* Numbers at the end of arrays of arrays: what the reader of subscripts reads by itself. */
static bool is_of_numbers(const sq_reader *r, CXType t)
{
    while (is_array_type(r, t))
        t = r->cl->clang_getCanonicalType(r->cl->clang_getArrayElementType(t));
    return sq_address_is_number(t);
}

static bool read_subscript(const sq_address_reader *r, CXCursor c, sq_address *a)
{
    const sq_clang *cl = r->r->cl;
    int n;
    CXCursor *side = sq_cursor_children(r->r, c, &n);
    if (n != 2)
        return false;
    CXCursor of = sq_cursor_strip(r->r, side[0]);
    bool array = is_array_type(r->r, sq_address_type(r->r, of));
    if (!array && sq_address_type(r->r, of).kind != CXType_Pointer)
        return false; /* i[a] */
    if (!sq_address_value(r, of, a))
        return false;
    bool native = is_of_numbers(r->r, sq_address_type(r->r, c)) && !a->in_struct && !a->is_moved;
    long long bytes = cl->clang_Type_getSizeOf(cl->clang_getCursorType(c));
    if (bytes <= 0) /* rows of a length that is a variable's */
        return native ? take_base(a, c) : fail(a, c, "the length of its rows is no constant");
    return add_term(a, side[1], bytes);
}

bool sq_address_read(const sq_address_reader *r, CXCursor c, sq_address *a)
{
    int n;
    c = sq_cursor_strip(r->r, c);
    CXCursor *child = sq_cursor_children(r->r, c, &n);
    if (c.kind == CXCursor_DeclRefExpr)
        return take_base(a, c);
    if (c.kind == CXCursor_MemberRefExpr)
        return read_member(r, c, a);
    if (c.kind == CXCursor_ArraySubscriptExpr)
        return read_subscript(r, c, a);
    return c.kind == CXCursor_UnaryOperator && n == 1 &&
           r->r->cl->clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_Deref && sq_address_value(r, child[0], a);
}

/* p + i, i + p, p - i */
static bool read_sum(const sq_address_reader *r, CXCursor c, sq_address *a)
{
    const sq_clang *cl = r->r->cl;
    int n;
    CXCursor *side = sq_cursor_children(r->r, c, &n);
    bool minus = cl->clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Sub;
    if (n != 2 || (!minus && cl->clang_getCursorBinaryOperatorKind(c) != CXBinaryOperator_Add))
        return false;
    CXType t = sq_address_type(r->r, sq_cursor_strip(r->r, side[0]));
    int pointer = t.kind == CXType_Pointer || is_array_type(r->r, t) ? 0 : 1;
    long long bytes = cl->clang_Type_getSizeOf(cl->clang_getPointeeType(sq_address_type(r->r, c)));
    if (!sq_address_value(r, side[pointer], a))
        return false;
    if (bytes <= 0)
        return fail(a, c, "the length of its rows is no constant");
    return add_term(a, side[1 - pointer], minus ? -bytes : bytes);
}

/* The type behind a pointer, without const. */
static const char *behind(const sq_reader *r, CXType pointer)
{
    CXType t = r->cl->clang_getCanonicalType(r->cl->clang_getPointeeType(pointer));
    const char *text = sq_clang_string(r, r->cl->clang_getTypeSpelling(t));
    return strncmp(text, "const ", 6) == 0 ? text + 6 : text;
}

static bool read_cast(const sq_address_reader *r, CXCursor c, sq_address *a)
{
    int n;
    CXCursor *child = sq_cursor_children(r->r, c, &n);
    CXType from = n > 0 ? sq_address_type(r->r, sq_cursor_strip(r->r, child[n - 1])) : (CXType){0};
    if (from.kind != CXType_Pointer || strcmp(behind(r->r, from), behind(r->r, sq_address_type(r->r, c))) != 0)
        return false;
    return sq_address_value(r, child[n - 1], a);
}

/* Rows of an array of arrays of numbers are arrays that have subscripts, but not those of a member, m->m[i][j]. */
static bool read_array(const sq_address_reader *r, CXCursor c, sq_address *a)
{
    if (!sq_address_read(r, c, a))
        return false;
    bool is_row = c.kind == CXCursor_ArraySubscriptExpr && is_of_numbers(r->r, sq_address_type(r->r, c));
    bool of_member = a->base.kind == CXCursor_MemberRefExpr && is_array_type(r->r, sq_address_type(r->r, a->base));
    return is_row && !of_member && !a->in_struct && !a->is_moved ? take_base(a, c) : true;
}

static bool read_taken(const sq_address_reader *r, CXCursor c, sq_address *a)
{
    if (!sq_address_read(r, c, a))
        return false;
    a->is_moved = true;
    return true;
}

/* A pointer that the region declares or moves. */
static bool read_row(const sq_address_reader *r, CXCursor c, const sq_address_row *row, sq_address *a)
{
    int64_t first = 0;
    long long bytes = r->r->cl->clang_Type_getSizeOf(r->r->cl->clang_getPointeeType(sq_address_type(r->r, c)));
    if (!(row->has_value ? sq_address_value(r, row->value, a) : take_base(a, row->name)))
        return false;
    a->is_moved = true;
    a->offset += row->ahead * bytes;
    for (const sq_address_level *l = row->nest; l; l = l->inner) {
        if (bytes <= 0 || !add_term(a, l->turn, bytes))
            return false;
        a->term[a->n - 1].level = l;
    }
    if (!row->walks || row->step == 0)
        return true;
    bool zero = sq_cursor_evaluated(r->r, row->start, &first);
    a->offset -= row->step * first * bytes;
    return bytes > 0 && add_term(a, row->turn, row->step * bytes) &&
           (zero || add_term(a, row->start, -row->step * bytes));
}

bool sq_address_value(const sq_address_reader *r, CXCursor c, sq_address *a)
{
    int n;
    sq_address_row row;
    c = sq_cursor_strip(r->r, c);
    CXCursor *child = sq_cursor_children(r->r, c, &n);
    if (is_array_type(r->r, sq_address_type(r->r, c)))
        return read_array(r, c, a);
    if (r->row(r, c, &row))
        return read_row(r, c, &row, a);
    switch (c.kind) {
    case CXCursor_DeclRefExpr:
        return take_base(a, c);
    case CXCursor_MemberRefExpr:
        return is_path(r, c) ? take_base(a, c)
                             : fail(a, c, "it is a pointer in an element, and each may lead elsewhere");
    case CXCursor_UnaryOperator:
        return n == 1 && r->r->cl->clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_AddrOf &&
               read_taken(r, child[0], a);
    case CXCursor_BinaryOperator:
        return read_sum(r, c, a);
    case CXCursor_CStyleCastExpr:
        return read_cast(r, c, a);
    default:
        return false;
    }
}
