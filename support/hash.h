/* Hashes: XXH3-128 in canonical (big endian) form. For identity, not against an adversary. */
#ifndef SQ_SUPPORT_HASH_H
#define SQ_SUPPORT_HASH_H
#include <stddef.h>
#include <stdint.h>

typedef struct sq_hash {
    char hex[33];
} sq_hash;
sq_hash sq_hash_bytes(const void *p, size_t n);
/* Its halves, the low one first. */
void sq_hash128(const void *p, size_t n, uint64_t half[2]);
/* Its low half. */
uint64_t sq_hash64(const void *p, size_t n);
#endif
