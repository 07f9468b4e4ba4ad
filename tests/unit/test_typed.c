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

/* What a script's refusal suggests instead of which word. */
static void suggestions_have_their_words(void **state)
{
    static const struct {
        const char *script, *wrong, *meant;
    } rows[] = {
        {"tiel(i:48)", "tiel", "tile"},
        {"tile(ii:4)", "ii", "i"},
        {"tile(j:4) order(j1)", "j1", "j0"},
        {"tile(i:8) pack(b at k)", "b", "B"},
        {"pack(B at kk)", "kk", "k"},
        {"parts(S1, k:16)", "S1", "S0"},
        {"merge(i, jj)", "jj", "j"},
        {"auto(tiles:8)", "tiles", "tile"},
        {"s0: tile(i:4)", "s0", "S0"},
        {"tile(q:4)", NULL, NULL},
    };
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_unit *u = sample_open("samples/gemm.sq");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        sq_diags *d = sq_diags_new();
        sq_schedule *s = sq_schedule_new(u->kernel[0], arena);
        assert_int_equal(sq_script_apply(s, rows[i].script, "script", arena, d), -1);
        const sq_diag *help = sq_diags_at(d, 1);
        assert_int_equal(!rows[i].meant, !help);
        if (help) {
            assert_string_equal(help->wrong, rows[i].wrong);
            assert_string_equal(help->meant, rows[i].meant);
        }
        sq_diags_free(d);
    }
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

static void conditions_record_their_names(void **state)
{
    static const struct {
        const char *set, *text; /* NULL: it always holds */
        bool names_n, names_m, calls;
    } rows[] = {
        {"[n, m] -> { : n >= 0 }", "n >= 0", true, false, false},
        {"[n, m] -> { : }", NULL, false, false, false},
        {"[n, m] -> { : exists x: n - 2 <= 4x <= n - 1 }", "n >= 4 * my_floord(n + 1, 4) + 1", true, false, true},
    };
    (void)state;
    sq_arena *arena = sq_arena_new();
    isl_set *all = isl_set_read_from_str(ctx, "[n, m] -> { : }");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        sq_code_keys names = sq_uses_none(arena), helpers = sq_uses_none(arena);
        const sq_text_calls calls = {"my_", &(sq_uses){&names, &helpers}};
        const char *text = sq_set_text_with(isl_set_read_from_str(ctx, rows[i].set), all, &calls, arena);
        if (rows[i].text)
            assert_string_equal(text, rows[i].text);
        else
            assert_null(text);
        assert_int_equal(sq_code_keys_has(&names, "n"), rows[i].names_n);
        assert_int_equal(sq_code_keys_has(&names, "m"), rows[i].names_m);
        assert_int_equal(sq_code_keys_has(&helpers, "sq_floord"), rows[i].calls);
        assert_int_equal(helpers.n, rows[i].calls);
    }
    sq_code_keys names = sq_uses_none(arena);
    isl_pw_aff *quotient = isl_pw_aff_read_from_str(ctx, "[n, m] -> { [(m + floor(n/4))] }");
    const sq_text_calls calls = {"my_", &(sq_uses){.names = &names}};
    assert_string_equal(sq_pw_aff_text_with(quotient, all, &calls, arena), "m + my_floord(n, 4)");
    assert_int_equal(names.n, 2);
    isl_set_free(all);
    sq_arena_free(arena);
}

typedef struct emitted {
    sq_text text;
    sq_memory memory;
    bool tests_sizes;
} emitted;

/* Emits the first kernel, and frees the unit. */
static void emit_to(sq_unit *u, const char *script, const sq_emit_options *o, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(u->kernel[0], arena);
    assert_int_equal(sq_script_apply(s, script, "script", arena, d), 0);
    assert_int_equal(sq_emit_source(s, o, to, d), 0);
    sq_diags_free(d);
    sq_unit_free(u);
    sq_arena_free(arena);
}

static emitted emit(sq_unit *u, const char *script, bool is_embedded, bool has_ints)
{
    emitted e = {0};
    sq_emit_options o = {.target = sq_target_get("avx2"),
                         .function = "f",
                         .is_static = true,
                         .may_fail = true,
                         .is_embedded = is_embedded,
                         .has_ints = has_ints,
                         .memory = &e.memory,
                         .tests_sizes = &e.tests_sizes};
    emit_to(u, script, &o, &e.text);
    return e;
}

static const char packing[] = "tile(j:256, k:768, i:48) order(j0, k0, i0, j, i) pack(B at k0 as j16) "
                              "micro(i:6, j:16 | k)";

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        n++;
    return n;
}

