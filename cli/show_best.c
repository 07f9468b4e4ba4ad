/* squall show best: the fastest trials in the store. A topic of cli/show.c. */
#include "cli/measure.h"
#include "cli/show.h"
#include "support/file.h"
#include "support/stats.h"
#include "tuner/store/sched_file.h"
#include "tuner/store/store.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The fastest trial of each target, machine and vector of sizes. */
typedef struct best {
    sq_arena *arena;
    const sq_sizes *at; /* only trials at one of these */
    const char *target; /* only those of this one; NULL: of all */
    int nat, n, room;
    struct row {
        const char *sizes, *target, *machine, *script;
        double seconds;
        long trials;
    } * row; /* n of them, in the arena */
} best;

/* True if sizes such as "M=512,N=512" include all those given. */
static bool is_at(const char *sizes, const sq_sizes *at)
{
    for (int i = 0; i < at->n; i++) {
        char word[200];
        int n = snprintf(word, sizeof word, "%s=%" PRId64, at->fix[i].name, at->fix[i].value);
        const char *p = sizes;
        while (strncmp(p, word, (size_t)n) != 0 || (p[n] && p[n] != ',')) {
            p = strchr(p, ',');
            if (!p)
                return false;
            p++;
        }
    }
    return true;
}

static bool is_wanted(const best *b, const sq_row *r)
{
    bool wanted = b->nat == 0;
    for (int i = 0; i < b->nat; i++)
        wanted |= is_at(r->sizes, &b->at[i]);
    wanted &= !b->target || strcmp(r->target, b->target) == 0;
    return wanted && r->sample.status == SQ_OK && r->sample.n > 0;
}

static void keep_best(const sq_row *r, void *user)
{
    best *b = user;
    int i = 0;
    if (!is_wanted(b, r))
        return;
    double seconds = sq_median(r->sample.times, (size_t)r->sample.n);
    while (i < b->n && (strcmp(b->row[i].sizes, r->sizes) || strcmp(b->row[i].target, r->target) ||
                        strcmp(b->row[i].machine, r->machine)))
        i++;
    if (i == b->room) {
        struct row *more = SQ_NEW_ARRAY(b->arena, struct row, b->room = 2 * b->room + 16);
        if (b->n)
            memcpy(more, b->row, (size_t)b->n * sizeof *more);
        b->row = more;
    }
    if (i == b->n)
        b->row[b->n++] = (struct row){sq_arena_strdup(b->arena, r->sizes),
                                      sq_arena_strdup(b->arena, r->target),
                                      sq_arena_strdup(b->arena, r->machine),
                                      "",
                                      INFINITY,
                                      0};
    b->row[i].trials++;
    if (seconds >= b->row[i].seconds)
        return;
    b->row[i].seconds = seconds;
    b->row[i].script = sq_arena_strdup(b->arena, r->script);
}

/* Trials of kernels of the same name that compute something else: constants are part of that. */
typedef struct others {
    const best *b;
    const char *hash, *sizes; /* the kernel's own; those of the last one */
    long n;
} others;

static void count_other(const sq_row *r, void *user)
{
    others *o = user;
    if (strcmp(r->kernel_hash, o->hash) == 0 || !is_wanted(o->b, r))
        return;
    o->n++;
    o->sizes = sq_arena_strdup(o->b->arena, r->sizes);
}

/* Where sizes were constants or were none, whoever asks the other way round sees nothing. */
static int print_others(sq_task *task, const sq_kernel *k, sq_db *db, const best *b, sq_text *to)
{
    sq_hash hash = sq_kernel_hash(k);
    others o = {.b = b, .hash = hash.hex};
    sq_row like = {.kernel = k->name};
    bool is_fixed = false;
    if (!db || sq_store_sqlite.get(db, &like, count_other, &o, task->d) < 0)
        return db ? -1 : 0;
    for (int s = 0; s < k->nsizes; s++)
        is_fixed |= k->size[s]->fixed;
    if (o.n)
        sq_text_line(to,
                     "%s: %ld other trial%s of a kernel of this name with other constants, or that "
                     "computes something else",
                     k->name, o.n, o.n == 1 ? "" : "s");
    if (o.n && *o.sizes)
        sq_text_line(to, "  to see the last, if it is of this one: %s--fix=%s",
                     is_fixed ? "without --fix, or with " : "", o.sizes);
    return 0;
}

