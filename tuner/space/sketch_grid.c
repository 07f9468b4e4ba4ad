/* Sketch, grid: the choices for a target whose kernels run as a grid: the parameters of the units
 * that are legal for the kernel, starting at the model's choice for these sizes. */
#include "tuner/model/grid_features.h"
#include "tuner/space/sketch_inside.h"
#include <stdio.h>
#include <string.h>

static void add_unit(sq_sketch *s, int unit)
{
    const sq_grid_unit *u = &s->grid->unit[unit];
    const char *prefix = s->grid->n > 1 ? sq_arena_printf(s->arena, "%s.", u->name) : "";
    for (sq_grid_knob k = 0; k < SQ_KNOBS; k++) {
        long value[SQ_KNOB_VALUES];
        int n = sq_grid_knob_values(u, k, value);
        int c = sq_sketch_coordinate(s, prefix, sq_grid_knob_name(k), value, n, u->knob[k],
                                     k == SQ_KNOB_WAY);
        if (c < 0)
            continue;
        if (u->kind == SQ_GRID_TENSOR)
            s->space.coord[c].mark = SQ_COORD_MATRIX;
        s->unit_of[c] = unit;
        s->knob_of[c] = k;
    }
}

void sq_sketch_add_grid(sq_sketch *s, const int64_t *sizes)
{
    sq_schedule *trial = sq_schedule_copy(s->naive, s->arena);
    s->device = sq_grid_device(s->machine, s->target);
    s->grid = SQ_NEW(s->arena, sq_grid_plan);
    sq_grid_plan_make(trial, s->device, s->target, sizes, s->arena, s->grid);
    for (int i = 0; i < s->grid->n; i++)
        add_unit(s, i);
}

/* Returns a unit with the parameters of a point. */
static sq_grid_unit unit_at(const sq_sketch *s, int unit, const int *point)
{
    sq_grid_unit u = s->grid->unit[unit];
    for (int c = 0; c < s->space.n; c++)
        if (s->unit_of[c] == unit)
            u.knob[s->knob_of[c]] = s->space.coord[c].value[point[c]];
    return u;
}

void sq_sketch_grid_script(const sq_sketch *s, const int *point, sq_text *to)
{
    for (int i = 0; i < s->grid->n; i++) {
        sq_grid_unit u = unit_at(s, i, point);
        sq_grid_unit_script(&u, to);
        sq_text_puts(to, " ");
    }
}

double sq_sketch_grid_cost(const sq_sketch *s, const int *point, int coordinate)
{
    double seconds = 0;
    for (int i = 0; i < s->grid->n; i++) {
        if (coordinate >= 0 && s->unit_of[coordinate] != i)
            continue;
        sq_grid_unit u = unit_at(s, i, point);
        seconds += sq_grid_unit_cost(&u, s->device);
    }
    return seconds;
}

int sq_sketch_grid_features(const sq_sketch *s, const int *point, float (*row)[SQ_STATEMENT])
{
    int n = 0;
    for (int i = 0; i < s->grid->n && n < SQ_STATEMENTS; i++) {
        sq_grid_unit u = unit_at(s, i, point);
        int of_unit = sq_grid_features(&u, s->device, row + n, SQ_STATEMENTS - n);
        if (of_unit <= 0)
            return of_unit;
        n += of_unit;
    }
    return n;
}
