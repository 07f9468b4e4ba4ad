/* Scripts for a grid: blocks and threads, tiles of one thread, copies in shared memory, from the
 * dimensions of a kernel's groups, mostly in an order that is legal by form. Now and then what the
 * model would choose. */
#include "tests/exec/exec.h"
#include "tests/fuzz/fuzz.h"
#include "ir/dependence/tensor.h"
#include "support/integer.h"
#include "tuner/device/device_file.h"
#include "tuner/space/grid_plan.h"
#include <stdio.h>
#include <string.h>

enum { MOST_LISTED = 24 };

/* Names of loops, to stand in order(…) or block(…). */
typedef struct list {
    int n;
    char name[MOST_LISTED][40];
} list;

typedef struct draw {
    const sq_group *g;
    sq_rng *r;
    sq_text *to;
    int column;                  /* of the vectors */
    int serial;                  /* the reduction inside the tile; -1 */
    int64_t points[SQ_MAX_DIMS]; /* of a thread's tile */
    list blocks, outside, threads, sums;
} draw;

static int below(draw *d, int n)
{
    return (int)sq_rng_below(d->r, (size_t)n);
}

static bool chance(draw *d, int percent)
{
    return below(d, 100) < percent;
}

static void add(list *l, const char *dim, const char *suffix)
{
    if (l->n < MOST_LISTED)
        snprintf(l->name[l->n++], sizeof l->name[0], "%s%s", dim, suffix);
}

static void put_list(draw *d, const list *l, const char *sep)
{
    for (int i = 0; i < l->n; i++, sep = ", ")
        sq_text_printf(d->to, "%s%s", sep, l->name[i]);
}

static void shuffle(draw *d, list *l)
{
    for (int i = l->n - 1; i > 0; i--) {
        int j = below(d, i + 1);
        char swap[40];
        memcpy(swap, l->name[i], sizeof swap);
        memcpy(l->name[i], l->name[j], sizeof swap);
        memcpy(l->name[j], swap, sizeof swap);
    }
}

/* ---- dimensions ---- */

/* A free one: in tiles of what some threads have, or as it is. */
static void draw_free(draw *d, int i)
{
    static const int threads[] = {1, 2, 4, 4, 8, 8, 16, 32, 5, 3};
    const char *name = d->g->dim[i];
    int many = i == d->column ? threads[2 + below(d, 6)] : threads[below(d, 10)];
    if (chance(d, 75)) {
        int whole = chance(d, 85) ? 1 : 2; /* or each thread has several */
        sq_text_printf(d->to, "tile(%s:%lld) ", name, (long long)(d->points[i] * many * whole));
        add(chance(d, 80) ? &d->blocks : &d->outside, name, "0");
        if (whole == 1 && chance(d, 85))
            add(&d->threads, name, "");
        else if (chance(d, 60))
            snprintf(d->threads.name[d->threads.n++], 40, "%s:%d", name, many);
        else
            add(&d->outside, name, "");
    } else if (chance(d, 55)) {
        add(&d->blocks, name, "");
    } else if (chance(d, 50)) {
        snprintf(d->threads.name[d->threads.n++], 40, "%s:%d", name, many);
    } else {
        add(&d->outside, name, "");
    }
}

static void draw_sum(draw *d, int i, sq_text *held)
{
    static const int tiles[] = {2, 3, 4, 8, 16};
    const char *name = d->g->dim[i];
    int64_t known = sq_stmt_extent(d->g->stmt[0], i);
    if (known > 1 && known <= 9 && chance(d, 60)) {
        d->points[i] = known;
        return;
    }
    if (d->serial >= 0 || !chance(d, 80)) {
        add(&d->sums, name, "");
        return;
    }
    d->serial = i;
    if (!chance(d, 60))
        return;
    sq_text_printf(d->to, "tile(%s:%d) ", name, tiles[below(d, 5)]);
    add(&d->sums, name, "0");
    sq_text_clear(held);
    if (chance(d, 85))
        sq_text_printf(held, "hold(%s0) ", name);
}

/* ---- calls ---- */

