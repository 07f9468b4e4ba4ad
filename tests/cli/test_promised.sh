#!/bin/sh
# Arrays whose elements assume() promises to be in a range: what the header says of them, for which sizes such arrays
# exist, that nothing else is read, and that check's own inputs reach both ends. tests/exec/indirect.sq has the lanes of
# processors, tests/errors/elements_*.sq what is refused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
kernels=$SQUALL_SOURCE/tests/exec/indirect.sq

# The contract. An array of which no element has a number is empty, whatever else is assumed of sizes: in `limited` the
# place itself would be inside of T without that.
cat >contract.sq <<'K'
#include "squall.h"
kernel bag(int B, int L, int V, int D, const int32_t I[B][L], const f32 W[V][D], f32 Y[B][D])
{
    idx b, l, d;
    assume(I[b][l] >= 0 && I[b][l] < V);
    Y[b][d] = sum(W[I[b][l]][d], l);
}
kernel limited(int N, int V, int W, const int32_t X[N], const uint8_t Z[N], const f32 T[W], f32 Y[N])
{
    assume(N >= 64 && V <= W);
    idx i;
    assume(X[i] >= 0 && X[i] < V);
    assume(Z[i] <= 3);
    Y[i] = T[X[i]] * Z[i];
}
kernel one_sided(int N, const int64_t X[N], const int64_t Z[N], f32 Y[N])
{
    idx i;
    assume(X[i] >= 1);
    assume(N - 1 > Z[i]);
    Y[i] = (f32)(X[i] & 7) / (f32)(Z[i] & 7 | 1);
}
K
cat >accepts.c <<'C'
#include "contract.h"

int main(void)
{
    return !bag_accepts(3, 4, 1, 5) || bag_accepts(3, 4, 0, 5) || !bag_accepts(0, 4, 0, 5) || !bag_accepts(3, 0, 0, 5) ||
           !limited_accepts(3, 1, 5) || limited_accepts(3, 0, 5) || limited_accepts(3, 6, 5) || !limited_accepts(0, 0, 5);
}
C
expect 0 compile contract.sq -o contract.c --header=contract.h
says_of() { grep -qF " *   Elements of $1: not checked." contract.h || fail "the header does not say: $1"; }
says_of 'I_ are 0 to V - 1'
says_of 'X are 0 to V - 1'
says_of 'Z are 0 to 3'
says_of 'X are at least 1'
says_of 'Z are at most N - 2'
"$CC" -O1 accepts.c contract.c -o accepts -lm
./accepts || fail "sizes at which no such array exists are not those that are refused"
for kernel in bag limited one_sided; do
    expect 0 check contract.sq --kernel=$kernel --quick
done
expect 0 compile contract.sq --dump=parse --stop-after=parse
prints 'in int32_t I [B, L, V, D] -> { [(B)] } [B, L, V, D] -> { [(L)] } least [B, L, V, D] -> { [(0)] } most [B, L, V, D] -> { [(-1 + V)] }'

# Around the table are pages that cannot be read on both sides in turn, and on the other one NaN; the places are ends of
# their range, all the same or by turns. The element by element results are those of the places.
cat >poisoned.c <<'C'
#define _GNU_SOURCE
#include "promised.h"
#include "promised_from_one.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static float *table(int n, int at_end)
{
    unsigned char *all = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + PAGE, PAGE, PROT_READ | PROT_WRITE))
        exit(2);
    float *page = (float *)(void *)(all + PAGE), *t = at_end ? page + PAGE / sizeof *page - n : page;
    for (size_t i = 0; i < PAGE / sizeof *page; i++)
        page[i] = NAN;
    for (int i = 0; i < n; i++)
        t[i] = (float)(i + 1);
    return t;
}

static int place(int turn, int i, int n)
{
    return turn == 0 ? 0 : turn == 1 ? n - 1 : turn == 2 ? (i & 1) * (n - 1) : i * 7 % n;
}

