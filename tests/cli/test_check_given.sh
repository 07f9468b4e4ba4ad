#!/bin/sh
# squall check of K_in, which works in its caller's memory: what is wrong with it alone is found.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cp "$SQUALL_SOURCE/samples/gemm.sq" .
expect 0 compile gemm.sq -o gemm.c --target=generic
expect 0 check gemm.sq --target=generic --text=gemm.c --quick

# in_body FUNCTION PATTERN NEW WHAT: the line of that function's body with the pattern is another one.
in_body() { mutant gemm.c "/^[a-z].*[ *]$1(.*)\$/,/^}/s/.*$2.*/$3/" "[.]c: gemm M=.*$4"; }
in_body gemm_in 'gemm_nest(' '    (void)workspace;' ': wrong: C\['
in_body gemm_in 'return 0;' '    return 1;' ': crashed: '
mutant gemm.c '/ gemm_workspace(.*) { /s/? [1-9][0-9]* :/? 64 :/' '[.]c: gemm M=.*: ' # less than it uses
in_body gemm_in 'return 0;' '    return *(volatile char *)__builtin_malloc(48) = 0;' ': wrong: each call keeps '
found gemm.sq --target=generic --quick

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

# A NaN that is read past the end of one array and written past the end of another: the row that stands
# after a row of other sizes has its arrays at the start of their mappings.
beyond='kernel next(int M, const f32 A[M][5], f32 C[M][5]) { idx i, j; C[i][j] = 3 * A[i][j]; }'
printf '#include "squall.h"\n%s\n' "$beyond" >next.sq
cat >next.c <<'C'
#include <stddef.h>
void next(int M, const float *A, float *C);
void next(int M, const float *A, float *C)
{
    for (int i = 0; i < (M == 7 ? 40 : 5 * M); i++)
        C[i] = 3 * A[i];
}
size_t next_workspace(int M);
size_t next_workspace(int M) { (void)M; return 0; }
int next_in(int M, const float *A, float *C, void *workspace);
int next_in(int M, const float *A, float *C, void *workspace) { (void)workspace; if (M < 0) return 1; next(M, A, C); return 0; }
C
expect 1 check next.sq --target=generic --text=next.c --quick --at=M=3 --at=M=7
says "writes past the end of 'C'"

# K_in alone is wrong where more than 16 bits count the elements.
sed 's/M == 7 ? 40 : 5 [*] M/5 * M/' next.c >right.c
expect 0 check next.sq --target=generic --text=right.c --quick
sed 's/if (M < 0) return 1; next(M/if (M < 0) return 1; next(M > 9000 ? 9000 : M/' right.c >long.c
expect 1 check next.sq --target=generic --text=long.c --quick
says 'long.c: next M=13121: wrong: '
# The size itself is that long, too.
sed 's/next(M, A, C); return 0/next((short)M, A, C); return 0/' right.c >short.c
expect 1 check next.sq --target=generic --text=short.c --quick
says 'short.c: next M=65603: wrong: '

# Sizes are chosen by values as well as by conditions: a number that no text of ours has is met and passed.
cat >ends.sq <<'Q'
#include "squall.h"
kernel ends(int N, const f32 A[N], f32 C[N]) { idx i; C[i] = 3 * A[i]; }
Q
for n in 'N' 'N < 100000 ? N : 100000' '(N - 1) % 120000 + 1' 'N - N / 100000'; do
    cat >ends.c <<C
void ends(int N, const float *A, float *C);
void ends(int N, const float *A, float *C)
{
    int n = $n;
    for (int i = 0; i < n; i++)
        C[i] = 3 * A[i];
}
C
    rc=1
    [ "$n" != N ] || rc=0
    expect $rc check ends.sq --target=generic --text=ends.c
done