static json_t *best_of(const best *b, const sq_kernel *k, sq_text *to)
{
    json_t *list = json_array();
    if (b->n == 0)
        sq_text_line(to, "%s: no trials %s%s%sin the store", k->name,
                     b->nat ? "at these sizes " : "", b->target ? "for " : "",
                     b->target ? sq_arena_printf(b->arena, "%s ", b->target) : "");
    for (int i = 0; i < b->n; i++) {
        const struct row *r = &b->row[i];
        bool is_predicted = strncmp(r->machine, "model of ", 9) == 0; /* cli/measure.c says so */
        sq_text_line(to, "%s at %s, %s, %s%.*s: %.4g ms, best of %ld trials", k->name,
                     *r->sizes ? r->sizes : "*", r->target,
                     is_predicted ? "not measured, " : "machine ", is_predicted ? 60 : 8,
                     r->machine, 1e3 * r->seconds, r->trials);
        sq_text_line(to, "  %s", r->script);
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:s, s:f, s:I, s:s}", "kernel", k->name, "sizes",
                            r->sizes, "target", r->target, "machine", r->machine, "seconds",
                            r->seconds, "trials", (json_int_t)r->trials, "script", r->script));
    }
    return list;
}

/* What --at says, each of its sizes one of the kernel's. NULL after adding an error. */
static const sq_sizes *wanted_sizes(sq_task *task, const sq_kernel *k)
{
    const sq_list *list = &task->o->at;
    sq_loc loc = sq_settings_loc(task->o, "at");
    sq_sizes *at = SQ_NEW_ARRAY(task->arena, sq_sizes, list->n + 1);
    for (int i = 0; i < list->n; i++) {
        if (sq_sizes_parse(list->item[i], &at[i], task->arena, loc, task->d) != 0 ||
            sq_measure_check_names(task, k, &at[i]) != 0)
            return NULL;
    }
    return at;
}

/* db: NULL where nobody recorded anything yet. */
static int show_best(sq_task *task, int i, sq_db *db, sq_text *to, json_t *all)
{
    const sq_kernel *k = task->unit->kernel[i];
    best *b = SQ_NEW(task->arena, best);
    sq_hash hash = sq_kernel_hash(k);
    sq_row like = {.kernel_hash = hash.hex};
    b->arena = task->arena;
    b->nat = task->o->at.n;
    if (task->o->target)
        b->target =
            sq_arena_printf(task->arena, "%s%s", task->target->name, task->openmp ? ",openmp" : "");
    b->at = wanted_sizes(task, k);
    if (!b->at || (db && sq_store_sqlite.get(db, &like, keep_best, b, task->d) < 0))
        return -1;
    json_t *list = best_of(b, k, to);
    json_array_extend(all, list);
    json_decref(list);
    return print_others(task, k, db, b, to);
}

int sq_show_best(sq_task *task, sq_text *to, json_t *json)
{
    char place[PATH_MAX];
    sq_db *db = NULL;
    if (sq_task_run_named(task, "deps") != 0) /* as far as tune: later stages learn of a kernel */
        return -1;
    sq_store_default_path(place, sizeof place);
    const char *store = task->o->store ? task->o->store : place;
    bool is_there = sq_file_exists(store); /* one that is not is not made to be looked at */
    errno = ENOENT;
    if (!is_there && task->o->store)
        return sq_file_refuse(task->d, "read", store);
    if (is_there && !(db = sq_store_sqlite.open(store, task->d)))
        return -1;
    json_t *all = json_array();
    int bad = 0;
    for (int i = 0; i < task->unit->nkernels && !bad; i++)
        bad = show_best(task, i, db, to, all);
    sq_store_sqlite.close(db);
    if (json)
        json_object_set(json, "best", all);
    json_decref(all);
    return bad ? -1 : 0;
}
