/* Grid, copies: the copy of a box of an array that the threads of a block make together. If only
 * the array's upper end matters, vectors are copied at once; positions beyond the array are filled.
 * grid_deal.c distributes the elements. */
#include "codegen/code/instruction.h"
#include "codegen/lower/grid_inside.h"

/* An element or vector that is copied: element `at` of a buffer. */
typedef struct source {
    const sq_code_buffer *of;
    const sq_code_expr *at;
} source;

const sq_code_expr *sq_grid_position(const sq_kernel_walk *w, int a)
{
    return sq_grid_name(w, sq_arena_printf(w->arena, "@x%d", a));
}

/* Returns "A_shared_begin0", "A_shared_end0": the range of the array along axis 0, relative to the
 * box's first element. */
static const sq_code_expr *limit(const sq_kernel_walk *w, const sq_buffer *b, const char *stem, int a)
{
    return sq_grid_name(w, sq_arena_printf(w->arena, "%s_%s%d", b->name, stem, a));
}

const sq_code_expr *sq_grid_extent(const sq_kernel_walk *w, const sq_buffer *b, int a)
{
    return b->axis[a].end ? b->axis[a].end : sq_aff_code(w->kernel, b->array->extent[a], w->code);
}

/* ---- boxes ---- */

const sq_code_buffer *sq_grid_array(const sq_kernel_walk *w, const sq_buffer *b)
{
    return sq_array_memory(w->kernel, b->array, true, w->code);
}

const sq_code_expr *sq_grid_box(const sq_kernel_walk *w, const sq_buffer *b)
{
    const sq_code_expr *sum = sq_grid_number(w, 0);
    for (int a = 0; a < b->naxes; a++)
        sum = sq_code_add(w->code, sum,
                          sq_code_mul(w->code, b->axis[a].lo, sq_stride_code(b->array, a, w->code)));
    return sum;
}

/* Returns the value between 0 and the length of the box along an axis, in elements of the array: it fits
 * an int. */
static const sq_code_expr *within(const sq_kernel_walk *w, const sq_axis *x, const sq_code_expr *value)
{
    const sq_code_expr *from = sq_code_max(w->code, value, sq_grid_number(w, 0));
    return sq_code_min(w->code, from, sq_grid_number(w, x->stride * (x->extent - 1) + 1));
}

/* Appends the range of the array in a box that exceeds it, so that the tests of elements use 32
 * bits. */
static void append_ends(sq_kernel_walk *w, const sq_buffer *b)
{
    sq_code_pool *code = w->code;
    for (int a = 0; a < b->naxes; a++) {
        const sq_axis *x = &b->axis[a];
        if (!x->clipped)
            continue;
        if (x->before)
            sq_grid_let_int(w, limit(w, b, "begin", a)->name,
                            within(w, x, sq_code_sub(code, sq_grid_number(w, 0), x->lo)));
        sq_grid_let_int(w, limit(w, b, "end", a)->name,
                        within(w, x, sq_code_sub(code, sq_grid_extent(w, b, a), x->lo)));
    }
}

/* Returns the condition that the subscripts of the first n axes are in the array; NULL: always. */
static const sq_code_expr *inside(const sq_kernel_walk *w, const sq_buffer *b, int n)
{
    const sq_code_expr *all = NULL;
    for (int a = 0; a < n; a++) {
        const sq_axis *x = &b->axis[a];
        const sq_code_expr *at = sq_code_scale(w->code, x->stride, sq_grid_position(w, a));
        if (!x->clipped)
            continue;
        if (x->before)
            all = sq_code_and(w->code, all,
                              sq_code_compare(w->code, SQ_CODE_GE, at, limit(w, b, "begin", a)));
        all = sq_code_and(w->code, all, sq_grid_below(w, at, limit(w, b, "end", a)));
    }
    return all;
}

/* Returns the number of elements of a vector along the last axis that exist: 0 or less if its row does
 * not. */
static const sq_code_expr *elements_left(const sq_kernel_walk *w, const sq_buffer *b)
{
    int last = b->naxes - 1;
    const sq_axis *x = &b->axis[last];
    const sq_code_expr *rows = inside(w, b, last),
                       *end = x->clipped ? limit(w, b, "end", last) : sq_grid_number(w, x->extent),
                       *left = sq_code_sub(w->code, end, sq_grid_position(w, last));
    return rows ? sq_code_select(w->code, rows, left, sq_grid_number(w, 0)) : left;
}

