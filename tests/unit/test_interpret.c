/* The interpreter of code: what it computes, what it refuses to compute, in which orders it runs. */
#include "ir/kernel/evaluate.h"
#include "ir/kernel/form.h"
#include "tests/unit/interpret_fixture.h"
#include <math.h>

static sq_code *all_elements(const fixture *f, const sq_code_expr *value)
{
    const made *m = &f->m;
    sq_code *store = made_store(m, made_at(m, f->b, m->i, m->j), value);
    return made_loop(m, "i", m->n, made_loop(m, "j", count(f, COLUMNS), store));
}

static void loops_and_sums_run(void **state)
{
    (void)state;
    fixture f = open_fixture(SQ_F32);
    const made *m = &f.m;
    const sq_code_buffer *s = sq_code_register(m->pool, "s", SQ_F32);
    const sq_code_expr *sum = sq_code_load(m->pool, s, NULL);
    sq_code_list row = {0};
    sq_code_append(&row, sq_code_declare(m->pool, s, false));
    sq_code_append(&row, made_store(m, sum, sq_code_constant(m->pool, SQ_F32, (sq_number){0})));
    sq_code_append(
        &row,
        made_loop(m, "j", count(&f, COLUMNS),
                  made_store(m, sum, made_both(m, SQ_OP_ADD, sum, made_at(m, f.a, m->i, m->j)))));
    sq_code_append(&row, made_store(m, made_at(m, f.b, m->i, count(&f, 0)), sum));
    assert_null(run(&f, made_loop(m, "i", m->n, row.first), SQ_INTERPRET_WRITTEN));
    for (int i = 0; i < N; i++)
        assert_true(f.memory->array[1].at[COLUMNS * i].real == 64 * i + 28);
    assert_false(f.memory->array[1].defined[1]);
    close_fixture(&f);
}

/* Every operation is rounded to its own type; integers wrap around. */
static void types_are_respected(void **state)
{
    (void)state;
    fixture f = open_fixture(SQ_F32), h = open_fixture(SQ_F16), i = open_fixture(SQ_I32);
    const made *m = &f.m;
    const sq_code_expr *x = made_at(m, f.a, m->i, m->j),
                       *tiny = sq_code_constant(m->pool, SQ_F32, (sq_number){.real = 0x1p-30}),
                       *one = sq_code_constant(m->pool, SQ_F32, (sq_number){.real = 1});
    const sq_code_expr *lost = made_both(m, SQ_OP_ADD, made_both(m, SQ_OP_ADD, one, tiny), x);
    assert_null(
        run(&f, all_elements(&f, made_both(m, SQ_OP_SUB, lost, one)), SQ_INTERPRET_WRITTEN));
    assert_true(f.memory->array[1].at[9].real == 9);

    m = &h.m;
    const sq_code_expr *half = made_at(m, h.a, m->i, m->j),
                       *wide = sq_code_operation(m->pool, SQ_OP_CAST, SQ_F32, &half),
                       *large =
                           made_both(m, SQ_OP_ADD, wide,
                                     sq_code_constant(m->pool, SQ_F32, (sq_number){.real = 2048}));
    assert_null(run(&h, all_elements(&h, sq_code_operation(m->pool, SQ_OP_CAST, SQ_F16, &large)),
                    SQ_INTERPRET_WRITTEN));
    assert_true(h.memory->array[1].at[1].real == 2048 && h.memory->array[1].at[3].real == 2052);

    m = &i.m;
    const sq_code_expr *k = made_at(m, i.a, m->i, m->j),
                       *most = sq_code_constant(m->pool, SQ_I32, (sq_number){.integer = INT32_MAX});
    assert_null(run(&i, all_elements(&i, made_both(m, SQ_OP_ADD, k, most)), SQ_INTERPRET_WRITTEN));
    assert_int_equal(i.memory->array[1].at[0].integer, INT32_MAX);
    assert_int_equal(i.memory->array[1].at[2].integer, INT32_MIN + 1);
    close_fixture(&f);
    close_fixture(&h);
    close_fixture(&i);
}

