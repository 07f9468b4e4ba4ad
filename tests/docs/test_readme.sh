#!/bin/sh
# README.md: each of its blocks runs as it stands, in its order, in what looks like a fresh checkout; its figures are
# those of docs/PERFORMANCE.md; files it names exist. A block that no rule here knows by its first line fails.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
doc=${SQUALL_README:-$SQUALL_SOURCE/README.md}
fail() {
    echo "FAILED: $*"
    exit 1
}
. "$SQUALL_SOURCE/tests/targets.sh"

mkdir checkout home
ln -s "$SQUALL_SOURCE/samples" checkout/samples
ln -s "$SQUALL_BUILD" checkout/build
git init -q checkout 2>/dev/null || true
export HOME="$PWD/home" XDG_STATE_HOME="$PWD/home/state" XDG_CACHE_HOME="$PWD/home/cache"
plain_path=$PATH
PATH="$SQUALL_BUILD:$PATH"
try=$PWD/checkout/try

# Where AVX2 does not run, the blocks are run for any processor; a test has no minute for tuning.
here='s/--budget=60s/--budget=3s/'
targets runs | grep -qx avx2 || here="$here; s/\(--target=\|TARGETS \|^TARGET = \|-Dtargets=\)avx2/\1generic/"

# Blocks to files, 1.sh, 2.c and so on; code that is only indented would escape.
awk '/^```[a-z]+$/ { to = ++n "." substr($0, 4); next }
    /^```$/        { close(to); to = ""; next }
    to             { print >to; next }
    /^```/ || /^    / { print "neither text nor a block with its language: " $0; bad = 1 }
    END            { exit bad || to != "" || n == 0 }' "$doc" || fail "README.md has other blocks"

# shell FOLDER WANTED: the commands of the block, of which one prints this.
shell() {
    sed "$here" "$block" >"$block.run"
    (cd "$1" && sh -eu "$scratch/$block.run") >log 2>&1 || { cat "$block" log; fail "these commands fail"; }
    grep -q -- "$2" log || { cat "$block" log; fail "these commands do not print: $2"; }
}

has() {
    command -v "$1" >/dev/null || { echo "not run, no $1: $(head -n 1 "$block")"; return 1; }
}

made() { # TARGET: the program of the Makefile, for it
    make -C "$try" TARGET="$1" app >log 2>&1 && "$try/app" >>log 2>&1 || { cat log; fail "the Makefile for $1"; }
    grep -q 'gemm is right' log || { cat log; fail "the Makefile's program for $1"; }
}

# A change of TARGET alone makes all of it anew, and the same once more nothing.
makefile() {
    sed "$here" "$block" >"$try/Makefile"
    rm -f "$try"/gemm.[cho] "$try/app"
    target=$(sed -n 's/^TARGET = //p' "$try/Makefile")
    made "$target"
    made "$target"
    ! grep -q 'squall compile' log || { cat log; fail "made twice for one target"; }
    made c
    grep -q "squall compile.* --target=c " log || { cat log; fail "TARGET=c is ignored"; }
    make -C "$try" TARGET=c -q app || fail "the Makefile is never done"
}

as_it_stands() { # FILE: a program
    cp "$block" "$try/$1"
    "$CC" -O2 -Wall -Wextra -Wno-unknown-pragmas "$block" -o plain -lm || fail "$1 is not a C program"
}

rules=0
for block in $(ls | grep -E '^[0-9]+\.[a-z]+$' | sort -n); do
    rules=$((rules + 1))
    case "$rules ${block#*.} $(head -n 1 "$block")" in
        "1 text gemm.sq "*) ;; # a picture
        "2 sh scripts/demo "*) ;; # installs packages
        "3 sh scripts/deps "*) ;; # so does this
        "4 sh export PATH="*) (PATH=$plain_path && shell checkout 'compiler') || exit 1 ;;
        "5 c /* General matrix"*)
            cmp "$block" "$SQUALL_SOURCE/samples/gemm.sq" || fail "the kernel is not samples/gemm.sq" ;;
        "6 sh mkdir try "*) shell checkout 'gemm is right' ;;
        "7 sh squall compile gemm.sq "*) shell "$try" '^void gemm(' ;;
        "8 make TARGET ="*) makefile ;;
        "9 cmake cmake_minimum_required"*) sed "$here" "$block" >"$try/CMakeLists.txt" ;;
        "10 sh cmake --install "*) shell "$try" 'gemm is right' ;;
        "11 sh cp -r ../samples/meson "*) ! has meson || shell "$try" 'gemm is right' ;;
        "12 sh squall compile gemm.sq --targets="*) ! has git || shell "$try" 'gemm is right' ;;
        "13 c #include <stdio.h>") as_it_stands blur.c ;;
        "14 sh squall compile blur.c "*) shell "$try" '^1$' ;;
        *) cat "$block"; fail "block $rules of README.md, $(head -n 1 "$block"), has no rule in this test" ;;
    esac
done
[ $rules = 14 ] || fail "README.md lacks a block that has a rule in this test"

ls "$try"/gemm.*.sched >/dev/null || fail "tune left no schedule"
prototype=$(sed -n 's/^The header has `\(void gemm(.*;\)`\.$/\1/p' "$doc")
[ -n "$prototype" ] && grep -qxF "$prototype" "$try/gemm.h" || fail "the header lacks: $prototype"
echo >>"$try/gemm.c"
line=$(grep -h -- ' --check ' ./*.sh)
if (cd "$try" && sh -c "$line") >log 2>&1; then
    fail "a changed file is not stale"
fi

# The figures: geometric means of the products and of the convolutions, as measured last.
for kind in gemm conv; do
    mean=$(sed -n "s/^    $kind  *geometric means of .*peak; \([0-9.]*\)x the rival.*/\1/p" \
        "$SQUALL_SOURCE/docs/PERFORMANCE.md")
    grep -qE "(reach|convolutions) $(printf %.2f "$mean") times" "$doc" || fail "the mean of $kind is $mean now"
done

for file in samples/make samples/cmake samples/meson scripts/demo scripts/test docs/SCHEDULES.md docs/LANGUAGE.md \
    docs/ARCHITECTURE.md docs/INTEGRATION.md docs/HACKING.md docs/performance.svg bench/run LICENSE; do
    grep -qF "$file" "$doc" || fail "README.md does not name $file"
done
for file in $(grep -ohE '(docs|scripts|samples|bench)/[a-zA-Z_./0-9-]*[a-zA-Z]' "$doc" | sort -u); do
    [ -e "$SQUALL_SOURCE/$file" ] || fail "README.md names $file, which does not exist"
done

# Rooms and tables that docs/ARCHITECTURE.md and docs/HACKING.md name.
for file in $(grep -ohE '`(support|ir|frontend|transforms|codegen|tuner|runtime|cli|bench|tests)/[a-zA-Z_./]*\.(c|h|def|sh)`' \
    "$SQUALL_SOURCE"/docs/*.md | tr -d '`' | sort -u); do
    grep -qxF "New file \`$file\`:" "$SQUALL_SOURCE/docs/HACKING.md" && continue # a recipe's own
    [ -e "$SQUALL_SOURCE/$file" ] || fail "the documents name $file, which does not exist"
done
