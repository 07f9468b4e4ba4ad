/* Scop exist: what there is behind a pointer. C says nothing of how much, so what a region's
 * statements touch exists, and what lies between that in memory; nothing else does. With
 * `b != 0 ? b * x[i] : 0` x may be a null pointer: such a read is made where C makes it, unless
 * something touches its element anyway. A copy takes rows of boxes: it is made only of arrays whose
 * boxes do not reach past the last element, or before the first. */
#include "frontend/scop_build.h"
#include "ir/kernel/quota.h"
#include "ir/kernel/touch.h"
#include <isl/map.h>

enum { MOST_OPERATIONS = 4000000 };

/* True if elements of `all` may exceed those of `end` in some dimension, upwards or downwards. */
static bool is_exceeded(isl_set *end /* __isl_take */, isl_set *all /* __isl_keep */, bool upwards)
{
    int n = (int)isl_set_dim(all, isl_dim_set);
    isl_map *pairs = isl_map_from_domain_and_range(end, isl_set_copy(all));
    bool exceeded = false;
    for (int d = 0; d < n && !exceeded; d++) {
        isl_map *beyond = isl_map_copy(pairs);
        beyond = upwards ? isl_map_order_lt(beyond, isl_dim_in, d, isl_dim_out, d)
                         : isl_map_order_gt(beyond, isl_dim_in, d, isl_dim_out, d);
        exceeded = isl_map_is_empty(beyond) != isl_bool_true;
        isl_map_free(beyond);
    }
    isl_map_free(pairs);
    return exceeded;
}

static bool is_ragged(isl_set *sure /* __isl_keep */)
{
    return isl_set_dim(sure, isl_dim_set) > 1 &&
           (is_exceeded(isl_set_lexmax(isl_set_copy(sure)), sure, true) ||
            is_exceeded(isl_set_lexmin(isl_set_copy(sure)), sure, false));
}

/* True if the array has elements whenever the statement runs: then a read that its condition excludes can be one of an
 * element that exists. Where a size is the condition, as `flag` or that there is a pointer, it has none. */
static bool has_some(const sq_kernel *k, const sq_stmt *s, bool in_body, isl_set *sure /* __isl_keep */)
{
    isl_set *runs = isl_set_params(isl_set_copy(in_body ? s->updates : s->domain));
    isl_set *has = isl_set_params(isl_set_copy(sure));
    runs = isl_set_intersect_params(runs, isl_set_copy(k->context));
    bool some = isl_set_is_subset(runs, has) == isl_bool_true;
    isl_set_free(runs);
    isl_set_free(has);
    return some;
}

/* Takes the guard off reads of elements that exist; true if some keep it. */
static bool settle_guards(sq_builder *b, const sq_array *a, isl_set *sure /* __isl_keep */)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS], any = false;
    for (int i = 0; i < b->k->nstmts; i++) {
        int n = sq_stmt_all_reads(b->k->stmt[i], read, in_body);
        for (int r = 0; r < n; r++) {
            if (read[r]->array != a || !read[r]->is_guarded)
                continue;
            isl_map *rel = sq_touch_rel(b->k, b->k->stmt[i], read[r], in_body[r]);
            isl_set *here = isl_map_range(rel);
            read[r]->is_guarded = isl_set_is_subset(here, sure) != isl_bool_true ||
                                  !has_some(b->k, b->k->stmt[i], in_body[r], sure);
            any |= read[r]->is_guarded;
            isl_set_free(here);
        }
    }
    return any;
}

static void settle(sq_builder *b, sq_array *a)
{
    const char *why;
    sq_quota q = sq_quota_begin(b->k->ctx, sq_quota_share(b->k, MOST_OPERATIONS));
    isl_set *sure = sq_touch_sure(b->k, a);
    bool guarded = settle_guards(b, a, sure);
    a->is_ragged = guarded || is_ragged(sure);
    isl_set_free(sure);
    if (sq_quota_end(q, &why))
        a->is_ragged = true;
}

void sq_scop_exist(sq_builder *b)
{
    sq_scop_sides(b);
    for (sq_symbol *s = b->symbols; s; s = s->next) {
        if (s->kind != SQ_SYM_ARRAY)
            continue;
        s->array->is_open = s->open;
        if (s->open)
            settle(b, s->array);
    }
}
