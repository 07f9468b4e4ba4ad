/* Expressions of code: equal ones are one node, what is simplified keeps its value, and the text means
 * the same to a reader of C. */
#include "codegen/code/expr.h"
#include "support/integer.h"
#include "tests/unit/unit.h"
#include <ctype.h>
#include <stdlib.h>

/* ---- a reader of the text: C's grammar of expressions, by its precedence ---- */

typedef struct reader {
    const char *at;
    const int64_t *value; /* of a, b, c, … */
} reader;

static void skip_blanks(reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static bool take(reader *r, const char *word)
{
    skip_blanks(r);
    size_t n = strlen(word);
    if (strncmp(r->at, word, n) != 0 || (n == 1 && strchr("<>", *word) && r->at[1] == '='))
        return false;
    r->at += n;
    return true;
}

static int64_t read_any(reader *r);

static int64_t read_call(reader *r, int which)
{
    int64_t x = read_any(r);
    assert_true(take(r, ","));
    int64_t y = read_any(r);
    assert_true(take(r, ")"));
    if (which == 2)
        return sq_floor_div(x, y);
    return (x < y) == (which == 0) ? x : y;
}

static int64_t read_unary(reader *r)
{
    static const char *const calls[] = {"sq_min(", "sq_max(", "sq_floord("};
    for (int i = 0; i < 3; i++)
        if (take(r, calls[i]))
            return read_call(r, i);
    if (take(r, "-"))
        return -read_unary(r);
    if (take(r, "(")) {
        int64_t x = read_any(r);
        assert_true(take(r, ")"));
        return x;
    }
    skip_blanks(r);
    if (isdigit((unsigned char)*r->at))
        return strtoll(r->at, (char **)&r->at, 10);
    assert_true(*r->at >= 'a' && *r->at <= 'd');
    return r->value[*r->at++ - 'a'];
}

static int64_t read_product(reader *r)
{
    int64_t x = read_unary(r);
    for (;;) {
        if (take(r, "*")) {
            x *= read_unary(r);
        } else if (take(r, "/")) {
            x /= read_unary(r);
        } else if (take(r, "%")) {
            x %= read_unary(r);
        } else {
            return x;
        }
    }
}

static int64_t read_sum(reader *r)
{
    int64_t x = read_product(r);
    for (;;) {
        if (take(r, "+"))
            x += read_product(r);
        else if (take(r, "-"))
            x -= read_product(r);
        else
            return x;
    }
}

static int64_t read_order(reader *r)
{
    int64_t x = read_sum(r);
    for (;;) {
        if (take(r, "<="))
            x = x <= read_sum(r);
        else if (take(r, ">="))
            x = x >= read_sum(r);
        else if (take(r, "<"))
            x = x < read_sum(r);
        else if (take(r, ">"))
            x = x > read_sum(r);
        else
            return x;
    }
}

static int64_t read_equal(reader *r)
{
    int64_t x = read_order(r);
    while (take(r, "=="))
        x = x == read_order(r);
    return x;
}

static int64_t read_and(reader *r)
{
    int64_t x = read_equal(r);
    while (take(r, "&&"))
        x = read_equal(r) && x;
    return x;
}

static int64_t read_or(reader *r)
{
    int64_t x = read_and(r);
    while (take(r, "||"))
        x = read_and(r) || x;
    return x;
}

static int64_t read_any(reader *r)
{
    int64_t x = read_or(r);
    if (!take(r, "?"))
        return x;
    int64_t y = read_any(r);
    assert_true(take(r, ":"));
    int64_t z = read_any(r);
    return x ? y : z;
}

/* ---- random expressions ---- */

enum { NAMES = 4, ROUNDS = 40000 };

typedef struct random_code {
    sq_code_pool *pool;
    uint64_t seed;
    int64_t value[NAMES];
} random_code;

/* An expression and what it is. */
typedef struct known {
    const sq_code_expr *e;
    int64_t value;
} known;

static int64_t draw(random_code *r, int64_t n)
{
    r->seed = r->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)(r->seed >> 33) % n;
}

