/* Typed: what code knows of scripts, refusals, conditions and emitted text without reading text. */
#include "codegen/code/expr.h"
#include "codegen/emit.h"
#include "codegen/nest/text_of.h"
#include "support/words.h"
#include "tests/unit/interpreted.h"
#include "transforms/script.h"
#include "tuner/measure/runner.h"
#include <isl/aff.h>
#include <isl/set.h>

static void refusals_have_reasons(void **state)
{
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_unit *u = sample_open("samples/gemm.sq");
    sq_schedule *s = sq_schedule_new(u->kernel[0], arena);
    sq_diags *d = sq_diags_new();
    assert_null(sq_diags_reason(d, 0));
    assert_int_equal(sq_refusal(d, SQ_NOWHERE, "tile", "it is refused: so it is"), -1);
    assert_string_equal(sq_diags_message(d, 0), "tile refused: it is refused: so it is");
    assert_string_equal(sq_diags_reason(d, 0), "it is refused: so it is");
    assert_int_equal(sq_diags_fault(d), SQ_FAULT_REFUSED);
    size_t mark = sq_diags_mark(d);
    sq_error(d, SQ_FAULT_INPUT, SQ_NOWHERE, "x refused: y");
    assert_string_equal(sq_diags_reason(d, mark), "x refused: y");
    mark = sq_diags_mark(d);
    assert_int_equal(sq_script_apply(s, "vectorize(k:3)", "script", arena, d), -1);
    const char *reason = sq_diags_reason(d, mark), *message = sq_diags_message(d, mark);
    assert_int_equal(strncmp(message, "vectorize refused: ", strlen("vectorize refused: ")), 0);
    assert_string_equal(message + strlen("vectorize refused: "), reason);
    sq_diags_free(d);
    sq_unit_free(u);
    sq_arena_free(arena);
}

static void steps_have_their_text(void **state)
{
    static const char *const calls[] = {"tile( i:48 , j:lanes )", "micro(i:6,\n j:16 | k)", "order()", "parallel(i0)"};
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_step *steps = NULL;
    const char *script = sq_arena_printf(arena, "%s # (\n S1: %s\t%s  %s\n", calls[0], calls[1], calls[2], calls[3]);
    assert_int_equal(sq_script_parse(script, "script", sq_machine_class("avx2"), arena, &steps, d), 0);
    int n = 0;
    for (const sq_step *step = steps; step; step = step->next)
        assert_string_equal(step->text, calls[n++]);
    assert_int_equal(n, LENGTH(calls));
    sq_diags_free(d);
    sq_arena_free(arena);
}

static bool is_shared(const sq_unit *u, const char *script)
{
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(u->kernel[0], u->kernel[0]->arena);
    assert_int_equal(sq_script_apply(s, script, "script", u->kernel[0]->arena, d), 0);
    sq_diags_free(d);
    return sq_schedule_shared(s);
}

static void schedules_know_their_threads(void **state)
{
    (void)state;
    sq_unit *u = sample_open("samples/gemm.sq");
    assert_false(is_shared(u, ""));
    assert_false(is_shared(u, "tile(i:48) # parallel(i0)"));
    assert_true(is_shared(u, "parallel(i)"));
    assert_false(is_shared(u, "auto()"));
    assert_true(is_shared(u, "auto(parallel)"));
    assert_false(is_shared(u, "block(i) thread(j:32)"));
    sq_unit_free(u);
}

static void conditions_know_their_calls(void **state)
{
    static const struct {
        const char *set, *text; /* NULL: it always holds */
        unsigned called;
    } rows[] = {
        {"[n, m] -> { : n >= 0 }", "n >= 0", 0},
        {"[n, m] -> { : }", NULL, 0},
        {"[n, m] -> { : exists x: n - 2 <= 4x <= n - 1 }", "n >= 4 * my_floord(n + 1, 4) + 1", SQ_TEXT_FLOORD},
    };
    (void)state;
    sq_arena *arena = sq_arena_new();
    isl_set *all = isl_set_read_from_str(ctx, "[n, m] -> { : }");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        sq_text_calls calls = {.prefix = "my_"};
        const char *text = sq_set_text_with(isl_set_read_from_str(ctx, rows[i].set), all, &calls, arena);
        if (rows[i].text)
            assert_string_equal(text, rows[i].text);
        else
            assert_null(text);
        assert_int_equal(calls.called, rows[i].called);
    }
    sq_text_calls calls = {.prefix = "my_"};
    isl_pw_aff *quotient = isl_pw_aff_read_from_str(ctx, "[n, m] -> { [(m + floor(n/4))] }");
    assert_string_equal(sq_pw_aff_text_with(quotient, all, &calls, arena), "m + my_floord(n, 4)");
    assert_int_equal(calls.called, SQ_TEXT_FLOORD);
    sq_code_pool *pool = sq_code_pool_new(arena);
    const sq_code_expr *n = sq_code_name(pool, "n"), *m = sq_code_name(pool, "m"),
                       *e = sq_code_scale(pool, 2, sq_code_min(pool, n, sq_code_scale(pool, 3, m)));
    assert_true(sq_code_has(e, SQ_CODE_MIN) && sq_code_has(e, SQ_CODE_SUM) && sq_code_has(n, SQ_CODE_NAME));
    assert_false(sq_code_has(e, SQ_CODE_MAX) || sq_code_has(e, SQ_CODE_FLOORD));
    isl_set_free(all);
    sq_arena_free(arena);
}

