/* Lanes: loops whose iterations run several at a time, statement by statement: elements ahead, behind and far
 * behind, scalars that are set and kept, sums, neighbours that are left out by a condition, widths that
 * differ, every length around a vector's. With ROUGH no number is exact. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#ifdef ROUGH
#define PART 7
#else
#define PART 8
#endif
#define MOST 150

static float a[MOST], b[MOST], c[MOST], d[MOST];
static double x[MOST], y[MOST];
static int p[MOST], q[MOST];
static uint8_t m[MOST];
static int16_t h[MOST];

static void reset(void)
{
    for (int i = 0; i < MOST; i++) {
        a[i] = (float)(i * 5 % 17 - 8) / PART, b[i] = (float)(i * 3 % 7 - 3) / PART;
        c[i] = (float)(i * 11 % 13 - 6) / PART, d[i] = (float)(i * 2 % 9 - 4) / PART;
        x[i] = (i * 7 % 19 - 9) / (double)PART, y[i] = (i * 4 % 11 - 5) / (double)PART;
        p[i] = i * 37 % 101 - 50, q[i] = i * 53 % 97 - 48;
        m[i] = (uint8_t)(i * 91 % 5), h[i] = (int16_t)(i * 1237);
    }
}

static void show(const char *name)
{
    printf("%s", name);
    for (int i = 0; i < MOST; i++)
        printf(" %.9g %.9g %.9g %.9g %.17g %.17g %d %d %d", a[i], b[i], c[i], d[i], x[i], y[i],
               p[i], q[i], h[i]);
    printf("\n");
}

static void ahead(int n)
{
#pragma scop
    for (int i = 0; i < n - 1; i++) {
        a[i] = a[i + 1] * 0.5f + b[i];
        c[i] = a[i] - d[i];
    }
#pragma endscop
}

static void behind(int n)
{
#pragma scop
    for (int i = 1; i < n; i++) {
        a[i] = b[i] * 0.5f;
        c[i] = a[i - 1] + a[i];
    }
#pragma endscop
}

static void far_behind(int n)
{
#pragma scop
    for (int i = 20; i < n; i++)
        a[i] = a[i - 20] * 0.5f + b[i];
#pragma endscop
}

static void nearly(int n)
{
#pragma scop
    for (int i = 3; i < n; i++)
        a[i] = a[i - 3] * 0.5f + b[i];
#pragma endscop
}

static void downwards(int n)
{
#pragma scop
    for (int i = n - 2; i >= 0; i--)
        a[i + 1] = a[i] * 0.5f + b[i];
#pragma endscop
}

static void turns(int n)
{
    float t;
#pragma scop
    for (int i = 0; i < n; i++) {
        t = a[i];
        a[i] = b[i] * 0.5f + c[i];
        b[i] = t;
    }
#pragma endscop
}

static void thirds(int n)
{
#pragma scop
    for (int i = 0; i < n / 3; i++) {
        a[i] = d[3 * i];
        b[i] = d[3 * i + 1];
        c[i] = d[3 * i + 2];
    }
#pragma endscop
}

static float last(int n)
{
    float t = 1;
#pragma scop
    for (int i = 0; i < n; i++) {
        t = b[i] * c[i];
        a[i] = t + 1.0f;
    }
#pragma endscop
    return t;
}

static double several(int n)
{
    float most = a[0], s = 0;
    double t = 0;
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        s -= a[i] * b[i];
        t += (double)c[i];
        most = most > d[i] ? most : d[i];
        count += p[i] > q[i];
        h[i] = (int16_t)(h[i] + 1);
    }
#pragma endscop
    return s + 2 * t + 4 * (double)most + count;
}

static void chosen(int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = m[i] != 0 ? b[i] * 1.5f : c[i] > 0 ? d[i] : a[i];
#pragma endscop
}

static void wide(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = q[i] > 3 && m[i] < 3 ? y[i] * 2 : (double)a[i] + i;
        p[i] = m[i] * h[i] + i * i;
    }
#pragma endscop
}

static void pairs(int n)
{
#pragma scop
    for (int i = 0; i < n / 2; i++) {
        float re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        float im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
        a[2 * i] = re;
        a[2 * i + 1] = im;
    }
    for (int i = 0; i < n / 2; i++) {
        x[2 * i + 1] = y[i];
        x[2 * i] = y[n - 1 - i] + 1;
    }
#pragma endscop
}

static void fourth(int n, int k)
{
#pragma scop
    for (int i = 4; i < n; i++)
        a[i] = a[i - 4] * 0.5f + b[i];
    for (int i = 0; i < n - k; i++)
        c[i] = c[i + k] * 0.5f + d[i];
#pragma endscop
}

static void unrolled(int n)
{
#pragma scop
    for (int i = 0; i < n - 3; i += 4) {
        a[i] += 0.5f * b[i];
        a[i + 1] += 0.5f * b[i + 1];
        a[i + 2] += 0.5f * b[i + 2];
        a[i + 3] += 0.5f * b[i + 3];
    }
    for (int i = 1; i < n - 1; i += 2) {
        c[i] = c[i - 1] * 0.5f;
        c[i + 1] = c[i] * 0.5f;
    }
#pragma endscop
}

static void counted(int n)
{
    int k = 1, from = -2, i;
#pragma scop
    for (i = 0; i < n / 2; i++) {
        a[i] = b[k - 1] * 2.0f;
        k += 2;
        from++;
        for (int j = 0; j < 2; j++)
            x[i] += (double)(k * j) + y[from + 1 + j];
        p[k - 2] = from - k;
    }
#pragma endscop
}

static int kept(int n)
{
    int k = 3;
#pragma scop
    for (int i = 0; i < n; i++) {
        q[i] = q[i] + k;
        k += 2;
    }
#pragma endscop
    return k;
}

static void under(int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (m[i])
            a[i] = b[i] * 0.5f;
    for (int i = 0; i < n; i++) {
        if (c[i] > 0 && m[i] != 2)
            x[i] += y[i];
        else if (d[i] < 0) {
            float t = d[i] * 0.25f;
            y[i] = t;
            h[i] = (int16_t)(q[i] - 1);
        }
        if (p[i] < q[i])
            p[i] = q[i];
        else
            p[i] = p[i] - 3;
    }
#pragma endscop
}

static float extremes(int n)
{
    float most = a[0], s = 0, product = 1;
    int none = 0;
#pragma scop
    for (int i = 1; i < n; i++)
        if (a[i] > most)
            most = a[i];
    for (int i = 0; i < n; i++)
        if (b[i] > c[i])
            s += b[i];
    for (int i = 0; i < n; i++) {
        if (d[i] == 0)
            none++;
        else if (m[i] > 3)
            product *= 0.5f;
    }
#pragma endscop
    return most + 2 * s + 4 * product + (float)none;
}

/* Bytes and shorts, of which C computes in int: what is stored of it needs fewer bits, or all of them. */
static uint8_t from[3 * MOST], to[2 * MOST];
static int16_t low[MOST], high[MOST];

