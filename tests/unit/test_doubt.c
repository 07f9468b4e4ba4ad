/* Doubts: results beyond float in between, where the nest in double and the nest as written differ. What one of the two
 * makes is right, and a few elements may be anything; code that is wrong everywhere is wrong. */
#include "runtime/case.h"
#include "tests/unit/unit.h"
#include <stdbool.h>

enum { N = 40, BEYOND = 10 }; /* the last BEYOND elements overflow in float */

static float scale(int i)
{
    return i < N - BEYOND ? 1 : 1e30f;
}

static void in_double(void *const *arg)
{
    const float *x = arg[0];
    float *y = arg[1];
    for (int i = 0; i < N; i++)
        y[i] = (float)((double)x[i] * scale(i) * (1 + (double)x[i]) * scale(i) / scale(i));
}

static void as_written(void *const *arg)
{
    const float *x = arg[0];
    float *y = arg[1];
    for (int i = 0; i < N; i++) {
        volatile float product = x[i] * scale(i) * (1 + x[i]) * scale(i);
        y[i] = product / scale(i);
    }
}

static void open_case(sq_case *c)
{
    char why[200];
    static const char spec[] = "squall-case 1\nseed 17\npositive 1\narray x f32 in 1 40\narray y f32 out 1 40\n"
                               "rounding y 1e-5\n";
    assert_int_equal(sq_case_read_text(c, spec, sizeof spec - 1, why), 0);
    assert_int_equal(sq_case_map(c, NULL, 1, why), 0);
    assert_int_equal(sq_case_place(c, SQ_PLACE_ALIGNED, why), 0);
    in_double(c->arg);
    sq_case_keep(c);
}

/* The check of what `f` leaves, with the elements from `first` on times `by`. doubt: the nest as written is asked. */
static int check(sq_case *c, void (*f)(void *const *), int first, float by, bool doubt, char *why)
{
    double error;
    assert_int_equal(sq_case_place(c, SQ_PLACE_END, why), 0);
    f(c->arg);
    for (int i = first; i < N; i++)
        ((float *)c->arg[1])[i] *= by;
    int rc = sq_case_check(c, &error, why);
    if (rc == 0 || !doubt)
        return rc;
    assert_true(error > 1);
    assert_int_equal(sq_case_doubt(c, SQ_PLACE_END, as_written, why), 0);
    return sq_case_check(c, &error, why);
}

static int check_anew(void (*f)(void *const *), int first, float by, bool doubt, char *why)
{
    sq_case c;
    open_case(&c);
    int rc = check(&c, f, first, by, doubt, why);
    sq_case_unmap(&c);
    sq_case_free(&c);
    return rc;
}

static void either_nest_is_right(void **state)
{
    (void)state;
    char why[200];
    assert_int_equal(check_anew(in_double, N, 1, false, why), 0);
    assert_int_equal(check_anew(as_written, N, 1, false, why), -1);
    assert_non_null(strstr(why, "y[30] is inf, expected "));
    assert_int_equal(check_anew(as_written, N, 1, true, why), 0);
}

/* Elements that neither makes: few may be rounding errors. Where nothing overflows none may. */
static void few_may_be_anything(void **state)
{
    (void)state;
    char why[200];
    assert_int_equal(check_anew(in_double, N - 7, 1.1f, true, why), 0);
    assert_int_equal(check_anew(in_double, N - 8, 1.1f, true, why), -1);
    assert_string_equal(why, "8 of 40 elements of 'y' are neither as in double nor as in the kernel's own types");
    assert_int_equal(check_anew(as_written, N - BEYOND - 1, 1.1f, true, why), -1);
    assert_non_null(strstr(why, "y[29] is "));
}

static void forget_one(void *const *arg)
{
    float *y = arg[1], last = y[N - 1];
    as_written(arg);
    y[N - 1] = last;
}

/* Memory is as the candidate left it: an element that it did not write is still that. */
static void outputs_stay(void **state)
{
    (void)state;
    char why[200];
    assert_int_equal(check_anew(forget_one, N, 1, true, why), -1);
    assert_non_null(strstr(why, "y[39] is nan"));
    assert_non_null(strstr(why, "(never written)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(either_nest_is_right), cmocka_unit_test(few_may_be_anything),
                                       cmocka_unit_test(outputs_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
