/* Ranker files: printed and read back, refused with a reason where they are another's, set aside where they are
 * damaged. */
#include "support/file.h"
#include "support/hash.h"
#include "tests/unit/unit.h"
#include "tuner/ranker_file.h"
#include "tuner/search/search.h"
#include <unistd.h>

static const char file[] = "made.ranker";

static sq_forest *two_trees(void)
{
    const sq_forest_node tree[] = {
        {SQ_PRIOR_FEATURES - 1, 1, 2, 0.1f}, {-1, 0, 0, 1.0f / 3}, {-1, 0, 0, -2}};
    sq_forest *f = sq_forest_new(SQ_PRIOR_FEATURES, 0.5f);
    assert_int_equal(sq_forest_add(f, tree, 3), 0);
    assert_int_equal(sq_forest_add(f, tree + 1, 1), 0);
    return f;
}

static void print(sq_text *to)
{
    static const char *task[] = {"gemm M=\"1\"", "conv"};
    sq_ranker_file r = {
        .machine_class = "avx2", .ntasks = 2, .task = task, .points = 77, .learned = {.forest = two_trees()}};
    assert_int_equal(sq_ranker_file_print(&r, to), 0);
    sq_forest_free(r.learned.forest);
}

static void put(const char *text, size_t n)
{
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fwrite(text, 1, n, f);
    fclose(f);
}

/* The text with one thing in place of another, and the hash of what it is then. */
static void put_with(const char *text, const char *old, const char *new)
{
    sq_text t = {0};
    const char *at = strstr(text, old), *end = strstr(text, "{\"end\"");
    assert_true(at && end && at < end);
    sq_text_printf(&t, "%.*s%s%.*s", (int)(at - text), text, new,
                   (int)(end - at - (ptrdiff_t)strlen(old)), at + strlen(old));
    const sq_hash hash = sq_hash_bytes(sq_text_str(&t), t.n);
    sq_text_printf(&t, "{\"end\": 2, \"hash\": \"%s\"}\n", hash.hex);
    put(sq_text_str(&t), t.n);
    sq_text_free(&t);
}

static void test_there_and_back(void **state)
{
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_text once = {0}, again = {0};
    sq_ranker_file r;
    print(&once);
    put(sq_text_str(&once), once.n);
    assert_int_equal(sq_ranker_file_read(&r, file, "avx2", arena, d), 0);
    assert_non_null(r.learned.forest);
    assert_string_equal(r.task[0], "gemm M=\"1\"");
    assert_int_equal(r.points, 77);
    assert_true(r.learned.forest->node[1].value == 1.0f / 3);
    assert_int_equal(sq_ranker_file_print(&r, &again), 0);
    assert_string_equal(sq_text_str(&once), sq_text_str(&again));
    assert_false(sq_ranker_file_is_other(file));
    assert_false(sq_ranker_file_is_other("not-there"));
    sq_forest_free(r.learned.forest);
    sq_text_free(&once);
    sq_text_free(&again);
    sq_diags_free(d);
    sq_arena_free(arena);
}

/* A network is for all classes; one with a number less, or with one that is none, is damaged. */
static void test_network(void **state)
{
    static const char *task[] = {"gemm"};
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_text text = {0};
    sq_ranker_file made = {.machine_class = "avx512",
                           .ntasks = 1,
                           .task = task,
                           .points = 5,
                           .learned = {.weights = sq_weights_new(SQ_FEATURES, true)}},
                   r;
    made.learned.weights->value[7] = -1.0f / 3;
    assert_int_equal(sq_ranker_file_print(&made, &text), 0);
    put(sq_text_str(&text), text.n);
    assert_int_equal(sq_ranker_file_read(&r, file, "avx2", arena, d), 0);
    assert_non_null(r.learned.weights);
    assert_null(r.learned.forest);
    assert_int_equal(r.learned.weights->n, made.learned.weights->n);
    assert_memory_equal(r.learned.weights->value, made.learned.weights->value,
                        (size_t)made.learned.weights->n * sizeof(float));
    sq_learned_free(&r.learned);
    static const char *const damage[][2] = {{"\"numbers\": [", "\"numbers\": [0, "},
                                            {"\"numbers\": [", "\"numbers\": [1e99, "},
                                            {"\"model\": \"pacm\"", "\"model\": \"mlp\""},
                                            {"\"at\": 1024", "\"at\": 1025"}};
    for (size_t i = 0; i < LENGTH(damage); i++) {
        put_with(sq_text_str(&text), damage[i][0], damage[i][1]);
        assert_int_equal(sq_ranker_file_read(&r, file, "avx2", arena, d), -1);
        assert_null(r.learned.weights);
        assert_string_equal(sq_diags_message(d, sq_diags_mark(d) - 2), "this ranker is damaged");
    }
    sq_learned_free(&made.learned);
    sq_text_free(&text);
    sq_diags_free(d);
    sq_arena_free(arena);
}

