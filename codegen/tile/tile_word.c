/* Tile word: words of elements that are contiguous in memory (SQ_OP_WORD), loaded at once, as are
 * adjacent lanes of words. Elements that are not memory as such, but values of another statement or
 * elements of a copy, are packed as the expression says. */
#include "codegen/tile/tile_inside.h"
#include <string.h>

/* Returns the element of a part, which may be masked; NULL: it is no element. */
static const sq_expr *element(const sq_expr *e)
{
    if (e->op == SQ_OP_BIT_AND)
        e = e->arg[0];
    bool is = e->op == SQ_OP_CAST && e->arg[0]->op == SQ_OP_READ && !e->arg[0]->access->indirect;
    return is && !sq_type_real(e->arg[0]->type) ? e->arg[0] : NULL;
}

/* Finds the references of part 0 | part 1 << bits | …, where each is adjacent to the previous one.
 * False if they are not. */
static bool parts_of(const sq_tile *t, const sq_expr *e, int parts, int *ref)
{
    for (int p = parts - 1; p >= 0; p--) {
        const sq_expr *part = e;
        if (p > 0) {
            part = e->op == SQ_OP_BIT_OR ? e->arg[1] : NULL;
            if (!part || part->op != SQ_OP_SHL || part->arg[1]->integer != p * 32 / parts)
                return false;
            part = part->arg[0];
        }
        const sq_expr *read = element(part);
        if (!read || sq_type_bytes(read->type) * parts != 4)
            return false;
        ref[p] = sq_tile_ref(t, read->access);
        e = e->arg[0];
    }
    return true;
}

/* True if b's element is `by` behind a's. */
static bool follows(const sq_ref *a, const sq_ref *b, int by)
{
    int last = a->nsubs - 1;
    bool same = a->array == b->array && a->affine && b->affine && !a->buffer && !b->buffer && last >= 0;
    for (int d = 0; d <= last && same; d++)
        same = memcmp(a->coef[d], b->coef[d], sizeof a->coef[d]) == 0 && a->symbolic[d] == b->symbolic[d] &&
               b->konst[d] == a->konst[d] + (d == last ? by : 0);
    return same;
}

static int parts_in(const sq_expr *e)
{
    return e->op == SQ_OP_BIT_OR && e->arg[0]->op == SQ_OP_BIT_OR ? 4 : 2;
}

const sq_code_expr *sq_tile_word(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    int ref[4], parts = parts_in(e);
    if (!t->target->language->extension || !parts_of(t, e, parts, ref))
        return NULL;
    const sq_ref *r = t->nest->ref[ref[0]];
    for (int i = 1; i < parts; i++)
        if (!follows(r, t->nest->ref[ref[i]], i))
            return NULL;
    const sq_code_expr *step = sq_tile_lane_step(t, r, p), *at = sq_tile_offset(t, ref[0], p);
    bool one = t->lanes == 1 || (step && sq_code_is(step, 0));
    if (sq_group_writes(t->group, r->array) || (!one && (!step || !sq_code_is(step, parts))))
        return NULL;
    const sq_code_expr *left = one ? NULL : sq_tile_left(t, p);
    const sq_code_expr *words = sq_code_load_words(t->pool, sq_tile_pointer(t, ref[0]), one ? 1 : t->lanes, at, left);
    return sq_tile_named(t, r->array->name, one ? sq_tile_splat(t, words) : words);
}
