/* Grid script: prints units as scripts; see grid_unit.h. */
#include "tuner/space/grid_unit.h"
#include <string.h>

enum {
    MOST_THREADS = 1024,
    BANKS = 32,
    MOST_UNROLLED = 64 /* limit on the terms of a thread's sum */
};

/* ---- parts ---- */

/* Appends an item to a list with commas. */
static void put(sq_text *to, const char *item)
{
    if (to->n && to->s[to->n - 1] != '(')
        sq_text_puts(to, ", ");
    sq_text_puts(to, item);
}

static const char *outer(const sq_grid_shape *h, int d)
{
    return sq_arena_printf(h->arena, "%s0", h->g->dim[d]);
}

/* Returns the elements of a vector of 16 bytes. Adjacent taps read at any address, one value at a
 * time: if adjacent threads have a stride of two values, the sixteen of a row have a bank each. */
static long lanes_of(const sq_grid_shape *h)
{
    return sq_group_bytes(h->g) == 8 || h->taps > 1 ? 2 : 4;
}

/* ---- products ---- */

/* The dimensions of a product's tile, that of its sum last. */
typedef struct product {
    int row, column, lines, serial;
} product;

static product product_of(const sq_grid_unit *u)
{
    const sq_grid_shape *h = u->of[0];
    if (u->kind == SQ_GRID_TENSOR)
        return (product){h->tensor.rows, h->tensor.columns, h->tensor.lines, h->tensor.steps};
    return (product){h->row, h->column, h->lines, h->serial};
}

/* Returns the dimension of a unit's lines; -1: a block has one. */
static int lines_in(const sq_grid_unit *u, const product *p)
{
    return u->knob[SQ_KNOB_LINES] > 1 ? p->lines : -1;
}

/* True if reduction dimension d is a loop around the tile's. */
static bool is_around(const sq_grid_unit *u, const product *p, int d)
{
    return d != p->serial && (u->kind == SQ_GRID_TENSOR || !sq_grid_unrolls(u->of[0], d));
}

/* Prints order(…) hold(…) block(…) thread(…): other free dimensions, tiles, threads, then
 * reductions. */
static void put_loops(const sq_grid_unit *u, const product *p, sq_text *to)
{
    const sq_grid_shape *h = u->of[0];
    const sq_group *g = h->g;
    sq_text order = {0}, block = {0};
    const char *held = outer(h, p->serial), *i = g->dim[p->row], *j = g->dim[p->column];
    int lines = lines_in(u, p);
    for (int d = 0; d < g->nfree; d++)
        if (d != p->row && d != p->column)
            put(&block, d == lines ? outer(h, d) : g->dim[d]);
    put(&block, outer(h, p->row));
    put(&block, outer(h, p->column));
    if (lines >= 0)
        i = sq_arena_printf(h->arena, "%s, %s", g->dim[lines], i);
    sq_text_puts(&order, sq_text_str(&block));
    put(&order, i);
    put(&order, j);
    for (int d = g->ndim - 1; d >= g->nfree; d--)
        if (is_around(u, p, d)) {
            put(&order, g->dim[d]);
            held = strcmp(held, outer(h, p->serial)) == 0 ? g->dim[d] : held;
        }
    put(&order, outer(h, p->serial));
    if (u->knob[SQ_KNOB_GROUP] > 1)
        sq_text_printf(&block, ", group:%ld", u->knob[SQ_KNOB_GROUP]);
    sq_text_printf(to, "order(%s) hold(%s) block(%s) thread(%s, %s) ", sq_text_str(&order), held,
                   sq_text_str(&block), i, j);
    sq_text_free(&order);
    sq_text_free(&block);
}

static void put_stages(const sq_grid_unit *u, sq_text *to)
{
    if (u->knob[SQ_KNOB_STAGES] > 1)
        sq_text_printf(to, ", stages:%ld", u->knob[SQ_KNOB_STAGES]);
    sq_text_puts(to, ")");
}

