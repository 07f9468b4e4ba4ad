/* Counts of a warp: the accesses that its lanes log separately are combined into the instructions
 * they came from, whose conflicts and sectors are counted. If lanes diverge, the one furthest back
 * runs first, as in hardware, so that they reconverge; at a fragment all of them have. */
#include "runtime/simt/simt.h"
#include <stdlib.h>
#include <string.h>

enum { BANKS = 32, SECTOR = 32, WORD = 4, MAX_TOUCHED = SIMT_LANES * 16 / WORD };

simt_work simt_worked;
static simt_count *table;
static size_t room, used;

static size_t slot_of(uint32_t pc, uint8_t flags, uint16_t size)
{
    size_t at = (pc * 2654435761u ^ flags * 97u ^ size) & (room - 1);
    while (table[at].accesses &&
           (table[at].pc != pc || table[at].flags != flags || table[at].size != size))
        at = (at + 1) & (room - 1);
    return at;
}

static void grow(void)
{
    simt_count *old = table;
    size_t n = room;
    room = room ? 2 * room : 256;
    table = calloc(room, sizeof *table);
    if (!table)
        abort();
    for (size_t i = 0; i < n; i++)
        if (old[i].accesses)
            table[slot_of(old[i].pc, old[i].flags, old[i].size)] = old[i];
    free(old);
}

static simt_count *count_of(const simt_entry *e)
{
    if (2 * (used + 1) > room)
        grow();
    simt_count *c = &table[slot_of(e->pc, e->flags, e->size)];
    if (c->accesses == 0) {
        used++;
        c->pc = e->pc;
        c->flags = e->flags;
        c->size = e->size;
    }
    return c;
}

const simt_count *simt_counts(size_t *n)
{
    *n = room;
    return table;
}

/* ---- an access of a warp ---- */

/* Lanes are served in groups whose accesses are 128 bytes together; in a group, different words of
 * one bank are serialized. Returns the largest number of those. */
static unsigned ways_of(const simt_entry *const *e, unsigned n)
{
    static uint64_t word[BANKS][MAX_TOUCHED / 4];
    unsigned ways[BANKS] = {0}, most = 1;
    for (unsigned l = 0; l < n; l++)
        for (uint64_t a = e[l]->address / WORD; a <= (e[l]->address + e[l]->size - 1) / WORD; a++) {
            unsigned bank = a % BANKS, i = 0;
            while (i < ways[bank] && word[bank][i] != a)
                i++;
            if (i == ways[bank])
                word[bank][ways[bank]++] = a;
            if (ways[bank] > most)
                most = ways[bank];
        }
    return most;
}

