#!/bin/sh
# Dot: sums of products of small integers by products of words, as other people write them: layers of quantised
# networks in their layouts, products of int16_t. Where the processor has no VNNI, products of bytes are interpreted.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"

runs() { targets 'runs && arch == ""' | grep -qx "$1"; }

# kernel NAME PARAMETERS STATEMENTS
kernel() {
    printf '#include "squall.h"\nkernel %s(%s)\n{\n%s\n}\n' "$1" "$2" "$3" >"$1.sq"
}
kernel linear 'int M, int N, int K, const uint8_t X[M][K], const int8_t W[N][K], const int32_t bias[N], int32_t Y[M][N]' \
    '    idx m, n, k;
    Y[m][n] = sum(X[m][k] * W[n][k], k) + bias[n];'
kernel requantised 'int M, int N, int K, float scale, const int8_t X[M][K], const int8_t W[K][N], int8_t Y[M][N]' \
    '    idx m, n, k;
    int32_t T[M][N];
    T[m][n] = sum(X[m][k] * W[k][n], k);
    Y[m][n] = (int8_t)max2(-128.f, min2(127.f, T[m][n] * scale));'
kernel unsigned_both 'int M, int N, int K, const uint8_t A[M][K], const uint8_t B[K][N], int32_t C[M][N]' \
    '    idx i, j, k;
    C[i][j] = 3 - 2 * sum(A[i][k] * B[k][j], k);'
kernel scores 'int B, int T, const int8_t Q[B][T][20], const int8_t K[B][T][20], int32_t S[B][T][T]' \
    '    idx b, i, j, d;
    S[b][i][j] = sum(Q[b][i][d] * K[b][j][d], d);'
kernel nchw 'int F, int C, int Y, int X, const uint8_t I[C][Y][X], const int8_t G[F][C][3][3], int32_t O[F][Y][X]' \
    '    idx f, c, y, x, r, s;
    range(r, 0, 3);
    range(s, 0, 3);
    O[f][y][x] = sum(pad(I[c][y + r - 1][x + s - 1], 7) * G[f][c][r][s], c, r, s);'
kernel nhwc 'int F, int C, int Y, int X, const int8_t I[Y + 2][X + 2][C], const int8_t G[F][3][3][C], int32_t O[Y][X][F]' \
    '    idx f, c, y, x, r, s;
    range(r, 0, 3);
    range(s, 0, 3);
    O[y][x][f] = sum(I[y + r][x + s][c] * G[f][r][s][c], r, s, c);'
kernel padded 'int F, int C, int Y, int X, const int8_t I[C][Y][X], const int8_t G[F][C][2], int32_t O[F][Y][X]' \
    '    idx f, c, y, x, s;
    range(s, 0, 2);
    O[f][y][x] = sum(pad(I[c][y][x + s - 1], -5) * G[f][c][s], c, s);'
kernel shorts 'int M, int N, int K, const int16_t A[M][K], const int16_t B[N][K], int32_t C[M][N]' \
    '    idx i, j, k;
    C[i][j] = sum(A[i][k] * B[j][k], k);'
kernel gram 'int N, int K, const int16_t A[N][K], int32_t C[N][N]' \
    '    idx i, j, k;
    C[i][j] = sum(A[i][k] * A[j][k], k);'

# in_words KERNEL DIMENSION TARGET [SIZES...]: the words are there, and the result is that of the description, at sizes
# that follow from the schedule or at these.
in_words() {
    expect 0 compile "$1.sq" --target="$3" -o out.c
    says_in out.c "dot($2)"
    says_in out.c "_dot[24]("
    if runs "$3"; then
        of=$1 on=$3
        shift 3
        expect 0 check "$of.sq" --target="$on" --quick "$@"
    else
        expect 0 check "$1.sq" --passes --target="$3" -e "dot($2)"
    fi
}
says_in() { grep -q -- "$2" "$1" || fail "$1: there is no '$2'"; }

for target in avx512vnni avxvnni; do
    runs $target || echo "$target: this processor does not run it; products of bytes are interpreted"
done
for of in "linear S0, k" "unsigned_both S0, k" "scores S0, d"; do
    in_words "${of%% *}" "${of#* }" avx512vnni
