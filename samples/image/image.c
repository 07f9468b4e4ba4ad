/* A camera's pipeline: paints a scene as a sensor would see it, makes a picture of that with the kernels
 * that Squall makes of kernels.sq and with the plain loops of plain.c, compares the two byte by byte, says
 * how long each stage took, and writes the picture as a PPM file:
 *
 *   ./image picture.ppm
 */
#define _POSIX_C_SOURCE 200809L
#include "kernels.h"
#include "plain.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { H = 1008, W = 1536, N = H * W, SMALL_H = H / 3 * 2, SMALL_W = W / 3 * 2, ROUNDS = 9 };

enum { DEMOSAIC, TO_YUV, SHARPEN, TO_RGB, SHRINK, STAGES };
static const char *const stage_names[STAGES] = {"demosaic", "to_yuv", "sharpen", "to_rgb",
                                                "shrink"};

/* One way to make a picture: every array that it leaves, and how long each stage took. */
typedef struct pipeline {
    uint8_t rgb[3][N], yuv[3][N], sharp[N], again[3][N], narrow[3][H * SMALL_W],
        small[3][SMALL_H * SMALL_W];
    double seconds[STAGES][ROUNDS];
} pipeline;

/* Colour `c` of the scene: soft waves, and rings that get finer outwards. */
static uint8_t scene(int y, int x, int c)
{
    double u = (double)x / W - 0.5, v = (double)y / H - 0.5, r = 40 * (u * u + v * v);
    double wave = 0.5 + 0.25 * sin(7 * u + 2 * c) + 0.25 * cos(5 * v - c);
    double ring = r < 6 ? 0.5 + 0.5 * cos(6 * r * (1 + 0.1 * c)) : wave;
    return (uint8_t)(255 * (0.6 * wave + 0.4 * ring));
}

static void expose(uint8_t *sensor)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            sensor[y * W + x] = scene(y, x, y % 2 + x % 2);
}

/* Processor time: what else runs on the machine does not count. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void lap(pipeline *p, int stage, int round, double *since)
{
    double now = seconds();
    p->seconds[stage][round] = now - *since;
    *since = now;
}

static void run_kernels(const uint8_t *sensor, pipeline *p, int round)
{
    double t = seconds();
    demosaic(H, W, sensor, p->rgb[0], p->rgb[1], p->rgb[2]);
    lap(p, DEMOSAIC, round, &t);
    to_yuv(N, p->rgb[0], p->rgb[1], p->rgb[2], p->yuv[0], p->yuv[1], p->yuv[2]);
    lap(p, TO_YUV, round, &t);
    sharpen(H, W, p->yuv[0], p->sharp);
    lap(p, SHARPEN, round, &t);
    to_rgb(N, p->sharp, p->yuv[1], p->yuv[2], p->again[0], p->again[1], p->again[2]);
    lap(p, TO_RGB, round, &t);
    for (int c = 0; c < 3; c++) {
        shrink_columns(N / 3, p->again[c], p->narrow[c]);
        shrink_rows(H / 3, SMALL_W, p->narrow[c], p->small[c]);
    }
    lap(p, SHRINK, round, &t);
}

static void run_plain(const uint8_t *sensor, pipeline *p, int round)
{
    double t = seconds();
    plain_demosaic(H, W, sensor, p->rgb[0], p->rgb[1], p->rgb[2]);
    lap(p, DEMOSAIC, round, &t);
    plain_to_yuv(N, p->rgb[0], p->rgb[1], p->rgb[2], p->yuv[0], p->yuv[1], p->yuv[2]);
    lap(p, TO_YUV, round, &t);
    plain_sharpen(H, W, p->yuv[0], p->sharp);
    lap(p, SHARPEN, round, &t);
    plain_to_rgb(N, p->sharp, p->yuv[1], p->yuv[2], p->again[0], p->again[1], p->again[2]);
    lap(p, TO_RGB, round, &t);
    for (int c = 0; c < 3; c++) {
        plain_shrink_columns(N / 3, p->again[c], p->narrow[c]);
        plain_shrink_rows(H / 3, SMALL_W, p->narrow[c], p->small[c]);
    }
    lap(p, SHRINK, round, &t);
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *seconds_of_stage)
{
    qsort(seconds_of_stage, ROUNDS, sizeof(double), by_size);
    return seconds_of_stage[ROUNDS / 2];
}

static void report(pipeline *kernels, pipeline *plain)
{
    double all = 0, all_plain = 0;
    for (int s = 0; s < STAGES; s++) {
        double a = median(kernels->seconds[s]), b = median(plain->seconds[s]);
        printf("%-9s %7.2f ms, plain loops %7.2f ms: %.2f times as fast\n", stage_names[s], 1e3 * a,
               1e3 * b, b / a);
        all += a;
        all_plain += b;
    }
    printf("%-9s %7.2f ms, plain loops %7.2f ms: %.2f times as fast\n", "all", 1e3 * all,
           1e3 * all_plain, all_plain / all);
}

/* The first stage whose bytes differ, or NULL. */
static const char *difference(const pipeline *a, const pipeline *b)
{
    if (memcmp(a->rgb, b->rgb, sizeof a->rgb) != 0)
        return stage_names[DEMOSAIC];
    if (memcmp(a->yuv, b->yuv, sizeof a->yuv) != 0)
        return stage_names[TO_YUV];
    if (memcmp(a->sharp, b->sharp, sizeof a->sharp) != 0)
        return stage_names[SHARPEN];
    if (memcmp(a->again, b->again, sizeof a->again) != 0)
        return stage_names[TO_RGB];
    if (memcmp(a->narrow, b->narrow, sizeof a->narrow) != 0 ||
        memcmp(a->small, b->small, sizeof a->small) != 0)
        return stage_names[SHRINK];
    return NULL;
}

static int write_ppm(const char *path, const pipeline *p)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        return -1;
    fprintf(f, "P6\n%d %d\n255\n", SMALL_W, SMALL_H);
    for (int i = 0; i < SMALL_H * SMALL_W; i++)
        for (int c = 0; c < 3; c++)
            putc(p->small[c][i], f);
    int bad = ferror(f);
    return fclose(f) || bad ? -1 : 0;
}

int main(int argc, char **argv)
{
    static uint8_t sensor[N];
    static pipeline kernels, plain;
    if (argc > 2) {
        fprintf(stderr, "usage: %s [FILE.ppm]\n", argv[0]);
        return 64;
    }
    expose(sensor);
    for (int round = 0; round < ROUNDS; round++) {
        run_kernels(sensor, &kernels, round);
        run_plain(sensor, &plain, round);
    }
    report(&kernels, &plain);
    const char *stage = difference(&kernels, &plain);
    if (stage) {
        printf("the kernels disagree: %s\n", stage);
        return 1;
    }
    puts("every byte is the same");
    if (argc == 2 && write_ppm(argv[1], &kernels) != 0) {
        fprintf(stderr, "image: %s cannot be written\n", argv[1]);
        return 1;
    }
    return 0;
}
