/* Sketch and draft: on every sample, points become scripts that apply or are refused with a reason,
 * the same point the same script; the model's first choice is legal, vectorised where it should be,
 * and ordered as measurements have been. */
#include "codegen/nest/ref.h"
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "support/file.h"
#include "support/stats.h"
#include "tests/unit/sketch_fixture.h"
#include "transforms/transform.h"
#include "tuner/space/choices.h"
#include "tuner/model/ansor_features.h"
#include "tuner/search/trace.h"
#include "tuner/model/draft.h"
#include "tuner/space/forms.h"
#include <isl/ctx.h>
#include <isl/options.h>
#include <math.h>

static const char *const samples[] = {
    "gemm",         "gemm_nt",     "gemm_tn",         "gemm_tt",          "bmm",
    "conv",         "conv1d",      "conv2d",          "conv3d",           "conv_grouped",
    "dwconv",       "contraction", "contraction_abc", "contraction_abcd", "mttkrp",
    "syrk",         "trmm",        "jacobi",          "elementwise",      "gemm_bias_relu",
    "gemm_residual"};

/* 1 legal, 0 refused with a reason. */
static int applies(const fixture *f, const char *script)
{
    sq_schedule *s = sq_schedule_copy(f->naive, f->u->arena);
    sq_diags *d = sq_diags_new();
    int rc = sq_script_apply(s, script, "script", f->u->arena, d);
    if (rc != 0) {
        assert_int_equal(sq_diags_fault(d), SQ_FAULT_REFUSED);
        assert_true(strlen(sq_diags_message(d, 0)) > 10);
        if (getenv("VERBOSE"))
            print_message("%s\n    %s\n", script, sq_diags_message(d, 0));
    }
    sq_diags_free(d);
    return rc == 0;
}

/* Nearly all points that the model does not rule out are legal: a search does not drown in
 * refusals. The decisions that made one, replayed, give its script again. */
static void points_become_scripts(void **state)
{
    (void)state;
    sq_rng rng = {7};
    for (size_t i = 0; i < LENGTH(samples); i++) {
        fixture f;
        int legal = 0, tried = 0;
        open_sample(&f, samples[i], "avx2", 1 + (int)i % 2);
        const sq_space *sp = sq_sketch_space(f.sketch);
        assert_true(sp->n > 0 && sp->n <= SQ_MAX_COORDS);
        for (int t = 0; t < 400 && tried < 10; t++) {
            int point[SQ_MAX_COORDS] = {0};
            for (int c = 0; c < sp->n; c++)
                point[c] = (int)sq_rng_below(&rng, (size_t)sp->coord[c].nvalues);
            double cost = sq_sketch_cost(f.sketch, point);
            assert_false(isnan(cost));
            if (isinf(cost))
                continue;
            tried++;
            sq_text a = {0}, b = {0};
            sq_trace trace;
            sq_sketch_script(f.sketch, point, &a);
            sq_trace_record(sp, point, &trace);
            assert_int_equal(sq_trace_replay(sp, &trace, &rng, point), 0);
            sq_sketch_script(f.sketch, point, &b);
            assert_string_equal(sq_text_str(&a), sq_text_str(&b));
            legal += applies(&f, sq_text_str(&a));
            sq_text_free(&a);
            sq_text_free(&b);
        }
        if (tried < 5 || legal < tried - 1)
            fail_msg("%s: only %d of %d points are legal", samples[i], legal, tried);
        close_fixture(&f);
    }
}

static void values_are_sorted(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(samples); i++) {
        fixture f;
        open_sample(&f, samples[i], "avx512", 2);
        const sq_space *sp = sq_sketch_space(f.sketch);
        for (int c = 0; c < sp->n; c++)
            for (int v = 1; v < sp->coord[c].nvalues; v++)
                assert_true(sp->coord[c].value[v - 1] < sp->coord[c].value[v]);
        close_fixture(&f);
    }
}

