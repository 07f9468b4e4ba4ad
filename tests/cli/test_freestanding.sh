#!/bin/sh
# squall compile --freestanding: text that includes nothing of a hosted C library and calls nothing of it but what every
# compiler wants, that computes the same; and what it cannot be, which is refused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

# free_of FILE: compiled for a machine without a system, it leaves nothing to be found but this.
free_of() {
    "$CC" -std=c11 -O2 -ffreestanding -Wall -Wextra -Wpedantic -Werror -c "$1.c" -o "$1.o" || fail "$1.c: not compiled"
    grep '#include <' "$1.c" | grep -vE '<std(int|def)\.h>$' && fail "$1.c includes more"
    nm -u "$1.o" | awk '{ print $2 }' | grep -vxE 'memcpy|memset|sqrtf?|_GLOBAL_OFFSET_TABLE_' && fail "$1.o calls more"
    return 0
}
sample() { # NAME TARGET
    cp "$SQUALL_SOURCE/samples/$1.sq" sample.sq
    expect 0 compile sample.sq --freestanding --target="$2" -o f.c --header=f.h
    silent
    free_of f
    echo '#include "f.h"' >use.cc
    g++ -std=c++17 -ffreestanding -Wall -Wextra -Wpedantic -Werror -c use.cc || fail "$1: its header in C++"
}
for name in gemm softmax layernorm hgemm polybench/cholesky polybench/gramschmidt; do
    sample $name generic
done
for name in softmax conv2d gemm_s8 row_argmax; do
    sample $name avx2
done

# A kernel that takes no memory keeps its function; of one that does only K_in is left, which computes the same as in a
# file for a hosted system, with sizes that break an assumption, too.
cat >both.sq <<'K'
#include "squall.h"
kernel twice(int N, const f32 A[N], f32 B[N]) { idx i; B[i] = 2 * A[i]; }
kernel norm(int M, int N, const f32 X[M][N], f32 Y[M][N])
{
    idx i, j;
    assume(N % 4 == 0);
    f32 most[M], total[M], e[M][N];
    most[i] = rmax(X[i][j], j);
    e[i][j] = expf(X[i][j] - most[i]);
    total[i] = sum(e[i][j], j);
    Y[i][j] = e[i][j] / total[i];
}
K
expect 0 compile both.sq --target=generic -o hosted.c --header=hosted.h
expect 0 compile both.sq --target=generic --freestanding --prefix=f_ -o free.c --header=free.h
grep -q '^void f_twice(' free.h || fail "f_twice takes no memory, and is not there"
grep -q 'f_norm(' free.h free.c && fail "f_norm would take memory"
grep -q 'There is no f_norm' free.h || fail "that is not said"
head -2 free.c | grep -q -- '--freestanding' || fail "the command is not the one that was given"
free_of free
cat >main.c <<'C'
#include "free.h"
#include "hosted.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    static float x[33 * 40], y[33 * 40], z[33 * 40];
    int failed = 0;
    for (int i = 0; i < 33 * 40; i++)
        x[i] = (float)(i * 37 % 101) / 50 - 1;
    for (int n = 1; n <= 40; n++) {
        char *memory = malloc(f_norm_workspace(33, n) + 1);
        memset(y, 0, sizeof y);
        memset(z, 0, sizeof z);
        norm(33, n, x, y);
        failed |= f_norm_in(33, n, x, z, memory + 1) != 0 || memcmp(y, z, sizeof y) != 0;
        free(memory);
    }
    failed |= f_norm_in(33, 8, x, z, NULL) != 1;
    twice(33, x, y);
    f_twice(33, x, z);
    printf("%s\n", failed || memcmp(y, z, 33 * sizeof *y) ? "wrong" : "right");
    return 0;
}
C
"$CC" -std=c11 -O2 -Wall -Wextra -Werror main.c hosted.c free.o -lm -o main
[ "$(./main)" = right ] || fail "a freestanding function computes something else"

# One file for a program of one's own, and what is changed is seen.
expect 0 compile both.sq --target=generic --freestanding --static --single-header=own.h
printf '#include "own.h"\nint use(float *a, void *m);\nint use(float *a, void *m) { return norm_in(1, 1, a, a + 1, m); }\n' >own.c
free_of own
expect 0 compile both.sq --target=generic --freestanding --prefix=f_ -o free.c --header=free.h --check
expect 1 compile both.sq --target=generic --prefix=f_ -o free.c --header=free.h --check

# Refused.
cat >sine.sq <<'K'
#include "squall.h"
kernel sine(int N, const f32 A[N], f32 B[N]) { idx i; B[i] = sinf(A[i]); }
K
expect 64 compile sine.sq --freestanding -o sine.c
says "kernel 'sine' calls 'sinf' of the C library, which --freestanding leaves out"
[ "$(grep -c 'error:\|warning:' err)" = 1 ] || fail "one sentence is enough"
absent sine.c
for target in --target=avx2,openmp --targets=generic,avx2 --target=cuda; do
    expect 64 compile both.sq --freestanding $target -o no.c
    says "error: --freestanding: "
done
expect 64 compile "$SQUALL_SOURCE/samples/scop/mix.c" --freestanding -o no.c
says "--freestanding is for kernels"
expect 64 compile both.sq --freestanding -o no.c --bindings=no.hpp
says "with --freestanding functions that need memory are left out"
absent no.c
