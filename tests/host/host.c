/* A program that calls kernels as programs do: from threads with small stacks, from 16 threads at
 * once, after a fork, in a signal handler, from a library that is loaded and unloaded, without
 * memory.
 *
 *     host SCENARIO [library]     0: all results are right; else says what is not
 */
#define _GNU_SOURCE
#include "attention.h"
#include "conv2d.h"
#include "gemm.h"
#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMALL_STACK = 64 << 10, IDLE = 24, CALLERS = 4, MANY = 16, LOADS = 1000, FORKS = 20 };
enum { M = 37, N = 61, K = 70, CH = 5, SIDE = 14, FILTERS = 9, HEADS = 2, LENGTH = 33, DEPTH = 24 };

/* ---- calls with inputs of their own ---- */

typedef struct job {
    float *in[3], *out, *want;
    size_t nout;
    void *space;
    void (*call)(const struct job *j);
    int (*call_in)(const struct job *j);
} job;

static void call_gemm(const job *j)
{
    gemm(M, N, K, 1.5f, 0, j->in[0], j->in[1], j->out);
}

static int in_gemm(const job *j)
{
    return gemm_in(M, N, K, 1.5f, 0, j->in[0], j->in[1], j->out, j->space);
}

static void call_conv(const job *j)
{
    conv2d(1, CH, SIDE, SIDE, FILTERS, j->in[0], j->in[1], j->out);
}

static int in_conv(const job *j)
{
    return conv2d_in(1, CH, SIDE, SIDE, FILTERS, j->in[0], j->in[1], j->out, j->space);
}

static void call_attention(const job *j)
{
    attention(HEADS, LENGTH, DEPTH, 0.2f, j->in[0], j->in[1], j->in[2], j->out);
}

static int in_attention(const job *j)
{
    return attention_in(HEADS, LENGTH, DEPTH, 0.2f, j->in[0], j->in[1], j->in[2], j->out, j->space);
}

static void fail(const char *what)
{
    printf("FAILED %s\n", what);
    fflush(stdout);
    _exit(1);
}

static void *need(void *p)
{
    if (!p)
        fail("no memory for the test");
    return p;
}

static float *filled(size_t n, unsigned seed)
{
    float *a = need(malloc(n * sizeof *a));
    for (size_t i = 0; i < n; i++)
        a[i] = (float)((i * 31 + seed * 17) % 23) / 23 - 0.4f;
    return a;
}

static job prepare(unsigned seed, size_t a, size_t b, size_t c, size_t nout, size_t space)
{
    job j = {.nout = nout, .in = {filled(a, seed), filled(b, seed + 1), filled(c, seed + 2)}};
    j.out = filled(nout, 0);
    j.want = need(calloc(nout, sizeof(float)));
    j.space = need(malloc(space + 1));
    return j;
}

static void want_gemm(const job *j)
{
    for (int i = 0; i < M; i++)
        for (int n = 0; n < N; n++) {
            double sum = 0;
            for (int k = 0; k < K; k++)
                sum += (double)j->in[0][i * K + k] * j->in[1][k * N + n];
            j->want[i * N + n] = (float)(1.5 * sum);
        }
}

static void want_conv(const job *j)
{
    for (int f = 0; f < FILTERS; f++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                double sum = 0;
                for (int t = 0; t < CH * 9; t++) {
                    int c = t / 9, v = y + t / 3 % 3 - 1, u = x + t % 3 - 1;
                    if (v >= 0 && v < SIDE && u >= 0 && u < SIDE)
                        sum +=
                            (double)j->in[0][(c * SIDE + v) * SIDE + u] * j->in[1][f * CH * 9 + t];
                }
                j->want[(f * SIDE + y) * SIDE + x] = (float)sum;
            }
}

/* One row of one head, which sees those up to its own. */
static void want_row(const job *j, int h, int l)
{
    const float *q = j->in[0] + (h * LENGTH + l) * DEPTH, *k = j->in[1] + h * LENGTH * DEPTH,
                *v = j->in[2] + h * LENGTH * DEPTH;
    double p[LENGTH], all = 0;
    for (int m = 0; m <= l; m++) {
        double s = 0;
        for (int d = 0; d < DEPTH; d++)
            s += (double)q[d] * k[m * DEPTH + d];
        all += p[m] = exp(0.2 * s);
    }
    for (int d = 0; d < DEPTH; d++) {
        double sum = 0;
        for (int m = 0; m <= l; m++)
            sum += p[m] / all * v[m * DEPTH + d];
        j->want[(h * LENGTH + l) * DEPTH + d] = (float)sum;
    }
}

