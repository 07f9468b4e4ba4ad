/* Script: random scripts from the dimensions of a kernel's groups. They know the grammar and little
 * else: what is illegal must be refused, not computed wrongly. Loop names are those the transforms
 * give (i0, i1, i). */
#include "tests/exec/exec.h"
#include "transforms/transform.h"
#include "transforms/tree_nest.h"
#include <isl/aff.h>
#include <stdio.h>
#include <string.h>

typedef struct draw {
    const sq_kernel *k;
    const sq_group *g;
    sq_rng *r;
    sq_text *to;
    int tiles[SQ_MAX_DIMS];   /* loops tile() added */
    int points[SQ_MAX_DIMS];  /* of the register tile */
    bool inside[SQ_MAX_DIMS]; /* the point loop lies in the tile */
    int serial;
} draw;

static int below(draw *d, int n)
{
    return (int)sq_rng_below(d->r, (size_t)n);
}

static bool chance(draw *d, int percent)
{
    return below(d, 100) < percent;
}

static int pick(draw *d, const int *from, int n)
{
    return from[below(d, n)];
}

static void put_tiles(draw *d)
{
    static const int sizes[] = {2, 4, 6, 8, 12, 16, 24, 32, 48, 5};
    for (int i = 0; i < d->g->ndim; i++) {
        bool whole = d->inside[i] && i != d->serial;
        if (!chance(d, whole ? 2 : 40))
            continue;
        int points = pick(d, sizes, 10);
        if (d->points[i] > 1 && chance(d, 80))
            points = d->points[i] * (1 + below(d, 4));
        bool twice = chance(d, 15);
        if (twice)
            sq_text_printf(d->to, "tile(%s:%d) ", d->g->dim[i], points * (2 + below(d, 2)));
        sq_text_printf(d->to, "tile(%s:%d) ", d->g->dim[i], points);
        d->tiles[i] += 1 + twice;
    }
}

static void draw_tile(draw *d)
{
    static const int rows[] = {1, 1, 2, 3, 4, 5, 6}, vectors[] = {2, 4, 8, 8, 16, 16, 32, 3, 12};
    int v = below(d, d->g->nfree > 0 ? d->g->nfree : 1);
    d->serial = -1;
    for (int i = 0; i < d->g->ndim; i++)
        d->points[i] = 1;
    for (int i = 0; i < d->g->nfree; i++)
        d->points[i] = i == v ? pick(d, vectors, 9) : chance(d, 50) ? pick(d, rows, 7) : 1;
    for (int i = d->g->ndim - 1; i >= d->g->nfree; i--) {
        int64_t extent = sq_stmt_extent(d->g->stmt[0], i);
        if (extent > 1 && extent <= 9 && chance(d, 60))
            d->points[i] = (int)extent, d->inside[i] = true, d->tiles[i] = 0;
        else if (d->serial < 0 && chance(d, 75))
            d->serial = i, d->inside[i] = true;
    }
}

/* Mostly lanes that divide the points. */
static void put_vector(draw *d, int dim)
{
    int lanes = 1 << below(d, d->g->stmt[0]->write->array->type == SQ_F32 ? 5 : 4);
    while (lanes > 1 && d->points[dim] % lanes && dim != d->serial && chance(d, 90))
        lanes /= 2;
    sq_text_printf(d->to, "vectorize(%s:%d) ", d->g->dim[dim], lanes);
}

static void put_micro(draw *d)
{
    int last = -1;
    const char *sep = "";
    sq_text_puts(d->to, "micro(");
    for (int i = 0; i < d->g->ndim; i++)
        if (d->points[i] > 1) {
            sq_text_printf(d->to, "%s%s:%d", sep, d->g->dim[i], d->points[i]);
            sep = ", ";
            last = i < d->g->nfree ? i : last;
        }
    if (!*sep && d->serial < 0)
        sq_text_printf(d->to, "%s:1", d->g->dim[0]);
    if (d->serial >= 0)
        sq_text_printf(d->to, " | %s", d->g->dim[d->serial]);
    sq_text_puts(d->to, ") ");
    if (chance(d, 40))
        put_vector(d, chance(d, 25) ? below(d, d->g->ndim) : last >= 0 ? last : 0);
    if (d->serial < 0)
        return;
    if (chance(d, 25))
        sq_text_printf(d->to, "unroll(%s:%d) ", d->g->dim[d->serial], 1 + below(d, 4));
    if (chance(d, 20))
        sq_text_printf(d->to, "split(%s:%d) ", d->g->dim[d->serial], 2 + below(d, 2));
}

