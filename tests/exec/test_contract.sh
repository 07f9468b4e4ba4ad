#!/bin/sh
# Sizes at the edge of what a kernel accepts, memory of its temporaries, and what strict text is
# compiled to.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
source=$SQUALL_SOURCE/tests/exec
objects=
. "$SQUALL_SOURCE/tests/targets.sh"
for name in $(sed -n 's/^kernel \([a-z_0-9]*\).*/\1/p' "$source/contract.sq"); do
    "$SQUALL" compile "$source/contract.sq" --kernel="$name" --targets=generic,avx2,avx512 -o "$name.c" \
        --header="$name.h"
    "$CC" -std=c11 -O1 -fsanitize=undefined -fno-sanitize-recover=undefined -Wall -Wextra -Werror \
        -c "$name.c"
    objects="$objects $name.o"
done
# what is right without the promise refuses nothing but negative sizes
! grep -q accepts promised.h both.h product.h
# shellcheck disable=SC2086
"$CC" -std=c11 -O1 -Wall -Wextra -fsanitize=undefined -I. "$source/contract_main.c" $objects -lm \
    -o contract
for isa in $(targets 'runs' | grep -x 'generic\|avx2\|avx512'); do
    SQUALL_ISA=$isa ./contract || { echo "with $isa"; exit 1; }
done

# Not contracted under flags that ask for it, and refused under those that cannot be taken back.
strict() {
    "$SQUALL" compile "$source/strict.sq" --kernel="$1" --target=avx2 -o strict.c
    for cc in "$CC" clang-19; do
        command -v "$cc" >/dev/null || continue
        "$cc" -O3 -mfma $2 -S strict.c -o strict.s
        if grep -q 'vfn*m[as][du][db]' strict.s; then
            echo "$cc contracts $1"
            exit 1
        fi
        if "$cc" -O3 -ffast-math -S strict.c -o /dev/null 2>log; then
            echo "$cc takes -ffast-math for $1"
            exit 1
        fi
        grep -q 'fp strict: compile without -ffast-math' log
    done
}
for name in product blur updates; do
    strict "$name" "-std=gnu11"
done
"$SQUALL" compile "$source/contract.sq" --kernel=product --target=avx2 -o loose.c
"$CC" -O3 -S loose.c -o loose.s
grep -q vfmadd loose.s # or the test above says nothing

# Schedules that change the order of a sum are refused, whatever else is legal.
refused() {
    if "$SQUALL" compile "$source/strict.sq" --kernel="$1" -e "$2" -o refused.c 2>log; then
        echo "$1 takes $2"
        exit 1
    fi
    grep -q 'fp strict keeps the order' log
}
refused plain_product 'micro(i:2, j:2 | k) vectorize(k:4)'
refused plain_product 'micro(j:8 | k) unroll(k:4) split(k:2)'
refused plain_product 'tile(k:8) order(k0, i, j) epilogue(first) micro(j:8 | k)'
refused taps 'order(s, c, r, f, y, x)'
refused extremes 'micro(i:2 | j) vectorize(j:8)'
"$SQUALL" compile "$source/strict.sq" --kernel=weighted -e 'S1: order(k, j)' -o free.c # integers

# Fast divides by one value once, in front of the loop over the row, and only fast does.
divisions() {
    sed "s/^#pragma squall fp fast/#pragma squall fp $1/" "$source/odd.sq" >normalised.sq
    "$SQUALL" compile normalised.sq --kernel=normalised --target=avx2 -e 'S0: micro(i:2, j:16)' \
        -o normalised.c 2>/dev/null
    sed -n '/for (int v = 0/,/}/p' normalised.c | grep -c 'X0 / ' || true
}
[ "$(divisions fast)" = 0 ]
[ "$(divisions reassoc)" -gt 0 ]

# The number of threads changes no bit.
"$SQUALL" compile "$source/contract.sq" --kernel=product --target=generic,openmp \
    -e 'tile(k:8) order(k0, i, j) micro(i:3, j:8 | k) parallel(i)' -o threads.c
# a region that has less work than threads take to start runs on one
product='2.0 * (double)M * (double)N * (double)product_min(8, K)'
grep -Fq "parallel for schedule(static) if ($product >= 250000)" threads.c
cat >threads_main.c <<'END'
#include <stdio.h>
void product(int M, int N, int K, const float *A, const float *B, float *C);
int main(void)
{
    static float A[131 * 53], B[53 * 127], C[131 * 127];
    for (int i = 0; i < 131 * 53; i++)
        A[i] = (float)(i * 31 % 97) / 7;
    for (int i = 0; i < 53 * 127; i++)
        B[i] = (float)(i * 17 % 89) / 11;
    product(131, 127, 53, A, B, C);
    return fwrite(C, sizeof C, 1, stdout) != 1;
}
END
"$CC" -O2 -fopenmp threads.c threads_main.c -o threads
for n in 1 2 3 7; do
    OMP_NUM_THREADS=$n ./threads >threads.$n
    cmp threads.1 threads.$n
done
# so do loops that groups share, by the work of all groups together
shared() {
    "$SQUALL" compile "$SQUALL_SOURCE/samples/$1.sq" --target="$2,openmp" -o "$1.c"
    grep -Fxq "#pragma omp parallel for schedule(static) if ($3)" "$1.c"
}
shared softmax avx2 '50.0 * (double)M * (double)N >= 1000000'
shared layernorm avx512 '88.0 * (double)M * (double)N >= 2200000'
attention='2.0 * Q * H * L * L * D + 20.0 * Q * H * L * L + 2.0 * Q * H * L * D * L'
attention=$(echo "$attention" | sed 's/[A-Z]/(double)&/g; s|Q|((L + 127) / 128)|g')
shared attention generic "$attention >= 250000"
# where a sum is empty, another nest runs in its place: it adds nothing
shared softmax generic '25.0 * (double)M * (double)N >= 250000'
cat >shared_main.c <<'END'
#include <math.h>
#include <stdio.h>
void softmax(int M, int N, const float *X, float *Y);
int main(void)
{
    static float X[41 * 251], Y[41 * 251];
    const int size[][2] = {{9, 31}, {39, 250}, {41, 250}, {41, 251}}; /* both sides of 10000 */
    for (int i = 0; i < 41 * 251; i++)
        X[i] = (float)(i * 31 % 97) / 7;
    for (int s = 0; s < 4; s++) {
        int m = size[s][0], n = size[s][1];
        softmax(m, n, X, Y);
        for (int i = 0; i < m; i++) {
            double total = 0;
            for (int j = 0; j < n; j++)
                total += exp(X[i * n + j]);
            for (int j = 0; j < n; j++)
                if (fabs(Y[i * n + j] * total / exp(X[i * n + j]) - 1) > 1e-4)
                    return 1;
        }
        if (fwrite(Y, sizeof(float) * (size_t)m, (size_t)n, stdout) != (size_t)n)
            return 2;
    }
    return 0;
}
END
"$CC" -O2 -fopenmp softmax.c shared_main.c -lm -o shared
for n in 1 2 3 7; do
    OMP_NUM_THREADS=$n ./shared >shared.$n
    cmp shared.1 shared.$n
done
