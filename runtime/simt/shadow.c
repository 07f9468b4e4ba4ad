/* Shadow: the last accesses to each byte. A cell has the last write and up to two reads that no
 * later one replaces; an access is a race unless those are ordered before it.
 *
 * These accesses are ordered: those of one thread; of one block, if there is a barrier of the block
 * in between; of one warp, if there is a __syncwarp of both in between; of two blocks only through a
 * fence and an atomic. Launches are ordered. A cell covers what the narrowest access to its kilobyte
 * covers, from one to sixteen bytes. */
#include "runtime/simt/simt.h"
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024 };

struct cell {
    simt_stamp write, read[2];
};

struct simt_chunk {
    int shift; /* log2 of the bytes of a cell */
    struct cell cell[];
};

static struct simt_chunk *new_chunk(int shift)
{
    size_t n = (size_t)CHUNK >> shift;
    struct simt_chunk *c = calloc(1, sizeof *c + n * sizeof(struct cell));
    if (!c)
        abort();
    c->shift = shift;
    return c;
}

/* Returns the chunk of a byte, split for accesses of 1 << shift. */
static struct simt_chunk *chunk_at(simt_region *r, size_t offset, int shift)
{
    if (!r->chunk)
        r->chunk = calloc(r->size / CHUNK + 2, sizeof(struct simt_chunk *));
    if (!r->chunk)
        abort();
    struct simt_chunk **c = &r->chunk[offset / CHUNK], *fine;
    if (*c && (*c)->shift <= shift)
        return *c;
    fine = new_chunk(shift);
    for (size_t i = 0; *c && i < (size_t)CHUNK >> shift; i++)
        fine->cell[i] = (*c)->cell[i >> ((*c)->shift - shift)];
    free(*c);
    return *c = fine;
}

void simt_shadow_free(simt_region *r)
{
    for (size_t i = 0; r->chunk && i < r->size / CHUNK + 2; i++)
        free(r->chunk[i]);
    free(r->chunk);
    r->chunk = NULL;
}

/* ---- order between blocks ---- */

struct release {
    const void *at;
    uint32_t block, epoch;
    uint16_t thread;
};
struct acquire {
    uint32_t from, from_epoch; /* accesses of that block, before that epoch or by that thread */
    uint32_t epoch;            /* our epoch when it was acquired, by our `thread` */
    uint16_t from_thread, thread;
};
static struct release *releases;
static struct acquire *acquires;
static size_t nreleases, nacquires, release_room, acquire_room;
static uint32_t acquires_of; /* the block that has acquired these */

void simt_sync_reset(void)
{
    nreleases = nacquires = 0;
}

static void *grown(void *p, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return p;
    *room = *room ? 2 * *room : 64;
    p = realloc(p, *room * size);
    if (!p)
        abort();
    return p;
}

/* Release: a thread that has fenced, in this interval between barriers or the previous one, does an
 * atomic: readers of it see all that came before. */
void simt_sync_release(const void *at)
{
    simt_thread *t = simt_now.self;
    if (t->fenced == 0 || simt_now.epoch + 1 > t->fenced + 1)
        return;
    releases = grown(releases, nreleases, &release_room, sizeof *releases);
    releases[nreleases++] =
        (struct release){at, simt_now.block, simt_now.epoch, (uint16_t)t->linear};
}

void simt_sync_acquire(const void *at)
{
    if (acquires_of != simt_now.block)
        nacquires = 0;
    acquires_of = simt_now.block;
    for (size_t i = 0; i < nreleases; i++) {
        struct release *r = &releases[i];
        if (r->at != at || r->block == simt_now.block)
            continue;
        acquires = grown(acquires, nacquires, &acquire_room, sizeof *acquires);
        acquires[nacquires++] = (struct acquire){.from = r->block,
                                                 .from_epoch = r->epoch,
                                                 .from_thread = r->thread,
                                                 .epoch = simt_now.epoch,
                                                 .thread = (uint16_t)simt_now.self->linear};
    }
}

