/* What samples are lowered to, as it is and after the passes, run by the interpreter, against what the
 * kernels say, at odd sizes: every sample on targets of several kinds, as written and under auto(), in three
 * orders of the loops that may run in any. */
#include "codegen/print/names.h"
#include "codegen/passes/group.h"
#include "tests/unit/interpreted.h"
#include "transforms/transform.h"
#include <dirent.h>

static int interpreted;

/* The loops of all orders, for one target. */
static void try_passes(const sq_schedule *s, const expectation *e, const sq_target *t, int npasses,
                       const char *script)
{
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_code *x = NULL;
    sq_code_pool *pool = sq_code_pool_new(arena);
    pool->is_verified = true;
    const sq_group_options o = {.nest = {.target = t, .threads = true}, .npasses = npasses};
    int rc = sq_schedule_code(s, &o, pool, &x, d);
    for (int order = 0; rc == 0 && order < 3; order++) {
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
    for (size_t t = 0; taken && t < LENGTH(targets); t++) {
        const sq_target *target = sq_target_get(targets[t]);
        if (sq_target_takes(target, s, d) == 0)
            try_passes(s, e, target, SQ_ALL_PASSES, script);
    }
    if (taken && sq_target_takes(sq_target_get("avx2"), s, d) == 0) /* as lowered: little depends on the target */
        try_passes(s, e, sq_target_get("avx2"), 0, script);
    sq_diags_free(d);
    sq_arena_free(arena);
}

static void try_kernel(const sq_kernel *k)
{
    static const char *const scripts[] = {"", "auto(parallel)", "auto(tile:3, tile:2, parallel)",
                                          "auto(fuse:max)", "auto(grid:2)"};
    int64_t sizes[SQ_MAX_SIZES];
    sq_arena *arena = sq_arena_new();
    assert_true(sample_sizes(k, 0, sizes));
    expectation e = expect(k, sizes, arena);
    for (size_t s = 0; s < LENGTH(scripts); s++)
        try_script(k, &e, scripts[s]);
    sq_arena_free(arena);
}

static void try_file(const char *path)
{
    sq_unit *u = sample_open(path);
    for (int i = 0; i < u->nkernels; i++)
        try_kernel(u->kernel[i]);
    sq_unit_free(u);
}

static void try_folder(const char *folder, const char *suffix)
{
    char path[4096];
    const char *root = getenv("SQUALL_SOURCE");
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", folder);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    interpreted = 0;
    for (struct dirent *f; (f = readdir(dir));) {
        const char *dot = strrchr(f->d_name, '.');
        if (!dot || strcmp(dot, suffix) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, f->d_name);
        try_file(path);
    }
    closedir(dir);
    print_message("%s: %d runs\n", folder, interpreted);
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
