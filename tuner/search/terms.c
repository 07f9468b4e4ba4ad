/* Terms: see terms.h. */
#include "tuner/search/terms.h"
#include "tuner/model/ansor_features.h"
#include <math.h>
#include <string.h>

enum {
    BUFFERS = 5,
    LINE = 64,   /* bytes */
    PAGE = 4096, /* bytes */
    NUMBERS = 3, /* of a kind of loops: how many, their iterations, those of the innermost */
    SHARES = SQ_DRAFT_RUN - SQ_DRAFT_REGISTERS + 1
};
/* Where the numbers of a buffer are. */
enum { WRITTEN = 1, READ_WRITTEN, BYTES, DISTINCT_BYTES, LINES, DISTINCT_LINES, BYTES_AGAIN = 13, LINES_AGAIN = 15,
       STRIDE = 17 };
/* Where operations are: see SQ_ANSOR_OPERATIONS. */
enum { MULTIPLY_ADD, ADD, MULTIPLY, DIVIDE, COMPARE, FUNCTION, OTHER, INTEGERS };

/* Seconds of one; of what is in seconds, 1. */
static const double price[SQ_TERMS] = {
    [SQ_TERM_ARITHMETIC] = 2e-11,   [SQ_TERM_FUNCTIONS] = 5e-9,     [SQ_TERM_INTEGERS] = 1e-10,
    [SQ_TERM_SCALARS] = 2e-10,      [SQ_TERM_PEAK] = 1,             [SQ_TERM_SPILLS] = 1,
    [SQ_TERM_LOAD_PORTS] = 1,       [SQ_TERM_WAITS] = 1,            [SQ_TERM_BYTES] = 1e-12,
    [SQ_TERM_LINES] = 1e-11,        [SQ_TERM_DISTINCT_BYTES] = 1e-11, [SQ_TERM_DISTINCT_LINES] = 1e-9,
    [SQ_TERM_BYTES_AGAIN] = 1e-12,  [SQ_TERM_LINES_AGAIN] = 1e-11,  [SQ_TERM_APART] = 1e-11,
    [SQ_TERM_MEMORY] = 1,           [SQ_TERM_PARTS_OF_LINES] = 1,   [SQ_TERM_STORED_BYTES] = 1e-12,
    [SQ_TERM_STORED_LINES] = 1e-11, [SQ_TERM_SHARED_LINES] = 1e-7,  [SQ_TERM_PAGES_WRITTEN] = 2e-8,
    [SQ_TERM_PAGES_READ] = 1e-8,    [SQ_TERM_COPIES] = 1e-7,        [SQ_TERM_COPIED_BYTES] = 1e-10,
    [SQ_TERM_LAUNCH] = 1e-7,        [SQ_TERM_TASKS] = 1e-7,         [SQ_TERM_WORKING_SET] = 1,
};

/* What has that magnitude. */
static double plain(float magnitude)
{
    return exp2((double)magnitude) - 1;
}

/* What a share of a limit makes of a second beyond it. */
static double excess(const float *draft, int of)
{
    return draft[of] > 0 ? 1 / (double)draft[of] - 1 : 0;
}

static double tasks_of(const float *f)
{
    return plain(f[SQ_ANSOR_THREADS + 1]);
}

/* ---- compute ---- */

static void put_compute(const float *f, const float *d, double *n)
{
    const float *o = f + SQ_ANSOR_OPERATIONS;
    double lanes = fmax(1, plain(f[SQ_ANSOR_VECTORS + 1])), idle = 1 + excess(d, SQ_DRAFT_THREADS);
    double floats = 0, integers = 0, functions = plain(o[DIVIDE]) + plain(o[FUNCTION]);
    for (int i = MULTIPLY_ADD; i <= OTHER; i++)
        floats += i == DIVIDE || i == FUNCTION ? 0 : plain(o[i]);
    for (int i = INTEGERS; i < SQ_TERM_HISTOGRAM; i++)
        integers += plain(o[i]);
    n[SQ_TERM_ARITHMETIC] = floats / lanes * idle;
    n[SQ_TERM_FUNCTIONS] = functions / lanes * idle;
    n[SQ_TERM_INTEGERS] = integers / lanes * idle;
    n[SQ_TERM_SCALARS] = lanes > 1 ? 0 : floats * idle;
    n[SQ_TERM_PEAK] = (double)d[SQ_DRAFT_COMPUTE] * (1 + excess(d, SQ_DRAFT_LANES)) * idle;
    n[SQ_TERM_SPILLS] = n[SQ_TERM_PEAK] * excess(d, SQ_DRAFT_REGISTERS);
    n[SQ_TERM_LOAD_PORTS] = n[SQ_TERM_PEAK] * excess(d, SQ_DRAFT_LOADS);
    n[SQ_TERM_WAITS] = n[SQ_TERM_PEAK] * excess(d, SQ_DRAFT_CHAINS);
}

/* ---- loads and stores ---- */

