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
    static const char *const name[] = {"budget", "trials", "target", NULL, "time"};
    static const struct {
        const char *word, *expected;
    } row[] = {{"buget", "budget"}, {"tragets", "target"}, {"tiem", "time"}, {"budget", "budget"},
               {"zzz", NULL},       {"x", NULL},           {"", NULL}};
    for (size_t i = 0; i < LENGTH(row); i++) {
        const char *got = sq_nearest(row[i].word, name, LENGTH(name));
        if (row[i].expected)
            assert_string_equal(got, row[i].expected);
        else
            assert_null(got);
    }
    assert_null(sq_nearest("budget", NULL, 0));
}

/* Expected values: the test vectors of xxHash's own documentation for empty input. */
static void hashes_are_canonical(void **state)
{
    (void)state;
    assert_string_equal(sq_hash_bytes("", 0).hex, "99aa06d3014798d86001c324468d497f");
    assert_int_equal(sq_hash64("", 0), 0x2d06800538d394c2);
    assert_int_equal(strlen(sq_hash_bytes("a", 1).hex), 32);
    assert_string_not_equal(sq_hash_bytes("a", 1).hex, sq_hash_bytes("b", 1).hex);
    assert_string_not_equal(sq_hash_bytes("a", 1).hex, sq_hash_bytes("a", 2).hex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(arena_copies_strings),
        cmocka_unit_test(text_grows_and_indents),
        cmocka_unit_test(text_ignores_the_locale),
        cmocka_unit_test(edit_distances),
        cmocka_unit_test(nearest_names),
        cmocka_unit_test(hashes_are_canonical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
