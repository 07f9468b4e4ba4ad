#!/bin/sh
# squall compile: products, depfile, unchanged files, refusals that write nothing.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq

# Where products go.
expect 0 compile gemm.sq
silent
[ -s gemm.c ] || fail "no gemm.c"
[ ! -s out ] || fail "standard output is not empty"
absent gemm.h
expect 0 compile gemm.sq -o -
prints "void gemm("
expect 0 compile gemm.sq -o sub.c --header=gemm.h
grep -q '#include "gemm.h"' sub.c || fail "the source does not include its header"
grep -q 'extern "C"' gemm.h || fail "the header is not for C++"
expect 0 compile - -o - <gemm.sq
prints "void gemm("
expect 64 compile - <gemm.sq
says "name the output"
expect 0 compile gemm.sq --emit=src,header,sched,ast,report -o all.c
for f in all.c all.h all.sched all.ast all.report; do [ -e $f ] || fail "no $f"; done
grep -q "signature: void gemm(int M, int N, int K" all.report || fail "no signature in the report"
expect 0 compile gemm.sq --emit=report -o -
prints "kernel: gemm"

# What it gives compiles without a warning, and from C++.
"$CC" -std=c11 -O2 -Wall -Wextra -Werror -c sub.c -o sub.o
printf '#include "gemm.h"\nint main() { return 0; }\n' >use.cc
"${CXX:-g++}" -Wall -Wextra -Werror -c use.cc -o use.o

# Nor where sizes are known, and what is left over is known to be nothing.
cat >known.sq <<'K'
#include "squall.h"
kernel steps(int N, int16_t X[N + 2], int32_t s)
{
    assume(N >= 1);
    for (int i = 0; i < N; i++)
        X[i] -= (X[i + 1] < X[i + 2]) ? X[i + 1] : s;
}
kernel turned(int N, int M, inout f32 S[N][M], const f64 C[3][M], bf16 T[M][4], const f64 J[4][N])
{
    idx i, j, k, l, m;
    {
        range(k, 0, M);
        S[i][j] = sum(C[0][j], k);
    }
    T[l][m] = sum(J[m][i], i);
}
K
for n in 16 22; do
    expect 0 compile known.sq --target=generic,openmp --fix=N=$n -o known.c
    "$CC" -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c known.c -o known.o || fail "N=$n: a warning"
done

# f16 and bf16 are bits to callers, which the header says; C and C++ take it.
cat >halves.sq <<'K'
#include "squall.h"
kernel halves(int N, f16 a, const bf16 X[N], f16 Y[N]) { idx i; Y[i] = (f16)(a * (f32)X[i]); }
K
expect 0 compile halves.sq --header=halves.h
grep -q 'void halves(int N, uint16_t a, const uint16_t \*X, uint16_t \*Y)' halves.h ||
    fail "halves are not uint16_t"
grep -q 'f16 is uint16_t here' halves.h || fail "the header does not explain f16"
grep -q 'bf16 is uint16_t here' halves.h || fail "the header does not explain bf16"
"$CC" -std=c11 -O2 -Wall -Wextra -Werror -c halves.c -o halves.o
printf '#include "halves.h"\nint main() { return 0; }\n' >use.cc
"${CXX:-g++}" -Wall -Wextra -Werror -c use.cc -o use.o

# --fix: the size leaves the signature and stands in the header.
expect 0 compile gemm.sq --fix M=4,N=5,K=6 -o fixed.c --header=fixed.h
grep -q 'void gemm(const float \*A' fixed.h || fail "fixed sizes are still in the signature"
grep -q 'gemm_M = 4' fixed.h || fail "no constant for M"
expect 1 compile gemm.sq --fix=MM=4 -o x.c
absent x.c

# The provenance names tool, command and hashes, but no place and no time.
grep -q 'Written by squall [0-9]' fixed.c || fail "no tool version"
grep -q 'squall compile gemm.sq -o fixed.c --header=fixed.h --fix=M=4,N=5,K=6' fixed.c ||
    fail "no command"
grep -Eq 'source [0-9a-f]{32}, schedule [0-9a-f]{32}' fixed.c || fail "no hashes"
if grep -qF "$PWD" fixed.c || grep -q "$(date +%Y)-" fixed.c; then fail "a path or date"; fi

