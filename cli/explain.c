/* squall explain: what every loop of a description allows, and why not where it does not: threads,
 * vectors, tiles, and which statements may be put together. As text, or (--json) for programs. */
#include "ir/dependence/explain.h"
#include "cli/idle.h"
#include "cli/json.h"
#include "cli/explain.h"
#include "cli/explain_counts.h"
#include "cli/report.h"
#include "cli/task.h"
#include "support/version.h"
#include "transforms/forward.h"
#include "transforms/script.h"
#include "transforms/transform.h"
#include "tuner/model/draft.h"
#include <stdio.h>
#include <string.h>

/* ---- statements together ---- */

static bool try(sq_task *task, const sq_schedule *naive, const char *script, const char **why)
{
    sq_diags *d = sq_diags_new();
    sq_schedule *copy = sq_schedule_copy(naive, task->arena);
    bool ok = sq_script_apply(copy, script, "explain", task->arena, d) == 0;
    if (!ok && why)
        *why = sq_arena_strdup(task->arena, sq_diags_reason(d, 0));
    sq_diags_free(d);
    return ok;
}

/* Whether the groups that start with statements a and b may run together, and how: tile by tile, or
 * inside shared loops, as many of them as possible. Else why not. */
static sq_permission together(sq_task *task, const sq_schedule *naive, const sq_group *a,
                           const sq_group *b)
{
    const char *x = a->stmt[0]->name, *y = b->stmt[0]->name, *why = NULL;
    if (try(task, naive, sq_arena_printf(task->arena, "fuse(%s, %s)", x, y), &why))
        return (sq_permission){true, sq_arena_printf(task->arena, "tile by tile: fuse(%s, %s)", x, y)};
    for (int l = a->nloops - 1; l >= 0; l--) {
        const char *at = a->loop[l].name;
        const char *call = sq_arena_printf(task->arena, "fuse(%s, %s at %s)", x, y, at);
        if (try(task, naive, call, l == 0 ? &why : NULL))
            return (sq_permission){true,
                                sq_arena_printf(task->arena, "in loops they share: %s", call)};
    }
    return (sq_permission){false, why ? why : "they have no loop in common"};
}

/* ---- what is compiled ---- */

/* True if the statement is one of the kernel that the schedule has made. */
static bool is_left(const sq_kernel *k, const char *stmt)
{
    for (int s = 0; s < k->nstmts; s++)
        if (strcmp(k->stmt[s]->name, stmt) == 0)
            return true;
    return false;
}

/* How codegen computes the statements of kernel i, with the schedule that compile would take; of a
 * grid nothing of statements, but what is launched. warns: of loops without threads. */
static sq_compiled *compiled(sq_task *task, int i, sq_memory *m, bool warns)
{
    const sq_kernel *k = task->unit->kernel[i];
    sq_compiled *c = SQ_NEW(task->arena, sq_compiled);
    sq_emit_options o = {
        .target = task->target, .openmp = task->openmp, .compiled = c, .memory = m};
    sq_text text = {0};
    size_t mark = sq_diags_mark(task->d);
    c->n = task->target->grid ? 0 : k->nstmts;
    c->of = sq_arena_alloc(task->arena, (size_t)k->nstmts * sizeof *c->of);
    for (int s = 0; s < c->n; s++)
        c->of[s].stmt = k->stmt[s]->name,
        c->of[s].lanes = is_left(task->now[i]->schedule->kernel, k->stmt[s]->name) ? 0 : -1,
        c->of[s].overlaps = false;
    bool ok = sq_emit_source(task->now[i]->schedule, &o, &text, task->d) == 0;
    if (!ok && sq_task_falls_back(task, i, mark)) {
        mark = sq_diags_mark(task->d);
        ok = sq_emit_source(task->now[i]->schedule, &o, &text, task->d) == 0;
    }
    if (!ok) {
        const char *why = sq_arena_strdup(task->arena, sq_diags_message(task->d, mark));
        sq_diags_rewind(task->d, mark);
        sq_warning(task->d, k->loc, "'%s' is not compiled for target '%s': %s", k->name,
                   task->target->name, why);
        c->n = 0;
    }
    if (warns)
        sq_idle_warn(task, i, c);
    sq_text_free(&text);
    return c;
}

static int lanes_of(const sq_compiled *c, const char *stmt)
{
    for (int i = 0; i < c->n; i++)
        if (strcmp(c->of[i].stmt, stmt) == 0)
            return c->of[i].lanes;
    return -1;
}

