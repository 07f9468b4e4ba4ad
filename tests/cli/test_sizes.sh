#!/bin/sh
# One function for several sizes: entries of a .sched file, several --at, several lines `#pragma squall tune`, each a
# schedule of its own, and sets of constants (--fix=S=1|2). Programs call the function at odd sizes around each, compare
# with loops as written, and see by a copy of the text whose ways count their calls which schedule was taken.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cc=${CC:-gcc}
warn="-std=gnu11 -O2 -Wall -Wextra -Wpedantic -Wmissing-prototypes -Werror"
zero=00000000000000000000000000000000
class=generic
grep -qw avx2 /proc/cpuinfo 2>/dev/null && class=avx2

cat >mul.sq <<'K'
#include "squall.h"
kernel mul(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M][N])
{
    idx i, j, k;
    C[i][j] = sum(A[i][k] * B[k][j], k);
}
K
hash=$("$SQUALL" tune mul.sq --target=$class --at=M=2,N=2,K=2 --trials=1 --store=none -q &&
    sed -n 's/^hash \([0-9a-f]*\).*/\1/p' mul.$class.sched)
# entry SIZES SCRIPT
entry() { printf '\nhash %s source %s\nkernel mul at %s {\n %s\n}\n' "$hash" $zero "$1" "$2"; }
row='tile(k:64)' block='tile(j:256, k:64) order(j0, k0, i, j) pack(B at k0 as j8) micro(i:2, j:8 | k)'
{
    printf 'squall-sched 1\nclass %s\n' $class
    entry M=1,N=64,K=64 "$row"
    entry M=64,N=64,K=64 "$block"
    entry M=8,N=8,K=8 'tile(i:4)'
} >three.sched
cp three.sched mul.$class.sched

# counts FILE: the text with every call of a way counted: mul_v2(...) adds one to taken[2], mul_v2_in to given[2].
counts() {
    echo 'int taken[65], given[65];'
    awk '/^static .*_v[0-9]+(_in)?\(.*\)$/ { n = $0; sub(/.*_v/, "", n); which = n ~ /^[0-9]+_in/ ? "given" : "taken"
                                           sub(/[^0-9].*/, "", n); at = which "[" n "]++;" }
         { print } /^{$/ && at { print "    " at; at = "" }' "$1"
}

cat >main.c <<'C'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void mul(int, int, int, const float *, const float *, float *);
int mul_in(int, int, int, const float *, const float *, float *, void *);
size_t mul_workspace(int, int, int);
extern int taken[65], given[65];
enum { MOST = 300 };
static float a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], d[MOST * MOST];

static int differs(int m, int n, int k)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0, t = 1e-5;
            for (int l = 0; l < k; l++)
                sum += (double)a[i * k + l] * b[l * n + j];
            t *= k + 1;
            if (!(c[i * n + j] - sum < t && sum - c[i * n + j] < t))
                return 1;
        }
    for (int i = m * n; i < m * n + 8; i++) /* behind the result nothing is written */
        if (c[i] != 7)
            return 1;
    return 0;
}

static void poison(void)
{
    for (int i = 0; i < MOST * MOST; i++)
        c[i] = 7;
}

