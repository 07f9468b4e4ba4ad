/* Device runner: CUDA on this machine's device. The device's clock times the calls, and its results
 * are verified. Starting a process there takes seconds on machines with many devices; a hung kernel
 * ends with its process. */
#include "tuner/measure/run.h"

static const sq_run_kind kind = {.compiler = sq_nvcc_words,
                                 .suffix = ".cu",
                                 .optimise = "-O3",
                                 .libraries = "",
                                 .build_timeout = 120,
                                 .run_timeout = 30,
                                 .start_seconds = 10,
                                 .is_device = true};

static sq_run *open_run(const sq_kernel *k, const sq_run_options *o, sq_diags *d)
{
    return sq_run_open(&kind, k, o, d);
}

const sq_runner sq_runner_device = {
    "device",         "builds with nvcc and measures on a CUDA device of this machine",
    sq_nvcc_version,  open_run,
    sq_run_submit,    sq_run_collect,
    sq_run_incumbent, sq_run_close};
