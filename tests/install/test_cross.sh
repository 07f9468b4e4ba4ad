#!/bin/sh
# Cross compiling for AArch64 with the files of samples/cmake and samples/meson: the generator is that of this
# machine, the programs are not, and they compute rightly under qemu.
set -eu
for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cmake --install "$SQUALL_BUILD" --prefix "$PWD/prefix" >install.log
cp -r prefix/share/squall/samples .
fail() {
    echo "FAILED: $*"
    cat log
    exit 1
}
# right FILE: it is a program for AArch64, and says so of its kernel.
right() {
    aarch64-linux-gnu-objdump -f "$1" | grep -q 'architecture: aarch64' || fail "$1 is for another machine"
    qemu-aarch64 -L /usr/aarch64-linux-gnu "$1" >log 2>&1 && grep -q 'gemm is right' log || fail "$1 computes wrongly"
}

sed -i 's/TARGETS generic avx2 avx512/TARGETS generic neon/' samples/cmake/CMakeLists.txt
cmake -S samples/cmake -B cross -DCMAKE_TOOLCHAIN_FILE="$PWD/samples/cmake/aarch64.cmake" \
    -DCMAKE_PREFIX_PATH="$PWD/prefix" >log 2>&1 || fail "CMake"
cmake --build cross >log 2>&1 || fail "samples/cmake does not build"
right cross/app
right cross/app_for_all
aarch64-linux-gnu-nm cross/libkernels_for_all.a | grep -q 't gemm_neon_nest' || fail "no NEON in kernels_for_all"

command -v meson >/dev/null || { echo "samples/meson is not tried: there is no meson"; exit 0; }
printf "[binaries]\nsquall = '%s'\n" "$PWD/prefix/bin/squall" >native.ini
meson setup meson samples/meson --native-file native.ini --cross-file samples/meson/aarch64.ini -Dtargets=neon >log 2>&1 ||
    fail "Meson"
meson compile -C meson >log 2>&1 || fail "samples/meson does not build"
right meson/app
grep -q 'target=neon' meson/gemm.c || fail "gemm.c is for another target"