/* What is another's stays as it is. */
static void test_refused(void **state)
{
    static const struct {
        const char *old, *new, *says;
    } rows[] = {
        {"{\"ranker\": 2", "{\"ranker\": 1",
         "a ranker of another version; this program reads version 2"},
        {"{\"ranker\": 2", "{\"ranker\": \"2\"", "another version"},
        {"{\"ranker\": 2", "{\"landscape\": 3", "this is no ranker"},
        {"\"ansor-1 pruner-1\"", "\"ansor-2\"",
         "reads the features 'ansor-2'; those of this program are 'ansor-1 pruner-1'"},
        {"\"avx2\"", "\"avx512\"", "learned on machines of class avx512; this is for class avx2"},
    };
    (void)state;
    sq_text text = {0};
    print(&text);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        sq_arena *arena = sq_arena_new();
        sq_diags *d = sq_diags_new();
        sq_ranker_file r;
        put_with(sq_text_str(&text), rows[i].old, rows[i].new);
        assert_int_equal(sq_ranker_file_read(&r, file, "avx2", arena, d), -1);
        assert_null(r.learned.forest);
        assert_non_null(strstr(sq_diags_message(d, 0), rows[i].says));
        assert_int_equal(sq_diags_fault(d), SQ_FAULT_INPUT);
        assert_true(sq_file_exists(file));
        assert_int_equal(sq_ranker_file_is_other(file), i == 2);
        sq_diags_free(d);
        sq_arena_free(arena);
    }
    sq_text_free(&text);
}

static void expect_damaged(const char *what)
{
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_ranker_file r;
    print_message("%s\n", what);
    assert_int_equal(sq_ranker_file_read(&r, file, "avx2", arena, d), -1);
    assert_null(r.learned.forest);
    assert_null(r.learned.weights);
    assert_int_equal(sq_diags_fault(d), SQ_FAULT_INPUT);
    assert_string_equal(sq_diags_message(d, 0), "this ranker is damaged");
    assert_true(sq_file_exists(file));
    sq_diags_free(d);
    sq_arena_free(arena);
}

/* Cut anywhere behind its first line, a bit in it changed, or what has the right hash but is no tree. */
static void test_damaged(void **state)
{
    static const struct {
        const char *old, *new;
    } rows[] = {
        {"\"below\": [1, 0, 0]", "\"below\": [0, 0, 0]"},
        {"\"above\": [2, 0, 0]", "\"above\": [3, 0, 0]"},
        {"\"above\": [2, 0, 0]", "\"above\": [2, 0]"},
        {"\"feature\": [173, -1, -1]", "\"feature\": [174, -1, -1]"},
        {"\"feature\": [173, -1, -1]", "\"feature\": [-3, -1, -1]"},
        {"\"value\": [0.1", "\"value\": [\"0.1\""},
        {"\"value\": [0.1", "\"value\": [1e99"},
        {"\"tree\": 1", "\"tree\": 0"},
        {"\"base\": 0.5", "\"base\": null"},
        {"\"trees\": 2", "\"trees\": 1"},
        {"\"trees\": 2", "\"trees\": 2000000000"},
        {"\"points\": 77", "\"points\": -1"},
        {"\"tasks\": [", "\"tasks\": [5, "},
        {", \"class\": \"avx2\"", ""},
    };
    (void)state;
    sq_text text = {0};
    print(&text);
    const char *whole = sq_text_str(&text);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        put_with(whole, rows[i].old, rows[i].new);
        expect_damaged(rows[i].new);
    }
    for (size_t n = strcspn(whole, "\n") + 1; n + 1 < text.n; n += 7) {
        put(whole, n);
        expect_damaged("cut");
    }
    char *bit = strdup(whole);
    bit[strcspn(bit, "\n") + 60] ^= 1;
    put(bit, text.n);
    expect_damaged("a bit");
    free(bit);
    sq_text_puts(&text, "more\n");
    put(sq_text_str(&text), text.n);
    expect_damaged("something behind its end");
    sq_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_network),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
