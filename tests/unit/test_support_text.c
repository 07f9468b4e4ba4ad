/* Arena, text, nearest match and hashes: figures and texts, not just "it runs". */
#include "support/arena.h"
#include "support/hash.h"
#include "support/nearest.h"
#include "support/text.h"
#include "tests/unit/unit.h"
#include <locale.h>

static void arena_gives_zeroed_aligned_memory(void **state)
{
    (void)state;
    sq_arena *a = sq_arena_new();
    unsigned char *before = NULL;
    for (size_t size = 0; size < 3000; size = size * 2 + 1) {
        unsigned char *p = sq_arena_alloc(a, size);
        assert_ptr_not_equal(p, before);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, size); /* must not show in the next one */
        before = p;
    }
    int *big = SQ_NEW_ARRAY(a, int, 3000000); /* larger than any block */
    big[2999999] = 7;
    assert_int_equal(big[0], 0);
    assert_null(sq_arena_free(a));
    assert_null(sq_arena_free(NULL));
}

static void text_moves_into_an_arena(void **state)
{
    (void)state;
    sq_arena *a = sq_arena_new();
    sq_text t = {.indent = 2};
    assert_string_equal(sq_text_take(&t, a), "");
    sq_text_puts(&t, "gemm");
    const char *taken = sq_text_take(&t, a);
    assert_null(t.s);
    sq_text_puts(&t, "conv");
    assert_string_equal(taken, "gemm");
    sq_text_free(&t);
    sq_arena_free(a);
}

static void arena_copies_strings(void **state)
{
    (void)state;
    sq_arena *a = sq_arena_new();
    assert_string_equal(sq_arena_strdup(a, "gemm"), "gemm");
    assert_string_equal(sq_arena_strndup(a, "gemm", 2), "ge");
    assert_string_equal(sq_arena_printf(a, "%s=%d", "M", 512), "M=512");
    assert_string_equal(sq_arena_printf(a, "%s", ""), "");
    char *wide = sq_arena_printf(a, "%0500d", 1);
    assert_int_equal(strlen(wide), 500);
    sq_arena_free(a);
}

static void text_grows_and_indents(void **state)
{
    (void)state;
    sq_text t = {0};
    assert_string_equal(sq_text_str(&t), "");
    sq_text_open(&t, "for (%s) {", "i");
    sq_text_line(&t, "x = %d;", 1);
    sq_text_line(&t, "%s", "");
    sq_text_close(&t, "}");
    assert_string_equal(t.s, "for (i) {\n    x = 1;\n\n}\n");
    sq_text_clear(&t);
    assert_string_equal(sq_text_str(&t), "");
    for (int i = 0; i < 1000; i++)
        sq_text_printf(&t, "%d,", i);
    assert_int_equal(t.n, 10 * 2 + 90 * 3 + 900 * 4);
    assert_int_equal(strlen(t.s), t.n);
    sq_text_clear(&t);
    sq_text_printf(&t, "%0300d", 5); /* longer than the first guess */
    assert_int_equal(t.n, 300);
    assert_int_equal(t.s[299], '5');
    sq_text_free(&t);
    assert_null(t.s);
}

static void text_ignores_the_locale(void **state)
{
    (void)state;
    /* Any locale with a decimal comma that is installed; without one only the C locale is tried. */
    static const char *const comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C"};
    size_t i = 0;
    while (!setlocale(LC_ALL, comma[i]))
        i++;
    sq_text t = {0};
    sq_text_printf(&t, "%g", 1.5);
    assert_string_equal(t.s, "1.5");
    sq_text_free(&t);
    setlocale(LC_ALL, "C");
}

static void edit_distances(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        int distance;
    } row[] = {{"", "", 0},
               {"", "abc", 3},
               {"abc", "", 3},
               {"kitten", "sitting", 3},
               {"saturday", "sunday", 3},
               {"budget", "buget", 1},
               {"tile", "tiel", 1},
               {"ca", "abc", 3}, /* optimal string alignment: 3, not Damerau's 2 */
               {"Budget", "budget", 0},
               {"flaw", "lawn", 2}};
    for (size_t i = 0; i < LENGTH(row); i++) {
        assert_int_equal(sq_edit_distance(row[i].a, row[i].b), row[i].distance);
        assert_int_equal(sq_edit_distance(row[i].b, row[i].a), row[i].distance);
    }
}

