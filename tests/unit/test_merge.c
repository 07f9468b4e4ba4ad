/* merge(): what it makes of dimensions, arrays and sizes, and what it refuses, with which reason. */
#include "tests/unit/unit.h"
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "support/text.h"
#include "tests/unit/isl_context.h"
#include "transforms/transform.h"
#include "tuner/model/draft.h"
#include <isl/aff.h>

typedef struct read {
    sq_unit *u;
    sq_kernel *k;
    const char *why; /* of the last script, NULL: it was accepted */
} read;

static read kernel_of(const char *args, const char *body)
{
    sq_diags *d = sq_diags_new();
    sq_text t = {0};
    sq_parse_options o = {0};
    sq_text_printf(&t, "#include \"squall.h\"\nkernel k(%s)\n{\n%s\n}\n", args, body);
    read r = {.u = sq_parse(ctx, "t.sq", sq_text_str(&t), t.n, &o, d)};
    assert_non_null(r.u);
    r.k = r.u->kernel[0];
    assert_true(sq_kernel_check(r.k, d) >= 0);
    assert_int_equal(sq_deps_compute(r.k, d), 0);
    sq_text_free(&t);
    sq_diags_free(d);
    return r;
}

static const sq_schedule *apply(read *r, const char *script)
{
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(r->k, r->k->arena);
    int rc = sq_script_apply(s, script, "<script>", r->k->arena, d);
    const char *m = sq_diags_message(d, 0);
    r->why = rc ? sq_arena_strdup(r->k->arena, m ? m : "?") : NULL;
    sq_diags_free(d);
    return s;
}

static const sq_kernel *merged(read *r, const char *script)
{
    const sq_schedule *s = apply(r, script);
    if (r->why)
        print_error("%s: %s\n", script, r->why);
    assert_null(r->why);
    return s->kernel;
}

static void refused(read *r, const char *script, const char *why)
{
    apply(r, script);
    if (!r->why)
        print_error("%s is accepted: %s\n", script, why);
    assert_non_null(r->why);
    if (!strstr(r->why, why))
        print_error("%s: %s\n", script, r->why);
    assert_non_null(strstr(r->why, why));
}

static void set_is(isl_set *set, const char *wanted)
{
    isl_set *other = isl_set_read_from_str(ctx, wanted);
    if (isl_set_is_equal(set, other) != isl_bool_true)
        isl_set_dump(set);
    assert_int_equal(isl_set_is_equal(set, other), isl_bool_true);
    isl_set_free(other);
}

static void extent_is(const sq_array *a, int d, const char *wanted)
{
    isl_aff *other = isl_aff_read_from_str(ctx, wanted);
    assert_int_equal(isl_aff_plain_is_equal(a->extent[d], other), isl_bool_true);
    isl_aff_free(other);
}

static void constants(void **state)
{
    (void)state;
    read r = kernel_of("const f32 X[4][5][7][3], f32 Y[4][5]",
                       "idx n, c, y, x; Y[n][c] = sum(X[n][c][y][x], y, x);");
    const sq_kernel *k = merged(&r, "merge(n, c) merge(y, x)");
    const sq_stmt *s = k->stmt[0];
    assert_int_equal(s->ndim, 2);
    assert_int_equal(s->nfree, 1);
    assert_string_equal(s->dim[0], "n_c");
    assert_string_equal(s->dim[1], "y_x");
    set_is(s->domain, "{ S0[z] : 0 <= z < 20 }");
    set_is(s->updates, "{ S0_u[z, w] : 0 <= z < 20 and 0 <= w < 21 }");
    const sq_array *x = sq_kernel_array(k, "X");
    assert_int_equal(x->ndim, 2);
    assert_ptr_equal(sq_array_described(x), sq_kernel_array(r.k, "X"));
    assert_ptr_equal(k->param[0].array, x);
    assert_int_equal(k->nproducts, 0);
    assert_int_equal(sq_kernel_array(r.k, "X")->ndim, 4);
    refused(&r, "merge(c, y)", "S0 reduces over one of them alone");
    refused(&r, "merge(c, n)", "other subscripts than [c][n]");
    refused(&r, "merge(x, y)", "other subscripts than [x][y]");
    refused(&r, "merge(y)",
            "'y' of S0 has other values, too; alone, only a dimension of one value");
    refused(&r, "merge(y, z)", "'z' is no dimension of any statement");
    refused(&r, "merge(S1, y, x)", "'S1' is no dimension of any statement");
    refused(&r, "merge(S0)", "name dimensions that lie side by side");
    refused(&r, "merge()", "name dimensions that lie side by side");
    refused(&r, "merge(y:2, x)", "name dimensions that lie side by side");
    refused(&r, "merge(y, y)", "'y' is named twice");
    refused(&r, "order(c, n) merge(y, x)", "write it before them");
    sq_unit_free(r.u);
}

