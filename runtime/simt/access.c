/* Access: checks one access of a thread: which region it is in, whether it is allowed, and whom to
 * notify. Also checks accesses of host code, which may not touch device memory. */
#include "runtime/simt/simt.h"
#include <string.h>

static const char *kind_of(int flags)
{
    return flags & SIMT_ATOMIC ? "atomic access" : flags & SIMT_WRITE ? "write" : "read";
}

static void complain(simt_finding_kind kind, const void *p, size_t n, int flags, uintptr_t pc,
                     const char *what)
{
    char who[96];
    simt_where at = simt_at_pc(pc);
    if (!simt_found(kind, &at, NULL))
        return;
    simt_thread_name(simt_now.self->linear, simt_now.block, who, sizeof who);
    simt_found_text("%s of %zu bytes at %s by %s", kind_of(flags), n, what, who);
    (void)p;
}

static void beside(const simt_region *r, const void *p, size_t n, int flags, uintptr_t pc)
{
    char what[160];
    ptrdiff_t offset = (const char *)p - r->at;
    ptrdiff_t over = offset + (ptrdiff_t)n - (ptrdiff_t)r->size;
    if (r->is_freed)
        snprintf(what, sizeof what, "%s, which has been freed,", r->name);
    else if (offset < 0)
        snprintf(what, sizeof what, "%zd bytes before the beginning of %s", -offset, r->name);
    else
        snprintf(what, sizeof what, "offset %zd of %s, %zd bytes beyond its end of %zu bytes,",
                 offset, r->name, over, r->size);
    complain(SIMT_OUT_OF_BOUNDS, p, n, flags, pc, what);
}

static bool is_inside(const simt_region *r, const void *p, size_t n)
{
    size_t offset = (size_t)((const char *)p - r->at);
    return (const char *)p >= r->at && n <= r->size && offset <= r->size - n && !r->is_freed;
}

/* Neither shared nor device memory: constants of the program are allowed, host memory is not. */
static void elsewhere(const void *p, size_t n, int flags, uintptr_t pc)
{
    char what[120];
    if (simt_is_image(p) && !(flags & SIMT_WRITE))
        return;
    if (simt_is_stack(p))
        snprintf(what, sizeof what, "a local variable of another thread");
    else if ((uintptr_t)p < 65536)
        snprintf(what, sizeof what, "the null pointer + %zu", (size_t)(uintptr_t)p);
    else
        snprintf(what, sizeof what, "%p, memory of the host,", p);
    complain((uintptr_t)p < 65536 ? SIMT_OUT_OF_BOUNDS : SIMT_HOST_ACCESS, p, n, flags, pc, what);
    if ((uintptr_t)p < 65536)
        simt_break(700); /* cudaErrorIllegalAddress */
}

static void misaligned(const simt_region *r, const void *p, size_t n, int flags, uintptr_t pc)
{
    char what[200], name[120];
    simt_name_of(r, p, name, sizeof name);
    snprintf(what, sizeof what, "%s, which is %zu bytes past a multiple of %zu,", name,
             (size_t)((uintptr_t)p % n), n);
    complain(SIMT_MISALIGNED, p, n, flags, pc, what);
    simt_break(716); /* cudaErrorMisalignedAddress */
}

static void host_access(const void *p, size_t n, int flags, uintptr_t pc)
{
    if (!simt_may_be_device(p))
        return;
    simt_region *r = simt_region_of(p);
    simt_where at = simt_at_pc(pc);
    if (!r || r->space != SIMT_SPACE_GLOBAL || r->is_managed ||
        !simt_found(SIMT_HOST_ACCESS, &at, NULL))
        return;
    simt_found_text("the host %ss %zu bytes of %s; cudaMemcpy is how it gets them",
                    flags & SIMT_WRITE ? "write" : "read", n, r->name);
}

static bool is_own_stack(const void *p)
{
    const simt_thread *t = simt_now.self;
    return (uintptr_t)p - (uintptr_t)t->stack < simt_stack_bytes;
}

void simt_access(const void *p, size_t n, int flags, uintptr_t pc)
{
    if (!simt_now.running) {
        host_access(p, n, flags, pc);
        return;
    }
    if (is_own_stack(p))
        return;
    simt_region *r = simt_is_stack(p) ? NULL : simt_region_of(p);
    if (!r) {
        elsewhere(p, n, flags, pc);
        return;
    }
    if (!is_inside(r, p, n)) {
        beside(r, p, n, flags, pc);
        return;
    }
    if ((n & (n - 1)) == 0 && n <= 16 && (uintptr_t)p % n)
        misaligned(r, p, n, flags, pc);
    if (r->space != SIMT_SPACE_IMAGE)
        simt_log(r, p, n, flags, pc); /* may let other lanes run first */
    simt_shadow_access(r, p, n, flags, pc);
}
