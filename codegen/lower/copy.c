/* Copy: see copy.h. Loops over panels are outermost, followed by the array's own dimensions in
 * order, so that reads are contiguous; the innermost dimension is one run. */
#include "codegen/lower/copy.h"
#include "codegen/isa/isa.h"
#include "codegen/nest/base.h"
#include "codegen/lower/region.h"
#include "codegen/nest/stored.h"

/* A copy under construction. */
typedef struct copy {
    sq_code_pool *pool;
    const sq_kernel *kernel;
    const sq_buffer *b;
    int run;    /* the first axis of a run: from there on the array's elements are contiguous */
    int turned; /* the axis whose panel is filled row by row, from runs; -1: none */
    sq_code *outermost; /* outermost loop so far */
    sq_code_list *to;   /* body of the innermost loop so far */
} copy;

static const sq_code_expr *number(const copy *c, int64_t x)
{
    return sq_code_number(c->pool, x);
}

/* Returns the variable of the loop over axis a, over its panels, or of its length: "@x0". */
static const sq_code_expr *variable(const copy *c, const char *stem, int a)
{
    return sq_code_name(c->pool, sq_arena_printf(c->pool->arena, "@%s%d", stem, a));
}

static bool is_one(const sq_axis *x)
{
    return sq_code_is(x->len, 1) && x->split != SQ_SPLIT_PANEL;
}

static bool is_known(const sq_axis *x)
{
    int64_t n;
    return sq_code_known(x->len, &n);
}

/* Returns the length of axis a in the loops: a number or a variable. */
static const sq_code_expr *length(const copy *c, int a)
{
    return is_known(&c->b->axis[a]) ? c->b->axis[a].len : variable(c, "len", a);
}

/* Returns ceil(n / by) for a nonnegative n. */
static const sq_code_expr *whole_parts(const copy *c, const sq_code_expr *n, int64_t by)
{
    return sq_code_divide(c->pool, SQ_CODE_DIV, sq_code_plus(c->pool, n, by - 1), number(c, by));
}

/* Opens a loop from 0 to n; what follows goes into it. */
static void open_loop(copy *c, const sq_code_expr *v, const sq_code_expr *n)
{
    sq_code *x = sq_code_loop(c->pool, v->name, number(c, 0), n, 1);
    sq_code_append(c->to, x);
    c->outermost = c->outermost ? c->outermost : x;
    c->to = SQ_NEW(c->pool->arena, sq_code_list);
    c->to->end = &x->body;
}

/* Returns the number of elements of panel q<a> that exist. */
static const sq_code_expr *panel_length(const copy *c, int a)
{
    const sq_axis *x = &c->b->axis[a];
    int64_t n;
    if (sq_code_known(x->len, &n) && n % x->block == 0)
        return number(c, x->block);
    const sq_code_expr *left =
        sq_code_add_scaled(c->pool, length(c, a), -x->block, variable(c, "q", a));
    return sq_code_min(c->pool, number(c, x->block), left);
}

/* Opens the loop over axis a itself; within a panel over its remainder. */
static void open_axis(copy *c, int a)
{
    const sq_axis *x = &c->b->axis[a];
    if (!is_one(x))
        open_loop(c, variable(c, "x", a),
                  x->split == SQ_SPLIT_PANEL ? panel_length(c, a) : length(c, a));
}

/* Returns the subscript at which the panel of axis a, or the axis, begins. */
static const sq_code_expr *begin(const copy *c, int a)
{
    const sq_axis *x = &c->b->axis[a];
    return x->split == SQ_SPLIT_PANEL
               ? sq_code_add_scaled(c->pool, x->lo, x->block * x->stride, variable(c, "q", a))
               : x->lo;
}

/* Returns the subscript of the array at the copy's loops: "i0 + 16 * q0 + x0". */
static const sq_code_expr *subscript(const copy *c, int a)
{
    const sq_axis *x = &c->b->axis[a];
    const sq_code_expr *from = begin(c, a);
    return is_one(x) || a >= c->run || a == c->turned
               ? from
               : sq_code_add_scaled(c->pool, from, x->stride, variable(c, "x", a));
}

