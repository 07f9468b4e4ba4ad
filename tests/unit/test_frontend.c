/* Frontend: descriptions that are accepted, compared by the text of the kernel they become and by
 * equality of isl sets; descriptions that are refused, by place and message. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tests/unit/unit.h"
#include "frontend/frontend.h"
#include "support/text.h"
#include <isl/ctx.h>
#include <isl/options.h>

#define PRELUDE "#include \"squall.h\"\n"

typedef struct parsed {
    isl_ctx *ctx;
    sq_diags *d;
    sq_unit *u;
} parsed;

static parsed parse(const char *text, const sq_parse_options *o)
{
    parsed p = {isl_ctx_alloc(), sq_diags_new(), NULL};
    isl_options_set_on_error(p.ctx, ISL_ON_ERROR_CONTINUE);
    p.u = sq_parse(p.ctx, "t.sq", text, strlen(text), o, p.d);
    return p;
}

/* isl aborts here if an object of the kernel was not freed. */
static void done(parsed *p)
{
    sq_unit_free(p->u);
    sq_diags_free(p->d);
    isl_ctx_free(p->ctx);
}

/* What the user would read; caller frees. */
static char *messages(const parsed *p)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    sq_diags_print(p->d, to, SQ_DIAG_GCC, 0);
    fclose(to);
    return text;
}

static parsed accepted(const char *text, const sq_parse_options *o)
{
    parsed p = parse(text, o);
    if (!p.u) {
        char *said = messages(&p);
        print_error("%s%s", text, said);
        free(said);
    }
    assert_non_null(p.u);
    return p;
}

static void dump_is(const sq_kernel *k, const char *wanted)
{
    sq_text t = {0};
    sq_kernel_dump(k, &t);
    assert_string_equal(sq_text_str(&t), wanted);
    sq_text_free(&t);
}

static void dump_has(const sq_kernel *k, const char *wanted)
{
    sq_text t = {0};
    sq_kernel_dump(k, &t);
    if (!strstr(sq_text_str(&t), wanted))
        print_error("wanted: %s\nin:\n%s", wanted, sq_text_str(&t));
    assert_non_null(strstr(sq_text_str(&t), wanted));
    sq_text_free(&t);
}

static void set_is(isl_set *set, const char *wanted)
{
    isl_set *w = isl_set_read_from_str(isl_set_get_ctx(set), wanted);
    assert_int_equal(isl_set_is_equal(set, w), isl_bool_true);
    isl_set_free(w);
}

static void gemm_whole(void **state)
{
    (void)state;
    parsed p =
        accepted(PRELUDE "kernel gemm(int M, int N, int K, f32 alpha, f32 beta,\n"
                         "            const f32 A[M][K], const f32 B[K][N], f32 C[M][N])\n"
                         "{\n"
                         "    idx i, j, k;\n"
                         "    C[i][j] = beta * C[i][j] + alpha * sum(A[i][k] * B[k][j], k);\n"
                         "}\n",
                 NULL);
    assert_int_equal(p.u->nkernels, 1);
    dump_is(
        p.u->kernel[0],
        "kernel gemm\n"
        "  size M\n"
        "  size N\n"
        "  size K\n"
        "  scalar f32 alpha\n"
        "  scalar f32 beta\n"
        "  in f32 A [M, N, K] -> { [(M)] } [M, N, K] -> { [(K)] }\n"
        "  in f32 B [M, N, K] -> { [(K)] } [M, N, K] -> { [(N)] }\n"
        "  inout f32 C [M, N, K] -> { [(M)] } [M, N, K] -> { [(N)] }\n"
        "    context  [M, N, K] -> {  : M >= 0 and N >= 0 and K >= 0 }\n"
        "  S0 dims i j | k\n"
        "    domain   [M, N, K] -> { S0[i, j] : 0 <= i < M and 0 <= j < N }\n"
        "    updates  [M, N, K] -> { S0_u[i, j, k] : 0 <= i < M and 0 <= j < N and 0 <= k < K }\n"
        "    add      f32 mul(A, B)\n"
        "    value    f32 add(mul(beta, C), mul(alpha, reduced))\n"
        "    write    [M, N, K] -> { S0[i, j] -> C[(i), (j)] }\n"
        "    read     [M, N, K] -> { S0_u[i, j, k] -> A[(i), (k)] }\n"
        "    read     [M, N, K] -> { S0_u[i, j, k] -> B[(k), (j)] }\n"
        "    read     [M, N, K] -> { S0[i, j] -> C[(i), (j)] }\n");
    const sq_stmt *s = p.u->kernel[0]->stmt[0];
    assert_int_equal(s->loc.line, 6);
    assert_int_equal(s->loc.col, 5);
    assert_int_equal(s->loc.len, 60);
    assert_int_equal(sq_kernel_flops(p.u->kernel[0], (int64_t[]){5, 7, 11}), 5 * 7 * (2 * 11 + 3));
    assert_int_equal(p.u->ndeps, 1);
    assert_string_equal(p.u->dep[0], "t.sq");
    done(&p);
}

