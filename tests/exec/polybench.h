/* Polybench: the table of samples/polybench/. Its rows are compared with plain C written by hand
 * (polybench_ref.h), the naive nest among the candidates. */
#ifndef SQ_TESTS_EXEC_POLYBENCH_H
#define SQ_TESTS_EXEC_POLYBENCH_H
#include "tests/exec/table.h"

typedef struct polybench {
    row row;
    const char *fill;  /* lines for the spec of a case: contents that keep the computation
                          well-conditioned, a bound where the usual one does not fit */
    const char *sizes; /* what the definition asks of sizes, in isl's words; NULL for nothing */
} polybench;

#define PROGRAM(name, ...)                                                                         \
    {                                                                                              \
        "samples/polybench/" name ".sq", NULL, "", AS_WRITTEN,                                     \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const polybench polybench_rows[] = {
    {.row = PROGRAM("2mm", "S0: micro(i:4, j:8 | k) S1: micro(i:4, l:8 | j)")},
    {.row = PROGRAM("3mm", "S2: tile(l:16, j:8) order(l0, j0) micro(i:3, l:8 | j)")},
    /* coefficients up to 2 N N / T, which cancel: rounding errors grow with them */
    {.row = PROGRAM("adi", NULL), .fill = "rounding U 1e-10\n"},
    {.row = PROGRAM("atax", "S0: micro(i:2 | j) vectorize(j:8) S1: micro(j:16 | i)")},
    {.row = PROGRAM("bicg", "S0: micro(i:2 | j) vectorize(j:8) S1: micro(j:16 | i)")},
    {.row = PROGRAM("cholesky", NULL), .fill = "fill A diagonal\n"},
    {.row = PROGRAM("correlation", NULL), .sizes = "N >= 1"},
    {.row = PROGRAM("covariance", NULL), .sizes = "N >= 2"},
    {.row = PROGRAM("deriche", NULL)},
    {.row = PROGRAM("doitgen", "S0: micro(q:2, p:8 | s)")},
    {.row = PROGRAM("durbin", "distribute(S3 at k) micro(S7.i:4)"), .fill = "fill r small\n"},
    {.row = PROGRAM("fdtd-2d", "distribute(S0 at t) micro(S1.j:8) micro(S2.i:2, j:4) parallel(S3.i)")},
    {.row = PROGRAM("floyd-warshall", NULL)},
    {.row = PROGRAM("gemm", "micro(i:4, j:16 | k)",
                    "tile(j:16, k:8) order(j0, k0, i, j) pack(B at k0 as j8) micro(i:4, j:8 | k)")},
    {.row = PROGRAM("gemver", "S0: micro(i:2, j:8) S1: micro(j:16 | i) S2: micro(i:4 | j)")},
    {.row = PROGRAM("gesummv", NULL)},
    {.row = PROGRAM("gramschmidt", "distribute(S0 at k) micro(S5.j:8 | i) order(S6.k, i, j) micro(S6.i:2, j:4)"),
     .fill = "fill A diagonal\n",
     .sizes = "M >= N"},
    {.row = PROGRAM("heat-3d", NULL)},
    {.row = PROGRAM("jacobi-1d", NULL)},
    {.row = PROGRAM("jacobi-2d", NULL)},
    {.row = PROGRAM("lu", NULL), .fill = "fill A diagonal\n"},
    {.row = PROGRAM("ludcmp", NULL), .fill = "fill A diagonal\n"},
    {.row = PROGRAM("mvt", "S0: micro(i:4 | j) vectorize(j:8) S1: micro(i:16 | j)")},
    {.row = PROGRAM("nussinov", NULL)},
    {.row = PROGRAM("seidel-2d", NULL)},
    {.row = PROGRAM("symm", NULL)},
    {.row = PROGRAM("syr2k", "micro(i:4, j:8 | k)")},
    {.row = PROGRAM("syrk", "micro(i:4, j:8 | k)",
                    "tile(i:32, j:16, k:8) order(i0, j0, k0) micro(i:3, j:8 | k)")},
    {.row = PROGRAM("trisolv", NULL), .fill = "fill L diagonal\n"},
    {.row = PROGRAM("trmm", NULL)},
};
#endif
