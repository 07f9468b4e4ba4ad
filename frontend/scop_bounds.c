/* Scop bounds: what a region's sizes must satisfy. C proves no access in bounds and says nothing of
 * how much lies behind a pointer; so the first extent of a pointer is what the accesses reach, and
 * the sizes for which every access stays inside its array are what the tuned code is for. They are
 * tested before it runs. An access that is out of bounds whenever it runs is left to the check
 * of every kernel, which shows it. */
#include "frontend/scop_build.h"
#include "ir/kernel/touch.h"
#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/space.h>
#include <isl/val.h>

/* One access with its statement. */
typedef struct use {
    const sq_stmt *s;
    const sq_access *a;
    bool update;
} use;

typedef void visit(sq_builder *b, const use *u, void *user);

static void for_accesses(sq_builder *b, visit *f, void *user)
{
    sq_kernel *k = b->k;
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *s = k->stmt[i];
        int n = sq_stmt_reads(s, NULL, NULL, 0);
        sq_access **read = SQ_NEW_ARRAY(b->r.arena, sq_access *, n + 1);
        bool *in_body = SQ_NEW_ARRAY(b->r.arena, bool, n + 1);
        sq_stmt_reads(s, read, in_body, n);
        n = sq_reads_distinct(read, in_body, n);
        for (int r = 0; r < n; r++)
            f(b, &(use){s, read[r], in_body[r]}, user);
        f(b, &(use){s, s->write, false}, user);
    }
}

static void count_access(sq_builder *b, const use *u, void *user)
{
    (void)b, (void)u;
    ++*(int *)user;
}

/* ---- sizes that would be left ------------------------------------------------------------- */

/* The greatest value of a size, whatever the others are; infinity, or NaN of no sizes. __isl_give
 */
static isl_val *most_of(isl_set *sizes /* __isl_keep */, int size)
{
    int n = (int)isl_set_dim(sizes, isl_dim_param);
    isl_set *set = isl_set_from_params(isl_set_copy(sizes));
    set = isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param, 0, (unsigned)n);
    return isl_set_dim_max_val(set, size);
}

static bool stays_below(isl_set *sizes /* __isl_keep */, int size, long limit)
{
    isl_val *most = most_of(sizes, size);
    bool below = isl_val_is_int(most) == isl_bool_true && isl_val_cmp_si(most, limit) < 0;
    isl_val_free(most);
    return below;
}

const char *sq_scop_cut_off(isl_set *before /* __isl_keep */, isl_set *left /* __isl_keep */)
{
    enum { SMALL = 1 << 16 };
    for (int p = 0; p < (int)isl_set_dim(left, isl_dim_param); p++)
        if (stays_below(left, p, SMALL) && !stays_below(before, p, SMALL))
            return isl_set_get_dim_name(left, isl_dim_param, (unsigned)p);
    return NULL;
}

/* ---- open extents -------------------------------------------------------------------------- */

enum { MOST_CASES = 64 };

/* How far the accesses of one array reach in its first dimension, and how many elements that is
 * in each case. */
typedef struct reach {
    const sq_array *array;
    isl_pw_aff *most; /* of all accesses; NULL: there is none */
    int ncases;
    isl_aff *extent[MOST_CASES];
} reach;

static isl_stat add_case(isl_set *where /* __isl_take */, isl_aff *most /* __isl_take */,
                         void *user)
{
    reach *r = user;
    isl_set_free(where);
    most = isl_aff_add_constant_si(most, 1);
    for (int i = 0; i < r->ncases; i++)
        if (isl_aff_plain_is_equal(r->extent[i], most) == isl_bool_true) {
            isl_aff_free(most);
            return isl_stat_ok;
        }
    if (r->ncases < MOST_CASES)
        r->extent[r->ncases++] = most;
    else
        isl_aff_free(most);
    return isl_stat_ok;
}