static const char conv[] = PRELUDE
    "enum { SH = 2, PH = 1, R = 3 };\n"
    "#define PW PH\n"
    "#ifndef SW\n"
    "#define SW 2\n"
    "#endif\n"
    "kernel conv(int C, int H, int W, int F, const f32 I[C][H][W], const f32 G[F][C][R][3],\n"
    "            f32 O[F][(H + 2*PH - R)/SH + 1][(W + 2*PW - 3)/SW + 1])\n"
    "{\n"
    "    idx f, y, x, c, r, s;\n"
    "    O[f][y][x] = sum(pad(I[c][SH*y + r - PH][SW*x + s - PW], 0) * G[f][c][r][s]);\n"
    "}\n";

static void conv_symbolic(void **state)
{
    (void)state;
    parsed p = accepted(conv, NULL);
    const sq_kernel *k = p.u->kernel[0];
    set_is(k->context, "[C,H,W,F] -> { : C >= 0 and F >= 0 and H >= 1 and W >= 1 }");
    set_is(k->stmt[0]->domain, "[C,H,W,F] -> { S0[f,y,x] : 0 <= f < F and "
                               "0 <= y < floor((H-1)/2)+1 and 0 <= x < floor((W-1)/2)+1 }");
    assert_int_equal(k->stmt[0]->nfree, 3);
    assert_int_equal(k->stmt[0]->ndim, 6);
    dump_has(k, "S0_u[f, y, x, c, r, s] -> I[(c), (-1 + 2y + r), (-1 + 2x + s)] }\n");
    dump_has(k, "    read     pad 0 ");
    assert_int_equal(sq_array_extent(k->array[1], 2), 3);
    assert_int_equal(sq_array_extent(k->array[1], 1), -1);
    done(&p);
}

static void conv_fixed(void **state)
{
    (void)state;
    const sq_fix fix[] = {{"C", 3}, {"H", 8}, {"W", 9}, {"F", 4}};
    const char *const define = "-DSW=1";
    const sq_parse_options o = {.nfix = 4, .fix = fix, .nargs = 1, .args = &define};
    parsed p = accepted(conv, &o);
    const sq_kernel *k = p.u->kernel[0];
    set_is(k->stmt[0]->domain, "{ S0[f,y,x] : 0 <= f < 4 and 0 <= y < 4 and 0 <= x < 9 }");
    assert_int_equal(sq_array_extent(k->array[2], 2), 9);
    assert_int_equal(k->nparams, 7);
    assert_true(k->size[1]->fixed);
    assert_int_equal(k->size[1]->value, 8);
    assert_int_equal(sq_kernel_flops(k, (int64_t[4]){0}), 2 * 4 * 4 * 9 * 3 * 9);
    done(&p);
}

/* Equal parts count once; a condition with a division leaves out the points it leaves out. */
static void each_flops(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t size;
        double flops;
    } rows[] = {
        {PRELUDE "kernel f(int N, const f32 X[N], const f32 Y[N], f32 Z[N])\n"
                 "{ idx i; Z[i] = (X[i] - Y[i]) * (X[i] - Y[i]); }\n",
         10, 2 * 10},
        {PRELUDE "kernel f(int N, const f32 X[N], f32 Z[N])\n"
                 "{ for (int i = 0; i < N; i++) if (i % 3 == 1) Z[i] = 2.f * X[i]; }\n",
         11, 4},
        {PRELUDE "kernel f(int N, const f32 X[N][N], f32 Z[N])\n"
                 "{ for (int i = 0; i < N; i++) for (int j = 0; j <= i; j++)\n"
                 "  if ((i + j) % 2 == 0) Z[i] += X[i][j]; }\n",
         5, 9 + 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        parsed p = accepted(rows[i].text, NULL);
        assert_float_equal(sq_kernel_flops(p.u->kernel[0], &rows[i].size), rows[i].flops, 0);
        done(&p);
    }
}