/* Names of all loops, tile loops before point loops, each band shuffled. */
static int loop_names(draw *d, char name[][40])
{
    int n = 0;
    for (int points = 0; points < 2; points++) {
        int start = n;
        for (int i = 0; i < d->g->ndim; i++) {
            for (int t = 0; t < d->tiles[i] && !points; t++)
                snprintf(name[n++], 40, "%s%d", d->g->dim[i], t);
            if (points && !d->inside[i])
                snprintf(name[n++], 40, "%s", d->g->dim[i]);
        }
        for (int i = n - 1; i > start && chance(d, 80); i--) {
            int j = start + below(d, i - start + 1);
            char swap[40];
            memcpy(swap, name[i], 40);
            memcpy(name[i], name[j], 40);
            memcpy(name[j], swap, 40);
        }
    }
    return n;
}

static void put_order(draw *d, char name[][40], int n)
{
    if (n < 2 || !chance(d, 60))
        return;
    sq_text_puts(d->to, "order(");
    for (int i = 0; i < n; i++)
        sq_text_printf(d->to, "%s%s", i ? ", " : "", name[i]);
    sq_text_puts(d->to, ") ");
}

/* Does dim stand in exactly one subscript, and alone. */
static bool stands_alone(const sq_access *read, int dim)
{
    int in = 0;
    for (int a = 0; a < read->array->ndim; a++) {
        isl_aff *aff = isl_multi_aff_get_aff(read->map, a);
        int n = (int)isl_aff_dim(aff, isl_dim_in), others = 0;
        bool here = dim < n && isl_aff_involves_dims(aff, isl_dim_in, (unsigned)dim, 1);
        for (int i = 0; here && i < n; i++)
            others += i != dim && isl_aff_involves_dims(aff, isl_dim_in, (unsigned)i, 1);
        in += here && !others ? 1 : here ? 2 : 0;
        isl_aff_free(aff);
    }
    return in == 1;
}

/* At a loop that is often the last of the tile loops. */
static void put_pack(draw *d, const sq_access *read, char name[][40], int n)
{
    int tiles = 0, loop = below(d, n + 1);
    const char *as = " as ";
    for (int i = 0; i < d->g->ndim; i++)
        tiles += d->tiles[i];
    if (tiles > 0 && chance(d, 60))
        loop = tiles - 1;
    sq_text_printf(d->to, "pack(%s at %s", read->array->name, loop == n ? "top" : name[loop]);
    for (int i = 0; i < d->g->ndim; i++)
        if (d->points[i] > 1 && chance(d, stands_alone(read, i) ? 60 : 3)) {
            sq_text_printf(d->to, "%s%s%d", as, d->g->dim[i], d->points[i]);
            as = " ";
        }
    sq_text_puts(d->to, ") ");
}

static void put_packs(draw *d, char name[][40], int n)
{
    sq_access *read[32];
    const sq_array *seen[32];
    int reads = 0, nseen = 0;
    for (int s = 0; s < d->g->nstmts; s++) {
        reads = sq_stmt_reads(d->g->stmt[s], read, NULL, 32);
        for (int i = 0; i < reads && i < 32; i++) {
            bool again = false;
            for (int j = 0; j < nseen; j++)
                again |= seen[j] == read[i]->array;
            if (again || nseen == 32)
                continue;
            seen[nseen++] = read[i]->array;
            if (chance(d, read[i]->edge == SQ_EDGE_NONE ? 35 : 70))
                put_pack(d, read[i], name, n);
        }
    }
}

