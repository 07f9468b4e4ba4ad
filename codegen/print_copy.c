/* Print copy: the text that fills a packing buffer. Loops over panels outermost, then the array's
 * own dimensions in order, so that reading is contiguous; the innermost dimension is one run, done by
 * a small helper that becomes memcpy where both sides are contiguous. */
#include "codegen/print.h"
#include "codegen/base.h"
#include "codegen/scalar.h"
#include <string.h>

static const char *f(sq_printer *p, const char *format, const char *a, int64_t x, int64_t y)
{
    (void)p;
    return sq_arena_printf(p->arena, format, a, (long long)x, (long long)y);
}

/* Offset in the buffer of position `pos` (text) of a plain or phased axis. */
static const char *place(sq_printer *p, const sq_axis *x, const char *pos)
{
    if (x->split == SQ_SPLIT_PHASE)
        return sq_arena_printf(p->arena, "%s / %lld * %lld + %s %% %lld * %lld", pos, (long long)x->block,
                               (long long)x->step_q, pos, (long long)x->block, (long long)x->step_r);
    return f(p, "%s * %lld", pos, x->step_q, 0);
}

/* Opens the loop over panels of axis a: q<a> is the panel. */
static void open_panels(sq_printer *p, const sq_buffer *b, int a, const char *pragma)
{
    const sq_axis *x = &b->axis[a];
    if (pragma)
        sq_text_puts(&p->body, pragma);
    sq_text_open(&p->body, "for (int64_t q%d = 0; q%d < (len%d + %lld) / %lld; q%d++) {", a, a, a,
                 (long long)(x->block - 1), (long long)x->block, a);
}

/* Opens the loop over axis a itself; within a panel over its remainder. */
static void open_axis(sq_printer *p, const sq_buffer *b, int a, const char *pragma)
{
    const sq_axis *x = &b->axis[a];
    if (pragma)
        sq_text_puts(&p->body, pragma);
    if (x->split == SQ_SPLIT_PANEL)
        sq_text_open(&p->body, "for (int64_t x%d = 0; x%d < sq_min(%lld, len%d - q%d * %lld); x%d++) {", a, a,
                     (long long)x->block, a, a, (long long)x->block, a);
    else
        sq_text_open(&p->body, "for (int64_t x%d = 0; x%d < len%d; x%d++) {", a, a, a, a);
}

/* Position along axis a of the array: "q0 * 16 + x0". */
static const char *position(sq_printer *p, const sq_buffer *b, int a)
{
    const sq_axis *x = &b->axis[a];
    if (x->split == SQ_SPLIT_PANEL)
        return sq_arena_printf(p->arena, "(q%d * %lld + x%d)", a, (long long)x->block, a);
    return sq_arena_printf(p->arena, "x%d", a);
}

static const char *target_offset(sq_printer *p, const sq_buffer *b)
{
    sq_text t = {0};
    for (int a = 0; a < b->naxes; a++) {
        const sq_axis *x = &b->axis[a];
        bool last = a == b->naxes - 1;
        if (x->split == SQ_SPLIT_PANEL) {
            sq_text_printf(&t, " + q%d * %lld", a, (long long)x->step_q);
            if (!last)
                sq_text_printf(&t, " + x%d * %lld", a, (long long)x->step_r);
        } else if (!last) {
            sq_text_printf(&t, " + %s", place(p, x, sq_arena_printf(p->arena, "x%d", a)));
        }
    }
    const char *s = sq_arena_strdup(p->arena, sq_text_str(&t));
    sq_text_free(&t);
    return s;
}

/* Where the run starts in the array, without the innermost subscript. */
static const char *source_offset(sq_printer *p, const sq_buffer *b)
{
    sq_text t = {0};
    for (int a = 0; a < b->naxes - 1; a++) {
        const sq_axis *x = &b->axis[a];
        int64_t stride = sq_array_stride(b->array, a);
        sq_text_printf(&t, " + (%s + %s * %lld) * ", x->lo, position(p, b, a), (long long)x->stride);
        if (stride)
            sq_text_printf(&t, "%lld", (long long)stride);
        else
            sq_text_puts(&t, sq_stride_name(b->array, a, p->arena));
    }
    const char *s = sq_arena_strdup(p->arena, sq_text_str(&t));
    sq_text_free(&t);
    return s;
}

static const char *extent_text(sq_printer *p, const sq_buffer *b, int a)
{
    return sq_aff_text(p->kernel, b->array->extent[a], p->arena);
}

/* Condition that all outer subscripts lie in the array. */
static const char *inside(sq_printer *p, const sq_buffer *b)
{
    sq_text t = {0};
    for (int a = 0; a < b->naxes - 1; a++) {
        const sq_axis *x = &b->axis[a];
        const char *sub = sq_arena_printf(p->arena, "%s + %s * %lld", x->lo, position(p, b, a), (long long)x->stride);
        sq_text_printf(&t, "%s%s >= 0 && %s < %s", t.n ? " && " : "", sub, sub, extent_text(p, b, a));
    }
    const char *s = t.n ? sq_arena_strdup(p->arena, t.s) : "1";
    sq_text_free(&t);
    return s;
}

