#!/bin/sh
# squall bench: which text it measures. A compiler keeps every text that it is given.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
own_folders
cat >keeping-cc <<'C'
#!/bin/sh
for word; do
    case $word in
    *.c) if grep -qE 'squall_(candidate|arg)' "$word"; then cp "$word" "$KEPT/$(ls "$KEPT" | wc -l).c"; fi ;;
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
says "sizes 'N', 'K' of kernel 'gemm' are not known"

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

# Beside it, of a region, the file's own text with what it includes, defines and calls, as it was read; results are
# compared there, too.
mkdir dir
cat >dir/own.h <<'C'
typedef float number;
C
cat >dir/old.c <<'C'
#include "own.h"
#include <stddef.h>
static number weights[WIDTH][4];
static number twice(number x) { return 2 * x; }
double all(size_t m, const number (*restrict a)[WIDTH], number b[restrict static m][WIDTH], number d[m][m], number *c)
{
    int i, j;
    double sum = 1;
    number row[WIDTH];
#pragma scop
    for (i = 0; i < (int)m; i++) {
        for (j = 0; j < WIDTH; j++) /* a mark of the file */
            row[j] = twice(a[i][j]) + weights[j][1];
        for (j = 0; j < WIDTH; j++) {
            b[i][j] += row[j] * c[i * WIDTH + j];
            sum += row[j] + d[i][i] + sizeof row / sizeof *row;
        }
    }
#pragma endscop
    return sum;
}
C
measures dir/old.c -D 'WIDTH=(8 * 2)' --target=generic --at=m=64
silent
prints '  as written, -O3 '
grep -q 'a mark of the file' kept/1.c || fail "it is not the file's text"
grep -q 'sq_c0' kept/1.c && fail "it is the naive nest"
measures dir/old.c -D 'WIDTH=(8 * 2)' --target=generic --fix=m=64
silent
grep -q 'a mark of the file' kept/1.c || fail "it is not the file's text with --fix"

# Members of structs, and products that end loops, are variables in it.
cat >parts.c <<'C'
struct image { int w, h; float *data; };
static float twice(float x) { return 2 * x; }
void scale(struct image im)
{
#pragma scop
    for (int i = 0; i < im.w * im.h; i++)
        im.data[i] += twice(im.data[i]);
#pragma endscop
}
void asks(int n, const float *x, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (x)
            y[i] *= x[i];
#pragma endscop
}
struct vector { float x, y; };
float length(int n, const struct vector *v)
{
    float s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += v[i].x * v[i].x + v[i].y * v[i].y;
#pragma endscop
    return s;
}
struct cell { float x; int n; };
void both(int n, struct cell *v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[i].x *= (float)v[i].n;
#pragma endscop
}
struct path { int n; struct vector *at; };
void moved(struct path p)
{
#pragma scop
    for (int i = 0; i < p.n; i++)
        p.at[i].x += 1;
#pragma endscop
}
void local(int n, float *x)
{
    enum { FOUR = 4 };
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] *= FOUR;
#pragma endscop
}
C
measures parts.c --kernel=scale --target=generic --at=im_w___im_h=100
silent
prints '  as written, -O3 '
grep -q 'im_data\[i\] += twice(im_data\[i\]);' kept/1.c || fail "it is not the file's text"

measures parts.c --kernel=length --target=generic --at=n=100
prints '  as written, -O3 '
grep -q 's += v\[i\].x \* v\[i\].x + v\[i\].y \* v\[i\].y;' kept/1.c || fail "it is not the file's text of structs"

# Where that is faster, a note says what to do.
expect 0 bench parts.c --kernel=scale --target=generic --at=im_w___im_h=2000 -e 'tile(i:1)' --budget=0.2s
says 'the text of the file, compiled with -O3 -march=native, takes 0.'
says 'leave this region out, or tune it'

# Where it cannot be had by itself, plain loops, which are called so; and the reason.
plain() { # KERNEL SIZES WHY
    expect 0 bench parts.c --kernel=$1 --target=generic --at=$2 --budget=0.1s
    prints '  plain loops, -O3 '
    says "the text of '$1' is not measured as it is written, but as plain loops: $3"
}
plain asks n=100,x_given=1 'it asks whether pointers are NULL or numbers are 0'
plain both n=100 'it uses members of several types of structs in one array'
plain moved p_n=100 'it has structs in arrays that are members, which are arrays of numbers to the kernel'
plain local n=100 'by itself it has build_failed: '
expect 0 bench gemm.sq --target=generic --at=M=16,N=16,K=16 --budget=0.1s -q
prints '  plain loops, -O3 '
silent
