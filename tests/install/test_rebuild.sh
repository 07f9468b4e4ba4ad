#!/bin/sh
# How often the generator runs and how often its output is compiled: nothing changed, an include
# touched, an include changed, the schedule changed; with Ninja and with Make. A build must neither
# miss a change nor work without one.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cmake --install "$SQUALL_BUILD" --prefix "$PWD/prefix" >install.log

fail() {
    echo "FAILED ($generator): $*"
    cat build.log
    exit 1
}

# A generator that counts its runs.
cat >squall <<T
#!/bin/sh
[ "\$1" != compile ] || echo run >>"$PWD/runs"
exec "$PWD/prefix/bin/squall" "\$@"
T
chmod +x squall

# expect RUNS COMPILED what: builds and counts.
expect() {
    rm -f runs
    touch runs
    cmake --build "$build" -v >build.log 2>&1 || fail "$3: the build fails"
    ran=$(wc -l <runs)
    compiled=$(grep -cE 'k\.c\.o .*-c |-c .*/k\.c( |$)' build.log || true)
    [ "$ran" = "$1" ] || fail "$3: the generator ran $ran times instead of $1"
    [ "$compiled" = "$2" ] || fail "$3: compiled $compiled times instead of $2"
}

for generator in Ninja "Unix Makefiles"; do
    build=build.${generator%% *}
    rm -rf project
    mkdir -p project/sub project/inc
    echo '#define TWO 2' >project/inc/two.h
    cat >project/sub/k.sq <<'K'
#include "squall.h"
#include "two.h"
kernel k(int N, const f32 x[N], f32 y[N])
{
    idx i;
    y[i] = TWO * x[i];
}
K
    echo 'order(i)' >project/sub/k.script
    cat >project/CMakeLists.txt <<'T'
cmake_minimum_required(VERSION 3.21)
project(p C)
find_package(squall REQUIRED)
add_subdirectory(sub)
add_executable(app main.c)
target_link_libraries(app PRIVATE k)
T
    cat >project/sub/CMakeLists.txt <<'T'
squall_add_kernel(k SOURCES k.sq FIX N=8 EMIT report
  OPTIONS -I${CMAKE_CURRENT_SOURCE_DIR}/../inc --schedule=${CMAKE_CURRENT_SOURCE_DIR}/k.script)
get_target_property(report k SQUALL_REPORT)
squall_tune(k BUDGET 20s OPTIONS --trials=3 -I${CMAKE_CURRENT_SOURCE_DIR}/../inc)
if(NOT report MATCHES "k[.]report$")
  message(FATAL_ERROR "SQUALL_REPORT is '${report}'")
endif()
T
    cat >project/main.c <<'K'
#include "k.h"
#include <stdio.h>
int main(void)
{
    float x[k_N] = {1}, y[k_N];
    k(x, y);
    printf("%g\n", y[0]);
    return 0;
}
K
    cmake -S project -B "$build" -G "$generator" -Dsquall_EXECUTABLE="$PWD/squall" \
        -DCMAKE_PREFIX_PATH="$PWD/prefix" >build.log 2>&1 || fail "configure"
    expect 1 1 "first build"
    grep -E 'k\.c\.o .*-c |-c .*/k\.c( |$)' build.log | grep -q -e -O2 || fail "no -O2 for the kernel"
    [ "$("$build"/app)" = 2 ] || fail "the program is wrong"
    expect 0 0 "nothing changed"
    sleep 0.1
    touch project/inc/two.h
    expect 1 0 "include touched"
    expect 0 0 "after the touch"
    sleep 0.1
    echo '#define TWO 3' >project/inc/two.h
    expect 1 1 "include changed"
    [ "$("$build"/app)" = 3 ] || fail "the change did not reach the program"
    expect 0 0 "after the change"
    sleep 0.1
    echo '# a comment' >>project/sub/k.script
    expect 1 0 "script touched in a comment"
    sleep 0.1
    sed -i 's/ --schedule=.*k.script//' project/sub/CMakeLists.txt
    expect 1 1 "no script any more"
    sleep 0.1
    printf 'squall-sched 1\nclass generic\n\nhash %032d source %032d\nkernel k at * {\n%s\n}\n' 0 0 \
        'tile(i:4)' >project/sub/k.generic.sched
    expect 1 1 "a .sched appeared"
    expect 0 0 "after it appeared"
    sleep 0.1
    sed -i 's/i:4/i:2/' project/sub/k.generic.sched
    expect 1 1 "a .sched changed"
    rm project/sub/k.generic.sched
    expect 1 1 "a .sched went"
    sleep 0.1
    touch squall
    expect 1 0 "generator replaced"
    expect 0 0 "at the end"

    # Tuning happens only when asked for; what it leaves is seen by the next build.
    XDG_STATE_HOME=$PWD/state XDG_CACHE_HOME=$PWD/cache cmake --build "$build" --target k.tune \
        >build.log 2>&1 || fail "k.tune"
    ls project/sub/k.*.sched >/dev/null || fail "k.tune left no .sched"
    expect 1 1 "tuned: the file's head says so, whatever schedule was found"
    expect 0 0 "after tuning"
done

