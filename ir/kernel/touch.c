/* Touch: see touch.h. Everything is exact: one basic map per access and depth of the textual order,
 * no over-approximation, so that a refusal can always name two instances. */
#include "ir/kernel/touch.h"
#include <isl/constraint.h>
#include <isl/space.h>

isl_set *sq_stmt_instances(const sq_kernel *k, const sq_stmt *s, bool update)
{
    return isl_set_intersect_params(isl_set_copy(update ? s->updates : s->domain),
                                    isl_set_copy(k->context));
}

/* Clamps subscript d to 0 … extent-1, but where it has to be that itself. */
static isl_pw_aff *clamp(isl_pw_aff *x, const sq_access *of, int d)
{
    const sq_array *a = of->array;
    isl_set *all = isl_set_universe(isl_pw_aff_get_domain_space(x));
    isl_pw_aff *most = isl_pw_aff_from_aff(isl_aff_copy(a->extent[d]));
    most = isl_pw_aff_insert_domain(most, isl_set_get_space(all));
    most = isl_pw_aff_add_constant_val(most, isl_val_int_from_si(isl_set_get_ctx(all), -1));
    isl_aff *zero = isl_aff_zero_on_domain(isl_local_space_from_space(isl_set_get_space(all)));
    isl_set_free(all);
    x = of->fits_above >> d & 1 ? x : isl_pw_aff_min(x, isl_pw_aff_copy(most));
    isl_pw_aff_free(most);
    isl_pw_aff *least = isl_pw_aff_from_aff(zero);
    x = of->fits_below >> d & 1 ? x : isl_pw_aff_max(x, isl_pw_aff_copy(least));
    isl_pw_aff_free(least);
    return x;
}

static isl_map *clamped(const sq_access *a)
{
    isl_multi_pw_aff *m = isl_multi_pw_aff_from_multi_aff(isl_multi_aff_copy(a->map));
    for (int d = 0; d < a->array->ndim; d++) {
        isl_pw_aff *x = isl_multi_pw_aff_get_pw_aff(m, d);
        m = isl_multi_pw_aff_set_pw_aff(m, d, clamp(x, a, d));
    }
    return isl_map_from_multi_pw_aff(m);
}

/* Adds all values of an indirect subscript to the one that the map has in its place, which requires
 * the array to have elements. */
static isl_map *with_indirect(const sq_kernel *k, const sq_access *a, isl_map *m /* __isl_take */)
{
    isl_map *all = isl_map_copy(m);
    for (int d = 0; d < a->array->ndim; d++)
        if (a->indirect >> d & 1) {
            all = isl_map_project_out(all, isl_dim_out, (unsigned)d, 1);
            all = isl_map_insert_dims(all, isl_dim_out, (unsigned)d, 1);
        }
    all = isl_map_set_tuple_name(all, isl_dim_out, a->array->name);
    all = isl_map_intersect_range(all, sq_array_bounds(k, a->array));
    return isl_map_coalesce(isl_map_union(m, all));
}

isl_map *sq_touch_rel(const sq_kernel *k, const sq_stmt *s, const sq_access *a, bool update)
{
    isl_map *m =
        a->edge == SQ_EDGE_CLAMP ? clamped(a) : isl_map_from_multi_aff(isl_multi_aff_copy(a->map));
    if (a->indirect)
        m = with_indirect(k, a, m);
    m = isl_map_intersect_domain(m, sq_stmt_instances(k, s, update));
    if (a->where)
        return isl_map_intersect_domain(m, isl_set_copy(a->where));
    if (a->edge == SQ_EDGE_PAD)
        m = isl_map_intersect_range(m, sq_array_bounds(k, a->array));
    return m;
}

static isl_set *add_touched(isl_set *to, const sq_kernel *k, const sq_stmt *s, const sq_access *a,
                            bool update)
{
    return isl_set_union(to, isl_map_range(sq_touch_rel(k, s, a, update)));
}

bool sq_access_touches_alike(const sq_access *a, const sq_access *b)
{
    bool same_where =
        a->where == b->where ||
        (a->where && b->where && isl_set_plain_is_equal(a->where, b->where) == isl_bool_true);
    return a->array == b->array && a->edge == b->edge && a->indirect == b->indirect && same_where &&
           isl_multi_aff_plain_is_equal(a->map, b->map) == isl_bool_true;
}

