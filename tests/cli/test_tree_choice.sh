#!/bin/sh
# The first choice for loops of several statements: register tiles for the products among them, by the model's prices.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
factors=$SQUALL_SOURCE/tests/exec/factors.sq

# chosen TARGET FILE [OPTION...]: the first choice, on one line, in out.
chosen() {
    target=$1
    shift
    expect 0 compile "$@" --target="$target" -o out.c
    silent
    sed -n '/Schedule, first choice/,/\*\//p' out.c | tr -d '\n' >out
    [ -s out ] || fail "$*: no first choice"
}

# tiled STATEMENT: it has a register tile of several rows and vectors in the choice.
tiled() { grep -Eq "$1: [^S]*micro\([a-z]:[0-9]+, [a-z]:[0-9]+ \| [a-z]\)" out || fail "$1 has no tile: $(cat out)"; }

chosen avx2 "$SQUALL_SOURCE/samples/blocked_lu.sq"
tiled S3
for target in generic avx2 avx512; do
    chosen $target "$factors" --kernel=chol_block
    tiled S4
    chosen $target "$factors" --kernel=recurrent
    tiled S1
    tiled S2
    prints 'pack(U at'
    chosen $target "$factors" --kernel=solve_blocks
    tiled S2
done

# Threads share the tiles' loops inside of the loop over blocks or time.
for kernel in chol_block recurrent; do
    chosen avx2,openmp "$factors" --kernel=$kernel
    prints 'parallel('
    grep -q 'micro(' out || fail "$kernel: threads, and no tile"
done

# Columns that need one another: no tile is chosen that breaks a dependence, and the loops around each statement are the
# model's choice where fused ones would run across the rows of memory.
chosen avx2 "$factors" --kernel=qr_columns
prints 'auto(fuse:min, keep:1)'
chosen avx2 "$SQUALL_SOURCE/samples/polybench/gramschmidt.sq"
prints 'auto(fuse:min, keep:1)'

# Tiles of fused loops that use the matrix from the cache stay the choice.
for sample in lu cholesky trmm; do
    chosen avx2 "$SQUALL_SOURCE/samples/polybench/$sample.sq"
    prints 'auto(fuse:smart, tile:16, tile:512)'
done

# Rows times a matrix that stays in the cache from one row to the next: a register tile, in the loops around as written.
cat >near.c <<'C'
void turn(int n, int m, int k, double x[50][40][60], const double by[60][60], double row[60])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int p = 0; p < k; p++) {
                row[p] = 0;
                for (int s = 0; s < k; s++)
                    row[p] += x[i][j][s] * by[s][p];
            }
            for (int p = 0; p < k; p++)
                x[i][j][p] = row[p];
        }
#pragma endscop
}
C
# With the extents as numbers, isl's scheduler looks for rows of iterations as long as a loop, until its limit.
sed 's/p < k/p < 60/; s/s < k/s < 60/; s/int k, //' near.c >numbers.c
for file in near.c numbers.c; do
    chosen avx2 $file
    grep -q 'S1: .*micro(p:[0-9]* | s)' out || fail "$file: rows times a near matrix have no tile: $(cat out)"
done

expect 0 explain "$SQUALL_SOURCE/samples/blocked_lu.sq" --target=avx2
grep -Eq 'S3, a step of k in .*: 12 multiply-adds, 8 loads' out || fail "explain does not count the tile of S3"
