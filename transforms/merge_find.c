/* Merge, find: which dimensions are merged; see merge.h. Requests are undone until the rest is
 * consistent: a dimension needs its arrays merged, and an array all dimensions that statements have
 * there. */
#include "ir/dependence/deps.h"
#include "ir/kernel/piece.h"
#include "ir/kernel/touch.h"
#include "transforms/merge.h"
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdarg.h>

sq_merge *sq_merge_new(const sq_kernel *k)
{
    sq_merge *m = SQ_NEW(k->arena, sq_merge);
    *m = (sq_merge){.k = k,
                    .arena = k->arena,
                    .stmt = SQ_NEW_ARRAY(k->arena, sq_merge_stmt, k->nstmts + 1),
                    .array = SQ_NEW_ARRAY(k->arena, sq_merge_array, k->narrays + 1)};
    for (int i = 0; i < k->nstmts; i++) {
        m->stmt[i] = (sq_merge_stmt){.of = k->stmt[i]};
        for (int d = 0; d < SQ_MAX_DIMS; d++)
            m->stmt[i].next[d] = -1;
    }
    for (int i = 0; i < k->narrays; i++) {
        int n = k->array[i]->ndim + 1;
        m->array[i] = (sq_merge_array){.of = k->array[i],
                                       .gone = SQ_NEW_ARRAY(k->arena, bool, n),
                                       .joined = SQ_NEW_ARRAY(k->arena, bool, n),
                                       .why = SQ_NEW_ARRAY(k->arena, const char *, n)};
    }
    return m;
}

static sq_merge_array *array_of(const sq_merge *m, const sq_array *a)
{
    for (int i = 0; i < m->k->narrays; i++)
        if (m->array[i].of == a)
            return &m->array[i];
    return NULL;
}

/* ---- subscripts ---- */

enum { ZERO = -1, OTHER = -2 };

static int64_t integer(isl_val *v /* __isl_take */)
{
    int64_t n = isl_val_is_int(v) == isl_bool_true ? isl_val_get_num_si(v) : INT64_MAX / 4;
    isl_val_free(v);
    return n;
}

/* Returns the dimension that a subscript equals; ZERO, or OTHER. */
static int subscript_of(const sq_merge_stmt *s, isl_aff *a /* __isl_keep */)
{
    int64_t rest = integer(isl_aff_get_constant_val(a));
    int only = ZERO;
    if (isl_aff_dim(a, isl_dim_div) > 0)
        return OTHER;
    for (int p = 0; p < (int)isl_aff_dim(a, isl_dim_param); p++)
        if (integer(isl_aff_get_coefficient_val(a, isl_dim_param, p)))
            return OTHER;
    for (int d = 0; d < (int)isl_aff_dim(a, isl_dim_in); d++) {
        int64_t c = integer(isl_aff_get_coefficient_val(a, isl_dim_in, d));
        if (c && s->gone[d])
            rest += c * s->value[d];
        else if (c)
            only = c == 1 && only == ZERO ? d : OTHER;
        if (only == OTHER)
            return OTHER;
    }
    return rest == 0 ? only : OTHER;
}

static int subscript(const sq_merge_stmt *s, const sq_access *a, int at)
{
    if (a->indirect >> at & 1)
        return OTHER;
    isl_aff *aff = isl_multi_aff_get_aff(a->map, at);
    int is = subscript_of(s, aff);
    isl_aff_free(aff);
    return is;
}

static bool involves(const sq_access *a, int at, int d)
{
    isl_aff *aff = isl_multi_aff_get_aff(a->map, at);
    bool yes = d < (int)isl_aff_dim(aff, isl_dim_in) &&
               isl_aff_involves_dims(aff, isl_dim_in, (unsigned)d, 1) == isl_bool_true;
    isl_aff_free(aff);
    return yes;
}

/* Returns the next dimension of the array behind `at` that remains; ndim: none. */
static int following(const sq_merge_array *a, int at)
{
    do
        at++;
    while (at < a->of->ndim && a->gone[at]);
    return at;
}

/* Lists the reads of a statement, followed by its write. */
static int accesses(const sq_stmt *s, sq_access **all)
{
    int n = sq_stmt_all_reads(s, all, NULL);
    all[n++] = s->write;
    return n;
}

