/* Interpret, instructions: what the rows of instruction.h do. Fragments of matrices are words of elements, in the
 * layout of the instructions (codegen/tile/tile_tensor.c). Products are exact, and sums are rounded as they grow. */
#include "codegen/code/interpret_threads.h"
#include "ir/dependence/tensor.h"
#include "support/memory.h"
#include <math.h>
#include <stdlib.h>

typedef sq_linked_step step;
typedef sq_interpretation run;

/* ---- words ---- */

/* Bits of a floating type: of its exponent, and of the fraction. */
typedef struct form {
    int exponent, fraction;
} form;

static form form_of(sq_type t)
{
    return t == SQ_F16 ? (form){5, 10} : t == SQ_BF16 ? (form){8, 7} : (form){8, 23};
}

/* Returns the bits of a value that the type has. */
static uint32_t bits_of(sq_type t, sq_number n)
{
    const form f = form_of(t);
    const int bias = (1 << (f.exponent - 1)) - 1, most = 2 * bias + 1;
    if (!sq_type_real(t))
        return (uint32_t)n.integer & (sq_type_bytes(t) == 1 ? 0xff : 0xffff);
    int e = 0;
    double x = fabs(n.real), part = frexp(x, &e);
    uint32_t sign = signbit(n.real) ? 1u << (f.exponent + f.fraction) : 0, top = (uint32_t)most << f.fraction;
    if (isnan(x) || isinf(x))
        return sign | top | (isnan(x) ? 1u << (f.fraction - 1) : 0);
    if (x == 0 || e + bias - 1 < 1) /* subnormal */
        return sign | (uint32_t)ldexp(x, f.fraction + bias - 1);
    return sign | (uint32_t)(e + bias - 1) << f.fraction | (uint32_t)ldexp(2 * part - 1, f.fraction);
}

static double real_of(sq_type t, uint32_t bits)
{
    const form f = form_of(t);
    const int bias = (1 << (f.exponent - 1)) - 1, e = (int)(bits >> f.fraction) & (2 * bias + 1);
    const uint32_t part = bits & ((1u << f.fraction) - 1);
    double x = e == 0              ? ldexp(part, 1 - bias - f.fraction)
               : e == 2 * bias + 1 ? (part ? NAN : INFINITY)
                                   : ldexp(part | 1u << f.fraction, e - bias - f.fraction);
    return bits >> (f.exponent + f.fraction) & 1 ? -x : x;
}

/* Returns element e of a word. */
static double element_of(sq_type t, uint32_t word, int e)
{
    int size = 8 * sq_type_bytes(t);
    uint32_t bits = size == 32 ? word : word >> size * e & ((1u << size) - 1);
    if (sq_type_real(t))
        return real_of(t, bits);
    return sq_type_unsigned(t) ? (double)bits : (double)(int8_t)bits;
}

/* Returns the element of a buffer, which must have been written. */
static sq_number stored(run *r, const sq_cells *c, int64_t at)
{
    if (!c->defined[at])
        sq_run_fail(r, "an instruction reads %s, which was never written", sq_run_place(r, c, at));
    if (c->touched)
        sq_run_touch(r, c, at, false);
    return c->at[at];
}

/* Returns a word of contiguous elements. */
static uint32_t word_at(run *r, const sq_cells *c, int64_t at)
{
    int bytes = sq_type_bytes(c->buffer->type);
    uint32_t word = 0;
    for (int e = 0; e < 4 / bytes; e++)
        word |= bits_of(c->buffer->type, stored(r, c, at + e)) << 8 * bytes * e;
    return word;
}

/* ---- one thread ---- */

static void load_word(run *r, const step *s)
{
    int n = s->x->instruction->noperands - 1;
    uint32_t word = 0;
    for (int e = 0; e < n; e++) {
        int64_t at;
        const sq_cells *c = sq_run_address(r, s, 1 + e, 1, &at);
        word |= c ? bits_of(c->buffer->type, stored(r, c, at)) << 32 / n * e : 0;
    }
    sq_run_write(r, s, 0, 0, (sq_number){.integer = word});
}

/* To tf32: to nearest, ties away from zero. */
static void round_word(run *r, const step *s)
{
    uint32_t x = (uint32_t)sq_run_read(r, s, 0, 0).integer;
    bool is_nan = (x & 0x7fffffff) > 0x7f800000;
    sq_run_write(r, s, 0, 0, (sq_number){.integer = is_nan ? x : (x + 0x1000) & 0xffffe000});
}

