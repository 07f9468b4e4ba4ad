/* Sketch: the coordinates of a kernel's space; see sketch.h. */
#include "tuner/model/draft_tree.h"
#include "tuner/space/sketch_inside.h"
#include <stdio.h>
#include <string.h>

/* Starting values of the first descent: the largest choice that is not above. Blocks are those of
 * products on a CPU with caches of 32 KiB and 1 MiB. */
enum {
    START_VECTORS = 2,
    START_ROWS = 6,
    START_TAPS = 5,
    START_SUM = 384,
    START_COLUMNS = 768,
    START_ROWS_BLOCK = 192,
    START_GIVEN_ROWS = 64 /* rows at a time, of groups that a script fused */
};
/* Dimensions of at least this length are worth vectors, and sums of a known one. */
enum { LONG = 16, LEAST_SUM = 5 };

typedef struct builder {
    sq_sketch *s;
    part *p;
    int group; /* number of the group, or -1 */
    int chain; /* the chain that it applies to as a whole, -1 */
    const char *prefix;
} builder;

/* True if the sum is one of dot products of bytes (transforms/dot.h). */
static bool has_words(const part *p)
{
    const sq_expr *body = p->shape.group ? p->shape.group->stmt[0]->body : NULL;
    while (body && body->op == SQ_OP_CAST)
        body = body->arg[0];
    return body && (body->op == SQ_OP_DOT4 || body->op == SQ_OP_DOT2);
}

static sq_coord_mark mark_of(const part *p, choice r)
{
    bool unrolls = r == R_UNROLL || r == R_SPLIT || r == R_TAPS;
    bool is_tile = r == R_LANES || r == R_VECTORS || r == R_ROWS || r == R_ROWS2;
    return unrolls                     ? SQ_COORD_UNROLLS
           : r == R_PARALLEL           ? SQ_COORD_THREADS
           : is_tile && has_words(p)   ? SQ_COORD_MATRIX
                                       : SQ_COORD_UNMARKED;
}

static void add(builder *b, choice r, const char *name, const long *value, int n, long start,
                int axis, bool structural)
{
    sq_space *sp = &b->s->space;
    b->p->coord[r] = -1;
    if (n < 1 || sp->n == SQ_MAX_COORDS)
        return;
    sq_coord *c = &sp->coord[sp->n];
    long *copy = SQ_NEW_ARRAY(b->s->arena, long, n);
    memcpy(copy, value, (size_t)n * sizeof *value);
    snprintf(c->name, sizeof c->name, "%s%s", b->prefix, name);
    c->nvalues = n;
    c->value = copy;
    c->axis = axis;
    c->structural = structural;
    c->mark = mark_of(b->p, r);
    sp->start[sp->n] = 0;
    for (int i = 0; i < n; i++)
        if (copy[i] <= start)
            sp->start[sp->n] = i;
    b->s->part_of[sp->n] = b->group;
    b->s->chain_of[sp->n] = r == R_PARALLEL ? b->p->chain : b->chain;
    b->p->coord[r] = sp->n++;
}

/* Writes the members of list (terminated by 0) below limit, and then limit itself; returns their
 * number. */
static int up_to(const long *list, long limit, long *out)
{
    int n = 0;
    for (; *list && *list < limit; list++)
        out[n++] = *list;
    out[n++] = limit;
    return n;
}

static long count_to(int n, long *out)
{
    for (int i = 0; i < n; i++)
        out[i] = i;
    return n;
}

static bool lone_unit(const sq_operand *o, int dim)
{
    for (int a = 0; a < o->nsubs; a++) {
        int others = 0;
        for (int d = 0; d < SQ_MAX_DIMS; d++)
            others += d != dim && o->coef[a][d] != 0;
        if (o->coef[a][dim])
            return o->coef[a][dim] == 1 && others == 0;
    }
    return false;
}

static bool sums_over(const sq_shape *h, const sq_operand *o)
{
    for (int d = h->nfree; d < h->ndim; d++)
        if (sq_operand_moves(o, d))
            return true;
    return false;
}

/* If no operand of the sum is contiguous along `vector` (-1: there is none), returns the reduction
 * dimension along which one is, as in a row-wise matrix-vector product; -1. Lanes then hold partial
 * sums. Words that are read in place have no other lanes. */