/* The naive order has some sums completely in the tile; this undoes it. */
static void put_reset(const sq_group *g, sq_text *to)
{
    bool holds = g->micro.serial >= 0;
    for (int d = g->nfree; d < g->ndim; d++)
        holds |= g->micro.points[d] > 1;
    if (holds)
        sq_text_puts(to, "micro() ");
}

static void put_tile(const sq_grid_unit *u, const product *p, sq_text *to)
{
    put_reset(u->of[0]->g, to);
    const char *const *dim = u->of[0]->g->dim;
    sq_text_puts(to, "tile(");
    if (lines_in(u, p) >= 0)
        sq_text_printf(to, "%s:%ld, ", dim[p->lines], u->knob[SQ_KNOB_LINES]);
    sq_text_printf(to, "%s:%ld, %s:%ld, %s:%ld) ", dim[p->row], u->knob[SQ_KNOB_ROWS],
                   dim[p->column], u->knob[SQ_KNOB_COLUMNS], dim[p->serial],
                   u->knob[SQ_KNOB_STEPS]);
}

/* True if tiles consist of whole points and warps. */
static bool divides(const sq_grid_unit *u, long width)
{
    const long *k = u->knob;
    if (k[SQ_KNOB_ROWS] % k[SQ_KNOB_ROW_POINTS] || k[SQ_KNOB_COLUMNS] % k[SQ_KNOB_COLUMN_POINTS])
        return false;
    long threads = width * k[SQ_KNOB_LINES] * (k[SQ_KNOB_ROWS] / k[SQ_KNOB_ROW_POINTS]) *
                   (k[SQ_KNOB_COLUMNS] / k[SQ_KNOB_COLUMN_POINTS]);
    return threads >= SQ_WARP && threads <= MOST_THREADS && threads % SQ_WARP == 0;
}

/* True if tiles consist of whole instructions of warpgroups, whose rows in shared memory have 64
 * elements. The points of a warp follow from them: the knobs for these have one value each. */
static bool is_whole_warpgroups(const sq_grid_unit *u)
{
    const long *k = u->knob, whole = SQ_WARPGROUP_ROWS, rows = k[SQ_KNOB_LINES] * k[SQ_KNOB_ROWS];
    return rows % whole == 0 && k[SQ_KNOB_ROWS] % (whole / SQ_WARPGROUP) == 0 && k[SQ_KNOB_STEPS] % whole == 0 &&
           k[SQ_KNOB_COLUMNS] % whole == 0 && k[SQ_KNOB_COLUMNS] <= SQ_WARPGROUP_COLUMNS &&
           k[SQ_KNOB_STAGES] > 1 && k[SQ_KNOB_ROW_POINTS] == whole &&
           k[SQ_KNOB_COLUMN_POINTS] == whole &&
           rows / whole * SQ_WARPGROUP * SQ_WARP <= MOST_THREADS;
}

/* Returns the padding against bank conflicts of a filter's copy, whose rows of `steps` times all
 * taps become columns: the 4 or 8 rows whose columns are written at once must have an odd distance
 * in units of these columns to use all banks. */
static long filter_padding(const sq_grid_unit *u)
{
    long terms = u->knob[SQ_KNOB_STEPS] * u->of[0]->taps, many = 1;
    while (many < 8 && terms % (2 * many) == 0)
        many *= 2;
    return BANKS / many;
}

