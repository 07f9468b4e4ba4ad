/* Problem: see problem.h. */
#include "cli/problem.h"
#include "cli/idle.h"
#include "ir/dependence/rewrite.h"
#include "support/interrupt.h"
#include "support/nearest.h"
#include <string.h>

static int script_of(void *user, const int *point, sq_text *to)
{
    const sq_problem *p = user;
    sq_choices_script(p->choices, point, to);
    return 0;
}

static double draft_of(void *user, const int *point)
{
    sq_problem *p = user;
    p->drafts++;
    return sq_choices_cost(p->choices, point);
}

static int features_of(void *user, const int *point, float (*row)[SQ_STATEMENT])
{
    const sq_problem *p = user;
    return sq_choices_features(p->choices, point, row);
}

static int source_of(void *user, const char *script, sq_text *to, char *why, size_t n)
{
    const sq_problem *p = user;
    return sq_tune_source(&p->emitter, script, to, why, n);
}

/* What texts in C are linked with; NULL: nothing. */
static const char *linked_of(const sq_task *task, const sq_kernel *k)
{
    if (task->target->language != &sq_language_c)
        return NULL;
    sq_text text = {0};
    sq_tune_linked(k, &text);
    return sq_text_take(&text, task->arena);
}

/* The search starts with the model's choice for this machine; its next ones are measured right
 * after. */
static void choose_starts(sq_problem *p)
{
    int point[SQ_MAX_COORDS];
    sq_choices_begin(p->choices);
    p->space = *sq_choices_space(p->choices);
    for (int rank = 1; rank <= SQ_PROBLEM_SEEDS && p->nseeds < SQ_PROBLEM_SEEDS; rank++)
        if (sq_choices_point(p->choices, rank, point) == 0)
            memcpy(p->seed[p->nseeds++], point, sizeof point);
}

/* The least value of every coordinate: small tiles, nothing packed, nothing in lanes. The space keeps its own start if
 * that is no schedule. */
static void choose_least(sq_problem *p)
{
    sq_text script = {0}, source = {0};
    char why[200];
    int own[SQ_MAX_COORDS];
    memcpy(own, p->space.start, sizeof own);
    memset(p->space.start, 0, sizeof p->space.start);
    script_of(p, p->space.start, &script);
    if (source_of(p, sq_text_str(&script), &source, why, sizeof why) != 0)
        memcpy(p->space.start, own, sizeof own);
    sq_text_free(&script);
    sq_text_free(&source);
}

static void trim(sq_text *t)
{
    while (t->n && t->s[t->n - 1] == ' ')
        t->s[--t->n] = 0;
}

/* Returns what `compile --at` chooses for these sizes. */
static const char *untuned_of(sq_task *task, const sq_kernel *k, const int64_t *sizes)
{
    int64_t row[1][SQ_MAX_SIZES], (*rows)[SQ_MAX_SIZES] = k->tune;
    int own = 0, nrows = k->ntune;
    sq_text script = {0};
    sq_schedule *untuned = sq_schedule_new(k, task->arena);
    while (own < task->unit->nkernels && task->unit->kernel[own] != k)
        own++;
    bool is_own = own < task->unit->nkernels;
    memcpy(row[0], sizes, (size_t)k->nsizes * sizeof *sizes);
    if (is_own)
        sq_rewritten_tune(task->unit->kernel[own], row, 1);
    sq_task_untuned(task, untuned, &script, task->d);
    if (is_own) {
        sq_rewritten_tune(task->unit->kernel[own], rows, nrows);
        sq_idle_warn_schedule(task, own, untuned);
    }
    trim(&script);
    return sq_text_take(&script, task->arena);
}

int sq_model_check(const sq_settings *o, sq_diags *d)
{
    const char *name = o->model;
    if (!name || strcmp(name, "draft") == 0 || strcmp(name, "none") == 0)
        return 0;
    return sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "model"), "there is no model '%s'; there are: draft none",
                    name);
}

sq_problem *sq_problem_new(sq_measure *m, const sq_kernel *k, const sq_kernel *simulated, const int64_t *sizes,
                           bool led)
{
    sq_task *task = &m->task;
    sq_problem *p = SQ_NEW(task->arena, sq_problem);
    p->choices = sq_choices_new(k, task->machine, task->target, sizes, m->threads, task->arena);
    p->space = *sq_choices_space(p->choices);
    p->emitter = (sq_tune_emitter){
        .kernel = k,
        .simulated = simulated,
        .emit = {.target = task->target, .openmp = task->openmp, .is_promised = true}};
    if (led && sq_choices_groups(p->choices) > 0)
        choose_starts(p);
    else if (!led)
        choose_least(p);
    p->untuned = led ? untuned_of(task, k, sizes) : NULL;
    p->tune = (sq_tune_problem){.space = &p->space,
                                .user = p,
                                .script = script_of,
                                .source = source_of,
                                .linked = linked_of(task, k),
                                .features = features_of,
                                .untuned = p->untuned,
                                .nseeds = p->nseeds,
                                .seed = (const int(*)[SQ_MAX_COORDS])p->seed};
    bool drafts = !m->settings.model || strcmp(m->settings.model, "none") != 0; /* else points are tried as they come */
    p->tune.draft = drafts ? draft_of : NULL;
    return sq_model_check(&m->settings, task->d) == 0 ? p : NULL;
}

sq_tune_options sq_problem_options(const sq_measure *m)
{
    const sq_task *task = &m->task;
    return (sq_tune_options){.target = sq_arena_printf(task->arena, "%s%s", task->target->name,
                                                       task->openmp ? ",openmp" : ""),
                             .machine_class = task->machine->isa,
                             .machine = m->fingerprint,
                             .machine_name = m->machine,
                             .runner = m->runner,
                             .predicted_for = m->runner == &sq_runner_model ? m->machine : NULL,
                             .openmp = task->openmp,
                             .words = task->target->less != NULL,
                             .run = sq_measure_run_options(m),
                             .rng = (unsigned long long)m->settings.seed,
                             .cancel = sq_interrupt_flag()};
}

const sq_search *sq_search_named(const sq_settings *o, const char *name, const char *option, sq_diags *d)
{
    const char *names[16];
    size_t n = 0;
    if (!name)
        return &sq_search_default;
    for (const sq_search *const *s = sq_searches; *s; s++)
        names[n++] = (*s)->name;
    const sq_search *found = sq_search_get(name);
    const char *lacks = found && found->lacks ? found->lacks() : NULL;
    if (lacks) {
        sq_error(d, SQ_FAULT_WORLD, sq_settings_loc(o, option), "search '%s' needs %s", name, lacks);
        return NULL;
    }
    if (found)
        return found;
    sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, option), "there is no search '%s'", name);
    const char *nearest = sq_nearest(name, names, n);
    sq_suggest(d, name, nearest);
    return NULL;
}

int sq_search_check_space(const sq_search *s, const sq_space *space, const char *label, const char *target,
                          const sq_settings *o, const char *option, sq_diags *d)
{
    const char *misses = s->misses ? s->misses(space) : NULL;
    if (!misses)
        return 0;
    sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, option), "search '%s' needs %s; %s has none for target '%s'",
             s->name, misses, label, target);
    sq_help(d, SQ_NOWHERE,
            "sums of products of f16, bf16 or bytes have them with --target=cuda, sums of products of bytes with "
            "avxvnni and avx512vnni, too");
    return -1;
}