static bool is_acquired(const simt_stamp *s)
{
    if (acquires_of != simt_now.block)
        return false;
    for (size_t i = 0; i < nacquires; i++) {
        const struct acquire *a = &acquires[i];
        bool reaches_us = a->thread == simt_now.self->linear || a->epoch < simt_now.epoch;
        bool covers = s->epoch < a->from_epoch || s->thread == a->from_thread;
        if (a->from == s->block && reaches_us && covers)
            return true;
    }
    return false;
}

/* ---- races ---- */

/* True if it happened before the current access of the running thread. */
static bool is_before(const simt_stamp *s)
{
    const simt_thread *t = simt_now.self;
    if (!(s->flags & SIMT_SET) || s->block < simt_now.first_block)
        return true;
    if (s->block != simt_now.block)
        return is_acquired(s);
    if (s->thread == t->linear || s->epoch < simt_now.epoch)
        return true;
    return s->thread / SIMT_LANES == t->warp && t->clock[s->thread % SIMT_LANES] >= s->clock;
}

static const char *verb_of(int flags)
{
    if (flags & SIMT_ATOMIC)
        return "atomic access";
    if (flags & SIMT_ASYNC)
        return flags & SIMT_WRITE ? "asynchronous copy" : "read by an asynchronous copy";
    return flags & SIMT_WRITE ? "write" : "read";
}

static const char *why_unordered(const simt_stamp *s)
{
    if (s->block != simt_now.block)
        return "blocks of one launch run in any order";
    if (s->thread / SIMT_LANES == simt_now.self->warp)
        return "no __syncwarp and no barrier lies between";
    return "no barrier lies between";
}

static void complain(simt_finding_kind kind, const simt_region *r, const void *p,
                     const simt_stamp *s, int flags, uintptr_t pc)
{
    char who[96], name[96];
    simt_where at = simt_at_pc(pc), other = simt_at_pc(simt_image_base + s->pc);
    if (!simt_found(kind, &at, &other))
        return;
    simt_name_of(r, p, name, sizeof name);
    simt_thread_name(simt_now.self->linear, simt_now.block, who, sizeof who);
    if (kind == SIMT_TOO_EARLY) {
        simt_found_text("%s of %s by %s, while an asynchronous copy to it is under way",
                        verb_of(flags), name, who);
        simt_found_note("copy started by %s, which has not waited for it",
                        simt_thread_name(s->thread, s->block, who, sizeof who));
        return;
    }
    simt_found_text("%s of %s by %s", verb_of(flags), name, who);
    simt_found_note("%s by %s: %s", verb_of(s->flags),
                    simt_thread_name(s->thread, s->block, who, sizeof who), why_unordered(s));
}

static void complain_unwritten(const simt_region *r, const void *p, uintptr_t pc)
{
    char who[96], name[96];
    simt_where at = simt_at_pc(pc);
    if (!simt_found(SIMT_UNWRITTEN, &at, NULL))
        return;
    simt_name_of(r, p, name, sizeof name);
    simt_found_text("read of %s by %s: %s", name,
                    simt_thread_name(simt_now.self->linear, simt_now.block, who, sizeof who),
                    r->space == SIMT_SPACE_SHARED ? "no thread of the block has written it"
                                                  : "nothing has written it");
}

/* Shared memory is private to each block: accesses of another block do not matter. */
static bool is_conflict(const simt_region *r, const simt_stamp *s, int flags)
{
    if (r->space == SIMT_SPACE_SHARED && s->block != simt_now.block)
        return false;
    return !is_before(s) && !(s->flags & flags & SIMT_ATOMIC);
}

static bool is_written(const simt_region *r, const simt_stamp *write)
{
    if (r->space == SIMT_SPACE_SHARED)
        return write->flags & SIMT_SET && write->block == simt_now.block;
    return r->space == SIMT_SPACE_IMAGE || r->is_managed || write->flags & SIMT_SET;
}

