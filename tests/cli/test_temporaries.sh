#!/bin/sh
# Temporaries of statements that share loops: they have the rows of one iteration, so the workspace does not grow with
# the others, and the values stay in the cache. Where rows of another iteration are read, they have all of them.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >norms.sq <<'C'
#include "squall.h"
kernel softmax(int N, int M, const f32 X[N][M], f32 Y[N][M])
{
    f32 E[N][M], most[N], total[N];
    idx i, j;
    most[i] = rmax(X[i][j], j);
    E[i][j] = expf(X[i][j] - most[i]);
    total[i] = sum(E[i][j], j);
    Y[i][j] = E[i][j] / total[i];
}
kernel batches(int B, int N, int M, const f64 X[B][N][M], f64 Y[B][N][M])
{
    f64 C[B][N][M], mean[B][N], square[B][N];
    idx b, i, j;
    mean[b][i] = sum(X[b][i][j], j) / M;
    C[b][i][j] = X[b][i][j] - mean[b][i];
    square[b][i] = sum(C[b][i][j] * C[b][i][j], j);
    Y[b][i][j] = C[b][i][j] / sqrt(square[b][i] / M + 1e-5);
}
kernel shifted(int N, int M, const f32 X[N + 1][M], f32 Y[N][M])
{
    f32 E[N + 1][M];
    idx i, j;
    E[i][j] = X[i][j] * X[i][j];
    Y[i][j] = E[i][j] + E[i + 1][j];
}
kernel padded(int N, int M, const f32 X[N][M], f32 Y[N + 1][M])
{
    f32 E[N][M];
    idx i, j;
    E[i][j] = X[i][j] * X[i][j];
    Y[i][j] = pad(E[i][j], 3);
}
kernel columns(int N, int M, const f32 X[N][M], f32 Y[M])
{
    f32 E[N][M];
    idx i, j;
    E[i][j] = X[i][j] * X[i][j];
    Y[j] = sum(E[i][j], i);
}
C
cat >main.c <<'C'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "norms.h"
int main(void)
{
    static const int sizes[] = {1, 2, 3, 7, 13, 31, 33, 129};
    for (int a = 0; a < 64; a++) {
        int n = sizes[a / 8], m = sizes[a % 8];
        float *x = malloc(sizeof(float) * (size_t)(n * m)), *y = malloc(sizeof(float) * (size_t)(n * m));
        double *u = malloc(sizeof(double) * (size_t)(2 * n * m)), *v = malloc(sizeof(double) * (size_t)(2 * n * m));
        for (int i = 0; i < n * m; i++)
            x[i] = (float)(i * 37 % 101) / 25 - 2;
        for (int i = 0; i < 2 * n * m; i++)
            u[i] = (double)(i * 41 % 103) / 9;
        softmax(n, m, x, y);
        batches(2, n, m, u, v);
        for (int i = 0; i < n; i++) {
            double most = -INFINITY, total = 0;
            for (int j = 0; j < m; j++)
                most = fmax(most, x[i * m + j]);
            for (int j = 0; j < m; j++)
                total += exp(x[i * m + j] - most);
            for (int j = 0; j < m; j++)
                if (fabs(y[i * m + j] - exp(x[i * m + j] - most) / total) > 1e-6)
                    return printf("softmax %d x %d: %g\n", n, m, y[i * m + j]);
        }
        for (int i = 0; i < 2 * n; i++) {
            double mean = 0, square = 0;
            for (int j = 0; j < m; j++)
                mean += u[i * m + j] / m;
            for (int j = 0; j < m; j++)
                square += (u[i * m + j] - mean) * (u[i * m + j] - mean);
            for (int j = 0; j < m; j++)
                if (fabs(v[i * m + j] - (u[i * m + j] - mean) / sqrt(square / m + 1e-5)) > 1e-9)
                    return printf("batches %d x %d: %g\n", n, m, v[i * m + j]);
        }
        free(x), free(y), free(u), free(v);
    }
    if (softmax_workspace(0, 2000000000) > 4096 || batches_workspace(0, 1000, 2000000000) > 4096)
        return printf("rows of no iteration: %zu\n", softmax_workspace(0, 2000000000));
    if (softmax_workspace(1000000, 64) > 4096 || batches_workspace(1000, 1000, 64) > 8192)
        return printf("a workspace grows: %zu, %zu\n", softmax_workspace(1000000, 64),
                      batches_workspace(1000, 1000, 64));
    return 0;
}
C
rows='fuse(S0, S1, S2, S3 at i)'
for t in generic avx2; do
    expect 0 compile norms.sq --kernel=softmax --target=$t -o softmax.c --header=softmax.h -e "$rows"
    expect 0 compile norms.sq --kernel=batches --target=$t -o batches.c --header=batches.h -e "$rows"
    cat softmax.h batches.h >norms.h
    cc -O1 -Wall -Werror $([ $t = generic ] || echo -mavx2 -mfma) main.c softmax.c batches.c -lm -o norms
    [ $t = generic ] || grep -q avx2 /proc/cpuinfo || { echo "skipped: running $t"; continue; }
    ./norms || fail "$t"
    expect 0 check norms.sq --kernel=softmax --target=$t -e "$rows"
    expect 0 check norms.sq --kernel=batches --target=$t -e "$rows"
