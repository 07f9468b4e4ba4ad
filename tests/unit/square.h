/* Square: a product of matrices of 1024 by 1024, and a point of its space whose features are known by hand. */
#ifndef SQ_TESTS_SQUARE_H
#define SQ_TESTS_SQUARE_H
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "tests/unit/unit.h"
#include "tuner/space/sketch.h"
#include <isl/ctx.h>
#include <isl/options.h>
#include <math.h>

static const char square[] = "#include \"squall.h\"\n"
                             "kernel gemm(const f32 A[1024][1024], const f32 B[1024][1024], f32 C[1024][1024])\n"
                             "{ idx i, j, k; C[i][j] = sum(A[i][k] * B[k][j], k); }\n";

typedef struct fixture {
    isl_ctx *ctx;
    sq_diags *d;
    sq_unit *u;
    sq_sketch *sketch;
    int threads;
    const sq_machine *machine;
    const sq_target *target;
    int point[SQ_MAX_COORDS];
} fixture;

static inline void open_square(fixture *f, int threads)
{
    int64_t sizes[64];
    sq_parse_options o = {0};
    *f = (fixture){.ctx = isl_ctx_alloc(), .d = sq_diags_new(), .threads = threads};
    isl_options_set_on_error(f->ctx, ISL_ON_ERROR_CONTINUE);
    f->u = sq_parse(f->ctx, "t.sq", square, sizeof square - 1, &o, f->d);
    assert_non_null(f->u);
    sq_kernel *k = f->u->kernel[0];
    assert_int_equal(sq_deps_compute(k, f->d), 0);
    sq_nominal_sizes(k, sizes);
    f->machine = sq_machine_class("avx512");
    f->target = sq_target_get("avx512");
    f->sketch = sq_sketch_new(sq_schedule_new(k, f->u->arena), f->machine, f->target, sizes, threads, f->u->arena);
}

static inline void close_square(fixture *f)
{
    sq_unit_free(f->u);
    sq_diags_free(f->d);
    isl_ctx_free(f->ctx);
}

static inline void set(fixture *f, const char *name, long value)
{
    const sq_space *sp = sq_sketch_space(f->sketch);
    for (int c = 0; c < sp->n; c++)
        for (int v = 0; v < sp->coord[c].nvalues; v++)
            if (strcmp(sp->coord[c].name, name) == 0 && sp->coord[c].value[v] == value) {
                f->point[c] = v;
                return;
            }
    fail_msg("no coordinate %s with value %ld", name, value);
}

/* A tile of 8 rows and 2 vectors, a block of 256 steps of the sum, B in panels. */
static inline void set_all(fixture *f)
{
    static const struct {
        const char *name;
        long value;
    } choice[] = {{"rows", 8},
                  {"vectors", 2},
                  {"kc", 256},
                  {"mc", 1024},
                  {"nc", 1024},
                  {"unroll", 1},
                  {"outer", 0},
                  {"inner", 0},
                  {"lanes", 16},
                  {"pack.A", SQ_UNPACKED},
                  {"pack.B", SQ_PACKED_PANELS}};
    for (size_t i = 0; i < sizeof choice / sizeof *choice; i++)
        set(f, choice[i].name, choice[i].value);
}

static inline const float *statement_of(const fixture *f)
{
    static float row[SQ_STATEMENTS][SQ_STATEMENT];
    assert_int_equal(sq_sketch_features(f->sketch, f->point, row), 1);
    return row[0];
}

static inline void expect(double is, double expected)
{
    if (fabs(is - expected) > 1e-5 * fabs(expected))
        fail_msg("%g instead of %g", is, expected);
}
#endif