/* ---- elements ---- */

/* Returns the element at the coordinates, relative to the box's first element, so that offsets are
 * computed once. */
static source source_of(const sq_kernel_walk *w, const sq_buffer *b, const sq_code_buffer *box)
{
    const sq_code_expr *sum = sq_grid_number(w, 0);
    if (!box)
        return (source){sq_steady_from(w, b), sq_steady_offset(w, b)};
    for (int a = 0; a < b->naxes; a++)
        sum = sq_code_add_scaled(w->code, sum, b->axis[a].stride,
                                 sq_code_mul(w->code, sq_grid_position(w, a), sq_stride_code(b->array, a, w->code)));
    return (source){box, sum};
}

static source behind(const sq_kernel_walk *w, const source *from, int64_t n)
{
    return (source){from->of, sq_code_plus(w->code, from->at, n)};
}

/* Returns the destination of the element at the coordinates, for a copy in the order of a
 * warpgroup's instructions. */
static const sq_code_expr *swizzled_place(const sq_kernel_walk *w, const sq_buffer *b)
{
    const sq_axis *last = &b->axis[b->naxes - 1];
    const sq_code_expr *x = sq_grid_position(w, b->naxes - 1), *sum = x;
    if (last->extent > last->block) /* several blocks of rows */
        sum = sq_code_add_scaled(w->code, sq_grid_rest(w, x, last->block), last->step_q,
                                 sq_grid_over(w, x, last->block));
    for (int a = 0; a < b->naxes - 1; a++)
        sum = sq_code_add_scaled(w->code, sum, b->axis[a].step_q, sq_grid_position(w, a));
    return sq_code_swizzled_at(w->code, sum);
}

/* Returns the destination of the element `along` behind the coordinates. */
static const sq_code_expr *place(const sq_kernel_walk *w, const sq_buffer *b, int along)
{
    if (b->swizzled)
        return swizzled_place(w, b);
    const sq_code_expr *sum = sq_grid_number(w, along * b->axis[b->naxes - 1].step_q);
    for (int a = 0; a < b->naxes; a++)
        sum = sq_code_add_scaled(w->code, sum, b->axis[a].step_q, sq_grid_position(w, a));
    return sum;
}

static void append_store(sq_kernel_walk *w, const sq_buffer *b, const sq_code_expr *at, const sq_code_expr *value)
{
    sq_grid_append(w, sq_code_store(w->code, b->panel, &at, value));
}

/* Returns what is stored where an element does not exist: 0 without a boundary value. */
static const sq_code_expr *outside(const sq_kernel_walk *w, const sq_buffer *b)
{
    return sq_code_constant(w->code, b->type, b->tensor ? (sq_number){0} : b->outside);
}

/* Appends the copy of an element that exists where a condition holds (NULL: always). */
static void append_element(sq_kernel_walk *w, const sq_buffer *b, const sq_code_expr *at, source from,
                           const sq_code_expr *exists)
{
    const sq_code_expr *value = sq_code_load(w->code, from.of, &from.at);
    if (value->type != b->type)
        value = sq_code_operation(w->code, SQ_OP_CAST, b->type, &value);
    append_store(w, b, at, exists ? sq_code_choose(w->code, exists, value, outside(w, b)) : value);
}

/* ---- asynchronous copies ---- */

/* Starts the copy of this number of bytes, of which `zeros` (NULL: none) do not exist and become zero. */
static void append_start(sq_kernel_walk *w, const sq_buffer *b, const sq_code_expr *at, source from, int bytes,
                         const sq_code_expr *zeros)
{
    const sq_code_instruction how = {.row = SQ_INSTRUCTION_COPY, .n = bytes};
    const sq_code_operand operand[] = {sq_operand_elements(b->panel, at), sq_operand_elements(from.of, from.at),
                                       sq_operand_index(zeros)};
    sq_grid_append(w, sq_code_instruct(w->code, &how, zeros ? 3 : 2, operand));
}

