/* The interpreter on kernels of a grid: what they compute is what the description says, in three orders of the
 * threads, and faults in what threads do together are found: barriers left out, waits too short, exchanges and
 * fragments of the wrong lanes. */
#include "codegen/code/instruction.h"
#include "codegen/passes/group.h"
#include "codegen/print/names.h"
#include "tests/unit/interpreted.h"
#include "transforms/transform.h"

/* A kernel of a sample for an architecture. */
typedef struct subject {
    sq_unit *u;
    sq_arena *arena;
    sq_diags *d;
    sq_code_pool *pool;
    sq_code *code;
    expectation expected;
} subject;

static subject subject_of(const char *path, const char *arch, const int64_t *sizes, const char *script)
{
    subject x = {.u = sample_open(path), .arena = sq_arena_new(), .d = sq_diags_new()};
    const sq_kernel *k = x.u->kernel[0];
    sq_schedule *s = sq_schedule_new(k, x.arena);
    const sq_group_options o = {.nest = {.target = sq_target_arch("cuda", arch)}, .npasses = SQ_ALL_PASSES};
    if (sq_script_apply(s, script, "<script>", x.arena, x.d) != 0)
        print_error("%s: %s\n", path, sq_diags_message(x.d, 0));
    assert_int_equal(sq_diags_errors(x.d), 0);
    x.pool = sq_code_pool_new(x.arena);
    x.pool->is_verified = true;
    assert_int_equal(sq_schedule_code(sq_names_of_loops(s, x.arena), &o, x.pool, &x.code, x.d), 0);
    x.expected = expect(k, sizes, x.arena);
    return x;
}

static void subject_free(subject *x)
{
    sq_unit_free(x->u);
    sq_diags_free(x->d);
    sq_arena_free(x->arena);
}

/* NULL, or what is wrong in the first order in which something is. */
static const char *wrong_with(const subject *x)
{
    const char *why = NULL;
    for (int order = 0; order < 3 && !why; order++)
        why = outcome(x->code, x->u->kernel[0], &x->expected, (sq_interpret_order)order, x->arena);
    return why;
}

static void assert_right(const subject *x)
{
    const char *why = wrong_with(x);
    if (why)
        print_error("%s: %s\n", x->u->kernel[0]->name, why);
    assert_null(why);
}

/* The instruction number `*n` of a row. */
static sq_code *instruction_of(sq_code *x, sq_code_instruction_row row, int *n)
{
    sq_code *found = NULL;
    for (; x && !found; x = x->next) {
        bool is = x->kind == SQ_CODE_INSTRUCTION && x->instruction->row == row;
        if (is && (*n)-- == 0)
            return x;
        found = instruction_of(x->body, row, n);
        found = found ? found : instruction_of(x->other, row, n);
    }
    return found;
}

/* What the interpreter says without the instruction: NULL where nothing is wrong. */
static const char *without(const subject *x, sq_code_instruction_row row, int n)
{
    sq_code *at = instruction_of(x->code, row, &n);
    assert_non_null(at);
    at->kind = SQ_CODE_COMMENT;
    at->name = "left out";
    const char *why = wrong_with(x);
    at->kind = SQ_CODE_INSTRUCTION;
    return why;
}

/* What it says with another number, or with two operands exchanged. */
static const char *with_number(const subject *x, sq_code_instruction_row row, int by)
{
    int first = 0;
    sq_code *at = instruction_of(x->code, row, &first);
    assert_non_null(at);
    const sq_code_instruction *was = at->instruction;
    sq_code_instruction changed = *was;
    changed.n += by;
    at->instruction = &changed;
    const char *why = wrong_with(x);
    at->instruction = was;
    return why;
}

static const char *with_exchanged(const subject *x, sq_code_instruction_row row, int a, int b)
{
    int first = 0;
    sq_code *at = instruction_of(x->code, row, &first);
    assert_non_null(at);
    sq_code_operand *of = (sq_code_operand *)at->instruction->operand, was = of[a];
    of[a] = of[b];
    of[b] = was;
    const char *why = wrong_with(x);
    of[b] = of[a];
    of[a] = was;
    return why;
}

static const char held[] = "tile(i:16, j:16, k:4) order(i0, j0, i, j, k0) micro(i:2, j:8 | k) vectorize(j:4) hold(k0) "
                           "block(i0, j0) thread(i, j) ";

static const char *script(const subject *x, const char *more)
{
    return sq_arena_printf(x->arena, "%s%s", held, more);
}

