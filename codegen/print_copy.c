/* Print copy: the text that fills a packing buffer. Loops over panels outermost, then the array's
 * own dimensions in order, so that reading is contiguous; the innermost dimension is one run, done
 * by a small helper that becomes memcpy where both sides are contiguous. */
#include "codegen/print.h"
#include "codegen/base.h"
#include "codegen/panels.h"
#include "codegen/regions.h"
#include "codegen/scalar.h"
#include "codegen/sum.h"
#include <string.h>

static const char *f(sq_printer *p, const char *format, const char *a, int64_t x, int64_t y)
{
    (void)p;
    return sq_arena_printf(p->arena, format, a, (long long)x, (long long)y);
}

const char *sq_copy_name(sq_type from, sq_type to, sq_arena *arena)
{
    return from == to ? sq_type_name(from)
                      : sq_arena_printf(arena, "%s_%s", sq_type_name(from), sq_type_name(to));
}

static bool is_one(const sq_axis *x)
{
    return strcmp(x->len, "1") == 0 && x->split != SQ_SPLIT_PANEL;
}

/* Length of axis a in the text: a number or a variable. */
static const char *length(sq_printer *p, const sq_buffer *b, int a)
{
    int64_t n;
    return sq_text_number(b->axis[a].len, &n) ? b->axis[a].len
                                              : sq_arena_printf(p->arena, "@len%d", a);
}

/* Opens the loop over panels of axis a: q<a> is the panel. */
static void open_panels(sq_printer *p, const sq_buffer *b, int a, const char *pragma)
{
    const sq_axis *x = &b->axis[a];
    int64_t n;
    if (pragma)
        sq_text_puts(&p->body, pragma);
    if (sq_text_number(x->len, &n))
        sq_text_open(&p->body, "for (int64_t @q%d = 0; @q%d < %lld; @q%d++) {", a, a,
                     (long long)((n + x->block - 1) / x->block), a);
    else
        sq_text_open(&p->body, "for (int64_t @q%d = 0; @q%d < (@len%d + %lld) / %lld; @q%d++) {", a,
                     a, a, (long long)(x->block - 1), (long long)x->block, a);
}

/* Elements of panel q<a> that exist. */
static const char *panel_length(sq_printer *p, const sq_buffer *b, int a)
{
    const sq_axis *x = &b->axis[a];
    int64_t n;
    if (sq_text_number(x->len, &n) && n % x->block == 0)
        return f(p, "%s%lld", "", x->block, 0);
    return sq_arena_printf(p->arena, "sq_min(%lld, %s - @q%d * %lld)", (long long)x->block,
                           length(p, b, a), a, (long long)x->block);
}

/* Opens the loop over axis a itself; within a panel over its remainder. */
static bool open_axis(sq_printer *p, const sq_buffer *b, int a, const char *pragma)
{
    const sq_axis *x = &b->axis[a];
    if (is_one(x))
        return false;
    if (pragma)
        sq_text_puts(&p->body, pragma);
    sq_text_open(&p->body, "for (int64_t @x%d = 0; @x%d < %s; @x%d++) {", a, a,
                 x->split == SQ_SPLIT_PANEL ? panel_length(p, b, a) : length(p, b, a), a);
    return true;
}

/* Subscript of the array at the copy's loops: "i0 + q0 * 16 + x0". */
static const char *subscript(sq_printer *p, const sq_buffer *b, int a)
{
    const sq_axis *x = &b->axis[a];
    sq_sum s = {0};
    sq_sum_add(&s, 1, x->lo);
    if (x->split == SQ_SPLIT_PANEL)
        sq_sum_add(&s, x->block * x->stride, f(p, "%s@q%lld", "", a, 0));
    if (!is_one(x))
        sq_sum_add(&s, x->stride, f(p, "%s@x%lld", "", a, 0));
    return sq_sum_text(&s, p->arena);
}

static const char *target_offset(sq_printer *p, const sq_buffer *b)
{
    sq_sum s = {0};
    for (int a = 0; a < b->naxes; a++) {
        const sq_axis *x = &b->axis[a];
        bool last = a == b->naxes - 1;
        const char *pos = f(p, "%s@x%lld", "", a, 0);
        if (x->split == SQ_SPLIT_PANEL)
            sq_sum_add(&s, x->step_q, f(p, "%s@q%lld", "", a, 0));
        if (last || is_one(x))
            continue;
        if (x->split == SQ_SPLIT_PHASE) {
            sq_sum_add(&s, x->step_q, f(p, "%s / %lld", pos, x->block, 0));
            sq_sum_add(&s, x->step_r, f(p, "%s %% %lld", pos, x->block, 0));
        } else {
            sq_sum_add(&s, x->split ? x->step_r : x->step_q, pos);
        }
    }
    return sq_sum_text(&s, p->arena);
}

