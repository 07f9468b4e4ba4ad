/* Check variants: see check_variants.h. */
#include "cli/check_variants.h"
#include "ir/kernel/kernel.h"
#include "tuner/measure/case_spec.h"
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { OF_EACH = 12 }; /* rows of the whole file that a schedule is taken at */

bool sq_check_variants_any(const sq_task *task)
{
    for (int i = 0; i < task->unit->nkernels; i++)
        if (sq_variants_any(task, i))
            return true;
    return false;
}

bool sq_check_variants_in(const sq_kernel *k, const char *text)
{
    return strstr(text, sq_arena_printf(k->arena, "static int sq_%s_way(", k->name)) != NULL;
}

/* ---- the choice, asked ---- */

/* What a function is asked for: its ways, and the text of the questions. */
typedef struct asker {
    const sq_kernel *k;
    const sq_ways *w;
    sq_text *to;
} asker;

static void ask(const asker *a, const int64_t *sizes)
{
    const char *comma = "";
    int64_t row[SQ_MAX_SIZES];
    for (int s = 0; s < a->k->nsizes; s++)
        row[s] = a->k->size[s]->fixed ? a->k->size[s]->value : sizes[s];
    sq_text_printf(a->to, "        if (sq_%s_way(", a->k->name);
    for (int p = 0; p < a->k->nparams; p++) {
        const sq_size *of = a->k->param[p].size;
        if (!of || !sq_param_shown(&a->k->param[p]))
            continue;
        int s = 0;
        while (a->k->size[s] != of)
            s++;
        sq_text_printf(a->to, "%s%" PRId64, comma, row[s]);
        comma = ", ";
    }
    sq_text_printf(a->to, ") != %d)\n            squall_fault = \"wrong 0 %s takes another schedule at ",
                   sq_ways_pick(a->w, row), a->k->name);
    sq_ways_sizes(a->k, row, a->to);
    sq_text_puts(a->to, "\";\n");
}

/* A point, and what lies beside it in each size. */
static void ask_around(const asker *a, const int64_t *point)
{
    ask(a, point);
    for (int s = 0; s < a->k->nsizes; s++) {
        const int64_t beside[] = {point[s] / 2, point[s] + 1, 3 * point[s], 0, INT_MAX};
        int64_t row[SQ_MAX_SIZES];
        memcpy(row, point, sizeof row);
        for (size_t i = 0; i < sizeof beside / sizeof *beside && !a->k->size[s]->fixed; i++) {
            row[s] = beside[i];
            ask(a, row);
        }
    }
}

/* Half way between two points, as logarithms are, and beside that: where the nearest changes. */
static void ask_between(const asker *a, const int64_t *x, const int64_t *y)
{
    for (int off = -1; off < 2; off++) {
        int64_t row[SQ_MAX_SIZES];
        for (int s = 0; s < a->k->nsizes; s++)
            row[s] = off + (int64_t)llround(sqrt((double)x[s] * (double)y[s]));
        ask(a, row);
    }
}

void sq_check_variants_put(const sq_kernel *k, const sq_ways *w, sq_text *to)
{
    const asker a = {k, w, to};
    if (w->n < 2)
        return;
    sq_text_puts(to, "    SQ_ASK(static int squall_chosen;\n    if (!squall_chosen++) {\n");
    for (int i = 0; i < w->n; i++)
        for (int p = 0; p < w->of[i].npoints; p++)
            ask_around(&a, w->of[i].point[p]);
    for (int i = 0; i < w->n; i++)
        for (int j = 0; j < i && w->of[i].npoints && w->of[j].npoints; j++)
            ask_between(&a, w->of[i].point[0], w->of[j].point[0]);
    sq_text_puts(to, "    })\n");
}

/* ---- schedules one by one ---- */

/* While they are checked: the task as it was, and the rows of each kernel of each set so far. */
typedef struct keeper {
    sq_check *c;
    sq_task task;
    sq_check_rows *rows;
} keeper;

