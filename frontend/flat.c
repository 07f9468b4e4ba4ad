/* Flat: arrays of one dimension that are used as if they had several, a[i*n + j]. A subscript is a
 * polynomial; read as one, the products of sizes that its variables are multiplied by are the
 * strides of the dimensions, if each is the next one times one more size. That 0 <= j < n, without
 * which two different pairs would be one element, is proven or tested later like every other bound.
 */
#include "frontend/poly.h"
#include "support/integer.h"
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ACCESSES = 1024 };

/* ---- elements ------------------------------------------------------------------------------ */

enum { MOST_PARTS = 8 };

/* An element of a pointer or of an array of one dimension: its subscript is the sum of the parts.
 */
typedef struct element {
    CXCursor decl, part[MOST_PARTS];
    int n;
} element;

static bool is_pointer(const sq_builder *b, CXCursor c)
{
    CXType t = b->r.cl->clang_getCanonicalType(b->r.cl->clang_getCursorType(c));
    return t.kind == CXType_Pointer || b->r.cl->clang_getArrayElementType(t).kind != CXType_Invalid;
}

static bool read_element(const sq_builder *b, CXCursor c, element *to)
{
    int n;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n), at;
    to->n = 0;
    if (c.kind == CXCursor_ArraySubscriptExpr && n == 2)
        to->part[to->n++] = arg[1];
    else if (c.kind != CXCursor_UnaryOperator || n != 1 ||
             b->r.cl->clang_getCursorUnaryOperatorKind(c) != CXUnaryOperator_Deref)
        return false;
    for (at = sq_cursor_strip(&b->r, arg[0]); at.kind == CXCursor_BinaryOperator;) {
        arg = sq_cursor_children(&b->r, at, &n);
        if (b->r.cl->clang_getCursorBinaryOperatorKind(at) != CXBinaryOperator_Add ||
            to->n == MOST_PARTS)
            return false;
        int side = is_pointer(b, sq_cursor_strip(&b->r, arg[0])) ? 0 : 1;
        to->part[to->n++] = arg[1 - side];
        at = sq_cursor_strip(&b->r, arg[side]);
    }
    to->decl = b->r.cl->clang_getCursorReferenced(at);
    return at.kind == CXCursor_DeclRefExpr;
}

/* The whole subscript, of an array of that shape. */
static bool read_parts(sq_builder *b, const element *e, const sq_flat *f, sq_poly *p)
{
    sq_poly part;
    bool reads = true;
    p->n = 0;
    b->scop->number = f->number;
    b->scop->numbers = f->numbers;
    for (int i = 0; i < e->n && reads; i++)
        reads = sq_poly_read(b, e->part[i], &part) && sq_poly_add(p, &part, 1);
    b->scop->number = NULL;
    b->scop->numbers = false;
    if (reads)
        sq_flat_rows(b, p, f->row);
    return reads;
}

/* ---- the shape ----------------------------------------------------------------------------- */

/* All elements of one array in the region, outermost expression first. */
typedef struct elements {
    CXCursor decl, at[MOST_ACCESSES];
    int n;
} elements;

static void collect(const sq_builder *b, CXCursor c, elements *to)
{
    int n;
    element e;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    if (to->n < MOST_ACCESSES && read_element(b, c, &e) &&
        b->r.cl->clang_equalCursors(e.decl, to->decl))
        to->at[to->n++] = c;
    for (int i = 0; i < n; i++)
        collect(b, child[i], to);
}

/* The dimension that a term's sizes are the stride of; -1. */
static int dim_of(const sq_flat *f, const sq_term *t)
{
    for (int d = 0; d < f->ndim; d++)
        if (f->stride[d].nsizes == t->nsizes &&
            memcmp(f->stride[d].size, t->size, (size_t)t->nsizes * sizeof *t->size) == 0)
            return d;
    return -1;
}