int sq_reads_distinct(sq_access **read, bool *in_body, int n)
{
    enum { MOST_COMPARED = 16 }; /* repeated reads are close together */
    int kept = 0;
    for (int r = 0; r < n; r++) {
        bool again = false;
        for (int i = kept > MOST_COMPARED ? kept - MOST_COMPARED : 0; i < kept && !again; i++)
            again = in_body[i] == in_body[r] && sq_access_touches_alike(read[i], read[r]);
        read[kept] = read[r];
        in_body[kept] = in_body[r];
        kept += !again;
    }
    return kept;
}

isl_set *sq_touch_sure(const sq_kernel *k, const sq_array *a)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    isl_set *bounds = sq_array_bounds(k, a), *sure = isl_set_empty(isl_set_get_space(bounds));
    isl_set_free(bounds);
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *s = k->stmt[i];
        int n = sq_stmt_all_reads(s, read, in_body);
        for (int r = 0; r < n; r++)
            if (read[r]->array == a && !read[r]->is_guarded && !read[r]->indirect)
                sure = add_touched(sure, k, s, read[r], in_body[r]);
        if (s->write->array == a && !s->is_maybe)
            sure = add_touched(sure, k, s, s->write, false);
    }
    return isl_set_coalesce(sure);
}

static bool is_touched_at(const sq_kernel *k, const sq_stmt *s, const sq_access *a, bool update, const int64_t *sizes)
{
    isl_set *all = sq_kernel_at(k, isl_map_range(sq_touch_rel(k, s, a, update)), sizes);
    bool any = isl_set_is_empty(all) != isl_bool_true;
    isl_set_free(all);
    return any;
}

bool sq_touch_any_at(const sq_kernel *k, const sq_array *a, const int64_t *sizes)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS], any = false;
    for (int i = 0; i < k->nstmts && !any; i++) {
        const sq_stmt *s = k->stmt[i];
        int n = sq_stmt_all_reads(s, read, in_body);
        for (int r = 0; r < n && !any; r++)
            any = read[r]->array == a && is_touched_at(k, s, read[r], in_body[r], sizes);
        any |= s->write->array == a && is_touched_at(k, s, s->write, false, sizes);
    }
    return any;
}

static bool stays_inside(const sq_kernel *k, const sq_stmt *s, const sq_access *a, bool update)
{
    isl_map *m = isl_map_from_multi_aff(isl_multi_aff_copy(a->map));
    m = isl_map_intersect_domain(m, sq_stmt_instances(k, s, update));
    m = isl_map_subtract_range(m, sq_array_bounds(k, a->array));
    bool inside = isl_map_is_empty(m) == isl_bool_true;
    isl_map_free(m);
    return inside;
}

/* A read under a condition is executed, and its result ignored, if the condition does not hold. */
static void settle_edge(sq_access *a, bool inside)
{
    if (inside)
        a->edge = SQ_EDGE_NONE;
    else if (a->where && a->edge == SQ_EDGE_NONE)
        a->edge = SQ_EDGE_PAD;
}

void sq_kernel_drop_edges(sq_kernel *k)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    for (int i = 0; i < k->nstmts; i++) {
        int n = sq_stmt_all_reads(k->stmt[i], read, in_body);
        for (int r = 0; r < n; r++)
            if (read[r]->edge != SQ_EDGE_NONE || read[r]->where)
                settle_edge(read[r], stays_inside(k, k->stmt[i], read[r], in_body[r]));
    }
}

/* Returns the space of maps between two set spaces, whatever parameters each has. */
static isl_space *pair_space(isl_space *from, isl_space *to)
{
    from = isl_space_align_params(from, isl_space_copy(to));
    to = isl_space_align_params(to, isl_space_copy(from));
    return isl_space_map_from_domain_and_range(from, to);
}

isl_map *sq_stmt_drop(const sq_stmt *s)
{
    isl_map *m =
        isl_map_universe(pair_space(isl_set_get_space(s->updates), isl_set_get_space(s->domain)));
    for (int d = 0; d < s->nfree; d++)
        m = isl_map_equate(m, isl_dim_in, d, isl_dim_out, d);
    return m;
}

isl_map *sq_stmt_finish(const sq_kernel *k, const sq_stmt *s)
{
    isl_map *m = isl_map_intersect_domain(sq_stmt_drop(s), sq_stmt_instances(k, s, true));
    return isl_map_intersect_range(m, sq_stmt_instances(k, s, false));
}

static isl_map *textual_of(const sq_touch *t)
{
    isl_map *m = isl_map_copy(t->stmt->textual);
    return t->update ? isl_map_apply_range(sq_stmt_drop(t->stmt), m) : m;
}