/* One call of each function; the number of the schedule that both took. */
static int call(int m, int n, int k)
{
    memset(taken, 0, sizeof taken);
    memset(given, 0, sizeof given);
    poison();
    mul(m, n, k, a, b, c);
    int bad = differs(m, n, k);
    size_t bytes = mul_workspace(m, n, k);
    unsigned char *workspace = malloc(bytes + 64);
    memset(workspace, 0xff, bytes + 64);
    poison();
    bad |= mul_in(m, n, k, a, b, c, workspace) || differs(m, n, k);
    for (int i = 0; i < 64; i++)
        bad |= workspace[bytes + i] != 0xff;
    free(workspace);
    int which = 0;
    for (int i = 0; i < 65; i++) {
        bad |= taken[i] != given[i];
        which = taken[i] ? i : which;
    }
    return bad ? -1 : which;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < MOST * MOST; i++) {
        a[i] = (float)(i % 17 - 8) / 8;
        b[i] = (float)(i % 13 - 6) / 8;
    }
    for (int i = 1; i + 3 < argc; i += 4) {
        int m = atoi(argv[i]), n = atoi(argv[i + 1]), k = atoi(argv[i + 2]), want = atoi(argv[i + 3]);
        int which = call(m, n, k);
        if (which != want && (want || which < 0)) {
            printf("M=%d N=%d K=%d: %d instead of %d\n", m, n, k, which, want);
            return 1;
        }
    }
    static const int odd[] = {0, 1, 2, 3, 7, 13, 31, 33, 127, 129};
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            for (int l = 0; l < 10; l += 3)
                if (call(odd[i], odd[j], odd[(l + i) % 10]) < 0)
                    return printf("M=%d N=%d K=%d: wrong\n", odd[i], odd[j], odd[(l + i) % 10]), 1;
    poison();
    mul(-1, 3, 3, a, b, c);
    return c[0] != 7 || mul_in(-1, 3, 3, a, b, c, d) != 1 || mul_workspace(-1, 3, 3) != 0;
}
C

# taken FILE SIZES...: the program runs, with M N K and the number of the schedule (0: any) for each call.
taken() {
    file=$1
    shift
    counts "$file" >counted.c
    # shellcheck disable=SC2086 # a list of words
    $cc $warn ${threads-} -Wno-overlength-strings -c "$file" -o file.o || fail "$file has warnings"
    $cc -std=gnu11 -O2 -w ${threads-} counted.c main.c -o prog -lm || fail "$file is not built"
    ./prog "$@" >log || fail "$file: $(cat log)"
}

# Entries of a file: exact sizes first, then the nearest by the sum of logarithms; of equal ones the first.
expect 0 compile mul.sq --target=$class -o mul.c --header=mul.h
says "'mul' has 3 schedules, at M=1,N=64,K=64, at M=64,N=64,K=64, at M=8,N=8,K=8: a call takes the nearest"
for text in mul.c mul.h; do
    for at in M=1,N=64,K=64 M=64,N=64,K=64 M=8,N=8,K=8; do
        grep -q "^ \*   mul at $at: " $text || fail "$text does not say what is for $at"
    done
    grep -q 'A call takes the schedule for its sizes, else the one for the nearest' $text || fail "$text says no rule"
done
grep -q '^/\* mul has 3 schedules, for' mul.h || fail "the header does not say that there are 3"
points="1 64 64 1  64 64 64 2  8 8 8 3  2 64 64 1  7 64 64 1  9 64 64 2  100 100 100 2  1 1 1 3  1 200 60 1  200 1 1 3  6 30 30 3"
# shellcheck disable=SC2086 # a list of words
taken mul.c $points 8 64 64 1 127 65 63 2 3 9 7 3 0 64 64 1

# --at chooses of them; two of them, in its order; none of them.
expect 0 compile mul.sq --target=$class -o one.c --at=M=64
silent
grep -q 'mul_v1' one.c && fail "one schedule, and a choice"
expect 0 compile mul.sq --target=$class -o two.c --at=M=64,N=64,K=64 --at=M=1
taken two.c 64 64 64 1 1 64 64 2 8 64 64 1
expect 2 compile mul.sq --target=$class -o none.c --at=M=64,N=64,K=64 --at=M=5,N=5,K=5
says "mul.$class.sched has no schedule of 'mul' for these sizes"
absent none.c