static int contiguous_sum(const sq_shape *h, int vector)
{
    int found = -1;
    for (int i = 0; i < h->noperands; i++) {
        const sq_operand *o = &h->operand[i];
        if (!o->in_body || !o->nsubs)
            continue;
        if (o->padded || (vector >= 0 && o->coef[o->nsubs - 1][vector] == 1 && sums_over(h, o)))
            return -1;
        for (int d = h->nfree; d < h->ndim; d++)
            if (o->coef[o->nsubs - 1][d] == 1 &&
                (h->extent[d] >= (h->known[d] ? LEAST_SUM : LONG) || o->array->words_of))
                found = d;
    }
    return found;
}

/* Returns a free dimension along which an operand is contiguous if none is along `vector`: lanes
 * are loaded contiguously, and transposed when they are stored; -1. */
static int contiguous_read(const sq_shape *h, int vector)
{
    int found = -1;
    for (int i = 0; i < h->noperands; i++) {
        const sq_operand *o = &h->operand[i];
        if (!o->read || !o->nsubs)
            continue;
        if (o->coef[o->nsubs - 1][vector] == 1)
            return -1;
        for (int d = 0; d < h->nfree; d++)
            if (o->coef[o->nsubs - 1][d] == 1 && h->extent[d] > 1)
                found = d;
    }
    return found;
}

/* True if lanes along a dimension are loads and shuffles of what a sum reads. */
static bool loads_lanes(const sq_shape *h, int d)
{
    bool fine = true;
    for (int i = 0; i < h->noperands && fine; i++) {
        int64_t step = sq_operand_step(&h->operand[i], d);
        fine = !h->operand[i].in_body || (step >= 0 && step <= SQ_STRIDE_MOST);
    }
    return fine;
}

/* Takes the dimension along which what is written lies this many elements apart, if there is none yet. Elements apart
 * that are read, too, stay single: a vector's load waits for stores of a few of its lanes. */
static void take_written(part *p, int apart)
{
    const sq_shape *h = &p->shape;
    for (int i = 0; i < h->noperands; i++) {
        const sq_operand *o = &h->operand[i];
        for (int d = 0; o->written && d < h->nfree; d++)
            if (o->nsubs && sq_operand_step(o, d) == apart && !p->ncandidates &&
                (apart == 1 || (sq_sketch_walks(h, o->array) == 1 && !o->read)) &&
                (apart == 1 || !h->group->stmt[0]->updates || loads_lanes(h, d)))
                p->candidate[p->ncandidates++] = d;
    }
}

/* True if vectors along dimension d can be read by a sum: each operand that it moves lies so, or its panels do. */
static bool panels_serve(const sq_shape *h, int d)
{
    bool all = true;
    for (int i = 0; i < h->noperands; i++) {
        const sq_operand *o = &h->operand[i];
        if (o->in_body && sq_operand_moves(o, d))
            all = all && (sq_operand_step(o, d) == 1 || (lone_unit(o, d) && sq_sketch_walks(h, o->array) == 1));
    }
    return all;
}

/* Returns the longest dimension of a sum that vectors may be along instead of dimension `first`: rows for which the
 * vectors of `first` are used again, and where that is shorter than vectors, all that can be read; -1. */
static int instead_of(const sq_shape *h, int first, long lanes)
{
    int best = -1;
    for (int d = 0; d < h->nfree; d++) {
        bool serves = sq_shape_role(h, d, first) == SQ_DIM_ROW ||
                      (h->known[first] && h->extent[first] < lanes && d != first && panels_serve(h, d));
        if (serves && h->extent[d] >= LONG && (best < 0 || h->extent[d] > h->extent[best]))
            best = d;
    }
    return best;
}

/* Candidates are first the dimensions along which the written array is contiguous, or nearly, then a long one
 * of the body's; a sum's alone, where the elements of the result lie far apart. */
static void find_candidates(part *p, long lanes)
{
    const sq_shape *h = &p->shape;
    take_written(p, 1);
    for (int apart = 2; apart <= SQ_STRIDE_MOST && h->group->nstmts == 1; apart++)
        take_written(p, apart);
    int read = h->group->nstmts == 1 && !h->group->stmt[0]->updates && p->ncandidates
                   ? contiguous_read(h, p->candidate[0])
                   : -1;
    if (read >= 0)
        p->candidate[p->ncandidates++] = read;
    if (!h->group->stmt[0]->updates)
        return;
    int best = p->ncandidates ? instead_of(h, p->candidate[0], lanes) : -1;
    if (best >= 0 && h->extent[p->candidate[0]] % LONG != 0)
        p->candidate[p->ncandidates++] = best;
    int sum =
        h->group->stmt[0]->ordered ? -1 : contiguous_sum(h, p->ncandidates ? p->candidate[0] : -1);
    if (sum >= 0)
        p->candidate[p->ncandidates++] = sum;
}

