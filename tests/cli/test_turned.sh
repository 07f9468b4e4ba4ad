#!/bin/sh
# Loops that read one array forwards and another one, or the same, backwards: vectors of what is read backwards are
# turned. What the loop itself stores is left alone. Arrays end where memory does.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
#include <stdint.h>
void fold(int n, double *z, const double *y, double s)
{
#pragma scop
    for (int i = 0; i < n; i++)
        z[i] = y[i] + s * y[n - 1 - i];
#pragma endscop
}
int64_t correlate(int n, const int *r, const int *y)
{
    int64_t sum = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        sum += (int64_t)r[n - 1 - i] * y[i];
#pragma endscop
    return sum;
}
void bytes(int n, uint8_t *o, const uint8_t *u, const uint8_t *v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (u[n - 1 - i] > 3 && v[i] < 200)
            o[i] = (uint8_t)(u[n - 1 - i] - v[i]);
#pragma endscop
}
void onto_itself(int n, float *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[n - 1 - i] * 0.5f;
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "show.h"
void fold(int n, double *z, const double *y, double s);
int64_t correlate(int n, const int *r, const int *y);
void bytes(int n, uint8_t *o, const uint8_t *u, const uint8_t *v);
void onto_itself(int n, float *a);
/* An array between pages that nobody may touch: at their end for odd sizes, else at their beginning. */
static void *room(int n, int each)
{
    enum { PAGE = 4096 };
    unsigned char *p = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p, PAGE, PROT_NONE) || mprotect(p + 2 * PAGE, PAGE, PROT_NONE))
        exit(2);
    return p + PAGE + (n % 2 ? PAGE - n * each : 0);
}
int main(void)
{
    static const int odd[] = {0, 1, 2, 3, 4, 7, 8, 13, 31, 32, 33, 64, 127, 129};
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++) {
        int n = odd[k];
        double *y = room(n, 8), *z = room(n, 8);
        int *r = room(n, 4), *s = room(n, 4);
        uint8_t *u = room(n, 1), *v = room(n, 1), *o = room(n, 1);
        float *a = room(n, 4);
        for (int i = 0; i < n; i++)
            y[i] = i * 37 % 101, r[i] = i * 1237 - 70000, s[i] = i * i, u[i] = (uint8_t)(i * 11), v[i] = (uint8_t)(i * 7),
            o[i] = 9, a[i] = (float)(i % 13);
        fold(n, z, y, 0.5), bytes(n, o, u, v), onto_itself(n, a);
        int64_t sum[] = {correlate(n, r, s)};
        show("z", z, 8 * (size_t)n), show("o", o, (size_t)n), show("a", a, 4 * (size_t)n), SHOW(sum);
    }
    return 0;
}
C
show_h
as_before_everywhere 56

cat >nested.sq <<'K'
#include "squall.h"
kernel nested(int N, const f64 r[N], f64 y[N], f64 s[1])
{
    for (int k = 1; k < N; k++) {
        for (int i = 0; i < k; i++)
            s[0] += r[k - i - 1] * y[i];
        y[k] = s[0];
    }
}
K
expect 0 compile nested.sq --target=avx2 -o nested.c
grep -q "f64x4_load_back(" nested.c || fail "a sum in a nest: no vectors that are turned"
expect 0 check nested.sq --target=avx2 --quick --progress=never
exit 0