# The text of one schedule is what it is in a file of its own, and equal scripts are one: byte for byte.
cp mul.$class.sched all
{ printf 'squall-sched 1\nclass %s\n' $class && entry M=64,N=64,K=64 "$block"; } >mul.$class.sched
expect 0 compile mul.sq --target=$class -o mul.c --header=mul.h
silent
cp mul.c alone.c && cp mul.h alone.h
entry M=9,N=9,K=9 "$block" >>mul.$class.sched
expect 0 compile mul.sq --target=$class -o mul.c --header=mul.h
silent
same mul.c alone.c
same mul.h alone.h
{ cat all && entry M=200,N=200,K=200 "$row"; } >mul.$class.sched
expect 0 compile mul.sq --target=$class -o four.c
says "3 schedules, at M=1,N=64,K=64; M=200,N=200,K=200, at M=64,N=64,K=64, at M=8,N=8,K=8:"
taken four.c 200 200 200 1 64 64 64 2 1 64 64 1 180 190 200 1
cp all mul.$class.sched

# Sizes whose logarithms are equal in 1024ths are distinguished.
{ printf 'squall-sched 1\nclass %s\n' $class && entry M=4096,N=1,K=1 "$row" && entry M=4097,N=1,K=1 'tile(i:4)'; } \
    >mul.$class.sched
expect 0 compile mul.sq --target=$class -o exact.c
taken exact.c 4096 1 1 1 4097 1 1 2 4098 1 1 1
cp all mul.$class.sched

# Threads, of OpenMP and of the caller; several targets; C++; what the other options leave.
threads=-fopenmp
expect 0 compile mul.sq --target=$class,openmp -o mp.c
taken mp.c 1 64 64 1 64 64 64 2 8 8 8 3
threads=
expect 0 compile mul.sq --target=$class,tasks -o on.c --header=on.h
grep -q '^int mul_on(' on.h || fail "no mul_on"
# shellcheck disable=SC2086
$cc $warn -c on.c -o on.o
expect 0 compile mul.sq --targets=$class,c -o targets.c --header=targets.h --prefix=lib_
# shellcheck disable=SC2086
$cc $warn -c targets.c -o targets.o
grep -q "static int sq_lib_mul_${class}_way(" targets.c || [ $class = generic ] || fail "a target without a choice"
grep -q 'has several schedules for a target' targets.h || [ $class = generic ] ||
    fail "targets.h does not say that a target has several"
expect 0 compile mul.sq --target=$class --freestanding -o free.c --header=free.h
# shellcheck disable=SC2086
$cc $warn -ffreestanding -c free.c -o free.o
grep -q '^void mul(' free.h && fail "a freestanding K takes memory"
expect 0 compile mul.sq --target=$class --static -o static.c
printf '#include "static.c"\nint main(void) { mul(0, 0, 0, 0, 0, 0); return 0; }\n' >include.c
# shellcheck disable=SC2086
$cc $warn include.c -o include && ./include
expect 0 compile mul.sq --target=$class --visibility=hidden --single-header=single.h
printf '#define SQUALL_SINGLE_IMPLEMENTATION\n#include "single.h"\nint main(void) { return 0; }\n' >single.c
# shellcheck disable=SC2086
$cc $warn single.c -o single
! command -v g++ >/dev/null ||
    { expect 0 compile mul.sq --target=$class -o cpp.c --bindings=cpp.hpp &&
        printf '#include "cpp.hpp"\nint main() { return 0; }\n' >cpp.cc && g++ -std=c++20 -Wall -Wextra -c cpp.cc; }
expect 64 compile mul.sq --target=$class --emit=sched -o mul.script
says "a script is one schedule, and 'mul' has 3"
{ cat mul.sq && echo 'kernel mul_v2(int M, int N, int K, f32 X[M][N][K]) { idx i, j, k; X[i][j][k] = 2; }'; } >names.sq
expect 1 compile names.sq --target=$class -o names.c --at=M=1,N=256,K=256 --at=M=256,N=256,K=256
says "'mul_v2' is also the name of a function of kernel 'mul', which has several schedules"

