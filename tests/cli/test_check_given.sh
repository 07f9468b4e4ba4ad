#!/bin/sh
# squall check of K_in, which works in its caller's memory: what is wrong with it alone is found.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cp "$SQUALL_SOURCE/samples/gemm.sq" .
expect 0 compile gemm.sq -o gemm.c --target=generic
expect 0 check gemm.sq --target=generic --text=gemm.c --quick

# mutant FUNCTION PATTERN NEW: the line of that function's body with the pattern is another one.
mutant() {
    awk -v f="$1" -v p="$2" -v new="$3" '/^[a-z].*[)]$/ { in_it = index($0, f "(") }
        in_it && $0 ~ p { print new; next } { print }' gemm.c >mutant.c
    cmp -s gemm.c mutant.c && fail "$1 has no line with $2"
    expect 1 check gemm.sq --target=generic --text=mutant.c --quick
    says "mutant.c: gemm M="
}
mutant gemm_in 'gemm_nest[(]' '    (void)workspace;'
says ": wrong: C["
mutant gemm_in 'return 0;' '    return 1;'
says ": crashed: "
mutant gemm_workspace 'return [1-9]' '    return 64;' # less than it uses
