/* Strides: a[y*stride + x*step], two sizes that are multiplied with what counts, and neither is the length of rows. It
 * is read as a[y*(q*step) + x*step], rows of q steps, for the calls in which q = stride / step leaves no rest: that is
 * tested before. The first one in the text is taken to be the longest. Arrays and sizes are known by their text, which
 * may be a member, im->data[y*im->stride + x*im->step]. */
#include "frontend/respelling_inside.h"
#include <ctype.h>
#include <string.h>

enum { MOST_SIZES = 4 };

/* The sizes that an element multiplies with what varies, in the order of the text. */
typedef struct finder {
    sq_respeller *x;
    int nsizes;
    const char *size[MOST_SIZES], *type[MOST_SIZES];
    bool fails;
} finder;

/* "im->stride" of a member of a struct, the name of a variable; NULL of anything else. */
static const char *text_of(const sq_respeller *x, CXCursor c)
{
    sq_spelling s = {.r = x->r};
    if (c.kind == CXCursor_DeclRefExpr)
        return sq_cursor_spelling(x->r, c);
    if (c.kind != CXCursor_MemberRefExpr || !sq_member_type(&x->f, c))
        return NULL;
    sq_spelling_expression(&s, c, SQ_BINDS_POSTFIX);
    const char *text = sq_text_take(&s.out, x->r->arena);
    return !s.fails && sq_member_is_path(text, strlen(text), false) ? text : NULL;
}

static bool is_integer(const sq_respeller *x, CXCursor c)
{
    CXType t = x->r->cl->clang_getCursorType(c);
    enum CXTypeKind k = sq_address_type(x->r, c).kind;
    return (k == CXType_Int || k == CXType_Long || k == CXType_LongLong || k == CXType_ULong) &&
           !x->r->cl->clang_isVolatileQualifiedType(t);
}

/* True if the text gives a value to the member, of whatever struct. */
static bool changes_member(const sq_respeller *x, CXCursor c, CXCursor field)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    CXCursor to = n > 0 ? sq_cursor_strip(x->r, child[0]) : c;
    bool changes = sq_cursor_assigns(x->r, c) && to.kind == CXCursor_MemberRefExpr &&
                   sq_cursor_same(x->r, x->r->cl->clang_getCursorReferenced(to), field);
    for (int i = 0; i < n && !changes; i++)
        changes = changes_member(x, child[i], field);
    return changes;
}

/* An integer from outside of the region, or a member of a struct there, that nothing in it changes or redeclares. */
static bool is_size(const sq_respeller *x, CXCursor c, const char **text)
{
    size_t from, to;
    c = sq_cursor_strip(x->r, c);
    bool is_member = c.kind == CXCursor_MemberRefExpr;
    CXCursor root, decl = x->r->cl->clang_getCursorReferenced(c);
    *text = text_of(x, c);
    if (!*text || !is_integer(x, c) || !sq_member_base(&x->f, c, &root))
        return false;
    bool variable = root.kind == CXCursor_VarDecl || root.kind == CXCursor_ParmDecl;
    bool fits = variable && sq_scop_span(x->r, root, &from, &to) && to <= x->f.region.from;
    for (int i = 0; i < x->nstmts && fits; i++)
        fits = !sq_respeller_changes(x, x->stmt[i], root) && !(is_member && changes_member(x, x->stmt[i], decl)) &&
               !sq_row_is_hidden(x, c, x->stmt[i]);
    return fits;
}

/* True if the text mentions a variable that is no such size: a loop's, or one of the region's own. */
static bool varies(const sq_respeller *x, CXCursor c)
{
    int n;
    const char *text;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    if (is_size(x, c, &text))
        return false;
    bool is = c.kind == CXCursor_DeclRefExpr && x->r->cl->clang_getCursorReferenced(c).kind == CXCursor_VarDecl;
    for (int i = 0; i < n && !is; i++)
        is = varies(x, child[i]);
    return is;
}

static void add_size(finder *f, CXCursor c)
{
    int i = 0;
    c = sq_cursor_strip(f->x->r, c);
    const char *size = text_of(f->x, c);
    while (i < f->nsizes && strcmp(f->size[i], size) != 0)
        i++;
    if (i == MOST_SIZES)
        f->fails = true;
    else if (i == f->nsizes) {
        f->type[i] = sq_struct_type_text(f->x, sq_address_type(f->x->r, c));
        f->size[f->nsizes++] = size;
    }
}

