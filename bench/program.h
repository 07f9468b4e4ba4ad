/* Program: what the bench programs share: options, a quiet environment, rivals made ready, and one
 * contest per shape. */
#ifndef SQ_BENCH_PROGRAM_H
#define SQ_BENCH_PROGRAM_H
#include "bench/contest.h"
#include "bench/problem.h"
#include "bench/rival.h"
#include <stdbool.h>

enum { BENCH_MAX_ONLY = 32, BENCH_MAX_RIVALS = 8, BENCH_MAX_SHAPES = 40 };

typedef struct bench_program {
    const char *kernels;              /* folder of the shared objects */
    const char *only[BENCH_MAX_ONLY]; /* shapes; none: all */
    int nonly;
    double seconds; /* a shape's contest may take */
    bool json, markdown, list;
    int threads;
    const bench_rival *rival[BENCH_MAX_RIVALS]; /* those that are ready */
    int nrivals;
    char version[BENCH_MAX_RIVALS][64];
    bench_problem problem[BENCH_MAX_SHAPES]; /* contests done */
    bench_contest contest[BENCH_MAX_SHAPES];
    int ncontests;
} bench_program;

/* Reads the options (or prints usage and exits 64), starts the program anew with the thread counts
 * in its environment, pins it if it is to use one thread, opens the rivals. */
void bench_program_open(bench_program *b, int argc, char **argv, int threads);
bool bench_program_wants(const bench_program *b, const bench_problem *p);
/* For --list: a line per shape, `id squall-words`. */
void bench_program_list(const bench_program *b, const bench_problem *list);
/* All shapes of a list, one thread. Returns the exit code. */
int bench_program_run(bench_program *b, const bench_problem *list);
/* Runs it once on fresh arrays and says how far off the result is. */
double bench_program_try(bench_problem *p, void (*call)(void *), void *state);
#endif