static void put_micro(draw *d)
{
    const char *sep = "micro(";
    for (int i = 0; i < d->g->ndim; i++)
        if (d->points[i] > 1) {
            sq_text_printf(d->to, "%s%s:%lld", sep, d->g->dim[i], (long long)d->points[i]);
            sep = ", ";
        }
    if (d->serial >= 0)
        sq_text_printf(d->to, "%s| %s", *sep == 'm' ? sep : " ", d->g->dim[d->serial]);
    else if (*sep == 'm')
        return;
    sq_text_puts(d->to, ") ");
    if (d->points[d->column] > 1 && chance(d, 60))
        sq_text_printf(d->to, "vectorize(%s:%d) ", d->g->dim[d->column],
                       d->points[d->column] % 4 == 0 && chance(d, 70) ? 4 : 2);
}

/* thread(i:4): a name without its number in order(…). */
static void put_order(draw *d)
{
    list all = {0};
    const list *parts[] = {&d->blocks, &d->outside, &d->threads, &d->sums};
    for (int p = 0; p < 4; p++)
        for (int i = 0; i < parts[p]->n; i++) {
            char name[40];
            snprintf(name, sizeof name, "%s", parts[p]->name[i]);
            name[strcspn(name, ":")] = 0;
            add(&all, name, "");
        }
    if (all.n < 2)
        return;
    if (chance(d, 4))
        shuffle(d, &all);
    put_list(d, &all, "order(");
    sq_text_puts(d->to, ") ");
}

static void put_share(draw *d)
{
    const list *last = d->sums.n                      ? &d->sums
                       : d->outside.n                 ? &d->outside
                       : d->blocks.n && chance(d, 90) ? &d->blocks
                                                      : &d->threads;
    sq_access *read[SQ_MAX_STMT_READS];
    const sq_array *seen[4];
    int n = sq_stmt_all_reads(d->g->stmt[0], read, NULL), nseen = 0;
    for (int i = 0; i < n && nseen < 3; i++) {
        bool again = read[i]->array->ndim == 0;
        for (int j = 0; j < nseen; j++)
            again |= seen[j] == read[i]->array;
        if (!again && chance(d, 70))
            seen[nseen++] = read[i]->array;
    }
    if (nseen == 0 || last->n == 0 || d->threads.n == 0)
        return;
    sq_text_puts(d->to, "share(");
    for (int i = 0; i < nseen; i++)
        sq_text_printf(d->to, "%s%s", i ? ", " : "", seen[i]->name);
    char name[40];
    snprintf(name, sizeof name, "%s", last->name[last->n - 1]);
    name[strcspn(name, ":")] = 0;
    sq_text_printf(d->to, " at %s", name);
    if (chance(d, 40))
        sq_text_printf(d->to, ", pad:%d", 1 + below(d, 5));
    if (chance(d, 40))
        sq_text_printf(d->to, ", stages:%d", 2 + below(d, 3));
    sq_text_puts(d->to, ") ");
}

static void put_group(const sq_group *g, sq_rng *r, sq_text *to)
{
    static const int rows[] = {1, 1, 1, 2, 3, 4}, columns[] = {1, 1, 2, 4, 4, 8};
    draw d = {.g = g, .r = r, .to = to, .serial = -1};
    sq_text held = {0}, own = {0};
    d.to = &own;
    d.column = g->nfree - 1;
    for (int i = 0; i < g->ndim; i++)
        d.points[i] = i >= g->nfree   ? 1
                      : i == d.column ? columns[below(&d, 6)]
                                      : rows[below(&d, 6)];
    for (int i = 0; i < g->nfree; i++)
        draw_free(&d, i);
    for (int i = g->ndim - 1; i >= g->nfree; i--)
        draw_sum(&d, i, &held);
    put_micro(&d);
    put_order(&d);
    sq_text_puts(&own, sq_text_str(&held));
    const list *dealt[] = {&d.blocks, &d.threads};
    for (int i = 0; i < 2; i++)
        if (dealt[i]->n) {
            put_list(&d, dealt[i], i ? "thread(" : "block(");
            if (i == 0 && dealt[i]->n > 1 && chance(&d, 30))
                sq_text_printf(&own, ", group:%d", 2 + below(&d, 4));
            sq_text_puts(&own, ") ");
        }
    if (chance(&d, 45))
        put_share(&d);
    if (own.n)
        sq_text_printf(to, "%s: %s", g->stmt[0]->name, sq_text_str(&own));
    sq_text_free(&held);
    sq_text_free(&own);
}

