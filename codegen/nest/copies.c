/* Copies: properties of all packs of a schedule before anything is lowered: which of them cannot be
 * made, and how many bytes their panels take. */
#include "codegen/nest/ref.h"

/* Visits the packs of a schedule. Returns the array of the first one whose copy cannot be made, and
 * why; NULL: each was passed to `each`. */
static const sq_array *for_copies(const sq_schedule *s, sq_arena *arena, const char **why,
                                  void (*each)(void *user, int group, const sq_buffer *b),
                                  void *user)
{
    for (int i = 0; i < s->ngroups; i++) {
        const sq_group *g = s->group[i];
        int nrefs;
        if (g->kind != SQ_GROUP_TILED || g->npacks == 0)
            continue;
        sq_ref **ref = sq_refs_new(g, sq_code_pool_new(arena), &nrefs),
               **served = SQ_NEW_ARRAY(arena, sq_ref *, nrefs);
        for (int p = 0; p < g->npacks; p++) {
            int n = sq_refs_served(&g->pack[p], ref, nrefs, served);
            const sq_buffer *b = sq_buffer_new(g, &g->pack[p], served, n, arena, why);
            if (!b)
                return g->pack[p].array;
            each(user, i, b);
        }
    }
    return NULL;
}

static void pass(void *user, int group, const sq_buffer *b)
{
    (void)user, (void)group, (void)b;
}

const sq_array *sq_copies_refused(const sq_schedule *s, sq_arena *arena, const char **why)
{
    return for_copies(s, arena, why, pass, NULL);
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
    for_copies(s, arena, &why, count, &c);
    *most = c.most;
    return c.bytes;
}
