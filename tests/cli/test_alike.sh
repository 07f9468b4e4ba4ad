#!/bin/sh
# Interleaved stores whose values have one form: complex numbers and pixels are computed in the order of memory, and
# neither taken apart nor interleaved again, in place and elsewhere. Arrays end where memory does.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
ends_h
cat >old.c <<'C'
#include <stdint.h>
void product(const float *a, const float *b, float *c, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        c[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    }
#pragma endscop
}
void conjugate(const double *a, const double *b, double *c, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[2 * i + 1] = s * (a[2 * i + 1] * b[2 * i] - a[2 * i] * b[2 * i + 1]);
        c[2 * i] = s * (a[2 * i] * b[2 * i] + b[2 * i + 1] * a[2 * i + 1]);
    }
#pragma endscop
}
void swapped(const float *a, float *c, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[2 * i] = -a[2 * i + 1] - 2.0f;
        c[2 * i + 1] = -a[2 * i] - 3.0f;
    }
#pragma endscop
}
void pixels(const uint8_t *a, float *c, float k, float l, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[4 * i] = (float)a[4 * i] * k;
        c[4 * i + 1] = (float)a[4 * i + 1] * l;
        c[4 * i + 2] = (float)a[4 * i + 2] * k;
        c[4 * i + 3] = (float)a[4 * i + 3] * 0.5f;
    }
#pragma endscop
}
void order(const int *a, int *c, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[2 * i] = a[2 * i] - 3 * a[2 * i + 1];
        c[2 * i + 1] = a[2 * i + 1] - 3 * a[2 * i];
    }
#pragma endscop
}
void mixed(const float *a, float *c, float k, float l, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[2 * i] += a[2 * i] * k;
        c[2 * i + 1] += a[2 * i + 1] * l;
    }
#pragma endscop
}
/* Elements that later iterations write, and what the body has written before. */
void ahead(float *c, float k, int n)
{
#pragma scop
    for (int i = 0; i + 1 < n; i++) {
        c[2 * i] = c[2 * i + 2] * k;
        c[2 * i + 1] = c[2 * i + 3] * k;
    }
#pragma endscop
}
void again(const float *a, float *c, float k, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[2 * i] = a[2 * i] - k;
        c[2 * i + 1] = a[2 * i + 1] - k;
        c[2 * i] = c[2 * i] * k;
        c[2 * i + 1] = c[2 * i + 1] * k;
    }
#pragma endscop
}
void between(const float *a, float *b, float *c, float k, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[2 * i] = b[2 * i] * k;
        b[2 * i] = a[2 * i];
        b[2 * i + 1] = a[2 * i + 1];
        c[2 * i + 1] = b[2 * i + 1] * k;
    }
#pragma endscop
}
void sides(float *x, float w, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float m = (x[2 * i] + x[2 * i + 1]) * 0.5f, s = (x[2 * i] - x[2 * i + 1]) * 0.5f * w;
        x[2 * i] = m + s;
        x[2 * i + 1] = m - s;
    }
#pragma endscop
}
void exchanged(const float *a, float *c, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[2 * i] = a[2 * i + 1];
        c[2 * i + 1] = a[2 * i];
    }
#pragma endscop
}
void faded(const uint8_t *a, const uint8_t *b, uint8_t *c, int t, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[2 * i] = (uint8_t)(a[2 * i] + ((b[2 * i] - a[2 * i]) * t >> 8));
        c[2 * i + 1] = (uint8_t)(a[2 * i + 1] + ((b[2 * i + 1] - a[2 * i + 1]) * t >> 8));
    }
#pragma endscop
}
void balance(float (*restrict p)[3], const float *restrict c, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            p[i][k] -= c[k];
#pragma endscop
}
void tint(const float *restrict a, float *restrict c, const float *restrict g, float r, float b, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[3 * i] = a[3 * i] * g[i] + r;
        c[3 * i + 1] = a[3 * i + 1] * g[i] + 2.0f;
        c[3 * i + 2] = a[3 * i + 2] * g[i] - b;
    }
#pragma endscop
}
void keyed(const uint8_t *a, uint8_t *restrict c, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[3 * i + 2] = (uint8_t)(a[3 * i + 2] ^ 0x33);
        c[3 * i] = (uint8_t)(a[3 * i] ^ 0x55);
        c[3 * i + 1] = (uint8_t)(a[3 * i + 1] ^ 0xaa);
    }
#pragma endscop
}
void rolled(const double *a, double *restrict c, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[3 * i] = a[3 * i + 1] * 0.5;
        c[3 * i + 1] = a[3 * i + 2] * 0.25;
        c[3 * i + 2] = a[3 * i] * 0.5;
    }
#pragma endscop
}
void turned(const float (*restrict m)[4], const float (*restrict a)[4], float (*restrict c)[4], int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int r = 0; r < 4; r++) {
            c[i][r] = 0;
            for (int k = 0; k < 4; k++)
                c[i][r] += m[r][k] * a[i][k];
        }
