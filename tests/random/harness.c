/* Linked with a batch of compiled kernels: reads calls from a file, makes them, writes what the
 * arguments hold afterwards. harness INPUT OUTPUT. A call is its number and its count of arguments,
 * then of each its bytes, where its data begins in them and how many bytes that is, and the bytes
 * themselves.
 *
 * Each call is made again with every array, to the byte, between pages that nobody may touch, at
 * the end of its pages and at their beginning; of a kernel K then as K_in, whose workspace lies
 * between such pages, too, and is full of NaN or of large numbers. All have to leave the same bits. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void (*const random_calls[])(void **);
/* Of a kernel; NULL of a region: the same in the caller's memory, and how many bytes it wants. */
extern int (*const random_calls_in[])(void **, void *);
extern size_t (*const random_workspace[])(void **);
int random_original; /* how often a region ran as it was written */

enum { MOST = 64, GUARD = 0x5A };

struct argument {
    int64_t size, start, length;
    unsigned char *before, *after; /* the bytes as given, and as the first call left them */
};

/* Memory between two pages without access. */
struct guarded {
    unsigned char *map, *data;
    size_t room, length;
};

static void need(int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "harness: %s\n", what);
        exit(3);
    }
}

/* `length` bytes, which end with their pages, or begin `shift` bytes after them. */
static struct guarded guarded_new(size_t length, int at_end, size_t shift, int fill)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (length + shift + page - 1) / page * page;
    struct guarded g = {.room = room, .length = length};
    g.map = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    need(g.map != MAP_FAILED, "no memory");
    need(room == 0 || mprotect(g.map + page, room, PROT_READ | PROT_WRITE) == 0, "no pages");
    g.data = g.map + page + (at_end ? room - length : shift);
    memset(g.map + page, GUARD, room);
    memset(g.data, fill, length);
    return g;
}

/* What lies in the pages beside the data has to be as it was. */
static int guarded_free(struct guarded *g)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int whole = 1;
    for (unsigned char *at = g->map + page; at < g->map + page + g->room; at++)
        whole &= (at >= g->data && at < g->data + g->length) || *at == GUARD;
    munmap(g->map, g->room + 2 * page);
    return whole;
}

static int touched(struct argument *arg, const struct guarded *g, int a, const char *side)
{
    const unsigned char *first = arg->after + arg->start;
    if (memcmp(first, g->data, g->length) == 0)
        return 0;
    size_t at = 0;
    while (first[at] == g->data[at])
        at++;
    fprintf(stderr, "argument %d differs at byte %zu after a call with arrays and workspace at "
        "the %s of their pages\n", a, at, side);
    return 1;
}

static const char *side_now = "?";

static void fault(int number)
{
    (void)number;
    const char *const text[] = {"an access outside of an array or the workspace, at the ", side_now,
        " of their pages\n"};
    for (int n = 0; n < 3; n++)
        if (write(2, text[n], strlen(text[n])) < 0)
            break;
    _exit(1);
}

/* Calls K_in, first without the workspace that it wants, which changes nothing. */
static int call_in(int32_t number, void **data, struct guarded *space)
{
    if (space->length > 0 && random_calls_in[number](data, NULL) != 1) {
        fprintf(stderr, "K_in takes NULL for a workspace of %zu bytes\n", space->length);
        return 1;
    }
    if (random_calls_in[number](data, space->data) != 0) {
        fprintf(stderr, "K_in does not accept sizes that K accepts\n");
        return 1;
    }
    return 0;
}

/* `before`: did the first call run a region as it was written. Whether that is needed depends on the
 * places of the arrays, and libm's bits are not those of emitted text. */
static void call_guarded(struct argument *args, int32_t count, int32_t number, int at_end, int before)
{
    struct guarded of[MOST], space = {0};
    void *data[MOST];
    int bad = 0, kernel = random_calls_in[number] != NULL, original = before;
    side_now = at_end ? "end" : "beginning";
    for (int a = 0; a < count; a++) {
        of[a] = guarded_new((size_t)args[a].length, at_end, 0, 0);
        memcpy(of[a].data, args[a].before + args[a].start, (size_t)args[a].length);
        data[a] = of[a].data;
    }
    if (kernel) { /* 0xFF: NaN or -1; 0x7B: large; at an odd address where it need not be even */
        space = guarded_new(random_workspace[number](data), at_end, 1, at_end ? 0xFF : 0x7B);
        bad |= call_in(number, data, &space);
        if (!guarded_free(&space))
            bad |= fprintf(stderr, "written beside the workspace\n") > 0;
    } else {
        original = random_original;
        random_calls[number](data);
        original = random_original - original;
    }
    for (int a = 0; a < count; a++) {
        bad |= original == before && touched(&args[a], &of[a], a, side_now);
        if (!guarded_free(&of[a]))
            bad |= fprintf(stderr, "written beside argument %d\n", a) > 0;
    }
    if (bad)
        exit(1);
}

static void read_argument(struct argument *x, FILE *in)
{
    need(fread(&x->size, sizeof x->size, 1, in) == 1 && fread(&x->start, sizeof x->start, 1, in) == 1
        && fread(&x->length, sizeof x->length, 1, in) == 1, "bad input");
    size_t room = ((size_t)x->size + 127) / 64 * 64;
    x->before = malloc(room);
    x->after = aligned_alloc(64, room);
    need(x->before && x->after, "no memory");
    need(fread(x->before, 1, (size_t)x->size, in) == (size_t)x->size, "bad input");
    memcpy(x->after, x->before, (size_t)x->size);
}

static void call(FILE *in, FILE *out, int32_t number)
{
    struct argument args[MOST];
    void *data[MOST];
    int32_t count;
    need(fread(&count, sizeof count, 1, in) == 1 && count <= MOST, "bad input");
    for (int a = 0; a < count; a++) {
        read_argument(&args[a], in);
        data[a] = args[a].after + args[a].start;
    }
    int32_t before = random_original;
    random_calls[number](data);
    before = random_original - before;
    fwrite(&before, sizeof before, 1, out);
    for (int a = 0; a < count; a++)
        fwrite(args[a].after, 1, (size_t)args[a].size, out);
    for (int at_end = 0; at_end < 2; at_end++)
        call_guarded(args, count, number, at_end, before);
    for (int a = 0; a < count; a++) {
        free(args[a].before);
        free(args[a].after);
    }
}

int main(int argc, char **argv)
{
    need(argc == 3, "harness INPUT OUTPUT");
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    int32_t number;
    need(in && out, "cannot open files");
    signal(SIGSEGV, fault);
    signal(SIGBUS, fault);
    while (fread(&number, sizeof number, 1, in) == 1)
        call(in, out, number);
    need(fclose(out) == 0, "cannot write");
    return 0;
}
