/* Ref: reads coefficients of accesses, computes strides, and lays out packing buffers. See ref.h
 * for the meaning of the fields; nothing here prints code except strides. */
#include "codegen/nest/ref.h"
#include "codegen/nest/exact.h"
#include "codegen/nest/text_of.h"
#include "ir/dependence/tensor.h"
#include "support/text.h"
#include "support/integer.h"
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool val_int(__isl_take isl_val *v, int64_t *out)
{
    bool ok = v && isl_val_is_int(v) == isl_bool_true;
    if (ok)
        *out = isl_val_get_num_si(v);
    isl_val_free(v);
    return ok;
}

/* Returns the terms of one subscript that depend on sizes; NULL if they have non-integer
 * coefficients. */
static const sq_code_expr *symbolic_part(isl_aff *aff, sq_code_pool *code)
{
    const sq_code_expr *sum = sq_code_number(code, 0);
    int n = (int)isl_aff_dim(aff, isl_dim_param);
    for (int p = 0; p < n; p++) {
        int64_t c;
        const char *size = isl_aff_get_dim_name(aff, isl_dim_param, (unsigned)p);
        if (!val_int(isl_aff_get_coefficient_val(aff, isl_dim_param, p), &c))
            return NULL;
        if (c)
            sum = sq_code_add_scaled(code, sum, c, sq_code_name(code, size));
    }
    return sum;
}

/* Reads one subscript; false if it has divisions. */
static bool read_subscript(sq_ref *r, int a, __isl_take isl_aff *aff, sq_code_pool *code)
{
    bool ok = aff && isl_aff_dim(aff, isl_dim_div) == 0;
    int n = ok ? (int)isl_aff_dim(aff, isl_dim_in) : 0;
    for (int d = 0; d < n && ok; d++)
        ok = val_int(isl_aff_get_coefficient_val(aff, isl_dim_in, d), &r->coef[a][d]);
    ok = ok && val_int(isl_aff_get_constant_val(aff), &r->konst[a]);
    if (ok)
        r->symbolic[a] = symbolic_part(aff, code);
    ok = ok && r->symbolic[a];
    isl_aff_free(aff);
    return ok;
}

sq_ref *sq_ref_new(const sq_access *a, sq_code_pool *code)
{
    sq_ref *r = SQ_NEW(code->arena, sq_ref);
    r->access = a;
    r->array = a->array;
    r->nsubs = a->array->ndim;
    r->affine = r->nsubs <= SQ_MAX_SUBS;
    for (int s = 0; s < r->nsubs && r->affine; s++)
        r->affine = read_subscript(r, s, isl_multi_aff_get_aff(a->map, s), code);
    return r;
}

sq_ref **sq_refs_new(const sq_group *g, sq_code_pool *code, int *nrefs)
{
    int most = 0, n = 0;
    for (int s = 0; s < g->nstmts; s++)
        most += sq_stmt_reads(g->stmt[s], NULL, NULL, 0) + 1;
    sq_ref **ref = SQ_NEW_ARRAY(code->arena, sq_ref *, most);
    sq_access **read = SQ_NEW_ARRAY(code->arena, sq_access *, most);
    for (int s = 0; s < g->nstmts; s++) {
        int m = sq_stmt_reads(g->stmt[s], read, NULL, most);
        for (int i = 0; i < m; i++)
            ref[n++] = sq_ref_new(read[i], code);
        ref[n++] = sq_ref_new(g->stmt[s]->write, code);
    }
    for (int i = 0; i < n; i++)
        while (ref[ref[i]->first]->array != ref[i]->array)
            ref[i]->first++;
    *nrefs = n;
    return ref;
}

void sq_refs_enter(sq_ref **ref, int nrefs, const sq_window *w, int nwindows, const sq_group *g, sq_code_pool *code)
{
    for (int i = 0; i < nrefs; i++) {
        sq_ref *r = ref[i];
        r->window = sq_window_find(w, nwindows, r->array);
        for (int a = 0; r->window && a < r->window->ndims && a < r->nsubs; a++)
            r->symbolic[a] = sq_code_sub(code, r->symbolic[a], sq_code_name(code, sq_window_from(r->window, g, a)));
    }
}

