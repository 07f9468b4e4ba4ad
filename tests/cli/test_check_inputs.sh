#!/bin/sh
# squall check at inputs of other sizes than 1: faults in functions where they saturate or change from
# one formula to another are found, and in conversions of numbers that are special in 16 bits; what is
# rounding there is none.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

# sample KERNEL EDIT...: the sample's text with each of the edits is wrong, and check says so.
sample() {
    kernel=$1
    shift
    cp "$SQUALL_SOURCE/samples/$kernel.sq" .
    expect 0 compile "$kernel.sq" -o "$kernel.c" --target=generic
    for edit; do
        mutant "$kernel.c" "$edit" ".c: $kernel "
    done
    found "$kernel.sq" --target=generic --quick
    [ "$(grep -c '^squall: error: .*: wrong: ' err)" = $# ] || fail "$kernel: not all of it is wrong"
}
# erf beyond 1, where it changes, where it ends; exp where it is 0, and where it is infinite.
sample gelu 's/_all(0x1.427126p-1f)/_all(0x1.4p-1f)/' 's/_all(1.0078125f)/_all(2.0f)/' 's/_all(4.0f)/_all(40.0f)/'
sample softmax 's/_all(-104.5f)/_all(-1004.5f)/'
sample elementwise 's/_all(89.0f)/_all(890.0f)/'

# The ends of f16: the smallest normal number, alone and in a vector, infinities (without products the bias alone
# overflows), numbers below.
sample hgemm 's/if (rest < 0x00800000)/if (rest <= 0x00800000)/' 's/(i)rest < 0x00800000/(i)rest <= 0x00800000/' \
    's/(i)rest >= 0x0f800000/(i)rest > 0x0f800000/' 's/0x38000000 + (infinite/0x38000000 - (infinite/' \
    's/(0x7c00 & large)/(0x7bff \& large)/' 's/ \* 0x1p-24f/ * 0x1p-25f/'

# One vector that stands one element off where every eighth is read: the maximum has to be there.
sample row_argmax '/f32x4_max(c.*f32x4_load/s/ \* X_s0/& + (i == 3 \&\& left % 32 == 16)/'

# Differences that grow near 0, and numbers that a wider type still holds, are no faults.
right() {
    cat >right.sq <<K
#include "squall.h"
kernel right(int M, int N, const f32 X[M][N], const f32 Z[M][N], f32 Y[M][N])
{
    idx i, j;
    Y[i][j] = $1;
}
K
    expect 0 check right.sq --target=generic --quick
}
right 'sqrtf(X[i][j] * X[i][j] - Z[i][j] * Z[i][j])'
right '1.f / (X[i][j] * Z[i][j] - 1.f)'
right 'log2f(expf(X[i][j]) + 1.f)'
right 'expf(X[i][j]) - expf(Z[i][j])'
right 'expf(X[i][j] * Z[i][j])'
right 'sinf(X[i][j] * Z[i][j])'

# Types whose last digits are of other sizes move by the same; integers have values that operators take; what a
# register still holds as a product is contracted.
ordinary() { # PARAMETERS STATEMENTS [OPTIONS...]
    printf '#include "squall.h"\nkernel right(int M, int N, %s)\n{\n    idx i, j;\n    %s\n}\n' "$1" "$2" >right.sq
    shift 2
    expect 0 check right.sq --target=host --quick "$@"
}
ordinary 'f32 s, const f32 A[M][N], const f32 B[M][N], const f16 H[M], f32 R[M], f32 Q[M]' \
    'R[i] = sum(A[i][j] * B[i][j], j) * s; Q[i] = H[i];'
ordinary 'const f32 A[M][N], const f32 B[M][N], const bf16 H[M], f32 R[M], f32 Q[M]' \
    'R[i] = expf(sum(A[i][j] * B[i][j], j)); Q[i] = H[i];'
ordinary 'int32_t t, const int32_t A[N], int32_t C[N]' 'C[i] = A[i] % t;'
ordinary 'const int32_t B[N], const int32_t A[N], int32_t C[N]' 'C[i] = A[i] << B[i];'
ordinary 'int32_t s, int32_t t, const int32_t A[N], int32_t C[N]' 'C[i] = A[i] / t > s ? 1 : 2;'
ordinary 'const f32 A[N], const f32 B[N], const f32 C[N], f32 D[N]' \
    'f32 T[N]; T[i] = A[i] * B[i]; D[i] = A[i] > 1 ? 1.f : T[i] - C[i] >= 0 ? 2.f : 3.f;'
ordinary 'const f32 A[N], f32 C[N]' \
    'C[i] = (A[i] + 1.f >= 1.5f ? 1.f : 2.f) + (A[i] > 0.5f ? 4.f : 8.f);' --cc='gcc -ffast-math'

# So are infinities that meet, sums whose terms cancel, and what lies beyond a type of 16 bits.
narrow() {
    cat >right.sq <<K
#include "squall.h"
kernel right(int M, int N, f32 a, const $1 A[M][N], const f32 B[N][M], $1 C[M][M], f32 D[M])
{
    idx i, j, k;
    $2;
}
K
    expect 0 check right.sq --target=host --quick
}
for type in f16 bf16; do
    narrow $type 'C[i][j] = relu(sum(A[i][k] * B[k][j], k) - a)'
    narrow $type 'D[i] = rmax(pad(A[i - 1][k], 0.f) * B[k][i], k)'
    narrow $type 'f32 T[M][M]; T[i][j] = sum(A[i][k] * B[k][j], k); C[i][j] = T[i][j] * T[i][j] - a'
done

# A maximum of equal zeros, or of NaN and a number, is its second operand; a kernel may be longer than
# 16 bits count.
cat >relu.sq <<'K'
#include "squall.h"
kernel relu_of(int N, const f32 A[N], f32 B[N])
{
    idx i;
    B[i] = max2(A[i], 0.0f);
}
K
for target in generic host; do
    expect 0 check relu.sq --target=$target
    expect 0 compile relu.sq -o relu.c --target=$target
    for edit in 's/_max(\(.*_load(A + [48] \* v)\), k1)/_max(k1, \1)/' 's/_nest(N, A, B);/_nest((short)N, A, B);/' \
        's/_nest(N, A, B);/_nest((uint16_t)N, A, B);/'; do
        mutant relu.c "$edit"
    done
    found relu.sq --target=$target --quick
done

# A comparison that is right but where both sides are equal: with scalars, fractions, integers beyond those that are
# drawn, of elements with each other, in sums.
cat >below.sq <<'K'
#include "squall.h"
kernel scalar(int N, f32 t, const f32 A[N], f32 B[N])
{
    idx i;
    B[i] = A[i] < t ? 0.f : A[i] * 2.f;
}
kernel fraction(int N, const f64 A[N], f64 B[N])
{
    idx i;
    B[i] = A[i] < 0.3 ? 0. : A[i] * A[i];
}
kernel large(int N, const f32 A[N], f32 B[N])
{
    idx i;
    B[i] = A[i] < 255.5f ? A[i] : 0.f;
}
kernel integer(int N, const int32_t A[N], f32 B[N])
{
    idx i;
    B[i] = A[i] < 100 ? 0.f : 1.f;
}
kernel all_integers(int N, const int32_t A[N], int32_t B[N])
{
    idx i;
    B[i] = A[i] < 70000 ? 0 : A[i];
}
kernel wide_integers(int N, int64_t t, const int64_t A[N], int32_t B[N])
{
    idx i;
    B[i] = A[i] < t ? 1 : A[i] < 9007199254740993 ? 2 : 3;
}
kernel elements(int N, const f32 A[N], const f32 B[N], f32 C[N])
{
    idx i;
    C[i] = A[i] < B[i] ? 1.f : 2.f;
}
kernel half(int N, const f16 A[N], f16 B[N])
{
    idx i;
    B[i] = A[i] < 6.f ? A[i] * 2.f : 1.f;
}
kernel counted(int N, const f32 A[N], int32_t n[1])
{
    idx i;
    n[0] = sum(A[i] < 0.625f ? 1 : 0, i);
}
kernel loop(int N, f64 t, const f64 A[N], f64 B[N])
{
    for (int i = 1; i < N; i++)
        B[i] = A[i] < t ? B[i - 1] : A[i];
}
K
expect 0 check below.sq --target=generic --quick
expect 0 compile below.sq -o below.c --target=generic
# wrong_edits NAME KERNEL:EDIT...: NAME.c with an edit of sed in the functions of each kernel computes each of them
# wrongly.
wrong_edits() {
    name=$1
    shift
    cp "$name.c" mutant.c
    for edit; do
        cp mutant.c before.c
        sed "/ ${edit%%:*}_[a-z_0-9]*(.*)\$/,/^}/${edit#*:}" before.c >mutant.c
        cmp -s before.c mutant.c && fail "nothing to edit: $edit"
    done
    expect 1 check "$name.sq" --target=generic --text=mutant.c --quick
    for edit; do
        grep -q "mutant.c: ${edit%%:*} .*: wrong: " err || fail "${edit%%:*} is not found wrong"
    done
}
below='{/ m[0-9]* = /s/ < / <= /; s/] < t)/] <= t)/}'
set --
for kernel in scalar fraction large integer all_integers wide_integers elements half counted loop; do
    set -- "$@" "$kernel:$below"
done
wrong_edits below "$@"

# Integers that are divided and shifted by constants have all values of their type.
cat >integers.sq <<'K'
#include "squall.h"
kernel thousands(int N, const int32_t X[N], int32_t Y[N])
{
    idx i;
    Y[i] = X[i] / 1000;
}
kernel fixed_point(int N, const int16_t X[N], const int16_t Z[N], int16_t Y[N])
{
    idx i;
    Y[i] = sat_int16(((int32_t)X[i] * Z[i] + 16384) >> 15);
}
kernel halved(int N, const uint16_t X[N], uint8_t Y[N])
{
    idx i;
    Y[i] = sat_uint8(X[i] >> 4);
}
kernel chosen(int N, const uint8_t X[N], uint8_t Y[N])
{
    idx i;
    Y[i] = X[i] > 200 ? 255 : X[i] / 3;
}
K
expect 0 check integers.sq --target=generic
expect 0 compile integers.sq -o integers.c --target=generic
# wrong_numbers NAME KERNEL:RIGHT:WRONG...: the same with another number in each of the kernels.
wrong_numbers() {
    name=$1
    shift
    for edit; do
        right=${edit#*:}
        set -- "$@" "${edit%%:*}:s/\b${right%:*}\b/${edit##*:}/"
        shift
    done
    wrong_edits "$name" "$@"
}
wrong_numbers integers thousands:1000:1001 fixed_point:16384:16383 halved:255:254 chosen:200:201

# Integers made of floating numbers are off by one only where these are near to a step; values that are computed reach
# the constants which they are compared with or bounded by.
cat >bounded.sq <<'K'
#include "squall.h"
kernel rounded(int N, const f32 X[N], uint8_t Y[N])
{
    idx i;
    Y[i] = sat_uint8(X[i] * 255.f + 0.5f);
}
kernel quantised(int N, f32 s, const f32 X[N], int8_t Y[N])
{
    idx i;
    Y[i] = sat_int8(floorf(X[i] * s + 0.5f));
}
kernel product(int M, int N, int K, f32 s, const int8_t A[M][K], const int8_t B[K][N], int8_t Y[M][N])
{
    idx i, j, k;
    int32_t T[M][N];
    T[i][j] = sum((int32_t)A[i][k] * B[k][j], k);
    Y[i][j] = sat_int8(floorf(T[i][j] * s + 0.5f));
}
kernel scaled(int N, f32 s, const int8_t X[N], int8_t Y[N])
{
    idx i;
    Y[i] = sat_int8(X[i] * s);
}
kernel weighed(int N, const uint8_t R[N], const uint8_t G[N], const uint8_t B[N], uint8_t Y[N])
{
    idx i;
    Y[i] = sat_uint8(0.299f * R[i] + 0.587f * G[i] + 0.114f * B[i]);
}
kernel rooted(int N, const f32 X[N], f32 Y[N])
{
    idx i;
    Y[i] = sqrtf(X[i]) > 12.f ? 1.f : X[i];
}
kernel multiplied(int N, const f32 X[N], const f32 Z[N], f32 Y[N])
{
    idx i;
    Y[i] = X[i] * Z[i] > 20.f ? 1.f : X[i];
}
kernel clipped(int N, const f32 X[N], f32 Y[N])
{
    idx i;
    Y[i] = min2(max2(X[i] * 2 + 1, -6.f), 6.f);
}
kernel wide(int N, const int64_t X[N], int32_t Y[N])
{
    idx i;
    Y[i] = sat_int32(X[i] + 5);
}
K
for target in generic host; do
    expect 0 check bounded.sq --target=$target --quick
done
expect 0 compile bounded.sq -o bounded.c --target=generic
wrong_numbers bounded rounded:0.5f:0.25f quantised:127.0f:126.0f product:127.0f:126.0f scaled:127.0f:126.0f \
    weighed:0.298999995f:0.32f rooted:12.0f:13.0f multiplied:20.0f:22.0f clipped:6.0f:5.0f wide:2147483647:2147483646
wrong_numbers bounded quantised:0.5f:0.25f product:0.5f:0.25f

sed '/^void quantised(/,/^}/s/^    quantised_nest(.*;/&\n    if (N > 2) { Y[0]++; Y[N - 1]--; }/' bounded.c >mutant.c
cmp -s bounded.c mutant.c && fail "no two elements are off by one"
expect 1 check bounded.sq --kernel=quantised --target=generic --text=mutant.c --quick
says "are off by one, and rounding moves few"

# What something is divided by is positive, and nothing else has to be: conditions on the rest have both outcomes, and
# equal numbers whose difference is divided by are met, too.
cat >quotients.c <<'K'
void norm(int n, const float *x, const float *m, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (m[i] > 0.5f) {
            y[i] = x[i] / m[i];
            if (x[i] < 0)
                y[i] = -y[i];
        } else
            y[i] = 0;
    }
#pragma endscop
}
void hue(int n, const float *r, const float *g, const float *b, float *h)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float mx = r[i] > g[i] ? r[i] : g[i];
        float mn = r[i] < g[i] ? r[i] : g[i];
        mx = mx > b[i] ? mx : b[i];
        mn = mn < b[i] ? mn : b[i];
        if (mx == mn)
            h[i] = 0;
        else if (mx == r[i])
            h[i] = (g[i] - b[i]) / (mx - mn);
        else if (mx == g[i])
            h[i] = 2 + (b[i] - r[i]) / (mx - mn);
        else
            h[i] = 4 + (r[i] - g[i]) / (mx - mn);
    }
