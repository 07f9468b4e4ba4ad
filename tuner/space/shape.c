/* Shape: computes the numbers of a group; see shape.h. */
#include "tuner/space/shape.h"
#include "codegen/nest/exact.h"
#include "ir/dependence/inside.h"
#include "tuner/measure/case_spec.h"
#include <isl/ilp.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

static int64_t val_or(__isl_take isl_val *v, int64_t otherwise)
{
    int64_t x = isl_val_is_int(v) == isl_bool_true ? isl_val_get_num_si(v) : otherwise;
    isl_val_free(v);
    return x;
}

/* Returns a size, or the nearest that the kernel takes: arrays of constant extent bound what runs over them. */
static int64_t taken(const sq_kernel *k, const char *size, int64_t likely)
{
    isl_set *all = isl_set_copy(k->context);
    int at = isl_set_find_dim_by_name(all, isl_dim_param, size);
    if (at < 0) {
        isl_set_free(all);
        return likely;
    }
    all = isl_set_move_dims(isl_set_from_params(all), isl_dim_set, 0, isl_dim_param, (unsigned)at, 1);
    const int64_t least = val_or(isl_set_dim_min_val(isl_set_copy(all), 0), likely),
                  most = val_or(isl_set_dim_max_val(all, 0), likely);
    return likely > most ? most : likely < least ? least : likely;
}

void sq_nominal_sizes(const sq_kernel *k, int64_t *sizes)
{
    for (int i = 0; i < k->nsizes; i++)
        sizes[i] = k->size[i]->fixed      ? k->size[i]->value
                   : k->ntune > 0         ? k->tune[0][i]
                   : k->size[i]->is_truth ? 1
                                          : taken(k, k->size[i]->name, 512);
}

/* Returns the largest number of values at one point of a dimension whose range depends on outer
 * ones: for a tile's points those of one tile. Less than 1 if it is not known. */
static int64_t longest_range(isl_set *all, int d)
{
    unsigned n = (unsigned)isl_set_dim(all, isl_dim_set), at = (unsigned)d;
    isl_set *outer = isl_set_project_out(isl_set_copy(all), isl_dim_set, at + 1, n - at - 1);
    isl_map *m = isl_map_from_range(isl_set_reset_tuple_id(outer));
    m = isl_map_move_dims(m, isl_dim_in, 0, isl_dim_out, 0, at);
    isl_set *distances = isl_map_deltas(isl_map_apply_range(isl_map_reverse(isl_map_copy(m)), m));
    return 1 + val_or(isl_set_dim_max_val(distances, 0), -1);
}

static void find_extents(const sq_kernel *k, const int64_t *sizes, sq_shape *h)
{
    const sq_stmt *s = h->group->stmt[0];
    isl_set *all = sq_kernel_at(k, isl_set_copy(s->updates ? s->updates : s->domain), sizes);
    for (int d = 0; d < h->ndim; d++) {
        int64_t hi = val_or(isl_set_dim_max_val(isl_set_copy(all), d), 0);
        int64_t lo = val_or(isl_set_dim_min_val(isl_set_copy(all), d), 0);
        h->extent[d] = hi >= lo ? hi - lo + 1 : 1;
        h->known[d] = sq_stmt_extent(s, d) >= 0;
        h->rectangular[d] = sq_stmt_rectangular(s, d);
        int64_t at_once = h->rectangular[d] ? -1 : longest_range(all, d);
        h->extent[d] = at_once > 0 && at_once < h->extent[d] ? at_once : h->extent[d];
    }
    isl_set_free(all);
}

/* Returns the set with dimension d at the middle of its values; *n: their number. */
static isl_set *fix_middle(isl_set *all /* __isl_take */, int d, int64_t *n)
{
    int64_t lo = val_or(isl_set_dim_min_val(isl_set_copy(all), d), 0),
            hi = val_or(isl_set_dim_max_val(isl_set_copy(all), d), lo),
            by = val_or(isl_set_get_stride(all, d), 1);
    *n = hi > lo ? (hi - lo) / by + 1 : 1;
    return isl_set_fix_si(all, isl_dim_set, (unsigned)d, (int)(lo + (hi - lo) / 2 / by * by));
}

