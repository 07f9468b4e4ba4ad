/* Print steady: boxes of shared copies that advance by a constant with each iteration of the loop
 * around. Hoists what the compiler would recompute in each iteration: a pointer to the box, which
 * is advanced, and the last iteration whose box lies in the array and is aligned. Offsets inside of
 * a box have 32 bits, if that suffices. */
#include "codegen/grid/print.h"
#include "codegen/nest/base.h"
#include <string.h>

/* Returns the axis along which boxes move; -1: none. */
static int moving(const sq_node *loop, const sq_buffer *b)
{
    for (int a = 0; a < b->naxes; a++)
        if (b->axis[a].lo->op == SQ_CODE_NAME && strcmp(b->axis[a].lo->name, loop->name) == 0)
            return a;
    return -1;
}

/* True if offsets inside of a box may fit into 32 bits, as far as is known at compile time. */
static bool may_fit(const sq_buffer *b)
{
    double most = 0;
    for (int a = 0; a < b->naxes; a++)
        most +=
            (double)(b->axis[a].extent * b->axis[a].stride) * (double)sq_array_stride(b->array, a);
    return most <= INT32_MAX;
}

/* True if the start of each axis is invariant in the loop, except for at most one that moves with
 * the loop's variable; along the innermost axis by a multiple of the vector. */
static bool moves_evenly(const sq_printer *p, const sq_node *loop, const sq_buffer *b)
{
    int last = b->naxes - 1, along = moving(loop, b);
    for (int a = 0; a < b->naxes; a++)
        if (b->axis[a].lo_value || (a != along && sq_code_mentions(b->axis[a].lo, loop->name)))
            return false;
    return along != last || loop->step % sq_deal_width(p, b) == 0;
}

/* True if the loop's boxes of the buffer are of that kind. At a padded edge each vector is tested,
 * as it is not known which boxes lie inside. */
static bool moves_on(const sq_printer *p, const sq_node *loop, const sq_buffer *b)
{
    const sq_node *x = loop ? loop->body : NULL;
    while (x && x->kind == SQ_NODE_COPY && strcmp(x->buffer->name, b->name) != 0)
        x = x->next;
    return x && x->kind == SQ_NODE_COPY && b->shared && b->edge == SQ_EDGE_NONE &&
           sq_deal_width(p, b) > 1 && may_fit(b) && moves_evenly(p, loop, b) &&
           (b->stages == 1 || b->inner == b->naxes - 1);
}

bool sq_steady_is(const sq_printer *p, const sq_node *loop, const sq_buffer *b)
{
    return p->async == (b->stages > 1) && moves_on(p, loop, b);
}

/* Returns the type of strides inside of a box: that with which nvcc keeps everything in registers,
 * for f64 and for narrower elements. */
static const char *narrow(const sq_buffer *b)
{
    return sq_type_bytes(b->array->type) == 8 ? "uint32_t" : "int";
}

/* Returns the offset from the box's first element to that at the coordinates @x0, @x1, …. */
static const char *offset(const sq_printer *p, const sq_buffer *b)
{
    sq_code_pool *code = p->code;
    const sq_code_expr *sum = sq_code_number(code, 0);
    for (int a = 0; a < b->naxes; a++) {
        const sq_code_expr *at = sq_code_name(code, sq_arena_printf(p->arena, "@x%d", a)),
                           *by = sq_stride_code(b->array, a, p->code);
        if (by->op == SQ_CODE_NAME) {
            sq_uses_name(&p->uses, by->name);
            by = sq_code_name(code, sq_arena_printf(p->arena, "(%s)%s", narrow(b), by->name));
        }
        sum = sq_code_add_scaled(code, sum, b->axis[a].stride, sq_code_mul(code, at, by));
    }
    return sq_print_code(p, sum);
}

/* Returns the offset from the box's first element to its last one. */
static const sq_code_expr *length(const sq_printer *p, const sq_buffer *b)
{
    const sq_code_expr *sum = sq_code_number(p->code, 0);
    for (int a = 0; a < b->naxes; a++)
        sum = sq_code_add_scaled(p->code, sum, (b->axis[a].extent - 1) * b->axis[a].stride,
                                 sq_stride_code(b->array, a, p->code));
    return sum;
}

