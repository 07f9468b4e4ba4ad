/* Linked with a batch of compiled kernels: reads calls from a file, makes them, writes what the
 * arguments hold afterwards. harness INPUT OUTPUT. A call is its number and its count of arguments,
 * then of each the bytes, where its data begins in them, and the bytes themselves. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern void (*const random_calls[])(void **);
int random_original; /* how often a region ran as it was written */

enum { MOST = 64 };

static void need(int ok)
{
    if (!ok) {
        fprintf(stderr, "harness: bad input\n");
        exit(3);
    }
}

static void call(FILE *in, FILE *out, int32_t number)
{
    unsigned char *bytes[MOST];
    void *data[MOST];
    int64_t size[MOST], start;
    int32_t count;
    need(fread(&count, sizeof count, 1, in) == 1 && count <= MOST);
    for (int a = 0; a < count; a++) {
        need(fread(&size[a], sizeof size[a], 1, in) == 1 && fread(&start, sizeof start, 1, in) == 1);
        bytes[a] = aligned_alloc(64, ((size_t)size[a] + 127) / 64 * 64);
        need(bytes[a] && fread(bytes[a], 1, (size_t)size[a], in) == (size_t)size[a]);
        data[a] = bytes[a] + start;
    }
    int32_t before = random_original;
    random_calls[number](data);
    before = random_original - before;
    fwrite(&before, sizeof before, 1, out);
    for (int a = 0; a < count; a++) {
        fwrite(bytes[a], 1, (size_t)size[a], out);
        free(bytes[a]);
    }
}

int main(int argc, char **argv)
{
    need(argc == 3);
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    int32_t number;
    need(in && out);
    while (fread(&number, sizeof number, 1, in) == 1)
        call(in, out, number);
    need(fclose(out) == 0);
    return 0;
}
