/* bench-loops: a hundred C loops as gcc -O3 compiles them, and as squall writes them anew: what is
 * compared is the ratio of the two within each round. Every result is compared first. */
#include "bench/contest.h"
#include "bench/loops/data.h"
#include "ir/machine/machine.h"
#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN, OURS, OURS_3, NCOLUMNS, MAX_LOOPS = 200, EXIT_USAGE = 64, EXIT_ENVIRONMENT = 3 };
static const char *const file_of[] = {"plain", "ours", "ours3"};
/* Sums of 8000 terms in another order stay below. */
static const double wrong = 1e-4, slow = 0.95;

typedef struct state {
    const bench_loop *loop;
    bench_loop_data *data;
} state;

typedef struct row {
    char name[32], refused[200];
    double ratio[NCOLUMNS], micros; /* of the plain loop */
    bool is_wrong;
} row;

static bench_loop_data fresh, result[NCOLUMNS];
static row rows[MAX_LOOPS];

static void call(void *user)
{
    const state *s = user;
    s->loop->run(s->data);
}

/* ---- data ---- */

/* Between -1 and 1. */
static double noise(unsigned *seed)
{
    *seed = *seed * 1103515245U + 12345U;
    return (double)(*seed >> 8) / (double)(1 << 23) - 1;
}

static void fill_row(bench_loop_data *t, int i, unsigned *seed)
{
    float *const single[] = {t->a, t->b, t->c, t->d, t->e, t->f};
    double *const wide[] = {t->x, t->y, t->z};
    for (int k = 0; k < 6; k++)
        single[k][i] = (float)noise(seed);
    for (int k = 0; k < 3; k++)
        wide[k][i] = noise(seed);
    t->g[i] = (float)(1 + 1e-4 * noise(seed)); /* whose product stays near 1 */
    t->p[i] = (int)(1000 * noise(seed));
    t->q[i] = (int)(1000 * noise(seed));
    t->s[i] = (int)(1000 * noise(seed));
    t->index[i] = (int)(((unsigned)i * 1237U) % BENCH_LOOP_N);
    t->w[i] = *seed;
    t->v[i] = *seed * 2654435761U;
    t->h[i] = (int16_t)(t->w[i] >> 16);
    t->k[i] = (int16_t)(t->v[i] >> 16);
    t->u[i] = (uint8_t)(t->w[i] >> 9);
    t->v8[i] = (uint8_t)(t->v[i] >> 9);
    t->m[i] = (t->v[i] >> 20) % 3 != 0;
}

static void fill(bench_loop_data *t)
{
    unsigned seed = 1;
    for (int i = 0; i < BENCH_LOOP_ROOM; i++)
        fill_row(t, i, &seed);
    for (int i = 0; i < BENCH_LOOP_M; i++)
        for (int j = 0; j < BENCH_LOOP_M; j++) {
            t->A[i][j] = (float)noise(&seed);
            t->B[i][j] = (float)noise(&seed);
            t->C[i][j] = (float)noise(&seed);
        }
}

static bool near(double a, double b)
{
    return fabs(a - b) <= wrong * (1 + fabs(a));
}

static bool near_singles(const void *a, const void *b, size_t bytes)
{
    const float *x = a, *y = b;
    bool same = true;
    for (size_t i = 0; i < bytes / sizeof *x; i++)
        same &= near(x[i], y[i]);
    return same;
}

static bool near_doubles(const void *a, const void *b, size_t bytes)
{
    const double *x = a, *y = b;
    bool same = true;
    for (size_t i = 0; i < bytes / sizeof *x; i++)
        same &= near(x[i], y[i]);
    return same;
}

/* Members of one type lie side by side. */
static bool agree(const bench_loop_data *a, const bench_loop_data *b)
{
    const size_t x = offsetof(bench_loop_data, x), p = offsetof(bench_loop_data, p),
                 A = offsetof(bench_loop_data, A), r = offsetof(bench_loop_data, r);
    const char *s = (const char *)a, *t = (const char *)b;
    return near_singles(s, t, x) && near_doubles(s + x, t + x, p - x) &&
           memcmp(s + p, t + p, A - p) == 0 && near_singles(s + A, t + A, r - A) &&
           near_doubles(s + r, t + r, sizeof *a - r);
}

/* ---- contests ---- */

