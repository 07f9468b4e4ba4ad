#!/bin/sh
# Pointers to rows that begin where another pointer is, which the loop around moves by a stride: the file that is written
# computes what the file that was read does, and its optimized code runs.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
#include <stdint.h>
/* Both images are moved by their strides at the end of a row. */
void scale(const uint8_t *src, int16_t *dst, int w, int h, int stride, int to)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        const uint8_t *s = src;
        int16_t *d = dst;
        for (int x = 0; x < w; x++)
            *d++ = *s++ * 3 - y;
        src += stride;
        dst += to;
    }
#pragma endscop
}
/* The pointer is moved before its row is read, and rows are read by subscripts. */
void blend(const uint8_t *src, int16_t *dst, int w, int h, int stride, int to)
{
    int x, y;
#pragma scop
    for (y = 0; y < h; y++, dst += to) {
        const uint8_t *a = src, *b = src + stride, *c = b - 1;
        src += stride;
        for (x = 1; x < w; x++)
            dst[x] = a[x] + 2 * b[x] + 5 * c[x];
    }
#pragma endscop
}
/* Three loops, pointers that follow each other, and a row that moves on in the innermost loop. */
void planes(const uint8_t *src, int16_t *dst, int w, int h, int stride, int to)
{
#pragma scop
    for (int c = 0; c < 2; c++) {
        const uint8_t *plane = src;
        int16_t *out = dst + c * to * h;
        for (int y = 0; y < h; y++) {
            const uint8_t *row = plane + 1;
            for (int x = 0; x < w; x++) {
                out[x] = row[-1] + 7 * c;
                row++;
            }
            plane += stride;
            out += to;
        }
        src += stride * h;
    }
#pragma endscop
}
/* By constants; the loop counts down, and not to 0. */
void pairs(const uint8_t *src, int16_t *dst, int w, int h, int stride, int to)
{
    (void)stride, (void)w;
#pragma scop
    for (int y = h; y >= 1; y--) {
        const uint8_t *s = src + 1;
        int16_t *d = dst;
        for (int x = 0; x < 4; x++)
            *d++ = s[x] + y;
        src += 3;
        dst += 4;
    }
#pragma endscop
    dst += to;
}
C
sed -i '/^    dst += to;$/d; s/(void)stride, (void)w;/(void)stride, (void)w, (void)to;/' old.c
cat >main.c <<'C'
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "show.h"
typedef void run(const uint8_t *, int16_t *, int, int, int, int);
run scale, blend, planes, pairs;
static uint8_t in[90000];
static int16_t out[90000];
int main(int argc, char **argv)
{
    static run *const f[] = {scale, blend, planes, pairs};
    static const int sizes[] = {1, 2, 3, 7, 13, 31, 33, 127, 129};
    srand(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
    for (int i = 0; i < 90000; i++)
        in[i] = (uint8_t)(rand() >> 7);
    for (int k = 0; k < 60; k++) {
        int w = sizes[rand() % 9] + (k % 4 == 1), h = sizes[rand() % 9], stride = w + rand() % 9, to = w + rand() % 5;
        memset(out, 7, sizeof out);
        f[k % 4](in, out, w, h, stride, to);
        printf("%d %d %d %d %d: ", k, w, h, stride, to), SHOW(out);
    }
    return 0;
}
C
show_h
built old.c main.c -o old
for target in $(region_targets); do
    rebuilt "$target"
    for seed in 1 2 3 4; do
        as_before "$target" 60 $seed
    done
done

refused() { # BODY of a loop, which moves `a` in another way, or reads more of it than where it leads; [MESSAGE]
    printf 'void f(int n, int m, const float *a, float *o, const float **keep)\n{\n#pragma scop
    for (int i = 0; i < n; i++) {\n%s\n}\n#pragma endscop\n}\n' "$1" >bad.c
    expect 1 compile bad.c -o bad_new.c
    says "${2-the region moves the pointer 'a' in a way that no subscript says}"
    absent bad_new.c
}
row='const float *s = a; for (int j = 0; j < m; j++) o[i * m + j] = s[j];'
refused "$row if (i % 2 == 0) a += m;"
refused "$row if (i == 3) continue; a += m;"
refused "$row a += i;"
refused "a += m; $row"
refused "const float *t = a++; for (int j = 0; j < m; j++) o[i * m + j] = t[j];"
refused "$row o[0] = s == a; a += m;"
refused "int k = i; $row a += k;" 'subscript is not affine: it multiplies two things that both vary'
exit 0
