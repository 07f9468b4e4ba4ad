#!/bin/sh
# Kernels at the edge: names, halves of two kinds, arrays without number.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
SQUALL_HARNESS="$SQUALL_BUILD/squall-harness"
export SQUALL_HARNESS

# Names that mean something to the tools below.
cat >names.sq <<'K'
#include "squall.h"
kernel names(int mod, int exists, const f32 A[mod][exists], f32 and[mod], inout f32 B[mod][exists])
{
    idx max, min;
    and[max] = sum(A[max][min], min);
    for (int or = 1; or < mod; or++)
        for (int ceild = 0; ceild <= or && ceild < exists; ceild++)
            B[or][ceild] += A[or - 1][ceild] * and[or];
}
K
expect 0 check names.sq --at=mod=9,exists=14

# bf16 beside f16: the product is f32, not rounded to either.
cat >halves.sq <<'K'
#include "squall.h"
kernel halves(int N, const bf16 A[N], const f16 B[N], f32 Y[N])
{
    idx i;
    Y[i] = A[i] * B[i];
}
K
expect 0 compile halves.sq -o halves.c --header=halves.h
cat >main.c <<'C'
#include "halves.h"
int main(void)
{
    uint16_t a[37], b[37];
    float y[37];
    for (int i = 0; i < 37; i++)
        a[i] = 0x3f81, b[i] = 0x3c01; /* 1 + 2^-7, 1 + 2^-10 */
    halves(37, a, b, y);
    for (int i = 0; i < 37; i++)
        if (y[i] != 1.0078125f * 1.0009765625f)
            return 1;
    return 0;
}
C
"$CC" -O1 main.c halves.c -o halves -lm
./halves || fail "the product of bf16 and f16 is rounded"

# More ways to walk than a tile has pointers for: of one array, and of an array each.
awk 'BEGIN {
    printf "#include \"squall.h\"\nkernel walks(int N, const f32 A[141 * N], f32 Y[N])\n"
    printf "{\n    idx i;\n    Y[i] = A[i]"
    for (i = 2; i <= 140; i++) printf " + A[%d * i]", i
    print ";\n}" }' >walks.sq
expect 0 check walks.sq --at=N=37
awk 'BEGIN {
    printf "#include \"squall.h\"\nkernel many(int N"
    for (i = 0; i < 200; i++) printf ", const f32 A%d[N]", i
    printf ", f32 Y[N])\n{\n    idx i;\n    Y[i] = A0[i]"
    for (i = 1; i < 200; i++) printf " + A%d[i]", i
    print ";\n}" }' >many.sq
expect 0 compile many.sq -o many.c
"$CC" -Wall -Wextra -Werror -c many.c -o many.o
# An unstable wave, which makes all differences grow: no fault of ours.
cat >wave.sq <<'S'
#include "squall.h"
kernel wave(int T, int H, int W, f32 c, f32 u[T + 2][H][W])
{
    idx y, x;
    range(y, 1, H - 1);
    range(x, 1, W - 1);
    for (int t = 2; t < T + 2; t++)
        u[t][y][x] = 2 * u[t - 1][y][x] - u[t - 2][y][x] +
                     c * (u[t - 1][y - 1][x] + u[t - 1][y + 1][x] + u[t - 1][y][x - 1] +
                          u[t - 1][y][x + 1] - 4 * u[t - 1][y][x]);
}
S
expect 0 check wave.sq --at=T=31,H=13,W=33
expect 0 check wave.sq --at=T=127,H=31,W=33

# check goes on behind a kernel that fails; a pragma behind the last kernel says nothing.
cat >both.sq <<'K'
#include "squall.h"
kernel a(int N, f32 A[N]) { idx i; A[i] *= 2; }
kernel b(int N, f32 A[N]) { idx i; A[i] *= 3; }
K
expect 3 check both.sq --cc=false
[ "$(grep -c 'cannot build' err)" = 2 ] || fail "only one of two kernels was checked"
echo '#pragma squall fp strict' >>both.sq
expect 0 compile both.sq -o both.c
says "both.sq:4:16: warning: this has no effect: such a line is about the kernel that it stands in"

# Sizes and values of 64 bits beside smaller integers: what C's own operators give.
cat >wide.sq <<'K'
#include "squall.h"
kernel wide(int64_t N, int64_t c, const uint32_t U[N], const int64_t W[N], int64_t X[N], int64_t Y[N])
{
    idx i, j;
    range(j, max2(0, i - 2), min2(N, i + 3));
    X[i] = sum(W[j], j);
    Y[i] = max2(U[i], W[i]) - min2(W[i], -1) + min2(3LL, c) * max2(W[i], 2LL);
}
K
cat >wide_main.c <<'C'
#include "wide.h"
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
enum { N = 37 };

int main(void)
{
    uint32_t u[N];
    int64_t w[N], x[N], y[N];
    for (int i = 0; i < N; i++) {
        u[i] = i % 3 ? 4000000000u : 7u;
        w[i] = (i % 5 - 2) * INT64_C(3000000000);
    }
    wide(N, -4, u, w, x, y);
    for (int64_t i = 0; i < N; i++) {
        int64_t s = 0;
        for (int64_t j = MAX(0, i - 2); j < MIN(N, i + 3); j++)
            s += w[j];
        if (x[i] != s || y[i] != MAX(u[i], w[i]) - MIN(w[i], -1) + MIN(3LL, -4) * MAX(w[i], 2LL))
            return 1;
    }
    return 0;
}
C
expect 0 compile wide.sq -o wide.c --header=wide.h
"$CC" -O1 wide.c wide_main.c -o wide || fail "no program"
./wide || fail "max2 and min2 of 64 bits beside 32"
