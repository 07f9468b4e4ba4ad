#!/bin/sh
# inline where arrays may overlap, and where values would grow without end.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

# What S0 writes to X is read or overwritten through Y when both are one array.
for line in 'Y[i] = 7;' 'V[i] = Y[i];'; do
    cat >alias.sq <<EOF
#include "squall.h"
kernel twice(int N, f32 w, alias f32 X[N], alias f32 Y[N], f32 V[N], f32 Z[N])
{
    idx i;
    X[i] = w + 1;
    $line
    Z[i] = X[i];
    X[i] = 5;
    Y[i] = 3;
}
EOF
    expect 0 compile alias.sq -o plain.c
    expect 2 compile alias.sq -o inlined.c -e 'inline(S0)'
    says "inline refused: X is the caller's array, and may overlap another one (alias)"
    absent inlined.c
    sed 's/alias //g' alias.sq >apart.sq
    expect 0 compile apart.sq -o apart.c -e 'inline(S0)'
done

# Each statement reads the one before it four times: six of them are enough.
{
    printf '#include "squall.h"\nkernel grow(int N, f32 w, f32 Y[N])\n{\n    idx i;\n    f32 T0[N];\n'
    printf '    T0[i] = w;\n'
    for t in 1 2 3 4 5 6 7 8; do
        x="T$((t - 1))[i]"
        printf '    f32 T%d[N];\n    T%d[i] = %s * %s + %s * %s;\n' $t $t "$x" "$x" "$x" "$x"
    done
    printf '    Y[i] = T8[i];\n}\n'
} >grow.sq
expect 0 compile grow.sq -o grow.c -e 'inline(S0) inline(S1) inline(S2) inline(S3) inline(S4) inline(S5)'
expect 2 compile grow.sq -o none.c \
    -e 'inline(S0) inline(S1) inline(S2) inline(S3) inline(S4) inline(S5) inline(S6)'
says "the value of S6 has 8191 operators and operands, and stands in for 4 reads"
absent none.c