static void first_choice_is_legal(void **state)
{
    (void)state;
    int ntargets = 0;
    while (!sq_targets[ntargets].grid)
        ntargets++;
    for (size_t i = 0; i < LENGTH(samples); i++) {
        fixture f;
        sq_text script = {0};
        const sq_target *t = &sq_targets[i % (size_t)ntargets];
        open_sample(&f, samples[i], t->machine, 1);
        sq_schedule *s = sq_schedule_new(f.u->kernel[0], f.u->arena);
        int rc = sq_draft_schedule(s, sq_machine_class(t->machine), t, 1, f.u->arena, &script, NULL);
        if (rc != 0 || s->group[0]->micro.vector < 0)
            fail_msg("%s on %s: '%s'", samples[i], t->name, sq_text_str(&script));
        sq_text_free(&script);
        close_fixture(&f);
    }
}

static const char square[] =
    "#include \"squall.h\"\n"
    "kernel gemm(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M][N])\n"
    "{ idx i, j, k; C[i][j] = sum(A[i][k] * B[k][j], k); }\n";

static double cost_of(const fixture *f, long rows, long vectors, long kc, long pack)
{
    int point[SQ_MAX_COORDS];
    memcpy(point, sq_sketch_space(f->sketch)->start, sizeof point);
    set_choice(f, point, "rows", rows);
    set_choice(f, point, "vectors", vectors);
    set_choice(f, point, "kc", kc);
    set_choice(f, point, "pack.B", pack);
    return sq_sketch_cost(f->sketch, point);
}

/* Orders that have been measured, at 1024^3. */
static void model_orders(void **state)
{
    (void)state;
    sq_fix fix[] = {{"M", 1024}, {"N", 1024}, {"K", 1024}};
    fixture f;
    open_text(&f, square, sizeof square - 1, fix, 3, "avx512", 1);
    double good = cost_of(&f, 8, 3, 256, SQ_PACKED_PANELS);
    print_message("1024^3 on paper: %.1f GFLOP/s of 220\n", 2e-9 * pow(1024, 3) / good);
    assert_true(good < 1.6 * 2 * pow(1024, 3) / 220e9 && good > 2 * pow(1024, 3) / 220e9);
    assert_true(cost_of(&f, 1, 1, 256, SQ_PACKED_PANELS) > 2 * good);    /* latency */
    assert_true(cost_of(&f, 14, 3, 256, SQ_PACKED_PANELS) > 1.2 * good); /* registers */
    assert_true(cost_of(&f, 14, 2, 256, SQ_PACKED_PANELS) >
                cost_of(&f, 8, 2, 256, SQ_PACKED_PANELS)); /* rows 4 KB apart */
    close_fixture(&f);
}

static void expect_number(const float *row, int at, double value)
{
    double expected = log2(1 + value);
    if (fabs((double)row[at] - expected) > 1e-5 * (1 + expected))
        fail_msg("number %d is %g, which is not that of %g", at, (double)row[at], value);
}

/* The buffer of a row that is read, written or both; the one behind it, where there are two. */
static const float *buffer_of(const float *row, int use, int nth)
{
    for (int b = 0; b < 5; b++) {
        const float *at = row + SQ_ANSOR_BUFFERS + 18 * b;
        if (at[use] == 1 && nth-- == 0)
            return at;
    }
    fail_msg("no such buffer");
    return NULL;
}

