/* Rivals: the table. A library that CMake did not find still has its row, whose open() says so. */
#include "bench/rival.h"

const bench_rival *const bench_rivals[] = {&bench_dnnl, &bench_dnnl_any, &bench_openblas,
                                           &bench_blis, NULL};
