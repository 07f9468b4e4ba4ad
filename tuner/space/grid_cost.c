/* Grid cost: counts the work of a unit's launches from its shape and its parameters only;
 * ir/machine/device.h has the machine's properties. Registers are an estimate here: the compiler's
 * report is better, if available (tuner/measure/runner_model.c). */
#include "tuner/space/grid_unit.h"
#include <math.h>
#include <stddef.h>

/* The same on all architectures (manual: CUDA C++ programming guide). */
enum {
    SECTOR = 32,         /* smallest transfer from the L2 cache in bytes */
    PORT = 128,          /* bytes per cycle of shared memory */
    VECTOR = 16,         /* most bytes that a thread loads or copies at once */
    FRAGMENT_ROWS = 16,  /* rows, or columns, of the fragment that one load fills: 512 bytes */
    FRAGMENT_CYCLES = 4, /* cycles of shared memory for that */
    MOST_REGISTERS = 255
};

/* Properties of nvcc's code for the emitted text. Estimates; those of copies and steps are fitted
 * like device.c's: if the compiler's report is available it is used instead. */
enum {
    OWN_REGISTERS = 40,      /* for addresses and counters */
    TENSOR_REGISTERS = 24,   /* the same with matrix instructions */
    STAGED_REGISTERS = 12,   /* additional ones for copies ahead */
    SIMPLE_REGISTERS = 32,   /* of loops without a tile */
    COPY_INSTRUCTIONS = 20,  /* per vector copied if all of a tile is in its array */
    CHECKED_COPIES = 5,      /* factor of that if the bounds of each vector are tested */
    FEW_BLOCKS = 300,        /* with fewer blocks, the slowest one matters */
    STEP_INSTRUCTIONS = 200, /* per warp, for loops, barriers and addresses */
    POINT_INSTRUCTIONS = 4,  /* per warp, for an iteration of a loop over points */
    MATRIX_LATENCY = 25,     /* cycles */
    WARPGROUP_LATENCY = 128, /* cycles of one instruction of 256 columns at the peak */
    WARPGROUP_REGISTERS = 60,
    UNROLLED = 4 /* iterations of a loop whose loads are in flight together */
};
/* Rows in shared memory relative to those without padding against bank conflicts. An estimate. */
static const double padding = 1.1;

/* Multiply-adds of a warpgroup's instructions relative to a warp's: the peaks of an H200. */
static const double warpgroup_rate = 2048.0 / 1270;

/* Time to combine partial sums, in accesses to device memory: five shuffles; for several warps,
 * also shared memory. Estimates. */
static const double meet_in_warp = 0.2, meet_in_block = 0.3;

/* Loops that auto() schedules. Estimates. */
enum { TREE_THREADS = 128 };        /* the best number */
static const double tree_way = 0.1, /* added for each later variant, */
    tree_threads = 0.02;            /* and for each factor of two from the best number */

typedef struct extents {
    double of[SQ_MAX_DIMS];
} extents;

static double parts(double n, double of)
{
    return ceil(n / of);
}

/* Returns the elements along a subscript of the operand that a box spans, whether they exist or not. */
static double spanned(const sq_operand *o, int a, const extents *box)
{
    double len = 1 + (double)o->window[a];
    for (int d = 0; d < SQ_MAX_DIMS; d++)
        len += fabs((double)o->coef[a][d]) * (fmax(1, box->of[d]) - 1);
    return len;
}

/* Returns the number of elements of the operand that a box accesses. */
static double touched(const sq_operand *o, const extents *box)
{
    double n = 1;
    for (int a = 0; a < o->nsubs; a++)
        n *= fmin(spanned(o, a, box), fmax(1, (double)o->extent[a]));
    return n;
}

/* Returns the number of elements of a copy for the box: a whole tile, also of a shorter array. */
static double allocated(const sq_operand *o, const extents *box)
{
    double n = 1;
    for (int a = 0; a < o->nsubs; a++)
        n *= spanned(o, a, box);
    return n;
}

/* Returns the bytes of the sectors of those elements: at least one sector per row, and at most one
 * per element, however large the stride is. */
static double sectors(const sq_operand *o, const extents *box)
{
    double row = 1, elements = 1, n = touched(o, box);
    for (int d = 0; d < SQ_MAX_DIMS && o->nsubs; d++) {
        double c = fabs((double)o->coef[o->nsubs - 1][d]);
        row += c * (fmax(1, box->of[d]) - 1);
        elements *= c > 0 ? fmax(1, box->of[d]) : 1;
    }
    row = fmin(row, n);
    return n / row * fmax(SECTOR, fmin(row * o->bytes, elements * SECTOR));
}