#pragma endscop
}
void before(const float (*restrict m)[4], float (*restrict c)[4], int n)
{
#pragma scop
    for (int i = 1; i < n; i++)
        for (int r = 0; r < 4; r++) {
            c[i][r] = 0.25f * c[i][r];
            for (int k = 0; k < 4; k++)
                c[i][r] += m[r][k] * c[i - 1][k];
        }
#pragma endscop
}
void within(const float (*restrict m)[4], float (*restrict c)[4], int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int r = 0; r < 4; r++) {
            c[i][r] = 0.5f * c[i][r];
            for (int k = 0; k < 4; k++)
                c[i][r] += m[r][k] * c[i][k];
        }
#pragma endscop
}
void leap(float *restrict x, float *restrict v, const float *restrict f, float dt, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++) {
            v[3 * i + d] += dt * f[3 * i + d];
            x[3 * i + d] += dt * v[3 * i + d];
        }
#pragma endscop
}
void unhaar(const float *restrict s, const float *restrict d, float *restrict o, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        o[2 * i] = (s[i] + d[i]) * 0.7071f;
        o[2 * i + 1] = (s[i] - d[i]) * 0.7071f;
    }
#pragma endscop
}
void unlike(const float *a, float *c, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[2 * i] = a[2 * i] * a[2 * i + 1];
        c[2 * i + 1] = a[2 * i] - a[2 * i + 1];
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include "ends.h"
#include <stdint.h>
#include <string.h>
void product(const float *a, const float *b, float *c, int n);
void conjugate(const double *a, const double *b, double *c, double s, int n);
void swapped(const float *a, float *c, int n);
void pixels(const uint8_t *a, float *c, float k, float l, int n);
void order(const int *a, int *c, int n);
void mixed(const float *a, float *c, float k, float l, int n);
void ahead(float *c, float k, int n);
void again(const float *a, float *c, float k, int n);
void between(const float *a, float *b, float *c, float k, int n);
void sides(float *x, float w, int n);
void exchanged(const float *a, float *c, int n);
void faded(const uint8_t *a, const uint8_t *b, uint8_t *c, int t, int n);
void balance(float (*p)[3], const float *c, int n);
void tint(const float *a, float *c, const float *g, float r, float b, int n);
void keyed(const uint8_t *a, uint8_t *c, int n);
void turned(const float (*m)[4], const float (*a)[4], float (*c)[4], int n);
void leap(float *x, float *v, const float *f, float dt, int n);
void before(const float (*m)[4], float (*c)[4], int n);
void within(const float (*m)[4], float (*c)[4], int n);
void rolled(const double *a, double *c, int n);
void unlike(const float *a, float *c, int n);
void unhaar(const float *restrict s, const float *restrict d, float *restrict o, int n);

/* `bytes` at the end of region r, filled with small numbers of a size. */
static void *at(int r, size_t bytes, int each)
{
    for (int i = 0; i < ROOM / 8; i++) {
        double x = (i * 37 + r * 11) % 101 - 50;
        float y = (float)x / 4;
        int z = (int)x;
        memcpy(end[r] - (i + 1) * each, each == 8 ? (void *)&x : r == 2 || each == 4 ? (void *)&y : (void *)&z, (size_t)each);
    }
    return end[r] - bytes;
}

static void *whole(int r, int n)
{
    for (int i = 0; i < ROOM / 4; i++)
        ((int *)(void *)end[r])[-1 - i] = i * 1237 - 5000;
    return end[r] - 8 * n;
}

int main(void)
{
    make_ends(3);
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++) {
        int n = odd[k];
        size_t m = (size_t)n;
        product(at(0, 8 * m, 4), at(1, 8 * m, 4), at(2, 8 * m, 4), n), show_end(2, "product", n);
        conjugate(at(0, 16 * m, 8), at(1, 16 * m, 8), at(2, 16 * m, 8), 0.3, n), show_end(2, "conjugate", n);
        swapped(at(0, 8 * m, 4), at(2, 8 * m, 4), n), show_end(2, "swapped", n);
        pixels(at(0, 4 * m, 1), at(2, 16 * m, 4), 0.7f, 1.1f, n), show_end(2, "pixels", n);
        order(whole(0, n), whole(2, n), n), show_end(2, "order", n);
        mixed(at(0, 8 * m, 4), at(2, 8 * m, 4), 0.5f, 1.5f, n), show_end(2, "mixed", n);
        ahead(at(2, 8 * m, 4), 0.75f, n), show_end(2, "ahead", n);
        again(at(0, 8 * m, 4), at(2, 8 * m, 4), 0.5f, n), show_end(2, "again", n);
        between(at(0, 8 * m, 4), at(1, 8 * m, 4), at(2, 8 * m, 4), 0.5f, n), show_end(2, "between", n);
        sides(at(2, 8 * m, 4), 0.7f, n), show_end(2, "sides", n);
        exchanged(at(0, 8 * m, 4), at(2, 8 * m, 4), n), show_end(2, "exchanged", n);
        for (int t = -70000; t < 80000; t += 37773)
            faded(at(0, 2 * m, 1), at(1, 2 * m, 1), at(2, 2 * m, 1), t, n), show_end(2, "faded", n);
        balance(at(2, 12 * m, 4), at(0, 12, 4), n), show_end(2, "balance", n);
        tint(at(0, 12 * m, 4), at(2, 12 * m, 4), at(1, 4 * m, 4), 0.3f, 0.7f, n), show_end(2, "tint", n);
        keyed(at(0, 3 * m, 1), at(2, 3 * m, 1), n), show_end(2, "keyed", n);
        rolled(at(0, 24 * m, 8), at(2, 24 * m, 8), n), show_end(2, "rolled", n);
        turned(at(1, 64, 4), at(0, 16 * m, 4), at(2, 16 * m, 4), n), show_end(2, "turned", n);
        before(at(1, 64, 4), at(2, 16 * m, 4), n), show_end(2, "before", n);
        within(at(1, 64, 4), at(2, 16 * m, 4), n), show_end(2, "within", n);
        leap(at(2, 12 * m, 4), at(1, 12 * m, 4), at(0, 12 * m, 4), 0.25f, n);
        show_end(1, "leap", n), show_end(2, "leap", n);
        unhaar(at(0, 4 * m, 4), at(1, 4 * m, 4), at(2, 8 * m, 4), n), show_end(2, "unhaar", n);
        unlike(at(0, 8 * m, 4), at(2, 8 * m, 4), n), show_end(2, "unlike", n);
    }
    return 0;
}
C
as_before_everywhere 300