/* Reads a sum of products; by: the size that all of it is multiplied with, or NULL. */
static void read_sum(finder *f, CXCursor c, const CXCursor *by)
{
    int n;
    const char *size;
    c = sq_cursor_strip(f->x->r, c);
    CXCursor *side = sq_cursor_children(f->x->r, c, &n);
    bool binary = c.kind == CXCursor_BinaryOperator && n == 2;
    enum CXBinaryOperatorKind op = f->x->r->cl->clang_getCursorBinaryOperatorKind(c);
    op = binary ? op : CXBinaryOperator_Invalid;
    if (op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub) {
        read_sum(f, side[0], by);
        read_sum(f, side[1], by);
        return;
    }
    bool times = op == CXBinaryOperator_Mul, first = times && is_size(f->x, side[0], &size);
    int at = first ? 0 : times && is_size(f->x, side[1], &size) ? 1 : -1;
    if (at >= 0 && varies(f->x, side[1 - at])) {
        f->fails |= by != NULL; /* of a product of sizes flat.c makes rows of rows */
        read_sum(f, side[1 - at], &side[at]);
        return;
    }
    if (by && varies(f->x, c))
        add_size(f, *by);
}

/* The array or pointer of an element of numbers, and its subscripts in f. */
static bool read_element(finder *f, CXCursor c, const char **array)
{
    sq_address a = {0};
    bool element = c.kind == CXCursor_ArraySubscriptExpr || sq_cursor_is_unary(f->x->r, c, CXUnaryOperator_Deref);
    f->nsizes = 0;
    f->fails = false;
    if (!element || !sq_address_is_number(sq_address_type(f->x->r, c)) || !sq_address_read(&f->x->address, c, &a))
        return false;
    if (a.n == 0 && !a.is_moved) { /* a[i] of numbers stands for itself */
        int n;
        CXCursor *side = sq_cursor_children(f->x->r, c, &n);
        if (n != 2)
            return false;
        a = (sq_address){.base = sq_cursor_strip(f->x->r, side[0]), .n = 1, .term[0].index = side[1]};
    }
    *array = text_of(f->x, a.base);
    for (int i = 0; i < a.n && !f->fails; i++) {
        f->fails = a.term[i].level != NULL;
        read_sum(f, a.term[i].index, NULL);
    }
    return *array && sq_address_type(f->x->r, a.base).kind == CXType_Pointer;
}

/* ---- ratios ---- */

/* "im_stride" of im->stride. */
static const char *word_of(const sq_respeller *x, const char *text)
{
    char *word = sq_arena_strdup(x->r->arena, text), *to = word;
    for (const char *at = text; *at; at++)
        if (isalnum((unsigned char)*at) || (*at == '_') || (*at & 0x80))
            *to++ = *at;
        else if (to > word && to[-1] != '_')
            *to++ = '_';
    *to = 0;
    return word;
}

/* "im && " before what reads im->step. */
static const char *given(const sq_respeller *x, const char *text)
{
    const char *arrow = strstr(text, "->");
    return arrow ? sq_arena_printf(x->r->arena, "%.*s && ", (int)(arrow - text), text) : "";
}

static const char *guard_of(const sq_respeller *x, const char *size, const char *by)
{
    const char *first = given(x, by), *second = given(x, size);
    return sq_arena_printf(x->r->arena, "%s%s%s > 0 && %s %% %s == 0", first, strcmp(first, second) ? second : "", by,
                           size, by);
}

/* The variable of that value, which the call passes. */
static const char *name_ratio(sq_respeller *x, const char *size, const char *type, const char *by)
{
    const char *name = sq_arena_printf(x->r->arena, "%s_per_%s", word_of(x, size), word_of(x, by));
    const char *key = sq_arena_printf(x->r->arena, "%s/%s:%s", size, by, type);
    for (int i = 0; i < x->found->n; i++) /* of another region */
        if (strcmp(x->found->member[i].key, key) == 0)
            return x->found->member[i].name;
    while (!sq_respeller_is_new(x, name))
        name = sq_arena_printf(x->r->arena, "%s_", name);
    sq_struct_member *more = SQ_NEW_ARRAY(x->r->arena, sq_struct_member, x->found->n + 1);
    if (x->found->n)
        memcpy(more, x->found->member, (size_t)x->found->n * sizeof *more);
    more[x->found->n++] =
        (sq_struct_member){.text = sq_arena_printf(x->r->arena, "%s / %s", size, by),
                           .key = key,
                           .name = name,
                           .type = type,
                           .guard = guard_of(x, size, by)};
    x->found->member = more;
    return name;
}

