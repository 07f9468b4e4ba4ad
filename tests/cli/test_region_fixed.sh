#!/bin/sh
# Sizes of regions that --fix makes numbers where no rows are as long: the step of a window, a divisor. Conditions that
# have a name, int inside = i >= 0 && i < n. The new file computes what the old one does, in its optimized code where the
# sizes have these values.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
void maxpool(int c, int h, int w, int size, int stride, int pad, int oh, int ow, const float *in, float *out)
{
    int k, i, j, n, m;
#pragma scop
    for (k = 0; k < c; k++)
        for (i = 0; i < oh; i++)
            for (j = 0; j < ow; j++) {
                float most = -1000;
                for (n = 0; n < size; n++)
                    for (m = 0; m < size; m++) {
                        int y = i * stride + n - pad, x = j * stride + m - pad;
                        int index = x + w * (y + h * k);
                        int inside = y >= 0 && y < h && x >= 0 && x < w;
                        float v = inside ? in[index] : -1000;
                        most = v > most ? v : most;
                    }
                out[(k * oh + i) * ow + j] = most;
            }
#pragma endscop
}
void gather(int c, int h, int w, int size, int stride, int pad, int oh, int ow, const float *in, float *out)
{
    (void)c, (void)size, (void)pad, (void)ow;
#pragma scop
    for (int k = 0; k < oh; k++)
        for (int i = 0; i < w; i++)
            out[k * w + i] += in[(k / stride) * w + i] * 2;
    for (int i = 0; i < w; i++) {
        int at = i + oh - h, in_row = !(at < 0) && at < w;
        if (in_row)
            out[i] += 3;
        out[i] += in_row ? in[at] : at > 0;
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdlib.h>
#include <string.h>
#include "show.h"
typedef void run(int, int, int, int, int, int, int, int, const float *, float *);
run maxpool, gather;
static float in[30000], out[30000];
int main(int argc, char **argv)
{
    int stride = argc > 1 ? atoi(argv[1]) : 2;
    srand(7);
    for (int i = 0; i < 30000; i++)
        in[i] = (rand() >> 7) % 1000 - 500;
    for (int k = 0; k < 40; k++) {
        static const int sizes[] = {1, 2, 3, 7, 13, 31, 33};
        int h = sizes[rand() % 7], w = sizes[rand() % 7], size = 1 + rand() % 3, pad = rand() % 3, c = 1 + rand() % 3;
        memset(out, 0, sizeof out);
        maxpool(c, h, w, size, stride, pad, (h + 1) / 2, (w + 2) / 2, in, out);
        gather(c, h, w, size, stride, pad, h + rand() % 3, w, in, out);
        printf("%d %d %d: ", h, w, size), SHOW(out);
    }
    return 0;
}
C
show_h
built old.c main.c -o old
for target in $(region_targets); do
    sed 's/^#pragma scop$/#pragma squall fp strict\
#pragma scop/' old.c >strict.c
    expect 0 compile strict.c --target="$target" --fix=stride=2 -o new.c
    { echo '#include "count.h"'; counted new.c; } >counted.c
    printf '#include <stdio.h>\nstatic int tuned;\n__attribute__((destructor)) static void say(void) { fprintf(stderr, "%%d", tuned); }\n' >count.h
    built -fopenmp counted.c main.c -o new
    as_before "$target" 80
    as_before "$target" 0 1
    as_before "$target" 0 3
done
expect 0 check old.c --fix=stride=2 --target=c --quick

# Without, what to do is said.
expect 1 compile old.c -o none.c
says "in this subscript 'stride' multiplies a variable, and is no length of rows of 'in'"
says "the step of a window is a number; --fix=stride=2 makes it one"
expect 1 compile old.c --kernel=gather -o none.c
says "it divides by something else than a positive constant"
says "--fix=stride=2 makes it a constant"
exit 0