/* Dependences allow what codegen may have no vectors for: the verdict is then what is compiled. */
static sq_permission in_vectors(sq_task *task, const sq_compiled *c, const sq_loop_facts *l)
{
    bool any = !l->vector.can;
    for (int i = 0; i < l->nstmts && !any; i++)
        any = lanes_of(c, l->stmt[i]->name) != 0;
    if (any)
        return l->vector;
    return (sq_permission){false, sq_arena_printf(task->arena,
                                               "dependences allow it, but what is compiled for %s "
                                               "takes one point at a time; %s",
                                               task->target->name, l->vector.why)};
}

/* Of a grid: how threads share a reduction all the same. */
static sq_permission in_parallel(sq_task *task, const sq_kernel *k, const sq_loop_facts *l)
{
    if (!task->target->grid || !l->sum || l->parallel.can || k->fp == SQ_FP_STRICT)
        return l->parallel;
    return (sq_permission){
        false, sq_arena_printf(task->arena, "%s; each has a part of it by hold(%s) thread(%s:32)",
                               l->parallel.why, l->name, l->name)};
}

/* ---- printing ---- */

/* "S0, S1", in the task's arena. */
static const char *names_of(sq_task *task, const sq_loop_facts *l)
{
    const char *all = l->stmt[0]->name;
    for (int i = 1; i < l->nstmts; i++)
        all = sq_arena_printf(task->arena, "%s, %s", all, l->stmt[i]->name);
    return all;
}

static void put_verdict(const char *what, const sq_permission *v, sq_text *to)
{
    sq_text_line(to, "%-9s %-4s %s", what, v->can ? "yes:" : "no:", v->why);
}

static json_t *verdict_json(const sq_permission *v)
{
    return json_pack("{s:b, s:s}", "can", v->can, "why", v->why);
}

static json_t *loop_json(const sq_loop_facts *l)
{
    json_t *stmts = json_array();
    for (int i = 0; i < l->nstmts; i++)
        json_array_append_new(stmts, json_string(l->stmt[i]->name));
    return json_pack("{s:s, s:i, s:b, s:o, s:o, s:o, s:o}", "name", l->name, "depth", l->depth,
                     "sum", l->sum, "statements", stmts, "parallel", verdict_json(&l->parallel),
                     "vector", verdict_json(&l->vector), "tile", verdict_json(&l->tile));
}

static int explain_loops(sq_task *task, const sq_kernel *k, const sq_compiled *c, sq_text *to,
                         json_t *out)
{
    sq_loop_facts *loop;
    int n = sq_explain_loops(k, task->arena, &loop);
    if (n < 0)
        return sq_error(task->d, SQ_FAULT_INPUT, k->loc,
                        "the dependences of '%s' take too long to compute one by one", k->name);
    for (int i = 0; i < n; i++) {
        loop[i].vector = in_vectors(task, c, &loop[i]);
        loop[i].parallel = in_parallel(task, k, &loop[i]);
        to->indent = 1 + loop[i].depth;
        sq_text_line(to, "%s%s %s, around %s", loop[i].sum ? loop[i].over : "loop",
                     loop[i].sum ? " over" : "", loop[i].name, names_of(task, &loop[i]));
        to->indent++;
        put_verdict("parallel", &loop[i].parallel, to);
        put_verdict(task->target->grid ? "warp" : "vector", &loop[i].vector, to);
        put_verdict("tile", &loop[i].tile, to);
        json_array_append_new(out, loop_json(&loop[i]));
    }
    to->indent = 0;
    return 0;
}

static void explain_fusion(sq_task *task, const sq_kernel *k, sq_text *to, json_t *out)
{
    const sq_schedule *naive = sq_schedule_new(k, task->arena);
    for (int g = 0; naive && g + 1 < naive->ngroups; g++) {
        const sq_group *a = naive->group[g], *b = naive->group[g + 1];
        sq_permission v = together(task, naive, a, b);
        to->indent = 1;
        sq_text_line(to, "%s with %s", a->stmt[0]->name, b->stmt[0]->name);
        to->indent = 2;
        put_verdict("fuse", &v, to);
        json_array_append_new(out, json_pack("{s:s, s:s, s:o}", "first", a->stmt[0]->name, "then",
                                             b->stmt[0]->name, "fuse", verdict_json(&v)));
    }
    to->indent = 0;
}

