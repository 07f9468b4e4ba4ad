/* Poison: the pattern in memory around arrays and in outputs before the call. Shared by case.c, which places it, and
 * compare.c, which looks for it. */
#ifndef SQ_RUNTIME_POISON_H
#define SQ_RUNTIME_POISON_H
#include "runtime/case.h"
#include <string.h>
#include <unistd.h>

enum { WHY = 200, SHOWN = 99 }; /* bytes: of a sentence, of a name in it */

/* A quiet NaN in all floating-point types, and no likely integer: 0x7f and the low byte, from 0xf8
 * on, from the start of what is filled. Addresses do not matter: arrays may begin at odd ones. */
static inline unsigned char poison_at(unsigned char low, size_t offset)
{
    return offset % 2 ? 0x7f : low;
}

enum { INSIDE = 0xfd }; /* of elements that a kernel must write */

/* Each array has a different pattern around it: a value that is read past the end of one array,
 * computed with, and written past the end of another is still the NaN that was read. */
static inline unsigned char around(const sq_case *c, const sq_case_param *p)
{
    static const unsigned char low[] = {0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfe, 0xff};
    return low[(size_t)(p - c->param) % sizeof low];
}

/* Returns 1 if bytes [from, from + bytes) of what is filled from `start` on are unchanged, else
 * 0. */
static inline int is_poison(unsigned char low, const unsigned char *start, size_t from,
                            size_t bytes)
{
    const unsigned char *at = start + from;
    for (size_t i = 0; i < bytes && i < 2; i++)
        if (at[i] != poison_at(low, from + i))
            return 0;
    return bytes < 3 || memcmp(at, at + 2, bytes - 2) == 0;
}

static inline size_t type_bytes(sq_element t)
{
    return sq_elements[t].bytes;
}

static inline size_t page_bytes(void)
{
    static size_t bytes;
    return bytes ? bytes : (bytes = (size_t)sysconf(_SC_PAGESIZE));
}
#endif
