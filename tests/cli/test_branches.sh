#!/bin/sh
# Ifs of values as programs have them: scalars that both sides assign, or that one side alone uses, and sides that
# change what their condition reads. The new file computes what the old one does, in its optimized code; a value that an
# iteration before has left is kept.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
/* Colours: every scalar is declared in front, as C89 wants it. */
void to_hsv(int h, int w, float *im)
{
    int i, j;
    float r, g, b, hue, s, v, most, least, delta;
#pragma scop
    for (j = 0; j < h; ++j) {
        for (i = 0; i < w; ++i) {
            r = im[j * w + i];
            g = im[h * w + j * w + i];
            b = im[2 * h * w + j * w + i];
            most = r > g ? (r > b ? r : b) : (g > b ? g : b);
            least = r < g ? (r < b ? r : b) : (g < b ? g : b);
            delta = most - least;
            v = most;
            if (most == 0) {
                s = 0;
                hue = 0;
            } else {
                s = delta / most;
                if (delta == 0)
                    hue = 0;
                else if (r == most) {
                    hue = (g - b) / delta;
                } else if (g == most) {
                    hue = 2 + (b - r) / delta;
                } else {
                    hue = 4 + (r - g) / delta;
                }
                if (hue < 0)
                    hue += 6;
                hue = hue / 6.f;
            }
            im[j * w + i] = hue;
            im[h * w + j * w + i] = s;
            im[2 * h * w + j * w + i] = v;
        }
    }
#pragma endscop
}

/* f, p, q and t live on one side alone; the last side of all has an else. */
void to_rgb(int n, const float *hue, const float *sat, const float *val, float *out)
{
    float r, g, b, f, p, q, t;
#pragma scop
    for (int i = 0; i < n; ++i) {
        float h = 6 * hue[i], s = sat[i], v = val[i];
        if (s == 0)
            r = g = b = v;
        else {
            f = h - (h > 3 ? 3.f : 0.f);
            p = v * (1 - s);
            q = v * (1 - s * f);
            t = v * (1 - s * (1 - f));
            if (h < 1) {
                r = v, g = t, b = p;
            } else if (h < 3) {
                r = q;
                g = v;
                b = p;
            } else {
                r = p;
                g = q;
                b = v;
            }
        }
        out[3 * i] = r;
        out[3 * i + 1] = g;
        out[3 * i + 2] = b;
    }
#pragma endscop
}

/* Both are set by what both were. */
void ranges(int n, float *low, float *high)
{
#pragma scop
    for (int i = 0; i < n; ++i) {
        if (high[i] - low[i] < .25f) {
            low[i] = 0;
            high[i] = 1;
        }
    }
#pragma endscop
}

/* Pairs are put into order. */
void order(int n, int *key, double *of)
{
#pragma scop
    for (int i = 0; i < n; ++i)
        if (key[2 * i] > key[2 * i + 1]) {
            int k = key[2 * i];
            double v;
            key[2 * i] = key[2 * i + 1];
            key[2 * i + 1] = k;
            v = of[2 * i];
            of[2 * i] = of[2 * i + 1];
            of[2 * i + 1] = v;
        }
#pragma endscop
}

/* The greatest, and where it stands; the value first. */
int greatest(int n, const double *a, double *value)
{
    int at = 0;
    double m = a[0];
#pragma scop
    for (int i = 1; i < n; i++)
        if (a[i] > m) {
            m = a[i];
            at = i;
        }
#pragma endscop
    *value = m;
    return at;
}

/* What one side leaves alone keeps the value of the turn before: last, and level, which an else sets for some. */
void hold(int n, const float *x, float *y, int *state)
{
    float last = 0, level = 1;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (x[i] > 0.5f) {
            last = x[i];
            level = 2 * last;
        } else if (x[i] < -0.5f) {
            level = -1;
        } else {
            last += 0.125f;
        }
        y[i] = last + level;
        state[i] = x[i] > 0;
        if (state[i]) {
            state[i] = 2;
            y[i] += 1;
        } else {
            y[i] -= 1;
            state[i] = -2;
            y[i] *= 3;
        }
    }
#pragma endscop
}

/* An inner if may leave the scalar as the side before has set it. */
void knee(int n, const double *x, double *y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double gain, over;
        if (x[i] < 1) {
            gain = 1;
            if (x[i] < -1)
                gain = 0.5;
        } else {
            over = x[i] - 1;
            gain = 1 / (1 + over);
            if (over > 1) {
                gain *= 0.75;
                over = 1;
            }
            gain -= 0.125 * over;
        }
        y[i] = gain * x[i];
    }
#pragma endscop
}

/* What a condition says of indices holds for its sides, though they change what it reads. */
void edge(int n, float *x, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i > 0 && x[i - 1] > y[i]) {
            y[i] = x[i - 1];
            x[i] = 0.5f * y[i];
        } else {
            y[i] = 1;
            x[i] -= y[i];
        }
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
void to_hsv(int, int, float *);
void to_rgb(int, const float *, const float *, const float *, float *);
void ranges(int, float *, float *);
void order(int, int *, double *);
int greatest(int, const double *, double *);
void hold(int, const float *, float *, int *);
void knee(int, const double *, double *);
void edge(int, float *, float *);

enum { MOST = 3 * 131 };
static float a[MOST], b[MOST];
static double d[MOST], e[MOST];
static int k[MOST];

static unsigned next = 1;
static int random_to(int n) { return (int)((next = next * 1103515245 + 12345) >> 16) % n; }

static void fill(void)
{
    for (int i = 0; i < MOST; i++) {
        a[i] = (float)random_to(9) / 8, b[i] = (float)(random_to(17) - 8) / 8;
        d[i] = (random_to(65) - 32) / 8., e[i] = i, k[i] = random_to(5);
    }
}

static void show(const char *name)
{
    printf("%s", name);
    for (int i = 0; i < MOST; i++)
        printf(" %.9g %.9g %.17g %.17g %d", (double)a[i], (double)b[i], d[i], e[i], k[i]);
    printf("\n");
    fill();
}

static void run(int n)
{
    double value;
    to_hsv(n, 1, a);
    show("to_hsv");
    to_rgb(n, a, a + n, a + 2 * n, b);
    show("to_rgb");
    ranges(n, a, b);
    show("ranges");
    order(n, k, d);
    show("order");
    int at = greatest(n, d, &value);
    printf("%d %.17g ", at, value);
    show("greatest");
    hold(n, b, a, k);
    show("hold");
    knee(n, d, e);
    show("knee");
    edge(n, a, b);
    show("edge");
}

int main(int argc, char **argv)
{
    fill();
    for (int i = 1; i < argc; i++)
        run(atoi(argv[i]));
}
C
built old.c main.c -o old
for target in $(region_targets); do
    rebuilt "$target"
    as_before "$target" 48 1 2 3 7 13 31
    as_before "$target" 32 33 127 129 131
done