/* What is not asked for is not evaluated: it may be outside. */
static void choices_are_lazy(void **state)
{
    (void)state;
    fixture f = open_fixture(SQ_I32);
    const made *m = &f.m;
    const sq_code_expr *zero = sq_code_constant(m->pool, SQ_I32, (sq_number){0}),
                       *outside = made_at(m, f.a, sq_code_plus(m->pool, m->i, 100), m->j);
    const sq_code_expr *never = made_both(m, SQ_OP_AND, zero, outside),
                       *always =
                           made_both(m, SQ_OP_OR, made_both(m, SQ_OP_EQ, zero, zero), outside);
    const sq_code_expr *inside = sq_code_compare(m->pool, SQ_CODE_LT, m->i, count(&f, 0));
    assert_null(run(&f, all_elements(&f, never), SQ_INTERPRET_WRITTEN));
    assert_null(run(&f, all_elements(&f, always), SQ_INTERPRET_WRITTEN));
    assert_int_equal(f.memory->array[1].at[3].integer, 1);
    assert_null(run(&f, all_elements(&f, sq_code_choose(m->pool, inside, outside, zero)),
                    SQ_INTERPRET_WRITTEN));
    assert_int_equal(f.memory->array[1].at[3].integer, 0);
    close_fixture(&f);
}

/* A[i][0] = A[i - 1][0] + A[i][0] in a loop that claims to be parallel. */
static void orders_show_races(void **state)
{
    (void)state;
    static const sq_code_runs kinds[] = {SQ_CODE_SERIAL, SQ_CODE_THREADS, SQ_CODE_GRID,
                                         SQ_CODE_LANES, SQ_CODE_SUMS};
    static const sq_interpret_order orders[] = {SQ_INTERPRET_WRITTEN, SQ_INTERPRET_REVERSED,
                                                SQ_INTERPRET_SHUFFLED};
    for (size_t kind = 0; kind < LENGTH(kinds); kind++)
        for (size_t o = 0; o < LENGTH(orders); o++) {
            fixture f = open_fixture(SQ_I32);
            const made *m = &f.m;
            const sq_code_expr *next = sq_code_plus(m->pool, m->i, 1), *zero = count(&f, 0);
            const sq_code_expr *to = made_at(m, f.a, next, zero);
            sq_code *x = made_loop(
                m, "i", count(&f, N - 1),
                made_store(m, to, made_both(m, SQ_OP_ADD, to, made_at(m, f.a, m->i, zero))));
            x->runs = kinds[kind];
            assert_null(run(&f, x, orders[o]));
            bool as_written = f.memory->array[0].at[(N - 1) * COLUMNS].integer == 80;
            assert_int_equal(as_written, kind == 0 || o == 0);
            close_fixture(&f);
        }
}

static void index_arithmetic_is_that_of_c(void **state)
{
    (void)state;
    fixture f = open_fixture(SQ_I64);
    const made *m = &f.m;
    sq_code_pool *p = m->pool;
    const sq_code_expr *back = sq_code_plus(p, sq_code_scale(p, -1, m->i), 0);
    const struct {
        const sq_code_expr *e;
        int64_t at3; /* its value at i = 3 */
    } table[] = {
        {sq_code_divide(p, SQ_CODE_DIV, back, count(&f, 2)), -1},
        {sq_code_divide(p, SQ_CODE_FLOORD, back, count(&f, 2)), -2},
        {sq_code_divide(p, SQ_CODE_REM, back, count(&f, 2)), -1},
        {sq_code_min(p, m->i, m->n), 3},
        {sq_code_max(p, m->i, m->n), 5},
        {sq_code_clamp(p, back, m->n), 0},
        {sq_code_clamp(p, sq_code_scale(p, 4, m->i), m->n), 4},
        {sq_code_mul(p, m->i, m->n), 15},
        {sq_code_select(p, sq_code_compare(p, SQ_CODE_GE, m->i, count(&f, 3)), m->n, m->i), 5},
    };
    for (size_t t = 0; t < LENGTH(table); t++) {
        const sq_code_expr *value = sq_code_operation(p, SQ_OP_CAST, SQ_I64, &table[t].e);
        assert_null(run(&f, all_elements(&f, value), SQ_INTERPRET_WRITTEN));
        assert_int_equal(f.memory->array[1].at[3 * COLUMNS].integer, table[t].at3);
    }
    close_fixture(&f);
}