# The depfile.
mkdir -p inc "a b"
printf '#define TWO 2\n' >inc/two.h
{ echo '#include "two.h"'; gemm | sed 's/= sum/= TWO * sum/'; } >scaled.sq
expect 0 compile scaled.sq -Iinc -o scaled.c -MD
grep -q '^scaled.c:' scaled.d || fail "wrong target in scaled.d"
grep -q 'scaled.sq' scaled.d || fail "source not in scaled.d"
grep -q 'inc/two.h' scaled.d || fail "include not in scaled.d"
grep -q 'squall.h' scaled.d && fail "the built-in prelude is in scaled.d"
cp gemm.sq "a b/g.sq"
echo 'order(j, i, k)' >"a b/my.script"
expect 0 compile "a b/g.sq" --schedule="a b/my.script" -o g.c -MD -MF g.dep -MT 'the stamp' -MP
grep -q '^the\\ stamp: ' g.dep || fail "-MT is not in g.dep"
grep -q 'a\\ b/g.sq' g.dep || fail "blank not escaped in g.dep"
grep -q '^a\\ b/my.script:$' g.dep || fail "no phony target for the script"
expect 64 compile gemm.sq -o - -MD
says "needs -MF and -MT"
expect 64 compile gemm.sq -MF x.d
says "go with -MD"

# Macros by -D and by what follows --; both decide the bytes, so both are in the provenance.
gemm | sed 's/= sum/= TWO * sum/' >macro.sq
expect 1 compile macro.sq -o none.c
absent none.c
expect 0 compile macro.sq -DTWO=2 -o -
prints "squall compile macro.sq -DTWO=2 --target=generic"
expect 0 compile macro.sq -o - -- -DTWO=2
prints "--target=generic -- -DTWO=2"

# --if-changed leaves files alone; --check compares and writes nothing.
touch -d 2001-01-01 gemm.c
expect 0 compile gemm.sq --if-changed
[ "$(date -r gemm.c +%Y)" = 2001 ] || fail "an unchanged file was written"
expect 0 compile gemm.sq
[ "$(date -r gemm.c +%Y)" != 2001 ] || fail "the file was not written"
expect 0 compile gemm.sq --check
touch -d 2001-01-01 gemm.c
printf '// by hand\n' >>gemm.c
cp gemm.c changed.c
expect 1 compile gemm.sq --check
says "gemm.c is stale"
same gemm.c changed.c
expect 1 compile gemm.sq --check -o none.c
says "none.c is stale: it does not exist"
absent none.c

# The head names the code it came from: comments and blanks are none of it, names and literals are.
cp gemm.sq commented.sq
expect 0 compile commented.sq -o commented.c --header=commented.h
cp commented.c before.c
sed -e 's|;$|; /* a "quote" */ // and more|' -e 's|^{|{\n|' gemm.sq >commented.sq
expect 0 compile commented.sq --check -o commented.c --header=commented.h
same commented.c before.c
# hashes TEXT TEXT: of two descriptions, `=` the same, `!` others.
source_of() {
    printf '#include "squall.h"\n%b\nkernel f(int N, const f32 A[N], f32 Y[N]) { idx i; Y[i] = A[i] + VALUE; }\n' "$1" >hashed.sq
    expect 0 compile hashed.sq -o hashed.c --header=hashed.h -std=c2x
    sed -n 's/.*source \([0-9a-f]*\),.*/\1/p' hashed.c
}
hashes() {
    if [ "$(source_of "$2")" = "$(source_of "$3")" ]; then is='='; else is='!'; fi
    [ "$is" = "$1" ] || fail "hashes $2 and $3: not $1"
}
hashes = '#define VALUE 1' "/* it's */ #define\tVALUE   1 // \"one\""
hashes ! "#define Q 1'000 // it's /* here\n#define VALUE 1\n/* */" "#define Q 1'000 // it's /* here\n#define VALUE 2\n/* */"
hashes ! '#define VALUE __LINE__' '\n#define VALUE __LINE__'
hashes ! '#define S "a\\\r\n/* b"\r\n#define VALUE 1\r\n/* */' '#define S "a\\\r\n/* b"\r\n#define VALUE 2\r\n/* */'
sed 's/\<A\>/Left/g' gemm.sq >commented.sq
expect 1 compile commented.sq --check -o commented.c --header=commented.h
says "commented.c is stale"

