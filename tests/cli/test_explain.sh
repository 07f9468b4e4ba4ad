#!/bin/sh
# squall explain and show deps: each answer that a loop can get, kinds of dependences, JSON.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cat >loops.sq <<'K'
#include "squall.h"
kernel loops(int T, int N, f32 A[N][N], inout f32 B[N][N], f32 s[N], const f32 X[N][N])
{
    f32 t;
    for (int k = 0; k < T; k++)
        for (int i = 1; i < N; i++)
            for (int j = 1; j < N - 1; j++)
                A[i][j] = A[i - 1][j + 1] + A[i][j];
    for (int i = 0; i < N; i++) {
        s[i] = 0.f;
        for (int j = 0; j < N; j++)
            s[i] += X[i][j];
    }
    for (int i = 0; i < N; i++) {
        t = X[i][0];
        B[i][0] = t * t;
    }
}
kernel rows(int M, int N, const f32 X[M][N], f32 Y[M][N])
{
    idx i, j;
    f32 m[M];
    m[i] = rmax(X[i][j], j);
    Y[i][j] = X[i][j] - m[i];
}
kernel strict(int N, const f32 X[N][N], f32 y[N])
{
#pragma squall fp strict
    idx i, j;
    y[i] = sum(X[i][j], j);
}
K
expect 0 explain loops.sq
silent
prints "loops (loops.sq:2)"
prints "loop k, around S0"
# carried by k, then by i; j goes back in i
prints "line 8 writes 'A', which line 8 reads in another iteration: for example with"
prints "not together with i (auto(tile:…) may skew them)"
# a sum in a written loop, a temporary
prints "lanes hold partial sums of line 12; contiguous: X; the same for all lanes: s"
prints "only the memory of the temporary 't' is used again"
# index statements
prints "it keeps the greatest value in one element of 'm' (line 23): threads would change it at once"
prints "rmax over j, around S0"
prints "it adds up one element of 'y' (line 30): threads would change it at once"
prints "sum over j, around S0"
prints "lanes hold partial results; contiguous: X"
prints "contiguous: X, Y; the same for all lanes: m"
prints "in loops they share: fuse(S0, S1 at i)"
prints "the reduction of line 30 is done in the order written (fp strict)"
if grep -qi 'isl\|polyhedr' out; then fail "speaks of its tools"; fi

expect 0 explain loops.sq --json
json "[k['kernel'] for k in j['kernels']] == ['loops', 'rows', 'strict']"
json "j['kernels'][1]['loops'][0]['parallel']['can'] is True"
json "j['kernels'][1]['loops'][1]['sum'] is True"
json "j['kernels'][1]['pairs'][0]['fuse']['can'] is True"

expect 0 show deps loops.sq
prints "flow   S0, line 8, writes 'A', which S0, line 8, reads"
prints "anti   S0, line 8, reads 'A', which S0, line 8, writes"
prints "output S0, line 8, writes 'A', which S0, line 8, writes"
prints "sum    S0, line 23, is added up before it is used"
expect 0 show deps loops.sq --json
json "{d['kind'] for d in j['kernels'][0]['dependences']} == {'flow', 'anti', 'output'}"
json "j['kernels'][1]['dependences'][0]['kind'] == 'sum'"

# Arrays that may be the same memory: which they are, and what order that asks for.
cat >overlap.sq <<'END'
#include "squall.h"
kernel k(int N, const alias f32 A[N], const f32 B[N], f32 C[N], f32 D[N])
{
    idx i;
    C[i] = A[i] + B[i];
    D[i] = C[i] * 2;
}
END
expect 0 show deps overlap.sq
prints "alias  'A' and 'C' may overlap"
prints "alias  'A' and 'D' may overlap"
if grep -q "'A' and 'B'" out; then fail "two arrays that nobody writes"; fi
prints "anti   S0, line 5, reads 'A', which may overlap 'C', which S0, line 5, writes"
prints "anti   S0, line 5, reads 'A', which may overlap 'D', which S1, line 6, writes"
expect 0 show deps overlap.sq --json
json "[p['arrays'] for p in j['kernels'][0]['overlaps']] == [['A', 'C'], ['A', 'D']]"
json "[(d['kind'], d['array'], d['other']) for d in j['kernels'][0]['dependences'] if 'other' in d][0] == ('anti', 'A', 'C')"
expect 0 explain overlap.sq
prints "parallel  no:  line 5 "
prints "which may overlap"
cat >pointers.c <<'END'
void f(int n, float *p, const float *q, float *restrict r)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        p[i] = q[i];
        r[i] = q[i];
    }
