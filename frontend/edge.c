/* Edge: pad(A[i - 1], v) and clampedge(A[i - 1]), elements that may lie outside of their array.
 * What stands there is an element like the others: v becomes what an assignment to one would make
 * of it. */
#include "frontend/build.h"
#include <math.h>
#include <stdlib.h>

/* The same number with 53 digits, where it has more with the last of them 1 in place of the rest:
 * what is rounded to fewer digits afterwards is rounded once. */
static double odd(int64_t integer, bool is_unsigned)
{
    uint64_t sign = !is_unsigned && integer < 0,
             n = sign ? 0 - (uint64_t)integer : (uint64_t)integer;
    if (n >> 53)
        n = (n & ~UINT64_C(4095)) | (n & 4095 ? 4096 : 0);
    return sign ? -(double)n : (double)n;
}

static double as_real(const sq_expr *v, sq_type type)
{
    bool none = sq_type_unsigned(v->type);
    if (sq_type_real(v->type))
        return v->real;
    if (type != SQ_F64)
        return odd(v->integer, none);
    return none ? (double)(uint64_t)v->integer : (double)v->integer;
}

/* True if an integer type holds a floating value after its fraction is dropped. */
static bool fits(sq_type type, double value)
{
    int bits = 8 * sq_type_bytes(type);
    double least = sq_type_unsigned(type) ? 0 : -ldexp(1, bits - 1);
    value = trunc(value);
    return value >= least && value < ldexp(1, bits - !sq_type_unsigned(type));
}

static int64_t as_integer(const sq_expr *v)
{
    if (!sq_type_real(v->type))
        return v->integer;
    return v->real < 0x1p63 ? (int64_t)v->real : (int64_t)(uint64_t)v->real;
}

/* The value as an element of the array. */
static int convert(sq_builder *b, CXCursor at, const sq_expr *v, sq_type type, sq_number *to)
{
    *to = (sq_number){0};
    if (sq_type_real(type)) {
        to->real = sq_type_round(type, as_real(v, type));
        return 0;
    }
    if (sq_type_real(v->type) && !fits(type, v->real))
        return sq_refuse(b, at,
                         "%s does not hold the value outside of the array, %g; accepted "
                         "are values from %s to %s",
                         sq_type_name(type), v->real, sq_type_least(type), sq_type_greatest(type));
    to->integer = sq_type_wrap(type, as_integer(v));
    return 0;
}

static sq_expr *read_outside(sq_builder *b, CXCursor c)
{
    sq_expr *v = sq_number_read(b, c);
    if (!v)
        sq_refuse(b, c, "the value outside of the array must be a constant");
    return v;
}

static sq_expr *read_what(sq_builder *b, CXCursor call, sq_edge edge, const char *otherwise)
{
    CXCursor what = sq_cursor_strip(&b->r, b->r.cl->clang_Cursor_getArgument(call, 0));
    if (what.kind == CXCursor_ArraySubscriptExpr)
        return sq_element_read(b, what, edge);
    sq_refuse(b, what, "%s", otherwise);
    return NULL;
}

sq_expr *sq_pad_read(sq_builder *b, CXCursor c)
{
    CXCursor outside = b->r.cl->clang_Cursor_getArgument(c, 1);
    if (b->r.cl->clang_Cursor_getNumArguments(c) != 2) {
        sq_refuse(b, c,
                  "pad takes an array element and the value outside of the array, as in "
                  "pad(A[i - 1][j], 0)");
        return NULL;
    }
    sq_expr *e =
        read_what(b, c, SQ_EDGE_NONE, "pad takes one array element, as in pad(A[i - 1][j], 0)");
    sq_expr *v = e ? read_outside(b, outside) : NULL;
    if (!v || convert(b, outside, v, e->type, &e->access->outside))
        return NULL;
    e->access->where = isl_set_free(e->access->where);
    e->access->edge = SQ_EDGE_PAD;
    return sq_expr_promoted(b, e);
}

sq_expr *sq_clampedge_read(sq_builder *b, CXCursor c)
{
    sq_expr *e = read_what(b, c, SQ_EDGE_CLAMP,
                           "clampedge takes one array element, as in clampedge(A[i - 1][j])");
    if (e)
        e->access->edge = SQ_EDGE_CLAMP;
    return sq_expr_promoted(b, e);
}
