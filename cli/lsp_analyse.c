/* The analysis of a document, in the child of the language server: the stages of `compile` up to the
 * schedule, on the editor's text; what they say becomes diagnostics of the protocol. Then come the
 * names for completion, and last, since they take longest, the facts of `explain`. */
#include "cli/explain.h"
#include "cli/lsp.h"
#include "frontend/scop.h"
#include "support/file.h"
#include "support/limits.h"
#include "support/nearest.h"
#include "transforms/transform.h"
#include <stdlib.h>
#include <string.h>

typedef struct analysis {
    const sq_lsp *s;
    const sq_lsp_document *x;
    sq_diags *d;
    sq_settings o;
    json_t *names;
    FILE *to;
    size_t told; /* entries of d that were written */
} analysis;

/* ---- diagnostics ---- */

static bool is_here(const analysis *a, const sq_loc *loc)
{
    return loc->file && loc->line > 0 && strcmp(loc->file, a->x->path) == 0;
}

/* The range of a place, the word there where it says no length; the top for what is not in this text. */
static json_t *range_of(const analysis *a, const sq_loc *loc, size_t *at)
{
    const sq_lsp_document *x = a->x;
    size_t from = 0, to = 0;
    if (is_here(a, loc)) {
        from = sq_lsp_line(x->text, x->n, loc->line) + (size_t)(loc->col > 0 ? loc->col - 1 : 0);
        from = from < x->n ? from : x->n;
        to = from + (size_t)(loc->len > 0 ? loc->len : 0);
        if (loc->len <= 1 && !sq_lsp_word(x->text, x->n, from, &from, &to))
            to = from + 1;
        to = to < x->n ? to : x->n;
    }
    *at = from;
    return sq_lsp_range(x->text, x->n, from, to);
}

/* "gemm.sq:3:4: ": of a place that is somewhere else. */
static void put_place(const analysis *a, const sq_loc *loc, sq_text *to)
{
    if (!loc->file || is_here(a, loc) || strcmp(loc->file, a->x->path) == 0)
        return;
    sq_text_printf(to, "%s:", loc->file);
    if (loc->line > 0)
        sq_text_printf(to, "%d:%d:", loc->line, loc->col);
    sq_text_puts(to, " ");
}

/* An error or a warning with what follows it; *i moves behind. */
static json_t *diagnostic(const analysis *a, size_t *i)
{
    static const char *const word[] = {"error", "warning", "note", "help"};
    const sq_diag *e = sq_diags_at(a->d, *i), *more;
    const char *wrong = NULL, *meant = NULL;
    size_t at;
    sq_text message = {0};
    json_t *range = range_of(a, &e->loc, &at);
    put_place(a, &e->loc, &message);
    sq_text_puts(&message, e->message);
    for (++*i; (more = sq_diags_at(a->d, *i)) && more->severity > SQ_WARNING; ++*i) {
        sq_text_printf(&message, "\n%s: ", word[more->severity]);
        put_place(a, &more->loc, &message);
        sq_text_puts(&message, more->message);
        wrong = meant ? wrong : more->wrong;
        meant = meant ? meant : more->meant;
    }
    json_t *out = json_pack("{s:o, s:i, s:s, s:o}", "range", range, "severity",
                            e->severity == SQ_ERROR     ? 1
                            : e->severity == SQ_WARNING ? 2
                                                        : 3,
                            "source", "squall", "message", sq_lsp_string(sq_text_str(&message)));
    json_t *fix = meant && is_here(a, &e->loc) ? sq_lsp_fix(a->x->text, a->x->n, at, wrong, meant) : NULL;
    if (fix)
        json_object_set_new(out, "data", fix);
    sq_text_free(&message);
    return out;
}

static void write_line(analysis *a, json_t *line)
{
    json_dumpf(line, a->to, JSON_COMPACT);
    fputc('\n', a->to);
    fflush(a->to);
    json_decref(line);
}

static void tell(analysis *a)
{
    json_t *list = json_array();
    for (size_t i = 0; sq_diags_at(a->d, i);)
        json_array_append_new(list, diagnostic(a, &i));
    a->told = sq_diags_mark(a->d);
    json_t *line = json_pack("{s:o}", "diagnostics", list);
    if (json_array_size(a->names))
        json_object_set(line, "names", a->names);
    write_line(a, line);
}

/* ---- names ---- */

static void add_name(json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_array_get(list, i)), name) == 0)
            return;
    json_array_append_new(list, json_string(name));
}

