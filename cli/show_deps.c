/* squall show deps: which arrays may be the same memory; which access makes which statement wait,
 * of what kind it is (flow: written, then read; anti: read, then overwritten; output: written
 * twice; sum: added up before it is used), the smallest example, and all pairs of instances. */
#include "ir/dependence/deps.h"
#include "ir/dependence/deps_list.h"
#include "cli/show.h"
#include "frontend/scop.h"
#include <isl/map.h>
#include <stdlib.h>

static const char *instance_name(const sq_kernel *k, const sq_stmt *s, bool update)
{
    return update ? sq_stmt_update_name(k, s) : s->name;
}

static const char *act(sq_dep_kind kind, bool first)
{
    bool writes = kind == SQ_DEP_OUTPUT || (kind == SQ_DEP_FLOW) == first;
    return writes ? "writes" : "reads";
}

static void put_dep(const sq_kernel *k, const sq_dep *d, const char *map, sq_text *to)
{
    if (d->array)
        sq_text_line(to, "%-6s %s, line %d, %s '%s'%s%s%s, which %s, line %d, %s",
                     sq_dep_kind_name(d->kind), d->from->name, d->from->loc.line,
                     act(d->kind, true), d->array->name, d->other ? ", which may overlap '" : "",
                     d->other ? d->other->name : "", d->other ? "'" : "", d->to->name,
                     d->to->loc.line, act(d->kind, false));
    else
        sq_text_line(to, "%-6s %s, line %d, is added up before it is used",
                     sq_dep_kind_name(d->kind), d->to->name, d->to->loc.line);
    sq_text_line(to, "       for example %s", sq_deps_example(k, d->map));
    sq_text_line(to, "       %s", map);
}

static json_t *dep_json(const sq_kernel *k, const sq_dep *d, const char *map)
{
    json_t *o =
        json_pack("{s:s, s:s, s:s, s:i, s:i, s:s, s:s}", "kind", sq_dep_kind_name(d->kind), "from",
                  instance_name(k, d->from, d->from_update), "to",
                  instance_name(k, d->to, d->to_update), "from_line", d->from->loc.line, "to_line",
                  d->to->loc.line, "example", sq_deps_example(k, d->map), "instances", map);
    if (d->array)
        json_object_set_new(o, "array", json_string(d->array->name));
    if (d->other)
        json_object_set_new(o, "other", json_string(d->other->name));
    return o;
}

static void put_pair(const char *a, const char *b, bool tested, sq_text *to, json_t *pairs)
{
    if (tested)
        sq_text_line(to, "disjoint  '%s' and '%s': tested before the call", a, b);
    else
        sq_text_line(to, "alias  '%s' and '%s' may overlap", a, b);
    json_array_append_new(pairs, json_pack("{s:[s, s], s:b}", "arrays", a, b, "tested", tested));
}

static bool is_written(const sq_kernel *k, const sq_array *a)
{
    for (int i = 0; i < k->nstmts; i++)
        if (k->stmt[i]->write->array == a)
            return true;
    return false;
}

/* Arrays of which nothing says that they are different memory, and one is written: what order they
 * need is among the dependences; or, of C, it is tested, and where they overlap the text as written
 * runs. */
static json_t *put_pairs(const sq_kernel *k, const sq_region *region, sq_text *to)
{
    json_t *pairs = json_array();
    for (int i = 0; i < k->narrays; i++)
        for (int j = i + 1; j < k->narrays; j++) {
            const sq_array *a = k->array[i], *b = k->array[j];
            if (sq_arrays_overlap(a, b) && (is_written(k, a) || is_written(k, b)))
                put_pair(a->name, b->name, false, to, pairs);
        }
    for (int i = 0; region && i < region->ndisjoint; i++)
        put_pair(region->arg[region->disjoint[i][0]].name, region->arg[region->disjoint[i][1]].name, true,
                 to, pairs);
    return pairs;
}

static int show_kernel(sq_task *task, int number, sq_text *to, json_t *kernels)
{
    sq_kernel *k = task->unit->kernel[number];
    const sq_region *region = task->unit->region ? task->unit->region[number] : NULL;
    sq_dep_list list;
    json_t *deps = json_array();
    if (!sq_deps_list(k, task->arena, &list)) {
        json_decref(deps);
        return sq_error(task->d, SQ_FAULT_INPUT, k->loc,
                        "the dependences of '%s' take too long to compute one by one", k->name);
    }
    sq_text_line(to, "%s", k->name);
    to->indent = 1;
    json_t *pairs = put_pairs(k, region, to);
    for (int i = 0; i < list.n; i++) {
        char *map = isl_map_to_str(list.dep[i].map);
        put_dep(k, &list.dep[i], map ? map : "", to);
        json_array_append_new(deps, dep_json(k, &list.dep[i], map ? map : ""));
        free(map);
    }
    to->indent = 0;
    sq_deps_list_free(&list);
    json_array_append_new(kernels, json_pack("{s:s, s:o, s:o}", "kernel", k->name, "overlaps",
                                             pairs, "dependences", deps));
    return 0;
}

int sq_show_deps(sq_task *task, sq_text *to, json_t *json)
{
    if (sq_task_run_named(task, "deps") != 0)
        return -1;
    json_t *kernels = json_array();
    int rc = 0;
    for (int i = 0; i < task->unit->nkernels && rc == 0; i++)
        rc = show_kernel(task, i, to, kernels);
    if (json)
        json_object_set(json, "kernels", kernels);
    json_decref(kernels);
    return rc;
}