/* Dimensions stay sorted, most sizes first. False: it would be one too many. */
static bool add_stride(sq_flat *f, const sq_term *t)
{
    int d = dim_of(f, t);
    if (d >= 0) {
        f->stride[d].factor = sq_gcd(f->stride[d].factor, t->factor);
        return true;
    }
    if (f->ndim == SQ_FLAT_DIMS) {
        f->too_many = true;
        return false;
    }
    d = f->ndim++;
    for (; d > 0 && f->stride[d - 1].nsizes < t->nsizes; d--)
        f->stride[d] = f->stride[d - 1];
    f->stride[d].factor = llabs(t->factor);
    f->stride[d].nsizes = t->nsizes;
    memcpy(f->stride[d].size, t->size, sizeof t->size);
    return true;
}

/* The sizes of dimension d that the next one has not; their number, -1 if it has others. */
static int quotient(const sq_term *of, const sq_flat *f, int d, const sq_size **size)
{
    int rest = 0, at = 0;
    for (int i = 0; i < of->nsizes; i++) {
        if (at < f->stride[d].nsizes && f->stride[d].size[at] == of->size[i])
            at++;
        else if (rest++ == 0)
            *size = of->size[i];
    }
    return at == f->stride[d].nsizes ? rest : -1;
}

static sq_term stride_term(const sq_flat *f, int d)
{
    sq_term t = {.factor = f->stride[d].factor, .var = -1, .nsizes = f->stride[d].nsizes};
    memcpy(t.size, f->stride[d].size, sizeof t.size);
    return t;
}

/* a[i*n*m] alone: between two strides that differ by two sizes is one that no subscript names. */
static bool fill_gaps(sq_flat *f)
{
    const sq_size *size;
    for (int d = 0; d + 1 < f->ndim; d++) {
        sq_term t = stride_term(f, d), row = {.factor = f->stride[d + 1].factor, .var = -1};
        if (quotient(&t, f, d + 1, &size) != 2)
            continue;
        bool left = false;
        for (int i = 0; i < t.nsizes; i++) {
            if (left || t.size[i] != size)
                row.size[row.nsizes++] = t.size[i];
            left |= t.size[i] == size;
        }
        if (!add_stride(f, &row))
            return false;
    }
    return true;
}

/* True if each stride is the next one times one size; makes the factors of the strides fit. */
static bool is_chain(sq_flat *f)
{
    for (int d = 0; d + 1 < f->ndim; d++) {
        const sq_size *size;
        sq_term t = stride_term(f, d);
        if (quotient(&t, f, d + 1, &size) != 1)
            return false;
        f->stride[d + 1].factor = sq_gcd(f->stride[d].factor, f->stride[d + 1].factor);
    }
    f->stride[f->ndim - 1].factor = 1;
    return f->stride[f->ndim - 1].nsizes == 0;
}

/* window: the size without which there would be a shape, stride of in[(i*stride + m)*w + j*stride + n]; NULL: there is
 * none. */
static int refuse_shape(sq_builder *b, CXCursor decl, const elements *a, const sq_size *window)
{
    const char *name = sq_cursor_spelling(&b->r, decl);
    if (window) {
        sq_refuse(b, a->at[0], "in this subscript '%s' multiplies a variable, and is no length of rows of '%s'",
                  window->name, name);
        sq_help(b->r.d, SQ_NOWHERE, "the step of a window is a number; --fix=%s=2 makes it one", window->name);
        return -1;
    }
    sq_refuse(b, a->at[0], "no shape of '%s' fits all of its subscripts in this region", name);
    sq_help(b->r.d, SQ_NOWHERE,
            "accepted are %s[i*n + j], %s[(i*n + j)*m + k] and the like, with the same sizes "
            "everywhere",
            name, name);
    return -1;
}

static int refuse_dims(sq_builder *b, CXCursor decl, CXCursor at)
{
    return sq_refuse(b, at, "by its subscripts in this region '%s' has more than %d dimensions",
                     sq_cursor_spelling(&b->r, decl), SQ_FLAT_DIMS);
}

