#!/bin/sh
# Programs that call kernels from threads with small stacks, 16 threads at once, children of a fork,
# signal handlers and a library that is loaded 1,000 times, or without memory (host.c): by gcc and
# clang, with static objects and shared ones, under ThreadSanitizer, and with musl. With OpenMP, a
# gemm in a workspace between guards, with small panels and with 4 MiB of them for each thread
# (openmp.c).
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
kernels="gemm conv2d attention"
here=$SQUALL_SOURCE/tests/host
sources=
for name in $kernels; do
    "$SQUALL" compile "$SQUALL_SOURCE/samples/$name.sq" --target=generic \
        -o "$name.c" --header="$name.h"
    sources="$sources $name.c"
done

# run PROGRAM SCENARIO...: each says that it is right.
run() {
    program=$1
    shift
    for scenario; do
        # shellcheck disable=SC2086 # a scenario and what it takes
        timeout 120 "./$program" $scenario >log 2>&1 || { cat log; echo "$program $scenario"; exit 1; }
        grep -q ': right$' log
        case $scenario in
            no-memory) grep -q '^gemm: ' log || { echo "gemm aborts silently"; exit 1; } ;;
        esac
    done
}

flags="-std=c11 -O1 -I."
all="small-stacks at-once fork signals no-memory"
for cc in gcc clang-19; do
    # shellcheck disable=SC2086 # lists of words
    {
        $cc $flags -Wall -Wextra "$here/host.c" $sources -lm -lpthread -ldl -o "static-$cc"
        $cc $flags -shared -fPIC $sources -lm -o "lib-$cc.so"
        $cc $flags "$here/host.c" "./lib-$cc.so" -lm -lpthread -ldl -o "shared-$cc"
        $cc $flags -shared -fPIC gemm.c -lm -o "gemm-$cc.so"
        run "static-$cc" $all "loads ./gemm-$cc.so"
        run "shared-$cc" $all
    }
done

# shellcheck disable=SC2086
clang-19 $flags -g -fsanitize=thread "$here/host.c" $sources -lm -ldl -o sanitized
TSAN_OPTIONS=halt_on_error=1 run sanitized at-once small-stacks

command -v musl-gcc >/dev/null || { echo "no musl-gcc (Debian: musl-tools)"; exit 1; }
# shellcheck disable=SC2086
musl-gcc -static $flags "$here/host.c" $sources -lm -o musl
run musl $all

wide='tile(i:48, j:512, k:2048) order(j0, k0, i0, j, i) pack(B at k0 as j8) micro(i:6, j:8 | k)
      vectorize(j:4) parallel(j0)'
mkdir openmp
for script in '' "$wide"; do
    "$SQUALL" compile "$SQUALL_SOURCE/samples/gemm.sq" --target=generic,openmp ${script:+-e "$script"} \
        -o openmp/gemm.c --header=openmp/gemm.h
    grep -q 'more for each thread' openmp/gemm.h || { echo "no panels of threads"; exit 1; }
    if grep -q 'handlers may' openmp/gemm.h; then
        echo "a handler may start threads"
        exit 1
    fi
    gcc -std=c11 -O1 -fopenmp -Wall -Wextra -Iopenmp "$here/openmp.c" openmp/gemm.c \
        -Wl,--wrap=calloc -lm -o with-openmp
    for threads in 1 4; do
        OMP_NUM_THREADS=$threads OMP_DYNAMIC=false run with-openmp openmp
    done
done
grep -q 'handlers may' gemm.h || { echo "gemm.h says nothing of handlers"; exit 1; }