static known draw_leaf(random_code *r)
{
    int64_t n = draw(r, 23) - 11, i = draw(r, NAMES);
    if (draw(r, 3) == 0)
        return (known){sq_code_number(r->pool, n), n};
    return (known){sq_code_name(r->pool, (char[]){(char)('a' + i), 0}), r->value[i]};
}

static int64_t compared(sq_code_op op, int64_t x, int64_t y)
{
    return op == SQ_CODE_EQ   ? x == y
           : op == SQ_CODE_LT ? x < y
           : op == SQ_CODE_LE ? x <= y
           : op == SQ_CODE_GT ? x > y
                              : x >= y;
}

static known draw_code(random_code *r, int depth);

static known draw_condition(random_code *r, int depth)
{
    known x = draw_code(r, depth - 1), y = draw_code(r, depth - 1);
    sq_code_op op = (sq_code_op)(SQ_CODE_EQ + draw(r, 5));
    known c = {sq_code_compare(r->pool, op, x.e, y.e), compared(op, x.value, y.value)};
    if (depth < 1 || draw(r, 2))
        return c;
    known d = draw_condition(r, depth - 1);
    if (draw(r, 2))
        return (known){sq_code_and(r->pool, c.e, d.e), c.value && d.value};
    return (known){sq_code_or(r->pool, c.e, d.e), c.value || d.value};
}

static known draw_quotient(random_code *r, known x)
{
    int64_t by = 1 + draw(r, 8);
    sq_code_op op = (sq_code_op)(SQ_CODE_DIV + draw(r, 3));
    int64_t value = op == SQ_CODE_DIV   ? x.value / by
                    : op == SQ_CODE_REM ? x.value % by
                                        : sq_floor_div(x.value, by);
    return (known){sq_code_divide(r->pool, op, x.e, sq_code_number(r->pool, by)), value};
}

static known draw_code(random_code *r, int depth)
{
    if (depth < 1)
        return draw_leaf(r);
    known x = draw_code(r, depth - 1), y = draw_code(r, depth - 1);
    int64_t by = draw(r, 9) - 4;
    switch (draw(r, 8)) {
    case 0:
        return (known){sq_code_add(r->pool, x.e, y.e), x.value + y.value};
    case 1:
        return (known){sq_code_sub(r->pool, x.e, y.e), x.value - y.value};
    case 2:
        return (known){sq_code_add_scaled(r->pool, x.e, by, y.e), x.value + by * y.value};
    case 3:
        return (known){sq_code_mul(r->pool, x.e, y.e), x.value * y.value};
    case 4:
        return draw_quotient(r, x);
    case 5:
        return (known){sq_code_min(r->pool, x.e, y.e), x.value < y.value ? x.value : y.value};
    case 6:
        return (known){sq_code_max(r->pool, x.e, y.e), x.value > y.value ? x.value : y.value};
    default: {
        known c = draw_condition(r, depth - 1);
        return (known){sq_code_select(r->pool, c.e, x.e, y.e), c.value ? x.value : y.value};
    }
    }
}

static void text_has_the_value(void **state)
{
    (void)state;
    random_code r = {.seed = 7};
    sq_arena *arena = sq_arena_new();
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 1000 == 0) { /* a pool is no place for millions */
            arena = sq_arena_free(arena);
            arena = sq_arena_new();
            r.pool = sq_code_pool_new(arena);
        }
        for (int n = 0; n < NAMES; n++)
            r.value[n] = draw(&r, 41) - 20;
        known k = i % 2 ? draw_code(&r, 1 + i % 4) : draw_condition(&r, 1 + i % 3);
        const char *text = sq_code_text(k.e, NULL, arena);
        reader in = {text, r.value};
        int64_t read = read_any(&in);
        if (read != k.value || *in.at)
            fail_msg("%s is %lld, not %lld", text, (long long)read, (long long)k.value);
        const char *factor = sq_arena_printf(arena, "3 * %s", sq_code_factor(k.e, NULL, arena));
        in.at = factor;
        if (read_any(&in) != 3 * k.value)
            fail_msg("%s is not three times %s", factor, text);
    }
    sq_arena_free(arena);
}

static int64_t value_of(const sq_code_expr *e, const int64_t *value, sq_arena *arena)
{
    reader in = {sq_code_text(e, NULL, arena), value};
    return read_any(&in);
}

