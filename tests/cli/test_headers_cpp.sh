#!/bin/sh
# The header of every sample is C++17 without a warning, and C11.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
strict="-Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only"
find "$SQUALL_SOURCE/samples" -name '*.sq' | sort >samples
n=0
while read -r sample; do
    n=$((n + 1))
    expect 0 compile "$sample" --target=c -o "sample$n.c" --header="sample$n.h"
    printf '#include "sample%d.h"\n#include "sample%d.h"\n' $n $n >"includes$n.cc"
    cp "includes$n.cc" "includes$n.c"
done <samples
[ "$n" -gt 60 ] || fail "only $n samples"
# shellcheck disable=SC2086 # options
"${CC:-cc}" -std=c11 $strict includes*.c 2>err || fail "a header as C11"
command -v g++ >/dev/null || { echo "skipped: no g++" && exit 0; }
# shellcheck disable=SC2086
g++ -std=c++17 $strict includes*.cc 2>err || fail "a header as C++17"
printf 'long narrow(double x) { return x; }\n' >wrong.cc
# shellcheck disable=SC2086
! g++ -std=c++17 $strict wrong.cc 2>err || fail "the options warn of nothing"
exit 0
