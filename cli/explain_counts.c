/* Explain, counts: see explain_counts.h. */
#include "cli/explain_counts.h"
#include "codegen/counted.h"
#include "ir/machine/machine.h"
#include <math.h>
#include <string.h>

/* The cycles that a step takes at least, and what takes them. */
typedef struct bound {
    double arithmetic, loads; /* by the units that have them */
} bound;

static bound bound_of(const sq_code_count *c, const sq_machine *m)
{
    return (bound){(c->multiply_adds + c->operations) / m->fma_per_cycle,
                   c->loads / m->loads_per_cycle};
}

/* "1.5" or "322". */
static void put_figure(double n, sq_text *to)
{
    sq_text_printf(to, n == floor(n) ? "%.0f" : "%.1f", n);
}

/* "28 multiply-adds": nothing for none. */
static void put_number(double n, const char *one, const char *more, sq_text *to)
{
    if (!(n > 0))
        return;
    sq_text_puts(to, to->n ? ", " : "");
    put_figure(n, to);
    sq_text_printf(to, " %s", n == 1 ? one : more);
}

static void put_traffic(double n, double bytes, const char *one, const char *more, sq_text *to)
{
    put_number(n, one, more, to);
    if (!(n > 0))
        return;
    sq_text_puts(to, " (");
    put_figure(bytes, to);
    sq_text_puts(to, bytes == 1 ? " byte)" : " bytes)");
}

static void put_instructions(const sq_code_count *c, sq_text *to)
{
    put_number(c->multiply_adds, "multiply-add", "multiply-adds", to);
    put_number(c->operations, "operation", "operations", to);
    put_number(c->calls, "call of a function", "calls of functions", to);
    put_traffic(c->loads, c->bytes_loaded, "load", "loads", to);
    put_traffic(c->stores, c->bytes_stored, "store", "stores", to);
    put_number(c->shuffles, "shuffle", "shuffles", to);
}

/* The function's name in the emitted text: "gemm_tile_i6_j16". NULL: the kernel's own. */
static const char *function_of(const sq_counted_loop *x, const sq_task *task, int i)
{
    const char *helpers = sq_variants_helpers(task, i, sq_task_helpers(task, i));
    return x->part ? sq_arena_printf(task->arena, "%s%s", helpers, x->part + strlen("sq_")) : NULL;
}

static void put_loop(const sq_counted_loop *x, const char *function, const sq_target *t,
                     const sq_machine *m, sq_text *to)
{
    const bound b = bound_of(&x->count, m);
    sq_text what = {0};
    put_instructions(&x->count, &what);
    sq_text_printf(to, "  %s, %s%s%s%s", x->stmts, x->along ? "a step of " : "a tile",
                   x->along ? x->along : "", function ? " in " : "", function ? function : "");
    if (!function && x->lanes > 1)
        sq_text_printf(to, ", %d at a time", x->lanes);
    sq_text_printf(to, ": %s", sq_text_str(&what));
    if (x->count.registers)
        sq_text_printf(to, "; %d of %d registers", x->count.registers, t->registers);
    sq_text_line(to, "; cycles: %.3g of arithmetic, %.3g of loads", b.arithmetic, b.loads);
    sq_text_free(&what);
}

static json_t *json_of(const sq_counted_loop *x, const char *function, const sq_target *t,
                       const sq_machine *m)
{
    const sq_code_count *c = &x->count;
    const bound b = bound_of(c, m);
    json_t *counts =
        json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:i}", "multiply_adds",
                  c->multiply_adds, "operations", c->operations, "calls", c->calls, "loads",
                  c->loads, "bytes_loaded", c->bytes_loaded, "stores", c->stores, "bytes_stored",
                  c->bytes_stored, "shuffles", c->shuffles, "registers", c->registers);
    return json_pack("{s:s, s:s?, s:s?, s:i, s:o, s:i, s:f, s:f}", "statements", x->stmts,
                     "function", function, "along", x->along, "lanes", x->lanes, "count", counts,
                     "registers", t->registers, "cycles_of_arithmetic", b.arithmetic,
                     "cycles_of_loads", b.loads);
}

json_t *sq_explain_counts(sq_task *task, int i, sq_text *to)
{
    sq_counted_loop *list;
    const sq_machine *m = sq_machine_class(task->target->machine);
    json_t *all = json_array();
    size_t mark = sq_diags_mark(task->d);
    int n = sq_counted(task->now[i]->schedule, task->target, task->openmp, task->arena, &list, task->d);
    if (n < 0) /* said already: it is not compiled */
        sq_diags_rewind(task->d, mark);
    for (int l = 0; l < n; l++) {
        const char *function = function_of(&list[l], task, i);
        put_loop(&list[l], function, task->target, m, to);
        json_array_append_new(all, json_of(&list[l], function, task->target, m));
    }
    return all;
}
