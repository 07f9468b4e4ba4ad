/* Print shared: the copy of a box of an array that the threads of a block make together. If only
 * the array's upper end matters, vectors are copied at once; positions beyond the array are filled.
 * print_deal.c distributes the elements. */
#include "codegen/grid/print.h"
#include "codegen/isa/cuda_copy.h"
#include "codegen/nest/base.h"
#include "codegen/print/scalar.h"
#include <string.h>

/* Returns "@x0": the coordinate along axis 0. */
static const sq_code_expr *position(const sq_printer *p, int a)
{
    return sq_code_name(p->code, sq_arena_printf(p->arena, "@x%d", a));
}

/* Returns "A_shared_begin0", "A_shared_end0": the range of the array along axis 0, relative to the
 * box's first element. */
static const sq_code_expr *limit(const sq_printer *p, const sq_buffer *b, const char *stem, int a)
{
    return sq_code_name(p->code, sq_arena_printf(p->arena, "%s_%s%d", b->name, stem, a));
}

const sq_code_expr *sq_print_extent(const sq_printer *p, const sq_buffer *b, int a)
{
    return b->axis[a].end ? b->axis[a].end : sq_aff_code(p->kernel, b->array->extent[a], p->code);
}

/* Returns the length of the box along an axis, in elements of the array. */
static int64_t span(const sq_axis *x)
{
    return x->stride * (x->extent - 1) + 1;
}

/* Returns "sq_min(sq_max(value, 0), span)", which fits an int. */
static const char *within(const sq_printer *p, const sq_axis *x, const sq_code_expr *value)
{
    sq_code_pool *code = p->code;
    const sq_code_expr *from = sq_code_max(code, value, sq_code_number(code, 0));
    return sq_print_code(p, sq_code_min(code, from, sq_code_number(code, span(x))));
}

/* Declares the range of the array in a box that exceeds it, so that the tests of elements use 32
 * bits. */
static void put_ends(sq_printer *p, const sq_buffer *b)
{
    sq_code_pool *code = p->code;
    for (int a = 0; a < b->naxes; a++) {
        const sq_axis *x = &b->axis[a];
        if (!x->clipped)
            continue;
        if (x->before)
            sq_text_line(&p->body, "const int %s = (int)%s;", limit(p, b, "begin", a)->name,
                         within(p, x, sq_code_sub(code, sq_code_number(code, 0), x->lo)));
        sq_text_line(&p->body, "const int %s = (int)%s;", limit(p, b, "end", a)->name,
                     within(p, x, sq_code_sub(code, sq_print_extent(p, b, a), x->lo)));
    }
}

/* Returns the condition that the subscripts of the first n axes are in the array; NULL: always. */
static const sq_code_expr *inside(const sq_printer *p, const sq_buffer *b, int n)
{
    sq_code_pool *code = p->code;
    const sq_code_expr *all = NULL;
    for (int a = 0; a < n; a++) {
        const sq_axis *x = &b->axis[a];
        const sq_code_expr *at = sq_code_scale(code, x->stride, position(p, a));
        if (!x->clipped)
            continue;
        if (x->before)
            all = sq_code_and(code, all,
                              sq_code_compare(code, SQ_CODE_GE, at, limit(p, b, "begin", a)));
        all = sq_code_and(code, all, sq_code_compare(code, SQ_CODE_LT, at, limit(p, b, "end", a)));
    }
    return all;
}

/* Returns the element at the coordinates, relative to the box's first element, so that offsets are
 * computed once. */
static const char *source(const sq_printer *p, const sq_buffer *b)
{
    const sq_code_expr *sum = sq_code_number(p->code, 0);
    for (int a = 0; a < b->naxes; a++)
        sum = sq_code_add_scaled(p->code, sum, b->axis[a].stride,
                                 sq_code_mul(p->code, position(p, a), sq_stride_code(b->array, a, p->code)));
    return sq_arena_printf(p->arena, "%s_box + (%s)", b->name, sq_print_code(p, sum));
}

