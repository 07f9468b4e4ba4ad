/* Mapping: reuses memory mappings between cases. The next case of the same size gets the mapping
 * that another has released, whose pages exist already: mapping them again took an eighth of the
 * time of many small calls. Inline, like element.h. */
#ifndef SQ_RUNTIME_MAPPING_H
#define SQ_RUNTIME_MAPPING_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

enum { SQ_SPARE_MAPPINGS = 16 };
static const size_t sq_most_spare = 64 << 20; /* bytes, in total: a candidate's memory has a limit */

static struct sq_spare_mapping {
    unsigned char *at;
    size_t bytes;
    bool has_guards;
} sq_spare_mappings[SQ_SPARE_MAPPINGS];

/* Returns a spare mapping of this size, with or without guard pages at its ends; NULL if there is
 * none. Its contents are unchanged; it is still without access rights. */
static inline unsigned char *sq_mapping_spare(size_t bytes, bool has_guards)
{
    for (int i = 0; i < SQ_SPARE_MAPPINGS; i++) {
        struct sq_spare_mapping *s = &sq_spare_mappings[i];
        unsigned char *at = s->at;
        if (!at || s->bytes != bytes || s->has_guards != has_guards)
            continue;
        s->at = NULL;
        return at;
    }
    return NULL;
}

static inline void sq_mapping_drop(struct sq_spare_mapping *s)
{
    if (s->at)
        munmap(s->at, s->bytes);
    s->at = NULL;
}

/* Returns a new mapping; NULL if there is no memory for it, even after freeing the spare ones. */
static inline unsigned char *sq_mapping_new(size_t bytes, int protection)
{
    int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *at = mmap(NULL, bytes, protection, kind, -1, 0);
    if (at == MAP_FAILED) {
        for (int i = 0; i < SQ_SPARE_MAPPINGS; i++)
            sq_mapping_drop(&sq_spare_mappings[i]);
        at = mmap(NULL, bytes, protection, kind, -1, 0);
    }
    return at == MAP_FAILED ? NULL : at;
}

/* Releases a mapping: it is kept without access rights, so that writes past an array, or to one
 * of an earlier call, still fault. The oldest ones are unmapped if all would be too many or too
 * large. */
static inline void sq_mapping_keep(unsigned char *at, size_t bytes, bool has_guards)
{
    static int next; /* round robin */
    size_t sum = bytes;
    for (int i = 0; i < SQ_SPARE_MAPPINGS; i++)
        sum += sq_spare_mappings[i].at ? sq_spare_mappings[i].bytes : 0;
    for (int i = 0; i < SQ_SPARE_MAPPINGS && (i == 0 || sum > sq_most_spare); i++) {
        struct sq_spare_mapping *first = &sq_spare_mappings[(next + i) % SQ_SPARE_MAPPINGS];
        sum -= first->at ? first->bytes : 0;
        sq_mapping_drop(first);
    }
    struct sq_spare_mapping *s = &sq_spare_mappings[next++ % SQ_SPARE_MAPPINGS];
    *s = (struct sq_spare_mapping){at, bytes, has_guards};
    if (bytes > sq_most_spare || mprotect(at, bytes, PROT_NONE) != 0)
        sq_mapping_drop(s);
}
#endif
