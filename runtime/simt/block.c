/* Blocks: a launch runs its blocks in sequence, a block its warps in turn, a warp its lanes until
 * each waits. CUDA's threadIdx and the like are variables here, set at every switch. */
#include "runtime/simt/simt.h"
#include <stdlib.h>
#include <string.h>

/* The text declares these as constants, as they are during the life of a thread. */
simt_run simt_now;
simt_thread simt_threads[SIMT_MAX_THREADS];
unsigned threadIdx[3], blockIdx[3], blockDim[3], gridDim[3]; /* as uint3 and dim3 in the text */

static int sticky; /* an error of a kernel that later calls return as well */
static uint32_t blocks_so_far = 1;

void simt_thread_main(void)
{
    simt_now.thread(simt_now.arg);
    simt_thread *t = simt_now.self;
    simt_copies_finish(t, 0);
    t->state = SIMT_DONE;
    simt_now.done++;
    simt_fibre_wait();
}

void simt_stick(int error)
{
    sticky = error;
}

int simt_sticky(void)
{
    return sticky;
}

_Noreturn void simt_break(int error)
{
    simt_now.broken = true;
    simt_now.error = error;
    simt_stick(error);
    simt_fibre_wait();
    abort();
}

static void resume(simt_thread *t)
{
    memcpy(threadIdx, t->index, sizeof threadIdx);
    t->state = SIMT_READY;
    simt_fibre_resume(t);
}

/* ---- barriers ---- */

static simt_thread *first_in(simt_state state)
{
    for (unsigned i = 0; i < simt_now.threads; i++)
        if (simt_threads[i].state == state)
            return &simt_threads[i];
    return NULL;
}