/* A tile of 8 rows and 2 vectors, steps of 256, B in panels: what its statements are, counted by hand. */
static void statements_in_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        long value;
    } choice[] = {{"rows", 8},    {"vectors", 2}, {"kc", 256},  {"mc", 1024},
                  {"nc", 1024},   {"unroll", 1},  {"outer", 0}, {"inner", 0},
                  {"lanes", 16},  {"pack.A", SQ_UNPACKED},      {"pack.B", SQ_PACKED_PANELS}};
    static float row[SQ_STATEMENTS][SQ_STATEMENT];
    const double all = pow(2, 30), array = 4 * pow(2, 20);
    sq_fix fix[] = {{"M", 1024}, {"N", 1024}, {"K", 1024}};
    fixture f;
    int point[SQ_MAX_COORDS] = {0};
    open_text(&f, square, sizeof square - 1, fix, 3, "avx512", 1);
    for (size_t i = 0; i < LENGTH(choice); i++)
        set_choice(&f, point, choice[i].name, choice[i].value);
    assert_int_equal(sq_sketch_features(f.sketch, point, row), 1);
    const float *tile = row[0];
    expect_number(tile, SQ_ANSOR_OPERATIONS, all); /* multiply-adds, nothing else */
    for (int i = 1; i < 16; i++)
        assert_true(tile[i] == 0);
    const double vector[] = {1, 16, 16}, unrolled[] = {2, 16, 2};
    for (int i = 0; i < 3; i++) {
        expect_number(tile, SQ_ANSOR_VECTORS + i, vector[i]);
        expect_number(tile, SQ_ANSOR_UNROLLED + i, unrolled[i]);
        expect_number(tile, SQ_ANSOR_THREADS + i, 0);
    }
    assert_true(tile[SQ_ANSOR_VECTORS + 3 + 1] == 1);  /* the inner free dimension */
    assert_true(tile[SQ_ANSOR_UNROLLED + 3 + 7] == 1); /* several */
    assert_true(tile[SQ_ANSOR_THREADS + 3] == 1);      /* none */
    const float *c = buffer_of(tile, 2, 0), *a = buffer_of(tile, 0, 0), *b = buffer_of(tile, 0, 1);
    expect_number(c, 3, 4 * all);
    expect_number(c, 4, array);
    expect_number(c, 5, all / 16); /* lines: one of 16 elements each */
    expect_number(c, 6, array / 64);
    assert_true(c[7] == 1 && a[7] == 1 && b[7] == 1); /* loops that repeat it */
    expect_number(c, 10, 8 * 32);                     /* a step of the sum, and what it touches */
    expect_number(c, 11, 4 * (8 + 32 + 8 * 32));
    expect_number(c, 12, 256);
    expect_number(c, 13, 4 * all / 256);
    expect_number(a, 12, 16); /* the lanes */
    expect_number(b, 12, 8);  /* the rows */
    expect_number(c, 17, 1);
    expect_number(tile, SQ_ANSOR_INTENSITY, 2 / 12.0);
    expect_number(tile, SQ_ANSOR_INTENSITY + 9, 2 * all / (3 * array));
    expect_number(tile, SQ_ANSOR_NEST, all);
    expect_number(tile, SQ_ANSOR_NEST + 2, 16);
    const double panel = 4 * 256 * 1024, copied[] = {panel, 4 * panel, 4, all / 4}; /* a block of the sum at a time */
    for (int i = 0; i < 4; i++)
        expect_number(tile, SQ_ANSOR_ALLOCATION + i, copied[i]);
    /* Rows of A lie as far apart as in the array, as in a copy of a block of it, or beside each other in a panel. */
    const long packing[] = {SQ_UNPACKED, SQ_PACKED_PLAIN, SQ_PACKED_PANELS}, step[] = {1024, 256, 1};
    for (int i = 0; i < 3; i++) {
        set_choice(&f, point, "pack.A", packing[i]);
        assert_int_equal(sq_sketch_features(f.sketch, point, row), 1);
        expect_number(buffer_of(row[0], 0, 0), 17, (double)step[i]);
        expect_number(row[0], SQ_ANSOR_ALLOCATION, panel * (i ? 2 : 1));
    }
    close_fixture(&f);
}

/* Of any point of any sample: as many statements as its plans have, of finite numbers, that differ between points. */
static void statements_of_all(void **state)
{
    (void)state;
    static float row[SQ_STATEMENTS][SQ_STATEMENT], first[SQ_STATEMENT];
    sq_rng rng = {5};
    for (size_t i = 0; i < LENGTH(samples); i++) {
        fixture f;
        int point[SQ_MAX_COORDS] = {0}, others = 0;
        open_sample(&f, samples[i], "avx2", 2);
        const sq_space *sp = sq_sketch_space(f.sketch);
        for (int t = 0; t < 50; t++) {
            for (int c = 0; c < sp->n; c++)
                point[c] = (int)sq_rng_below(&rng, (size_t)sp->coord[c].nvalues);
            int n = sq_sketch_features(f.sketch, point, row);
            assert_true(n >= f.naive->ngroups && n <= SQ_STATEMENTS);
            for (int r = 0; r < n; r++)
                for (int k = 0; k < SQ_STATEMENT; k++) {
                    bool is_time = k == SQ_DRAFT + SQ_DRAFT_COMPUTE || k == SQ_DRAFT + SQ_DRAFT_MEMORY;
                    bool is_share = !is_time && k >= SQ_DRAFT && k < SQ_FLOW;
                    float most = is_time ? 1e9f : is_share ? 1 : 100, v = row[r][k];
                    if (!(fabsf(v) <= most) || ((is_time || is_share) && v <= 0))
                        fail_msg("%s: number %d of a statement is %g", samples[i], k, (double)v);
                }
            others += t > 0 && memcmp(first, row[0], sizeof first) != 0;
            memcpy(first, row[0], sizeof first);
        }
        assert_true(others > 40);
        close_fixture(&f);
    }
}