/* Returns the first box that is copied in the loop, which with copies ahead is not that of its
 * first iteration. A short loop may never reach it; then its pointer is beyond the array, and not
 * used. */
static sq_buffer first_box(const sq_printer *p, const sq_node *loop, const sq_buffer *b)
{
    sq_buffer first = *b;
    int along = moving(loop, b);
    if (along >= 0) {
        first.axis[along].lo = sq_code_plus(p->code, loop->lo, loop->step * (b->stages - 1));
        first.axis[along].clipped = false; /* tested in each iteration */
    }
    return first;
}

static const char *pointer(const sq_printer *p, const sq_buffer *b)
{
    const sq_code_expr *sum = sq_code_number(p->code, 0);
    for (int a = 0; a < b->naxes; a++)
        sum =
            sq_code_add(p->code, sum,
                        sq_code_mul(p->code, b->axis[a].lo, sq_stride_code(b->array, a, p->code)));
    return sq_print_pointer(p, b->array->name, sum);
}

/* Returns the condition that the box lies in the array and its offsets fit into 32 bits; NULL:
 * always. */
static const char *condition(sq_printer *p, const sq_buffer *first)
{
    const char *whole = sq_print_whole(p, first);
    const sq_code_expr *most = length(p, first);
    int64_t n;
    if (sq_code_known(most, &n))
        return whole;
    const char *fits = sq_arena_printf(p->arena, "%s <= INT32_MAX", sq_print_code(p, most));
    return whole ? sq_arena_printf(p->arena, "%s && %s", whole, fits) : fits;
}

/* Returns the end of the range of the loop in which the box does not leave the array; NULL: all. */
static const char *limit(const sq_printer *p, const sq_node *loop, const sq_buffer *b)
{
    int a = moving(loop, b);
    if (a < 0 || !b->axis[a].clipped)
        return NULL;
    int64_t way = b->axis[a].stride * (b->axis[a].extent - 1);
    return sq_print_code(p, sq_code_plus(p->code, sq_print_extent(p, b, a), -way));
}

static void begin_one(sq_printer *p, const sq_node *loop, const sq_buffer *b)
{
    sq_buffer first = first_box(p, loop, b);
    const char *all = condition(p, &first), *until = limit(p, loop, b);
    sq_text_line(&p->body, "const %s *%s_from = %s;", sq_type_ctype(b->array->type), b->name,
                 pointer(p, &first));
    if (until)
        sq_text_line(&p->body, "const int64_t %s_whole = %s%s%s%s;", b->name, all ? all : "",
                     all ? " ? " : "", until, all ? " : 0" : "");
    else
        sq_text_line(&p->body, "const bool %s_whole = %s;", b->name, all ? all : "true");
}

void sq_steady_begin(sq_printer *p, const sq_node *loop)
{
    bool any = false;
    p->steady = p->threads > 0 && !loop->once && loop->runs == SQ_LOOP_SERIAL ? loop : NULL;
    for (const sq_node *x = loop->body; x && x->kind == SQ_NODE_COPY; x = x->next) {
        if (!moves_on(p, p->steady, x->buffer))
            continue;
        if (!any)
            sq_text_line(&p->body, "/* Where boxes that are copied begin, and which are whole. */");
        any = true;
        begin_one(p, loop, x->buffer);
    }
}

void sq_steady_next(sq_printer *p, const sq_node *loop)
{
    for (const sq_node *x = loop->body; x && x->kind == SQ_NODE_COPY; x = x->next) {
        const sq_buffer *b = x->buffer;
        int a = moving(loop, b);
        if (a < 0 || !moves_on(p, p->steady, b))
            continue;
        const sq_code_expr *by =
            sq_code_scale(p->code, loop->step, sq_stride_code(b->array, a, p->code));
        sq_text_line(&p->body, "%s_from += %s;", b->name, sq_print_code(p, by));
    }
}

const char *sq_steady_whole(sq_printer *p, const sq_buffer *b)
{
    const char *until = limit(p, p->steady, b);
    return until ? sq_arena_printf(p->arena, "%s < %s_whole", p->steady->name, b->name)
                 : sq_arena_printf(p->arena, "%s_whole", b->name);
}

const char *sq_steady_from(sq_printer *p, const sq_buffer *b)
{
    return sq_arena_printf(p->arena, "%s_from + (%s)", b->name, offset(p, b));
}