/* ---- dimensions of one value ---- */

static bool is_counted(const sq_stmt *s, int d)
{
    return s->counted && s->counted[d];
}

bool sq_merge_single(const sq_merge *m, int stmt, int dim, int64_t *value, const char **why)
{
    const sq_stmt *s = m->k->stmt[stmt];
    int left = 0;
    for (int d = s->nfree; d < s->ndim; d++)
        left += !m->stmt[stmt].gone[d];
    isl_set *all = sq_stmt_instances(m->k, s, dim >= s->nfree); /* also where nothing is added */
    isl_val *v = isl_set_plain_get_val_if_fixed(all, isl_dim_set, (unsigned)dim);
    bool single = isl_val_is_int(v) == isl_bool_true;
    *value = single ? isl_val_get_num_si(v) : 0;
    isl_val_free(v);
    isl_set_free(all);
    *why = s->written_loops               ? "stands in C loops, which keep their dimensions"
           : !single                      ? "has other values, too"
           : dim >= s->nfree && left == 1 ? "is the only dimension of its reduction"
                                          : NULL;
    return !*why;
}

/* Removes extents of one element if all subscripts there are 0. */
static void drop_extents(sq_merge *m)
{
    for (int i = 0; i < m->k->narrays; i++) {
        sq_merge_array *a = &m->array[i];
        int left = a->of->ndim;
        for (int d = 0; d < a->of->ndim; d++) {
            a->gone[d] = left > 1 && sq_array_extent(a->of, d) == 1;
            left -= a->gone[d];
        }
    }
    for (int i = 0; i < m->k->nstmts; i++) {
        sq_access *all[SQ_MAX_STMT_READS + 1];
        int n = accesses(m->k->stmt[i], all);
        for (int r = 0; r < n; r++) {
            sq_merge_array *a = array_of(m, all[r]->array);
            for (int d = 0; d < a->of->ndim; d++)
                a->gone[d] = a->gone[d] && subscript(&m->stmt[i], all[r], d) == ZERO;
        }
    }
}

/* ---- merged dimensions ---- */

static const char *say(const sq_merge *m, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = sq_arena_vprintf(m->arena, format, args);
    va_end(args);
    return text;
}

static const char *at_place(const sq_merge *m, const sq_access *a)
{
    return a->loc.line > 0 ? say(m, " in line %d", a->loc.line) : "";
}

/* True if the dimension has the range [lo, end), whatever the values of the others are. */
static bool is_box(isl_set *all /* __isl_keep */, int d, isl_aff *lo, isl_aff *end)
{
    isl_set *rest = isl_set_eliminate(isl_set_copy(all), isl_dim_set, (unsigned)d, 1);
    isl_local_space *ls = isl_local_space_from_space(isl_set_get_space(all));
    isl_pw_aff *x = isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)d));
    isl_pw_aff *from = isl_pw_aff_from_aff(isl_aff_copy(lo)),
               *to = isl_pw_aff_from_aff(isl_aff_copy(end));
    from = isl_pw_aff_insert_domain(from, isl_set_get_space(all));
    to = isl_pw_aff_insert_domain(to, isl_set_get_space(all));
    rest = isl_set_intersect(rest, isl_pw_aff_ge_set(isl_pw_aff_copy(x), from));
    rest = isl_set_intersect(rest, isl_pw_aff_lt_set(x, to));
    bool box = isl_set_is_equal(rest, all) == isl_bool_true;
    isl_set_free(rest);
    return box;
}

/* Tests both kinds of instances of a free dimension. */
static bool is_box_of(const sq_merge *m, const sq_stmt *s, int d, isl_aff *lo, isl_aff *end)
{
    bool box = true;
    for (int update = d < s->nfree ? 0 : 1; update < (s->updates ? 2 : 1) && box; update++) {
        isl_set *all = sq_stmt_instances(m->k, s, update);
        box = is_box(all, d, lo, end);
        isl_set_free(all);
    }
    return box;
}

