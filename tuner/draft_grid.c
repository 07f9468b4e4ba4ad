/* Draft grid: the first choice for a target whose kernels run as a grid of blocks of threads. A
 * ladder of scripts a group, from the best by rule to one that always does; the first that is legal
 * and can be emitted is taken.
 *
 *   products   of f16, bf16 and bytes by matrix instructions (draft_tensor.c); else a block
 * computes 128 x 128 elements, a thread 8 x 8 of them in registers; operands come through memory
 * that its threads share, 16 steps of the sum at a time sums       a block has one, or a row with
 * all that follows from it; its threads have parts the rest   threads lie along the dimension in
 * which the output's elements are neighbours
 *
 * C loops that are no perfect nest, and statements that carry what they compute, are auto's. */
#include "tuner/draft_grid.h"
#include "ir/tree.h"
#include "tuner/draft.h"
#include "tuner/draft_tensor.h"
#include <isl/aff.h>
#include <string.h>

enum { TEAM = 3, RUNGS = 6 }; /* before those that share a single loop */
enum {
    THREADS = 128,
    MOST_THREADS = 1024,
    MOST_ROWS = 8 /* statements of a row */,
    SHORT = 5 /* extents of reductions that a tile unrolls */
};

typedef struct shape {
    const sq_group *g;
    sq_arena *arena;
    int column;   /* free dimension along which the output lies in memory */
    int row;      /* another, that the operand with the column lacks; -1: no product */
    int serial;   /* reduction dimension that runs inside the tile; -1 */
    bool vectors; /* its values are of one floating type, read where the arrays are */
    int taps;     /* points of reductions that the tile unrolls */
    const sq_array *operand[2];
} shape;

/* Does an access depend on a dimension: in its last subscript, or at all. */
static bool walks(const sq_access *a, int d, bool last)
{
    for (int s = last ? a->array->ndim - 1 : 0; s >= 0 && s < a->array->ndim; s++) {
        isl_aff *aff = isl_multi_aff_get_aff(a->map, s);
        bool has = d < (int)isl_aff_dim(aff, isl_dim_in) &&
                   isl_aff_involves_dims(aff, isl_dim_in, (unsigned)d, 1) == isl_bool_true;
        isl_aff_free(aff);
        if (has)
            return true;
    }
    return false;
}

static int column_of(const sq_group *g)
{
    for (int d = g->nfree - 1; d >= 0; d--)
        if (walks(g->stmt[0]->write, d, true))
            return d;
    return g->nfree - 1;
}

/* One floating type, and no read that may leave its array. */
static bool takes_vectors(const sq_group *g)
{
    sq_type t = g->stmt[0]->write->array->type;
    sq_access *read[SQ_MAX_STMT_READS];
    for (int i = 0; i < g->nstmts; i++) {
        int n = sq_stmt_reads(g->stmt[i], read, NULL, SQ_MAX_STMT_READS);
        if (g->stmt[i]->write->array->type != t)
            return false;
        for (int r = 0; r < n; r++)
            if (read[r]->array->type != t || read[r]->edge != SQ_EDGE_NONE)
                return false;
    }
    return t == SQ_F32 || t == SQ_F64;
}

/* Two operands of the sum, of which one lacks the column and the other a row. */
static void find_product(shape *h)
{
    const sq_group *g = h->g;
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    const sq_access *of[2] = {NULL, NULL};
    int n = sq_stmt_reads(g->stmt[0], read, in_body, SQ_MAX_STMT_READS);
    for (int r = 0; r < n; r++)
        if (in_body[r])
            of[walks(read[r], h->column, false)] = read[r];
    for (int d = 0; d < g->nfree && of[0] && of[1]; d++)
        if (d != h->column && walks(of[0], d, false) && !walks(of[1], d, false))
            h->row = d;
    for (int i = 0; i < 2; i++)
        h->operand[i] = of[i] ? of[i]->array : NULL;
}

