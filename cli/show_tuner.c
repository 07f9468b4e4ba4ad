/* squall show searches|space: what the tuner may choose from. Topics of cli/show.c. */
#include "cli/at.h"
#include "cli/choose.h"
#include "cli/show.h"
#include "tuner/space/choices.h"
#include "tuner/space/coordinates.h"
#include <string.h>

int sq_show_searches(sq_task *task, sq_text *to, json_t *json)
{
    (void)task;
    json_t *list = json_array();
    for (const sq_search *const *s = sq_searches; *s; s++) {
        const char *lacks = (*s)->lacks ? (*s)->lacks() : NULL;
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s?}", "name", (*s)->name, "doc", (*s)->doc, "lacks", lacks));
        sq_text_line(to, "%-10s %s%s%s%s", (*s)->name, (*s)->doc, s == sq_searches ? " (default)" : "",
                     lacks ? "; needs " : "", lacks ? lacks : "");
    }
    if (json)
        json_object_set(json, "searches", list);
    json_decref(list);
    return 0;
}

/* The sizes to look at, in the order of k->size: fixed ones, else those of the first --at that is for the kernel, else
 * `#pragma squall tune`. NULL after adding an error. */
static int64_t *sizes_of(sq_task *task, const sq_kernel *k)
{
    const sq_sizes none = {0};
    const int64_t *rest = k->ntune ? k->tune[0] : NULL;
    int64_t *sizes = SQ_NEW_ARRAY(task->arena, int64_t, k->nsizes + 1);
    for (int i = 0; i < task->o->at.n; i++) {
        sq_sizes at = {0};
        sq_loc loc = sq_settings_loc(task->o, "at");
        if (sq_sizes_parse(task->o->at.item[i], &at, task->arena, loc, task->d) != 0)
            return NULL;
        if (sq_at_is_passed_over(task, k, i))
            continue;
        sq_at_use use = sq_at_row(task->unit, k, &at, rest, sizes);
        if (use == SQ_AT_WHOLE)
            return sizes;
        if (use == SQ_AT_LACKS) {
            sq_at_unknown(task, k, &at);
            return NULL;
        }
    }
    if (sq_choose_row(k, &none, rest, sizes))
        return sizes;
    sq_at_unknown(task, k, &none);
    return NULL;
}

static json_t *coordinate(const sq_space *s, int c, int width, bool on_grid, sq_text *to)
{
    const sq_coord *x = &s->coord[c];
    const char *doc = sq_coordinate_doc(x->name, on_grid);
    json_t *values = json_array();
    sq_text_printf(to, "  %-*s", width, x->name);
    for (int v = 0; v < x->nvalues; v++) {
        json_array_append_new(values, json_integer(x->value[v]));
        sq_text_printf(to, v == s->start[c] ? " [%ld]" : " %ld", x->value[v]);
    }
    sq_text_printf(to, "\n  %*s %s\n", width, "", doc);
    return json_pack("{s:s, s:s, s:o, s:I, s:b}", "name", x->name, "doc", doc, "values", values, "start",
                     (json_int_t)x->value[s->start[c]], "structural", (int)x->structural);
}

static json_t *coordinates(const sq_space *s, bool on_grid, sq_text *to)
{
    json_t *list = json_array();
    int width = 14;
    for (int c = 0; c < s->n; c++)
        width = (int)strlen(s->coord[c].name) > width ? (int)strlen(s->coord[c].name) : width;
    for (int c = 0; c < s->n; c++)
        json_array_append_new(list, coordinate(s, c, width, on_grid, to));
    return list;
}

/* What the values of coordinate `form` stand for, where there is a choice. */
static json_t *forms(const sq_choices *c, sq_text *to)
{
    json_t *list = json_array();
    for (int f = 0; f < sq_choices_forms(c); f++) {
        const char *calls = sq_choices_form(c, f);
        json_array_append_new(list, json_string(calls));
        if (sq_choices_forms(c) > 1)
            sq_text_line(to, "  form %d: %s", f, *calls ? calls : "statements as written");
    }
    return list;
}

static json_t *space_of(sq_task *task, int i, const int64_t *sizes, sq_text *to)
{
    const sq_kernel *k = task->unit->kernel[i];
    int threads = task->openmp ? (task->machine->cores > 1 ? task->machine->cores : 4) : 1;
    sq_choices *c = sq_choices_new(k, task->machine, task->target, sizes, threads, task->arena);
    if (sq_choices_groups(c) > 0)
        sq_choices_begin(c);
    const sq_space *s = sq_choices_space(c);
    sq_text_line(to, "%s: %d coordinates, %.3g points; [first choice]", k->name, s->n,
                 sq_space_size(s));
    json_t *made = forms(c, to), *list = coordinates(s, task->target->grid != NULL, to);
    return json_pack("{s:s, s:f, s:o, s:o}", "kernel", k->name, "points", sq_space_size(s), "forms",
                     made, "coordinates", list);
}

int sq_show_space(sq_task *task, sq_text *to, json_t *json)
{
    if (sq_task_run_named(task, "deps") != 0)
        return -1;
    json_t *list = json_array();
    int bad = 0;
    for (int i = 0; i < task->unit->nkernels && !bad; i++) {
        const int64_t *sizes = sizes_of(task, task->unit->kernel[i]);
        bad = sizes == NULL;
        if (sizes)
            json_array_append_new(list, space_of(task, i, sizes, to));
    }
    if (json)
        json_object_set(json, "kernels", list);
    json_decref(list);
    return bad ? -1 : 0;
}
