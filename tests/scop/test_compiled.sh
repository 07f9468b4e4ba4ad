#!/bin/sh
# Compiled: C files as benchmark suites have them are accepted whole, for every shape that arrays
# have in them; the new file builds without a warning, runs its tuned code, and prints what the old
# one does: every bit of it under `fp strict`, else what rounding allows.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
here=$SQUALL_SOURCE/tests/scop
OMP_NUM_THREADS=2
export OMP_NUM_THREADS

runs() { grep -q "^flags.* $1" /proc/cpuinfo 2>/dev/null; }
target=c
wide=c
runs avx2 && target=avx2 wide=avx2,openmp
runs avx512f && wide=avx512,openmp

# build FILE.c PROGRAM flags...
build() {
    file=$1 program=$2
    shift 2
    "$CC" -std=gnu17 -Og -Wall -Wextra -Werror -Wno-unknown-pragmas -Wno-stringop-overflow -Wno-maybe-uninitialized \
        -I"$here" "$@" "$file" -o "$program" -lm || fail "$file does not compile with $*"
}

# Numbers that differ by more than rounding, of two files of the same words.
cat >near.awk <<'A'
function far(a, b) {
    size = a < 0 ? -a : a
    return !((a > b ? a - b : b - a) <= 1e-10 * (size > 1 ? size : 1))
}
{
    if ((getline line < old) <= 0 || split(line, was, " ") != NF) { print "another shape"; exit 1 }
    for (i = 1; i <= NF; i++)
        if ($i != was[i] && (i == 1 || far($i + 0, was[i] + 0))) {
            print FNR ": " was[1] " " was[i] " became " $i; exit 1
        }
}
A

# try STEM TARGET EXACT defines...: compiles, builds, runs and compares; EXACT says strict or near.
try() {
    stem=$1 to=$2 exact=$3
    shift 3
    cp "$here/$stem.c" old.c
    [ "$exact" = near ] || sed 's/^#pragma scop$/#pragma squall fp strict\
#pragma scop/' "$here/$stem.c" >old.c
    expect 0 compile old.c -I "$here" "$@" --target="$to" -o new.c
    ! grep -v 'no first choice of the model is legal\|it is right and may be slow\|pragma scop\|\^' err || fail "$stem $*"
    counted new.c >counted.c
    build old.c old "$@"
    build counted.c new -fopenmp -include count.h "$@"
    ./old >old.txt || fail "$stem does not run"
    ./new >new.txt 2>tuned.txt || fail "$stem for $to with $* does not run"
    regions=$(grep -c '^#pragma scop' old.c)
    [ "$(cat tuned.txt)" -ge "$((2 * regions))" ] ||
        fail "$stem for $to with $*: $(cat tuned.txt) tuned calls of $regions regions"
    [ "$exact" = near ] || cmp -s old.txt new.txt || fail "$stem for $to with $*: other bits"
    awk -v old=old.txt -f near.awk new.txt || fail "$stem for $to with $*: other numbers"
}

cat >count.h <<'C'
#include <stdio.h>
static int tuned;
__attribute__((destructor)) static void say(void) { fprintf(stderr, "%d", tuned); }
C

for stem in blas products solvers data stencils; do
    try $stem c near -DSHAPE=VARIABLE
    try $stem $target strict -DSHAPE=FILE_SCOPE
    try $stem "$wide" near -DSHAPE=CONSTANT
done
for stem in bounds strides windows; do
    try $stem "$wide" near
done
for stem in temporaries lanes pixels; do
    try $stem "$wide" near
    try $stem c near
    try $stem $target strict -DROUGH
done
try bounds $target strict
try strides c strict
try windows $target strict

# As large as such files come, in float: accepted.
for stem in blas products solvers data stencils bounds; do
    for to in c avx512,openmp; do
        sed 's/^\(#define [NMKT]\) /\1 20/' "$here/$stem.c" >large.c
        expect 0 compile large.c -I "$here" -DSINGLE --target=$to -o large_new.c
    done
done