static void put_group(const sq_kernel *k, const sq_group *g, sq_rng *r, sq_text *to)
{
    draw d = {.k = k, .g = g, .r = r, .to = to};
    static char name[SQ_MAX_LOOPS * 2][40];
    sq_text own = {0};
    d.to = &own;
    for (int l = 0; l < g->nloops; l++) /* auto() may have tiled it */
        d.tiles[g->loop[l].dim] += strcmp(g->loop[l].name, g->dim[g->loop[l].dim]) != 0;
    draw_tile(&d);
    put_tiles(&d);
    bool micro = chance(&d, 90);
    if (micro) {
        put_micro(&d);
    } else {
        memset(d.inside, 0, sizeof d.inside);
        d.serial = -1;
        for (int i = 0; i < g->ndim; i++)
            d.points[i] = 1;
    }
    int n = loop_names(&d, name);
    put_order(&d, name, n);
    put_packs(&d, name, n);
    if (n > 0 && chance(&d, 20))
        sq_text_printf(&own, "parallel(%s) ", name[below(&d, n)]);
    if (g->stmt[0]->updates && chance(&d, 15))
        sq_text_puts(&own, chance(&d, 50) ? "epilogue(first) " : "epilogue(last) ");
    if (own.n)
        sq_text_printf(to, "%s: %s", g->stmt[0]->name, own.s);
    sq_text_free(&own);
}

/* Fuses a run of statements; the groups' indices that are left go to kept. C loops that are no
 * perfect nest are always refused, and a script that is refused tests nothing. */
static int put_fuse(const sq_schedule *s, sq_rng *r, sq_text *to, int *kept)
{
    int n = 0;
    for (int i = 0; i < s->ngroups; i++) {
        bool both = n > 0 && s->group[kept[n - 1]]->kind == SQ_GROUP_TILED &&
                    s->group[i]->kind == SQ_GROUP_TILED;
        if (both && sq_rng_below(r, 2)) {
            sq_text_printf(to, "fuse(%s, %s) ", s->group[kept[n - 1]]->stmt[0]->name,
                           s->group[i]->stmt[0]->name);
            continue;
        }
        kept[n++] = i;
    }
    return n;
}

/* The options of auto(…, and what ends it; sep: what stands before the first. */
static void put_auto_options(sq_rng *r, const char *sep, sq_text *to)
{
    static const char *const fuse[] = {"", "fuse:max", "fuse:min", "fuse:smart"};
    static const int sizes[] = {1, 2, 3, 4, 7, 8, 16, 32};
    size_t f = sq_rng_below(r, 4), tiles = sq_rng_below(r, 2) ? sq_rng_below(r, 4) : 0;
    if (f) {
        sq_text_printf(to, "%s%s", sep, fuse[f]);
        sep = ", ";
    }
    if (sq_rng_below(r, 4) == 0) {
        sq_text_printf(to, "%skeep:1", sep);
        sep = ", ";
    }
    for (size_t i = 0; i < tiles; i++) {
        sq_text_printf(to, "%stile:%d", sep, sizes[sq_rng_below(r, 8)]);
        sep = ", ";
    }
    sq_text_puts(to, sq_rng_below(r, 2) ? sep : "");
    if (to->s[to->n - 1] == ' ' || to->s[to->n - 1] == '(')
        sq_text_puts(to, "parallel");
    sq_text_puts(to, ") ");
}

/* auto(…) for a group, or for so many of three groups: 3 is all. */
static void put_auto(const sq_schedule *s, const sq_group *g, size_t of_three, sq_rng *r,
                     sq_text *to)
{
    const char *sep = "";
    if (g)
        sq_text_printf(to, "%s: ", g->stmt[0]->name);
    sq_text_puts(to, "auto(");
    for (int i = 0; i < s->ngroups && !g; i++)
        if (sq_rng_below(r, 3) >= 3 - of_three) {
            sq_text_printf(to, "%s%s", sep, s->group[i]->stmt[0]->name);
            sep = ", ";
        }
    put_auto_options(r, sep, to);
}

/* parallel() of any loop of a tree. */
static void put_mark(const sq_group *g, sq_rng *r, sq_text *to)
{
    const sq_stmt *of = g->stmt[sq_rng_below(r, (size_t)g->nstmts)];
    if (of->nfree)
        sq_text_printf(to, "parallel(%s.%s%s) ", of->name, of->dim[sq_rng_below(r, (size_t)of->nfree)],
                       sq_rng_below(r, 4) ? "" : "0");
}

/* A register tile and its loops for single statements of trees, as the calls so far leave these. */
static void put_nests(const sq_schedule *s, const char *calls, sq_rng *r, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    sq_schedule *c = sq_schedule_copy(s, arena);
    bool fine = sq_script_try(c, calls, arena);
    for (int i = 0; i < c->ngroups && fine; i++)
        for (int j = 0; j < c->group[i]->nstmts; j++) {
            const char *why = NULL;
            if (c->group[i]->kind == SQ_GROUP_TILED || sq_rng_below(r, 3))
                continue;
            const sq_schedule *nest = sq_tree_nest_open(c, c->group[i], j, &why);
            if (nest && nest->group[0]->ndim)
                put_group(nest->kernel, nest->group[0], r, to);
        }
    sq_arena_free(arena);
}