int64_t sq_array_stride(const sq_array *a, int d)
{
    int64_t stride = 1;
    for (int i = a->ndim - 1; i > d; i--) {
        int64_t e = sq_array_extent(a, i);
        if (e < 0)
            return 0;
        stride *= e;
    }
    return stride;
}

const sq_code_expr *sq_array_stride_code(const sq_kernel *k, const sq_array *a, int d,
                                         sq_code_pool *code)
{
    int64_t known = sq_array_stride(a, d);
    const sq_code_expr *stride = sq_code_number(code, known ? known : 1);
    for (int i = d + 1; i < a->ndim && !known; i++)
        stride = sq_code_mul(code, stride, sq_aff_code(k, a->extent[i], code));
    return stride;
}

static int64_t axis_offset(const sq_axis *x, int64_t subscript)
{
    int64_t pos = sq_floor_div(subscript - x->konst, x->stride);
    if (x->split == SQ_SPLIT_NONE)
        return pos * x->step_q;
    int64_t q = sq_floor_div(pos, x->block);
    return q * x->step_q + (pos - q * x->block) * x->step_r;
}

sq_offset sq_ref_offset(const sq_ref *r, const int64_t *delta)
{
    sq_offset o = {0};
    for (int a = 0; a < r->nsubs; a++) {
        int64_t s = r->konst[a];
        for (int d = 0; d < SQ_MAX_DIMS; d++)
            s += r->coef[a][d] * delta[d];
        if (r->buffer) {
            o.known += axis_offset(&r->buffer->axis[a], s);
            continue;
        }
        int64_t stride = sq_array_stride(r->array, a);
        if (stride)
            o.known += s * stride;
        else
            o.times[a] += s;
    }
    return o;
}

static sq_offset minus(const sq_offset *a, const sq_offset *b)
{
    sq_offset o = {.known = a->known - b->known};
    for (int s = 0; s < SQ_MAX_SUBS; s++)
        o.times[s] = a->times[s] - b->times[s];
    return o;
}

/* Returns the period of the distances between adjacent points along dim, which comes from quotients
 * and remainders of the axes that it moves. */
static int64_t period(const sq_ref *r, int dim)
{
    int64_t n = 1;
    if (!r->buffer || r->buffer->single[dim])
        return 1;
    for (int a = 0; a < r->nsubs; a++)
        if (r->coef[a][dim] && r->buffer->axis[a].split)
            n *= r->buffer->axis[a].block;
    return n;
}

bool sq_ref_step(const sq_ref *r, const int64_t *from, int dim, int64_t by, int64_t n,
                 sq_offset *step)
{
    int64_t at[SQ_MAX_DIMS], differences = period(r, dim);
    memcpy(at, from, sizeof at);
    if (n > 0 && n - 1 < differences)
        differences = n > 1 ? n - 1 : 1;
    sq_offset here = sq_ref_offset(r, at);
    for (int64_t i = 0; i < differences; i++) {
        at[dim] += by;
        sq_offset next = sq_ref_offset(r, at), more = minus(&next, &here);
        if (i > 0 && memcmp(&more, step, sizeof more) != 0)
            return false;
        *step = more;
        here = next;
    }
    return true;
}

bool sq_ref_depends(const sq_ref *r, int dim)
{
    for (int a = 0; a < r->nsubs; a++)
        if (r->coef[a][dim])
            return true;
    return false;
}

/* ---- buffers ---- */

static int64_t round_up(int64_t x, int64_t m)
{
    return (x + m - 1) / m * m;
}

/* Returns a divisor of the number of points of dimension d that are read at once: a tile; that of
 * all threads, if they compute with the copy whether their points exist or not, or if the vectors
 * of one thread are interleaved with those of others; full steps of matrix instructions. */
