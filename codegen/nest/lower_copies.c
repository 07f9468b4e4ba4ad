/* Copies: the start and length of each pack's buffer along every axis, and the loop that fills
 * it. */
#include "codegen/nest/lower_inside.h"
#include "codegen/nest/stored.h"
#include <isl/aff.h>
#include <isl/map.h>
#include <string.h>

static const sq_code_expr *dim_start(sq_lowering *w, const sq_pack *p, int d)
{
    for (int l = p->loop; l >= 0; l--)
        if (w->group->loop[l].dim == d && sq_pack_outside(w->group, p, l))
            return sq_code_name(w->code, w->group->loop[l].name);
    return w->box ? w->nest->anchor[d] : sq_lowering_range(w, p->loop + 1, d, false);
}

/* True if subscript a may leave the array somewhere in the domain. */
static bool may_leave(const sq_lowering *w, const sq_ref *r, int a)
{
    int n = (int)isl_multi_aff_dim(r->access->map, isl_dim_out);
    isl_set *domain = isl_set_copy(w->points[0]);
    domain = isl_set_set_tuple_id(domain, isl_multi_aff_get_tuple_id(r->access->map, isl_dim_in));
    isl_map *map = isl_map_from_multi_aff(isl_multi_aff_copy(r->access->map));
    isl_set *reached = isl_set_apply(domain, map), *inside = sq_array_bounds(w->kernel, r->array);
    reached = isl_set_project_out(reached, isl_dim_set, (unsigned)a + 1, (unsigned)(n - a - 1));
    reached = isl_set_project_out(reached, isl_dim_set, 0, (unsigned)a);
    inside = isl_set_project_out(inside, isl_dim_set, (unsigned)a + 1, (unsigned)(n - a - 1));
    inside = isl_set_project_out(inside, isl_dim_set, 0, (unsigned)a);
    bool leaves = isl_set_is_subset(reached, inside) != isl_bool_true;
    isl_set_free(reached);
    isl_set_free(inside);
    return leaves;
}

/* Start expressions that are not a number or a name get a variable. */
static void name_start(const sq_lowering *w, sq_buffer *b, int a, const sq_code_expr *lo)
{
    sq_axis *x = &b->axis[a];
    bool shown = lo->op == SQ_CODE_NUMBER || lo->op == SQ_CODE_NAME;
    x->lo = shown ? lo : sq_code_name(w->code, sq_arena_printf(w->arena, "%s_lo%d", b->name, a));
    x->lo_value = shown ? NULL : lo;
}

/* Returns the steps from the first point of dimension d to the last one of the copy. Backwards there are as many
 * as it has room for: its first element is that of the last point. */
static const sq_code_expr *way_along(sq_lowering *w, const sq_pack *p, const sq_buffer *b, int d, bool backwards)
{
    if (backwards)
        return sq_code_number(w->code, sq_pack_covers(w->group, p, d) - 1);
    const sq_code_expr *start = dim_start(w, p, d),
                       *end = b->shared ? start : sq_lowering_range(w, b->loop + 1, d, true);
    return sq_code_plus(w->code, sq_code_sub(w->code, end, start), -1);
}

/* Computes lo and length of an axis at the head of the pack's loop. */
static void axis_range(sq_lowering *w, const sq_pack *p, sq_buffer *b, int a, const sq_ref *r,
                       int64_t spread)
{
    sq_axis *x = &b->axis[a];
    sq_code_pool *code = w->code;
    const sq_code_expr *lo = sq_code_number(code, x->konst), *last = sq_code_number(code, spread);
    for (int d = 0; d < w->group->ndim; d++) {
        int64_t c = r->coef[a][d];
        if (!c)
            continue;
        lo = sq_code_add_scaled(code, lo, c, dim_start(w, p, d));
        last = sq_code_add_scaled(code, last, c < 0 ? -c : c, way_along(w, p, b, d, c < 0));
    }
    name_start(w, b, a, sq_code_add(code, lo, r->symbolic[a]));
    const sq_code_expr *stride = sq_code_number(code, x->stride);
    x->len = b->shared /* filled completely */
                 ? sq_code_number(code, x->extent)
                 : sq_code_plus(code, sq_code_divide(code, SQ_CODE_DIV, last, stride), 1);
}