void sq_shape_settle(const sq_kernel *k, const int64_t *sizes, sq_shape *h)
{
    const sq_stmt *s = h->group->stmt[0];
    isl_set *all = sq_kernel_at(k, isl_set_copy(s->updates ? s->updates : s->domain), sizes);
    unsigned around = 0;
    for (int i = 0; i < k->nouter; i++) {
        int p = isl_set_find_dim_by_name(all, isl_dim_param, k->outer[i]);
        if (p >= 0)
            all = isl_set_move_dims(all, isl_dim_set, around++, isl_dim_param, (unsigned)p, 1);
    }
    for (int d = 0; d < (int)around + h->ndim; d++) {
        int64_t n;
        all = fix_middle(all, d, &n);
        if (d < (int)around) {
            h->times *= (double)n;
            h->again = (double)n;
        } else
            h->extent[d - (int)around] = n;
    }
    isl_set_free(all);
}

static bool same_walk(const sq_operand *o, const sq_ref *r)
{
    return o->array == r->array && memcmp(o->coef, r->coef, sizeof o->coef) == 0;
}

/* True for a matrix that the loop around does not move. A row that stays is as long as the one that moves beside it:
 * loops of such sums are no faster by it. */
static bool stays_in(const sq_kernel *k, const sq_group *g, const sq_ref *r)
{
    bool stays = k->nouter > 0 && r->affine;
    int moving = 0;
    for (int a = 0; a < r->nsubs && stays; a++) {
        bool moves = false;
        for (int d = 0; d < g->ndim; d++)
            moves |= r->coef[a][d] != 0;
        moving += moves;
        stays = !r->symbolic[a] || !sq_code_mentions(r->symbolic[a], k->outer[k->nouter - 1]);
    }
    return stays && moving > 1;
}

static void new_operand(const sq_kernel *k, const sq_group *g, const int64_t *sizes,
                        const sq_ref *r, sq_operand *o)
{
    memset(o, 0, sizeof *o);
    o->array = r->array;
    o->bytes = sq_type_bytes(r->array->type);
    o->nsubs = r->nsubs;
    o->affine = r->affine;
    o->stays = stays_in(k, g, r);
    o->converts = sq_type_stored(r->array->type) || sq_exact_factor(g, r->array);
    memcpy(o->coef, r->coef, sizeof o->coef);
    int64_t stride = 1;
    for (int a = r->nsubs - 1; a >= 0; a--) {
        o->stride[a] = stride;
        o->extent[a] = sq_size_value(k, r->array->extent[a], sizes);
        stride *= o->extent[a] > 0 ? o->extent[a] : 1;
    }
}

/* Extends a window, which starts at least, to include x. */
static void widen(int64_t *least, int64_t *window, int64_t x)
{
    int64_t most = *least + *window;
    *least = x < *least ? x : *least;
    *window = (x > most ? x : most) - *least;
}

enum { MOST_ROWS = 32, MOST_REFS = 32 }; /* limits on rows and references that are distinguished */

/* Constants of the references of an operand. */
typedef struct constants {
    int64_t least[SQ_MAX_SUBS], row[MOST_ROWS][SQ_MAX_SUBS], ref[MOST_REFS][SQ_MAX_SUBS];
} constants;

static void add_row(const sq_ref *r, sq_operand *o, constants *c)
{
    size_t bytes = r->nsubs > 1 ? (size_t)(r->nsubs - 1) * sizeof r->konst[0] : 0;
    for (int i = 0; i < o->nrows && i < MOST_ROWS; i++)
        if (memcmp(c->row[i], r->konst, bytes) == 0)
            return;
    if (o->nrows < MOST_ROWS)
        memcpy(c->row[o->nrows], r->konst, bytes);
    o->nrows++;
}

/* One of the references of an operand. */
typedef struct place {
    const constants *c;
    int n, nsubs, ref; /* n: references */
} place;

/* True if a reference lies `distance` elements behind this one. */
static bool reads_at(const void *user, int64_t distance)
{
    const place *p = user;
    const int64_t *at = p->c->ref[p->ref];
    int last = p->nsubs - 1;
    for (int i = 0; i < p->n; i++) {
        const int64_t *other = p->c->ref[i];
        if (memcmp(other, at, (size_t)last * sizeof *at) == 0 && other[last] - at[last] == distance)
            return true;
    }
    return false;
}

/* Returns the number of places from which channels are loaded; 0: not all references are channels. */
static int windows(const constants *c, int n, int nsubs, int step)
{
    int64_t first[MOST_REFS][SQ_MAX_SUBS];
    int nfirst = 0;
    for (int r = 0; r < n; r++) {
        int k = sq_strided_channel(step, reads_at, &(place){c, n, nsubs, r}), i = 0;
        if (k < 0)
            return 0;
        memcpy(first[nfirst], c->ref[r], sizeof first[0]);
        first[nfirst][nsubs - 1] -= k;
        while (memcmp(first[i], first[nfirst], sizeof first[0]) != 0)
            i++;
        nfirst += i == nfirst;
    }
    return nfirst;
}