# A C file with regions is none of its sources, and is told so when the project is configured.
mkdir -p project_c
printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(p C)' 'find_package(squall REQUIRED)' \
    'squall_add_kernel(k SOURCES old.c TARGETS avx2)' >project_c/CMakeLists.txt
! cmake -S project_c -B build.c -DCMAKE_PREFIX_PATH="$PWD/prefix" >build.log 2>&1 ||
    fail "a C file is taken for a description"
grep -q 'old[.]c is no description' build.log || fail "a C file: no reason"

# FIX of one source, beside one of all: in the build, when tuned, and where no source has that name.
mkdir -p project_fix/sub
cp "$SQUALL_SOURCE/samples/gemm.sq" "$SQUALL_SOURCE/samples/softmax.sq" project_fix/sub
fixed() { # FIX...: configures
    printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(p C)' 'find_package(squall REQUIRED)' \
        "squall_add_kernel(k SOURCES sub/gemm.sq sub/softmax.sq FIX $*)" 'squall_tune(k OPTIONS --trials=1 -q)' \
        >project_fix/CMakeLists.txt
    cmake -S project_fix -B build.fix -DCMAKE_PREFIX_PATH="$PWD/prefix" >build.log 2>&1
}
fixes() { # what the headers were made with, gemm's first
    for kernel in gemm softmax; do
        sed -n "s/^ [*]   squall compile.*\(--fix=[^ ]*\).*/$kernel \1/p" build.fix/k.squall/$kernel.h
    done | tr '\n' ' '
}
fixed gemm.sq:K=64 sub/gemm.sq:M=8 N=32 && cmake --build build.fix >build.log 2>&1 || fail "FIX of one source"
[ "$(fixes)" = 'gemm --fix=K=64,M=8,N=32 softmax --fix=N=32 ' ] || fail "FIX of one source: $(fixes)"
fixed gemm.sq:K=64 gemm.sq:M=8 gemm.sq:N=16 softmax.sq:M=8 softmax.sq:N=32 && cmake --build build.fix >build.log 2>&1 ||
    fail "FIX of each source"
[ "$(fixes)" = 'gemm --fix=K=64,M=8,N=16 softmax --fix=M=8,N=32 ' ] || fail "FIX of each source: $(fixes)"
XDG_STATE_HOME=$PWD/state XDG_CACHE_HOME=$PWD/cache cmake --build build.fix --target k.tune >build.log 2>&1 ||
    fail "FIX of each source: k.tune"
grep -q 'at M=8,N=16,K=64 ' project_fix/sub/gemm.generic.sched && grep -q 'at M=8,N=32 ' project_fix/sub/softmax.generic.sched ||
    { cat project_fix/sub/*.sched; fail "k.tune for other sizes"; }
! fixed gemn.sq:K=64 || fail "FIX of a source that is none"
tr -s '\n ' ' ' <build.log | grep -qF "FIX gemn.sq:K=64: 'gemn.sq' is none of its SOURCES; there are: sub/gemm.sq sub/softmax.sq" ||
    fail "FIX of a source that is none: no reason"

# OPTIONS of one source: sizes that the other has not, in the build and when tuned.
optioned() { # words of squall_tune's OPTIONS: configures
    printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(p C)' 'find_package(squall REQUIRED)' \
        'squall_add_kernel(k SOURCES sub/gemm.sq sub/softmax.sq OPTIONS gemm.sq:--prefix=my_ --spdx=MIT)' \
        'add_subdirectory(tuned)' >project_options/CMakeLists.txt
    printf '%s\n' "squall_tune(k OPTIONS --trials=1 $* -q)" >project_options/tuned/CMakeLists.txt
    cmake -S project_options -B build.options -DCMAKE_PREFIX_PATH="$PWD/prefix" >build.log 2>&1
}
mkdir -p project_options/sub project_options/tuned
cp "$SQUALL_SOURCE/samples/gemm.sq" "$SQUALL_SOURCE/samples/softmax.sq" project_options/sub
optioned gemm.sq:--at=M=8,N=16,K=64 ../sub/softmax.sq:--at=M=8,N=32 softmax.sq:--at=M=4,N=32 &&
    cmake --build build.options >build.log 2>&1 || fail "OPTIONS of one source"
grep -q 'void my_gemm(' build.options/k.squall/gemm.h && grep -q 'void softmax(' build.options/k.squall/softmax.h &&
    grep -q 'SPDX-License-Identifier: MIT' build.options/k.squall/gemm.h build.options/k.squall/softmax.h ||
    fail "OPTIONS of one source"
XDG_STATE_HOME=$PWD/state XDG_CACHE_HOME=$PWD/cache cmake --build build.options --target k.tune >build.log 2>&1 ||
    fail "OPTIONS of one source: k.tune"
[ "$(grep -ho ' at .* {' project_options/sub/*.generic.sched | sort | tr -d '\n')" = \
    ' at M=4,N=32 { at M=8,N=16,K=64 { at M=8,N=32 {' ] ||
    { cat project_options/sub/*.sched; fail "k.tune at other sizes"; }
! optioned gemn.sq:--at=M=8 || fail "OPTIONS of a source that is none"
tr -s '\n ' ' ' <build.log | grep -q "gemn.sq:--at=M=8: 'gemn.sq' is none of its SOURCES" ||
    fail "OPTIONS of a source that is none: no reason"
