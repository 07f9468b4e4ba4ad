/* Grid, steady: boxes of shared copies that advance by a constant with each iteration of the loop
 * around. Hoists what the compiler would recompute in each iteration: a pointer to the box, which
 * is advanced, and the last iteration whose box lies in the array and is aligned. Offsets inside of
 * a box have 32 bits, if that suffices. */
#include "codegen/lower/grid_inside.h"
#include "support/diag.h"
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
static bool moves_evenly(const sq_kernel_walk *w, const sq_node *loop, const sq_buffer *b)
{
    int last = b->naxes - 1, along = moving(loop, b);
    for (int a = 0; a < b->naxes; a++)
        if (b->axis[a].lo_value || (a != along && sq_code_mentions(b->axis[a].lo, loop->name)))
            return false;
    return along != last || loop->step % sq_deal_width(w, b) == 0;
}

/* True if the loop's boxes of the buffer are of that kind. At a padded edge each vector is tested,
 * as it is not known which boxes lie inside. */
static bool moves_on(const sq_kernel_walk *w, const sq_node *loop, const sq_buffer *b)
{
    const sq_node *x = loop ? loop->body : NULL;
    while (x && x->kind == SQ_NODE_COPY && strcmp(x->buffer->name, b->name) != 0)
        x = x->next;
    return x && x->kind == SQ_NODE_COPY && b->shared && b->edge == SQ_EDGE_NONE &&
           sq_deal_width(w, b) > 1 && may_fit(b) && moves_evenly(w, loop, b) &&
           (b->stages == 1 || b->inner == b->naxes - 1);
}

bool sq_steady_is(const sq_kernel_walk *w, const sq_node *loop, const sq_buffer *b)
{
    return w->async == (b->stages > 1) && moves_on(w, loop, b);
}

/* Returns the offset from the box's first element to that at the coordinates @x0, @x1, …, in 32 bits: of
 * the type with which nvcc keeps everything in registers, for f64 and for narrower elements. */
const sq_code_expr *sq_steady_offset(const sq_kernel_walk *w, const sq_buffer *b)
{
    bool is_unsigned = sq_type_bytes(b->array->type) == 8;
    const sq_code_expr *sum = sq_grid_number(w, 0);
    for (int a = 0; a < b->naxes; a++) {
        const sq_code_expr *by = sq_code_narrow(w->code, sq_stride_code(b->array, a, w->code), is_unsigned);
        sum = sq_code_add_scaled(w->code, sum, b->axis[a].stride,
                                 sq_code_mul(w->code, sq_grid_position(w, a), by));
    }
    return sq_code_narrow(w->code, sum, is_unsigned);
}

/* Returns the offset from the box's first element to its last one. */
static const sq_code_expr *length(const sq_kernel_walk *w, const sq_buffer *b)
{
    const sq_code_expr *sum = sq_grid_number(w, 0);
    for (int a = 0; a < b->naxes; a++)
        sum = sq_code_add_scaled(w->code, sum, (b->axis[a].extent - 1) * b->axis[a].stride,
                                 sq_stride_code(b->array, a, w->code));
    return sum;
}

/* Returns the first box that is copied in the loop, which with copies ahead is not that of its
 * first iteration. A short loop may never reach it; then its pointer is beyond the array, and not
 * used. */
static sq_buffer first_box(const sq_kernel_walk *w, const sq_node *loop, const sq_buffer *b)
{
    sq_buffer first = *b;
    int along = moving(loop, b);
    if (along >= 0) {
        first.axis[along].lo = sq_code_plus(w->code, loop->lo, loop->step * (b->stages - 1));
        first.axis[along].clipped = false; /* tested in each iteration */
    }
    return first;
}

/* Returns the condition that the box lies in the array and its offsets fit into 32 bits; NULL:
 * always. */
static const sq_code_expr *condition(const sq_kernel_walk *w, const sq_buffer *first)
{
    const sq_code_expr *fits = sq_code_compare(w->code, SQ_CODE_LE, length(w, first), sq_grid_number(w, INT32_MAX));
    const sq_code_expr *whole = sq_grid_whole(w, first);
    return sq_code_is(fits, 1) ? whole : sq_code_and(w->code, whole, fits);
}

/* Returns the end of the range of the loop in which the box does not leave the array; NULL: all. */
static const sq_code_expr *limit(const sq_kernel_walk *w, const sq_node *loop, const sq_buffer *b)
{
    int a = moving(loop, b);
    if (a < 0 || !b->axis[a].clipped)
        return NULL;
    int64_t way = b->axis[a].stride * (b->axis[a].extent - 1);
    return sq_code_plus(w->code, sq_grid_extent(w, b, a), -way);
}

static const sq_code_expr *whole_of(const sq_kernel_walk *w, const sq_buffer *b)
{
    return sq_grid_name(w, sq_arena_printf(w->arena, "%s_whole", b->name));
}

const sq_code_buffer *sq_steady_from(const sq_kernel_walk *w, const sq_buffer *b)
{
    for (const sq_steady_box *x = w->boxes; x; x = x->before)
        if (x->of == b || strcmp(x->of->name, b->name) == 0)
            return x->from;
    sq_bug("grid", "no pointer to the boxes of %s", b->name);
}

static void begin_one(sq_kernel_walk *w, const sq_node *loop, const sq_buffer *b)
{
    const sq_buffer first = first_box(w, loop, b);
    const sq_code_expr *all = condition(w, &first), *until = limit(w, loop, b);
    sq_steady_box *own = SQ_NEW(w->arena, sq_steady_box);
    *own = (sq_steady_box){b, NULL, w->boxes};
    own->from = sq_grid_point(w, sq_arena_printf(w->arena, "%s_from", b->name), sq_grid_array(w, b),
                              sq_grid_box(w, &first));
    w->boxes = own;
    if (!until)
        sq_grid_let_int(w, whole_of(w, b)->name, all ? all : sq_grid_number(w, 1));
    else
        sq_grid_let(w, whole_of(w, b)->name,
                    all ? sq_code_select(w->code, all, until, sq_grid_number(w, 0)) : until);
}

void sq_steady_begin(sq_kernel_walk *w, const sq_node *loop)
{
    bool any = false;
    w->steady = !loop->once && loop->runs == SQ_LOOP_SERIAL ? loop : NULL;
    for (const sq_node *x = loop->body; x && x->kind == SQ_NODE_COPY; x = x->next) {
        if (!moves_on(w, w->steady, x->buffer))
            continue;
        if (!any)
            sq_grid_append(w, sq_code_comment(w->code, "Where boxes that are copied begin, and which are whole."));
        any = true;
        begin_one(w, loop, x->buffer);
    }
}

void sq_steady_next(sq_kernel_walk *w, const sq_node *loop)
{
    for (const sq_node *x = loop->body; x && x->kind == SQ_NODE_COPY; x = x->next) {
        const sq_buffer *b = x->buffer;
        int a = moving(loop, b);
        if (a < 0 || !moves_on(w, w->steady, b))
            continue;
        sq_code *advance = sq_code_new(w->code, SQ_CODE_ADVANCE);
        advance->buffer = sq_steady_from(w, b);
        advance->value = sq_code_scale(w->code, loop->step, sq_stride_code(b->array, a, w->code));
        sq_grid_append(w, advance);
    }
}

const sq_code_expr *sq_steady_whole(const sq_kernel_walk *w, const sq_buffer *b)
{
    const sq_code_expr *whole = whole_of(w, b);
    return limit(w, w->steady, b) ? sq_grid_below(w, sq_grid_name(w, w->steady->name), whole) : whole;
}