static void want_attention(const job *j)
{
    for (int h = 0; h < HEADS; h++)
        for (int l = 0; l < LENGTH; l++)
            want_row(j, h, l);
}

enum { KINDS = 3 };

static job new_job(int kind, unsigned seed)
{
    static const size_t heads = (size_t)HEADS * LENGTH * DEPTH;
    job j;
    if (kind == 0) {
        j = prepare(seed, M * K, K * N, 1, M * N, gemm_workspace(M, N, K));
        j.call = call_gemm, j.call_in = in_gemm;
        want_gemm(&j);
    } else if (kind == 1) {
        j = prepare(seed, CH * SIDE * SIDE, FILTERS * CH * 9, 1, FILTERS * SIDE * SIDE,
                    conv2d_workspace(1, CH, SIDE, SIDE, FILTERS));
        j.call = call_conv, j.call_in = in_conv;
        want_conv(&j);
    } else {
        j = prepare(seed, heads, heads, heads, heads, attention_workspace(HEADS, LENGTH, DEPTH));
        j.call = call_attention, j.call_in = in_attention;
        want_attention(&j);
    }
    return j;
}

static void free_job(job *j)
{
    for (int i = 0; i < 3; i++)
        free(j->in[i]);
    free(j->out), free(j->want), free(j->space);
}

static int is_right(const job *j)
{
    for (size_t i = 0; i < j->nout; i++)
        if (!(fabsf(j->out[i] - j->want[i]) <= 1e-4f * (1 + fabsf(j->want[i]))))
            return 0;
    return 1;
}

static void run(const job *j, const char *what)
{
    memset(j->out, 0, j->nout * sizeof(float));
    j->call(j);
    if (!is_right(j))
        fail(what);
}

/* ---- threads ---- */

static atomic_int stop;

static void *idle(void *arg)
{
    (void)arg;
    while (!atomic_load(&stop))
        usleep(1000);
    return NULL;
}

static void *caller(void *arg)
{
    unsigned seed = *(const unsigned *)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        job j = new_job(kind, seed);
        for (int turn = 0; turn < 40; turn++)
            run(&j, "a call in a thread");
        if (j.call_in(&j) != 0 || !is_right(&j))
            fail("K_in in a thread");
        free_job(&j);
    }
    return NULL;
}

static void start(pthread_t *t, size_t stack, void *(*what)(void *), void *arg)
{
    pthread_attr_t a;
    pthread_attr_init(&a);
    if (stack && pthread_attr_setstacksize(&a, stack) != 0)
        fail("pthread_attr_setstacksize");
    if (pthread_create(t, &a, what, arg) != 0)
        fail("pthread_create");
    pthread_attr_destroy(&a);
}

/* Threads with small stacks that never call, beside some with the same stacks that do. */
static void small_stacks(void)
{
    size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN);
    size_t stack = least > SMALL_STACK ? least : SMALL_STACK;
    pthread_t quiet[IDLE], busy[CALLERS];
    unsigned seed[CALLERS];
    for (int i = 0; i < IDLE; i++)
        start(&quiet[i], stack, idle, NULL);
    for (unsigned i = 0; i < CALLERS; i++) {
        seed[i] = i;
        start(&busy[i], stack, caller, &seed[i]);
    }
    for (int i = 0; i < CALLERS; i++)
        pthread_join(busy[i], NULL);
    atomic_store(&stop, 1);
    for (int i = 0; i < IDLE; i++)
        pthread_join(quiet[i], NULL);
}

static void at_once(void)
{
    pthread_t t[MANY];
    unsigned seed[MANY];
    for (unsigned i = 0; i < MANY; i++) {
        seed[i] = i;
        start(&t[i], 0, caller, &seed[i]);
    }
    for (int i = 0; i < MANY; i++)
        pthread_join(t[i], NULL);
}

/* ---- fork ---- */

static void *endless(void *arg)
{
    job j = new_job(*(const int *)arg, 3);
    while (!atomic_load(&stop))
        run(&j, "a call while the program forks");
    free_job(&j);
    return NULL;
}

static void forks(void)
{
    pthread_t t[KINDS];
    int kind[KINDS];
    for (int i = 0; i < KINDS; i++) {
        kind[i] = i;
        start(&t[i], 0, endless, &kind[i]);
    }
    job j = new_job(0, 9);
    for (int i = 0; i < FORKS; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            run(&j, "a call after a fork");
            _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
            fail("a child");
    }
    free_job(&j);
    atomic_store(&stop, 1);
    for (int i = 0; i < KINDS; i++)
        pthread_join(t[i], NULL);
}

