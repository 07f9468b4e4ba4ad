#!/bin/sh
# Channels side by side in memory, with lanes along the pixels: vectors of all in turn are stored, those of the last
# lanes in part; of sums and of points, of every width.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
here=" $(targets 'runs' | tr '\n' ' ')"
cat >sums.sq <<'SQ'
#include "squall.h"
kernel two(int N, const f32 X[N][2], const f32 M[2][2], f32 Y[N][2]) { idx i, c, d; Y[i][c] = sum(X[i][d] * M[c][d], d); }
kernel three(int N, const f32 X[N][3], const f32 M[3][3], f32 Y[N][3]) { idx i, c, d; Y[i][c] += sum(X[i][d] * M[c][d], d); }
kernel four(int N, const f64 X[N][4], const f64 M[4][4], f64 Y[N][4]) { idx i, c, d; Y[i][c] = sum(X[i][d] * M[c][d], d); }
kernel upscaled(int H, int W, const f32 X[H + 1][W + 1], f32 Y[H][2][W][2])
{
    idx y, p, x, q;
    Y[y][p][x][q] = (1 - 0.5f * p) * ((1 - 0.5f * q) * X[y][x] + 0.5f * q * X[y][x + 1]) +
                    0.5f * p * ((1 - 0.5f * q) * X[y + 1][x] + 0.5f * q * X[y + 1][x + 1]);
}
kernel image(int H, int W, const f32 X[3][H][W], f32 Y[H][W][3]) { idx c, y, x; Y[y][x][c] = 0.5f * X[c][y][x] + 1; }
SQ
for target in generic avx2 avx512; do
    case $here in *" $target "*) ;; *) echo "skipped: running $target" && continue ;; esac
    for kernel in two:2:lanes three:3:2*lanes four:4:lanes; do
        name=${kernel%%:*} points=${kernel#*:} n=${points%%:*}
        expect 0 compile sums.sq --kernel="$name" --target=$target -o one.c \
            -e "micro(c:$n, d:$n, i:${points#*:}) vectorize(i:lanes)"
        [ $target = generic ] || grep -q "zip" one.c || fail "$target: $name is stored lane by lane"
        expect 0 check sums.sq --kernel="$name" --target=$target --quick --progress=never \
            -e "micro(c:$n, d:$n, i:${points#*:}) vectorize(i:lanes)"
    done
    expect 0 check sums.sq --kernel=image --target=$target --quick --progress=never \
        -e 'micro(c:3, x:lanes) vectorize(x:lanes)'
    # What nobody scheduled: the model knows that it pays.
    expect 0 compile sums.sq --kernel=three --at=N=10000 --target=$target -o one.c
    [ $target = generic ] || grep -q "zip3" one.c || fail "$target: lanes along the pixels are not the model's choice"
    expect 0 check sums.sq --kernel=three --at=N=10000 --target=$target --quick --progress=never
    # Two points of a dimension of two, not a square of lanes of which most do not exist; and nowhere lane by lane.
    expect 0 compile sums.sq --kernel=upscaled --at=H=28,W=28 --target=$target -o one.c
    [ $target = generic ] || grep -q "zip" one.c || fail "$target: lanes along the pixels are not the choice for two of them"
    ! grep -q "scatter" one.c || fail "$target: the last lanes are stored one by one"
    expect 0 check sums.sq --kernel=upscaled --at=H=28,W=28 --target=$target --quick --progress=never
done