/* What the size is a multiple of in the subscripts of an array; NULL: it stands for itself. */
static const sq_ratio *ratio_of(const sq_respeller *x, const char *array, const char *size)
{
    for (int i = 0; i < x->nratios; i++)
        if (strcmp(x->ratio[i].array, array) == 0 && strcmp(x->ratio[i].size, size) == 0)
            return &x->ratio[i];
    return NULL;
}

/* Leaves the first of two that contradict each other, a[i*n + j*m] and a[i*m + j*n]. */
static void add_ratio(sq_respeller *x, const char *array, const char *size, const char *type, const char *by)
{
    const char *name = NULL;
    bool known = ratio_of(x, array, size) != NULL;
    for (const sq_ratio *q = ratio_of(x, array, by); q && !known; q = ratio_of(x, array, q->by))
        known = strcmp(q->by, size) == 0;
    if (known)
        return;
    for (int i = 0; i < x->nratios && !name; i++)
        if (strcmp(x->ratio[i].size, size) == 0 && strcmp(x->ratio[i].by, by) == 0)
            name = x->ratio[i].name;
    x->ratio = sq_arena_grow(x->r->arena, x->ratio, x->nratios, &x->ratio_room, sizeof *x->ratio);
    x->ratio[x->nratios++] = (sq_ratio){array, size, by, name ? name : name_ratio(x, size, type, by)};
}

static void look(finder *f, CXCursor c)
{
    int n;
    const char *array;
    CXCursor *child = sq_cursor_children(f->x->r, c, &n);
    if (read_element(f, c, &array) && !f->fails)
        for (int i = 0; i + 1 < f->nsizes; i++)
            add_ratio(f->x, array, f->size[i], f->type[i], f->size[i + 1]);
    for (int i = 0; i < n; i++)
        look(f, child[i]);
}

void sq_strides_find(sq_respeller *x)
{
    finder f = {.x = x};
    x->nratios = 0;
    for (int i = 0; i < x->nstmts && !x->leaves_rows; i++)
        look(&f, x->stmt[i]);
}

/* ---- text ---- */

/* The array of an element whose sizes are respelled. */
static bool array_of(const sq_respeller *x, CXCursor c, const char **array)
{
    finder f = {.x = (sq_respeller *)x};
    bool is = false;
    if (x->nratios == 0 || x->in_strides || !read_element(&f, c, array))
        return false;
    for (int i = 0; i < x->nratios && !is; i++)
        is = strcmp(x->ratio[i].array, *array) == 0;
    return is;
}

bool sq_stride_is(const sq_respeller *x, CXCursor c)
{
    const char *array;
    return array_of(x, c, &array);
}

/* "(stride_per_step * step)"; false: the size stands for itself. A member is named beside that, for what tests that the
 * region does not write to it. */
static bool put_size(const sq_respeller *x, sq_spelling *s, const char *size)
{
    const sq_ratio *q = ratio_of(x, x->in_strides, size);
    if (!q)
        return false;
    sq_text_printf(&s->out, "(%s * ", q->name);
    if (!put_size(x, s, q->by))
        sq_text_puts(&s->out, q->by);
    if (strpbrk(size, ".>"))
        sq_text_printf(&s->out, " + 0 * %s", size);
    sq_text_puts(&s->out, ")");
    return true;
}

bool sq_stride_put(sq_respeller *x, sq_spelling *s, CXCursor c)
{
    const char *array, *size;
    if (!array_of(x, c, &array))
        return x->in_strides && (size = text_of(x, c)) && put_size(x, s, size);
    x->in_strides = array;
    sq_spelling_expression(s, c, SQ_BINDS_POSTFIX);
    x->in_strides = NULL;
    return true;
}