static void find_channels(const constants *c, sq_operand *o)
{
    for (int step = 2; step <= SQ_STRIDE_MOST && o->nsubs && o->nrefs <= MOST_REFS; step++)
        o->windows[step] = windows(c, o->nrefs, o->nsubs, step);
}

/* Adds a reference to the operand with the same coefficients, or as a new one. */
static void add_ref(const sq_kernel *k, const int64_t *sizes, sq_shape *h, const sq_ref *r,
                    bool in_body, bool written, constants *all)
{
    int i = 0;
    while (i < h->noperands && !same_walk(&h->operand[i], r))
        i++;
    if (i == SQ_MAX_OPERANDS) {
        h->tileable = false;
        return;
    }
    sq_operand *o = &h->operand[i];
    if (i == h->noperands) {
        new_operand(k, h->group, sizes, r, o);
        memcpy(all[i].least, r->konst, sizeof r->konst);
        h->noperands++;
    }
    for (int a = 0; a < r->nsubs; a++)
        widen(&all[i].least[a], &o->window[a], r->konst[a]);
    add_row(r, o, &all[i]);
    if (o->nrefs < MOST_REFS)
        memcpy(all[i].ref[o->nrefs], r->konst, sizeof r->konst);
    o->nrefs++;
    o->padded |= r->access->edge != SQ_EDGE_NONE;
    o->clamped |= r->access->edge == SQ_EDGE_CLAMP || r->array->is_ragged || r->access->indirect;
    o->read |= !written && !o->written; /* values that the group itself has written are in registers */
    o->written |= written;
    o->in_body |= in_body;
    h->tileable = h->tileable && r->affine;
}

/* A copy has one boundary value: reads with different ones cannot share it. */
static bool edges_agree(sq_access *const *read, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (read[i]->array == read[j]->array && !read[i]->where && !read[j]->where &&
                read[i]->edge == SQ_EDGE_PAD && read[j]->edge == SQ_EDGE_PAD &&
                !sq_number_same(read[i]->outside, read[j]->outside))
                return false;
    return true;
}

/* Returns a reference with its strides: where a subscript is indirect, the dimensions that it moves
 * with count as strided. */
static sq_ref *walking(const sq_stmt *s, const sq_access *a, sq_code_pool *code)
{
    enum { FAR = 3 };
    sq_ref *r = sq_ref_new(a, code);
    const sq_expr *read = a->indirect ? sq_stmt_read_of(s, a) : NULL;
    for (int x = 0; read && !sq_expr_is_lookup(read) && x < r->nsubs; x++)
        for (int d = 0; d < s->ndim && sq_expr_subscript(read, x); d++)
            r->coef[x][d] = sq_expr_moves(sq_expr_subscript(read, x), d) ? FAR : 0;
    return r;
}

/* ---- words ---- */

/* Search for an access among the elements of a word. */
typedef struct word_search {
    const sq_access *access, *first; /* the element in the lowest bits */
    bool found;
} word_search;

static void look_for(sq_expr *e, void *user)
{
    word_search *w = user;
    w->first = e->op == SQ_OP_READ && !w->first ? e->access : w->first;
    w->found |= e->op == SQ_OP_READ && e->access == w->access;
}

static void look_in_word(sq_expr *e, void *user)
{
    word_search *all = user, own = {.access = all->access};
    if (e->op != SQ_OP_WORD || all->found)
        return;
    sq_expr_walk(e->arg[0], look_for, &own);
    if (own.found)
        *all = own;
}

/* Returns the number of elements of the word whose first element this is; 0: it is another one; 1:
 * it is in none. */
static int parts_of(const sq_stmt *s, const sq_access *a)
{
    word_search w = {.access = a};
    sq_expr_walk(s->value, look_in_word, &w);
    return !w.found ? 1 : w.first == a ? 4 / sq_type_bytes(a->array->type) : 0;
}

/* Describes the operand in elements as wide as words: those of a word are contiguous, and loaded at
 * once. */
static void in_words(sq_operand *o, int parts)
{
    int last = o->nsubs - 1;
    o->bytes *= parts;
    o->extent[last] /= parts;
    for (int d = 0; d < SQ_MAX_DIMS; d++)
        o->coef[last][d] /= parts;
    for (int a = 0; a < last; a++)
        o->stride[a] = (o->stride[a] + parts - 1) / parts;
}

