#!/bin/sh
# squall check of text that was given: what && and || join and what stands in front of a ? branches, too. Each
# operand has to be seen both ways, or to be proven.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cp "$SQUALL_SOURCE/samples/gemm.sq" .
gemm='tile(k:256, j:64, i:24) order(k0, j0, i0, j, i) micro(i:6, j:8 | k)'
expect 0 compile gemm.sq -o gemm.c --target=c -e "$gemm"

# cut EDIT SIZES: gemm.c edited is wrong beyond sizes that its schedule does not ask for.
cut() { mutant gemm.c "$1" "[.]c: gemm .*$2.*: wrong: C\["; }
cut 's/k0 < gemm_max(K, 1); k0 += 256/k0 < gemm_max(K, 1) \&\& (k0 < 768 || K > 60000); k0 += 256/' ',K=(769|32771|60000)'
cut 's/j0 < N; j0 += 64/j0 < N \&\& (j0 < 1024 || N > 60000); j0 += 64/' ',N=(1025|32771|60000),'
cut 's/return M >= 0 && N >= 0/return M >= 0 \&\& M != 777 \&\& N >= 0/' 'M=777,'
cut 's/if (M >= 1 && N >= 1)/if (M >= 1 \&\& !(N == 901 || N < 1))/' ',N=901,'
# Both sides of a minimum are seen elsewhere: sizes follow from the number, which squall does not write there.
cut 's/k0 < gemm_max(K, 1); k0 += 256/k0 < gemm_min(gemm_max(K, 1), K > 60000 ? K : 768); k0 += 256/' ',K=(769|32771|60000)'
cut 's/j0 < N; j0 += 64/j0 < gemm_min(N, N > 60000 ? N : 1024); j0 += 64/' ',N=(1025|32771|60000),'
found gemm.sq --target=c -e "$gemm"
grep -q 'accesses in bounds' out && fail "the report of a wrong text says that it is right"

scale_sq >scale.sq

# open OPERAND OUTCOME TEXT [BEFORE]: that operand alone, with a mark under it.
open() {
    scale "$3" "${4-}" >scale.c
    expect 2 check scale.sq --target=generic --text=scale.c --json
    says "error: this operand was never $2, and nothing proves that it cannot be"
    [ "$(grep -c ': error: ' err)" = 1 ] || fail "more than the operand"
    prints "\"operand\": \"$1\""
}
# No square leaves 3 when it is divided by 7, and none of these ends where compilers see that.
never='(int64_t)N * N % 7 == 3'
open '(Y[0] = 0)' false "    (void)($never && (Y[0] = 0));"
open '(Y[0] = 0)' false "    (void)(N < 0 || !($never) || (Y[0] = 0));"
open "$never" true "    if (N > 4) Y[0] = $never ? 0 : Y[0];"
open "(!($never))" false "    if (N > 4) Y[0] *= (!($never)) ?: 0;"
open "$never" true "    float y = ({ int z = N > 3 && $never; z; }); if (N > 4) Y[0] -= y;"
open "$never" true "    do { N--; } while (N > 0 && ($never || N > 100));"
open "$never" true "    if (N > 4) Y[f(N)] -= 0;" "static int f(int N) { return $never ? -1 : 0; }"
open "$never" true "    float y = ({ int z = sizeof(int) && $never; z; }); if (N > 4) Y[0] -= y;"
open 'n != 3' false '    for (int64_t i = 0, n = (int64_t)N * N % 7; i < 2 && n != 3; i++)
        (void)i;'
grep -q '^ *| *\^~~~~~$' err || fail "the mark is not under it"

# What is affine is proven, with what was decided in front of it.
fine() {
    scale "$1" "${2-}" >scale.c
    expect 0 check scale.sq --target=generic --text=scale.c
    prints ", 0 never ran"
}
fine '    if (N > 4 && (N < 3 || N > 3)) Y[0] -= 0;'
fine '    if (N > 4) Y[0] -= N > 4 ? 0 : N > 2 ? 1 : 2;'
fine '    for (int64_t i = 0; i < N && i <= N; i += 3) Y[i] -= 0;'

# Constants of the compiler branch nowhere.
fine '    static const int t = 3 > 2 && sizeof(float) == 4;
    enum { SIZE = 1 ? 4 : 8 };
    float part[2 > 1 ? 4 : 8] __attribute__((aligned(1 ? 16 : 8)));
    _Static_assert(SIZE == 4 && sizeof part > 4, "");
    __asm__ volatile("" : : "r"(sizeof(N ? 1 : 2)), "i"(1 && 1));
    part[0] = t;
    if (N > 4) Y[0] -= 0 * part[0];'

# The address of a label is a value, behind a cast as well.
fine '    void *to = N > 4 ? (void *)&&far : &&near;
    uintptr_t other = N > 4 ? (uintptr_t)&&far : (unsigned long)&&near;
    if (to == (void *)other && (to || N > 4)) goto *to;
far:
near:;'

# What a loop asks before it ends is asked once where its condition does not hold.
scale '    for (int64_t i = 0; asked(i, N, Y) && i < N; i++)
        Y[i] -= 0;' 'static int asked(int64_t i, int64_t n, float *Y)
{
    if (i >= n && n > 60000000) Y[0] = 0;
    return 1;
}' >scale.c
expect 2 check scale.sq --target=generic --text=scale.c
says 'this condition was never true, and nothing proves that it cannot be'
