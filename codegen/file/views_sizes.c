/* Views, sizes: which sizes of a kernel the extents of its arrays say, which are only lengths of rows or planes, and
 * what elements a copy of an array has to have before the kernel runs. */
#include "codegen/file/views.h"
#include <isl/val.h>
#include <string.h>

/* The coefficient of a size in an extent. */
static int64_t coefficient(isl_aff *extent /* __isl_keep */, const sq_size *s)
{
    int at = isl_aff_find_dim_by_name(extent, isl_dim_param, s->name);
    if (at < 0)
        return 0;
    isl_val *v = isl_aff_get_coefficient_val(extent, isl_dim_param, at);
    int64_t n = isl_val_is_int(v) == isl_bool_true ? isl_val_get_num_si(v) : INT64_MAX;
    isl_val_free(v);
    return n;
}

/* True if the extent is this size and nothing else. */
static bool is_size(isl_aff *extent /* __isl_keep */, const sq_size *s)
{
    bool has = coefficient(extent, s) == 1 && isl_aff_dim(extent, isl_dim_div) == 0;
    for (int i = 0; has && i < (int)isl_aff_dim(extent, isl_dim_param); i++)
        has = strcmp(isl_aff_get_dim_name(extent, isl_dim_param, (unsigned)i), s->name) == 0 ||
              isl_aff_involves_dims(extent, isl_dim_param, (unsigned)i, 1) == isl_bool_false;
    isl_val *constant = isl_aff_get_constant_val(extent);
    has = has && isl_val_is_zero(constant) == isl_bool_true;
    isl_val_free(constant);
    return has;
}

static bool extent_has(isl_aff *extent /* __isl_keep */, const sq_size *s)
{
    int at = isl_aff_find_dim_by_name(extent, isl_dim_param, s->name);
    return at >= 0 && isl_aff_involves_dims(extent, isl_dim_param, (unsigned)at, 1) != isl_bool_false;
}

/* ---- lengths ---- */

static bool set_has(isl_set *set /* __isl_keep */, const sq_size *s)
{
    int at = set ? isl_set_find_dim_by_name(set, isl_dim_param, s->name) : -1;
    return at >= 0 && isl_set_involves_dims(set, isl_dim_param, (unsigned)at, 1) != isl_bool_false;
}

static bool access_has(const sq_access *a, const sq_size *s)
{
    bool has = set_has(a->where, s);
    for (int x = 0; x < a->array->ndim && !has; x++) {
        isl_aff *f = isl_multi_aff_get_aff(a->map, x);
        has = extent_has(f, s);
        isl_aff_free(f);
    }
    return has;
}

typedef struct search {
    const sq_size *size;
    bool found;
} search;

static void look(sq_expr *e, void *user)
{
    search *x = user;
    x->found |= e->op == SQ_OP_INDEX && e->index && extent_has(e->index, x->size);
}

static bool value_has(sq_expr *e, const sq_size *s)
{
    search x = {s, false};
    if (e)
        sq_expr_walk(e, look, &x);
    return x.found;
}

/* True if the extent of a dimension but the first one has the size. */
static bool is_long(const sq_array *a, const sq_size *s)
{
    bool is = false;
    for (int x = 1; x < a->ndim; x++)
        is |= extent_has(a->extent[x], s);
    return is;
}

/* True if a loop, a subscript or a value of the statement depends on the size; or what it does outside of an array
 * whose rows or planes have that length. */
static bool stmt_has(const sq_stmt *t, const sq_size *s)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(t, read, NULL);
    bool has = set_has(t->domain, s) || set_has(t->updates, s) || value_has(t->body, s) || value_has(t->value, s) ||
               access_has(t->write, s);
    for (int i = 0; i < n && !has; i++) {
        const sq_array *a = read[i]->array;
        bool leaves = read[i]->edge != SQ_EDGE_NONE || read[i]->indirect;
        has = access_has(read[i], s) || (leaves && is_long(a, s));
    }
    return has;
}

/* True if the size is the length of rows or planes of arrays, and nothing else depends on it. */
static bool is_length(const sq_kernel *k, const sq_size *s)
{
    int lengths = 0;
    for (int i = 0; i < k->narrays; i++)
        for (int x = 0; x < k->array[i]->ndim; x++) {
            const sq_array *a = k->array[i];
            if (!extent_has(a->extent[x], s))
                continue;
            if (a->role == SQ_LOCAL || x == 0 || !is_size(a->extent[x], s))
                return false;
            lengths++;
        }
    for (int i = 0; i < k->nstmts && lengths; i++)
        if (stmt_has(k->stmt[i], s))
            return false;
    return lengths > 0;
}

/* ---- elements that are touched ---- */

/* Elements of the array that an access of the statement touches. __isl_give */
static isl_set *touched(const sq_access *a, isl_set *instances /* __isl_keep */)
{
    isl_set *from = isl_set_copy(instances);
    if (a->where)
        from = isl_set_intersect(from, isl_set_copy(a->where));
    return isl_set_apply(from, isl_map_from_multi_aff(isl_multi_aff_copy(a->map)));
}

