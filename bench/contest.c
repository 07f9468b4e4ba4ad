/* Contest: batches, rounds, medians. A batch lasts about a millisecond, which is long against the
 * clock's 30 ns and short against what disturbs a shared machine. */
#include "bench/contest.h"
#include "support/stats.h"
#include <stdio.h>
#include <time.h>

enum { LEAST_ROUNDS = 7 };
static const double batch_seconds = 1e-3, slow_seconds = 10e-3;

void bench_contest_add(bench_contest *t, bench_kind kind, const char *name, double flops,
                       void (*call)(void *), void *state, double error)
{
    if (t->n == BENCH_MAX_CONTESTANTS)
        return;
    bench_contestant *c = &t->c[t->n++];
    *c = (bench_contestant){
        .kind = kind, .call = call, .state = state, .flops = flops, .error = error};
    snprintf(c->name, sizeof c->name, "%s", name);
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double batch(const bench_contestant *c, clockid_t clock, long calls)
{
    double start = seconds(clock);
    for (long i = 0; i < calls; i++)
        c->call(c->state);
    return (seconds(clock) - start) / (double)calls;
}

static void calibrate(bench_contestant *c, clockid_t clock)
{
    batch(c, clock, 1);
    c->calls = 1;
    while (batch(c, clock, c->calls) * (double)c->calls < batch_seconds)
        c->calls *= 2;
}

static void measure(bench_contestant *c, clockid_t clock, int round)
{
    /* The contestant before has filled the caches with its own buffers. */
    if (c->calls > 1 || round == 0 || c->seconds[round - 1] < slow_seconds)
        batch(c, clock, 1);
    c->seconds[round] = batch(c, clock, c->calls);
}

void bench_contest_run(bench_contest *t, double limit, bool cpu_time)
{
    clockid_t clock = cpu_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    for (int i = 0; i < t->n; i++)
        calibrate(&t->c[i], clock);
    double start = seconds(CLOCK_MONOTONIC);
    for (t->rounds = 0; t->rounds < BENCH_MAX_ROUNDS; t->rounds++) {
        if (t->rounds >= LEAST_ROUNDS && seconds(CLOCK_MONOTONIC) - start > limit)
            break;
        for (int i = 0; i < t->n; i++)
            measure(&t->c[t->rounds % 2 ? t->n - 1 - i : i], clock, t->rounds);
    }
}

double bench_contest_speed(const bench_contest *t, int i)
{
    return t->c[i].flops / sq_median(t->c[i].seconds, (size_t)t->rounds) * 1e-9;
}

double bench_contest_ratio(const bench_contest *t, int i, int j)
{
    double ratio[BENCH_MAX_ROUNDS];
    for (int r = 0; r < t->rounds; r++)
        ratio[r] = t->c[j].seconds[r] / t->c[i].seconds[r];
    return sq_median(ratio, (size_t)t->rounds);
}

int bench_contest_best(const bench_contest *t, bench_kind kind)
{
    int best = -1;
    for (int i = 0; i < t->n; i++)
        if (t->c[i].kind == kind && (best < 0 || bench_contest_ratio(t, i, best) > 1))
            best = i;
    return best;
}

int bench_contest_find(const bench_contest *t, const char *name)
{
    for (int i = 0; i < t->n; i++) {
        const char *a = t->c[i].name, *b = name;
        while (*a && *a == *b)
            a++, b++;
        if (*a == *b)
            return i;
    }
    return -1;
}