static void add_names(analysis *a, const sq_kernel *k, int line, sq_arena *arena)
{
    json_t *loops = json_array(), *arrays = json_array(), *stmts = json_array();
    json_t *sizes = json_array(), *parameters = json_array();
    const sq_schedule *s = sq_schedule_new(k, arena);
    for (int g = 0; s && g < s->ngroups; g++)
        for (int l = 0; l < s->group[g]->nloops; l++)
            add_name(loops, s->group[g]->loop[l].name);
    for (int i = 0; i < k->narrays; i++)
        add_name(arrays, k->array[i]->name);
    for (int i = 0; i < k->nstmts; i++)
        add_name(stmts, k->stmt[i]->name);
    for (int i = 0; i < k->nsizes; i++)
        add_name(sizes, k->size[i]->name);
    for (int i = 0; i < k->nparams; i++)
        add_name(parameters, sq_param_name(&k->param[i]));
    json_array_append_new(a->names, json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:o}", "kernel", k->name, "line", line,
                                              "loops", loops, "arrays", arrays, "statements", stmts, "sizes", sizes,
                                              "parameters", parameters));
}

static void add_unit_names(analysis *a, const sq_task *task, int line)
{
    for (int i = 0; task->unit && i < task->unit->nkernels; i++) {
        const sq_kernel *k = task->unit->kernel[i];
        add_names(a, k, line ? line : k->loc.line, task->arena);
    }
}

/* ---- facts ---- */

static void add_facts(analysis *a, sq_task *task)
{
    sq_text unread = {0};
    json_t *facts = json_array();
    int bad = 0;
    for (int i = 0; !bad && i < task->unit->nkernels; i++)
        bad = sq_explain_kernel(task, i, &unread, facts);
    sq_text_free(&unread);
    if (sq_diags_mark(a->d) > a->told && sq_lsp_is_source(a->x))
        tell(a);
    write_line(a, json_pack("{s:o}", "facts", facts));
}

/* ---- descriptions ---- */

/* What is wrong with the text is told at once; that its schedule is, which the model may have to choose
 * first, when it is known. */
static void analyse_description(analysis *a)
{
    sq_task task;
    int bad = sq_task_open_text(&task, &a->o, a->x->path, a->x->text, a->x->n, a->d);
    if (!bad)
        bad = sq_task_run_named(&task, "deps");
    add_unit_names(a, &task, 0);
    tell(a);
    if (bad)
        return;
    bad = sq_task_run_named(&task, "apply");
    if (sq_diags_mark(a->d) > a->told)
        tell(a);
    if (!bad)
        add_facts(a, &task);
}

/* ---- schedules ---- */

/* The description that is open in the editor, else the file; NULL after adding an error. */
static const char *read_description(analysis *a, const char *path, size_t *n)
{
    const sq_lsp_document *open = sq_lsp_document_at(a->s, path);
    if (open) {
        *n = open->n;
        return open->text;
    }
    if (!sq_file_exists(path)) {
        sq_warning(a->d, SQ_NOWHERE, "there is no '%s' beside it: its scripts are not checked",
                   path);
        return NULL;
    }
    return sq_file_read_regular(a->d, path, n);
}

/* Opens the description for a schedule and runs its stages. Its errors have places in another text:
 * one stands for them. */
static int open_description(analysis *a, sq_task *task, const sq_settings *o, const char *path,
                            const char *text, size_t n, const char *last)
{
    sq_diags *own = sq_diags_new();
    int bad = sq_task_open_text(task, o, path, text, n, own);
    if (!bad)
        bad = sq_task_run_named(task, last);
    if (bad)
        sq_error(a->d, SQ_FAULT_INPUT, SQ_NOWHERE, "%s: %s", path, sq_diags_message(own, 0));
    return bad;
}

static void analyse_script(analysis *a)
{
    sq_task task;
    size_t n = 0;
    const char *path = sq_lsp_description_of(a->x, a->o.arena);
    const char *text = read_description(a, path, &n);
    int bad = text ? open_description(a, &task, &a->o, path, text, n, "deps") : -1;
    if (!bad) {
        add_unit_names(a, &task, 1);
        a->o.schedule = a->x->path;
        task.schedule_text = a->x->text;
        task.d = a->d;
        bad = sq_task_run_named(&task, "apply");
    }
    tell(a);
    if (!bad)
        add_facts(a, &task);
}

/* The target of a class, as --target has it. */
static const char *target_of(const analysis *a, const char *class)
{
    for (const sq_target *t = sq_targets; t->name; t++)
        if (strcmp(t->machine, class) == 0)
            return t->grid ? sq_arena_printf(a->o.arena, "%s,arch=%s", t->name, t->grid->arch)
                           : t->name;
    return NULL;
}