long sq_sketch_lanes(const sq_sketch *s, const part *p)
{
    return s->target->vector_bytes / p->shape.bytes;
}

/* True if words are read in place. */
static bool reads_in_place(const sq_shape *h)
{
    for (int i = 0; i < h->noperands; i++)
        if (h->operand[i].array->words_of)
            return true;
    return false;
}

static void add_tile(builder *b)
{
    static const long rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 20, 24, 28};
    static const long rows2[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const long vectors[] = {1, 2, 3, 4, 5, 6}, unroll[] = {1, 2, 4, 8}, *split = unroll;
    const sq_shape *h = &b->p->shape;
    long native = sq_sketch_lanes(b->s, b->p), list[8];
    add(b, R_VECTOR, "vector", list, (int)count_to(b->p->ncandidates, list), 0, -1, true);
    list[0] = native / 2;
    list[1] = native;
    bool half = native >= 8;
    add(b, R_LANES, "lanes", half ? list : list + 1, half ? 2 : 1, native, -1, false);
    if (h->nfree > 0)
        add(b, R_VECTORS, "vectors", vectors, 6, START_VECTORS, -1, false);
    bool across = b->p->candidate[b->p->ncandidates - 1] >= h->nfree;
    if (h->nfree > 1 || (h->nfree > 0 && across))
        add(b, R_ROWS, "rows", rows, 18, START_ROWS, -1, false);
    if (h->nfree > 2 || (h->nfree > 1 && across && reads_in_place(h)))
        add(b, R_ROWS2, "rows2", rows2, 8, 1, -1, false);
    if (h->ndim > h->nfree + 1)
        add(b, R_TAPS, "taps", list,
            (int)count_to(h->ndim - h->nfree + 1 < 5 ? h->ndim - h->nfree + 1 : 5, list),
            START_TAPS, -1, true);
    if (h->ndim > h->nfree)
        add(b, R_UNROLL, "unroll", unroll, 4, 1, -1, false);
    if (h->nfree == 0) /* a single sum: each step would wait for the previous one */
        add(b, R_SPLIT, "split", split, 4, 1, -1, false);
}

static void add_blocks(builder *b)
{
    static const long kc[] = {16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 0};
    static const long nc[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048, 3072, 0};
    static const long mc[] = {12, 24, 48, 72, 96, 120, 144, 192, 240, 288, 384, 480, 768, 1024, 0};
    static const long yc[] = {2, 4, 7, 8, 14, 16, 28, 56, 112, 0};
    const sq_shape *h = &b->p->shape;
    long list[20], longest_sum = 1, longest_free = 1;
    for (int d = 0; d < h->ndim; d++) {
        long *l = d < h->nfree ? &longest_free : &longest_sum;
        *l = h->extent[d] > *l ? (long)h->extent[d] : *l;
    }
    bool reduces = h->group->stmt[0]->updates != NULL;
    if (reduces && longest_sum > 16)
        add(b, R_KC, "kc", list, up_to(kc, longest_sum, list), START_SUM, b->group * 4, false);
    if (reduces && longest_free > 32) {
        add(b, R_NC, "nc", list, up_to(nc, longest_free, list), START_COLUMNS, b->group * 4, false);
        add(b, R_MC, "mc", list, up_to(mc, longest_free, list), START_ROWS_BLOCK, b->group * 4,
            false);
    }
    if (h->nfree > 1 && longest_free > 4 && h->ndim > 3)
        add(b, R_YC, "yc", list, up_to(yc, longest_free, list), longest_free, -1, false);
    add(b, R_OUTER, "outer", list, reduces ? (int)count_to(6, list) : 0, 0, -1, true);
    add(b, R_INNER, "inner", list, h->nfree > 1 ? (int)count_to(2, list) : 0, 0, -1, true);
    if (b->s->threads > 1)
        add(b, R_PARALLEL, "parallel", list, (int)count_to(3, list), 1, -1, true);
}

