/* Data: the arrays of bench-loops. */
#ifndef SQ_BENCH_LOOPS_DATA_H
#define SQ_BENCH_LOOPS_DATA_H
#include <stdint.h>

/* Elements of the arrays and of a row of the matrices: some arrays of each loop fit into the first-level
 * cache, all into the second. Neither is a multiple of a vector. All arrays begin at a cache line, and no
 * two at the same place of a page. */
enum { BENCH_LOOP_N = 4001, BENCH_LOOP_M = 125, BENCH_LOOP_ROOM = 4368 };

typedef struct bench_loop_data {
    _Alignas(64) float a[BENCH_LOOP_ROOM];
    float b[BENCH_LOOP_ROOM], c[BENCH_LOOP_ROOM], d[BENCH_LOOP_ROOM], e[BENCH_LOOP_ROOM],
        f[BENCH_LOOP_ROOM], g[BENCH_LOOP_ROOM];
    double x[BENCH_LOOP_ROOM], y[BENCH_LOOP_ROOM], z[BENCH_LOOP_ROOM];
    int p[BENCH_LOOP_ROOM], q[BENCH_LOOP_ROOM], s[BENCH_LOOP_ROOM], index[BENCH_LOOP_ROOM];
    uint32_t w[BENCH_LOOP_ROOM], v[BENCH_LOOP_ROOM];
    int16_t h[BENCH_LOOP_ROOM + 16], k[BENCH_LOOP_ROOM + 16];
    uint8_t u[BENCH_LOOP_ROOM + 48], v8[BENCH_LOOP_ROOM + 48], m[BENCH_LOOP_ROOM + 48];
    float A[BENCH_LOOP_M][BENCH_LOOP_M], B[BENCH_LOOP_M][BENCH_LOOP_M],
        C[BENCH_LOOP_M][BENCH_LOOP_M];
    double r[8]; /* what functions return */
} bench_loop_data;

/* What a shared object of loops has: all in the order of their names. */
typedef struct bench_loop {
    const char *name;
    void (*run)(bench_loop_data *data);
} bench_loop;

typedef const bench_loop *bench_loop_list(void); /* "bench_loops"; ends with a name of NULL */
#endif
