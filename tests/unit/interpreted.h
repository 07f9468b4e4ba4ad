/* Interpreted: what tests share that run lowered samples: the samples, sizes and memory for them, and
 * what is expected to be there afterwards. */
#ifndef SQ_TESTS_INTERPRETED_H
#define SQ_TESTS_INTERPRETED_H
#include "codegen/code/interpret.h"
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "ir/kernel/reference.h"
#include "support/file.h"
#include "tests/unit/isl_context.h"
#include "tests/unit/unit.h"

enum { MOST_STATEMENTS = 2000000, MOST_FLOPS = 40000, MOST_BOUNDS = 64 };

/* A sample's kernels, checked, with their dependences; path is from the root of the repository. */
static inline sq_unit *sample_open(const char *path)
{
    char full[8400];
    const char *root = getenv("SQUALL_SOURCE");
    size_t n;
    sq_diags *d = sq_diags_new();
    sq_parse_options o = {0};
    snprintf(full, sizeof full, "%s/%s", root ? root : ".", path);
    char *text = sq_file_read(d, full, &n);
    assert_non_null(text);
    sq_unit *u = sq_parse(ctx, full, text, n, &o, d);
    if (!u)
        print_error("%s: %s\n", path, sq_diags_message(d, 0));
    assert_non_null(u);
    for (int i = 0; i < u->nkernels; i++) {
        assert_int_equal(sq_kernel_check(u->kernel[i], d), 0);
        assert_int_equal(sq_deps_compute(u->kernel[i], d), 0);
    }
    sq_diags_free(d);
    free(text);
    return u;
}

/* Odd sizes that the kernel allows, at which there is little to do; others for another `which`. */
static inline bool sample_sizes(const sq_kernel *k, int which, int64_t *sizes)
{
    static const int64_t some[] = {5, 7, 3, 4, 9, 6, 2, 11, 1, 0};
    for (int64_t from = which; from < 40; from++) {
        for (int i = 0; i < k->nsizes; i++)
            sizes[i] = some[(from + (from < 10 ? 1 : from / 10) * i) % (int64_t)LENGTH(some)];
        if (sq_kernel_takes(k, k->context, sizes) && sq_kernel_flops(k, sizes) < MOST_FLOPS)
            return true;
    }
    return false;
}

/* Memory before a call, and what it is afterwards. */
typedef struct expectation {
    sq_image *before, *after;
    double bound[MOST_BOUNDS];
} expectation;

static inline expectation expect(const sq_kernel *k, const int64_t *sizes, sq_arena *arena)
{
    expectation e = {.before = sq_image_new(k, sizes, arena)};
    const sq_image_contents c = {.seed = 1, .positive = true, .dominant = true};
    sq_reference *r = sq_reference_new(k, arena);
    assert_non_null(r);
    e.after = sq_image_like(e.before, arena);
    sq_image_fill(e.before, &c);
    sq_image_copy(e.after, e.before);
    const char *wrong = sq_reference_run(r, e.after, MOST_STATEMENTS, arena);
    if (wrong)
        print_error("%s: %s\n", k->name, wrong);
    assert_null(wrong);
    assert_true(k->narrays <= MOST_BOUNDS);
    sq_kernel_rounding(k, e.after->size, e.bound);
    return e;
}

/* NULL, or how the code's result differs. */
static inline const char *outcome(const sq_code *x, const sq_kernel *k, const expectation *e,
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
#endif