int sq_sketch_walks(const sq_shape *h, const sq_array *a)
{
    int n = 0;
    for (int i = 0; i < h->noperands; i++)
        n += h->operand[i].array == a;
    return n;
}

bool sq_sketch_panels_fit(const sq_operand *o, int vector, int row)
{
    if (sq_operand_moves(o, vector))
        return lone_unit(o, vector);
    return row >= 0 && lone_unit(o, row);
}

/* True if the operand's stride along the vector is more than one element: panels are then tried
 * first. */
static bool turned(const sq_shape *h, const sq_operand *o, int vector)
{
    return vector < h->nfree && sq_operand_step(o, vector) > 1 &&
           sq_sketch_panels_fit(o, vector, -1);
}

/* True if a statement of another group reads the array. */
static bool read_elsewhere(const sq_schedule *s, const sq_group *g, const sq_array *a)
{
    bool found = false;
    for (int i = 0; i < s->ngroups; i++)
        for (int j = 0; j < s->group[i]->nstmts && s->group[i] != g; j++)
            found |= sq_stmt_reads_array(s->group[i]->stmt[j], a);
    return found;
}

static void add_packs(builder *b)
{
    const sq_shape *h = &b->p->shape;
    bool reduces = h->group->stmt[0]->updates != NULL;
    for (int i = 0; i < h->noperands; i++) {
        const sq_operand *o = &h->operand[i];
        b->p->coord[R_PACK + i] = -1;
        if (o->written || !o->nsubs || o->clamped || !reduces || !(o->padded || o->in_body))
            continue; /* no copy for data that is used once: points at the border are scanned */
        if (sq_sketch_walks(h, o->array) > 1 &&
            (o->array->is_packed || !sq_sketch_panels_fit(o, b->p->candidate[0], -1)))
            continue;
        if (o->array->is_packed && read_elsewhere(b->s->naive, h->group, o->array))
            continue; /* its copies would not serve all that reads it */
        static const long packed[] = {SQ_PACKED_PLAIN, SQ_PACKED_PANELS},
                          free_to[] = {SQ_UNPACKED, SQ_PACKED_PLAIN, SQ_PACKED_PANELS};
        char name[40];
        snprintf(name, sizeof name, "pack.%s", o->array->name);
        add(b, (choice)(R_PACK + i), name, o->padded ? packed : free_to, o->padded ? 2 : 3,
            turned(h, o, b->p->candidate[0]) ? SQ_PACKED_PANELS
            : o->padded                      ? SQ_PACKED_PLAIN
                                             : SQ_UNPACKED,
            -1, true);
    }
}

int sq_sketch_coordinate(sq_sketch *s, const char *prefix, const char *name, const long *value,
                         int n, long start, bool structural)
{
    part none = {.chain = -1};
    builder b = {s, &none, -1, -1, prefix};
    add(&b, R_VECTOR, name, value, n, start, -1, structural);
    return none.coord[R_VECTOR];
}

/* Adds chains whose groups the model all supports: they run together, a number of rows at a
 * time. */
static void add_chains(sq_sketch *s)
{
    static const long rows[] = {0, 1, 2, 4, 8, 16, 32, 64};
    for (int i = 0; i < s->nchains; i++) {
        const sq_chain *c = &s->chain[i];
        int known = 0;
        for (int p = 0; p < s->nparts; p++)
            known += s->part[p].chain == i;
        s->chain_rows[i] = -1;
        if (known < c->n || c->rows < 0)
            continue;
        part none = {.chain = i};
        builder b = {s, &none, -1, i,
                     sq_arena_printf(s->arena, "%s.", s->naive->group[c->first]->stmt[0]->name)};
        int first = c->given ? 1 : 0; /* separate rows are no choice there */
        add(&b, R_VECTOR, "together", rows + first, (int)(sizeof rows / sizeof *rows) - first,
            c->given ? START_GIVEN_ROWS : 1, -1, true);
        s->chain_rows[i] = none.coord[R_VECTOR];
    }
}

static int chain_of(const sq_sketch *s, int group)
{
    for (int i = 0; i < s->nchains; i++)
        if (group >= s->chain[i].first && group < s->chain[i].first + s->chain[i].n)
            return i;
    return -1;
}

/* Removes the dimensions of which a tile has one point. */
static void drop_single(part *p)
{
    int n = 0;
    for (int i = 0; i < p->ncandidates; i++)
        if (!p->shape.single[p->candidate[i]])
            p->candidate[n++] = p->candidate[i];
    p->ncandidates = n;
}