bool sq_merge_range(const sq_merge *m, const sq_stmt *s, int d, isl_aff **lo, isl_aff **end)
{
    isl_set *all = sq_stmt_instances(m->k, s, d >= s->nfree);
    *lo = *end = NULL;
    if (isl_set_involves_locals(all) != isl_bool_false) { /* remainders: no range, and expensive */
        isl_set_free(all);
        return false;
    }
    *lo = sq_only_piece(isl_pw_aff_coalesce(isl_set_dim_min(isl_set_copy(all), d)));
    *end = sq_only_piece(isl_pw_aff_coalesce(isl_set_dim_max(all, d)));
    *end = *end ? isl_aff_add_constant_si(*end, 1) : NULL;
    bool box = *lo && *end && is_box_of(m, s, d, *lo, *end);
    if (!box) {
        *lo = isl_aff_free(*lo);
        *end = isl_aff_free(*end);
    }
    return box;
}

static const char *ranges_of(const sq_merge *m, const sq_stmt *s, int p, int q, isl_aff *extent)
{
    isl_aff *lo, *end, *zero = isl_aff_sub(isl_aff_copy(extent), isl_aff_copy(extent));
    bool whole = is_box_of(m, s, q, zero, extent), box = sq_merge_range(m, s, p, &lo, &end);
    isl_aff_free(zero);
    isl_aff_free(lo);
    isl_aff_free(end);
    if (!whole)
        return say(m,
                   "'%s' of %s does not run over the whole extent of its arrays, for every value "
                   "of the others",
                   s->dim[q], s->name);
    return box ? NULL
               : say(m, "where '%s' of %s begins and ends is no single expression of the sizes",
                     s->dim[p], s->name);
}

/* Returns an objection unless p and q occur as subscripts only in adjacent dimensions, p directly
 * before q, of arrays that are merged there. */
static const char *access_against(const sq_merge *m, const sq_merge_stmt *s, const sq_access *a,
                                  int p, int q)
{
    const sq_merge_array *shape = array_of(m, a->array);
    if (a->where &&
        (isl_set_involves_dims(a->where, isl_dim_set, (unsigned)p, 1) != isl_bool_false ||
         isl_set_involves_dims(a->where, isl_dim_set, (unsigned)q, 1) != isl_bool_false))
        return say(m, "where %s reads %s%s depends on them", s->of->name, a->array->name,
                   at_place(m, a));
    for (int d = 0; d < a->array->ndim; d++) {
        if (!involves(a, d, p) && !involves(a, d, q))
            continue;
        int e = following(shape, d);
        if (subscript(s, a, d) != p || e >= a->array->ndim || subscript(s, a, e) != q)
            return say(m, "%s has %s%s with other subscripts than [%s][%s], side by side and alone",
                       s->of->name, a->array->name, at_place(m, a), s->of->dim[p], s->of->dim[q]);
        if (!shape->joined[d])
            return shape->why[d] ? shape->why[d] : say(m, "%s is not joined there", a->array->name);
        d = e;
    }
    return NULL;
}

/* Returns the extent of the array's dimension whose subscript is q; NULL: none. __isl_keep */
static isl_aff *extent_at(const sq_merge_stmt *s, int q)
{
    sq_access *all[SQ_MAX_STMT_READS + 1];
    int n = accesses(s->of, all);
    for (int r = 0; r < n; r++)
        for (int d = 0; d < all[r]->array->ndim; d++)
            if (subscript(s, all[r], d) == q)
                return all[r]->array->extent[d];
    return NULL;
}

static bool one_extent(const sq_merge_stmt *s, int q, isl_aff *extent)
{
    sq_access *all[SQ_MAX_STMT_READS + 1];
    int n = accesses(s->of, all);
    for (int r = 0; r < n; r++)
        for (int d = 0; d < all[r]->array->ndim; d++)
            if (subscript(s, all[r], d) == q &&
                isl_aff_plain_is_equal(all[r]->array->extent[d], extent) != isl_bool_true)
                return false;
    return true;
}

typedef struct index_search {
    int p, q;
    bool found;
} index_search;