# Schedules: -e, --schedule, refused, unreadable, missing.
expect 0 compile gemm.sq -e 'order(j, i, k)' -o -
prints "order(j, i, k)"
expect 0 compile gemm.sq -e 'tile(i:4)' -e 'order(i0, j, k, i)' --emit=sched -o one.sched
expect 0 compile gemm.sq --schedule=one.sched --emit=sched -o two.sched
same one.sched two.sched
expect 2 compile gemm.sq -e 'parallel(k)' -o refused.c
absent refused.c
says "-e:1:"
expect 1 compile gemm.sq -e 'tile(i:4' -o refused.c
expect 1 compile gemm.sq -e 'tlie(i:4)' -o refused.c
absent refused.c
expect 3 compile gemm.sq --schedule=missing.script -o refused.c
says "cannot read 'missing.script'"

# The world: missing input, output that cannot be written; old files stay.
expect 3 compile missing.sq
says "cannot read 'missing.sq': No such file or directory"
expect 3 compile gemm.sq -o no/such/folder/gemm.c
says "cannot write 'no/such/folder/gemm.c'"
echo old >keep.h
expect 3 compile gemm.sq -o no/such/folder/gemm.c --header=keep.h
[ "$(cat keep.h)" = old ] || fail "keep.h was written although its set failed"
mkdir folder
expect 3 compile gemm.sq -o folder
says "Is a directory"
expect 0 compile gemm.sq -o /dev/null
rc=0
"$SQUALL" compile gemm.sq -o - >/dev/full 2>err || rc=$?
[ $rc = 3 ] || fail "a full disk behind standard output gave $rc"

# Nothing that was read is written over, whatever its name; nor is one file written twice.
gemm >only.sq
cp only.sq only.before
ln -s only.sq link.c
ln only.sq hard.c
echo 'order(j, i, k)' >only.script
for conflict in '-o only.sq' '-o ./only.sq' '-o link.c' '-o hard.c' '-o x.c --header=only.sq' \
    '-o x.c -MD -MF only.sq' '-o x.c -MD -MF ../${scratch##*/}/only.sq' \
    '-o x.c --header=only.script --schedule=only.script' '-o conflict.c --header=conflict.c' \
    '-o conflict.c --header=./conflict.c' '-o conflict.c -MD -MF conflict.c'; do
    expect 64 compile only.sq $(eval echo "$conflict")
    says "would be written over"
    same only.sq only.before
    absent conflict.c
done
[ "$(cat only.script)" = 'order(j, i, k)' ] || fail "a script was written over"
rc=0
"$SQUALL" compile - -o only.sq <only.sq 2>err || rc=$?
[ $rc = 64 ] || fail "standard input from the file that -o names gave $rc"
same only.sq only.before
expect 0 compile only.sq -o /dev/null --header=/dev/null

# A wrong description: the old file stays.
echo old >kept.c
printf 'kernel f(int N) { idx i; nonsense[i] = 1; }\n' >bad.sq
expect 1 compile bad.sq -o kept.c
says "bad.sq:1:"
[ "$(cat kept.c)" = old ] || fail "kept.c was written"

# Several kernels in one file: one source, one header; a script is for one of them.
cat >two.sq <<'K'
#include "squall.h"
kernel first(int N, const f32 x[N], f32 y[N]) { idx i; y[i] = 2 * x[i]; }
kernel second(int N, const f32 x[N], f32 y[N]) { idx i; y[i] = 3 * x[i]; }
K
expect 0 compile two.sq -o two.c --header=two.h
"$CC" -std=c11 -O2 -Wall -Wextra -Werror -c two.c -o two.o
cat >use_two.cc <<'K'
#include "two.h"
int main()
{
    float x[2] = {1, 2}, y[2], z[2];
    first(2, x, y);
    second(2, x, z);
    return !(y[1] == 4 && z[1] == 6);
}
K
"${CXX:-g++}" -Wall -Wextra -Werror use_two.cc two.o -o use_two && ./use_two || fail "two kernels"
expect 64 compile two.sq -e 'order(i)' -o x.c
says "name one with --kernel=NAME"
expect 0 compile two.sq --kernel=second -e 'order(i)' -o x.c
grep -q 'void first(' x.c && fail "--kernel did not leave the other one out"

# A kernel may be called as a helper of another one is; not as the C library's functions are.
for helper in min max nest nest_min "" 1 1_min _; do
    cat >names.sq <<K
