/* Fuzz target: the whole frontend, libclang included, then the checks of accesses and the exact
 * dependences. isl's objects must all be gone at the end of an input. */
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "tests/fuzz/target.h"
#include <isl/options.h>
#include <stdlib.h>

enum { LONGEST = 3000 };

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    /* libclang would survive its own crashes, and with them ours. */
    setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n > LONGEST)
        return -1;
    isl_ctx *ctx = isl_ctx_alloc();
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    sq_diags *d = sq_diags_new();
    sq_parse_options o = {.args = (const char *const[]){"-Wno-everything"}, .nargs = 1};
    sq_unit *u = sq_parse(ctx, "any.sq", (const char *)data, n, &o, d);
    for (int i = 0; u && i < u->nkernels; i++)
        if (sq_kernel_check(u->kernel[i], d) == 0)
            sq_deps_compute(u->kernel[i], d);
    print_quietly(d);
    sq_unit_free(u);
    sq_diags_free(d);
    isl_ctx_free(ctx);
    return 0;
}
