#!/bin/sh
# What the model chooses where several rows at once were measured to be slower than the compiler's loops: stencils of
# doubles, which stream, in tiles of one row and few vectors. And no masked store where the next row is read right
# after it: the load would wait for it.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cat >grid.sq <<'Q'
#include "squall.h"
kernel plane(int n, const f64 a[n][n], f64 b[n][n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
}
kernel cube(int n, const f64 a[n][n][n], f64 b[n][n][n])
{
    idx i, j, k;
    range(i, 1, n - 1);
    range(j, 1, n - 1);
    range(k, 1, n - 1);
    b[i][j][k] = 0.5 * a[i][j][k] + 0.1 * (a[i][j][k - 1] + a[i][j][k + 1] + a[i][j - 1][k] +
                                           a[i][j + 1][k] + a[i - 1][j][k] + a[i + 1][j][k]);
}
Q
for target in avx512 avx2; do
    expect 0 compile grid.sq --target=$target -o grid.c
    for kernel in plane cube; do
        sed -n "s/^ \*  *$kernel: \(.*\)/\1/p" grid.c | grep -q 'micro([jk]:[0-9]*)' ||
            fail "$kernel on $target: $(grep "$kernel: " grid.c)"
    done
done

cat >rows.sq <<'Q'
#include "squall.h"
kernel inplace(int m, int n, const f32 x[m], const f32 y[n], f32 a[m][n])
{
    idx i, j;
    a[i][j] += x[i] * y[j];
}
kernel apart(int m, int n, const f32 x[m], const f32 y[n], f32 a[m][n])
{
    idx i, j;
    a[i][j] = x[i] * y[j];
}
Q
for target in avx512 avx2 generic; do
    expect 0 compile rows.sq --target=$target -o rows.c
    grep -q 'inplace_.*store_parts(a' rows.c || fail "inplace on $target stores under a mask"
    ! grep -q 'inplace_.*store_n' rows.c || fail "inplace on $target: $(grep store_ rows.c)"
    # Masked stores of AVX2 take 12 to 18 cycles on processors of AMD, whatever is read behind them.
    parts=no
    ! grep -q 'apart_.*store_parts' rows.c || parts=yes
    [ $parts = "$([ $target = avx2 ] && echo yes || echo no)" ] || fail "apart on $target: $(grep store_ rows.c)"
    [ $target = generic ] || grep -qw "$(echo $target | sed s/avx512/avx512f/)" /proc/cpuinfo || continue
    expect 0 check rows.sq --target=$target --quick
done

# Factors that are the same in all tiles stay in registers: then more vectors a tile share nothing.
cat >fir.sq <<'Q'
#include "squall.h"
kernel fir(int n, const f32 x[n + 8], const f32 taps[9], f32 y[n])
{
    idx i, k;
    range(k, 0, 9);
    y[i] = sum(x[i + k] * taps[k], k);
}
Q
expect 0 compile fir.sq --target=avx2 -o fir.c
grep -q '^ \*   fir: .*micro(k:9, i:16)' fir.c || fail "fir: $(grep '^ \*   fir: ' fir.c)"

# A copy has the sizes that the schedule is for: with room for 16 images of 16 planes no block of this one would be small
# enough, and reads beyond its border would go point by point.
for target in avx512 avx2; do
    expect 0 compile "$SQUALL_SOURCE/samples/conv3d.sq" --target=$target --at=N=1,C=16,F=32,D=16,H=32,W=32 -o c.c
    grep -q '^ \*   conv3d: .*tile(.*n:1[,)].*pack(I at ' c.c || fail "conv3d on $target: $(grep 'conv3d: ' c.c)"
done

# Pixels: what shares its loops, and goes along what it touches, is one pass in vectors; loops of their own would
# read all of it several times, and store to every third element alone.
cat >pixels.c <<'C'
#include <stdint.h>
void luma(int h, int w, const uint8_t in[h][w][3], uint8_t y[h][w], uint8_t u[h][w], uint8_t v[h][w])
{
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            y[i][j] = (uint8_t)(((66 * in[i][j][0] + 129 * in[i][j][1] + 25 * in[i][j][2] + 128) >> 8) + 16);
            u[i][j] = (uint8_t)(((-38 * in[i][j][0] - 74 * in[i][j][1] + 112 * in[i][j][2] + 128) >> 8) + 128);
            v[i][j] = (uint8_t)(((112 * in[i][j][0] - 94 * in[i][j][1] - 18 * in[i][j][2] + 128) >> 8) + 128);
        }
#pragma endscop
}
void packed(int h, int w, const uint8_t r[h][w], const uint8_t g[h][w], const uint8_t b[h][w], uint8_t to[h][3 * w])
{
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            to[i][3 * j + 2] = b[i][j];
            to[i][3 * j] = r[i][j];
            to[i][3 * j + 1] = g[i][j];
        }