/* Loops that auto() orders have no plan. */
static void no_statements(void **state)
{
    (void)state;
    static float row[SQ_STATEMENTS][SQ_STATEMENT];
    fixture f;
    open_sample(&f, "cholesky", "avx2", 1);
    assert_int_equal(sq_sketch_features(f.sketch, sq_sketch_space(f.sketch)->start, row), 0);
    close_fixture(&f);
}

static int features_of(void *user, const int *point, float (*row)[SQ_STATEMENT])
{
    return sq_sketch_features(((const fixture *)user)->sketch, point, row);
}

static void script_of(void *user, const int *point, sq_text *to)
{
    sq_sketch_script(((const fixture *)user)->sketch, point, to);
}

/* The best time that a search finds where a point takes as long as the model says, which the search cannot ask. */
static double best_found(fixture *f, const sq_search *row, unsigned long long seed)
{
    sq_space sp = *sq_sketch_space(f->sketch);
    sp.name = script_of;
    sp.user = f;
    memset(sp.start, 0, sizeof sp.start);
    sq_search_options o = {.seed = seed, .features = features_of, .features_user = f};
    sq_seek *seek = row->open(&sp, &o);
    double best = INFINITY;
    sq_told t = {0};
    for (int n = 0; n < 192 && row->ask(seek, t.point) == 1; n += t.valid) {
        double cost = sq_sketch_cost(f->sketch, t.point);
        t.valid = isfinite(cost);
        t.cost = t.valid ? cost : 0;
        t.wins = cost < best;
        best = fmin(best, cost);
        row->tell(seek, &t);
    }
    row->close(seek);
    return best;
}

/* Of 39 million points: what statements say leads to better ones than their evolution by chance does. */
static void statements_lead(void **state)
{
    (void)state;
    sq_fix fix[] = {{"M", 256}, {"N", 256}, {"K", 256}};
    fixture f;
    double sum = 0;
    if (sq_search_ansor.lacks())
        skip();
    open_text(&f, square, sizeof square - 1, fix, 3, "avx512", 1);
    for (unsigned long long seed = 1; seed <= 4; seed++)
        sum += log(best_found(&f, &sq_search_ansor, seed) / best_found(&f, &sq_search_ansor_unled, seed));
    print_message("led by statements: %.3f of the time\n", exp(sum / 4));
    assert_true(sum / 4 < log(0.98));
    close_fixture(&f);
}

/* A matrix times a vector: nothing is contiguous along the result, so lanes hold partial sums. */
static void rows_times_vector(void **state)
{
    (void)state;
    static const char text[] = "#include \"squall.h\"\n"
                               "kernel mv(const f32 A[512][512], const f32 x[512], f32 y[512])\n"
                               "{ idx i, j; y[i] = sum(A[i][j] * x[j], j); }\n";
    fixture f;
    sq_plan q;
    int point[SQ_MAX_COORDS] = {0};
    open_text(&f, text, sizeof text - 1, NULL, 0, "avx2", 1);
    assert_int_equal(sq_draft_point(f.sketch, 0, point), 0);
    sq_sketch_plan(f.sketch, 0, point, &q);
    assert_true(q.across);
    assert_int_equal(q.vector, q.serial);
    close_fixture(&f);
}

/* One element: lanes along the sum, several of them, with a coordinate to tune; strict keeps the
 * order. */
