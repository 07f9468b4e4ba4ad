/* Grid knobs: default and possible values of the parameters of units; see grid_unit.h. The defaults
 * were the best on average on an H200 for unknown sizes: docs/CUDA.md. */
#include "tuner/space/grid_unit.h"
#include <math.h>

/* For products: a block computes BLOCK x BLOCK elements by matrix instructions. */
enum {
    BLOCK = 128,
    WARP_ROWS = 64,
    WARP_COLUMNS = 64,
    STAGES = 3,
    GROUP = 8, /* rows of tiles that blocks take together */
    MOST_LINES = 8 /* lines of an image */,
    LINES = 4 /* the same for multiply-adds */
};

/* For products by warpgroups: a block has two of them. Tiles twice as wide need so much less
 * bandwidth of the L2 cache that they are 1.3 times as fast on an H200, if there are enough to keep
 * it busy. */
enum {
    WARPGROUP_COLUMNS = 128,
    WIDE_COLUMNS = 256,
    ENOUGH_BLOCKS = 132,
    WARPGROUP_STEPS = 64,
    WARPGROUP_STAGES = 4
};

/* For other kinds. */
enum {
    THREADS = 128,
    MOST_THREADS = 1024,
    COLUMN_THREADS = 512,
    TURNED = 32,        /* rows and columns of a transposed tile: a warp has one */
    TURNED_POINTS = 8,  /* rows that a thread has in sequence */
    TERMS = 16,         /* minimum per thread of a team */
    GUESSED_TERMS = 32, /* the same if the length is not known: short sums lose more by idle threads */
    FEW_TERMS = 4,      /* the same if there are so few sums that a device idles */
    FEW_ROWS = 128,
    MANY_ROWS = 2048 /* number of sums for which a warp each keeps a device busy */
};

bool sq_grid_is_warpgroup(const sq_grid_unit *u)
{
    return u->kind == SQ_GRID_TENSOR && u->knob[SQ_KNOB_WAY] == 1;
}

const char *sq_grid_knob_name(sq_grid_knob k)
{
    static const char *const names[] = {
        "rows",          "columns", "lines", "steps",   "row_points",
        "column_points", "stages",  "group", "threads", "way"};
    return names[k];
}

/* ---- defaults ---- */

/* Returns a power of two times `least` that covers the extent if it is known, within bounds. */
static long fitting(const sq_group *g, int d, long least, long most)
{
    int64_t n = sq_stmt_extent(g->stmt[0], d);
    long p = least;
    while (p < most && (n < 0 || p < n))
        p *= 2;
    return p;
}

/* True for byte operands that are strided along the steps: they are transposed by copies, which are
 * not asynchronous. */
static bool is_turned(const sq_grid_tensor *x)
{
    return sq_type_bytes(x->shape->operand) == 1 &&
           !(sq_grid_lies_along(x->of[0], x->steps) && sq_grid_lies_along(x->of[1], x->steps));
}

static long smaller(long a, long b)
{
    return a < b ? a : b;
}

/* Filters: 16 pixels of several lines, 64 features. */
static void image_defaults(sq_grid_unit *u)
{
    const sq_grid_shape *h = u->of[0];
    u->knob[SQ_KNOB_COLUMNS] =
        smaller(u->knob[SQ_KNOB_COLUMNS], 4 * u->knob[SQ_KNOB_COLUMN_POINTS]);
    u->knob[SQ_KNOB_LINES] = fitting(h->g, h->lines, 1, LINES);
    u->knob[SQ_KNOB_STEPS] = 8;
    u->knob[SQ_KNOB_GROUP] = 1;
}

static void product_defaults(sq_grid_unit *u)
{
    const sq_grid_shape *h = u->of[0];
    long points = sq_group_bytes(h->g) == 8 || h->taps > 1 ? 4 : 8;
    if (!sq_grid_is_product(h))
        return;
    /* 128 x 128 with twice as many sums per thread is 4 % faster on an H200, but spills registers
     * if operands need more addresses than those of one matrix product. */
    bool single = points == 8;
    u->knob[SQ_KNOB_ROW_POINTS] = u->knob[SQ_KNOB_COLUMN_POINTS] = points;
    u->knob[SQ_KNOB_ROWS] = fitting(h->g, h->row, 4 * points, (single ? 8 : 16) * points);
    u->knob[SQ_KNOB_COLUMNS] = fitting(h->g, h->column, 8 * points, 16 * points);
    u->knob[SQ_KNOB_STEPS] = single ? 32 : 16;
    u->knob[SQ_KNOB_GROUP] = GROUP;
    if (h->taps > 1 && h->lines >= 0)
        image_defaults(u);
    else if (h->taps > 1)
        u->knob[SQ_KNOB_STEPS] = 4;
}

