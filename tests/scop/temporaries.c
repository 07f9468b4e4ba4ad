/* Temporaries: scalars between the statements of a loop, as people name what they compute: factors
 * hoisted out of loops, parts of complex numbers, neighbours of a stencil, pixels, sums that are
 * kept, values that are swapped. With ROUGH no number is exact. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#ifdef ROUGH
#define PART 7
#else
#define PART 8
#endif
#define MOST 40

static float A[MOST][MOST], B[MOST][MOST], C[MOST][MOST];
static double D[MOST], E[MOST];
static float a[MOST], b[MOST], c[MOST], d[MOST], x[MOST], y[MOST];
static uint8_t red[MOST], green[MOST], blue[MOST], gray[MOST];
static int16_t low[MOST];
static int count[MOST];

static void reset(void)
{
    for (int i = 0; i < MOST; i++) {
        for (int j = 0; j < MOST; j++) {
            A[i][j] = (float)((i * 7 + j * 3) % 11 - 5) / PART;
            B[i][j] = (float)((i * 5 + j * 9) % 13 - 6) / PART;
            C[i][j] = (float)((i + j) % 5) / PART;
        }
        a[i] = (float)(i * 5 % 17 - 8) / PART, b[i] = (float)(i * 3 % 7 - 3) / PART;
        c[i] = (float)(i * 11 % 13 - 6) / PART, d[i] = (float)(i * 2 % 9 - 4) / PART;
        x[i] = y[i] = 0, D[i] = (i * 7 % 19 - 9) / (double)PART, E[i] = 0;
        red[i] = (uint8_t)(i * 37), green[i] = (uint8_t)(i * 91), blue[i] = (uint8_t)(i * 53);
        low[i] = (int16_t)(i * 1237 - 20000), gray[i] = 0, count[i] = 0;
    }
}

static void show(const char *name, int n)
{
    printf("%s", name);
    for (int i = 0; i < n; i++) {
        printf(" %.9g %.9g %.9g %.9g %.9g %.9g %.17g %.17g", a[i], b[i], c[i], d[i], x[i], y[i],
               D[i], E[i]);
        printf(" %d %d %d", gray[i], low[i], count[i]);
        for (int j = 0; j < n; j++)
            printf(" %.9g", C[i][j]);
    }
    printf("\n");
}

static void square(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = b[i] + c[i] * d[i];
        a[i] = s * s;
    }
#pragma endscop
}

static void hoisted(int n, float alpha)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            float t = alpha * A[i][k];
            for (int j = 0; j < n; j++)
                C[i][j] += t * B[k][j];
        }
#pragma endscop
}

static void hoisted_twice(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float row = a[i] * 2, shift = b[i];
        for (int j = 0; j < n; j++) {
            float t = row * A[i][j];
            float u = t + shift;
            C[i][j] = u * c[j] - t;
        }
        x[i] = row + shift;
    }
#pragma endscop
}

static void complex_product(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float re = a[i] * c[i] - b[i] * d[i];
        float im = a[i] * d[i] + b[i] * c[i];
        a[i] = re;
        b[i] = im;
    }
#pragma endscop
}

static void complex_apart(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float re = a[i] * c[i] - b[i] * d[i];
        float im = a[i] * d[i] + b[i] * c[i];
        x[i] = re;
        y[i] = im;
    }
#pragma endscop
}

static void stencil(int n)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            float here = A[i][j], north = A[i - 1][j], south = A[i + 1][j];
            float west = A[i][j - 1], east = A[i][j + 1];
            float mean = (north + south + west + east) * 0.25f;
            C[i][j] = here + 0.5f * (mean - here);
        }
#pragma endscop
}

static void grays(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int r = red[i], g = green[i], bl = blue[i];
        int light = 77 * r + 150 * g + 29 * bl + 128;
        gray[i] = (uint8_t)(light >> 8);
        int most = r > g ? r : g;
        most = bl > most ? bl : most;
        count[i] = most;
    }
#pragma endscop
}

static void narrowed(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        uint8_t t = (uint8_t)(red[i] + green[i]);
        int8_t u = (int8_t)(t - blue[i]);
        int16_t v = (int16_t)(low[i] * 3);
        gray[i] = (uint8_t)(t / 2);
        count[i] = u * 3 + v;
    }
#pragma endscop
}

static void clamped(int n)
{
    int t;
#pragma scop
    for (int i = 0; i < n; i++) {
        t = red[i] * 3 - green[i];
        t = t < 0 ? 0 : t;
        t = t > 255 ? 255 : t;
        gray[i] = (uint8_t)t;
    }
#pragma endscop
}

static void precisions(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double wide = (double)a[i] * b[i] + c[i];
        float slim = (float)(D[i] * 1.1);
        x[i] = (float)(wide * wide);
        E[i] = slim * D[i] + slim;
    }
#pragma endscop
}

static float last_one(int n)
{
    float t = 1, kept = 2;
#pragma scop
    for (int i = 0; i < n; i++) {
        t = a[i] * 2;
        x[i] = t + 1;
        kept = b[i];
        t = kept + 3;
        y[i] = t;
    }
#pragma endscop
    return t * 3 + kept;
}

static void swapped(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = a[i];
        a[i] = b[i];
        b[i] = t;
        float u = c[i] + 1;
        c[n - 1 - i] = d[i];
        d[i] = u;
    }
#pragma endscop
}

static void overwritten(int n)
{
#pragma scop
    if (n >= 2) {
        float first = a[0];
        for (int i = 0; i < n; i++)
            a[i] = first + b[i];
        for (int i = 0; i < n - 1; i++) {
            float next = c[i + 1], own = c[i];
            c[i] = next;
            d[i] = own + next;
        }
    }
#pragma endscop
}

static void reversed(int n)
{
#pragma scop
    for (int i = n - 1; i >= 0; i -= 2) {
        float t = a[i] * b[n - 1 - i];
        x[i] = t + c[i];
    }
#pragma endscop
}

static void chosen(int n)
{
    float t;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i >= 3) {
            t = a[i] * 2;
            x[i] = t;
        } else {
            t = b[i] + 1;
            x[i] = t - 1;
        }
        float p = c[i];
        if (i == 0)
            p = 3;
        y[i] = p;
        float q = d[i] * 2;
        if (i < n / 2)
            E[i] = q;
    }
#pragma endscop
}

static void carried(int n)
{
    float sum = 0, before = 0.5f;
#pragma scop
    for (int i = 0; i < n; i++) {
        sum = sum + a[i];
        x[i] = sum;
        float here = b[i] * 2;
        y[i] = here - before;
        before = here;
    }
#pragma endscop
}

static void chain(int n)
{
    float t[2];
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = a[i];
        float u = s * 2;
        s = b[i] + u;
        t[0] = s + u;
        t[1] = s - u;
        x[i] = t[0] * t[1];
        y[i] = t[0] / 4 + (s == 0 ? 1 : t[1]);
    }
#pragma endscop
}

static void dear(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float r = sqrtf(c[i] * c[i] + 1);
        x[i] = a[i] / r;
        y[i] = b[i] / r;
        float once = 1 / (d[i] * d[i] + 1);
        E[i] = once;
    }
#pragma endscop
}

static void scaled_sums(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float w = a[i] * 0.5f;
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += w * A[i][k];
        x[i] = sum + w;
        for (int j = 0; j < n; j++) {
            float t = w * b[j];
            y[j] += t;
        }
    }
#pragma endscop
}

#define TWICE(name, ...)                                                                           \
    do {                                                                                           \
        reset();                                                                                   \
        name(__VA_ARGS__);                                                                         \
        name(__VA_ARGS__);                                                                         \
        show(#name, n);                                                                            \
    } while (0)

int main(void)
{
    static const int sizes[] = {1, 2, 5, 37};
    for (int s = 0; s < 4; s++) {
        int n = sizes[s];
        TWICE(square, n);
        TWICE(hoisted, n, 1.5f);
        TWICE(hoisted_twice, n);
        TWICE(complex_product, n);
        TWICE(complex_apart, n);
        TWICE(stencil, n);
        TWICE(grays, n);
        TWICE(narrowed, n);
        TWICE(clamped, n);
        TWICE(precisions, n);
        TWICE(swapped, n);
        TWICE(overwritten, n);
        TWICE(reversed, n);
        TWICE(chosen, n);
        TWICE(carried, n);
        TWICE(chain, n);
        TWICE(dear, n);
        TWICE(scaled_sums, n);
        reset();
        float one = last_one(n), two = last_one(n);
        show("last_one", n);
        printf("last %.9g %.9g\n", one, two);
    }
    return 0;
}