static void put_product(const sq_grid_unit *u, sq_text *to)
{
    const sq_grid_shape *h = u->of[0];
    const sq_group *g = h->g;
    const long *knob = u->knob;
    product p = product_of(u);
    const char *i = g->dim[p.row], *j = g->dim[p.column], *k = g->dim[p.serial];
    long lanes = lanes_of(h), points = knob[SQ_KNOB_COLUMN_POINTS];
    put_tile(u, &p, to);
    sq_text_printf(to, "micro(%s:%ld", i, knob[SQ_KNOB_ROW_POINTS]);
    for (int d = g->nfree; d < g->ndim; d++)
        if (sq_grid_unrolls(h, d))
            sq_text_printf(to, ", %s:%lld", g->dim[d], (long long)sq_stmt_extent(g->stmt[0], d));
    sq_text_printf(to, ", %s:%ld | %s) vectorize(%s:%ld) ", j, points, k, j,
                   lanes < points ? lanes : points);
    put_loops(u, &p, to);
    if (h->taps > 1) {
        sq_text_printf(to, "share(%s at %s0, pad:%ld", h->operand[0]->name, k, filter_padding(u));
        put_stages(u, to);
        sq_text_printf(to, " share(%s at %s0", h->operand[1]->name, k);
    } else {
        sq_text_printf(to, "share(%s, %s at %s0, pad:4", h->operand[0]->name, h->operand[1]->name,
                       k);
    }
    put_stages(u, to);
}

static void put_tensor(const sq_grid_unit *u, sq_text *to)
{
    const sq_grid_tensor *x = &u->of[0]->tensor;
    const sq_group *g = u->of[0]->g;
    product p = product_of(u);
    const char *i = g->dim[p.row], *j = g->dim[p.column], *k = g->dim[p.serial];
    put_tile(u, &p, to);
    bool warpgroup = sq_grid_is_warpgroup(u);
    long columns = u->knob[SQ_KNOB_COLUMNS];
    if (warpgroup)
        sq_text_printf(to, "micro(%s:%d, %s:%ld | %s) tensorize(%s:%d, %s:%ld, %s:%d) ", i,
                       SQ_WARPGROUP_ROWS / SQ_WARPGROUP, j, columns, k, i, SQ_WARPGROUP_ROWS, j,
                       columns, k, x->shape->k);
    else
        sq_text_printf(to, "micro(%s:%ld, %s:%ld | %s) tensorize(%s:%d, %s:%d, %s:%d) ", i,
                       u->knob[SQ_KNOB_ROW_POINTS], j, u->knob[SQ_KNOB_COLUMN_POINTS], k, i,
                       x->shape->m, j, x->shape->n, k, x->shape->k);
    put_loops(u, &p, to);
    sq_text_printf(to, "share(%s, %s at %s0", x->of[0]->array->name, x->of[1]->array->name, k);
    if (!warpgroup)
        sq_text_printf(to, ", pad:%d", 16 / sq_type_bytes(x->shape->operand));
    put_stages(u, to);
}

/* ---- reductions that threads share ---- */

/* Prints "i, j": the first n free dimensions. */
static void put_free(const sq_group *g, int n, sq_text *to)
{
    for (int d = 0; d < n; d++)
        put(to, g->dim[d]);
}

/* Prints "k, l": the dimensions of the sum except one, outermost first; returns the first of all of
 * them. */
static const char *put_terms(const sq_group *g, int but, sq_text *to)
{
    const char *first = NULL;
    for (int d = g->nfree; d < g->ndim; d++)
        if (d != but) {
            put(to, g->dim[d]);
            first = first ? first : g->dim[d];
        }
    return first || but < 0 ? first : g->dim[but];
}

/* A block has one sum, its threads terms of it. */
static void put_team(const sq_grid_shape *h, long threads, sq_text *to)
{
    const sq_group *g = h->g;
    put_reset(g, to);
    sq_text_puts(to, "order(");
    put_free(g, g->nfree, to);
    const char *first = put_terms(g, h->team, to);
    put(to, g->dim[h->team]);
    sq_text_printf(to, ") hold(%s) ", first);
    if (g->nfree > 0) {
        sq_text_puts(to, "block(");
        put_free(g, g->nfree, to);
        sq_text_puts(to, ") ");
    }
    sq_text_printf(to, "thread(%s:%ld)", g->dim[h->team], threads);
}