static extents whole(const sq_shape *h)
{
    extents e = {{0}};
    for (int d = 0; d < h->ndim; d++)
        e.of[d] = (double)h->extent[d];
    return e;
}

/* Returns the bytes of all arrays; written ones count twice if they are read as well. */
static double all_bytes(const sq_shape *h)
{
    extents e = whole(h);
    double sum = 0;
    for (int i = 0; i < h->noperands; i++)
        sum += touched(&h->operand[i], &e) * h->operand[i].bytes;
    return sum;
}

static double fma_rate(const sq_grid_shape *h, const sq_device *d)
{
    sq_type t = h->g->stmt[0]->write->array->type;
    if (t == SQ_F64)
        return d->fma_f64;
    return t == SQ_F32 ? d->fma_f32 : d->fma_f32 / 2.0;
}

/* ---- products ---- */

typedef struct tile {
    const sq_grid_unit *u;
    const sq_grid_shape *h;
    int row, column, serial;
    double lines; /* along further rows, such as lines of pixels */
    extents box;  /* elements of a step */
    double steps; /* steps of a block */
    double warps;
    double room;    /* bytes of shared memory for a step */
    double staged;  /* bytes that are copied there per step */
    double copied;  /* the same, weighted by the cost of tests */
    double sectors; /* and from the L2 cache */
} tile;

static bool is_staged(const tile *t, const sq_operand *o)
{
    const sq_array *a = o->array;
    if (t->u->kind == SQ_GRID_TENSOR)
        return a == t->h->tensor.of[0]->array || a == t->h->tensor.of[1]->array;
    return a == t->h->operand[0] || a == t->h->operand[1];
}

static double tiles_of(const tile *t, int d)
{
    return parts((double)t->h->numbers.extent[d], t->box.of[d]);
}

static double blocks_of(const tile *t)
{
    double n = 1;
    for (int d = 0; d < t->h->numbers.nfree; d++)
        n *= tiles_of(t, d);
    return n;
}

/* Returns the cost of an operand's copies relative to those of full tiles: at the ends of its
 * dimensions the bounds of vectors are tested, at an edge of the array always. */
static double copies_factor(const tile *t, const sq_operand *o)
{
    const sq_shape *x = &t->h->numbers;
    double whole = o->padded ? 0 : 1;
    for (int d = 0; d < x->ndim; d++) {
        bool divides = x->extent[d] % (int64_t)t->box.of[d] == 0;
        if (!divides && sq_operand_moves(o, d))
            whole *= d < x->nfree && blocks_of(t) < FEW_BLOCKS ? 0 : 1 - 1 / tiles_of(t, d);
    }
    return whole + (1 - whole) * CHECKED_COPIES;
}

static tile tile_of(const sq_grid_unit *u)
{
    const sq_grid_shape *h = u->of[0];
    const sq_shape *x = &h->numbers;
    bool tensor = u->kind == SQ_GRID_TENSOR;
    tile t = {.u = u,
              .h = h,
              .row = tensor ? h->tensor.rows : h->row,
              .column = tensor ? h->tensor.columns : h->column,
              .serial = tensor ? h->tensor.steps : h->serial,
              .steps = 1};
    for (int d = 0; d < x->ndim; d++)
        t.box.of[d] = d >= x->nfree && !tensor && sq_grid_unrolls(h, d) ? (double)x->extent[d] : 1;
    t.box.of[t.row] = (double)u->knob[SQ_KNOB_ROWS];
    t.box.of[t.column] = (double)u->knob[SQ_KNOB_COLUMNS];
    t.box.of[t.serial] = (double)u->knob[SQ_KNOB_STEPS];
    t.lines = (double)u->knob[SQ_KNOB_LINES];
    if (t.lines > 1)
        t.box.of[tensor ? h->tensor.lines : h->lines] = t.lines;
    for (int d = x->nfree; d < x->ndim; d++)
        t.steps *= tiles_of(&t, d);
    double threads = t.lines * (t.box.of[t.row] / (double)u->knob[SQ_KNOB_ROW_POINTS]) *
                     (t.box.of[t.column] / (double)u->knob[SQ_KNOB_COLUMN_POINTS]);
    t.warps = sq_grid_is_warpgroup(u) ? t.lines * t.box.of[t.row] * SQ_WARPGROUP / SQ_WARPGROUP_ROWS
              : tensor                ? threads
                                      : parts(threads, SQ_WARP);
    for (int i = 0; i < x->noperands; i++) {
        const sq_operand *o = &x->operand[i];
        if (!o->in_body)
            continue;
        t.sectors += sectors(o, &t.box);
        double staged = is_staged(&t, o) ? touched(o, &t.box) * o->bytes : 0;
        t.room += is_staged(&t, o) ? allocated(o, &t.box) * o->bytes : 0;
        t.staged += staged;
        t.copied += staged * copies_factor(&t, o);
    }
    return t;
}

