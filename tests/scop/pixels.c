/* Pixels: values that lie interleaved in memory, as images, sound and complex numbers have them: two, three and
 * four of them, some or all of which a loop reads and writes, in any order, in place and elsewhere. Every
 * length around a vector's. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef ROUGH
#define PART 7
#else
#define PART 8
#endif
#define MOST 140

static uint8_t rgb[MOST][3], rgba[4 * MOST], wide[4 * MOST], r[MOST], g[MOST], b[MOST];
static int16_t sound[2 * MOST], left[MOST], right[MOST];
static float z[MOST][2], w[MOST][2], v[3 * MOST];
static double point[MOST][3];
static int32_t four[4 * MOST];

static void reset(void)
{
    for (int i = 0; i < MOST; i++) {
        for (int c = 0; c < 3; c++) {
            rgb[i][c] = (uint8_t)(i * 37 + c * 101);
            v[3 * i + c] = (float)((i * 3 + c * 5) % 17 - 8) / PART;
            point[i][c] = ((i * 7 + c * 2) % 13 - 6) / (double)PART;
        }
        for (int c = 0; c < 4; c++) {
            rgba[4 * i + c] = (uint8_t)(i * 53 + c * 71);
            wide[4 * i + c] = (uint8_t)(i * 19 + c * 29);
            four[4 * i + c] = i * 1237 - c * 100003;
        }
        for (int c = 0; c < 2; c++) {
            sound[2 * i + c] = (int16_t)(i * 7919 + c * 4801);
            z[i][c] = (float)((i * 5 + c) % 11 - 5) / PART;
            w[i][c] = (float)((i * 3 + c * 4) % 9 - 4) / PART;
        }
        r[i] = (uint8_t)(i * 3), g[i] = (uint8_t)(i * 5), b[i] = (uint8_t)(i * 11);
        left[i] = (int16_t)(i * 301), right[i] = (int16_t)(i * 103);
    }
}

static void show(const char *name)
{
    printf("%s", name);
    for (int i = 0; i < MOST; i++)
        printf(" %d %d %d %d %d %d %.9g %.9g", r[i], g[i], b[i], left[i], right[i],
               sound[2 * i] + 3 * sound[2 * i + 1], z[i][0], z[i][1]);
    for (int i = 0; i < MOST; i++)
        for (int c = 0; c < 3; c++)
            printf(" %d %.9g %.17g", rgb[i][c], v[3 * i + c], point[i][c]);
    for (int i = 0; i < 4 * MOST; i++)
        printf(" %d %d %d", rgba[i], wide[i], four[i]);
    printf("\n");
}

static void planes(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        r[i] = rgb[i][0];
        g[i] = rgb[i][1];
        b[i] = rgb[i][2];
    }
#pragma endscop
}

static void packed(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        rgb[i][0] = b[i];
        rgb[i][1] = g[i];
        rgb[i][2] = r[i];
    }
#pragma endscop
}

static void luma(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        r[i] = (uint8_t)(((66 * rgb[i][0] + 129 * rgb[i][1] + 25 * rgb[i][2] + 128) >> 8) + 16);
        g[i] = (uint8_t)(((-38 * rgb[i][0] - 74 * rgb[i][1] + 112 * rgb[i][2] + 128) >> 8) + 128);
        b[i] = (uint8_t)(((112 * rgb[i][0] - 94 * rgb[i][1] - 18 * rgb[i][2] + 128) >> 8) + 128);
    }
#pragma endscop
}

/* Four, in an order of their own; alpha comes from elsewhere. */
static void blended(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        wide[4 * i + 3] = (uint8_t)(rgba[4 * i + 3] > 128 ? 255 : r[i]);
        wide[4 * i + 1] = (uint8_t)((rgba[4 * i + 1] * rgba[4 * i + 3] + 127) / 255);
        wide[4 * i + 0] = (uint8_t)((rgba[4 * i + 0] * rgba[4 * i + 3] + 127) / 255);
        wide[4 * i + 2] = (uint8_t)((rgba[4 * i + 2] * rgba[4 * i + 3] + 127) / 255);
    }
#pragma endscop
}

/* Three of four: what lies between stays. */
static void opaque(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        wide[4 * i] = rgb[i][0];
        wide[4 * i + 1] = rgb[i][1];
        wide[4 * i + 2] = rgb[i][2];
    }
#pragma endscop
}

/* In place, and what a store before it left there. */
static void turned(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        point[i][0] = point[i][0] * 0.5 - point[i][1];
        point[i][1] = point[i][1] + 1;
        point[i][2] = point[i][2] * point[i][2];
    }
    for (int i = 0; i < n; i++) {
        v[3 * i] = v[3 * i + 1] * 2;
        v[3 * i + 1] = v[3 * i] + v[3 * i + 2];
        v[3 * i + 2] = v[3 * i + 1] - 1;
    }
