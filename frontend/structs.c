/* Structs: members of structs in arrays, p[i].x, as elements of an array of numbers that begins where the structs do:
 * a struct is as many elements of it as its size has room for. All members of one type are elements of one array, so
 * that what is known of arrays holds for them: which elements are the same, and what may overlap. Elements behind &, as
 * a call with &x[i*n] leaves them, are said with one subscript. */
#include "frontend/calls.h"
#include "frontend/respelling_inside.h"
#include <string.h>

static bool is_known(const sq_respeller *x, CXCursor decl)
{
    bool is = false;
    for (int i = 0; i < x->narrays && !is; i++)
        is = sq_cursor_same(x->r, x->array[i], decl);
    return is;
}

static bool is_array(const sq_address_reader *a, CXCursor decl)
{
    return is_known(a->user, decl);
}

static bool row_of(const sq_address_reader *a, CXCursor c, sq_address_row *to)
{
    const sq_respeller *x = a->user;
    bool inside = false;
    CXCursor decl = x->r->cl->clang_getCursorReferenced(c);
    *to = (sq_address_row){0};
    if (c.kind == CXCursor_DeclRefExpr && sq_row_value(x, decl, &to->value))
        return to->has_value = true;
    const sq_moving_pointer *w = sq_walk_of(x, c, &inside, &to->ahead);
    if (!w)
        return false;
    to->name = w->use[0].at;
    to->has_value = w->is_own && sq_cursor_initial(x->r, w->decl, &to->value);
    to->walks = inside;
    to->nest = inside ? w->nest : NULL;
    to->turn = w->turn;
    to->start = w->start;
    to->step = w->sign * w->step;
    return true;
}

/* An array that is a member of a struct: the file has no name for it. */
static bool is_member_array(const sq_respeller *x, CXCursor base)
{
    CXType t = sq_address_type(x->r, base);
    return base.kind == CXCursor_MemberRefExpr && t.kind != CXType_Pointer && !sq_address_is_number(t);
}

static bool is_pointer_variable(const sq_respeller *x, CXCursor base)
{
    return base.kind == CXCursor_DeclRefExpr && sq_address_type(x->r, base).kind == CXType_Pointer;
}

/* True if the struct without a subscript, p->x, is one of several: (&im)->w and (*p).w are members of one. */
static bool is_of_array(const sq_respeller *x, const sq_address *a)
{
    return is_pointer_variable(x, a->base) &&
           (a->is_moved || is_known(x, x->r->cl->clang_getCursorReferenced(a->base)));
}

bool sq_struct_read(sq_respeller *x, CXCursor c, sq_address *a)
{
    *a = (sq_address){0};
    if (c.kind != CXCursor_ArraySubscriptExpr && c.kind != CXCursor_MemberRefExpr && c.kind != CXCursor_UnaryOperator)
        return false;
    if (!sq_address_is_number(sq_address_type(x->r, c)) || !sq_address_read(&x->address, c, a))
        return false;
    if (a->n == 0 && !a->is_moved && !a->in_struct)
        return false; /* a variable, or a member of a single struct */
    bool single = a->n == 0 && (a->in_struct || sq_address_type(x->r, a->base).kind == CXType_Record);
    return single ? a->in_struct && is_of_array(x, a) : a->is_moved || a->in_struct || is_member_array(x, a->base);
}

/* ---- the arrays ---- */

static void find_arrays(sq_respeller *x, CXCursor c)
{
    int n;
    sq_address a;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    if (sq_struct_read(x, c, &a) && a.in_struct && is_pointer_variable(x, a.base)) {
        CXCursor decl = x->r->cl->clang_getCursorReferenced(a.base);
        if (!is_known(x, decl)) {
            x->array = sq_arena_grow(x->r->arena, x->array, x->narrays, &x->array_room, sizeof *x->array);
            x->array[x->narrays++] = decl;
        }
    }
    for (int i = 0; i < n; i++)
        find_arrays(x, child[i]);
}