/* Extents that are sizes: their products are parameters. */
static void products(void **state)
{
    (void)state;
    read r = kernel_of("int N, int H, int W, const f32 X[N][H + 1][2 * W], f32 Y[N][H + 1][2 * W]",
                       "idx n, y, x; range(n, 1, N); Y[n][y][x] = X[n][y][x];");
    const sq_kernel *k = merged(&r, "merge(y, x)");
    assert_int_equal(k->nproducts, 1);
    assert_string_equal(k->product[0]->name, "H_W");
    int64_t sizes[] = {3, 4, 5};
    assert_int_equal(sq_kernel_size_at(k, 3, sizes), 20);
    extent_is(sq_kernel_array(k, "X"), 1, "[N,H,W,H_W] -> { [2H_W + 2W] }");
    set_is(k->stmt[0]->domain, "[N,H,W,H_W] -> { S0[n, z] : 1 <= n < N and 0 <= z < 2H_W + 2W }");
    k = merged(&r, "merge(n, y) merge(n_y, x)");
    assert_string_equal(k->stmt[0]->dim[0], "n_y_x");
    set_is(k->stmt[0]->domain,
           "[N,H,W,N_H,W_N_H,N_W,H_W] -> { S0[z] : 2H_W + 2W <= z < 2W_N_H + 2N_W }");
    assert_int_equal(sq_kernel_count(k, isl_set_copy(k->stmt[0]->domain), sizes), 2 * 5 * 10);
    sq_unit_free(r.u);

    /* What else is asked of the sizes stays. */
    r = kernel_of("int M, int N, int K, const f32 X[N][K][K], inout f32 Y[N][K]",
                  "for (int a = 0; a < N; a++) for (int b = 0; b < K; b++)\n"
                  "for (int c = 0; c < K; c++) if (M >= 5) Y[a][b] += X[a][b][c];");
    k = merged(&r, "merge(a, b)");
    set_is(k->stmt[0]->domain, "[M,N,K,N_K] -> { S0[z] : 0 <= z < N_K and M >= 5 }");
    sq_unit_free(r.u);

    r = kernel_of("int N, const f32 X[N / 2][N], f32 Y[N / 2][N]", "idx i, j; Y[i][j] = X[i][j];");
    refused(&r, "merge(i, j)", "an extent divides a size");
    sq_unit_free(r.u);
}

static void one_value(void **state)
{
    (void)state;
    read r = kernel_of("int M, int K, const f32 A[M][K], const f32 B[K][1], f32 C[M][1]",
                       "idx i, j, k; C[i][j] = sum(A[i][k] * B[k][j], k);");
    const sq_kernel *k = merged(&r, "merge(j)");
    assert_int_equal(k->stmt[0]->ndim, 2);
    assert_int_equal(sq_kernel_array(k, "B")->ndim, 1);
    assert_int_equal(sq_kernel_array(k, "C")->ndim, 1);
    sq_unit_free(r.u);

    r = kernel_of("int H, int W, const f32 X[H][1][W], f32 Y[H][W]",
                  "idx y, x, z; Y[y][x] = sum(X[y][z][x], z);");
    refused(&r, "merge(z)", "'z' of S0 is the only dimension of its reduction");
    refused(&r, "merge(y, x)", "side by side");
    sq_unit_free(r.u);
}