/* What is wrong with a subscript that is no polynomial the reader of affine text says, but not that it
 * has too many sizes. */
static const sq_flat *not_read(sq_builder *b, CXCursor decl, CXCursor at, bool *failed)
{
    *failed = (b->scop->long_product && refuse_dims(b, decl, at)) || sq_flat_divides(b, at);
    return NULL;
}

/* f*n in a[f*n + j], where f is fixed in the region: a row of an array whose rows have the length
 * that a loop runs to. So is f*m*n in a[f*m*n + i*n + j]. */
static bool add_fixed_row(const sq_builder *b, sq_flat *f, const sq_term *t)
{
    const sq_size *ignored;
    int beyond = -1;
    for (int d = 0; d < f->ndim; d++) {
        int rest = quotient(t, f, d, &ignored);
        if (rest == 0 || rest == 1)
            return true;
        beyond = rest == 2 && beyond < 0 ? d : beyond;
    }
    if (beyond < 0)
        return false;
    const sq_size *fixed = sq_flat_fixed_size(b, f, t, beyond);
    sq_term row = {.factor = f->stride[beyond].factor, .var = -1};
    bool left = false;
    for (int i = 0; i < t->nsizes; i++) {
        if (left || t->size[i] != fixed)
            row.size[row.nsizes++] = t->size[i];
        left |= t->size[i] == fixed;
    }
    return add_stride(f, &row);
}

typedef enum fit { UNREAD, MISFIT, FITS } fit;

/* True if a value is added to the place in a row, where the reader of affine text says what is wrong with it. */
static bool has_value_inside(const sq_builder *b, const sq_poly *p)
{
    CXCursor at;
    for (int t = 0; t < p->n; t++)
        if (p->t[t].factor != 0 && p->t[t].var >= 0 && p->t[t].nsizes == 0 && sq_poly_value(b, p->t[t].var, &at))
            return true;
    return false;
}

/* The length of rows that one of these elements says. */
static int64_t find_row(sq_builder *b, const elements *a, const sq_flat *f)
{
    sq_poly p;
    element e;
    int64_t row = 0;
    for (int i = 0; i < a->n && row == 0; i++)
        if (read_element(b, a->at[i], &e) && read_parts(b, &e, f, &p))
            row = sq_flat_row(b, &p);
    return row;
}

/* The shape of these elements, for the numbers of f; of UNREAD, *at is the first whose subscript is no polynomial. */
static fit fit_shape(sq_builder *b, const elements *a, sq_flat *f, int *at)
{
    sq_term inner = {.factor = 1, .var = -1};
    sq_poly p;
    element e;
    *f = (sq_flat){.number = f->number, .numbers = f->numbers};
    f->row = find_row(b, a, f);
    bool fits = add_stride(f, &inner);
    for (*at = 0; *at < a->n; ++*at) {
        if (!read_element(b, a->at[*at], &e) || !read_parts(b, &e, f, &p) || has_value_inside(b, &p))
            return UNREAD;
        for (int t = 0; t < p.n; t++)
            fits = fits && (p.t[t].var < 0 || p.t[t].factor == 0 || add_stride(f, &p.t[t]));
    }
    for (int i = 0; i < a->n && fits; i++) {
        read_element(b, a->at[i], &e);
        read_parts(b, &e, f, &p);
        for (int t = 0; t < p.n; t++)
            fits = fits && (p.t[t].var >= 0 || p.t[t].factor == 0 || add_fixed_row(b, f, &p.t[t]));
    }
    return fits && fill_gaps(f) && is_chain(f) ? FITS : MISFIT;
}

/* ---- several shapes ------------------------------------------------------------------------ */

enum { MOST_SHAPES = 4, MOST_SPLIT = 64 };