#pragma endscop
}
K
expect 0 check quotients.c --target=generic
[ "$(grep -c ', 0 never ran' out)" = 2 ] || fail "there are blocks that did not run"

# Neither do its strides.
gemm >gemm.sq
expect 0 compile gemm.sq -o gemm.c --target=generic
for edit in 's/ A_s0 = K,/ A_s0 = (short)K,/' 's/ B_s0 = N,/ B_s0 = (uint16_t)N,/' \
    's/ C_s0 = N;/ C_s0 = (short)N;/'; do
    mutant gemm.c "$edit"
done
found gemm.sq --target=generic --quick

# Where all other sizes together are too much beside a long one, one of them is more than one.
cp "$SQUALL_SOURCE/samples/conv2d.sq" .
expect 0 compile conv2d.sq -o conv2d.c --target=generic
sed 's/ G_s0 = 9 \* C,/ G_s0 = (unsigned short)(9 * C),/' conv2d.c >mutant.c
cmp -s conv2d.c mutant.c && fail "nothing to edit"
expect 1 check conv2d.sq --target=generic --text=mutant.c --quick
says "C=65603"
says ": wrong: "

# Conversions are called by themselves, too: no input of these leads to a number that is none, or to
# one below the normal ones.
cat >convert.sq <<'K'
#include "squall.h"
kernel quotient(int N, const f64 X[N], const f64 Z[N], bf16 Y[N])
{
    idx i;
    Y[i] = X[i] / Z[i];
}
kernel integers(int N, const int32_t X[N], f16 Y[N])
{
    for (int i = 1; i < N; i++)
        Y[i] = X[i] - Y[i - 1];
}
kernel exact(int N, const f64 X[N], f16 Y[N])
{
    for (int i = 1; i < N; i++)
        Y[i] = X[i] + Y[i - 1];
}
kernel counts(int N, const int64_t A[N], const uint64_t B[N], f16 X[N], bf16 Y[N])
{
    idx i;
    X[i] = (f16)A[i];
    Y[i] = (bf16)B[i];
}
K
expect 0 check convert.sq --target=generic
[ "$(grep -c ', 0 never ran' out)" = 4 ] || fail "there are blocks that did not run"
grep 'for numbers' out && fail "numbers are excused"
expect 0 compile convert.sq -o convert.c --target=generic
# Faults that show at such a number alone.
for edit in 's/bits >> 16 | 0x40/bits >> 16 \& 0x7f80/' 's/bits < 0x33000000/bits < 0x33000002/' \
    's/rest < 0x00800000/rest < 0x00000800/' 's/bits |= 1;/bits |= 0;/' \
    '/odd_i64/,/^}/s/size >> 53/size >> 62/' '/odd_u64/,/^}/s/0x800u : 0u/0u : 0u/'; do
    mutant convert.c "$edit" ': crashed: '
done
found convert.sq --target=generic
[ "$(grep -c 'not the nearest value' err)" -ge 6 ] || fail "of some it is not said that a value is not the nearest"
