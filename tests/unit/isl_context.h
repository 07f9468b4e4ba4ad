/* Isl context: the one that all tests of a program share, and the fixture that opens and closes it.
 * It goes on after an isl error, as the program's own does. */
#ifndef SQ_TESTS_ISL_CONTEXT_H
#define SQ_TESTS_ISL_CONTEXT_H
#include <isl/options.h>

static isl_ctx *ctx;

static int open_isl(void **state)
{
    (void)state;
    ctx = isl_ctx_alloc();
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    return 0;
}

static int close_isl(void **state)
{
    (void)state;
    isl_ctx_free(ctx);
    return 0;
}
#endif