static void count_shared(simt_count *c, const simt_entry *const *e, unsigned n)
{
    unsigned step = c->size > 8 ? 8 : c->size > 4 ? 16 : 32;
    for (unsigned from = 0; from < n; from += step) {
        unsigned ways = ways_of(e + from, n - from < step ? n - from : step);
        c->wavefronts += ways;
        simt_worked.wavefronts += ways;
        c->conflicts += ways - 1;
        if (ways > c->worst)
            c->worst = ways;
    }
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static unsigned number_of_different(uint64_t *v, unsigned n)
{
    unsigned different = n > 0;
    bool is_sorted = true; /* as neighbours are that read neighbours */
    for (unsigned i = 1; i < n; i++)
        is_sorted &= v[i] >= v[i - 1];
    if (!is_sorted)
        qsort(v, n, sizeof *v, by_value);
    for (unsigned i = 1; i < n; i++)
        different += v[i] != v[i - 1];
    return different;
}

static void count_global(simt_count *c, const simt_entry *const *e, unsigned n)
{
    uint64_t sector[2 * SIMT_LANES], address[SIMT_LANES];
    unsigned sectors = 0;
    for (unsigned l = 0; l < n; l++) {
        address[l] = e[l]->address;
        sector[sectors++] = e[l]->address / SECTOR;
        uint64_t last = (e[l]->address + e[l]->size - 1) / SECTOR;
        if (last != sector[sectors - 1])
            sector[sectors++] = last;
    }
    sectors = number_of_different(sector, sectors);
    unsigned least = (number_of_different(address, n) * c->size + SECTOR - 1) / SECTOR;
    c->sectors += sectors;
    simt_worked.sectors += sectors;
    simt_worked.global_accesses++;
    simt_worked.global_reads += !(c->flags & SIMT_WRITE);
    c->ideal += least;
    if (sectors > c->worst)
        c->worst = sectors;
}

static void count(const simt_entry *const *e, unsigned n)
{
    simt_count *c = count_of(e[0]);
    c->accesses++;
    c->lanes += n;
    c->bytes += (uint64_t)n * c->size;
    if (c->flags & SIMT_SHARED) {
        simt_worked.shared_accesses++;
        count_shared(c, e, n);
    } else {
        count_global(c, e, n);
    }
}

/* ---- logs ---- */

void simt_log(simt_region *r, const void *p, size_t n, int flags, uintptr_t pc)
{
    simt_thread *t = simt_now.self;
    simt_now.has_read |= r->space == SIMT_SPACE_GLOBAL && !(flags & (SIMT_WRITE | SIMT_ASYNC));
    if (!t->log)
        t->log = malloc(SIMT_LOG * sizeof *t->log);
    if (!t->log)
        abort();
    if (t->nlog == SIMT_LOG) {
        t->state = SIMT_FULL;
        simt_fibre_wait();
    }
    if (r->space == SIMT_SPACE_SHARED)
        flags |= SIMT_SHARED;
    t->log[t->nlog++] = (simt_entry){
        (uint64_t)(uintptr_t)p, (uint32_t)(pc - simt_image_base), (uint16_t)n,
        (uint8_t)(flags & (SIMT_WRITE | SIMT_ATOMIC | SIMT_ASYNC | SIMT_SHARED | SIMT_MATRIX))};
}

/* What entries of one instruction have in common, and others do not. */
static uint64_t instruction_of(const simt_entry *e)
{
    return (uint64_t)e->pc << 32 | (uint64_t)e->size << 16 | e->flags;
}

/* True if entry a of one lane comes before b of another. */
static bool is_before(const simt_entry *a, const simt_entry *b)
{
    int fragment = a->flags & SIMT_MATRIX, other = b->flags & SIMT_MATRIX;
    return fragment != other ? !fragment : a->pc < b->pc;
}

void simt_count_warp(unsigned warp, unsigned mask)
{
    simt_thread *t = simt_threads + (size_t)warp * SIMT_LANES;
    unsigned lanes = simt_now.threads - warp * SIMT_LANES, logs = 0;
    const simt_entry *at[SIMT_LANES], *end[SIMT_LANES]; /* of the logs that are not at their ends */
    if (lanes > SIMT_LANES)
        lanes = SIMT_LANES;
    for (unsigned l = 0; l < lanes; l++)
        if (mask >> l & 1 && t[l].nlog > 0) {
            at[logs] = t[l].log;
            end[logs++] = t[l].log + t[l].nlog;
            t[l].nlog = 0;
        }
    while (logs > 0) {
        const simt_entry *group[SIMT_LANES], *back = at[0];
        unsigned n = 0, left = 0;
        for (unsigned i = 1; i < logs; i++)
            if (is_before(at[i], back))
                back = at[i];
        uint64_t instruction = instruction_of(back);
        for (unsigned i = 0; i < logs; i++) {
            bool takes_part = instruction_of(at[i]) == instruction;
            if (takes_part)
                group[n++] = at[i];
            const simt_entry *next = at[i] + takes_part;
            if (next < end[i]) {
                at[left] = next;
                end[left++] = end[i];
            }
        }
        logs = left;
        count(group, n);
    }
}
