#!/bin/sh
# Functions of our own: stated errors, special values, vectors and single values with the same bits.
# SQUALL_MATH_STRIDE=1 goes through all values of f32: half an hour.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
source=$SQUALL_SOURCE/tests/exec
stride=${SQUALL_MATH_STRIDE:-1009}
targets="c avx2 host"

# schedules CLASS SCRIPT: a file in which that is the script of every function.
functions=$(sed -n 's/^KERNEL(\(.*\))$/\1/p' "$source/math.sq")
schedules() {
    printf 'squall-sched 1\nclass %s\n' "$1"
    for name in $functions; do
        printf '\nhash %032d source %032d\nkernel do_%s at * {\n%s\n}\n' 0 0 "$name" "$2"
    done
}

# type class count [fast]: with the last one, what `fp fast` excludes may be anything. All functions are one file of
# vectors and one of single values: a file for each takes three times as long.
try() {
    suffix='name##f' define= kernels=$source/math.sq
    [ "$1" = f32 ] || { suffix=name; define=-DF64; }
    if [ $# = 4 ]; then
        kernels=fast.sq define="$define -DFAST"
        sed 's/^KERNEL(.*/#pragma squall fp fast\n&/' "$source/math.sq" >fast.sq
    fi
    schedules "$2" 'micro(i:32)' >vectors.sched
    schedules "$2" '' >single.sched
    for file in vectors single; do
        prefix=
        [ $file = vectors ] || prefix=--prefix=one_
        "$SQUALL" compile "$kernels" -DT="$1" "-DF(name)=$suffix" --target="$2" --schedule=$file.sched $prefix \
            -o $file.c 2>log || { cat log; exit 1; }
        "$CC" -std=c11 -O2 -Wall -Wextra -Werror -c $file.c
    done
    [ "$(grep -c '_points_i32(X' vectors.c)" = "$(echo "$functions" | wc -l)" ] || { echo "not all are vectors"; exit 1; }
    ! grep -q '_points_' single.c || { echo "vectors among single values"; exit 1; }
    # shellcheck disable=SC2086
    "$CC" -std=c11 -O2 -Wall -Wextra $define "$source/math_main.c" vectors.o single.o -lm -o math
    echo "$1, $2${4+, fast}:"
    ./math "$3"
}

# class TARGET: the host's own name, and that of plain C.
class() {
    "$SQUALL" compile "$SQUALL_SOURCE/samples/gemm.sq" --target="$1" -o - | sed -n 's/.*--target=\([a-z0-9]*\).*/\1/p'
}
tried=
for target in $targets; do
    case $target in avx2) grep -qw avx2 /proc/cpuinfo || { echo "avx2 does not run here"; continue; } ;; esac
    class=$(class "$target")
    case " $tried " in *" $class "*) continue ;; esac # the host is one of the others
    tried="$tried $class"
    try f32 "$class" "$stride"
    try f64 "$class" 400000
    try f32 "$class" "$stride" fast
    try f64 "$class" 100000 fast
done