static void find_index(sq_expr *e, void *user)
{
    index_search *x = user;
    int pair[] = {x->p, x->q};
    for (int i = 0; i < 2 && e->index; i++)
        x->found |=
            pair[i] < (int)isl_aff_dim(e->index, isl_dim_in) &&
            isl_aff_involves_dims(e->index, isl_dim_in, (unsigned)pair[i], 1) != isl_bool_false;
}

/* True if the C loops around a statement hold it alone, and its instances need no order: what distribute() makes. */
static bool is_free(const sq_merge *m, const sq_stmt *s)
{
    const sq_deps_pair *pair;
    int n = m->k->deps ? sq_deps_pairs(m->k, &pair) : 0;
    bool free = m->k->deps && !s->updates && !s->nindex;
    for (int i = 0; i < n && free; i++)
        free = pair[i].from != s || pair[i].to != s;
    for (int i = 0; i < m->k->nstmts && free; i++)
        free = m->k->stmt[i] == s || !sq_stmts_share_loop(m->k->stmt[i], s);
    return free;
}

/* Returns an objection from the statement itself, independent of arrays. */
static const char *form_against(const sq_merge *m, const sq_merge_stmt *s, int p, int q)
{
    const sq_stmt *of = s->of;
    index_search x = {.p = p, .q = q};
    int after = p + 1;
    while (after < of->ndim && s->gone[after])
        after++;
    if (of->written_loops && !is_free(m, of))
        return say(m, "%s stands in C loops with other statements, or needs their order: they keep their dimensions",
                   of->name);
    if ((p < of->nfree) != (q < of->nfree))
        return say(m, "%s reduces over one of them alone", of->name);
    if (of->ordered && p >= of->nfree && q != after)
        return say(m,
                   "fp strict keeps the order of the reduction of %s, in which '%s' does not "
                   "follow '%s'",
                   of->name, of->dim[q], of->dim[p]);
    sq_expr_walk(of->value, find_index, &x);
    if (of->body)
        sq_expr_walk(of->body, find_index, &x);
    if (x.found || is_counted(of, p) || is_counted(of, q))
        return say(m, "%s uses the value of '%s' or '%s'", of->name, of->dim[p], of->dim[q]);
    return NULL;
}

static const char *against(const sq_merge *m, const sq_merge_stmt *s, int p, int q)
{
    sq_access *all[SQ_MAX_STMT_READS + 1];
    int n = accesses(s->of, all);
    const char *why = form_against(m, s, p, q);
    isl_aff *extent = why ? NULL : extent_at(s, q);
    for (int d = 0; d < s->of->ndim && !why; d++)
        if (d != p && s->next[d] == q)
            why = say(m, "'%s' of %s follows two dimensions", s->of->dim[q], s->of->name);
    for (int r = 0; r < n && !why; r++)
        why = access_against(m, s, all[r], p, q);
    if (!why && !extent)
        why = say(m, "no array of %s has them side by side", s->of->name);
    if (!why && !one_extent(s, q, extent))
        why = say(m, "the arrays of %s have different extents where '%s' stands", s->of->name,
                  s->of->dim[q]);
    return why ? why : ranges_of(m, s->of, p, q, extent);
}

/* Returns an objection of one statement to merging an array at `at`. */
static const char *array_against(const sq_merge *m, const sq_merge_stmt *s, const sq_merge_array *a,
                                 int at)
{
    sq_access *all[SQ_MAX_STMT_READS + 1];
    int n = accesses(s->of, all), e = following(a, at);
    for (int r = 0; r < n; r++) {
        if (all[r]->array != a->of)
            continue;
        int p = subscript(s, all[r], at), q = subscript(s, all[r], e);
        if (p >= 0 && q >= 0 && s->next[p] == q)
            continue;
        if (p >= 0 && s->why[p])
            return s->why[p];
        return say(m,
                   "%s has %s%s with other subscripts there than two dimensions of its own, "
                   "alone, that can be merged",
                   s->of->name, a->of->name, at_place(m, all[r]));
    }
    return NULL;
}

