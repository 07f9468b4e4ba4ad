#!/bin/sh
# squall compile --views in all ways in which kernels are made: what takes memory, several headers in one program, C++,
# several targets, threads, one file for all, no C library; names, and what is refused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
strict="-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror"
compiled() { # FILES: as a user compiles them
    "$CC" $strict -O2 "$@" -o main -lm || fail "$*: not compiled"
}

# Where arrays are as the kernel wants them, or have rows of any length that it takes, nothing is allocated. Memory of
# copies is kept for later calls.
cat >plain.sq <<'K'
#include "squall.h"
kernel twice(int M, int N, int ldx, int ldy, const f32 X[M][ldx], f32 Y[M][ldy])
{
    idx i, j;
    assume(ldx >= N && ldy >= N);
    range(j, 0, N);
    Y[i][j] = 2 * X[i][j];
}
kernel both(int M, int N, int ld, const f32 X[M][ld], f32 Y[M][ld], f32 first[N])
{
    idx i, j;
    assume(ld >= N && M >= 1);
    range(i, 0, M);
    range(j, 0, N);
    Y[i][j] = X[i][j];
    first[j] = X[0][j];
}
kernel padded(int M, int N, const f32 X[M][N], f32 Y[M][N])
{
    idx i, j;
    Y[i][j] = pad(X[i][j - 1], 0);
}
K
cat >kept.c <<'C'
#include "plain.h"
#include <stdio.h>
#include <stdlib.h>
static int taken;
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
static int without = 0;
void *__wrap_calloc(size_t n, size_t size)
{
    taken++;
    return without ? NULL : __real_calloc(n, size);
}
void *__wrap_malloc(size_t size)
{
    taken++;
    return __real_malloc(size);
}
static float x[64 * 64], y[64 * 64], f[64];
static int failed;
/* The call returns that and takes so many blocks of memory. */
#define CALL(call, code, blocks)                                                        \
    do {                                                                                \
        taken = 0;                                                                      \
        int got = (call);                                                               \
        if (got != (code) || taken != (blocks)) {                                       \
            printf("line %d: %d, %d blocks\n", __LINE__, got, taken);                   \
            failed = 1;                                                                 \
        }                                                                               \
    } while (0)
int main(void)
{
    squall_const_f32_2d X = {x, {7, 13}, {13, 1}}, X2 = {x, {7, 13}, {31, 1}}, X3 = {x, {7, 13}, {26, 2}}, X1 = {x, {1, 13}, {0, 1}};
    squall_f32_2d Y = {y, {7, 13}, {13, 1}}, Y2 = {y, {7, 13}, {33, 1}}, Y3 = {y, {7, 13}, {1, 7}}, Y1 = {y, {1, 13}, {-5, 1}};
    squall_f32_1d F = {f, {13}, {1}};
    for (int i = 0; i < 64 * 64; i++)
        x[i] = (float)i;
    CALL(twice_views(X, Y), 0, 0);
    CALL(twice_views(X2, Y2), 0, 0);
    failed |= y[6 * 33 + 12] != 2 * x[6 * 31 + 12] || y[13] != 2 * x[13 + 31 - 13 - 18];
    CALL(twice_views(X1, Y1), 0, 0);
    CALL(twice_views((squall_const_f32_2d){x, {7, 1}, {2, 99}}, (squall_f32_2d){y, {7, 1}, {3, -4}}), 0, 0);
    failed |= y[18] != 2 * x[12];
    CALL(padded_views(X, Y), 0, 0);
    CALL(both_views(X2, (squall_f32_2d){y, {7, 13}, {31, 1}}, F), 0, 0);
    without = 1;
    CALL(twice_views(X3, Y2), SQUALL_VIEWS_MEMORY, 1);
    without = 0;
    CALL(twice_views(X3, Y2), 0, 1);
    CALL(twice_views(X3, Y), 0, 0);
    failed |= y[6 * 13 + 12] != 2 * x[6 * 26 + 24];
    CALL(twice_views(X, Y3), 0, 0);
    failed |= y[6 + 12 * 7] != 2 * x[6 * 13 + 12];
    CALL(padded_views(X2, Y), 0, 0);
    failed |= y[6 * 13] != 0 || y[6 * 13 + 12] != x[6 * 31 + 11];
    /* One length of rows for two arrays: that of the first; the other is copied. */
    CALL(both_views(X2, Y, F), 0, 1);
    failed |= y[6 * 13 + 12] != x[6 * 31 + 12] || f[12] != x[12];
    CALL(both_views(X, Y2, F), 0, 0);
    failed |= y[6 * 33 + 12] != x[6 * 13 + 12];
    return failed;
}
C
expect 0 compile plain.sq --views --target=generic -o plain.c --header=plain.h
"$CC" $strict -O2 -Wl,--wrap=calloc,--wrap=malloc kept.c plain.c -o kept -lm || fail "kept.c: not compiled"
./kept >out || fail "memory of copies: $(cat out)"