/* Returns the offset of the run in the buffer. */
static const sq_code_expr *target_offset(const copy *c)
{
    const sq_buffer *b = c->b;
    const sq_code_expr *sum = number(c, 0);
    for (int a = 0; a < b->naxes; a++) {
        const sq_axis *x = &b->axis[a];
        const sq_code_expr *at = variable(c, "x", a), *block = number(c, x->block);
        if (x->split == SQ_SPLIT_PANEL)
            sum = sq_code_add_scaled(c->pool, sum, x->step_q, variable(c, "q", a));
        if (a >= c->run || a == c->turned || is_one(x))
            continue;
        if (x->split == SQ_SPLIT_PHASE) {
            sum = sq_code_add_scaled(c->pool, sum, x->step_q,
                                     sq_code_divide(c->pool, SQ_CODE_DIV, at, block));
            sum = sq_code_add_scaled(c->pool, sum, x->step_r,
                                     sq_code_divide(c->pool, SQ_CODE_REM, at, block));
        } else {
            sum = sq_code_add_scaled(c->pool, sum, x->split ? x->step_r : x->step_q, at);
        }
    }
    return sum;
}

/* Returns the offset of the row of the array that contains the run. */
static const sq_code_expr *source_offset(const copy *c)
{
    const sq_code_expr *sum = number(c, 0);
    for (int a = 0; a < c->b->naxes - 1; a++)
        sum = sq_code_add(
            c->pool, sum,
            sq_code_mul(c->pool, subscript(c, a), sq_stride_code(c->b->array, a, c->pool)));
    return sum;
}

/* Returns the condition that all outer subscripts are in the array; NULL if they cannot leave
 * it. */
static const sq_code_expr *inside(const copy *c)
{
    const sq_array *array = c->b->array;
    const sq_code_expr *all = NULL;
    for (int a = 0; a < c->b->naxes - 1; a++) {
        const sq_code_expr *at = subscript(c, a);
        if (!c->b->axis[a].clipped)
            continue;
        all = sq_code_and(c->pool, all, sq_code_compare(c->pool, SQ_CODE_GE, at, number(c, 0)));
        all = sq_code_and(c->pool, all,
                          sq_code_compare(c->pool, SQ_CODE_LT, at,
                                          sq_aff_code(c->kernel, array->extent[a], c->pool)));
    }
    return all;
}

/* Appends one run: n elements from innermost subscript `lo` on with the given stride, to the buffer
 * from `to` on, with the distance `step`. */
static void put_run(copy *c, const sq_code_expr *lo, const sq_code_expr *n, int64_t stride,
                    const sq_code_expr *to, int64_t step)
{
    const sq_buffer *b = c->b;
    sq_code_run *run = SQ_NEW(c->pool->arena, sq_code_run);
    const sq_code_expr **at = SQ_NEW_ARRAY(c->pool->arena, const sq_code_expr *, 1);
    *run = (sq_code_run){.row = source_offset(c),
                         .lo = lo,
                         .n = n,
                         .stride = stride,
                         .step = step,
                         .outside = b->outside};
    if (c->turned >= 0) {
        run->rows = panel_length(c, c->turned);
        run->between = sq_code_scale(c->pool, b->axis[c->turned].stride,
                                     sq_stride_code(b->array, c->turned, c->pool));
    }
    if (b->clipped) {
        const sq_code_expr *in = inside(c), *zero = number(c, 0);
        run->extent = sq_aff_code(c->kernel, b->array->extent[b->naxes - 1], c->pool);
        if (in) { /* a row outside of the array has no elements, and no pointer may point to it */
            run->extent = sq_code_select(c->pool, in, run->extent, zero);
            run->row = sq_code_select(c->pool, in, run->row, zero);
        }
    }
    sq_code *x = sq_code_new(c->pool, SQ_CODE_COPY);
    at[0] = to;
    x->buffer = b->panel;
    x->index = at;
    x->of = sq_array_memory(c->kernel, b->array, true, c->pool);
    x->run = run;
    sq_code_append(c->to, x);
}

static void put_phase(copy *c, int a, const sq_code_expr *phase)
{
    const sq_axis *x = &c->b->axis[a];
    put_run(c, sq_code_add_scaled(c->pool, x->lo, x->stride, phase),
            whole_parts(c, sq_code_sub(c->pool, length(c, a), phase), x->block), x->stride * x->block,
            sq_code_add_scaled(c->pool, target_offset(c), x->step_r, phase), x->step_q);
}

/* Few phases are unrolled, each a run whose length is known if the row's is; many phases are a
 * serial loop. */