/* Each row is code that is wrong, and what is said of it. */
static void errors_say_where(void **state)
{
    (void)state;
    fixture f = open_fixture(SQ_I32);
    const made *m = &f.m;
    sq_code_pool *p = m->pool;
    sq_code_buffer fixed = *f.a;
    fixed.is_readonly = true;
    sq_code_buffer other = *f.a;
    other.name = "Z";
    const sq_code_buffer *s = sq_code_register(p, "s", SQ_I32);
    const sq_code_expr *a = made_at(m, f.a, m->i, m->j),
                       *zero = sq_code_constant(p, SQ_I32, (sq_number){0}),
                       *wide = sq_code_constant(p, SQ_I32, (sq_number){.integer = 32}),
                       *sum = sq_code_load(p, s, NULL),
                       *past = made_at(m, f.a, sq_code_plus(p, m->i, 1), m->j);
    sq_code *endless = made_loop(m, "i", NULL, NULL), *again = all_elements(&f, zero);
    sq_code *declared = sq_code_declare(p, s, false);
    declared->next = all_elements(&f, sum);
    endless->cond = sq_code_compare(p, SQ_CODE_GE, m->i, count(&f, 0));
    again->step = 0;
    const struct {
        const sq_code *code;
        const char *said;
    } table[] = {
        {all_elements(&f, past), "a load of A[5][0], which is outside of it at i = 4, j = 0"},
        {all_elements(&f, made_at(m, f.b, m->i, m->j)),
         "a load of B[0][0], which was never written at i = 0, j = 0"},
        {made_loop(m, "i", m->n,
                   made_store(m, made_at(m, f.b, count(&f, 0), sq_code_scale(p, 3, m->i)), zero)),
         "a store to B[0][9], which is outside of it at i = 3"},
        {all_elements(&f, made_both(m, SQ_OP_DIV, a, zero)), "a division by zero at i = 0, j = 0"},
        {all_elements(&f, made_both(m, SQ_OP_MOD, a, zero)), "a division by zero at i = 0, j = 0"},
        {all_elements(&f, made_both(m, SQ_OP_SHL, a, wide)),
         "a shift by a distance that the type does not have at i = 0, j = 0"},
        {declared, "a load of s, which was never written at i = 0, j = 0"},
        {made_store(m, made_at(m, &fixed, m->n, m->n), zero), "A: it is read only and stored to"},
        {made_store(m, made_at(m, f.a, m->i, m->n), zero), "i: it is used and not defined"},
        {made_store(m, sum, zero), "s: no declaration of it is around"},
        {made_store(m, made_at(m, &other, m->n, m->n), zero),
         "Z: there is no such array of its type and dimensions"},
        {made_loop(m, "i", m->n, sq_code_let(p, "x", sq_code_divide(p, SQ_CODE_DIV, m->n, m->i))),
         "an index expression divides 5 by 0 at i = 0"},
        {endless, "more than 10000 statements and iterations at i = 9999"},
        {again, "a loop with the step 0 at i = 0"},
    };
    for (size_t t = 0; t < LENGTH(table); t++) {
        const char *said = run(&f, table[t].code, SQ_INTERPRET_WRITTEN);
        assert_string_equal(said ? said : "nothing", table[t].said);
        for (int i = 0; i < N * COLUMNS; i++)
            f.memory->array[1].defined[i] = false;
    }
    close_fixture(&f);
}