/* One run: n elements from `from` (innermost subscript at `lo`), `stride` apart, to `to`. */
static void put_run(sq_printer *p, const sq_buffer *b, const char *lo, const char *n, int64_t stride, int64_t step,
                    const char *shift)
{
    const char *t = sq_type_name(b->array->type);
    const char *to = sq_arena_printf(p->arena, "%s%s%s", b->name, target_offset(p, b), shift);
    const char *from = sq_arena_printf(p->arena, "%s%s", b->array->name, source_offset(p, b));
    if (!b->clipped) {
        sq_text_line(&p->body, "sq_copy_%s(%s, %lld, %s + %s, %lld, %s);", t, to, (long long)step, from, lo,
                     (long long)stride, n);
        return;
    }
    sq_text v = {0};
    sq_scalar_number(b->outside, b->array->type, &v);
    sq_text_line(&p->body, "sq_clip_%s(%s, %lld, %s, %s, %lld, %s, (%s) ? %s : 0, %s);", t, to, (long long)step, from,
                 lo, (long long)stride, n, inside(p, b), extent_text(p, b, b->naxes - 1), v.s);
    sq_text_free(&v);
}

static void put_runs(sq_printer *p, const sq_buffer *b)
{
    int a = b->naxes - 1;
    const sq_axis *x = &b->axis[a];
    if (x->split == SQ_SPLIT_PANEL) {
        put_run(p, b, sq_arena_printf(p->arena, "%s + q%d * %lld", x->lo, a, (long long)(x->block * x->stride)),
                sq_arena_printf(p->arena, "sq_min(%lld, len%d - q%d * %lld)", (long long)x->block, a, a,
                                (long long)x->block), x->stride, x->step_r, "");
    } else if (x->split == SQ_SPLIT_PHASE) {
        sq_text_open(&p->body, "for (int64_t phase = 0; phase < %lld; phase++) {", (long long)x->block);
        put_run(p, b, sq_arena_printf(p->arena, "%s + phase * %lld", x->lo, (long long)x->stride),
                sq_arena_printf(p->arena, "(len%d - phase + %lld) / %lld", a, (long long)(x->block - 1), (long long)x->block),
                x->stride * x->block, x->step_q, sq_arena_printf(p->arena, " + phase * %lld", (long long)x->step_r));
        sq_text_close(&p->body, "}");
    } else {
        put_run(p, b, x->lo, sq_arena_printf(p->arena, "len%d", a), x->stride, x->step_q, "");
    }
}

static void put_comment(sq_printer *p, const sq_nest *n, const sq_buffer *b)
{
    sq_text t = {0};
    for (int a = 0; a < b->naxes; a++)
        if (b->axis[a].split == SQ_SPLIT_PANEL)
            sq_text_printf(&t, "%spanels of %lld", t.n ? ", " : " in ", (long long)b->axis[a].block);
        else if (b->axis[a].split == SQ_SPLIT_PHASE)
            sq_text_printf(&t, "%s%lld phases", t.n ? ", " : " in ", (long long)b->axis[a].block);
    sq_text_line(&p->body, "/* Pack %s%s%s. */", b->array->name, t.n ? t.s : "",
                 b->clipped && b->edge == SQ_EDGE_PAD ? ", padded" : "");
    sq_text_free(&t);
    (void)n;
}

void sq_print_copy(sq_printer *p, const sq_nest *n, const sq_buffer *b)
{
    const char *pragma = p->serial || !p->options->openmp || b->per_thread
                             ? NULL : "#ifdef _OPENMP\n#pragma omp parallel for schedule(static)\n#endif\n";
    int opened = 0;
    put_comment(p, n, b);
    for (int a = 0; a < b->naxes; a++)
        sq_text_line(&p->body, "const int64_t %s = %s;", b->axis[a].lo, b->axis[a].lo_text);
    sq_text_open(&p->body, "{");
    for (int a = 0; a < b->naxes; a++)
        sq_text_line(&p->body, "const int64_t len%d = %s;", a, b->axis[a].len);
    for (int a = 0; a < b->naxes; a++)
        if (b->axis[a].split == SQ_SPLIT_PANEL) {
            open_panels(p, b, a, opened++ ? NULL : pragma);
        }
    for (int a = 0; a < b->naxes - 1; a++)
        open_axis(p, b, a, opened++ ? NULL : pragma);
    put_runs(p, b);
    while (opened-- > 0)
        sq_text_close(&p->body, "}");
    sq_text_close(&p->body, "}");
}
