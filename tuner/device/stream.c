/* Stream: see stream.h. Loops over vectors of the class's width; every thread has arrays of its own
 * and all start together. Each figure is the best of several rounds: on a shared machine only the
 * best is that of the machine. */
#include "tuner/device/stream.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { ROUNDS = 25, LEAST_ROUNDS = 4, LINE = 64, HUGE_PAGE = 2 << 20, MOST = 256 /* threads */ };
static const double enough = 0.3;       /* seconds after which no further round is begun */
static const double round_bytes = 64e6; /* minimum that a thread moves in a round */

#if defined(__GNUC__) && !defined(__clang__)
#define FAST __attribute__((optimize("O2")))
#else
#define FAST
#endif

typedef float v4 __attribute__((vector_size(16), may_alias));
typedef float v8 __attribute__((vector_size(32), may_alias));
typedef float v16 __attribute__((vector_size(64), may_alias));

/* Four vectors per step; n is a multiple of four of the widest. Four sums hide the latency of
 * additions. */
#define LOOPS(name, attribute, vector)                                                             \
    attribute static void name##_triad(float *to, const float *from, const float *more, size_t n)  \
    {                                                                                              \
        vector *a = (vector *)to;                                                                  \
        const vector *b = (const vector *)from, *c = (const vector *)more;                         \
        for (size_t i = 0; i < n * sizeof *to / sizeof *a; i++)                                    \
            a[i] = b[i] + c[i] * 3.0f;                                                             \
        __asm__ volatile("" : : "r"(to) : "memory");                                               \
    }                                                                                              \
    attribute static void name##_sum(float *to, const float *from, const float *more, size_t n)    \
    {                                                                                              \
        const vector *b = (const vector *)from;                                                    \
        vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};                                             \
        (void)more;                                                                                \
        for (size_t i = 0; i < n * sizeof *from / sizeof *b; i += 4) {                             \
            s0 += b[i];                                                                            \
            s1 += b[i + 1];                                                                        \
            s2 += b[i + 2];                                                                        \
            s3 += b[i + 3];                                                                        \
        }                                                                                          \
        s0 += s1 + s2 + s3;                                                                        \
        memcpy(to, &s0, sizeof s0);                                                                \
        __asm__ volatile("" : : "r"(to) : "memory");                                               \
    }

typedef void loop(float *to, const float *from, const float *more, size_t n);

#if defined(__x86_64__)
LOOPS(avx512, FAST __attribute__((target("avx512f,fma"))), v16)
LOOPS(avx2, FAST __attribute__((target("avx2,fma"))), v8)
#endif
LOOPS(narrow, FAST, v4)

static const struct row {
    const char *isa;
    loop *sum, *triad;
} rows[] = {
#if defined(__x86_64__)
    {"avx512", avx512_sum, avx512_triad},
    {"avx2", avx2_sum, avx2_triad},
#endif
    {"", narrow_sum, narrow_triad},
};

/* Shared by all threads. They wait at the gate until all of them have arrived. */
struct shared {
    loop *run;
    size_t n; /* elements per array */
    int arrays, times;
    pthread_mutex_t gate;
    pthread_barrier_t start;
    bool go;           /* false: a thread could not be started */
    atomic_int rounds; /* number of rounds: the first thread ends them */
};

/* The data of a thread. */
struct part {
    struct shared *shared;
    bool is_first;
    char *all; /* its arrays */
    double seconds[ROUNDS];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the distance from the first array to the second in bytes: a line for the sum, which has
 * only one. */
static size_t stride_of(const struct shared *s)
{
    return s->arrays > 1 ? s->n * sizeof(float) : LINE;
}

static size_t bytes_of(const struct shared *s)
{
    size_t bytes = 2 * stride_of(s) + s->n * sizeof(float);
    return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

static void time_rounds(struct part *p)
{
    struct shared *s = p->shared;
    size_t stride = stride_of(s);
    /* first touched by the thread that uses it, so that it is near its core */
    memset(p->all, 0, bytes_of(s));
    double begin = now();
    for (int r = 0;; r++) {
        pthread_barrier_wait(&s->start);
        if (r >= s->rounds)
            break;
        double from = now();
        for (int i = 0; i < s->times; i++)
            s->run((float *)p->all, (float *)(p->all + stride), (float *)(p->all + 2 * stride),
                   s->n);
        p->seconds[r] = now() - from;
        /* Others may not have tested yet whether this round runs: it does in any case. */
        if (p->is_first && r + 1 >= LEAST_ROUNDS && now() - begin > enough)
            s->rounds = r + 1;
    }
}

static void *work(void *user)
{
    struct part *p = user;
    pthread_mutex_lock(&p->shared->gate);
    bool go = p->shared->go;
    pthread_mutex_unlock(&p->shared->gate);
    if (go)
        time_rounds(p);
    return NULL;
}

/* Returns the round whose slowest thread was the fastest. */
static double best_round(const struct part *part, int threads)
{
    double best = INFINITY;
    for (int r = 0; r < part->shared->rounds; r++) {
        double slowest = 0;
        for (int i = 0; i < threads; i++)
            slowest = fmax(slowest, part[i].seconds[r]);
        best = fmin(best, slowest);
    }
    return best;
}

/* Huge pages, so that memory is measured and not page tables. */
static bool get_arrays(struct part *part, int threads, struct shared *s)
{
    for (int i = 0; i < threads; i++) {
        part[i] = (struct part){
            .shared = s, .is_first = i == 0, .all = aligned_alloc(HUGE_PAGE, bytes_of(s))};
        if (!part[i].all)
            return false;
        madvise(part[i].all, bytes_of(s), MADV_HUGEPAGE);
    }
    return true;
}

static bool run_threads(struct part *part, int threads, struct shared *s)
{
    pthread_t thread[MOST];
    int started = 1; /* this one */
    pthread_mutex_init(&s->gate, NULL);
    pthread_barrier_init(&s->start, NULL, (unsigned)threads);
    pthread_mutex_lock(&s->gate);
    while (started < threads && pthread_create(&thread[started], NULL, work, &part[started]) == 0)
        started++;
    s->go = started == threads;
    pthread_mutex_unlock(&s->gate);
    work(&part[0]);
    for (int i = 1; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&s->start);
    pthread_mutex_destroy(&s->gate);
    return s->go;
}

/* Returns GB/s of `threads` that move `arrays` arrays each; 0 if memory or threads are lacking. */
static double measure(loop *run, int64_t bytes, int arrays, int threads)
{
    struct part part[MOST] = {{.shared = NULL}};
    size_t n = (size_t)(bytes / arrays / LINE / 4) * LINE; /* whole steps of four vectors */
    n = n < LINE ? LINE : n;
    threads = threads > MOST ? MOST : threads;
    double moved = (double)(n * sizeof(float)) * arrays, result = 0;
    struct shared s = {.run = run,
                       .n = n,
                       .arrays = arrays,
                       .times = (int)fmax(1, round_bytes / moved),
                       .rounds = ROUNDS};
    if (get_arrays(part, threads, &s) && run_threads(part, threads, &s))
        result = fmax(0.1, 1e-9 * moved * s.times * threads / best_round(part, threads));
    for (int i = 0; i < threads; i++)
        free(part[i].all);
    return result;
}

bool sq_stream_measure(const char *isa, int64_t bytes, int threads, double *sum, double *triad)
{
    const struct row *r = rows;
    while (r->isa[0] && strcmp(r->isa, isa) != 0)
        r++;
    *sum = measure(r->sum, bytes, 1, threads);
    *triad = *sum > 0 ? measure(r->triad, bytes, 3, threads) : 0;
    return *triad > 0;
}
