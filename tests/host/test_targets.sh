#!/bin/sh
# One file for several targets (`compile --targets`) in programs (targets.c): each target by
# SQUALL_ISA, 16 threads that call first at the same time, a call before main, a library with hidden
# symbols that is loaded 200 times, functions under their own names; gcc and clang without flags for
# an instruction set, static and shared, musl, ThreadSanitizer. On processors without AVX-512 and
# without AVX2 under qemu-user, on another architecture, and in the object: no function but a
# target's own has an instruction of it.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
unset SQUALL_ISA SQUALL_TARGET SQUALL_TARGETS 2>/dev/null || true
here=$SQUALL_SOURCE/tests/host

fail() {
    echo "FAILED: $*"
    [ ! -s log ] || cat log
    exit 1
}
[ "$(uname -m)" = x86_64 ] || { echo "not an x86-64 machine"; exit 77; }
for tool in gcc clang-19 musl-gcc qemu-x86_64 qemu-aarch64 aarch64-linux-gnu-gcc objdump; do
    command -v $tool >/dev/null || fail "$tool is missing: run scripts/deps"
done
. "$SQUALL_SOURCE/tests/targets.sh"
here_runs=$(targets 'arch == "" && runs && cross == ""' | grep -x 'generic\|avx2\|avx512') # cli.dot has the others
best=generic
for isa in avx2 avx512; do
    case " $(echo $here_runs) " in *" $isa "*) best=$isa ;; esac
done

cat >kernels.sq <<'K'
#include "squall.h"
kernel mul(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M][N])
{
    idx i, j, k;
    C[i][j] = sum(A[i][k] * B[k][j], k);
}
kernel norm(int64_t M, int64_t N, const f32 X[M][N], f32 Y[M][N])
{
    idx i, j;
    assume(N >= 1);
    f32 mean[M];
    mean[i] = sum(X[i][j] * X[i][j], j) / N;
    Y[i][j] = X[i][j] / sqrt(mean[i] + 1e-5);
}
K

# The order of the list does not matter.
"$SQUALL" compile kernels.sq --targets=avx2,neon,generic,avx512 -o kernels.c --header=kernels.h
cp kernels.c first.c
"$SQUALL" compile kernels.sq --targets=generic,avx512,avx2,neon -o kernels.c --header=kernels.h
sed -n '/==== Target/p' kernels.c | tr -s ' \n' ' ' | grep -q 'avx512.*avx2.*generic' || fail "order of the sections"
grep -v '^ \*' first.c >first.text
grep -v '^ \*' kernels.c | cmp -s - first.text || fail "the order of the list counts"
mkdir named openmp
"$SQUALL" compile kernels.sq --targets=generic,avx2,avx512 --target-names -o named/kernels.c --header=named/kernels.h
"$SQUALL" compile kernels.sq --targets=generic,avx2,avx512,openmp -o openmp/kernels.c --header=openmp/kernels.h

# run WORDS...: the program says that it is right.
run() {
    "$@" >log 2>&1 || fail "$*"
    grep -q ': right$' log || fail "$* says nothing"
}

# each PROGRAM: every target that the processor has, and what it takes by itself.
each() {
    for isa in $here_runs; do
        SQUALL_ISA=$isa run "$1" isa $isa
        SQUALL_ISA=$isa run "$1" at-once $isa
        [ "$(wc -l <log)" = 1 ] || fail "messages of $1"
    done
    run "$1" isa $best
    run "$1" at-once $best
    EARLY=1 run "$1" early $best
    EARLY=1 SQUALL_ISA=generic run "$1" early generic
}

# hidden.c: what a library with kernels inside looks like.
cat >hidden.c <<'C'
#include "kernels.h"
static const char *used;
__attribute__((constructor)) static void begin(void)
{
    float x[] = {1, 2}, y[] = {3, 4}, z = 0;
    mul(1, 1, 2, x, y, &z);
    used = z == 11 ? mul_isa() : "nothing, for its product is wrong";
}
__attribute__((visibility("default"))) const char *library_uses(void) { return used; }
C

flags="-std=gnu11 -O2 -I. -Wall -Wextra -Wpedantic -Werror"
for cc in gcc clang-19; do
    # shellcheck disable=SC2086 # lists of words
    {
        $cc $flags -c kernels.c -o kernels-$cc.o
        $cc $flags -c "$here/targets.c" -o targets.o
        $cc targets.o kernels-$cc.o -lm -lpthread -ldl -o with-$cc
        $cc -static targets.o kernels-$cc.o -lm -lpthread -o static-$cc 2>static.log
        $cc $flags -fPIC -shared kernels.c -lm -o lib-$cc.so
        $cc targets.o ./lib-$cc.so -lm -lpthread -ldl -o shared-$cc
        $cc $flags -fPIC -shared -fvisibility=hidden hidden.c kernels.c -lm -o hidden-$cc.so
        $cc $flags -Inamed -DNAMED -iquote named "$here/targets.c" named/kernels.c -lm -lpthread -ldl -o named-$cc
    }
    each ./with-$cc
    each ./static-$cc
    each ./shared-$cc
    run ./with-$cc loads $best ./hidden-$cc.so
    SQUALL_ISA=generic run ./with-$cc loads generic ./hidden-$cc.so
    run ./named-$cc named