static bool is_short(const sq_group *g, int d)
{
    int64_t n = sq_stmt_extent(g->stmt[0], d);
    return n >= 0 && n <= SHORT;
}

/* The longest reduction; short ones are unrolled. */
static void find_serial(shape *h)
{
    const sq_group *g = h->g;
    int64_t longest = -1;
    for (int d = g->nfree; d < g->ndim; d++) {
        int64_t n = sq_stmt_extent(g->stmt[0], d);
        n = n < 0 ? INT64_MAX : n;
        h->taps *= is_short(g, d) ? (int)n : 1;
        if (!is_short(g, d) && n > longest) {
            longest = n;
            h->serial = d;
        }
    }
}

static shape shape_of(const sq_group *g, sq_arena *a)
{
    shape h = {.g = g, .arena = a, .row = -1, .serial = -1, .taps = 1};
    h.column = column_of(g);
    h.vectors = takes_vectors(g);
    if (g->stmt[0]->updates) {
        if (g->nfree > 0)
            find_product(&h);
        find_serial(&h);
    }
    return h;
}

/* A list with commas. */
static void put(sq_text *to, const char *open, const char *item)
{
    if (to->n && to->s[to->n - 1] != '(')
        sq_text_puts(to, ", ");
    sq_text_printf(to, "%s%s", open, item);
}

/* A power of two that covers the extent where it is known, within bounds. */
static int64_t fitting(const sq_group *g, int d, int64_t least, int64_t most)
{
    int64_t n = sq_stmt_extent(g->stmt[0], d), p = least;
    while (p < most && (n < 0 || p < n))
        p *= 2;
    return p;
}

/* ---- products ---- */

static const char *outer(const shape *h, int d)
{
    return sq_arena_printf(h->arena, "%s0", h->g->dim[d]);
}

/* order(…) hold(…) block(…) of a product: other free dimensions, tiles, threads, then reductions.
 */
static void put_loops(const shape *h, sq_text *to)
{
    const sq_group *g = h->g;
    sq_text order = {0}, block = {0};
    const char *held = outer(h, h->serial);
    sq_text_puts(&order, "order(");
    sq_text_puts(&block, "block(");
    for (int d = 0; d < g->nfree; d++)
        if (d != h->row && d != h->column) {
            put(&order, "", g->dim[d]);
            put(&block, "", g->dim[d]);
        }
    const int both[2] = {h->row, h->column};
    for (int i = 0; i < 2; i++) {
        put(&order, "", outer(h, both[i]));
        put(&block, "", outer(h, both[i]));
    }
    for (int i = 0; i < 2; i++)
        put(&order, "", g->dim[both[i]]);
    for (int d = g->ndim - 1; d >= g->nfree; d--)
        if (d != h->serial && !is_short(g, d)) {
            put(&order, "", g->dim[d]);
            held = strcmp(held, outer(h, h->serial)) == 0 ? g->dim[d] : held;
        }
    put(&order, "", outer(h, h->serial));
    sq_text_printf(to, "%s) hold(%s) %s) ", sq_text_str(&order), held, sq_text_str(&block));
    sq_text_free(&order);
    sq_text_free(&block);
}

/* points: a thread's rows and columns. */
static bool put_product(const shape *h, int64_t points, sq_text *to)
{
    const sq_group *g = h->g;
    if (h->row < 0 || h->serial < 0 || h->operand[0] == h->operand[1])
        return false;
    const char *i = g->dim[h->row], *j = g->dim[h->column], *k = g->dim[h->serial];
    /* Taps beside each other read at any address, one value at a time: where neighbouring threads
     * are two values apart, the sixteen of a row have a bank each. */
    int lanes = sq_group_bytes(g) == 8 || h->taps > 1 ? 2 : 4;
    sq_text_printf(to, "tile(%s:%lld, %s:%lld, %s:%d) ", i,
                   (long long)fitting(g, h->row, 4 * points, 16 * points), j,
                   (long long)fitting(g, h->column, 8 * points, 16 * points), k,
                   h->taps > 1 ? 4 : 16);
    sq_text_printf(to, "micro(%s:%lld", i, (long long)points);
    for (int d = g->nfree; d < g->ndim; d++)
        if (is_short(g, d))
            sq_text_printf(to, ", %s:%lld", g->dim[d], (long long)sq_stmt_extent(g->stmt[0], d));
    sq_text_printf(to, ", %s:%lld | %s) vectorize(%s:%d) ", j, (long long)points, k, j, lanes);
    put_loops(h, to);
    sq_text_printf(to, "thread(%s, %s) ", i, j);
    if (h->taps > 1)
        sq_text_printf(to, "share(%s at %s0, pad:8) share(%s at %s0)", h->operand[0]->name, k,
                       h->operand[1]->name, k);
    else
        sq_text_printf(to, "share(%s, %s at %s0, pad:4)", h->operand[0]->name, h->operand[1]->name,
                       k);
    return true;
}