#pragma endscop
}
END
expect 0 show deps pointers.c
prints "disjoint  'p' and 'q': tested before the call"
expect 0 show deps pointers.c --json
json "j['kernels'][0]['overlaps'] == [{'arrays': ['p', 'q'], 'tested': True}]"

expect 3 explain missing.sq
expect 64 explain

# What the compiler of vectors does with a statement, not only what dependences allow.
cat >lanes.sq <<'K'
#include "squall.h"
kernel rests(int N, const int32_t A[N], int32_t B[N])
{
    for (int i = 0; i < N; i++)
        B[i] = A[i] % (A[i] + 3);
}
kernel twice(int N, const f32 A[N], f32 B[N])
{
    for (int i = 0; i < N; i++)
        B[i] = A[i] * 2;
}
kernel apart(int N, const f32 A[N], f32 B[5 * N])
{
    for (int i = 0; i < N; i++)
        B[5 * i] = A[i];
}
K
expect 0 explain lanes.sq --target=avx2 --kernel=rests
prints "S0: line 5, writes 'B'; compiled for avx2: one point at a time"
prints "vector    no:  dependences allow it, but what is compiled for avx2 takes one point at a time"
expect 0 explain lanes.sq --target=avx2 --kernel=apart
prints "vector    no:  dependences allow it"
expect 0 explain lanes.sq --target=avx2 --kernel=twice
prints "S0: line 10, writes 'B'; compiled for avx2: vectors of 8, the last vector overlaps"
prints "vector    yes: contiguous: A, B"
prints "S0[i=1, j=0] is statement S0"
# Masks of AVX-512 are cheap, and what is written in place may not be computed twice.
expect 0 explain lanes.sq --target=avx512 --kernel=twice --json
json "not j['kernels'][0]['statements'][0]['overlaps']"
printf '#include "squall.h"\nkernel own(int N, inout f32 A[N])\n{\n    for (int i = 0; i < N; i++)\n        A[i] = A[i] * 2;\n}\n' >own.sq
expect 0 explain own.sq --target=avx2 --json
json "j['kernels'][0]['statements'][0]['lanes'] == 8 and not j['kernels'][0]['statements'][0]['overlaps']"

# A grid: what is launched, warps for vectors, and how threads share a sum.
cp "$SQUALL_SOURCE/samples/softmax.sq" "$SQUALL_SOURCE/samples/gemm.sq" .
expect 0 explain softmax.sq --target=cuda
prints "softmax_kernel0: S0, S1, S2, S3 on sm_80, max(M, 0) blocks of 128 threads"
prints "warp      yes: contiguous: X, Y; the same for all lanes: most"
prints "threads would change it at once; each has a part of it by hold(j) thread(j:32)"
if grep -q 'vector' out; then fail "speaks of vectors"; fi
expect 0 explain gemm.sq --target=cuda,arch=sm_90 --json -e 'tile(i:64, j:64, k:8) order(i0, j0, i, j, k0) micro(i:4, j:4 | k) hold(k0) block(i0, j0) thread(i, j) share(A, B at k0)'
json "j['kernels'][0]['launches'][0] == {'name': 'gemm_kernel0', 'statements': 'S0', 'threads': 256, 'shared_bytes': 4096, 'blocks': 'max((M + 63) / 64, 0) * max((N + 63) / 64, 0)'}"
expect 0 explain gemm.sq --json
json "j['kernels'][0]['launches'] == []"
# A schedule that is refused is not passed over; what this target cannot have is said.
expect 2 explain gemm.sq --target=cuda -e 'pack(B at k)'
says "-e:1:1: error: pack refused: S0: pack copies into a processor's memory"
printf '#include "squall.h"\n#pragma squall fp strict\nkernel st(int N, const f32 X[N], f32 Y[N])\n{\n    idx i;\n    Y[i] = sinf(X[i]);\n}\n' >st.sq
expect 0 explain st.sq --target=cuda
says "warning: 'st' is not compiled for target 'cuda': sin under"

