/* Variants: a kernel's function may have several schedules, for different sizes (codegen/file/ways.h), and functions
 * for several sets of constants. Each is in hand in its turn; where nothing is said, the first of the first set. */
#include "cli/task.h"
#include "codegen/file/function.h"
#include <ctype.h>
#include <string.h>

sq_task_variants *sq_variants_of(const sq_task *task, int i)
{
    return &task->variants[task->set * task->unit->nkernels + i];
}

void sq_variants_open(sq_task *task)
{
    task->variants = SQ_NEW_ARRAY(task->arena, sq_task_variants, task->nsets * task->unit->nkernels + 1);
}

sq_task_variant *sq_variants_add(sq_task *task, int i, const int64_t *point)
{
    sq_task_variants *list = sq_variants_of(task, i);
    sq_task_variant *v = &list->of[list->n++];
    *v = (sq_task_variant){.schedule = sq_schedule_new(task->unit->kernel[i], task->arena)};
    if (point)
        sq_variants_point(task, i, v, point);
    task->now[i] = v;
    return v;
}

void sq_variants_point(const sq_task *task, int i, sq_task_variant *v, const int64_t *point)
{
    v->point = sq_arena_array(task->arena, 1, sizeof *v->point);
    memcpy(v->point[0], point, (size_t)task->unit->kernel[i]->nsizes * sizeof *point);
    v->npoints = 1;
}

void sq_variants_drop(sq_task *task, int i)
{
    sq_variants_of(task, i)->n--;
}

bool sq_variants_allowed(const sq_task *task)
{
    return !task->target->grid;
}

int sq_variants_limit(sq_task *task, const sq_kernel *k, sq_loc loc, int n)
{
    if (n <= SQ_MOST_VARIANTS)
        return n;
    sq_warning(task->d, loc, "'%s' has schedules for %d vectors of sizes, of which the first %d count", k->name, n,
               SQ_MOST_VARIANTS);
    return SQ_MOST_VARIANTS;
}

int sq_variants_refuse(sq_task *task, const sq_kernel *k, int n)
{
    sq_loc loc = sq_settings_loc(task->o, "at");
    if (sq_variants_allowed(task))
        return sq_error(task->d, SQ_FAULT_USAGE, loc, "--at gives '%s' %d vectors of sizes; accepted are up to %d",
                        k->name, n, SQ_MOST_VARIANTS);
    sq_error(task->d, SQ_FAULT_USAGE, loc,
             "--at gives '%s' %d vectors of sizes, and a function for CUDA has one schedule for all", k->name, n);
    sq_help(task->d, SQ_NOWHERE, "write one --at, for the sizes that matter most");
    return -1;
}

/* ---- those that are one ---- */

static bool is_known(const sq_task_variants *list, const int64_t *point, int nsizes)
{
    for (int v = 0; v < list->n; v++)
        for (int p = 0; p < list->of[v].npoints; p++)
            if (memcmp(list->of[v].point[p], point, (size_t)nsizes * sizeof *point) == 0)
                return true;
    return false;
}

/* Adds the points that no variant has so far; their number. */
static int add_points(sq_task *task, const sq_task_variants *list, sq_task_variant *to,
                      const sq_task_variant *from, int nsizes)
{
    int64_t(*all)[SQ_MAX_SIZES] = sq_arena_array(task->arena, (size_t)(to->npoints + from->npoints) + 1, sizeof *all);
    int before = to->npoints;
    if (before)
        memcpy(all, to->point, (size_t)before * sizeof *all);
    to->point = all;
    for (int p = 0; p < from->npoints; p++)
        if (!is_known(list, from->point[p], nsizes))
            memcpy(all[to->npoints++], from->point[p], sizeof *all);
    return to->npoints - before;
}

bool sq_same_script(const sq_schedule *a, const sq_schedule *b)
{
    sq_text x = {0}, y = {0};
    sq_schedule_print(a, &x);
    sq_schedule_print(b, &y);
    bool same = strcmp(sq_text_str(&x), sq_text_str(&y)) == 0;
    sq_text_free(&x);
    sq_text_free(&y);
    return same;
}

static void settle(sq_task *task, sq_task_variants *list, int nsizes)
{
    sq_task_variants all = *list;
    list->n = 0;
    for (int v = 0; v < all.n; v++) {
        sq_task_variant one = all.of[v];
        int like = 0;
        while (like < list->n && !sq_same_script(list->of[like].schedule, one.schedule))
            like++;
        one.npoints = 0;
        sq_task_variant *to = like < list->n ? &list->of[like] : &one;
        if (add_points(task, list, to, &all.of[v], nsizes) == 0 && v > 0)
            continue;
        if (to == &one)
            list->of[list->n++] = one;
    }
}

