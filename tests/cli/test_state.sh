#!/bin/sh
# State that a loop carries, as filters, trackers and games have it: asked for once where several statements ask for the
# same, in a register where no iteration has to store it, and in the loop it was written in where loops of their own
# would only load and ask again.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
#include <math.h>
/* Loud and quiet samples have sums of their own. */
void gate(int n, const float *a, float *o, float *loud, float *quiet)
{
    float s = *loud, c = *quiet;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 0) {
            s += a[i];
            o[i] = s > 3 ? 1 : 0;
        } else if (a[i] < -0.5f)
            c -= a[i];
        else
            o[i] = c;
    }
#pragma endscop
    *loud = s, *quiet = c;
}
/* Gains and losses, averaged. */
void strength(int n, const double *p, double a, double *o, double *end)
{
    double g = 0, l = 0;
#pragma scop
    for (int i = 1; i < n; i++) {
        double d = p[i] - p[i - 1];
        if (d > 0) {
            g += a * (d - g);
            l -= a * l;
        } else {
            l += a * (-d - l);
            g -= a * g;
        }
        o[i] = 100 * g / (g + l + 1e-9);
    }
#pragma endscop
    end[0] = g, end[1] = l;
}
/* A compressor: its envelope rises and falls at rates of their own. */
struct follower {
    float envelope, rise, fall;
};
void follow(struct follower *f, int n, const float *x, float *y, float limit)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float a = fabsf(x[i]);
        if (a > f->envelope)
            f->envelope += f->rise * (a - f->envelope);
        else
            f->envelope += f->fall * (a - f->envelope);
        float gain = 1;
        if (f->envelope > limit)
            gain = limit / f->envelope;
        y[i] = x[i] * gain;
    }
#pragma endscop
}
/* Bodies that may not move. */
struct body {
    float x, y, z, vx, vy, vz, light, pad;
};
void step(struct body *b, int n, float dt, float gx, float gy)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (b[i].light == 0)
            continue;
        b[i].vx += gx * dt;
        b[i].vy += gy * dt;
        b[i].x += b[i].vx * dt;
        b[i].y += b[i].vy * dt;
        if (b[i].y < 0) {
            b[i].y = 0;
            b[i].vy = -0.5f * b[i].vy;
        }
    }
#pragma endscop
}
/* A tank that spills twice: what the second condition reads, the first has changed. */
void spill(int n, const float *a, float *level, float *o)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        level[0] += a[i];
        if (level[0] > 1)
            level[0] -= 0.75f;
        if (level[0] > 1)
            level[0] *= 0.5f;
        o[i] = level[0];
    }
#pragma endscop
}
/* Element k[2] is what is counted; what the condition reads is stored below. */
int marks(int n, int *a, int *k)
{
    unsigned last = 1;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 4)
            k[2] += a[i];
        a[i] = k[2] & 7;
        if (a[i] > 4)
            last = last * 3 + (unsigned)k[2];
    }
#pragma endscop
    return (int)(last % 1000);
}
C
cat >main.c <<'C'
#include "show.h"
struct follower {
    float envelope, rise, fall;
};
struct body {
    float x, y, z, vx, vy, vz, light, pad;
};
void gate(int n, const float *a, float *o, float *loud, float *quiet);
void strength(int n, const double *p, double a, double *o, double *end);
void follow(struct follower *f, int n, const float *x, float *y, float limit);
void step(struct body *b, int n, float dt, float gx, float gy);
void spill(int n, const float *a, float *level, float *o);
int marks(int n, int *a, int *k);
int main(void)
{
    static const int odd[] = {0, 1, 2, 3, 7, 13, 31, 33, 127, 129};
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++) {
        float a[140], o[140] = {0}, y[140] = {0}, sums[2] = {0.5f, -0.25f}, f[3] = {0.125f, 0.5f, 0.0625f};
        float body[1120];
        double p[140], r[140] = {0}, end[2];
        int m[140], counts[4] = {1, 2, 3, 4}, last[1];
        float level[1] = {0.5f}, out[140] = {0};
        for (int i = 0; i < 140; i++)
            a[i] = (float)(i * 37 % 101 - 50) / 32, p[i] = i * 53 % 97, m[i] = i * 29 % 11;
        for (int i = 0; i < 1120; i++)
            body[i] = i % 8 == 6 ? (float)(i / 8 % 3) : (float)(i * 41 % 89 - 44) / 16;
        gate(odd[k], a, o, &sums[0], &sums[1]);
        strength(odd[k], p, 0.25, r, end);
        follow((struct follower *)f, odd[k], a, y, 0.75f);
        step((struct body *)body, odd[k], 0.5f, 0.25f, -1);
        spill(odd[k], o, level, out);
        last[0] = marks(odd[k], m, counts);
        SHOW(o), SHOW(sums), SHOW(r), SHOW(end), SHOW(y), SHOW(f), SHOW(body), SHOW(m), SHOW(counts), SHOW(last), SHOW(level), SHOW(out);
    }
    return 0;
}
C
show_h
as_before_everywhere 59 # `strength` of no element runs as written

expect 0 compile old.c --target=avx2 -o new.c
# nest NAME: the function of its loops.
nest() { sed -n "/squall_$1_1_nest(int64_t/,/^}/p" new.c; }
# has NAME COUNT TEXT: as many lines of its loops hold the text.
has() { [ "$(nest "$1" | grep -cF -- "$3")" = "$2" ] || fail "$1: not $2 lines with: $3$(nest "$1")"; }
has gate 1 'for ('
has gate 1 '0.0f < a['
has gate 1 '(-0.5f)'
has gate 1 'float s_0 = (*s), '
has gate 1 '(*s) = s_0;'
has strength 1 'if (0.0 < (p['
has strength 0 ' ? '
has follow 2 'if ('
has step 1 'for ('
has step 1 '== 0.0f'
has spill 1 '(1.0f < again0) ?' # in registers: stored once
has spill 1 '(1.0f < again1) ?'
has spill 1 'level[0] ='
has marks 1 'int32_t k_0 = k[2]'
# What the condition reads is stored between: it is asked for again.
has marks 2 '(4 < a[i])'
exit 0