/* Two barriers a tile of steps: one leaves the last contents to their readers, one the next ones. */
static void barriers_are_needed(void **state)
{
    (void)state;
    const int64_t sizes[] = {17, 19, 13};
    subject some = {.arena = sq_arena_new()};
    subject x = subject_of("samples/gemm_nt.sq", "sm_80", sizes, script(&some, "share(A, B at k0, pad:4)"));
    assert_right(&x);
    assert_non_null(without(&x, SQ_INSTRUCTION_BARRIER, 0));
    assert_non_null(without(&x, SQ_INSTRUCTION_BARRIER, 1));
    subject_free(&x);
    sq_arena_free(some.arena);
}

/* Copies on their way are no values. */
static void copies_are_waited_for(void **state)
{
    (void)state;
    const int64_t sizes[] = {17, 16, 32};
    subject some = {.arena = sq_arena_new()};
    subject x = subject_of("samples/gemm.sq", "sm_80", sizes, script(&some, "share(A, B at k0, pad:4, stages:3)"));
    assert_right(&x);
    assert_non_null(without(&x, SQ_INSTRUCTION_WAIT, 0));
    assert_non_null(without(&x, SQ_INSTRUCTION_COMMIT, 0));
    assert_non_null(without(&x, SQ_INSTRUCTION_COPY, 0));
    assert_non_null(with_number(&x, SQ_INSTRUCTION_WAIT, 1));
    assert_non_null(without(&x, SQ_INSTRUCTION_BARRIER, 1));
    subject_free(&x);
    sq_arena_free(some.arena);
}

/* Sums of a warp, and of several. */
static void sums_are_exchanged(void **state)
{
    (void)state;
    const int64_t sizes[] = {5, 131};
    subject x = subject_of("samples/layernorm.sq", "sm_80", sizes, "S0: hold(j) block(i) thread(j:64)");
    assert_right(&x);
    assert_non_null(without(&x, SQ_INSTRUCTION_SHUFFLE, 0));
    assert_non_null(with_number(&x, SQ_INSTRUCTION_SHUFFLE, -8));
    assert_non_null(without(&x, SQ_INSTRUCTION_BARRIER, 0));
    subject_free(&x);
}

static const char tensor[] = "tile(i:16, j:32, k:%d) order(i0, j0, i, j, k0) micro(i:16, j:16 | k) "
                             "tensorize(i:16, j:8, k:%d) hold(k0) block(i0, j0) thread(i, j) "
                             "share(A, B at k0, pad:%d%s)";

static void try_tensor(const char *path, int steps, int pad, const char *stages, bool by_matrices)
{
    const int64_t sizes[] = {19, 33, 41};
    sq_arena *arena = sq_arena_new();
    subject x = subject_of(path, "sm_80", sizes, sq_arena_printf(arena, tensor, steps, steps, pad, stages));
    assert_right(&x);
    assert_non_null(with_exchanged(&x, SQ_INSTRUCTION_MMA, 0, 1));
    assert_non_null(with_exchanged(&x, SQ_INSTRUCTION_MMA, 0, 2));
    assert_non_null(without(&x, by_matrices ? SQ_INSTRUCTION_LDMATRIX : SQ_INSTRUCTION_WORD, 0));
    assert_non_null(without(&x, SQ_INSTRUCTION_MMA, 0));
    subject_free(&x);
    sq_arena_free(arena);
}

static void matrices_are_multiplied(void **state)
{
    (void)state;
    try_tensor("samples/hgemm.sq", 16, 8, "", true);
    try_tensor("samples/hgemm.sq", 16, 8, ", stages:2", true);
    try_tensor("samples/gemm_s8.sq", 32, 16, "", true);
}

/* Products of a warpgroup, in copies whose units are permuted. */
static void warpgroups_multiply(void **state)
{
    (void)state;
    const int64_t sizes[] = {67, 70, 81};
    subject x = subject_of("samples/hgemm.sq", "sm_90a", sizes,
                           "tile(i:64, j:64, k:64) order(i0, j0, i, j, k0) micro(i:16, j:64 | k) "
                           "tensorize(i:64, j:64, k:16) hold(k0) block(i0, j0) thread(i, j) "
                           "share(A, B at k0, stages:2)");
    assert_right(&x);
    assert_non_null(without(&x, SQ_INSTRUCTION_WGMMA, 0));
    assert_non_null(with_exchanged(&x, SQ_INSTRUCTION_WGMMA, 0, 3));
    subject_free(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_are_needed),     cmocka_unit_test(copies_are_waited_for),
        cmocka_unit_test(sums_are_exchanged),      cmocka_unit_test(matrices_are_multiplied),
        cmocka_unit_test(warpgroups_multiply),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