static bool is_same_place(simt_place a, simt_place b)
{
    return a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

static void complain_left(const simt_thread *waits, const simt_thread *left)
{
    char one[96], other[96];
    simt_where at = simt_at_place(waits->barrier);
    if (!simt_found(SIMT_DIVERGENT, &at, NULL))
        return;
    simt_found_text("%s waits here, while %u of %u threads of the block have left the kernel "
                    "(%s is the first)",
                    simt_thread_name(waits->linear, simt_now.block, one, sizeof one),
                    simt_now.done, simt_now.threads,
                    simt_thread_name(left->linear, simt_now.block, other, sizeof other));
}

static void complain_places(const simt_thread *a, const simt_thread *b)
{
    char name[96];
    simt_where at = simt_at_place(a->barrier), other = simt_at_place(b->barrier);
    if (!simt_found(SIMT_DIVERGENT, &at, &other))
        return;
    simt_found_text("%s waits here",
                    simt_thread_name(a->linear, simt_now.block, name, sizeof name));
    simt_found_note("%s waits at this one",
                    simt_thread_name(b->linear, simt_now.block, name, sizeof name));
}

static void check_barrier(void)
{
    simt_thread *waits = first_in(SIMT_AT_BARRIER), *left = first_in(SIMT_DONE);
    if (left)
        complain_left(waits, left);
    for (unsigned i = 0; i < simt_now.threads; i++)
        if (simt_threads[i].state == SIMT_AT_BARRIER &&
            !is_same_place(simt_threads[i].barrier, waits->barrier)) {
            complain_places(waits, &simt_threads[i]);
            break;
        }
}

static void release_barrier(void)
{
    int count = 0, waiting = 0;
    check_barrier();
    for (unsigned i = 0; i < simt_now.threads; i++)
        if (simt_threads[i].state == SIMT_AT_BARRIER) {
            waiting++;
            count += simt_threads[i].barrier_value != 0;
        }
    simt_now.epoch++;
    simt_worked.phases += simt_now.has_read;
    simt_now.has_read = false;
    for (unsigned i = 0; i < simt_now.threads; i++) {
        simt_thread *t = &simt_threads[i];
        if (t->state != SIMT_AT_BARRIER)
            continue;
        t->barrier_value = t->barrier_kind == SIMT_AND  ? count == waiting
                           : t->barrier_kind == SIMT_OR ? count > 0
                                                        : count;
        t->state = SIMT_READY;
    }
}

int simt_barrier(int kind, int value, simt_place at)
{
    simt_thread *t = simt_now.self;
    if (!simt_now.running)
        return 0;
    t->barrier_kind = kind;
    t->barrier_value = value;
    t->barrier = at;
    t->state = SIMT_AT_BARRIER;
    simt_fibre_wait();
    return t->barrier_value;
}

/* ---- one block ---- */

/* Runs every lane that can continue. */
static bool run_warp(unsigned warp)
{
    simt_thread *t = simt_threads + (size_t)warp * SIMT_LANES;
    unsigned lanes = simt_now.threads - warp * SIMT_LANES;
    bool progress = false;
    if (lanes > SIMT_LANES)
        lanes = SIMT_LANES;
    for (unsigned l = 0; l < lanes && !simt_now.broken; l++)
        if (t[l].state == SIMT_READY) {
            progress = true;
            resume(&t[l]);
            if (t[l].state == SIMT_DONE)
                simt_warp_settle(warp, false);
        }
    bool is_stalled = true;
    for (unsigned l = 0; l < lanes; l++)
        is_stalled &= t[l].state != SIMT_READY;
    if (!is_stalled || simt_now.broken)
        return progress;
    simt_count_warp(warp, ~0u);
    for (unsigned l = 0; l < lanes; l++)
        if (t[l].state == SIMT_FULL) {
            t[l].state = SIMT_READY;
            progress = true;
        }
    return simt_warp_settle(warp, !progress) || progress;
}

static void where_stands(const simt_thread *t, simt_where *at, char *to, size_t n)
{
    char name[96];
    bool at_barrier = t->state == SIMT_AT_BARRIER;
    *at = simt_at_place(at_barrier ? t->barrier : t->op->at);
    simt_thread_name(t->linear, simt_now.block, name, sizeof name);
    if (at_barrier)
        snprintf(to, n, "%s waits at this barrier", name);
    else
        snprintf(to, n, "%s waits at this %s for the lanes 0x%08x", name, t->op->name, t->op->mask);
}

/* Reports a deadlock: some lanes wait for others that will never arrive. */
static void complain_deadlock(void)
{
    char text[200], other[200];
    simt_where at, second;
    simt_thread *lane = first_in(SIMT_AT_WARP), *b = first_in(SIMT_AT_BARRIER);
    for (unsigned i = 0; i < simt_now.threads && !b; i++) {
        simt_thread *t = &simt_threads[i];
        if (t->state == SIMT_AT_WARP && !is_same_place(t->op->at, lane->op->at))
            b = t;
    }
    where_stands(lane, &at, text, sizeof text);
    if (b)
        where_stands(b, &second, other, sizeof other);
    if (!simt_found(SIMT_LANES_MISSING, &at, b ? &second : NULL))
        return;
    simt_found_text("%s, which never all come", text);
    if (b)
        simt_found_note("%s", other);
}

static void run_block(void)
{
    for (;;) {
        bool progress = false;
        for (unsigned w = 0; w < simt_now.warps && !simt_now.broken; w++)
            progress |= run_warp(w);
        if (simt_now.broken || simt_now.done == simt_now.threads)
            return;
        if (progress)
            continue;
        if (simt_now.waiting == 0) {
            release_barrier();
            continue;
        }
        complain_deadlock();
        simt_now.broken = true;
        simt_now.error = 719; /* cudaErrorLaunchFailure */
        simt_stick(719);
    }
}

static void begin_block(uint64_t number)
{
    const unsigned *g = gridDim, *b = blockDim;
    blockIdx[0] = (unsigned)(number % g[0]);
    blockIdx[1] = (unsigned)(number / g[0] % g[1]);
    blockIdx[2] = (unsigned)(number / g[0] / g[1]);
    memcpy(simt_now.block_index, blockIdx, sizeof blockIdx);
    simt_now.block = simt_now.first_block + (uint32_t)number;
    simt_now.epoch = 0;
    simt_now.has_read = false;
    simt_now.waiting = simt_now.done = 0;
    simt_shared_begin_block();
    for (unsigned i = 0; i < simt_now.threads; i++) {
        simt_thread *t = &simt_threads[i];
        t->linear = i;
        t->lane = i % SIMT_LANES;
        t->warp = i / SIMT_LANES;
        t->index[0] = i % b[0];
        t->index[1] = i / b[0] % b[1];
        t->index[2] = i / b[0] / b[1];
        memset(t->clock, 0, sizeof t->clock);
        t->clock[t->lane] = 1;
        t->op = NULL;
        t->fenced = 0;
        t->nlog = t->ncopies = t->group = t->group_done = 0;
        t->state = SIMT_READY;
        simt_fibre_start(t);
    }
}

static void begin_launch(const simt_config *c, const void *kernel)
{
    uintptr_t start;
    size_t size;
    simt_now.config = *c;
    simt_now.kernel = simt_symbol_of(kernel, &start, &size);
    simt_now.function = kernel;
    simt_now.broken = false;
    simt_now.error = 0;
    simt_now.threads = c->block[0] * c->block[1] * c->block[2];
    simt_now.warps = (simt_now.threads + SIMT_LANES - 1) / SIMT_LANES;
    simt_now.blocks = (uint64_t)c->grid[0] * c->grid[1] * c->grid[2];
    simt_now.first_block = blocks_so_far;
    simt_now.static_shared = 0;
    memcpy(gridDim, c->grid, sizeof gridDim);
    memcpy(blockDim, c->block, sizeof blockDim);
}

int simt_launch(const simt_config *c, const void *kernel, void (*thread)(void *arg), void *arg)
{
    if (sticky)
        return sticky;
    simt_fibres_open();
    begin_launch(c, kernel);
    simt_now.thread = thread;
    simt_now.arg = arg;
    simt_shared_begin_launch();
    simt_sync_reset();
    const bool is_dry = getenv("SQUALL_SIMT_DRY"); /* launches are recorded, nothing runs */
    for (uint64_t i = 0; i < simt_now.blocks && !simt_now.broken && !is_dry; i++) {
        begin_block(i);
        run_block();
    }
    blocks_so_far += (uint32_t)simt_now.blocks;
    simt_report_launch(c, simt_now.kernel, simt_now.static_shared);
    return simt_now.error;
}

void simt_launch_bounds(long threads, const char *file, int line)
{
    simt_where at = simt_at_place((simt_place){file, line});
    if (simt_now.threads <= (unsigned long)threads || !simt_found(SIMT_LIMIT, &at, NULL))
        return;
    simt_found_text("a block of %u threads; __launch_bounds__ promises at most %ld",
                    simt_now.threads, threads);
}

void simt_trap(const char *what, simt_place at)
{
    char name[96];
    simt_where where = simt_at_place(at);
    if (simt_found(SIMT_CRASH, &where, NULL))
        simt_found_text("%s in %s", what,
                        simt_thread_name(simt_now.self->linear, simt_now.block, name, sizeof name));
    simt_break(710); /* cudaErrorAssert */
}

long long simt_clock(void)
{
    static long long ticks;
    return ++ticks;
}
