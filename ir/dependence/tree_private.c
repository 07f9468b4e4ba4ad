/* Tree, private: dependences of a group through temporaries whose values it alone uses, small enough for a
 * private copy per thread or row, and always written before they are read. Such a temporary passes values
 * from the last write to the reads after it; all other orderings through its memory would disappear
 * with copies and are marked as reuse. Sums kept in one (`s += …`) belong together if they start
 * from the same write. */
#include "ir/kernel/touch.h"
#include "ir/dependence/flow.h"
#include "ir/dependence/tree_inside.h"
#include <isl/flow.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <string.h>

enum { MOST_ELEMENTS = 512 };

typedef struct use {
    isl_map *read, *write; /* { S[free dims] -> element }, NULL: none */
} use;

static bool is_small(const sq_array *a)
{
    int64_t n = 1;
    for (int d = 0; d < a->ndim; d++) {
        int64_t e = sq_array_extent(a, d);
        if (e < 0 || e > MOST_ELEMENTS)
            return false;
        n *= e;
    }
    return n <= MOST_ELEMENTS;
}

static bool is_here(const sq_tree_finder *f, const sq_stmt *s)
{
    bool here = false;
    for (int i = 0; i < f->g->nstmts && !here; i++)
        here = f->g->stmt[i] == s;
    return here;
}

/* True if `reader` reads what `writer` wrote, or that is not known. */
static bool gets(const sq_tree_finder *f, const sq_stmt *writer, const sq_stmt *reader, const sq_array *a)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS], found = false;
    int n = sq_stmt_all_reads(reader, read, in_body);
    for (int i = 0; i < n && !found; i++) {
        if (read[i]->array != a)
            continue;
        isl_map *from = sq_flow_from(f->k, writer, reader, read[i], in_body[i]);
        found = !from || isl_map_is_empty(from) != isl_bool_true;
        isl_map_free(from);
    }
    return found;
}

/* True if no value leaves or enters the group through the array: other loops may use its memory for values of their
 * own. */
static bool only_here(const sq_tree_finder *f, const sq_array *a)
{
    const sq_kernel *k = f->k;
    bool any = false;
    for (int i = 0; i < k->nstmts; i++)
        any |= is_here(f, k->stmt[i]) && sq_stmt_touches(k->stmt[i], a);
    for (int i = 0; i < k->nstmts; i++)
        for (int j = 0; j < k->nstmts; j++) {
            const sq_stmt *writer = k->stmt[i], *reader = k->stmt[j];
            if (writer->write->array == a && is_here(f, writer) != is_here(f, reader) && gets(f, writer, reader, a))
                return false;
        }
    return any;
}

/* ---- accesses to an array ---- */

static isl_map *join(isl_map *a, isl_map *b)
{
    return a && b ? isl_map_union(a, b) : a ? a : b;
}

static use use_of(const sq_tree_finder *f, const sq_stmt *s, const sq_array *a)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, in_body);
    use u = {0};
    for (int i = 0; i < n; i++) {
        if (read[i]->array != a)
            continue;
        isl_map *m = sq_touch_rel(f->k, s, read[i], in_body[i]);
        u.read = join(u.read, in_body[i] ? isl_map_apply_domain(m, sq_stmt_drop(s)) : m);
    }
    if (s->write->array == a)
        u.write = sq_touch_rel(f->k, s, s->write, false);
    return u;
}

static use *uses_of(const sq_tree_finder *f, const sq_array *a)
{
    use *u = SQ_NEW_ARRAY(f->arena, use, f->g->nstmts);
    for (int i = 0; i < f->g->nstmts; i++)
        u[i] = use_of(f, f->g->stmt[i], a);
    return u;
}

static void free_uses(const sq_tree_finder *f, use *u)
{
    for (int i = 0; i < f->g->nstmts; i++) {
        isl_map_free(u[i].read);
        isl_map_free(u[i].write);
    }
}

static isl_map *meet(isl_map *a, isl_map *b)
{
    return a && b ? isl_map_apply_range(isl_map_copy(a), isl_map_reverse(isl_map_copy(b))) : NULL;
}

/* Returns { i's instance -> j's : one element, one of them writes it, i's first in the text };
 * NULL: none */