static int differs(int n, int v, int turn, int at_end)
{
    float *t = table(v, at_end), *y = malloc(2 * (size_t)n * sizeof *y), *a = malloc((size_t)n * sizeof *a);
    int32_t *from0 = malloc((size_t)n * sizeof *from0), *from1 = malloc((size_t)n * sizeof *from1);
    int bad = 0;
    for (int i = 0; i < n; i++) {
        from0[i] = place(turn, i, v);
        from1[i] = from0[i] + 1;
        a[i] = (float)i;
    }
    promised(n, v, from0, t, a, y);
    promised_from_one(n, v, from1, t, y + n);
    for (int i = 0; i < n; i++)
        bad |= y[i] != a[i] * t[from0[i]] + 1 || y[n + i] != t[from0[i]] - t[v - from1[i]];
    free(y), free(a), free(from0), free(from1);
    munmap((void *)((uintptr_t)t / PAGE * PAGE - PAGE), 3 * PAGE);
    if (bad)
        printf("n=%d, v=%d, turn %d, at_end %d\n", n, v, turn, at_end);
    return bad;
}

int main(void)
{
    static const int n[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100}, v[] = {1, 2, 3, 7, 100};
    int bad = 0;
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        for (size_t j = 0; j < sizeof v / sizeof *v; j++)
            for (int turn = 0; turn < 8; turn++)
                bad |= differs(n[i], v[j], turn / 2, turn % 2);
    return bad;
}
C
for target in $(targets 'runs && (name == "generic" || name == "avx2" || name == "avx512")'); do
    for kernel in promised promised_from_one; do
        expect 0 compile "$kernels" --kernel=$kernel --target="$target" -o $kernel.c --header=$kernel.h
    done
    "$CC" -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -ffp-contract=off poisoned.c promised.c \
        promised_from_one.c -o poisoned -lm
    ./poisoned || fail "$target reads something else"
done

# By instructions; where a lane that does not exist would have no place, one by one.
expect 0 compile "$kernels" --kernel=promised --target=avx2 -o t.c
grep -qF '_indexed(T, ' t.c || fail "no lanes are gathered"
grep -qF '> 0 ? T[' t.c && fail "the rest needs no lanes one by one"
expect 0 compile "$kernels" --kernel=promised_from_one --target=avx2 -o t.c
grep -qF '_indexed(T, ' t.c || fail "no lanes are gathered from 1 on"
grep -qF '> 0 ? T[' t.c || fail "lanes of the rest have places"

# Inputs reach both ends of a range of several numbers: a text that is wrong at one of them alone is found.
for wrong in 's/(int32_t)((uint32_t)I\[0\] - (uint32_t)1)/I[0] - 1 + (V > 1 \&\& I[0] == 1)/' \
    's/(int32_t)((uint32_t)(int32_t)V - (uint32_t)I\[0\])/V - I[0] + (V > 1 \&\& I[0] == V)/'; do
    expect 0 compile "$kernels" --kernel=promised_from_one --target=generic -o t.c
    sed "$wrong" t.c >mutant.c
    cmp -s t.c mutant.c && fail "nothing to edit: $wrong"
    expect 1 check "$kernels" --kernel=promised_from_one --target=generic --text=mutant.c --quick
    says "wrong: Y["
done

# A copy is filled up with 0, which is no place where elements begin with 1.
expect 2 compile "$kernels" --kernel=promised_pairs --target=avx2 -o t.c \
    -e 'tile(i:24) tile(j:12) micro(i:8, j:4) vectorize(i:4) order(i0, j0, j, i) pack(I at j0 as j4)'
says "a copy of I is filled up with 0, which is promised to be none of its elements"

# On a GPU, in the passes, in the tuner.
expect 0 check "$kernels" --kernel=promised_from_one --target=cuda,arch=sm_80 --quick
prints ' 0 findings'
expect 0 check "$kernels" --kernel=promised_twice --passes
own_folders
cp "$kernels" tuned.sq
expect 0 tune tuned.sq --kernel=promised_from_one --trials=3 --budget=5s --at=N=1000,V=100