sq_address_reader sq_struct_reader(sq_respeller *x)
{
    return (sq_address_reader){.r = x->r, .row = row_of, .is_array = is_array, .user = x};
}

void sq_structs_find(sq_respeller *x)
{
    for (int i = 0; i < x->nstmts; i++)
        find_arrays(x, x->stmt[i]);
}

/* ---- stand-ins ---- */

const char *sq_struct_type_text(const sq_respeller *x, CXType t)
{
    const char *text = sq_clang_string(x->r, x->r->cl->clang_getTypeSpelling(t));
    return strncmp(text, "const ", 6) == 0 ? text + 6 : text;
}

/* "im_pix_float" */
static const char *name_of(const sq_respeller *x, const char *text, const char *type)
{
    char *name = sq_arena_printf(x->r->arena, "%s_%s", text, type);
    for (char *at = name; *at; at++)
        if (!strchr("_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", *at))
            *at = '_';
    while (!sq_respeller_is_new(x, name))
        name = sq_arena_printf(x->r->arena, "%s_", name);
    return name;
}

/* The variable that holds the structs, as the file declares it. */
static void note_record(const sq_respeller *x, CXCursor decl, sq_struct_member *to)
{
    CXType t = x->r->cl->clang_getCanonicalType(x->r->cl->clang_getCursorType(decl));
    to->record = sq_clang_string(x->r, x->r->cl->clang_getTypeSpelling(t));
    to->is_record_param = decl.kind == CXCursor_ParmDecl;
    to->is_record_array = x->r->cl->clang_getArrayElementType(t).kind != CXType_Invalid;
}

/* The array of numbers that begins at a path; NULL: nobody could ask before whether that is there. */
static const char *array_at(sq_respeller *x, CXCursor base, const char *type)
{
    CXCursor root;
    size_t from, to;
    sq_spelling s = {.r = x->r};
    sq_spelling_expression(&s, base, SQ_BINDS_POSTFIX);
    const char *path = sq_text_take(&s.out, x->r->arena), *arrow = strstr(path, "->");
    bool is_struct = sq_address_type(x->r, base).kind == CXType_Record;
    if (s.fails || !sq_member_is_path(path, strlen(path), true) || !sq_member_follows_once(path) ||
        !sq_member_base(&x->f, base, &root))
        return NULL;
    if (sq_scop_span(x->r, root, &from, &to) && from >= x->f.region.from && to <= x->f.region.to)
        return NULL; /* it is not there before the region */
    const char *text = sq_arena_printf(x->r->arena, "%s%s", is_struct ? "&" : "", path);
    const char *key = sq_arena_printf(x->r->arena, "%s[]", text);
    type = sq_arena_printf(x->r->arena, "%s *", type);
    sq_members *found = x->found;
    for (int i = 0; i < found->n; i++)
        if (strcmp(found->member[i].key, key) == 0 && strcmp(found->member[i].type, type) == 0)
            return found->member[i].name;
    bool asks = arrow &&
                x->r->cl->clang_getArrayElementType(sq_address_type(x->r, root)).kind == CXType_Invalid;
    sq_struct_member *more = SQ_NEW_ARRAY(x->r->arena, sq_struct_member, found->n + 1);
    if (found->n)
        memcpy(more, found->member, (size_t)found->n * sizeof *more);
    more[found->n] = (sq_struct_member){.text = text,
                                 .key = key,
                                 .name = name_of(x, path, sq_arena_strndup(x->r->arena, type, strlen(type) - 2)),
                                 .type = type,
                                 .guard = asks ? sq_arena_strndup(x->r->arena, path, (size_t)(arrow - path)) : NULL,
                                 .is_record = true};
    if (base.kind == CXCursor_DeclRefExpr && !is_struct)
        note_record(x, root, &more[found->n]);
    found->member = more;
    return found->member[found->n++].name;
}

/* ---- text ---- */

static bool refuse(sq_address *a, CXCursor c, const char *why)
{
    a->why = why;
    a->at = c;
    return false;
}