/* Prints "A_shared_box": the box's first element in the array, which need not exist: at padded
 * edges boxes begin outside. */
static void put_box(sq_printer *p, const sq_buffer *b)
{
    const sq_code_expr *sum = sq_code_number(p->code, 0);
    for (int a = 0; a < b->naxes; a++)
        sum = sq_code_add(p->code, sum,
                          sq_code_mul(p->code, b->axis[a].lo, sq_stride_code(b->array, a, p->code)));
    sq_text_line(&p->body, "const %s *const %s_box = %s;", sq_type_ctype(b->array->type), b->name,
                 sq_print_pointer(p, b->array->name, sum));
}

/* Returns the destination of the element at the coordinates, for a copy in the order of a
 * warpgroup's instructions. */
static const char *swizzled_place(const sq_printer *p, const sq_buffer *b)
{
    sq_code_pool *code = p->code;
    const sq_axis *last = &b->axis[b->naxes - 1];
    const sq_code_expr *x = position(p, b->naxes - 1), *by = sq_code_number(code, last->block),
                       *sum = x;
    if (last->extent > last->block) /* several blocks of rows */
        sum = sq_code_add_scaled(code, sq_code_divide(code, SQ_CODE_REM, x, by), last->step_q,
                                 sq_code_divide(code, SQ_CODE_DIV, x, by));
    for (int a = 0; a < b->naxes - 1; a++)
        sum = sq_code_add_scaled(code, sum, b->axis[a].step_q, position(p, a));
    return sq_arena_printf(p->arena, "%s(%s)", sq_uses_helper(&p->uses, "sq_swizzled"), sq_print_code(p, sum));
}

/* Returns the destination of the element `along` behind the coordinates. */
static const char *place(const sq_printer *p, const sq_buffer *b, int along)
{
    if (b->swizzled)
        return swizzled_place(p, b);
    const sq_code_expr *sum = sq_code_number(p->code, along * b->axis[b->naxes - 1].step_q);
    for (int a = 0; a < b->naxes; a++)
        sum = sq_code_add_scaled(p->code, sum, b->axis[a].step_q, position(p, a));
    return sq_print_code(p, sum);
}

/* Returns the number of elements of a vector along the last axis that exist: 0 if its row does
 * not. */
static const sq_code_expr *elements_left(const sq_printer *p, const sq_buffer *b)
{
    int last = b->naxes - 1;
    const sq_axis *x = &b->axis[last];
    const sq_code_expr *rows = inside(p, b, last),
                       *end = x->clipped ? limit(p, b, "end", last)
                                         : sq_code_number(p->code, x->extent),
                       *left = sq_code_sub(p->code, end, position(p, last));
    return rows ? sq_code_select(p->code, rows, left, sq_code_number(p->code, 0)) : left;
}

/* Prints one asynchronous copy of this number of bytes, of which `zeros` (C text; NULL: none) do
 * not exist and become zero. */
static void put_start(sq_printer *p, const char *to, const char *from, int bytes, const char *zeros)
{
    if (zeros)
        sq_text_line(&p->body, "%s(%s, %s, %s);",
                     sq_uses_helper(&p->uses, sq_copy_async_name(bytes, p->arena)), to, from, zeros);
    else
        sq_text_line(&p->body, "__pipeline_memcpy_async(%s, %s, %d);", to, from, bytes);
}

/* Asynchronous copies have at least 4 bytes; smaller elements are copied synchronously. */
static void put_start_element(sq_printer *p, const char *to, const char *from, int bytes,
                              const char *zeros)
{
    if (bytes >= 4)
        put_start(p, to, from, bytes, zeros);
    else if (zeros)
        sq_text_line(&p->body, "*(%s) = (%s) ? 0 : *(%s);", to, zeros, from);
    else
        sq_text_line(&p->body, "*(%s) = *(%s);", to, from);
}

/* Copies a vector's elements asynchronously: in one copy if rows stay rows, as both addresses are
 * aligned then. */