/* Returns the multiply-adds of a step, and how often one of their operands is loaded from shared
 * memory. */
static double fma_of_step(const tile *t)
{
    double n = 1;
    for (int d = 0; d < t->h->numbers.ndim; d++)
        n *= t->box.of[d];
    return n;
}

/* Counts a thread's loads for one step of the sum: vectors of 16 bytes take a warp two cycles
 * because its lanes share some; scalars take one. */
static void count_points(const tile *t, const sq_device *d, sq_launch *l)
{
    const long *k = t->u->knob;
    double bytes = sq_group_bytes(t->h->g);
    double rows = (double)k[SQ_KNOB_ROW_POINTS], columns = (double)k[SQ_KNOB_COLUMN_POINTS];
    double vector = t->h->taps > 1 ? 1 : VECTOR / bytes;
    double loads = parts(rows, vector) + parts(columns, vector),
           cycles = vector > 1 ? 2 : bytes / 4;
    double per = t->warps * fma_of_step(t) / (t->lines * t->box.of[t->row] * t->box.of[t->column]);
    l->fma_cycle = fma_rate(t->h, d);
    l->instructions = t->steps * per * (rows * columns + loads);
    l->shared_cycles = t->steps * per * loads * cycles;
    double sums = rows * columns,
           window = t->h->taps > 1 ? sums : 0, /* the compiler keeps values of many taps */
        copied = k[SQ_KNOB_STAGES] > 1 ? 0 : t->staged / (t->warps * SQ_WARP);
    l->registers = (int)(((sums + window + rows + columns) * bytes + copied) / 4) + OWN_REGISTERS;
    l->chains = rows * columns;
}

/* Counts a warp's matrix instructions, and loads of fragments of 512 bytes. */
static void count_fragments(const tile *t, const sq_device *d, sq_launch *l)
{
    const sq_tensor_shape *s = t->h->tensor.shape;
    const long *k = t->u->knob;
    int bytes = sq_type_bytes(s->operand);
    double rows = (double)k[SQ_KNOB_ROW_POINTS], columns = (double)k[SQ_KNOB_COLUMN_POINTS];
    double products = rows / s->m * columns / s->n,
           loads = rows / FRAGMENT_ROWS + columns / FRAGMENT_ROWS;
    double per = t->warps * t->box.of[t->serial] / s->k;
    l->fma_cycle = d->fma_tensor * 2.0 / bytes;
    l->instructions = t->steps * per * (products + loads);
    l->shared_cycles = t->steps * per * loads * FRAGMENT_CYCLES;
    l->fma_each = (double)s->m * s->n * s->k;
    l->latency = MATRIX_LATENCY;
    l->registers = (int)(rows * columns / SQ_WARP + 4 * loads) + TENSOR_REGISTERS;
    l->chains = products;
}

/* Instructions of warpgroups read shared memory themselves, at their peak with half of its
 * bandwidth, which is not counted. */
static void count_warpgroups(const tile *t, const sq_device *d, sq_launch *l)
{
    double columns = t->box.of[t->column], steps = t->box.of[t->serial];
    l->fma_cycle = d->fma_tensor * warpgroup_rate;
    l->instructions = t->steps * t->warps * parts(steps, t->h->tensor.shape->k);
    l->fma_each = SQ_WARPGROUP_ROWS / SQ_WARPGROUP * columns * t->h->tensor.shape->k;
    l->latency = WARPGROUP_LATENCY;
    l->registers = (int)(columns / 2) + WARPGROUP_REGISTERS;
    l->chains = 1;
}

