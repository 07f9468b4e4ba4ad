/* Provenance: the comment at the head of an emitted file, from which anyone can make it again and
 * see whether it is stale. Made of what decides the bytes and nothing else: no date, host, user or
 * absolute path, and the command normalised, so that two people who generate the same file in
 * different folders get the same bytes. */
#include "cli/task.h"
#include "support/file.h"
#include "support/version.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* `path` below `front` -> the rest, without its slash; NULL if it is not below. */
static const char *below(const char *path, const char *front, size_t n)
{
    while (n > 0 && front[n - 1] == '/')
        n--;
    if (n == 0 || strncmp(path, front, n) != 0 || path[n] != '/')
        return NULL;
    return path + n + 1;
}

static const char *below_root(const sq_task *task, const char *path)
{
    if (!task->o->root)
        return NULL;
    char *root = realpath(task->o->root, NULL), *full = realpath(path, NULL);
    const char *rest = root && full ? below(full, root, strlen(root)) : NULL;
    rest = rest ? sq_arena_strdup(task->arena, rest) : NULL;
    free(root);
    free(full);
    return rest;
}

const char *sq_task_path(const sq_task *task, const char *path)
{
    const char *rest = below_root(task, path);
    if (rest)
        return rest;
    for (int i = 0; i < task->o->prefix_map.n; i++) {
        const char *map = task->o->prefix_map.item[i], *equals = strchr(map, '=');
        rest = equals ? below(path, map, (size_t)(equals - map)) : NULL;
        if (rest)
            return sq_arena_printf(task->arena, "%s%s%s", equals + 1, equals[1] ? "/" : "", rest);
    }
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* One word of a command line: quoted if the shell would see more than one in it. */
static void put_word(sq_text *to, const char *flag, const char *word)
{
    bool plain = sq_is_shell_word(word);
    sq_text_printf(to, " %s%s", flag, plain ? "" : "'");
    for (const char *p = word; *p; p++)
        sq_text_putn(to, *p == '\n' || *p == '\'' ? " " : p, 1);
    sq_text_puts(to, plain ? "" : "'");
}

static void put_list(sq_text *to, const char *flag, const sq_list *list)
{
    for (int i = 0; i < list->n; i++)
        put_word(to, flag, list->item[i]);
}

/* " --fix=M=512", and in quotes what has several values, since a shell has a use for their strokes. */
static void put_sizes(sq_text *to, const char *flag, const sq_sizes *sizes)
{
    const char *quote = sizes->nsets ? "'" : "";
    for (int i = 0; i < sizes->n; i++)
        sq_text_printf(to, "%s%s%s=%lld", i ? "," : flag, i ? "" : quote, sizes->fix[i].name,
                       (long long)sizes->fix[i].value);
    for (int i = 0; i < sizes->nsets; i++) {
        bool first = sizes->n == 0 && i == 0;
        sq_text_printf(to, "%s%s%s=", first ? flag : ",", first ? quote : "", sizes->set[i].name);
        for (int v = 0; v < sizes->set[i].n; v++)
            sq_text_printf(to, "%s%lld", v ? "|" : "", (long long)sizes->set[i].value[v]);
    }
    sq_text_puts(to, quote);
}

static void put_target(const sq_task *task, sq_text *to)
{
    const sq_target *t = task->target;
    if (!task->nsections)
        sq_text_printf(to, " --target=%s%s%s", t->name, t->grid ? ",arch=" : "",
                       t->grid ? t->grid->arch : "");
    for (int i = 0; i < task->nsections; i++)
        sq_text_printf(to, "%s%s", i ? "," : " --targets=", task->section[i].target->name);
    sq_text_printf(to, "%s%s", task->tasks ? ",tasks" : task->openmp ? ",openmp" : "",
                   task->o->target_names ? " --target-names" : "");
}

/* Only what decides the bytes, in one order, whatever the order and form it was given in. */
static void put_command(const sq_task *task, sq_text *to)
{
    const sq_settings *o = task->o;
    sq_text_puts(to, "  squall compile");
    put_word(to, "", sq_task_path(task, task->path));
    if (task->output_name)
        put_word(to, "-o ", task->output_name);
    if (task->header_include)
        put_word(to, "--header=", task->header_include);
    if (o->single_header)
        put_word(to, "--single-header=", sq_task_path(task, o->single_header));
    if (o->prefix)
        put_word(to, "--prefix=", o->prefix);
    if (o->is_static)
        sq_text_puts(to, " --static");
    if (o->is_freestanding)
        sq_text_puts(to, " --freestanding");
    if (o->has_views)
        sq_text_puts(to, " --views");
    if (o->visibility)
        sq_text_printf(to, " --visibility=%s", sq_visibility_word((sq_visibility)o->visibility));
    if (o->errors)
        sq_text_puts(to, " --errors=return");
    if (o->spdx)
        put_word(to, "--spdx=", o->spdx);
    put_sizes(to, " --fix=", &o->fix);
    put_list(to, "--at=", &o->at);
    if (o->kernel)
        put_word(to, "--kernel=", o->kernel);
    for (int i = 0; i < o->include.n; i++)
        put_word(to, "-I", sq_task_path(task, o->include.item[i]));
    put_list(to, "-D", &o->define);
    put_list(to, "-U", &o->undefine);
    if (o->standard)
        put_word(to, "-std=", o->standard);
    put_target(task, to);
    if (strcmp(task->machine->name, task->target->machine) != 0)
        put_word(to, "--machine=",
                 task->device_path ? sq_task_path(task, task->device_path) : task->machine->name);
    if (o->schedule)
        put_word(to, "--schedule=", sq_task_path(task, o->schedule));
    put_list(to, "-e ", &o->script);
    if (o->clang.n)
        sq_text_puts(to, " --");
    put_list(to, "", &o->clang);
    sq_text_puts(to, "\n");
}

/* The length of a comment or a run of blanks at s; 0: what stands there is code. */
static size_t gap_at(const char *s, const char *end)
{
    const char *p = s;
    if (end - s > 1 && s[0] == '/' && s[1] == '*') {
        for (p += 2; p < end && !(p[-1] == '*' && p[0] == '/' && p - s > 2);)
            p++;
        return (size_t)(p - s) + (p < end);
    }
    if (end - s > 1 && s[0] == '/' && s[1] == '/') {
        while (p < end && (*p != '\n' || p[-1] == '\\'))
            p++;
        return (size_t)(p - s);
    }
    while (p < end && strchr(" \t\n\f\v", *p) && *p)
        p++;
    return (size_t)(p - s);
}

/* The length of a literal, a word or a number (with the separators of C23: 1'000); else 1. */
static size_t token_at(const char *s, const char *end)
{
    const char *p = s + 1;
    bool number = isdigit((unsigned char)*s) != 0;
    if (*s == '"' || *s == '\'') {
        for (; p < end && *p != *s && *p != '\n'; p++)
            p += *p == '\\' && p + 1 < end;
        return (size_t)(p - s) + (p < end);
    }
    if (number || isalpha((unsigned char)*s) || *s == '_')
        while (p < end && (isalnum((unsigned char)*p) || *p == '_' ||
                           (number && *p == '\'' && p + 1 < end && isalnum((unsigned char)p[1]))))
            p++;
    return (size_t)(p - s);
}

/* The text without what no compiler sees: a comment, like any run of blanks, is one blank, or one
 * end of a line where it has one. Whole where the number of a line is a value, or lines end as those
 * of DOS, where a continued one is not told from another by its last two bytes. */
static void put_code(const char *s, size_t n, sq_text *to)
{
    size_t start = to->n;
    char gap = 0;
    if (memchr(s, '\r', n) || memmem(s, n, "__LINE__", 8)) {
        sq_text_putn(to, s, n);
        return;
    }
    for (const char *end = s + n; s < end;) {
        size_t span = gap_at(s, end);
        if (span) {
            bool line = *s != '/' && memchr(s, '\n', span);
            gap = line || gap == '\n' ? '\n' : ' ';
            s += span;
            continue;
        }
        if (gap && to->n > start)
            sq_text_putn(to, &gap, 1);
        span = token_at(s, end);
        sq_text_putn(to, s, span);
        gap = 0;
        s += span;
    }
}

/* Of the code of the description and of every file it includes, one after the other. */
static sq_hash hash_sources(const sq_task *task)
{
    sq_text all = {0};
    put_code(task->text, task->ntext, &all);
    for (int i = 1; i < task->unit->ndeps; i++) {
        size_t n = 0;
        size_t mark = sq_diags_mark(task->d);
        char *text = sq_file_read(task->d, task->unit->dep[i], &n);
        sq_diags_rewind(task->d, mark); /* gone since it was parsed: hashed as empty */
        sq_text_putn(&all, "", 1);      /* a zero between files */
        put_code(text ? text : "", n, &all);
        free(text);
    }
    sq_hash h = sq_hash_bytes(all.s, all.n);
    sq_text_free(&all);
    return h;
}

/* Nothing in it may end the comment it will stand in. */
static void make_harmless(char *s)
{
    for (; *s; s++) {
        if ((s[0] == '*' && s[1] == '/') || (s[0] == '/' && s[1] == '*'))
            s[1] = '_';
        if (s[0] == '\\' && s[1] == '\n')
            s[0] = '_';
    }
}

const char *sq_origin_name(sq_origin origin)
{
    static const char *const name[SQ_NORIGINS] = {"first choice of the model, untuned",
                                                  "given with -e",
                                                  "given with --schedule",
                                                  "tuned",
                                                  "chosen by the model, not measured",
                                                  "the order written, untuned"};
    return name[origin];
}

/* Where the schedules of a file came from. */
typedef struct origins {
    bool any, mixed;
    sq_origin origin;
    const char *tuned; /* the .sched file of those that are */
    sq_text names;     /* of the kernels that are, where others are not: "gemm for avx2 (gemm.avx2.sched)" */
    bool has_others, mixed_others;
    sq_origin other; /* of those that are not */
} origins;

static void add_origin(const sq_task_variant *x, origins *to)
{
    to->mixed |= to->any && to->origin != x->origin;
    to->origin = x->origin;
    to->any = true;
    if (x->origin == SQ_FROM_TUNED) {
        to->tuned = x->tuned ? x->tuned : to->tuned;
        return;
    }
    to->mixed_others |= to->has_others && to->other != x->origin;
    to->has_others = true;
    to->other = x->origin;
}

/* target: NULL where the file has one. */
static void add_origins(const sq_task *task, const sq_task_variants *all, int kernel, const sq_target *target,
                        origins *to)
{
    const char *file = NULL;
    for (int v = 0; v < all->n; v++) {
        add_origin(&all->of[v], to);
        file = all->of[v].origin == SQ_FROM_TUNED ? all->of[v].tuned : file;
    }
    if (!file)
        return;
    sq_text_printf(&to->names, "%s%s", to->names.n ? ", " : "", task->unit->kernel[kernel]->name);
    if (target)
        sq_text_printf(&to->names, " for %s", target->name);
    sq_text_printf(&to->names, " (%s)", sq_task_path(task, file));
}

/* "tuned (gemm.avx2.sched)", "first choice of the model, untuned"; "" where there is nothing to say. */
static const char *origin_text(const sq_task *task)
{
    origins o = {0};
    for (int i = 0; i < task->unit->nkernels && task->variants; i++) {
        if (!task->nsections)
            add_origins(task, &task->variants[i], i, NULL, &o);
        for (int s = 0; s < task->nsections; s++)
            add_origins(task, &task->section[s].variants[i], i, task->section[s].target, &o);
    }
    const char *text = "";
    if (o.any && !o.mixed)
        text = o.tuned && !task->nsections ? sq_arena_printf(task->arena, ", tuned (%s)", sq_task_path(task, o.tuned))
               : o.names.n                 ? sq_arena_printf(task->arena, ", tuned: %s", sq_text_str(&o.names))
                                           : sq_arena_printf(task->arena, ", %s", sq_origin_name(o.origin));
    else if (o.names.n)
        text = sq_arena_printf(task->arena, ", tuned: %s; the others: %s", sq_text_str(&o.names),
                               o.mixed_others ? "not tuned" : sq_origin_name(o.other));
    sq_text_free(&o.names);
    return text;
}

static void add_where(const sq_task *task, const sq_task_variants *all, sq_text *to)
{
    for (int v = 0; v < all->n; v++) {
        const sq_task_variant *x = &all->of[v];
        if (x->origin != SQ_FROM_TUNED || !x->where)
            continue;
        const char *line = sq_arena_printf(task->arena, "  # tuned: %s\n", x->where);
        if (!strstr(sq_text_str(to), line))
            sq_text_puts(to, line);
    }
}

/* When and on what the schedules were tuned, as their file says: once, where it is the same for all. */
static void put_where(const sq_task *task, sq_text *to)
{
    sq_text lines = {0};
    for (int i = 0; i < task->unit->nkernels && task->variants; i++)
        for (int s = 0; s < (task->nsections ? task->nsections : 1); s++)
            add_where(task, &(task->nsections ? task->section[s].variants : task->variants)[i], &lines);
    sq_text_puts(to, sq_text_str(&lines));
    sq_text_free(&lines);
}

const char *sq_task_provenance(sq_task *task)
{
    sq_text t = {0};
    if (task->o->spdx)
        sq_text_printf(&t, "SPDX-License-Identifier: %s\n", task->o->spdx);
    sq_text_printf(&t,
                   "Written by squall %s from %s: change that, not this. It belongs to its "
                   "user.\n",
                   SQ_VERSION, sq_task_path(task, task->path));
    put_command(task, &t);
    sq_hash script = sq_hash_bytes(sq_text_str(&task->script), task->script.n);
    sq_text_printf(&t, "  source %s, schedule %s\n", hash_sources(task).hex, script.hex);
    sq_text_printf(&t, "Schedule%s:\n", origin_text(task));
    put_where(task, &t);
    for (const char *p = sq_text_str(&task->script); *p;) {
        size_t n = strcspn(p, "\n");
        sq_text_printf(&t, "  %.*s\n", (int)n, p);
        p += n + (p[n] == '\n');
    }
    if (task->is_guessed)
        sq_text_puts(&t, "  Untuned ones are for sizes of some hundreds, since no --at and no tune line says "
                         "others.\n");
    char *text = sq_arena_strndup(task->arena, t.s, t.n - 1); /* the comment's end follows it */
    sq_text_free(&t);
    make_harmless(text);
    return text;
}
