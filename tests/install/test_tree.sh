#!/bin/sh
# The installed tree: what is in it, and that the samples build against it with CMake, make and
# what pkg-config says.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cmake --install "$SQUALL_BUILD" --prefix "$PWD/prefix" >install.log

fail() {
    echo "FAILED: $*"
    exit 1
}

# Samples and documents come and go; the rest is a promise. (lib may be lib/<architecture>.)
(cd prefix && find . -type f) | sed 's,^\./,,; s,^lib/[^/]*-linux-gnu/,lib/,' |
    grep -v '^share/' | sort >manifest
for file in bin/squall include/squall.h lib/cmake/squall/SquallHelpers.cmake \
    lib/cmake/squall/squallConfig.cmake lib/cmake/squall/squallConfigVersion.cmake \
    lib/pkgconfig/squall.pc; do
    grep -qx "$file" manifest || fail "$file is not installed"
done
grep -vxE 'bin/squall|include/squall.h|lib/cmake/squall/[A-Za-z]*\.cmake|lib/pkgconfig/squall.pc|libexec/squall/.*' \
    manifest && fail "the files above are not in the manifest"
[ -f prefix/share/squall/samples/gemm.sq ] || fail "no samples"
[ -f prefix/share/doc/squall/LICENSE ] || fail "no licence"
[ -f prefix/share/doc/squall/performance.svg ] || fail "no picture for PERFORMANCE.md"

