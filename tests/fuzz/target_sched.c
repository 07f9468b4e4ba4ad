/* Fuzz target: the reader of .sched files. What it accepts is printed, and the print must be read
 * as the same entries. */
#include "tests/fuzz/target.h"
#include "tuner/store/sched_file.h"
#include <stdlib.h>
#include <string.h>

static bool same(const sq_sched_entry *a, const sq_sched_entry *b)
{
    bool equal = strcmp(a->kernel, b->kernel) == 0 && a->nsizes == b->nsizes &&
                 a->openmp == b->openmp && strcmp(a->kernel_hash, b->kernel_hash) == 0 &&
                 strcmp(a->source_hash, b->source_hash) == 0;
    for (int i = 0; equal && i < a->nsizes; i++)
        equal =
            strcmp(a->size[i].name, b->size[i].name) == 0 && a->size[i].value == b->size[i].value;
    return equal;
}

static void demand_again(const sq_sched_file *f, sq_arena *arena)
{
    sq_text text = {0};
    sq_diags *d = sq_diags_new();
    sq_sched_print(f, &text);
    const char *printed = sq_text_str(&text);
    sq_sched_file *again = sq_sched_parse("printed.sched", printed, strlen(printed), arena, d);
    bool good = again && again->n == f->n && strcmp(again->machine, f->machine) == 0;
    for (int i = 0; good && i < f->n; i++)
        good = same(&f->entry[i], &again->entry[i]);
    if (!good) {
        fprintf(stderr, "printed and read again, it is something else:\n%s\n", printed);
        sq_diags_print(d, stderr, SQ_DIAG_GCC, 0);
        abort();
    }
    sq_diags_free(d);
    sq_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    char *text = sq_arena_strndup(arena, (const char *)data, n);
    sq_diags_source(d, "any.sched", text, n);
    sq_sched_file *f = sq_sched_parse("any.sched", text, n, arena, d);
    if (f)
        demand_again(f, arena);
    print_quietly(d);
    sq_diags_free(d);
    sq_arena_free(arena);
    return 0;
}
