/* Hashes of bytes for identity: which source, which script, which kernel a file was made from. XXH3
 * of 128 bits without a seed, after its specification (github.com/Cyan4973/xxHash), one value at a
 * time: what is hashed are descriptions and scripts. The text is big endian, the same on every
 * machine. Not safe against someone who wants two inputs to collide; should a store ever be public,
 * this is the only file to change. */
#include "support/hash.h"

typedef unsigned char byte;
typedef struct wide {
    uint64_t low, high;
} wide;

static const uint64_t prime1 = 0x9e3779b185ebca87, prime2 = 0xc2b2ae3d27d4eb4f,
                      prime3 = 0x165667b19e3779f9, prime4 = 0x85ebca77c2b2ae63,
                      prime5 = 0x27d4eb2f165667c5;
static const uint32_t prime32_1 = 0x9e3779b1, prime32_2 = 0x85ebca77, prime32_3 = 0xc2b2ae3d;

enum { SECRET = 192, STRIPE = 64, LANES = 8, LEAST_SECRET = 136 };
static const byte secret[SECRET] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

/* ---- numbers ---- */

static uint64_t read64(const byte *p)
{
    uint64_t x = 0;
    for (int i = 7; i >= 0; i--)
        x = x << 8 | p[i];
    return x;
}