# The manual, a page a command, and completions, where man and shells look for them.
(cd prefix/share && find . -type f) | sed 's,^\./,,' | grep -vE '^(doc/)?squall/' | sort >shown
{
    echo bash-completion/completions/squall
    echo fish/vendor_completions.d/squall.fish
    echo zsh/site-functions/_squall
    echo man/man1/squall.1
    "$SQUALL" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/man\/man1\/squall-\1.1/p'
} | sort >promised
diff promised shown || fail "these are not the pages and completions that are promised"
for page in prefix/share/man/man1/*.1; do
    grep -q '^\.SH NAME$' $page || fail "$page is no page of the manual"
done

# The tool works where it was installed, and from another place, without the build folder.
mv prefix moved
cp -r moved/share/squall/samples .
moved/bin/squall compile samples/gemm.sq -o - >/dev/null
if [ -d moved/libexec/squall/simt ] && command -v g++ >/dev/null; then
    moved/bin/squall check "$SQUALL_SOURCE/tests/simt/good_half.cu" | grep -q '^0 findings' ||
        fail "CUDA text is not checked"
fi
mv moved prefix

# CMake: config package.
sed -i 's/BUDGET 60s/BUDGET 2s/' samples/cmake/CMakeLists.txt
cmake -S samples/cmake -B app.cmake -DCMAKE_PREFIX_PATH="$PWD/prefix" >cmake.log
cmake --build app.cmake >>cmake.log || { cat cmake.log; fail "samples/cmake does not build"; }
app.cmake/app | grep -q 'gemm is right' || fail "samples/cmake computes wrongly"

if [ "$(uname -m)" = x86_64 ]; then
    for isa in generic avx2 avx512; do # what the processor lacks gives way, and is said
        SQUALL_ISA=$isa app.cmake/app_for_all 2>isa.log | grep -q 'gemm is right' || fail "app_for_all with $isa"
        [ ! -s isa.log ] || grep -q "this processor lacks $isa" isa.log || { cat isa.log; fail "app_for_all"; }
    done
    nm app.cmake/libkernels_for_all.a | grep -q 't gemm_avx512_nest' || fail "no AVX-512 in kernels_for_all"
fi

# What <name>.tune leaves is what the build then takes: same target, no message.
cmake --build app.cmake --target kernels.tune >tune.log 2>&1 || { cat tune.log; fail "kernels.tune"; }
[ -e samples/gemm.generic.sched ] || { ls samples; fail "tuned for another target than is built"; }
cmake --build app.cmake >cmake.log 2>&1 || { cat cmake.log; fail "samples/cmake does not build"; }
grep -q 'warning' cmake.log && { cat cmake.log; fail "a message about the schedule"; }
prefix/bin/squall compile samples/gemm.sq -o tuned.c --header=gemm.h --require-tuned
grep -v '^ \*' tuned.c >tuned.text
grep -v '^ \*' app.cmake/kernels.squall/gemm.c | cmp - tuned.text || fail "the tuned schedule is not used"
rm samples/gemm.generic.sched

# Of several targets each that this machine runs is tuned, with what else TARGETS says, and used. Lists may be quoted.
mkdir several
cp samples/gemm.sq samples/main.c several
cat >several/CMakeLists.txt <<'T'
cmake_minimum_required(VERSION 3.21)
project(several C)
find_package(squall REQUIRED)
set(for neon generic openmp)
set(how --at=M=32,N=32,K=32 --trials=2)
squall_add_kernel(kernels SOURCES gemm.sq TARGETS "${for}" OPTIONS "-q;-v")
squall_tune(kernels BUDGET 5s OPTIONS "${how}")
add_executable(app main.c)
target_link_libraries(app PRIVATE kernels)
T
cmake -S several -B app.several -DCMAKE_PREFIX_PATH="$PWD/prefix" >several.log 2>&1 || { cat several.log; fail "several"; }
cmake --build app.several --target kernels.tune >several.log 2>&1 || { cat several.log; fail "tune of several"; }
class=generic
[ "$(uname -m)" != aarch64 ] || class=neon
[ -e several/gemm.$class.sched ] || fail "TARGETS neon generic: $class is not tuned"
[ $class = neon ] || grep -q 'not for neon, which this machine does not run' several.log ||
    fail "kernels.tune: nothing is said of neon"
grep -q openmp several/gemm.$class.sched || { cat several/gemm.$class.sched; fail "tuned without openmp"; }
cmake --build app.several >several.log 2>&1 || { cat several.log; fail "several does not build"; }
app.several/app | grep -q 'gemm is right' || fail "several computes wrongly"
prefix/bin/squall compile several/gemm.sq --targets=generic,openmp -o - -v 2>&1 >/dev/null |
    grep -q "gemm for generic: schedule: tuned" || [ $class = neon ] || fail "the tuned schedule is not used"
sed -i 's/neon generic openmp/cuda generic/' several/CMakeLists.txt
if cmake -S several -B app.several >several.log 2>&1; then
    fail "cuda among several targets was accepted"
fi
tr '\n' ' ' <several.log | tr -s ' ' | grep -q 'a program chooses among targets of processors' || { cat several.log; fail "the message about cuda"; }
sed -i 's/TARGETS "/TARGET "/' several/CMakeLists.txt
if cmake -S several -B app.several >several.log 2>&1; then
    fail "a misspelt keyword was accepted"
fi
grep -q "'TARGET' is no keyword" several.log || { cat several.log; fail "the message about a keyword"; }

# Kernels that a shared library shows, whose own functions it hides.
mkdir shared
cp samples/gemm.sq shared
cat >shared/CMakeLists.txt <<'T'
cmake_minimum_required(VERSION 3.21)
project(shared C)
set(CMAKE_C_VISIBILITY_PRESET hidden)
find_package(squall REQUIRED)
foreach(visibility default hidden)
  squall_add_kernel(${visibility} OBJECT SOURCES gemm.sq VISIBILITY ${visibility})
  add_library(api_${visibility} SHARED own.c)
  target_link_libraries(api_${visibility} PRIVATE ${visibility})
endforeach()
squall_add_kernel(linked SOURCES gemm.sq VISIBILITY default TARGETS generic avx2)
add_library(api_linked SHARED calls.c)
target_link_libraries(api_linked PRIVATE linked)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
squall_add_kernel(program_only SOURCES gemm.sq)
get_target_property(independent program_only POSITION_INDEPENDENT_CODE)
if(independent)
  message(FATAL_ERROR "the project's CMAKE_POSITION_INDEPENDENT_CODE is not heard")
endif()
T
printf '%s\n' '#include "gemm.h"' 'void *shown(void);' 'void *shown(void) { return (void *)gemm; }' >shared/calls.c
echo 'int own(void); int own(void) { return 1; }' >shared/own.c
cmake -S shared -B app.shared -DCMAKE_PREFIX_PATH="$PWD/prefix" >shared.log 2>&1 &&
    cmake --build app.shared >shared.log 2>&1 || { cat shared.log; fail "shared"; }
[ "$(nm -D --defined-only app.shared/libapi_default.so | awk '{ print $3 }' | sort | tr '\n' ' ')" = \
    'gemm gemm_in gemm_workspace ' ] || fail "VISIBILITY default: other functions"
[ -z "$(nm -D --defined-only app.shared/libapi_hidden.so)" ] || fail "VISIBILITY hidden: functions are shown"
sed -i 's/VISIBILITY default/VISIBILITY protected/' shared/CMakeLists.txt
! cmake app.shared >shared.log 2>&1 && grep -q 'VISIBILITY protected): accepted are default' shared.log ||
    { cat shared.log; fail "VISIBILITY of no such kind"; }

# Threads of the program's own have the schedules of openmp.
cat >several/CMakeLists.txt <<'T'
cmake_minimum_required(VERSION 3.21)
project(tasks C)
find_package(squall REQUIRED)
squall_add_kernel(kernels SOURCES gemm.sq TARGETS generic tasks)
squall_tune(kernels BUDGET 5s OPTIONS --at=M=32,N=32,K=32 --trials=1)
T
rm several/gemm.*.sched
cmake -S several -B app.tasks -DCMAKE_PREFIX_PATH="$PWD/prefix" >tasks.log 2>&1 || { cat tasks.log; fail "tasks"; }
cmake --build app.tasks --target kernels.tune >tasks.log 2>&1 || { cat tasks.log; fail "tune with tasks"; }
grep -q openmp several/gemm.generic.sched || fail "tuned for tasks without openmp"

# Make, twice: the second time has nothing to do; touching the source makes it again.
make -C samples/make SQUALL="$PWD/prefix/bin/squall" >make.log
samples/make/app | grep -q 'gemm is right' || fail "samples/make computes wrongly"
make -C samples/make SQUALL="$PWD/prefix/bin/squall" -q || fail "make is never done"
make -C samples/make SQUALL="$PWD/prefix/bin/squall" TARGETS=generic,avx2 >make.log # other words: all anew
samples/make/app | grep -q 'gemm is right' || fail "samples/make with TARGETS computes wrongly"
grep -q 'gemm_isa' samples/make/gemm.h || fail "TARGETS is not used"
make -C samples/make SQUALL="$PWD/prefix/bin/squall" TARGETS=neon,generic,openmp BUDGET=1s tune >make.log 2>&1 ||
    { cat make.log; fail "make tune"; }
[ -e samples/gemm.$class.sched ] || { cat make.log; fail "make tune: $class of TARGETS is not tuned"; }
grep -q openmp samples/gemm.$class.sched || fail "make tune: tuned without openmp"
[ $class = neon ] || grep -q 'neon is not tuned' make.log || fail "make tune: nothing is said of neon"
# Threads of the program's own have the schedules of openmp.
rm samples/gemm.*.sched
make -C samples/make SQUALL="$PWD/prefix/bin/squall" TARGETS=$class,generic,tasks BUDGET=1s tune >make.log 2>&1 ||
    { cat make.log; fail "make tune with tasks"; }
grep -q openmp samples/gemm.$class.sched || fail "make tune with tasks: tuned without openmp"
! grep -q 'is not tuned' make.log || { cat make.log; fail "make tune with tasks: a word is taken for a processor"; }
rm samples/gemm.*.sched
make -C samples/make SQUALL="$PWD/prefix/bin/squall" >make.log
! grep -q gemm_isa samples/make/gemm.h || fail "TARGETS is not used, once it is no longer there"
sleep 1
touch samples/gemm.sq
make -C samples/make SQUALL="$PWD/prefix/bin/squall" | grep -q 'squall compile' ||
    fail "a newer source is not compiled again"
sleep 1
printf 'squall-sched 1\nclass generic\n' >samples/gemm.generic.sched
make -C samples/make SQUALL="$PWD/prefix/bin/squall" | grep -q 'squall compile' ||
    fail "a schedule that is new beside the source is not used"
rm samples/gemm.generic.sched

# pkg-config finds the tool and the prelude where they are: as installed, moved, and staged.
described() { # tree
    pc=$(dirname "$(find "$1" -name squall.pc)")
    tool=$(PKG_CONFIG_PATH=$pc pkg-config --variable=squall_executable squall)
    "$tool" --version | grep -q '^squall [0-9]' || fail "squall.pc in $1: squall_executable is '$tool'"
    [ "$(realpath "$tool")" = "$(realpath "$(find "$1" -path '*/bin/squall')")" ] || fail "$tool is not in $1"
    flags=$(PKG_CONFIG_PATH=$pc pkg-config --cflags squall | tr -d ' ')
    [ -f "${flags#-I}/squall.h" ] || fail "squall.pc in $1: cflags are '$flags'"
}
described prefix
mv prefix moved
described moved
mv moved prefix
DESTDIR=$PWD/stage cmake --install "$SQUALL_BUILD" --prefix /opt/squall >>install.log
described stage

# Cross compiling without a squall for this machine: an error that shows the ways out.
cat >toolchain.cmake <<'T'
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR other)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
T
chmod -x prefix/bin/squall
if PATH=/usr/bin:/bin cmake -S samples/cmake -B app.cross -DCMAKE_TOOLCHAIN_FILE="$PWD/toolchain.cmake" \
    -DCMAKE_PREFIX_PATH="$PWD/prefix" >cross.log 2>&1; then
    fail "cross compiling without a generator was accepted"
fi
tr '\n' ' ' <cross.log | tr -s ' ' >cross.line
for way in 'Cross compiling' '-Dsquall_EXECUTABLE=' 'bin folder in PATH' 'commit both files'; do
    grep -qF -- "$way" cross.line || { cat cross.log; fail "the message lacks: $way"; }
done
chmod +x prefix/bin/squall
cmake -S samples/cmake -B app.given -Dsquall_EXECUTABLE="$PWD/prefix/bin/squall" \
    -DCMAKE_TOOLCHAIN_FILE="$PWD/toolchain.cmake" -DCMAKE_PREFIX_PATH="$PWD/prefix" >cross.log 2>&1 ||
    { cat cross.log; fail "a given generator was not taken"; }