/* True if the shape of a packed array depends on the size. */
static bool shapes_packed(const sq_kernel *k, const sq_size *size)
{
    bool found = false;
    for (int a = 0; a < k->narrays; a++)
        for (int d = 0; d < k->array[a]->ndim && k->array[a]->is_packed && !found; d++) {
            isl_aff *extent = k->array[a]->extent[d];
            int at = isl_aff_find_dim_by_name(extent, isl_dim_param, size->name);
            found = at >= 0 && isl_aff_involves_dims(extent, isl_dim_param, (unsigned)at, 1) == isl_bool_true;
        }
    return found;
}

/* What is packed serves calls with any other sizes: what is chosen depends on the sizes of packed arrays alone, and for
 * those that agree in them the first schedule counts. True if it depended on others. */
static bool share_packed(const sq_kernel *k, sq_task_variants *list)
{
    const int64_t *first = NULL;
    bool changes = false;
    for (int v = 0; v < list->n; v++)
        for (int p = 0; p < list->of[v].npoints; p++) {
            first = first ? first : list->of[v].point[p];
            for (int s = 0; s < k->nsizes; s++) {
                if (k->size[s]->fixed || shapes_packed(k, k->size[s]))
                    continue;
                changes |= list->of[v].point[p][s] != first[s];
                list->of[v].point[p][s] = first[s];
            }
        }
    return changes;
}

static int settle_set(sq_task *task, void *user)
{
    (void)user;
    for (int i = 0; i < task->unit->nkernels; i++) {
        const sq_kernel *k = task->unit->kernel[i];
        sq_task_variants *list = sq_variants_of(task, i);
        int before = list->n;
        bool shared = k->plain && share_packed(k, list);
        settle(task, list, k->nsizes);
        if (shared && list->n < before)
            sq_note(task->d, k->loc,
                    "'%s' has one schedule for all sizes but those of its packed arrays: the first one counts",
                    k->name);
    }
    return 0;
}

void sq_variants_settle(sq_task *task)
{
    sq_sets_each(task, settle_set, NULL);
}

/* ---- one after the other ---- */

int sq_variants_each(sq_task *task, int i, int (*pass)(sq_task *task, int i, void *user), void *user)
{
    for (int set = 0; set < task->nsets; set++) {
        sq_sets_select(task, set);
        sq_task_variants *list = sq_variants_of(task, i);
        for (int v = 0; v < list->n && !sq_sets_repeat(task, i); v++) {
            task->now[i] = &list->of[v];
            int rc = pass(task, i, user);
            if (rc != 0)
                return rc;
        }
    }
    sq_sets_select(task, 0);
    return 0;
}

int sq_variants_count(const sq_task *task, int i)
{
    sq_task at = *task;
    int n = 0;
    for (at.set = 0; at.set < at.nsets; at.set++) {
        at.unit = at.units[at.set];
        n += sq_sets_repeat(&at, i) ? 0 : sq_variants_of(&at, i)->n;
    }
    return n;
}

bool sq_variants_any(const sq_task *task, int i)
{
    return sq_variants_count(task, i) > 1;
}

const char *sq_variants_sizes(const sq_task *task, int i)
{
    const sq_task_variant *v = task->now[i];
    sq_text t = {0};
    if (!sq_variants_any(task, i))
        return "";
    if (!v->npoints && !sq_kernel_has_constants(task->unit->kernel[i]))
        return "other sizes";
    for (int p = 0; p < (v->npoints ? v->npoints : 1); p++) {
        sq_text_puts(&t, p ? "; " : "");
        sq_ways_sizes(task->unit->kernel[i], v->npoints ? v->point[p] : NULL, &t);
    }
    return sq_text_take(&t, task->arena);
}

const char *sq_variants_label(const sq_task *task, int i)
{
    const char *sizes = sq_variants_sizes(task, i);
    return *sizes ? sq_arena_printf(task->arena, " at %s", sizes) : "";
}

/* ---- their functions ---- */

/* What is made of them. */
typedef struct maker {
    sq_ways *ways;
    const char *function;
    const sq_emit_options *options; /* of K */
    sq_memory memory;
    sq_text *to;
} maker;

static int add_way(sq_task *task, int i, void *user)
{
    maker *m = user;
    const sq_task_variant *v = task->now[i];
    m->ways->of[m->ways->n] =
        (sq_way){.function = sq_arena_printf(task->arena, "%s_v%d", m->function, m->ways->n + 1),
                 .kernel = task->unit->kernel[i],
                 .npoints = v->npoints,
                 .point = v->point};
    m->ways->n++;
    return 0;
}