/* ---- matrix instructions ---- */

typedef struct tensor {
    int rows, columns, steps;
    sq_tensor_product of;
    const sq_tensor_shape *shape;
} tensor;

/* Dimensions that instructions can have as theirs, in one of the ways there are. */
static bool draw_tensor(const sq_group *g, sq_rng *r, tensor *x)
{
    int n = g->ndim * g->ndim * g->ndim, first = (int)sq_rng_below(r, (size_t)n);
    for (int i = 0; i < n; i++) {
        int at = (first + i) % n;
        x->rows = at % g->ndim;
        x->columns = at / g->ndim % g->ndim;
        x->steps = at / g->ndim / g->ndim;
        if (x->rows >= g->nfree || x->columns >= g->nfree || x->steps < g->nfree ||
            !sq_tensor_product_of(g, x->rows, x->columns, x->steps, &x->of))
            continue;
        x->shape = sq_tensor_shape_of(x->of.of[0]->array->type, x->of.sum, 1);
        return x->shape != NULL;
    }
    return false;
}

static int64_t times(draw *d, int64_t n, int most)
{
    return n * (1 + below(d, most));
}

/* The rows, columns and steps of a tile, of its warps and of one instruction. */
typedef struct numbers {
    int64_t tile[3], warp[2], instruction[3];
} numbers;

static numbers of_warps(draw *d, const sq_tensor_shape *s)
{
    numbers n = {.instruction = {s->m, s->n, s->k}};
    n.warp[0] = times(d, s->m, 3);
    n.warp[1] = times(d, s->n, 4);
    n.tile[0] = times(d, n.warp[0], 3);
    n.tile[1] = times(d, n.warp[1], 3);
    n.tile[2] = times(d, s->k, 3);
    return n;
}

static numbers of_warpgroups(draw *d, const sq_tensor_shape *s)
{
    int64_t columns = times(d, chance(d, 60) ? 64 : s->n, chance(d, 50) ? 3 : 16), tile = columns;
    if (chance(d, 40)) /* several of them, a multiple of 64 together */
        tile = columns / sq_gcd(columns, 64) * 64;
    return (numbers){{times(d, s->m, 2), times(d, tile, chance(d, 30) ? 2 : 1), times(d, 64, 2)},
                     {s->m / SQ_WARPGROUP, columns},
                     {s->m, columns, s->k}};
}

/* Tiles of some warps, in blocks; of warpgroups where the target has their instructions. */
static bool put_tensor(const sq_group *g, const sq_target *t, sq_rng *r, sq_text *to)
{
    tensor x;
    draw d = {.g = g, .r = r, .to = to};
    if (!g->stmt[0]->updates || !draw_tensor(g, r, &x))
        return false;
    const sq_tensor_shape *of_four =
        sq_tensor_shape_of(x.shape->operand, x.shape->sum, SQ_WARPGROUP);
    bool warpgroups = of_four && t->grid->warpgroups && chance(&d, 70);
    const numbers n = warpgroups ? of_warpgroups(&d, of_four) : of_warps(&d, x.shape);
    const char *i = g->dim[x.rows], *j = g->dim[x.columns], *k = g->dim[x.steps];
    list sums = {0};
    for (int s = 0; s < g->ndim; s++)
        if (s != x.rows && s != x.columns && s != x.steps)
            add(s < g->nfree ? &d.blocks : &sums, g->dim[s], "");
    add(&d.blocks, i, "0");
    add(&d.blocks, j, "0");
    add(&sums, k, "0");
    sq_text_printf(to, "%s: tile(%s:%lld, %s:%lld, %s:%lld) micro(%s:%lld, %s:%lld | %s) ",
                   g->stmt[0]->name, i, (long long)n.tile[0], j, (long long)n.tile[1], k,
                   (long long)n.tile[2], i, (long long)n.warp[0], j, (long long)n.warp[1], k);
    sq_text_printf(to, "tensorize(%s:%lld, %s:%lld, %s:%lld) ", i, (long long)n.instruction[0], j,
                   (long long)n.instruction[1], k, (long long)n.instruction[2]);
    put_list(&d, &d.blocks, "order(");
    bool turned = warpgroups && (n.tile[1] > n.warp[1] || chance(&d, 30));
    sq_text_printf(to, ", %s, %s", turned ? j : i, turned ? i : j);
    put_list(&d, &sums, ", ");
    sq_text_printf(to, ") hold(%s) ", sums.name[0]);
    put_list(&d, &d.blocks, "block(");
    sq_text_printf(to, ") thread(%s, %s) share(%s, %s at %s0", i, j, x.of.of[0]->array->name,
                   x.of.of[1]->array->name, k);
    if (!warpgroups && chance(&d, 60))
        sq_text_printf(to, ", pad:%d", 16 / sq_type_bytes(x.shape->operand));
    if (warpgroups || chance(&d, 50))
        sq_text_printf(to, ", stages:%d", 2 + below(&d, 2));
    sq_text_puts(to, ") ");
    return true;
}