static uint32_t read32(const byte *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t swap32(uint32_t x)
{
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

static uint64_t swap64(uint64_t x)
{
    return (uint64_t)swap32((uint32_t)x) << 32 | swap32((uint32_t)(x >> 32));
}

static wide multiply(uint64_t a, uint64_t b)
{
    const uint64_t mask = 0xffffffff;
    uint64_t low = (a & mask) * (b & mask), first = (a >> 32) * (b & mask),
             second = (a & mask) * (b >> 32), high = (a >> 32) * (b >> 32);
    uint64_t middle = (low >> 32) + (first & mask) + second;
    return (wide){middle << 32 | (low & mask), high + (first >> 32) + (middle >> 32)};
}

static uint64_t fold(uint64_t a, uint64_t b)
{
    wide product = multiply(a, b);
    return product.low ^ product.high;
}

static uint64_t spread(uint64_t x)
{
    x = (x ^ x >> 37) * 0x165667919e3779f9;
    return x ^ x >> 32;
}

static uint64_t spread_short(uint64_t x)
{
    x = (x ^ x >> 33) * prime2;
    x = (x ^ x >> 29) * prime3;
    return x ^ x >> 32;
}

static uint64_t secret_pair(size_t at)
{
    return read64(secret + at) ^ read64(secret + at + 8);
}

/* ---- by length ---- */

static wide hash_1_to_3(const byte *p, size_t n)
{
    uint32_t low = (uint32_t)p[0] << 16 | (uint32_t)p[n >> 1] << 24 | p[n - 1] | (uint32_t)n << 8;
    uint32_t high = swap32(low) << 13 | swap32(low) >> 19;
    return (wide){spread_short(low ^ (uint64_t)(read32(secret) ^ read32(secret + 4))),
                  spread_short(high ^ (uint64_t)(read32(secret + 8) ^ read32(secret + 12)))};
}

static wide hash_4_to_8(const byte *p, size_t n)
{
    uint64_t both = read32(p) + ((uint64_t)read32(p + n - 4) << 32);
    wide h = multiply(both ^ secret_pair(16), prime1 + (n << 2));
    h.high += h.low << 1;
    h.low ^= h.high >> 3;
    h.low = (h.low ^ h.low >> 35) * 0x9fb21c651e98df25;
    h.low ^= h.low >> 28;
    h.high = spread(h.high);
    return h;
}

static wide hash_9_to_16(const byte *p, size_t n)
{
    uint64_t first = read64(p), last = read64(p + n - 8);
    wide m = multiply(first ^ last ^ secret_pair(32), prime1);
    m.low += (uint64_t)(n - 1) << 54;
    last ^= secret_pair(48);
    m.high += last + (uint64_t)(uint32_t)last * (prime32_2 - 1);
    m.low ^= swap64(m.high);
    wide h = multiply(m.low, prime2);
    h.high += m.high * prime2;
    return (wide){spread(h.low), spread(h.high)};
}

static wide hash_to_16(const byte *p, size_t n)
{
    if (n > 8)
        return hash_9_to_16(p, n);
    if (n > 3)
        return hash_4_to_8(p, n);
    if (n > 0)
        return hash_1_to_3(p, n);
    return (wide){spread_short(secret_pair(64)), spread_short(secret_pair(80))};
}

/* 16 bytes under a part of the secret. */
static uint64_t mix(const byte *p, size_t at)
{
    return fold(read64(p) ^ read64(secret + at), read64(p + 8) ^ read64(secret + at + 8));
}

static void mix_two(wide *h, const byte *a, const byte *b, size_t at)
{
    h->low = (h->low + mix(a, at)) ^ (read64(b) + read64(b + 8));
    h->high = (h->high + mix(b, at + 16)) ^ (read64(a) + read64(a + 8));
}

static wide finish(const wide *h, size_t n)
{
    return (wide){spread(h->low + h->high),
                  -spread(h->low * prime1 + h->high * prime4 + n * prime2)};
}

static wide hash_17_to_128(const byte *p, size_t n)
{
    wide h = {n * prime1, 0};
    for (size_t i = (n - 1) / 32 + 1; i-- > 0;) /* pairs from both ends, the innermost first */
        mix_two(&h, p + 16 * i, p + n - 16 * (i + 1), 32 * i);
    return finish(&h, n);
}

static wide hash_129_to_240(const byte *p, size_t n)
{
    wide h = {n * prime1, 0};
    for (size_t i = 0; i < 4; i++)
        mix_two(&h, p + 32 * i, p + 32 * i + 16, 32 * i);
    h = (wide){spread(h.low), spread(h.high)};
    for (size_t i = 4; i < n / 32; i++)
        mix_two(&h, p + 32 * i, p + 32 * i + 16, 3 + 32 * (i - 4));
    mix_two(&h, p + n - 16, p + n - 32, LEAST_SECRET - 17 - 16);
    return finish(&h, n);
}

static void add_stripe(uint64_t lane[LANES], const byte *p, size_t at)
{
    for (int i = 0; i < LANES; i++) {
        uint64_t value = read64(p + 8 * i), keyed = value ^ read64(secret + at + 8 * i);
        lane[i ^ 1] += value;
        lane[i] += (keyed & 0xffffffff) * (keyed >> 32);
    }
}

static void scramble(uint64_t lane[LANES])
{
    for (int i = 0; i < LANES; i++)
        lane[i] = (lane[i] ^ lane[i] >> 47 ^ read64(secret + SECRET - STRIPE + 8 * i)) * prime32_1;
}

static uint64_t merge(const uint64_t lane[LANES], size_t at, uint64_t start)
{
    for (int i = 0; i < LANES; i += 2)
        start += fold(lane[i] ^ read64(secret + at + 8 * i),
                      lane[i + 1] ^ read64(secret + at + 8 * i + 8));
    return spread(start);
}

static wide hash_long(const byte *p, size_t n)
{
    enum { STRIPES = (SECRET - STRIPE) / 8 }; /* of a block */
    uint64_t lane[LANES] = {prime32_3, prime1,    prime2, prime3,
                            prime4,    prime32_2, prime5, prime32_1};
    for (size_t i = 0; i < (n - 1) / STRIPE; i++) {
        add_stripe(lane, p + STRIPE * i, i % STRIPES * 8);
        if (i % STRIPES == STRIPES - 1)
            scramble(lane);
    }
    add_stripe(lane, p + n - STRIPE, SECRET - STRIPE - 7);
    return (wide){merge(lane, 11, n * prime1), merge(lane, SECRET - STRIPE - 11, ~(n * prime2))};
}

static wide hash(const byte *p, size_t n)
{
    return n <= 16    ? hash_to_16(p, n)
           : n <= 128 ? hash_17_to_128(p, n)
           : n <= 240 ? hash_129_to_240(p, n)
                      : hash_long(p, n);
}

sq_hash sq_hash_bytes(const void *p, size_t n)
{
    static const char digit[] = "0123456789abcdef";
    wide h = hash(p, n);
    sq_hash text = {0};
    for (int i = 0; i < 16; i++) {
        text.hex[i] = digit[h.high >> (60 - 4 * i) & 15];
        text.hex[16 + i] = digit[h.low >> (60 - 4 * i) & 15];
    }
    return text;
}

void sq_hash128(const void *p, size_t n, uint64_t half[2])
{
    wide h = hash(p, n);
    half[0] = h.low;
    half[1] = h.high;
}

uint64_t sq_hash64(const void *p, size_t n)
{
    return hash(p, n).low;
}
