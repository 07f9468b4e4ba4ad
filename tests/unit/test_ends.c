/* Ends: what is left over along the lanes. Which points may be computed twice, for which nests the last
 * vectors overlap those before, and what is computed at every number of points, by the interpreter. */
#include "codegen/isa/isa.h"
#include "codegen/lower/nest.h"
#include "codegen/nest/lower.h"
#include "codegen/passes/group.h"
#include "codegen/print/names.h"
#include "ir/dependence/recompute.h"
#include "tests/unit/interpreted.h"
#include "transforms/transform.h"
#include <string.h>

/* One kernel of ends.sq under a script. */
typedef struct subject {
    sq_unit *u;
    const sq_kernel *k;
    sq_schedule *s;
    sq_diags *d;
} subject;

static subject open_subject(const char *name, const char *script)
{
    subject x = {.u = sample_open("tests/exec/ends.sq"), .d = sq_diags_new()};
    for (int i = 0; i < x.u->nkernels; i++)
        x.k = strcmp(x.u->kernel[i]->name, name) == 0 ? x.u->kernel[i] : x.k;
    assert_non_null(x.k);
    x.s = sq_schedule_new(x.k, x.u->arena);
    if (sq_script_apply(x.s, script, "<script>", x.u->arena, x.d) != 0)
        fail_msg("%s: %s: %s", name, script, sq_diags_message(x.d, 0));
    return x;
}

static void close_subject(subject *x)
{
    sq_diags_free(x->d);
    sq_unit_free(x->u);
}

static sq_fusion *fusion_of(subject *x, const char *target)
{
    sq_fusion *f = sq_lower_fusion(sq_names_of_loops(x->s, x->u->arena), 0, sq_target_get(target),
                                   sq_code_pool_new(x->u->arena), x->d);
    assert_non_null(f);
    return f;
}

/* ---- what is decided ---- */

static void points_that_run_again(void **state)
{
    static const struct {
        const char *kernel, *script;
        bool can;
    } row[] = {
        {"scaled", "", true},
        {"inner", "", true},
        {"in_place", "", false},
        {"added_to", "", false},
        {"products", "", true},
        {"onto", "", false},
        {"lower_half", "", true},
        {"filtered", "", true},
        {"chained", "fuse(S0, S1)", true},
        {"passed_on", "fuse(S0, S1)", false},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(row); i++) {
        subject x = open_subject(row[i].kernel, row[i].script);
        bool can = sq_group_recomputes(x.k, x.s->group[0]);
        if (can != row[i].can)
            print_error("%s: %s\n", row[i].kernel, can ? "runs again" : "does not run again");
        assert_int_equal(can, row[i].can);
        close_subject(&x);
    }
}

static void nests_that_overlap(void **state)
{
    static const struct {
        const char *kernel, *script, *target;
        int noverlaps;
        int64_t lanes; /* of tiles that do not */
    } row[] = {
        {"scaled", "micro(i:32) vectorize(i:8)", "avx2", 1, 8},
        {"scaled", "micro(i:32) vectorize(i:8)", "c", 1, 4},
        {"scaled", "micro(i:8)", "avx2", 1, 0},
        {"scaled", "micro(i:32)", "avx512", 0, 0},
        {"scaled", "tile(i:64) micro(i:32) parallel(i0)", "avx2", 1, 8},
        {"scaled", "micro(i:32) parallel(i)", "avx2", 0, 8},
        {"in_place", "micro(i:32) vectorize(i:8)", "avx2", 0, 8},
        {"added_to", "micro(i:32) vectorize(i:8)", "avx2", 0, 8},
        {"passed_on", "fuse(S0, S1) micro(i:16) vectorize(i:8)", "avx2", 0, 8},
        {"chained", "fuse(S0, S1) micro(i:16) vectorize(i:8)", "avx2", 1, 8},
        {"products", "micro(i:4, j:16 | k) vectorize(j:8)", "avx2", 1, 0},
        {"products", "micro(i:4, j:16 | k) vectorize(j:8)", "c", 2, 4},
        {"products", "tile(k:8) order(k0, i, j) micro(i:2, j:8 | k)", "avx2", 0, 0},
        {"scaled", "tile(i:64) pack(X at i0) micro(i:32)", "avx2", 0, 0},
        {"onto", "micro(i:4, j:16 | k) vectorize(j:8)", "avx2", 0, 0},
        {"lower_half", "micro(j:16) vectorize(j:8)", "avx2", 1, 8},
        {"lower_half", "micro(i:3, j:16) vectorize(j:8)", "avx2", 0, 0},
        {"doubled", "order(c, i) micro(i:32, c:2) vectorize(i:8)", "avx2", 1, 8},
        {"doubled", "order(c, i) micro(i:32) vectorize(i:8)", "avx2", 0, 0},
        {"smoothed", "micro(i:16) vectorize(i:8)", "avx2", 1, 8}, /* inside; the border is another nest */
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(row); i++) {
        subject x = open_subject(row[i].kernel, row[i].script);
        const sq_ends e = fusion_of(&x, row[i].target)->nest[0]->ends;
        if (e.noverlaps != row[i].noverlaps || e.lanes != row[i].lanes)
            print_error("%s, %s, %s: %d overlap, tiles of %lld\n", row[i].kernel, row[i].script,
                        row[i].target, e.noverlaps, (long long)e.lanes);
        assert_int_equal(e.noverlaps, row[i].noverlaps);
        assert_int_equal(e.lanes, row[i].lanes);
        close_subject(&x);
    }
}