static void add_reach(sq_builder *b, const use *u, void *user)
{
    reach *r = user;
    if (u->a->array != r->array)
        return;
    isl_set *touched = isl_map_range(sq_touch_rel(b->k, u->s, u->a, u->update));
    isl_set *first = isl_set_reset_tuple_id(touched);
    first = isl_set_project_out(first, isl_dim_set, 1, (unsigned)r->array->ndim - 1);
    isl_pw_aff *most = isl_set_dim_max(isl_set_coalesce(first), 0);
    r->most = r->most ? isl_pw_aff_union_max(r->most, most) : most;
}

/* True if all accesses stay below the extent, given that it is not negative. */
static bool holds_all(const sq_builder *b, const reach *r, isl_aff *extent)
{
    isl_pw_aff *e = isl_pw_aff_from_aff(isl_aff_copy(extent));
    isl_set *beyond = isl_pw_aff_ge_set(isl_pw_aff_copy(r->most), isl_pw_aff_copy(e));
    beyond = isl_set_intersect(beyond, isl_pw_aff_nonneg_set(e));
    beyond = isl_set_intersect(beyond, isl_set_copy(b->k->context));
    bool holds = isl_set_is_empty(beyond) == isl_bool_true;
    isl_set_free(beyond);
    return holds;
}

/* Takes an extent over the parameters; it joins the context that it is not negative. */
static void not_negative(sq_builder *b, isl_aff *extent)
{
    isl_set *set = isl_pw_aff_nonneg_set(isl_pw_aff_from_aff(extent));
    b->k->context = isl_set_intersect(b->k->context, set);
}

/* One case that is as large as all others, or their sum. */
static isl_aff *extent_of(sq_builder *b, reach *r, isl_aff *zero /* __isl_take */)
{
    for (int i = 0; i < r->ncases; i++)
        if (holds_all(b, r, r->extent[i])) {
            isl_aff_free(zero);
            not_negative(b, isl_aff_copy(r->extent[i]));
            return isl_aff_copy(r->extent[i]);
        }
    for (int i = 0; i < r->ncases; i++) {
        not_negative(b, isl_aff_copy(r->extent[i]));
        zero = isl_aff_add(zero, isl_aff_copy(r->extent[i]));
    }
    return zero;
}

static void close_extent(sq_builder *b, sq_symbol *s)
{
    reach r = {.array = s->array, .most = isl_pw_aff_copy(s->most)};
    for_accesses(b, add_reach, &r);
    r.most = isl_pw_aff_coalesce(r.most);
    if (r.most)
        isl_pw_aff_foreach_piece(r.most, add_case, &r);
    s->array->extent[0] = extent_of(b, &r, s->array->extent[0]);
    isl_pw_aff_free(r.most);
    for (int i = 0; i < r.ncases; i++)
        isl_aff_free(r.extent[i]);
}

/* ---- sizes that keep accesses in bounds ---------------------------------------------------- */

/* How the sizes are narrowed down, access after access. */
typedef struct narrowing {
    bool constants_count; /* true if constant extents bound sizes, as extents made of sizes do */
    bool *skipped;        /* of each access in turn */
    int n;
} narrowing;

/* What leaves the array. A constant extent is another matter than one made of sizes: `double a[100]`
 * is for sizes up to 100. __isl_give */
static isl_map *beyond(const sq_kernel *k, const sq_array *a, isl_map *rel /* __isl_keep */,
                       bool constants_count)
{
    isl_set *bounds = sq_array_bounds(k, a);
    for (int d = 0; d < a->ndim && !constants_count; d++)
        if (sq_array_extent(a, d) >= 0)
            bounds = isl_set_drop_constraints_involving_dims(bounds, isl_dim_set, (unsigned)d, 1);
    return isl_map_subtract_range(isl_map_copy(rel), bounds);
}

/* An access that stays inside of rows for no sizes, or for none but small ones, is left to the check
 * of every kernel. */
