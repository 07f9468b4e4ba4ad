#!/bin/sh
# Same input, same bytes: in another folder, by another path, under another locale, time zone, home
# and user name, and whatever else is in the environment.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
mkdir -p one "two/deep er"
gemm >one/gemm.sq
cp one/gemm.sq "two/deep er/gemm.sq"
words="--fix M=7 --target=avx2,openmp -o gemm.c --header=gemm.h"

(cd one && "$SQUALL" compile gemm.sq $words)
(
    cd "two/deep er"
    mkdir home
    unset USER LOGNAME
    LC_ALL=$(locale -a 2>/dev/null | grep -iE '^(de|fr|tr)_' | head -n 1)
    LANG=de_DE.UTF-8 LC_ALL=${LC_ALL:-C.UTF-8} TZ=Asia/Tokyo HOME=$PWD/home SOURCE_DATE_EPOCH=1 \
        COLUMNS=20 "$SQUALL" compile "$PWD/gemm.sq" $words
)
same one/gemm.c "two/deep er/gemm.c"
same one/gemm.h "two/deep er/gemm.h"

# Below --root the place shows, relative to it; outside it does not.
expect 0 compile "$PWD/one/gemm.sq" --root="$PWD" -o -
prints "from one/gemm.sq"
expect 0 compile "$PWD/one/gemm.sq" --file-prefix-map="$PWD=src" -o -
prints "from src/one/gemm.sq"
grep -qF "$PWD" out && fail "an absolute path is in the output"

# The order of options does not matter.
expect 0 compile --target=avx2 one/gemm.sq --fix=M=7 -o -
cp out first
expect 0 compile --fix M=7 one/gemm.sq -o - --target avx2
same out first