static int64_t covered_whole(const sq_group *g, const sq_pack *p, int d)
{
    int64_t points = g->micro.points[d] > 1 ? g->micro.points[d] : 1;
    if (p->shared && d == g->micro.serial && sq_group_is_tensor(g))
        return g->loop[sq_tensor_loop(g)].step;
    for (int l = 0; l < g->nloops && p->shared; l++)
        if (g->loop[l].dim == d && g->loop[l].runs == SQ_LOOP_LANES && sq_loop_covers(g, l) &&
            (sq_group_interleaved(g, d) || l <= p->loop))
            return g->loop[l].step * sq_loop_threads(g, l);
    return points;
}

/* True if a tile inside the copy may start at a point that is no multiple of `whole`: then the last
 * one may reach beyond the next multiple after the end. */
static bool tiles_cut(const sq_group *g, const sq_pack *p, int d, int64_t whole)
{
    for (int l = 0; l < g->nloops; l++)
        if (g->loop[l].dim == d && !sq_pack_outside(g, p, l) && g->loop[l].step > whole &&
            g->loop[l].step % whole)
            return true;
    return false;
}

int64_t sq_pack_covers(const sq_group *g, const sq_pack *p, int d)
{
    int64_t whole = covered_whole(g, p, d);
    int64_t n = sq_stmt_extent(g->stmt[0], d);
    for (int l = 0; l <= p->loop; l++)
        if (g->loop[l].dim == d && sq_pack_outside(g, p, l) && (n < 0 || g->loop[l].step < n))
            n = g->loop[l].step;
    if (n < 0)
        return -1;
    return tiles_cut(g, p, d, whole) ? n + whole - 1 : round_up(n, whole);
}

/* True if copies hold the points of dimension d that exist, and no others: those of a part of a tile that goes
 * backwards would begin before the copy. */
static bool covers_exactly(const sq_group *g, const sq_pack *p, int d)
{
    int64_t all = sq_stmt_extent(g->stmt[0], d), n = all;
    for (int l = 0; l <= p->loop; l++)
        if (g->loop[l].dim == d && sq_pack_outside(g, p, l) && g->loop[l].step < n)
            n = g->loop[l].step;
    return !p->shared && n > 0 && all % n == 0 && sq_pack_covers(g, p, d) == n;
}

/* A copy that is laid out for the references that read it. */
typedef struct layout {
    sq_buffer *b;
    const sq_group *g;
    const sq_pack *p;
    sq_ref **refs;
    int nrefs;
    sq_arena *arena;
    const char **why; /* output: why there is no such copy */
} layout;

/* Records why there is no such copy; false. */
__attribute__((format(printf, 2, 3))) static bool refuse(const layout *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *l->why = sq_arena_vprintf(l->arena, format, args);
    va_end(args);
    return false;
}

/* Adds the points of dimension d to the range of an axis that one reference reads, [*lo, *hi]. */
static bool add_points(const layout *l, int d, int64_t c, int64_t *lo, int64_t *hi)
{
    int64_t n = sq_pack_covers(l->g, l->p, d);
    if (n < 0)
        return refuse(l,
                      "its size is not known: '%1$s' has no bound there; tile '%1$s' "
                      "outside of it, or fix the size",
                      l->g->dim[d]);
    if (c < 0 && !covers_exactly(l->g, l->p, d))
        return refuse(l, "'%s' is read backwards along '%s', whose size is no known multiple of its tile",
                      l->p->array->name, l->g->dim[d]);
    *(c < 0 ? lo : hi) += c * (n - 1);
    return true;
}

/* Computes stride, smallest constant and extent of axis a over all references to the array. What is read backwards
 * begins where its last point is. */