static isl_set *add(isl_set *all /* __isl_take */, isl_set *more /* __isl_take */)
{
    return all ? isl_set_union(all, more) : more;
}

/* Elements that the kernel writes and, if `reads`, those that it reads; NULL: none. __isl_give */
static isl_set *all_touched(const sq_kernel *k, const sq_array *a, bool reads)
{
    isl_set *all = NULL;
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *t = k->stmt[i];
        sq_access *read[SQ_MAX_STMT_READS];
        bool in_body[SQ_MAX_STMT_READS];
        int n = sq_stmt_all_reads(t, read, in_body);
        if (t->write->array == a)
            all = add(all, touched(t->write, t->domain));
        for (int j = 0; j < n && reads; j++)
            if (read[j]->array == a)
                all = add(all, touched(read[j], in_body[j] ? t->updates : t->domain));
    }
    return all;
}

static isl_stat same_everywhere(isl_set *where /* __isl_take */, isl_aff *f /* __isl_take */, void *user)
{
    isl_aff **one = user;
    isl_stat same = isl_stat_ok;
    if (!*one)
        *one = isl_aff_copy(f);
    else if (isl_aff_plain_is_equal(*one, f) != isl_bool_true)
        same = isl_stat_error;
    isl_set_free(where);
    isl_aff_free(f);
    return same;
}

/* Elements along a dimension up to the last one that is touched; NULL where they are a number, or no one expression of
 * sizes. __isl_give */
static isl_aff *used(const sq_kernel *k, const sq_array *a, int dim)
{
    isl_set *all = all_touched(k, a, true);
    if (!all)
        return NULL;
    all = isl_set_project_out(all, isl_dim_set, (unsigned)dim + 1, (unsigned)(a->ndim - dim - 1));
    all = isl_set_project_out(all, isl_dim_set, 0, (unsigned)dim);
    isl_pw_aff *last = isl_set_dim_max(all, 0);
    isl_aff *one = NULL;
    if (isl_pw_aff_foreach_piece(last, same_everywhere, &one) != isl_stat_ok)
        one = isl_aff_free(one);
    isl_pw_aff_free(last);
    if (one && (isl_aff_dim(one, isl_dim_div) > 0 || isl_aff_is_cst(one) != isl_bool_false))
        one = isl_aff_free(one);
    return one ? isl_aff_add_constant_si(one, 1) : NULL;
}

/* Elements that a view of the array has. __isl_give */
static isl_set *viewed(const sq_views *v, int i)
{
    const sq_array *a = v->array[i].array;
    isl_set *all = sq_array_bounds(v->k, a);
    for (int x = 1; x < a->ndim; x++) {
        if (!v->array[i].used[x])
            continue;
        isl_local_space *space = isl_local_space_from_space(isl_set_get_space(all));
        isl_pw_aff *at = isl_pw_aff_from_aff(isl_aff_var_on_domain(space, isl_dim_set, (unsigned)x));
        isl_pw_aff *end = isl_pw_aff_from_aff(isl_aff_copy(v->array[i].used[x]));
        end = isl_pw_aff_insert_domain(end, isl_set_get_space(all));
        all = isl_set_intersect(all, isl_pw_aff_lt_set(at, end));
    }
    return all;
}

static bool keeps(const sq_views *v, int i)
{
    const sq_kernel *k = v->k;
    const sq_array *a = v->array[i].array;
    isl_set *written = a->role == SQ_OUT ? all_touched(k, a, false) : NULL;
    if (!written)
        return true;
    isl_set *all = isl_set_intersect_params(viewed(v, i), isl_set_copy(k->accepted ? k->accepted : k->context));
    bool whole = isl_set_is_subset(all, written) == isl_bool_true;
    isl_set_free(all);
    isl_set_free(written);
    return !whole;
}

/* ---- sizes ---- */

/* Notes what views have of the dimensions that the size is the length of; false where one is no expression. */
static bool use_length(sq_views *v, const sq_size *size, int i)
{
    const sq_array *a = v->array[i].array;
    bool all = true;
    for (int x = 1; x < a->ndim && all; x++)
        if (extent_has(a->extent[x], size)) {
            v->array[i].used[x] = used(v->k, a, x);
            all = v->array[i].used[x] != NULL;
        }
    return all;
}

static void forget_length(sq_views *v, const sq_size *size, int i)
{
    const sq_array *a = v->array[i].array;
    for (int x = 1; x < a->ndim; x++)
        if (extent_has(a->extent[x], size))
            v->array[i].used[x] = isl_aff_free(v->array[i].used[x]);
}

static void settle_length(sq_views *v, int s)
{
    const sq_size *size = v->k->size[s];
    if (size->fixed || !is_length(v->k, size))
        return;
    bool all = true;
    for (int i = 0; i < v->narrays && all; i++)
        all = use_length(v, size, i);
    if (all)
        v->size[s].from = SQ_VIEW_LENGTH;
    for (int i = 0; i < v->narrays && !all; i++)
        forget_length(v, size, i);
}

