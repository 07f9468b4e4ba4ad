/* Warps: cooperative operations of lanes. A lane passes its part and waits; the last one that
 * arrives performs the operation for all. Only __syncwarp orders memory: shuffles and votes do
 * not. */
#include "runtime/simt/simt.h"
#include <string.h>

static simt_thread *lanes_of(unsigned warp, unsigned *n)
{
    unsigned rest = simt_now.threads - warp * SIMT_LANES;
    *n = rest < SIMT_LANES ? rest : SIMT_LANES;
    return simt_threads + (size_t)warp * SIMT_LANES;
}

static bool is_same(const simt_warp_op *a, const simt_warp_op *b)
{
    return a->kind == b->kind && a->mask == b->mask && a->at.line == b->at.line &&
           (a->at.file == b->at.file || strcmp(a->at.file, b->at.file) == 0);
}

/* Performs the operation together with all lanes that wait at the same one. Returns false and does
 * nothing if a lane of the mask may still arrive. */
static bool try_op(unsigned warp, simt_warp_op *op)
{
    unsigned n, there = 0;
    simt_thread *t = lanes_of(warp, &n);
    simt_warp_op *all[SIMT_LANES] = {0};
    for (unsigned l = 0; l < n; l++) {
        if (t[l].op && is_same(t[l].op, op)) {
            all[l] = t[l].op;
            there |= 1u << l;
        } else if (op->mask >> l & 1 && t[l].state != SIMT_DONE) {
            return false;
        }
    }
    simt_count_warp(warp, there); /* before one of them runs ahead */
    op->all(all, there);
    for (unsigned l = 0; l < n; l++)
        if (all[l]) {
            t[l].op = NULL;
            if (t[l].state == SIMT_AT_WARP) {
                t[l].state = SIMT_READY;
                simt_now.waiting--;
            }
        }
    return true;
}

/* Performs the operation for the lanes that wait at one place when no lane can continue: these are
 * the active ones. */
static bool try_active(unsigned warp, simt_warp_op *op)
{
    unsigned n, there = 0;
    simt_thread *t = lanes_of(warp, &n);
    for (unsigned l = 0; l < n; l++)
        if (t[l].op && is_same(t[l].op, op))
            there |= 1u << l;
    for (unsigned l = 0; l < n; l++)
        if (there >> l & 1) {
            *(unsigned *)t[l].op->payload = there;
            t[l].op = NULL;
            t[l].state = SIMT_READY;
            simt_now.waiting--;
        }
    return there != 0;
}

bool simt_warp_settle(unsigned warp, bool is_stalled)
{
    unsigned n;
    bool progress = false;
    simt_thread *t = lanes_of(warp, &n);
    for (unsigned l = 0; simt_now.waiting && l < n; l++) {
        simt_warp_op *op = t[l].op;
        if (!op)
            continue;
        if (op->kind != SIMT_OP_ACTIVE)
            progress |= try_op(warp, op);
        else if (is_stalled)
            progress |= try_active(warp, op);
    }
    return progress;
}

/* A lane that its own mask excludes performs the operation alone. */
static void leave_out(simt_warp_op *op, const simt_thread *t)
{
    char who[96];
    simt_where at = simt_at_place(op->at);
    if (simt_found(SIMT_LANES_MISSING, &at, NULL))
        simt_found_text("%s is lane %u, which the mask 0x%08x of its own %s leaves out",
                        simt_thread_name(t->linear, simt_now.block, who, sizeof who), t->lane,
                        op->mask, op->name);
    op->mask = 1u << t->lane;
}

void simt_warp_join(simt_warp_op *op)
{
    simt_thread *t = simt_now.self;
    if (!(op->mask >> t->lane & 1))
        leave_out(op, t);
    t->op = op;
    if (op->kind != SIMT_OP_ACTIVE && try_op(t->warp, op))
        return;
    t->state = SIMT_AT_WARP;
    simt_now.waiting++;
    simt_fibre_wait();
}

/* ---- order ---- */

void simt_warp_order(unsigned warp, unsigned mask)
{
    unsigned n;
    uint32_t latest[SIMT_LANES] = {0};
    simt_thread *t = lanes_of(warp, &n);
    for (unsigned l = 0; l < n; l++)
        for (unsigned i = 0; mask >> l & 1 && i < SIMT_LANES; i++)
            if (t[l].clock[i] > latest[i])
                latest[i] = t[l].clock[i];
    for (unsigned l = 0; l < n; l++)
        if (mask >> l & 1) {
            memcpy(t[l].clock, latest, sizeof latest);
            t[l].clock[l]++;
        }
}

static void sync_all(simt_warp_op **op, unsigned mask)
{
    (void)op;
    simt_warp_order(simt_now.self->warp, mask);
}

void simt_syncwarp(unsigned mask, simt_place at)
{
    simt_warp_op op = {SIMT_OP_SYNC, mask, at, "__syncwarp", sync_all, NULL};
    simt_warp_join(&op);
}

unsigned simt_activemask(simt_place at)
{
    unsigned mask = 0;
    simt_warp_op op = {SIMT_OP_ACTIVE, 1u << simt_now.self->lane, at, "__activemask", NULL, &mask};
    op.mask = ~0u;
    simt_warp_join(&op);
    return mask;
}