/* Asynchronous copies have at least 4 bytes; smaller elements are copied synchronously. */
static void append_start_element(sq_kernel_walk *w, const sq_buffer *b, const sq_code_expr *at, source from,
                                 const sq_code_expr *exists)
{
    enum { LEAST = 4 };
    int bytes = sq_type_bytes(b->type);
    const sq_code_expr *zeros =
        exists ? sq_code_select(w->code, exists, sq_grid_number(w, 0), sq_grid_number(w, bytes)) : NULL;
    if (bytes >= LEAST)
        append_start(w, b, at, from, bytes, zeros);
    else
        append_element(w, b, at, from, exists);
}

/* Returns how many bytes of a vector do not exist if `left` elements do. */
static const sq_code_expr *zeros_of(const sq_kernel_walk *w, const sq_code_expr *left, int lanes, int bytes)
{
    sq_code_pool *p = w->code;
    const sq_code_expr *none = sq_grid_number(w, 0), *whole = sq_grid_number(w, lanes * bytes),
                       *some = sq_code_add_scaled(p, whole, -bytes, left);
    some = sq_code_select(p, sq_code_compare(p, SQ_CODE_GT, left, none), some, whole);
    return sq_code_select(p, sq_code_compare(p, SQ_CODE_GE, left, sq_grid_number(w, lanes)), none, some);
}

/* Copies a vector's elements asynchronously: in one copy if rows stay rows, as both addresses are
 * aligned then. */
static void append_async_vector(sq_kernel_walk *w, const sq_buffer *b, source from, int lanes)
{
    int last = b->naxes - 1, bytes = sq_type_bytes(b->type);
    const sq_code_expr *left = sq_grid_name(w, "@left"), *zeros = NULL;
    const source first = {sq_grid_point(w, "@from", from.of, from.at), sq_grid_number(w, 0)};
    bool checks = inside(w, b, b->naxes);
    if (checks) {
        sq_grid_let_int(w, left->name, elements_left(w, b));
        zeros = zeros_of(w, left, lanes, bytes);
    }
    if (b->inner == last)
        append_start(w, b, place(w, b, 0), first, lanes * bytes, zeros);
    for (int l = 0; l < lanes && b->inner != last; l++)
        append_start_element(w, b, place(w, b, l), behind(w, &first, l),
                             checks ? sq_code_compare(w->code, SQ_CODE_GT, left, sq_grid_number(w, l)) : NULL);
}

static void append_async_element(sq_kernel_walk *w, const sq_buffer *b, source from)
{
    const sq_code_expr *in = inside(w, b, b->naxes);
    bool fills = in && b->edge != SQ_EDGE_NONE && !sq_number_is_zero(b->outside);
    if (!fills) {
        append_start_element(w, b, place(w, b, 0), from, in);
        return;
    }
    sq_grid_open_if(w, in);
    append_start(w, b, place(w, b, 0), from, sq_type_bytes(b->type), NULL);
    sq_grid_else(w);
    append_store(w, b, place(w, b, 0), outside(w, b));
    sq_grid_close(w);
}

/* ---- copies through registers ---- */

/* Returns the register that holds a vector of elements, as bits. */
static const sq_code_expr *append_loaded(sq_kernel_walk *w, const sq_buffer *b, source from, int lanes, bool aligned)
{
    sq_code_buffer *v = SQ_NEW(w->arena, sq_code_buffer);
    *v = (sq_code_buffer){.name = "@v",
                          .type = b->type,
                          .lanes = lanes,
                          .storage = SQ_CODE_REGISTER,
                          .is_constant = true,
                          .is_bits = sq_type_stored(b->type)};
    const sq_code_lanes at = {.first = from.at,
                              .step = sq_grid_number(w, 1),
                              .left = inside(w, b, b->naxes) ? elements_left(w, b) : NULL,
                              .kind = aligned ? SQ_LANES_ALIGNED : SQ_LANES_ANY};
    sq_grid_append(w, sq_code_declare(w->code, v, false));
    sq_grid_append(w, sq_code_set(w->code, v, sq_code_load_lanes(w->code, from.of, lanes, &at)));
    return sq_code_load(w->code, v, NULL);
}