static bool axis_range(const layout *l, int a)
{
    const sq_ref *base = NULL;
    int64_t hi = 0;
    sq_axis *x = &l->b->axis[a];
    x->stride = 0;
    for (int i = 0; i < l->nrefs; i++) {
        const sq_ref *r = l->refs[i];
        int64_t low = r->konst[a], top = low;
        if (base && (base->symbolic[a] != r->symbolic[a] ||
                     memcmp(base->coef[a], r->coef[a], sizeof r->coef[a]) != 0))
            return refuse(l, "'%s' is read through unlike subscripts", l->p->array->name);
        for (int d = 0; d < l->g->ndim; d++) {
            int64_t c = r->coef[a][d];
            if (c && !add_points(l, d, c, &low, &top))
                return false;
            if (!l->b->single[d])
                x->stride = sq_gcd(x->stride, llabs(c));
        }
        if (base)
            x->stride = sq_gcd(x->stride, llabs(r->konst[a] - base->konst[a]));
        x->konst = !base || low < x->konst ? low : x->konst;
        hi = !base || top > hi ? top : hi;
        base = base ? base : r;
    }
    x->stride = x->stride ? x->stride : 1;
    x->extent = (hi - x->konst) / x->stride + 1;
    return true;
}

/* True if all loops inside the copy move tiles by full blocks along dimension d, where adjacent
 * points are c positions apart. */
static bool moves_by_blocks(const sq_group *g, const sq_pack *p, int d, int64_t c, int64_t block)
{
    bool steps = d == g->micro.serial; /* point by point, in the remainder of its vectorized loop */
    int64_t points = g->micro.points[d] > 1 && !steps ? g->micro.points[d] : 1;
    if (c * points % block != 0 && (d < g->nfree || points == 1))
        return false;
    for (int l = 0; l < g->nloops; l++)
        if (g->loop[l].dim == d && !sq_pack_outside(g, p, l) && c * g->loop[l].step % block != 0)
            return false;
    return true;
}

/* For an axis in blocks, quotient and remainder are computed once for the tile's origin and once
 * for its points (see put_buffer_term, sq_ref_offset). That is correct if every origin is a
 * multiple of the block, whatever the constants of the references are: those belong to the
 * points. */
static bool aligned_to(const layout *l, int a, int64_t block)
{
    for (int i = 0; i < l->nrefs; i++)
        for (int d = 0; d < l->g->ndim; d++) {
            int64_t c = l->refs[i]->coef[a][d];
            if (c < 0 || (c > 0 && !l->b->single[d] &&
                          !moves_by_blocks(l->g, l->p, d, c / l->b->axis[a].stride, block)))
                return false;
        }
    return true;
}

/* True if subscript a is the dimension and nothing else. */
static bool stands_alone(const sq_ref *r, int a, int dim)
{
    for (int d = 0; d < SQ_MAX_DIMS; d++)
        if (r->coef[a][d] != (d == dim))
            return false;
    return r->konst[a] == 0 && sq_code_is(r->symbolic[a], 0);
}

/* Returns the array dimension that dim of the group blocks: the one whose whole subscript it is, in
 * all references if there is such a one, else in the first; -1. */
static int axis_of(sq_ref **refs, int nrefs, int dim)
{
    for (int n = nrefs; n > 0; n = n > 1 ? 1 : 0)
        for (int a = 0; a < refs[0]->nsubs; a++) {
            int i = 0;
            while (i < n && stands_alone(refs[i], a, dim))
                i++;
            if (i == n)
                return a;
        }
    return -1;
}

static bool split_panels(const layout *l)
{
    for (int i = 0; i < l->p->npanels; i++) {
        int d = l->p->panel[i].dim, a = axis_of(l->refs, l->nrefs, d);
        int64_t block = l->p->panel[i].block;
        if (a < 0)
            return refuse(l, "no subscript of '%s' uses '%s'", l->p->array->name, l->g->dim[d]);
        sq_axis *x = &l->b->axis[a];
        if (x->split || !aligned_to(l, a, block))
            return refuse(l,
                          "panels of %1$lld along '%2$s' need a register tile of a multiple "
                          "of %1$lld points of it",
                          (long long)block, l->g->dim[d]);
        x->split = SQ_SPLIT_PANEL;
        x->block = block;
    }
    return true;
}

/* An axis with a stride above one along the vector dimension is split into phases. */
static void split_phases(const layout *l)
{
    if (l->g->micro.vector < 0)
        return;
    for (int i = 0; i < l->nrefs; i++) {
        for (int a = 0; a < l->refs[i]->nsubs; a++) {
            sq_axis *x = &l->b->axis[a];
            int64_t c = l->refs[i]->coef[a][l->g->micro.vector] / x->stride;
            if (c > 1 && !x->split && aligned_to(l, a, c)) {
                x->split = SQ_SPLIT_PHASE;
                x->block = c;
            }
        }
    }
}