static void bytes(int n)
{
    for (int i = 0; i < 3 * MOST; i++)
        from[i] = (uint8_t)(i * 151 % 256);
    for (int i = 0; i < MOST; i++)
        low[i] = (int16_t)(i * 7919 % 65536), high[i] = (int16_t)(i * 4801 % 65536);
#pragma scop
    for (int i = 0; i < n; i++) {
        to[2 * i] = (uint8_t)((3 * from[3 * i] + from[3 * i + 1] + 2) >> 2);
        to[2 * i + 1] = (uint8_t)((from[3 * i + 1] + 3 * from[3 * i + 2] + 2) >> 2);
    }
    for (int i = 0; i < n; i++) {
        h[i] = (int16_t)(low[i] * high[i] - 3 * low[i]);
        low[i] = (int16_t)((h[i] + high[i]) >> 1);
        m[i] = (uint8_t)((low[i] - from[i]) / 3);
        high[i] = (int16_t)(low[i] > 4 * from[i] ? m[i] * 257 : high[i] + 1);
    }
#pragma endscop
    for (int i = 0; i < MOST; i++)
        printf(" %d %d %d %d %d", to[i], to[MOST + i], low[i], high[i], m[i]);
    printf("\n");
}

int main(void)
{
    for (int n = 0; n < MOST - 4; n += n < 40 ? 1 : 7) {
        reset();
        ahead(n), show("ahead"), behind(n), show("behind"), far_behind(n), show("far");
        nearly(n), show("nearly"), downwards(n), show("down"), turns(n), show("turns");
        thirds(n), show("thirds");
        reset();
        printf("last %.9g\n", last(n));
        printf("several %.12g\n", several(n));
        show("several"), chosen(n), show("chosen"), wide(n), show("wide");
        pairs(n), show("pairs"), fourth(n, n / 3), show("fourth");
        unrolled(n), show("unrolled");
        counted(n), printf("kept %d\n", kept(n)), show("counted");
        bytes(n), under(n), show("under"), printf("extremes %.9g\n", extremes(n));
    }
    return 0;
}
