/* ISA, the runner: what isa_rows.c prints is compared here, row by row: the text of an operation and its
 * meaning start with the same vectors and memory, and have to leave the same. Memory ends at pages that
 * fault where the meaning reads or writes no further. Values are random, small, and the hard ones of
 * the type; masks of up to eight lanes and numbers of lanes go through all there are. */
#include "ulp.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
    MOST_LANES = 64,
    MOST_BYTES = 8 * MOST_LANES,
    TURNED = 1 << 15,
    SQUARE = 1 << 13,
    TABLE = 16
};

enum type {
    TYPE_f32,
    TYPE_f64,
    TYPE_f16,
    TYPE_bf16,
    TYPE_i8,
    TYPE_i16,
    TYPE_i32,
    TYPE_i64,
    TYPE_u8,
    TYPE_u16,
    TYPE_u32,
    TYPE_u64
};

/* What both sides begin with; they write r, x, z and what p points to. */
typedef struct state {
    _Alignas(64) unsigned char a[MOST_BYTES], b[MOST_BYTES], c[MOST_BYTES], e[MOST_BYTES];
    unsigned char m[MOST_BYTES], j[MOST_BYTES], r[MOST_BYTES], x[8], y[SQUARE], z[SQUARE];
    wide exact[MOST_LANES];
    unsigned char *p, *q;
    int64_t n, s, d, h;
    int f, k;
} state;

typedef struct row {
    const char *name;
    void (*text)(state *), (*meaning)(state *);
    int lanes, bytes;
    bool (*same)(const void *, const void *, int);
    double error; /* of r against `exact`, in ulp; below 0: r is the same */
    int distance; /* of lanes in memory; 0: as s says */
    int joined;   /* half of the lanes lie side by side, the others s further on */
    int counted; /* 1: n counts lanes, 2: if f is set, 4: m chooses them, 8: j says places of a table,
                    16: elements between lanes exist */
    int rows;   /* 1: h counts what is written; 2: rows of n, which become columns */
    int result; /* bytes of an element of r */
} row;

extern const row rows[];
extern const int nrows;
extern const enum type type;

/* ---- single values ---- */

#if defined(__FLT16_MAX__) && !defined(__clang__)
static inline float get_f16(uint16_t h)
{
    _Float16 f;
    memcpy(&f, &h, sizeof f);
    return (float)f;
}

static inline uint16_t bits_f16(float x)
{
    _Float16 f = (_Float16)x;
    uint16_t h;
    memcpy(&h, &f, sizeof h);
    return h;
}
#endif