/* True if the points or steps of one tile lie along axis a. */
static bool moves_in_tile(const layout *l, int a)
{
    for (int i = 0; i < l->nrefs; i++)
        for (int d = 0; d < l->g->ndim; d++)
            if (l->refs[i]->coef[a][d] && (d == l->g->micro.serial || l->g->micro.points[d] > 1))
                return true;
    return false;
}

/* Sets the distances along an axis that is in no panels, where those inside of it end at `step`; returns where it
 * ends. */
static int64_t lay_axis(sq_axis *x, int64_t step)
{
    x->step_q = step;
    step *= x->split ? (x->extent + x->block - 1) / x->block : x->extent;
    if (x->split) {
        x->step_r = step;
        step *= x->block;
    }
    return step;
}

/* Assigns strides: panel remainders innermost, then the axes in declared order from the last, panel quotients
 * outermost. In panels, axes that no tile moves along come after those that it does: what it reads lies together. */
static void lay_out(const layout *l)
{
    sq_buffer *b = l->b;
    int64_t step = 1;
    for (int a = b->naxes - 1; a >= 0; a--)
        if (b->axis[a].split == SQ_SPLIT_PANEL) {
            b->axis[a].step_r = step;
            step *= b->axis[a].block;
        }
    for (int apart = 0; apart < 2; apart++)
        for (int a = b->naxes - 1; a >= 0; a--) {
            bool comes_last = l->p->npanels && !moves_in_tile(l, a);
            if (b->axis[a].split != SQ_SPLIT_PANEL && comes_last == apart)
                step = lay_axis(&b->axis[a], step);
        }
    for (int a = b->naxes - 1; a >= 0; a--)
        if (b->axis[a].split == SQ_SPLIT_PANEL) {
            b->axis[a].step_q = step;
            step *= (b->axis[a].extent + b->axis[a].block - 1) / b->axis[a].block;
        }
    b->elements = step + 64; /* a vector may start at the last element */
}

/* Matrix instructions load units of 16 bytes: elements of 2 and 4 bytes along any of their
 * dimensions, so the array's own order stays; bytes along the steps. */
static int tensor_axis(const sq_group *g, const sq_buffer *b, const sq_ref *r)
{
    int last = b->naxes - 1, steps = last;
    const int has[] = {g->micro.tensor.rows, g->micro.tensor.columns, g->micro.serial};
    bool any = false;
    for (int a = 0; a < b->naxes; a++)
        if (r->coef[a][g->micro.serial])
            steps = a;
    for (int i = 0; i < 3; i++)
        any |= r->coef[last][has[i]] != 0;
    return any && sq_type_bytes(b->type) > 1 ? last : steps;
}

/* Returns the axis whose adjacent elements a thread's tile uses at once: that of the vector, else
 * that of most rows, else the last. */
static int inner_axis(const sq_group *g, sq_ref **refs, int naxes)
{
    int64_t most = 1;
    int best = naxes - 1;
    for (int a = 0; a < naxes; a++)
        for (int d = 0; d < g->nfree; d++) {
            int64_t points = refs[0]->coef[a][d] ? g->micro.points[d] : 1;
            if (d == g->micro.vector && refs[0]->coef[a][d])
                return a;
            if (points > most) {
                most = points;
                best = a;
            }
        }
    return best;
}

/* In shared memory: that axis innermost, the others in declared order; the pitch of rows is such
 * that each starts aligned for vectors. */
static void lay_out_shared(const layout *l)
{
    sq_buffer *b = l->b;
    int inner = b->tensor  ? tensor_axis(l->g, b, l->refs[0])
                : b->naxes ? inner_axis(l->g, l->refs, b->naxes)
                           : 0;
    int64_t step = b->naxes ? round_up(b->axis[inner].extent + l->p->pad, 16 / sq_type_bytes(b->type)) : 1;
    for (int a = b->naxes - 1; a >= 0; a--) {
        b->axis[a].step_q = a == inner ? 1 : step;
        step *= a == inner ? 1 : b->axis[a].extent;
    }
    b->elements = step;
    b->inner = inner;
}