static void put_read(const float *b, double *n)
{
    n[SQ_TERM_BYTES] += plain(b[BYTES]);
    n[SQ_TERM_LINES] += plain(b[LINES]);
    n[SQ_TERM_DISTINCT_BYTES] += plain(b[DISTINCT_BYTES]);
    n[SQ_TERM_DISTINCT_LINES] += plain(b[DISTINCT_LINES]);
    n[SQ_TERM_BYTES_AGAIN] += plain(b[BYTES_AGAIN]);
    n[SQ_TERM_LINES_AGAIN] += plain(b[LINES_AGAIN]);
    n[SQ_TERM_APART] += plain(b[STRIDE]) > 1.5 ? plain(b[LINES]) : 0;
    n[SQ_TERM_PAGES_READ] += plain(b[DISTINCT_BYTES]) / PAGE;
}

/* Two tasks share a line where the first ends; all of its lines, where it writes less than one. */
static void put_write(const float *b, double tasks, double *n)
{
    double bytes = plain(b[DISTINCT_BYTES]);
    n[SQ_TERM_STORED_BYTES] += plain(b[BYTES]);
    n[SQ_TERM_STORED_LINES] += plain(b[LINES]);
    n[SQ_TERM_PAGES_WRITTEN] += bytes / PAGE;
    if (tasks > 1 && bytes > 0)
        n[SQ_TERM_SHARED_LINES] += tasks * fmin(1, LINE * tasks / bytes);
}

static void put_arrays(const float *f, const float *d, double *n)
{
    for (int i = 0; i < BUFFERS; i++) {
        const float *b = f + SQ_ANSOR_BUFFERS + (ptrdiff_t)i * SQ_ANSOR_BUFFER;
        bool is_written = b[WRITTEN] > 0 || b[READ_WRITTEN] > 0;
        if (is_written)
            put_write(b, tasks_of(f), n);
        if (!is_written || b[READ_WRITTEN] > 0)
            put_read(b, n);
    }
    double memory = (double)d[SQ_DRAFT_MEMORY];
    n[SQ_TERM_MEMORY] = memory;
    n[SQ_TERM_PARTS_OF_LINES] = memory * excess(d, SQ_DRAFT_RUN);
    n[SQ_TERM_WORKING_SET] = memory * ((1 + excess(d, SQ_DRAFT_L1)) * (1 + excess(d, SQ_DRAFT_L2)) - 1);
}

/* ---- all ---- */

void sq_terms_of(const float *features, const float *draft, float *to)
{
    double n[SQ_TERMS] = {0}, copied = plain(features[SQ_ANSOR_ALLOCATION + 1]);
    put_compute(features, draft, n);
    put_arrays(features, draft, n);
    n[SQ_TERM_COPIES] = copied / fmax(1, plain(features[SQ_ANSOR_ALLOCATION]));
    n[SQ_TERM_COPIED_BYTES] = copied;
    n[SQ_TERM_LAUNCH] = 1;
    n[SQ_TERM_TASKS] = tasks_of(features);
    for (int i = 0; i < SQ_TERMS; i++)
        to[i] = (float)(price[i] * n[i]);
}

void sq_terms_histogram(const float *features, float *to)
{
    double iterations = fmax(1, plain(features[SQ_ANSOR_NEST]));
    for (int i = 0; i < SQ_TERM_HISTOGRAM; i++)
        to[i] = sq_ansor_magnitude(plain(features[SQ_ANSOR_OPERATIONS + i]) / iterations);
}

static void put_touched(const float *features, float *to)
{
    static const int summed[] = {BYTES, DISTINCT_BYTES, LINES, DISTINCT_LINES};
    double sum[4] = {0};
    float stride = 0;
    for (int i = 0; i < BUFFERS; i++) {
        const float *b = features + SQ_ANSOR_BUFFERS + (ptrdiff_t)i * SQ_ANSOR_BUFFER;
        for (int k = 0; k < 4; k++)
            sum[k] += plain(b[summed[k]]);
        stride = fmaxf(stride, b[STRIDE]);
    }
    for (int k = 0; k < 4; k++)
        to[k] = sq_ansor_magnitude(sum[k]);
    to[4] = stride;
}

void sq_terms_schedule(const float *features, const float *draft, float *to)
{
    static const struct {
        int from, n;
    } part[] = {{SQ_ANSOR_NEST, 3},          {SQ_ANSOR_INTENSITY, 10},     {SQ_ANSOR_ALLOCATION, 4},
                {SQ_ANSOR_VECTORS, NUMBERS}, {SQ_ANSOR_UNROLLED, NUMBERS}, {SQ_ANSOR_THREADS, NUMBERS}};
    int n = 0;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        for (int k = 0; k < part[i].n; k++)
            to[n++] = features[part[i].from + k];
    for (int i = 0; i < SHARES; i++)
        to[n++] = draft[SQ_DRAFT_REGISTERS + i];
    put_touched(features, to + n);
}