/* A block computes 128 x 128 elements and a warp 64 x 64 of them: 8 loads of fragments for 32
 * instructions. Copies run ahead asynchronously: instructions take a twentieth of the time of
 * multiply-adds for the same tile, too little to hide memory latency. Sums over several dimensions
 * are those of images, which have 16 pixels of several lines in a tile, as lines of 128 pixels are
 * rare. */
static void tensor_defaults(sq_grid_unit *u)
{
    const sq_grid_shape *h = u->of[0];
    const sq_grid_tensor *x = &h->tensor;
    if (!x->shape)
        return;
    bool image = x->lines >= 0 && h->g->ndim - h->g->nfree > 1;
    bool across = image && !sq_grid_walks(x->of[0], x->lines); /* pixels are the columns */
    long pixels = x->shape->m, features = BLOCK / 2;
    long rows = !image   ? BLOCK
                : across ? features
                         : pixels,
         columns = !image   ? BLOCK
                   : across ? pixels
                            : features;
    u->knob[SQ_KNOB_ROWS] = smaller(rows, fitting(h->g, x->rows, x->shape->m, BLOCK));
    u->knob[SQ_KNOB_COLUMNS] = smaller(columns, fitting(h->g, x->columns, 2 * x->shape->m, BLOCK));
    u->knob[SQ_KNOB_LINES] = image ? fitting(h->g, x->lines, 1, MOST_LINES) : 1;
    u->knob[SQ_KNOB_ROW_POINTS] = smaller(WARP_ROWS, u->knob[SQ_KNOB_ROWS]);
    u->knob[SQ_KNOB_COLUMN_POINTS] = smaller(WARP_COLUMNS, u->knob[SQ_KNOB_COLUMNS]);
    u->knob[SQ_KNOB_STEPS] = 4L * x->shape->k;
    u->knob[SQ_KNOB_STAGES] = is_turned(x) ? 1 : STAGES;
    u->knob[SQ_KNOB_GROUP] = image ? 1 : GROUP;
}

static double tiles_along(const sq_shape *x, int d, long points)
{
    return ceil((double)x->extent[d] / (double)points);
}

/* True if the sizes are known and wide tiles keep the device busy. */
static bool fills_device(const sq_grid_shape *h)
{
    const sq_shape *x = &h->numbers;
    double blocks =
        tiles_along(x, h->tensor.rows, BLOCK) * tiles_along(x, h->tensor.columns, WIDE_COLUMNS);
    for (int d = 0; d < x->nfree; d++)
        if (d != h->tensor.rows && d != h->tensor.columns)
            blocks *= (double)x->extent[d];
    return !x->guessed && blocks >= ENOUGH_BLOCKS;
}

/* Returns the number of points along a dimension: fixed, or likely; -1. */
static int64_t likely(const sq_grid_shape *h, int d)
{
    return h->numbers.guessed ? sq_stmt_extent(h->g->stmt[0], d) : h->numbers.extent[d];
}

static bool is_short(const sq_grid_shape *h, int d)
{
    int64_t n = likely(h, d);
    return n >= 0 && n < SQ_WARPGROUP_ROWS;
}

/* Returns the rows of a block: one warpgroup's if there are no more. */
static long warpgroup_rows(const sq_grid_shape *h)
{
    int64_t n = likely(h, h->tensor.rows);
    return n >= 0 && n <= SQ_WARPGROUP_ROWS ? SQ_WARPGROUP_ROWS : BLOCK;
}

/* Returns the columns of a block: no more than exist, and wide ones unless half of the last tile
 * would be empty. */
static long warpgroup_columns(const sq_grid_shape *h)
{
    int64_t n = likely(h, h->tensor.columns);
    if (n >= 0 && n <= SQ_WARPGROUP_ROWS)
        return SQ_WARPGROUP_ROWS;
    bool wide = n > WARPGROUP_COLUMNS && (n + WIDE_COLUMNS - 1) % WIDE_COLUMNS >= WIDE_COLUMNS / 2;
    return fills_device(h) && (wide || n >= 8 * WIDE_COLUMNS) ? WIDE_COLUMNS : WARPGROUP_COLUMNS;
}