/* A block has a tile of adjacent sums, its threads partial sums of them. */
static void put_columns(const sq_grid_unit *u, sq_text *to)
{
    const sq_grid_shape *h = u->of[0];
    const sq_group *g = h->g;
    const char *j = g->dim[h->lane], *k = g->dim[h->serial];
    sq_text block = {0}, terms = {0};
    for (int d = 0; d < g->nfree; d++)
        if (d != h->lane)
            put(&block, g->dim[d]);
    put(&block, outer(h, h->lane));
    put(&terms, k);
    put_terms(g, h->serial, &terms);
    put_reset(g, to);
    sq_text_printf(to, "tile(%s:%ld) order(%s, %s, %s) hold(%s) ", j, u->knob[SQ_KNOB_COLUMNS],
                   sq_text_str(&block), j, sq_text_str(&terms), k);
    sq_text_printf(to, "block(%s) thread(%s, %s:%ld)", sq_text_str(&block), j, k,
                   u->knob[SQ_KNOB_THREADS] / u->knob[SQ_KNOB_COLUMNS]);
    sq_text_free(&block);
    sq_text_free(&terms);
}

/* ---- other kinds ---- */

/* Returns the innermost dimension of the sum that is not unrolled; -1. Marks those that are. */
static int unrolled(const sq_grid_shape *h, bool *unrolls)
{
    const sq_group *g = h->g;
    int64_t points = 1;
    int serial = -1;
    for (int d = g->ndim - 1; d >= g->nfree; d--) {
        int64_t n = sq_stmt_extent(g->stmt[0], d);
        unrolls[d] = sq_grid_unrolls(h, d) && points * n <= MOST_UNROLLED;
        points *= unrolls[d] ? n : 1;
        serial = serial < 0 && !unrolls[d] ? d : serial;
    }
    return serial;
}

/* Prints the tile of a thread with one sum: "micro(r:3, s:3 | c) " with the innermost dimension
 * that is not unrolled, and "hold(k) " for other dimensions, whose loops are in the order. */
static void put_unrolled(const sq_grid_shape *h, sq_text *order, sq_text *to)
{
    const sq_group *g = h->g;
    bool unrolls[SQ_MAX_DIMS] = {false};
    int serial = unrolled(h, unrolls);
    const char *held = NULL;
    sq_text_puts(to, "micro(");
    for (int d = g->nfree; d < g->ndim; d++)
        if (unrolls[d]) {
            put(to, g->dim[d]);
            sq_text_printf(to, ":%lld", (long long)sq_stmt_extent(g->stmt[0], d));
        } else if (d != serial) {
            put(order, g->dim[d]);
            held = held ? held : g->dim[d];
        }
    if (serial >= 0)
        sq_text_printf(to, " | %s", g->dim[serial]);
    sq_text_puts(to, ") ");
    if (held)
        sq_text_printf(to, "hold(%s) ", held);
}

/* Prints tiles of the two dimensions; threads of a warp are adjacent in the output, and in the
 * other array while copying. */
static void put_turned(const sq_grid_unit *u, sq_text *to)
{
    const sq_grid_shape *h = u->of[0];
    const sq_group *g = h->g;
    const char *i = g->dim[h->turned], *j = g->dim[h->lane];
    sq_access *read[SQ_MAX_STMT_READS];
    sq_text block = {0}, shared = {0};
    for (int d = 0; d < g->nfree; d++)
        if (d != h->turned && d != h->lane)
            put(&block, g->dim[d]);
    put(&block, outer(h, h->lane));
    put(&block, outer(h, h->turned));
    int n = sq_stmt_all_reads(g->stmt[0], read, NULL);
    for (int r = 0; r < n; r++) {
        bool again = false;
        for (int before = 0; before < r; before++)
            again |= sq_grid_is_turned(h, read[before]) && read[before]->array == read[r]->array;
        if (sq_grid_is_turned(h, read[r]) && !again)
            put(&shared, read[r]->array->name);
    }
    put_reset(g, to);
    long rows = u->knob[SQ_KNOB_ROWS], threads = rows / u->knob[SQ_KNOB_ROW_POINTS];
    sq_text_printf(to, "tile(%s:%ld, %s:%ld) order(%s, %s, %s) ", j, u->knob[SQ_KNOB_COLUMNS], i,
                   rows, sq_text_str(&block), i, j);
    sq_text_printf(to, "block(%s) thread(%s:%ld, %s) share(%s at %s, pad:1)", sq_text_str(&block),
                   i, threads, j, sq_text_str(&shared), outer(h, h->turned));
    sq_text_free(&block);
    sq_text_free(&shared);
}

