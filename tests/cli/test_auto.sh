#!/bin/sh
# auto(): what it finds for written loops, what it says when asked for what is not there, and that
# its script gives the same loops again.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

loops() { # kernel script...: the loop tree in out
    kernel=$1
    shift
    expect 0 compile auto.sq --kernel="$kernel" -e "$*" --dump=lower --stop-after=lower
}

cat >auto.sq <<'K'
#include "squall.h"
/* a temporary that every iteration writes first: a copy for each thread */
kernel sums(int M, int N, const f64 A[M][N], f64 Y[M])
{
    for (int i = 0; i < M; i++) {
        f64 s = 0;
        for (int j = 0; j < N; j++)
            s += A[i][j];
        Y[i] = s;
    }
}
/* one that passes a value on to the next iteration */
kernel running(int M, int N, const f64 A[M][N], f64 Y[M])
{
    f64 s = 0;
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++)
            s += A[i][j];
        Y[i] = s;
    }
}
kernel strict(int M, int N, const f64 A[M][N], f64 Y[M])
{
#pragma squall fp strict
    for (int i = 0; i < M; i++) {
        Y[i] = 0;
        for (int j = 0; j < N; j++)
            Y[i] += A[i][j];
    }
}
kernel smooth(int T, int N, inout f64 A[N], inout f64 B[N])
{
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < N - 1; i++)
            B[i] = A[i - 1] + A[i + 1];
        for (int i = 1; i < N - 1; i++)
            A[i] = B[i - 1] + B[i + 1];
    }
}
K

# Threads, and copies of what they would share.
loops sums 'auto(parallel)'
prints "i, parallel"
expect 0 compile auto.sq --kernel=sums -e 'auto(parallel)' --target=c,openmp -o out.c
grep -q 'double s_own = 0' out.c || fail "no copy of s for each iteration"
loops running 'auto(parallel)'
grep -q "i, parallel" out && fail "a sum that passes on is shared by threads"

# A loop of threads and vectors at once has both; where threads were asked for in vain that is said.
cat >scale.sq <<'K'
#include "squall.h"
kernel scale(int N, const f64 A[N], inout f64 B[N], inout f64 C[N])
{
    for (int i = 1; i < N; i++) {
        B[i] = B[i] + 2 * A[i];
        C[i] = C[i - 1] + B[i];
    }
}
K
expect 0 compile scale.sq -e 'auto(parallel)' --dump=lower --stop-after=lower
prints "i, parallel, vectors"
expect 0 compile scale.sq -e 'auto(parallel)' --target=avx2,openmp -o out.c
silent
sed -n '/omp parallel for/,/^    }/p' out.c | grep -q 'f64x4_load' || fail "no vectors for threads"
expect 0 check scale.sq --at N=5003 --target=host,openmp -e 'auto(parallel)'
expect 0 compile auto.sq --kernel=running -e 'auto(parallel)' -o out.c
says "warning: auto(parallel): threads can share no loop around 'S0'"
echo 'auto(parallel)' >parallel.script
expect 0 compile auto.sq --kernel=running --schedule=parallel.script -o out.c
says "warning: auto(parallel): threads can share no loop around 'S0'"
says "squall explain auto.sq"

# Sums in lanes; not under strict.
loops sums 'auto()'
prints "S1: j, vectors"
loops strict 'auto()'
grep -q "S1: j, vectors" out && fail "strict sums in lanes"

# A loop over time: skewed tiles along a wavefront, or kept.
loops smooth 'auto(tile:16, parallel)'
prints "along the wavefront"
prints "S1: 2*t + i + 1"
expect 0 compile auto.sq --kernel=smooth -e 'auto(tile:16, parallel)' --target=c,openmp -o out.c
grep -q "omp parallel for schedule(static, 1)" out.c || fail "tiles are not dealt in turn"
loops smooth 'auto(keep:1)'
prints "loop S0: t, S1: t"
grep -q "2\*t" out && fail "the kept loop skews others"