/* Distributes pixels of several lines: a warp has those of one. */
static bool take_lines(sq_grid_unit *u)
{
    const sq_grid_shape *h = u->of[0];
    long pixels = SQ_WARPGROUP_ROWS / SQ_WARPGROUP;
    int64_t row = likely(h, h->tensor.rows), lines = likely(h, h->tensor.lines);
    if ((row >= 0 && 2 * row <= pixels) || (lines >= 0 && lines < SQ_WARPGROUP))
        return false;
    u->knob[SQ_KNOB_ROWS] = pixels;
    u->knob[SQ_KNOB_LINES] = BLOCK / pixels;
    return true;
}

bool sq_grid_take_warpgroups(sq_grid_unit *u)
{
    const sq_grid_shape *h = u->of[0];
    const sq_grid_tensor *x = &h->tensor;
    if (u->kind != SQ_GRID_TENSOR || !h->warpgroups || is_short(h, x->columns) || is_short(h, x->steps))
        return false;
    bool lines = x->lines >= 0;
    if (lines ? !take_lines(u) : is_short(h, x->rows))
        return false;
    int64_t steps = likely(h, x->steps);
    u->knob[SQ_KNOB_WAY] = 1;
    if (!lines)
        u->knob[SQ_KNOB_ROWS] = warpgroup_rows(h);
    u->knob[SQ_KNOB_COLUMNS] = warpgroup_columns(h);
    u->knob[SQ_KNOB_ROW_POINTS] = u->knob[SQ_KNOB_COLUMN_POINTS] = SQ_WARPGROUP_ROWS;
    u->knob[SQ_KNOB_STEPS] = WARPGROUP_STEPS;
    u->knob[SQ_KNOB_STAGES] = lines ? WARPGROUP_STAGES : 2; /* taps have many steps */
    while (u->knob[SQ_KNOB_STAGES] < WARPGROUP_STAGES &&
           (steps < 0 || steps > WARPGROUP_STEPS * u->knob[SQ_KNOB_STAGES]))
        u->knob[SQ_KNOB_STAGES]++;
    u->knob[SQ_KNOB_GROUP] = lines ? 1 : GROUP;
    return true;
}

/* Returns the number of threads of a team: each has some terms; one warp, whose partial sums are
 * combined without a barrier, if there are many sums. The statements of a row depend on each other,
 * and more threads shorten their sums. */
static long team_threads(const sq_grid_unit *u)
{
    const sq_shape *x = &u->of[0]->numbers;
    int rows = u->kind == SQ_GRID_ROWS ? u->nrows : x->nfree;
    double sums = 1, longest = 1;
    for (int d = 0; d < rows; d++)
        sums *= (double)x->extent[d];
    for (int i = 0; i < u->n; i++)
        for (int d = rows; d < u->of[i]->numbers.ndim; d++)
            longest = fmax(longest, (double)u->of[i]->numbers.extent[d]);
    long threads = SQ_WARP, terms = sums < FEW_ROWS ? FEW_TERMS
                                    : x->guessed    ? GUESSED_TERMS
                                                    : TERMS;
    if (u->kind == SQ_GRID_TEAM && sums >= MANY_ROWS)
        return threads;
    if (rows == 0 && x->guessed)
        return MOST_THREADS;
    while (threads < MOST_THREADS && (double)(threads * terms) < longest)
        threads *= 2;
    return threads;
}

void sq_grid_knob_defaults(sq_grid_unit *u)
{
    const sq_grid_shape *h = u->of[0];
    for (int k = 0; k < SQ_KNOBS; k++)
        u->knob[k] = 1;
    u->knob[SQ_KNOB_WAY] = 0;
    u->knob[SQ_KNOB_THREADS] = THREADS;
    if (u->kind == SQ_GRID_TENSOR)
        tensor_defaults(u);
    else if (u->kind == SQ_GRID_PRODUCT)
        product_defaults(u);
    else if (u->kind == SQ_GRID_TEAM || u->kind == SQ_GRID_ROWS)
        u->knob[SQ_KNOB_THREADS] = team_threads(u);
    else if (u->kind == SQ_GRID_COLUMNS) {
        u->knob[SQ_KNOB_COLUMNS] = SQ_WARP;
        u->knob[SQ_KNOB_THREADS] = COLUMN_THREADS;
    } else if (u->kind == SQ_GRID_TURNED) {
        u->knob[SQ_KNOB_ROWS] = u->knob[SQ_KNOB_COLUMNS] = TURNED;
        u->knob[SQ_KNOB_ROW_POINTS] = TURNED_POINTS;
    } else if (u->kind >= SQ_GRID_VECTORS && u->kind <= SQ_GRID_LOOPS)
        u->knob[SQ_KNOB_THREADS] = fitting(h->g, h->lane, SQ_WARP, THREADS);
}