done
for of in nchw nhwc padded; do
    in_words $of 'S0, c' avx512vnni --at=F=17,C=7,Y=13,X=66 --at=F=33,C=5,Y=5,X=31 --at=F=1,C=1,Y=1,X=1 \
        --at=F=48,C=16,Y=7,X=48
done
in_words requantised 'S0, k' avxvnni
for target in avx2 avx512 avx512vnni; do
    in_words shorts 'S0, k' $target
done
in_words gram 'S0, k' avx2

# Dimensions that are merged, and rows that begin elsewhere in words than in the result.
kernel pointwise 'int F, int C, int H, int W, const uint8_t I[C][H][W], const int8_t G[F][C], int32_t Y[F][H][W]' \
    '    idx f, c, y, x;
    Y[f][y][x] = sum(I[c][y][x] * G[f][c], c);'
kernel shifted 'int M, int N, int K, const uint8_t A[M][K], const int8_t B[N][K], int32_t Y[M][N + 1]' \
    '    idx m, n, k;
    range(n, 1, N);
    Y[m][n] = sum(A[m][k] * B[n][k], k);'
in_words pointwise 'S0, c' avx512vnni
expect 0 compile shifted.sq --target=avx512vnni -o out.c
silent
says_in out.c 'dot(S0, k)'

# Rows that are read once: weights of one token, where they lie; the other signs by turning them as they are read.
kernel token 'int N, int K, const uint8_t X[K], const int8_t W[N][K], int32_t Y[N]' \
    '    idx n, k;
    assume(K % 8 == 0);
    Y[n] = sum(X[k] * W[n][k], k);'
kernel both_signed 'int N, const int8_t X[132], const int8_t W[N][132], f32 scale[N], f32 Y[N]' \
    '    idx n, k;
    int32_t T[N];
    T[n] = sum(X[k] * W[n][k], k);
    Y[n] = T[n] * scale[n];'
kernel in_blocks 'int N, int B, const int8_t X[B][32], const f32 xs[B], const int8_t W[N][B][32], const f32 ws[N][B], f32 Y[N]' \
    '    idx n, b, k;
    int32_t T[N][B];
    T[n][b] = sum(X[b][k] * W[n][b][k], k);
    Y[n] = sum(T[n][b] * ws[n][b] * xs[b], b);'
kernel open_end 'int N, int K, const uint8_t X[K], const int8_t W[N][K], int32_t Y[N]' \
    '    idx n, k;
    Y[n] = sum(X[k] * W[n][k], k);'
kernel few_rows 'int N, int K, const int8_t X[12][K], const int8_t W[N][K], int32_t Y[12][N]' \
    '    idx m, n, k;
    assume(K % 4 == 0);
    Y[m][n] = sum(X[m][k] * W[n][k], k);'
in_words few_rows 'S0, k, W' avx512vnni
in_words token 'S0, k, W' avx512vnni
# Sums of eight words, in blocks that have scales of their own.
in_words in_blocks 'S0, k, W' avx512vnni
in_words in_blocks 'S0, k, W' avxvnni
in_words both_signed 'S0, k, W' avx512vnni
grep -q 'sq_word\|_word \*' out.c || fail "words are not read where they lie"
for cc in gcc clang-19; do
    $cc -std=c11 -Wall -Wextra -Wpedantic -Wcast-align -Werror -O1 -c out.c
done
expect 0 compile open_end.sq --target=avx512vnni -o out.c
grep -q _words out.c && fail "words that end within"

# Without products of bytes, lanes along a sum take two products each, of elements widened to 16 bits; what is left over
# takes one, and what is left of that none. Of other sums f32 is better, and of padded or turned ones right.
kernel mixed 'int N, int K, const int16_t X[K], const uint8_t W[N][K], int32_t Y[N]' \
    '    idx n, k;
    Y[n] += sum(X[k] * W[n][k], k);'
kernel turned_back 'int N, int K, const int8_t X[K], const int8_t W[N][K], int32_t Y[N]' \
    '    idx n, k;
    assume(K >= 1);
    Y[n] = sum(X[K - 1 - k] * W[n][k], k);'
kernel squares 'int N, int K, const uint8_t W[N][K], int32_t Y[N]' \
    '    idx n, k;
    Y[n] = sum(W[n][k] * W[n][k], k);'