/* What squall said where it refused the region: the first line of <name>.log. */
static void read_refusal(row *r, const char *folder)
{
    char path[512], line[400];
    snprintf(path, sizeof path, "%s/ours/%s.refused", folder, r->name);
    FILE *f = fopen(path, "r");
    if (!f)
        return;
    const char *text = fgets(line, sizeof line, f);
    const char *error = text ? strstr(text, "error: ") : NULL;
    snprintf(r->refused, sizeof r->refused, "%.190s", error ? error + 7 : "refused");
    r->refused[strcspn(r->refused, "\n")] = '\0';
    fclose(f);
}

static void measure(row *r, const bench_loop *const *loop, double seconds)
{
    static bench_contest t;
    static state s[NCOLUMNS];
    t = (bench_contest){.n = 0};
    for (int i = 0; i < NCOLUMNS; i++) {
        result[i] = fresh;
        loop[i]->run(&result[i]);
        r->is_wrong |= i > 0 && !agree(&result[0], &result[i]);
    }
    /* All on one block of memory, so that none has luck with where it lies. */
    result[0] = fresh;
    for (int i = 0; i < NCOLUMNS; i++) {
        s[i] = (state){loop[i], &result[0]};
        bench_contest_add(&t, i ? BENCH_OURS : BENCH_NAIVE, file_of[i], 1, call, &s[i], 0);
    }
    bench_contest_run(&t, seconds, true);
    r->micros = 1e-3 / bench_contest_speed(&t, PLAIN);
    for (int i = 0; i < NCOLUMNS; i++)
        r->ratio[i] = bench_contest_ratio(&t, i, PLAIN);
}

/* ---- table ---- */

static void report(const row *list, int n)
{
    double sum[NCOLUMNS] = {0};
    int below[NCOLUMNS] = {0}, refused = 0, bad = 0;
    printf("%-16s %9s %9s %9s\n", "loop", "plain us", "ours -O2", "ours -O3");
    for (int i = 0; i < n; i++) {
        const row *r = &list[i];
        printf("%-16s %9.2f %9.2f %9.2f%s%s%s\n", r->name, r->micros, r->ratio[OURS],
               r->ratio[OURS_3], r->is_wrong ? "  computes wrongly" : "",
               *r->refused ? "  refused: " : "", r->refused);
        bad += r->is_wrong;
        refused += *r->refused != '\0';
        for (int k = 0; k < NCOLUMNS; k++) {
            sum[k] += log(r->ratio[k]);
            below[k] += r->ratio[k] < slow;
        }
    }
    printf("%-16s %9s %9.3f %9.3f\n", "geometric mean", "", exp(sum[OURS] / n),
           exp(sum[OURS_3] / n));
    printf("%-16s %9s %9d %9d\n", "below 0.95", "", below[OURS], below[OURS_3]);
    printf("%d loops, %s, %d refused, %d wrong\n", n, sq_machine_host_isa(), refused, bad);
}

static const bench_loop *loops_of(const char *folder, const char *file)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.so", folder, file);
    void *so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *list = so ? dlsym(so, "bench_loops") : NULL;
    bench_loop_list *f = NULL;
    if (!list) {
        fprintf(stderr, "%s\n", dlerror());
        exit(EXIT_ENVIRONMENT);
    }
    memcpy(&f, &list, sizeof f);
    return f();
}

/* To the last processor: the first one gets most interrupts. */
static void pin(void)
{
    cpu_set_t may, one;
    if (sched_getaffinity(0, sizeof may, &may) != 0)
        return;
    int cpu = CPU_SETSIZE - 1;
    while (cpu > 0 && !CPU_ISSET(cpu, &may))
        cpu--;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static bool wants(int argc, char **argv, const char *name)
{
    for (int i = 3; i < argc; i++)
        if (strncmp(argv[i], name, strlen(argv[i])) == 0)
            return true;
    return argc <= 3;
}

int main(int argc, char **argv)
{
    const bench_loop *list[NCOLUMNS];
    int n = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: %s DIR SECONDS [LOOP|BEGINNING]...; bench/run loops makes DIR\n",
                argv[0]);
        return EXIT_USAGE;
    }
    for (int i = 0; i < NCOLUMNS; i++)
        list[i] = loops_of(argv[1], file_of[i]);
    pin();
    fill(&fresh);
    for (; list[PLAIN]->name && n < MAX_LOOPS; list[0]++, list[1]++, list[2]++) {
        if (!wants(argc, argv, list[PLAIN]->name))
            continue;
        row *r = &rows[n++];
        snprintf(r->name, sizeof r->name, "%s", list[PLAIN]->name);
        read_refusal(r, argv[1]);
        measure(r, list, atof(argv[2]));
    }
    report(rows, n);
    return 0;
}
