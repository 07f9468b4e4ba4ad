#!/bin/sh
# Bodies that read everything before they store, all of whose stores are interleaved and alike: butterflies, vertices by
# a matrix, quaternions. Rows of all of them are computed in the order of memory, before the first is stored.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
ends_h
cat >own.h <<'C'
#include <stdint.h>
#include <math.h>
typedef struct { float re, im; } cpx;
typedef struct { float x, y, z, w; } vec4;
void butterfly(cpx *x, const cpx *w, int half);
void stages(double *restrict lo, double *restrict hi, const double *restrict w, int half);
void vertices(vec4 *restrict out, const vec4 *restrict in, const float m[16], int n);
void columns(double (*restrict out)[4], const double (*restrict in)[4], const double m[4][4], int n);
void quaternions(vec4 *restrict o, const vec4 *restrict a, const vec4 *restrict b, int n);
void window(cpx *restrict x, const float *restrict w, int n);
void magnitudes(cpx *restrict x, int n);
void turns(const int32_t *restrict a, int32_t *restrict c, int n);
void chained(cpx *restrict x, cpx *restrict y, int n);
void early(cpx *restrict x, cpx *restrict y, int n);
float last(cpx *restrict x, int n);
void neighbours(cpx *restrict x, int n);
void plane(int n, const float m[2][2], const float (*restrict in)[2], float (*restrict out)[2]);
void gains(cpx *restrict x, const cpx *restrict w, int n);
void stale(cpx *restrict x, const cpx *restrict w, int n);
void sometimes(cpx *restrict x, const cpx *restrict w, int n);
void luma(uint8_t *restrict y, uint8_t *restrict u, uint8_t *restrict v, const uint8_t *restrict p, int n);
void every_second(float *restrict o, const float *restrict a, int n);
void crossed(float *restrict o, const float *restrict a, int n);
void closer(float *restrict a, int n);
C
cat >old.c <<'C'
#include "own.h"
void butterfly(cpx *x, const cpx *w, int half)
{
#pragma scop
    for (int k = 0; k < half; k++) {
        cpx a = x[k], b = x[k + half];
        cpx t = {b.re * w[k].re - b.im * w[k].im, b.re * w[k].im + b.im * w[k].re};
        x[k].re = a.re + t.re;
        x[k].im = a.im + t.im;
        x[k + half].re = a.re - t.re;
        x[k + half].im = a.im - t.im;
    }
#pragma endscop
}
/* Stores of one array between those of the other; the twiddle is conjugate. */
void stages(double *restrict lo, double *restrict hi, const double *restrict w, int half)
{
#pragma scop
    for (int k = 0; k < half; k++) {
        double tr = hi[2 * k] * w[2 * k] + hi[2 * k + 1] * w[2 * k + 1];
        double ti = hi[2 * k + 1] * w[2 * k] - hi[2 * k] * w[2 * k + 1];
        double ur = lo[2 * k], ui = lo[2 * k + 1];
        hi[2 * k] = ur - tr;
        lo[2 * k] = ur + tr;
        hi[2 * k + 1] = ui - ti;
        lo[2 * k + 1] = ui + ti;
    }
#pragma endscop
}
void vertices(vec4 *restrict out, const vec4 *restrict in, const float m[16], int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        vec4 v = in[i];
        out[i].x = m[0] * v.x + m[4] * v.y + m[8] * v.z + m[12] * v.w;
        out[i].y = m[1] * v.x + m[5] * v.y + m[9] * v.z + m[13] * v.w;
        out[i].z = m[2] * v.x + m[6] * v.y + m[10] * v.z + m[14] * v.w;
        out[i].w = m[3] * v.x + m[7] * v.y + m[11] * v.z + m[15] * v.w;
    }
#pragma endscop
}
/* The last one reads the elements in another order; only reads it. */
void columns(double (*restrict out)[4], const double (*restrict in)[4], const double m[4][4], int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i][0] = m[0][0] * in[i][0] + m[0][1] * in[i][1] - in[i][3];
        out[i][1] = m[1][0] * in[i][0] + m[1][1] * in[i][1] - in[i][2];
        out[i][2] = m[2][0] * in[i][0] + m[2][1] * in[i][1] - in[i][1];
        out[i][3] = m[3][0] * in[i][0] + m[3][1] * in[i][1] - in[i][0];
    }
#pragma endscop
}
void quaternions(vec4 *restrict o, const vec4 *restrict a, const vec4 *restrict b, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        vec4 p = a[i], q = b[i];
        o[i].x = p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y;
        o[i].y = p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x;
        o[i].z = p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w;
        o[i].w = p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z;
    }
#pragma endscop
}
/* One factor for both parts. */
void window(cpx *restrict x, const float *restrict w, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float g = w[i];
        x[i].re *= g;
        x[i].im *= g;
    }