kernel open_box 'int N, int K, const int8_t X[N][K][3], const int8_t W[K][3], int32_t Y[N]' \
    '    idx n, k, c;
    Y[n] = sum(X[n][k][c] * W[k][c], k, c);'
in_pairs() { # kernel, target, whether there are pairs, script...
    of=$1 on=$2 has=$3
    shift 3
    expect 0 compile "$of.sq" --target="$on" "$@" -o out.c
    if [ "$has" = yes ]; then says_in out.c "_dot2("; else ! grep -q '_dot2(' out.c || fail "$of: pairs"; fi
    $CC -std=c11 -Wall -Wextra -Wpedantic -Werror -O1 -c out.c || fail "$of: warnings"
    expect 0 check "$of.sq" --passes --target="$on" "$@"
    ! runs "$on" || expect 0 check "$of.sq" --target="$on" --quick "$@"
}
for target in avx2 avx512; do
    for name in in_blocks open_end token mixed squares; do
        in_pairs $name $target yes
    done
    in_pairs turned_back $target no
    in_pairs open_box $target no -e 'micro(n:4 | k) vectorize(k:8)'
    in_pairs mixed $target yes -e 'micro(n:3 | k) vectorize(k:4) unroll(k:4) split(k:2)'
    in_pairs squares $target no -e 'micro(n:3 | k) vectorize(k:2)'
    in_pairs in_blocks $target no -e 'S0: tile(b:8) order(b0, n, b) pack(X at b0) micro(n:2, b:2 | k) vectorize(k:8)'
done
in_pairs open_end generic no
in_pairs open_end avxvnni yes

# A processor without the instruction has f32; one asked for has what it was asked for, this one what it needs.
expect 0 compile linear.sq --target=avx512 -o out.c
grep -q dot4 out.c && fail "avx512 has no products of bytes"
expect 0 compile linear.sq --machine=host -o out.c
grep -q 'dot4' out.c && ! grep -q vnni out.c && fail "products of bytes without the instruction"
kernel add 'int N, const f32 A[N], f32 B[N]' '    idx i;
    B[i] = A[i] + 1;'
expect 0 compile add.sq --machine=host -o out.c
grep -q vnni out.c && fail "an instruction that is not needed"

# One file for several processors.
expect 0 compile linear.sq --targets=generic,avx2,avxvnni,avx512,avx512vnni -o all.c --header=all.h
gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -O1 -c all.c
cat >use.c <<'C'
#include "all.h"
#include <stdio.h>
int main(void)
{
    uint8_t x[3][7];
    int8_t w[2][7];
    int32_t bias[2] = {5, -5}, y[3][2];
    for (int i = 0; i < 21; i++)
        x[i / 7][i % 7] = (uint8_t)(37 * i);
    for (int i = 0; i < 14; i++)
        w[i / 7][i % 7] = (int8_t)(101 * i);
    linear(3, 2, 7, &x[0][0], &w[0][0], bias, &y[0][0]);
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 2; n++) {
            int sum = bias[n];
            for (int k = 0; k < 7; k++)
                sum += x[m][k] * w[n][k];
            if (sum != y[m][n])
                return 1;
        }
    puts(linear_isa());
    return 0;
}
C
gcc -Wall -Wextra -Werror use.c all.o -o use -lm
for isa in generic avx2 avxvnni avx512 avx512vnni; do
    said=$(SQUALL_ISA=$isa ./use) || fail "SQUALL_ISA=$isa: a wrong sum"
    if runs $isa; then [ "$said" = $isa ] || fail "SQUALL_ISA=$isa gives $said"; fi
done

