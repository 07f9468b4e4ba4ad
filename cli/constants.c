/* Constants: see constants.h. */
#include "cli/constants.h"
#include <inttypes.h>
#include <string.h>

enum { MOST_TRIED = 5 };

/* True if the kernel with these constants has the hash. */
static bool is_with(sq_task *task, const char *kernel, const sq_fix *fix, int n, const char *hash)
{
    sq_unit *u = sq_sets_parse_fixed(task, fix, n);
    bool is = false;
    for (int i = 0; u && i < u->nkernels && !is; i++)
        is = strcmp(u->kernel[i]->name, kernel) == 0 &&
             strcmp(sq_kernel_hash(u->kernel[i]).hex, hash) == 0;
    sq_unit_free(u);
    return is;
}

const char *sq_constants_of(sq_task *task, const char *kernel, const char *text, const char *hash)
{
    sq_sizes sizes = {0};
    sq_diags *unread = sq_diags_new();
    bool read = *text && sq_sizes_parse(text, &sizes, task->arena, SQ_NOWHERE, unread) == 0;
    sq_diags_free(unread);
    unsigned all = !read || sizes.n > SQ_MAX_SIZES ? 0 : sizes.n > MOST_TRIED ? 1 : 1u << sizes.n;
    for (unsigned without = 0; without < all; without++) {
        sq_fix fix[SQ_MAX_SIZES];
        const char *with = "";
        int n = 0;
        for (int i = 0; i < sizes.n; i++)
            if (!(without >> i & 1)) {
                with = sq_arena_printf(task->arena, "%s%s%s=%" PRId64, with, n ? "," : "",
                                       sizes.fix[i].name, sizes.fix[i].value);
                fix[n++] = sizes.fix[i];
            }
        if (is_with(task, kernel, fix, n, hash))
            return with;
    }
    return NULL;
}