static void put_back(keeper *x)
{
    sq_task *task = &x->c->m.task;
    task->nsets = x->task.nsets;
    task->units = x->task.units;
    task->variants = x->task.variants;
    sq_sets_select(task, 0);
}

static int emit(sq_check *c)
{
    return sq_stages[SQ_NSTAGES - 1].run(&c->m.task);
}

static void add_rows(sq_arena *arena, sq_check_rows *to, const sq_check_rows *from)
{
    int nsizes = from->k->nsizes;
    sq_check_rows all = *from;
    all.n = to->n;
    all.size = SQ_NEW_ARRAY(arena, int64_t, (to->n + from->n) * nsizes + 1);
    if (to->n)
        memcpy(all.size, to->size, (size_t)(to->n * nsizes) * sizeof *all.size);
    for (int r = 0; r < from->n; r++) {
        const int64_t *row = from->size + (ptrdiff_t)r * nsizes;
        if (!sq_check_rows_have(&all, row))
            memcpy(all.size + (ptrdiff_t)all.n++ * nsizes, row, (size_t)nsizes * sizeof *row);
    }
    *to = all;
}

/* Kernel i of a set with one of its schedules, as the only kernel of a file. */
static int check_alone(keeper *x, int set, int i, int v, int (*pass)(sq_check *c))
{
    sq_task *task = &x->c->m.task;
    sq_sets_select(task, set);
    sq_unit *u = SQ_NEW(task->arena, sq_unit);
    sq_unit **units = SQ_NEW_ARRAY(task->arena, sq_unit *, 1);
    sq_task_variants *one = SQ_NEW_ARRAY(task->arena, sq_task_variants, 1);
    task->now[i] = &sq_variants_of(task, i)->of[v];
    const char *at = sq_variants_sizes(task, i);
    x->c->label = *at ? sq_arena_printf(task->arena, "at %s", at) : NULL;
    *one = (sq_task_variants){.n = 1, .of = {*task->now[i]}};
    *u = *task->unit;
    u->nkernels = 1;
    u->kernel = &task->unit->kernel[i];
    u->region = u->region ? &task->unit->region[i] : NULL;
    units[0] = u;
    task->nsets = 1;
    task->units = units;
    task->variants = one;
    sq_sets_select(task, 0);
    int rc = emit(x->c) != 0 ? -1 : pass(x->c);
    put_back(x);
    if (x->c->rows)
        add_rows(task->arena, &x->rows[set * task->unit->nkernels + i], &x->c->rows[0]);
    return rc;
}

static int check_each(keeper *x, int (*pass)(sq_check *c))
{
    sq_task *task = &x->c->m.task;
    int rc = 0, n = task->unit->nkernels;
    for (int set = 0; set < x->task.nsets; set++)
        for (int i = 0; i < n; i++) {
            sq_sets_select(task, set);
            int of = sq_sets_repeat(task, i) ? 0 : sq_variants_of(task, i)->n;
            for (int v = 0; v < of; v++) {
                int one = check_alone(x, set, i, v, pass);
                rc = rc ? rc : one;
            }
        }
    sq_sets_select(task, 0);
    return rc;
}

/* ---- the file with all ---- */

static bool has_constants_of(const sq_kernel *a, const sq_kernel *b)
{
    for (int s = 0; s < a->nsizes; s++)
        if (a->size[s]->kept && a->size[s]->value != b->size[s]->value)
            return false;
    return true;
}

/* Those of kernel i of the set in hand; of one that lacks what tells the set from an earlier one, that one's. */
static const sq_check_rows *rows_of(const keeper *x, int i)
{
    const sq_unit *u = x->c->m.task.unit;
    const sq_check_rows *r = &x->rows[i];
    while (!r->k || !has_constants_of(u->kernel[i], r->k))
        r += u->nkernels;
    return r;
}

