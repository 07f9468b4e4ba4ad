#!/bin/sh
# squall check of text that was given: what is wrong with it is told from what cannot be built.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cp "$SQUALL_SOURCE/samples/gemm.sq" .
expect 0 compile gemm.sq -o gemm.c --header=gemm.h --target=c

expect 0 check gemm.sq --target=c --text=gemm.c --quick
prints "gemm: gemm.c: accesses in bounds, schedule legal, "
prints " as the naive nest on generic ("
prints "--quick: which blocks of the text ran was not looked at"

# mutant NAME EDIT: gemm.c edited; the edit has to have changed it.
mutant() {
    sed "$2" gemm.c >"$1.c"
    cmp -s gemm.c "$1.c" && fail "nothing to edit: $2"
    return 0
}
mutant wrong 's/k0 == 0, alpha/k0 == 1, alpha/'
mutant outside 's/f32x4_store(C + /f32x4_store(C - 1 + /'
mutant endless 's/left > 0; left--/left > 0; left += 0/'
mutant broken 's/int64_t left = n_k/int64_t left = n_q/'
mutant absent 's/\bgemm(/gemm2(/'

expect 1 check gemm.sq --target=c --text=wrong.c --quick
says "wrong.c: gemm M=1,N=1,K=1: wrong: C[0][0] is "
expect 1 check gemm.sq --target=c --text=outside.c --quick
says "outside.c: gemm M="
expect 1 check gemm.sq --target=c --text=endless.c --quick
says "timeout: took too long"

# 16 MB on the stack: squall's own may be larger than that of those who call the function.
printf '#include "squall.h"\nkernel copy(int N, const f64 A[N], f64 B[N]) { idx i; B[i] = A[i]; }\n' >copy.sq
expect 0 compile copy.sq -o copy.c
sed '/^static.* copy_nest(.*/,/^{/ s/^{/{ double big[2000000]; __asm__ volatile("" : : "r"(big) : "memory"); big[0] = (double)N; __asm__ volatile("" : : "r"(big) : "memory");/' copy.c >large.c
cmp -s copy.c large.c && fail "the text has no copy_nest"
expect 1 check copy.sq --text=large.c --quick
says "crashed"
expect 3 check gemm.sq --target=c --text=broken.c
says "broken.c: gemm: build_failed: error: "
expect 3 check gemm.sq --target=c --text=absent.c
says "absent.c: gemm: build_failed: "
expect 3 check gemm.sq --target=c --text=none.c
says "none.c"

# Several: each has its status, the first that is wrong the exit code.
expect 1 check gemm.sq --target=c --text=gemm.c --text=wrong.c --text=broken.c --quick --json
[ "$(grep -c '"status": "ok"' out)" = 1 ] || fail "one text of three is right"
prints '"status": "wrong"'
prints '"status": "build_failed"'
prints '"text": "wrong.c"'
says "wrong.c: gemm M="

# Functions of a C file with regions are no kernels that a text could have: nothing is built for that.
printf '#!/bin/sh\ntouch "%s/built"\nexec %s "$@"\n' "$PWD" "$CC" >noting-cc
chmod +x noting-cc
expect 64 check "$SQUALL_SOURCE/samples/scop/mix.c" --text=gemm.c --cc="$PWD/noting-cc"
says "the functions of a C file with regions are the user's"
absent built

# What stands behind a zero byte is no text that a compiler would see, and would not be checked.
{ cat gemm.c; printf 'int tail; \000 not C'; } >zero.c
expect 1 check gemm.sq --target=c --text=zero.c --quick
says "zero.c:$(wc -l <zero.c | awk '{ print $1 + 1 }'):11: error: here is a zero byte"

# What is done where there is nothing to reduce is done for one row of one column, too.
mutant row 's/if (M >= 1 && N >= 1)/if (M >= 1 \&\& N >= 1 \&\& (M > 1 || K > 0))/'
mutant column 's/if (M >= 1 && N >= 1)/if (M >= 1 \&\& N >= 1 \&\& (N > 1 || K > 0))/'
for text in row column; do
    expect 1 check gemm.sq --target=c --text=$text.c --quick
    says "$text.c: gemm M=1,N=1,K=0: wrong: C[0][0] is "
done

