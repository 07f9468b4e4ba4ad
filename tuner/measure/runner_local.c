/* Local runner: C on this machine's CPU. */
#include "tuner/measure/run.h"

static const sq_run_kind kind = {.compiler = sq_compiler_words,
                                 .suffix = ".c",
                                 .optimise = "-O2",
                                 .libraries = "-lm -lc",
                                 .build_timeout = 30,
                                 .run_timeout = 10,
                                 .start_seconds = 2};

static sq_run *open_run(const sq_kernel *k, const sq_run_options *o, sq_diags *d)
{
    return sq_run_open(&kind, k, o, d);
}

const sq_runner sq_runner_local = {
    "local",
    "builds with the C compiler and measures on one core of this machine, the builds on the "
    "others",
    sq_compiler_version,
    open_run,
    sq_run_submit,
    sq_run_collect,
    sq_run_incumbent,
    sq_run_close};