/* Of the rows of all schedules some that each is taken at; all if they were given. */
static sq_check_rows rows_of_all(keeper *x, int i, const sq_ways *w)
{
    sq_task *task = &x->c->m.task;
    const sq_check_rows *from = rows_of(x, i);
    sq_check_rows to = *from;
    int *taken = SQ_NEW_ARRAY(task->arena, int, w->n), nsizes = from->k->nsizes;
    to.k = task->unit->kernel[i];
    if (from->is_given)
        return to;
    to = (sq_check_rows){.k = to.k, .s = to.s, .size = SQ_NEW_ARRAY(task->arena, int64_t, OF_EACH * w->n * nsizes + 1)};
    for (int r = 0; r < from->n; r++) {
        const int64_t *row = from->size + (ptrdiff_t)r * nsizes;
        int way = sq_ways_pick(w, row);
        if (way < 0 || taken[way] == OF_EACH || sq_check_rows_have(&to, row))
            continue;
        taken[way]++;
        memcpy(to.size + (ptrdiff_t)to.n++ * nsizes, row, (size_t)nsizes * sizeof *row);
    }
    to.beyond.item = SQ_NEW_ARRAY(task->arena, const char *, w->n);
    for (int way = 0; way < w->n; way++)
        if (!taken[way] && w->of[way].kernel == from->k)
            to.beyond.item[to.beyond.n++] =
                sq_arena_printf(task->arena, "sizes that %s is taken at: too much for a check", w->of[way].function);
    return to;
}

static void find_ways(sq_check *c)
{
    sq_task *task = &c->m.task;
    c->ways = SQ_NEW_ARRAY(task->arena, sq_ways *, task->unit->nkernels);
    for (int i = 0; i < task->unit->nkernels; i++)
        c->ways[i] = sq_variants_ways(task, i, task->unit->kernel[i]->name);
}

/* The kernels of a set in the file with all schedules: only results are compared. */
static int check_set(keeper *x, int set, int (*pass)(sq_check *c))
{
    sq_check *c = x->c;
    sq_task *task = &c->m.task;
    int n = task->unit->nkernels;
    sq_check_rows *chosen = SQ_NEW_ARRAY(task->arena, sq_check_rows, n);
    find_ways(c);
    task->unit = task->units[set];
    task->set = set;
    for (int i = 0; i < n; i++)
        chosen[i] = rows_of_all(x, i, c->ways[i]);
    c->chosen = chosen;
    c->label = "with all schedules";
    int rc = pass(c);
    sq_sets_select(task, 0);
    return rc;
}

int sq_check_variants(sq_check *c, int (*pass)(sq_check *c))
{
    keeper x = {.c = c, .task = c->m.task};
    x.rows = SQ_NEW_ARRAY(c->m.task.arena, sq_check_rows, x.task.nsets * x.task.unit->nkernels);
    int rc = check_each(&x, pass);
    if (rc != 0 || emit(c) != 0)
        return -1;
    if (c->m.task.unit->region) /* its file is the user's: what is checked are the functions in it */
        return 0;
    bool quick = c->m.settings.quick;
    c->m.settings.quick = true;
    for (int set = 0; set < x.task.nsets; set++) {
        int one = check_set(&x, set, pass);
        rc = rc ? rc : one;
    }
    c->m.settings.quick = quick;
    return rc;
}

int sq_check_variants_given(sq_check *c, int (*pass)(sq_check *c))
{
    sq_task *task = &c->m.task;
    int rc = 0;
    if (!sq_check_variants_any(task))
        return pass(c);
    find_ways(c);
    for (int set = 0; set < task->nsets; set++) {
        sq_text constants = {0};
        sq_sets_select(task, set);
        sq_ways_sizes(task->unit->kernel[0], NULL, &constants);
        c->label = constants.n ? sq_arena_printf(task->arena, "at %s", sq_text_str(&constants)) : NULL;
        sq_text_free(&constants);
        int one = pass(c);
        rc = rc ? rc : one;
    }
    sq_sets_select(task, 0);
    return rc;
}