/* One kernel each: a piece that its dump must hold. */
static const struct {
    const char *text, *piece;
} forms[] = {
    /* reductions */
    {"(int M, int N, const f32 X[M][N], f32 Y[M]) { idx i, j; Y[i] = sum(X[i][j]); }",
     "S0 dims i | j\n"},
    {"(int M, const f32 X[M], f32 Y[1]) { idx i; Y[0] = rmax(X[i], i); }",
     "    max2     f32 X\n    value    f32 reduced\n"},
    {"(int M, const f32 X[M], f32 Y[1]) { idx i; Y[0] = rmin(X[i]) + prod(X[i]); }",
     "    value    f32 add(Y_min2, reduced)\n"},
    {"(int M, const f32 X[M], f32 Y[1]) { idx i; f32 s; s = sum(X[i], i); Y[0] = s / M; }",
     "    value    f32 div(s, f32([M] -> { S1[] -> [(M)] }))\n"},
    {"(int M, f32 Y[M]) { idx i, r; range(r, 2, M); Y[i] = sum(1.f, r); }",
     "S0_u[i, r] : 0 <= i < M and 2 <= r < M }"},
    /* assignment operators, epilogues, functions */
    {"(int M, const f32 X[M], f32 Y[M]) { idx i; Y[i] -= X[i]; }", "f32 sub(Y, X)\n"},
    {"(int M, const f32 X[M], f32 Y[M]) { idx i; Y[i] *= X[i]; }", "f32 mul(Y, X)\n"},
    {"(int M, const f32 X[M], f32 Y[M]) { idx i; Y[i] /= X[i]; }", "  inout f32 Y"},
    {"(int M, const f32 X[M], f32 Y[M]) { idx i; Y[i] = relu(X[i]); }", "f32 max2(X, 0)\n"},
    {"(int M, const f64 X[M], f64 Y[M]) { idx i; Y[i] = min2(exp(X[i]), pow(X[i], 3)); }",
     "f64 min2(exp(X), pow(X, 3))\n"},
    {"(int M, const f64 X[M], f64 Y[M]) { idx i; Y[i] = pow(X[i], 2) + pow(2, X[i]); }",
     "f64 add(mul(X, X), pow(2, X))\n"},
    {"(int M, const f32 X[M], f32 Y[M]) { idx i; Y[i] = -expf(-X[i]); }", "neg(exp(neg(X)))"},
    {"(int M, const f32 X[M], f32 Y[M]) { idx i; Y[i] = pad(X[i - 1], -INFINITY); }",
     "    read     pad -inf [M] -> { S0[i] -> X[(-1 + i)] }"},
    /* types as in C */
    {"(int M, const f32 X[M], f32 Y[M]) { idx i; Y[i] = X[i] * .5; }", "f32(mul(f64(X), 0.5))"},
    {"(int M, const f32 X[M], f64 Y[1]) { idx i; Y[0] = sum((f64)X[i]); }",
     "    add      f64 f64(X)"},
    {"(int M, const int64_t X[M], int32_t Y[M]) { idx i; Y[i] = (int32_t)(X[i] + i) / 3; }",
     "int32_t div(int32_t(add(X, int64_t([M] -> { S0[i] -> [(i)] }))), 3)"},
    {"(int M, int n, int64_t m, f32 Y[M]) { idx i; Y[i] = n + m; }",
     "  scalar int32_t n\n  scalar int64_t m\n"},
    /* ranges and what is known of sizes */
    {"(int N, const f32 A[N][N], f32 C[N][N]) { idx i, j; range(j, 0, i + 1); C[i][j] = A[j][i]; }",
     "S0[i, j] : i < N and 0 <= j <= i }"},
    {"(int M, int N, f32 C[N]) { idx i; assume(M >= N && N >= 1); range(i, 0, M - N); C[i] = 0; }",
     "    context  [M, N] -> {  : 0 < N <= M }"},
    {"(int M, int N, const f32 A[M], const f32 B[N], f32 C[1]) "
     "{ idx i; assume(M == N); C[0] = sum(A[i] * B[i]); }",
     "S0 dims | i\n"},
    {"(int M, f32 A[M], inout f32 B[M]) { idx i; { range(i, 1, M); B[i] = 1; } A[i] = 0; }",
     "S1[i] : 0 <= i < M }"},
    {"(int N, const f32 A[2 * N + 1], f32 C[N]) { idx i; C[i] = A[2 * i + 1] + A[N + i]; }",
     "A[(1 + 2i)]"},
    {"(int M, alias const f32 A[M], inout f32 B[M]) { idx i; B[i] = A[i]; }",
     "  in alias f32 A [M] -> { [(M)] }\n  inout f32 B"},
    /* loops: perfect nests around one update become reductions */
    {"(int M, int N, const f32 A[M][N], f32 C[M]) { for (int j = 0; j < N; j++) "
     "for (int i = 0; i < M; ++i) C[i] += A[i][j]; }",
     "  S0 dims i | j\n    domain   [M, N] -> { S0[i] : 0 <= i < M }\n"},
    {"(int M, const f32 A[M], f32 C[1]) { for (int i = 0; i <= M - 1; i += 1) "
     "C[0] = C[0] - A[i]; }",
     "    add      f32 A\n    value    f32 sub(C, reduced)\n"},
    {"(int M, const f32 A[M], f32 C[1]) { int i; for (i = 0; M > i; i++) "
     "{ C[0] = max2(C[0], A[i]); } }",
     "    max2     f32 A\n    value    f32 max2(C, reduced)\n"},
    {"(int N, const f32 A[N], f32 C[N]) { for (int k = 0; k < N; k++) for (int i = k; i < N; i++) "
     "if (i >= 2) C[i] += A[k]; }",
     "S0[i] : 2 <= i < N }"},
    {"(int M, int N, const f32 A[M][N], f32 C[N][M]) { for (int i = 0; i < M; i++) "
     "for (int j = 0; j < N; j++) C[j][i] = A[i][j]; }",
     "  S0 dims i j\n"},
    {"(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M][N]) { idx k; "
     "for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) C[i][j] = sum(A[i][k] * B[k][j]); }",
     "  S0 dims i j | k\n"},
    /* loops that keep their order */
    {"(int N, f32 C[N]) { for (int i = 1; i < N; i++) C[i] = C[i - 1]; }",
     "  S0 written dims i\n    domain   [N] -> { S0[i] : 0 < i < N }\n"
     "    textual  [N] -> { S0[i] -> [0, i, 0] }\n"},
    {"(int N, const f32 A[N], f32 C[2 * N]) { for (int i = 0; i < N; i++) "
     "for (int j = 0; j < N; j++) C[i + j] += A[i]; }",
     "S0 written dims i j\n"},
    {"(int N, const f64 A[N], f32 C[1]) { for (int i = 0; i < N; i++) C[0] += A[i]; }",
     "S0 written dims i\n"},
    {"(int M, int K, const f32 A[M][K], f32 C[M]) { for (int i = 0; i < M; i++) { f32 t = 0; "
     "for (int k = 0; k < K; k++) t += A[i][k]; C[i] = t; } }",
     "    textual  [M, K] -> { S1[i, k] -> [0, i, 1, k, 0] }\n"},
    {"(int T, int N, inout f32 A[N], inout f32 B[N]) { idx x; range(x, 1, N); "
     "for (int t = 0; t < T; t++) { B[x] = A[x - 1]; A[x] = B[x]; } }",
     "    textual  [T, N] -> { S1[t, x] -> [0, t, 1, x, 0] }\n"},
};

