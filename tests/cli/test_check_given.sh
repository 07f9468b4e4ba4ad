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
mutant gemm_in 'return 0;' '    return *(volatile char *)__builtin_malloc(48) = 0;'
says ': wrong: each call keeps '

# leaks BYTES TEXT: memory that each call takes and none frees; what is kept for later calls is none.
scale_sq >scale.sq
leaks() {
    scale "$2" >scale.c
    expect 1 check scale.sq --target=generic --text=scale.c --quick
    says ": wrong: each call keeps $1"
}
leaks 4 '    *(volatile char *)__builtin_malloc(40) = 0;'
leaks 100 '    *(volatile char *)__builtin_malloc(1000000) = 0;' # a mapping of its own
scale '    static char *kept; static int n, of;
    if (!kept || N > n) { __builtin_free(kept); kept = __builtin_malloc(64 * (n = N + 1)); }
    static char *each[4]; __builtin_free(each[of % 4]);
    *(volatile char *)(each[of++ % 4] = __builtin_malloc(N + 40)) = *kept = 0;' >scale.c
expect 0 check scale.sq --target=generic --text=scale.c --quick