# What runs follows from the schedule: a bound that holds the first tile of k back, or the third.
cp gemm.c kept.c
expect 0 compile gemm.sq -o gemm.c -e 'tile(k:256, j:64, i:24) order(k0, j0, i0, j, i) micro(i:6, j:8 | k)'
for most in 256 512; do
    mutant bound "s/k0 < gemm_max(K, 1); k0 += 256/k0 < gemm_max(K, 1) \&\& k0 < $most; k0 += 256/"
    expect 1 check gemm.sq --text=bound.c --quick \
        -e 'tile(k:256, j:64, i:24) order(k0, j0, i0, j, i) micro(i:6, j:8 | k)'
    says "bound.c: gemm M="
    says ": wrong: C["
done
mv kept.c gemm.c

# mutant_of SAMPLE EDIT [SCRIPT]: wrong at few sizes. A row that is stored once more behind the first
# tile of the sum, where so many rows are left over; one step more than a tile but one has, where a
# triangle has a whole register tile.
mutant_of() {
    [ -f "$1.sq" ] || cp "$SQUALL_SOURCE/samples/$1.sq" .
    expect 0 compile "$1.sq" -o right.c --target=generic ${3:+-e "$3"}
    sed "$2" right.c >few.c
    cmp -s right.c few.c && fail "nothing to edit: $2"
    expect 1 check "$1.sq" --target=generic --text=few.c --quick ${3:+-e "$3"}
    says "few.c: $1 "
}
mutant_of gemm '/float sums/,/^}/s/i < n_i; i++/i < n_i + !first; i++/'
mutant_of gemm_s8 '/int32_t sums/,/^}/{/} else {/,/^}/s/i < n_i; i++/i <= n_i; i++/}'
triangle='tile(j:256, k:256, i:14) order(j0, k0, i0, j, i) pack(A at k0 as j8) micro(i:7, j:8 | k)'
mutant_of syrk '/ syrk_tile_i7_j8(/s/k0 + 255 >= K/k0 + 254 >= K/' "$triangle"
# Copies that are too long run over the next panel, which is packed anew, and over the last one.
mutant_of syrk '/^    b = extent <= 0/d' "$triangle"
# A workspace without room for one row, which shows where all of what aligns the first line is needed.
cat >columns.sq <<'K'
#include "squall.h"
kernel columns(int N, int M, const f32 X[N][M], f32 Y[M])
{
    f32 E[N][M];
    idx i, j;
    E[i][j] = X[i][j] * X[i][j];
    Y[j] = sum(E[i][j], i);
}
K
mutant_of columns 's/if (extent <= 0)/if (extent <= 1)/' 'S0: micro(j:4)'