/* Rows of the buffer are aligned for vectors; those of the array are if it is known. */
static void append_vector(sq_kernel_walk *w, const sq_buffer *b, source from, int lanes, bool aligned)
{
    int last = b->naxes - 1;
    const sq_code_expr *v = append_loaded(w, b, from, lanes, aligned), *at = place(w, b, 0);
    if (b->inner == last) {
        sq_code *store = sq_code_store(w->code, b->panel, &at, v);
        store->lane_step = sq_grid_number(w, 1);
        store->is_aligned = true;
        sq_grid_append(w, store);
    }
    for (int l = 0; l < lanes && b->inner != last; l++)
        append_store(w, b, place(w, b, l), sq_code_extract(w->code, v, l));
}

/* ---- shares ---- */

/* Limits on unrolled iterations; lower ones for iterations that test each vector, and for those
 * that hold elements in registers until all have arrived, in addition to a thread's sums. */
enum { MOST_TURNS = 16, MOST_CHECKED = 8, MOST_HELD = 16 /* elements */ };

/* Which copies of a buffer are made: all; those of boxes inside of the array and aligned, or
 * aligned only; other boxes, in vectors that test their bounds; in single elements. */
typedef enum kind { ANY, WHOLE, ALIGNED, REST, SINGLE } kind;

/* Sets how the loop over a thread's shares is unrolled. */
static void unroll(const sq_kernel_walk *w, sq_code *loop, int64_t turns, int wide, kind k)
{
    bool serial = k == REST || k == SINGLE, some = !w->async && wide > 1 && turns * wide > MOST_HELD;
    loop->is_int = true;
    if (serial || some || turns <= (k == ALIGNED ? MOST_CHECKED : MOST_TURNS))
        loop->runs = SQ_CODE_UNROLLED;
    if (serial || some)
        loop->unroll = serial ? 1 : MOST_HELD / wide;
}

/* Opens the loop over a thread's share of n elements, of which @e is one. For boxes inside of the
 * array, and for aligned ones with few iterations, the trip count is the same for all threads, so
 * that the compiler unrolls it, and hoists invariants out of the loops around; otherwise a serial
 * loop with registers for one element. Returns how many statements were opened: two if the last
 * iteration is not complete. */
static int open_shares(sq_kernel_walk *w, int64_t n, int wide, kind k)
{
    int64_t turns = (n + w->threads - 1) / w->threads;
    const sq_code_expr *e = sq_grid_name(w, "@e"), *turn = sq_grid_name(w, "@turn"), *all = sq_grid_number(w, n);
    bool written_out = k == WHOLE || (k == ALIGNED && turns <= MOST_CHECKED);
    sq_code *loop =
        written_out ? sq_code_loop(w->code, turn->name, sq_grid_number(w, 0), sq_grid_number(w, turns), 1)
                    : sq_code_loop(w->code, e->name, sq_grid_thread(w), all, w->threads);
    unroll(w, loop, turns, wide, k);
    sq_grid_open(w, loop);
    if (!written_out)
        return 1;
    sq_grid_let_int(w, e->name, sq_code_add_scaled(w->code, sq_grid_thread(w), w->threads, turn));
    if (n % w->threads == 0)
        return 1;
    sq_grid_open_if(w, sq_grid_below(w, e, all));
    return 2;
}

static void append_copies(sq_kernel_walk *w, const sq_buffer *b, kind k)
{
    int wide = k == SINGLE ? 1 : sq_deal_width(w, b);
    bool steady = k == WHOLE && sq_steady_is(w, w->steady, b);
    const sq_code_buffer *box = NULL;
    append_ends(w, b);
    if (!steady)
        box = sq_grid_point(w, sq_arena_printf(w->arena, "%s_box", b->name), sq_grid_array(w, b), sq_grid_box(w, b));
    int opened = open_shares(w, sq_deal_count(b, wide), wide, k);
    const sq_code_expr *any = sq_deal_append(w, b, wide);
    const source from = source_of(w, b, box);
    if (any) {
        sq_grid_open_if(w, any);
        opened++;
    }
    if (wide > 1 && w->async)
        append_async_vector(w, b, from, wide);
    else if (wide > 1)
        append_vector(w, b, from, wide, k == WHOLE);
    else if (w->async)
        append_async_element(w, b, from);
    else
        append_element(w, b, place(w, b, 0), from, inside(w, b, b->naxes));
    sq_grid_close_all(w, opened);
}

