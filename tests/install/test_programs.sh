#!/bin/sh
# The programs of samples/llm and samples/image, built against the installed tree by Make and by CMake, each
# beside its plain loops: the same tokens and close logits, the same bytes. That they would see a wrong kernel
# is tried with plain loops that are wrong. Nothing is asked of their speed, so compilers do not work hard.
set -eu
for tool in make cmake; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cmake --install "$SQUALL_BUILD" --prefix "$PWD/prefix" >install.log
cp -r prefix/share/squall/samples .
isas=generic
[ "$(uname -m)" != x86_64 ] || isas='generic avx2 avx512'

fail() {
    echo "FAILED: $*"
    [ ! -s log ] || cat log
    exit 1
}

# right ISA PROGRAM WORDS...: what it compares is the same; what the processor lacks gives way, and is said.
right() {
    isa=$1
    shift
    SQUALL_ISA=$isa "$@" >log 2>err || { cat err; fail "with $isa: $*"; }
    grep -qE '^(tokens: the same|every byte is the same)$' log || fail "with $isa: $* compares nothing"
    [ ! -s err ] || grep -q "this processor lacks $isa" err || { cat err; fail "with $isa: $*"; }
}

# wrong PROGRAM WORDS...: it says that its kernels disagree, and with what exit code.
wrong() {
    rc=0
    "$@" >log 2>&1 || rc=$?
    [ $rc = 1 ] && grep -q '^the kernels disagree' log || fail "rc $rc, a wrong kernel is not seen: $*"
}

is_picture() { # FILE: a header, and all of its pixels, which are not all the same
    [ "$(head -n 2 "$1" | tr '\n' ' ')" = 'P6 1024 672 ' ] || fail "$1 is no picture"
    [ "$(wc -c <"$1")" = $((16 + 3 * 1024 * 672)) ] || fail "$1: $(wc -c <"$1") bytes"
    [ "$(od -An -v -tu1 -w1 -N 4096 "$1" | sort -u | wc -l)" -gt 16 ] || fail "$1 shows nothing"
}

# CMake, from the samples as installed; the target `run` does what the first lines of the file say.
for sample in llm image; do
    cmake -S prefix/share/squall/samples/$sample -B build.$sample -DCMAKE_PREFIX_PATH="$PWD/prefix" \
        -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O1 -DPLAIN_FLAGS=-O2 >log 2>&1 ||
        fail "samples/$sample: cmake"
    cmake --build build.$sample --target run >log 2>&1 || fail "samples/$sample: cmake --build"
    grep -qE 'tokens: the same|every byte is the same' log || fail "samples/$sample: run compares nothing"
    ! grep -q 'warning' log || fail "samples/$sample: a message"
done
is_picture build.image/picture.ppm
grep -q 'matvec_q8 for avx2: micro(k:32 | b)' build.llm/kernels.squall/kernels.c ||
    fail "the schedule of samples/llm is not used"
for isa in $isas; do
    right "$isa" build.llm/llm --compare=build.llm/plain.run
    right "$isa" build.image/image
done

# A pool of threads, by Make: the same bits.
make -C samples/pool "SQUALL=$PWD/prefix/bin/squall" TARGET=generic CFLAGS=-O1 run >log 2>&1 ||
    fail "samples/pool: make run"
grep -q 'the same bits$' log || fail "samples/pool compares nothing"

# Make, for one target alone; then with plain loops that add one more somewhere.
words="SQUALL=$PWD/prefix/bin/squall TARGETS=generic CFLAGS=-O1 PLAIN_CFLAGS=-O2"
for sample in llm image; do
    # shellcheck disable=SC2086 # a list of words
    make -C samples/$sample $words run >log 2>&1 || fail "samples/$sample: make run"
    grep -qE '^(tokens: the same|every byte is the same)$' log || fail "samples/$sample: make compares nothing"
    # shellcheck disable=SC2086
    make -C samples/$sample $words -q all || fail "samples/$sample: make is never done"
done
is_picture samples/image/picture.ppm
! samples/llm/llm --compare=samples/llm/model.h >log 2>&1 && grep -q 'of another program' log ||
    fail "any file is compared with"
sed -i 's|sqrtf(sum / DIM + eps)|sqrtf(sum / (DIM + 1) + eps)|' samples/llm/plain.c
sed -i 's|15 \* B\[i\] + 64) >> 7|15 * B[i] + 65) >> 7|' samples/image/plain.c
for sample in llm image; do
    # shellcheck disable=SC2086
    make -C samples/$sample $words >log 2>&1 || fail "samples/$sample: make"
done
samples/llm/llm_plain --write=samples/llm/plain.run >log || fail "llm_plain"
wrong samples/llm/llm --compare=samples/llm/plain.run
wrong samples/image/image
grep -q 'disagree: to_yuv' log || fail "samples/image blames another stage"