sq_ways *sq_variants_ways(sq_task *task, int i, const char *function)
{
    sq_ways *ways = SQ_NEW(task->arena, sq_ways);
    *ways = (sq_ways){.of = SQ_NEW_ARRAY(task->arena, sq_way, sq_variants_count(task, i))};
    maker m = {.ways = ways, .function = function};
    sq_variants_each(task, i, add_way, &m);
    return ways;
}

void sq_variants_pick(sq_task *task, int i, const int64_t *sizes)
{
    sq_task_variants *list = sq_variants_of(task, i);
    sq_ways ways = {.n = list->n, .of = SQ_NEW_ARRAY(task->arena, sq_way, list->n)};
    for (int v = 0; v < list->n; v++)
        ways.of[v] = (sq_way){
            .kernel = task->unit->kernel[i], .npoints = list->of[v].npoints, .point = list->of[v].point};
    task->now[i] = &list->of[sq_ways_pick(&ways, sizes)];
}

/* Returns how many functions there are up to the one in hand. */
static int number_in_hand(const sq_task *task, int i)
{
    sq_task at = *task;
    int n = 0;
    for (at.set = 0; at.set < at.nsets; at.set++) {
        at.unit = at.units[at.set];
        const sq_task_variants *list = sq_variants_of(&at, i);
        for (int v = 0; v < list->n && !sq_sets_repeat(&at, i); v++) {
            n++;
            if (&list->of[v] == task->now[i])
                return n;
        }
    }
    return n;
}

static const char *helpers_of(const sq_task *task, const char *all, int n)
{
    return sq_arena_printf(task->arena, "%sv%d_", all, n);
}

const char *sq_variants_helpers(const sq_task *task, int i, const char *all)
{
    return sq_variants_any(task, i) ? helpers_of(task, all, number_in_hand(task, i)) : all;
}

/* One of them, as a static function beside what chooses; the file's head is the first one's. */
static int emit_one(sq_task *task, int i, void *user)
{
    maker *m = user;
    sq_emit_options o = *m->options;
    sq_memory memory = {0};
    bool tests_sizes = false;
    int n = m->ways->n + 1;
    o.function = sq_arena_printf(task->arena, "%s_v%d", m->function, n);
    o.helpers = helpers_of(task, o.helpers, n);
    o.is_local = true;
    o.memory = &memory;
    o.tests_sizes = m->options->tests_sizes ? &tests_sizes : NULL;
    if (n > 1) {
        o.provenance = NULL;
        o.visibility = SQ_VISIBILITY_FLAGS;
        sq_text_printf(m->to, "\n/* ---- %s%s ---- */\n", task->unit->kernel[i]->name, sq_variants_label(task, i));
    }
    if (sq_emit_source(task->now[i]->schedule, &o, m->to, task->d) != 0)
        return -1;
    sq_memory_join(&m->memory, &memory, n == 1);
    add_way(task, i, m);
    m->ways->of[n - 1].fails = !sq_memory_none(&memory);
    m->ways->of[n - 1].tests_sizes = tests_sizes;
    return 0;
}

/* "gemm_v2", and what begins with "gemm_v2_". */
static bool is_function_of(const char *name, const char *of)
{
    size_t n = strlen(of);
    if (strncmp(name, of, n) != 0 || strncmp(name + n, "_v", 2) != 0 || !isdigit((unsigned char)name[n + 2]))
        return false;
    name += n + 2 + strspn(name + n + 2, "0123456789");
    return !*name || *name == '_';
}

static int check_names(const sq_task *task, int i)
{
    const sq_unit *u = task->unit;
    for (int j = 0; j < u->nkernels; j++)
        if (is_function_of(u->kernel[j]->name, u->kernel[i]->name))
            return sq_error(task->d, SQ_FAULT_INPUT, u->kernel[j]->loc,
                            "'%s' is also the name of a function of kernel '%s', which has several schedules; call "
                            "one of them something else",
                            u->kernel[j]->name, u->kernel[i]->name);
    return 0;
}

int sq_variants_emit(sq_task *task, int i, const sq_emit_options *o, sq_text *to)
{
    if (!sq_variants_any(task, i))
        return sq_emit_source(task->now[i]->schedule, o, to, task->d);
    sq_ways ways = {.of = SQ_NEW_ARRAY(task->arena, sq_way, sq_variants_count(task, i))};
    maker m = {.ways = &ways, .function = o->function, .options = o, .to = to};
    if ((!o->is_embedded && check_names(task, i) != 0) || sq_variants_each(task, i, emit_one, &m) != 0)
        return -1;
    sq_emit_options all = *o;
    all.memory = &m.memory;
    (o->is_embedded ? sq_ways_print_embedded : sq_ways_print)(&ways, &all, to);
    for (int w = 0; o->tests_sizes && w < ways.n; w++)
        *o->tests_sizes |= ways.of[w].tests_sizes;
    if (o->memory)
        *o->memory = m.memory;
    return 0;
}