#pragma endscop
}
void magnitudes(cpx *restrict x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i].re = sqrtf(fabsf(x[i].re)) / (fabsf(x[i].im) + 1.0f);
        x[i].im = sqrtf(fabsf(x[i].im)) / (fabsf(x[i].im) + 2.0f);
    }
#pragma endscop
}
void turns(const int32_t *restrict a, int32_t *restrict c, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[4 * i] = a[4 * i + 1] * 3 - a[4 * i];
        c[4 * i + 1] = a[4 * i + 2] * 3 - a[4 * i];
        c[4 * i + 2] = a[4 * i + 3] * 3 - a[4 * i];
        c[4 * i + 3] = a[4 * i] * 3 - a[4 * i];
    }
#pragma endscop
}
/* What was stored is read: no row may be computed before. */
void chained(cpx *restrict x, cpx *restrict y, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i].re = x[i].re * 0.5f;
        x[i].im = x[i].im * 0.5f;
        y[i].re = y[i].re - x[i].im;
        y[i].im = y[i].im + x[i].re;
    }
#pragma endscop
}
/* The scalars hold what was there before. */
void early(cpx *restrict x, cpx *restrict y, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float r = y[i].re, s = y[i].im;
        y[i].re = x[i].re - s;
        y[i].im = x[i].im + r;
        x[i].re = s - 2.0f;
        x[i].im = r + 2.0f;
    }
#pragma endscop
}
/* The scalar is read behind the loop. */
float last(cpx *restrict x, int n)
{
    float t = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        t = x[i].re + x[i].im;
        x[i].re = t * 0.5f;
        x[i].im = t * 0.25f;
    }
#pragma endscop
    return t;
}
/* The next iteration's elements are read, and written there. */
void neighbours(cpx *restrict x, int n)
{
#pragma scop
    for (int i = 0; i + 1 < n; i++) {
        float r = x[i + 1].re, s = x[i + 1].im;
        x[i].re = x[i].re + s;
        x[i].im = x[i].im - r;
    }
#pragma endscop
}
/* One scalar is the sum of each row. */
void plane(int n, const float m[2][2], const float (*restrict in)[2], float (*restrict out)[2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int r = 0; r < 2; r++) {
            float s = 0;
            for (int c = 0; c < 2; c++)
                s += m[r][c] * in[i][c];
            out[i][r] = s;
        }
#pragma endscop
}
/* One scalar, for two things, and the second of it from the first. */
void gains(cpx *restrict x, const cpx *restrict w, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = w[i].re + 1.0f;
        float u = w[i].im + 1.0f;
        t = t * 0.5f;
        x[i].re = x[i].re * t;
        t = u * 0.5f;
        x[i].im = x[i].im * t;
    }
#pragma endscop
}
/* The scalar's second value is of what has been stored. */
void stale(cpx *restrict x, const cpx *restrict w, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = w[i].re;
        x[i].re = x[i].re + t;
        t = w[i].im + x[i].re;
        x[i].im = x[i].im + t;
    }
#pragma endscop
}
/* Some iterations set it again, others do not. */
void sometimes(cpx *restrict x, const cpx *restrict w, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = w[i].re;
        x[i].re = x[i].re + t;
        if (w[i].im > 1.0f)
            t = w[i].im;
        x[i].im = x[i].im + t;
    }
#pragma endscop
}
/* The brightness of two pixels that have their colour in common. */
void luma(uint8_t *restrict y, uint8_t *restrict u, uint8_t *restrict v, const uint8_t *restrict p, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[2 * i] = p[4 * i];
        u[i] = p[4 * i + 1];
        y[2 * i + 1] = p[4 * i + 2];
        v[i] = p[4 * i + 3];
    }
#pragma endscop
}
void every_second(float *restrict o, const float *restrict a, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        o[2 * i] = 2.0f * a[4 * i + 1];
        o[2 * i + 1] = 3.0f * a[4 * i + 3];
    }
#pragma endscop
}
/* As far apart, in the other order. */
void crossed(float *restrict o, const float *restrict a, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        o[2 * i] = a[4 * i + 2];
        o[2 * i + 1] = a[4 * i];
    }
