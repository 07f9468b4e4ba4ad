#!/bin/sh
# fmax, fmin and abs of regions, to the bit, with NaN, infinities and zeros of both signs in all places; minima and
# maxima of narrow integers.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
here=" $(targets 'runs' | tr '\n' ' ')"
cat >old.c <<'C'
#include <math.h>
#include <stdlib.h>
void floats(int n, const float *a, const float *b, float *c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        c[i] = fmaxf(a[i], b[i]);
    for (int i = 0; i < n; i++)
        c[n + i] = fminf(a[i], b[i]);
    for (int i = 0; i < n; i++)
        c[2*n + i] = fmaxf(0.25f, fminf(a[i], 1)) + fmaxf(b[i], i);
#pragma endscop
}
void doubles(int n, const float *a, const double *b, double *c, int *d)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[i] = fmin(a[i], b[i]) - fmax(a[i] * 0.5, 1.5);
        d[i] = abs(i - 5) + (int)labs(3 - d[i]);
    }
#pragma endscop
}
/* What the sum is up to here; the first is NaN. */
void most(int n, const float *a, float *m)
{
    float at = a[0];
#pragma scop
    for (int i = 1; i < n; i++)
        at = fmaxf(at, a[i]);
#pragma endscop
    *m = at;
}
C
cat >main.c <<'C'
#include <math.h>
#include <stdio.h>
#include <string.h>
void floats(int, const float *, const float *, float *), most(int, const float *, float *);
void doubles(int, const float *, const double *, double *, int *);
/* NaN is NaN, and zeros may have either sign. */
static double bits(double v) { return v != v ? 12345 : v + 0.0; }
int main(void)
{
    static const float odd[] = {1, -2, NAN, INFINITY, 0, -INFINITY, 0.5f, -0.25f, 7};
    for (int n = 1; n < 90; n = 2 * n + 1) {
        static float a[100], b[100], c[300], m;
        static double e[100], f[100];
        static int d[100];
        for (int i = 0; i < n; i++)
            a[i] = odd[i % 9], b[i] = odd[i / 9 % 9], e[i] = b[i], d[i] = i % 7;
        floats(n, a, b, c), doubles(n, a, e, f, d), most(n, a, &m);
        for (int i = 0; i < 3 * n; i++)
            printf("%a ", bits(c[i]));
        for (int i = 0; i < n; i++)
            printf("%a %d ", bits(f[i]), d[i]);
        printf("%a\n", bits(m));
        most(n, b, &m);
        printf("%a\n", bits(m));
        most(n - (n > 2 ? 2 : 0), a + (n > 2 ? 2 : 0), &m);
        printf("%a\n", bits(m));
    }
    return 0;
}
C
for target in generic avx2 avx512; do
    expect 0 compile old.c -o new.c --target=$target
    $CC -O1 -ffp-contract=off old.c main.c -o old -lm && $CC -O2 -ffp-contract=off new.c main.c -o new -lm || fail "$target"
    case $here in *" $target "*) ;; *) echo "skipped: running $target" && continue ;; esac
    ./old >old.out && ./new >new.out || fail "$target: new dies"
    same old.out new.out
done

# Of bytes and shorts, which C compares as int: in their own type, all forms of it, with constants.
cat >old.c <<'C'
#include <stdint.h>
void choice(int w, int h, const uint8_t *a, uint8_t *c)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            uint8_t m = 255;
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++) {
                    uint8_t v = a[(y + j) * (w + 2) + x + i];
                    m = v < m ? v : m;
                }
            c[y * w + x] = m;
        }
#pragma endscop
}
void branch(int w, int h, const int16_t *a, int16_t *c)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int16_t m = -32768;
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++)
                    if (m < a[(y + j) * (w + 2) + x + i])
                        m = a[(y + j) * (w + 2) + x + i];
            c[y * w + x] = m;
        }
#pragma endscop
}
/* What is less as int need not be as uint8_t, and what is written last of equal ones is the same. */
void mixed(int n, const int8_t *a, const uint8_t *b, uint8_t *c, int8_t *d, uint16_t *e)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[i] = a[i] < b[i] ? a[i] : b[i];
        d[i] = a[i] > -7 ? a[i] : -7;
        e[i] = b[i] <= a[i] ? a[i] : b[i];
    }
    for (int i = 0; i < n; i++) {
        uint8_t v = b[i];
        if (v > 200)
            v = 200;
        c[n + i] = v < 300 ? v : 300;
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdint.h>
#include <stdio.h>
void choice(int, int, const uint8_t *, uint8_t *), branch(int, int, const int16_t *, int16_t *);
void mixed(int, const int8_t *, const uint8_t *, uint8_t *, int8_t *, uint16_t *);
int main(void)
{
    static const int odd[] = {1, 2, 3, 7, 13, 31, 33, 129};
    static uint8_t a[20000], c[20000];
    static int16_t s[20000], t[20000];
    static int8_t d[20000];
    static uint16_t e[20000];
    unsigned at = 1;
    for (int i = 0; i < 20000; i++)
        at = at * 1103515245 + 12345, a[i] = (uint8_t)(at >> 16), s[i] = (int16_t)(at >> 12);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            unsigned all = 1;
            choice(odd[x], odd[y], a, c), branch(odd[x], odd[y], s, t);
            for (int i = 0; i < odd[x] * odd[y]; i++)
                all = all * 31 + c[i] + 7 * (unsigned)t[i];
            mixed(odd[x], (const int8_t *)a + y, a + 500, c, d, e);
            for (int i = 0; i < odd[x]; i++)
                all = all * 31 + c[i] + 3 * (unsigned)d[i] + 5u * e[i] + 11u * c[odd[x] + i];
            printf("%u\n", all);
        }
    return 0;
}
C
for target in generic avx2 avx512; do
    expect 0 compile old.c -o new.c --target=$target
    $CC -O1 old.c main.c -o old && $CC -O2 new.c main.c -o new || fail "$target, narrow"
    case $target in
    avx2) grep -q 'u8x32_min(' new.c && grep -q 'i16x16_max(' new.c || fail "not in lanes of their own types" ;;
    esac
    case $here in *" $target "*) ;; *) echo "skipped: running $target" && continue ;; esac
    ./old >old.out && ./new >new.out || fail "$target: new dies"
    same old.out new.out
done