# Two headers in one program, in C++; whatever makes the functions.
printf '#include "squall.h"\nkernel other(int N, const f32 X[N][N], f64 Y[N]) { idx i; Y[i] = (f64)X[i][i]; }\n' >other.sq
expect 0 compile other.sq --views --target=generic -o other.c --header=other.h
"$CC" $strict -O1 -c other.c -o other.o || fail "other.c: not compiled"
cat >two.cc <<'X'
#include "other.h"
#include "plain.h"
#include "other.h"
int main()
{
    float x[6] = {1, 2, 3, 4, 5, 6}, y[6];
    squall_const_f32_2d X{x, {2, 3}, {3, 1}};
    double d[2];
    if (other_views({x, {2, 2}, {3, 1}}, {d + 1, {2}, {-1}}) != 0 || d[1] != 1 || d[0] != 5)
        return 1;
    return TWICE(X, {y, {2, 3}, {1, 2}}) || y[3] != 10 ||
           SQUALL_VIEWS_CLASS(TWICE(X, {y, {2, 2}, {1, 2}})) != SQUALL_VIEWS_EXTENTS;
}
X
made() { # how it is made: options of plain.sq beside those of its files
    expect 0 compile plain.sq --views -o plain.c --header=plain.h "$@"
    silent
    "$CC" $strict -O2 $flags -c plain.c -o plain.o || fail "$*: not compiled"
    g++ -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Werror "-DTWICE=${prefix}twice_views" two.cc plain.o other.o -o two $flags -lm ||
        fail "$*: not compiled in C++"
    ./two || fail "$*: wrong"
}
prefix= flags=
made --target=generic
made --targets=generic,avx2,avx512
made --targets=generic,avx2,tasks --target-names
made --target=generic,tasks
made --visibility=hidden
prefix=lib_
made --prefix=lib_ --target=generic
prefix= flags=-fopenmp
made --target=generic,openmp

# One file for all; and static functions, of which some are not called.
cat >single.c <<'C'
#define SQUALL_PLAIN_IMPLEMENTATION
#include "plain.h"
int main(void)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, y[6];
    return twice_views((squall_const_f32_2d){x, {2, 3}, {3, 1}}, (squall_f32_2d){y, {2, 3}, {1, 2}}) || y[3] != 10;
}
C
for how in --target=generic --static "--static --targets=generic,avx2"; do
    rm plain.h
    expect 0 compile plain.sq --views --single-header=plain.h $how
    compiled single.c
    ./main || fail "$how: wrong"
done
expect 0 compile plain.sq --views -o alone.c
"$CC" $strict -O2 -c alone.c -o alone.o || fail "a file without a header is not compiled"