static void put_async_vector(sq_printer *p, const sq_buffer *b, int lanes, bool steady)
{
    int last = b->naxes - 1, bytes = sq_type_bytes(b->type), whole = lanes * bytes;
    const char *zeros = NULL;
    sq_text_line(&p->body, "const %s *const @from = %s;", sq_type_ctype(b->type),
                 steady ? sq_steady_from(p, b) : source(p, b));
    if (inside(p, b, b->naxes)) {
        sq_text_line(&p->body, "const int @left = %s;", sq_print_code(p, elements_left(p, b)));
        zeros = sq_arena_printf(p->arena, "@left >= %d ? 0 : @left > 0 ? %d - %d * @left : %d",
                                lanes, whole, bytes, whole);
    }
    if (b->inner == last)
        put_start(p, sq_arena_printf(p->arena, "%s + %s", b->name, place(p, b, 0)), "@from", whole,
                  zeros);
    for (int l = 0; l < lanes && b->inner != last; l++)
        put_start_element(p, sq_arena_printf(p->arena, "%s + %s", b->name, place(p, b, l)),
                          sq_arena_printf(p->arena, "@from + %d", l), bytes,
                          zeros ? sq_arena_printf(p->arena, "@left > %d ? 0 : %d", l, bytes)
                                : NULL);
}

static void put_async_element(sq_printer *p, const sq_buffer *b)
{
    const sq_code_expr *all = inside(p, b, b->naxes);
    const char *in = all ? sq_print_code(p, all) : NULL,
               *to = sq_arena_printf(p->arena, "%s + %s", b->name, place(p, b, 0));
    int bytes = sq_type_bytes(b->type);
    sq_text outside = {0};
    if (!in || b->edge == SQ_EDGE_NONE || sq_number_is_zero(b->outside)) {
        put_start_element(p, to, source(p, b), bytes,
                          in ? sq_arena_printf(p->arena, "%s ? 0 : %d", in, bytes) : NULL);
        return;
    }
    sq_scalar_value(b->outside, b->type, &outside);
    sq_text_line(&p->body, "if (%s)", in);
    sq_text_line(&p->body, "    __pipeline_memcpy_async(%s, %s, %d);", to, source(p, b), bytes);
    sq_text_line(&p->body, "else");
    sq_text_line(&p->body, "    *(%s) = %s;", to, sq_text_str(&outside));
    sq_text_free(&outside);
}

/* Rows of the buffer are aligned for vectors; those of the array are if it is known. */
static void put_vector(sq_printer *p, const sq_buffer *b, int lanes, bool aligned)
{
    sq_vector *v = sq_print_shape(p, b->type, lanes);
    int last = b->naxes - 1;
    bool steady = aligned && sq_steady_is(p, p->steady, b);
    const char *from = steady ? sq_steady_from(p, b) : source(p, b);
    if (!inside(p, b, b->naxes))
        sq_text_line(&p->body, "const %s @v = %s(%s);", sq_vector_name(v, p->arena),
                     sq_vector_op(v, aligned ? SQ_VOP_ALIGNED : SQ_VOP_LOAD, p->arena), from);
    else
        sq_text_line(&p->body, "const %s @v = %s(%s, %s);", sq_vector_name(v, p->arena),
                     sq_vector_op(v, SQ_VOP_LOAD_N, p->arena), from,
                     sq_print_code(p, elements_left(p, b)));
    if (b->inner == last)
        sq_text_line(&p->body, "%s(%s + %s, @v);", sq_vector_op(v, SQ_VOP_STORE_ALIGNED, p->arena),
                     b->name, place(p, b, 0));
    for (int l = 0; l < lanes && b->inner != last; l++)
        sq_text_line(&p->body, "%s[%s] = @v.v[%d];", b->name, place(p, b, l), l);
}