static void each_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(forms); i++) {
        char text[2000];
        snprintf(text, sizeof text, PRELUDE "kernel f%s\n", forms[i].text);
        parsed p = accepted(text, NULL);
        dump_has(p.u->kernel[0], forms[i].piece);
        done(&p);
    }
}

static const char two[] =
    PRELUDE "#pragma squall tune M=8 N=9\n"
            "// #pragma squall tune M=1 N=1\n"
            "/*\n#pragma squall tune M=1 N=1\n*/\n"
            "kernel first(int M, int N, f32 A[M][N]) { idx i, j; A[i][j] = 0; }\n"
            "#pragma squall fp strict\n"
            "kernel second(int M, f32 A[M])\n"
            "{\n"
            "    #pragma squall tune M=128 // large\n"
            "#pragma squall tune M=256\n"
            "    idx i; A[i] = 0;\n"
            "}\n";

static void pragmas(void **state)
{
    (void)state;
    parsed p = accepted(two, NULL);
    assert_int_equal(p.u->nkernels, 2);
    assert_int_equal(p.u->kernel[0]->ntune, 1);
    assert_int_equal(p.u->kernel[0]->tune[0][1], 9);
    assert_int_equal(p.u->kernel[0]->fp, SQ_FP_REASSOC);
    assert_int_equal(p.u->kernel[1]->fp, SQ_FP_STRICT);
    assert_int_equal(p.u->kernel[1]->ntune, 2);
    assert_int_equal(p.u->kernel[1]->tune[1][0], 256);
    done(&p);
    const sq_fix fix = {"M", 256};
    const sq_parse_options o = {.nfix = 1, .fix = &fix, .kernel = "second"};
    p = accepted(two, &o);
    assert_int_equal(p.u->nkernels, 1);
    assert_string_equal(p.u->kernel[0]->name, "second");
    assert_int_equal(p.u->kernel[0]->ntune, 1);
    done(&p);
}