#include "squall.h"
kernel q(int N, const f32 x[N], f32 y[N]) { idx i; y[i] = 2 * x[i]; }
kernel q_$helper(int N, const f32 x[N], f32 y[N]) { idx i; y[i] = 3 * x[i]; }
K
    expect 0 compile names.sq -o names.c -q
    "$CC" -std=c11 -Wall -Wextra -Werror -c names.c -o names.o || fail "q and q_$helper conflict"
done
for name in memset strlen abs sqrtf exp printf INT32_MAX; do
    gemm | sed "s/kernel gemm/kernel $name/" >names.sq
    expect 1 compile names.sq -o -
done
gemm | sed 's/kernel gemm/kernel expf2/' >names.sq
expect 0 compile names.sq -o -

# A description for a newer squall.
for ask in 99 0.99 0.1.99; do
    { echo "// squall >= $ask"; gemm; } >newer.sq
    expect 63 compile newer.sq -o newer.c
    says "newer.sq:1:1: error: this needs a newer squall"
    absent newer.c
done
for ask in 0 0.0.9 0.1 0.1.0; do
    { echo "// squall >= $ask"; gemm; } >older.sq
    expect 0 compile older.sq -o -
done

# Looking inside.
expect 0 compile gemm.sq --dump=parse,deps
prints "# parse"
prints "# deps"
absent parse
grep -q "# scop" out && fail "a stage that was not asked for was dumped"
expect 0 compile gemm.sq --dump=all --stop-after=apply -o stopped.c
prints "# apply"
grep -q "# emit" out && fail "went on after --stop-after"
absent stopped.c
expect 0 compile gemm.sq -o - --time
says "parse"
says "ms"
expect 2 compile gemm.sq --require-tuned -o tuned.c
absent tuned.c
left=$(find . -name '*.tmp')
[ -z "$left" ] || fail "temporary files are left: $left"

# What fills temporaries that nothing reads is left out, and said.
cat >dead.sq <<'K'
#include "squall.h"
kernel dead(int M, int K, f32 E[M])
{
    idx i, j;
    f32 A[M][K], B[M];
    B[i] = 2.f;
    A[i][j] = B[i];
    E[i] = 1.f;
}
K
expect 0 compile dead.sq -o dead.c
says "dead.sq:7:5: warning: nothing reads the temporary 'A': left out"
says "dead.sq:6:5: warning: nothing reads the temporary 'B': left out"
"${CC:-cc}" -Wall -Wextra -Werror -c dead.c -o dead.o || fail "dead.c has warnings"

# A value that saturation needs twice.
cat >twice.sq <<'K'
#include "squall.h"
kernel twice(int N, const f32 A[N], int64_t b[N])
{
    idx i;
    b[i] = sat_int64(A[i] * 1e30f + A[i]);
}
K
expect 0 compile twice.sq -o twice.c
expect 0 check twice.sq

# Where the serial loop begins is said only where something is read along it.
cat >start.sq <<'K'
#include "squall.h"
kernel start(int M, int16_t A[M], const int8_t B[M], const int32_t C[M][2 * M])
{
    idx i, k, l;
    range(k, i + 1, M);
    range(l, 0, M);
    A[i] = sum(B[l] * C[l][2 * i + 1], k, l);
}
K
expect 0 compile start.sq --fix M=3 -o start.c -e ''
"$CC" -std=c11 -Wall -Wextra -Werror -c start.c -o start.o || fail "start.c does not compile"

# gcc 12 must not fail on few small elements, widened and chosen by a mask.
cat >mask.sq <<'K'
#include "squall.h"
kernel one_mask(int M, int8_t A[M][6], const int8_t B[M][6], const int32_t E[6])
{
    idx i, j;
    A[i][j] = 1 <= E[j] ? (int32_t)B[i][j] : 1;
}
kernel many_masks(int M, int8_t A[M][6], const int8_t B[M][6], const int32_t D[6][M])
{
    idx i, j;
    A[i][j] = D[j][i] <= 1 ? (int32_t)B[i][j] : 1;
}
K
. "$SQUALL_SOURCE/tests/targets.sh"
for target in $(targets 'arch == "" && cross == ""'); do
    for kernel in one_mask many_masks; do
        expect 0 compile mask.sq -o mask.c -e 'micro(i:12)' --target=$target --kernel=$kernel
        "$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror -O1 -c mask.c -o mask.o ||
            fail "$kernel for $target does not compile"
    done