done

# The first choice does the same, with several rows at once.
expect 0 compile norms.sq --kernel=softmax --target=avx2 -o softmax.c
grep -q 'E + (i - i0) \* E_s0' softmax.c || fail "the first choice keeps all rows of E"

# Tiles: rows of the innermost shared loop; a loop outside of it that is none of the array's keeps all of them.
expect 0 compile norms.sq --kernel=softmax -o tiles.c \
    -e 'S0: tile(i:4) S1: tile(i:4) S2: tile(i:4) S3: tile(i:4) fuse(S0, S1, S2, S3 at i0)'
grep -q 'E + (i - i0) \* E_s0' tiles.c || fail "tiles of rows: $(grep 'E +' tiles.c)"
grep -q 'sq_lines\|softmax_lines(softmax_product(softmax_product(sizeof(float), softmax_min(4, N)), M))' tiles.c || fail "not four rows: $(grep lines tiles.c)"

# Threads would need rows each.
threads='S0: parallel(i) S1: parallel(i) S2: parallel(i) S3: parallel(i) fuse(S0, S1, S2, S3 at i)'
expect 0 compile norms.sq --kernel=softmax --target=generic,openmp -o threads.c -e "$threads"
grep -q '(i - i)\|E + j' threads.c && fail "threads write the same row"
expect 0 check norms.sq --kernel=softmax --target=generic,openmp -e "$threads"

# Not only this iteration's rows: all are there.
whole() { # kernel, script
    expect 0 compile norms.sq --kernel=$1 --target=generic -o whole.c -e "$2"
    grep -q '_product(sizeof(float), N' whole.c || fail "$1: $(grep lines whole.c)"
    expect 0 check norms.sq --kernel=$1 --target=generic -e "$2"
}
whole shifted ''
whole padded 'fuse(S0, S1 at i)'
whole columns ''

# Loops of several statements over several temporaries: these are parameters of a function, which restrict tells apart.
# As variables they would not be: gcc loads P[i][j - 1] again after each store to Q.
"$SQUALL" compile "$SQUALL_SOURCE/samples/polybench/adi.sq" --target=avx2 -o adi.c
grep -q 'adi_loops(.*double \*restrict V, double \*restrict P, double \*restrict Q)$' adi.c ||
    fail "adi: temporaries are no parameters"
cc -O2 -Wall -Wextra -Werror -c adi.c
for script in '' 'S2: auto(keep:1)'; do
    expect 0 check "$SQUALL_SOURCE/samples/polybench/adi.sq" -e "$script" --target=avx2 --at=T=2,N=9 --quick
done

# One temporary has nothing to be told apart from, and a nest of tiles has no such function.
cat >one.sq <<'K'
#include "squall.h"
kernel one(int N, inout f64 A[N])
{
    f64 B[N];
    for (int t = 1; t < N; t++) {
        for (int i = 1; i < N; i++)
            B[i] = A[i - 1] + A[i];
        for (int i = 1; i < N; i++)
            A[i] = 0.5 * B[i];
    }
}
K
"$SQUALL" compile one.sq --target=avx2 -o one.c
! grep -q 'one_loops' one.c || fail "one temporary, and a function for it"