/* Returns "B_pack", and "B_pack2" for a second copy of the same array. */
static const char *buffer_name(const sq_group *g, const sq_pack *p, sq_arena *arena)
{
    int n = 1;
    for (const sq_pack *q = g->pack; q < p; q++)
        n += q->array == p->array;
    const char *what = p->shared ? "shared" : "pack";
    return n > 1 ? sq_arena_printf(arena, "@%s_%s%d", p->array->name, what, n)
                 : sq_arena_printf(arena, "@%s_%s", p->array->name, what);
}

/* Sets what the copy holds outside of the array; false if no value suits all references. Reads
 * under a condition accept any. */
static bool take_edge(sq_buffer *b, const sq_access *a)
{
    if (a->edge == SQ_EDGE_CLAMP)
        return false;
    if (a->edge == SQ_EDGE_NONE || (a->where && b->edge != SQ_EDGE_NONE))
        return true;
    if (!a->where && b->edge == SQ_EDGE_PAD && !b->anything &&
        !sq_number_same(b->outside, a->outside))
        return false;
    b->edge = SQ_EDGE_PAD;
    b->anything = a->where != NULL;
    b->outside = a->outside;
    return true;
}

static bool takes_all(const layout *l)
{
    for (int i = 0; i < l->nrefs; i++) {
        const sq_ref *r = l->refs[i];
        if (!r->affine || r->access->indirect)
            return refuse(l, r->affine ? "a subscript is a value" : "a subscript is not affine");
        if (!take_edge(l->b, r->access))
            return refuse(l, "'%s' is read with clampedge, or padded with unlike values", l->p->array->name);
    }
    return true;
}

sq_buffer *sq_buffer_new(const sq_group *g, const sq_pack *p, sq_ref **refs, int nrefs,
                         sq_arena *arena, const char **why)
{
    sq_buffer *b = SQ_NEW(arena, sq_buffer);
    b->array = p->array;
    bool held = sq_type_stored(p->array->type) || sq_exact_factor(g, p->array);
    b->tensor = p->shared && sq_tensor_reads(g, p->array);
    b->type = held && !b->tensor && !p->array->is_packed ? SQ_F32 : p->array->type;
    b->name = buffer_name(g, p, arena);
    b->naxes = p->array->ndim;
    b->loop = p->loop;
    const layout l = {b, g, p, refs, nrefs, arena, why};
    if (!takes_all(&l))
        return NULL;
    for (int d = 0; d < g->ndim; d++)
        b->single[d] = sq_pack_covers(g, p, d) == 1;
    for (int a = 0; a < b->naxes; a++)
        if (!axis_range(&l, a))
            return NULL;
    b->shared = p->shared;
    b->stages = p->stages > 1 ? p->stages : 1;
    if (!split_panels(&l))
        return NULL;
    if (b->tensor && sq_tensor_is_warpgroup(g)) {
        if (!sq_buffer_swizzle(b, g, refs, nrefs, arena, why))
            return NULL;
    } else if (b->shared) {
        lay_out_shared(&l);
    } else {
        split_phases(&l);
        lay_out(&l);
    }
    if (b->elements > ((int64_t)1 << 26)) {
        refuse(&l, "the copy would take %lld elements; pack at an inner loop", (long long)b->elements);
        return NULL;
    }
    for (int i = 0; i <= p->loop; i++)
        b->per_thread = b->per_thread || g->loop[i].runs != SQ_LOOP_SERIAL;
    return b;
}

int sq_refs_served(const sq_pack *p, sq_ref **ref, int nrefs, sq_ref **served)
{
    int n = 0;
    for (int r = 0; r < nrefs; r++)
        if (ref[r]->array == p->array && sq_pack_serves(p, ref[r]->access))
            served[n++] = ref[r];
    return n;
}