/* ---- shuffles ---- */

struct shuffle {
    int how, other, width;
    size_t size;
    char value[16], result[16];
};

/* Returns the lane to read from, as the functions define; the lane itself if that is out of
 * range. */
static unsigned source_of(const struct shuffle *s, unsigned lane)
{
    int width = s->width, base = (int)lane & ~(width - 1), at = (int)lane;
    switch (s->how) {
    case SIMT_IDX:
        return (unsigned)(base + (s->other & (width - 1)));
    case SIMT_UP:
        return (unsigned)(at - s->other < base ? at : at - s->other);
    case SIMT_DOWN:
        return (unsigned)(at + s->other >= base + width ? at : at + s->other);
    default:
        at ^= s->other;
        return (unsigned)(at >= base + width ? (int)lane : at);
    }
}

static void complain_source(const simt_warp_op *op, unsigned lane, unsigned from)
{
    char who[96];
    simt_where at = simt_at_place(op->at);
    if (!simt_found(SIMT_LANES_MISSING, &at, NULL))
        return;
    simt_found_text(
        "lane %u (%s) reads lane %u, which takes no part in this shuffle (mask 0x%08x)", lane,
        simt_thread_name(simt_now.self->warp * SIMT_LANES + lane, simt_now.block, who, sizeof who),
        from, op->mask);
}

static void shuffle_all(simt_warp_op **op, unsigned mask)
{
    for (unsigned l = 0; l < SIMT_LANES; l++) {
        if (!op[l])
            continue;
        struct shuffle *s = op[l]->payload;
        unsigned from = source_of(s, l) % SIMT_LANES;
        if (mask >> from & 1)
            memcpy(s->result, ((struct shuffle *)op[from]->payload)->value, s->size);
        else
            complain_source(op[l], l, from);
    }
}

void simt_shuffle(int how, unsigned mask, void *value, size_t size, int other, int width,
                  simt_place at)
{
    struct shuffle mine = {.how = how, .other = other, .width = width, .size = size};
    simt_where where = simt_at_place(at);
    if ((width & (width - 1)) || width < 1 || width > SIMT_LANES) {
        if (simt_found(SIMT_LANES_MISSING, &where, NULL))
            simt_found_text("the width %d of a shuffle is no power of two up to 32", width);
        return;
    }
    memcpy(mine.value, value, size);
    memcpy(mine.result, value, size);
    simt_warp_op op = {SIMT_OP_SHUFFLE, mask, at, "shuffle", shuffle_all, &mine};
    simt_warp_join(&op);
    memcpy(value, mine.result, size);
}

/* ---- votes ---- */

struct vote {
    int how, all;
    uint64_t value;
    unsigned result;
};

static void vote_all(simt_warp_op **op, unsigned mask)
{
    for (unsigned l = 0; l < SIMT_LANES; l++) {
        if (!op[l])
            continue;
        struct vote *v = op[l]->payload;
        v->result = 0;
        for (unsigned i = 0; i < SIMT_LANES; i++) {
            if (!op[i])
                continue;
            uint64_t other = ((struct vote *)op[i]->payload)->value;
            bool is_one = v->how == SIMT_BALLOT ? other != 0 : other == v->value;
            v->result |= (unsigned)is_one << i;
        }
        v->all = v->result == mask;
        if (v->how == SIMT_MATCH_ALL && !v->all)
            v->result = 0;
    }
}

unsigned simt_vote(int how, unsigned mask, uint64_t value, int *all, simt_place at)
{
    struct vote mine = {.how = how, .value = value};
    simt_warp_op op = {SIMT_OP_VOTE, mask, at, "vote", vote_all, &mine};
    simt_warp_join(&op);
    if (all)
        *all = mine.all;
    return mine.result;
}

/* ---- reductions ---- */

struct reduce {
    int how;
    unsigned value;
};

static unsigned reduce_two(int how, unsigned a, unsigned b)
{
    switch (how) {
    case SIMT_REDUCE_ADD:
        return a + b;
    case SIMT_REDUCE_MIN:
        return (int)a < (int)b ? a : b;
    case SIMT_REDUCE_MAX:
        return (int)a > (int)b ? a : b;
    case SIMT_REDUCE_MIN_U:
        return a < b ? a : b;
    case SIMT_REDUCE_MAX_U:
        return a > b ? a : b;
    case SIMT_REDUCE_AND:
        return a & b;
    case SIMT_REDUCE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static void reduce_all(simt_warp_op **op, unsigned mask)
{
    unsigned first = (unsigned)__builtin_ctz(mask);
    const struct reduce *one = op[first]->payload;
    unsigned sum = one->value;
    for (unsigned l = first + 1; l < SIMT_LANES; l++)
        if (op[l])
            sum = reduce_two(one->how, sum, ((struct reduce *)op[l]->payload)->value);
    for (unsigned l = 0; l < SIMT_LANES; l++)
        if (op[l])
            ((struct reduce *)op[l]->payload)->value = sum;
}

unsigned simt_reduce(int how, unsigned mask, unsigned value, simt_place at)
{
    struct reduce mine = {how, value};
    simt_warp_op op = {SIMT_OP_REDUCE, mask, at, "reduction", reduce_all, &mine};
    simt_warp_join(&op);
    return mine.value;
}