# Without a file the model chooses for every --at, and for every line in the description.
rm mul.$class.sched
expect 0 compile mul.sq --target=$class -o at.c --at=M=1,N=256,K=256 --at=M=256,N=256,K=256
says "'mul' has 2 schedules"
taken at.c 1 256 256 1 256 256 256 2
{ printf '#include "squall.h"\n#pragma squall tune M=1 N=256 K=256\n#pragma squall tune M=256 N=256 K=256\n' &&
    sed 1d mul.sq; } >lines.sq
expect 0 compile lines.sq --target=$class -o lines.c
says "'mul' has 2 schedules"
taken lines.c 1 256 256 1 256 256 256 2
sed -e '/^ \*/d' -e '/^\/\* Written/d' at.c >at.text
sed -e '/^ \*/d' -e '/^\/\* Written/d' lines.c >lines.text
same at.text lines.text
expect 0 explain lines.sq --target=$class
prints '  schedule at M=1,N=256,K=256: '
prints '  schedule at M=256,N=256,K=256: '
prints '  A call takes the schedule for its sizes, else the one for the nearest'
prints '  what is compiled for M=1,N=256,K=256:'
prints '  what is compiled for M=256,N=256,K=256:'
[ "$(grep -c '^  S0, a step of k in mul' out)" = 2 ] || fail "explain counts steps of one schedule"
[ "$(grep -c '^    loop i, around S0' out)" = 1 ] || fail "the same loops twice"
expect 0 explain lines.sq --target=$class --json
json 'len(j["kernels"]) == 1 and [s["at"] for s in j["kernels"][0]["schedules"]] == ["M=1,N=256,K=256", "M=256,N=256,K=256"]'
json 'all(s["counts"] and s["statements"] for s in j["kernels"][0]["schedules"])'
json 'j["kernels"][0]["counts"] == j["kernels"][0]["schedules"][0]["counts"] != j["kernels"][0]["schedules"][1]["counts"]'
json 'j["kernels"][0]["schedules"][1]["panel_bytes"] > 64 and len(j["kernels"][0]["loops"]) == 3'
expect 0 explain lines.sq --target=$class --at=M=256,N=256,K=256
! grep -q 'M=1,N=256,K=256\|what is compiled for' out || fail "--at does not pick"
expect 0 show schedule lines.sq --target=$class --json
json '[k["at"] for k in j["kernels"]] == ["M=1,N=256,K=256", "M=256,N=256,K=256"]'
expect 64 compile mul.sq --target=cuda,arch=sm_80 -o cuda.cu --at=M=1,N=256,K=256 --at=M=256,N=256,K=256
says "a function for CUDA has one schedule for all"
absent cuda.cu

# A guess is said to whoever asks, and not where sizes are named or change nothing.
expect 0 compile mul.sq --target=$class -o guess.c -v
says "the schedule of 'mul' is for sizes of some hundreds, since nothing says which matter"
expect 0 compile mul.sq --target=$class -o guess.c
silent
expect 0 compile mul.sq --target=$class -o guess.c -v --at=M=64,N=64,K=64
! grep -q 'some hundreds' err || fail "named sizes are called a guess"

