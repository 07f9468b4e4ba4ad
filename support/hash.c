/* Hashes of bytes for identity: which source, which script, which kernel a file was made from.
 * xxHash is used header-only, so that nothing is linked. The canonical form is the big endian one:
 * the same text on every machine. Not safe against someone who wants two inputs to collide; should
 * a store ever be public, this is the only file to change. */
#include "support/hash.h"
#include <stdio.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

sq_hash sq_hash_bytes(const void *p, size_t n)
{
    static const char digit[] = "0123456789abcdef";
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(p, n));
    sq_hash h = {0};
    for (int i = 0; i < 16; i++) {
        h.hex[2 * i] = digit[canonical.digest[i] >> 4];
        h.hex[2 * i + 1] = digit[canonical.digest[i] & 15];
    }
    return h;
}

uint64_t sq_hash64(const void *p, size_t n)
{
    return XXH3_64bits(p, n);
}
