/* Explain, packed: how the schedule in hand stores the arrays that callers pass packed. */
#include "cli/explain.h"
#include "codegen/file/packed.h"

/* Returns the pack that makes the array's copies; NULL: it is stored as it is. */
static const sq_pack *pack_of(const sq_schedule *s, const sq_array *a, const sq_group **group)
{
    for (int i = 0; i < s->ngroups; i++)
        for (int p = 0; p < s->group[i]->npacks; p++)
            if (sq_array_described(s->group[i]->pack[p].array) == sq_array_described(a)) {
                *group = s->group[i];
                return &s->group[i]->pack[p];
            }
    return NULL;
}

/* "at k0 as j16" */
static const char *layout(const sq_group *g, const sq_pack *p, sq_arena *arena)
{
    sq_text t = {0};
    sq_text_printf(&t, "at %s", p->loop < 0 ? "top" : g->loop[p->loop].name);
    for (int i = 0; i < p->npanels; i++)
        sq_text_printf(&t, "%s%s%lld", i ? " " : " as ", g->dim[p->panel[i].dim], (long long)p->panel[i].block);
    return sq_text_take(&t, arena);
}

json_t *sq_explain_packed(sq_task *task, int i, sq_text *to)
{
    json_t *all = json_array();
    const sq_schedule *s = task->now[i]->schedule;
    const sq_kernel *k = task->unit->kernel[i];
    for (int p = 0; p < k->nparams; p++) {
        const sq_array *a = k->param[p].array;
        const sq_group *g = NULL;
        if (!a || !a->is_packed)
            continue;
        const sq_pack *pack = pack_of(s, a, &g);
        const char *how = pack ? layout(g, pack, task->arena) : "as it is",
                   *function = sq_packed_function(sq_task_function(task, i), a, task->arena);
        sq_text_line(to, "  %s is prepacked: %s %s it %s", a->name, function, pack ? "packs" : "copies", how);
        json_array_append_new(all, json_pack("{s:s, s:s, s:s}", "array", a->name, "function", function, "layout", how));
    }
    return all;
}
