/* Table: the kernels that are executed and the handmade scripts each must accept. */
#ifndef SQ_TESTS_EXEC_TABLE_H
#define SQ_TESTS_EXEC_TABLE_H

enum { MOST_SCRIPTS = 12 };
enum { BOTH_TYPES, AS_WRITTEN, NEEDS_FUSION /* or fixed sizes, for its temporaries; in both types */ };

typedef struct row {
    const char *file, *args;
    int types;
    const char *script[MOST_SCRIPTS];
} row;

static const row rows[] = {
    {"samples/gemm.sq", "", BOTH_TYPES,
     {"micro(i:6, j:16 | k) vectorize(j:8)",
      "tile(i:48, j:64, k:32) order(j0, k0, i0, j, i) pack(B at k0 as j16) micro(i:6, j:16 | k) parallel(i0)",
      "tile(i:12, j:32, k:8) order(i0, k0, j0) pack(A at k0 as i4) pack(B at j0 as j16) micro(i:4, j:16 | k)",
      "tile(k:8) order(k0, i, j) epilogue(first) micro(i:2, j:8 | k) unroll(k:4) split(k:2)",
      "tile(j:16, k:5) order(j0, i, k0, j) pack(B at k0) micro(i:3, j:8 | k)", "order(j, k, i)", "micro(j:4) order(k, i, j)",
      "micro(i:4 | k) vectorize(i:4)"}},
    {"samples/gemm_bias_relu.sq", "", BOTH_TYPES,
     {"micro(i:4, j:16 | k)", "tile(k:8) order(k0, i, j) micro(i:4, j:8 | k) epilogue(last)",
      "tile(k:7, j:32) order(j0, k0, i, j) pack(B at k0 as j8) micro(i:3, j:8 | k)"}},
    {"samples/gemm_residual.sq", "", BOTH_TYPES, {"micro(i:4, j:16 | k) unroll(k:2)", "parallel(i)"}},
    {"samples/gemm_nt.sq", "", BOTH_TYPES,
     {"micro(i:4, j:8 | k)", "tile(j:16, k:8) order(j0, k0, i, j) pack(B at k0 as j8) micro(i:4, j:8 | k)",
      "micro(i:2, j:2 | k) vectorize(k:4)"}},
    {"samples/gemm_tn.sq", "", BOTH_TYPES,
     {"micro(i:4, j:8 | k)", "tile(i:8, k:8) order(i0, k0, i, j) pack(A at k0 as i4) micro(i:4, j:8 | k)"}},
    {"samples/gemm_tt.sq", "", BOTH_TYPES,
     {"micro(i:8, j:4 | k) vectorize(i:4)", "tile(j:16, k:8) order(j0, k0, i, j) pack(B at k0 as j8) micro(i:4, j:8 | k)"}},
    {"samples/bmm.sq", "", BOTH_TYPES,
     {"micro(i:4, j:8 | k) parallel(b)", "tile(j:16) order(b, j0, i, j) pack(Y at j0 as j8) micro(i:4, j:8 | k)"}},
    {"samples/contraction.sq", "", BOTH_TYPES,
     {"micro(i:4, j:8 | k)", "micro(a:2, b:2, j:8 | k)"}},
    {"samples/contraction_abc.sq", "", BOTH_TYPES, {"micro(c:3, b:8 | d)", "micro(b:4, c:8 | d)"}},
    {"samples/contraction_abcd.sq", "", BOTH_TYPES, {"micro(b:2, d:8 | e)", "micro(a:2, c:4, d:4 | f)"}},
    {"samples/conv.sq", "", BOTH_TYPES,
     {"pack(I at top) micro(f:4, x:8, r:3, s:3 | c)", "tile(c:4) order(c0, f, y, x) pack(I at c0) pack(G at c0 as f4) micro(f:4, x:8, r:3, s:3 | c)",
      "pack(I at y) micro(f:2, x:8, s:3 | c)", "micro(f:8 | c)"}},
    {"samples/conv1d.sq", "", BOTH_TYPES, {"pack(I at n) micro(f:4, x:8, s:5 | c)"}},
    {"samples/conv1d.sq", "-DS=3 -DSW=2 -DPW=1 -DDW=2", BOTH_TYPES, {"pack(I at n) micro(f:4, x:8, s:3 | c)"}},
    {"samples/conv1d.sq", "-DS=4 -DSW=3 -DPW=0 -DDW=1", BOTH_TYPES, {"pack(I at n) micro(f:4, x:8, s:4 | c)", "pack(I at f) micro(x:4 | s)"}},
    {"samples/conv2d.sq", "", BOTH_TYPES,
     {"tile(c:4) order(n, c0, f, y, x) pack(I at c0) micro(f:4, x:8, r:3, s:3 | c)",
      "tile(x:16, y:4) order(n, y0, x0, f, y, x) pack(I at x0) micro(f:2, y:2, x:8, r:3, s:3 | c)"}},
    {"samples/conv2d.sq", "-DSH=2 -DSW=2", BOTH_TYPES,
     {"tile(x:16, y:4, f:8) order(n, y0, x0, f0, f, y, x) pack(I at x0) pack(G at f0 as f4) micro(f:4, x:8, r:3, s:3 | c)"}},
    {"samples/conv2d.sq", "-DR=1 -DS=1 -DPH=0 -DPW=0", BOTH_TYPES, {"micro(f:4, x:8 | c)", "pack(I at n) micro(f:4, x:8 | c)"}},
    {"samples/conv2d.sq", "-DR=5 -DS=2 -DSH=3 -DSW=3 -DPH=2 -DPW=1", BOTH_TYPES,
     {"pack(I at y) micro(f:4, x:8, s:2 | c)"}},
    {"samples/conv3d.sq", "", BOTH_TYPES, {"pack(I at z) micro(f:4, x:8, r:3, s:3 | c)"}},
    {"samples/conv3d.sq", "-DR=2 -DST=2 -DP=0", BOTH_TYPES, {"micro(f:4, x:4 | c)"}},
    {"samples/conv_grouped.sq", "", BOTH_TYPES, {"pack(I at t) micro(f:4, x:8, r:3, s:3 | c)"}},
    {"samples/dwconv.sq", "", BOTH_TYPES, {"pack(I at c) micro(y:2, x:8, r:3, s:3) parallel(c)"}},
    {"samples/dwconv.sq", "-DST=2", BOTH_TYPES, {"pack(I at c) micro(y:2, x:8, r:3, s:3) parallel(c)"}},
    {"samples/elementwise.sq", "", NEEDS_FUSION, {"fuse(S0, S1, S2) micro(j:8)", "fuse(S0, S1, S2) micro(i:2, j:16)"}},
    {"samples/jacobi.sq", "", BOTH_TYPES, {"micro(y:4, x:8)", "tile(y:16, x:32) order(y0, x0) micro(y:2, x:8)"}},
    {"samples/loops.sq", "", BOTH_TYPES, {"micro(i:4, j:8 | k)"}},
    {"samples/mttkrp.sq", "", BOTH_TYPES, {"micro(i:4, r:8 | k)", "micro(i:4, r:8 | j)"}},
    {"samples/syrk.sq", "", BOTH_TYPES, {"micro(i:4, j:8 | k)", "tile(i:32, j:16, k:8) order(i0, j0, k0) micro(i:3, j:8 | k)"}},
    {"samples/trmm.sq", "", BOTH_TYPES, {"micro(i:4, j:8 | k)", "tile(j:32) micro(j:8 | k)"}},
    {0},
};
#endif
