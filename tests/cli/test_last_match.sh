#!/bin/sh
# Scalars of loops around few iterations and conditions: the last iteration at which something holds, all planes of a box
# in lanes of the loop around them, counts in integers as wide as what is compared.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
#include <stdint.h>
int last(const int *a, int at, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] < 0)
            at = i;
#pragma endscop
    return at;
}
int64_t last_of_both(const double *a, const float *b, int64_t n)
{
    int64_t at = INT64_MAX;
#pragma scop
    for (int64_t i = 2; i < n; i++)
        at = a[i] > 11 && b[i] < 11 ? i : at;
#pragma endscop
    return at;
}
/* It is asked what it was. */
int changes(const int *a, int n)
{
    int at = -1;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > at)
            at = i;
#pragma endscop
    return at;
}
int inside(const float (*s)[4], const float planes[6][4], uint8_t *seen, int n)
{
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int in = 1;
        for (int k = 0; k < 6; k++)
            in &= planes[k][0] * s[i][0] + planes[k][1] * s[i][1] + planes[k][2] * s[i][2] + planes[k][3] > -s[i][3];
        seen[i] = (uint8_t)in;
        count += in;
    }
#pragma endscop
    return count;
}
long above(const double *a, double limit, int n)
{
    long count = 5;
#pragma scop
    for (int i = 0; i < n; i++)
        count += a[i] > limit;
#pragma endscop
    return count;
}
C
cat >main.c <<'C'
#include <stdint.h>
#include <stdio.h>
int last(const int *, int, int), changes(const int *, int);
int64_t last_of_both(const double *, const float *, int64_t);
int inside(const float (*)[4], const float[6][4], uint8_t *, int);
long above(const double *, double, int);
int main(void)
{
    static int a[200];
    static double d[200];
    static float f[200], s[200][4], planes[6][4];
    static uint8_t seen[200];
    for (int i = 0; i < 200; i++) {
        d[i] = i * 37 % 23, f[i] = (float)(i * 5 % 17);
        for (int k = 0; k < 4; k++)
            s[i][k] = (float)((i * 7 + k * 5) % 19 - 9) / 4;
    }
    for (int k = 0; k < 24; k++)
        planes[k / 4][k % 4] = (float)(k * 11 % 7 - 2) / 8;
    for (int n = 0; n < 150; n++)
        for (int where = -1; where < n; where += 1 + n / 5) {
            unsigned hash = 1;
            for (int i = 0; i < n; i++)
                a[i] = i == where || (i == where / 3 && i % 2) ? -3 - i : i * 13 % 40;
            printf("%d %d ", last(a, -1, n), last(a, 1000, n));
            printf("%lld %d ", (long long)last_of_both(d, f, n), changes(a, n));
            printf("%d %ld ", inside((const float (*)[4])s, (const float (*)[4])planes, seen, n), above(d, 10, n));
            for (int i = 0; i < n; i++)
                hash = hash * 31 + seen[i];
            printf("%u\n", hash);
        }
    return 0;
}
C
built old.c main.c -o old
./old >lines && as_before_everywhere "$((6 * $(wc -l <lines)))"

expect 0 compile old.c --target=avx2 -o new.c
nest() { sed -n "/squall_$1_1_nest(int64_t/,/^}/p" new.c; }
for name in last last_of_both; do
    nest $name | grep -q "_select(" || fail "$name: no vectors"
done
! nest changes | grep -q "_select(" || fail "changes: what it was is not asked"
nest inside | grep -q "u8x8_store(" || fail "inside: not in lanes of the outer loop"
! sed -n '/above_1.*{/,/^}/p' new.c | grep -q "_to_i32(\|i32x4_to_i64(" || fail "above: masks are converted"
exit 0
