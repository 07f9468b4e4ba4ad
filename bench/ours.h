/* Ours: kernels that squall made, each a shared object <shape>.<label>.so in one folder, built by
 * bench/run. Whatever labels are there take part: naive, untuned, hand, tuned. */
#ifndef SQ_BENCH_OURS_H
#define SQ_BENCH_OURS_H
#include "bench/problem.h"
#include <stddef.h>

typedef struct bench_ours {
    char label[32];
    void *library;
    void (*function)(void); /* of the signature the problem implies */
    const bench_problem *problem;
    int threads; /* set before every call; 0: left alone */
} bench_ours;

/* Opens all kernels of a problem, in the order of their labels' merit; returns how many. */
int bench_ours_open(const bench_problem *p, const char *dir, bench_ours *to, int max);
void bench_ours_close(bench_ours *o, int n);
/* Calls one: state is a bench_ours. */
void bench_ours_call(void *state);
#endif