/* Returns the statements as tiles have them, where a border of their points is a nest of its own. Of sums all reads
 * count: plans pack what they read, and a copy serves those at the border, too. */
static const sq_stmt *const *in_tiles(const sq_kernel *k, const sq_group *g)
{
    const sq_inside *of = g->stmt[0]->updates ? NULL : sq_inside_of(k, g->stmt, g->nstmts);
    return of ? of->inside : g->stmt;
}

/* True if the kernel, or what it was made of, is C loops. */
static bool is_of_loops(const sq_kernel *k)
{
    const sq_kernel *all = k->whole ? k->whole : k;
    return (all->described ? all->described : all)->textual_dims > 0;
}

void sq_shape_of(const sq_kernel *k, const sq_group *g, const int64_t *sizes, sq_arena *arena,
                 sq_shape *h)
{
    memset(h, 0, sizeof *h);
    h->group = g;
    h->ndim = g->ndim;
    h->nfree = g->nfree;
    h->guessed = k->ntune == 0;
    h->of_loops = is_of_loops(k);
    h->times = h->again = 1;
    h->tileable = g->kind == SQ_GROUP_TILED;
    if (g->kind != SQ_GROUP_TILED)
        return;
    h->bytes = sq_group_bytes(g);
    find_extents(k, sizes, h);
    if (k->nouter)
        sq_shape_settle(k, sizes, h);
    constants *all = SQ_NEW_ARRAY(arena, constants, SQ_MAX_OPERANDS);
    sq_code_pool *code = sq_code_pool_new(arena);
    const sq_stmt *const *stmt = in_tiles(k, g);
    for (int s = 0; s < g->nstmts; s++) {
        sq_access *read[SQ_MAX_STMT_READS];
        bool in_body[SQ_MAX_STMT_READS];
        int n = sq_stmt_all_reads(stmt[s], read, in_body);
        h->tileable = h->tileable && edges_agree(read, n);
        for (int i = 0; i < n; i++) {
            int parts = parts_of(stmt[s], read[i]);
            if (parts)
                add_ref(k, sizes, h, walking(stmt[s], read[i], code), in_body[i], false, all);
            if (parts > 1)
                in_words(&h->operand[h->noperands - 1], parts);
        }
        add_ref(k, sizes, h, sq_ref_new(stmt[s]->write, code), false, true, all);
        h->flops += sq_expr_flops(stmt[s]->body ? stmt[s]->body : stmt[s]->value);
    }
    for (int i = 0; i < h->noperands; i++)
        find_channels(&all[i], &h->operand[i]);
    h->flops += stmt[0]->updates != NULL;
    h->step_flops = stmt[0]->updates ? 1 + sq_expr_flops(stmt[0]->body) : h->flops;
    for (int s = 0; s < (stmt[0]->updates ? 1 : g->nstmts); s++) {
        const sq_expr *e = stmt[s]->body ? stmt[s]->body : stmt[s]->value;
        h->step_decisions += sq_expr_decisions(e);
        for (int d = 0; d < g->ndim; d++)
            h->index_work[d] += sq_expr_index_work(e, d);
    }
}

int64_t sq_operand_step(const sq_operand *o, int dim)
{
    int64_t step = 0;
    for (int a = 0; a < o->nsubs; a++)
        step += o->coef[a][dim] * o->stride[a];
    return step;
}

bool sq_operand_moves(const sq_operand *o, int dim)
{
    for (int a = 0; a < o->nsubs; a++)
        if (o->coef[a][dim])
            return true;
    return false;
}

bool sq_shape_repeats(const sq_shape *s, int d)
{
    for (int i = 0; i < s->noperands; i++)
        if (s->operand[i].written && d < s->nfree && !sq_operand_moves(&s->operand[i], d))
            return true;
    return false;
}

sq_dim_role sq_shape_role(const sq_shape *s, int d, int vector)
{
    bool reduces = s->group->stmt[0]->updates != NULL, with = false, without = false;
    if (d >= s->nfree)
        return SQ_DIM_SUM;
    if (reduces && sq_shape_repeats(s, d)) /* a tile cannot have two of its values */
        return SQ_DIM_BATCH;
    for (int i = 0; i < s->noperands; i++) {
        const sq_operand *o = &s->operand[i];
        if (reduces ? !o->in_body : o->written)
            continue;
        if (sq_operand_moves(o, d))
            *(vector >= 0 && sq_operand_moves(o, vector) ? &with : &without) = true;
    }
    return with && without ? SQ_DIM_BATCH : without ? SQ_DIM_ROW : SQ_DIM_COLUMN;
}