/* ---- reductions that threads share ---- */

/* Is the long reduction one along which its operands lie in memory, and nothing lies along the
 * output: then neighbouring threads have neighbouring terms. */
static bool has_team(const shape *h)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS], along = false;
    if (h->serial < 0 || h->row >= 0)
        return false;
    int64_t extent = sq_stmt_extent(h->g->stmt[0], h->serial);
    int n = sq_stmt_reads(h->g->stmt[0], read, in_body, SQ_MAX_STMT_READS);
    for (int r = 0; r < n; r++) {
        along |= in_body[r] && walks(read[r], h->serial, true);
        if (in_body[r] && h->column >= 0 && walks(read[r], h->serial, false) &&
            walks(read[r], h->column, true))
            return false;
    }
    return along && (extent < 0 || extent >= 32);
}

/* "i, j": the first n free dimensions. */
static void put_free(const shape *h, int n, sq_text *to)
{
    for (int d = 0; d < n; d++)
        put(to, "", h->g->dim[d]);
}

/* A block has one sum, its threads terms of it. */
static void put_team(const shape *h, int threads, sq_text *to)
{
    const sq_group *g = h->g;
    const char *first = g->dim[h->serial];
    /* A sum whose range differs from row to row starts inside the tile. */
    sq_text_puts(to, g->micro.serial >= 0 ? "micro() order(" : "order(");
    put_free(h, g->nfree, to);
    for (int d = g->ndim - 1; d >= g->nfree; d--)
        if (d != h->serial)
            first = g->dim[d];
    for (int d = g->nfree; d < g->ndim; d++)
        if (d != h->serial)
            put(to, "", g->dim[d]);
    put(to, "", g->dim[h->serial]);
    sq_text_printf(to, ") hold(%s) ", first);
    if (g->nfree > 0) {
        sq_text_puts(to, "block(");
        put_free(h, g->nfree, to);
        sq_text_puts(to, ") ");
    }
    sq_text_printf(to, "thread(%s:%d)", g->dim[h->serial], threads);
}

/* ---- the rest ---- */

/* Blocks share all free dimensions, tiles of the column; threads its elements. */
static void put_simple(const shape *h, int points, sq_text *to)
{
    const sq_group *g = h->g;
    const char *j = g->dim[h->column];
    int64_t threads = fitting(g, h->column, 32, THREADS);
    sq_text_printf(to, "tile(%s:%lld) order(", j, (long long)(threads * points));
    for (int d = 0; d < g->nfree; d++)
        if (d != h->column)
            put(to, "", g->dim[d]);
    put(to, "", outer(h, h->column));
    put(to, "", j);
    sq_text_puts(to, ") ");
    if (points > 1)
        sq_text_printf(to, "micro(%s:%d) vectorize(%s:%d) ", j, points, j, points);
    else if (h->serial >= 0)
        sq_text_printf(to, "micro(| %s) ", g->dim[h->serial]);
    sq_text_puts(to, "block(");
    for (int d = 0; d < g->nfree; d++)
        if (d != h->column)
            put(to, "", g->dim[d]);
    put(to, "", outer(h, h->column));
    sq_text_printf(to, ") thread(%s)", j);
}