static inline float get_bf16(uint16_t h)
{
    uint32_t bits = (uint32_t)h << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Of the two bf16 that x lies between the nearer one, of equally near ones the even one. */
static inline uint16_t bits_bf16(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint16_t low = (uint16_t)(bits >> 16);
    uint32_t rest = bits & 0xffff;
    if (isnan(x))
        return low | 0x40;
    return (uint16_t)(low + (rest > 0x8000 || (rest == 0x8000 && low & 1)));
}

#define EXACT(name, x) (st->exact[l] = exact_##name((wide)(x)))
#define exact_exp W(exp)
#define exact_exp2 W(exp2)
#define exact_log W(log)
#define exact_log2 W(log2)
#define exact_tanh W(tanh)
#define exact_erf W(erf)
#define exact_floor W(floor)
#define exact_ceil W(ceil)
#define exact_fabs W(fabs)
#define exact_sigmoid wide_sigmoid
#define exact_rsqrt wide_rsqrt

static inline bool same_bits(const void *a, const void *b, int bytes)
{
    return memcmp(a, b, (size_t)bytes) == 0;
}

/* One NaN is as good as another. */
#define SAME(name, word, type, value)                                                              \
    static inline bool same_##name(const void *a, const void *b, int bytes)                        \
    {                                                                                              \
        word x, y;                                                                                 \
        memcpy(&x, a, sizeof x);                                                                   \
        memcpy(&y, b, sizeof y);                                                                   \
        return same_bits(a, b, bytes) || (isnan(value(x)) && isnan(value(y)));                     \
    }
#define AS_IT_IS(x) (x)
#define HALF(x) get_bf16((uint16_t)(((x)&0x7fff) > 0x7c00 ? 0x7fc0 : 0))
SAME(f32, float, float, AS_IT_IS)
SAME(f64, double, double, AS_IT_IS)
SAME(f16, uint16_t, float, HALF)
SAME(bf16, uint16_t, float, get_bf16)
#define same_i8 same_bits
#define same_i16 same_bits
#define same_i32 same_bits
#define same_i64 same_bits
#define same_u8 same_bits
#define same_u16 same_bits
#define same_u32 same_bits
#define same_u64 same_bits

/* ---- inputs ---- */

static uint64_t seed = 2026;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

/* An f32 near the border between two f16 or bf16. */
static uint32_t draw_border(void)
{
    int kept = type == TYPE_f16 ? 13 : 16;
    uint32_t exponent = type == TYPE_f16 ? 100 + (uint32_t)(draw() % 46) : (uint32_t)(draw() % 256);
    uint32_t bits = (uint32_t)draw() & 0x807fffff;
    bits = (bits >> kept << kept) | 1u << (kept - 1);
    return (bits | exponent << 23) + (uint32_t)(draw() % 3) - 1;
}

static uint64_t draw_f32(void)
{
    static const uint32_t hard[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff,
                                    0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
                                    0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x3f800000,
                                    0x477fe000, 0x477ff000, 0x33000000, 0x33000001, 0x38800000};
    float small = (float)(int64_t)(draw() % 17) - 8;
    uint32_t bits;
    memcpy(&bits, &small, sizeof bits);
    switch (draw() % 4) {
    case 0:
        return hard[draw() % (sizeof hard / sizeof hard[0])];
    case 1:
        return (uint32_t)draw();
    case 2:
        return type == TYPE_f32 ? bits ^ (draw() & 0x807fffff) : draw_border();
    default:
        return bits;
    }
}

static uint64_t draw_f64(void)
{
    static const uint64_t hard[] = {0,
                                    0x8000000000000000,
                                    1,
                                    0x8000000000000001,
                                    0x000fffffffffffff,
                                    0x0010000000000000,
                                    0x7fefffffffffffff,
                                    0xffefffffffffffff,
                                    0x7ff0000000000000,
                                    0xfff0000000000000,
                                    0x7ff8000000000000,
                                    0xfff8000000000001,
                                    0x7ff0000000000001,
                                    0x3ff0000000000000};
    double small = (double)(int64_t)(draw() % 17) - 8;
    uint64_t bits;
    memcpy(&bits, &small, sizeof bits);
    switch (draw() % 4) {
    case 0:
        return hard[draw() % (sizeof hard / sizeof hard[0])];
    case 1:
        return draw();
    case 2:
        return bits ^ (draw() & 0x800fffffffffffff);
    default:
        return bits;
    }
}

static uint64_t draw_half(void)
{
    static const uint16_t hard[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x7bff,
                                    0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x7f80, 0xff80, 0x7f81,
                                    0x7fc0, 0x80,   0x7f,   0x7f7f, 0x3c00, 0x3f80};
    return draw() % 2 ? hard[draw() % (sizeof hard / sizeof hard[0])] : draw();
}

static uint64_t draw_integer(int bytes)
{
    uint64_t high = UINT64_C(1) << (8 * bytes - 1);
    uint64_t hard[] = {0, 1, high - 1, high, high + 1, ~UINT64_C(0), 2 * high - 2, high >> 1};
    switch (draw() % 3) {
    case 0:
        return hard[draw() % 8];
    case 1:
        return draw();
    default:
        return draw() % 17 - 8;
    }
}

static void fill(unsigned char *to, int64_t n, int bytes)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t v = type == TYPE_f32                        ? draw_f32()
                     : type == TYPE_f64                      ? draw_f64()
                     : type == TYPE_f16 || type == TYPE_bf16 ? draw_half()
                                                             : draw_integer(bytes);
        memcpy(to + i * bytes, &v, (size_t)bytes);
    }
}

/* ---- memory ---- */

typedef struct region {
    unsigned char *from, *to;
} region;

static region region_new(size_t bytes)
{
    const size_t guard = 1 << 16;
    unsigned char *all =
        mmap(NULL, bytes + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + guard, bytes, PROT_READ | PROT_WRITE) != 0)
        exit(2);
    return (region){all + guard, all + guard + bytes};
}

/* The elements that a call may touch, from where its pointer points to. */
typedef struct span {
    int64_t lo, hi;
} span;

static span span_of(const row *r, const state *st)
{
    int64_t distance = r->distance ? r->distance : st->s, first = 0, n = r->lanes;
    if (r->counted & 8)
        return (span){0, TABLE};
    if (r->joined)
        return (span){st->s < 0 ? st->s : 0, n / 2 + (st->s < 0 ? 0 : st->s)};
    if (r->counted & 1 && (!(r->counted & 2) || st->f))
        n = st->n < 0 ? 0 : st->n < n ? st->n : n;
    if (r->counted & 4) {
        while (n > 0 && !st->m[(n - 1) * r->bytes])
            n--;
        while (first < n && !st->m[first * r->bytes])
            first++;
    }
    if (n == first)
        return (span){0, 0};
    int64_t a = first * distance, b = (n - 1) * distance;
    if (r->counted & 16)
        b += distance - 1;
    return a < b ? (span){a, b + 1} : (span){b, a + 1};
}

/* A pointer into the region, the span at one of its ends. */
static unsigned char *place(const region *to, span s, int bytes, bool high)
{
    return high ? to->to - s.hi * bytes : to->from - s.lo * bytes;
}

