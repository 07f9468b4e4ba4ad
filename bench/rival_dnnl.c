/* oneDNN 2: its own sgemm, convolutions with plain layouts in and out ("oneDNN"), and with layouts
 * of its own choice ("oneDNN any"): the image is reordered before and the result after every call,
 * the filters once, as a program that keeps them would. */
#include "bench/rival.h"
#include <stdio.h>
#include <stdlib.h>

#ifdef BENCH_DNNL
#include <dnnl.h>

enum { SRC, WEIGHTS, DST, ROLES };

/* Whether a call failed: everything after it is skipped. */
#define TRY(e) ((e) == dnnl_success)

typedef struct primitive {
    dnnl_primitive_t run, before, after;
    dnnl_memory_t plain[ROLES], own[ROLES]; /* own == plain where the layouts agree */
} primitive;

static dnnl_engine_t engine;
static dnnl_stream_t stream;

static const char *open_dnnl(char *version, size_t n)
{
    const dnnl_version_t *v = dnnl_version();
    snprintf(version, n, "oneDNN %d.%d.%d", v->major, v->minor, v->patch);
    if (!engine && !(TRY(dnnl_engine_create(&engine, dnnl_cpu, 0)) &&
                     TRY(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags))))
        return "has no engine";
    return NULL;
}

static void call_gemm(void *problem)
{
    const bench_problem *p = problem;
    const bench_gemm *g = &p->gemm;
    dnnl_sgemm(g->ta ? 'T' : 'N', g->tb ? 'T' : 'N', g->M, g->N, g->K, 1, p->a, g->ta ? g->M : g->K,
               p->b, g->tb ? g->K : g->N, 0, p->c, g->N);
}

static void close_conv(void *state)
{
    primitive *s = state;
    dnnl_primitive_destroy(s->run);
    dnnl_primitive_destroy(s->before);
    dnnl_primitive_destroy(s->after);
    for (int r = 0; r < ROLES; r++) {
        if (s->own[r] != s->plain[r])
            dnnl_memory_destroy(s->own[r]);
        dnnl_memory_destroy(s->plain[r]);
    }
    free(s);
}

static dnnl_memory_desc_t describe(int n, const dnnl_dim_t *dims, dnnl_format_tag_t tag)
{
    dnnl_memory_desc_t d;
    dnnl_memory_desc_init_by_tag(&d, n, dims, dnnl_f32, tag);
    return d;
}

/* The three arrays' descriptions: all plain, or all "any". */
static void layouts(const bench_conv *c, dnnl_memory_desc_t *d, int any)
{
    dnnl_dim_t rows = bench_conv_rows(c), columns = bench_conv_columns(c);
    dnnl_dims_t src = {1, c->C, c->H, c->W}, dst = {1, c->F, rows, columns};
    dnnl_dims_t full = {c->F, c->C, c->R, c->R}, grouped = {c->C, 1, 1, c->R, c->R};
    d[SRC] = describe(4, src, any ? dnnl_format_tag_any : dnnl_nchw);
    d[DST] = describe(4, dst, any ? dnnl_format_tag_any : dnnl_nchw);
    if (c->depthwise)
        d[WEIGHTS] = describe(5, grouped, any ? dnnl_format_tag_any : dnnl_goihw);
    else
        d[WEIGHTS] = describe(4, full, any ? dnnl_format_tag_any : dnnl_oihw);
}

static dnnl_primitive_desc_t choose(const bench_conv *c, const dnnl_memory_desc_t *d)
{
    dnnl_dims_t strides = {c->stride, c->stride}, pads = {c->pad, c->pad};
    dnnl_convolution_desc_t conv;
    dnnl_primitive_desc_t pd = NULL;
    if (!TRY(dnnl_convolution_forward_desc_init(&conv, dnnl_forward_inference,
                                                dnnl_convolution_auto, &d[SRC], &d[WEIGHTS], NULL,
                                                &d[DST], strides, pads, pads)) ||
        !TRY(dnnl_primitive_desc_create(&pd, &conv, NULL, engine, NULL)))
        return NULL;
    return pd;
}

