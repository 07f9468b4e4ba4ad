#!/bin/sh
# A hundred updates of one array: read, ordered and checked within limits, and orders that break them are refused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

updates() { # NAME N PARAMETERS EDIT: a kernel with N statements; the edit makes each from its number
    printf '#include "squall.h"\nkernel %s(%s)\n{\n' "$1" "$3"
    seq "$2" | sed "$4"
    printf '}\n'
}

updates one 120 'int N, f32 A[N], const f32 B[N]' \
    '1s/^/    for (int i = 0; i < N; i++) {\n/; s/\([0-9]*\)$/        A[i] += \1 * B[i];/; $s/$/\n    }/' >one.sq
grep -q 'A\[i\] += 120 \* B\[i\];' one.sq || fail "no updates"
expect 0 check one.sq --target=generic --quick
updates nests 100 'int N, f32 A[N][N]' \
    's/\([0-9]*\)$/    for (int i = 1; i < N; i++)\n        for (int j = 1; j < N; j++)\n            A[i][j] += 0.01f * A[i - 1][j - 1] + \1;/' >nests.sq
expect 0 compile nests.sq --target=generic -e 'S7: order(i, j)' -o nests.c
expect 2 compile nests.sq --target=generic -e 'S7: order(j, i) parallel(j)' -o refused.c
says "loop 'j' carries a dependence: for example with N=3: S7[i=2, j=2] needs S7[i=1, j=1]"
absent refused.c
