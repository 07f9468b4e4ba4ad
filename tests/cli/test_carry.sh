#!/bin/sh
# Scalars that an iteration leaves to the next one: what the one before stored, so that nothing is carried and the loop
# becomes vectors. The value after the loop is that of the last iteration, or the one before the loop.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
float previous(int n, float *a, const float *b, float last)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = (b[i] + last) * 0.5f;
        last = b[i];
    }
#pragma endscop
    return last;
}
int two_back(int n, int *a, const int *b, int one, int two)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = b[i] + 2 * one - two;
        two = one;
        one = b[i] - 1;
    }
#pragma endscop
    return one + 3 * two;
}
float kept(int n, float *a, float last)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = a[i] + last;
        last = a[i];
    }
#pragma endscop
    return last;
}
C
cat >main.c <<'C'
#include "show.h"
float previous(int n, float *a, const float *b, float last);
int two_back(int n, int *a, const int *b, int one, int two);
float kept(int n, float *a, float last);
int main(void)
{
    static const int odd[] = {0, 1, 2, 3, 7, 8, 9, 13, 31, 33, 127, 129};
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++) {
        float a[140] = {0}, b[140], c[140], last[2];
        int p[140] = {0}, q[140], end[1];
        for (int i = 0; i < 140; i++)
            b[i] = (float)(i * 37 % 101) / 8, q[i] = i * i, c[i] = b[i];
        last[0] = previous(odd[k], a, b, 3.5f), last[1] = kept(odd[k], c, 0.25f);
        end[0] = two_back(odd[k], p, q, 5, 70);
        SHOW(a), SHOW(c), SHOW(p), SHOW(last), SHOW(end);
    }
    return 0;
}
C
show_h
as_before_everywhere 36

expect 0 compile old.c --target=avx2 -o new.c
for name in previous two_back; do
    sed -n "/squall_${name}_1_nest(int64_t/,/^}/p" new.c | grep -q "x8_store" || fail "$name: no vectors"
done
! sed -n '/squall_kept_1_nest(int64_t/,/^}/p' new.c | grep -q "x8" || fail "kept: vectors of a sum of all before"
exit 0
