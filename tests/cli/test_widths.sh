#!/bin/sh
# Elements of several widths in one loop: results as before at odd sizes, and the instructions that compilers do not
# find by themselves.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
own_folders
cat >old.c <<'C'
#include <stdint.h>
void wide(int n, double *x, const float *a, const int *p)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = (double)a[i] * a[i + 1] + p[i];
#pragma endscop
}
void mean(int n, uint8_t *o, const uint8_t *u, const uint8_t *v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = (uint8_t)((u[i] + v[i] + 1) >> 1);
#pragma endscop
}
void mean_of_words(int n, uint16_t *o, const uint16_t *h)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = (uint16_t)((1 + h[i] + h[i + 1]) >> 1);
#pragma endscop
}
void mean_down(int n, uint8_t *o, const uint8_t *u, const uint8_t *v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = (uint8_t)((u[i] + v[i]) >> 1);
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdint.h>
#include "show.h"
void wide(int n, double *x, const float *a, const int *p);
void mean(int n, uint8_t *o, const uint8_t *u, const uint8_t *v);
void mean_of_words(int n, uint16_t *o, const uint16_t *h);
void mean_down(int n, uint8_t *o, const uint8_t *u, const uint8_t *v);
int main(void)
{
    static const int odd[] = {0, 1, 2, 3, 4, 7, 13, 31, 33, 127, 129};
    static float a[140];
    static int p[140];
    for (int i = 0; i < 140; i++)
        a[i] = (float)(i * 37 % 101) / 8, p[i] = (i * 1237 - 70000) << 12;
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++) {
        double x[140] = {0};
        wide(odd[k], x, a, p);
        SHOW(x);
    }
    /* all pairs of bytes */
    for (int i = 0; i < 256; i++) {
        static uint8_t u[257], v[257], o[257], down[257];
        static uint16_t h[258], w[257];
        for (int j = 0; j < 257; j++)
            u[j] = (uint8_t)i, v[j] = (uint8_t)j, h[j + (j == 256)] = (uint16_t)(i * 257 * (j % 2) + j * 253);
        mean(257, o, u, v), mean_of_words(257, w, h), mean_down(257, down, u, v);
        SHOW(o), SHOW(w), SHOW(down);
    }
    return 0;
}
C
show_h
as_before_everywhere 779

# gcc converts halves of vectors to double, and joins them; and does not find means in vectors.
if [ "$(uname -m)" = x86_64 ]; then
    for target in avx2:ymm avx512:zmm; do
        expect 0 compile old.c --target="${target%:*}" -o new.c
        "${CC:-cc}" -O2 -S new.c -o new.s || fail "$target: the compiler"
        for name in cvtps2pd cvtdq2pd; do
            grep -q "$name.*%${target#*:}" new.s || fail "$target: no $name of a whole vector"
        done
        # Means of bytes are not widened.
        grep -q "pavgb.*%${target#*:}" new.s || fail "$target: no pavgb of a whole vector"
        grep -q "pavgw.*%${target#*:}" new.s || fail "$target: no pavgw of a whole vector"
        for name in mean mean_of_words; do
            ! grep -q "squall_${name}_1_u[0-9x]*_to_" new.c || fail "$target: $name is widened"
        done
        ! grep -q "squall_mean_down.*average" new.c || fail "$target: what is rounded down"
    done
fi