# What was tuned with words is none for a target without them.
if runs avx512vnni; then
    expect 0 tune linear.sq --target=avx512vnni --at=M=9,N=9,K=9 --trials=1 --store=dot.db --out-dir=.
    says_in linear.avx512.sched 'dot(S0, k)'
    expect 0 compile linear.sq --target=avx512vnni -o out.c -v
    says linear.avx512.sched
    expect 0 compile linear.sq --target=avx512 -o out.c
    says "was tuned for processors with products of words, which target 'avx512' has not: not used"
    says "--target=avx512vnni has them"
    grep -q 'dot(S0, k)' out.c && fail "a schedule that the target has not the instructions for"
    # Both targets of the class have entries of their own.
    expect 0 tune linear.sq --target=avx512 --at=M=9,N=9,K=9 --trials=1 --store=dot.db --out-dir=.
    [ "$(grep -c '^kernel linear at M=9,N=9,K=9' linear.avx512.sched)" = 2 ] || fail "one entry is lost"
    expect 0 compile linear.sq --target=avx512vnni -o out.c
    silent
    says_in out.c 'dot(S0, k)'
    expect 0 compile linear.sq --target=avx512 -o out.c
    silent
    rm linear.avx512.sched
fi

# Refused, with the reason.
refused() { # KERNEL TARGET SCRIPT TEXT
    expect 2 compile "$1.sq" --target="$2" -e "$3" -o bad.c
    says "$4"
    absent bad.c
}
refused linear avx512 'dot(S0, k)' "has no products of words of bytes; leave dot out, or take --target=avx512vnni"
refused linear neon 'dot(S0, k)' "has no products of words"
refused linear cuda,arch=sm_80 'dot(S0, k)' "has no products of words"
refused linear avx512vnni 'dot(S0, m)' "'m' is no index that S0 sums over: k"
refused linear avx512vnni 'dot(S0)' "name a sum of products, the index that words lie along"
refused linear avx512vnni 'dot(S1, k)' "S1"
refused linear avx512vnni 'micro(m:4) dot(S0, k)' "write it before them"
refused add avx512vnni 'dot(S0, i)' "'i' is no index that S0 sums over; it has none"
refused nchw avx512vnni 'dot(S0, r)' "no single subscript counts along that dimension"
kernel some 'int M, int N, int K, const uint8_t A[M][K + 1], const int8_t B[K][N], int32_t C[M][N]' \
    '    idx i, j, k;
    range(k, 0, K);
    C[i][j] = sum(A[i][k] * B[k][j], k);'
refused some avx512vnni 'dot(S0, k)' "does not sum over the whole extent of both arrays"
kernel triangle 'int N, const int8_t A[N][N], const int8_t B[N][N], int32_t C[N][N]' \
    '    idx i, j, k;
    range(k, 0, i + 1);
    C[i][j] = sum(A[i][k] * B[k][j], k);'
refused open_end avx512vnni 'dot(S0, k, W)' "may end within a word; fix the size, or assume(K % 4 == 0)"
refused open_end avx512vnni 'dot(S0, k, Y)' "'Y' is no factor of S0: X and W are"
refused nchw avx512vnni 'dot(S0, c, I)' "I has other elements between those of a word"
refused token avx512vnni 'dot(S0, k, W, W)' "W is named twice"
refused token avx512vnni 'dot(S0, k, W) S0: pack(W_words at top)' "W_words is read where W lies; leave W out of dot"
refused linear avx512vnni 'dot(S0, k) dot(S0, k)' "S0 multiplies words already"
refused triangle avx512vnni 'dot(S0, k)' "S0"
kernel outside 'int M, int N, int K, const uint8_t A[M][K], const int8_t B[N][K], int32_t C[M][N]' \
    '    idx i, j, k;
    C[i][j] = sum(pad(A[i - 1][k], 3) * pad(B[j - 1][k], 5), k);'
refused outside avx512vnni 'dot(S0, k)' "reads both factors with something else than 0 outside"
if runs avx512vnni; then
    expect 0 check outside.sq --target=avx512vnni --quick --fix=K=8 -e 'dot(S0, k)'
fi
refused linear avx512 'dot(S0, k) auto(S0_X, S0_W, S0)' "has no products of words of bytes"
kernel floats 'int N, const f32 A[N], const f32 B[N], f32 C[1]' '    idx i, k;
    C[i] = sum(A[k] * B[k], k);'
refused floats avx512vnni 'dot(S0, k)' "is no sum of products in int32_t"
kernel mixed 'int N, const int8_t A[N], const int16_t B[N], int32_t C[1]' '    idx i, k;
    C[i] = sum(A[k] * B[k], k);'
refused mixed avx512vnni 'dot(S0, k)' "multiplies something else"