/* "(3LL) * w + 1LL - (pad)": what a turn of the level moves by. */
static void put_level(const sq_address_level *l, sq_spelling *s)
{
    if (l->inner) {
        sq_text_puts(&s->out, "(");
        put_level(l->inner, s);
        sq_text_puts(&s->out, ") * ");
        sq_spelling_expression(s, l->inner->count, SQ_BINDS_UNARY);
    }
    if (l->constant != 0 || (!l->inner && l->n == 0))
        sq_text_printf(&s->out, "%s%lldLL", !l->inner ? "" : l->constant < 0 ? " - " : " + ",
                       (long long)(l->inner && l->constant < 0 ? -l->constant : l->constant));
    for (int i = 0; i < l->n; i++) {
        bool first = i == 0 && !l->inner && l->constant == 0;
        sq_text_puts(&s->out, l->down[i] ? first ? "0LL - " : " - " : first ? "" : " + ");
        sq_spelling_expression(s, l->by[i], SQ_BINDS_UNARY);
    }
}

/* What is added comes first: sizes without a sign do not go below 0 then. */
static void put_terms(const sq_address *a, int64_t size, bool added, bool *any, sq_spelling *s)
{
    for (int i = 0; i < a->n; i++) {
        const sq_address_level *level = a->term[i].level;
        int64_t by = a->term[i].bytes / size, times = by < 0 ? -by : by;
        if ((by > 0) != added)
            continue;
        bool multiplies = times != 1 || level;
        int binds = multiplies ? SQ_BINDS_UNARY : added ? SQ_BINDS_SUM : SQ_BINDS_PRODUCT;
        sq_text_puts(&s->out, added ? *any ? " + " : "" : *any ? " - " : "0 - ");
        if (multiplies)
            sq_text_printf(&s->out, "%lldLL * ", (long long)times);
        sq_spelling_expression(s, a->term[i].index, binds);
        if (level) {
            sq_text_puts(&s->out, " * (");
            put_level(level, s);
            sq_text_puts(&s->out, ")");
        }
        *any = true;
    }
}

/* "3LL * i + 1": in elements of this number of bytes. */
static bool put_index(const sq_address *a, int64_t size, sq_spelling *s)
{
    bool any = false, divides = a->offset % size == 0;
    int64_t offset = a->offset / size;
    for (int i = 0; i < a->n; i++)
        divides &= a->term[i].bytes % size == 0;
    put_terms(a, size, true, &any, s);
    put_terms(a, size, false, &any, s);
    if (offset != 0 || !any)
        sq_text_printf(&s->out, "%s%lld", !any ? "" : offset < 0 ? " - " : " + ",
                       (long long)(any && offset < 0 ? -offset : offset));
    return divides;
}

const char *sq_struct_type_refused(const sq_respeller *x, CXType t)
{
    const char *text = sq_struct_type_text(x, t);
    if (x->r->cl->clang_isVolatileQualifiedType(t))
        return "it is volatile, and none of its accesses may be moved";
    if (t.kind == CXType_LongLong || t.kind == CXType_ULongLong)
        return "it is a long long, which C distinguishes from int64_t; declare it int64_t";
    return sq_address_is_number(t) && t.kind != CXType_Bool
               ? NULL
               : sq_arena_printf(x->r->arena, "its type is '%s'; accepted are float, double and integers", text);
}

/* True if c writes numbers of one byte, or structs, which may be made of these. */
static bool writes_bytes(const sq_respeller *x, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    CXType t = sq_address_type(x->r, c);
    bool writes = sq_cursor_assigns(x->r, c) &&
                  (t.kind == CXType_Record || x->r->cl->clang_Type_getSizeOf(t) == 1);
    for (int i = 0; i < n && !writes; i++)
        writes = writes_bytes(x, child[i]);
    return writes;
}

