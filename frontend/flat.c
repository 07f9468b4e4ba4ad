/* Flat: arrays of one dimension that are used as if they had several, a[i*n + j]. A subscript is a
 * polynomial; read as one, the products of sizes that its variables are multiplied by are the
 * strides of the dimensions, if each is the next one times one more size. That 0 <= j < n, without
 * which two different pairs would be one element, is proven or tested later like every other bound.
 */
#include "frontend/scop_build.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TERMS = 32, MOST_ACCESSES = 1024 };

/* factor * size * size … * variable; var -1: none. Sizes in the order of the kernel's. */
typedef struct term {
    int64_t factor;
    int var, nsizes;
    const sq_size *size[SQ_FLAT_DIMS];
} term;

typedef struct poly {
    int n;
    term t[MOST_TERMS];
} poly;

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

/* ---- polynomials --------------------------------------------------------------------------- */

static bool same_sizes(const term *a, const term *b)
{
    return a->nsizes == b->nsizes &&
           memcmp(a->size, b->size, (size_t)a->nsizes * sizeof *a->size) == 0;
}

static bool add_term(poly *p, const term *t)
{
    for (int i = 0; i < p->n; i++)
        if (p->t[i].var == t->var && same_sizes(&p->t[i], t))
            return !__builtin_add_overflow(p->t[i].factor, t->factor, &p->t[i].factor);
    if (p->n == MOST_TERMS)
        return false;
    p->t[p->n++] = *t;
    return true;
}

/* a += sign * b */
static bool add_poly(poly *a, const poly *b, int sign)
{
    for (int i = 0; i < b->n; i++) {
        term t = b->t[i];
        t.factor = sign < 0 ? -t.factor : t.factor;
        if (!add_term(a, &t))
            return false;
    }
    return true;
}

static int rank_of(const sq_builder *b, const sq_size *s)
{
    int i = 0;
    while (b->k->size[i] != s)
        i++;
    return i;
}

static bool multiply_terms(const sq_builder *b, const term *x, const term *y, term *to)
{
    *to = *x;
    if ((x->var >= 0 && y->var >= 0) || x->nsizes + y->nsizes > SQ_FLAT_DIMS ||
        __builtin_mul_overflow(x->factor, y->factor, &to->factor))
        return false;
    to->var = x->var >= 0 ? x->var : y->var;
    for (int i = 0; i < y->nsizes; i++) {
        int at = to->nsizes++;
        for (; at > 0 && rank_of(b, to->size[at - 1]) > rank_of(b, y->size[i]); at--)
            to->size[at] = to->size[at - 1];
        to->size[at] = y->size[i];
    }
    return true;
}

static bool multiply(const sq_builder *b, const poly *x, const poly *y, poly *to)
{
    term t;
    to->n = 0;
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < y->n; j++)
            if (!multiply_terms(b, &x->t[i], &y->t[j], &t) || !add_term(to, &t))
                return false;
    return true;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool read_poly(sq_builder *b, CXCursor c, poly *p);

static bool read_constant(const sq_builder *b, CXCursor c, poly *p)
{
    CXEvalResult e = b->r.cl->clang_Cursor_Evaluate(c);
    if (!e)
        return false;
    bool fits = b->r.cl->clang_EvalResult_getKind(e) == CXEval_Int;
    *p = (poly){.n = 1, .t = {{.factor = b->r.cl->clang_EvalResult_getAsLongLong(e), .var = -1}}};
    b->r.cl->clang_EvalResult_dispose(e);
    return fits;
}

static bool read_name(const sq_builder *b, CXCursor c, poly *p)
{
    CXCursor decl = b->r.cl->clang_getCursorReferenced(c);
    const sq_symbol *s = sq_symbol_find(b, decl);
    int v = sq_var_find(b, decl);
    *p = (poly){.n = 1, .t = {{.factor = 1, .var = v}}};
    if (decl.kind == CXCursor_EnumConstantDecl)
        p->t[0].factor = b->r.cl->clang_getEnumConstantDeclValue(decl);
    else if (s && s->kind == SQ_SYM_SIZE)
        p->t[0].size[p->t[0].nsizes++] = s->size;
    else
        return v >= 0;
    return true;
}