static bool overlaps(const sq_compiled *c, const char *stmt)
{
    bool any = false;
    for (int i = 0; i < c->n; i++)
        any |= strcmp(c->of[i].stmt, stmt) == 0 && c->of[i].overlaps;
    return any;
}

/* "vectors of 8, the last vector overlaps", "one point at a time"; NULL where it is not said. */
static const char *width(sq_task *task, const sq_compiled *c, const char *stmt)
{
    int lanes = lanes_of(c, stmt);
    if (lanes < 0)
        return NULL;
    return lanes ? sq_arena_printf(task->arena, "vectors of %d%s", lanes,
                                   overlaps(c, stmt) ? ", the last vector overlaps" : "")
                 : "one point at a time";
}

/* What is said of the temporary that a statement writes: its value is in its readers (then the
 * statement is not left), or stays in memory. NULL: nothing. */
static const sq_forwarded *temporary_of(const sq_forwarded *list, int n, const sq_stmt *s,
                                        bool left)
{
    for (int i = 0; i < n; i++)
        if (list[i].stmt == s && list[i].can == !left)
            return &list[i];
    return NULL;
}

static void list_statements(sq_task *task, int kernel, const sq_compiled *c, sq_text *to,
                            json_t *out)
{
    const sq_kernel *k = task->unit->kernel[kernel];
    const sq_schedule *naive = sq_schedule_new(k, task->arena);
    sq_forwarded *list;
    const char *call;
    int n = naive ? sq_forward_find(naive, task->arena, &list, &call) : 0;
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *s = k->stmt[i];
        const char *how = width(task, c, s->name);
        const sq_forwarded *f =
            temporary_of(list, n, s, is_left(task->now[kernel]->schedule->kernel, s->name));
        sq_text_printf(to, "  %s: line %d, writes '%s'", s->name, s->loc.line,
                       s->write->array->name);
        if (how)
            sq_text_printf(to, "; compiled for %s: %s", task->target->name, how);
        if (f)
            sq_text_printf(to, "%s%s", f->can ? "; " : "; not inlined: ", f->why);
        sq_text_puts(to, "\n");
        json_t *row = json_pack("{s:s, s:i, s:s, s:i, s:b}", "name", s->name, "line", s->loc.line,
                                "writes", s->write->array->name, "lanes", lanes_of(c, s->name),
                                "overlaps", overlaps(c, s->name));
        if (f)
            json_object_set_new(row, "forward", verdict_json(&(sq_permission){f->can, f->why}));
        json_array_append_new(out, row);
    }
}

/* The calls of merge() in the schedule: loops below are of the description, what is compiled has the
 * merged ones. */
static json_t *list_merges(const sq_task *task, int kernel, sq_text *to)
{
    const char *calls = task->now[kernel]->schedule->rewritten, *sep = "  merged dimensions: ";
    bool any = false;
    json_t *out = json_array();
    sq_step *steps = NULL;
    if (calls && sq_script_parse(calls, "<schedule>", NULL, task->arena, &steps, task->d) != 0)
        sq_bug("explain", "the calls that made a kernel are no script: %s", calls);
    for (const sq_step *x = steps; x; x = x->next) {
        if (strcmp(x->call.name, "merge") != 0)
            continue;
        sq_text_printf(to, "%s%s", sep, x->text);
        json_array_append_new(out, json_string(x->text));
        sep = " ";
        any = true;
    }
    if (any)
        sq_text_puts(to, "\n");
    return out;
}

/* What a grid runs. */
static json_t *list_launches(const sq_task *task, const sq_compiled *c, sq_text *to)
{
    json_t *out = json_array();
    for (int i = 0; i < c->nlaunches; i++) {
        const sq_compiled_kernel *l = &c->launch[i];
        const char *s = l->threads == 1 ? "" : "s";
        sq_text_printf(to, "  %s: %s on %s, %s block%s of %d thread%s", l->name, l->stmts,
                       task->target->grid->arch, l->blocks, strcmp(l->blocks, "1") ? "s" : "",
                       l->threads, s);
        if (l->shared_bytes)
            sq_text_printf(to, " that share %lld bytes", (long long)l->shared_bytes);
        sq_text_puts(to, "\n");
        json_array_append_new(out,
                              json_pack("{s:s, s:s, s:s, s:i, s:I}", "name", l->name, "statements",
                                        l->stmts, "blocks", l->blocks, "threads", l->threads,
                                        "shared_bytes", (json_int_t)l->shared_bytes));
    }
    return out;
}

