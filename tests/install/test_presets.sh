#!/bin/sh
# Presets of CMake: those of Squall's own build, and those of samples/presets against the installed tree, are what the
# documents name; each is configured, and the sample's are built and run as far as this machine can.
set -eu
printf '3.25\n%s\n' "$(cmake --version | sed -n 's/^cmake version //p')" | sort -VC ||
    { echo "skipped: CMake is older than 3.25"; exit 77; }
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
. "$SQUALL_SOURCE/tests/targets.sh"
fail() {
    echo "FAILED: $*"
    [ ! -s log ] || cat log
    exit 1
}
# listed KIND: the presets of the project in this folder. named DOCUMENT: first column of the table that begins "| preset".
listed() { cmake --list-presets="$1" | sed -n 's/^  "\([^"]*\)".*/\1/p'; }
named() { sed -n '/^| preset /,/^$/s/^| `\([a-z0-9-]*\)` .*/\1/p' "$SQUALL_SOURCE/docs/$1"; }

# Squall's own. A preset needs no build of its own here: what it changes is in the cache.
(cd "$SQUALL_SOURCE" && listed configure) >own
named HACKING.md | diff - own || fail "docs/HACKING.md names other presets than CMakePresets.json has"
(cd "$SQUALL_SOURCE" && listed build) | diff own - || fail "not a build for each"
(cd "$SQUALL_SOURCE" && listed test) >tests
grep -vx small own | diff - tests || fail "not tests for each"
has() { # PRESET LINE: the cache has it
    grep -qE "^$2\$" "own.$1/CMakeCache.txt" || fail "preset $1 without $2"
}
for preset in $(cat own); do
    [ $preset != clang ] || command -v clang-19 >/dev/null || { echo "no clang-19: preset clang is not tried"; continue; }
    (cd "$SQUALL_SOURCE" && cmake --preset $preset -B "$scratch/own.$preset") >log 2>&1 || fail "preset $preset"
    has $preset 'CMAKE_GENERATOR:INTERNAL=Ninja'
    case $preset in
        release) has $preset 'CMAKE_BUILD_TYPE:[A-Z]*=Release' ;;
        debug) has $preset 'CMAKE_BUILD_TYPE:[A-Z]*=Debug' ;;
        werror) has $preset 'SQUALL_WERROR:BOOL=ON' ;;
        clang) has $preset 'CMAKE_C_COMPILER:[A-Z]*=.*clang-19' ;;
        sanitize) has $preset 'SQUALL_SANITIZE:BOOL=ON' ;;
        small)
            has $preset 'SQUALL_TUNER:BOOL=OFF'
            [ ! -d own.small/tests ] || fail "the small build has tests"
            ;;
        *) fail "preset $preset has no rule in this test" ;;
    esac
done

# The sample, as a user has it.
cmake --install "$SQUALL_BUILD" --prefix "$PWD/prefix" >install.log
cp -r prefix/share/squall/samples .
cd samples/presets
listed configure >names
named INTEGRATION.md | diff - names || fail "docs/INTEGRATION.md names other presets than the sample has"
for kind in build test; do
    listed $kind | diff names - || fail "not a $kind preset for each"
done
export CMAKE_PREFIX_PATH="$scratch/prefix"

flow() { # PRESET: configured, built and tested
    cmake --workflow --preset "$1" >log 2>&1 || fail "preset $1"
    grep -q '100% tests passed' log || fail "preset $1: its test"
}
made_for() { # PRESET TARGETS: the words of the command in the head of the C file
    grep -qE -- "--targets?=$2( |$)" "build/$1/kernels.squall/gemm.c" || { head build/"$1"/kernels.squall/gemm.c; fail "$1 is not for $2"; }
}
flow host
build/host/app | grep -q 'gemm is right' || fail "preset host computes wrongly"
if targets runs | grep -qx avx2; then
    flow avx2
    made_for avx2 avx2
else
    echo "no AVX2 here: preset avx2 is not tried"
fi
if [ "$(uname -m)" = x86_64 ]; then
    flow any-x86
    made_for any-x86 avx512,avx2,generic # the best first
    for isa in avx2 avx512; do
        nm build/any-x86/libkernels.a | grep -q "t gemm_${isa}_nest" || fail "no $isa in any-x86"
    done
    SQUALL_ISA=generic build/any-x86/app | grep -q 'gemm is right' || fail "any-x86 for generic computes wrongly"
else
    echo "no x86-64: preset any-x86 is not tried"
fi
if command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null; then
    flow aarch64
    made_for aarch64 neon
    aarch64-linux-gnu-objdump -f build/aarch64/app | grep -q 'architecture: aarch64' || fail "aarch64 is for another machine"
else
    echo "no compiler or emulator for AArch64: preset aarch64 is not tried"
fi

# Other targets for a build that is there make the kernels anew; those that do not exist are an error.
cmake --preset host -DKERNEL_TARGETS=generic >log 2>&1 && cmake --build --preset host >log 2>&1 || fail "other targets"
made_for host generic
cmake --preset host -DKERNEL_TARGETS=avx9 >log 2>&1 && cmake --build --preset host >log 2>&1 && fail "avx9 was built"
grep -q "avx9" log || fail "the message about avx9"

# The file of one's own, as documented, in the place of the variable.
unset CMAKE_PREFIX_PATH
sed -n '/^```json$/,/^```$/{ /^```/d; p; }' "$SQUALL_SOURCE/docs/INTEGRATION.md" | sed "s,FOLDER,$scratch/prefix," >CMakeUserPresets.json
cmake --preset mine >log 2>&1 && cmake --build build/mine >log 2>&1 || fail "CMakeUserPresets.json of docs/INTEGRATION.md"
build/mine/app | grep -q 'gemm is right' || fail "preset mine computes wrongly"
