#!/bin/sh
# C loops whose order or conditions are much work to find out: compiled within five seconds of
# processor time, and as right as others.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
most=$(paced 5)
[ "$SQUALL_SANITIZED" = 0 ] || most=60

# within CODE words...: the tool, within that time.
within() { (ulimit -t "$most" && expect "$@"); }

# Tiles along a wavefront whose fronts fall into 67 pieces: the next order is taken.
cat >settle.c <<'C'
/* A bed of grain: from each layer on grains fall into all cells, and from the third layer on they
 * drain to the left. The diagonal of what is measured is kept, too. */
void settle(int layers, int cells, float bed[cells + 2], float kept[layers][layers],
            const float measured[layers][layers])
{
#pragma scop
    for (int t = 1; t < layers - 1; t++) {
        for (int s = t; s < layers - 1; s++)
            for (int c = 0; c < cells; c++)
                bed[c] += 0.25f;
        kept[layers - 1 - t][t] = measured[t][t] - measured[t][t / 2];
        if (t >= 3)
            for (int c = 0; c < cells; c++)
                bed[c] -= bed[c + 2];
    }
#pragma endscop
}
C
for target in generic,openmp avx2,openmp; do
    within 0 compile settle.c --target=$target -o out.c
    silent
    grep -q 'omp parallel for' out.c || fail "$target: no loop is shared by threads"
done
for sizes in layers=37,cells=1031 layers=4,cells=3 layers=2,cells=1; do
    within 0 check settle.c --target=generic,openmp --at $sizes --quick
done

# isl's scheduler would find an order of these after 7 seconds: its numbers outgrow two words before
# that, and the order written is taken. The sum of S3 has lanes in it.
cat >plate.c <<'C'
#include <math.h>
/* What the layers of a plate give off to those below them. */
void plate(int n, int m, int k, float heat[n + m + k + 4][3 * n + m / 3 + k + 5],
           const float flow[45][45], const float gap[n][n + 4])
{
#pragma scop
    for (int t = n - 1; t >= 0; t--) {
        for (int x = 2; x < m - 2; x++)
            heat[t][0] -= heat[x + 1][x / 3 + 2] * 0.75f;
        for (int y = n - 1; y >= 0; y--) {
            heat[y][t] -= sinf(heat[y + 2][3 * y]);
            for (int z = 0; z < k; z++) {
                double s = heat[z + y + 2][y + 2] * 0.125f;
                for (int l = 0; l < m; l++)
                    s -= (heat[z + y + 2][y + 3] - flow[t][l]) / 2.0f;
                heat[t % 3 + 2][z] = gap[n - 1 - t][y + 1] - gap[n - 1 - t][y + 2] + s;
            }
        }
    }
#pragma endscop
}
C
within 0 compile plate.c --target=generic -o out.c
grep -q 'auto(' out.c && fail "plate: an order was found"
grep -q '_sum(acc' out.c || fail "plate: the sum of S3 has no lanes"
within 0 check plate.c --target=generic --at n=9,m=11,k=7 --quick

# Three orders of these would take isl's scheduler four seconds each, within all limits: it is asked for
# one.
cat >mill.c <<'C'
#include <stdint.h>
/* What the rollers of a mill take in and hand on. */
void mill(int n, int m, int32_t feed[][n + m + 4], int64_t mesh[2 * n + 4][n + 4],
          int32_t load[][3 * n + m + 6])
{
#pragma scop
    for (int t = n - 1; t >= 0; t--) {
        for (int x = 0; x < n; x++) {
            for (int y = n - 1; y >= 0; y -= 2) {
                if (x >= y)
                    feed[x / 2][y] = mesh[x][y + 3];
                load[y / 2][x] += feed[x][x];
            }
            int32_t s = 0;
            for (int z = 0; z < m; z++)
                s += load[z][t / 2] ^ feed[x % 2 + 1][t];
            feed[t / 2][2] = s;
            for (int k = 0; k < n; k += 2)
                mesh[x + t + 2][x] += load[t + 3][t + 4] ^ load[t + 5][t + 6];
        }
    }
#pragma endscop
}
C
(most=$((most + 3)) && within 0 compile mill.c --target=generic -o out.c)

# sieve CONDITION: a kernel that keeps what fulfils it, in sieve.c.
sieve() {
    cat >sieve.c <<C
void sieve(int n, int m, float kept[n][m], const float seen[n][m])
{
#pragma scop
    for (int row = 0; row < n; row++)
        for (int col = 0; col < m; col++)
            if ($1)
                kept[row][col] += seen[row][col];
#pragma endscop
}
C
}

# Four and seven remainders over loops and sizes together are refused.
four='(row + col + n) % 2 == 0 && (row + 2 * col + m) % 3 == 1 && (2 * row + col + n) % 5 == 2 &&
    (row + 3 * col + m) % 7 == 3'
seven="$four && (3 * row + col + n) % 11 == 4 && (row + 5 * col) % 13 == 5 &&
    (5 * row + 2 * col) % 17 == 6"
for conditions in "$four" "$seven"; do
    sieve "$conditions"
    within 2 compile sieve.c --target=generic -o out.c
    says "error: the loops around 'S0' cannot be written down"
    says "fewer remainders"
done

# Tiles of what is left over are not written down within the limit: the order written is taken.
for conditions in '(row + col) % 2048 == 3' '(row + col) % 512 == 1'; do
    sieve "$conditions"
    within 0 compile sieve.c --target=avx2 -o out.c
    says "the loops around 'S0' cannot be written down"
done
within 0 check sieve.c --target=avx2 --at n=23,m=31 --quick
# Tiles of one row are.
for conditions in '(row + col) % 64 == 1' \
    '(row + col) % 3 == 1 && (row + 2 * col) % 5 == 2 && (row - col) % 7 == 0'; do
    sieve "$conditions"
    within 0 compile sieve.c --target=avx2 -o out.c
    grep -q ' sieve: micro(col:' out.c || fail "no tile of one row"
done
within 0 check sieve.c --target=avx2 --at n=23,m=31 --quick
# Nor is the order written of these two.
sieve '(row + 2 * col) % 7 == 1 && (row - col) % 16 == 3'
within 2 compile sieve.c --target=avx2 -o out.c
says "its conditions and bounds, which divide by 112, fall into too many cases"
says "fewer remainders"
