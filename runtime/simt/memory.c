/* Memory: what a kernel may access. Device memory is mapped with wide guard zones, so that an
 * access outside is recognized; shared variables are registered when a thread passes their
 * declaration; each section of the program's variables is one region; everything else belongs to
 * the host. */
#include "runtime/simt/simt.h"
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MAX_SHARED = 256 };
/* Contents of fresh memory: NaN as a float, far out of bounds as an index. */
static const int fresh = 0xff;
static const size_t page = 4096, least_gap = 65536, most_gap = 1u << 24,
                    device_bytes = (size_t)64 << 30, least_shared = 48 * 1024;

_Alignas(4096) simt_dynamic_memory simt_dynamic;

static simt_region shared[MAX_SHARED], dynamic_region, image;
static unsigned nshared;
static uint32_t shared_launch[MAX_SHARED]; /* the last launch that passed its declaration */
static bool is_fresh[MAX_SHARED];          /* filled anew in this block */
static simt_region **device;               /* sorted by address */
static size_t ndevice, allocated;
static unsigned names;
static struct range {
    const char *from, *to;
    bool writable;
} part[16]; /* of the program */
static int nparts;
static uintptr_t first_part; /* in the program's tables */

/* ---- the program ---- */

uintptr_t simt_image_base;

static int add_parts(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    (void)user;
    for (int i = 0; i < info->dlpi_phnum && nparts < 16; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        const char *at = (const char *)info->dlpi_addr + h->p_vaddr;
        if (h->p_type == PT_LOAD && nparts == 0)
            first_part = h->p_vaddr;
        if (h->p_type == PT_LOAD)
            part[nparts++] = (struct range){at, at + h->p_memsz, (h->p_flags & PF_W) != 0};
    }
    simt_image_base = (uintptr_t)part[0].from;
    return 1; /* the program itself comes first */
}

/* Before any code of the text runs, also what it constructs before main: all of it asks for the base. */
__attribute__((constructor(101))) static void find_parts(void)
{
    dl_iterate_phdr(add_parts, NULL);
}

static const struct range *part_of(const void *p)
{
    for (int i = 0; i < nparts; i++)
        if ((const char *)p >= part[i].from && (const char *)p < part[i].to)
            return &part[i];
    return NULL;
}

uintptr_t simt_image_first(void)
{
    return first_part;
}

bool simt_is_image(const void *p)
{
    return part_of(p) != NULL;
}

static simt_region *image_region(const void *p)
{
    const struct range *r = part_of(p);
    if (!r || !r->writable)
        return NULL;
    if (!image.at) {
        image.at = image.whole = (char *)(uintptr_t)r->from;
        image.size = image.whole_size = (size_t)(r->to - r->from);
        image.space = SIMT_SPACE_IMAGE;
        image.is_managed = true;
    }
    return &image;
}

/* ---- regions ---- */

simt_region *simt_region_last[2]; /* shared, global */

static bool is_in(const simt_region *r, const void *p)
{
    return (uintptr_t)p - (uintptr_t)r->whole < r->whole_size;
}