/* True if the region may change the pointer p of p->w: it writes bytes, and others know where that is. */
static bool may_move(const sq_respeller *x, CXCursor base)
{
    CXCursor root;
    bool bytes = false;
    if (base.kind != CXCursor_MemberRefExpr || !sq_member_base(&x->f, base, &root) ||
        sq_address_type(x->r, root).kind != CXType_Pointer)
        return false;
    for (int i = 0; i < x->nstmts && !bytes; i++)
        bytes = writes_bytes(x, x->stmt[i]);
    bool local = x->r->cl->clang_getCursorLinkage(root) == CXLinkage_NoLinkage &&
                 x->r->cl->clang_Cursor_getStorageClass(root) != CX_SC_Static;
    return bytes && (!local || sq_respeller_takes_address(x, x->around, root));
}

bool sq_struct_put_leaf(sq_respeller *x, CXCursor c, CXType t, sq_address *a, sq_spelling *s)
{
    int64_t size = x->r->cl->clang_Type_getSizeOf(t);
    bool stands_in = a->in_struct || is_member_array(x, a->base);
    const char *why = stands_in ? sq_struct_type_refused(x, t) : NULL;
    if (why)
        return refuse(a, c, why);
    if (stands_in && may_move(x, a->base))
        return refuse(a, c, "the region writes bytes, which may be those of the pointer to it");
    const char *name = stands_in ? array_at(x, a->base, sq_struct_type_text(x, t)) : NULL;
    if (stands_in && !name)
        return refuse(a, c,
                      "where it lies cannot be said before the region: a variable of the region, or more than one "
                      "pointer, leads to it");
    if (stands_in)
        sq_text_puts(&s->out, name);
    else
        sq_spelling_expression(s, a->base, SQ_BINDS_POSTFIX);
    if (!stands_in && sq_address_is_number(sq_address_type(x->r, a->base))) /* *&v */
        return a->n == 0 && a->offset == 0;
    sq_text_puts(&s->out, "[");
    bool divides = put_index(a, size, s);
    sq_text_puts(&s->out, "]");
    return divides || refuse(a, c, "its place is no multiple of its size, as in a packed struct");
}

bool sq_struct_put(sq_respeller *x, CXCursor c, sq_address *a, sq_spelling *s)
{
    return sq_struct_put_leaf(x, c, sq_address_type(x->r, c), a, s);
}

/* ---- what is refused ---- */

bool sq_respeller_refusal(const sq_respeller *x, CXCursor c, const char *why, sq_member_refused *to)
{
    size_t decl;
    CXCursor root = c;
    for (int n = 1; n > 0 && root.kind != CXCursor_DeclRefExpr;) {
        CXCursor *child = sq_cursor_children(x->r, root, &n);
        root = n > 0 ? child[0] : root;
    }
    if (root.kind != CXCursor_DeclRefExpr ||
        !sq_scop_name_at(x->r, x->r->cl->clang_getCursorReferenced(root), &decl))
        return false;
    *to = (sq_member_refused){decl, why, sq_cursor_loc(x->r, c), false};
    return true;
}

void sq_respeller_refuse(sq_respeller *x, const sq_member_refused *one)
{
    sq_members *m = x->found;
    m->refused = sq_arena_grow(x->r->arena, m->refused, m->nrefused, &x->refused_room, sizeof *m->refused);
    m->refused[m->nrefused++] = *one;
}

static void refuse_element(sq_respeller *x, CXCursor c, const char *why)
{
    sq_member_refused one;
    if (sq_respeller_refusal(x, c, why, &one))
        sq_respeller_refuse(x, &one);
}

/* True if c is an element as a whole. */
static bool is_struct_element(const sq_respeller *x, CXCursor c)
{
    return (c.kind == CXCursor_ArraySubscriptExpr || c.kind == CXCursor_UnaryOperator) &&
           sq_address_type(x->r, c).kind == CXType_Record;
}

