/* Dependences listed one by one; see deps_list.h. */
#include "ir/dependence/deps_list.h"
#include "ir/kernel/quota.h"
#include "ir/kernel/touch.h"
#include <isl/set.h>
#include <string.h>

enum { MOST_OPERATIONS = 4000000 };

const char *sq_dep_kind_name(sq_dep_kind kind)
{
    static const char *const names[] = {"flow", "anti", "output", "sum"};
    return names[kind];
}

typedef struct listing {
    const sq_kernel *k;
    sq_arena *arena;
    sq_dep_list *list;
    int cap;
} listing;

static bool alike(const sq_dep *a, const sq_dep *b)
{
    return a->kind == b->kind && a->from == b->from && a->to == b->to && a->array == b->array &&
           a->from_update == b->from_update && a->to_update == b->to_update && a->other == b->other;
}

/* Joins a dependence to another of the same statements and array. */
static bool join(listing *l, const sq_dep *dep)
{
    for (int i = 0; i < l->list->n; i++)
        if (alike(&l->list->dep[i], dep)) {
            l->list->dep[i].map = isl_map_coalesce(isl_map_union(l->list->dep[i].map, dep->map));
            return true;
        }
    return false;
}

static void add(listing *l, sq_dep dep)
{
    isl_map *map = isl_map_coalesce(dep.map);
    if (isl_map_is_empty(map) != isl_bool_false) {
        isl_map_free(map);
        return;
    }
    dep.map = map;
    if (join(l, &dep))
        return;
    if (l->list->n == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 32;
        sq_dep *more = SQ_NEW_ARRAY(l->arena, sq_dep, l->cap);
        if (l->list->n)
            memcpy(more, l->list->dep, (size_t)l->list->n * sizeof *more);
        l->list->dep = more;
    }
    l->list->dep[l->list->n++] = dep;
}

static void add_sums(listing *l)
{
    for (int i = 0; i < l->k->nstmts; i++) {
        const sq_stmt *s = l->k->stmt[i];
        if (s->updates)
            add(l, (sq_dep){.kind = SQ_DEP_SUM,
                            .from = s,
                            .to = s,
                            .from_update = true,
                            .map = sq_stmt_finish(l->k, s)});
    }
}

static bool written(const sq_kernel *k, const sq_array *a)
{
    for (int i = 0; i < k->nstmts; i++)
        if (sq_arrays_overlap(k->stmt[i]->write->array, a))
            return true;
    return false;
}

static sq_touch touch(const sq_kernel *k, const sq_stmt *s, const sq_access *a, bool update,
                      bool write)
{
    return (sq_touch){.stmt = s,
                      .update = update,
                      .write = write,
                      .array = a->array,
                      .access = a,
                      .rel = sq_touch_rel(k, s, a, update)};
}

/* Collects all accesses to arrays that some statement writes, also through an overlapping array. */
static int touches(const listing *l, sq_touch **all)
{
    int n = 0, most = 0;
    for (int i = 0; i < l->k->nstmts; i++)
        most += sq_stmt_reads(l->k->stmt[i], NULL, NULL, 0) + 1;
    *all = SQ_NEW_ARRAY(l->arena, sq_touch, most);
    sq_access **read = SQ_NEW_ARRAY(l->arena, sq_access *, most);
    bool *in_body = SQ_NEW_ARRAY(l->arena, bool, most);
    for (int i = 0; i < l->k->nstmts; i++) {
        const sq_stmt *s = l->k->stmt[i];
        int reads = sq_stmt_reads(s, read, in_body, most);
        for (int r = 0; r < reads; r++)
            if (written(l->k, read[r]->array))
                (*all)[n++] = touch(l->k, s, read[r], in_body[r], false);
        (*all)[n++] = touch(l->k, s, s->write, false, true);
    }
    return n;
}

static void add_conflicts(listing *l, const sq_touch *t, int n)
{
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            if (!sq_arrays_overlap(t[a].array, t[b].array) || !(t[a].write || t[b].write))
                continue;
            sq_dep_kind kind = !t[a].write ? SQ_DEP_ANTI : t[b].write ? SQ_DEP_OUTPUT : SQ_DEP_FLOW;
            add(l, (sq_dep){.kind = kind,
                            .from = t[a].stmt,
                            .to = t[b].stmt,
                            .from_update = t[a].update,
                            .to_update = t[b].update,
                            .first = t[a].access,
                            .then = t[b].access,
                            .array = t[a].array,
                            .other = t[a].array != t[b].array ? t[b].array : NULL,
                            .map = sq_touch_pairs(l->k, &t[a], &t[b])});
        }
}

bool sq_deps_list(const sq_kernel *k, sq_arena *arena, sq_dep_list *list)
{
    const char *why = NULL;
    sq_touch *t;
    *list = (sq_dep_list){0};
    listing l = {.k = k, .arena = arena, .list = list};
    sq_quota q = sq_quota_begin(k->ctx, MOST_OPERATIONS);
    int n = touches(&l, &t);
    add_sums(&l);
    add_conflicts(&l, t, n);
    for (int i = 0; i < n; i++)
        isl_map_free(t[i].rel);
    if (sq_quota_end(q, &why) == 0)
        return true;
    sq_deps_list_free(list);
    return false;
}

void sq_deps_list_free(sq_dep_list *list)
{
    for (int i = 0; i < list->n; i++)
        isl_map_free(list->dep[i].map);
    list->n = 0;
}
