/* Print steady: boxes of shared copies that move on by as much with each iteration of the loop
 * around. What the compiler would find anew in each, it is told before the loop: a pointer to the
 * first box, which goes along, and until which iteration boxes lie in the array whole and aligned.
 * Inside of a box offsets have 32 bits, where that is enough.
 */
#include "codegen/base.h"
#include "codegen/print.h"
#include "codegen/sum.h"
#include <string.h>

/* The axis along which boxes move; -1: they stay. */
static int moving(const sq_node *loop, const sq_buffer *b)
{
    for (int a = 0; a < b->naxes; a++)
        if (strcmp(b->axis[a].lo, loop->name) == 0)
            return a;
    return -1;
}

static const char *stride(sq_printer *p, const sq_buffer *b, int a)
{
    int64_t n = sq_array_stride(b->array, a);
    return n ? sq_arena_printf(p->arena, "%lld", (long long)n)
             : sq_stride_name(b->array, a, p->arena);
}

/* May offsets inside of a box fit into 32 bits, as far as is known now. */
static bool may_fit(const sq_buffer *b)
{
    double most = 0;
    for (int a = 0; a < b->naxes; a++)
        most +=
            (double)(b->axis[a].extent * b->axis[a].stride) * (double)sq_array_stride(b->array, a);
    return most <= INT32_MAX;
}

/* Does each axis begin at the loop's variable, once at most, or at what the loop does not change.
 */
static bool moves_evenly(const sq_printer *p, const sq_node *loop, const sq_buffer *b)
{
    int last = b->naxes - 1, along = moving(loop, b);
    for (int a = 0; a < b->naxes; a++)
        if (b->axis[a].lo_text || (a != along && sq_text_mentions(b->axis[a].lo, loop->name)))
            return false;
    return along != last || loop->step % sq_deal_width(p, b) == 0;
}

bool sq_steady_is(const sq_printer *p, const sq_node *loop, const sq_buffer *b)
{
    const sq_node *x = loop ? loop->body : NULL;
    while (x && x->kind == SQ_NODE_COPY && strcmp(x->buffer->name, b->name) != 0)
        x = x->next;
    return x && x->kind == SQ_NODE_COPY && b->shared && b->stages == 1 && !p->async &&
           sq_deal_width(p, b) > 1 && may_fit(b) && moves_evenly(p, loop, b);
}

/* What strides inside of a box are counted by: the type with which nvcc keeps all in registers, for
 * f64 and for narrower elements. */
static const char *narrow(const sq_buffer *b)
{
    return sq_type_bytes(b->array->type) == 8 ? "uint32_t" : "int";
}

/* From the box's first element to that at the positions @x0, @x1, …, or to its last one. */
static const char *offset(sq_printer *p, const sq_buffer *b, bool last)
{
    sq_sum s = {0};
    for (int a = 0; a < b->naxes; a++) {
        const sq_axis *x = &b->axis[a];
        int64_t known = sq_array_stride(b->array, a), times = last ? x->extent - 1 : 1;
        const char *at = last ? "1" : sq_arena_printf(p->arena, "@x%d", a), *by = stride(p, b, a);
        if (!known && last)
            at = by;
        else if (!known)
            at = sq_arena_printf(p->arena, "%s * (%s)%s", at, narrow(b), by);
        sq_sum_add(&s, times * x->stride * (known ? known : 1), at);
    }
    return sq_sum_text(&s, p->arena);
}

/* The first of the loop's boxes. */
static sq_buffer first_box(const sq_node *loop, const sq_buffer *b)
{
    sq_buffer first = *b;
    int along = moving(loop, b);
    if (along >= 0) {
        first.axis[along].lo = loop->lo;
        first.axis[along].clipped = false; /* asked in each iteration */
    }
    return first;
}

static const char *pointer(sq_printer *p, const sq_buffer *b)
{
    sq_text t = {0};
    sq_text_puts(&t, b->array->name);
    for (int a = 0; a < b->naxes; a++) {
        const char *by = stride(p, b, a), *lo = b->axis[a].lo;
        if (strcmp(lo, "0") == 0)
            continue;
        sq_text_printf(&t, " + %s", sq_text_factor(lo, p->arena));
        if (strcmp(by, "1") != 0)
            sq_text_printf(&t, " * %s", by);
    }
    const char *s = sq_arena_strdup(p->arena, t.s);
    sq_text_free(&t);
    return s;
}

/* Whether offsets fit into 32 bits, too; NULL: always whole. */
static const char *condition(sq_printer *p, const sq_buffer *first)
{
    const char *whole = sq_print_whole(p, first), *most = offset(p, first, true);
    int64_t n;
    if (sq_text_number(most, &n))
        return whole;
    const char *fits = sq_arena_printf(p->arena, "%s <= INT32_MAX", most);
    return whole ? sq_arena_printf(p->arena, "%s && %s", whole, fits) : fits;
}

/* One past the last value of the loop at which the box does not leave the array; NULL: all. */
static const char *limit(sq_printer *p, const sq_node *loop, const sq_buffer *b)
{
    int a = moving(loop, b);
    sq_sum s = {0};
    if (a < 0 || !b->axis[a].clipped)
        return NULL;
    s.konst = -b->axis[a].stride * (b->axis[a].extent - 1);
    sq_sum_add(&s, 1, sq_print_extent(p, b, a));
    return sq_sum_text(&s, p->arena);
}

static void begin_one(sq_printer *p, const sq_node *loop, const sq_buffer *b)
{
    sq_buffer first = first_box(loop, b);
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
        if (!sq_steady_is(p, p->steady, x->buffer))
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
        sq_sum s = {0};
        if (a < 0 || !sq_steady_is(p, p->steady, b))
            continue;
        int64_t known = sq_array_stride(b->array, a);
        sq_sum_add(&s, loop->step * (known ? known : 1), known ? "1" : stride(p, b, a));
        sq_text_line(&p->body, "%s_from += %s;", b->name, sq_sum_text(&s, p->arena));
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
    return sq_arena_printf(p->arena, "%s_from + (%s)", b->name, offset(p, b, false));
}