static void one_sum(void **state)
{
    (void)state;
    static const char text[] = "#include \"squall.h\"\n"
                               "kernel dot(int N, const f32 x[N], const f32 y[N], f32 r[1])\n"
                               "{ idx i; r[0] = sum(x[i] * y[i], i); }\n";
    static const char strict[] = "#include \"squall.h\"\n#pragma squall fp strict\n"
                                 "kernel dot(int N, const f32 x[N], const f32 y[N], f32 r[1])\n"
                                 "{ idx i; r[0] = sum(x[i] * y[i], i); }\n";
    fixture f;
    sq_plan q;
    sq_text script = {0};
    int point[SQ_MAX_COORDS] = {0};
    open_text(&f, text, sizeof text - 1, NULL, 0, "avx2", 1);
    assert_int_equal(sq_draft_point(f.sketch, 0, point), 0);
    sq_sketch_plan(f.sketch, 0, point, &q);
    assert_true(q.across);
    assert_true(q.split >= 2);
    sq_sketch_script(f.sketch, point, &script);
    assert_int_equal(applies(&f, sq_text_str(&script)), 1);
    assert_string_equal(sq_text_str(&script), "micro( | i) vectorize(i:8) split(i:4)");
    sq_text_free(&script);
    close_fixture(&f);
    open_text(&f, strict, sizeof strict - 1, NULL, 0, "avx2", 1);
    assert_int_equal(sq_sketch_groups(f.sketch), 0);
    close_fixture(&f);
}

/* Rows of a length that nobody gave may be short: not many vectors of them, most of which a mask
 * would leave empty. Rows that read lines in common lie in one tile. */
static void short_rows(void **state)
{
    (void)state;
    fixture f;
    sq_plan q;
    int point[SQ_MAX_COORDS] = {0};
    open_sample(&f, "maxpool", "avx512", 1);
    assert_int_equal(sq_draft_point(f.sketch, 0, point), 0);
    sq_sketch_plan(f.sketch, 0, point, &q);
    assert_string_equal(q.shape->group->dim[q.vector], "x");
    assert_true(q.points[q.vector] <= 32);
    assert_string_equal(q.shape->group->dim[q.row], "y");
    close_fixture(&f);
}

static void choices_repeat(void **state)
{
    (void)state;
    int first[SQ_MAX_COORDS] = {0}, again[SQ_MAX_COORDS] = {0};
    fixture f;
    open_sample(&f, "conv2d", "avx2", 1);
    assert_int_equal(sq_draft_point(f.sketch, 0, first), 0);
    assert_int_equal(sq_draft_point(f.sketch, 0, again), 0);
    assert_memory_equal(first, again, sizeof first);
    assert_true(sq_draft_point(f.sketch, 1000, again) < 0);
    assert_true(sq_sketch_known_ends(f.sketch)->n > 0); /* of all ranks the descents are made once */
    sq_sketch_bar(f.sketch, f.u->kernel[0]->array[0]);
    assert_true(sq_sketch_known_ends(f.sketch)->n < 0); /* they were those of other plans */
    close_fixture(&f);
}

/* Panels stay below a wall, wherever it stands: next choices that do, then arrays are packed no more. */
static void panels_have_room(void **state)
{
    (void)state;
    static const int64_t room[] = {INT64_MAX, 1 << 20, 40000, 100, 0};
    for (int i = 0; i < 5; i++) {
        fixture f;
        sq_draft_chosen chosen;
        const sq_array *most;
        open_sample(&f, "conv3d", "avx512", 1);
        const sq_schedule *s =
            sq_draft_choice(f.sketch, f.naive, room[i], f.u->arena, NULL, &chosen, NULL);
        assert_non_null(s);
        int64_t bytes = sq_copies_bytes(s, f.u->arena, &most);
        assert_true(bytes <= room[i]);
        assert_int_equal(most != NULL, bytes > 0);
        assert_true(i > 1 || bytes > 40000);
        assert_true(strstr(chosen.script, "micro("));
        close_fixture(&f);
    }
}

/* ---- forms ---- */

static void expect_first(fixture *f, const char *script, bool is_there)
{
    sq_text t = {0};
    sq_schedule *s = sq_schedule_new(f->u->kernel[0], f->u->arena);
    assert_int_equal(sq_draft_schedule(s, sq_machine_class("avx2"), sq_target_get("avx2"), 1,
                                       f->u->arena, &t, NULL),
                     0);
    if ((strncmp(sq_text_str(&t), script, strlen(script)) == 0) != is_there)
        fail_msg("the first choice is %s", sq_text_str(&t));
    sq_text_free(&t);
}