static void put_phases(copy *c, int a)
{
    const sq_axis *x = &c->b->axis[a];
    if (x->block <= SQ_STRIDE_MOST) {
        for (int64_t phase = 0; phase < x->block; phase++)
            put_phase(c, a, number(c, phase));
        return;
    }
    const sq_code_expr *phase = sq_code_name(c->pool, "@phase");
    sq_code *outermost = c->outermost;
    open_loop(c, phase, number(c, x->block));
    c->outermost = outermost;
    put_phase(c, a, phase);
}

static const sq_code_expr *length_of_run(const copy *c)
{
    const sq_code_expr *n = length(c, c->run);
    for (int a = c->run + 1; a < c->b->naxes; a++)
        n = sq_code_mul(c->pool, n, length(c, a));
    return n;
}

/* True if rows along axis a are contiguous, in the array and in the copy. */
static bool follows(const sq_buffer *b, int a, int64_t row)
{
    const sq_axis *x = &b->axis[a], *last = &b->axis[b->naxes - 1];
    return !x->split && x->stride == 1 && row > 0 && x->step_q == row * last->step_q;
}

/* Returns the first axis of those at the end that form a run: all of the array's elements along the
 * later ones. */
static int find_run(const sq_buffer *b)
{
    int a = b->naxes - 1;
    int64_t row = 1, n;
    if (b->clipped || b->axis[a].split || b->axis[a].stride != 1)
        return a;
    for (; a > 0; a--) {
        bool all = sq_code_known(b->axis[a].len, &n) && n == sq_array_extent(b->array, a);
        row *= all ? n : 0;
        if (!follows(b, a - 1, row))
            break;
    }
    return a;
}

/* Returns the axis in panels whose rows are runs that become columns of the panel; -1. */
static int find_turned(const copy *c, const sq_target *t)
{
    const sq_buffer *b = c->b;
    int bytes = sq_type_bytes(b->type);
    bool can = t && t->language->extension && !b->clipped && b->type == b->array->type &&
               (bytes == 4 || bytes == 8) && !b->axis[c->run].split &&
               b->axis[b->naxes - 1].stride == 1;
    for (int a = 0; a < c->run && can; a++)
        if (b->axis[a].split == SQ_SPLIT_PANEL && b->axis[a].step_r == 1 &&
            b->axis[a].block >= t->vector_bytes / bytes / 2 && b->axis[b->naxes - 1].step_q > 1)
            return a;
    return -1;
}

static void put_runs(copy *c)
{
    int a = c->b->naxes - 1;
    const sq_axis *x = &c->b->axis[a];
    bool panel = x->split == SQ_SPLIT_PANEL;
    if (x->split == SQ_SPLIT_PHASE)
        put_phases(c, a);
    else
        put_run(c, begin(c, a), panel ? panel_length(c, a) : length_of_run(c), x->stride,
                target_offset(c), panel ? x->step_r : x->step_q);
}

/* Returns "Pack A in panels of 16, padded." */
static const char *comment(const copy *c)
{
    const sq_buffer *b = c->b;
    const char *how = "";
    for (int a = 0; a < b->naxes; a++) {
        long long block = b->axis[a].block;
        if (b->axis[a].split == SQ_SPLIT_PANEL)
            how = sq_arena_printf(c->pool->arena, "%s%spanels of %lld", how, *how ? ", " : " in ",
                                  block);
        else if (b->axis[a].split == SQ_SPLIT_PHASE)
            how = sq_arena_printf(c->pool->arena, "%s%s%lld phases", how, *how ? ", " : " in ",
                                  block);
    }
    return sq_arena_printf(c->pool->arena, "Pack %s%s%s.", b->array->name, how,
                           b->clipped && b->edge == SQ_EDGE_PAD ? ", padded" : "");
}

static void put_lengths(copy *c)
{
    for (int a = 0; a < c->b->naxes; a++)
        if (!is_known(&c->b->axis[a]))
            sq_code_append(c->to,
                           sq_code_let(c->pool, variable(c, "len", a)->name, c->b->axis[a].len));
}

/* Declares the start of the copy in its array, if it has variables of its own. */
static void put_starts(const copy *c, sq_code_list *to)
{
    for (int a = 0; a < c->b->naxes; a++)
        if (c->b->axis[a].lo_value)
            sq_code_append(to,
                           sq_code_let(c->pool, c->b->axis[a].lo->name, c->b->axis[a].lo_value));
}