/* A product of 32-bit unsigned numbers goes on at 0 past 2^32. */
static bool wraps(const sq_builder *b, CXCursor c)
{
    return b->r.cl->clang_getCanonicalType(b->r.cl->clang_getCursorType(c)).kind == CXType_UInt;
}

static bool read_operator(sq_builder *b, CXCursor c, poly *p)
{
    int n;
    poly x, y;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    if (n != 2 || !read_poly(b, arg[0], &x) || !read_poly(b, arg[1], &y))
        return false;
    if (op == CXBinaryOperator_Mul)
        return !wraps(b, c) && multiply(b, &x, &y, p);
    *p = x;
    return (op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub) &&
           add_poly(p, &y, op == CXBinaryOperator_Add ? 1 : -1);
}

static bool read_sign(sq_builder *b, CXCursor c, poly *p)
{
    int n;
    poly x;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    enum CXUnaryOperatorKind op = b->r.cl->clang_getCursorUnaryOperatorKind(c);
    p->n = 0;
    return (op == CXUnaryOperator_Minus || op == CXUnaryOperator_Plus) && n == 1 &&
           read_poly(b, arg[0], &x) && add_poly(p, &x, op == CXUnaryOperator_Minus ? -1 : 1);
}

/* False: it is no polynomial of sizes and at most one variable a term. */
static bool read_poly(sq_builder *b, CXCursor c, poly *p)
{
    int n;
    c = sq_cursor_strip(&b->r, c);
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    switch (c.kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
        return read_constant(b, c, p);
    case CXCursor_DeclRefExpr:
        return read_name(b, c, p);
    case CXCursor_BinaryOperator:
        return read_operator(b, c, p);
    case CXCursor_UnaryOperator:
        return read_sign(b, c, p);
    case CXCursor_CStyleCastExpr:
        return n > 0 && sq_cast_keeps(&b->r, c, child[n - 1]) && read_poly(b, child[n - 1], p);
    default:
        return false;
    }
}

/* The whole subscript. */
static bool read_parts(sq_builder *b, const element *e, poly *p)
{
    poly part;
    p->n = 0;
    for (int i = 0; i < e->n; i++)
        if (!read_poly(b, e->part[i], &part) || !add_poly(p, &part, 1))
            return false;
    return true;
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

static int64_t gcd(int64_t a, int64_t b)
{
    return b ? gcd(b, a % b) : llabs(a);
}

/* The dimension that a term's sizes are the stride of; -1. */
static int dim_of(const sq_flat *f, const term *t)
{
    for (int d = 0; d < f->ndim; d++)
        if (f->stride[d].nsizes == t->nsizes &&
            memcmp(f->stride[d].size, t->size, (size_t)t->nsizes * sizeof *t->size) == 0)
            return d;
    return -1;
}

/* Dimensions stay sorted, most sizes first. False: too many. */
static bool add_stride(sq_flat *f, const term *t)
{
    int d = dim_of(f, t);
    if (d >= 0) {
        f->stride[d].factor = gcd(f->stride[d].factor, t->factor);
        return true;
    }
    if (f->ndim == SQ_FLAT_DIMS)
        return false;
    d = f->ndim++;
    for (; d > 0 && f->stride[d - 1].nsizes < t->nsizes; d--)
        f->stride[d] = f->stride[d - 1];
    f->stride[d].factor = llabs(t->factor);
    f->stride[d].nsizes = t->nsizes;
    memcpy(f->stride[d].size, t->size, sizeof t->size);
    return true;
}

/* The sizes of dimension d that the next one has not; their number, -1 if it has others. */
static int quotient(const term *of, const sq_flat *f, int d, const sq_size **size)
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

static term stride_term(const sq_flat *f, int d)
{
    term t = {.factor = f->stride[d].factor, .var = -1, .nsizes = f->stride[d].nsizes};
    memcpy(t.size, f->stride[d].size, sizeof t.size);
    return t;
}

/* Is each stride the next one times one size? */
static bool is_chain(sq_flat *f)
{
    for (int d = 0; d + 1 < f->ndim; d++) {
        const sq_size *size;
        term t = stride_term(f, d);
        if (quotient(&t, f, d + 1, &size) != 1)
            return false;
        f->stride[d + 1].factor = gcd(f->stride[d].factor, f->stride[d + 1].factor);
    }
    f->stride[f->ndim - 1].factor = 1;
    return f->stride[f->ndim - 1].nsizes == 0;
}

static int refuse_shape(sq_builder *b, CXCursor decl, const elements *a)
{
    const char *name = sq_cursor_spelling(&b->r, decl);
    sq_refuse(b, a->at[0], "no shape of '%s' fits all of its subscripts in this region", name);
    sq_help(b->r.d, SQ_NOWHERE,
            "accepted are %s[i*n + j], %s[(i*n + j)*m + k] and the like, with the same sizes "
            "everywhere",
            name, name);
    return -1;
}

/* Does the end of a loop mention the size? */
static bool bounds_loop(const sq_builder *b, CXCursor c, const sq_size *size, bool in_bound)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    const sq_symbol *s = c.kind == CXCursor_DeclRefExpr && in_bound
                             ? sq_symbol_find(b, b->r.cl->clang_getCursorReferenced(c))
                             : NULL;
    bool found = s && s->kind == SQ_SYM_SIZE && s->size == size;
    for (int i = 0; i < n && !found; i++)
        found = bounds_loop(b, child[i], size, in_bound || (c.kind == CXCursor_ForStmt && i == 1));
    return found;
}