/* What stands for a name has the name's value. */
static void substitution_is_assignment(void **state)
{
    (void)state;
    random_code r = {.seed = 11};
    sq_arena *arena = NULL;
    for (int i = 0; i < ROUNDS / 4; i++) {
        if (i % 1000 == 0) {
            arena = sq_arena_free(arena);
            arena = sq_arena_new();
            r.pool = sq_code_pool_new(arena);
        }
        for (int n = 0; n < NAMES; n++)
            r.value[n] = draw(&r, 41) - 20;
        known k = i % 2 ? draw_code(&r, 1 + i % 4) : draw_condition(&r, 1 + i % 3);
        known by = draw_code(&r, 1);
        const sq_code_expr *e = sq_code_substitute(r.pool, k.e, "a", by.e);
        int64_t assigned[NAMES];
        memcpy(assigned, r.value, sizeof assigned);
        assigned[0] = by.value;
        if (value_of(e, r.value, arena) != value_of(k.e, assigned, arena))
            fail_msg("%s with a = %s is not %s", sq_code_text(k.e, NULL, arena),
                     sq_code_text(by.e, NULL, arena), sq_code_text(e, NULL, arena));
    }
    sq_arena_free(arena);
}

/* ---- figures ---- */

static void equal_expressions_are_one(void **state)
{
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_code_pool *p = sq_code_pool_new(arena);
    const sq_code_expr *i = sq_code_name(p, "i"), *n = sq_code_name(p, "n"),
                       *eight = sq_code_number(p, 8), *end = sq_code_plus(p, i, 8);
    for (int x = 0; x < 1000; x++) { /* the table grows */
        assert_ptr_equal(sq_code_number(p, x % 500), sq_code_number(p, x % 500));
        sq_code_name(p, sq_arena_printf(arena, "v%d", x));
    }
    assert_ptr_equal(i, sq_code_name(p, "i"));
    assert_ptr_equal(sq_code_sub(p, end, i), eight);
    assert_ptr_equal(sq_code_sub(p, sq_code_add(p, n, end), n), end);
    assert_ptr_equal(sq_code_scale(p, 2, sq_code_scale(p, -3, i)), sq_code_scale(p, -6, i));
    assert_ptr_equal(sq_code_min(p, end, sq_code_plus(p, i, 3)), sq_code_plus(p, i, 3));
    assert_ptr_equal(sq_code_max(p, end, i), end);
    assert_ptr_equal(sq_code_compare(p, SQ_CODE_LT, i, end), sq_code_number(p, 1));
    assert_ptr_equal(sq_code_divide(p, SQ_CODE_DIV, sq_code_scale(p, 8, end), eight), end);
    const sq_code_expr *c = sq_code_compare(p, SQ_CODE_LT, i, n);
    assert_ptr_equal(sq_code_and(p, c, c), c);
    assert_ptr_equal(sq_code_and(p, NULL, c), c);
    assert_null(sq_code_or(p, NULL, c));
    assert_ptr_equal(sq_code_and(p, c, sq_code_number(p, 0)), sq_code_number(p, 0));
    assert_true(sq_code_mentions(c, "n") && !sq_code_mentions(c, "m"));
    int64_t coef;
    assert_true(sq_code_is_affine(sq_code_add_scaled(p, n, -3, end), "i", &coef) && coef == -3);
    assert_true(sq_code_is_affine(n, "i", &coef) && coef == 0);
    assert_false(sq_code_is_affine(sq_code_min(p, i, n), "i", &coef));
    assert_ptr_equal(sq_code_substitute(p, sq_code_min(p, i, n), "n", end), i);
    assert_true(sq_code_is_short(end) && !sq_code_is_short(sq_code_min(p, i, n)));
    sq_arena_free(arena);
}

