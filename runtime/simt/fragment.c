/* Fragments: lanes of a warp pass their parts, and the last one computes the whole operation.
 * Products are exact, sums have the accumulator's type and the order of k; the device may sum in
 * another order. Memory is accessed by each lane for its part, up to 16 bytes at a time. */
#include "runtime/simt/simt.h"
#include <math.h>
#include <string.h>

enum { MOST = 32 * 16 };

static const size_t bytes_of[] = {
    [SIMT_F16] = 2, [SIMT_BF16] = 2, [SIMT_TF32] = 4, [SIMT_F32] = 4,
    [SIMT_F64] = 8, [SIMT_S8] = 1,   [SIMT_U8] = 1,   [SIMT_S32] = 4,
};

/* Returns the value as the instruction uses it: tf32 drops the last 13 bits. */
static double get(int type, const void *p)
{
    union {
        uint16_t h;
        uint32_t w;
        float f;
        double d;
        int8_t s;
        uint8_t u;
        int32_t i;
    } v;
    memcpy(&v, p, bytes_of[type]);
    if (type == SIMT_TF32)
        v.w &= 0xffffe000u;
    switch (type) {
    case SIMT_F16:
        return simt_from_f16(v.h);
    case SIMT_BF16:
        return simt_from_bf16(v.h);
    case SIMT_F64:
        return v.d;
    case SIMT_S8:
        return v.s;
    case SIMT_U8:
        return v.u;
    case SIMT_S32:
        return v.i;
    default:
        return v.f;
    }
}

static void put(int type, void *p, double x)
{
    float f = (float)x;
    int32_t i = type == SIMT_S32 ? (int32_t)(uint32_t)(int64_t)x : 0; /* sums wrap around */
    uint16_t h = type == SIMT_F16 ? simt_to_f16(x) : simt_to_bf16(x);
    const void *from = type == SIMT_F64   ? (const void *)&x
                       : type == SIMT_S32 ? (const void *)&i
                       : type == SIMT_F32 ? (const void *)&f
                                          : (const void *)&h;
    memcpy(p, from, bytes_of[type]);
}

/* Returns one element of d, starting from c. */
static double dot(int sum, double c, const double *a, const double *b, int k, int step)
{
    float f = (float)c;
    for (int i = 0; i < k && sum != SIMT_F64 && sum != SIMT_S32; i++)
        f = fmaf((float)a[i], (float)b[i * step], f);
    if (sum != SIMT_F64 && sum != SIMT_S32)
        return f;
    for (int i = 0; i < k; i++)
        c = fma(a[i], b[i * step], c);
    return c;
}

/* ---- fragments in memory ---- */

struct part {
    simt_matrix m[4]; /* d, a, b, c; or the one that is loaded or stored */
    char *memory;
    long pitch;
    int by_rows, is_store;
};

static void *element(const simt_matrix *m, int e)
{
    return (char *)m->data + (size_t)(e / SIMT_LANES) * bytes_of[m->type];
}

/* All lanes must pass the same address: others would each read a matrix of their own. */
static void check_alike(simt_warp_op **op, unsigned mask)
{
    unsigned first = (unsigned)__builtin_ctz(mask);
    const struct part *one = op[first]->payload;
    simt_where at = simt_at_place(op[first]->at);
    for (unsigned l = first; l < SIMT_LANES; l++) {
        const struct part *p = op[l] ? op[l]->payload : one;
        if ((p->memory == one->memory && p->pitch == one->pitch) ||
            !simt_found(SIMT_LANES_MISSING, &at, NULL))
            continue;
        simt_found_text("lanes %u and %u of a warp bring different addresses or distances of rows "
                        "to this fragment",
                        first, l);
    }
}

static void move_all(simt_warp_op **op, unsigned mask)
{
    check_alike(op, mask);
    for (unsigned l = 0; l < SIMT_LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        struct part *p = op[l]->payload;
        const simt_matrix *m = &p->m[0];
        size_t n = bytes_of[m->type];
        for (int e = (int)l; e < m->rows * m->cols; e += SIMT_LANES) {
            int r = e / m->cols, c = e % m->cols;
            long at = p->by_rows ? r * p->pitch + c : c * p->pitch + r;
            void *here = element(m, e), *there = p->memory + at * (long)n;
            memcpy(p->is_store ? there : here, p->is_store ? here : there, n);
        }
    }
}

