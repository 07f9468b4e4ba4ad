/* Draft, narrow: sums of a few small integers, windows of bytes and the like, are computed in integers of which a
 * vector has more (transforms/narrow_sum.h): twice as many lanes for the same instructions. */
#include "codegen/tile/tile.h"
#include "transforms/narrow_sum.h"
#include "transforms/transform.h"
#include "tuner/model/draft.h"

/* Returns the size of the widest value that the statement computes. */
static int bytes_of(const sq_kernel *k, const sq_stmt *s, sq_arena *a)
{
    return sq_group_bytes(sq_group_new(k, s, a));
}

/* True if what the statement adds up is contiguous along a sum of at least this many terms, and along no dimension of
 * its result. */
static bool lies_along_sum(const sq_stmt *s, int terms)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS], sums = true, results = false;
    int n = sq_stmt_all_reads(s, read, in_body);
    for (int i = 0; i < n; i++) {
        bool sum = !in_body[i];
        for (int d = 0; d < s->ndim; d++) {
            double by[SQ_MAX_DIMS] = {0}, step;
            by[d] = 1;
            bool beside = sq_access_step(read[i], by, s->ndim, &step) && step == 1;
            results |= beside && d < s->nfree;
            sum |= beside && d >= s->nfree && sq_stmt_extent(s, d) >= terms;
        }
        sums &= sum;
    }
    return sums && !results;
}

/* True if an instruction adds more terms of the sum to a lane than it would have lanes more: four distances of bytes,
 * of half a vector at least. Lanes of results are the better ones for windows, of which each has a few terms. */
static bool has_instruction(const sq_stmt *s, const sq_target *t)
{
    return s->body && sq_tile_pair_terms(s->body, t) > 2 && lies_along_sum(s, t->vector_bytes / 2);
}

/* Returns a call that gives the statement more lanes; NULL: there is none. */
static const char *call_for(const sq_schedule *s, const sq_stmt *of, const sq_target *t, sq_arena *a)
{
    sq_narrow_sum x;
    if (of->ndim > SQ_MAX_DIMS || has_instruction(of, t) || sq_narrow_sum_find(s->kernel, of, &x))
        return NULL;
    const char *call = sq_arena_printf(a, "narrow(%s) ", of->name);
    sq_schedule *trial = sq_schedule_copy(s, a);
    if (!sq_script_try(trial, call, a))
        return NULL;
    const sq_stmt *narrow = sq_kernel_stmt(trial->kernel, of->name);
    return bytes_of(trial->kernel, narrow, a) < bytes_of(s->kernel, of, a) ? call : NULL;
}

void sq_draft_narrow(sq_schedule *s, const sq_target *t, sq_arena *a, sq_text *script)
{
    for (int i = 0; s->kernel->deps && i < s->kernel->nstmts; i++) {
        const char *call = call_for(s, s->kernel->stmt[i], t, a);
        if (call && sq_script_try(s, call, a))
            sq_text_puts(script, call);
    }
}