# Sets of constants: the parameters stay, in the functions they are constants.
cat >conv1d.sq <<'K'
#include "squall.h"
kernel conv1d(int N, int R, int S, int D, const f32 X[(N - 1) * S + (R - 1) * D + 1], const f32 W[R], f32 Y[N])
{
    idx y, r;
    assume(N >= 1 && R >= 1);
    Y[y] = sum(X[y * S + r * D] * W[r], r);
}
K
cat >conv.c <<'C'
#include <stddef.h>
#include <stdlib.h>
#include "conv1d.h"
static float x[4000], w[40], y[600];
static int wrong(int n, int r, int s, int d, int accepted)
{
    for (int i = 0; i < 600; i++)
        y[i] = 7;
    size_t bytes = conv1d_workspace(n, r, s, d);
    void *workspace = malloc(bytes + 1);
    int rc = conv1d_in(n, r, s, d, x, w, y, workspace), bad = rc != !accepted || conv1d_accepts(n, r, s, d) != accepted;
    free(workspace);
    bad |= !accepted && (bytes != 0 || y[0] != 7);
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < n + 2; i++) {
            double sum = 0;
            for (int l = 0; l < r; l++)
                sum += (double)x[i * s + l * d] * w[l];
            bad |= accepted && i < n ? !(y[i] - sum < 1e-3 && sum - y[i] < 1e-3) : y[i] != 7;
        }
        for (int i = 0; i < 600; i++)
            y[i] = 7;
        conv1d(n, r, s, d, x, w, y);
    }
    return bad;
}
int main(void)
{
    static const int odd[] = {1, 2, 3, 7, 13, 31, 33, 127, 129, 500};
    int bad = 0;
    for (int i = 0; i < 4000; i++)
        x[i] = (float)(i % 19 - 9) / 8;
    for (int i = 0; i < 40; i++)
        w[i] = (float)(i % 7 - 3) / 4;
    for (int i = 0; i < 10; i++)
        for (int r = 1; r < 34; r += r < 4 ? 1 : 14)
            for (int s = 0; s < 4; s++)
                for (int d = 0; d < 5; d++)
                    bad |= wrong(odd[i], r, s, d, (s == 1 || s == 2) && (d == 1 || d == 3));
    return bad;
}
C
expect 1 compile conv1d.sq --target=$class -o conv1d.c
says "is not affine"
expect 0 compile conv1d.sq --target=$class -o conv1d.c --header=conv1d.h '--fix=S=1|2,D=1|3'
says "'conv1d' has 4 schedules, at S=1,D=1, at S=1,D=3, at S=2,D=1, at S=2,D=3: a call takes the one with its constants"
grep -q "^ \*  S=2,D=3$" conv1d.h || fail "the header does not name the constants"
grep -q "^ \*   reads   X\[2 \* N + 3 \* R - 4\], W\[R\]$" conv1d.h || fail "the header has not all shapes"
grep -q "^ \*   squall compile .*--fix='S=1|2,D=1|3'" conv1d.c || fail "the command is not given"
# shellcheck disable=SC2086
$cc $warn -Wno-overlength-strings conv1d.c conv.c -o conv && ./conv || fail "sets of constants"
expect 0 compile conv1d.sq --target=$class -o conv1d.c --header=conv1d.h '--fix=S=1|2,D=1|3' \
    --at=N=16,R=3,S=1,D=1 --at=N=4000,R=31,S=1,D=1
$cc -std=gnu11 -O2 conv1d.c conv.c -o conv && ./conv || fail "sets of constants with several sizes"
expect 0 compile conv1d.sq --target=$class -o conv1d.c '--fix=S=2,D=1|3'
grep -q 'void conv1d(int N, int R, int D, const' conv1d.c || fail "S has one value and is a parameter"
expect 0 compile conv1d.sq --targets=$class,c -o conv1d.c --header=conv1d.h '--fix=S=1|2,D=1|3' \
    --bindings=conv1d.hpp --bindings=conv1d.py --bindings=conv1d.rs
grep -q '(S == 1 && D == 1 ? ' conv1d.hpp || fail "C++ does not know the lengths"
$cc -std=gnu11 -O2 conv1d.c conv.c -o conv && ./conv || fail "sets of constants for several targets"
! command -v g++ >/dev/null ||
    { printf '#include "conv1d.hpp"\nint main() { return 0; }\n' >conv.cc && g++ -std=c++20 -Wall -Wextra -c conv.cc; }
expect 0 explain conv1d.sq --target=$class '--fix=S=1|2,D=1'
prints '  schedule at S=2: '
prints '  what is compiled for S=1:'
prints '  what is compiled for S=2:'
prints 'A call takes the one with its constants; where there is none it returns at once.'