/* Returns the largest difference of constants between the references to one axis. */
static int64_t spread_of(sq_ref **served, int n, int a)
{
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    for (int i = 0; i < n; i++) {
        int64_t c = served[i]->konst[a];
        lo = c < lo ? c : lo;
        hi = c > hi ? c : hi;
    }
    return hi - lo;
}

/* True if the box stays within the range of the loops: sizes are known, and its tiles divide
 * them. */
static bool fills_whole(const sq_lowering *w, const sq_pack *p, const sq_ref *r, int a)
{
    for (int d = 0; d < w->group->ndim; d++) {
        int64_t n = sq_stmt_extent(w->group->stmt[0], d), covered = sq_pack_covers(w->group, p, d);
        if (r->coef[a][d] && (!w->box || n < 0 || n % covered))
            return false;
    }
    return true;
}

/* True if the box may begin before the array: its start is the smallest subscript at the loops'
 * starts, and tiles of loops that are never negative begin at a nonnegative value. */
static bool may_begin_before(const sq_lowering *w, const sq_ref *r, const sq_axis *x, int a)
{
    if (x->konst < 0 || !sq_code_is(r->symbolic[a], 0))
        return true;
    for (int d = 0; d < w->group->ndim; d++) {
        if (!r->coef[a][d])
            continue;
        isl_set *all = isl_set_copy(w->points[0]), *from;
        from = isl_set_lower_bound_si(isl_set_copy(all), isl_dim_set, (unsigned)d, 0);
        bool negative = r->coef[a][d] < 0 || isl_set_is_subset(all, from) != isl_bool_true;
        isl_set_free(all);
        isl_set_free(from);
        if (negative)
            return true;
    }
    return false;
}

static void finish_buffer(sq_lowering *w, const sq_pack *p, sq_buffer *b, sq_ref **served, int n)
{
    b->clipped = !w->box || b->edge != SQ_EDGE_NONE || b->shared;
    for (int a = 0; a < b->naxes; a++)
        axis_range(w, p, b, a, served[0], spread_of(served, n, a));
    bool any = false;
    for (int a = 0; a < b->naxes; a++) {
        bool leaves = b->clipped && (!w->box || (b->shared && !fills_whole(w, p, served[0], a)));
        for (int i = 0; i < n && b->clipped && !leaves; i++)
            leaves = may_leave(w, served[i], a);
        b->axis[a].clipped = leaves;
        b->axis[a].before =
            leaves && b->edge != SQ_EDGE_NONE && may_begin_before(w, served[0], &b->axis[a], a);
        any |= leaves;
    }
    b->clipped = any;
}

/* Returns the end of the subscripts along axis a that the sum reads, for steps that end at
 * `end`. */
static const sq_code_expr *end_along(sq_lowering *w, const sq_ref *r, int a, int64_t coef,
                                     const sq_code_expr *end)
{
    const sq_code_expr *last = sq_code_plus(w->code, r->symbolic[a], 1 - coef + r->konst[a]);
    last = sq_code_add_scaled(w->code, last, coef, end);
    if (r->access->edge == SQ_EDGE_NONE)
        return last;
    return sq_code_min(w->code, sq_aff_code(w->kernel, r->array->extent[a], w->code), last);
}

/* Returns the dimension that is the only one to move an axis, forwards; -1. */
static int moves_alone(const sq_lowering *w, const sq_ref *r, int a)
{
    int only = -1;
    for (int d = 0; d < w->group->ndim; d++) {
        if (r->coef[a][d] && only >= 0)
            return -1;
        only = r->coef[a][d] ? d : only;
    }
    return only >= 0 && r->coef[a][only] > 0 ? only : -1;
}

/* Elements behind the last one that is read, of an array that the kernel writes, may never be
 * written: they are not copied. */
static void end_reads(sq_lowering *w, sq_buffer *b, sq_ref **served, int n)
{
    bool asks = b->shared && b->edge == SQ_EDGE_NONE && b->array->role != SQ_IN;
    for (int a = 0; a < b->naxes && asks; a++) {
        int d = moves_alone(w, served[0], a);
        if (d < 0 || !b->axis[a].clipped || spread_of(served, n, a) > 0)
            continue;
        const sq_code_expr *end =
            end_along(w, served[0], a, served[0]->coef[a][d], w->bounds.end[d]);
        if (end != sq_aff_code(w->kernel, b->array->extent[a], w->code))
            b->axis[a].end = end;
    }
}

