#!/bin/sh
# `#pragma squall parameters`: functions that take their parameters as callers in existing programs pass them.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders

cat >blas.sq <<'K'
#include "squall.h"

#pragma squall parameters M N K alpha A lda B ldb beta C ldc
kernel my_sgemm(int M, int N, int K, int lda, int ldb, int ldc, f32 alpha, f32 beta, const f32 A[M][lda],
                const f32 B[K][ldb], f32 C[M][ldc])
{
    idx i, j, k;
    assume(lda >= K && ldb >= N && ldc >= N);
    range(i, 0, M);
    range(j, 0, N);
    range(k, 0, K);
    C[i][j] = beta * C[i][j] + alpha * sum(A[i][k] * B[k][j], k);
}

#pragma squall parameters n, a, x, y
kernel saxpy(int n, f32 a, const f32 x[n], f32 y[n])
{
    idx i;
    y[i] += a * x[i];
}

kernel conv(int C, int H, int W, const f32 in[C][H][W], const f32 w[C][3][3], f32 out[H - 2][W - 2])
{
    idx c, y, x, p, q;
#pragma squall parameters out in w C H W
    out[y][x] = sum(in[c][y + p][x + q] * w[c][p][q], c, p, q);
}

/* Behind the others, so that no order of theirs is its own. */
kernel row_sums(int N, int K, const f64 X[N][K], f64 Y[N])
{
    idx i, k;
    f64 t[N];
    t[i] = sum(X[i][k], k);
    Y[i] = t[i] * sum(X[i][k], k);
}
K

# What a program has that is to be given faster functions: their prototypes are its own.
cat >main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
void my_sgemm(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float beta, float *C,
              int ldc);
void saxpy(int n, float a, const float *x, float *y);
void conv(float *out, const float *in, const float *w, int C, int H, int W);
int my_sgemm_in(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float beta,
                float *C, int ldc, void *workspace);
int my_sgemm_accepts(int M, int N, int K, int lda, int ldb, int ldc);
size_t my_sgemm_workspace(int M, int N, int K, int lda, int ldb, int ldc);
#include HEADER

static float a[40 * 41], b[41 * 50], c[40 * 50], d[40 * 50], e[40 * 50];

static int differ(const float *x, const float *y, int n)
{
    int bad = 0;
    for (int i = 0; i < n; i++)
        bad += !(x[i] - y[i] < 1e-2f && y[i] - x[i] < 1e-2f);
    return bad;
}

int main(void)
{
    enum { M = 37, N = 29, K = 40 };
    for (int i = 0; i < 40 * 41; i++)
        a[i] = (float)(i % 7) - 3;
    for (int i = 0; i < 41 * 50; i++)
        b[i] = (float)(i % 11) - 5;
    for (int i = 0; i < 40 * 50; i++)
        c[i] = d[i] = e[i] = (float)(i % 13);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += a[i * 41 + k] * b[k * 50 + j];
            e[i * 45 + j] = 0.5f * e[i * 45 + j] + 2.0f * sum;
        }
    my_sgemm(M, N, K, 2.0f, a, 41, b, 50, 0.5f, c, 45);
    if (differ(c, e, 40 * 50))
        return puts("my_sgemm"), 1;
    void *memory = malloc(my_sgemm_workspace(M, N, K, 41, 50, 45) + 1);
    if (my_sgemm_in(M, N, K, 2.0f, a, 41, b, 50, 0.5f, d, 45, memory) || differ(d, e, 40 * 50))
        return puts("my_sgemm_in"), 1;
    free(memory);
    if (!my_sgemm_accepts(M, N, K, 41, 50, 45) || my_sgemm_accepts(M, N, K, 41, 20, 45) ||
        my_sgemm_in(M, N, K, 2.0f, a, 39, b, 50, 0.5f, d, 45, &memory) != 1)
        return puts("my_sgemm_accepts"), 1;
    for (int i = 0; i < 100; i++)
        c[i] = e[i] += 3.0f * a[i];
    for (int i = 0; i < 100; i++)
        c[i] -= 3.0f * a[i];
    saxpy(100, 3.0f, a, c);
    if (differ(c, e, 100))
        return puts("saxpy"), 1;
    for (int y = 0; y < 18; y++)
        for (int x = 0; x < 14; x++) {
            e[y * 14 + x] = 0;
            for (int ch = 0; ch < 3; ch++)
                for (int t = 0; t < 9; t++)
                    e[y * 14 + x] += a[(ch * 20 + y + t / 3) * 16 + x + t % 3] * b[ch * 9 + t];
        }
    conv(c, a, b, 3, 20, 16);
    if (differ(c, e, 18 * 14))
        return puts("conv"), 1;
    double X[6] = {1, 2, 3, 4, 5, 6}, Y[2];
    row_sums(2, 3, X, Y);
    return Y[0] == 36 && Y[1] == 225 ? 0 : (puts("row_sums"), 1);
}
C
runs() { # OPTIONS OF CC...
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -O0 "$@" -o main 2>err || fail "cc $*"
    ./main >out 2>&1 || fail "wrong: $(cat out)"
}
expect 0 compile blas.sq -o plain.c --header=plain.h
silent
runs -DHEADER='"plain.h"' main.c plain.c
expect 0 compile blas.sq -o threads.c --header=threads.h --target=generic,openmp
OMP_NUM_THREADS=3 runs -fopenmp -DHEADER='"threads.h"' main.c threads.c
expect 0 compile blas.sq --target=generic --single-header=single.h
runs -DHEADER='"single.h"' -DSQUALL_SINGLE_IMPLEMENTATION main.c
if grep -q avx2 /proc/cpuinfo 2>/dev/null; then
    expect 0 compile blas.sq -o wide.c --header=wide.h --target=avx2
    runs -DHEADER='"wide.h"' main.c wide.c
    expect 0 compile blas.sq -o each.c --header=each.h --targets=generic,avx2 --target-names
    cat >named.c <<'C'
