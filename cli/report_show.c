/* Reports, show: the schedule of every kernel with its code, and the space that tune searches. */
#include "cli/report_parts.h"
#include <string.h>

/* ---- show schedule ---- */

static int put_schedule(sq_task *task, int i, void *user)
{
    sq_html *h = user;
    sq_html_open(h, "Kernel %s%s", task->unit->kernel[i]->name, sq_variants_label(task, i));
    sq_report_code(h, task, task->now[i]->schedule, sq_origin_name(task->now[i]->origin));
    sq_html_close(h);
    return 0;
}

static void put_schedules(sq_html *h, sq_task *task)
{
    for (int i = 0; i < task->unit->nkernels; i++)
        sq_variants_each(task, i, put_schedule, h);
}

/* ---- show space ---- */

/* "1 2 [4] 8": the model's first choice in brackets. */
static void put_values(sq_html *h, const json_t *coordinate)
{
    json_int_t start = json_integer_value(json_object_get(coordinate, "start"));
    const json_t *value;
    size_t i;
    sq_text t = {0};
    json_array_foreach(json_object_get(coordinate, "values"), i, value)
    {
        json_int_t v = json_integer_value(value);
        sq_text_printf(&t, v == start ? "%s[%lld]" : "%s%lld", i ? " " : "", (long long)v);
    }
    sq_html_code_cell(h, sq_text_str(&t));
    sq_text_free(&t);
}

/* "43.7 million" */
static void put_points(sq_html *h, double points)
{
    static const struct {
        double unit;
        const char *name;
    } of[] = {{1e12, " trillion"}, {1e9, " billion"}, {1e6, " million"}, {1, ""}};
    size_t i = 0;
    while (points < of[i].unit && of[i].unit > 1)
        i++;
    if (of[i].unit > 1 && points < 1e15)
        sq_html_fact(h, "Points", points, "%.3g%s", points / of[i].unit, of[i].name);
    else
        sq_html_fact(h, "Points", points, points < 1e15 ? "%.0f" : "%.3g", points);
}

static void put_space(sq_html *h, const json_t *kernel)
{
    const json_t *x;
    size_t i;
    double points = json_number_value(json_object_get(kernel, "points"));
    const json_t *forms = json_object_get(kernel, "forms"),
                 *list = json_object_get(kernel, "coordinates");
    sq_html_open(h, "Kernel %s", sq_report_text(kernel, "kernel"));
    sq_html_facts_open(h);
    put_points(h, points);
    sq_html_fact(h, "Coordinates", (double)json_array_size(list), "%zu", json_array_size(list));
    sq_html_fact(h, "Forms", (double)json_array_size(forms), "%zu", json_array_size(forms));
    sq_html_facts_close(h);
    if (json_array_size(forms) > 1) {
        sq_html_table_open(h, "Forms of the statements: values of coordinate form", "form|calls");
        json_array_foreach(forms, i, x)
        {
            sq_html_row_open(h, false);
            sq_html_cell(h, "%zu", i);
            sq_html_code_cell(h, *json_string_value(x) ? json_string_value(x) : "as written");
            sq_html_row_close(h);
        }
        sq_html_table_close(h);
    }
    sq_html_table_open(h, "Coordinates; the model's first choice in brackets",
                       "coordinate|what it is|kind|>number|values");
    json_array_foreach(list, i, x)
    {
        size_t n = json_array_size(json_object_get(x, "values"));
        sq_html_row_open(h, false);
        sq_html_cell(h, "%s", sq_report_text(x, "name"));
        sq_html_cell(h, "%s", sq_report_text(x, "doc"));
        sq_html_cell(h, json_is_true(json_object_get(x, "structural")) ? "structure" : "size");
        sq_html_number(h, (double)n, "%zu", n);
        put_values(h, x);
        sq_html_row_close(h);
    }
    sq_html_table_close(h);
    sq_html_close(h);
}

int sq_report_show(sq_task *task, const char *topic, json_t *json)
{
    const json_t *kernel;
    size_t i;
    sq_html h = {0};
    if (strcmp(topic, "schedule") == 0) {
        h.title = sq_arena_printf(task->arena, "Schedules of %s", task->path);
        put_schedules(&h, task);
    } else {
        h.title = sq_arena_printf(task->arena, "What tune may choose from for %s", task->path);
        json_array_foreach(json_object_get(json, "kernels"), i, kernel) put_space(&h, kernel);
    }
    return sq_report_write(&h, task->o, task->d);
}