/* ---- what is computed ---- */

static sq_code *code_of(const subject *x, const char *target)
{
    sq_code_pool *pool = sq_code_pool_new(x->u->arena);
    sq_code *code = NULL;
    const sq_group_options o = {.nest = {.target = sq_target_get(target), .threads = true},
                                .npasses = SQ_ALL_PASSES};
    pool->is_verified = true;
    assert_int_equal(sq_schedule_code(sq_names_of_loops(x->s, x->u->arena), &o, pool, &code, x->d),
                     0);
    return code;
}

static const char *run(const subject *x, const sq_code *code, const int64_t *sizes)
{
    sq_arena *arena = sq_arena_new();
    expectation e = expect(x->k, sizes, arena);
    const char *why = outcome(code, x->k, &e, SQ_INTERPRET_REVERSED, arena);
    why = why ? sq_arena_strdup(x->u->arena, why) : NULL;
    sq_arena_free(arena);
    return why;
}

static void try_sizes(const char *kernel, const char *script, const char *target)
{
    static const int64_t more[] = {47, 48, 49, 63, 64, 65, 127, 129};
    subject x = open_subject(kernel, script);
    const sq_code *code = code_of(&x, target);
    for (int64_t n = 0; n < 36 + (int64_t)LENGTH(more); n++) {
        int64_t sizes[SQ_MAX_SIZES], at = n < 36 ? n : more[n - 36];
        for (int i = 0; i < x.k->nsizes; i++)
            sizes[i] = strcmp(x.k->size[i]->name, "N") == 0 ? at : i == 0 ? 5 : 3;
        const char *why = sq_kernel_takes(x.k, x.k->context, sizes) ? run(&x, code, sizes) : NULL;
        if (why)
            print_error("%s, %s, %s, N=%lld: %s\n", kernel, script, target, (long long)at, why);
        assert_null(why);
    }
    close_subject(&x);
}

/* Points that need no order have the border apart; others keep the condition in the loop. */
static void borders(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *script;
        int nests;
    } row[] = {{"smoothed", "micro(i:16)", 2}, {"causal", "micro(j:8)", 1}, {"keep_last", "micro(i:8)", 1}};
    for (size_t i = 0; i < LENGTH(row); i++) {
        subject x = open_subject(row[i].kernel, row[i].script);
        assert_int_equal(fusion_of(&x, "avx2")->nnests, row[i].nests);
        close_subject(&x);
    }
}

static void all_numbers_of_points(void **state)
{
    static const char *const row[][2] = {
        {"scaled", "micro(i:32) vectorize(i:8)"},
        {"inner", "tile(i:24) micro(i:16) vectorize(i:4)"},
        {"in_place", "micro(i:16) vectorize(i:8)"},
        {"chained", "fuse(S0, S1) micro(i:16) vectorize(i:8)"},
        {"passed_on", "fuse(S0, S1) micro(i:16) vectorize(i:8)"},
        {"products", "micro(i:3, j:16 | k) vectorize(j:8)"},
        {"products", "order(j, i) micro(i:3, j:8 | k)"},
        {"lower_half", "micro(j:16) vectorize(j:8)"},
        {"upper_half", "micro(j:16) vectorize(j:4)"},
        {"means", "micro(i:32) vectorize(i:16)"},
        {"filtered", "micro(i:16 | r) vectorize(i:8)"},
        {"doubled", "order(c, i) micro(i:32, c:2) vectorize(i:8)"},
        {"smoothed", "micro(i:16) vectorize(i:8)"},
        {"counted", "micro(i:8 | k)"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(row); i++) {
        try_sizes(row[i][0], row[i][1], "avx2");
        try_sizes(row[i][0], row[i][1], "c");
    }
}

/* What is refused would be wrong: the elements of the overlap are doubled twice. */
static void planted(void **state)
{
    const int64_t sizes[SQ_MAX_SIZES] = {13};
    (void)state;
    for (int plant = 0; plant < 2; plant++) {
        subject x = open_subject("in_place", "micro(i:8)");
        const sq_nest_options o = {.target = sq_target_get("avx2")};
        sq_fusion *f = fusion_of(&x, "avx2");
        sq_ends *e = &f->nest[0]->ends;
        assert_int_equal(e->noverlaps, 0);
        if (plant)
            e->overlap[e->noverlaps++] = (sq_overlap){.points = 8};
        sq_code *code = sq_lower_nests(f, &o);
        expectation is = expect(x.k, sizes, x.u->arena);
        const char *why = outcome(code, x.k, &is, SQ_INTERPRET_WRITTEN, x.u->arena);
        assert_int_equal(why != NULL, plant);
        close_subject(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_that_run_again),
        cmocka_unit_test(nests_that_overlap), cmocka_unit_test(borders),
        cmocka_unit_test(all_numbers_of_points),
        cmocka_unit_test(planted),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