/* Makes the outermost loop parallel if it has enough work. */
static void share(const copy *c, const sq_nest_options *o)
{
    const sq_code_expr *len[SQ_MAX_SUBS];
    const sq_code_work *work = NULL;
    for (int a = 0; a < c->b->naxes; a++)
        len[a] = length(c, a);
    if (!c->outermost || (!o->eager && !sq_region_of_copy(c->pool, c->b, len, o->target, &work)))
        return;
    c->outermost->runs = SQ_CODE_THREADS;
    c->outermost->work = work;
}

static sq_code *block_of(copy *c)
{
    sq_code *block = sq_code_new(c->pool, SQ_CODE_BLOCK);
    c->to = &(sq_code_list){.end = &block->body};
    put_lengths(c);
    for (int a = 0; a < c->b->naxes; a++)
        if (c->b->axis[a].split == SQ_SPLIT_PANEL)
            open_loop(c, variable(c, "q", a), whole_parts(c, length(c, a), c->b->axis[a].block));
    for (int a = 0; a < c->run; a++)
        if (a != c->turned)
            open_axis(c, a);
    put_runs(c);
    c->to = NULL;
    return block;
}

/* Declares the copy that each thread has of its own. */
static sq_code *own_panel(const copy *c, bool in_threads)
{
    sq_code *x = sq_code_declare(c->pool, c->b->panel, false);
    x->in_threads = in_threads;
    return x;
}

/* Returns the name of the copy for the loops' values, among those that a caller keeps in `of`. */
static sq_code *pointer_to(const copy *c, const sq_code_buffer *to, const sq_code_buffer *of)
{
    sq_code *x = sq_code_new(c->pool, SQ_CODE_POINTER);
    x->buffer = to;
    x->of = of;
    x->value = c->b->stored->at;
    return x;
}

/* Returns an array's copies, which a caller keeps under the name of the array. */
static const sq_code_buffer *all_of(const copy *c, const char *name, bool is_readonly)
{
    const sq_stored *s = c->b->stored;
    const sq_code_expr *one = sq_code_scale(c->pool, s->elements, s->parts);
    return sq_code_row(c->pool, name, c->b->type, sq_code_mul(c->pool, one, s->copies), is_readonly);
}

static sq_code *find_stored(const copy *c)
{
    sq_code_list all = {0};
    put_starts(c, &all);
    sq_code_append(&all, pointer_to(c, c->b->panel, all_of(c, c->b->array->name, true)));
    return all.first;
}

sq_code *sq_lower_stored(const sq_nest *n, const sq_buffer *b, const sq_nest_options *o)
{
    copy c = {.pool = n->code, .kernel = n->kernel, .b = b, .run = find_run(b)};
    c.turned = find_turned(&c, o->target);
    const sq_code_buffer *to = sq_code_pointer(c.pool, b->name, b->type, false, false);
    sq_buffer own = *b; /* which is written here */
    own.panel = to;
    c.b = &own;
    sq_code_list all = {0};
    sq_code_append(&all, sq_code_comment(c.pool, comment(&c)));
    sq_code_list *at = &all;
    for (int l = 0; l < b->stored->nloops; l++) {
        const sq_stored_loop *x = &b->stored->loop[l];
        sq_code *loop = sq_code_loop(c.pool, x->name, x->lo, x->hi, x->step);
        sq_code_append(at, loop);
        at = SQ_NEW(c.pool->arena, sq_code_list);
        at->end = &loop->body;
    }
    put_starts(&c, at);
    sq_code_append(at, pointer_to(&c, to, all_of(&c, SQ_STORED_TO, false)));
    sq_code_append(at, block_of(&c));
    return all.first;
}

sq_code *sq_lower_copy(const sq_nest *n, const sq_buffer *b, sq_copy_where where,
                       const sq_nest_options *o)
{
    copy c = {.pool = n->code, .kernel = n->kernel, .b = b, .run = find_run(b)};
    c.turned = find_turned(&c, o->target);
    if (b->stored)
        return find_stored(&c);
    sq_code_list all = {0};
    sq_code *block = block_of(&c);
    if (!where.serial && o->threads && !b->per_thread)
        share(&c, o);
    sq_code_append(&all, sq_code_comment(n->code, comment(&c)));
    if (b->panel->is_own && o->threads)
        sq_code_append(&all, own_panel(&c, where.in_threads));
    put_starts(&c, &all);
    sq_code_append(&all, block);
    return all.first;
}