/* What a part is opened for. */
typedef struct source {
    const sq_kernel *kernel;
    const sq_group *group;
    int chain;          /* -1: in none */
    const bool *single; /* dimensions of which a tile has one point; NULL: none */
    const char *prefix; /* of its coordinates */
} source;

/* Opens a part. False if no register tile serves the group. */
static bool open_part(sq_sketch *s, const source *of, const int64_t *sizes)
{
    part *p = &s->part[s->nparts];
    *p = (part){.chain = of->chain, .tree = -1};
    sq_shape_of(of->kernel, of->group, sizes, s->arena, &p->shape);
    if (of->single)
        memcpy(p->shape.single, of->single, sizeof p->shape.single);
    for (int r = 0; r < R_COUNT; r++)
        p->coord[r] = -1;
    if (!p->shape.tileable) /* its elements have no size */
        return false;
    find_candidates(p, sq_sketch_lanes(s, p));
    drop_single(p);
    if (!p->ncandidates)
        return false;
    builder b = {s, p, s->nparts, -1, of->prefix};
    s->nparts++;
    add_tile(&b);
    if (p->shape.nfree > 0) {
        add_blocks(&b);
        add_packs(&b);
    }
    return true;
}

/* Opens a part for one of the kernel's groups. */
static void open_group(sq_sketch *s, int group, const int64_t *sizes)
{
    const sq_group *g = s->naive->group[group];
    const char *prefix = s->naive->ngroups > 1 ? sq_arena_printf(s->arena, "%s.", g->stmt[0]->name) : "";
    open_part(s, &(source){s->naive->kernel, g, chain_of(s, group), NULL, prefix}, sizes);
}

bool sq_sketch_add_nest(sq_sketch *s, int tree, const sq_draft_nest *n, const int64_t *sizes)
{
    static const long tile[] = {0, 1};
    const sq_schedule *own = n->nest->schedule;
    const char *prefix = sq_arena_printf(s->arena, "%s.", n->nest->of->name);
    if (!open_part(s, &(source){own->kernel, own->group[0], -1, n->single, prefix}, sizes))
        return false;
    part *p = &s->part[s->nparts - 1];
    p->tree = tree;
    p->loops = n->loops;
    builder b = {s, p, s->nparts - 1, -1, prefix};
    add(&b, R_NEST, "nest", tile, 2, 1, -1, true);
    return true;
}

sq_sketch *sq_sketch_new(const sq_schedule *naive, const sq_machine *m, const sq_target *t,
                         const int64_t *sizes, int threads, sq_arena *arena)
{
    sq_sketch *s = SQ_NEW(arena, sq_sketch);
    *s = (sq_sketch){.naive = naive, .machine = m, .target = t, .threads = threads, .arena = arena};
    s->known = sq_known_costs_new(arena);
    if (t->grid) {
        sq_sketch_add_grid(s, sizes);
        return s;
    }
    s->part = SQ_NEW_ARRAY(arena, part, naive->ngroups * (1 + SQ_MOST_NESTS) + 1);
    s->nchains = sq_chains_find(naive, threads, s->chain);
    for (int g = 0; g < naive->ngroups; g++)
        if (!sq_draft_by_loops(naive->kernel, naive->group[g], threads))
            open_group(s, g, sizes);
    add_chains(s);
    sq_sketch_add_trees(s, sizes);
    return s;
}

sq_sketch *sq_sketch_of_nest(const sq_schedule *nest, const bool *single, const sq_machine *m, const sq_target *t,
                             const int64_t *sizes, int threads, sq_arena *arena)
{
    sq_sketch *s = SQ_NEW(arena, sq_sketch);
    *s = (sq_sketch){.naive = nest, .machine = m, .target = t, .threads = threads, .arena = arena};
    s->known = sq_known_costs_new(arena);
    s->part = SQ_NEW_ARRAY(arena, part, 1);
    open_part(s, &(source){nest->kernel, nest->group[0], -1, single, ""}, sizes);
    return s;
}

const sq_space *sq_sketch_space(const sq_sketch *s)
{
    return &s->space;
}

int sq_sketch_groups(const sq_sketch *s)
{
    return s->grid ? s->grid->n : s->nparts + s->ntrees;
}