/* A helper is defined where the rest of the text calls it, and only there. */
static void texts_have_the_helpers_that_they_call(void **state)
{
    static const struct {
        const char *call, *definition;
    } helpers[] = {
        {"SQ_FRESH(", "#define SQ_FRESH("},
        {"SQ_UNROLL(", "#define SQ_UNROLL("},
        {" f_min(", "SQ_INLINE int64_t f_min("},
        {" f_max(", "SQ_INLINE int64_t f_max("},
        {" f_floord(", "SQ_INLINE int64_t f_floord("},
        {"f_copy_f32(", "SQ_INLINE void f_copy_f32("},
        {"f_f16_get(", "SQ_INLINE float f_f16_get("},
        {"f_f16_bits(", "SQ_INLINE uint16_t f_f16_bits("},
    };
    static const struct {
        const char *sample, *script, *target;
    } rows[] = {
        {"samples/gemm.sq", packing, "avx2"},        {"samples/gemm.sq", "", "generic"},
        {"samples/hgemm.sq", "", "avx2"},            {"samples/cholesky.sq", "", "generic"},
        {"samples/gemm.sq", packing, "avx512"},      {"samples/gemm.sq", "block(i) thread(j:32)", "cuda"},
        {"samples/jacobi.sq", "tile(y:32) order(y0, y, x)", "avx2"},
        {"samples/jacobi_2d.sq", "auto(fuse:smart, tile:16, tile:512)", "avx2"},
    };
    int defined[LENGTH(helpers)] = {0};
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        sq_text t = {0};
        const sq_emit_options o = {
            .target = sq_target_get(rows[i].target), .function = "f", .may_fail = true, .is_untested = true};
        emit_to(sample_open(rows[i].sample), rows[i].script, &o, &t);
        for (size_t h = 0; h < LENGTH(helpers); h++) {
            int definitions = count(sq_text_str(&t), helpers[h].definition);
            int calls = count(sq_text_str(&t), helpers[h].call) - definitions;
            if ((definitions > 0) != (calls > 0))
                fail_msg("%s for %s: %d times %s, %d times %s", rows[i].sample, rows[i].target, definitions,
                         helpers[h].definition, calls, helpers[h].call);
            defined[h] += definitions;
        }
        sq_text_free(&t);
    }
    for (size_t h = 0; h < LENGTH(helpers); h++)
        if (!defined[h])
            fail_msg("no text has %s", helpers[h].definition);
}

/* A grid's kernel takes the arrays that it reads or writes: `threadIdx.x` is no array `x`. */
static void kernels_take_what_they_name(void **state)
{
    static const char twice[] = "#include \"squall.h\"\n"
                                "kernel k(int M, const f32 x[M], f32 y[M], f32 z[M])\n"
                                "{\n    idx i;\n    y[i] = x[i];\n    z[i] = 1;\n}\n";
    (void)state;
    sq_diags *d = sq_diags_new();
    sq_unit *u = sq_parse(ctx, "twice.sq", twice, strlen(twice), &(sq_parse_options){0}, d);
    assert_non_null(u);
    assert_true(sq_kernel_check(u->kernel[0], d) == 0 && sq_deps_compute(u->kernel[0], d) == 0);
    sq_text t = {0};
    const sq_emit_options o = {.target = sq_target_get("cuda"), .function = "f", .is_untested = true};
    emit_to(u, "S0: block(i) S1: tile(i:64) block(i0) thread(i)", &o, &t);
    const char *first = " f_kernel0(int64_t M, const float *__restrict__ x, float *__restrict__ y)",
               *second = " f_kernel1(int64_t M, float *__restrict__ z)";
    assert_non_null(strstr(sq_text_str(&t), first));
    assert_non_null(strstr(sq_text_str(&t), second));
    sq_text_free(&t);
    sq_diags_free(d);
}

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
        cmocka_unit_test(refusals_have_reasons),
        cmocka_unit_test(suggestions_have_their_words),        cmocka_unit_test(steps_have_their_text),
        cmocka_unit_test(schedules_know_their_threads), cmocka_unit_test(conditions_record_their_names),
        cmocka_unit_test(embedded_text_has_no_library), cmocka_unit_test(emission_tells_what_it_needs),
        cmocka_unit_test(candidates_say_their_workspace), cmocka_unit_test(texts_have_the_helpers_that_they_call),
        cmocka_unit_test(kernels_take_what_they_name),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