/* ---- which copies ---- */

/* Returns the condition that vectors of the box are aligned: the box and the array's rows are. NULL: no
 * test is made; asynchronous copies that transpose go element by element. */
static const sq_code_expr *aligned(const sq_kernel_walk *w, const sq_buffer *b)
{
    int wide = sq_deal_width(w, b), last = b->naxes - 1;
    if (wide == 1 || (w->async && b->inner != last))
        return NULL;
    const sq_code_expr *all = sq_code_aligned(w->code, sq_grid_array(w, b), b->axis[last].lo,
                                              wide * sq_type_bytes(b->type));
    for (int a = 0; a < last; a++) {
        const sq_code_expr *rest = sq_grid_rest(w, sq_stride_code(b->array, a, w->code), wide);
        all = sq_code_and(w->code, all, sq_code_compare(w->code, SQ_CODE_EQ, rest, sq_grid_number(w, 0)));
    }
    return all;
}

const sq_code_expr *sq_grid_whole(const sq_kernel_walk *w, const sq_buffer *b)
{
    const sq_code_expr *all = NULL;
    for (int a = 0; a < b->naxes && b->edge == SQ_EDGE_NONE; a++) {
        const sq_axis *x = &b->axis[a];
        const sq_code_expr *last = sq_code_plus(w->code, x->lo, x->stride * (x->extent - 1));
        if (x->clipped)
            all = sq_code_and(w->code, all, sq_grid_below(w, last, sq_grid_extent(w, b, a)));
    }
    return b->edge == SQ_EDGE_NONE ? sq_code_and(w->code, all, aligned(w, b)) : NULL;
}

/* Returns the copy of a box that lies inside of the array: no elements are tested. */
static const sq_buffer *unclipped(const sq_kernel_walk *w, const sq_buffer *b)
{
    sq_buffer *inner = SQ_NEW(w->arena, sq_buffer);
    *inner = *b;
    for (int a = 0; a < b->naxes; a++)
        inner->axis[a].clipped = false;
    return inner;
}

/* Appends copies under a condition; the alternative follows. */
static void append_under(sq_kernel_walk *w, const sq_buffer *b, const sq_code_expr *condition, kind k)
{
    sq_grid_open_if(w, condition);
    append_copies(w, b, k);
    sq_grid_else(w);
}

/* True if asynchronous copies of whole vectors need aligned sources. */
static bool wants_aligned(const sq_kernel_walk *w, const sq_buffer *b)
{
    return w->async && b->inner == b->naxes - 1 && sq_deal_width(w, b) > 1;
}

/* Appends the start of a copy in its array, if it has variables of its own. */
static void append_starts(sq_kernel_walk *w, const sq_buffer *b)
{
    for (int a = 0; a < b->naxes; a++)
        if (b->axis[a].lo_value)
            sq_grid_let(w, b->axis[a].lo->name, b->axis[a].lo_value);
}

void sq_grid_copy(sq_kernel_walk *w, const sq_buffer *b)
{
    bool steady = sq_steady_is(w, w->steady, b);
    const sq_code_expr *all = steady                                ? sq_steady_whole(w, b)
                              : w->async || sq_deal_width(w, b) > 1 ? sq_grid_whole(w, b)
                                                                    : NULL;
    const char *turned = b->inner == b->naxes - 1 ? "" : ", rows as columns",
               *comment = sq_arena_printf(w->arena, "All threads together: what they read of %s%s.", b->array->name,
                                          turned);
    sq_grid_append(w, sq_code_comment(w->code, comment));
    append_starts(w, b);
    int opened = all != NULL;
    if (all)
        append_under(w, unclipped(w, b), all, WHOLE);
    if (wants_aligned(w, b)) {
        append_under(w, b, aligned(w, b), ALIGNED);
        append_copies(w, b, SINGLE);
        opened++;
    } else {
        append_copies(w, b, all ? REST : ANY);
    }
    sq_grid_close_all(w, opened);
}
