#!/bin/sh
# Plain C loops mean what C says: loops.sq compiled by the C compiler as it is, against what squall
# makes of it.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
source=$SQUALL_SOURCE/tests/exec
mkdir stub
cat >stub/squall.h <<'H'
#include <stdint.h>
typedef double f64;
#define inout
static inline double min2(double a, double b) { return a < b ? a : b; }
static inline double max2(double a, double b) { return a > b ? a : b; }
H
sed 's/^kernel /void ref_/' "$source/loops.sq" >ref.c
"$CC" -std=gnu11 -O1 -ffp-contract=off -w -Istub -c ref.c
. "$SQUALL_SOURCE/tests/targets.sh"
"$SQUALL" compile "$source/loops.sq" --targets=generic,avx2,avx512 -o plain.c
"$CC" -std=c11 -O2 -Wall -Wextra -Werror -c plain.c
"$CC" -std=gnu11 -O1 -w "$source/loops_main.c" ref.o plain.o -lm -o loops
for isa in $(targets 'runs' | grep -x 'generic\|avx2\|avx512'); do
    SQUALL_ISA=$isa ./loops || { echo "with $isa"; exit 1; }
done

# The same with threads.
"$SQUALL" compile "$source/loops.sq" --target=c,openmp -o all.c
"$CC" -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c all.c
"$CC" -std=gnu11 -O1 -w -fopenmp "$source/loops_main.c" ref.o all.o -lm -o threads
OMP_NUM_THREADS=3 ./threads

# Sums in a scalar that other turns of the loops see, or whose place they do; elements that are given
# their first value again.
for name in kept_read kept_last kept_over kept_together started_again begun_inside; do
    "$SQUALL" compile "$source/loops.sq" --kernel=$name -o x.c -e 'distribute(S1)' 2>log &&
        { echo "accepted: distribute of $name"; exit 1; }
    grep -q 'would run whole before' log || { cat log; exit 1; }
done