/* The one size of an extent that is not known yet, if it follows from the extent; -1. */
static int unknown_of(const sq_views *v, isl_aff *extent /* __isl_keep */, bool alone)
{
    int only = -1;
    if (isl_aff_dim(extent, isl_dim_div) > 0)
        return -1;
    for (int s = 0; s < v->k->nsizes; s++) {
        const sq_size *size = v->k->size[s];
        if (v->size[s].from != SQ_VIEW_UNKNOWN || !extent_has(extent, size))
            continue;
        if (only >= 0 || coefficient(extent, size) == INT64_MAX || (alone && !is_size(extent, size)))
            return -1;
        only = s;
    }
    return only;
}

/* Takes sizes from extents until none says another one. */
static void settle_extents(sq_views *v, bool alone)
{
    for (int i = 0; i < v->narrays; i++)
        for (int x = 0; x < v->array[i].array->ndim; x++) {
            int s = unknown_of(v, sq_views_extent(v, i, x), alone);
            if (s < 0)
                continue;
            v->size[s] = (sq_view_size){SQ_VIEW_EXTENT, i, x};
            v->found[v->nfound++] = s;
            i = x = -1; /* others may follow now */
            break;
        }
}

/* True if an extent may say the size: one without a division has it. */
static bool may_follow(const sq_views *v, const sq_size *s)
{
    for (int i = 0; i < v->narrays; i++)
        for (int x = 0; x < v->array[i].array->ndim; x++) {
            isl_aff *extent = sq_views_extent(v, i, x);
            if (isl_aff_dim(extent, isl_dim_div) == 0 && extent_has(extent, s))
                return true;
        }
    return false;
}

/* Sizes that are extents come first. Where no extent says any other one, the first that is left is passed, and others
 * may follow from it. */
static void settle_sizes(sq_views *v)
{
    const sq_kernel *k = v->k;
    for (int s = 0; s < k->nsizes; s++)
        settle_length(v, s);
    for (int s = 0; s < k->nsizes; s++)
        if (v->size[s].from == SQ_VIEW_UNKNOWN && (k->size[s]->fixed || !may_follow(v, k->size[s])))
            v->size[s].from = SQ_VIEW_PASSED;
    for (int s = 0; s < k->nsizes; s++) {
        settle_extents(v, true);
        settle_extents(v, false);
        if (v->size[s].from == SQ_VIEW_UNKNOWN)
            v->size[s].from = SQ_VIEW_PASSED;
    }
}

sq_views *sq_views_of(const sq_kernel *k)
{
    sq_arena *arena = sq_arena_new();
    sq_views *v = SQ_NEW(arena, sq_views);
    v->k = k;
    v->arena = arena;
    v->array = SQ_NEW_ARRAY(arena, sq_view_array, k->nparams + 1);
    for (int p = 0; p < k->nparams; p++)
        if (k->param[p].array)
            v->array[v->narrays++] =
                (sq_view_array){.array = k->param[p].array,
                                .used = SQ_NEW_ARRAY(arena, isl_aff *, k->param[p].array->ndim + 1)};
    settle_sizes(v);
    for (int i = 0; i < v->narrays; i++)
        v->array[i].is_kept = keeps(v, i);
    return v;
}

void sq_views_free(sq_views *v)
{
    for (int i = 0; i < v->narrays; i++)
        for (int x = 0; x < v->array[i].array->ndim; x++)
            isl_aff_free(v->array[i].used[x]);
    sq_arena_free(v->arena);
}

isl_aff *sq_views_extent(const sq_views *v, int array, int dim)
{
    const sq_view_array *a = &v->array[array];
    return a->used[dim] ? a->used[dim] : a->array->extent[dim];
}

/* A lone size is a shape, on which arrays agree; 4 * w - 1 is where the last element that is read happens to lie. */
bool sq_views_may_exceed(const sq_views *v, int array, int dim)
{
    const sq_view_array *a = &v->array[array];
    bool may = a->used[dim] && a->array->role == SQ_IN;
    for (int s = 0; s < v->k->nsizes && may; s++) {
        const sq_view_size *z = &v->size[s];
        may = !is_size(a->used[dim], v->k->size[s]) &&
              !(z->from == SQ_VIEW_EXTENT && z->array == array && z->dim == dim);
    }
    return may;
}

int sq_views_length(const sq_views *v, int array, int dim)
{
    const sq_view_array *a = &v->array[array];
    for (int s = 0; a->used[dim] && s < v->k->nsizes; s++)
        if (v->size[s].from == SQ_VIEW_LENGTH && extent_has(a->array->extent[dim], v->k->size[s]))
            return s;
    return -1;
}

bool sq_views_passes(const sq_views *v, const sq_param *p)
{
    for (int s = 0; p->size && s < v->k->nsizes; s++)
        if (v->k->size[s] == p->size)
            return !p->size->fixed && v->size[s].from == SQ_VIEW_PASSED;
    return true;
}