/* Only one loop is shared: where the others carry dependences. */
static void put_least(const shape *h, int d, sq_text *to)
{
    sq_text_printf(to, "tile(%s:%d) order(%s0) block(%s0) thread(%s)", h->g->dim[d], THREADS,
                   h->g->dim[d], h->g->dim[d], h->g->dim[d]);
}

static bool put_rung(const shape *h, int rung, sq_text *to)
{
    const sq_group *g = h->g;
    int lanes = sq_group_bytes(g) == 8 ? 2 : 4;
    switch (rung) {
    case 0:
        return sq_draft_tensor(g, h->column, to);
    case 1:
        return put_product(h, sq_group_bytes(g) == 8 || h->taps > 1 ? 4 : 8, to);
    case 2:
        return put_product(h, 4, to);
    case TEAM:
        if (!has_team(h))
            return false;
        put_team(h, g->nfree ? THREADS : MOST_THREADS, to);
        return true;
    case 4:
        if (!h->vectors || g->stmt[0]->updates)
            return false;
        put_simple(h, lanes, to);
        return true;
    case 5:
        put_simple(h, 1, to);
        return true;
    default:
        put_least(h, rung - RUNGS, to);
        return true;
    }
}

/* ---- the ladder ---- */

static bool emits(const sq_schedule *s, const sq_target *t)
{
    sq_text scratch = {0};
    sq_diags *d = sq_diags_new();
    sq_emit_options o = {.target = t};
    bool fine = sq_emit_source(s, &o, &scratch, d) == 0;
    sq_text_free(&scratch);
    sq_diags_free(d);
    return fine;
}

static void choose(sq_schedule *s, int group, const sq_target *t, sq_arena *a, sq_text *script)
{
    shape h = shape_of(s->group[group], a);
    for (int rung = 0; rung < RUNGS + h.g->nfree; rung++) {
        sq_text calls = {0}, whole = {0};
        sq_schedule *trial = sq_schedule_copy(s, a);
        bool ok = (h.g->nfree > 0 || rung == TEAM) && put_rung(&h, rung, &calls);
        sq_text_printf(&whole, "%s: %s", h.g->stmt[0]->name, sq_text_str(&calls));
        ok = ok && sq_draft_try(trial, sq_text_str(&whole), a) && emits(trial, t);
        if (ok) {
            *s = *trial;
            sq_text_printf(script, "%s ", sq_text_str(&whole));
        }
        sq_text_free(&calls);
        sq_text_free(&whole);
        if (ok)
            return;
    }
}

/* ---- rows ---- */

/* Statements after each other that compute with the same rows: a block has a row, of which it sums
 * terms and computes elements. */
typedef struct rows {
    shape of[MOST_ROWS];
    int n;     /* groups */
    int nrows; /* free dimensions that all have */
} rows;

static bool in_run(const sq_schedule *s, int group)
{
    return s->group[group]->shared > 0 ||
           (group + 1 < s->ngroups && s->group[group + 1]->shared > 0);
}

/* As many groups as fit from one on; rows are what its first sum has. */
static void find_rows(const sq_schedule *s, int from, sq_arena *a, rows *x)
{
    x->n = 0;
    x->nrows = -1;
    for (int i = from; i < s->ngroups && x->n < MOST_ROWS; i++) {
        const sq_group *g = s->group[i];
        if (g->kind != SQ_GROUP_TILED || g->nfree == 0)
            return;
        shape h = shape_of(g, a);
        bool sums = g->stmt[0]->updates != NULL;
        if (sums && (!has_team(&h) || (x->nrows >= 0 && g->nfree != x->nrows)))
            return;
        if (sums)
            x->nrows = g->nfree;
        x->of[x->n++] = h;
    }
}