#pragma endscop
}

/* Reads what lies one further: the next iteration's, not yet written, and the last one's, written. */
static void shifted(int n)
{
#pragma scop
    for (int i = 0; i < n - 1; i++) {
        v[3 * i] = v[3 * i + 3] * 0.5f;
        v[3 * i + 1] = v[3 * i + 4] + 1;
        v[3 * i + 2] = v[3 * i + 5];
    }
    for (int i = 1; i < n; i++) {
        four[4 * i] = four[4 * i - 1] + 1;
        four[4 * i + 1] = four[4 * i - 3];
        four[4 * i + 2] = four[4 * i + 2] ^ 5;
        four[4 * i + 3] = four[4 * i + 2] - four[4 * i];
    }
#pragma endscop
}

static void stereo(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        left[i] = (int16_t)((sound[2 * i] + sound[2 * i + 1]) / 2);
        right[i] = (int16_t)((sound[2 * i] - sound[2 * i + 1]) / 2);
    }
    for (int i = 0; i < n; i++) {
        sound[2 * i + 1] = (int16_t)(left[i] - right[i]);
        sound[2 * i] = (int16_t)(left[i] + right[i]);
    }
#pragma endscop
}

static void product(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float re = z[i][0] * w[i][0] - z[i][1] * w[i][1];
        float im = z[i][0] * w[i][1] + z[i][1] * w[i][0];
        z[i][0] = re;
        z[i][1] = im;
    }
#pragma endscop
}

/* Stored again, behind all of them or before, with a condition and without. */
static void again(int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        v[3 * i] = z[i][0];
        v[3 * i + 1] = z[i][1];
        v[3 * i + 2] = w[i][0];
        v[3 * i + 1] = v[3 * i] * 2;
    }
    for (int i = 0; i < n; i++) {
        sound[2 * i + 1] = left[i];
        sound[2 * i] = right[i];
        sound[2 * i + 1] = (int16_t)(sound[2 * i + 1] - 7);
    }
    for (int i = 0; i < n; i++) {
        rgb[i][0] = (uint8_t)(r[i] + 9);
        rgb[i][1] = (uint8_t)(g[i] + 9);
        rgb[i][2] = (uint8_t)(b[i] + 9);
        if (rgb[i][1] > 230)
            rgb[i][1] = 230;
    }
    for (int i = 0; i < n; i++) {
        z[i][0] = w[i][1];
        z[i][1] = w[i][0];
        z[i][0] += z[i][1];
    }
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 2; c++) {
            w[i][c] = z[i][c];
            if (r[i] > 100)
                w[i][c] = 1;
        }
#pragma endscop
}

/* Loops over the channels: all of them, all but one, and one more behind them. */
static void channels(int n)
{
    static const int gain[3] = {17, 9, 14};
    static const float matrix[3][3] = {
        {0.25f, 0.5f, 0.125f}, {-0.5f, 1, 0.25f}, {0.75f, -0.25f, 2}};
    static float from[MOST][3];
    memcpy(from, v, sizeof from);
#pragma scop
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            rgb[i][c] = (uint8_t)((rgb[i][c] * gain[c] + 8) >> 4);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            v[3 * i + c] =
                matrix[c][0] * from[i][0] + matrix[c][1] * from[i][1] + matrix[c][2] * from[i][2];
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            rgba[4 * i + c] = (uint8_t)((rgba[4 * i + c] * rgba[4 * i + 3] +
                                         wide[4 * i + c] * (255 - rgba[4 * i + 3])) /
                                        255);
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++)
            wide[4 * i + c] = (uint8_t)((wide[4 * i + c] * wide[4 * i + 3] + 127) / 255);
        wide[4 * i + 3] = (uint8_t)(wide[4 * i + 3] ^ 255);
    }
    for (int i = 1; i < n; i++)
        for (int c = 0; c < 2; c++)
            z[i][c] = z[i - 1][c] * 0.5f + w[i][1 - c];
#pragma endscop
}

int main(void)
{
    for (int n = 0; n < MOST - 2; n += n < 36 ? 1 : 13) {
        reset();
        packed(n), show("packed"), planes(n), show("planes"), luma(n), show("luma");
        blended(n), show("blended"), opaque(n), show("opaque");
        turned(n), show("turned"), shifted(n), show("shifted");
        stereo(n), show("stereo"), product(n), show("product"), channels(n), show("channels");
        again(n), show("again");
    }
    return 0;
}
