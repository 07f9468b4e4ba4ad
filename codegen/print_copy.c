/* Print copy: the text that fills a packing buffer. Loops over panels outermost, then the array's
 * own dimensions in order, so that reading is contiguous; the innermost dimension is one run, done
 * by a small helper that becomes memcpy where both sides are contiguous. */
#include "codegen/print.h"
#include "codegen/base.h"
#include "codegen/panels.h"
#include "codegen/regions.h"
#include "codegen/scalar.h"

static const sq_code_expr *number(const sq_printer *p, int64_t x)
{
    return sq_code_number(p->code, x);
}

/* The variable of the loop over axis a, over its panels, of its length: "@x0". */
static const sq_code_expr *variable(const sq_printer *p, const char *stem, int a)
{
    return sq_code_name(p->code, sq_arena_printf(p->arena, "@%s%d", stem, a));
}

const char *sq_copy_name(sq_type from, sq_type to, sq_arena *arena)
{
    return from == to ? sq_type_name(from)
                      : sq_arena_printf(arena, "%s_%s", sq_type_name(from), sq_type_name(to));
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

/* Length of axis a in the text: a number or a variable. */
static const sq_code_expr *length(const sq_printer *p, const sq_buffer *b, int a)
{
    return is_known(&b->axis[a]) ? b->axis[a].len : variable(p, "len", a);
}

/* ceil(n / by) of a number that is not negative. */
static const sq_code_expr *whole_parts(const sq_printer *p, const sq_code_expr *n, int64_t by)
{
    return sq_code_divide(p->code, SQ_CODE_DIV, sq_code_plus(p->code, n, by - 1), number(p, by));
}

static void open_loop(sq_printer *p, const sq_code_expr *v, const sq_code_expr *n,
                      const char *pragma)
{
    if (pragma)
        sq_text_puts(&p->body, pragma);
    sq_text_open(&p->body, "for (int64_t %s = 0; %s < %s; %s++) {", v->name, v->name,
                 sq_print_code(p, n), v->name);
}

/* Opens the loop over panels of axis a: q<a> is the panel. */
static void open_panels(sq_printer *p, const sq_buffer *b, int a, const char *pragma)
{
    open_loop(p, variable(p, "q", a), whole_parts(p, length(p, b, a), b->axis[a].block), pragma);
}

/* Elements of panel q<a> that exist. */
static const sq_code_expr *panel_length(const sq_printer *p, const sq_buffer *b, int a)
{
    const sq_axis *x = &b->axis[a];
    int64_t n;
    if (sq_code_known(x->len, &n) && n % x->block == 0)
        return number(p, x->block);
    const sq_code_expr *left =
        sq_code_add_scaled(p->code, length(p, b, a), -x->block, variable(p, "q", a));
    return sq_code_min(p->code, number(p, x->block), left);
}

/* Opens the loop over axis a itself; within a panel over its remainder. */
static bool open_axis(sq_printer *p, const sq_buffer *b, int a, const char *pragma)
{
    bool panel = b->axis[a].split == SQ_SPLIT_PANEL;
    if (is_one(&b->axis[a]))
        return false;
    open_loop(p, variable(p, "x", a), panel ? panel_length(p, b, a) : length(p, b, a), pragma);
    return true;
}

/* The subscript at which the panel of axis a begins, or the axis. */
static const sq_code_expr *begin(const sq_printer *p, const sq_buffer *b, int a)
{
    const sq_axis *x = &b->axis[a];
    return x->split == SQ_SPLIT_PANEL
               ? sq_code_add_scaled(p->code, x->lo, x->block * x->stride, variable(p, "q", a))
               : x->lo;
}

/* Subscript of the array at the copy's loops: "i0 + 16 * q0 + x0". */
static const sq_code_expr *subscript(const sq_printer *p, const sq_buffer *b, int a)
{
    const sq_axis *x = &b->axis[a];
    const sq_code_expr *from = begin(p, b, a);
    return is_one(x) ? from : sq_code_add_scaled(p->code, from, x->stride, variable(p, "x", a));
}

/* Where the run goes in the buffer. */
static const sq_code_expr *target_offset(const sq_printer *p, const sq_buffer *b)
{
    sq_code_pool *code = p->code;
    const sq_code_expr *sum = number(p, 0);
    for (int a = 0; a < b->naxes; a++) {
        const sq_axis *x = &b->axis[a];
        const sq_code_expr *at = variable(p, "x", a), *block = number(p, x->block);
        if (x->split == SQ_SPLIT_PANEL)
            sum = sq_code_add_scaled(code, sum, x->step_q, variable(p, "q", a));
        if (a == b->naxes - 1 || is_one(x))
            continue;
        if (x->split == SQ_SPLIT_PHASE) {
            sum = sq_code_add_scaled(code, sum, x->step_q,
                                     sq_code_divide(code, SQ_CODE_DIV, at, block));
            sum = sq_code_add_scaled(code, sum, x->step_r,
                                     sq_code_divide(code, SQ_CODE_REM, at, block));
        } else {
            sum = sq_code_add_scaled(code, sum, x->split ? x->step_r : x->step_q, at);
        }
    }
    return sum;
}

/* Where the run starts in the array, without the innermost subscript. */
static const sq_code_expr *source_offset(const sq_printer *p, const sq_buffer *b)
{
    const sq_code_expr *sum = number(p, 0);
    for (int a = 0; a < b->naxes - 1; a++)
        sum = sq_code_add(
            p->code, sum,
            sq_code_mul(p->code, subscript(p, b, a), sq_stride_code(b->array, a, p->code)));
    return sum;
}

/* Condition that all outer subscripts lie in the array; NULL when they cannot leave it. */
static const sq_code_expr *inside(const sq_printer *p, const sq_buffer *b)
{
    sq_code_pool *code = p->code;
    const sq_code_expr *all = NULL;
    for (int a = 0; a < b->naxes - 1; a++) {
        const sq_code_expr *at = subscript(p, b, a);
        if (!b->axis[a].clipped)
            continue;
        all = sq_code_and(code, all, sq_code_compare(code, SQ_CODE_GE, at, number(p, 0)));
        all = sq_code_and(code, all,
                          sq_code_compare(code, SQ_CODE_LT, at,
                                          sq_aff_code(p->kernel, b->array->extent[a], code)));
    }
    return all;
}

/* One run: n elements from innermost subscript `lo` on, `stride` apart, to the buffer's place `to`
 * on, `step` apart. */
static void put_run(sq_printer *p, const sq_buffer *b, const sq_code_expr *lo,
                    const sq_code_expr *n, int64_t stride, const sq_code_expr *to, int64_t step)
{
    const char *t = sq_copy_name(b->array->type, b->type, p->arena);
    const sq_code_expr *from = source_offset(p, b),
                       *extent = sq_aff_code(p->kernel, b->array->extent[b->naxes - 1], p->code);
    const char *place = sq_print_pointer(p, b->name, to), *many = sq_print_code(p, n);
    if (!b->clipped) {
        const char *at = sq_print_pointer(p, b->array->name, sq_code_add(p->code, from, lo));
        sq_text_line(&p->body, "sq_copy_%s(%s, %lld, %s, %lld, %s);", t, place, (long long)step, at,
                     (long long)stride, many);
        return;
    }
    sq_text v = {0};
    const sq_code_expr *in = inside(p, b);
    if (in) { /* a row that is not there has no elements, and no pointer goes to it */
        extent = sq_code_select(p->code, in, extent, number(p, 0));
        from = sq_code_select(p->code, in, from, number(p, 0));
    }
    sq_scalar_value(b->outside, b->type, &v);
    sq_text_line(&p->body, "sq_clip_%s(%s, %lld, %s, %s, %lld, %s, %s, %s);", t, place,
                 (long long)step, sq_print_pointer(p, b->array->name, from), sq_print_code(p, lo),
                 (long long)stride, many, sq_print_code(p, extent), v.s);
    sq_text_free(&v);
}

static void put_phases(sq_printer *p, const sq_buffer *b, int a)
{
    const sq_axis *x = &b->axis[a];
    const sq_code_expr *phase = sq_code_name(p->code, "@phase");
    const sq_code_expr *left = sq_code_sub(p->code, length(p, b, a), phase);
    open_loop(p, phase, number(p, x->block), NULL);
    put_run(p, b, sq_code_add_scaled(p->code, x->lo, x->stride, phase),
            whole_parts(p, left, x->block), x->stride * x->block,
            sq_code_add_scaled(p->code, target_offset(p, b), x->step_r, phase), x->step_q);
    sq_text_close(&p->body, "}");
}

static void put_runs(sq_printer *p, const sq_buffer *b)
{
    int a = b->naxes - 1;
    const sq_axis *x = &b->axis[a];
    bool panel = x->split == SQ_SPLIT_PANEL;
    if (x->split == SQ_SPLIT_PHASE)
        put_phases(p, b, a);
    else
        put_run(p, b, begin(p, b, a), panel ? panel_length(p, b, a) : length(p, b, a), x->stride,
                target_offset(p, b), panel ? x->step_r : x->step_q);
}

static void put_comment(sq_printer *p, const sq_buffer *b)
{
    sq_text t = {0};
    for (int a = 0; a < b->naxes; a++)
        if (b->axis[a].split == SQ_SPLIT_PANEL)
            sq_text_printf(&t, "%spanels of %lld", t.n ? ", " : " in ",
                           (long long)b->axis[a].block);
        else if (b->axis[a].split == SQ_SPLIT_PHASE)
            sq_text_printf(&t, "%s%lld phases", t.n ? ", " : " in ", (long long)b->axis[a].block);
    sq_text_line(&p->body, "/* Pack %s%s%s. */", b->array->name, t.n ? t.s : "",
                 b->clipped && b->edge == SQ_EDGE_PAD ? ", padded" : "");
    sq_text_free(&t);
}

static void put_lengths(sq_printer *p, const sq_buffer *b)
{
    for (int a = 0; a < b->naxes; a++)
        if (!is_known(&b->axis[a]))
            sq_text_line(&p->body, "const int64_t @len%d = %s;", a,
                         sq_print_code(p, b->axis[a].len));
}

/* The line before the copy's outermost loop; NULL: one thread makes it. */
static const char *pragma_of(sq_printer *p, const sq_buffer *b)
{
    const sq_code_expr *len[SQ_MAX_SUBS];
    if (p->serial || !p->options->openmp || b->per_thread)
        return NULL;
    for (int a = 0; a < b->naxes; a++)
        len[a] = length(p, b, a);
    const char *clause = sq_region_copy_if(p, b, len, b->naxes);
    return clause ? sq_arena_printf(p->arena,
                                    "#ifdef _OPENMP\n#pragma omp parallel for schedule(static)%s\n"
                                    "#endif\n",
                                    clause)
                  : NULL;
}

void sq_print_copy(sq_printer *p, const sq_buffer *b)
{
    const char *pragma = pragma_of(p, b);
    int opened = 0;
    put_comment(p, b);
    if (sq_panels_is_own(p, b))
        sq_panels_own(p, b);
    sq_print_starts(p, b);
    sq_text_open(&p->body, "{");
    put_lengths(p, b);
    for (int a = 0; a < b->naxes; a++)
        if (b->axis[a].split == SQ_SPLIT_PANEL)
            open_panels(p, b, a, opened++ ? NULL : pragma);
    for (int a = 0; a < b->naxes - 1; a++)
        opened += open_axis(p, b, a, opened ? NULL : pragma);
    put_runs(p, b);
    while (opened-- > 0)
        sq_text_close(&p->body, "}");
    sq_text_close(&p->body, "}");
}
