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
    grep -q 'inplace_.*store_pieces(a' rows.c || fail "inplace on $target stores under a mask"
    ! grep -q 'inplace_.*store_n\|apart_.*store_pieces' rows.c ||
        fail "inplace or apart on $target: $(grep store_ rows.c)"
    [ $target = generic ] || grep -qw "$(echo $target | sed s/avx512/avx512f/)" /proc/cpuinfo || continue
    expect 0 check rows.sq --target=$target --quick
done