/* A condition of a store is asked. */
static void stores_are_guarded(void **state)
{
    (void)state;
    fixture f = open_fixture(SQ_F32);
    const made *m = &f.m;
    const sq_code_expr *place = made_at(m, f.b, count(&f, 0), count(&f, 0));
    sq_code *guarded = made_store(m, place, made_at(m, f.a, count(&f, 0), count(&f, 1)));
    guarded->cond = sq_code_compare(m->pool, SQ_CODE_GT, m->n, count(&f, N));
    assert_null(run(&f, guarded, SQ_INTERPRET_WRITTEN));
    assert_false(f.memory->array[1].defined[0]);
    guarded->cond = sq_code_compare(m->pool, SQ_CODE_GE, m->n, count(&f, N));
    assert_null(run(&f, guarded, SQ_INTERPRET_WRITTEN));
    assert_true(f.memory->array[1].defined[0]);
    close_fixture(&f);
}

/* A variable that each iteration has its own of is poisoned again in each. */
static void declarations_poison(void **state)
{
    (void)state;
    fixture f = open_fixture(SQ_I32);
    const made *m = &f.m;
    const sq_code_buffer *s = sq_code_register(m->pool, "s", SQ_I32);
    const sq_code_expr *sum = sq_code_load(m->pool, s, NULL);
    sq_code *first = sq_code_new(m->pool, SQ_CODE_IF);
    first->cond = sq_code_compare(m->pool, SQ_CODE_EQ, m->i, count(&f, 0));
    first->body = made_store(m, sum, made_at(m, f.a, m->i, m->i));
    for (int zeroed = 0; zeroed < 2; zeroed++) {
        sq_code_list body = {0};
        sq_code_append(&body, sq_code_declare(m->pool, s, zeroed));
        sq_code_append(&body, first);
        sq_code_append(&body, made_store(m, made_at(m, f.b, m->i, m->i), sum));
        const char *said = run(&f, made_loop(m, "i", m->n, body.first), SQ_INTERPRET_WRITTEN);
        assert_string_equal(said ? said : "nothing",
                            zeroed ? "nothing" : "a load of s, which was never written at i = 1");
        first->next = NULL;
    }
    close_fixture(&f);
}

static bool count_point(const int64_t *at, void *user)
{
    int *n = user;
    *n += at[0] >= 0;
    return true;
}

/* A dimension that only a division bounds has an end. */
static void points_end_by_divisions(void **state)
{
    (void)state;
    int n = 0;
    int64_t at[1];
    const int64_t sizes[] = {5};
    sq_kernel *k = kernel_new(ctx, "test", "[n] -> { : n >= 0 }");
    kernel_size(k, "n");
    isl_set *set =
        isl_set_read_from_str(ctx, "[n] -> { S[a] : 0 <= 2*floor(a/2) <= n and a mod 4 <= 2 }");
    sq_points *p = sq_points_new(k, set, k->arena);
    assert_non_null(p);
    assert_true(sq_points_each(p, sizes, at, 0, count_point, &n));
    assert_int_equal(n, 5); /* 0, 1, 2, 4, 5 */
    isl_set_free(set);
    sq_kernel_free(k);
}

/* A few of the points, as text; then it is enough. */
typedef struct few {
    sq_text text;
    int left;
} few;

static bool note_point(const int64_t *at, void *user)
{
    few *f = user;
    sq_text_printf(&f->text, "%d,%d ", (int)at[0], (int)at[1]);
    return --f->left > 0;
}

/* Parts of a set that lie between each other are walked in one order, and only as far as asked for: one
 * of them has no end. */
static void parts_are_walked_in_order(void **state)
{
    (void)state;
    int64_t at[2];
    const int64_t sizes[] = {3};
    few f = {.left = 8};
    sq_kernel *k = kernel_new(ctx, "test", "[n] -> { : n >= 0 }");
    kernel_size(k, "n");
    isl_set *set = isl_set_read_from_str(
        ctx, "[n] -> { S[a, b] : (0 <= a < n and 5 <= b < 5 + a) or (0 <= a <= 1 and "
             "0 <= b <= 1) or (a = 8 and b >= 0) }");
    sq_points *p = sq_points_new(k, set, k->arena);
    assert_non_null(p);
    assert_false(sq_points_each(p, sizes, at, 0, note_point, &f));
    assert_string_equal(sq_text_str(&f.text), "0,0 0,1 1,0 1,1 1,5 2,5 2,6 ");
    sq_text_clear(&f.text);
    f.left = 2;
    at[0] = 1;
    assert_false(sq_points_each(p, sizes, at, 1, note_point, &f));
    assert_string_equal(sq_text_str(&f.text), "1,0 1,1 ");
    sq_text_free(&f.text);
    isl_set_free(set);
    sq_kernel_free(k);
}