static void join(void (*all)(simt_warp_op **, unsigned), void *payload, simt_place at)
{
    simt_warp_op op = {SIMT_OP_MATRIX, ~0u, at, "fragment", all, payload};
    simt_warp_join(&op);
}

/* Performs this lane's share of the accesses. */
static void touch(const struct part *p, uintptr_t pc)
{
    const simt_matrix *m = &p->m[0];
    size_t n = bytes_of[m->type];
    int line = p->by_rows ? m->cols : m->rows;
    size_t line_bytes = (size_t)line * n, unit = line_bytes < 16 ? line_bytes : 16;
    size_t of_line = line_bytes / unit, units = (size_t)(m->rows * m->cols) * n / unit;
    int flags = SIMT_MATRIX | (p->is_store ? SIMT_WRITE : 0);
    for (size_t i = simt_now.self->lane; i < units; i += SIMT_LANES) {
        /* Lines first, as ldmatrix does. */
        size_t lines = units / of_line, at = i % lines, rest = i / lines;
        simt_access(p->memory + (long)at * p->pitch * (long)n + rest * unit, unit, flags, pc);
    }
}

static void move(struct part *p, simt_place at, uintptr_t pc)
{
    size_t n = bytes_of[p->m[0].type];
    char who[96];
    simt_where where = simt_at_place(at);
    if (((uintptr_t)p->memory % 32 || (size_t)p->pitch * n % 16) &&
        simt_found(SIMT_MISALIGNED, &where, NULL))
        simt_found_text("a fragment at an address that is %zu bytes past a multiple of 32, with "
                        "rows %zu bytes apart (a multiple of 16 is needed), by %s",
                        (size_t)((uintptr_t)p->memory % 32), (size_t)p->pitch * n,
                        simt_thread_name(simt_now.self->linear, simt_now.block, who, sizeof who));
    touch(p, pc);
    join(move_all, p, at);
}

void simt_fragment_load(simt_matrix to, const void *from, long pitch, int by_rows, simt_place at)
{
    struct part p = {{to}, (char *)(uintptr_t)from, pitch, by_rows, 0};
    move(&p, at, (uintptr_t)__builtin_return_address(0));
}

void simt_fragment_store(simt_matrix from, void *to, long pitch, int by_rows, simt_place at)
{
    struct part p = {{from}, to, pitch, by_rows, 1};
    move(&p, at, (uintptr_t)__builtin_return_address(0));
}

/* ---- products of fragments ---- */

static void gather(simt_warp_op **op, int which, double *to)
{
    const simt_matrix *first = &((struct part *)op[0]->payload)->m[which];
    for (int e = 0; e < first->rows * first->cols; e++)
        to[e] =
            get(first->type, element(&((struct part *)op[e % SIMT_LANES]->payload)->m[which], e));
}

/* Counts the products of a fragment, independent of the operations used here (fmaf counts
 * itself). */
static void count_flops(uint64_t before, uint64_t n)
{
    simt_flops = before + n;
    simt_worked.matrix_flops += n;
    simt_worked.matrix++;
}

static void mma_all(simt_warp_op **op, unsigned mask)
{
    static double a[MOST], b[MOST], c[MOST];
    if (mask != ~0u)
        return; /* an incomplete warp has no fragments */
    const struct part *p = op[0]->payload;
    const uint64_t before = simt_flops;
    int m = p->m[1].rows, k = p->m[1].cols, n = p->m[2].cols, sum = p->m[0].type;
    gather(op, 1, a);
    gather(op, 2, b);
    gather(op, 3, c);
    for (int e = 0; e < m * n; e++)
        put(sum, element(&((struct part *)op[e % SIMT_LANES]->payload)->m[0], e),
            dot(p->m[3].type, c[e], a + (ptrdiff_t)(e / n) * k, b + e % n, k, n));
    count_flops(before, 2ull * (unsigned)(m * n * k));
}

