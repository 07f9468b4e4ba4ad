#!/bin/sh
# Regions read what the C text reads and nothing else: every array ends, or there is none, where the
# text as written stops reading; the next byte is not mapped.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cat >r.c <<'C'
void ragged(int N, int M, const double *A, const double *X, double *Y)
{
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N - i; j++)
            for (int k = 0; k < 8; k++)
                Y[i * N + j] += A[i * M + j + k] * X[k];
#pragma endscop
}
void rows(int N, int M, int L, const double *A, const double *X, double *Y)
{
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < M; k++)
                Y[i * N + j] += A[i * L + k] * X[k * L + j];
#pragma endscop
}
void by_size(int N, int M, const double *A, const double *X, double *Y)
{
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < 8; k++)
                Y[i * M + j] += (N > 10 ? A[i * M + j] : 1) * X[k];
#pragma endscop
}
void by_value(int N, double beta, const double *A, const double *X, double *Y)
{
#pragma scop
    for (int i = 0; i < N; i++)
        Y[i] = beta != 0 ? beta * A[i] : X[i];
#pragma endscop
}
void by_element(int N, const double *A, const double *X, double *Y)
{
#pragma scop
    for (int i = 0; i < N; i++)
        Y[i] = X[i] > 0 && A[i] < X[i] ? A[i] : X[i];
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
void ragged(int, int, const double *, const double *, double *);
void rows(int, int, int, const double *, const double *, double *);
void by_size(int, int, const double *, const double *, double *);
void by_value(int, double, const double *, const double *, double *);
void by_element(int, const double *, const double *, double *);

/* n elements before a page that nobody may touch, behind another. */
static double *array(int n, double value)
{
    size_t bytes = (size_t)n * 8, pages = (bytes + 4095) / 4096 * 4096;
    char *m = mmap(NULL, pages + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages)
        mprotect(m + 4096, pages, PROT_READ | PROT_WRITE);
    double *a = (double *)(m + 4096 + pages - bytes);
    for (int i = 0; i < n; i++)
        a[i] = value;
    return a;
}

static void is(double x, double y)
{
    if (x == y)
        return;
    printf("%g instead of %g\n", x, y);
    exit(1);
}

int main(void)
{
    for (int N = 0; N < 40; N++) {
        int M = N + 10, some = N > 0;
        double *Y = array(some * N * (N - 1) + some, 1);
        ragged(N, M, array(some * (N - 1) * M + 8 * some, 2), array(8 * some, 3), Y);
        for (int i = 0; i < N; i++)
            is(Y[i * N + N - 1 - i], 49);
        Y = array(N * N, 1);
        rows(N, 9, M + 9, array(some * (N - 1) * (M + 9) + 9 * some, 2),
             array(some * 8 * (M + 9) + N, 3), Y);
        for (int i = 0; i < N * N; i++)
            is(Y[i], 55);
        Y = array(N * M, 1);
        by_size(N, M, N > 10 ? array(N * M, 2) : NULL, array(8 * some, 3), Y);
        for (int i = 0; i < N * M; i++)
            is(Y[i], N > 10 ? 49 : 25);
        Y = array(N, 1);
        by_value(N, 0, NULL, array(N, 3), Y);
        for (int i = 0; i < N; i++)
            is(Y[i], 3);
        by_value(N, 2, array(N, 4), NULL, Y);
        for (int i = 0; i < N; i++)
            is(Y[i], 8);
        double *X = array(N, -1);
        for (int i = 0; i < N / 2; i++)
            X[i] = 5;
        by_element(N, array(N / 2, 2), X, Y);
        for (int i = 0; i < N; i++)
            is(Y[i], i < N / 2 ? 2 : -1);
    }
    return 0;
}
C
build() {
    "$CC" -std=gnu11 -O2 -Wall -Wextra -Wno-unknown-pragmas main.c new.c -o new || fail "$*: does not compile"
    ./new >out 2>err || fail "$*: reads what is not there, or computes something else"
}
expect 0 compile r.c -o new.c --target=host
build first choices
one() { # KERNEL SCRIPT
    expect 0 compile r.c -o new.c --target=host --kernel="$1" --script="$2"
    build "$@"
}
one ragged 'micro(i:2, j:4 | k)'
one rows 'tile(i:6, j:8, k:4) order(j0, k0, i0, i, j) pack(X at k0 as j4) pack(A at i0 as i2) micro(i:2, j:4 | k)'
one by_size 'tile(i:4, j:4) micro(i:2, j:4 | k)'
one by_value 'micro(i:8)'
one by_element 'micro(i:8)'
for kernel in ragged by_size; do
    expect 2 compile r.c -o none.c --kernel=$kernel \
        --script='tile(i:4, j:4) order(i0, j0, i, j) pack(A at j0) micro(i:2, j:4 | k)'
    says "C does not say how large A is"
done
expect 64 compile r.c -o none.c --target=cuda
says "r.c holds regions of ordinary C"
absent none.c