/* Records the read, and keeps older ones that are not ordered before it: at most two, from
 * different blocks or warps if possible, so that any later write conflicts with one if it conflicts
 * at all. */
static void note_read(struct cell *c, const simt_stamp *now)
{
    simt_stamp *a = &c->read[0], *b = &c->read[1];
    if (is_before(a)) {
        *a = *now;
        if (is_before(b))
            b->flags = 0;
        return;
    }
    bool same_warp = a->block == b->block && a->thread / SIMT_LANES == b->thread / SIMT_LANES;
    if (is_before(b) || same_warp)
        *b = *now;
}

static void touch(simt_region *r, struct cell *c, const char *p, const simt_stamp *now,
                  uintptr_t pc)
{
    int flags = now->flags;
    if (c->write.flags & SIMT_PENDING && c->write.block == simt_now.block) {
        complain(SIMT_TOO_EARLY, r, p, &c->write, flags, pc);
    } else if (is_conflict(r, &c->write, flags)) {
        complain(SIMT_RACE, r, p, &c->write, flags, pc);
    } else if (!is_written(r, &c->write) && (!(flags & SIMT_WRITE) || flags & SIMT_ATOMIC)) {
        complain_unwritten(r, p, pc);
        c->write = *now; /* once suffices */
    }
    if (!(flags & SIMT_WRITE)) {
        note_read(c, now);
        return;
    }
    for (int i = 0; i < 2; i++) {
        if (is_conflict(r, &c->read[i], flags))
            complain(SIMT_RACE, r, p, &c->read[i], flags, pc);
        c->read[i].flags = 0;
    }
    c->write = *now;
}

static int shift_of(size_t offset, size_t n)
{
    return __builtin_ctzll(offset | n | 16);
}

void simt_shadow_access(simt_region *r, const void *p, size_t n, int flags, uintptr_t pc)
{
    size_t offset = (size_t)((const char *)p - r->at), end = offset + n;
    int shift = shift_of(offset, n);
    simt_stamp now = {.block = simt_now.block,
                      .epoch = simt_now.epoch,
                      .clock = simt_now.self->clock[simt_now.self->lane],
                      .pc = (uint32_t)(pc - simt_image_base),
                      .thread = (uint16_t)simt_now.self->linear,
                      .flags = (uint16_t)(flags | SIMT_SET)};
    while (offset < end) {
        struct simt_chunk *c = chunk_at(r, offset, shift);
        touch(r, &c->cell[offset % CHUNK >> c->shift], r->at + offset, &now, pc);
        offset += (size_t)1 << c->shift;
    }
}

void simt_shadow_arrive(simt_region *r, const void *p, size_t n, uint32_t pc)
{
    size_t offset = (size_t)((const char *)p - r->at), end = offset + n;
    const simt_thread *t = simt_now.self;
    while (offset < end) {
        struct simt_chunk *c = chunk_at(r, offset, shift_of(offset, n));
        simt_stamp *w = &c->cell[offset % CHUNK >> c->shift].write;
        *w = (simt_stamp){simt_now.block,      simt_now.epoch,
                          t->clock[t->lane],   pc,
                          (uint16_t)t->linear, SIMT_SET | SIMT_WRITE | SIMT_ASYNC};
        offset += (size_t)1 << c->shift;
    }
}

void simt_shadow_host(simt_region *r, const void *p, size_t n)
{
    size_t offset = (size_t)((const char *)p - r->at), end = offset + n;
    if (r->space == SIMT_SPACE_IMAGE)
        return;
    while (offset < end) {
        struct simt_chunk *c = chunk_at(r, offset, shift_of(offset, n));
        struct cell *cell = &c->cell[offset % CHUNK >> c->shift];
        memset(cell, 0, sizeof *cell);
        cell->write.flags = SIMT_SET | SIMT_WRITE;
        offset += (size_t)1 << c->shift;
    }
}
