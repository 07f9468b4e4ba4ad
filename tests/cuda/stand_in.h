/* What simt_nvcc, in the place of nvcc, is called. */
#ifndef SQ_TESTS_STAND_IN_H
#define SQ_TESTS_STAND_IN_H
#include "tuner/measure/toolchain.h"
#include <stdio.h>
#include <stdlib.h>

static inline const char *stand_in(void)
{
    static char nvcc[4000];
    snprintf(nvcc, sizeof nvcc, "%s/tests/cuda/simt_nvcc", getenv("SQUALL_BUILD"));
    return nvcc;
}

/* Says what is missing for it. */
static inline bool stand_in_is_missing(void)
{
    bool built = sq_is_on_path(stand_in()), compiler = sq_is_on_path("g++");
    if (!built || !compiler)
        printf("skipped: %s\n",
               built ? "there is no g++" : "no CUDA text runs on this kind of processor");
    return !built || !compiler;
}
#endif