static dnnl_primitive_t reorder(dnnl_memory_t from, dnnl_memory_t to)
{
    const dnnl_memory_desc_t *a, *b;
    dnnl_primitive_desc_t pd = NULL;
    dnnl_primitive_t p = NULL;
    if (TRY(dnnl_memory_get_memory_desc(from, &a)) && TRY(dnnl_memory_get_memory_desc(to, &b)) &&
        TRY(dnnl_reorder_primitive_desc_create(&pd, a, engine, b, engine, NULL)))
        dnnl_primitive_create(&p, pd);
    dnnl_primitive_desc_destroy(pd);
    return p;
}

static void copy(dnnl_primitive_t p, dnnl_memory_t from, dnnl_memory_t to)
{
    dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    dnnl_primitive_execute(p, stream, 2, args);
}

/* The memories the primitive wants, where they are not the plain ones. */
static int own_memory(primitive *s, dnnl_primitive_desc_t pd, const dnnl_memory_desc_t *plain)
{
    static const dnnl_query_t query[] = {dnnl_query_src_md, dnnl_query_weights_md,
                                         dnnl_query_dst_md};
    for (int r = 0; r < ROLES; r++) {
        const dnnl_memory_desc_t *want = dnnl_primitive_desc_query_md(pd, query[r], 0);
        s->own[r] = s->plain[r];
        if (!dnnl_memory_desc_equal(want, &plain[r]) &&
            !TRY(dnnl_memory_create(&s->own[r], want, engine, DNNL_MEMORY_ALLOCATE)))
            return -1;
    }
    return 0;
}

static void prepare(primitive *s)
{
    if (s->own[SRC] != s->plain[SRC])
        s->before = reorder(s->plain[SRC], s->own[SRC]);
    if (s->own[DST] != s->plain[DST])
        s->after = reorder(s->own[DST], s->plain[DST]);
    if (s->own[WEIGHTS] != s->plain[WEIGHTS]) {
        dnnl_primitive_t once = reorder(s->plain[WEIGHTS], s->own[WEIGHTS]);
        copy(once, s->plain[WEIGHTS], s->own[WEIGHTS]);
        dnnl_stream_wait(stream);
        dnnl_primitive_destroy(once);
    }
}

static void *open_with(const bench_problem *p, int any)
{
    dnnl_memory_desc_t plain[ROLES], wanted[ROLES];
    float *data[ROLES] = {p->a, p->b, p->c};
    primitive *s = calloc(1, sizeof *s);
    layouts(&p->conv, plain, 0);
    layouts(&p->conv, wanted, any);
    dnnl_primitive_desc_t pd = choose(&p->conv, wanted);
    int ok = s && pd && TRY(dnnl_primitive_create(&s->run, pd));
    for (int r = 0; ok && r < ROLES; r++)
        ok = TRY(dnnl_memory_create(&s->plain[r], &plain[r], engine, data[r]));
    ok = ok && own_memory(s, pd, plain) == 0;
    if (ok)
        prepare(s);
    dnnl_primitive_desc_destroy(pd);
    return ok ? s : NULL;
}

static void *open_plain(const bench_problem *p)
{
    return open_with(p, 0);
}

static void *open_any(const bench_problem *p)
{
    return open_with(p, 1);
}

static void call_conv(void *state)
{
    primitive *s = state;
    dnnl_exec_arg_t args[] = {{DNNL_ARG_SRC, s->own[SRC]},
                              {DNNL_ARG_WEIGHTS, s->own[WEIGHTS]},
                              {DNNL_ARG_DST, s->own[DST]}};
    if (s->before)
        copy(s->before, s->plain[SRC], s->own[SRC]);
    dnnl_primitive_execute(s->run, stream, 3, args);
    if (s->after)
        copy(s->after, s->own[DST], s->plain[DST]);
    dnnl_stream_wait(stream);
}

const bench_rival bench_dnnl = {"oneDNN",  open_dnnl,  call_gemm, open_plain,
                                call_conv, close_conv, NULL};
const bench_rival bench_dnnl_any = {"oneDNN any", open_dnnl,  NULL, open_any,
                                    call_conv,    close_conv, NULL};

#else /* no oneDNN, or one whose calls are others */

static const char *absent(char *version, size_t n)
{
    (void)version;
    (void)n;
    return "not found (libdnnl-dev, version 2)";
}

const bench_rival bench_dnnl = {"oneDNN", absent, NULL, NULL, NULL, NULL, NULL};
const bench_rival bench_dnnl_any = {"oneDNN any", absent, NULL, NULL, NULL, NULL, NULL};
#endif