static void put_element(sq_printer *p, const sq_buffer *b)
{
    const sq_code_expr *in = inside(p, b, b->naxes);
    const char *value = sq_arena_printf(p->arena, "*(%s)", source(p, b));
    sq_text outside = {0};
    if (b->tensor)
        sq_text_puts(&outside, "0");
    else
        sq_scalar_value(b->outside, b->type, &outside); /* 0 without a boundary value */
    if (sq_type_stored(b->array->type) && !b->tensor)
        value = sq_arena_printf(p->arena, "%s(%s)",
                                sq_uses_helper(&p->uses, sq_arena_printf(p->arena, "sq_%s_get",
                                                                         sq_type_suffix(b->array->type))),
                                value);
    if (in)
        value = sq_arena_printf(p->arena, "%s ? %s : %s", sq_print_code(p, in), value,
                                sq_text_str(&outside));
    sq_text_line(&p->body, "%s[%s] = %s;", b->name, place(p, b, 0), value);
    sq_text_free(&outside);
}

/* Limits on unrolled iterations; lower ones for iterations that test each vector, and for those
 * that hold elements in registers until all have arrived, in addition to a thread's sums. */
enum { MOST_TURNS = 16, MOST_CHECKED = 8, MOST_HELD = 16 /* elements */ };

/* Which copies of a buffer are printed: all; those of boxes inside of the array and aligned, or
 * aligned only; other boxes, in vectors that test their bounds; in single elements. */
typedef enum kind { ANY, WHOLE, ALIGNED, REST, SINGLE } kind;

/* Opens the loop over a thread's share of n elements, of which @e is one. For boxes inside of the
 * array, and for aligned ones with few iterations, the trip count is the same for all threads, so
 * that the compiler unrolls it, and hoists invariants out of the loops around; otherwise a serial
 * loop with registers for one element. True if the last iteration is not complete, and a condition
 * was opened. */
static bool open_shares(sq_printer *p, int64_t n, int wide, kind k)
{
    int64_t turns = (n + p->threads - 1) / p->threads;
    bool written_out = k == WHOLE || (k == ALIGNED && turns <= MOST_CHECKED);
    if (k == REST || k == SINGLE)
        sq_text_puts(&p->body, "#pragma unroll 1\n");
    else if (!p->async && wide > 1 && turns * wide > MOST_HELD)
        sq_text_printf(&p->body, "#pragma unroll %d\n", MOST_HELD / wide);
    else if (turns <= (k == ALIGNED ? MOST_CHECKED : MOST_TURNS))
        sq_text_puts(&p->body, "#pragma unroll\n");
    if (!written_out) {
        sq_text_open(&p->body, "for (int @e = (int)threadIdx.x; @e < %lld; @e += %d) {",
                     (long long)n, p->threads);
        return false;
    }
    sq_text_open(&p->body, "for (int @turn = 0; @turn < %lld; @turn++) {", (long long)turns);
    sq_text_line(&p->body, "const int @e = (int)threadIdx.x + @turn * %d;", p->threads);
    if (n % p->threads == 0)
        return false;
    sq_text_open(&p->body, "if (@e < %lld) {", (long long)n);
    return true;
}

static void put_copies(sq_printer *p, const sq_buffer *b, kind k)
{
    int wide = k == SINGLE ? 1 : sq_deal_width(p, b);
    put_ends(p, b);
    if (k != WHOLE || !sq_steady_is(p, p->steady, b))
        put_box(p, b);
    bool guarded = open_shares(p, sq_deal_count(b, wide), wide, k);
    const char *any = sq_deal_put(p, b, wide);
    if (any)
        sq_text_open(&p->body, "if (%s) {", any);
    if (wide > 1 && p->async)
        put_async_vector(p, b, wide, k == WHOLE && sq_steady_is(p, p->steady, b));
    else if (wide > 1)
        put_vector(p, b, wide, k == WHOLE);
    else
        (p->async ? put_async_element : put_element)(p, b);
    for (int opened = 1 + guarded + (any != NULL); opened > 0; opened--)
        sq_text_close(&p->body, "}");
}

/* Prints " && …": vectors of the box are aligned if the box and the array's rows are. Asynchronous
 * copies that transpose go element by element. */