done

# What SQUALL_ISA cannot do is said.
SQUALL_ISA=avx3 run ./with-gcc isa $best
grep -q 'SQUALL_ISA=avx3 is not used: it is none of avx512 avx2 generic' log || fail "no word of avx3"
SQUALL_ISA='' run ./with-gcc isa $best
[ "$(wc -l <log)" = 1 ] || fail "a message about an empty SQUALL_ISA"

# Other processors: the common functions run where the others would be illegal instructions.
for cc in gcc clang-19; do
    run qemu-x86_64 -cpu Haswell ./static-$cc isa avx2
    run qemu-x86_64 -cpu Nehalem ./static-$cc isa generic
done
SQUALL_ISA=avx512 run qemu-x86_64 -E SQUALL_ISA=avx512 -cpu Haswell ./static-gcc isa avx2
grep -q 'this processor lacks avx512 of SQUALL_ISA: avx2 is used' log || fail "no word of avx512"
# shellcheck disable=SC2086
aarch64-linux-gnu-gcc $flags -static "$here/targets.c" kernels.c -lm -lpthread -o arm 2>static.log
run qemu-aarch64 ./arm isa neon
run qemu-aarch64 -E SQUALL_ISA=generic ./arm isa generic

# Other libraries, and tools.
# shellcheck disable=SC2086
musl-gcc -static $flags "$here/targets.c" kernels.c -lm -o musl
each ./musl
# shellcheck disable=SC2086
clang-19 $flags -O1 -g -fsanitize=thread "$here/targets.c" kernels.c -lm -ldl -o sanitized
for isa in $here_runs; do
    TSAN_OPTIONS=halt_on_error=1 SQUALL_ISA=$isa run ./sanitized at-once $isa
done
# shellcheck disable=SC2086
gcc $flags -iquote openmp -fopenmp "$here/targets.c" openmp/kernels.c -lm -lpthread -ldl -o with-openmp
each ./with-openmp
# shellcheck disable=SC2086
if clang-19 $flags -fopenmp -c openmp/kernels.c -o refused.o 2>log; then
    fail "clang took parallel loops whose instruction set it would drop"
fi
grep -q 'compile with gcc, or without openmp' log || fail "clang's message"

# A program with more rights than its user has does not listen.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 711 .
    cp static-gcc with-rights
    chmod 4711 with-rights
    SQUALL_ISA=generic setpriv --reuid=65534 --clear-groups ./static-gcc isa generic >log 2>&1 || fail "without rights"
    if setpriv --reuid=65534 --clear-groups ./with-rights isa $best >/dev/null 2>&1 &&
        ! findmnt -no OPTIONS -T . | grep -q nosuid; then
        SQUALL_ISA=generic setpriv --reuid=65534 --clear-groups ./with-rights isa $best >log 2>&1 ||
            fail "a program with another's rights takes SQUALL_ISA"
    fi
fi

# objdump of an object: names of functions that have instructions of a kind.
having() { # OBJECT PATTERN
    objdump -d --no-show-raw-insn "$1" |
        awk -v pattern="$2" '/^[0-9a-f]+ <.*>:$/ { name = $2 } $0 ~ pattern { print name }' | sort -u
}
evex='%zmm|%[xy]mm(1[6-9]|2[0-9]|3[01])|%k[0-7]'
vex='^ *[0-9a-f]+:[ \t]+v[a-z]'
for options in "gcc -O2" "gcc -O3 -fPIC" "gcc -O2 -fopenmp" "clang-19 -O2" "clang-19 -O3 -fPIC"; do
    source=kernels.c
    case $options in *openmp) source=openmp/kernels.c ;; esac
    # shellcheck disable=SC2086
    $options -I. -c $source -o seen.o
    having seen.o "$evex" >wide
    having seen.o "$vex" >vector
    grep -q '_avx512' wide || fail "$options: no AVX-512 at all"
    grep -q '_avx2' vector || fail "$options: no AVX2 at all"
    ! grep -v '_avx512' wide || fail "$options: AVX-512 in these functions"
    ! grep -vE '_avx512|_avx2' vector || fail "$options: AVX in these functions"
    # K_avx2 itself, its workspace and what it drops at the end run before anybody asked the processor.
    ! grep -E '_(avx2|avx512)(_in|_workspace|_accepts|_take|_give|_drop)?>' vector ||
        fail "$options: instructions of a target in what is not its nest"
done
