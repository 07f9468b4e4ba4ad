#!/bin/sh
# C loops whose order or conditions are much work to find out: compiled within five seconds of
# processor time, and as right as others.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
most=5
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
for conditions in '(row + col) % 128 == 3' '(row + col) % 64 == 1' \
    '(row + col) % 3 == 1 && (row + 2 * col) % 5 == 2 && (row - col) % 7 == 0'; do
    sieve "$conditions"
    within 0 compile sieve.c --target=avx2 -o out.c
    says "the loops around 'S0' cannot be written down"
done
within 0 check sieve.c --target=avx2 --at n=23,m=31 --quick
# Nor is the order written of these two.
sieve '(row + 2 * col) % 7 == 1 && (row - col) % 16 == 3'
within 2 compile sieve.c --target=avx2 -o out.c
says "fewer remainders"
