/* Quota: a question ends at its number of operations, and where its numbers outgrow two machine
 * words; the one around it goes on. */
#include "ir/kernel/quota.h"
#include <isl/set.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Integer points on lines of these slopes: isl solves it with numbers of their products. */
static const char small[] = "{ [x, y, z] : 7 x + 5 y <= 3 z and 11 x - 13 y >= 17 and 0 <= z <= 40 "
                            "and 19 y >= 23 z - 300 }";
static const char large[] = "{ [x, y, z] : 70000000000000000003 x + 50000000000000000021 y <= "
                            "30000000000000000007 z and 11000000000000000011 x - "
                            "13000000000000000003 y >= 17 and 0 <= z <= 40 and "
                            "19000000000000000009 y >= 23000000000000000011 z - 300 }";

/* True if the question was given up. */
static bool gives_up(isl_ctx *ctx, const char *text, unsigned long operations,
                     unsigned long growths)
{
    isl_set *s = isl_set_read_from_str(ctx, text);
    assert_non_null(s);
    unsigned long around = sq_quota_narrow_growing(ctx, operations, growths);
    s = isl_set_coalesce(isl_set_detect_equalities(isl_set_remove_redundancies(s)));
    isl_set_free(isl_set_lexmin(s));
    bool hit = sq_quota_widen(ctx, around);
    isl_ctx_reset_error(ctx);
    return hit;
}

static void test_narrow(void **state)
{
    const char *why;
    isl_ctx *ctx = *state;
    sq_quota q = sq_quota_begin(ctx, 100000);
    assert_false(gives_up(ctx, small, 100000, 1));
    assert_true(gives_up(ctx, small, 3, 1));
    assert_true(gives_up(ctx, large, 100000, 1));
    assert_false(gives_up(ctx, large, 100000, ULONG_MAX));
    assert_false(gives_up(ctx, small, 100000, 1)); /* what was counted before is forgotten */
    assert_int_equal(isl_ctx_get_max_operations(ctx), 100000);
    assert_false(sq_quota_end(q, &why));
    assert_int_equal(isl_ctx_get_max_operations(ctx), 0);
}

static int setup(void **state)
{
    return (*state = isl_ctx_alloc()) ? 0 : -1;
}

static int teardown(void **state)
{
    isl_ctx_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_narrow, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