/* ---- operators ---- */

static int64_t integer(sq_op op, sq_type type, int64_t a, int64_t b)
{
    const sq_number arg[] = {{.integer = a}, {.integer = b}};
    sq_number to;
    assert_null(sq_op_evaluate(op, type, type, arg, &to));
    return to.integer;
}

static double real(sq_op op, sq_type type, double a, double b)
{
    const sq_number arg[] = {{.real = a}, {.real = b}};
    sq_number to;
    assert_null(sq_op_evaluate(op, type, type, arg, &to));
    return to.real;
}

static sq_number cast(sq_type type, sq_type from, sq_number n, const char **wrong)
{
    sq_number to = {0};
    *wrong = sq_op_evaluate(SQ_OP_CAST, type, from, &n, &to);
    return to;
}

static void integers_are_those_of_c(void **state)
{
    (void)state;
    static const int64_t some[] = {0, 1, 2, 7, 31, -1, -8, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < LENGTH(some); i++)
        for (size_t j = 0; j < LENGTH(some); j++) {
            int32_t a = (int32_t)some[i], b = (int32_t)some[j];
            uint32_t x = (uint32_t)a, y = (uint32_t)b;
            assert_int_equal(integer(SQ_OP_ADD, SQ_I32, a, b), (int32_t)(x + y));
            assert_int_equal(integer(SQ_OP_SUB, SQ_U32, x, y), x - y);
            assert_int_equal(integer(SQ_OP_MUL, SQ_I32, a, b), (int32_t)(x * y));
            assert_int_equal(integer(SQ_OP_MIN, SQ_U32, x, y), x < y ? x : y);
            assert_int_equal(integer(SQ_OP_MAX, SQ_I32, a, b), a > b ? a : b);
            assert_int_equal(integer(SQ_OP_BIT_XOR, SQ_I32, a, b), a ^ b);
            if (b != 0 && b != -1) {
                assert_int_equal(integer(SQ_OP_DIV, SQ_I32, a, b), a / b);
                assert_int_equal(integer(SQ_OP_MOD, SQ_I32, a, b), a % b);
                assert_int_equal(integer(SQ_OP_DIV, SQ_U32, x, y), x / y);
                assert_int_equal(integer(SQ_OP_MOD, SQ_U32, x, y), x % y);
            }
            if (b >= 0 && b < 32) {
                assert_int_equal(integer(SQ_OP_SHL, SQ_I32, a, b), (int32_t)(x << b));
                assert_int_equal(integer(SQ_OP_SHR, SQ_I32, a, b), a >> b);
                assert_int_equal(integer(SQ_OP_SHR, SQ_U32, x, b), x >> b);
            }
        }
    assert_int_equal(integer(SQ_OP_DOT4, SQ_I32, (int32_t)0xff01807f, (int32_t)0x80ff7f03),
                     -255 * 128 - 1 * 1 + 128 * 127 + 127 * 3);
    assert_int_equal(integer(SQ_OP_DOT2, SQ_I32, (int32_t)0x80000002, (int32_t)0x7fffffff),
                     -32768 * 32767 - 2);
    assert_int_equal(integer(SQ_OP_DOT2, SQ_I32, (int32_t)0x80008000, (int32_t)0x80008000), INT32_MIN);
    assert_int_equal(integer(SQ_OP_WORD, SQ_I32, -5, 0), -5);
    assert_int_equal(integer(SQ_OP_BIT_NOT, SQ_U32, 1, 0), 0xfffffffe);
    assert_int_equal(integer(SQ_OP_NEG, SQ_I64, INT64_MIN, 0), INT64_MIN);
    assert_int_equal(integer(SQ_OP_LT, SQ_U64, -1, 1), 0);
    assert_int_equal(integer(SQ_OP_LE, SQ_I64, -1, 1), 1);
    sq_number to;
    const sq_number least[] = {{.integer = INT32_MIN}, {.integer = -1}};
    assert_string_equal(sq_op_evaluate(SQ_OP_DIV, SQ_I32, SQ_I32, least, &to),
                        "a division whose quotient the type does not hold");
}