static bool take_back_arrays(sq_merge *m)
{
    bool changed = false;
    for (int i = 0; i < m->k->narrays; i++)
        for (int d = 0; d < m->array[i].of->ndim; d++)
            for (int s = 0; s < m->k->nstmts && m->array[i].joined[d]; s++) {
                m->array[i].why[d] = array_against(m, &m->stmt[s], &m->array[i], d);
                m->array[i].joined[d] = !m->array[i].why[d];
                changed |= !m->array[i].joined[d];
            }
    return changed;
}

static bool take_back_dims(sq_merge *m)
{
    bool changed = false;
    for (int i = 0; i < m->k->nstmts; i++)
        for (int p = 0; p < m->stmt[i].of->ndim; p++) {
            sq_merge_stmt *s = &m->stmt[i];
            if (s->next[p] < 0)
                continue;
            s->why[p] = against(m, s, p, s->next[p]);
            s->next[p] = s->why[p] ? -1 : s->next[p];
            changed |= s->next[p] < 0;
        }
    return changed;
}

void sq_merge_ask(sq_merge *m, int stmt, int p, int q)
{
    m->stmt[stmt].next[p] = q;
}

/* Merges array dimensions where a statement's merged pairs are adjacent. True if that changes
 * anything. */
static bool join_arrays(sq_merge *m, sq_merge_stmt *s)
{
    bool changed = false;
    sq_access *all[SQ_MAX_STMT_READS + 1];
    int n = accesses(s->of, all);
    for (int r = 0; r < n; r++) {
        sq_merge_array *a = array_of(m, all[r]->array);
        for (int d = 0, e; d < a->of->ndim; d++) {
            e = following(a, d);
            int p = a->gone[d] || e >= a->of->ndim ? OTHER : subscript(s, all[r], d);
            if (a->joined[d] || p < 0 || s->next[p] < 0 || subscript(s, all[r], e) != s->next[p])
                continue;
            a->joined[d] = changed = true;
        }
    }
    return changed;
}

/* Merges dimensions of a statement that are adjacent in arrays merged there. True if that changes
 * anything. */
static bool join_dims(const sq_merge *m, sq_merge_stmt *s)
{
    bool changed = false;
    sq_access *all[SQ_MAX_STMT_READS + 1];
    int n = accesses(s->of, all);
    for (int r = 0; r < n; r++) {
        const sq_merge_array *a = array_of(m, all[r]->array);
        for (int d = 0; d < a->of->ndim; d++) {
            int p = a->joined[d] ? subscript(s, all[r], d) : OTHER;
            int q = p >= 0 ? subscript(s, all[r], following(a, d)) : OTHER;
            if (q < 0 || s->next[p] >= 0)
                continue;
            s->next[p] = q;
            changed = true;
        }
    }
    return changed;
}

void sq_merge_settle(sq_merge *m)
{
    drop_extents(m);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < m->k->nstmts; i++)
            changed |= (int)join_arrays(m, &m->stmt[i]) | (int)join_dims(m, &m->stmt[i]);
    }
    while ((int)take_back_dims(m) | (int)take_back_arrays(m)) /* both, whatever the first says */
        ;
}

/* Requests all dimensions that are adjacent in an array. */
static void ask_all(sq_merge *m, int stmt)
{
    sq_access *all[SQ_MAX_STMT_READS + 1];
    sq_merge_stmt *s = &m->stmt[stmt];
    int n = accesses(s->of, all);
    for (int r = 0; r < n; r++) {
        const sq_merge_array *a = array_of(m, all[r]->array);
        for (int d = 0; d < a->of->ndim; d++) {
            int e = following(a, d), p = e < a->of->ndim ? subscript(s, all[r], d) : OTHER;
            int q = p >= 0 ? subscript(s, all[r], e) : OTHER;
            if (q >= 0 && s->next[p] < 0)
                sq_merge_ask(m, stmt, p, q);
        }
    }
}

void sq_merge_all(sq_merge *m)
{
    const char *why;
    for (int i = 0; i < m->k->nstmts; i++)
        for (int d = m->k->stmt[i]->ndim - 1; d >= 0; d--)
            m->stmt[i].gone[d] = sq_merge_single(m, i, d, &m->stmt[i].value[d], &why);
    drop_extents(m);
    for (int i = 0; i < m->k->nstmts; i++)
        ask_all(m, i);
    sq_merge_settle(m);
}

