/* Sketch fixture: a description, the naive schedule of its first kernel, and the sketch of that. */
#ifndef SQ_TESTS_SKETCH_FIXTURE_H
#define SQ_TESTS_SKETCH_FIXTURE_H
#include "frontend/frontend.h"
#include "tests/unit/unit.h"
#include "tuner/space/sketch.h"
#include <isl/ctx.h>

typedef struct fixture {
    isl_ctx *ctx;
    sq_diags *d;
    sq_unit *u;
    sq_schedule *naive;
    sq_sketch *sketch;
} fixture;

static inline void close_fixture(fixture *f)
{
    sq_unit_free(f->u);
    sq_diags_free(f->d);
    isl_ctx_free(f->ctx);
}

#endif
