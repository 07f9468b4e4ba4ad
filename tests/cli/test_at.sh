#!/bin/sh
# Size vectors that nothing can be done with are refused alike by every command that takes --at: a size that no kernel
# has, one that --fix makes another, sizes that the shapes exclude, that the kernel assumes away or at which it does
# nothing.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
gemm >gemm.sq
{ gemm; scale_sq | sed 1d; } >two.sq
cat >inner.sq <<'K'
#include "squall.h"
kernel inner(int H, int W, const f32 X[H][W], f32 Y[H - 2][W])
{
    idx y, x;
    assume(W % 4 == 0);
    Y[y][x] = X[y][x] + X[y + 2][x];
}
K
compile="compile -o no.c" explain=explain schedule="show schedule" space="show space" bench="bench --budget=0.1s"
check="check --quick" tune="tune --budget=0.1s --store=none"
all="compile explain schedule space bench check tune"

# refused CODE TEXT COMMANDS WORDS...
refused() {
    code=$1 text=$2 commands=$3
    shift 3
    for name in $commands; do
        eval "words=\$$name"
        # shellcheck disable=SC2086 # a list of words
        expect "$code" $words --target=generic "$@"
        says "$text"
        absent no.c
    done
}
refused 64 "kernel 'gemm' has no size 'Z'" "$all" gemm.sq --at=M=8,N=8,K=8,Z=1
refused 64 "kernel 'gemm' has no size 'm'" compile gemm.sq --at=m=8,N=8,K=8
says "did you mean 'M'?"
refused 64 "help: it has M, N, K" compile gemm.sq --at=M=8,N=8,K=8,Zoom=1
refused 64 "no kernel of two.sq has a size 'Z'" "$all" two.sq --at=M=8,N=8,K=8,Z=1
refused 64 "--at gives size 'M' the value 8, and --fix makes it 4" "$all" gemm.sq --fix=M=4 --at=M=8,N=8,K=8
refused 64 "--at gives size 'M' the value 5, and --fix makes it 4|8" "$all" gemm.sq '--fix=M=4|8' --at=M=5,N=8,K=8
refused 64 "M=3000000000 does not fit its type int" "$all" gemm.sq --at=M=3000000000,N=8,K=8
refused 64 "'8x8' is no size" "$all" gemm.sq --at=8x8
refused 2 "inner at H=1,W=8: the kernel accepts no such sizes" "$all" inner.sq --at=H=1,W=8
refused 2 "inner at H=8,W=7: these sizes break what the kernel assumes" "compile explain schedule space bench tune" \
    inner.sq --at=H=8,W=7
refused 2 "the kernel writes nothing at these sizes" "compile explain schedule space bench tune" gemm.sq --at=M=0,N=8,K=8
refused 2 "inner at H=2,W=8: the kernel writes nothing" compile inner.sq --at=H=8,W=8 --at=H=2,W=8

# What there is instead, with what the file calls it.
printf 'typedef struct { int n; float *x; } row;\nvoid f(row *p)\n{\n#pragma scop\n    for (int i = 0; i < p->n; i++) p->x[i] *= 2;
#pragma endscop\n}\nvoid g(float *x, int w)\n{\n#pragma scop\n    for (int i = 0; i < w; i++) x[i] *= 2;\n#pragma endscop\n}\n' >rows.c
refused 64 "help: it has p__n (p->n)" compile rows.c --kernel=f --at=n=64
refused 64 "help: 'g' has w" compile rows.c --at=n=64

# check runs what others have no schedule for; vectors for one of several constants are for that alone.
expect 0 check gemm.sq --quick --target=generic --at=M=0,N=8,K=8
expect 0 check inner.sq --quick --target=generic --at=H=8,W=7
expect 0 compile gemm.sq '--fix=M=4|8' --at=M=8,N=8,K=8 -o yes.c
expect 0 compile gemm.sq --fix=M=4 --at=M=4,N=8,K=8 -o yes.c
expect 0 compile two.sq --at=M=8,N=8,K=8 --target=generic -o yes.c

# Kernels of other sizes: each has the vectors that name all of its sizes, and one at least.
{ gemm; printf 'kernel add(int R, int L, const f32 X[R][L], f32 Y[R][L])\n{\n    idx r, l;\n'
  printf '    Y[r][l] += X[r][l];\n}\n'; } >mixed.sq
refused 64 "'add'" "$all" mixed.sq --at=M=8,N=8,K=8
says "say --at=R=...,L=... as well, or --kernel=NAME to leave 'add' out"
refused 64 "'gemm'" "compile explain schedule check tune" mixed.sq --at=M=8,N=8,K=8 --at=M=9 --at=R=4,L=9
for name in $all; do
    eval "words=\$$name"
    # shellcheck disable=SC2086
    expect 0 $words --target=generic mixed.sq --at=M=8,N=8,K=8 --at=R=4,L=9
done
expect 0 tune mixed.sq --target=generic --trials=1 --store=none --at=R=4,L=9 --at=M=8,N=8,K=8 --at=R=5,L=9 --at=R=4,L=9
[ "$(grep '^kernel' mixed.generic.sched | sort | tr '\n' ' ')" = \
    'kernel add at R=4,L=9 { kernel add at R=5,L=9 { kernel gemm at M=8,N=8,K=8 { ' ] || fail "entries of tune"
# Lines of the description are for a kernel that no vector is for, and are no part of one for another kernel.
sed 's/^kernel add/#pragma squall tune R=6 L=7\n&/' mixed.sq >lines.sq
expect 0 tune lines.sq --target=generic --trials=1 --store=none --at=M=8,N=8,K=8 --at=M=4,N=4,K=4
[ "$(grep -c '^kernel add at R=6,L=7' lines.generic.sched)" = 1 ] || fail "a line of the description"
exit 0