/* Returns the last allocation that begins at or before p. */
static size_t device_before(const void *p)
{
    size_t low = 0, high = ndevice;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if ((uintptr_t)device[mid]->whole <= (uintptr_t)p)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Returns the shared variable that contains p, or else the nearest one. */
static simt_region *shared_region(const void *p)
{
    simt_region *near = NULL;
    uintptr_t at = (uintptr_t)p, least = UINTPTR_MAX;
    if (dynamic_region.whole && is_in(&dynamic_region, p))
        return &dynamic_region;
    for (unsigned i = 0; i < nshared; i++) {
        uintptr_t from = (uintptr_t)shared[i].at, to = from + shared[i].size;
        uintptr_t distance = at < from ? from - at : at < to ? 0 : at - to + 1;
        if (is_in(&shared[i], p) && distance < least) {
            near = &shared[i];
            least = distance;
        }
    }
    return near;
}

simt_region *simt_region_find(const void *p)
{
    simt_region *near = shared_region(p);
    if (near)
        return simt_region_last[0] = near;
    size_t i = device_before(p);
    if (i > 0 && is_in(device[i - 1], p))
        return simt_region_last[1] = device[i - 1];
    return image_region(p);
}

bool simt_may_be_device(const void *p)
{
    const simt_region *last = ndevice ? device[ndevice - 1] : NULL;
    return last && (uintptr_t)p >= (uintptr_t)device[0]->whole &&
           (uintptr_t)p < (uintptr_t)last->whole + last->whole_size;
}

void simt_name_of(const simt_region *r, const void *p, char *to, size_t n)
{
    ptrdiff_t offset = (const char *)p - r->at;
    uintptr_t start;
    size_t size, used;
    if (r->space == SIMT_SPACE_IMAGE) {
        const char *name = simt_symbol_of(p, &start, &size);
        snprintf(to, n, "%s + %zu bytes", *name ? name : "a variable", (uintptr_t)p - start);
        return;
    }
    used = (size_t)snprintf(to, n, "%s", r->name);
    if (r->element && offset >= 0 && (size_t)offset < r->size) {
        size_t at = (size_t)offset / r->element, inner = 1;
        for (int i = 1; i < r->rank; i++)
            inner *= r->extent[i];
        for (int i = 0; i < r->rank && used < n; i++) {
            used += (size_t)snprintf(to + used, n - used, "[%zu]", at / inner);
            at %= inner;
            inner /= i + 1 < r->rank ? r->extent[i + 1] : 1;
        }
        return;
    }
    if (used < n)
        snprintf(to + used, n - used, " %c %zu bytes", offset < 0 ? '-' : '+',
                 (size_t)(offset < 0 ? -offset : offset));
}

/* ---- shared memory ---- */

static void refresh(unsigned i)
{
    memset(shared[i].at, fresh, shared[i].size);
    is_fresh[i] = true;
}

/* Checks the limits that the device's compiler and the launch have. */
static void check_limits(const simt_region *last)
{
    size_t dynamic = simt_now.config.shared, fixed = simt_now.static_shared;
    simt_where at = simt_at_place((simt_place){last->file, last->line});
    if (fixed > least_shared && simt_found(SIMT_LIMIT, &at, NULL))
        simt_found_text("kernel %s declares %zu bytes of shared memory; %zu is the most, beyond "
                        "that it has to be dynamic",
                        simt_now.kernel, fixed, least_shared);
    else if (fixed + dynamic > simt_shared_limit() && simt_found(SIMT_LIMIT, &at, NULL))
        simt_found_text("a block of kernel %s takes %zu + %zu bytes of shared memory; the device "
                        "has %zu",
                        simt_now.kernel, fixed, dynamic, simt_shared_limit());
}

void simt_shared(const char *name, const void *at, size_t size, size_t element, int rank,
                 const size_t *extent, const void *whole, size_t whole_size, const char *file,
                 int line)
{
    unsigned i = 0;
    if (!simt_now.running)
        return;
    while (i < nshared && shared[i].at != at)
        i++;
    if (i == MAX_SHARED)
        return;
    simt_region *r = &shared[i];
    if (i == nshared) {
        nshared++;
        *r = (simt_region){.at = (char *)(uintptr_t)at,
                           .size = size,
                           .space = SIMT_SPACE_SHARED,
                           .element = element,
                           .rank = rank,
                           .whole = (char *)(uintptr_t)whole,
                           .whole_size = whole_size,
                           .file = file,
                           .line = line};
        memcpy(r->extent, extent, (size_t)rank * sizeof *extent);
        snprintf(r->name, sizeof r->name, "shared %.36s", name);
    }
    if (!is_fresh[i])
        refresh(i);
    if (shared_launch[i] == simt_now.first_block)
        return;
    shared_launch[i] = simt_now.first_block;
    simt_now.static_shared += size;
    check_limits(r);
}

void simt_shared_begin_launch(void)
{
    if (dynamic_region.size != simt_now.config.shared)
        simt_shadow_free(&dynamic_region); /* it has cells for that size */
    dynamic_region.at = simt_dynamic.at;
    dynamic_region.size = simt_now.config.shared;
    dynamic_region.whole = (char *)&simt_dynamic;
    dynamic_region.whole_size = sizeof simt_dynamic;
    dynamic_region.space = SIMT_SPACE_SHARED;
    snprintf(dynamic_region.name, sizeof dynamic_region.name, "dynamic shared memory");
}

void simt_shared_begin_block(void)
{
    memset(is_fresh, 0, sizeof is_fresh);
    memset(simt_dynamic.at, fresh, simt_now.config.shared);
}

/* ---- device memory ---- */

int simt_device_alloc(void **p, size_t size, bool is_managed)
{
    size_t gap = size < least_gap ? least_gap : size > most_gap ? most_gap : size;
    gap = (gap + page - 1) / page * page;
    size_t whole = (size + page - 1) / page * page + 2 * gap;
    *p = NULL;
    if (size == 0)
        return 0;
    if (size > device_bytes || allocated + size > device_bytes)
        return 2; /* cudaErrorMemoryAllocation */
    char *at = mmap(NULL, whole, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    simt_region **more = realloc(device, (ndevice + 1) * sizeof *device);
    simt_region *r = calloc(1, sizeof *r);
    if (more)
        device = more;
    if (at == MAP_FAILED || !more || !r) {
        free(r);
        return 2;
    }
    *r = (simt_region){.at = at + gap,
                       .size = size,
                       .space = SIMT_SPACE_GLOBAL,
                       .is_managed = is_managed,
                       .whole = at,
                       .whole_size = whole};
    snprintf(r->name, sizeof r->name, "device memory %u (%zu bytes)", ++names, size);
    size_t i = device_before(at);
    memmove(device + i + 1, device + i, (ndevice - i) * sizeof *device);
    device[i] = r;
    ndevice++;
    allocated += size;
    memset(r->at, fresh, size);
    *p = r->at;
    return 0;
}

/* Freed memory stays mapped, so that its use is detected; its pages are released. */
int simt_device_free(void *p)
{
    simt_region *r = p ? simt_region_of(p) : NULL;
    if (!p)
        return 0;
    if (!r || r->space != SIMT_SPACE_GLOBAL || r->at != p || r->is_freed)
        return 1; /* cudaErrorInvalidValue */
    r->is_freed = true;
    allocated -= r->size;
    madvise(r->whole, r->whole_size, MADV_DONTNEED);
    simt_shadow_free(r);
    return 0;
}

/* Returns the allocation that contains all of it. */
static simt_region *holds(const void *p, size_t n)
{
    simt_region *r = simt_region_of(p);
    bool is_held = r && r->space == SIMT_SPACE_GLOBAL && !r->is_freed && (const char *)p >= r->at &&
                   n <= r->size && (size_t)((const char *)p - r->at) <= r->size - n;
    return is_held || (r && r->space == SIMT_SPACE_IMAGE) ? r : NULL;
}

int simt_host_wrote(const void *p, size_t n)
{
    simt_region *r = holds(p, n);
    if (!r)
        return 1;
    simt_shadow_host(r, p, n);
    return 0;
}

int simt_host_reads(const void *p, size_t n)
{
    return holds(p, n) ? 0 : 1;
}