/* ---- rows ---- */

static void choose(const row *r, state *st, int trial)
{
    int n = trial % (r->lanes + 3) - 1;
    uint64_t mask = r->lanes <= 8 ? (uint64_t)trial : draw() & draw() >> (trial % 2 * 32);
    st->n = r->rows ? (int64_t)(draw() % (uint64_t)(2 * r->lanes + 2)) : n;
    st->h = (int64_t)(draw() % (uint64_t)(2 * r->lanes + 2));
    st->s = r->rows ? st->h + (int64_t)(draw() % 3) : (int64_t)(draw() % 11) - 5;
    st->d = st->n + (int64_t)(draw() % 3);
    st->f = trial / 3 % 2;
    st->k = trial % 4;
    if (!r->rows && st->s == 0) /* lanes that lie over each other are not stored */
        st->s = 1;
    for (int l = 0; l < r->lanes; l++)
        memset(st->m + l * r->bytes, mask >> l & 1 ? 0xff : 0, (size_t)r->bytes);
    memset(st->j, 0, sizeof st->j);
    for (int l = 0; l < r->lanes; l++)
        st->j[l * r->bytes] = (unsigned char)(draw() % TABLE);
    fill(st->a, r->lanes, r->bytes);
    fill(st->b, r->lanes, r->bytes);
    fill(st->c, r->lanes, r->bytes);
    fill(st->x, 1, r->bytes);
    for (int l = 0; l < r->lanes; l++) {
        uint32_t bits = (uint32_t)draw_f32();
        memcpy(st->e + 4 * l, &bits, 4);
    }
    if (r->rows || trial % 8 == 0)
        fill(st->y, (int64_t)r->lanes * r->lanes, r->bytes);
}

/* "" or what differs between the text's state and the meaning's. */
static const char *difference(const row *r, const state *text, const state *meaning)
{
    for (int l = 0; l < r->lanes; l++) {
        const unsigned char *x = text->r + l * r->result, *y = meaning->r + l * r->result;
        real value = 0;
        memcpy(&value, x, r->error < 0 ? 0 : sizeof value);
        if (r->error < 0 ? !r->same(x, y, r->result)
                         : distance(value, meaning->exact[l]) > r->error)
            return "the result";
    }
    if (!r->same(text->x, meaning->x, r->bytes))
        return "the value";
    if (memcmp(text->z, meaning->z, (size_t)(r->lanes * r->lanes * r->bytes)) != 0)
        return "the vectors";
    return "";
}

/* One call beside its meaning. */
static const char *differs(const row *r, int trial, const region *q, const region *p)
{
    static state text, meaning;
    static unsigned char before[TURNED], after[TURNED];
    size_t size = (size_t)(p->to - p->from);
    bool high = trial / (r->lanes + 3) % 2;
    choose(r, &text, trial);
    span from = span_of(r, &text), to = from;
    if (r->rows & 2) {
        from = (span){0, text.n > 0 && text.h > 0 ? (text.h - 1) * text.d + text.n : 0};
        to = (span){0, text.n > 0 && text.h > 0 ? (text.n - 1) * text.s + text.h : 0};
    } else if (r->rows) {
        from = (span){0, r->counted & 1 ? text.n : text.h > 0 ? (text.h - 1) * r->distance + 1 : 0};
        to = (span){0, text.h};
    }
    text.q = place(q, from, r->bytes, high);
    text.p = place(p, to, r->bytes, high);
    fill(text.q + from.lo * r->bytes, from.hi - from.lo, r->bytes);
    memset(text.r, 0, sizeof text.r);
    memset(text.z, 0, (size_t)(r->lanes * r->lanes * r->bytes));
    meaning = text;
    memcpy(before, p->from, size);
    r->text(&text);
    memcpy(after, p->from, size);
    memcpy(p->from, before, size);
    r->meaning(&meaning);
    if (memcmp(after, p->from, size) != 0)
        return "memory";
    return difference(r, &text, &meaning);
}

int main(void)
{
    int wrong = 0;
    const region q[] = {region_new(1 << 12), region_new(TURNED)},
                 p[] = {region_new(1 << 12), region_new(TURNED)};
    for (int i = 0; i < nrows; i++) {
        const row *r = &rows[i];
        const char *what = "";
        int trials = r->rows ? 60 : r->lanes <= 8 && r->counted & 4 ? 2 << r->lanes : 0, t = 0;
        trials = trials < 60 ? 60 : trials;
        if (!r->rows && trials < 4 * (r->lanes + 3))
            trials = 4 * (r->lanes + 3);
        for (; t < trials && !*what; t++)
            what = differs(r, t, &q[r->rows > 0], &p[r->rows > 0]);
        if (*what)
            printf("%s: %s differs from what it means (call %d)\n", r->name, what, t);
        wrong += *what != 0;
    }
    printf("%d rows executed, %d wrong\n", nrows, wrong);
    return wrong > 0;
}