static void keep_inside(sq_builder *b, const use *u, void *user)
{
    narrowing *w = user;
    sq_kernel *k = b->k;
    bool *skipped = &w->skipped[w->n++];
    if (*skipped)
        return;
    isl_map *rel = sq_touch_rel(k, u->s, u->a, u->update);
    isl_map *out = beyond(k, u->a->array, rel, w->constants_count);
    isl_set *before = isl_map_params(isl_map_intersect_params(rel, isl_set_copy(k->context)));
    isl_set *out_at = isl_map_params(out);
    if (isl_set_is_empty(out_at) == isl_bool_false) {
        isl_set *left = isl_set_subtract(isl_set_copy(before), isl_set_copy(out_at));
        *skipped = isl_set_is_empty(left) != isl_bool_false ||
                   (!w->constants_count && sq_scop_cut_off(before, left));
        isl_set_free(left);
        if (!*skipped)
            k->context = isl_set_coalesce(isl_set_subtract(k->context, isl_set_copy(out_at)));
    }
    isl_set_free(out_at);
    isl_set_free(before);
}

static bool any_constant_extent(const sq_kernel *k)
{
    for (int i = 0; i < k->narrays; i++)
        for (int d = 0; d < k->array[i]->ndim; d++)
            if (sq_array_extent(k->array[i], d) >= 0)
                return true;
    return false;
}

/* Narrows the context down to sizes that keep accesses inside their arrays. Returns what would be
 * left if no extent were constant, which is found first: what one array's constant extent leaves of
 * the sizes says nothing of those that another array's rows leave. __isl_give */
static isl_set *keep_all_inside(sq_builder *b)
{
    int n = 0;
    for_accesses(b, count_access, &n);
    narrowing w = {.skipped = SQ_NEW_ARRAY(b->r.arena, bool, n + 1)};
    isl_set *all = isl_set_copy(b->k->context);
    for_accesses(b, keep_inside, &w);
    isl_set *growing = isl_set_copy(b->k->context);
    if (any_constant_extent(b->k)) {
        isl_set_free(b->k->context);
        b->k->context = isl_set_copy(all);
        w = (narrowing){.constants_count = true, .skipped = w.skipped};
        for_accesses(b, keep_inside, &w);
    }
    isl_set_free(all);
    return growing;
}

/* ---- one case ------------------------------------------------------------------------------ */

/* user: a set of sizes. Keeps those at which the access is made, if there are any. */
static void keep_busy(sq_builder *b, const use *u, void *user)
{
    isl_set **sizes = user;
    isl_set *made = isl_map_params(sq_touch_rel(b->k, u->s, u->a, u->update));
    made = isl_set_intersect(made, isl_set_copy(*sizes));
    if (isl_set_is_empty(made) != isl_bool_false) {
        isl_set_free(made);
        return;
    }
    isl_set_free(*sizes);
    *sizes = isl_set_coalesce(made);
}

/* The first part that has a point with all sizes at least `least` at which work is done. */
typedef struct search {
    int least;
    isl_set *busy, *found;
} search;

static isl_stat try_part(isl_basic_set *part /* __isl_take */, void *user)
{
    search *s = user;
    isl_set *set = isl_set_from_basic_set(part);
    isl_set *large = isl_set_intersect(isl_set_copy(set), isl_set_copy(s->busy));
    for (unsigned i = 0; i < (unsigned)isl_set_dim(set, isl_dim_param); i++)
        large = isl_set_lower_bound_si(large, isl_dim_param, i, s->least);
    if (!s->found && isl_set_is_empty(large) == isl_bool_false)
        s->found = isl_set_copy(set);
    isl_set_free(large);
    isl_set_free(set);
    return isl_stat_ok;
}

/* The tuned code would have to distinguish several cases everywhere. So it is for the one that
 * large sizes fall into, and the text as written is for the others, as where n <= 0. */
static isl_set *one_case(sq_builder *b, isl_set *sizes /* __isl_take */)
{
    static const int least[] = {64, 8, 2, 1};
    sizes = isl_set_coalesce(sizes);
    if (isl_set_n_basic_set(sizes) <= 1)
        return sizes;
    search s = {.busy = isl_set_copy(sizes)};
    for_accesses(b, keep_busy, &s.busy);
    for (int i = 0; i < 4 && !s.found; i++) {
        s.least = least[i];
        isl_set_foreach_basic_set(sizes, try_part, &s);
    }
    isl_set_free(s.busy);
    if (!s.found)
        return sizes;
    isl_set_free(sizes);
    return s.found;
}

