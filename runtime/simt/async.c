/* Asynchronous copies: each is performed at the latest time that its thread's waits allow, but its
 * write is recorded from the earliest, the time it was started. A read in between sees the old
 * contents, and is detected. */
#include "runtime/simt/simt.h"
#include <stdlib.h>
#include <string.h>

void simt_copy_async(void *to, const void *from, size_t bytes, size_t zeros, simt_place at)
{
    simt_thread *t = simt_now.self;
    simt_where where = simt_at_place(at);
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes) {
        if (simt_found(SIMT_LIMIT, &where, NULL))
            simt_found_text("an asynchronous copy of %zu bytes, %zu of them zero: 4, 8 or 16 is "
                            "what there is",
                            bytes, zeros);
        return;
    }
    simt_region *r = simt_region_of(to);
    if ((!r || r->space != SIMT_SPACE_SHARED) && simt_found(SIMT_LIMIT, &where, NULL))
        simt_found_text("an asynchronous copy to memory that is not shared");
    if (bytes > zeros)
        simt_access(from, bytes - zeros, SIMT_ASYNC, pc);
    simt_access(to, bytes, SIMT_WRITE | SIMT_ASYNC | SIMT_PENDING, pc);
    if (t->ncopies == t->room) {
        t->room = t->room ? 2 * t->room : 16;
        t->copies = realloc(t->copies, t->room * sizeof *t->copies);
        if (!t->copies)
            abort();
    }
    t->copies[t->ncopies++] = (simt_copy){to, from, bytes, zeros, t->group, simt_at_pc(pc)};
}

void simt_copy_commit(void)
{
    simt_now.self->group++;
}

static void arrive(const simt_copy *c)
{
    simt_region *r = simt_region_of(c->to);
    memcpy(c->to, c->from, c->bytes - c->zeros);
    memset(c->to + c->bytes - c->zeros, 0, c->zeros);
    if (r && c->to >= r->at && c->to + c->bytes <= r->at + r->size)
        simt_shadow_arrive(r, c->to, c->bytes, (uint32_t)(c->at.pc - simt_image_base));
}

/* Completes all but the `most` groups committed last. */
void simt_copy_wait(unsigned most)
{
    simt_thread *t = simt_now.self;
    if (t->linear == 0) {
        simt_worked.phases++;
        simt_worked.ahead = most + 1 > simt_worked.ahead ? most + 1 : simt_worked.ahead;
    }
    unsigned kept = 0, done = t->group > most ? t->group - most : 0;
    for (unsigned i = 0; i < t->ncopies; i++) {
        if (t->copies[i].group < done)
            arrive(&t->copies[i]);
        else
            t->copies[kept++] = t->copies[i];
    }
    t->ncopies = kept;
}

/* A thread ends: its copies complete eventually. */
void simt_copies_finish(simt_thread *t, unsigned most)
{
    for (unsigned i = most; i < t->ncopies; i++)
        arrive(&t->copies[i]);
    t->ncopies = 0;
}
