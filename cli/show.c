/* squall show: what squall knows, as text or (--json) for programs. A table of topics; each fills
 * either a text or a JSON object. */
#include "cli/report.h"
#include "cli/show.h"
#include "support/limits.h"
#include "support/nearest.h"
#include "support/version.h"
#include "transforms/transform.h"
#include "tuner/device/device_file.h"
#include <stdlib.h>
#include <string.h>

static int show_transforms(sq_task *task, sq_text *to, json_t *json)
{
    (void)task;
    json_t *list = json_array();
    for (const sq_transform *t = sq_transforms; t->name; t++) {
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "name", t->name, "args",
                                              t->args, "doc", t->doc, "example", t->example));
        sq_text_printf(to, "%-10s %s\n%-10s %s\n%-10s for example on gemm: %s\n", t->name, t->args,
                       "", t->doc, "", t->example);
    }
    if (json)
        json_object_set(json, "transforms", list);
    json_decref(list);
    return 0;
}

static int show_targets(sq_task *task, sq_text *to, json_t *json)
{
    (void)task;
    json_t *list = json_array();
    for (const sq_target *t = sq_targets; t->name; t++) {
        bool host = t == sq_target_host();
        json_t *row = json_pack("{s:s, s:s, s:i, s:i, s:s, s:s, s:s, s:b, s:b}", "name", t->name,
                                "doc", t->doc, "vector_bytes", t->vector_bytes, "registers",
                                t->registers, "cflags", t->cflags, "emulator", t->emulator, "cross",
                                t->cross, "host", host, "runs", sq_target_runs_here(t));
        json_array_append_new(list, row);
        if (t->grid)
            json_object_update_new(
                row, json_pack("{s:s, s:i, s:i, s:i, s:i}", "arch", t->grid->arch, "threads",
                               t->grid->threads, "shared_bytes", t->grid->shared_bytes, "registers",
                               t->grid->registers, "thread_registers", t->grid->thread_registers));
        if (t->grid)
            sq_text_printf(to,
                           "%-9s %s\n%-9s as %s,arch=%s; blocks of %d threads, %d bytes that they "
                           "share and %d registers, %d a thread\n",
                           t->name, t->doc, "", t->name, t->grid->arch, t->grid->threads,
                           t->grid->shared_bytes, t->grid->registers, t->grid->thread_registers);
        else
            sq_text_printf(to, "%-9s %s\n%-9s vectors of %d bytes, %d registers%s%s\n", t->name,
                           t->doc, "", t->vector_bytes, t->registers,
                           t->cflags[0] ? "; clang -fopenmp needs " : "", t->cflags);
    }
    sq_text_puts(to, "c         the same as generic\n"
                     "host      the best one this processor has\n"
                     "Processors with ,openmp for the pragmas of parallel loops, or ,tasks for threads of "
                     "the caller; ,serial, for none, is the default.\n");
    if (json)
        json_object_set(json, "targets", list);
    json_decref(list);
    return 0;
}

static int show_limits(sq_task *task, sq_text *to, json_t *json)
{
    (void)task;
    json_t *list = json_array();
    for (const sq_input_limit *l = sq_input_limits; l->name; l++) {
        json_array_append_new(list, json_pack("{s:s, s:i, s:s, s:s}", "name", l->name, "most",
                                              l->most, "unit", l->unit, "what", l->what));
        sq_text_line(to, "%9d %s: %s", l->most, l->unit, l->what);
    }
    if (json)
        json_object_set(json, "limits", list);
    json_decref(list);
    return 0;
}

json_t *sq_machine_json(const sq_machine *m)
{
    json_t *facts = json_pack("{s:s, s:s, s:i, s:i, s:i, s:f, s:f}", "name", m->name, "isa", m->isa,
                              "vector_bytes", m->vector_bytes, "registers", m->registers,
                              "fma_latency", m->fma_latency, "fma_per_cycle", m->fma_per_cycle,
                              "loads_per_cycle", m->loads_per_cycle);
    json_t *sizes = json_pack("{s:I, s:I, s:I, s:i, s:f, s:f}", "l1", (json_int_t)m->l1, "l2",
                              (json_int_t)m->l2, "l3", (json_int_t)m->l3, "cores", m->cores,
                              "peak_f32", m->peak_f32, "bandwidth", m->bandwidth);
    json_object_update(facts, sizes);
    json_decref(sizes);
    return facts;
}

