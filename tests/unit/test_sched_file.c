/* Sched files: written ones read back, several sizes live in one, a bad one is refused at its
 * place, and the right entry is found. */
#include "tests/unit/make_kernel.h"
#include "tuner/store/sched_file.h"
#include "support/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define H "0123456789abcdef0123456789abcdef"
#define HEAD "squall-sched 1\n# by hand\nclass avx2\n"
#define ENTRY                                                                                      \
    "\nhash " H " source " H "\nkernel gemm at M=2,N=3,K=4 {\n    tile(i:4) # a } here\n}\n"

static sq_sched_entry entry(int64_t m, bool openmp, const char *script)
{
    sq_sched_entry e = {.kernel = "gemm",
                        .kernel_hash = H,
                        .source_hash = H,
                        .nsizes = m ? 3 : 0,
                        .size = {{"M", m}, {"N", m}, {"K", m}},
                        .openmp = openmp,
                        .script = script};
    return e;
}

static void test_round_trip(void **state)
{
    sq_arena *a = sq_arena_new();
    sq_diags *d = sq_diags_new();
    static const char text[] = HEAD ENTRY "# why\nhash " H " source " H
                                          "\nkernel other at * openmp { order(j, i) }\n# the end";
    (void)state;
    sq_sched_file *f = sq_sched_parse("x.sched", text, strlen(text), a, d);
    assert_non_null(f);
    assert_int_equal(f->n, 2);
    assert_string_equal(f->machine, "avx2");
    assert_int_equal(f->entry[0].size[2].value, 4);
    assert_string_equal(f->entry[0].script, "\n    tile(i:4) # a } here\n");
    assert_int_equal(f->entry[0].loc.line, 6);
    assert_int_equal(f->entry[1].nsizes, 0);
    assert_true(f->entry[1].openmp && !f->entry[0].openmp);
    sq_text t = {0};
    sq_sched_print(f, &t);
    assert_string_equal(sq_text_str(&t), text);
    sq_text_free(&t);
    sq_diags_free(d);
    sq_arena_free(a);
}

/* What is understood of a newer minor version is read, and the version is kept. */
static void test_newer_minor(void **state)
{
    static const char text[] = "squall-sched 1.7\nclass avx2\n" ENTRY;
    sq_arena *a = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_text t = {0};
    (void)state;
    sq_sched_file *f = sq_sched_parse("x.sched", text, strlen(text), a, d);
    assert_non_null(f);
    sq_sched_print(f, &t);
    assert_string_equal(sq_text_str(&t), text);
    sq_text_free(&t);
    sq_diags_free(d);
    sq_arena_free(a);
}

static const struct {
    const char *text;
    sq_fault fault;
    int line;
    const char *message;
} bad[] = {
    {"", SQ_FAULT_INPUT, 1, "cut off"},
    {"tile(i:4)\n", SQ_FAULT_INPUT, 1, "squall-sched 1"},
    {"squall-sched 2\n", SQ_FAULT_NEWER, 1, "version 2"},
    {"squall-sched 2.1\nnew words\n", SQ_FAULT_NEWER, 1, "version 2"},
    {"squall-sched 0\nclass avx2\n", SQ_FAULT_INPUT, 1, "there is no version 0"},
    {"squall-sched 1.\nclass avx2\n", SQ_FAULT_INPUT, 1, "squall-sched 1"},
    {"squall-sched 1.7\nkind avx2\n", SQ_FAULT_NEWER, 2, "class NAME"},
    {"squall-sched 1\n\nkernel gemm\n", SQ_FAULT_INPUT, 3, "class NAME"},
    {HEAD "\nhash " H " source " H "\nkernel gemm at M=2,N=3 {\n  tile(", SQ_FAULT_INPUT, 5,
     "cut off"},
    {HEAD ENTRY "\nhash 012 source " H "\nkernel gemm at * { }\n", SQ_FAULT_INPUT, 10,
     "expected an entry"},
    {HEAD ENTRY "nonsense { }", SQ_FAULT_INPUT, 9, "expected an entry"},
    {HEAD ENTRY "\nhash " H " source " H "\nkernel gemm at A=1,B=1,C=1,D=1,E=1,F=1,G=1,H=1,I=1,J=1,"
                "K=1,L=1,M=1,N=1,O=1,P=1,Q=1 { }\n",
     SQ_FAULT_INPUT, 11, "more than 16 sizes"},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sq_arena *a = sq_arena_new();
        sq_diags *d = sq_diags_new();
        assert_null(sq_sched_parse("x.sched", bad[i].text, strlen(bad[i].text), a, d));
        assert_int_equal(sq_diags_fault(d), bad[i].fault);
        assert_non_null(strstr(sq_diags_message(d, 0), bad[i].message));
        char *shown = NULL, where[32];
        size_t n = 0;
        FILE *to = open_memstream(&shown, &n);
        sq_diags_print(d, to, SQ_DIAG_GCC, 0);
        fclose(to);
        snprintf(where, sizeof where, "x.sched:%d:", bad[i].line);
        if (!strstr(shown, where))
            print_message("row %zu: %s\n", i, shown);
        assert_non_null(strstr(shown, where));
        free(shown);
        sq_diags_free(d);
        sq_arena_free(a);
    }
}