/* The least of sums of many leasts is not expanded: each of them would double it. */
static void many_choices_stay_small(void **state)
{
    (void)state;
    enum { TERMS = 24 };
    sq_arena *arena = sq_arena_new();
    sq_code_pool *p = sq_code_pool_new(arena);
    const sq_code_expr *sum = sq_code_number(p, 0), *least[TERMS];
    for (int i = 0; i < TERMS; i++) {
        const sq_code_expr *x = sq_code_name(p, sq_arena_printf(arena, "x%d", i)),
                           *y = sq_code_name(p, sq_arena_printf(arena, "y%d", i));
        least[i] = sq_code_min(p, x, y);
    }
    for (int i = 0; i < TERMS; i++)
        sum = sq_code_add(p, sum, least[i]);
    size_t before = p->used;
    const sq_code_expr *one = sq_code_min(p, sum, sq_code_name(p, "n"));
    assert_int_equal(one->op, SQ_CODE_MIN);
    assert_ptr_equal(one->arg[0], sum);
    assert_true(p->used - before < 1000);
    sq_arena_free(arena);
}

/* What divides an expression, whatever its names are. */
static void divisors_hold_for_all_values(void **state)
{
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_code_pool *p = sq_code_pool_new(arena);
    const sq_code_expr *n = sq_code_name(p, "N"), *k = sq_code_name(p, "k"),
                       *eight = sq_code_scale(p, 8, n),
                       *rest = sq_code_add_scaled(p, eight, -12, k);
    assert_int_equal(sq_code_divisor(sq_code_number(p, -6)), 6);
    assert_int_equal(sq_code_divisor(sq_code_number(p, 0)), 0);
    assert_int_equal(sq_code_divisor(n), 1);
    assert_int_equal(sq_code_divisor(eight), 8);
    assert_int_equal(sq_code_divisor(rest), 4);
    assert_int_equal(sq_code_divisor(sq_code_plus(p, eight, 2)), 2);
    assert_int_equal(sq_code_divisor(sq_code_mul(p, eight, sq_code_scale(p, 3, k))), 24);
    assert_int_equal(sq_code_divisor(sq_code_min(p, sq_code_number(p, 64), eight)), 8);
    assert_int_equal(sq_code_divisor(sq_code_divide(p, SQ_CODE_DIV, eight, sq_code_number(p, 3))),
                     1);
    sq_arena_free(arena);
}

static void text_is_as_written_by_hand(void **state)
{
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_code_pool *p = sq_code_pool_new(arena);
    const sq_code_expr *i = sq_code_name(p, "i"), *n = sq_code_name(p, "n"),
                       *s = sq_code_name(p, "s"), *two = sq_code_number(p, 2);
    const sq_code_expr *half = sq_code_divide(p, SQ_CODE_DIV, sq_code_plus(p, n, -1), two);
    const struct {
        const sq_code_expr *e;
        const char *text;
    } table[] = {
        {sq_code_sub(p, sq_code_number(p, 3), i), "3 - i"},
        {sq_code_plus(p, sq_code_scale(p, -2, i), -1), "-2 * i - 1"},
        {sq_code_plus(p, sq_code_add_scaled(p, n, 16, i), -4), "n + 16 * i - 4"},
        {sq_code_mul(p, sq_code_plus(p, i, 1), s), "(i + 1) * s"},
        {sq_code_scale(p, 4, sq_code_mul(p, i, s)), "4 * i * s"},
        {sq_code_scale(p, 4, half), "4 * ((n - 1) / 2)"},
        {sq_code_sub(p, i, half), "i - (n - 1) / 2"},
        {sq_code_min(p, sq_code_number(p, 8), sq_code_sub(p, n, i)), "sq_min(8, n - i)"},
        {sq_code_select(p, sq_code_compare(p, SQ_CODE_LE, i, n), i, n), "(i <= n ? i : n)"},
        {sq_code_or(p, sq_code_compare(p, SQ_CODE_EQ, i, n),
                    sq_code_and(p, sq_code_compare(p, SQ_CODE_LT, i, two),
                                sq_code_compare(p, SQ_CODE_GE, n, two))),
         "i == n || (i < 2 && n >= 2)"},
    };
    for (size_t x = 0; x < sizeof table / sizeof *table; x++)
        assert_string_equal(sq_code_text(table[x].e, NULL, arena), table[x].text);
    sq_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_expressions_are_one),
        cmocka_unit_test(many_choices_stay_small),
        cmocka_unit_test(divisors_hold_for_all_values),
        cmocka_unit_test(text_is_as_written_by_hand),
        cmocka_unit_test(text_has_the_value),
        cmocka_unit_test(substitution_is_assignment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