/* All points to be measured first are legal, forms and all. */
static int legal_starts(fixture *f, const char *coordinate)
{
    int64_t sizes[64];
    int point[SQ_MAX_COORDS], n = 0, found = 0;
    sq_nominal_sizes(f->u->kernel[0], sizes);
    sq_choices *c = sq_choices_new(f->u->kernel[0], sq_machine_class("avx2"), sq_target_get("avx2"),
                                   sizes, 2, f->u->arena);
    sq_choices_begin(c);
    const sq_space *sp = sq_choices_space(c);
    for (int i = 0; i < sp->n; i++)
        found += strcmp(sp->coord[i].name, coordinate) == 0;
    assert_int_equal(found, 1);
    for (int rank = 0; rank < 4 && sq_choices_point(c, rank, point) == 0; rank++, n++) {
        sq_text t = {0};
        sq_choices_script(c, point, &t);
        sq_schedule *s = sq_schedule_new(f->u->kernel[0], f->u->arena);
        if (!sq_script_try(s, sq_text_str(&t), f->u->arena))
            fail_msg("refused: %s", sq_text_str(&t));
        assert_true(isfinite(sq_choices_cost(c, point)));
        sq_text_free(&t);
    }
    return n;
}

/* Attention runs by tiles untuned, softmax does not, though the search may try it; without
 * permission neither does. */
static void forms_online(void **state)
{
    (void)state;
    fixture f;
    open_sample(&f, "attention", "avx2", 1);
    expect_first(&f, "inline(S2) online(S1, j:128) ", true);
    assert_true(legal_starts(&f, "online.S4.rows") == 4);
    close_fixture(&f);
    static const char softmax[] =
        "#include \"squall.h\"\n#pragma squall fp %s\n"
        "kernel softmax(int M, int N, const f32 X[M][N], f32 Y[M][N])\n"
        "{ idx i, j; f32 E[M][N], most[M], total[M]; most[i] = rmax(X[i][j], j);\n"
        "E[i][j] = expf(X[i][j] - most[i]); total[i] = sum(E[i][j], j);\n"
        "Y[i][j] = E[i][j] / total[i]; }\n";
    char text[sizeof softmax + 10];
    int n = snprintf(text, sizeof text, softmax, "fast");
    open_text(&f, text, (size_t)n, NULL, 0, "avx2", 1);
    expect_first(&f, "inline(", false);
    assert_true(legal_starts(&f, "form") >= 2);
    close_fixture(&f);
    n = snprintf(text, sizeof text, softmax, "reassoc");
    open_text(&f, text, (size_t)n, NULL, 0, "avx2", 1);
    sq_form form[SQ_MAX_FORMS];
    assert_int_equal(sq_forms_find(f.naive, f.u->arena, form), 1);
    close_fixture(&f);
}

/* What one sum reads once is computed there; what is read again and again is kept. */
static void forms_inlined(void **state)
{
    static const char once[] =
        "#include \"squall.h\"\n"
        "kernel k(int M, int N, const f32 A[M][N], const f32 B[M][N], f32 s[M])\n"
        "{ idx i, j; f32 D[M][N], E[M][N]; D[i][j] = A[i][j] - B[i][j];\n"
        "E[i][j] = D[i][j] * D[i][j]; s[i] = sum(E[i][j], j); }\n";
    static const char often[] =
        "#include \"squall.h\"\n"
        "kernel k(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M][N])\n"
        "{ idx i, j, k; f32 D[M][K]; D[i][k] = A[i][k] * 2; C[i][j] = sum(D[i][k] * B[k][j], k); "
        "}\n";
    fixture f;
    (void)state;
    open_text(&f, once, sizeof once - 1, NULL, 0, "avx2", 1);
    expect_first(&f, "inline(S1) ", true);
    assert_true(legal_starts(&f, "form") >= 2);
    close_fixture(&f);
    open_text(&f, often, sizeof often - 1, NULL, 0, "avx2", 1);
    expect_first(&f, "inline(", false);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_become_scripts),
        cmocka_unit_test(values_are_sorted),
        cmocka_unit_test(first_choice_is_legal),
        cmocka_unit_test(model_orders),
        cmocka_unit_test(choices_repeat),
        cmocka_unit_test(panels_have_room),
        cmocka_unit_test(statements_in_numbers),
        cmocka_unit_test(statements_of_all),
        cmocka_unit_test(no_statements),
        cmocka_unit_test(statements_lead),
        cmocka_unit_test(rows_times_vector),
        cmocka_unit_test(one_sum),
        cmocka_unit_test(short_rows),
        cmocka_unit_test(forms_online),
        cmocka_unit_test(forms_inlined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