/* Where the run starts in the array, without the innermost subscript. */
static const char *source_offset(sq_printer *p, const sq_buffer *b)
{
    sq_text t = {0};
    for (int a = 0; a < b->naxes - 1; a++) {
        int64_t stride = sq_array_stride(b->array, a);
        const char *sub = subscript(p, b, a);
        if (strcmp(sub, "0") == 0)
            continue;
        if (stride)
            sq_text_printf(&t, " + %s * %lld", sq_text_factor(sub, p->arena), (long long)stride);
        else
            sq_text_printf(&t, " + %s * %s", sq_text_factor(sub, p->arena),
                           sq_stride_name(b->array, a, p->arena));
    }
    const char *s = sq_arena_strdup(p->arena, sq_text_str(&t));
    sq_text_free(&t);
    return s;
}

static const char *extent_text(sq_printer *p, const sq_buffer *b, int a)
{
    return sq_aff_text(p->kernel, b->array->extent[a], p->arena);
}

/* Condition that all outer subscripts lie in the array; "1" when they cannot leave it. */
static const char *inside(sq_printer *p, const sq_buffer *b)
{
    sq_text t = {0};
    for (int a = 0; a < b->naxes - 1; a++) {
        const char *sub = subscript(p, b, a);
        if (b->axis[a].clipped)
            sq_text_printf(&t, "%s%s >= 0 && %s < %s", t.n ? " && " : "", sub, sub,
                           extent_text(p, b, a));
    }
    const char *s = t.n ? sq_arena_strdup(p->arena, t.s) : "1";
    sq_text_free(&t);
    return s;
}

/* One run: n elements from innermost subscript `lo` on, `stride` apart, to places `step` apart. */
static void put_run(sq_printer *p, const sq_buffer *b, const char *lo, const char *n,
                    int64_t stride, int64_t step, const char *shift)
{
    const char *t = sq_copy_name(b->array->type, b->type, p->arena), *offset = target_offset(p, b),
               *from = source_offset(p, b);
    const char *to =
        sq_arena_printf(p->arena, "%s%s%s%s", b->name, strcmp(offset, "0") ? " + " : "",
                        strcmp(offset, "0") ? offset : "", shift);
    if (!b->clipped) {
        bool none = strcmp(lo, "0") == 0;
        sq_text_line(&p->body, "sq_copy_%s(%s, %lld, %s%s%s%s, %lld, %s);", t, to, (long long)step,
                     b->array->name, from, none ? "" : " + ", none ? "" : lo, (long long)stride, n);
        return;
    }
    sq_text v = {0};
    const char *in = inside(p, b), *extent = extent_text(p, b, b->naxes - 1);
    if (strcmp(in, "1") != 0)
        extent = sq_arena_printf(p->arena, "%s ? %s : 0", in, extent);
    sq_scalar_value(b->outside, b->type, &v);
    sq_text_line(&p->body, "sq_clip_%s(%s, %lld, %s%s, %s, %lld, %s, %s, %s);", t, to,
                 (long long)step, b->array->name, from, lo, (long long)stride, n, extent, v.s);
    sq_text_free(&v);
}

static void put_phases(sq_printer *p, const sq_buffer *b, int a)
{
    const sq_axis *x = &b->axis[a];
    sq_sum lo = {0};
    sq_sum_add(&lo, 1, x->lo);
    sq_sum_add(&lo, x->stride, "@phase");
    sq_text_open(&p->body, "for (int64_t @phase = 0; @phase < %lld; @phase++) {",
                 (long long)x->block);
    put_run(p, b, sq_sum_text(&lo, p->arena),
            sq_arena_printf(p->arena, "(%s - @phase + %lld) / %lld", length(p, b, a),
                            (long long)(x->block - 1), (long long)x->block),
            x->stride * x->block, x->step_q,
            sq_arena_printf(p->arena, " + @phase * %lld", (long long)x->step_r));
    sq_text_close(&p->body, "}");
}

static void put_runs(sq_printer *p, const sq_buffer *b)
{
    int a = b->naxes - 1;
    const sq_axis *x = &b->axis[a];
    if (x->split == SQ_SPLIT_PHASE) {
        put_phases(p, b, a);
        return;
    }
    sq_sum lo = {0};
    sq_sum_add(&lo, 1, x->lo);
    if (x->split == SQ_SPLIT_PANEL)
        sq_sum_add(&lo, x->block * x->stride, f(p, "%s@q%lld", "", a, 0));
    bool panel = x->split == SQ_SPLIT_PANEL;
    put_run(p, b, sq_sum_text(&lo, p->arena), panel ? panel_length(p, b, a) : length(p, b, a),
            x->stride, panel ? x->step_r : x->step_q, "");
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
    int64_t n;
    for (int a = 0; a < b->naxes; a++)
        if (!sq_text_number(b->axis[a].len, &n))
            sq_text_line(&p->body, "const int64_t @len%d = %s;", a, b->axis[a].len);
}

/* The line before the copy's outermost loop; NULL: one thread makes it. */
static const char *pragma_of(sq_printer *p, const sq_buffer *b)
{
    const char *len[SQ_MAX_SUBS];
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
    for (int a = 0; a < b->naxes; a++)
        if (b->axis[a].lo_text)
            sq_text_line(&p->body, "const int64_t %s = %s;", b->axis[a].lo, b->axis[a].lo_text);
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