/* Blocks share all free dimensions, with tiles along the lanes; threads share the elements of a
 * tile. All terms of a sum belong to one thread, in one register. */
static void put_simple(const sq_grid_unit *u, long points, sq_text *to)
{
    const sq_grid_shape *h = u->of[0];
    const sq_group *g = h->g;
    const char *j = g->dim[h->lane];
    sq_text block = {0}, order = {0}, tile = {0};
    for (int d = 0; d < g->nfree; d++)
        if (d != h->lane)
            put(&block, g->dim[d]);
    put(&block, outer(h, h->lane));
    sq_text_printf(&order, "%s, %s", sq_text_str(&block), j);
    put_reset(g, to);
    if (points > 1)
        sq_text_printf(&tile, "micro(%s:%ld) vectorize(%s:%ld) ", j, points, j, points);
    else if (g->stmt[0]->updates && u->kind == SQ_GRID_LOOPS)
        sq_text_printf(&tile, "hold(%s) ", put_terms(g, -1, &order));
    else if (g->stmt[0]->updates)
        put_unrolled(h, &order, &tile);
    sq_text_printf(to, "tile(%s:%ld) order(%s) %sblock(%s) thread(%s)", j,
                   u->knob[SQ_KNOB_THREADS] * points, sq_text_str(&order), sq_text_str(&tile),
                   sq_text_str(&block), j);
    sq_text_free(&block);
    sq_text_free(&order);
    sq_text_free(&tile);
}

/* One loop is parallel; loops inside of it run in a thread. */
static void put_least(const sq_grid_unit *u, sq_text *to)
{
    const sq_group *g = u->of[0]->g;
    const char *d = g->dim[u->dim];
    sq_text order = {0};
    sq_text_printf(&order, "%s0", d);
    if (u->kind == SQ_GRID_LEAST_HELD) {
        put_reset(g, to);
        put(&order, d);
        for (int i = 0; i < g->nfree; i++)
            if (i != u->dim)
                put(&order, g->dim[i]);
    }
    sq_text_printf(to, "tile(%s:%ld) ", d, u->knob[SQ_KNOB_THREADS]);
    if (u->kind == SQ_GRID_LEAST_HELD) {
        const char *held = put_terms(g, -1, &order);
        sq_text_printf(to, "order(%s) hold(%s) ", sq_text_str(&order), held);
    } else {
        sq_text_printf(to, "order(%s) ", sq_text_str(&order));
    }
    sq_text_printf(to, "block(%s0) thread(%s)", d, d);
    sq_text_free(&order);
}

static void put_tree(const sq_grid_unit *u, sq_text *to)
{
    static const char *const ways[] = {"", ", keep:1", ", tile:1"};
    sq_text_printf(to, "auto(fuse:min%s, grid:%ld)", ways[u->knob[SQ_KNOB_WAY]],
                   u->knob[SQ_KNOB_THREADS]);
}

/* ---- rows ---- */

/* True for a sum that all threads of the row's block share; other elements belong to one thread
 * each. */
static bool is_team_of_rows(const sq_grid_unit *u, const sq_grid_shape *h)
{
    return h->g->stmt[0]->updates && h->g->nfree == u->nrows && sq_grid_has_team(h);
}