/* Concurrent blocks read a rectangle of tiles together; the L2 cache serves what they share. */
static double product_memory(const tile *t, const sq_device *d, const sq_launch *l)
{
    const sq_shape *x = &t->h->numbers;
    double once = all_bytes(x), tiles_r = tiles_of(t, t->row), tiles_c = tiles_of(t, t->column);
    double blocks = l->blocks / (tiles_r * tiles_c);
    int fit = sq_device_occupancy(d, l->threads, l->registers, l->shared, NULL);
    double wave = fmin(tiles_r * tiles_c, fmax(1, (double)fit * d->multiprocessors));
    double group = fmin((double)t->u->knob[SQ_KNOB_GROUP], tiles_r);
    double high = fmin(tiles_r, fmax(group, parts(wave, tiles_c)));
    double wide = fmin(tiles_c, parts(wave, high));
    extents e = whole(x);
    double sum = 0;
    if (once < (double)d->l2 / 2)
        return once;
    for (int i = 0; i < x->nfree; i++)
        e.of[i] = i == t->row || i == t->column ? 1 : t->box.of[i];
    e.of[t->row] = high * t->box.of[t->row];
    e.of[t->column] = wide * t->box.of[t->column];
    for (int i = 0; i < x->noperands; i++)
        sum += x->operand[i].in_body ? touched(&x->operand[i], &e) * x->operand[i].bytes : 0;
    sum *= blocks * tiles_r * tiles_c / (high * wide);
    return fmax(once, fmin(sum, l->blocks * l->l2_bytes));
}

static bool count_product(const sq_grid_unit *u, const sq_device *d, sq_launch *l)
{
    tile t = tile_of(u);
    const long *k = u->knob;
    bool tensor = u->kind == SQ_GRID_TENSOR;
    double stages = (double)k[SQ_KNOB_STAGES];
    if (sq_grid_is_warpgroup(u))
        count_warpgroups(&t, d, l);
    else if (tensor)
        count_fragments(&t, d, l);
    else
        count_points(&t, d, l);
    l->blocks = blocks_of(&t);
    l->threads = (int)(t.warps * SQ_WARP);
    l->shared = (int64_t)(t.room * stages * padding);
    l->fma = t.steps * fma_of_step(&t);
    l->instructions +=
        t.steps * (COPY_INSTRUCTIONS * t.copied / VECTOR / SQ_WARP + STEP_INSTRUCTIONS * t.warps);
    l->shared_cycles += t.steps * t.staged / PORT;
    l->l2_bytes = t.steps * t.sectors;
    l->waits = t.steps;
    l->ahead = stages - 1;
    l->registers += stages > 1 ? STAGED_REGISTERS : 0;
    l->memory_bytes = product_memory(&t, d, l);
    return l->registers <= MOST_REGISTERS && l->shared <= d->shared_block;
}

/* ---- other kinds ---- */

/* Returns the number of terms of the reductions. */
static double terms_of(const sq_shape *h)
{
    double n = 1;
    for (int d = h->nfree; d < h->ndim; d++)
        n *= (double)h->extent[d];
    return n;
}

/* Counts points of a block that threads share, in sequence. */
static void add_points(const sq_grid_shape *h, const sq_device *d, const extents *box,
                       double points, double lanes, sq_launch *l)
{
    const sq_shape *x = &h->numbers;
    double turns = parts(points, l->threads * lanes), warps = parts(l->threads, SQ_WARP);
    int reads = 0;
    for (int i = 0; i < x->noperands; i++) {
        l->l2_bytes += sectors(&x->operand[i], box);
        reads += !x->operand[i].written;
    }
    l->fma += points * fmax(1, x->flops / 2);
    l->fma_cycle = fma_rate(h, d);
    l->instructions += turns * warps * (lanes * fmax(1, x->flops) + reads + POINT_INSTRUCTIONS);
    l->waits += parts(turns, UNROLLED);
    l->memory_bytes += all_bytes(x);
}

/* Rows: a block has one row, or one sum. */
static void count_rows(const sq_grid_unit *u, const sq_device *d, sq_launch *l)
{
    int nrows = u->kind == SQ_GRID_ROWS ? u->nrows : u->of[0]->g->nfree;
    l->blocks = 1;
    for (int i = 0; i < nrows; i++)
        l->blocks *= (double)u->of[0]->numbers.extent[i];
    l->threads = (int)u->knob[SQ_KNOB_THREADS];
    for (int g = 0; g < u->n; g++) {
        const sq_shape *x = &u->of[g]->numbers;
        extents box = whole(x);
        double points = 1;
        for (int i = 0; i < nrows; i++)
            box.of[i] = 1;
        for (int i = nrows; i < x->ndim; i++)
            points *= box.of[i];
        add_points(u->of[g], d, &box, points, 1, l);
        double meet = l->threads > SQ_WARP ? meet_in_block : meet_in_warp;
        l->waits += x->ndim > x->nfree ? meet : 0;
    }
}

