#!/bin/sh
# What a nest asks gcc for: loops that begin at a line of code, -O3 where the loops are plain and do not wait, and an order
# of instructions where functions of several vectors are chains side by side.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >old.c <<'C'
#include <math.h>
#include <stdint.h>
#pragma squall fp strict
void step(int n, float dt, float *restrict p, float *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        v[3 * i + 1] -= 9.81f * dt;
        p[3 * i] += v[3 * i] * dt;
        p[3 * i + 1] += v[3 * i + 1] * dt;
        p[3 * i + 2] += v[3 * i + 2] * dt;
    }
#pragma endscop
}
void follow(int n, float up, float down, const float *restrict x, float *restrict y)
{
    float e = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        e = x[i] > e ? x[i] + up * (e - x[i]) : x[i] + down * (e - x[i]);
        y[i] = e;
    }
#pragma endscop
}
void scale(int n, float k, const float *restrict x, float *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = k * x[i];
#pragma endscop
}
/* Functions of several vectors; of one sum. */
void soften(int n, const float *restrict x, float *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = logf(1 + expf(x[i]));
#pragma endscop
}
float weigh(int n, const float *restrict x)
{
    float s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += expf(x[i]);
#pragma endscop
    return s;
}
int product(int n, const int16_t *restrict x, const int16_t *restrict y)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
#pragma endscop
    return s;
}
int differences(int n, const uint8_t *restrict x, const uint8_t *restrict y)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += x[i] > y[i] ? x[i] - y[i] : y[i] - x[i];
#pragma endscop
    return s;
}
void recode(int n, const uint8_t *restrict table, const uint8_t *restrict x, uint8_t *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = table[x[i]];
#pragma endscop
}
void wave(int n, const int16_t *restrict table, const uint8_t *restrict x, int16_t *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = (int16_t)(table[x[i]] * 3 >> 2);
#pragma endscop
}
C
expect 0 compile old.c --target=avx2 -o new.c
sed -i "/^#pragma squall/d" new.c
asks() { # NAME ATTRIBUTE
    grep -B 2 "static SQ_TARGET [a-z0-9_]* squall_$1_1_nest(" new.c >head.c
    grep -qF "__attribute__((optimize($2)))" head.c || fail "$1 does not ask for $2"
    grep -q "^#if .*GNUC.*!defined(__clang__).*__OPTIMIZE__.*!defined(__OPTIMIZE_SIZE__)" new.c || fail "of all compilers"
}
asks step '"O3", "align-loops=64"'
asks follow '"align-loops=64"'
asks product '"align-loops=64"'
asks soften '"schedule-insns", "sched-pressure"'
grep -B 2 "static SQ_TARGET [a-z0-9_]* squall_weigh_1_nest(" new.c | grep -q "schedule-insns" && fail "weigh asks for an order"
# What is looked up in a table of bytes is no vector, until something is computed of it. No tile has any of both.
asks recode '"align-loops=64"'
asks wave '"O3", "align-loops=64"'
for name in recode wave; do
    sed -n "/squall_${name}_1_nest(int64_t/,/^}/p" new.c >nest.c
    [ "$(grep -c "for (" nest.c)" = 1 ] || fail "$name: tiles of single points"
done
# Its steps are short; what is left takes more statements.
asks differences '"align-loops=64"'
# The steps of a large register tile are many lines long.
grep -B 2 "static SQ_TARGET [a-z0-9_]* squall_scale_1_nest(" new.c | grep -q "optimize" && fail "scale asks"

# No compiler complains at any level, and under `fp strict` nothing is contracted for all that.
for words in -O0 -O1 -O2 -O3 -Os -Og; do
    "$CC" $words -Wall -Wextra -Werror -pedantic -c new.c -o new.o || fail "$words"
done
if "$CC" --version | grep -q "Free Software" && [ "$(uname -m)" = x86_64 ]; then
    "$CC" -O2 -S new.c -o new.s
    sed -n '/^squall_step_1_nest:/,/^\tret/p' new.s | grep -q "vfn*m\(add\|sub\)" && fail "a product and a sum are rounded once under fp strict"
    # A loop over vectors or points begins at a multiple of 64.
    sed -n '/^squall_product_1_nest:/,/^\tret/p' new.s | grep -q "p2align 6" || fail "loops of product are not aligned"
    sed -n '/^squall_step_1_nest:/,/^\tret/p' new.s | grep -q "p2align 6" || fail "loops of step are not aligned"
    # A sum stays in a register: the region's function ends in the nest.
    sed -n '/^product:/,/\.size/p' new.s | grep -q "jmp.*squall_product_1_nest" || fail "a sum goes through memory"
    # What decides whether the nest runs is no call.
    ! grep -q "call.*product_1_fits" new.s || fail "sizes are tested by a call"
    "$CC" -Os -S new.c -o small.s
    ! grep -q "p2align 6" small.s || fail "loops are aligned where size counts"
fi
exit 0