# What is no set, or too many, or for other commands.
expect 64 compile conv1d.sq -o none.c '--fix=S=1|1,D=1'
says "'S=1|1' names a value twice"
expect 64 compile conv1d.sq -o none.c '--fix=S=1|,D=1'
says "'S=1|' is no size"
expect 64 compile conv1d.sq -o none.c '--fix=S=1|2' --fix=S=3
says "names a size that has a value already: 'S=1|2'"
expect 64 compile conv1d.sq -o none.c '--fix=S=1|2|3|4|5,D=1|2|3|4'
says "accepted are up to 16 combinations"
expect 64 compile conv1d.sq -o none.c --fix=S=1,D=1 '--at=N=1|2,R=3'
says "has several values, which only --fix takes"
expect 64 race conv1d.sq '--fix=S=1|2,D=1' --at=N=100,R=3 --trials=10
says "\`squall race\` is for one at a time"
expect 1 compile conv1d.sq -o none.c '--fix=S=1|2,D=1,Q=1|2'
says "no kernel has a size 'Q'"
says 'help: there are: N, R, S, D'
expect 64 compile conv1d.sq --target=cuda,arch=sm_80 -o none.cu '--fix=S=1|2,D=1'
says "a file for CUDA is for one"
absent none.c
absent none.cu

# A kernel that lacks the sizes has one function, beside one that has them.
cat >pair.sq <<'K'
#include "squall.h"
kernel strided(int N, int S, const f32 X[N * S], f32 Y[N]) { idx i; Y[i] = X[i * S]; }
kernel twice(int N, f32 X[N]) { idx i; X[i] = X[i] * 2; }
K
expect 0 compile pair.sq --target=$class -o pair.c '--fix=S=2|3'
grep -q 'twice_v' pair.c && fail "a kernel without the size has several functions"
grep -q 'strided_v2' pair.c || fail "a kernel with the size has one function"

# check looks at each schedule alone, and at the file with all; of a given text it finds a choice that is broken.
cp all mul.$class.sched
expect 0 check mul.sq --target=$class
for at in M=1,N=64,K=64 M=64,N=64,K=64 M=8,N=8,K=8; do
    prints "mul at $at: accesses in bounds"
done
prints "mul with all schedules: accesses in bounds"
! grep -q '[1-9][0-9]* never ran' out || fail "blocks that never ran"
expect 0 check conv1d.sq --target=$class '--fix=S=1|2,D=3' --quick
prints "conv1d at S=1: accesses in bounds"
prints "conv1d at S=2: accesses in bounds"
expect 0 compile mul.sq --target=$class -o mul.c
expect 64 check mul.sq --target=$class --text=mul.c
says "has several schedules of a kernel"
expect 0 check mul.sq --target=$class --text=mul.c --quick
for broken in 's/M == 8 \&\& N == 8/M == 8 \&\& N == 9/;s/sq_far2 < sq_least/sq_far2 < 0/' 's/sq_far1 < sq_least/sq_far1 <= sq_least/' \
    's/(e << 10)/(e << 9)/'; do
    sed "$broken" mul.c >broken.c
    ! cmp -s mul.c broken.c || fail "nothing is broken by $broken"
    expect 1 check mul.sq --target=$class --text=broken.c --quick
    says "mul takes another schedule at"
done
expect 0 compile conv1d.sq --target=$class -o conv1d.c '--fix=S=1|2,D=3'
expect 0 check conv1d.sq --target=$class --text=conv1d.c '--fix=S=1|2,D=3' --quick
prints "conv1d at S=2: conv1d.c: accesses in bounds"
sed 's/return -1;/return 0;/' conv1d.c >broken.c
expect 1 check conv1d.sq --target=$class --text=broken.c '--fix=S=1|2,D=3' --quick
says "does not refuse"