static void reals_are_those_of_c(void **state)
{
    (void)state;
    static const float some[] = {0.f, 1.f, -3.f, 0.1f, 1e-30f, 3e38f, 16777217.f, 1.f / 3};
    for (size_t i = 0; i < LENGTH(some); i++)
        for (size_t j = 0; j < LENGTH(some); j++) {
            volatile float a = some[i], b = some[j], sum = a + b, product = a * b, ratio = a / b;
            assert_true(real(SQ_OP_ADD, SQ_F32, a, b) == sum);
            assert_true(real(SQ_OP_MUL, SQ_F32, a, b) == product);
            double r = real(SQ_OP_DIV, SQ_F32, a, b);
            assert_true(r == ratio || (isnan(r) && isnan(ratio)));
            assert_true(real(SQ_OP_MAX, SQ_F32, a, b) == (a > b ? a : b));
        }
    assert_true(real(SQ_OP_SQRT, SQ_F32, 2, 0) == sqrtf(2));
    assert_true(real(SQ_OP_EXP, SQ_F64, 1, 0) == exp(1));
    assert_true(real(SQ_OP_POW, SQ_F64, 3, 0.5) == pow(3, 0.5));
    assert_true(real(SQ_OP_RSQRT, SQ_F64, 4, 0) == 0.5);
    assert_true(real(SQ_OP_FLOOR, SQ_F64, -0.5, 0) == -1);
    assert_true(isnan(real(SQ_OP_MAX, SQ_F64, 1, NAN)) && real(SQ_OP_MAX, SQ_F64, NAN, 1) == 1);
}

/* 2^53 + 1 to f32 once is not the same as to double and then to f32 in general; what a type does not
 * hold has no value. */
static void casts_round_once(void **state)
{
    (void)state;
    const char *wrong;
    int64_t near = (INT64_C(1) << 60) + (INT64_C(1) << 36) + 1;
    assert_true(cast(SQ_F32, SQ_I64, (sq_number){.integer = near}, &wrong).real == (float)near);
    assert_true(cast(SQ_F64, SQ_U64, (sq_number){.integer = -1}, &wrong).real == 0x1p64);
    assert_int_equal(cast(SQ_I8, SQ_I32, (sq_number){.integer = 200}, &wrong).integer, -56);
    assert_int_equal(cast(SQ_I32, SQ_F64, (sq_number){.real = -2.9}, &wrong).integer, -2);
    assert_null(wrong);
    cast(SQ_U8, SQ_F32, (sq_number){.real = 256}, &wrong);
    assert_non_null(wrong);
    cast(SQ_U8, SQ_F32, (sq_number){.real = -1}, &wrong);
    assert_non_null(wrong);
    cast(SQ_I32, SQ_F64, (sq_number){.real = NAN}, &wrong);
    assert_non_null(wrong);
    assert_int_equal(cast(SQ_U8, SQ_F32, (sq_number){.real = -0.5}, &wrong).integer, 0);
    assert_null(wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_and_sums_run),
        cmocka_unit_test(types_are_respected),
        cmocka_unit_test(choices_are_lazy),
        cmocka_unit_test(orders_show_races),
        cmocka_unit_test(index_arithmetic_is_that_of_c),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(stores_are_guarded),
        cmocka_unit_test(declarations_poison),
        cmocka_unit_test(points_end_by_divisions),
        cmocka_unit_test(parts_are_walked_in_order),
        cmocka_unit_test(integers_are_those_of_c),
        cmocka_unit_test(reals_are_those_of_c),
        cmocka_unit_test(casts_round_once),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
