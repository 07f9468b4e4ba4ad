"""squall_kernel(name, src, ...): a cc_library of the kernels of a description, made while the project is built."""

def squall_kernel(name, src, targets = ["generic"], hdrs = [], options = [], copts = ["-O2"], **kwargs):
    """Runs `squall compile` and compiles what it writes.

    Args:
      name: of the library; `#include "STEM.h"` declares its functions, for src = "STEM.sq".
      src: the description.
      targets: of --target; of --targets where there are several processors.
      hdrs: files that the description includes. Others are not there in a sandbox.
      options: more words for `squall compile`.
      copts: of the C compiler. Without -O2 kernels are ten times slower.
      **kwargs: more of cc_library.
    """
    stem = src[:-len(".sq")]
    several = len([t for t in targets if t not in ["openmp", "tasks", "serial"]]) > 1
    words = [
        "$(execpath @squall//:squall) compile $(execpath %s)" % src,
        ("--targets=" if several else "--target=") + ",".join(targets),
        "-o $(execpath %s.c) --header=$(execpath %s.h)" % (stem, stem),
    ]
    native.genrule(
        name = name + ".generate",
        # A schedule that is put beside the description later is seen: glob() is evaluated in every build.
        srcs = [src] + hdrs + native.glob([stem + ".*.sched"], allow_empty = True),
        outs = [stem + ".c", stem + ".h"],
        tools = ["@squall//:squall"],
        cmd = " ".join(words + options),
        message = "Generating %s.c with squall" % stem,
    )
    openmp = ["-fopenmp"] if "openmp" in targets else []
    native.cc_library(
        name = name,
        srcs = [stem + ".c"],
        hdrs = [stem + ".h"],
        includes = ["."],
        copts = copts + openmp,
        linkopts = ["-lm"] + openmp,
        **kwargs
    )
