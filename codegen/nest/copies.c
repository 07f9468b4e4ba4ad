/* Copies: properties of all packs of a schedule before anything is lowered: which of them cannot be
 * made, and how many bytes their panels take. */
#include "codegen/nest/ref.h"
#include "ir/schedule/tree.h"

typedef struct visit {
    sq_arena *arena;
    const char **why;
    void (*each)(void *user, int group, const sq_buffer *b);
    void *user;
} visit;

/* Visits the packs of a group. Returns the array of the first one whose copy cannot be made, and why; NULL: all were
 * visited. */
static const sq_array *visit_group(const visit *v, const sq_group *g, int index)
{
    int nrefs;
    if (g->npacks == 0)
        return NULL;
    sq_ref **ref = sq_refs_new(g, sq_code_pool_new(v->arena), &nrefs),
           **served = SQ_NEW_ARRAY(v->arena, sq_ref *, nrefs);
    for (int p = 0; p < g->npacks; p++) {
        int n = sq_refs_served(&g->pack[p], ref, nrefs, served);
        const sq_buffer *b = sq_buffer_new(g, &g->pack[p], served, n, v->arena, v->why);
        if (!b)
            return g->pack[p].array;
        v->each(v->user, index, b);
    }
    return NULL;
}

/* Does the same for all packs of a schedule. */
static const sq_array *for_copies(const sq_schedule *s, const visit *v)
{
    const sq_array *refused = NULL;
    for (int i = 0; i < s->ngroups && !refused; i++) {
        const sq_group *g = s->group[i];
        if (g->kind == SQ_GROUP_TILED)
            refused = visit_group(v, g, i);
        for (int j = 0; g->kind == SQ_GROUP_TREE && j < g->nstmts && !refused; j++) {
            const sq_tree_nest *n = sq_tree_nest_of(g->plan->tree, j);
            refused = n ? visit_group(v, n->schedule->group[0], i) : NULL;
        }
    }
    return refused;
}

static void pass(void *user, int group, const sq_buffer *b)
{
    (void)user, (void)group, (void)b;
}

const sq_array *sq_copies_refused(const sq_schedule *s, sq_arena *arena, const char **why)
{
    return for_copies(s, &(visit){arena, why, pass, NULL});
}

/* Fusions run in sequence, and share memory for their panels. */
typedef struct counted {
    const sq_schedule *schedule;
    int fusion;                   /* first group of the fusion */
    int64_t here, bytes, largest; /* of the fusion, of the largest fusion, of the largest panel */
    const sq_array *most;
} counted;

static void count(void *user, int group, const sq_buffer *b)
{
    counted *c = user;
    if (b->array->is_packed)
        return; /* the caller has the memory */
    int fusion = sq_fusion_head(c->schedule, group);
    int64_t bytes = (b->elements * sq_type_bytes(b->type) + 63) / 64 * 64;
    c->here = fusion == c->fusion ? c->here + bytes : bytes;
    c->fusion = fusion;
    c->bytes = c->here > c->bytes ? c->here : c->bytes;
    if (bytes > c->largest) {
        c->largest = bytes;
        c->most = b->array;
    }
}

int64_t sq_copies_bytes(const sq_schedule *s, sq_arena *arena, const sq_array **most)
{
    const char *why;
    counted c = {.schedule = s, .fusion = -1};
    for_copies(s, &(visit){arena, &why, count, &c});
    *most = c.most;
    return c.bytes;
}