/* True if c is a member of an element that holds no others. */
static bool is_leaf(const sq_respeller *x, CXCursor c)
{
    sq_address a = {0};
    CXType t = sq_address_type(x->r, c);
    bool holds = t.kind == CXType_Record || x->r->cl->clang_getArrayElementType(t).kind != CXType_Invalid;
    return c.kind == CXCursor_MemberRefExpr && !holds && sq_address_read(&x->address, c, &a) && a.in_struct && a.n > 0;
}

/* Why a member of a single struct, m->rows, is none that a region reads; NULL: it may be. */
static const char *rows_refused(const sq_respeller *x, CXCursor c)
{
    const sq_clang *cl = x->r->cl;
    CXType t = sq_address_type(x->r, c);
    if (c.kind != CXCursor_MemberRefExpr || t.kind != CXType_Pointer ||
        cl->clang_getCanonicalType(cl->clang_getPointeeType(t)).kind != CXType_Pointer)
        return NULL;
    return sq_arena_printf(x->r->arena,
                           "'%s' is a pointer to pointers, and the rows may lie anywhere; accepted is a variable "
                           "before the region that leads to one row",
                           sq_cursor_spelling(x->r, c));
}

/* The function of the file that c calls, or whose value it assigns, where that stays a call; NULL: there is none. */
static const sq_call_refused *call_in(const sq_respeller *x, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    if (c.kind == CXCursor_BinaryOperator && n == 2)
        c = sq_cursor_strip(x->r, child[1]);
    const char *name = c.kind == CXCursor_CallExpr ? sq_cursor_spelling(x->r, c) : "";
    for (int i = 0; x->r->calls && i < x->r->calls->nrefused; i++)
        if (strcmp(x->r->calls->refused[i].name, name) == 0)
            return &x->r->calls->refused[i];
    return NULL;
}

/* Why elements as a whole are not read in c; NULL: it is nothing of c. */
static const char *why_in(sq_respeller *x, CXCursor c)
{
    const sq_call_refused *call = call_in(x, c);
    if (call)
        return sq_arena_printf(x->r->arena,
                               "'%s', which takes or returns all of it, is not put in the place of its call: %s",
                               call->name, call->why);
    return sq_whole_overlaps(x, c) ? "its value may read what it writes; accepted is that where a block may stand, "
                                     "if (…) { p[i] = …; }, or by a variable of the region, t = …, p[i] = t"
                                   : NULL;
}

static const char *whole_refused(const char *why)
{
    return why ? why : "it is all of a struct; accepted are p[i] = q[j] and variables of the region that get such a "
           "value and whose numbers it names, t = p[i] and t.x, where every byte is one of at most 16 "
           "numbers";
}

/* inside: c is part of something that is read by another name, or is refused. why: what it is part of says that; or
 * NULL. */
static void find_refused(sq_respeller *x, CXCursor c, bool inside, const char *why)
{
    int n;
    sq_address a;
    sq_spelling s = {.r = x->r};
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool read = sq_struct_read(x, c, &a) && sq_struct_put(x, c, &a, &s);
    sq_text_free(&s.out);
    bool leaf = is_leaf(x, c);
    const char *rows = rows_refused(x, c);
    if (!inside && !read && a.why)
        refuse_element(x, a.at, a.why);
    else if (!inside && !read && leaf)
        refuse_element(x, c, sq_struct_type_refused(x, sq_address_type(x->r, c)));
    else if (!inside && rows)
        refuse_element(x, c, rows);
    else if (!inside && is_struct_element(x, c))
        refuse_element(x, c, whole_refused(why));
    inside |= read || sq_whole_is_copy(x, c) || leaf || rows || a.why || is_struct_element(x, c);
    why = why ? why : why_in(x, c);
    for (int i = 0; i < n; i++)
        find_refused(x, child[i], inside && !(c.kind == CXCursor_ArraySubscriptExpr && i == 1), why);
}

void sq_structs_refused(sq_respeller *x)
{
    for (int i = 0; i < x->nstmts; i++)
        find_refused(x, x->stmt[i], false, NULL);
}
