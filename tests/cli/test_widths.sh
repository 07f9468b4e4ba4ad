#!/bin/sh
# Elements of several widths in one loop: results as before at odd sizes, and the instructions that compilers do not
# find by themselves.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
own_folders
cat >old.c <<'C'
void wide(int n, double *x, const float *a, const int *p)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = (double)a[i] * a[i + 1] + p[i];
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdint.h>
#include "show.h"
void wide(int n, double *x, const float *a, const int *p);
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
    return 0;
}
C
show_h
as_before_everywhere 11

# gcc converts halves of vectors to double, and joins them.
if [ "$(uname -m)" = x86_64 ]; then
    for target in avx2:ymm avx512:zmm; do
        expect 0 compile old.c --target="${target%:*}" -o new.c
        "${CC:-cc}" -O2 -S new.c -o new.s || fail "$target: the compiler"
        for name in cvtps2pd cvtdq2pd; do
            grep -q "$name.*%${target#*:}" new.s || fail "$target: no $name of a whole vector"
        done
    done
fi