static isl_map *conflicts(const sq_tree_finder *f, const use *u, int i, int j)
{
    isl_map *m = join(join(meet(u[i].write, u[j].read), meet(u[i].read, u[j].write)),
                      meet(u[i].write, u[j].write));
    if (!m)
        return NULL;
    isl_map *before = isl_map_lex_lt_map(isl_map_copy(f->g->stmt[i]->textual),
                                         isl_map_copy(f->g->stmt[j]->textual));
    return isl_map_intersect(m, before);
}

/* ---- values ---- */

static isl_union_map *add_to(isl_union_map *u, isl_map *m)
{
    return m ? isl_union_map_add_map(u, isl_map_copy(m)) : u;
}

/* Returns { read -> the write whose value it gets }, with all writes or only those that are not
 * sums; NULL if a read may get none. */
static isl_union_map *sources(const sq_tree_finder *f, const use *u, bool with_sums)
{
    isl_union_map *read = isl_union_map_empty(isl_set_get_space(f->k->context));
    isl_union_map *write = isl_union_map_copy(read), *time = isl_union_map_copy(read);
    for (int i = 0; i < f->g->nstmts; i++) {
        const sq_stmt *s = f->g->stmt[i];
        read = add_to(read, u[i].read);
        if (with_sums || !sq_stmt_sum(s))
            write = add_to(write, u[i].write);
        isl_map *t =
            isl_map_intersect_domain(isl_map_copy(s->textual), sq_stmt_instances(f->k, s, false));
        time = isl_union_map_add_map(time, t);
    }
    isl_union_access_info *info = isl_union_access_info_from_sink(read);
    info = isl_union_access_info_set_must_source(info, write);
    info = isl_union_access_info_set_schedule_map(info, time);
    isl_union_flow *flow = isl_union_access_info_compute_flow(info);
    isl_union_map *lost = isl_union_flow_get_must_no_source(flow);
    isl_union_map *from = isl_union_flow_get_must_dependence(flow);
    isl_union_flow_free(flow);
    isl_bool whole = isl_union_map_is_empty(lost);
    isl_union_map_free(lost);
    return whole == isl_bool_true ? from : isl_union_map_free(from);
}

static isl_map *extract(const sq_tree_finder *f, isl_union_map *u, int i, int j)
{
    isl_space *a = isl_set_get_space(f->g->stmt[i]->domain);
    isl_space *b = isl_set_get_space(f->g->stmt[j]->domain);
    a = isl_space_align_params(a, isl_space_copy(b));
    b = isl_space_align_params(b, isl_space_copy(a));
    isl_space *s = isl_space_map_from_domain_and_range(a, b);
    s = isl_space_align_params(s, isl_union_map_get_space(u));
    return isl_union_map_extract_map(u, s);
}

/* A temporary that may be private: the flow of its values, and which sums belong together. */
typedef struct private
{
    const sq_array *array;
    use *use;
    isl_union_map *value;    /* { write -> read } */
    isl_union_map *together; /* { p -> q : they read values that started from one write } */
}
private;

static bool open_private(const sq_tree_finder *f, const sq_array *a, private *p)
{
    *p = (private){.array = a, .use = uses_of(f, a)};
    p->value = sources(f, p->use, true);
    isl_union_map *start = p->value ? sources(f, p->use, false) : NULL;
    if (!start) {
        isl_union_map_free(p->value);
        free_uses(f, p->use);
        return false;
    }
    isl_union_map *back = isl_union_map_reverse(isl_union_map_copy(start));
    p->together = isl_union_map_apply_range(back, start);
    return true;
}

static void close_private(const sq_tree_finder *f, private *p)
{
    isl_union_map_free(p->value);
    isl_union_map_free(p->together);
    free_uses(f, p->use);
}

/* ---- dependences of a pair ---- */

/* Adds a dependence through a private temporary; *settled collects what must be respected even with
 * copies. */
