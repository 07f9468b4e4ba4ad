/* Widen, joint: bodies that read everything before they store, all of whose stores are interleaved and alike, as a
 * butterfly of complex numbers. A row of all of them is computed before it is stored, from memory as it lies; scalars
 * on the way are what they were set to. See widen_alike.h. */
#include "codegen/passes/widen_alike.h"

/* True if no element is read or stored to by a statement behind the one that stores to it. */
static bool reads_first(const sq_widen *w)
{
    for (int i = 0; i < w->naccesses; i++)
        for (const sq_widen_store *s = w->store; s < w->store + w->access[i].stmt; s++) {
            const sq_widen_access *a = &w->access[i];
            bool meets = s->kind == SQ_WIDEN_ELEMENTS && a->place->buffer == s->x->buffer;
            if (meets && sq_widen_may_meet(w, a->place, s->place))
                return false;
        }
    return true;
}

/* Returns the stores of a row; 0: not all of them are in groups of as many. */
static int stores_of(const sq_widen *w)
{
    int n = 0;
    for (const sq_widen_store *s = w->store; s < w->store + w->nstores; s++) {
        if (s->kind == SQ_WIDEN_VALUE)
            continue;
        if (s->kind != SQ_WIDEN_ELEMENTS || !s->group || (n && s->group->n != n))
            return 0;
        n = s->group->n;
    }
    return n;
}

static bool is_last(const sq_widen_store *s)
{
    return s->group && s->group->last == s;
}

static bool is_joint(sq_widen *w)
{
    int n = stores_of(w);
    sq_alike a = {.w = w, .n = n, .is_dry = true};
    if (n == 0 || !sq_alike_has_rows(w, n) || !reads_first(w))
        return false;
    w->is_joint = true;
    int ngroups = 0;
    for (const sq_widen_store *s = w->store; s < w->store + w->nstores && w->is_joint; s++) {
        w->is_joint = !is_last(s) || sq_alike_group(&a, s->group);
        ngroups += is_last(s);
    }
    w->is_joint &= sq_alike_pays(&a, ngroups);
    return w->is_joint;
}

/* Returns the iterations of a step: those of a row, if it needs no more and begins and ends with whole ones. */
static int iterations(const sq_widen *w)
{
    bool fine = !w->has_repeats && w->lanes % stores_of(w) == 0;
    for (const sq_widen_store *s = w->store; s < w->store + w->nstores && fine; s++)
        fine = s->kind != SQ_WIDEN_VALUE || s->is_own;
    return fine ? w->lanes / stores_of(w) : w->lanes;
}

void sq_widen_find_alike(sq_widen *w)
{
    const bool all = is_joint(w);
    for (sq_widen_store *s = w->store; s < w->store + w->nstores; s++)
        if (is_last(s))
            s->group->is_alike = all || sq_widen_is_alike(w, s->group);
    w->each = all ? iterations(w) : w->lanes;
}

/* Returns the store of a vector of a group's elements, the k-th of an iteration. */
sq_code *sq_widen_member(const sq_widen *w, const sq_widen_group *g, int k, const sq_code_expr *v)
{
    int first = k * w->lanes;
    const sq_widen_store *at = g->member[first % g->n];
    sq_code *x = sq_code_store(w->pool, at->x->buffer, sq_widen_subscripts(w, at->place, first / g->n), v);
    x->lane_step = sq_code_number(w->pool, 1);
    x->stmt = g->last->x->stmt;
    return x;
}

/* Appends the vectors number k of all groups, and their stores. */
static bool append_row(sq_widen *w, int k, sq_code_list *to)
{
    const sq_code_expr *v[SQ_WIDEN_STORES];
    sq_alike a = {.w = w, .k = k};
    for (int i = 0; i < w->nstores; i++) {
        const sq_widen_group *g = is_last(&w->store[i]) ? w->store[i].group : NULL;
        if (!g)
            continue;
        a.n = g->n;
        v[i] = sq_alike_group(&a, g);
        v[i] = v[i] ? sq_widen_named(w, v[i], v[i]) : NULL;
        /* What has no name would be read behind the first store. */
        if (!v[i] || v[i]->op != SQ_CODE_LOAD)
            return false;
    }
    for (int i = 0; i < w->nstores; i++)
        if (is_last(&w->store[i]))
            sq_code_append(to, sq_widen_member(w, w->store[i].group, k, v[i]));
    sq_widen_forget(w, NULL);
    return true;
}

bool sq_widen_append_rows(sq_widen *w, sq_code_list *to)
{
    int rows = stores_of(w) * w->each / w->lanes;
    bool fine = true;
    for (int k = 0; k < rows && fine; k++)
        fine = append_row(w, k, to);
    return fine;
}