static void refused_is(const char *text, const sq_parse_options *o, const char *wanted)
{
    parsed p = parse(text, o);
    char *said = messages(&p);
    if (p.u || strncmp(said, wanted, strlen(wanted)) != 0)
        print_error("%s\nwanted: %s\ngot: %s", text, wanted, said);
    assert_null(p.u);
    assert_int_equal(sq_diags_fault(p.d), SQ_FAULT_INPUT);
    assert_memory_equal(said, wanted, strlen(wanted));
    free(said);
    done(&p);
}

/* The kernel begins on line 2; tests/errors has many more, these need options or are short. */
static const struct {
    const char *text, *wanted;
} wrong[] = {
    {"(int M, f32 A[M]) { idx i; A[i] = }", "t.sq:2:43: error: expected expression"},
    {"(int M, f32 A[M]) { idx i; A[i] = expg(A[i]); }",
     "t.sq:2:43: error: unknown function 'expg'"},
    {"(int M, f32 A[M]) { idx i; A[i * i] = 0; }",
     "t.sq:2:38: error: subscript is not affine: it multiplies two things that both vary; accepted "
     "are sums of indices and sizes with constant factors"},
    {"(int M, int N, const f32 A[M], const f32 B[N], f32 C[1]) { idx i; C[0] = sum(A[i] * B[i]); }",
     "t.sq:2:93: error: the ranges of 'i' disagree"},
    {"(int M, const long double A[M], f32 B[M]) { idx i; B[i] = 0; }",
     "t.sq:2:17: error: 'A' has elements of type 'long double'; accepted are f32, f64, f16, bf16, "
     "int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t and uint64_t"},
};

static void each_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        char text[2000];
        snprintf(text, sizeof text, PRELUDE "kernel f%s\n", wrong[i].text);
        refused_is(text, NULL, wrong[i].wanted);
    }
}

static void wrong_options(void **state)
{
    (void)state;
    const sq_fix unknown = {"NN", 3}, negative = {"N", -1};
    const sq_parse_options fix = {.nfix = 1, .fix = &unknown};
    refused_is(two, &fix, "t.sq: error: --fix: no kernel has a size 'NN'\nhelp: did you mean 'N'?");
    const sq_parse_options below = {.nfix = 1, .fix = &negative};
    refused_is(two, &below,
               "t.sq:7:8: error: no sizes satisfy what kernel 'first' demands of them "
               "once those of --fix are set");
    const sq_parse_options name = {.kernel = "secnd"};
    refused_is(two, &name,
               "t.sq: error: there is no kernel 'secnd' in t.sq\nhelp: did you mean 'second'?\n"
               "help: its kernels are 'first' and 'second'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm_whole),    cmocka_unit_test(conv_symbolic),
        cmocka_unit_test(conv_fixed),    cmocka_unit_test(each_form),
        cmocka_unit_test(pragmas),       cmocka_unit_test(each_wrong),
        cmocka_unit_test(wrong_options), cmocka_unit_test(each_flops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
