#!/bin/sh
# squall bench: which text it measures. A compiler keeps every text that it is given.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
own_folders
cat >keeping-cc <<'C'
#!/bin/sh
for word; do
    case $word in
    *.c) if grep -q squall_candidate "$word"; then cp "$word" "$KEPT/$(ls "$KEPT" | wc -l).c"; fi ;;
    esac
done
exec "$REAL_CC" "$@"
C
chmod +x keeping-cc
KEPT=$PWD/kept REAL_CC=$CC
export KEPT REAL_CC
mkdir kept

# measures words...: the texts that bench has compiled are kept/0.c and so on, the first one's loops are in `loops`.
measures() {
    rm -f kept/*
    expect 0 bench "$@" --budget=0.1s --cc="$PWD/keeping-cc" -q
    loops_of kept/0.c >loops
}
# What differs between schedules: where loops end and by how much they advance.
loops_of() { sed -n 's/squall_candidate/gemm/g; s/.*\(for (.*)\).*/\1/p' "$1"; }

# chosen N: the loops of what compile chooses for N, in `wanted`.
chosen() {
    expect 0 compile gemm.sq --target=generic --at=M=$1,N=$1,K=$1 -o compiled.c
    loops_of compiled.c >wanted
}

# The schedule is the one that compile chooses for the sizes, each time.
for n in 4 16 200; do
    measures gemm.sq --target=generic --at=M=$n,N=$n,K=$n
    chosen $n
    same loops wanted
    cp loops loops.$n
done
if cmp -s loops.4 loops.200; then fail "the sizes make no difference: the test sees nothing"; fi

# Several sizes: each with its own. "untuned" beside a given schedule is the same choice.
measures gemm.sq --target=generic --at=M=200,N=200,K=200 --at=M=4,N=4,K=4
same loops loops.200
loops_of kept/2.c >loops
same loops loops.4
measures gemm.sq --target=generic --at=M=200,N=200,K=200 -e 'tile(k:8)'
if cmp -s loops loops.200; then fail "the given schedule was not measured"; fi
loops_of kept/1.c >loops
same loops loops.200

# Sizes that --at lacks are those of the description's line, too.
sed 's/^{/{\n#pragma squall tune M=200 N=200 K=200/' gemm.sq >lined.sq
measures lined.sq --target=generic --at=M=200
same loops loops.200
expect 64 bench gemm.sq --target=generic --at=M=200
says "size 'N' of kernel 'gemm' is not known"

# What has one function for all sizes is measured at each of several.
cat >scale.c <<'C'
void scale(int n, float *restrict x, const float *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = 2 * y[i];
#pragma endscop
}
C
measures scale.c --target=generic --at=n=100 --at=n=1000
prints "n=100 on "
prints "n=1000 on "
