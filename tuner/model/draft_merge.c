/* Draft, merge: dimensions of one value vanish, and those that lie side by side in all arrays become
 * one where a loop that matters gets longer by it: that of a sum, of lanes, or of the rows of a
 * product. Others, such as those of a batch, are loops around everything else either way. */
#include "transforms/merge.h"
#include "transforms/transform.h"
#include "tuner/model/draft.h"
#include <isl/aff.h>

/* True if the array's last subscript is the dimension. */
static bool is_along(const sq_access *a, int d)
{
    bool along = a->array->ndim > 0;
    if (along) {
        isl_aff *last = isl_multi_aff_get_aff(a->map, a->array->ndim - 1);
        along = isl_aff_involves_dims(last, isl_dim_in, (unsigned)d, 1) == isl_bool_true;
        isl_aff_free(last);
    }
    return along;
}

/* True if the loop over the merged dimension that begins at p is worth having: a sum's, one along
 * which elements that are written, or added up, are neighbours, or one that an operand of a sum
 * does not move with. Where elements only move to another order, rows stay as they are. */
static bool pays(const sq_merge_stmt *s, int p)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s->of, read, in_body), end = p;
    while (s->next[end] >= 0)
        end = s->next[end];
    bool worth = p >= s->of->nfree || is_along(s->of->write, end);
    for (int r = 0; r < n && !worth; r++)
        worth = in_body[r] && (is_along(read[r], end) || !sq_access_moves(read[r], p));
    return worth;
}

/* ", y, x": the dimensions that begin at p; "" if p does not begin any. */
static const char *chain(const sq_merge_stmt *s, int p, sq_arena *a)
{
    const char *names = "";
    for (int d = 0; d < s->of->ndim; d++)
        if (s->next[d] == p)
            return "";
    for (int d = p; d >= 0 && s->next[p] >= 0; d = s->next[d])
        names = sq_arena_printf(a, "%s, %s", names, s->of->dim[d]);
    return *names && pays(s, p) ? names : "";
}

/* ", r, s": the dimensions of one value. */
static const char *single(const sq_merge_stmt *s, sq_arena *a)
{
    const char *names = "";
    for (int d = 0; d < s->of->ndim; d++)
        if (s->gone[d])
            names = sq_arena_printf(a, "%s, %s", names, s->of->dim[d]);
    return names;
}

/* Merges them in every statement that has them, or in this one and those that share its arrays. A
 * call before may have done it. */
static void merge(sq_schedule *s, const sq_merge_stmt *in, const char *names, sq_arena *a,
                  sq_text *script)
{
    if (!*names)
        return;
    const char *call = sq_arena_printf(a, "merge(%s) ", names + 2);
    if (!sq_script_try(s, call, a)) {
        call = sq_arena_printf(a, "merge(%s%s) ", in->of->name, names);
        if (!sq_script_try(s, call, a))
            return;
    }
    sq_text_puts(script, call);
}

void sq_draft_merge(sq_schedule *s, sq_arena *a, sq_text *script)
{
    const sq_kernel *k = s->kernel;
    if (!k->deps)
        return;
    sq_merge *m = sq_merge_new(k);
    sq_merge_all(m);
    for (int i = 0; i < k->nstmts; i++)
        merge(s, &m->stmt[i], single(&m->stmt[i], a), a, script);
    for (int i = 0; i < k->nstmts; i++)
        for (int d = 0; d < k->stmt[i]->ndim; d++)
            merge(s, &m->stmt[i], chain(&m->stmt[i], d, a), a, script);
}