static const sq_kernel *kernel_of(analysis *a, const sq_task *task, const sq_sched_entry *e)
{
    const char *names[SQ_MOST_KERNELS];
    int n = task->unit->nkernels;
    for (int i = 0; i < n; i++) {
        names[i] = task->unit->kernel[i]->name;
        if (strcmp(names[i], e->kernel) == 0)
            return task->unit->kernel[i];
    }
    sq_error(a->d, SQ_FAULT_INPUT, e->loc, "there is no kernel '%s' in %s", e->kernel, task->path);
    sq_suggest(a->d, e->kernel, sq_nearest(e->kernel, names, (size_t)n));
    return NULL;
}

/* The entry's script on its kernel at its sizes. -1: the description cannot be read. */
static int check_entry(analysis *a, const sq_sched_entry *e, const char *path, const char *text,
                       size_t n)
{
    sq_task task;
    sq_settings o = a->o;
    sq_fix fix[SQ_SCHED_SIZES];
    for (int i = 0; i < e->nsizes; i++)
        fix[i] = (sq_fix){e->size[i].name, e->size[i].value};
    o.fix = (sq_sizes){.n = e->nsizes, .fix = fix};
    if (open_description(a, &task, &o, path, text, n, "deps") != 0)
        return -1;
    const sq_kernel *k = kernel_of(a, &task, e);
    if (!k)
        return 0;
    add_names(a, k, e->loc.line, task.arena);
    sq_schedule *s = sq_schedule_new(k, task.arena);
    if (sq_script_apply_on(s, sq_task_script_in_place(&task, e), a->x->path, task.machine, task.arena, a->d) == 0 &&
        sq_sched_foreign(e, k, sq_hash_bytes(text, n).hex))
        sq_warning(a->d, e->loc, "made for another version of '%s'", k->name);
    return 0;
}

static int check_entries(analysis *a, const sq_sched_file *f, const char *path, const char *text,
                         size_t n)
{
    int bad = 0;
    for (int i = 0; i < f->n && i < SQ_LSP_MOST_ENTRIES && !bad; i++)
        bad = check_entry(a, &f->entry[i], path, text, n);
    if (f->n > SQ_LSP_MOST_ENTRIES)
        sq_warning(a->d, f->entry[SQ_LSP_MOST_ENTRIES].loc,
                   "checked while typing are the first %d entries; `squall compile` checks the one "
                   "that it takes",
                   SQ_LSP_MOST_ENTRIES);
    return bad;
}

static void analyse_sched(analysis *a)
{
    sq_task task;
    size_t n = 0;
    const sq_lsp_document *x = a->x;
    const char *path = sq_lsp_description_of(x, a->o.arena);
    const sq_sched_file *f = sq_sched_parse(x->path, x->text, x->n, a->o.arena, a->d);
    const char *text = f ? read_description(a, path, &n) : NULL;
    if (!text) {
        tell(a);
        return;
    }
    a->o.target = target_of(a, f->machine);
    int bad = a->o.target ? check_entries(a, f, path, text, n)
                          : sq_error(a->d, SQ_FAULT_INPUT, (sq_loc){.file = x->path},
                                     "there is no machine class '%s'", f->machine);
    tell(a);
    if (!bad && open_description(a, &task, &a->o, path, text, n, "apply") == 0)
        add_facts(a, &task);
}

/* Editors send all C files: those without regions are not ours. */
static void analyse_other(analysis *a)
{
    if (sq_scop_present(a->x->text, a->x->n))
        analyse_description(a);
    else
        tell(a);
}

void sq_lsp_analyse(const sq_lsp *s, const sq_lsp_document *x, FILE *to)
{
    static void (*const analyse[])(analysis *) = {
        [SQ_LSP_DESCRIPTION] = analyse_description,
        [SQ_LSP_SCHED] = analyse_sched,
        [SQ_LSP_SCRIPT] = analyse_script,
        [SQ_LSP_OTHER] = analyse_other,
    };
    analysis a = {.s = s, .x = x, .d = sq_diags_new(), .o = *s->o, .names = json_array(), .to = to};
    if (x->n > SQ_MOST_FILE_BYTES) {
        sq_error(a.d, SQ_FAULT_INPUT, SQ_NOWHERE, "this has more than %d bytes",
                 SQ_MOST_FILE_BYTES);
        tell(&a);
        return;
    }
    analyse[x->kind](&a);
}