/* Matrix instructions process full steps: both operands have zeros behind the end of the sum. */
static int end_steps(sq_lowering *w, const sq_pack *p, sq_buffer *b, const sq_ref *r)
{
    int k = w->group->micro.serial;
    if (!b->tensor)
        return 0;
    for (int a = 0; a < b->naxes; a++) {
        int64_t n = sq_stmt_extent(w->group->stmt[0], k);
        if (!r->coef[a][k] || (w->box && n >= 0 && n % sq_pack_covers(w->group, p, k) == 0))
            continue;
        for (int d = 0; d < w->group->ndim; d++)
            if (d != k && r->coef[a][d])
                return sq_error(w->diags, SQ_FAULT_REFUSED, p->array->loc,
                                "the copy of '%s' has no zeros beyond the end of '%s', which "
                                "stands in a subscript together with '%s'; fix its size to a "
                                "multiple of the tile, or leave tensorize out",
                                p->array->name, w->group->dim[k], w->group->dim[d]);
        b->axis[a].end = end_along(w, r, a, r->coef[a][k], w->bounds.end[k]);
        b->axis[a].clipped = b->clipped = true;
    }
    return 0;
}

static int refuse_copy(const sq_lowering *w, const sq_pack *p, const char *why)
{
    return sq_error(w->diags, SQ_FAULT_REFUSED, p->array->loc, "cannot pack '%s': %s", p->array->name, why);
}

/* Sets where the copies of a packed array are, and how code sees the one of an iteration. -1 with an error added. */
static int store(sq_lowering *w, const sq_pack *p, sq_buffer *b, const sq_ref *r)
{
    const char *why = "";
    b->stored = sq_stored_new(w, p, b, r, &why);
    b->panel = sq_code_pointer(w->code, b->name, b->type, true, false);
    return b->stored ? 0 : refuse_copy(w, p, why);
}

/* Makes the copy as code sees it: a pointer to the stage of an iteration if it has several. */
static void make_panel(const sq_lowering *w, sq_buffer *b)
{
    const char *name = b->stages > 1 ? sq_arena_printf(w->arena, "%s_stages", b->name) : b->name;
    sq_code_buffer *memory = SQ_NEW(w->arena, sq_code_buffer);
    *memory = *sq_code_panel(w->code, name, b->type, b->stages * b->elements, b->per_thread && !b->shared);
    memory->alignment = b->swizzled ? SQ_SWIZZLED_BYTES : b->shared ? 16 : 0;
    b->memory = memory;
    b->panel = b->stages > 1 ? sq_code_pointer(w->code, b->name, b->type, false, false) : memory;
}

int sq_lowering_buffers(sq_lowering *w)
{
    sq_nest *n = w->nest;
    for (int i = 0; i < w->group->npacks; i++) {
        const char *why = "";
        const sq_pack *p = &w->group->pack[i];
        sq_ref **served = SQ_NEW_ARRAY(w->arena, sq_ref *, n->nrefs);
        int nserved = sq_refs_served(p, n->ref, n->nrefs, served);
        sq_buffer *b = sq_buffer_new(w->group, p, served, nserved, w->arena, &why);
        if (!b)
            return refuse_copy(w, p, why);
        if (n->index)
            b->name = sq_arena_printf(w->arena, "%s%d", b->name, n->index);
        finish_buffer(w, p, b, served, nserved);
        end_reads(w, b, served, nserved);
        if (end_steps(w, p, b, served[0]) != 0)
            return -1;
        if (p->array->is_packed && store(w, p, b, served[0]) != 0)
            return -1;
        if (!b->stored)
            make_panel(w, b);
        n->buffer[n->nbuffers++] = b;
        for (int r = 0; r < nserved; r++)
            served[r]->buffer = b;
    }
    return 0;
}

sq_node *sq_lowering_copies(const sq_lowering *w, int loop, sq_node *inner)
{
    for (int i = w->nest->nbuffers - 1; i >= 0; i--) {
        if (w->nest->buffer[i]->loop != loop)
            continue;
        sq_node *c = sq_lowering_node(w, SQ_NODE_COPY);
        c->buffer = w->nest->buffer[i];
        c->next = inner;
        if (inner && inner->kind == SQ_NODE_COPY)
            inner->after_copy = true;
        inner = c;
    }
    return inner;
}
