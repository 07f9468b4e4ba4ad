#!/bin/sh
# README.md: the kernel it shows is the sample, its commands do what it says, files it names exist.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
doc=$SQUALL_SOURCE/README.md
fail() {
    echo "FAILED: $*"
    exit 1
}

awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$doc" >gemm.sq
cmp gemm.sq "$SQUALL_SOURCE/samples/gemm.sq" || fail "the kernel is not samples/gemm.sq"

# Whoever follows it from the top has built squall and put it on PATH before the first command calls it, and
# the file that the command reads is there.
awk '/^    export PATH="\$PWD\/build:\$PATH"$/ { path = 1 }
    /^    .*cmake --build build$/ { built = 1 }
    /^    .*cp samples\/gemm.sq/ { file = 1 }
    /^    squall / { n++; if (!path || !built || (/gemm[.]sq/ && !file)) { print; bad = 1 } }
    END { exit bad || n < 5 }' "$doc" || fail "these commands come before what they need"

"$SQUALL" compile gemm.sq -o gemm.c --header=gemm.h
prototype=$(sed -n 's/^    \(void gemm(.*;\)$/\1/p' "$doc")
[ -n "$prototype" ] && grep -qxF "$prototype" gemm.h || fail "the header lacks: $prototype"
"$CC" -std=c11 -O2 -Wall -Wextra -Werror -c gemm.c

"$SQUALL" compile gemm.sq --target=avx2 -o gemm.c --header=gemm.h
"$SQUALL" compile gemm.sq --target=avx2 -o gemm.c --header=gemm.h --check || fail "fresh files are stale"
echo >>gemm.c
if "$SQUALL" compile gemm.sq --target=avx2 -o gemm.c --header=gemm.h --check 2>log; then
    fail "a changed file is not stale"
fi

script=$(sed -n 's/^    \(tile(.*)\)$/\1/p' "$doc")
"$SQUALL" compile gemm.sq --target=avx2 -e "$script" -o - >/dev/null || fail "the schedule is refused"

for file in samples/make samples/cmake scripts/demo scripts/test docs/SCHEDULES.md docs/ARCHITECTURE.md \
    docs/HACKING.md bench/run LICENSE; do
    grep -qF "$(basename "$file")" "$doc" || fail "README.md does not name $file"
    [ -e "$SQUALL_SOURCE/$file" ] || fail "$file does not exist"
done

# Rooms and tables that docs/ARCHITECTURE.md and docs/HACKING.md name.
for file in $(grep -ohE '`(support|ir|frontend|transforms|codegen|tuner|runtime|cli|bench|tests)/[a-zA-Z_./]*\.(c|h|def|sh)`' \
    "$SQUALL_SOURCE"/docs/*.md | tr -d '`' | sort -u); do
    grep -qxF "New file \`$file\`:" "$SQUALL_SOURCE/docs/HACKING.md" && continue # a recipe's own
    [ -e "$SQUALL_SOURCE/$file" ] || fail "the documents name $file, which does not exist"
done