static void start_copy(run *r, const step *s)
{
    struct sq_run_block *b = r->block;
    int64_t to, from, n = s->x->instruction->n / sq_type_bytes(s->of[0]->buffer->type),
                      zeros = s->x->instruction->noperands > 2 ? sq_run_index(r, s->at[2]) : 0,
                      left = n - zeros / sq_type_bytes(s->of[0]->buffer->type);
    sq_cells *c = sq_run_address(r, s, 0, n, &to), *of = left > 0 ? sq_run_address(r, s, 1, left, &from) : NULL;
    for (int64_t e = 0; e < n && !r->wrong; e++) {
        sq_on_its_way *own = b->unused ? b->unused : SQ_NEW(r->arena, sq_on_its_way);
        b->unused = b->unused ? b->unused->next : NULL;
        *own = (sq_on_its_way){c, to + e, b->group[b->thread], (sq_number){0}, b->copies[b->thread]};
        if (e < left)
            own->value = stored(r, of, from + e);
        b->copies[b->thread] = own;
        c->defined[to + e] = false;
        sq_run_touch(r, c, to + e, true);
    }
}

static void wait(run *r, int groups)
{
    struct sq_run_block *b = r->block;
    for (sq_on_its_way **at = &b->copies[b->thread]; *at;) {
        sq_on_its_way *x = *at;
        if (x->group >= b->group[b->thread] - groups) {
            at = &x->next;
            continue;
        }
        sq_run_touch(r, x->to, x->at, true);
        x->to->at[x->at] = x->value;
        x->to->defined[x->at] = true;
        *at = x->next;
        x->next = b->unused;
        b->unused = x;
    }
}

void sq_run_instruction(run *r, const step *s)
{
    switch (s->x->instruction->row) {
    case SQ_INSTRUCTION_COPY:
        start_copy(r, s);
        break;
    case SQ_INSTRUCTION_COMMIT:
        r->block->group[r->block->thread]++;
        break;
    case SQ_INSTRUCTION_WAIT:
        wait(r, s->x->instruction->n);
        break;
    case SQ_INSTRUCTION_WORD:
        load_word(r, s);
        break;
    case SQ_INSTRUCTION_ROUND:
        round_word(r, s);
        break;
    default: /* products of a warpgroup are complete at once */
        break;
    }
}

/* ---- a warp ---- */

static void shuffle(run *r, const step *s, int first)
{
    sq_number all[SQ_RUN_WARP];
    for (int l = 0; l < SQ_RUN_WARP && !r->wrong; l++) {
        sq_run_enter(r, first + l);
        all[l] = sq_run_read(r, s, 1, 0);
    }
    for (int l = 0; l < SQ_RUN_WARP && !r->wrong; l++) {
        sq_run_enter(r, first + l);
        sq_run_write(r, s, 0, 0, all[l ^ s->x->instruction->n]);
        sq_run_leave(r);
    }
}

static void load_matrices(run *r, const step *s, int first)
{
    const sq_code_instruction *x = s->x->instruction;
    int64_t at[SQ_RUN_WARP];
    const sq_cells *row[SQ_RUN_WARP];
    for (int l = 0; l < 8 * x->n && !r->wrong; l++) {
        sq_run_enter(r, first + l);
        const sq_cells *c = s->of[1];
        row[l] = sq_run_address(r, s, 1, 16 / sq_type_bytes(c->buffer->type), &at[l]);
    }
    for (int l = 0; l < SQ_RUN_WARP && !r->wrong; l++) {
        sq_run_enter(r, first + l);
        for (int m = 0; m < x->n && !r->wrong; m++) {
            int a = 8 * m + (x->turns[0] ? l % 4 * 2 : l / 4);
            sq_type t = row[a]->buffer->type;
            uint32_t word = x->turns[0] ? bits_of(t, stored(r, row[a], at[a] + l / 4)) |
                                              bits_of(t, stored(r, row[a + 1], at[a + 1] + l / 4)) << 16
                                        : word_at(r, row[a], at[a] + l % 4 * (4 / sq_type_bytes(t)));
            sq_run_write(r, s, 0, m, (sq_number){.integer = word});
        }
        sq_run_leave(r);
    }
}

enum { MOST_STEPS = 32, GROUP_STEPS = 16 };

/* A product of matrices: a[row][step] of the rows, b[column][step] of the columns. */
typedef struct product {
    sq_type sum;
    int steps;
    double a[16 * MOST_STEPS], b[SQ_WARPGROUP_COLUMNS * MOST_STEPS];
} product;

