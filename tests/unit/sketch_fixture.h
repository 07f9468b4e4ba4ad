/* Sketch fixture: a description, the naive schedule of its first kernel, and the sketch of that. */
#ifndef SQ_TESTS_SKETCH_FIXTURE_H
#define SQ_TESTS_SKETCH_FIXTURE_H
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "support/file.h"
#include "tests/unit/unit.h"
#include "tuner/model/draft.h"
#include <isl/ctx.h>
#include <isl/options.h>

typedef struct fixture {
    isl_ctx *ctx;
    sq_diags *d;
    sq_unit *u;
    sq_schedule *naive;
    sq_sketch *sketch;
} fixture;

static inline void open_text(fixture *f, const char *text, size_t n, const sq_fix *fix, int nfix,
                      const char *isa, int threads)
{
    sq_parse_options o = {.fix = fix, .nfix = nfix};
    sq_text script = {0};
    int64_t sizes[64];
    f->ctx = isl_ctx_alloc();
    isl_options_set_on_error(f->ctx, ISL_ON_ERROR_CONTINUE);
    f->d = sq_diags_new();
    f->u = sq_parse(f->ctx, "t.sq", text, n, &o, f->d);
    assert_non_null(f->u);
    sq_kernel *k = f->u->kernel[0];
    assert_int_equal(sq_deps_compute(k, f->d), 0);
    f->naive = sq_schedule_new(k, f->u->arena);
    sq_draft_fuse(f->naive, f->u->arena, &script);
    sq_text_free(&script);
    sq_nominal_sizes(k, sizes);
    f->sketch = sq_sketch_new(f->naive, sq_machine_class(isa), sq_target_get(isa), sizes, threads,
                              f->u->arena);
}

/* The same for a sample. */
static inline void open_sample(fixture *f, const char *name, const char *isa, int threads)
{
    size_t n;
    sq_text path = {0};
    sq_diags *d = sq_diags_new();
    sq_text_printf(&path, "%s/samples/%s.sq", getenv("SQUALL_SOURCE"), name);
    char *text = sq_file_read(d, sq_text_str(&path), &n);
    assert_non_null(text);
    open_text(f, text, n, NULL, 0, isa, threads);
    free(text);
    sq_text_free(&path);
    sq_diags_free(d);
}

/* Gives a coordinate of a point a value that it has. */
static inline void set_choice(const fixture *f, int *point, const char *name, long value)
{
    const sq_space *sp = sq_sketch_space(f->sketch);
    for (int c = 0; c < sp->n; c++)
        for (int v = 0; v < sp->coord[c].nvalues; v++)
            if (strcmp(sp->coord[c].name, name) == 0 && sp->coord[c].value[v] == value) {
                point[c] = v;
                return;
            }
    fail_msg("no coordinate %s with value %ld", name, value);
}

static inline void close_fixture(fixture *f)
{
    sq_unit_free(f->u);
    sq_diags_free(f->d);
    isl_ctx_free(f->ctx);
}

#endif
