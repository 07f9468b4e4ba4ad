#!/bin/sh
# CUDA in projects that build: samples/cmake and samples/make make a program of pure C with the kernel
# where there is nvcc, and say what they leave out where there is none. Without a device the program
# prints the launcher's code.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cmake --install "$SQUALL_BUILD" --prefix "$PWD/prefix" >install.log
cp -r prefix/share/squall/samples .

fail() {
    echo "FAILED: $*"
    exit 1
}

# No nvcc: a message, and the rest is built.
mkdir none
make -C samples/make SQUALL="$PWD/prefix/bin/squall" NVCC="$PWD/none/nvcc" >make.log 2>&1 ||
    { cat make.log; fail "make without nvcc"; }
grep -q 'app_cuda is left out: no nvcc' make.log || { cat make.log; fail "make does not say that there is no nvcc"; }
[ -x samples/make/app ] && [ ! -e samples/make/app_cuda ] || fail "make without nvcc makes other programs"
cat >samples/cmake/none.cmake <<'T'
set(CMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit TRUE)
T
cmake -S samples/cmake -B app.none -DCMAKE_PREFIX_PATH="$PWD/prefix" \
    -DCMAKE_PROJECT_INCLUDE="$PWD/samples/cmake/none.cmake" >cmake.log 2>&1 || { cat cmake.log; fail "cmake without nvcc"; }
grep -q 'gpu_kernels is left out: no nvcc' cmake.log || { cat cmake.log; fail "cmake does not say that there is no nvcc"; }

. "$SQUALL_SOURCE/tests/cuda/nvcc.sh"
[ -n "$nvcc" ] || { echo "skipped: building with nvcc (there is none)"; exit 77; }

# runs PROGRAM: right on a device, else the code of cudaMalloc, 35 or 100.
runs() {
    rc=0
    "$1" >run.log 2>&1 || rc=$?
    cat run.log
    { [ $rc = 0 ] && grep -q 'gemm is right' run.log; } ||
        { [ $rc = 2 ] && grep -Eq '^cudaMalloc: error (35|100), ' run.log; } || fail "$1 ends with $rc"
}

# What CMake needs for a library of its own, below a project that has C only; with the launcher's code.
mkdir -p project/sub
cp samples/gemm.sq project/sub
cat >project/CMakeLists.txt <<'T'
cmake_minimum_required(VERSION 3.21)
project(p C)
find_package(squall REQUIRED)
add_subdirectory(sub)
add_executable(app main.c)
target_link_libraries(app PRIVATE k)
T
echo 'squall_add_kernel(k SOURCES gemm.sq TARGETS cuda arch=sm_90 FIX K=43 NVCC_OPTIONS -lineinfo)' \
    >project/sub/CMakeLists.txt
cat >project/main.c <<'K'
#include "gemm.h"
#include <stdio.h>
int main(void)
{
    printf("code %d\n", gemm(37, 41, 1, 0, NULL, NULL, NULL, NULL));
    return gemm_kernels() < 1;
}
K
for generator in Ninja "Unix Makefiles"; do
    build=build.${generator%% *}
    cmake -S project -B $build -G "$generator" -DCMAKE_PREFIX_PATH="$PWD/prefix" >cmake.log 2>&1 &&
        cmake --build $build -v >build.log 2>&1 || { cat cmake.log build.log; fail "$generator"; }
    grep -q -- '-arch=sm_90 .*-lineinfo' build.log || fail "$generator: nvcc did not get its words"
    $build/app >run.log || fail "$generator: the program ends with $?"
    grep -Eq '^code (35|100|700|0)$' run.log || { cat run.log; fail "$generator: no code of the launcher"; }
    [ -z "$(ldd $build/app | grep -E 'stdc\+\+|libcudart')" ] || fail "$generator: not a program of pure C"
    cmake --build $build -v >build.log 2>&1
    grep -Eq 'nvcc|squall compile' build.log && { cat build.log; fail "$generator: built twice"; }
    sleep 1
    echo '/* another */' >>project/sub/gemm.sq
    cmake --build $build -v >build.log 2>&1
    grep -q 'squall compile' build.log || fail "$generator: a change was missed"
    sleep 1
    sed -i 's/alpha \*/2 * alpha */' project/sub/gemm.sq
    cmake --build $build -v >build.log 2>&1
    grep -q 'nvcc .*-c' build.log || { cat build.log; fail "$generator: nvcc was not run for another text"; }
    sed -i 's/2 \* alpha/alpha/' project/sub/gemm.sq
done

cmake -S samples/cmake -B app.cmake -DCMAKE_PREFIX_PATH="$PWD/prefix" >cmake.log 2>&1 &&
    cmake --build app.cmake >>cmake.log 2>&1 || { cat cmake.log; fail "samples/cmake does not build"; }
runs app.cmake/app_cuda
make -C samples/make SQUALL="$PWD/prefix/bin/squall" >make.log 2>&1 || { cat make.log; fail "make"; }
runs samples/make/app_cuda
make -C samples/make SQUALL="$PWD/prefix/bin/squall" -q >make.log || fail "make is never done"