static void add_private(sq_tree_finder *f, const private *p, int i, int j, isl_map **settled,
                        isl_map *all)
{
    isl_map *value = isl_map_intersect(extract(f, p->value, i, j), isl_map_copy(all));
    isl_map *swap = i == j ? sq_stmts_exchangeable(f->k, f->g->stmt[i], f->g->stmt[i]) : NULL;
    sq_tree_dep d = {.from = i, .to = j, .array = p->array};
    if (swap && f->g->stmt[i]->write->array == p->array) {
        swap = isl_map_intersect(swap, extract(f, p->together, i, j));
        value = isl_map_subtract(value, isl_map_copy(swap));
        d.update = true;
        d.map = isl_map_intersect(isl_map_copy(all), swap);
        *settled = join(*settled, isl_map_copy(d.map));
        sq_tree_dep_add(f, d);
        d.update = false;
    } else {
        isl_map_free(swap);
    }
    *settled = join(*settled, isl_map_copy(value));
    d.map = value;
    sq_tree_dep_add(f, d);
}

/* Adds dependences through shared memory. */
static isl_map *add_shared(sq_tree_finder *f, use *const *shared, int n, int i, int j)
{
    isl_map *all = NULL;
    for (int a = 0; a < n; a++)
        all = join(all, conflicts(f, shared[a], i, j));
    if (!all)
        return NULL;
    isl_map *swap = i == j ? sq_stmts_exchangeable(f->k, f->g->stmt[i], f->g->stmt[i]) : NULL;
    sq_tree_dep d = {.from = i, .to = j, .map = isl_map_copy(all)};
    if (swap) {
        sq_tree_dep u = d;
        u.update = true;
        u.map = isl_map_intersect(isl_map_copy(all), isl_map_copy(swap));
        sq_tree_dep_add(f, u);
        d.map = isl_map_subtract(d.map, swap);
    }
    sq_tree_dep_add(f, d);
    return all;
}

static void add_pair(sq_tree_finder *f, const private *p, int np, use *const *shared, int n, int i,
                     int j)
{
    isl_map **all = SQ_NEW_ARRAY(f->arena, isl_map *, np);
    isl_map *settled = add_shared(f, shared, n, i, j);
    for (int a = 0; a < np; a++) {
        all[a] = conflicts(f, p[a].use, i, j);
        if (all[a])
            add_private(f, &p[a], i, j, &settled, all[a]);
    }
    for (int a = 0; a < np; a++) {
        if (!all[a])
            continue;
        sq_tree_dep d = {.from = i, .to = j, .array = p[a].array, .reuse = true};
        d.map = settled ? isl_map_subtract(all[a], isl_map_copy(settled)) : all[a];
        sq_tree_dep_add(f, d);
    }
    isl_map_free(settled);
}

static bool is_candidate(const sq_tree_finder *f, const sq_array *a)
{
    return a->role == SQ_LOCAL && is_small(a) && only_here(f, a);
}

static bool all_written(const sq_tree_finder *f)
{
    for (int i = 0; i < f->g->nstmts; i++)
        if (!f->g->stmt[i]->textual)
            return false;
    return true;
}

bool sq_tree_private_find(sq_tree_finder *f)
{
    const sq_kernel *k = f->k;
    private *p = SQ_NEW_ARRAY(f->arena, private, k->narrays + 1);
    use **shared = SQ_NEW_ARRAY(f->arena, use *, k->narrays + 1);
    int np = 0, n = 0;
    bool *taken = SQ_NEW_ARRAY(f->arena, bool, k->narrays + 1);
    /* Finding private temporaries array by array is invalid for two that overlap. */
    bool separable = all_written(f) && !sq_kernel_overlaps(k);
    for (int a = 0; a < k->narrays && separable; a++)
        if (is_candidate(f, k->array[a]) && open_private(f, k->array[a], &p[np]))
            np++, taken[a] = true;
    for (int a = 0; a < k->narrays && np > 0; a++)
        if (!taken[a])
            shared[n++] = uses_of(f, k->array[a]);
    for (int i = 0; i < f->g->nstmts && np > 0; i++)
        for (int j = 0; j < f->g->nstmts; j++)
            add_pair(f, p, np, shared, n, i, j);
    for (int a = 0; a < np; a++)
        close_private(f, &p[a]);
    for (int a = 0; a < n; a++)
        free_uses(f, shared[a]);
    return np > 0;
}