# What it asks for and no size vector has is said: what takes too long, and what is one too many. Once
# and in a few lines; JSON has all of them.
cat >many.sq <<'K'
#include "squall.h"
kernel many(int L, int M, int N, int K, const f32 A[L][M][K], const f32 B[K][N], f32 C[L][M][N])
{
    idx l, i, j, k;
    C[l][i][j] = sum(A[l][i][k] * B[k][j], k);
}
K
many='tile(l:20, i:40, k:100000000) order(l0, i0, k0, l, i, j) micro(i:1, j:256 | k)'
expect 0 check many.sq --target=c --quick -e "$many"
prints ", a rest of a register tile: 320 size vectors are run at most"
prints " more, which --json names"
expect 0 check many.sq --target=c --quick -e "$many" --json
prints "K=100000000, a whole tile of k0: it takes too long or too much memory"
prints ", a third tile of k0: it takes too long or too much memory"
prints ", a rest of a register tile: 320 size vectors are run at most"
prints " more pairs, third tiles of both: each is run alone"
[ "$(grep -c '"K=100000000, ' out)" = 1 ] || fail "it is said once"
expect 0 check many.sq --target=c --quick -e 'tile(k:8) order(k0, l, i, j) micro(i:1, j:4 | k)'
grep -q 'not run' out && fail "all of it is run"

# Blocks: all ran, or are proven unreachable, or have a name; one that did not is an error.
expect 0 check gemm.sq --target=c
prints " blocks, "
prints " proven unreachable"
prints ", 0 never ran"
expect 0 check gemm.sq --target=c --fix=M=64,N=64,K=64
prints ", 0 never ran"
expect 0 check gemm.sq --target=c --fix=K=512
prints ", 0 never ran"

planted() {
    awk -v line="$2" '{ print } /^void gemm\(.*\)$/ { getline; print; print line }' gemm.c >"$1.c"
    grep -qF "$2" "$1.c" || fail "nothing was planted"
}
planted dead '    if (M == 123456789 && N > 0 && K > 0) C[0] = 1;'
expect 2 check gemm.sq --target=c --text=dead.c --json
says "dead.c:"
says "this condition was never true, and nothing proves that it cannot be"
prints '"what": "this condition was never true"'
prints '"text": "if (M == 123456789 && N > 0 && K > 0) C[0] = 1;"'
planted dead '    if (2 * M == -1 || 2 * K == 7) C[0] = 1;'
expect 0 check gemm.sq --target=c --text=dead.c
prints ", 0 never ran"
# What is called from there alone cannot run, nor what that calls, however often.
planted dead '    if (3 * (int64_t)M - 6 * (int64_t)N == 1000) deep(C);'
{ echo 'static void deepest(float *C) { for (int l = 0; l < 4; l++) C[l] += 1; }'
  echo '#define TEN(x) x x x x x x x x x x'
  echo 'static void deep(float *C) { TEN(TEN(deepest(C);)) }'
  cat dead.c
} >uncalled.c
expect 0 check gemm.sq --target=c --text=uncalled.c
prints ", 0 never ran"
# One that a size reaches, which the schedule does not ask for: it is found, and it is wrong.
planted found '    if (M == 801 && N > 0 && K > 0) C += 1;'
expect 1 check gemm.sq --target=c --text=found.c
says "found.c: gemm M=801,"
# One that no number in the text leads to: the sizes are solved for.
planted solved '    if (3 * M - 5 * N == 1003 && K > 0) C += 1;'
expect 1 check gemm.sq --target=c --text=solved.c
says "solved.c: gemm M=336,N=1,"

# A search for sizes in one text leaves the next text at the sizes that were chosen: the second
# has to be wrong wherever it is wrong alone, and by the same name.
planted alone '    if (M == 1 && N == 1 && K == 1) C += 1;'
expect 1 check gemm.sq --target=c --text=alone.c
says "alone.c: gemm M=1,N=1,K=1"
planted dead '    if (M == 123456789 && N > 0 && K > 0) C[0] = 1;'
expect 2 check gemm.sq --target=c --text=dead.c --text=alone.c
says "alone.c: gemm M=1,N=1,K=1"

# Wrong at its first call alone, in which results may move with the inputs: each call is judged by what it made itself.
cp "$SQUALL_SOURCE/samples/softmax.sq" .
expect 0 compile softmax.sq -o softmax.c --target=generic
{
    echo 'static int calls;'
    echo 'static void once(long M, long N, float *Y) { if (M > 0 && N > 0 && calls++ == 0) Y[0] += 0.25f; }'
    sed 's/^    softmax_nest(.*;/&\n    once(M, N, Y);/' softmax.c
} >once.c
[ "$(grep -c '    once(M, N, Y);' once.c)" = 2 ] || fail "nothing was planted behind both calls of the loops"
expect 1 check softmax.sq --target=generic --text=once.c --quick
says ": wrong: Y[0]"

# Memory of one call serves the next ones; where an array was, nobody may write.
planted stale '    static float *first; if (!first && M > 0 && N > 0) first = C; else if (M * N > 2000) *first = 1;'
expect 1 check gemm.sq --target=c --text=stale.c --quick

# Threads of what is not timed sleep where they wait: those that spin take the time of the others. A policy that was
# asked for stays.
planted waits '    const char *policy = getenv("OMP_WAIT_POLICY"); if (M > 0 && N > 0 && (!policy || policy[0] != 0x70)) C[0] = 1;'
(unset OMP_WAIT_POLICY; expect 0 check gemm.sq --target=c --text=waits.c --quick)
(OMP_WAIT_POLICY=active; export OMP_WAIT_POLICY; expect 1 check gemm.sq --target=c --text=waits.c --quick)

# All rows are right, and then the text ends the process with a status or by a signal.
for end in '_Exit(7)' 'abort()'; do
    { cat gemm.c
      echo '#include <stdlib.h>'
      echo "__attribute__((destructor)) static void at_exit(void) { $end; }"
    } >exits.c
    expect 1 check gemm.sq --target=c --text=exits.c --quick
    says "exits.c: gemm M="
done

# Text for sizes that break an assumption runs, too.
cat >window.sq <<'K'
#include "squall.h"
kernel window(int M, int N, const f32 X[M], f32 Y[N])
{
    idx i;
    assume(M >= N + 2);
    assume(N >= 64 && N <= M);
    Y[i] = X[i] - X[i + 2];
}
K
expect 0 check window.sq
prints " 0 proven unreachable"
prints ", 0 never ran"
expect 0 compile window.sq -o window.c
sed 's/for (int64_t i = 0; i < N; i++)/for (int64_t i = 1; i < N; i++)/' window.c >late.c
cmp -s window.c late.c && fail "the written order is not in window.c"
expect 1 check window.sq --text=late.c
says "late.c: window M=3,N=1: wrong: Y[0] is "

# What is too much for pairs of sizes is counted.
cat >two.sq <<'K'
#include "squall.h"
kernel two(int M, int N, int K, f32 A[M][N], f32 B[M][K])
{
    idx i, j;
    A[i][j] = A[i][j] * 2;
    B[i][j] = B[i][j] * 2;
}
K
expect 0 check two.sq -e 'S0: tile(i:4096, j:4096)
S1: tile(i:4096, j:4096)' --target=generic --quick
prints " and 1 more pair, third tiles of both"

# What a statement without arithmetic takes counts as well: no size is tried at which that is too long.
cat >again.sq <<'K'
#include "squall.h"
kernel again(int N, int64_t M, const int32_t P[N], int64_t A[N][M])
{
    idx i, j;
    for (int t = 0; t < M; t++) {
        A[i][j] = P[i];
    }
}
K
expect 0 check again.sq --target=generic --quick
prints "M beyond 32768: it takes too long or too much memory"

# Kernels of others that are right as they are compiled: rows whose length is known, read as one; every second element of
# two, as real and imaginary parts; bytes three apart; backwards. All blocks ran or are proven unreachable.
cat >plain.sq <<'K'
#include "squall.h"
kernel rows(int T, const f32 Y[T][768], inout f32 X[T][768])
{
    idx t, d;
    X[t][d] += Y[t][d];
}
kernel size_of_complex(int N, const f32 X[N][2], f32 Y[N])
{
    idx i;
    Y[i] = sqrtf(X[i][0] * X[i][0] + X[i][1] * X[i][1]);
}
kernel luma(int N, const uint8_t X[3 * N], uint8_t Y[N])
{
    idx i;
    Y[i] = (66 * X[3 * i] + 129 * X[3 * i + 1] + 25 * X[3 * i + 2] + 128) / 256 + 16;
}
kernel backwards(int N, const f32 X[N], const f32 Z[N], f32 Y[N])
{
    idx i;
    Y[i] = X[N - 1 - i] + Z[N - 1 - i] * X[i];
}
K
expect 0 check plain.sq --target=generic
expect 0 check plain.sq --target=host
cp "$SQUALL_SOURCE/samples/image/kernels.sq" image.sq
expect 0 check image.sq --target=generic
{ echo '#include "squall.h"'
  for n in 8 10 40 64; do
      sed -n "/^kernel rows(/,/^}/{s/768/$n/g; s/ rows(/ rows_$n(/; p}" plain.sq
  done
} >short.sq
for target in generic host; do
    expect 0 check short.sq --target=$target
    [ "$(grep -c ', 0 never ran' out)" = 4 ] || fail "there are short rows that were not checked"
done

# Sizes that break an assumption and are computed all the same: the naive nest is right there, too.
cat >fours.sq <<'K'
#include "squall.h"
kernel fours(int M, int N, const f32 A[M][N], f32 B[M][N])
{
    idx i, j;
    f32 T[N];
    assume(N % 4 == 0);
    T[j] = sum(A[i][j], i);
    B[i][j] = T[j];
}
K
expect 0 check fours.sq --target=generic
prints ', 0 never ran'
