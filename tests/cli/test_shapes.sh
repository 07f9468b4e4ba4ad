#!/bin/sh
# Subscripts of one array that have several shapes in a region: what is only read, and what conditions on sizes leave to
# one of them in a call. The new file computes what the old one does, in its optimized code.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
void flatten(const float *x, float *to, int size, int layers, int batch, int forward)
{
    int i, c, b;
#pragma scop
    for (b = 0; b < batch; ++b)
        for (c = 0; c < layers; ++c)
            for (i = 0; i < size; ++i) {
                int i1 = b * layers * size + c * size + i;
                int i2 = b * layers * size + i * layers + c;
                if (forward)
                    to[i2] = x[i1];
                else
                    to[i1] = x[i2];
            }
#pragma endscop
}
struct image {
    int w, h, c;
    float *data;
};
void both(struct image p, const float *x, float *y, float *sum, int n, int m)
{
#pragma scop
    for (int c = 0; c < m; ++c)
        for (int i = 0; i < n; ++i)
            y[c * n + i] = x[i * m + c] + 2 * x[c * n + i];
    for (int k = 0; k < p.c; ++k)
        for (int j = 0; j < p.h; ++j)
            for (int i = 0; i < p.w; ++i)
                sum[0] += p.data[k * p.h * p.w + j * p.w + i] * p.data[(i * p.h + j) * p.c + k];
#pragma endscop
}
void one_array(float *x, int n, int m, int turn)
{
#pragma scop
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            if (turn > 0)
                x[i * m + j] *= 2;
            else
                x[j * n + i] += 3;
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
struct image {
    int w, h, c;
    float *data;
};
void flatten(const float *, float *, int, int, int, int);
void both(struct image, const float *, float *, float *, int, int);
void one_array(float *, int, int, int);
enum { MOST = 33 * 33 * 3 };
static float x[MOST], y[MOST], z[MOST];

static void show(const char *name)
{
    printf("%s", name);
    for (int i = 0; i < MOST; i++)
        printf(" %.9g %.9g", (double)x[i], (double)y[i]), x[i] = (float)(i * 5 % 13 - 6), y[i] = 0, z[i] = (float)(i % 7);
    printf("\n");
}

int main(int argc, char **argv)
{
    static const int odd[] = {0, 1, 2, 3, 7, 13, 31, 33};
    (void)argv;
    show("start");
    if (argc > 1) { /* overlaps: the text as written */
        flatten(x, x + 5, 13, 7, 2, 0);
        flatten(x, x + 5, 13, 7, 2, 1);
        both((struct image){2, 3, 4, y}, x, y, y, 5, 6);
        both((struct image){2, 3, 4, z}, y, y + 1, z, 5, 6);
        show("overlap");
        return 0;
    }
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++) {
            flatten(x, y, odd[a], odd[b], 3, a % 2);
            flatten(x, y, odd[a], odd[b], 2, -(b % 2));
            show("flatten");
            both((struct image){odd[a], odd[b], 3, z}, x, y, y + MOST - 1, odd[b], odd[a]);
            one_array(x, odd[a], odd[b], b % 2);
            show("both");
        }
    return 0;
}
C
built old.c main.c -o old
for target in $(region_targets); do
    rebuilt "$target"
    as_before "$target" 256
    as_before "$target" 0 overlap
done
expect 0 check old.c --target=c --quick
exit 0