static void count_simple(const sq_grid_unit *u, const sq_device *d, sq_launch *l)
{
    const sq_grid_shape *h = u->of[0];
    const sq_shape *x = &h->numbers;
    bool least = u->kind == SQ_GRID_LEAST || u->kind == SQ_GRID_LEAST_HELD;
    int along = least ? u->dim : h->lane;
    double lanes = u->kind == SQ_GRID_VECTORS ? h->lanes : 1;
    extents box = whole(x);
    l->blocks = 1;
    for (int i = 0; i < x->nfree; i++) {
        if (i != along && least)
            continue;
        box.of[i] = i == along ? (double)u->knob[SQ_KNOB_THREADS] * lanes : 1;
        l->blocks *= parts((double)x->extent[i], box.of[i]);
    }
    l->threads = (int)u->knob[SQ_KNOB_THREADS];
    double points = terms_of(x);
    for (int i = 0; i < x->nfree; i++)
        points *= box.of[i];
    add_points(h, d, &box, points, lanes, l);
}

/* A block has a tile of sums, of which its warps have partial sums. */
static void count_columns(const sq_grid_unit *u, const sq_device *d, sq_launch *l)
{
    const sq_shape *x = &u->of[0]->numbers;
    extents box = whole(x);
    double points = terms_of(x) * (double)u->knob[SQ_KNOB_COLUMNS];
    l->blocks = 1;
    for (int i = 0; i < x->nfree; i++) {
        box.of[i] = i == u->of[0]->lane ? (double)u->knob[SQ_KNOB_COLUMNS] : 1;
        l->blocks *= parts((double)x->extent[i], box.of[i]);
    }
    l->threads = (int)u->knob[SQ_KNOB_THREADS];
    add_points(u->of[0], d, &box, points, 1, l);
    l->waits += meet_in_block;
}

/* A block has a tile of two dimensions, whose elements are read and written in rows. */
static void count_turned(const sq_grid_unit *u, const sq_device *d, sq_launch *l)
{
    const sq_grid_shape *h = u->of[0];
    const sq_shape *x = &h->numbers;
    double rows = (double)u->knob[SQ_KNOB_ROWS], columns = (double)u->knob[SQ_KNOB_COLUMNS];
    extents box = {{0}};
    l->blocks = 1;
    for (int i = 0; i < x->nfree; i++) {
        box.of[i] = i == h->turned ? rows : i == h->lane ? columns : 1;
        l->blocks *= parts((double)x->extent[i], box.of[i]);
    }
    l->threads = (int)(columns * rows / (double)u->knob[SQ_KNOB_ROW_POINTS]);
    l->shared = (int64_t)(rows * (columns + 1) * sq_group_bytes(h->g));
    l->shared_cycles = 2 * rows * columns * sq_group_bytes(h->g) / PORT;
    add_points(h, d, &box, rows * columns, 1, l);
}

int sq_grid_unit_count(const sq_grid_unit *u, const sq_device *d, sq_launch *l)
{
    *l = (sq_launch){.registers = SIMPLE_REGISTERS, .chains = UNROLLED, .fma_cycle = 1};
    switch (u->kind) {
    case SQ_GRID_TENSOR:
    case SQ_GRID_PRODUCT:
        return count_product(u, d, l) ? 1 : -1;
    case SQ_GRID_TEAM:
    case SQ_GRID_ROWS:
        count_rows(u, d, l);
        return 1;
    case SQ_GRID_COLUMNS:
        count_columns(u, d, l);
        return 1;
    case SQ_GRID_TURNED:
        count_turned(u, d, l);
        return 1;
    case SQ_GRID_TREE:
        return 0;
    default:
        count_simple(u, d, l);
        return 1;
    }
}

/* Nothing is counted for auto()'s loops; the first variant in which all statements have a shared
 * loop is usually the best. */
static double tree_cost(const sq_grid_unit *u)
{
    double threads = fabs(log2((double)u->knob[SQ_KNOB_THREADS] / TREE_THREADS));
    return 1e-3 * (1 + tree_way * (double)u->knob[SQ_KNOB_WAY] + tree_threads * threads);
}

double sq_grid_unit_cost(const sq_grid_unit *u, const sq_device *d)
{
    sq_launch l;
    if (!sq_grid_unit_fits(u))
        return INFINITY;
    int n = sq_grid_unit_count(u, d, &l);
    return n < 0 ? INFINITY : n == 0 ? tree_cost(u) : sq_device_seconds(d, &l, NULL);
}