/* What packed panels take of a call's workspace: 64 bytes align the first. */
static void put_panels(const sq_kernel *k, const sq_memory *m, sq_text *to)
{
    if (m->panels <= 64 && !m->each_thread)
        return;
    sq_text_printf(to, "  panels of packs: %lld bytes", (long long)m->panels);
    if (m->each_thread)
        sq_text_printf(to, ", %lld more for each thread", (long long)m->each_thread);
    sq_text_line(to, "; untuned schedules have %lld at most", (long long)sq_draft_room(k) + 64);
}

/* ---- each schedule ---- */

/* What the schedules of a kernel with several are for. */
typedef struct variants_list {
    sq_text *text;
    json_t *json;
} variants_list;

static int add_variant(sq_task *task, int i, void *user)
{
    const variants_list *list = user;
    sq_text script = {0};
    sq_schedule_print(task->now[i]->schedule, &script);
    while (script.n && script.s[script.n - 1] == '\n')
        script.s[--script.n] = 0;
    sq_text_line(list->text, "  schedule%s: %s", sq_variants_label(task, i), sq_text_str(&script));
    json_array_append_new(list->json, json_pack("{s:s, s:s, s:s}", "at", sq_variants_sizes(task, i), "script",
                                                sq_text_str(&script), "origin", sq_origin_name(task->now[i]->origin)));
    sq_text_free(&script);
    return 0;
}

/* A line each. */
static json_t *list_variants(sq_task *task, int i, sq_text *to)
{
    variants_list list = {to, json_array()};
    if (!sq_variants_any(task, i))
        return list.json;
    sq_variants_each(task, i, add_variant, &list);
    sq_ways_rule rule = {0};
    sq_ways_rule_add(&rule, sq_variants_ways(task, i, task->unit->kernel[i]->name));
    sq_ways_rules(rule, "  ", to);
    return list.json;
}

/* What is said of one kernel. Constants of --fix=S=1|2 make several of it, whose loops may differ. */
typedef struct explaining {
    sq_text *to;
    json_t *variants, *all; /* a row for each schedule, if there are several; the kernel's object */
    int nvariants;
    const sq_kernel *k;  /* whose loops are still to come; NULL */
    const char *label;   /* of its first schedule */
    sq_compiled *any;    /* of its statements, the most lanes under any of its schedules */
    json_t *row;         /* of its first schedule */
    sq_text loops, each; /* what is said of the loops of the first kernel; of all, with their labels */
    bool differ;
} explaining;

/* Loops and pairs of the kernel in hand. */
static int put_loops(sq_task *task, explaining *x)
{
    json_t *loops = json_array(), *pairs = json_array();
    sq_text text = {0};
    int rc = explain_loops(task, x->k, x->any, &text, loops);
    if (rc == 0)
        explain_fusion(task, x->k, &text, pairs);
    json_object_set_new(x->row, "loops", loops);
    json_object_set_new(x->row, "pairs", pairs);
    sq_text_printf(&x->each, "  loops%s:\n%s", x->label, sq_text_str(&text));
    if (x->row == x->all)
        sq_text_puts(&x->loops, sq_text_str(&text));
    x->differ |= strcmp(sq_text_str(&x->loops), sq_text_str(&text)) != 0;
    sq_text_free(&text);
    return rc;
}

static void join_lanes(sq_compiled *any, const sq_compiled *c)
{
    for (int s = 0; s < any->n; s++)
        for (int i = 0; i < c->n; i++)
            if (strcmp(any->of[s].stmt, c->of[i].stmt) == 0 && c->of[i].lanes > any->of[s].lanes)
                any->of[s].lanes = c->of[i].lanes;
}

/* Statements, counts and memory under the schedule in hand. */
static void put_schedule(sq_task *task, int i, explaining *x, json_t *row, sq_compiled *c, const sq_memory *m)
{
    json_t *stmts = json_array();
    json_object_set_new(row, "merged", list_merges(task, i, x->to));
    list_statements(task, i, c, x->to, stmts);
    json_object_set_new(row, "statements", stmts);
    json_object_set_new(row, "launches", list_launches(task, c, x->to));
    json_object_set_new(row, "counts", sq_explain_counts(task, i, x->to));
    json_object_set_new(row, "packed", sq_explain_packed(task, i, x->to));
    put_panels(task->unit->kernel[i], m, x->to);
    json_object_set_new(row, "panel_bytes", json_integer((json_int_t)m->panels));
    json_object_set_new(row, "thread_bytes", json_integer((json_int_t)m->each_thread));
}

