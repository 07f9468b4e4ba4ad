/* Narrow: ranges of integer expressions under conditions, and the integers that hold a sum. */
#include "ir/kernel/narrow.h"
#include "tests/unit/isl_context.h"
#include "tests/unit/kernels.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static sq_expr *whole(sq_kernel *k, int64_t x)
{
    sq_expr *e = number(k, SQ_I32, 0);
    e->integer = x;
    return e;
}

/* cond ? a : b */
static sq_expr *choice(sq_kernel *k, sq_expr *cond, sq_expr *a, sq_expr *b)
{
    sq_expr *e = node(k, SQ_OP_SELECT, SQ_I32, cond, a);
    e->nargs = 3;
    e->arg[2] = b;
    return e;
}

/* An element of X, which is uint8_t, as int; less one of its neighbours: from -255 to 255. */
static sq_expr *element(sq_kernel *k)
{
    return node(k, SQ_OP_CAST, SQ_I32, read_of(k, "X", "{ S0_u[i,k] -> X[(i+k)] }", 1), NULL);
}

static sq_expr *difference(sq_kernel *k)
{
    return node(k, SQ_OP_SUB, SQ_I32, element(k), element(k));
}

static void expect_range(const sq_expr *e, int64_t lo, int64_t hi)
{
    sq_range r = sq_expr_range(e);
    assert_int_equal(r.lo, lo);
    assert_int_equal(r.hi, hi);
}

static void choices(void **state)
{
    (void)state;
    sq_kernel *k = kernel_window(ctx);
    expect_range(difference(k), -255, 255);
    sq_expr *below = node(k, SQ_OP_LT, SQ_I32, difference(k), whole(k, 0));
    expect_range(choice(k, below, node(k, SQ_OP_NEG, SQ_I32, difference(k), NULL), difference(k)), 0, 255);
    sq_expr *above = node(k, SQ_OP_LT, SQ_I32, whole(k, 100), difference(k));
    expect_range(choice(k, above, whole(k, 100), difference(k)), -255, 100);
    sq_expr *most = node(k, SQ_OP_LE, SQ_I32, difference(k), whole(k, 10));
    expect_range(choice(k, most, difference(k), whole(k, 11)), -255, 11);
    expect_range(choice(k, most, whole(k, 10), difference(k)), 10, 255);
    /* of something else than what is chosen */
    expect_range(choice(k, below, node(k, SQ_OP_NEG, SQ_I32, element(k), NULL), element(k)), -255, 255);
    sq_kernel_free(k);
}

/* Each level asks for its arms once: with two questions a level this would not end. */
static void deep_choices(void **state)
{
    (void)state;
    sq_kernel *k = kernel_window(ctx);
    sq_expr *e = element(k);
    for (int i = 0; i < 60; i++)
        e = choice(k, node(k, SQ_OP_LT, SQ_I32, element(k), whole(k, i)), e, whole(k, i));
    expect_range(e, 0, 59);
    sq_kernel_free(k);
}

static void sums(void **state)
{
    (void)state;
    sq_kernel *k = kernel_window(ctx);
    sq_type type;
    int64_t most;
    assert_false(sq_sum_fits(element(k), 2, 1, &type, &most));
    assert_true(sq_sum_fits(element(k), 257, 2, &type, &most));
    assert_int_equal(type, SQ_U16);
    assert_int_equal(most, 65535);
    assert_false(sq_sum_fits(element(k), 258, 2, &type, &most));
    assert_true(sq_sum_fits(difference(k), 128, 2, &type, &most));
    assert_int_equal(type, SQ_I16);
    assert_int_equal(most, 128 * 255);
    assert_false(sq_sum_fits(difference(k), 129, 2, &type, &most));
    assert_false(sq_sum_fits(element(k), 2, 4, &type, &most)); /* no narrower */
    sq_expr *wide = node(k, SQ_OP_CAST, SQ_I64, number(k, SQ_I64, 0), NULL);
    wide->arg[0]->integer = INT64_MIN;
    assert_false(sq_sum_fits(wide, 1, 4, &type, &most));
    sq_kernel_free(k);
}

/* (a + b + 1) >> 1 stays in bytes, whatever the order of the terms; other sums are widened. */
static void means(void **state)
{
    (void)state;
    sq_kernel *k = kernel_window(ctx);
    for (int i = 0; i < 5; i++) {
        sq_expr *a = element(k), *b = i < 4 ? element(k) : difference(k), *one = whole(k, i == 3 ? 2 : 1);
        sq_expr *sum = i == 0   ? node(k, SQ_OP_ADD, SQ_I32, node(k, SQ_OP_ADD, SQ_I32, a, b), one)
                       : i == 1 ? node(k, SQ_OP_ADD, SQ_I32, one, node(k, SQ_OP_ADD, SQ_I32, a, b))
                                : node(k, SQ_OP_ADD, SQ_I32, node(k, SQ_OP_ADD, SQ_I32, a, one), b);
        sq_expr *e = node(k, SQ_OP_CAST, SQ_U8, node(k, SQ_OP_SHR, SQ_I32, sum, whole(k, 1)), NULL);
        sq_expr *x = sq_expr_narrowed(k, e);
        assert_non_null(x);
        assert_int_equal(x->op == SQ_OP_AVERAGE, i < 3);
        assert_int_equal(x->type, SQ_U8);
    }
    sq_kernel_free(k);
}

/* (uint8_t)(x >> by) in the narrowest integers that have the bits. */
static void expect_shift(sq_kernel *k, sq_expr *x, int by, sq_type type)
{
    sq_expr *e = node(k, SQ_OP_CAST, SQ_U8, node(k, SQ_OP_SHR, SQ_I32, x, whole(k, by)), NULL);
    const sq_expr *n = sq_expr_narrowed(k, e);
    if (type == SQ_I32) {
        assert_null(n);
        return;
    }
    assert_non_null(n);
    n = type == SQ_U8 ? n : n->arg[0];
    assert_int_equal(n->op, SQ_OP_SHR);
    assert_int_equal(n->type, type);
}

/* A byte of a product that needs 17 bits is made of 16 of them; of a cast that changes nothing, the value. */
static void shifts(void **state)
{
    (void)state;
    sq_kernel *k = kernel_window(ctx);
    expect_shift(k, element(k), 4, SQ_U8);
    expect_shift(k, node(k, SQ_OP_MUL, SQ_I32, difference(k), element(k)), 8, SQ_U16);
    expect_shift(k, node(k, SQ_OP_MUL, SQ_I32, difference(k), element(k)), 9, SQ_I32);
    sq_expr *folded = node(k, SQ_OP_BIT_XOR, SQ_I32, element(k), node(k, SQ_OP_SHR, SQ_I32, element(k), whole(k, 4)));
    sq_expr *byte = node(k, SQ_OP_CAST, SQ_I32, node(k, SQ_OP_CAST, SQ_U8, folded, NULL), NULL);
    expect_shift(k, byte, 1, SQ_U8);
    expect_shift(k, node(k, SQ_OP_MUL, SQ_I32, byte, byte), 7, SQ_U16);
    sq_kernel_free(k);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices),
        cmocka_unit_test(deep_choices),
        cmocka_unit_test(sums),
        cmocka_unit_test(means),
        cmocka_unit_test(shifts),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