static void put_aligned(sq_printer *p, const sq_buffer *b, sq_text *to)
{
    int wide = sq_deal_width(p, b), last = b->naxes - 1;
    if (wide == 1 || (p->async && b->inner != last))
        return;
    const sq_code_expr *lo = b->axis[last].lo;
    sq_text_printf(
        to, sq_code_is(lo, 0) ? "%s(uintptr_t)%s %% %d == 0" : "%s(uintptr_t)(%s) %% %d == 0",
        to->n ? " && " : "", sq_print_pointer(p, b->array->name, lo),
        wide * sq_type_bytes(b->type));
    for (int a = 0; a < last; a++) {
        int64_t stride = sq_array_stride(b->array, a);
        if (!stride)
            sq_text_printf(to, " && %s %% %d == 0", sq_print_code(p, sq_stride_code(b->array, a, p->code)),
                           wide);
        else if (stride % wide)
            sq_text_puts(to, " && false");
    }
}

const char *sq_print_whole(sq_printer *p, const sq_buffer *b)
{
    sq_text t = {0};
    for (int a = 0; a < b->naxes && b->edge == SQ_EDGE_NONE; a++) {
        const sq_axis *x = &b->axis[a];
        const sq_code_expr *last = sq_code_plus(p->code, x->lo, x->stride * (x->extent - 1));
        if (x->clipped)
            sq_text_printf(&t, "%s%s < %s", t.n ? " && " : "", sq_print_code(p, last),
                           sq_print_code(p, sq_print_extent(p, b, a)));
    }
    if (b->edge == SQ_EDGE_NONE)
        put_aligned(p, b, &t);
    const char *s = t.n ? sq_arena_strdup(p->arena, t.s) : NULL;
    sq_text_free(&t);
    return s;
}

/* Prints copies under a condition; the alternative follows. */
static void put_under(sq_printer *p, const sq_buffer *b, const char *condition, kind k)
{
    sq_text_open(&p->body, "if (%s) {", condition);
    put_copies(p, b, k);
    sq_text_close(&p->body, "} else {");
    p->body.indent++;
}

/* Most boxes lie inside of the array: their copies test no elements. */
static void put_whole(sq_printer *p, const sq_buffer *b, const char *all)
{
    sq_buffer *inner = SQ_NEW(p->arena, sq_buffer);
    *inner = *b;
    for (int a = 0; a < b->naxes; a++)
        inner->axis[a].clipped = false;
    put_under(p, inner, all, WHOLE);
}

/* True if asynchronous copies of whole vectors need aligned sources. */
static bool wants_aligned(const sq_printer *p, const sq_buffer *b)
{
    return p->async && b->inner == b->naxes - 1 && sq_deal_width(p, b) > 1;
}

/* Declares the start of a copy in its array, if it has variables of its own. */
static void put_starts(sq_printer *p, const sq_buffer *b)
{
    for (int a = 0; a < b->naxes; a++)
        if (b->axis[a].lo_value)
            sq_text_line(&p->body, "const int64_t %s = %s;", b->axis[a].lo->name,
                         sq_print_code(p, b->axis[a].lo_value));
}

void sq_print_shared_copy(sq_printer *p, const sq_buffer *b)
{
    bool steady = sq_steady_is(p, p->steady, b);
    const char *all = steady                                ? sq_steady_whole(p, b)
                      : p->async || sq_deal_width(p, b) > 1 ? sq_print_whole(p, b)
                                                            : NULL;
    sq_text_line(&p->body, "/* All threads together: what they read of %s%s. */", b->array->name,
                 b->inner == b->naxes - 1 ? "" : ", rows as columns");
    put_starts(p, b);
    int opened = 0;
    if (all) {
        put_whole(p, b, all);
        opened++;
    }
    if (wants_aligned(p, b)) {
        sq_text aligned = {0};
        put_aligned(p, b, &aligned);
        put_under(p, b, sq_text_str(&aligned), ALIGNED);
        sq_text_free(&aligned);
        put_copies(p, b, SINGLE);
        opened++;
    } else {
        put_copies(p, b, all ? REST : ANY);
    }
    for (; opened > 0; opened--)
        sq_text_close(&p->body, "}");
}