/* Every cut of a good file is refused, never misread, unless it cuts between entries. */
static void test_every_cut(void **state)
{
    static const char text[] = HEAD ENTRY;
    (void)state;
    for (size_t n = 0; n < strlen(text) - 1; n++) {
        sq_arena *a = sq_arena_new();
        sq_diags *d = sq_diags_new();
        sq_sched_file *f = sq_sched_parse("x", text, n, a, d);
        if (f && f->n)
            assert_int_equal(n, strlen(text) - 1);
        sq_diags_free(d);
        sq_arena_free(a);
    }
}

static void test_find(void **state)
{
    sq_arena *a = sq_arena_new();
    isl_ctx *ctx = isl_ctx_alloc();
    sq_kernel *k = make_gemm(ctx, SQ_F32);
    sq_sched_file *f = sq_sched_new(a, "avx2");
    sq_sched_entry small = entry(64, false, "small"), large = entry(512, false, "large"),
                   threads = entry(512, true, "threads"), any = entry(0, false, "any");
    (void)state;
    memcpy(small.kernel_hash, sq_kernel_hash(k).hex, 33); /* made with symbolic sizes */
    sq_sched_put(f, &small);
    assert_string_equal(sq_sched_find(f, k, (sq_sched_for){.openmp = false})->script, "small");
    small.unmeasured = true; /* a prediction stands behind what was measured */
    sq_sched_put(f, &small);
    memcpy(large.kernel_hash, small.kernel_hash, 33);
    sq_sched_put(f, &large);
    assert_string_equal(sq_sched_find(f, k, (sq_sched_for){.openmp = false})->script, "large");
    assert_true(sq_sched_same(f, &small)->unmeasured && !sq_sched_same(f, &large)->unmeasured);
    assert_null(sq_sched_same(f, &any));
    f->n = 1;
    memcpy(large.kernel_hash, H, 33);
    assert_false(sq_sched_foreign(&small, k, "?"));
    assert_true(sq_sched_foreign(&large, k, "?"));
    assert_false(sq_sched_foreign(&large, k, H));
    for (int i = 0; i < 3; i++) {
        k->size[i]->fixed = true;
        k->size[i]->value = 512;
    }
    assert_null(sq_sched_find(f, k, (sq_sched_for){.openmp = false}));
    sq_sched_put(f, &any);
    assert_string_equal(sq_sched_find(f, k, (sq_sched_for){.openmp = false})->script, "any");
    sq_sched_put(f, &large);
    sq_sched_put(f, &threads);
    assert_string_equal(sq_sched_find(f, k, (sq_sched_for){.openmp = false})->script, "large");
    assert_string_equal(sq_sched_find(f, k, (sq_sched_for){.openmp = true})->script, "threads");
    sq_sched_entry words = entry(512, false, "words"); /* of a target that has more than its class */
    words.words = true;
    sq_sched_put(f, &words);
    assert_int_equal(f->n, 5);
    assert_string_equal(sq_sched_find(f, k, (sq_sched_for){.words = true})->script, "words");
    assert_string_equal(sq_sched_find(f, k, (sq_sched_for){.words = false})->script, "large");
    f->n--;
    large.script = "better";
    sq_sched_put(f, &large);
    assert_int_equal(f->n, 4);
    assert_string_equal(sq_sched_find(f, k, (sq_sched_for){.openmp = false})->script, "better");
    sq_sched_entry fixed = entry(512, false, "fixed"); /* of the same source */
    memcpy(fixed.kernel_hash, sq_kernel_hash(k).hex, 33);
    sq_sched_put(f, &fixed);
    assert_int_equal(f->n, 5);
    assert_string_equal(sq_sched_find(f, k, (sq_sched_for){.openmp = false})->script, "fixed");
    assert_string_equal(sq_sched_same(f, &large)->script, "better");
    memcpy(fixed.source_hash, sq_kernel_hash(k).hex, 33); /* a later one */
    fixed.kernel_hash[0] ^= 1;
    sq_sched_put(f, &fixed);
    assert_int_equal(f->n, 5);
    sq_kernel_free(k);
    isl_ctx_free(ctx);
    sq_arena_free(a);
}