done

# gcc 12 must not lose a nest that writes in place.
cat >place.sq <<'K'
#include "squall.h"
kernel place(int N, inout f32 A[N][2 * N])
{
    for (int a = 0; a < N - 2; a++)
        for (int b = 0; b < N; b++)
            A[a][2 * b] = 0.5f * A[a][b];
}
K
cat >place_main.c <<'C'
void place(int N, float *A);
int main(void)
{
    float A[5 * 10] = {0};
    for (int i = 0; i < 50; i++)
        A[i] = 1;
    place(5, A);
    return A[0] != 0.5f || A[2] != 0.5f || A[4] != 0.25f || A[1] != 1 || A[40] != 1;
}
C
for target in generic host; do
    expect 0 compile place.sq -o place.c -e '' --target=$target
    for flag in -O1 -O2 -fno-inline; do
        "$CC" -O1 $flag place.c place_main.c -o place && ./place || fail "$target $flag: lost"
    done
done

# Nor one that reads an array from both ends.
cat >ends.sq <<'K'
#include "squall.h"
kernel ends(const uint64_t M[15], uint64_t H[6][6])
{
    idx i, k;
    range(i, 0, 6);
    range(k, 0, i + 1);
    H[i][i] = min2(rmin(M[2 * k + 3] * M[i], k) / 2, M[5 - i]);
}
K
cat >ends_main.c <<'C'
#include <stdint.h>
void ends(const uint64_t *M, uint64_t *H);
int main(void)
{
    uint64_t M[15], H[36] = {0};
    for (int i = 0; i < 15; i++)
        M[i] = 2;
    ends(M, H);
    return H[0] != 2 || H[35] != 2;
}
C
expect 0 compile ends.sq -o ends.c --target=generic
for flag in -O1 -O2 -O3; do
    "$CC" $flag ends.c ends_main.c -o ends && ./ends || fail "$flag: lost"
done

# What a sum of small integers reads once is read in the type that the sum is in.
cat >still.sq <<'K'
#include "squall.h"
kernel still(int N, int M, const int8_t A[M][N], const int8_t B[M], int32_t C[N][M])
{
    idx i, j, k;
    C[i][j] = sum(A[k][i] * B[j], k);
}
K
for target in generic host; do
    expect 0 compile still.sq -o still.c --target=$target
    "$CC" -std=c11 -O1 -Wall -Wextra -Werror -c still.c -o still.o || fail "still.c on $target"
done

# What stands in a comparison that the types decide is loaded nowhere, before the loop neither.
cat >unloaded.sq <<'K'
#include "squall.h"
kernel unloaded(int N, inout int64_t L[1][1], const uint16_t G[3 * N + 1][N + 1])
{
    idx i, j, k;
    assume(N >= 1);
    range(j, 0, 1);
    range(i, 0, N);
    range(k, 2, N - 1);
    L[j][j] &= rmax(G[k][j] == -2 ? G[k + 1][j] : G[2 * i + k + 2][k], i, k) + ((int64_t)prod((-3), i));
}
K
for target in generic avx2; do
    expect 0 compile unloaded.sq -o unloaded.c --target=$target
    "$CC" -std=c11 -O1 -Wall -Wextra -Werror -c unloaded.c -o unloaded.o || fail "unloaded.c on $target"
done

# Comparisons that the types decide: compilers have nothing to warn of, and the outcome is C's.
cat >decided.sq <<'END'
#include "squall.h"
kernel k(int N, const uint32_t A[N], const uint8_t D[N], f32 B[N], f32 C[N], int32_t E[N],
         int32_t F[N], const int32_t G[N])
{
    idx i;
    B[i] = A[i] >= (uint32_t)0 ? 1.0f : 2.0f;
    C[i] = D[i] < 0 ? 1.0f : 2.0f;
    E[i] = (G[i] & 6) == 1;
    F[i] = ((G[i] | 1) != 2) + (D[i] <= 255) + (G[i] <= 255) + (D[i] == 255);
}
END
expect 0 compile decided.sq -o decided.c --header=decided.h
"$CC" -std=c11 -Wall -Wextra -Wtype-limits -Werror -c decided.c || fail "a warning of emitted text"
cat >main.c <<'END'
#include "decided.h"
int main(void)
{
    uint32_t a = 0;
    uint8_t d = 255;
    int32_t e, f, g = 300;
    float b, c;
    k(1, &a, &d, &b, &c, &e, &f, &g);
    return !(b == 1 && c == 2 && e == 0 && f == 3);
}
END
"$CC" -std=c11 main.c decided.c -o decided -lm
./decided || fail "a comparison is decided wrongly"