void sq_machine_put(const sq_machine *m, sq_text *to)
{
    sq_text_line(to, "name       %s", m->name);
    sq_text_line(to, "isa        %s", m->isa);
    sq_text_line(to, "vectors    %d bytes, %d registers", m->vector_bytes, m->registers);
    sq_text_line(to, "fma        latency %d cycles, %.2g a cycle", m->fma_latency,
                 m->fma_per_cycle);
    sq_text_line(to, "loads      %.2g a cycle", m->loads_per_cycle);
    sq_text_line(to, "caches     L1 %lld KiB, L2 %lld KiB, L3 %lld KiB", (long long)m->l1 >> 10,
                 (long long)m->l2 >> 10, (long long)m->l3 >> 10);
    sq_text_line(to, "cores      %d", m->cores);
    sq_text_line(to, "peak       %.1f GFLOP/s f32, one core", m->peak_f32);
    sq_text_line(to, "bandwidth  %.1f GB/s, one core", m->bandwidth);
}

/* With --json the object alone, as a file for --machine has it. */
static int show_device(const sq_device *v, sq_text *to, json_t *json)
{
    const int cores = v->multiprocessors;
    if (json)
        json_object_update_new(json, sq_device_json(v));
    sq_text_line(to, "name       %s", v->name);
    sq_text_line(to, "arch       %s", v->arch);
    sq_text_line(to, "multiprocessors %d, at %.2f GHz", cores, v->ghz);
    sq_text_line(
        to, "each       %d threads, %d blocks, %d registers, %lld bytes shared (%lld a block)",
        v->threads, v->blocks, v->registers, (long long)v->shared, (long long)v->shared_block);
    sq_text_line(to, "peak       %.1f TFLOP/s f32, %.1f f64, %.0f f16 by matrix instructions",
                 2e-3 * v->fma_f32 * cores * v->ghz, 2e-3 * v->fma_f64 * cores * v->ghz,
                 2e-3 * v->fma_tensor * cores * v->ghz);
    sq_text_line(to, "L2         %lld MiB, %.0f bytes a cycle", (long long)v->l2 >> 20,
                 v->l2_cycle);
    sq_text_line(to, "bandwidth  %.0f GB/s", v->bandwidth);
    return 0;
}

/* A class is a row of a table; this machine is measured once and then read from a cache. */
static int show_machine(sq_task *task, sq_text *to, json_t *json)
{
    if (task->machine->device)
        return show_device(task->machine->device, to, json);
    if (task->o->machine && strcmp(task->o->machine, "host") != 0) {
        sq_machine_put(task->machine, to);
        if (json)
            json_object_set_new(json, "machine", sq_machine_json(task->machine));
        return 0;
    }
    return sq_show_host(task, to, json);
}

/* The schedules of a description, and the last of them as text. */
typedef struct schedules {
    json_t *list;
    sq_text last;
    int n;
} schedules;

/* One of a kernel's schedules, with the sizes that it is for where there are others. */
static int add_schedule(sq_task *task, int i, void *user)
{
    schedules *all = user;
    sq_text script = {0};
    const char *at = sq_variants_sizes(task, i);
    sq_schedule_print(task->now[i]->schedule, &script);
    json_t *row = json_pack("{s:s, s:s, s:s}", "kernel", task->unit->kernel[i]->name, "script", sq_text_str(&script),
                            "origin", sq_origin_name(task->now[i]->origin));
    if (*at)
        json_object_set_new(row, "at", json_string(at));
    json_array_append_new(all->list, row);
    sq_text_free(&all->last);
    all->last = script;
    all->n++;
    return 0;
}

/* What the model chooses may turn out not to be emitted, and then it chooses again; what a person
 * wrote is shown as it stands. A single schedule is printed as --schedule and -e take it; of several, each with its
 * kernel and sizes. */
static int show_schedule(sq_task *task, sq_text *to, json_t *json)
{
    bool written = task->o->script.n || task->o->schedule;
    if (sq_task_run_named(task, written ? "apply" : "emit") != 0)
        return -1;
    schedules all = {.list = json_array()};
    for (int i = 0; i < task->unit->nkernels; i++)
        sq_variants_each(task, i, add_schedule, &all);
    if (json)
        json_object_set(json, "kernels", all.list);
    json_decref(all.list);
    if (all.n == 1)
        sq_text_printf(to, "%s\n", sq_text_str(&all.last));
    else
        sq_text_puts(to, sq_text_str(&task->script));
    sq_text_free(&all.last);
    return 0;
}