/* ---- signals ---- */

static job interrupting[KINDS];
static volatile sig_atomic_t inside, calls, hits, wrong;

static void handler(int sig)
{
    (void)sig;
    const job *j = &interrupting[calls % KINDS];
    memset(j->out, 0, j->nout * sizeof(float));
    wrong |= j->call_in(j) != 0 || !is_right(j);
    calls++;
    hits += inside;
}

/* Each kernel is interrupted, often while it runs, and computes the same kernel in the handler. */
static void signals(void)
{
    job j[KINDS];
    for (int i = 0; i < KINDS; i++) {
        interrupting[i] = new_job(i, 50);
        j[i] = new_job(i, 60);
    }
    struct sigaction a = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &a, NULL);
    struct itimerval every = {{0, 700}, {0, 700}}, never = {0};
    setitimer(ITIMER_REAL, &every, NULL);
    for (int turn = 0; hits < 200; turn++) {
        const job *x = &j[turn % KINDS];
        memset(x->out, 0, x->nout * sizeof(float));
        inside = 1;
        for (int i = 0; i < 10; i++)
            x->call(x);
        inside = 0;
        if (!is_right(x))
            fail("a call that was interrupted");
    }
    setitimer(ITIMER_REAL, &never, NULL);
    if (wrong)
        fail("a call in a handler");
    for (int i = 0; i < KINDS; i++)
        free_job(&j[i]), free_job(&interrupting[i]);
}

/* ---- a library that comes and goes ---- */

static long resident_pages(void)
{
    long all = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld %ld", &all, &resident) != 2)
        fail("/proc/self/statm");
    fclose(f);
    return resident;
}

typedef void gemm_function(int, int, int, float, float, const float *, const float *, float *);

static void load_once(const char *path, job *j)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail(dlerror());
    gemm_function *f = NULL;
    void *symbol = dlsym(library, "gemm");
    memcpy(&f, &symbol, sizeof f);
    if (!f)
        fail("no gemm in the library");
    memset(j->out, 0, j->nout * sizeof(float));
    f(M, N, K, 1.5f, 0, j->in[0], j->in[1], j->out);
    if (!is_right(j))
        fail("a call of the library");
    if (dlclose(library) != 0 || dlopen(path, RTLD_NOW | RTLD_NOLOAD))
        fail("the library stays");
}

static void loads(const char *path)
{
    job j = new_job(0, 5);
    long before = 0;
    for (int i = 0; i < LOADS; i++) {
        load_once(path, &j);
        if (i == LOADS / 10)
            before = resident_pages();
    }
    long grown = resident_pages() - before;
    if (grown > 64) {
        printf("%ld pages more after %d loads\n", grown, LOADS);
        fail("memory is lost");
    }
    for (int i = 0; i < 900; i++) { /* glibc has 1,024 */
        pthread_key_t key;
        if (pthread_key_create(&key, NULL) != 0)
            fail("keys of threads are lost");
    }
    free_job(&j);
}

/* ---- no memory ---- */

static void no_memory(void)
{
    job j = new_job(0, 5);
    free(j.space);
    j.space = NULL;
    memcpy(j.want, j.out, j.nout * sizeof(float));
    if (j.call_in(&j) != 1 || memcmp(j.want, j.out, j.nout * sizeof(float)) != 0)
        fail("K_in without memory computes nothing and returns 1");
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        setrlimit(RLIMIT_AS, &none);
        void *volatile last;
        do /* takes what the heap has left */
            last = malloc(64 << 10);
        while (last);
        j.call(&j); /* says so, and aborts */
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        fail("a child");
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        fail("K without memory aborts");
    free_job(&j);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "small-stacks") == 0)
        small_stacks();
    else if (strcmp(what, "at-once") == 0)
        at_once();
    else if (strcmp(what, "fork") == 0)
        forks();
    else if (strcmp(what, "signals") == 0)
        signals();
    else if (strcmp(what, "loads") == 0 && argc > 2)
        loads(argv[2]);
    else if (strcmp(what, "no-memory") == 0)
        no_memory();
    else
        fail("usage: host small-stacks|at-once|fork|signals|loads LIBRARY|no-memory");
    printf("%s: right\n", what);
    return 0;
}