/* f*n in a[f*n + j], where f is fixed in the region: a row of an array whose rows have the length
 * that a loop runs to. */
static bool add_fixed_row(const sq_builder *b, sq_flat *f, const term *t)
{
    const sq_size *ignored;
    for (int d = 0; d < f->ndim; d++) {
        int rest = quotient(t, f, d, &ignored);
        if (rest == 0 || rest == 1)
            return true;
    }
    if (t->nsizes != 2)
        return false;
    term row = {.factor = 1, .var = -1, .nsizes = 1, .size = {t->size[1]}};
    for (int i = 0; i < 2; i++)
        for (int s = 0; s < b->scop->nstmts; s++)
            if (bounds_loop(b, b->scop->stmt[s], t->size[i], false))
                row.size[0] = t->size[i];
    return add_stride(f, &row);
}

const sq_flat *sq_flat_find(sq_builder *b, CXCursor decl, bool *failed)
{
    elements *a = SQ_NEW(b->r.arena, elements);
    sq_flat *f = SQ_NEW(b->r.arena, sq_flat);
    term inner = {.factor = 1, .var = -1};
    poly p;
    bool fits = add_stride(f, &inner);
    a->decl = decl;
    for (int i = 0; i < b->scop->nstmts; i++)
        collect(b, b->scop->stmt[i], a);
    for (int i = 0; i < a->n; i++) {
        element e;
        if (!read_element(b, a->at[i], &e) || !read_parts(b, &e, &p))
            return NULL; /* the reader of affine text says what is wrong with it */
        for (int t = 0; t < p.n; t++)
            fits = fits && (p.t[t].var < 0 || p.t[t].factor == 0 || add_stride(f, &p.t[t]));
    }
    for (int i = 0; i < a->n && fits; i++) {
        element e;
        read_element(b, a->at[i], &e);
        read_parts(b, &e, &p);
        for (int t = 0; t < p.n; t++)
            fits = fits && (p.t[t].var >= 0 || p.t[t].factor == 0 || add_fixed_row(b, f, &p.t[t]));
    }
    if (f->ndim == 1)
        return NULL;
    *failed = (!fits || !is_chain(f)) && refuse_shape(b, decl, a);
    return f;
}

/* ---- subscripts ---------------------------------------------------------------------------- */

static isl_aff *add_size(const sq_builder *b, isl_aff *a, const sq_size *s, int64_t factor)
{
    isl_val *v = isl_val_int_from_si(b->k->ctx, factor);
    if (s->fixed)
        return isl_aff_add_constant_val(a,
                                        isl_val_mul(v, isl_val_int_from_si(b->k->ctx, s->value)));
    int at = isl_space_find_dim_by_name(b->universe, isl_dim_param, s->name);
    isl_val *old = isl_aff_get_coefficient_val(a, isl_dim_param, at);
    return isl_aff_set_coefficient_val(a, isl_dim_param, at, isl_val_add(old, v));
}