#include "each.h"
int main(void)
{
    float x[2] = {1, 2}, y[2] = {3, 4};
    saxpy_avx2(2, 2.0f, x, y);
    saxpy_generic(2, 2.0f, x, y);
    return y[0] == 7 && y[1] == 12 ? 0 : 1;
}
C
    runs -DHEADER='"each.h"' main.c each.c
    runs named.c each.c
fi

# Sizes that --fix makes constants leave the order as they leave the function.
cat >fixed.c <<'C'
#include "fixed.h"
void my_sgemm(int M, float alpha, const float *A, const float *B, int ldb, float beta, float *C, int ldc);
int main(void)
{
    float A[6] = {1, 2, 3, 4, 5, 6}, B[6] = {1, 0, 0, 1, 1, 1}, C[4] = {1, 1, 1, 1};
    my_sgemm(2, 1.0f, A, B, 2, 10.0f, C, 2);
    return C[0] == 14 && C[1] == 15 && C[2] == 20 && C[3] == 21 ? 0 : 1;
}
C
expect 0 compile blas.sq --kernel=my_sgemm -o plain.c --header=fixed.h --fix=N=2,K=3,lda=3
runs fixed.c plain.c

# The kernels of one file keep to the lines of their own, and what is computed is what it was: schedules of the
# description without the line are its own.
expect 0 compile blas.sq --stop-after=parse --dump=parse
prints "  parameters M N K alpha A lda B ldb beta C ldc"
prints "  parameters out in w C H W"
[ "$(grep -c '^  parameters' out)" = 3 ] || fail "an order that nobody asked for"
expect 0 compile blas.sq -o plain.c --header=plain.h
grep -qF 'void row_sums(int N, int K, const double *X, double *Y);' plain.h || fail "the order as written"
sed '/squall parameters/d' blas.sq >other.sq
for file in other blas; do
    expect 0 tune $file.sq --kernel=saxpy --fix=n=1000 --target=generic --trials=2 --budget=20s --store=$file.db
    sed -n 's/.*\(hash [0-9a-f]*\).*/\1/p' $file.*.sched >$file.hash
done
[ -s blas.hash ] || fail "no hash"
same blas.hash other.hash

# check, tune and bench call what they measure.
for target in generic,openmp cuda; do
    expect 0 check blas.sq --kernel=my_sgemm --target=$target --quick
done
expect 0 check blas.sq --kernel=conv --target=cuda --quick
expect 0 check blas.sq --kernel=conv --quick --fix=C=2
expect 0 check blas.sq --passes
expect 0 compile blas.sq -o plain.c --header=plain.h
expect 0 check blas.sq --kernel=my_sgemm --text=plain.c --quick
expect 0 tune blas.sq --kernel=my_sgemm --at=M=40,N=40,K=40,lda=40,ldb=40,ldc=40 --target=generic --trials=3 \
    --budget=20s --store=own.db
grep -q my_sgemm blas.*.sched || fail "no schedule of my_sgemm"
expect 0 bench blas.sq --kernel=my_sgemm --at=M=40,N=40,K=40,lda=40,ldb=40,ldc=40 --target=generic

# The launcher of a grid.
expect 0 compile blas.sq --kernel=conv --target=cuda,arch=sm_80 -o conv.cu --header=conv.h
grep -qF 'int conv(float *out, const float *in, const float *w, int C, int H, int W, void *stream);' conv.h ||
    fail "the launcher's order"

# Declarations for other languages.
expect 0 compile blas.sq -o blas.c --target=generic --bindings=blas.py --bindings=blas.hpp --bindings=blas.rs
grep -qF 'inline void conv(std::span<float> out, std::span<const float> in, std::span<const float> w, int C, ' \
    blas.hpp || fail "the order in C++"
grep -qF 'pub fn conv(out: &mut [f32], in_: &[f32], w: &[f32], C: i32, H: i32, W: i32) {' blas.rs ||
    fail "the order in Rust"
if command -v python3 >/dev/null; then
    "${CC:-cc}" -O0 -fPIC -shared blas.c -o libblas.so
    python3 -c '
import array, blas
k = blas.Kernels("./libblas.so")
f = lambda *x: array.array("f", x)
C = f(1, 1, 1, 1)
k.my_sgemm(2, 2, 3, 1.0, f(1, 2, 3, 4, 5, 6), 3, f(1, 0, 0, 1, 1, 1), 2, 10.0, C, 2)
assert C.tolist() == [14, 15, 20, 21], C
k.my_sgemm_in(2, 2, 3, 1.0, f(1, 2, 3, 4, 5, 6), 3, f(1, 0, 0, 1, 1, 1), 2, 0.0, C, 2,
              bytearray(k.my_sgemm_workspace(2, 2, 3, 3, 2, 2) + 1))
assert C.tolist() == [4, 5, 10, 11], C
y = f(3, 4)
k.saxpy(2, 2.0, f(1, 2), y)
assert y.tolist() == [5, 8], y
try:
    k.saxpy(3, 2.0, f(1, 2), y)
except ValueError as e:
    assert "saxpy: x has 2 elements, not 3" in str(e)
else:
    raise SystemExit("not refused")
' || fail "Python"
fi
exit 0