# What is not there.
expect 2 compile auto.sq --kernel=smooth -e 'auto(keep:2)'
says "keep:2, but all statements share 1"
expect 2 compile auto.sq --kernel=smooth -e 'auto(fuse:all)'
says "fuse is one of smart, max, min"
expect 2 compile auto.sq --kernel=smooth -e 'auto(tile)'
says "a tile has at least one point: tile:32"
expect 2 compile auto.sq --kernel=smooth -e 'auto(paralel)'
says "did you mean 'parallel'?"
expect 2 compile auto.sq --kernel=smooth -e 'auto() tile(i:8)'
says "name the one whose own loops are meant, as in tile(S0.t"
expect 2 compile auto.sq --kernel=smooth -e 'auto() dot(S0, i)'
says "which take auto, parallel, tile, order, pack, micro, vectorize, unroll, split, epilogue, hold;"
expect 2 compile auto.sq --kernel=smooth -e 'S0: micro(i:8) auto()'
says '`S0: micro(i:8)` before it would be lost'

# Work that is bounded: with fixed sizes an answer is found, and tiles along a wavefront that are too
# much to write down are refused, or given up for a first choice.
(ulimit -t $((SQUALL_SANITIZED ? 60 : $(paced 5)))
    expect 0 compile "$SQUALL_SOURCE/samples/polybench/adi.sq" --fix T=129,N=13 \
        -e 'S2: auto(fuse:min)' -o out.c
    expect 2 compile "$SQUALL_SOURCE/samples/polybench/heat-3d.sq" -o out.c \
        -e 'auto(tile:16, tile:7, tile:8, parallel)'
    says "the wavefront of its tiles cannot be written down")

# The canonical script means the same loops.
for e in 'auto(tile:32, tile:32, parallel)' 'auto(fuse:min)' 'auto(keep:1)' 'micro(S0.i:8)' \
    'auto(keep:1, fuse:min, tile:16) S1: tile(i:8) micro(i:4) parallel(i0)'; do
    loops smooth "$e"
    mv out first
    expect 0 show schedule auto.sq --kernel=smooth -e "$e"
    script=$(sed 's/^smooth: *//' out)
    loops smooth "$script"
    same first out
done

# Nobody says anything: written loops are ordered all the same.
expect 0 show schedule auto.sq --kernel=smooth
prints "auto("

# What tune may choose from, and the schedule it begins with; another one may be faster.
expect 0 show space auto.sq --kernel=smooth --at T=4,N=500
prints "order "
prints "keep "
prints "along "
sed -n '/include/p;/kernel smooth/,/^}/p' auto.sq >smooth.sq
expect 0 tune smooth.sq --at T=4,N=500 --trials=1
grep -q "auto(" smooth.*.sched || fail "no auto in the tuned schedule"

# And all of it computes what the loops compute.
for e in 'auto()' 'auto(tile:4, parallel)' 'auto(fuse:max, tile:3)' 'auto(keep:1, parallel)'; do
    expect 0 check auto.sq --kernel=smooth --at T=5,N=41 -e "$e"
done
for kernel in sums running strict; do
    expect 0 check auto.sq --kernel=$kernel --at M=19,N=37 -e 'auto(tile:4, parallel)'
    expect 0 check auto.sq --kernel=$kernel --at M=0,N=3 -e 'auto(parallel)'
done
# Statements that only fill temporaries are gone; a script says so.
cat >dead.sq <<'SQ'
#include "squall.h"
kernel dead(int N, const f32 A[N])
{
    idx i;
    f32 T[N];
    T[i] = A[i];
}
SQ
expect 2 compile dead.sq -o dead.c -e 'auto(parallel)'
says "auto refused: no statement of the kernel is left to schedule"

# Arrays that may overlap keep their order, also beside temporaries that copies could serve.
cat >overlap.sq <<'SQ'
#include "squall.h"
kernel overlap(int M, int32_t A[M], alias int32_t C[M], const alias int32_t E[M])
{
    for (int a = 0; a < M; a++)
        C[a] = 3;
    for (int a = 0; a < M; a++) {
        int32_t w = E[0] + 3;
        A[a] = w;
    }
}
kernel into(int M, alias int32_t C[M], const alias int32_t E[M])
{
    for (int a = 0; a < M; a++)
        C[0] += E[a];
}
SQ
for e in 'auto()' 'auto(fuse:min)' 'auto(fuse:max)'; do
    expect 0 compile overlap.sq --kernel=overlap -o overlap.c -e "$e"
    [ "$(grep -n 'C\[.*= 3;' overlap.c | cut -d: -f1)" -lt "$(grep -n '(\*w) = ' overlap.c | cut -d: -f1)" ] ||
        fail "$e: E is read before C is written"