/* Written loops under auto; or, now and then, anything. */
static bool put_trees(const sq_schedule *s, sq_rng *r, sq_text *to)
{
    bool any = sq_rng_below(r, 12) == 0;
    sq_text own = {0};
    sq_text_puts(&own, "");
    if (any)
        put_auto(s, NULL, 2, r, &own);
    for (int i = 0; i < s->ngroups && !any; i++) {
        bool written = s->group[i]->kind == SQ_GROUP_WRITTEN;
        if (written && sq_rng_below(r, 4))
            put_auto(s, s->group[i], 0, r, &own);
        if (written && sq_rng_below(r, 3) == 0)
            put_mark(s->group[i], r, &own);
    }
    sq_text_puts(to, sq_text_str(&own));
    put_nests(s, sq_text_str(&own), r, to);
    sq_text_free(&own);
    return any;
}

static bool try_call(sq_schedule *s, const char *what, const char *call, sq_arena *arena,
                     sq_text *to)
{
    sq_diags *d = sq_diags_new();
    bool done = sq_script_apply(s, call, what, arena, d) == 0;
    if (done)
        sq_text_puts(to, call);
    sq_diags_free(d);
    return done;
}

/* more: "" or further arguments. */
static bool try_rewrite(sq_schedule *s, const char *what, const sq_stmt *about, const char *more,
                        sq_arena *arena, sq_text *to)
{
    return try_call(s, what, sq_arena_printf(arena, "%s(%s%s) ", what, about->name, more), arena,
                    to);
}

/* distribute(), in half of the cases inside of one of the statement's loops. */
static void put_distribute(sq_schedule *s, const sq_stmt *of, sq_rng *r, sq_arena *arena, sq_text *to)
{
    const char *at = of->nfree && sq_rng_below(r, 2) ? of->dim[sq_rng_below(r, (size_t)of->nfree)] : NULL;
    try_rewrite(s, "distribute", of, at ? sq_arena_printf(arena, " at %s", at) : "", arena, to);
}

/* online() of one maximum. */
static bool try_online(sq_schedule *s, const sq_stmt *m, sq_rng *r, sq_arena *arena, sq_text *to)
{
    static const int tiles[] = {1, 2, 3, 5, 8, 16, 32};
    const char *tile = m && m->ndim ? sq_arena_printf(arena, ", %s:%d", m->dim[m->ndim - 1],
                                                      tiles[sq_rng_below(r, 7)])
                                    : "";
    return m && try_rewrite(s, "online", m, tile, arena, to);
}

/* A maximum by tiles, if it has to be after what holds the exponentials was put into their sums. */
static void put_online(sq_schedule *s, sq_rng *r, sq_arena *arena, sq_text *to)
{
    const sq_kernel *k = s->kernel;
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *m = k->stmt[i];
        if (m->reduce != SQ_OP_MAX || sq_rng_below(r, 3) == 0)
            continue;
        if (try_online(s, m, r, arena, to))
            return;
        for (int j = i + 1; j < k->nstmts; j++)
            if (sq_stmt_reads_array(k->stmt[j], m->write->array) &&
                try_rewrite(s, "inline", k->stmt[j], "", arena, to)) {
                try_online(s, sq_kernel_stmt(s->kernel, m->name), r, arena, to);
                return;
            }
    }
}

/* parts() of one reduction, mostly shorter than the sizes drawn. */
static void put_parts(sq_schedule *s, sq_rng *r, sq_arena *arena, sq_text *to)
{
    static const int lengths[] = {1, 2, 3, 4, 5, 8, 16, 64};
    const sq_stmt *of = s->kernel->stmt[sq_rng_below(r, (size_t)s->kernel->nstmts)];
    if (of->nfree == of->ndim)
        return;
    int d = of->nfree + (int)sq_rng_below(r, (size_t)(of->ndim - of->nfree));
    try_rewrite(s, "parts", of,
                sq_arena_printf(arena, ", %s:%d", of->dim[d], lengths[sq_rng_below(r, 8)]), arena,
                to);
}

