/* What samples are lowered to, run by the interpreter, against what the kernels say, at odd sizes: every
 * sample on targets of several kinds, as written and under auto(), in three orders of the loops that
 * may run in any. And faults that are planted in lowered code: each is found. */
#include "codegen/code/interpret.h"
#include "codegen/code/verify.h"
#include "codegen/lower/group.h"
#include "codegen/names.h"
#include "frontend/frontend.h"
#include "ir/deps.h"
#include "ir/reference.h"
#include "support/file.h"
#include "tests/unit/isl_context.h"
#include "tests/unit/unit.h"
#include "transforms/transform.h"
#include <dirent.h>

enum { MOST_FILES = 128, MOST_STATEMENTS = 2000000, MOST_FLOPS = 40000 };

/* ---- running ---- */

/* Memory before, and what it is afterwards. */
typedef struct expectation {
    sq_image *before, *after;
    double bound[64];
} expectation;

/* Odd sizes that the kernel allows, at which there is little to do; false where none of these fit. */
static bool choose_sizes(const sq_kernel *k, int64_t *sizes)
{
    static const int64_t some[] = {5, 7, 3, 4, 9, 6, 2, 11, 1, 3};
    for (int64_t from = 0; from < 40; from++) {
        for (int i = 0; i < k->nsizes; i++)
            sizes[i] = some[(from + (from < 10 ? 1 : from / 10) * i) % (int64_t)LENGTH(some)];
        if (sq_kernel_takes(k, k->context, sizes) && sq_kernel_flops(k, sizes) < MOST_FLOPS)
            return true;
    }
    return false;
}

static expectation expect(const sq_kernel *k, const int64_t *sizes, sq_arena *arena)
{
    expectation e = {.before = sq_image_new(k, sizes, arena),
                     .after = sq_image_new(k, sizes, arena)};
    const sq_image_contents c = {.seed = 1, .positive = true, .dominant = true};
    sq_reference *r = sq_reference_new(k, arena);
    assert_non_null(r);
    sq_image_fill(e.before, &c);
    sq_image_copy(e.after, e.before);
    const char *wrong = sq_reference_run(r, e.after, MOST_STATEMENTS, arena);
    if (wrong)
        print_error("%s: %s\n", k->name, wrong);
    assert_null(wrong);
    assert_true((size_t)k->narrays <= LENGTH(e.bound));
    sq_kernel_rounding(k, e.after->size, e.bound);
    return e;
}

/* NULL, or how the code's result differs. */
static const char *outcome(const sq_code *x, const sq_kernel *k, const expectation *e,
                           sq_interpret_order order, sq_arena *arena)
{
    const sq_interpret_options o = {.order = order, .seed = 5, .most = MOST_STATEMENTS};
    const char *why = NULL;
    sq_image *m = sq_image_new(k, e->before->size, arena);
    sq_image_copy(m, e->before);
    why = sq_code_interpret(x, m, &o, arena);
    if (!why)
        sq_image_same(e->after, m, e->bound, arena, &why);
    return why;
}

/* ---- samples ---- */

static int skipped, interpreted;

/* The loops of all orders, for one target. */
static void try_target(const sq_schedule *s, const expectation *e, const sq_target *t,
                       const char *script)
{
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_code *x = NULL;
    sq_code_pool *pool = sq_code_pool_new(arena);
    pool->is_verified = true;
    sq_lowered done = sq_lower_schedule(s, t, true, pool, &x, d);
    skipped += done == SQ_LOWER_NOT_AS_CODE;
    for (int order = 0; done == SQ_LOWER_DONE && order < 3; order++) {
        const char *why = outcome(x, s->kernel, e, (sq_interpret_order)order, arena);
        interpreted++;
        if (why)
            print_error("%s, target %s, script '%s', order %d: %s\n", s->kernel->name, t->name,
                        script, order, why);
        assert_null(why);
    }
    sq_diags_free(d);
    sq_arena_free(arena);
}

static void try_script(const sq_kernel *k, const expectation *e, const char *script)
{
    static const char *const targets[] = {"c", "avx2", "avx512", "cuda"};
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(k, arena);
    bool taken = sq_script_apply(s, script, "<script>", arena, d) == 0;
    s = sq_names_of_loops(s, arena);
    for (size_t t = 0; taken && t < LENGTH(targets); t++)
        try_target(s, e, sq_target_get(targets[t]), script);
    sq_diags_free(d);
    sq_arena_free(arena);
}

static void try_kernel(const sq_kernel *k)
{
    static const char *const scripts[] = {"", "auto(parallel)", "auto(tile:3, tile:2, parallel)",
                                          "auto(fuse:max)"};
    int64_t sizes[SQ_MAX_SIZES];
    sq_arena *arena = sq_arena_new();
    assert_true(choose_sizes(k, sizes));
    expectation e = expect(k, sizes, arena);
    for (size_t s = 0; s < LENGTH(scripts); s++)
        try_script(k, &e, scripts[s]);
    sq_arena_free(arena);
}

static void try_file(const char *path)
{
    size_t n;
    sq_diags *d = sq_diags_new();
    char *text = sq_file_read(d, path, &n);
    assert_non_null(text);
    sq_parse_options o = {0};
    sq_unit *u = sq_parse(ctx, path, text, n, &o, d);
    if (!u)
        print_error("%s: %s\n", path, sq_diags_message(d, 0));
    assert_non_null(u);
    for (int i = 0; i < u->nkernels; i++) {
        assert_int_equal(sq_kernel_check(u->kernel[i], d), 0);
        assert_int_equal(sq_deps_compute(u->kernel[i], d), 0);
        try_kernel(u->kernel[i]);
    }
    sq_unit_free(u);
    sq_diags_free(d);
    free(text);
}

static void try_folder(const char *folder, const char *suffix)
{
    char path[4096];
    const char *root = getenv("SQUALL_SOURCE");
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", folder);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    skipped = interpreted = 0;
    for (struct dirent *f; (f = readdir(dir));) {
        const char *dot = strrchr(f->d_name, '.');
        if (!dot || strcmp(dot, suffix) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s/%s", root ? root : ".", folder, f->d_name);
        try_file(path);
    }
    closedir(dir);
    print_message("%s: %d runs, %d schedules have register tiles\n", folder, interpreted, skipped);
    assert_true(interpreted > 10);
}

static void samples_compute_what_they_say(void **state)
{
    (void)state;
    try_folder("samples", ".sq");
}

static void polybench_computes_what_it_says(void **state)
{
    (void)state;
    try_folder("samples/polybench", ".sq");
}

static void regions_compute_what_they_say(void **state)
{
    (void)state;
    try_folder("samples/scop", ".c");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_compute_what_they_say),
        cmocka_unit_test(polybench_computes_what_it_says),
        cmocka_unit_test(regions_compute_what_they_say),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