/* ---- groups ---- */

static bool is_tiled(const sq_schedule *s, int i)
{
    return i < s->ngroups && s->group[i]->kind == SQ_GROUP_TILED && s->group[i]->nfree > 0;
}

/* Two statements in the blocks of one loop: what one wrote the other reads behind a barrier. */
static bool put_pair(const sq_schedule *s, int i, sq_rng *r, sq_text *to)
{
    if (!is_tiled(s, i) || !is_tiled(s, i + 1))
        return false;
    const sq_group *pair[2] = {s->group[i], s->group[i + 1]};
    const char *outer = pair[0]->dim[0];
    if (sq_group_dim(pair[1], outer) != 0)
        return false;
    for (int p = 0; p < 2; p++) {
        const sq_group *g = pair[p];
        sq_text_printf(to, "%s: block(%s) ", g->stmt[0]->name, outer);
        if (g->nfree > 1 && sq_rng_below(r, 5))
            sq_text_printf(to, "thread(%s:%d) ", g->dim[g->nfree - 1],
                           (int[]){16, 32, 32, 64, 5}[sq_rng_below(r, 5)]);
    }
    sq_text_printf(to, "fuse(%s, %s at %s) ", pair[0]->stmt[0]->name, pair[1]->stmt[0]->name,
                   outer);
    return true;
}

/* What compile takes, for sizes that are as likely small as large. */
static void untuned(sq_schedule *s, const sq_target *t, sq_rng *r, sq_arena *arena, sq_text *to)
{
    int64_t sizes[SQ_MAX_SIZES];
    sq_grid_sizes(s->kernel, sizes);
    for (int i = 0; i < s->kernel->nsizes && sq_rng_below(r, 2); i++)
        sizes[i] = (int64_t[]){16, 33, 64, 129, 256, 1000}[sq_rng_below(r, 6)];
    sq_draft_grid(s, sq_device_known(t->grid->arch), t, sizes, arena, to);
}

void grid_script(const sq_kernel *k, const sq_target *t, sq_rng *r, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    sq_schedule *s = sq_schedule_new(k, arena);
    if (sq_rng_below(r, 8) == 0) {
        untuned(s, t, r, arena, to);
        sq_arena_free(arena);
        return;
    }
    random_rewrites(s, r, arena, to);
    for (int i = 0; i < s->ngroups; i++) {
        if (sq_rng_below(r, 3) == 0 && put_pair(s, i, r, to)) {
            i++;
            continue;
        }
        if (is_tiled(s, i) && is_tiled(s, i + 1) && sq_rng_below(r, 4) == 0) {
            sq_text_printf(to, "fuse(%s, %s) ", s->group[i]->stmt[0]->name,
                           s->group[i + 1]->stmt[0]->name);
            put_group(s->group[i], r, to);
            i++;
        } else if (is_tiled(s, i) && sq_rng_below(r, 4) && put_tensor(s->group[i], t, r, to)) {
            continue;
        } else if (is_tiled(s, i) && (s->ngroups == 1 || sq_rng_below(r, 6))) {
            put_group(s->group[i], r, to);
        }
    }
    sq_arena_free(arena);
}
