/* Values of a register tile: which have a register, which are forgotten, and that asking takes no longer
 * the more there are. */
#include "codegen/tile/values.h"
#include "tests/unit/unit.h"
#include <time.h>

typedef struct fixture {
    sq_arena *arena;
    sq_code_pool *pool;
    sq_values *v;
} fixture;

static fixture begin(int budget)
{
    fixture f = {.arena = sq_arena_new()};
    f.pool = sq_code_pool_new(f.arena);
    f.v = sq_values_new(f.pool, budget);
    sq_values_enter(f.v);
    return f;
}

static void end(fixture *f)
{
    sq_values_free(f->v);
    sq_arena_free(f->arena);
}

static const sq_code_expr *value_of(const fixture *f, int64_t n)
{
    return sq_code_constant(f->pool, SQ_I32, (sq_number){.integer = n});
}

/* Uses a value; "x3", with a star where it has to be declared. */
static const char *use(const fixture *f, int64_t n, bool counting)
{
    bool fresh;
    const sq_code_expr *x = sq_values_use(f->v, "x", value_of(f, n), counting, &fresh);
    return sq_arena_printf(f->arena, "%s%s", x->buffer->name, fresh ? "*" : "");
}

static void scopes_hide_and_restore(void **state)
{
    (void)state;
    fixture f = begin(4);
    assert_string_equal(use(&f, 7, false), "x0*");
    assert_string_equal(use(&f, 7, false), "x0");
    sq_values_enter(f.v);
    assert_string_equal(use(&f, 7, false), "x0");
    assert_string_equal(use(&f, 8, false), "x1*");
    sq_values_set(f.v, value_of(&f, 7), value_of(&f, 70), true);
    bool fresh;
    assert_ptr_equal(sq_values_use(f.v, "x", value_of(&f, 7), false, &fresh), value_of(&f, 70));
    assert_false(fresh);
    sq_values_forget(f.v); /* but what is pinned */
    assert_ptr_equal(sq_values_use(f.v, "x", value_of(&f, 7), false, &fresh), value_of(&f, 70));
    sq_values_leave(f.v);
    assert_string_equal(use(&f, 7, false), "x0r1*");
    assert_string_equal(use(&f, 8, false), "x1*");
    end(&f);
}

/* With room for two, the oldest that is still to be used makes room, and comes back under another name. */
static void the_oldest_is_forgotten(void **state)
{
    (void)state;
    fixture f = begin(2);
    for (int i = 0; i < 4; i++)
        for (int uses = 0; uses < (i == 3 ? 1 : 3); uses++)
            use(&f, i, true);
    sq_values_forget_inner(f.v);
    assert_string_equal(use(&f, 0, false), "x0*");
    assert_string_equal(use(&f, 1, false), "x1*");
    assert_string_equal(use(&f, 0, false), "x0");
    assert_int_equal(sq_values_forgotten(f.v), 0);
    assert_string_equal(use(&f, 2, false), "x2*");
    assert_int_equal(sq_values_forgotten(f.v), 1);
    assert_string_equal(use(&f, 1, false), "x1");
    assert_string_equal(use(&f, 0, false), "x0r1*");
    assert_int_equal(sq_values_forgotten(f.v), 2);
    assert_string_equal(use(&f, 1, false), "x1r1*");
    assert_string_equal(use(&f, 2, false), "x2");
    assert_string_equal(use(&f, 2, false), "x2"); /* its last use */
    assert_string_equal(use(&f, 3, false), "x3*");
    assert_int_equal(sq_values_forgotten(f.v), 2);
    end(&f);
}

static void many_are_found_at_once(void **state)
{
    (void)state;
    enum { MANY = 200000 };
    fixture f = begin(32);
    bool fresh;
    clock_t start = clock();
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < MANY; i++) {
            sq_values_use(f.v, "x", value_of(&f, i), false, &fresh);
            assert_int_equal(fresh, round == 0);
        }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (seconds > 4)
        fail_msg("%d values took %g s", MANY, seconds);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scopes_hide_and_restore),
        cmocka_unit_test(the_oldest_is_forgotten),
        cmocka_unit_test(many_are_found_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