/* Puts each element to the first ones that have a shape together with it; their number, 0: there is no such way. */
static int split(sq_builder *b, const elements *a, elements *part, sq_flat *shape)
{
    int n = 0, ignored;
    for (int i = 0; i < a->n; i++) {
        int to = 0;
        for (; to < n; to++) {
            sq_flat f = {0};
            part[to].at[part[to].n++] = a->at[i];
            if (fit_shape(b, &part[to], &f, &ignored) == FITS) {
                shape[to] = f;
                break;
            }
            part[to].n--;
        }
        if (to < n)
            continue;
        if (n == MOST_SHAPES)
            return 0;
        part[n] = (elements){.decl = a->decl, .at = {a->at[i]}, .n = 1};
        if (fit_shape(b, &part[n], &shape[n], &ignored) != FITS)
            return 0;
        n++;
    }
    return n;
}

/* The shape of the first elements; those of the others become views of the array. NULL: there are none. */
static const sq_flat *find_shapes(sq_builder *b, const elements *a)
{
    elements *part = SQ_NEW_ARRAY(b->r.arena, elements, MOST_SHAPES);
    sq_flat *shape = SQ_NEW_ARRAY(b->r.arena, sq_flat, MOST_SHAPES);
    int n = a->n <= MOST_SPLIT ? split(b, a, part, shape) : 0;
    for (int i = 1; i < n; i++) {
        sq_view *v = SQ_NEW(b->r.arena, sq_view);
        *v = (sq_view){.next = b->scop->views, .decl = a->decl, .n = part[i].n, .at = part[i].at, .flat = &shape[i]};
        b->scop->views = v;
    }
    return n > 0 ? shape : NULL;
}

/* The shape where one size, or all that --fix names, are numbers. */
static fit fit_numbers(sq_builder *b, const elements *a, sq_flat *f)
{
    int ignored;
    for (int i = 0; i < b->k->nsizes; i++) {
        *f = (sq_flat){.number = b->k->size[i]};
        if (b->k->size[i]->fixed && fit_shape(b, a, f, &ignored) == FITS)
            return FITS;
    }
    *f = (sq_flat){.numbers = true};
    return fit_shape(b, a, f, &ignored);
}

/* The one size that would have to be a number. */
static const sq_size *find_window(sq_builder *b, const elements *a)
{
    int ignored;
    for (int i = b->k->nsizes - 1; i >= 0; i--) {
        sq_flat f = {.number = b->k->size[i], .numbers = true};
        if (!b->k->size[i]->fixed && fit_shape(b, a, &f, &ignored) == FITS)
            return b->k->size[i];
    }
    return NULL;
}

/* The size that all elements have added. */
static const sq_size *find_origin(sq_builder *b, const elements *a, const sq_flat *f)
{
    element e;
    sq_poly p;
    const sq_size *origin = NULL;
    bool all = sq_flat_has_origin(b, a->decl, f);
    for (int i = 0; i < a->n && all; i++) {
        all = read_element(b, a->at[i], &e) && read_parts(b, &e, f, &p);
        origin = all ? sq_flat_offset(b, f, &p, origin) : NULL;
        all = origin != NULL;
    }
    return origin;
}

static const sq_flat *find_shape(sq_builder *b, CXCursor decl, bool *failed)
{
    elements *a = SQ_NEW(b->r.arena, elements);
    sq_flat *f = SQ_NEW(b->r.arena, sq_flat), *other = SQ_NEW(b->r.arena, sq_flat);
    int at;
    a->decl = decl;
    *f = (sq_flat){0};
    b->scop->long_product = false;
    for (int i = 0; i < b->scop->nstmts; i++)
        collect(b, b->scop->stmt[i], a);
    fit first = fit_shape(b, a, f, &at);
    bool too_many = f->too_many;
    const sq_flat *shape = first == FITS ? f : first == MISFIT && !too_many ? find_shapes(b, a) : NULL;
    fit second = shape || too_many ? first : fit_numbers(b, a, other);
    shape = second == FITS && !shape ? other : shape;
    if (shape == f && first == FITS) /* views of one array begin in one place */
        f->origin = find_origin(b, a, f);
    if (shape)
        return shape->ndim == 1 ? NULL : shape;
    if (second == UNREAD)
        return not_read(b, decl, a->at[at], failed);
    *failed = too_many ? refuse_dims(b, decl, a->at[0]) : refuse_shape(b, decl, a, find_window(b, a));
    return f;
}

