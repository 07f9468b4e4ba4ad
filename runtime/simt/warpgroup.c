/* Warpgroup: the product of wgmma, warp by warp: each has 16 of the 64 rows and reads its rows and
 * all columns from shared memory at once. On a device the instruction is asynchronous; writes to
 * its operands before the next barrier are detected nevertheless, because reads and writes between
 * two barriers are compared. */
#include "runtime/simt/simt.h"
#include <math.h>

enum { ROWS = 16, STEPS = 16, MOST_COLUMNS = 256, UNIT = 16 /* bytes */, BYTES = 2 };

struct wgmma {
    int type, n;
    float *const *d;
    simt_operand a, b;
};

/* Returns the address of the element of a row or column x and of a step. */
static const char *element(const simt_operand *o, int x, int step)
{
    const char *at = o->at;
    at += o->steps_along ? x / 8 * 1024 + x % 8 * 128 + step * BYTES
                         : x / 64 * o->lead * BYTES + x % 64 * BYTES + step * 128;
    return (const char *)((uintptr_t)at ^ ((uintptr_t)at >> 7 & 7) << 4);
}

/* Accesses this lane's share of the units that its warp reads, of rows or columns from x on. */
static void touch(const simt_operand *o, int x, int n, uintptr_t pc)
{
    const int each = UNIT / BYTES;
    int lines = o->steps_along ? n : STEPS, units = (o->steps_along ? STEPS : n) / each;
    for (int i = (int)simt_now.self->lane; i < lines * units; i += SIMT_LANES) {
        int line = i % lines, unit = i / lines * each;
        simt_access(o->steps_along ? element(o, x + line, unit) : element(o, x + unit, line), UNIT,
                    SIMT_MATRIX, pc);
    }
}

static float value(int type, const char *p)
{
    uint16_t h;
    __builtin_memcpy(&h, p, sizeof h);
    return type == SIMT_F16 ? simt_from_f16(h) : simt_from_bf16(h);
}

static int first_row(void)
{
    return (int)(simt_now.self->linear / SIMT_LANES % 4) * ROWS;
}

static void multiply(simt_warp_op **op, unsigned mask)
{
    static float a[ROWS][STEPS], b[MOST_COLUMNS][STEPS];
    const struct wgmma *first = op[0] ? op[0]->payload : NULL;
    const uint64_t before = simt_flops;
    if (mask != ~0u)
        return; /* an incomplete warp has no instruction */
    for (int k = 0; k < STEPS; k++) {
        for (int i = 0; i < ROWS; i++)
            a[i][k] = value(first->type, element(&first->a, first_row() + i, k));
        for (int j = 0; j < first->n; j++)
            b[j][k] = value(first->type, element(&first->b, j, k));
    }
    for (int l = 0; l < SIMT_LANES; l++) {
        const struct wgmma *w = op[l]->payload;
        for (int e = 0; e < w->n / 2; e++) {
            int row = l / 4 + e / 2 % 2 * 8, column = e / 4 * 8 + l % 4 * 2 + e % 2;
            for (int k = 0; k < STEPS; k++)
                *w->d[e] = fmaf(a[row][k], b[column][k], *w->d[e]);
        }
    }
    simt_flops = before + 2ull * ROWS * STEPS * (unsigned)first->n;
    simt_worked.matrix_flops += 2ull * ROWS * STEPS * (unsigned)first->n;
    simt_worked.matrix++;
}

void simt_wgmma(int type, int n, float *const *d, simt_operand a, simt_operand b, simt_place at)
{
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    struct wgmma w = {type, n, d, a, b};
    simt_warp_op op = {SIMT_OP_MATRIX, ~0u, at, "wgmma", multiply, &w};
    touch(&a, first_row(), ROWS, pc);
    touch(&b, 0, n, pc);
    simt_warp_join(&op);
}
