/* Fusion: the nests of groups that share loops, one after the other inside of those; a group alone is
 * a fusion without a frame. The points at which a group's reads leave their arrays become a nest after it, and
 * so do those for which its reduction is empty. */
#include "codegen/nest/border.h"
#include "codegen/nest/empty.h"
#include "codegen/nest/lower.h"
#include "ir/kernel/touch.h"
#include <isl/set.h>

typedef struct lowered {
    const sq_schedule *s;
    const sq_frame *frame;   /* or NULL */
    const sq_target *target; /* or NULL */
    sq_fusion *fusion;
    sq_code_pool *code;
    sq_diags *d;
} lowered;

/* True if the statement has no instance at any sizes: fixed ones may be 0. */
static bool never_runs(const sq_kernel *k, isl_set *domain)
{
    isl_set *some = isl_set_intersect_params(isl_set_copy(domain), isl_set_copy(k->context));
    bool none = isl_set_is_empty(some) == isl_bool_true;
    isl_set_free(some);
    return none;
}

static int add(lowered *l, const sq_schedule *s, int group)
{
    const sq_stmt *st = s->group[group]->stmt[0];
    if (never_runs(s->kernel, st->updates ? st->updates : st->domain))
        return 0;
    sq_nest *n = sq_lower(s, group, l->frame, l->target, l->code, l->d);
    if (!n)
        return -1;
    l->fusion->nest[l->fusion->nnests++] = n;
    return 0;
}

/* Adds what is inside and what is at the border as two nests. */
static int add_both(lowered *l, int group, const sq_border *b)
{
    sq_schedule *part = sq_schedule_copy(l->s, l->code->arena);
    part->group[group] = b->inside;
    int rc = add(l, part, group);
    part->group[group] = b->border;
    return rc ? rc : add(l, part, group);
}

static int add_points(lowered *l, int group)
{
    sq_border b;
    if (l->frame || !sq_border_split(l->s, l->s->group[group], l->target, l->code->arena, &b))
        return add(l, l->s, group);
    return add_both(l, group, &b);
}

static int add_group(lowered *l, int group)
{
    const sq_group *g = l->s->group[group];
    const int before = l->fusion->nnests;
    if (add_points(l, group) < 0)
        return -1;
    if (l->fusion->nnests == before + 1 && l->fusion->nest[before]->takes_empty)
        return 0;
    isl_set *none = g->stmt[0]->updates ? sq_stmt_unreduced(l->s->kernel, g->stmt[0]) : NULL;
    if (!none)
        return 0;
    sq_schedule *rest = sq_schedule_copy(l->s, l->code->arena);
    int shared = l->frame ? l->frame->nest->group->nloops : 0;
    rest->group[group] = sq_empty_group(l->s, g, shared, none, l->code->arena);
    int rc = add(l, rest, group);
    isl_set_free(rest->group[group]->stmt[0]->domain);
    return rc;
}

/* At fixed sizes all of its loops may be empty: there is no nest then. */
sq_fusion *sq_lower_fusion(const sq_schedule *s, int head, const sq_target *t, sq_code_pool *code,
                           sq_diags *d)
{
    int n = sq_fusion_length(s, head), rc = 0;
    sq_frame frame = {0};
    lowered l = {.s = s, .target = t, .code = code, .d = d};
    l.fusion = SQ_NEW(code->arena, sq_fusion);
    l.fusion->nest = SQ_NEW_ARRAY(code->arena, sq_nest *, 3 * n);
    if (n > 1) {
        frame.domain = sq_fusion_domain(s, head);
        if (isl_set_is_empty(frame.domain) == isl_bool_true)
            n = 0;
        else
            rc = sq_lower_frame(s, head, l.fusion, &frame, code, d);
        if (!t || !t->grid)
            frame.window = sq_windows_of(s, head, code->arena, &frame.nwindows);
        l.frame = &frame;
        l.fusion->frame = frame.nest;
    }
    for (int i = 0; i < n && rc == 0; i++)
        rc = add_group(&l, head + i);
    isl_set_free(frame.domain);
    isl_set_free(frame.inside);
    return rc ? NULL : l.fusion;
}