const sq_flat *sq_flat_find(sq_builder *b, CXCursor decl, bool *failed)
{
    b->scop->finds_shape = true;
    const sq_flat *f = find_shape(b, decl, failed);
    b->scop->finds_shape = false;
    return f;
}

/* ---- subscripts ---------------------------------------------------------------------------- */

isl_aff *sq_flat_extent(sq_builder *b, const sq_flat *f, int d)
{
    const sq_size *size = NULL;
    sq_term outer = stride_term(f, d - 1);
    quotient(&outer, f, d, &size);
    return sq_poly_add_size(b, sq_affine_zero(b), size, outer.factor / f->stride[d].factor);
}

/* True if the variables of dimension d all run backwards. What is added to the next outer one then
 * belongs here, as n does in a[i*n + n - 1 - j]. */
static bool runs_back(const sq_flat *f, const sq_poly *p, int d)
{
    bool any = false;
    for (int t = 0; t < p->n; t++) {
        if (p->t[t].var < 0 || p->t[t].factor == 0 || dim_of(f, &p->t[t]) != d)
            continue;
        any = true;
        if (p->t[t].factor > 0)
            return false;
    }
    return any;
}

/* Where a term without a variable goes, *size what it is there times its factor; -1: nowhere. */
static int place_constant(const sq_flat *f, const sq_poly *p, const sq_term *t,
                          const sq_size **size)
{
    for (int d = 0; d < f->ndim; d++) {
        *size = NULL;
        int n = quotient(t, f, d, size);
        if (n < 0 || n > 1 || t->factor % f->stride[d].factor)
            continue;
        const sq_size *other = NULL;
        bool inner = d + 1 < f->ndim && t->factor > 0 && quotient(t, f, d + 1, &other) == 1;
        if (inner && runs_back(f, p, d + 1)) {
            *size = other;
            return d + 1;
        }
        return d;
    }
    return -1;
}

/* Adds one term to its dimension's subscript; *fits becomes false where it has none. -1 after an
 * error. */
static int place(sq_builder *b, const sq_flat *f, const sq_poly *p, const sq_term *t, isl_aff **sub,
                 bool *fits)
{
    const sq_size *size = NULL;
    int d = t->var >= 0 ? dim_of(f, t) : place_constant(f, p, t, &size);
    *fits = d >= 0;
    if (d < 0)
        return 0;
    int64_t factor = t->factor / f->stride[d].factor;
    isl_val *v = isl_val_int_from_si(b->k->ctx, factor);
    isl_aff *variable = t->var >= 0 ? sq_poly_variable(b, t->var) : NULL;
    if (variable)
        sub[d] = isl_aff_add(sub[d], isl_aff_scale_val(variable, v));
    else if (size)
        sub[d] = sq_poly_add_size(b, sub[d], size, factor), isl_val_free(v);
    else
        sub[d] = isl_aff_add_constant_val(sub[d], v);
    return t->var >= 0 && !variable ? -1 : 0;
}

/* The same check as affine.c makes for names. */
static int check_active(sq_builder *b, CXCursor c, const sq_poly *p)
{
    for (int t = 0; t < p->n; t++) {
        int v = p->t[t].var;
        if (v >= 0 && v < SQ_MAX_VARS && b->var[v].is_loop && !b->var[v].active)
            return sq_refuse(b, c, "'%s' is used outside of its loop", b->var[v].name);
    }
    return 0;
}

static bool has_constant(const sq_poly *p)
{
    for (int t = 0; t < p->n; t++)
        if (p->t[t].var < 0 && p->t[t].factor != 0)
            return true;
    return false;
}

