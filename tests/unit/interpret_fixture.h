/* What tests of the interpreter share: a kernel of two arrays, its memory, and a run of code on it. */
#ifndef SQ_TESTS_INTERPRET_FIXTURE_H
#define SQ_TESTS_INTERPRET_FIXTURE_H
#include "codegen/code/interpret.h"
#include "tests/unit/isl_context.h"
#include "tests/unit/kernels.h"
#include "tests/unit/make_code.h"
#include "tests/unit/unit.h"

enum { N = 5, COLUMNS = 8 };

/* A kernel of the arrays A, B [n][8] of one type, and its memory: A[i][j] = 8 i + j, B undefined. */
typedef struct fixture {
    made m;
    sq_kernel *k;
    sq_image *memory;
    sq_code_buffer *a, *b;
} fixture;

static inline fixture open_fixture(sq_type type)
{
    const int64_t sizes[] = {N};
    fixture f = {.m = made_begin(), .k = kernel_new(ctx, "test", "[n] -> { : n >= 0 }")};
    kernel_size(f.k, "n");
    kernel_array(f.k, "A", type, SQ_INOUT, "n 8");
    kernel_array(f.k, "B", type, SQ_OUT, "n 8");
    f.memory = sq_image_new(f.k, sizes, f.m.arena);
    for (int i = 0; i < N * COLUMNS; i++) {
        f.memory->array[0].at[i] = (sq_number){i, i};
        f.memory->array[0].defined[i] = true;
    }
    f.a = made_matrix(&f.m, "A", type);
    f.b = made_matrix(&f.m, "B", type);
    return f;
}

static inline void close_fixture(fixture *f)
{
    sq_kernel_free(f->k);
    sq_arena_free(f->m.arena);
}

static inline const char *run(const fixture *f, const sq_code *x, sq_interpret_order order)
{
    const sq_interpret_options o = {.order = order, .seed = 3, .most = 10000};
    return sq_code_interpret(x, f->memory, &o, f->m.arena);
}

static inline const sq_code_expr *count(const fixture *f, int64_t n)
{
    return sq_code_number(f->m.pool, n);
}
#endif
