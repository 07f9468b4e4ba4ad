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

# type target count [fast]: with the last one, what `fp fast` excludes may be anything
try() {
    objects=
    suffix='name##f' define= kernels=$source/math.sq
    [ "$1" = f32 ] || { suffix=name; define=-DF64; }
    if [ $# = 4 ]; then
        kernels=fast.sq define="$define -DFAST"
        sed 's/^KERNEL(.*/#pragma squall fp fast\n&/' "$source/math.sq" >fast.sq
    fi
    for name in exp exp2 log log2 tanh sigmoid erf floor ceil fabs sqrt rsqrt; do
        "$SQUALL" compile "$kernels" --kernel=do_$name -DT="$1" "-DF(name)=$suffix" \
            --target="$2" -e 'micro(i:32)' -o $name.c
        "$SQUALL" compile "$kernels" --kernel=do_$name -DT="$1" "-DF(name)=$suffix" \
            --target="$2" -e '' -o one_$name.c
        "$CC" -std=c11 -O2 -Wall -Wextra -Werror -c $name.c
        "$CC" -std=c11 -O2 -Wall -Wextra -Werror -Ddo_$name=one_$name \
            -Ddo_${name}_in=one_${name}_in -Ddo_${name}_workspace=one_${name}_workspace -c one_$name.c
        objects="$objects $name.o one_$name.o"
    done
    # shellcheck disable=SC2086
    "$CC" -std=c11 -O2 -Wall -Wextra $define "$source/math_main.c" $objects -lm -o math
    echo "$1, $2${4+, fast}:"
    ./math "$3"
}

for target in $targets; do
    case $target in avx2) grep -qw avx2 /proc/cpuinfo || { echo "avx2 does not run here"; continue; } ;; esac
    try f32 "$target" "$stride"
    try f64 "$target" 400000
    try f32 "$target" "$stride" fast
    try f64 "$target" 100000 fast
done