isl_aff *sq_flat_extent(sq_builder *b, const sq_flat *f, int d)
{
    const sq_size *size = NULL;
    term outer = stride_term(f, d - 1);
    quotient(&outer, f, d, &size);
    return add_size(b, sq_affine_zero(b), size, outer.factor / f->stride[d].factor);
}

/* Do the variables of dimension d all run backwards? Then what is added to the next outer one
 * belongs here, as n does in a[i*n + n - 1 - j]. */
static bool runs_back(const sq_flat *f, const poly *p, int d)
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
static int place_constant(const sq_flat *f, const poly *p, const term *t, const sq_size **size)
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

/* What the variable of a loop stands for; its dimension counts up by one, it may not. */
static isl_aff *meaning_of(const sq_builder *b, int v)
{
    return b->var[v].value ? isl_aff_copy(b->var[v].value) : sq_affine_of_var(b, v);
}

/* Adds one term to its dimension's subscript. */
static bool place(const sq_builder *b, const sq_flat *f, const poly *p, const term *t,
                  isl_aff **sub)
{
    const sq_size *size = NULL;
    int d = t->var >= 0 ? dim_of(f, t) : place_constant(f, p, t, &size);
    if (d < 0)
        return false;
    int64_t factor = t->factor / f->stride[d].factor;
    isl_val *v = isl_val_int_from_si(b->k->ctx, factor);
    if (t->var >= 0)
        sub[d] = isl_aff_add(sub[d], isl_aff_scale_val(meaning_of(b, t->var), v));
    else if (size)
        sub[d] = add_size(b, sub[d], size, factor), isl_val_free(v);
    else
        sub[d] = isl_aff_add_constant_val(sub[d], v);
    return true;
}

/* The same check as affine.c makes for names. */
static int check_active(sq_builder *b, CXCursor c, const poly *p)
{
    for (int t = 0; t < p->n; t++) {
        int v = p->t[t].var;
        if (v >= 0 && b->var[v].is_loop && !b->var[v].active)
            return sq_refuse(b, c, "'%s' is used outside of its loop", b->var[v].name);
    }
    return 0;
}

static isl_aff_list *shaped_subscripts(sq_builder *b, const sq_flat *f, CXCursor c,
                                       const element *e)
{
    poly p;
    isl_aff *sub[SQ_FLAT_DIMS];
    isl_aff_list *list = isl_aff_list_alloc(b->k->ctx, f->ndim);
    bool fits = read_parts(b, e, &p);
    int rc = fits ? check_active(b, c, &p) : -1;
    for (int d = 0; d < f->ndim; d++)
        sub[d] = sq_affine_zero(b);
    for (int t = 0; t < p.n && rc == 0 && fits; t++)
        fits = p.t[t].factor == 0 || place(b, f, &p, &p.t[t], sub);
    for (int d = 0; d < f->ndim; d++)
        list = isl_aff_list_add(list, sub[d]);
    if (fits && rc == 0)
        return list;
    if (!fits)
        sq_refuse(b, c, "this subscript does not fit the shape of the others");
    return isl_aff_list_free(list);
}

static isl_aff_list *one_subscript(sq_builder *b, const element *e)
{
    isl_aff *sum = sq_affine_zero(b);
    b->affine_what = "subscript";
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

bool sq_flat_access(sq_builder *b, CXCursor c, sq_symbol **symbol, isl_aff_list **list)
{
    element e;
    sq_symbol *s = read_element(b, c, &e) ? sq_symbol_find(b, e.decl) : NULL;
    if (!s || s->kind != SQ_SYM_ARRAY || (s->array->ndim != 1 && !s->flat))
        return false;
    *symbol = s;
    *list = s->flat ? shaped_subscripts(b, s->flat, c, &e) : one_subscript(b, &e);
    return true;
}