static void test_update(void **state)
{
    sq_arena *a = sq_arena_new();
    sq_diags *d = sq_diags_new();
    char dir[] = "sched-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(dir));
    const char *path = sq_arena_printf(a, "%s/gemm.avx2.sched", dir);
    sq_sched_entry one = entry(1, false, "\n    one()\n"), two = entry(2, false, " two() ");
    assert_int_equal(sq_sched_update(path, "avx2", &one, a, d), 0);
    assert_int_equal(sq_sched_update(path, "avx2", &two, a, d), 0);
    sq_sched_file *f = sq_sched_read(path, a, d);
    assert_non_null(f);
    assert_int_equal(f->n, 2);
    assert_string_equal(f->entry[0].script, "\n    one()\n");
    /* A file that cannot be read is left as it is. */
    assert_int_equal(sq_file_write(d, path, "junk", 4, 0), 0);
    assert_int_equal(sq_sched_update(path, "avx2", &two, a, d), -1);
    char *text = sq_file_read(d, path, NULL);
    assert_string_equal(text, "junk");
    free(text);
    unlink(path);
    rmdir(dir);
    sq_diags_free(d);
    sq_arena_free(a);
}

static void test_path(void **state)
{
    sq_arena *a = sq_arena_new();
    (void)state;
    assert_string_equal(sq_sched_path(a, "d.x/gemm.sq", "avx2", NULL), "d.x/gemm.avx2.sched");
    assert_string_equal(sq_sched_path(a, "gemm", "avx2", "out"), "out/gemm.avx2.sched");
    sq_arena_free(a);
}

/* Several that add to one file at the same time: no entry is lost. */
static void test_at_once(void **state)
{
    enum { WRITERS = 4, EACH = 25 };
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    (void)state;
    unlink("at-once.sched");
    for (int w = 0; w < WRITERS; w++) {
        if (fork() != 0)
            continue;
        int failed = 0;
        for (int i = 0; i < EACH; i++) {
            sq_sched_entry e = {.kernel = "k", .nsizes = 1, .script = "\n", .before = "\n"};
            memset(e.kernel_hash, '0', 32);
            memset(e.source_hash, '0', 32);
            e.size[0] = (sq_sched_size){"N", w * EACH + i};
            failed |= sq_sched_update("at-once.sched", "avx2", &e, arena, d);
        }
        _exit(failed != 0);
    }
    for (int status, w = 0; w < WRITERS; w++) {
        wait(&status);
        assert_int_equal(status, 0);
    }
    sq_sched_file *f = sq_sched_read("at-once.sched", arena, d);
    assert_non_null(f);
    assert_int_equal(f->n, WRITERS * EACH);
    sq_diags_free(d);
    sq_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_bad),
        cmocka_unit_test(test_newer_minor), cmocka_unit_test(test_every_cut),
        cmocka_unit_test(test_find),        cmocka_unit_test(test_update),
        cmocka_unit_test(test_path),        cmocka_unit_test(test_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