/* The subscripts of an element that are values. */
typedef struct values {
    CXCursor *at; /* by dimension */
    unsigned dims;
} values;

/* Takes the terms that are values to their dimensions, and out of the sum; false: one does not fit there. */
static bool take_values(const sq_builder *b, const sq_flat *f, sq_poly *p, values *v)
{
    bool fits = true;
    CXCursor at;
    for (int t = 0; t < p->n; t++) {
        if (p->t[t].factor == 0 || p->t[t].var < 0 || !sq_poly_value(b, p->t[t].var, &at))
            continue;
        int d = dim_of(f, &p->t[t]);
        fits = fits && d >= 0 && p->t[t].factor == f->stride[d].factor && !(v->dims >> d & 1);
        if (!fits)
            return false;
        v->at[d] = at;
        v->dims |= 1u << d;
        p->t[t].factor = 0;
    }
    return fits;
}

static isl_aff_list *shaped_subscripts(sq_builder *b, const sq_flat *f, CXCursor c, const element *e, values *v)
{
    sq_poly p;
    isl_aff *sub[SQ_FLAT_DIMS];
    isl_aff_list *list = isl_aff_list_alloc(b->k->ctx, f->ndim);
    bool fits = read_parts(b, e, f, &p) && take_values(b, f, &p, v);
    sq_flat_leave_origin(f, &p);
    int rc = fits ? check_active(b, c, &p) : 0;
    for (int d = 0; d < f->ndim; d++)
        sub[d] = sq_affine_zero(b);
    for (int t = 0; t < p.n && rc == 0 && fits; t++)
        if (p.t[t].factor != 0)
            rc = place(b, f, &p, &p.t[t], sub, &fits);
    if (rc == 0 && fits && has_constant(&p))
        sq_flat_carry(b, f, sub);
    for (int d = 0; d < f->ndim; d++)
        list = isl_aff_list_add(list, sub[d]);
    if (fits && rc == 0)
        return list;
    if (!fits && v->dims)
        sq_refuse(b, c,
                  "what the length of a row multiplies here is a sum with a value; accepted is a value alone, "
                  "t[x[i]*n + j]");
    else if (!fits)
        sq_refuse(b, c, "this subscript does not fit the shape of the others");
    return isl_aff_list_free(list);
}

static isl_aff_list *one_subscript(sq_builder *b, const element *e)
{
    isl_aff *sum = sq_affine_zero(b);
    b->affine_of = SQ_AFFINE_SUBSCRIPT;
    for (int i = 0; i < e->n; i++) {
        isl_aff *part = sq_affine_read(b, e->part[i]);
        if (!part) {
            isl_aff_free(sum);
            return NULL;
        }
        sum = isl_aff_add(sum, part);
    }
    return isl_aff_list_from_aff(sum);
}

/* Of an element that has another shape than the first one has, the view's symbol. */
static sq_symbol *viewed(const sq_builder *b, CXCursor c, sq_symbol *s)
{
    for (const sq_view *v = b->scop->views; v; v = v->next)
        for (int i = 0; i < v->n; i++)
            if (b->r.cl->clang_equalCursors(v->at[i], c))
                return v->symbol;
    return s;
}

bool sq_flat_access(sq_builder *b, CXCursor c, sq_symbol **symbol, isl_aff_list **list, CXCursor *value,
                    unsigned *dims)
{
    element e;
    values v = {.at = value};
    sq_symbol *s = read_element(b, c, &e) ? viewed(b, c, sq_symbol_find(b, e.decl)) : NULL;
    if (!s || s->kind != SQ_SYM_ARRAY || (s->array->ndim != 1 && !s->flat))
        return false;
    if (!s->flat && c.kind == CXCursor_ArraySubscriptExpr && e.n == 1 &&
        sq_indirect_is(b, e.part[0]))
        return false;
    *symbol = s;
    *list = s->flat ? shaped_subscripts(b, s->flat, c, &e, &v) : one_subscript(b, &e);
    *dims = v.dims;
    return true;
}
