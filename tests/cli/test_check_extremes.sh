#!/bin/sh
# squall check of maxima and minima that start from a number in place of an infinity: all elements are beyond it.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

# The second row of sizes has such inputs.
at='--at=M=2,N=3 --at=M=13,N=21'

# starts FROM...: the kernel of x.sq, as squall writes it, is right, and wrong with each of these starts.
starts() {
    expect 0 compile x.sq -o x.c --target=generic
    expect 0 check x.sq --target=generic --text=x.c $at --quick
    for from in "$@"; do
        mutant x.c "s/-__builtin_inff*()/$from/; s/\([^-]\)__builtin_inff*()/\1$from/"
    done
    found x.sq --target=generic $at --quick
}

# kernel PARAMETERS STATEMENTS
kernel() {
    printf '#include "squall.h"\nkernel x(int M, int N, %s)\n{\n    idx i, j;\n    %s\n}\n' "$1" "$2" >x.sq
}

cp "$SQUALL_SOURCE/samples/softmax.sq" x.sq
starts -1e30f # from -FLT_MAX it is right: rows of -inf give NaN in any case
kernel 'const f32 X[M][N], f32 R[M][N - 2]' 'idx r; range(r, 0, 3); R[i][j] = rmax(X[i][j + r], r);'
starts -1e30f -3.4028234e38f 0.f
kernel 'const f32 X[M][N], f32 R[M]' 'R[i] = rmin(X[i][j], j);'
starts 1e30f 3.4028234e38f
kernel 'const f64 X[M][N], f64 R[M]' 'R[i] = rmax(X[i][j], j);'
starts -1e30 -3.5e38 -1.7976931348623157e308
kernel 'const f16 X[M][N], f16 R[M]' 'R[i] = rmax(X[i][j], j);'
starts -65504.f
kernel 'const f32 A[M][N], const f32 B[N][M], f32 R[M][M]' 'idx k; R[i][k] = rmax(A[i][j] + B[j][k], j);'
starts -1e30f
kernel 'const f32 X[M][N], f32 R[M]' \
    'f32 m[M], s[M]; m[i] = rmax(X[i][j], j); s[i] = sum(expf(X[i][j] - m[i]), j); R[i] = m[i] + logf(s[i]);'
starts -1e30f
# What sums read is left in its range: one order of the terms is infinite, and another is not.
kernel 'const f32 X[M][N], f32 R[M]' 'f32 m[M]; m[i] = rmax(X[i][j], j); R[i] = m[i] - sum(X[i][j], j);'
expect 0 check x.sq --target=generic $at --quick