/* A merge reaches what shares an array, and is refused where that cannot follow. */
static void shared_arrays(void **state)
{
    (void)state;
    read r =
        kernel_of("int H, int W, const f32 X[H][W], const f32 Z[5][6], f32 Y[H][W], f32 V[5][6]",
                  "idx i, j, p, q, y, x; f32 T[H][W];\n"
                  "T[i][j] = 2 * X[i][j];\nY[p][q] = T[p][q] + 1;\nV[y][x] = Z[y][x];");
    const sq_kernel *k = merged(&r, "merge(S0, i, j)");
    assert_string_equal(k->stmt[0]->dim[0], "i_j");
    assert_string_equal(k->stmt[1]->dim[0], "p_q");
    assert_int_equal(k->stmt[2]->ndim, 2);
    refused(&r, "merge(S2, i, j)", "'i' is no dimension of S2");
    refused(&r, "merge(i, x)", "no statement has all of these dimensions");
    sq_unit_free(r.u);

    r = kernel_of("int H, int W, const f32 X[H][W], f32 Y[H][W - 1]",
                  "idx i, j, p, q; f32 T[H][W];\n"
                  "T[i][j] = 2 * X[i][j];\nY[p][q] = T[p][q + 1];");
    refused(&r, "merge(i, j)",
            "S1 has T in line 6 with other subscripts there than two dimensions");
    sq_unit_free(r.u);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *args, *body, *why;
    } rows[] = {
        {"int H, int W, const f32 X[H][W + 1], f32 Y[H][W]",
         "idx y, x; Y[y][x] = X[y][x] + X[y][x + 1];", "S0 has X in line 4 with other subscripts"},
        {"int H, int W, const f32 X[H + 2][W], f32 Y[H][W]", "idx y, x; Y[y][x] = X[y + 2][x];",
         "S0 has X in line 4 with other subscripts"},
        {"int H, int W, int L, const f32 X[H][L], f32 Y[H][W]",
         "assume(L >= W); idx y, x; Y[y][x] = X[y][x];", "different extents where 'x' stands"},
        {"int H, int W, f32 Y[H][W]", "idx y, x; range(x, 1, W); Y[y][x] = 2 * Y[y][x];",
         "'x' of S0 does not run over the whole extent"},
        {"int H, f32 Y[H][H][H]", "idx n, y, x; range(y, 0, n + 1); Y[n][y][x] = 2 * Y[n][y][x];",
         "'y' of S0 begins and ends"},
        {"int H, f32 Y[H][H]", "idx y, x; range(x, 0, y + 1); Y[y][x] = 2 * Y[y][x];",
         "'x' of S0 does not run over the whole extent"},
        {"int H, int W, f32 Y[H][W]", "idx y, x; Y[y][x] = x;", "uses the value of 'y' or 'x'"},
        {"int H, int W, const f32 b[W], f32 Y[H][W]", "idx y, x; Y[y][x] = b[x];",
         "S0 has b in line 4 with other subscripts"},
        {"int H, int W, f32 Y[W][H]", "idx y, x; Y[x][y] = 1;", "other subscripts than [y][x]"},
        {"int H, int W, f32 Y[H][W]",
         "idx y, x; for (int t = 0; t < 3; t++) { Y[y][x] = 2 * Y[y][x]; }",
         "S0 stands in C loops with other statements, or needs their order"},
        {"int N, int H, int W, const f32 X[N][H][W], f32 Y[H]",
         "idx n, y, x; Y[y] = sum(X[n][y][x], n, x);", "S0 reduces over one of them alone"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        read r = kernel_of(rows[i].args, rows[i].body);
        refused(&r, "merge(y, x)", rows[i].why);
        sq_unit_free(r.u);
    }
}