static int explain_schedule(sq_task *task, int i, void *user)
{
    explaining *x = user;
    sq_memory memory = {0};
    const sq_kernel *k = task->unit->kernel[i];
    bool is_new = k != x->k;
    if (is_new && x->k && put_loops(task, x) != 0)
        return -1;
    sq_compiled *c = compiled(task, i, &memory, x->nvariants == 0);
    json_t *row = sq_variants_any(task, i) ? json_array_get(x->variants, (size_t)x->nvariants) : x->all;
    if (sq_variants_any(task, i))
        sq_text_line(x->to, "  what is compiled for%s:", sq_variants_label(task, i) + strlen(" at"));
    put_schedule(task, i, x, row, c, &memory);
    if (x->nvariants++ == 0 && row != x->all)
        json_object_update(x->all, row); /* what is said without naming a schedule is of the first */
    if (is_new) {
        x->k = k;
        x->label = sq_variants_label(task, i);
        x->any = c;
        x->row = x->nvariants == 1 ? x->all : row;
    } else {
        join_lanes(x->any, c);
    }
    return 0;
}

int sq_explain_kernel(sq_task *task, int i, sq_text *to, json_t *kernels)
{
    const sq_kernel *k = task->unit->kernel[i];
    sq_text_line(to, "%s (%s:%d)", k->name, task->path, k->loc.line);
    explaining x = {.to = to, .variants = list_variants(task, i, to), .all = json_object()};
    int rc = sq_variants_each(task, i, explain_schedule, &x);
    rc = rc ? rc : put_loops(task, &x);
    sq_text_puts(to, sq_text_str(x.differ ? &x.each : &x.loops));
    sq_text_free(&x.loops);
    sq_text_free(&x.each);
    json_object_del(x.all, "at");
    json_object_del(x.all, "script");
    json_object_del(x.all, "origin");
    json_object_set_new(x.all, "kernel", json_string(k->name));
    json_object_set_new(x.all, "schedules", x.variants);
    json_array_append_new(kernels, x.all);
    return rc;
}

static const char legend[] =
    "S0[i=1, j=0] is statement S0 at those values of its loops. parallel, vector, tile, fuse: whether threads "
    "may share the\nloop, lanes of a vector may be its iterations (contiguous: they access neighbouring elements, "
    "jumps: elements apart),\nit may be tiled together with others, statements may share loops. "
    "docs/SCHEDULES.md has more.\n";

static const char grid_legend[] =
    "S0[i=1, j=0] is statement S0 at those values of its loops. tiles(from, to, n): tiles of n "
    "that "
    "[from, to) takes.\nparallel, warp, tile, fuse: whether blocks and threads may share the loop, "
    "neighbouring threads of a warp may be its\niterations (contiguous: they access neighbouring elements, "
    "jumps: elements apart), it may be tiled together with\nothers, statements may share loops. "
    "docs/CUDA.md has more.\n";

int sq_cmd_explain(const sq_settings *o, sq_diags *d)
{
    sq_task task;
    sq_text text = {0};
    if (sq_json_refuse(o, d) != 0 || sq_report_check(o, d) != 0)
        return -1;
    json_t *kernels = json_array();
    /* a schedule that somebody gave is refused as compile refuses it */
    const char *last = o->script.n || o->schedule ? "emit" : "apply";
    int bad = sq_task_open(&task, o, d) != 0 || sq_task_run_named(&task, last) != 0 ? -1 : 0;
    for (int i = 0; bad == 0 && i < task.unit->nkernels; i++)
        bad = sq_explain_kernel(&task, i, &text, kernels);
    if (bad == 0 && o->html)
        bad = sq_report_explain(&task, kernels);
    if (bad == 0 && o->json) {
        json_t *all = json_pack("{s:s, s:O}", "squall", SQ_VERSION, "kernels", kernels);
        json_dumpf(all, stdout, JSON_INDENT(2) | JSON_SORT_KEYS);
        putchar('\n');
        json_decref(all);
    } else if (bad == 0) {
        fputs(sq_text_str(&text), stdout);
        fputs(task.target->grid ? grid_legend : legend, stdout);
    }
    json_decref(kernels);
    sq_text_free(&text);
    sq_task_close(&task);
    return bad;
}