static void nearest_names(void **state)
{
    (void)state;
    static const char *const name[] = {"budget", "trials", "target", NULL, "time", "M", "N"};
    static const struct {
        const char *word, *expected;
    } row[] = {{"buget", "budget"}, {"tragets", "target"},
               {"tiem", "time"},    {"budget", "budget"},
               {"zzz", NULL},       {"x", NULL},
               {"", NULL},          {"n", "N"},
               {"k", NULL},         {"NN", "N"}};
    for (size_t i = 0; i < LENGTH(row); i++) {
        const char *got = sq_nearest(row[i].word, name, LENGTH(name));
        if (row[i].expected)
            assert_string_equal(got, row[i].expected);
        else
            assert_null(got);
    }
    assert_null(sq_nearest("budget", NULL, 0));
}

/* What XXH128 of xxHash 0.8.1 says, on both sides of every length at which the method changes. */
static void hashes_are_xxh3(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        const char *hex;
    } row[] = {
        {0, "99aa06d3014798d86001c324468d497f"},    {1, "a6cd5e9392000f6ac44bdff4074eecdb"},
        {2, "b519c2793d8967669093381c8763d62e"},    {3, "656e81c56e41fe02c3489259e968ad9e"},
        {4, "ab5c3e7474d809db81a65295de8e7dde"},    {8, "e4b9dd0b66ff3c50ebabbd0695002ff6"},
        {9, "82ddc95bc76007671c69c3f04aaed08c"},    {16, "ddf6c1254d70f76794eaa17b20756f46"},
        {17, "263f67af63088041735fe434ded90c3c"},   {32, "a86b514658f976a5407920045a9a834c"},
        {33, "a943d80ce26ed2928b59b4dfba3c9de4"},   {64, "a7fa95f7f23b64a7edae5e0312655703"},
        {65, "c12aaf5f8a1782a45c95500a9909a96f"},   {96, "dbfa0cd6e568ef54acb9f0967e182865"},
        {97, "bc31691d04ea6efefee64835dcb60271"},   {128, "dd9e5aa9bd51cc9cc6bd21ecc865f29f"},
        {129, "00433635cf8d872e7f4accb76587485b"},  {160, "2282232242346ee608d4baacce68f2d0"},
        {161, "cc5fdeb06fc0ec4f81eb66ebe6de9f17"},  {240, "89e3a0a2ee355d25d10beb4e0599e4b3"},
        {241, "75f4da43f23cce5a541b19226f0052e8"},  {1023, "1ffe28f0f336d6be3d31fcc1037648a4"},
        {1024, "a3da96fbd688736171bee625238addb4"}, {1025, "a53cd4fd16206676d9b414f4e1bbf7ad"},
        {1088, "23f3acd8ee6c4cf4b74e423e955e509d"}, {2048, "7e487a6edeb1f3fe3293e8238bd8f743"},
        {2049, "9361f43b31289cf2922549b11c04c2eb"}, {5000, "e814573b3db786c4ed0146266d138bd8"},
    };
    unsigned char data[5001];
    for (int i = 0; i < 5000; i++)
        data[i + 1] = (unsigned char)(i * 7 + i / 256);
    for (size_t i = 0; i < LENGTH(row); i++)
        assert_string_equal(sq_hash_bytes(data + 1, row[i].n).hex, row[i].hex);
    assert_int_equal(sq_hash64("", 0), 0x6001c324468d497f);
}

/* One line if there is one, and 120 columns hold it. */
static void functions_are_lines_where_they_fit(void **state)
{
    (void)state;
    sq_text t = {0}, body = {.indent = 1};
    sq_text_line(&body, "return %d;", 7);
    sq_text_function(&t, &body, "int %s(void)", "f");
    assert_string_equal(t.s, "int f(void) { return 7; }\n");
    assert_int_equal(body.n, 0);
    sq_text_clear(&t);
    body = (sq_text){.indent = 1};
    sq_text_line(&body, "g();");
    sq_text_line(&body, "return 7;");
    sq_text_function(&t, &body, "int f(void)");
    assert_string_equal(t.s, "int f(void)\n{\n    g();\n    return 7;\n}\n");
    for (int more = 0; more < 2; more++) {
        sq_text_clear(&t);
        body = (sq_text){.indent = 1};
        sq_text_line(&body, "return %0*d;", 96 + more, 7);
        sq_text_function(&t, &body, "int f(void)");
        assert_int_equal(t.n, more ? 126 : 121); /* with newlines */
    }
    sq_text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_lines_where_they_fit),
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(arena_copies_strings),
        cmocka_unit_test(text_moves_into_an_arena),
        cmocka_unit_test(text_grows_and_indents),
        cmocka_unit_test(text_ignores_the_locale),
        cmocka_unit_test(edit_distances),
        cmocka_unit_test(nearest_names),
        cmocka_unit_test(hashes_are_xxh3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