# Without a C library there is the function that works in the caller's memory.
expect 0 compile plain.sq --views --freestanding --target=generic -o plain.c --header=plain.h
"$CC" $strict -O2 -ffreestanding -c plain.c -o plain.o || fail "--freestanding: not compiled"
nm -u plain.o | awk '{ print $2 }' | grep -vxE 'memcpy|memset|_GLOBAL_OFFSET_TABLE_' && fail "plain.o calls more"
grep -q 'int twice_views(' plain.h plain.c && fail "twice_views would take memory"
grep -q 'There is no twice_views' plain.h || fail "that is not said"
cat >free.c <<'C'
#include "plain.h"
int main(void)
{
    static char memory[4096];
    float x[6] = {1, 2, 3, 4, 5, 6}, y[6];
    squall_const_f32_2d X = {x, {2, 3}, {3, 1}};
    squall_f32_2d Y = {y, {2, 3}, {1, 2}};
    return twice_views_workspace(X, Y) > sizeof memory || twice_views_in(X, Y, memory) || y[3] != 10;
}
C
"$CC" $strict -O2 free.c plain.o -o free -lm && ./free || fail "--freestanding: wrong"

# A kernel that only writes; what `check` makes of the whole text.
gemm >gemm.sq
cat >filled.sq <<'K'
#include "squall.h"
kernel filled(int N, f32 X[N]) { idx i; X[i] = 1; }
K
expect 0 compile filled.sq --views --target=generic -o filled.c
"$CC" $strict -c filled.c -o filled.o || fail "a kernel that only writes is not compiled"
expect 0 compile gemm.sq --views --target=generic -o gemm.c
expect 0 check gemm.sq --target=generic --text=gemm.c --at=M=5,N=6,K=7

# The example of docs/INTEGRATION.md: matrices that are column-major, with leading dimensions.
cat >dgemm.sq <<'K'
#include "squall.h"
kernel dgemm(int M, int N, int K, int lda, int ldb, int ldc, f64 alpha, f64 beta, const f64 A[M][lda],
             const f64 B[K][ldb], f64 C[M][ldc])
{
    idx i, j, k;
    assume(lda >= K && ldb >= N && ldc >= N);
    range(j, 0, N);
    range(k, 0, K);
    C[i][j] = beta * C[i][j] + alpha * sum(A[i][k] * B[k][j], k);
}
K
expect 0 compile dgemm.sq --views --target=generic -o dgemm.c --header=dgemm.h
doc=$SQUALL_SOURCE/docs/INTEGRATION.md
grep -qxF "$(awk '/^int dgemm_views\(/' "$doc")" dgemm.h || fail "the prototype of the document is another one"
{
    echo '#include "dgemm.h"'
    awk '/^```/ { on = 0 } /^\/\* C = alpha A B/ { on = 1 } on' "$doc"
    cat <<'C'
int column_dgemm(int, int, int, double, const double *, int, const double *, int, double, double *, int);
int main(void)
{
    static double A[7 * 9], B[9 * 5], C[8 * 5];
    int wrong = 0;
    for (int i = 0; i < 7 * 9; i++)
        A[i] = i % 5 - 2;
    for (int i = 0; i < 9 * 5; i++)
        B[i] = i % 7 - 3;
    for (int i = 0; i < 8 * 5; i++)
        C[i] = i;
    wrong |= column_dgemm(3, 5, 7, 2, A, 7, B, 9, 3, C, 8);
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 8; i++) {
            double sum = 0;
            for (int k = 0; k < 7; k++)
                sum += A[i % 3 + 7 * k] * B[k + 9 * j];
            wrong |= C[i + 8 * j] != (i < 3 ? 3.0 * (i + 8 * j) + 2 * sum : i + 8 * j);
        }
    return wrong;
}
C
} >column.c
"$CC" -std=c11 -O1 -Wall -Wextra -Werror -fsanitize=address,undefined column.c dgemm.c -o column -lm 2>err ||
    "$CC" -std=c11 -O1 -Wall -Wextra -Werror column.c dgemm.c -o column -lm || fail "column-major: not compiled"
./column || fail "column-major: wrong"

