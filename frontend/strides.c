/* Strides: a[y*stride + x*step], two sizes that are multiplied with what counts, and neither is the length of rows. It
 * is read as a[y*(q*step) + x*step], rows of q steps, for the calls in which q = stride / step leaves no rest: that is
 * tested before. The first one in the text is taken to be the longest. */
#include "frontend/respelling_inside.h"
#include <string.h>

enum { MOST_SIZES = 4 };

/* The sizes that an element multiplies with what varies, in the order of the text. */
typedef struct finder {
    sq_respeller *x;
    int nsizes;
    CXCursor size[MOST_SIZES];
    bool fails;
} finder;

static bool is_int(const sq_respeller *x, CXCursor decl)
{
    CXType t = x->r->cl->clang_getCursorType(decl);
    return sq_address_type(x->r, decl).kind == CXType_Int && !x->r->cl->clang_isVolatileQualifiedType(t);
}

/* An int from outside of the region that nothing in there changes, or declares again. */
static bool is_size(const sq_respeller *x, CXCursor c, CXCursor *decl)
{
    size_t from, to;
    c = sq_cursor_strip(x->r, c);
    *decl = x->r->cl->clang_getCursorReferenced(c);
    bool variable = decl->kind == CXCursor_VarDecl || decl->kind == CXCursor_ParmDecl;
    bool fits = c.kind == CXCursor_DeclRefExpr && variable && is_int(x, *decl) &&
                sq_scop_span(x->r, *decl, &from, &to) && to <= x->f.region.from;
    for (int i = 0; i < x->nstmts && fits; i++)
        fits = !sq_respeller_changes(x, x->stmt[i], *decl) && !sq_row_is_hidden(x, c, x->stmt[i]);
    return fits;
}

/* True if the text mentions a variable that is no such size: a loop's, or one of the region's own. */
static bool varies(const sq_respeller *x, CXCursor c)
{
    int n;
    CXCursor decl, *child = sq_cursor_children(x->r, c, &n);
    bool is = c.kind == CXCursor_DeclRefExpr && !is_size(x, c, &decl) && decl.kind == CXCursor_VarDecl;
    for (int i = 0; i < n && !is; i++)
        is = varies(x, child[i]);
    return is;
}

static void add_size(finder *f, CXCursor size)
{
    int i = 0;
    while (i < f->nsizes && !sq_cursor_same(f->x->r, f->size[i], size))
        i++;
    if (i == MOST_SIZES)
        f->fails = true;
    else if (i == f->nsizes)
        f->size[f->nsizes++] = size;
}

/* Reads a sum of products; by: the size that all of it is multiplied with, or NULL. */
static void read_sum(finder *f, CXCursor c, const CXCursor *by)
{
    int n;
    CXCursor size;
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
        read_sum(f, side[1 - at], &size);
        return;
    }
    if (by && varies(f->x, c))
        add_size(f, *by);
}

/* The array or pointer of an element of numbers, and its subscripts in f. */
static bool read_element(finder *f, CXCursor c, CXCursor *decl)
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
    *decl = f->x->r->cl->clang_getCursorReferenced(a.base);
    for (int i = 0; i < a.n && !f->fails; i++) {
        f->fails = a.term[i].level != NULL;
        read_sum(f, a.term[i].index, NULL);
    }
    return a.base.kind == CXCursor_DeclRefExpr && sq_address_type(f->x->r, a.base).kind == CXType_Pointer;
}

/* ---- ratios ---- */

static bool is_ratio(const sq_respeller *x, const sq_ratio *q, CXCursor size, CXCursor by)
{
    return sq_cursor_same(x->r, q->size, size) && sq_cursor_same(x->r, q->by, by);
}