/* ---- values ---- */

/* Writes `from`, twice that, … up to `upto`, including `own`, which replaces a neighbour if
 * necessary; returns their number. */
static int doublings(long from, long upto, long own, long *to)
{
    int n = 0;
    for (long v = from; v <= upto && n < SQ_KNOB_VALUES; v *= 2) {
        if (own < v && (n == 0 || own > to[n - 1]) && n + 1 < SQ_KNOB_VALUES)
            to[n++] = own;
        to[n++] = v;
    }
    if (own > to[n - 1] && n < SQ_KNOB_VALUES)
        to[n++] = own;
    return n;
}

static int product_values(const sq_grid_unit *u, sq_grid_knob k, long *to)
{
    bool tensor = u->kind == SQ_GRID_TENSOR;
    const sq_tensor_shape *s = u->of[0]->tensor.shape;
    long own = u->knob[k];
    switch (k) {
    case SQ_KNOB_ROWS:
    case SQ_KNOB_COLUMNS:
        return doublings(16, 256, own, to);
    case SQ_KNOB_LINES:
        return (tensor ? u->of[0]->tensor.lines : u->of[0]->lines) >= 0
                   ? doublings(1, MOST_LINES, own, to)
                   : 0;
    case SQ_KNOB_STEPS:
        return tensor ? doublings(s->k, 16L * s->k, own, to)
                      : doublings(4, sq_group_bytes(u->of[0]->g) == 8 ? 16 : 32, own, to);
    case SQ_KNOB_ROW_POINTS:
        return tensor ? doublings(s->m, 128, own, to) : doublings(1, 16, own, to);
    case SQ_KNOB_COLUMN_POINTS:
        return tensor ? doublings(2L * s->n, 128, own, to) : doublings(2, 16, own, to);
    case SQ_KNOB_STAGES:
        to[0] = 1, to[1] = 2, to[2] = 3, to[3] = 4;
        return (tensor && is_turned(&u->of[0]->tensor)) || sq_group_bytes(u->of[0]->g) == 8 ? 0 : 4;
    case SQ_KNOB_GROUP:
        to[0] = 1, to[1] = 4, to[2] = 8, to[3] = 16;
        return 4;
    default:
        return 0;
    }
}

static int turned_values(const sq_grid_unit *u, sq_grid_knob k, long *to)
{
    if (k == SQ_KNOB_ROWS || k == SQ_KNOB_COLUMNS)
        return doublings(TURNED, 2 * TURNED, u->knob[k], to);
    return k == SQ_KNOB_ROW_POINTS ? doublings(2, 2 * TURNED_POINTS, u->knob[k], to) : 0;
}

int sq_grid_knob_values(const sq_grid_unit *u, sq_grid_knob k, long *to)
{
    if (k != SQ_KNOB_WAY && (u->kind == SQ_GRID_TENSOR || u->kind == SQ_GRID_PRODUCT))
        return product_values(u, k, to);
    if (u->kind == SQ_GRID_TURNED)
        return turned_values(u, k, to);
    if (k == SQ_KNOB_COLUMNS && u->kind == SQ_GRID_COLUMNS)
        return doublings(SQ_WARP, 2 * SQ_WARP, u->knob[k], to);
    if (k == SQ_KNOB_THREADS)
        return doublings(SQ_WARP, MOST_THREADS, u->knob[k], to);
    if (k == SQ_KNOB_WAY && u->kind == SQ_GRID_TENSOR && u->of[0]->warpgroups) {
        to[0] = 0, to[1] = 1;
        return 2;
    }
    if (k == SQ_KNOB_WAY && u->kind == SQ_GRID_TREE) {
        to[0] = 0, to[1] = 1, to[2] = 2;
        return 3;
    }
    return 0;
}