#pragma endscop
}
void scaled(int h, int w, const uint8_t in[h][3 * w], uint8_t to[h][2 * w])
{
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            to[i][2 * j] = (uint8_t)((2 * in[i][3 * j] + in[i][3 * j + 1]) / 3);
            to[i][2 * j + 1] = (uint8_t)((in[i][3 * j + 1] + 2 * in[i][3 * j + 2]) / 3);
        }
#pragma endscop
}
C
for target in avx512 avx2 neon generic avx2,openmp; do
    expect 0 compile pixels.c --target=$target -o pixels_new.c
    case $target in
        *openmp) [ "$(grep -c 'omp parallel for' pixels_new.c)" = 3 ] || fail "not one loop of threads each" ;;
    esac
    # of the body of a region's nest, its stores of vectors, and its loops; the last vector may compute some again
    awk -v t=$target '
        /^static .*_nest\(/ { inside = 1; match($0, /squall_[a-z]*/); name = substr($0, RSTART + 7, RLENGTH - 7) }
        inside && / for \(/ { loops[name]++ }
        inside { stores[name] += gsub(/x[0-9]*_store\(/, "") }
        /^}/ { inside = 0 }
        END {
            want["luma"] = 3; want["packed"] = 3; want["scaled"] = 2
            for (k in want)
                if ((stores[k] != want[k] && stores[k] != 2 * want[k]) || loops[k] > 3)
                    print k ": " stores[k] + 0 " stores of vectors in " loops[k] + 0 " loops"
        }' pixels_new.c >told
    [ ! -s told ] || fail "pixels on $target: $(cat told)"
    [ $target = generic ] || grep -qw "$(echo $target | sed 's/avx512/avx512f/; s/,.*//')" /proc/cpuinfo || continue
    expect 0 check pixels.c --target=$target --quick
done

# One loop alone: threads would take single elements, a vector takes all of several iterations.
cat >complex.c <<'C'
void product(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        c[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    }
#pragma endscop
}
C
for target in avx512 avx2 generic avx2,openmp; do
    expect 0 compile complex.c --target=$target -o complex_new.c
    grep -q 'x[0-9]*_store(&c' complex_new.c && grep -q '_swapped(' complex_new.c || fail "complex products on $target are no vectors"
done

# Statements of one loop under conditions of their own: in one loop none of them would be vectors.
cat >given.c <<'C'
void back(const float *s, float *da, float *db, float *ds, int n, const float *dc)
{
#pragma scop
    for (int i = 0; i < n; ++i) {
        if (da) da[i] += dc[i] * s[i];
        if (db) db[i] += dc[i] * (1 - s[i]);
        ds[i] += dc[i];
    }
#pragma endscop
}
C
for target in avx512 avx2; do
    expect 0 compile given.c --target=$target -o given_new.c
    for array in da db ds; do
        grep -qE "f32x[0-9]+_store\(&$array\[" given_new.c || fail "$target: $array is not stored to in vectors"
    done
done

# Pools whose windows are longer than strides that loads shuffle, and shorter than a vector: lanes of one window's row.
# A product with the transpose of a small factor packs that: gathers of sixteen lanes took five times as long.
cat >far.sq <<'Q'
#include "squall.h"
kernel pool(int C, int H, int W, const f32 X[C][11 * H][11 * W], f32 Y[C][H][W])
{
    idx c, y, x, r, s;
    range(r, 0, 11);
    range(s, 0, 11);
    Y[c][y][x] = sum(X[c][11 * y + r][11 * x + s], r, s) / 121.f;
}
kernel scores(const f32 Q[2][64][16], const f32 K[2][64][16], f32 S[2][64][64])
{
    idx h, i, j, d;
    S[h][i][j] = sum(Q[h][i][d] * K[h][j][d], d);
}
Q
for target in avx512 avx2; do
    expect 0 compile far.sq --target=$target -o far.c
    grep -q '^ \*   pool: .*vectorize(s:' far.c || fail "pool on $target: $(grep ' pool: ' far.c)"
    grep -q '^ \*   scores: .*pack(K ' far.c || fail "scores on $target: $(grep ' scores: ' far.c)"
done

# A filter of 7 x 7 elements written out: one vector at a time is its shortest text, and not too long.
{
    printf '#include "squall.h"\nkernel filter(int H, int W, const f32 X[H][W], f32 Y[H][W])\n{\n    idx y, x;\n    Y[y][x] = 0'
    for i in 0 1 2 3 4 5 6; do
        for j in 0 1 2 3 4 5 6; do
            printf '\n        + pad(X[y + %d][x + %d], 0) * 0.%d' $((i - 3)) $((j - 3)) $((i * 7 + j + 1))
        done
    done
    printf ';\n}\n'
} >filter.sq
for target in avx512 avx2; do
    expect 0 compile filter.sq --target=$target -o filter.c
    grep -q '^ \*   filter: micro(x:' filter.c || fail "filter on $target: $(grep ' filter: ' filter.c)"
done

# Where a choice by indices leaves no sum, the parts of it that come later add nothing.
cat >chosen.sq <<'K'
#include "squall.h"
kernel chosen(int N, const int32_t C[N], int32_t Y[N][N])
{
    idx i, j, k;
    range(k, 0, N);
    Y[i][j] = j > 2 ? C[i] : sum((int32_t)(uint8_t)C[i], k);
}
K
for script in 'tile(k:16) order(k0, i, j) micro(i:4, j:8 | k)' 'tile(k:4, j:4) order(k0, j0, i, j)'; do
    expect 0 check chosen.sq --target=generic --at=N=1 --at=N=3 --at=N=37 --quick -e "$script"
done

# A sum whose result is contiguous along two elements alone: vectors are along the long dimension whose panels its
# factor has, and not as short as the two.
cat >doubled.sq <<'Q'
#include "squall.h"
kernel doubled(int C, int F, int H, int W, const f32 X[C][H][W], const f32 G[C][F][4][4], f32 Y[F][H][2][W][2])
{
    idx f, c, y, p, x, q, r, s;
    range(r, 0, 2);
    range(s, 0, 2);
    Y[f][y][p][x][q] = sum(pad(X[c][y + p - r][x + q - s], 0.f) * G[c][f][2 * r + 1 - p][2 * s + 1 - q], c, r, s);
}
Q
for target in avx512 avx2; do
    expect 0 compile doubled.sq --target=$target --at=C=64,F=64,H=28,W=28 -o doubled.c
    grep -q '^ \*   doubled: .*pack(G at [a-z0-9]* as f[0-9]*) micro(.*f:[0-9]* | c)' doubled.c ||
        fail "doubled on $target: $(grep 'doubled: ' doubled.c)"
done

# Statements that a script fuses: with few rows a product of dots needs no copy, with many the copy pays. Neither the
# rows nor the copy alone gain, and the model finds both.
cat >heads.sq <<'Q'
#include "squall.h"
#pragma squall fp fast
kernel heads(int H, int M, int L, int E, const f32 Q[H][M][E], const f32 K[H][L][E], const f32 V[H][L][E],
             f32 O[H][M][E])
{
    idx h, i, j, e;
    f32 S[H][M][L], most[H][M], total[H][M];
    S[h][i][j] = sum(Q[h][i][e] * K[h][j][e], e) * 0.125f;
    most[h][i] = rmax(S[h][i][j], j);
    S[h][i][j] = expf(S[h][i][j] - most[h][i]);
    total[h][i] = sum(S[h][i][j], j);
    O[h][i][e] = sum(S[h][i][j] * V[h][j][e], j) / total[h][i];
}
Q
expect 0 compile heads.sq --target=avx2 --fix=H=8,M=512,L=512,E=64 -o heads.c
grep -q '^ \*   S0: tile(i:64, .*pack(K at [a-z0-9]* as j[0-9]*) micro(i:[0-9]*, j:[0-9]* | e)' heads.c ||
    fail "heads: $(grep 'S0: ' heads.c)"

# Neighbouring tiles share the lines in which one ends and the next begins: a stencil needs no tiles along its rows
# (321 us with tiles of 128, 277 without, AVX2, Zen 3), and a transpose reads parts of lines and writes whole ones
# (62 us and 45).
cat >shared.sq <<'Q'
#include "squall.h"
kernel turn(int m, int n, const f32 a[m][n], f32 b[n][m])
{
    idx i, j;
    b[j][i] = a[i][j];
}
kernel blur(int h, int w, const f32 a[h][w], f32 b[h][w])
{
    idx y, x, u, v;
    range(u, 0, 3);
    range(v, 0, 3);
    b[y][x] = sum(clampedge(a[y + u - 1][x + v - 1]), u, v) / 9.0f;
}
Q
expect 0 compile shared.sq --target=avx2 --kernel=turn --fix=m=64,n=3136 -o turn.c
grep -q '^ \*   turn: order(i, j) micro(i:[0-9]*, j:8)' turn.c || fail "turn: $(grep 'turn: ' turn.c)"
expect 0 compile shared.sq --target=avx2 --kernel=blur --fix=h=720,w=1280 -o blur.c
! grep -q '^ \*   blur: .*tile(' blur.c || fail "blur: $(grep 'blur: ' blur.c)"

# Pages, not rows, are what a sum loses by walking down: rows of a contraction lie close together, and tiles of one row
# along a and b are its best (20.3 ms with b:2 and one vector, 8.7 so). Columns of a large matrix do not pay: a loop of
# columns shared by its update and its product begins on a page in each row (5.5 ms, 3.7 apart).
cat >walks.sq <<'Q'
#include "squall.h"
kernel contract(int A, int B, int I, int J, int K, const f32 X[A][K][I], const f32 Y[K][B][J], f32 O[A][B][I][J])
{
    idx a, b, i, j, k;
    O[a][b][i][j] = sum(X[a][k][i] * Y[k][b][j], k);
}
kernel updated(int n, f64 beta, f64 A[n][n], const f64 u[n], const f64 v[n], const f64 y[n], f64 x[n])
{
    idx i, j;
    A[i][j] += u[i] * v[j];
    x[j] = beta * sum(A[i][j] * y[i], i);
}
Q
expect 0 compile walks.sq --target=avx2 --kernel=contract --fix=A=16,B=16,I=48,J=64,K=512 -o contract.c
grep -q '^ \*   contract: .*micro(i:6, j:16 | k)' contract.c || fail "contract: $(grep 'contract: ' contract.c)"
# and what a tile reads of a panel lies together, whatever else the panel has
grep -q 'Y_pack += 16;' contract.c || fail "contract: $(grep 'Y_pack +=' contract.c)"
expect 0 compile walks.sq --target=avx2 --kernel=updated --at=n=2000 -o updated.c
! grep -q '^ \*.*\(fuse(S0, S1 at\|order(j, i)\)' updated.c || fail "updated: $(grep '^ \*.*S[01]' updated.c)"

# Where a tile has all values of an index, the index is a number in each: 16 comparisons of one vector (3.26 us, AVX2,
# Zen 3), not twice 8 with a vector made of each (3.58).
cat >bins.sq <<'Q'
#include "squall.h"
kernel bins(int n, const int32_t x[n], int32_t h[16])
{
    idx i, b;
    h[b] = sum(x[i] == b ? 1 : 0, i);
}
Q
expect 0 compile bins.sq --target=avx2 --at=n=10000 -o bins.c
grep -q '^ \*   bins: micro(b:16 | i)' bins.c || fail "bins: $(grep 'bins: ' bins.c)"

# Two such indices, of which one moves what is read and one does not: both are whole in a tile, which reads each row
# once (7.4 us for 16 images of 28 by 28, AVX2, Zen 3), and no rows beside them (10.4 us).
cat >twice.sq <<'Q'
#include "squall.h"
kernel twice(int C, int H, int W, const f32 X[C][H + 1][W + 1], f32 Y[C][H][2][W][2])
{
    idx c, y, p, x, q;
    Y[c][y][p][x][q] = (1 - 0.5f * p) * ((1 - 0.5f * q) * X[c][y][x] + 0.5f * q * X[c][y][x + 1]) +
                       0.5f * p * ((1 - 0.5f * q) * X[c][y + 1][x] + 0.5f * q * X[c][y + 1][x + 1]);
}
Q
expect 0 compile twice.sq --target=avx2 --at=C=16,H=28,W=28 -o twice.c
grep -q '^ \*   twice: .*micro(p:2, q:2, x:[0-9]*)' twice.c || fail "twice: $(grep 'twice: ' twice.c)"

# Sums whose results lie apart by an increment: vectors along the sum, several rows at once (0.17 ms at 1024 by 1024 and
# increments of 2, AVX2, Zen 3), and no chain of additions (1.40 ms).
cat >apart.sq <<'Q'
#include "squall.h"
kernel apart(int m, int n, int by, f64 alpha, const f64 a[m][n], const f64 x[n], f64 y[m][by])
{
    idx i, j;
    assume(by >= 1);
    y[i][0] = y[i][0] + alpha * sum(a[i][j] * x[j], j);
}
Q
for by in by=2 by=7 m=999; do
    expect 0 compile apart.sq --target=avx2 --fix=$by -o apart.c
    grep -q '^ \*   apart.*: micro(i:[0-9]* | j) vectorize(j:4)' apart.c || fail "apart: $(grep 'apart.*: ' apart.c)"
done

# A product of C loops, which may run once: its copy lies in as little memory as it can at no loss, and not in as much
# as all of B (2mm of PolyBench: 1.49 and 1.70 ms at its first call, AVX2, Zen 3).
cat >once.c <<'Q'
void once(double A[180][210], double B[210][190], double C[180][190])
{
#pragma scop
    for (int i = 0; i < 180; i++)
        for (int j = 0; j < 190; j++) {
            C[i][j] = 0;
            for (int k = 0; k < 210; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
#pragma endscop
}
Q
expect 0 compile once.c --target=avx2 -o once_new.c
grep -q '^ \*   once.*tile(j:[1-9][0-9]) .*pack(B at j0' once_new.c || fail "once: $(grep ' once: ' once_new.c)"