/* The variable of that value, which the call passes. */
static const char *name_ratio(sq_respeller *x, CXCursor size, CXCursor by)
{
    const char *of = sq_cursor_spelling(x->r, size), *step = sq_cursor_spelling(x->r, by);
    const char *name = sq_arena_printf(x->r->arena, "%s_per_%s", of, step);
    const char *key = sq_arena_printf(x->r->arena, "%s/%s", of, step);
    for (int i = 0; i < x->found->n; i++) /* of another region */
        if (strcmp(x->found->member[i].key, key) == 0)
            return x->found->member[i].name;
    while (!sq_respeller_is_new(x, name))
        name = sq_arena_printf(x->r->arena, "%s_", name);
    sq_struct_member *more = SQ_NEW_ARRAY(x->r->arena, sq_struct_member, x->found->n + 1);
    if (x->found->n)
        memcpy(more, x->found->member, (size_t)x->found->n * sizeof *more);
    more[x->found->n++] =
        (sq_struct_member){.text = sq_arena_printf(x->r->arena, "%s / %s", of, step),
                           .key = key,
                           .name = name,
                           .type = "int",
                           .guard = sq_arena_printf(x->r->arena, "%s > 0 && %s %% %s == 0", step, of, step)};
    x->found->member = more;
    return name;
}

/* What the size is a multiple of in the subscripts of an array; NULL: it stands for itself. */
static const sq_ratio *ratio_of(const sq_respeller *x, CXCursor array, CXCursor size)
{
    for (int i = 0; i < x->nratios; i++)
        if (sq_cursor_same(x->r, x->ratio[i].array, array) && sq_cursor_same(x->r, x->ratio[i].size, size))
            return &x->ratio[i];
    return NULL;
}

/* Leaves the first of two that contradict each other, a[i*n + j*m] and a[i*m + j*n]. */
static void add_ratio(sq_respeller *x, CXCursor array, CXCursor size, CXCursor by)
{
    const char *name = NULL;
    bool known = ratio_of(x, array, size) != NULL;
    for (const sq_ratio *q = ratio_of(x, array, by); q && !known; q = ratio_of(x, array, q->by))
        known = sq_cursor_same(x->r, q->by, size);
    if (known)
        return;
    for (int i = 0; i < x->nratios && !name; i++)
        if (is_ratio(x, &x->ratio[i], size, by))
            name = x->ratio[i].name;
    x->ratio = sq_arena_grow(x->r->arena, x->ratio, x->nratios, &x->ratio_room, sizeof *x->ratio);
    x->ratio[x->nratios++] = (sq_ratio){array, size, by, name ? name : name_ratio(x, size, by)};
}

static void look(finder *f, CXCursor c)
{
    int n;
    CXCursor array, *child = sq_cursor_children(f->x->r, c, &n);
    if (read_element(f, c, &array) && !f->fails)
        for (int i = 0; i + 1 < f->nsizes; i++)
            add_ratio(f->x, array, f->size[i], f->size[i + 1]);
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
static bool array_of(const sq_respeller *x, CXCursor c, CXCursor *array)
{
    finder f = {.x = (sq_respeller *)x};
    bool is = false;
    if (x->nratios == 0 || x->in_strides || !read_element(&f, c, array))
        return false;
    for (int i = 0; i < x->nratios && !is; i++)
        is = sq_cursor_same(x->r, x->ratio[i].array, *array);
    return is;
}

bool sq_stride_is(const sq_respeller *x, CXCursor c)
{
    CXCursor array;
    return array_of(x, c, &array);
}

/* "(stride_per_step * step)"; false: the size stands for itself. */
static bool put_size(const sq_respeller *x, sq_spelling *s, CXCursor decl)
{
    const sq_ratio *q = ratio_of(x, *x->in_strides, decl);
    if (!q)
        return false;
    sq_text_printf(&s->out, "(%s * ", q->name);
    if (!put_size(x, s, q->by))
        sq_text_puts(&s->out, sq_cursor_spelling(x->r, q->by));
    sq_text_puts(&s->out, ")");
    return true;
}

bool sq_stride_put(sq_respeller *x, sq_spelling *s, CXCursor c)
{
    CXCursor array;
    if (!array_of(x, c, &array))
        return x->in_strides && c.kind == CXCursor_DeclRefExpr &&
               put_size(x, s, x->r->cl->clang_getCursorReferenced(c));
    x->in_strides = &array;
    sq_spelling_expression(s, c, SQ_BINDS_POSTFIX);
    x->in_strides = NULL;
    return true;
}