typedef struct emitted {
    sq_text text;
    sq_memory memory;
    bool tests_sizes;
} emitted;

static emitted emit(sq_unit *u, const char *script, bool is_embedded, bool has_ints)
{
    emitted e = {0};
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(u->kernel[0], arena);
    sq_emit_options o = {.target = sq_target_get("avx2"),
                         .function = "f",
                         .is_static = true,
                         .may_fail = true,
                         .is_embedded = is_embedded,
                         .has_ints = has_ints,
                         .memory = &e.memory,
                         .tests_sizes = &e.tests_sizes};
    assert_int_equal(sq_script_apply(s, script, "script", arena, d), 0);
    assert_int_equal(sq_emit_source(s, &o, &e.text, d), 0);
    sq_diags_free(d);
    sq_unit_free(u);
    sq_arena_free(arena);
    return e;
}

static const char packing[] = "tile(j:256, k:768, i:48) order(j0, k0, i0, j, i) pack(B at k0 as j16) "
                              "micro(i:6, j:16 | k)";

/* Text in a file of somebody else has none of the names of C's library, nor its headers. */
static void embedded_text_has_no_library(void **state)
{
    static const char *const names[] = {"calloc", "free", "memcpy", "size_t", "NULL", "PTRDIFF_MAX"};
    (void)state;
    emitted own = emit(sample_open("samples/gemm.sq"), packing, false, false);
    emitted e = emit(sample_open("samples/gemm.sq"), packing, true, false);
    assert_non_null(strstr(sq_text_str(&own.text), "#include <stdlib.h>"));
    assert_non_null(strstr(sq_text_str(&own.text), " calloc("));
    assert_null(strstr(sq_text_str(&e.text), "#include <stdlib.h>"));
    assert_null(strstr(sq_text_str(&e.text), "#include <string.h>"));
    assert_non_null(strstr(sq_text_str(&e.text), "#include <stdint.h>"));
    assert_non_null(strstr(sq_text_str(&e.text), "__builtin_calloc("));
    for (size_t i = 0; i < LENGTH(names); i++)
        assert_false(sq_text_mentions(sq_text_str(&e.text), names[i]));
    sq_text_free(&own.text);
    sq_text_free(&e.text);
    e = emit(sample_open("samples/gemm.sq"), packing, true, true);
    assert_null(strstr(sq_text_str(&e.text), "#include <stdint.h>"));
    sq_text_free(&e.text);
}

static void emission_tells_what_it_needs(void **state)
{
    (void)state;
    static const char fixed[] = "#include \"squall.h\"\nkernel k(const f32 A[8], f32 B[8]) { idx i; B[i] = A[i]; }\n";
    sq_diags *d = sq_diags_new();
    sq_unit *u = sq_parse(ctx, "fixed.sq", fixed, strlen(fixed), &(sq_parse_options){0}, d);
    assert_non_null(u);
    assert_true(sq_emit_has_params(u->kernel[0], false) && !sq_emit_has_params(u->kernel[0], true));
    assert_true(sq_kernel_check(u->kernel[0], d) == 0 && sq_deps_compute(u->kernel[0], d) == 0);
    sq_diags_free(d);
    emitted packs = emit(sample_open("samples/gemm.sq"), packing, true, false), plain = emit(u, "", true, false);
    assert_false(sq_memory_none(&packs.memory));
    assert_true(sq_memory_none(&plain.memory));
    assert_non_null(strstr(sq_text_str(&packs.text), "f_take("));
    assert_null(strstr(sq_text_str(&plain.text), "f_take("));
    assert_true(packs.tests_sizes && strstr(sq_text_str(&packs.text), "int f_fits("));
    assert_true(!plain.tests_sizes && !strstr(sq_text_str(&plain.text), "f_fits"));
    sq_text_free(&packs.text);
    sq_text_free(&plain.text);
}

/* A temporary of the description is a workspace of the device's. */
static void candidates_say_their_workspace(void **state)
{
    static const struct {
        const char *sample, *macro;
    } rows[] = {{"samples/gemm.sq", "#define SQUALL_CANDIDATE_WORKSPACE\n"},
                {"samples/softmax.sq", "#define SQUALL_CANDIDATE_WORKSPACE NULL,\n"}};
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        sq_text t = {0};
        sq_unit *u = sample_open(rows[i].sample);
        sq_candidate_workspace(u->kernel[0], &t);
        assert_string_equal(sq_text_str(&t), rows[i].macro);
        sq_text_free(&t);
        sq_unit_free(u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals_have_reasons),        cmocka_unit_test(steps_have_their_text),
        cmocka_unit_test(schedules_know_their_threads), cmocka_unit_test(conditions_know_their_calls),
        cmocka_unit_test(embedded_text_has_no_library), cmocka_unit_test(emission_tells_what_it_needs),
        cmocka_unit_test(candidates_say_their_workspace),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