/* clang-format off */
const sq_topic sq_topics[] = {
    {"transforms",  "what a schedule is made of, with arguments", SQ_TOPIC_NOTHING,     show_transforms, NULL},
    {"targets",     "for what code can be written",               SQ_TOPIC_NOTHING,     show_targets, NULL},
    {"machine",     "what of the machine decides schedules",      SQ_TOPIC_NOTHING,     show_machine, NULL},
    {"limits",      "the most that is read of an input",          SQ_TOPIC_NOTHING,     show_limits, NULL},
    {"searches",    "how tune looks for a schedule",              SQ_TOPIC_NOTHING,     sq_show_searches, NULL},
    {"completions", "what a shell needs to complete squall's words", SQ_TOPIC_NOTHING,  sq_show_completions, NULL},
    {"manual",      "a page of the manual, as man reads it",      SQ_TOPIC_COMMAND,     sq_show_manual, NULL},
    {"space",       "what tune may choose from",                  SQ_TOPIC_DESCRIPTION, sq_show_space, sq_report_show},
    {"best",        "the fastest trials in the store",            SQ_TOPIC_DESCRIPTION, sq_show_best, sq_report_best},
    {"deps",        "which instances must come before which",     SQ_TOPIC_DESCRIPTION, sq_show_deps, NULL},
    {"schedule",    "the script a kernel is compiled with",       SQ_TOPIC_DESCRIPTION, show_schedule, sq_report_show},
    {0}};
/* clang-format on */

const char *sq_topic_args(const sq_topic *t)
{
    static const char *const args[] = {"", "K.sq", "[COMMAND]"};
    return args[t->takes];
}

static int unknown_topic(const char *name, sq_diags *d)
{
    const char *names[32];
    size_t n = 0;
    sq_text all = {0};
    for (const sq_topic *t = sq_topics; t->name; t++) {
        names[n++] = t->name;
        sq_text_printf(&all, "%s%s%s%s", n > 1 ? ", " : "", t->name, *sq_topic_args(t) ? " " : "", sq_topic_args(t));
    }
    bool is_file = name && strpbrk(name, "./");
    if (is_file)
        sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "show what of '%s'? what is shown stands before the file", name);
    else if (name)
        sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "there is nothing to show called '%s'", name);
    else
        sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "show what?");
    const char *nearest = name && !is_file ? sq_nearest(name, names, n) : NULL;
    sq_suggest(d, name, nearest);
    if (!nearest)
        sq_help(d, SQ_NOWHERE, "one of %s", all.s);
    sq_text_free(&all);
    return -1;
}

static int open_topic(sq_task *task, const sq_topic *t, const sq_settings *o, sq_diags *d)
{
    if (t->takes == SQ_TOPIC_DESCRIPTION)
        return sq_task_open(task, o, d);
    *task = (sq_task){.o = o, .d = d, .arena = sq_arena_new()};
    if (t->takes == SQ_TOPIC_NOTHING && o->files.n > 0)
        return sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "`show %s` takes no file", t->name);
    if (o->files.n > 1)
        return sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "`show %s` takes one command", t->name);
    return sq_task_target(task);
}

static void print(const sq_text *text, json_t *json)
{
    if (!json) {
        fputs(sq_text_str(text), stdout);
        return;
    }
    json_object_set_new(json, "squall", json_string(SQ_VERSION));
    json_dumpf(json, stdout, JSON_INDENT(2) | JSON_SORT_KEYS);
    putchar('\n');
}

static int refuse_report(const sq_topic *t, const sq_settings *o, sq_diags *d)
{
    sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "html"), "`show %s` has no report", t->name);
    sq_help(d, SQ_NOWHERE, "there is one of best, schedule, space");
    return -1;
}

static int run_topic(const sq_topic *t, const sq_settings *o, sq_diags *d)
{
    sq_task task;
    sq_text text = {0};
    if (o->html && !t->report)
        return refuse_report(t, o, d);
    if (sq_report_check(o, d) != 0)
        return -1;
    json_t *json = o->json || o->html ? json_object() : NULL;
    int bad = open_topic(&task, t, o, d);
    if (!bad)
        bad = t->show(&task, &text, json);
    if (!bad && o->html)
        bad = t->report(&task, t->name, json);
    if (!bad)
        print(&text, o->json ? json : NULL);
    json_decref(json);
    sq_text_free(&text);
    sq_task_close(&task);
    return bad;
}

int sq_cmd_show(const sq_settings *o, sq_diags *d)
{
    const char *name = o->files.n ? o->files.item[0] : NULL;
    sq_settings rest = *o; /* the topic is no file */
    rest.files.n -= o->files.n > 0;
    rest.files.item += o->files.n > 0;
    if (sq_json_refuse(o, d) != 0)
        return -1;
    for (const sq_topic *t = sq_topics; name && t->name; t++)
        if (strcmp(t->name, name) == 0)
            return run_topic(t, &rest, d);
    return unknown_topic(name, d);
}