# Sums that stay in registers across a loop are computed in vectors, too.
expect 0 explain gemm.sq --target=avx2 -e 'tile(k:4) micro(i:2, j:8 | k) order(i, j, k0) hold(k0)'
prints "S0: line 8, writes 'C'; compiled for avx2: vectors of 8"
# What a step of an innermost loop does, beside what the machine can.
cp "$SQUALL_SOURCE/samples/gemm.sq" .
expect 0 explain gemm.sq --target=avx2 -e 'micro(i:6, j:16 | k)'
prints "S0, a step of k in gemm_tile_i6_j16: 12 multiply-adds, 8 loads (88 bytes); 15 of 16 registers; cycles: 6 of arithmetic, 4 of loads"
expect 0 explain gemm.sq --target=avx2 -e 'micro(i:6, j:16 | k)' --json
json "j['kernels'][0]['counts'][0]['count'] == {'multiply_adds': 12, 'operations': 0, 'calls': 0, 'loads': 8, 'bytes_loaded': 88, 'stores': 0, 'bytes_stored': 0, 'shuffles': 0, 'registers': 15}"
json "j['kernels'][0]['counts'][0]['function'] == 'gemm_tile_i6_j16'"
expect 0 explain gemm.sq --target=cuda
if grep -q "a step of" out; then fail "counts what is no code"; fi

# A register tile that never has two points is none, whatever the schedule says.
expect 0 explain "$SQUALL_SOURCE/tests/exec/holes.sq" --kernel=chessboard --target=avx2
prints "compiled for avx2: one point at a time"
if grep -q 'vector *yes' out; then fail "vectors, and one point at a time"; fi

# Functions have the names that the emitted text gives them, in regions of C files and where a kernel is
# named like another's function, too.
named() {
    tr ' ' '\n' <out | sed -n 's/:$//; /_\(tile\|points\)[0-9_]/p' | sort -u >names
    [ -s names ] || fail "names no function"
    while read -r name; do
        grep -q "$name(" emitted.c || fail "$name is not in the text"
    done <names
}
cp "$SQUALL_SOURCE/tests/scop/products.c" "$SQUALL_SOURCE/tests/scop/table.h" .
expect 0 compile products.c --target=avx2 -o emitted.c
expect 0 explain products.c --target=avx2
named
{
    cat gemm.sq
    sed '/#include/d; s/kernel gemm(/kernel gemm_tile(/' gemm.sq
} >two.sq
expect 0 compile two.sq --target=avx2 -o emitted.c
expect 0 explain two.sq --target=avx2
named
sizes='--at=M=1,N=64,K=64 --at=M=64,N=64,K=64'
expect 0 compile two.sq --kernel=gemm --target=avx2 -o emitted.c $sizes
expect 0 explain two.sq --kernel=gemm --target=avx2 $sizes
named

# What is compiled has fewer dimensions than the description: untuned by the model, else by the script alone.
cp "$SQUALL_SOURCE/tests/exec/merge.sq" .
expect 0 explain merge.sq --kernel=pool7 --target=avx2
prints "  merged dimensions: merge(n, c) merge(y, x)"
prints "sum over y, around S0"
expect 0 explain merge.sq --kernel=pool7 --target=avx2 --json
json "j['kernels'][0]['merged'] == ['merge(n, c)', 'merge(y, x)']"
expect 0 explain merge.sq --kernel=pool7 --target=avx2 -e 'micro(| y)'
if grep -q "merged" out; then fail "merges what a script does not"; fi

# Loops that count down have their names: back substitution, and the values of an option by a tree of prices, whose steps
# are along both loops at once.
cat >down.c <<'C'
void backsub(int n, const double U[n][n], const double *b, double *x)
{
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        double s = b[i];
        for (int j = n - 1; j > i; j--)
            s -= U[i][j] * x[j];
        x[i] = s / U[i][i];
    }
#pragma endscop
}
void binomial(int n, double p, double disc, double *v)
{
#pragma scop
    for (int t = n - 1; t >= 0; t--)
        for (int i = 0; i <= t; i++)
            v[i] = disc * (p * v[i + 1] + (1 - p) * v[i]);
#pragma endscop
}
C
expect 0 explain down.c --target=avx2
prints "S1, a step of j, 4 at a time: "
prints "S0, a step of i_t, 4 at a time: "