static void put_rows(const sq_grid_unit *u, sq_text *to)
{
    sq_text names = {0};
    for (int i = 0; i < u->n; i++) {
        const sq_grid_shape *h = u->of[i];
        const sq_group *g = h->g;
        sq_text_printf(to, "%s: ", g->stmt[0]->name);
        put(&names, g->stmt[0]->name);
        if (is_team_of_rows(u, h)) {
            put_team(h, u->knob[SQ_KNOB_THREADS], to);
        } else {
            if (h->serial >= 0)
                sq_text_printf(to, "micro(| %s) ", g->dim[h->serial]);
            sq_text_puts(to, "block(");
            put_free(g, u->nrows, to);
            sq_text_puts(to, ")");
            if (g->nfree > u->nrows)
                sq_text_printf(to, " thread(%s:%ld)", g->dim[u->nrows], u->knob[SQ_KNOB_THREADS]);
        }
        sq_text_puts(to, " ");
    }
    sq_text_printf(to, "fuse(%s at %s)", sq_text_str(&names), u->of[0]->g->dim[u->nrows - 1]);
    sq_text_free(&names);
}

/* ---- units ---- */

/* Checks that a group has only rows, or one dimension inside of them; a sum of a row has a team. */
static bool rows_fit(const sq_grid_unit *u)
{
    for (int i = 0; i < u->n; i++) {
        const sq_group *g = u->of[i]->g;
        if (g->nfree != u->nrows && g->nfree != u->nrows + 1)
            return false;
        if (g->stmt[0]->updates && g->nfree == u->nrows && !sq_grid_has_team(u->of[i]))
            return false;
    }
    return u->nrows > 0;
}

bool sq_grid_unit_fits(const sq_grid_unit *u)
{
    const sq_grid_shape *h = u->of[0];
    bool has_free = h->g->nfree > 0;
    switch (u->kind) {
    case SQ_GRID_TENSOR:
        return has_free && h->tensor.shape &&
               (sq_grid_is_warpgroup(u) ? is_whole_warpgroups(u) : divides(u, SQ_WARP));
    case SQ_GRID_PRODUCT:
        return has_free && sq_grid_is_product(h) && divides(u, 1);
    case SQ_GRID_TEAM:
        return sq_grid_has_team(h);
    case SQ_GRID_COLUMNS:
        return sq_grid_has_columns(h) && u->knob[SQ_KNOB_THREADS] / u->knob[SQ_KNOB_COLUMNS] > 1 &&
               u->knob[SQ_KNOB_THREADS] / u->knob[SQ_KNOB_COLUMNS] != SQ_WARP;
    case SQ_GRID_TURNED:
        return h->turned >= 0 && divides(u, 1);
    case SQ_GRID_VECTORS:
        return has_free && h->lanes > 1 && h->lane == h->column && !h->g->stmt[0]->updates;
    case SQ_GRID_LOOPS:
    case SQ_GRID_LEAST_HELD:
        return has_free && h->g->stmt[0]->updates;
    case SQ_GRID_ROWS:
        return rows_fit(u);
    case SQ_GRID_TREE:
        return true;
    default:
        return has_free;
    }
}

static void put_calls(const sq_grid_unit *u, sq_text *to)
{
    switch (u->kind) {
    case SQ_GRID_TENSOR:
        put_tensor(u, to);
        return;
    case SQ_GRID_PRODUCT:
        put_product(u, to);
        return;
    case SQ_GRID_TEAM:
        put_team(u->of[0], u->knob[SQ_KNOB_THREADS], to);
        return;
    case SQ_GRID_COLUMNS:
        put_columns(u, to);
        return;
    case SQ_GRID_TURNED:
        put_turned(u, to);
        return;
    case SQ_GRID_VECTORS:
        put_simple(u, u->of[0]->lanes, to);
        return;
    case SQ_GRID_POINTS:
    case SQ_GRID_LOOPS:
        put_simple(u, 1, to);
        return;
    case SQ_GRID_LEAST:
    case SQ_GRID_LEAST_HELD:
        put_least(u, to);
        return;
    case SQ_GRID_TREE:
        put_tree(u, to);
        return;
    case SQ_GRID_ROWS:
        put_rows(u, to);
        return;
    }
}

void sq_grid_unit_script(const sq_grid_unit *u, sq_text *to)
{
    if (u->kind != SQ_GRID_ROWS)
        sq_text_printf(to, "%s: ", u->name);
    put_calls(u, to);
}
