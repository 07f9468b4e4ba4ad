#!/bin/sh
# Threads under ThreadSanitizer: the samples and PolyBench with parallel loops, first choices and the
# scripts of the tables. It needs a runtime that tells the sanitizer where threads meet: clang with
# libomp and its tool archer; with gcc's libgomp every loop would look like a race.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
[ "$SQUALL_SANITIZED" = 0 ] || exit 77
cc=clang-19
archer=$(find /usr/lib/llvm-19/lib /usr/lib/*-linux-gnu -name libarcher.so 2>/dev/null | head -n 1)
if ! command -v $cc >/dev/null || [ -z "$archer" ]; then
    echo "skipped: no clang-19 with libomp and archer (Debian: libomp-19-dev)"
    exit 77
fi
flags="-O1 -g1 -mavx2 -mfma -fopenmp -fsanitize=thread"
OMP_TOOL_LIBRARIES=$archer
TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1"
OMP_NUM_THREADS=3
export OMP_TOOL_LIBRARIES TSAN_OPTIONS OMP_NUM_THREADS

# A race is seen, and a loop without one is not taken for one.
cat >loop.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    double *a = malloc(1000 * sizeof *a), sum = 0;
    for (int turn = 0; a && turn < 20; turn++) {
        #pragma omp parallel for
        for (int i = 0; i < 1000; i++) {
            a[i] = i;
            if (argc > 1)
                sum += a[i];
        }
        for (int i = 0; i < 1000; i++)
            sum += a[i];
    }
    printf("%s %g\n", argv[0], sum);
    free(a);
    return 0;
}
C
# shellcheck disable=SC2086 # a list of flags
$cc -O1 -g -fopenmp -fsanitize=thread loop.c -o loop
./loop >clean.log 2>&1 || { echo "a loop without a race is called one:"; cat clean.log; exit 1; }
if ./loop race >race.log 2>&1; then
    echo "a race is not seen"
    exit 1
fi

for what in "--polybench" "--only=samples/"; do
    rc=0
    "$SQUALL_BUILD/exec" $what --seed=2026 --random=0 --half --openmp --target=avx2 --cc=$cc \
        "--cflags=$flags" || rc=$?
    [ $rc = 0 ] || exit $rc
done