void simt_fragment_mma(simt_matrix d, simt_matrix a, simt_matrix b, simt_matrix c, simt_place at)
{
    struct part p = {.m = {d, a, b, c}};
    join(mma_all, &p, at);
}

/* ---- mma.sync ---- */

struct mma {
    int type, sum, k;
    void *d;
    const void *a, *b, *c;
};

/* Gathers a matrix from register r (of 32 bits, or one f64), element e of lane l. Lanes form eight
 * groups of four: a group has a row of a and c and a column of b. */
static void gather_mma(simt_warp_op **op, double *a, double *b)
{
    const struct mma *first = op[0]->payload;
    int type = first->type, k = first->k;
    int width = (int)bytes_of[type], per = width >= 4 ? 1 : 4 / width;
    int halves = type == SIMT_F64 ? 1 : 2, steps = k / (4 * per);
    for (int l = 0; l < SIMT_LANES; l++) {
        const struct mma *m = op[l]->payload;
        int row = l / 4, col = l % 4 * per;
        for (int r = 0; r < halves * steps * per; r++) {
            int e = r % per, reg = r / per;
            a[(row + 8 * (reg % halves)) * k + col + e + reg / halves * 4 * per] =
                get(type, (const char *)m->a + (size_t)r * (size_t)width);
        }
        for (int r = 0; r < steps * per; r++)
            b[(col + r % per + r / per * 4 * per) * 8 + row] =
                get(type, (const char *)m->b + (size_t)r * (size_t)width);
    }
}

static void mma_sync_all(simt_warp_op **op, unsigned mask)
{
    static double a[MOST], b[MOST];
    if (mask != ~0u)
        return;
    const struct mma *first = op[0]->payload;
    int sum = first->sum, k = first->k, halves = first->type == SIMT_F64 ? 1 : 2;
    size_t width = bytes_of[sum];
    const uint64_t before = simt_flops;
    gather_mma(op, a, b);
    for (int l = 0; l < SIMT_LANES; l++) {
        const struct mma *m = op[l]->payload;
        double value[4];
        for (int r = 0; r < 2 * halves; r++) {
            int row = l / 4 + 8 * (r / 2), col = l % 4 * 2 + r % 2;
            value[r] = dot(sum, get(sum, (const char *)m->c + (size_t)r * width),
                           a + (ptrdiff_t)row * k, b + col, k, 8);
        }
        for (int r = 0; r < 2 * halves; r++)
            put(sum, (char *)m->d + (size_t)r * width, value[r]);
    }
    count_flops(before, 2ull * 8 * (unsigned)(8 * halves) * (unsigned)k);
}

void simt_mma(int type, int sum, int k, void *d, const void *a, const void *b, const void *c,
              simt_place at)
{
    struct mma m = {type, sum, k, d, a, b, c};
    join(mma_sync_all, &m, at);
}

/* ---- ldmatrix ---- */

struct rows {
    int n, transposed;
    unsigned *to;
    const uint16_t *row;
};

static void ldmatrix_all(simt_warp_op **op, unsigned mask)
{
    if (mask != ~0u)
        return;
    for (int l = 0; l < SIMT_LANES; l++) {
        struct rows *mine = op[l]->payload;
        for (int i = 0; i < mine->n; i++) {
            uint16_t half[2];
            for (int e = 0; e < 2; e++) {
                int r = l / 4, c = l % 4 * 2 + e;
                int from = mine->transposed ? c : r, at = mine->transposed ? r : c;
                half[e] = ((struct rows *)op[8 * i + from]->payload)->row[at];
            }
            memcpy(&mine->to[i], half, sizeof half);
        }
    }
}

void simt_ldmatrix(int n, int transposed, unsigned *to, const void *row, simt_place at)
{
    struct rows r = {n, transposed, to, row};
    if ((int)simt_now.self->lane < 8 * n)
        simt_access(row, 16, SIMT_MATRIX, (uintptr_t)__builtin_return_address(0));
    join(ldmatrix_all, &r, at);
}
