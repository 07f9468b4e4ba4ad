/* Perturb: bounds of recurrences that make differences grow, and what they still find. */
#include "runtime/perturb.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { N = 41 };

/* x[i] = 3 x[i-1] - x[i-2], which grows 2.6-fold a step. */
static void grow(void *const *arg)
{
    float *x = arg[0];
    for (int i = 2; i < N; i++)
        x[i] = 3 * x[i - 1] - x[i - 2];
}

static void open_case(sq_case *c, const char *carried)
{
    char why[200];
    FILE *f = fopen("perturb.spec", "w");
    assert_non_null(f);
    fprintf(f, "squall-case 1\nseed 17\n%sarray x f32 inout 1 %d\nrounding x 1e-5\n", carried, N);
    fclose(f);
    assert_int_equal(sq_case_read(c, "perturb.spec", why), 0);
    assert_int_equal(sq_case_map(c, "perturb.data", 1, why), 0);
    assert_int_equal(sq_case_place(c, SQ_PLACE_ALIGNED, why), 0);
    grow(c->arg);
    sq_case_keep(c);
    if (c->carried)
        assert_int_equal(sq_case_perturb(c, grow, why), 0);
}

/* The check of results whose element i is off by so much. */
static int off_by(sq_case *c, int i, float relative)
{
    char why[200];
    double error;
    assert_int_equal(sq_case_place(c, SQ_PLACE_ALIGNED, why), 0);
    grow(c->arg);
    float *x = c->arg[0];
    x[i] *= 1 + relative;
    return sq_case_check(c, &error, why);
}

static void growing(void **state)
{
    (void)state;
    sq_case c;
    open_case(&c, "carried 1\n");
    assert_int_equal(off_by(&c, N - 1, 0), 0);
    assert_int_equal(off_by(&c, N - 1, 1.5e-5f), 0); /* another order of steps may be */
    assert_int_equal(off_by(&c, N - 1, 1e-3f), -1);
    assert_int_equal(off_by(&c, N / 2, NAN), -1);
    sq_case_free(&c);
    open_case(&c, "");
    assert_int_equal(off_by(&c, N - 1, 0), 0);
    assert_int_equal(off_by(&c, N - 1, 1.5e-5f), -1);
    sq_case_free(&c);
    unlink("perturb.spec");
    unlink("perturb.data");
}

/* What is left of a column after all of it has been taken out: rounding, divided by its own size; the last
 * element is as small as that leaves it. */
static void cancel(void *const *arg)
{
    float *x = arg[0], size = 0;
    for (int i = 0; i < N; i++) {
        float part = x[i] * 1.1f;
        x[i] = part - x[i] - x[i] * 0.1f;
    }
    for (int i = 0; i < N; i++)
        size += fabsf(x[i]);
    for (int i = 1; i < N - 1; i++)
        x[i] /= size;
    x[0] = 1;
}

/* The check of results of which element i is this. */
static int with(sq_case *c, int i, float value)
{
    char why[200];
    double error;
    assert_int_equal(sq_case_place(c, SQ_PLACE_ALIGNED, why), 0);
    cancel(c->arg);
    ((float *)c->arg[0])[i] = value;
    return sq_case_check(c, &error, why);
}

static void made_of_rounding(void **state)
{
    (void)state;
    char why[200];
    sq_case c;
    open_case(&c, "carried 1\n");
    assert_int_equal(sq_case_place(&c, SQ_PLACE_ALIGNED, why), 0);
    cancel(c.arg);
    sq_case_keep(&c);
    memset(c.data + c.param[0].marks, 0, N);
    assert_int_equal(sq_case_perturb(&c, cancel, why), 0);
    int same = 0;
    for (int i = 1; i < N - 1; i++) /* another order of steps may make anything of them */
        same += with(&c, i, 0.1f) == 0;
    assert_in_range(same, N - 4, N - 2);
    assert_int_equal(with(&c, 0, 1.1f), -1);
    assert_int_equal(with(&c, N - 1, 1e-9f), 0);
    assert_int_equal(with(&c, N - 1, 1000), -1); /* it cancels, and is still small */
    assert_int_equal(with(&c, N / 2, NAN), 0);
    sq_case_free(&c);
    unlink("perturb.spec");
    unlink("perturb.data");
}

/* Infinite a step early is no fault of a recurrence, a finite number where all is large is. */
static void overflowing(void **state)
{
    (void)state;
    char why[200];
    double error;
    sq_case c;
    open_case(&c, "carried 1\n");
    assert_int_equal(sq_case_place(&c, SQ_PLACE_ALIGNED, why), 0);
    float *x = c.arg[0];
    for (int i = 0; i < N; i++)
        x[i] = i < N / 2 ? 1 : 1e35f;
    sq_case_keep(&c);
    x[N - 1] = INFINITY;
    assert_int_equal(sq_case_check(&c, &error, why), 0);
    x[0] = INFINITY;
    assert_int_equal(sq_case_check(&c, &error, why), -1);
    sq_case_free(&c);
    unlink("perturb.spec");
    unlink("perturb.data");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(growing),
                                       cmocka_unit_test(made_of_rounding),
                                       cmocka_unit_test(overflowing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