/* The first n groups' calls. False where one has no rows, or several dimensions inside of them. */
static bool put_rows(const rows *x, int n, sq_text *to)
{
    sq_text names = {0};
    bool ok = x->nrows > 0;
    for (int i = 0; i < n && ok; i++) {
        const shape *h = &x->of[i];
        const sq_group *g = h->g;
        sq_text_printf(to, "%s: ", g->stmt[0]->name);
        sq_text_printf(&names, "%s%s", i ? ", " : "", g->stmt[0]->name);
        ok = g->nfree == x->nrows || g->nfree == x->nrows + 1;
        if (g->stmt[0]->updates) {
            put_team(h, THREADS, to);
        } else {
            sq_text_puts(to, "block(");
            put_free(h, x->nrows, to);
            sq_text_puts(to, ")");
            if (g->nfree > x->nrows)
                sq_text_printf(to, " thread(%s:%d)", g->dim[x->nrows], THREADS);
        }
        sq_text_puts(to, " ");
    }
    if (ok)
        sq_text_printf(to, "fuse(%s at %s)", sq_text_str(&names), x->of[0].g->dim[x->nrows - 1]);
    sq_text_free(&names);
    return ok;
}

static bool choose_rows(sq_schedule *s, int group, const sq_target *t, sq_arena *a, sq_text *script)
{
    rows *x = SQ_NEW(a, rows);
    find_rows(s, group, a, x);
    for (int n = x->n; n > 1; n--) {
        sq_text calls = {0};
        sq_schedule *trial = sq_schedule_copy(s, a);
        bool ok = put_rows(x, n, &calls) && sq_draft_try(trial, sq_text_str(&calls), a) &&
                  emits(trial, t);
        if (ok) {
            *s = *trial;
            sq_text_printf(script, "%s ", sq_text_str(&calls));
        }
        sq_text_free(&calls);
        if (ok)
            return true;
    }
    return false;
}

/* ---- loops for many statements ---- */

/* Loops around statements that the grid shares, all of them together. */
static int shared_loops(const sq_tree *t)
{
    int sum = 0;
    for (int i = 0; i < t->nmembers; i++)
        sum += t->member[i].parallel ? t->nstmts : 0;
    for (int i = 0; i < t->nchildren; i++)
        sum += shared_loops(t->child[i]);
    return sum;
}

static int group_of(const sq_schedule *s, const char *stmt)
{
    int g = 0;
    while (strcmp(s->group[g]->stmt[0]->name, stmt) != 0)
        g++;
    return g;
}

/* The first auto() with a shared loop for each statement, or that of which the grid shares most;
 * last a wavefront, a thread for each point of it. */
static bool choose_auto(sq_schedule *s, int group, const sq_target *t, sq_arena *a, sq_text *script)
{
    static const char *const ways[] = {"", ", keep:1", ", tile:1"};
    const sq_schedule *best = NULL;
    const char *name = s->group[group]->stmt[0]->name, *call = NULL;
    int most = 0;
    for (int i = 0; i < 3 && most < s->group[group]->nstmts; i++) {
        const char *text =
            sq_arena_printf(a, "%s: auto(fuse:min%s, grid:%d)", name, ways[i], THREADS);
        sq_schedule *trial = sq_schedule_copy(s, a);
        if (!sq_draft_try(trial, text, a))
            continue;
        int n = shared_loops(trial->group[group_of(trial, name)]->plan->tree);
        if (n > most && emits(trial, t)) {
            most = n;
            best = trial;
            call = text;
        }
    }
    if (!best)
        return false;
    *s = *best;
    sq_text_printf(script, "%s ", call);
    return true;
}

void sq_draft_grid(sq_schedule *s, const sq_target *t, sq_arena *a, sq_text *script)
{
    sq_draft_fuse(s, a, script);
    for (int g = 0; g < s->ngroups; g++)
        if (s->kernel->deps && sq_draft_by_auto(s->kernel, s->group[g]) &&
            choose_auto(s, g, t, a, script))
            continue;
        else if (s->group[g]->kind == SQ_GROUP_TILED && !in_run(s, g) &&
                 !choose_rows(s, g, t, a, script))
            choose(s, g, t, a, script);
}
