/* Blocks: which functions of a C text one of them can call, and what that says of the others. */
#include "tests/unit/unit.h"
#include "tuner/proof/blocks.h"
#include <string.h>

static const char text[] = "static int bits(int n) { return n; }\n"
                           "static void take(void (*f)(int)) { f(1); }\n"
                           "static int shift(int x)\n"
                           "{\n"
                           "    int bits;\n"
                           "    bits = x;\n"
                           "    return bits * 2;\n"
                           "}\n"
                           "static int masked(int *bits, int x) { return bits[x]; }\n"
                           "static void key(int n) { (void)n; }\n"
                           "int calls(int x) { return bits(x) * bits(2) + shift(x); }\n"
                           "int returns(int x) { if (x > 100) { return bits(x); } return 0; }\n"
                           "void names(void) { take(key); }\n";

static sq_blocks blocks_of(sq_arena *a)
{
    sq_blocks b;
    sq_text marked = {0};
    assert_int_equal(sq_blocks_mark(text, 100, false, a, &marked, &b), 0);
    assert_int_equal(b.nfunctions, 8);
    sq_text_free(&marked);
    return b;
}

/* "bits shift calls": in the order of the text. */
static const char *reached_from(const char *root, sq_arena *a)
{
    sq_blocks b = blocks_of(a);
    bool reached[8];
    const char *names = "";
    sq_blocks_reach(&b, (const char *const[]){root, NULL}, reached);
    for (int f = 0; f < b.nfunctions; f++)
        if (reached[f])
            names = sq_arena_printf(a, "%s%s%s", names, *names ? " " : "", b.function[f].name);
    return names;
}

/* A variable or a parameter may have the name of a function that its own one never calls. */
static void test_locals_are_no_calls(void **state)
{
    (void)state;
    sq_arena *a = sq_arena_new();
    assert_string_equal(reached_from("shift", a), "shift");
    assert_string_equal(reached_from("masked", a), "masked");
    assert_string_equal(reached_from("calls", a), "bits shift calls");
    assert_string_equal(reached_from("returns", a), "bits returns");
    assert_string_equal(reached_from("names", a), "take key names");
    sq_arena_free(a);
}

/* What only a dead block calls is dead, and a variable of its name keeps nothing alive. */
static void test_dead_callers(void **state)
{
    (void)state;
    sq_arena *a = sq_arena_new();
    sq_blocks b = blocks_of(a);
    bool reached[8] = {[0] = true, [2] = true, [3] = true, [6] = true}, dead[32] = {false};
    int guarded = -1;
    for (int i = 0; i < b.n; i++)
        if (b.of[i].kind == SQ_BLOCK_THEN)
            guarded = i;
    assert_true(guarded >= 0 && b.n <= 32);
    assert_false(sq_blocks_dead(&b, 0, reached, dead));
    dead[guarded] = true;
    assert_true(sq_blocks_dead(&b, 0, reached, dead));
    reached[5] = true;
    assert_false(sq_blocks_dead(&b, 0, reached, dead));
    sq_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_locals_are_no_calls),
                                       cmocka_unit_test(test_dead_callers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