/* Returns the textual order of two touches of C loops. */
static isl_map *written_order(const sq_touch *a, const sq_touch *b)
{
    isl_map *x = textual_of(a), *y = textual_of(b);
    if (a->stmt == b->stmt && a->update && !b->update)
        return isl_map_lex_le_map(x, y);
    return isl_map_lex_lt_map(x, y);
}

static isl_map *nothing(const sq_touch *a, const sq_touch *b)
{
    return isl_map_empty(pair_space(isl_space_domain(isl_map_get_space(a->rel)),
                                    isl_space_domain(isl_map_get_space(b->rel))));
}

/* Returns the order of an index statement's points where arrays may overlap: that of its free
 * dimensions, each point's updates before its write. */
static isl_map *point_order(const sq_touch *a, const sq_touch *b)
{
    isl_map *x =
        a->update ? sq_stmt_drop(a->stmt) : isl_set_identity(isl_set_copy(a->stmt->domain));
    isl_map *y =
        b->update ? sq_stmt_drop(b->stmt) : isl_set_identity(isl_set_copy(b->stmt->domain));
    if (a->update && !b->update)
        return isl_map_lex_le_map(x, y);
    return isl_map_lex_lt_map(x, y);
}

/* Returns the pairs of touches of two arrays that may share any element. */
static isl_map *all_pairs(const sq_touch *a, const sq_touch *b)
{
    return isl_map_from_domain_and_range(isl_map_domain(isl_map_copy(a->rel)),
                                         isl_map_domain(isl_map_copy(b->rel)));
}

isl_map *sq_touch_pairs(const sq_kernel *k, const sq_touch *a, const sq_touch *b)
{
    bool written = a->stmt->written_loops && b->stmt->written_loops;
    bool distinct = a->array != b->array;
    isl_map *order = NULL;
    if (!sq_arrays_overlap(a->array, b->array))
        return nothing(a, b);
    if (written)
        order = written_order(a, b);
    else if (a->stmt == b->stmt && distinct)
        order = point_order(a, b);
    else if (a->stmt == b->stmt && a->update && !b->update)
        order = sq_stmt_finish(k, a->stmt);
    else if (a->stmt->position >= b->stmt->position)
        return nothing(a, b);
    isl_map *same =
        distinct ? all_pairs(a, b)
              : isl_map_apply_range(isl_map_copy(a->rel), isl_map_reverse(isl_map_copy(b->rel)));
    return order ? isl_map_intersect(same, order) : same;
}

isl_set *sq_stmt_unreduced(const sq_kernel *k, const sq_stmt *s)
{
    isl_set *some =
        isl_set_project_out(isl_set_reset_tuple_id(isl_set_copy(s->updates)), isl_dim_set,
                            (unsigned)s->nfree, (unsigned)(s->ndim - s->nfree));
    isl_set *none = isl_set_subtract(isl_set_reset_tuple_id(isl_set_copy(s->domain)), some);
    none = isl_set_coalesce(isl_set_intersect_params(none, isl_set_copy(k->context)));
    if (isl_set_is_empty(none) == isl_bool_true)
        return isl_set_free(none);
    return none;
}

/* True if C loops around an index statement may let it write an element several times. */
static bool overwrites(const sq_kernel *k, const sq_stmt *s)
{
    if (!s->written_loops)
        return false;
    isl_map *write = sq_touch_rel(k, s, s->write, false);
    bool once = isl_map_is_injective(write) == isl_bool_true;
    isl_map_free(write);
    return !once;
}

bool sq_stmt_waits_for_unreduced(const sq_kernel *k, const sq_stmt *s)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS], other = false;
    int n = s->updates ? sq_stmt_all_reads(s, read, in_body) : 0;
    for (int i = 0; i < n; i++)
        other |= sq_arrays_overlap(read[i]->array, s->write->array) &&
                 (in_body[i] ||
                  isl_multi_aff_plain_is_equal(read[i]->map, s->write->map) != isl_bool_true);
    other = other || (s->updates && overwrites(k, s));
    isl_set *none = other ? sq_stmt_unreduced(k, s) : NULL;
    if (!none)
        return false;
    isl_set *both =
        isl_set_intersect(isl_set_params(none), isl_set_params(isl_set_copy(s->updates)));
    bool waits = isl_set_is_empty(both) != isl_bool_true;
    isl_set_free(both);
    return waits;
}