# Names of parameters that the text has itself; kernels and parameters whose names it takes.
cat >named.sq <<'K'
#include "squall.h"
kernel odd(int call, int array, int64_t bytes, f32 block, const f32 a[call][array], const f32 workspace[bytes], f32 code[call])
{
    idx i, j, k;
    code[i] = block * sum(a[i][j], j) + sum(workspace[k], k);
}
kernel none(int M, int rest, f32 complex[4][M])
{
    idx i, j;
    complex[i][j] = (f32)rest;
}
K
expect 0 compile named.sq --views --target=generic --fix=M=3 -o named.c --header=named.h
"$CC" $strict -c named.c -o named.o || fail "names of parameters meet those of the text"
echo '#include "named.h"' >named.cc
g++ -std=c++17 -Wall -Wextra -Werror -c named.cc -o named.o || fail "names of parameters in C++"
# Kernels that are called as locals of the functions around them, and parameters as kernels.
cat >locals.sq <<'K'
#include "squall.h"
kernel call(int n, const f32 x[n], f32 y[n]) { idx i; y[i] = 2 * x[i]; }
kernel code(int n, const f32 x[n], f32 y[n]) { idx i; y[i] = 3 * x[i]; }
kernel block(int n, const f32 block_in[n], f32 block[n], f32 block_workspace, f32 block_on)
{
    idx i;
    block[i] = block_workspace * block_in[i] + block_on;
}
K
cat >locals.c <<'C'
#include "called.h"
int main(void)
{
    float x[3] = {1, 2, 3}, y[6] = {0};
    const squall_const_f32_1d in = {x, {3}, {1}};
    const squall_f32_1d out = {y, {3}, {2}};
    int bad = call_views(in, out) != 0 || y[0] != 2 || y[2] != 4 || y[4] != 6;
    bad |= code_views(in, out) != 0 || y[0] != 3 || y[2] != 6 || y[4] != 9;
    return bad || block_views(in, out, 4, 1) != 0 || y[0] != 5 || y[2] != 9 || y[4] != 13 || y[1] != 0;
}
C
for words in --target=generic --target=generic,tasks "--targets=generic,avx2 --errors=return"; do
    # shellcheck disable=SC2086 # a list of words
    expect 0 compile locals.sq --views $words -o called.c --header=called.h
    compiled called.c locals.c
    ./main || fail "$words: names of kernels meet those of the text"
done
refused() { # CODE TEXT words...
    code=$1 text=$2
    shift 2
    expect "$code" compile "$@" -o no.c
    says "$text"
    absent no.c
}
cat >taken.sq <<'K'
#include "squall.h"
kernel twice(int N, const f32 X[N], f32 Y[N]) { idx i; Y[i] = X[i]; }
kernel twice_views_in(int N, const f32 X[N], f32 Y[N]) { idx i; Y[i] = X[i]; }
K
refused 1 "'twice_views_in' is, with --views, also a name that belongs to kernel 'twice'" taken.sq --views
expect 0 compile taken.sq -o taken.c
sed 's/twice_views_in/other/; s/Y/twice_views/g' taken.sq >taken2.sq
refused 1 "'twice_views' is, with --views" taken2.sq --views
sed 's/, f32 Y/, alias f32 Y/' taken.sq >alias.sq
refused 1 "arrays of 'twice' may overlap" alias.sq --views
refused 64 "arrays of CUDA are a device's" plain.sq --views --target=cuda
printf 'void f(int n, float *x)\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        x[i] = 1;\n#pragma endscop\n}\n' >region.c
refused 64 "called by their own file alone" region.c --views

# Which of several constants a call means, extents do not say.
printf '#include "squall.h"\nkernel c(int N, int S, const f32 X[N * S], f32 Y[N]) { idx i; Y[i] = X[i * S]; }\n' >sets.sq
expect 64 compile sets.sq '--fix=S=1|2' --views -o none.c
says "extents do not say which of several constants"