/* The name of the dimension that some subscript has behind that of d; NULL: there is none. */
static const char *beside(const sq_stmt *of, int d)
{
    for (int x = 0; x + 1 < of->write->array->ndim; x++) {
        isl_aff *a = isl_multi_aff_get_aff(of->write->map, x),
                *b = isl_multi_aff_get_aff(of->write->map, x + 1);
        bool here = isl_aff_involves_dims(a, isl_dim_in, (unsigned)d, 1) == isl_bool_true;
        int next = -1;
        for (int e = 0; e < of->nfree && here; e++)
            if (isl_aff_involves_dims(b, isl_dim_in, (unsigned)e, 1) == isl_bool_true)
                next = e;
        isl_aff_free(a);
        isl_aff_free(b);
        if (next >= 0)
            return of->dim[next];
    }
    return NULL;
}

/* merge() of dimensions that stand side by side in what is written, of any two, or of one. */
static void put_merge(sq_schedule *s, sq_rng *r, sq_arena *arena, sq_text *to)
{
    const sq_stmt *of = s->kernel->stmt[sq_rng_below(r, (size_t)s->kernel->nstmts)];
    if (of->ndim == 0)
        return;
    int d = (int)sq_rng_below(r, (size_t)of->ndim), e = (int)sq_rng_below(r, (size_t)of->ndim);
    const char *near = d < of->nfree ? beside(of, d) : d + 1 < of->ndim ? of->dim[d + 1] : NULL;
    const char *other = near && sq_rng_below(r, 4) ? near : of->dim[e];
    const char *more = strcmp(other, of->dim[d]) == 0 ? "" : sq_arena_printf(arena, ", %s", other);
    if (sq_rng_below(r, 2))
        try_rewrite(s, "merge", of, sq_arena_printf(arena, ", %s%s", of->dim[d], more), arena, to);
    else
        try_call(s, "merge", sq_arena_printf(arena, "merge(%s%s) ", of->dim[d], more), arena, to);
}

void random_rewrites(sq_schedule *s, sq_rng *r, sq_arena *arena, sq_text *to)
{
    for (int g = 0; g < s->ngroups; g++)
        if (s->group[g]->kind == SQ_GROUP_WRITTEN && sq_rng_below(r, 2))
            put_distribute(s, s->group[g]->stmt[0], r, arena, to);
    while (s->kernel->nstmts > 1 && sq_rng_below(r, 3) == 0) {
        int i = (int)sq_rng_below(r, (size_t)s->kernel->nstmts);
        try_rewrite(s, "inline", s->kernel->stmt[i], "", arena, to);
    }
    if (s->kernel->fp == SQ_FP_FAST)
        put_online(s, r, arena, to);
    while (s->kernel->nstmts > 0 && sq_rng_below(r, 3) == 0) /* none: one fixed size is 0 */
        put_parts(s, r, arena, to);
    while (s->kernel->nstmts > 0 && sq_rng_below(r, 2))
        put_merge(s, r, arena, to);
}

void random_script(const sq_kernel *k, sq_rng *r, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    sq_schedule *s = sq_schedule_new(k, arena);
    random_rewrites(s, r, arena, to);
    if (put_trees(s, r, to) || (sq_rng_below(r, 3) == 0 && random_run(s, r, to))) {
        sq_arena_free(arena);
        return;
    }
    int *kept = SQ_NEW_ARRAY(arena, int, s->ngroups + 1), n = put_fuse(s, r, to, kept);
    for (int i = 0; i < n; i++)
        if (s->group[kept[i]]->kind == SQ_GROUP_TILED && s->group[kept[i]]->ndim > 0 &&
            (n == 1 || sq_rng_below(r, 3)))
            put_group(s->kernel, s->group[kept[i]], r, to);
    sq_arena_free(arena);
}

void random_auto(const sq_kernel *k, sq_rng *r, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    sq_schedule *s = sq_schedule_new(k, arena);
    random_rewrites(s, r, arena, to);
    sq_text own = {0};
    if (s->ngroups)
        put_auto(s, NULL, 3, r, &own);
    sq_text_puts(to, sq_text_str(&own));
    if (s->ngroups && sq_rng_below(r, 2))
        put_nests(s, sq_text_str(&own), r, to);
    sq_text_free(&own);
    sq_arena_free(arena);
}
