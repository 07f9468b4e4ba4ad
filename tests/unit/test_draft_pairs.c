/* Draft, pairs: two points of a kernel whose times were measured side by side in one process (AVX2, Zen 3, gcc 12), and
 * what the model says of them. */
#include "tests/unit/sketch_fixture.h"
#include <stdio.h>

#define GEMM_FIX {{"M", 156}, {"N", 192}, {"K", 576}}
#define TILE(rows, vectors) {"lanes", 8}, {"rows", rows}, {"vectors", vectors}, {"kc", 576}, {"outer", 0}, {"inner", 1}

static const char gemm[] = "#include \"squall.h\"\n"
                           "kernel gemm(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M][N])\n"
                           "{ idx i, j, k; C[i][j] = sum(A[i][k] * B[k][j], k); }\n";
static const char gemm_nt[] = "#include \"squall.h\"\n"
                              "kernel gemm_nt(int M, int N, int K, const f32 A[M][K], const f32 B[N][K], f32 C[M][N])\n"
                              "{ idx i, j, k; C[i][j] = sum(A[i][k] * B[j][k], k); }\n";
static const char mttkrp[] =
    "#include \"squall.h\"\n"
    "kernel mttkrp(int I, int J, int K, int R, const f32 X[I][J][K], const f32 B[J][R], const f32 C[K][R],\n"
    "              f32 O[I][R])\n"
    "{ idx i, j, k, r; O[i][r] = sum(X[i][j][k] * B[j][r] * C[k][r], j, k); }\n";

typedef struct choice {
    const char *name;
    long value;
} choice;

/* The second point has those of the first, but for `other`. Ratios are of its time to that of the first. */
static const struct {
    const char *what, *text;
    sq_fix fix[4];
    choice common[12], first[3], other[3];
    double measured, least, most;
} pairs[] = {
    {"four steps over rows, where a tile fills all registers", gemm, GEMM_FIX,
     {TILE(4, 3), {"pack.B", SQ_UNPACKED}}, {{"unroll", 1}}, {{"unroll", 4}}, 1.05, 1, 1.08},
    {"two steps of a panel there: gcc loads a vector for each row", gemm, GEMM_FIX,
     {TILE(4, 3), {"pack.B", SQ_PACKED_PANELS}}, {{"unroll", 1}}, {{"unroll", 4}}, 1.17, 1.1, 1.4},
    {"four steps over rows, where one register is left", gemm, GEMM_FIX,
     {TILE(6, 2), {"pack.B", SQ_UNPACKED}}, {{"unroll", 1}}, {{"unroll", 4}}, 1.11, 1.03, 1.15},
    {"two steps of a panel there", gemm, GEMM_FIX,
     {TILE(6, 2), {"pack.B", SQ_PACKED_PANELS}}, {{"unroll", 1}}, {{"unroll", 4}}, 1.01, 0.99, 1.06},
    {"panels of blocks, the last of which is a third full", gemm_nt, {{"M", 48}, {"N", 64}, {"K", 64}},
     {{"vector", 0}, {"lanes", 8}, {"rows", 4}, {"vectors", 3}, {"kc", 64}, {"unroll", 1}, {"outer", 1}, {"inner", 0},
      {"mc", 64}, {"pack.A", SQ_UNPACKED}, {"pack.B", SQ_PACKED_PANELS}},
     {{"nc", 64}}, {{"nc", 32}}, 1.01, 0.97, 1.07},
    {"a copy of all of an array as it lies, whose lines hold much that a tile does not read", mttkrp,
     {{"I", 48}, {"J", 48}, {"K", 48}, {"R", 32}},
     {{"lanes", 8}, {"vectors", 2}, {"rows", 4}, {"taps", 0}, {"unroll", 4}, {"outer", 1}, {"inner", 0},
      {"pack.X", SQ_PACKED_PLAIN}, {"pack.B", SQ_PACKED_PANELS}},
     {{"kc", 16}, {"mc", 12}}, {{"kc", 48}, {"mc", 48}}, 1.30, 1.02, 1.7},
};

static void apply(const fixture *f, int *point, const choice *c, int n)
{
    for (int i = 0; i < n && c[i].name; i++)
        set_choice(f, point, c[i].name, c[i].value);
}

static double cost(const fixture *f, int *point, const choice *c)
{
    apply(f, point, c, 3);
    return sq_sketch_cost(f->sketch, point);
}

static void ordered_as_measured(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(pairs); i++) {
        fixture f;
        int point[SQ_MAX_COORDS], nfix = pairs[i].fix[3].name ? 4 : 3;
        open_text(&f, pairs[i].text, strlen(pairs[i].text), pairs[i].fix, nfix, "avx2", 1);
        memcpy(point, sq_sketch_space(f.sketch)->start, sizeof point);
        apply(&f, point, pairs[i].common, 12);
        double first = cost(&f, point, pairs[i].first), ratio = cost(&f, point, pairs[i].other) / first;
        print_message("%s: %.3f, measured %.2f\n", pairs[i].what, ratio, pairs[i].measured);
        if (!(ratio >= pairs[i].least && ratio <= pairs[i].most))
            fail_msg("%s: %.3f, where %.2f was measured", pairs[i].what, ratio, pairs[i].measured);
        close_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ordered_as_measured)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