/* Statements of C loops have their dimensions merged once each has loops of its own and needs no order. */
static void c_loops(void **state)
{
    (void)state;
    const char *args = "int N, f32 X[N][3], f32 V[N][3], const f32 F[N][3]";
    read r = kernel_of(args, "for (int i = 0; i < N; i++) for (int d = 0; d < 3; d++) {"
                             " V[i][d] += 0.5f * F[i][d]; X[i][d] += V[i][d]; }");
    refused(&r, "merge(i, d)", "S0 stands in C loops with other statements");
    const sq_kernel *k = merged(&r, "distribute(S0) merge(i, d)");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(k->stmt[i]->ndim, 1);
        assert_string_equal(k->stmt[i]->dim[0], "i_d");
        assert_false(k->stmt[i]->written_loops);
        assert_int_equal(k->stmt[i]->write->array->ndim, 1);
    }
    sq_unit_free(r.u);
    r = kernel_of(args, "for (int t = 0; t < 4; t++) for (int i = 0; i < N; i++) for (int d = 0; d < 3; d++) "
                        "{ V[i][d] = 2 * V[i][d] + X[i][d]; }");
    refused(&r, "merge(i, d)", "or needs their order");
    sq_unit_free(r.u);
}

/* Under strict a sum keeps its order: x has to be the next dimension. */
static void strict_order(void **state)
{
    (void)state;
    read r = kernel_of("int H, int W, const f32 X[H][W], f32 Y[1]",
                       "idx y, x; Y[0] = sum(X[y][x], x, y);");
    r.k->stmt[0]->ordered = true;
    refused(&r, "merge(y, x)", "fp strict keeps the order of the reduction");
    sq_unit_free(r.u);
    r = kernel_of("int H, int W, const f32 X[H][W], f32 Y[1]",
                  "idx y, x; Y[0] = sum(X[y][x], x, y);");
    assert_string_equal(merged(&r, "merge(y, x)")->stmt[0]->dim[0], "y_x");
    sq_unit_free(r.u);
}

/* What the model merges by itself. */
static void chosen(void **state)
{
    (void)state;
    static const struct {
        const char *args, *body, *calls;
    } rows[] = {
        {"int N, int C, const f32 X[N][C][7][7], f32 Y[N][C]",
         "idx n, c, y, x; Y[n][c] = sum(X[n][c][y][x], y, x);", "merge(n, c) merge(y, x) "},
        {"int C, int F, int H, int W, const f32 X[C][H][W], const f32 G[F][C][1][1], f32 "
         "Y[F][H][W]",
         "idx f, c, y, x, r, s; Y[f][y][x] = sum(X[c][y + r][x + s] * G[f][c][r][s], c, r, s);",
         "merge(r, s) merge(y, x) "},
        {"int R, int Q, int P, const f32 A[R][Q][P], const f32 B[P][P], f32 C[R][Q][P]",
         "idx r, q, p, s; C[r][q][p] = sum(A[r][q][s] * B[s][p], s);", "merge(r, q) "},
        {"int B, int M, const f32 X[B][M][M], const f32 Y[B][M][M], f32 Z[B][M][M]",
         "idx b, i, j, k; Z[b][i][j] = sum(X[b][i][k] * Y[b][k][j], k);", ""},
        {"int C, int H, int W, const f32 X[C][H][W], f32 Y[H][W][C]",
         "idx c, y, x; Y[y][x][c] = X[c][y][x];", ""},
        {"int B, int H, int W, int L, const f32 X[B][H][L], f32 Y[B][H][W]",
         "assume(L >= W); idx b, y, x; Y[b][y][x] = X[b][y][x];", ""},
        {"int H, int W, f32 Y[H][W], f32 Z[H][W]", "idx y, x; Y[y][x] = x;\nZ[y][x] = 2 * Z[y][x];",
         "merge(S1, y, x) "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        read r = kernel_of(rows[i].args, rows[i].body);
        sq_text script = {0};
        sq_draft_merge(sq_schedule_new(r.k, r.k->arena), r.k->arena, &script);
        assert_string_equal(sq_text_str(&script), rows[i].calls);
        sq_text_free(&script);
        sq_unit_free(r.u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants),     cmocka_unit_test(products), cmocka_unit_test(one_value),
        cmocka_unit_test(shared_arrays), cmocka_unit_test(refusals), cmocka_unit_test(strict_order),
        cmocka_unit_test(c_loops),       cmocka_unit_test(chosen),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
