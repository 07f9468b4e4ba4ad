#!/bin/sh
# bench/polybench on a suite of our own in PolyBench's form: a row a program with each rival's ratio, a program that
# squall refuses, one that prints other numbers after it, one of whose numbers only rounding decides.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
mkdir -p suite/utilities suite/blas/scale suite/blas/first suite/blas/other suite/blas/loose
cat >suite/utilities/polybench.h <<'C'
#include <stdio.h>
extern double started, clock_now(void);
#ifdef MINI_DATASET
#define N 1000
#else
#define N 500000
#endif
static double x[N], y[N];
C
cat >suite/utilities/polybench.c <<'C'
#include <time.h>
double started;
double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
C
program() { # NAME REGION NUMBER
    echo "./blas/$1/$1.c" >>suite/utilities/benchmark_list
    cat >"suite/blas/$1/$1.c" <<C
#include <polybench.h>
static int find(const double *v, int n) { return v[n - 1] > 0; }
int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = i % 7 + 0.25;
    started = clock_now();
#pragma scop
    $2
#pragma endscop
#ifdef POLYBENCH_TIME
    printf("%0.6f\n", clock_now() - started);
#endif
#ifdef POLYBENCH_DUMP_ARRAYS
    for (int i = 0; i < N; i += 97)
        fprintf(stderr, "%0.2f ", y[i]);
    fprintf(stderr, "\nat %d of %d\n", $3, find(x, N));
#endif
    return 0;
}
C
}
scale='for (int i = 0; i < N; i++) y[i] = 2 * x[i] + y[i];'
program scale "$scale" 1
program first 'for (int i = 0; i < N; i++) { y[i] = x[i]; puts("x"); }' 1
program other "$scale" '
#ifdef __AVX2__
        1
#else
        200
#endif
        '
program loose "$scale" '
#ifdef __FAST_MATH__
        100
#elif defined(__AVX2__)
        200
#else
        300
#endif
        '
grep -q avx2 /proc/cpuinfo || { echo "skipped: the programs tell ours by AVX2"; exit 77; }
bench() { SQUALL="$SQUALL" "$SQUALL_SOURCE/bench/polybench" suite "$@" 2>err; }

! bench --rounds=1 >all || fail "a wrong program and a refused one are no success"
grep -Eq '^LARGE +ours ms +gcc-O3 +gcc-fast ' all || fail "no columns: $(cat all)"
grep -Eq '^scale +[0-9.]+ +[0-9.]+ +[0-9.]+ .*[0-9]$' all || fail "no ratios: $(cat all)"
grep -q '^first .*puts' all || fail "the refused one is not said to be: $(cat all)"
grep -q '^other .*, computes wrongly$' all || fail "other numbers were taken for the same: $(cat all)"
grep -q '^loose .*, not compared: the rivals differ$' all || fail "rounding was taken for an error: $(cat all)"
grep -q '^4 programs, 2 refused or wrong$' all || fail "miscounted: $(cat all)"

bench --rounds=1 --only=scale --markdown >one || fail "the right one alone failed: $(cat one err)"
grep -q '^| scale | [0-9.]* | ' one || fail "no row of markdown: $(cat one)"

# Both sides are compiled for one dataset: else the sizes would differ.
bench --rounds=1 --only=scale --size=MINI >mini || [ $? = 3 ] || fail "no small one: $(cat mini err)" # too short to be timed
grep -q '^scale' mini && ! grep -q wrong mini || fail "sizes of two datasets were mixed: $(cat mini)"

! bench --only=none >/dev/null || fail "nothing was measured, and it said nothing"
says "no program of suite/utilities/benchmark_list is meant by none"
! SQUALL="$SQUALL" "$SQUALL_SOURCE/bench/polybench" . 2>err || fail "any folder is a suite"
says "holds no PolyBench/C"