# A sum that has no place at the sizes given has no variable.
cat >nowhere.sq <<'K'
#include "squall.h"
kernel nowhere(int N, int M, int32_t C[M], const int32_t Q[4], int32_t D[N])
{
    idx i, k;
    for (int t = 0; t < 2; t++) {
        range(i, 2, M - 1);
        range(k, 0, N);
        C[i] = rmax(Q[k % 3 + 1], k);
        D[k] ^= 1;
    }
}
K
expect 0 compile nowhere.sq --fix=M=0 -o nowhere.c
"$CC" -std=c11 -Wall -Wextra -Werror -c nowhere.c -o nowhere.o || fail "nowhere.c does not compile"

# A group that begins with a statement without a sum has a price, too.
cat >unsummed.sq <<'K'
#include "squall.h"
kernel unsummed(int N, const f32 A[N][N], f32 G[N][N], const f32 X[N], f32 Y[N])
{
    idx i, j, k;
    G[i][j] = sum(A[i / 2][k], k);
    Y[i] = X[i];
}
K
expect 0 compile unsummed.sq --target=avx512 --fix=N=0 -o unsummed.c

# Nothing is compared with itself where two loops meet (gcc sees it under -fwrapv).
cat >meet.sq <<'K'
#include "squall.h"
kernel meet(int N, int M, uint16_t G[M + 1][M + 7], int32_t P[N + M][N + M], int32_t C[2 * N],
            const uint64_t F[N + M + 5])
{
    assume(N >= 1 && M >= 1);
    for (int i = 2; i < M - 2; i++)
        for (int j = 1; j < N - 1; j++)
            for (int k = 0; k < j; k++) {
                if (i <= k)
                    C[k + k] -= k < i ? G[i - 1][i + 2] : (F[k] | P[k][k]);
                else
                    P[i][j - 1] += F[i];
                P[j - 1][i] += F[i + 5];
            }
}
K
expect 0 compile meet.sq --target=generic -o meet.c
"$CC" -std=c11 -O1 -fwrapv -Wall -Wextra -Werror -c meet.c -o meet.o || fail "meet.c does not compile"

# A parameter takes the type of the elements before it has lanes: none is wider than the machine's.
for type in f32 f16 int32_t; do
    cat >scalar.sq <<K
#include "squall.h"
kernel scalar(f64 s, $type A[30])
{
    idx i;
    A[i] = ($type)s;
}
K
    for target in generic avx2 avx512; do
        expect 0 compile scalar.sq -o scalar.c --target=$target
        "$CC" -std=c11 -O1 -Wall -Wextra -Werror -c scalar.c -o scalar.o || fail "$type on $target"
    done
    expect 0 check scalar.sq --target=generic --quick
done

# Regions with strides and remainders, as C programs have them, are within the limits.
cat >turned_old.c <<'K'
void turned(int N, int M, int S[N + M + 2][N + N / 2 + 2 * M + 3])
{
#pragma scop
    for (int i = 0; i <= N - 1; i += 2)
        for (int j = N - 1; j >= i + 1; j--)
            for (int k = 0; k < N; k += 3)
                S[i][k] = S[k][i];
#pragma endscop
}
K
cat >thirds_old.c <<'K'
#include <stdint.h>
void thirds(int N, int M, int K,
    double (*F)[N + M + 1],
    double I[M],
    int32_t C[M + 4],
    const float H[4][46],
    float (*G)[3 * M],
    const int32_t B[46],
    const float *A,
    int8_t *T,
    int64_t x,
    const int64_t *P,
    const int32_t E[M][M][N],
    int64_t y,
    const int32_t D[M][M])
{
#pragma scop
    for (int i = 2; i <= (M - 2) - 1; i++) {
        for (int j = 0; j < (i + 1); j++) {
            for (int k = (N - 2) - 1; k >= 2; k--) {
                double s = F[j + 1][j + 3];
                for (int l = 0; l <= K - 1; l++) {
                    s += I[j];
                }
                if ((i % 3) != 1) {
                    F[i - 1][k - 1] += I[j];
                } else {
                    G[1][(2 * i) + i] += H[(k % 3) + 1][j + 1];
                }
            }
            for (int k = M - 1; k >= 0; k--) {
                I[k] -= A[j + 2];
            }
        }
        for (int j = 0; j <= (i + 1) - 1; j++) {
            for (int k = 1; k < (N - 1); k++) {
                if ((i % 2) != 1) {
                    T[j] += T[(((M - 2) - 1) - i) + 2] * T[((((M - 2) - 1) - i) + 2) + 2];
                }
                C[i - 1] += x >> 4;
            }
            for (int k = 0; k < N; k++) {
                C[i] += (P[j * N + k] == B[j + 3]) ? E[j][j][k] : y;
            }
        }
    }
#pragma endscop
}
K
for name in turned thirds; do
    expect 0 compile ${name}_old.c -o $name.c --target=generic
    "$CC" -std=c11 -O1 -Wall -Wextra -Werror -Wno-unused -c $name.c -o $name.o || fail "$name.c does not compile"
