/* Contest: several ways of computing one thing, measured side by side. In every round each
 * contestant runs one batch, the next round goes the other way round (ABBA), so that a machine that
 * drifts, or is shared, drifts for all of them; what is compared is the ratio within a round. The
 * loop that measures the processor's peak is a contestant too. */
#ifndef SQ_BENCH_CONTEST_H
#define SQ_BENCH_CONTEST_H
#include <stdbool.h>

enum { BENCH_MAX_CONTESTANTS = 16, BENCH_MAX_ROUNDS = 60 };

typedef enum bench_kind { BENCH_PEAK, BENCH_OURS, BENCH_RIVAL, BENCH_NAIVE } bench_kind;

typedef struct bench_contestant {
    char name[32]; /* column of the table */
    bench_kind kind;
    void (*call)(void *state); /* once */
    void *state;               /* not owned */
    double flops;              /* of one call */
    double error;              /* largest relative error of what it computed; < 0: not checked */
    long calls;                /* in a batch */
    double seconds[BENCH_MAX_ROUNDS]; /* of one call, per round */
} bench_contestant;

typedef struct bench_contest {
    char id[48];
    int n, rounds;
    bench_contestant c[BENCH_MAX_CONTESTANTS];
} bench_contest;

void bench_contest_add(bench_contest *t, bench_kind kind, const char *name, double flops,
                       void (*call)(void *), void *state, double error);
/* Runs rounds until `limit` seconds have passed, at least 7 of them. In CPU time of the process,
 * which other programs disturb least, or by the wall clock, which threads need. */
void bench_contest_run(bench_contest *t, double limit, bool cpu_time);

/* GFLOP/s of contestant i, from its median time. */
double bench_contest_speed(const bench_contest *t, int i);
/* How many times faster than j contestant i is: the median of the rounds' ratios. */
double bench_contest_ratio(const bench_contest *t, int i, int j);
/* The fastest of a kind, -1 if none takes part or all were wrong. */
int bench_contest_best(const bench_contest *t, bench_kind kind);
int bench_contest_find(const bench_contest *t, const char *name);
#endif
