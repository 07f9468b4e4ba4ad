/* Draft, narrow: sums of a few small integers, windows of bytes and the like, are computed in integers of which a
 * vector has more (transforms/narrow_sum.h): twice as many lanes for the same instructions. */
#include "transforms/narrow_sum.h"
#include "transforms/transform.h"
#include "tuner/model/draft.h"

/* Returns the size of the widest value that the statement computes. */
static int bytes_of(const sq_kernel *k, const sq_stmt *s, sq_arena *a)
{
    return sq_group_bytes(sq_group_new(k, s, a));
}

/* Returns a call that gives the statement more lanes; NULL: there is none. */
static const char *call_for(const sq_schedule *s, const sq_stmt *of, sq_arena *a)
{
    sq_narrow_sum x;
    if (of->ndim > SQ_MAX_DIMS || sq_narrow_sum_find(s->kernel, of, &x))
        return NULL;
    const char *call = sq_arena_printf(a, "narrow(%s) ", of->name);
    sq_schedule *trial = sq_schedule_copy(s, a);
    if (!sq_script_try(trial, call, a))
        return NULL;
    const sq_stmt *narrow = sq_kernel_stmt(trial->kernel, of->name);
    return bytes_of(trial->kernel, narrow, a) < bytes_of(s->kernel, of, a) ? call : NULL;
}

void sq_draft_narrow(sq_schedule *s, sq_arena *a, sq_text *script)
{
    for (int i = 0; s->kernel->deps && i < s->kernel->nstmts; i++) {
        const char *call = call_for(s, s->kernel->stmt[i], a);
        if (call && sq_script_try(s, call, a))
            sq_text_puts(script, call);
    }
}