static int refuse_cases(sq_builder *b, const char *size)
{
    const sq_symbol *flat = b->symbols;
    while (flat && !flat->flat)
        flat = flat->next;
    sq_error(b->r.d, SQ_FAULT_INPUT, b->scop->loc,
             "the accesses of this region stay inside their arrays and rows for no sizes that "
             "grow: '%s' has to stay small for one of them",
             size);
    if (flat)
        sq_help(b->r.d, SQ_NOWHERE,
                "by its subscripts in this region '%s' has %d dimensions, and each has to stay "
                "inside of its own, as j < n in %s[i*n + j]",
                flat->array->name, flat->array->ndim, flat->array->name);
    else
        sq_help(b->r.d, SQ_NOWHERE,
                "narrow the bounds of its loops, or declare the arrays as large as they reach");
    return -1;
}

/* True if a statement has an instance at some of the sizes. */
static bool any_work(const sq_kernel *k, isl_set *sizes /* __isl_take */)
{
    bool any = false;
    for (int i = 0; i < k->nstmts && !any; i++) {
        isl_set *at = isl_set_params(isl_set_copy(k->stmt[i]->domain));
        at = isl_set_intersect(at, isl_set_copy(sizes));
        any = isl_set_is_empty(at) != isl_bool_true;
        isl_set_free(at);
    }
    isl_set_free(sizes);
    return any;
}

/* The first access whose subscript is a value and which is made at some sizes, but at none of those that are left: the
 * others were left out because the value may lie outside. */
static void find_idle_value(sq_builder *b, const use *u, void *user)
{
    const sq_access **found = user;
    if (*found || !u->a->indirect)
        return;
    isl_set *made = isl_set_params(isl_set_copy(u->update ? u->s->updates : u->s->domain));
    bool is_made = isl_set_is_empty(made) == isl_bool_false;
    made = isl_set_intersect(made, isl_set_copy(b->k->context));
    if (is_made && isl_set_is_empty(made) == isl_bool_true)
        *found = u->a;
    isl_set_free(made);
}

static int refuse_value(sq_builder *b, const sq_access *a)
{
    const char *type = sq_type_ctype(a->array->type), *name = a->array->name;
    sq_error(
        b->r.d, SQ_FAULT_INPUT, a->loc,
        "a subscript of '%s' is a value, and stays inside of it at no sizes at which it is read",
        name);
    sq_help(b->r.d, SQ_NOWHERE,
            "limit it, as in x < 0 ? 0 : x > n - 1 ? n - 1 : x, or by its type, as a uint8_t is; "
            "one inside of a row "
            "is a subscript of its own: before the region const %s (*rows)[m] = (const %s "
            "(*)[m])%s, and rows[i][x] "
            "for %s[i*m + x]",
            type, type, name, name);
    return -1;
}

/* Optimized code that nothing but calls without work would take is none. */
static int refuse_idle(sq_builder *b)
{
    const sq_access *a = NULL;
    for_accesses(b, find_idle_value, &a);
    if (a)
        return refuse_value(b, a);
    isl_set *all = isl_set_universe(isl_set_get_space(b->k->context));
    bool idle = !any_work(b->k, isl_set_copy(b->k->context)) && any_work(b->k, isl_set_copy(all));
    isl_set_free(all);
    return !idle ? 0
                 : sq_error(b->r.d, SQ_FAULT_INPUT, b->scop->loc,
                            "the accesses of this region stay inside their arrays at no sizes at "
                            "which it does "
                            "anything");
}

int sq_scop_bounds(sq_builder *b)
{
    for (sq_symbol *s = b->symbols; s; s = s->next)
        if (s->kind == SQ_SYM_ARRAY && s->open)
            close_extent(b, s);
    isl_set *growing = keep_all_inside(b);
    b->k->context = one_case(b, b->k->context);
    isl_set *left = one_case(b, isl_set_copy(growing));
    const char *size = sq_scop_cut_off(growing, left);
    isl_set_free(growing);
    int rc = size ? refuse_cases(b, size) : refuse_idle(b);
    isl_set_free(left);
    b->k->shapes = isl_set_free(b->k->shapes); /* the text as written is there for the rest */
    return rc;
}