done
expect 2 compile overlap.sq --kernel=overlap -o overlap.c -e 'auto(S0, S2)'
says "auto refused"
expect 0 compile overlap.sq --kernel=into -o into.c -e 'auto(parallel)'
says "threads can share no loop around 'S0'"

# Steps of a C loop start threads only where each has work enough for them.
cp "$SQUALL_SOURCE/samples/polybench/adi.sq" "$SQUALL_SOURCE/samples/polybench/jacobi-2d.sq" .
expect 0 compile adi.sq --target=avx2,openmp -o adi.c
grep '#pragma omp' adi.c >regions
[ "$(grep -c . regions)" -ge 4 ] || fail "adi: no parallel loops"
! grep -v ' if (.*N - 1.*>= ' regions || fail "adi: a parallel loop without a condition"
expect 0 compile adi.sq --target=avx2,openmp -o adi.c --fix=N=9000
grep '#pragma omp' adi.c | grep -qv ' if ' || fail "adi: enough is known to be enough"
expect 0 compile adi.sq --target=avx2,openmp -o adi.c --fix=N=20
! grep '#pragma omp' adi.c | grep -v ' if ([0-9.]* >= ' || fail "adi: little is known to be little"
expect 0 compile jacobi-2d.sq --target=avx2,openmp -o jacobi.c # skewed: lengths that nobody would read
[ "$(grep '#pragma omp' jacobi.c)" = '#pragma omp parallel for schedule(static, 1)' ] ||
    fail "jacobi-2d: not one parallel loop without a condition"
cat >tri.c <<'C'
void tri(int n, double a[n][n], double b[n][n])
{
#pragma scop
    for (int t = 0; t < 100; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                a[i][j] = a[i][j] / b[j][i] + t;
#pragma endscop
}
C
expect 0 compile tri.c --target=avx2,openmp -o tri.o.c -e 'auto(parallel, keep:1)'
grep -q '#pragma omp.* if (.*n.* \* .*n.* >= ' tri.o.c || fail "a triangle: $(grep '#pragma omp' tri.o.c)"

# A position over two indices: its number has 64 bits, and tiles pass it through memory.
cat >position.sq <<'SQ'
#include "squall.h"
kernel position(int N, int M, const f32 A[N][M], int32_t best[1])
{
    idx i, j;
    best[0] = argmax(A[i][j], i, j);
}
SQ
expect 0 compile position.sq --target=avx2 -o position.c
silent
expect 0 check position.sq --target=avx2 -e 'S1: tile(i:8, j:16)'

# What is computed while a sum waits for itself stays in its loop; what takes longer than the wait is vectors apart.
for more in '' '/ d[i]'; do
    cat >waits.c <<C
void waits(int n, float *restrict a, float *restrict b, const float *restrict c, const float *restrict d)
{
#pragma scop
    for (int i = 1; i < n; i++) {
        a[i] = c[i] * d[i] $more + 1.0f;
        b[i] = b[i - 1] * 0.5f + a[i];
    }
#pragma endscop
}
C
    expect 0 compile waits.c --target=avx2 -o waits.o.c
    loops=$(sed -n '/squall_waits_1_nest(int64_t/,/^}/p' waits.o.c | grep -c 'for (')
    [ "$loops" = "$([ "$more" ] && echo 2 || echo 1)" ] || fail "a[i] = c[i] * d[i] $more: $loops loops"
done

# Private scalars whose loop is vectors alone are no variables any more: nothing would read them.
for target in generic avx2,openmp avx512; do
    expect 0 compile "$SQUALL_SOURCE/tests/exec/strict.sq" --kernel=kept --target=$target --fix=M=16,N=48,K=2 \
        -e 'S0: auto(fuse:max, keep:1, parallel)' -o kept.c
    "$CC" -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c kept.c -o kept.o || fail "$target: a warning"
    grep -q 'sum_own_of0_x' kept.c || fail "$target: no vectors: nothing was seen"
done
exit 0