/* Adds the element of a row and column to the sum. */
static sq_number added(const product *p, sq_number sum, int row, int column)
{
    for (int k = 0; k < p->steps; k++) {
        double one = p->a[row * p->steps + k] * p->b[column * p->steps + k];
        if (sq_type_real(p->sum))
            sum.real = (float)(sum.real + one);
        else
            sum.integer = (int32_t)(uint32_t)(sum.integer + (int64_t)one);
    }
    return sum;
}

/* Adds to the n sums of a lane, which are operands from 0 on: row lane / 4, columns lane % 4 * 2 and the next one,
 * then the same 8 rows below, then the next 8 columns. */
static void add_all(run *r, const step *s, const product *p, int lane, int n)
{
    for (int e = 0; e < n && !r->wrong; e++) {
        int row = lane / 4 + e / 2 % 2 * 8, column = e / 4 * 8 + lane % 4 * 2 + e % 2;
        sq_run_write(r, s, e, 0, added(p, sq_run_read(r, s, e, 0), row, column));
    }
}

/* Takes a lane's fragments: register r of rows has row lane / 4 + 8 (r % 2), steps of half r / 2; of columns, column
 * lane / 4, steps of half r. */
static void take_fragments(run *r, const step *s, product *p, int lane)
{
    const sq_type t = s->x->instruction->type;
    int per = 4 / sq_type_bytes(t), half = p->steps / 2;
    for (int reg = 0; reg < 6 && !r->wrong; reg++) {
        bool columns = reg >= 4;
        int own = columns ? reg - 4 : reg, step_at = half * (columns ? own : own / 2) + lane % 4 * per,
            line = lane / 4 + (columns ? 0 : own % 2 * 8);
        uint32_t word = (uint32_t)sq_run_read(r, s, columns ? 5 : 4, own).integer;
        for (int e = 0; e < per; e++)
            (columns ? p->b : p->a)[line * p->steps + step_at + e] = element_of(t, word, e);
    }
}

static void multiply(run *r, const step *s, product *p, int first)
{
    p->steps = 32 / sq_type_bytes(s->x->instruction->type);
    for (int l = 0; l < SQ_RUN_WARP && !r->wrong; l++) {
        sq_run_enter(r, first + l);
        take_fragments(r, s, p, l);
    }
    for (int l = 0; l < SQ_RUN_WARP && !r->wrong; l++) {
        sq_run_enter(r, first + l);
        add_all(r, s, p, l, 4);
        sq_run_leave(r);
    }
}

/* ---- a warpgroup ---- */

/* Takes n lines, rows or columns, from line `from` on, of an operand whose address is operand o. */
static void take_lines(run *r, const step *s, int o, bool turns, int from, int n, double *to)
{
    int64_t at, lead = sq_run_index(r, s->at[o + 1]);
    const sq_cells *c = sq_run_address(r, s, o, 0, &at);
    for (int x = from; x < from + n; x++)
        for (int k = 0; k < GROUP_STEPS && !r->wrong; k++) {
            int64_t e = at + (turns ? x / 64 * lead + x % 64 + (int64_t)k * 64 : (int64_t)x * 64 + k);
            e = sq_run_swizzled(e);
            if (e < 0 || e >= c->count)
                sq_run_fail(r, "an instruction reads element %lld of %s, which is outside of it", (long long)e,
                            c->buffer->name);
            else
                to[(x - from) * GROUP_STEPS + k] = stored(r, c, e).real;
        }
}

static void multiply_group(run *r, const step *s, product *p, int first)
{
    const sq_code_instruction *x = s->x->instruction;
    int sums = x->n / 2;
    p->steps = GROUP_STEPS;
    for (int w = 0; w < 4 && !r->wrong; w++) {
        sq_run_enter(r, first + w * SQ_RUN_WARP);
        take_lines(r, s, sums, x->turns[0], 16 * w, 16, p->a);
        take_lines(r, s, sums + 2, x->turns[1], 0, x->n, p->b);
        for (int l = 0; l < SQ_RUN_WARP && !r->wrong; l++) {
            sq_run_enter(r, first + w * SQ_RUN_WARP + l);
            add_all(r, s, p, l, sums);
            sq_run_leave(r);
        }
    }
}

void sq_run_warp(run *r, const step *s, int first)
{
    const sq_code_instruction *x = s->x->instruction;
    if (x->row == SQ_INSTRUCTION_SHUFFLE) {
        shuffle(r, s, first);
        return;
    }
    if (x->row == SQ_INSTRUCTION_LDMATRIX) {
        load_matrices(r, s, first);
        return;
    }
    product *p = sq_allocated(calloc(1, sizeof *p));
    p->sum = x->operand[0].buffer->type;
    (x->row == SQ_INSTRUCTION_MMA ? multiply : multiply_group)(r, s, p, first);
    free(p);
}