done

# A temporary that lives in registers has no pointer that could be hidden; the sign of a zero is kept.
cat >inside.sq <<'K'
#include "squall.h"
kernel inside(int M, int N, const f32 X[M][N], f32 Y[M][N])
{
    f32 T[M][N];
    idx i, j;
    T[i][j] = 2.0f;
    Y[i][j] = X[i][j] + T[i][j] * T[i][j];
}
K
expect 0 compile inside.sq -e 'fuse(S0, S1) micro(i:3)' -o inside.c --target=generic
"$CC" -std=c11 -O1 -Wall -Wextra -Werror -c inside.c -o inside.o || fail "inside.c does not compile"
cat >zero.sq <<'K'
#include "squall.h"
kernel zero(int N, const f32 X[N], f32 Y[N])
{
    idx i;
    Y[i] = X[i] * -0.0f;
}
K
cat >zero_main.c <<'K'
#include "zero.h"
#include <math.h>
int main(void)
{
    float x[37], y[37];
    for (int i = 0; i < 37; i++)
        x[i] = (float)(i + 1);
    zero(37, x, y);
    for (int i = 0; i < 37; i++)
        if (y[i] != 0 || !signbit(y[i]))
            return 1;
    return 0;
}
K
expect 0 compile zero.sq -o zero.c --header=zero.h --target=generic
"$CC" -std=c11 -O1 -Wall -Wextra -Werror zero.c zero_main.c -o zero_main && ./zero_main || fail "-0 becomes 0"

# One variable that many statements assign is compiled in a time that does not explode.
{
    echo '#include "squall.h"'
    echo 'kernel again(int N, const f32 X[N], f32 Y[N]) { for (int i = 0; i < N; i++) { f32 t = X[i];'
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32; do
        echo 't = t * t + 1.0f;'
    done
    echo 'Y[i] = t; } }'
} >again.sq
most=$(paced 8)
(ulimit -t "$most" && exec "$SQUALL" compile again.sq -o again.c --target=generic) ||
    fail "again.sq: more than $most s"

# Numbers of a script that the target has: the same as with them written out, for each one.
relative='tile(k:l1/128, j:64*lanes, i:6*8) pack(B at j0 as j:2*lanes) micro(i:6, j:2*lanes | k)'
for target in generic:4 avx2:8 avx512:16; do
    lanes=${target#*:}
    expect 0 compile gemm.sq --target="${target%%:*}" -e "$relative" --emit=sched -o relative.sched
    grep -q "tile(k:256, j:$((64 * lanes)), i:48) .*as j$((2 * lanes))) .*micro(i:6, j:$((2 * lanes)) | k)" relative.sched ||
        { cat relative.sched; fail "$target: other numbers"; }
done
for wrong in 'lanes/3:this is no whole number here' 'l2/0:this is no whole number here' \
    'l3*l3:this is too large'; do
    expect 2 compile gemm.sq --target=avx2 -e "micro(i:6, j:${wrong%%:*} | k)" -o refused.c
    says "${wrong#*:}"
done
expect 1 compile gemm.sq --target=avx2 -e 'micro(i:6, j:2*line | k)' -o refused.c
says "expected a number, lanes, registers, l1, l2 or l3, not 'line'"