# What is alike has no channels; what is not, is as it was.
expect 0 compile old.c --target=avx2 -o new.c
for name in product conjugate swapped pixels order mixed sides exchanged; do
    sed -n "/squall_${name}_1_nest(int64_t/,/^}/p" new.c >nest.c
    grep -q "_store(" nest.c || fail "$name: no vectors"
    ! grep -q "channel\|zip" nest.c || fail "$name: taken apart and interleaved"
done
sed -n "/squall_product_1_nest(int64_t/,/^}/p" new.c | sed -n '/for (; i + 3/,/}/p' >nest.c
for how in twice_first twice_second swapped; do
    [ "$(grep -o "f32x8_$how(" nest.c | wc -l)" = 1 ] || fail "product: not one of $how in a row"
done
grep -q "UNROLL_BY" nest.c && fail "product: a loop of several shuffles is written out"
sed -n '/squall_exchanged_1_nest(int64_t/,/^}/p' new.c | grep -q "UNROLL_BY(2)" || fail "exchanged: not written out"

# Rows of three are three vectors, which begin at another of the three each; in another order they are taken apart.
for name in balance tint keyed; do
    sed -n "/squall_${name}_1_nest(int64_t/,/^}/p" new.c >nest.c
    ! grep -q "channel\|part" nest.c || fail "$name: taken apart"
    [ "$(sed -n '/for (; i + [0-9]* < end/,/^ *}/p' nest.c | grep -c "_store(")" = 3 ] || fail "$name: not three rows"
done
sed -n '/squall_rolled_1_nest(int64_t/,/^}/p' new.c | grep -q "zip3_first" || fail "rolled: not interleaved"

# Loops over the four elements of a row are written out, and what they add up to one element is one value.
sed -n '/squall_turned_1_nest(int64_t/,/^}/p' new.c >nest.c
[ "$(sed -n '/for (; i + 1 < end/,/^ *}/p' nest.c | grep -c "_store(")" = 1 ] || fail "turned: not one row of two points"
sed -n '/for (; i + 1 < end/,/^ *}/p' nest.c | grep -q "fours(.*3, 3, 3, 3)" || fail "turned: not in the order of memory"

# Several statements for each element of a row are one loop over the elements.
sed -n '/squall_leap_1_nest(int64_t/,/^}/p' new.c >nest.c
grep -q "end = 3 \* n;" nest.c || fail "leap: no loop over all elements"
! grep -q "channel" nest.c || fail "leap: taken apart"

# A scalar that a sum and a difference read is a factor of both.
sed -n '/squall_sides_1_nest(int64_t/,/^}/p' new.c >nest.c
grep -q "fma_turned(v0_x, squall_sides_1_f32x8_all(0.5f), -" nest.c || fail "sides: another multiplication"

# What is computed of bytes is as wide as the low bits that are asked for, whatever a scalar beside them has.
sed -n '/squall_faded_1_nest(int64_t/,/^}/p' new.c >nest.c
grep -q "u16x16_all(((uint16_t)t))" nest.c || fail "faded: t is not converted before it goes to all lanes"
sed -n '/squall_unlike_1_nest(int64_t/,/^}/p' new.c | grep -q "zip_first" || fail "unlike: not interleaved"

# Of two arrays whose elements would each be taken twice, only what is stored is interleaved.
sed -n '/squall_unhaar_1_nest(int64_t/,/^}/p' new.c | sed -n '/for (; i + 7 < end/,/^ *}/p' >nest.c
[ "$(grep -o "zip_[a-z]*(" nest.c | sort | tr '\n' ' ')" = "zip_first( zip_second( " ] || fail "unhaar: other shuffles"
exit 0
