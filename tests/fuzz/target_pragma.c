/* Fuzz target: the reader of `#pragma squall` lines over any bytes, for a kernel with two sizes. */
#include "frontend/build.h"
#include "tests/fuzz/target.h"
#include <limits.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    char *text = sq_arena_strndup(arena, (const char *)data, n);
    sq_reader r = {.arena = arena, .d = d, .path = "any.sq"};
    sq_pragmas pragmas = {0};
    sq_size sizes[] = {{.name = "M"}, {.name = "N", .fixed = true, .value = 64}};
    sq_size *size[] = {&sizes[0], &sizes[1]};
    sq_kernel k = {.arena = arena, .name = "any", .nsizes = 2, .size = size};
    sq_diags_source(d, r.path, text, n);
    if (sq_pragmas_read(&r, text, n, &pragmas) == 0)
        sq_pragmas_apply(&r, &pragmas, &k, 0, INT_MAX);
    print_quietly(d);
    sq_diags_free(d);
    sq_arena_free(arena);
    return 0;
}