#pragma endscop
}
/* The elements are stored where others are read. */
void closer(float *restrict a, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[2 * i] = a[4 * i + 1];
        a[2 * i + 1] = a[4 * i + 3];
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include "ends.h"
#include "own.h"
#include <string.h>
static void *at(int r, size_t bytes, int each)
{
    for (int i = 0; i < ROOM / each; i++) {
        double x = (i * 37 + r * 11) % 101 - 50;
        float y = (float)x / 4;
        memcpy(end[r] - (i + 1) * each, each == 8 ? (void *)&x : (void *)&y, (size_t)each);
    }
    return end[r] - bytes;
}
static void *f(int r, int n) { return at(r, 4 * (size_t)n, 4); }
static void *d(int r, int n) { return at(r, 8 * (size_t)n, 8); }
int main(void)
{
    make_ends(3);
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++) {
        int n = odd[k];
        butterfly(f(2, 4 * n), f(0, 2 * n), n), show_end(2, "butterfly", n);
        stages(d(0, 2 * n), d(2, 2 * n), d(1, 2 * n), n), show_end(2, "stages", n), show_end(0, "stages", n);
        vertices(f(2, 4 * n), f(0, 4 * n), f(1, 16), n), show_end(2, "vertices", n);
        columns(d(2, 4 * n), d(0, 4 * n), d(1, 16), n), show_end(2, "columns", n);
        quaternions(f(2, 4 * n), f(0, 4 * n), f(1, 4 * n), n), show_end(2, "quaternions", n);
        window(f(2, 2 * n), f(1, n), n), show_end(2, "window", n);
        magnitudes(f(2, 2 * n), n), show_end(2, "magnitudes", n);
        turns(f(0, 4 * n), f(2, 4 * n), n), show_end(2, "turns", n);
        chained(f(0, 2 * n), f(2, 2 * n), n), show_end(2, "chained", n), show_end(0, "chained", n);
        early(f(0, 2 * n), f(2, 2 * n), n), show_end(2, "early", n), show_end(0, "early", n);
        printf("%g ", (double)last(f(2, 2 * n), n)), show_end(2, "last", n);
        neighbours(f(2, 2 * n), n), show_end(2, "neighbours", n);
        plane(n, f(1, 4), f(0, 2 * n), f(2, 2 * n)), show_end(2, "plane", n);
        gains(f(2, 2 * n), f(0, 2 * n), n), show_end(2, "gains", n);
        stale(f(2, 2 * n), f(0, 2 * n), n), show_end(2, "stale", n);
        sometimes(f(2, 2 * n), f(0, 2 * n), n), show_end(2, "sometimes", n);
        uint8_t *u = at(1, (size_t)n, 4);
        luma(at(2, 2 * (size_t)n, 4), u, u - 256, at(0, 4 * (size_t)n, 4), n);
        show_end(2, "luma", n), show_end(1, "luma", n);
        every_second(f(2, 2 * n), f(0, 4 * n), n), show_end(2, "every_second", n);
        crossed(f(2, 2 * n), f(0, n ? 4 * n - 1 : 0), n), show_end(2, "crossed", n);
        closer(f(2, 4 * n), n), show_end(2, "closer", n);
    }
    return 0;
}
C
as_before_everywhere 239 # crossed() does not run without elements

expect 0 compile old.c --target=avx2 -o new.c
for name in butterfly stages vertices columns quaternions turns early plane gains; do
    sed -n "/squall_${name}_1_nest(int64_t/,/^}/p" new.c >nest.c
    grep -q "_store(" nest.c || fail "$name: no vectors"
    ! grep -q "channel\|zip" nest.c || fail "$name: taken apart and interleaved"
done
sed -n "/squall_butterfly_1_nest(int64_t/,/^}/p" new.c >nest.c
grep -q "+= 4" nest.c || fail "butterfly: a step is no row"
grep -q "fma_turned(" nest.c || fail "butterfly: no sum and difference in turn"
for name in luma every_second; do
    sed -n "/squall_${name}_1_nest(int64_t/,/^}/p" new.c >nest.c
    grep -q "_stride2(" nest.c || fail "$name: rows are not loaded at their distance"
    ! grep -q "zip" nest.c || fail "$name: taken apart and interleaved"
done
sed -n "/squall_plane_1_nest(int64_t/,/^}/p" new.c >nest.c
grep -q "+= 4" nest.c || fail "plane: a step is no row"
sed -n '/squall_columns_1_nest(int64_t/,/^}/p' new.c >nest.c
! grep -q "for (; .* < end; .*++)" nest.c || [ "$(grep -c "for (;" nest.c)" = 1 ] || fail "columns: a rest after rows of one"
sed -n '/squall_window_1_nest(int64_t/,/^}/p' new.c | grep -q "zip" || fail "window: a factor is not spread"

# Other instruction sets: written and compiled, and their code computes what the loops do.
expect 0 compile old.c --target=avx512 -o new.c
grep -q "vfmaddsubps512" new.c || fail "avx512: no sum and difference in turn"
"${CC:-cc}" -O2 -Wall -Wextra -Werror -c new.c -o new.o || fail "avx512 does not compile"
expect 0 check old.c --target=avx512 --passes
exit 0
