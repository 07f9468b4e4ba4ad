/* squall show best: the fastest trials in the store. A topic of cli/show.c. */
#include "cli/constants.h"
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

static bool is_wanted(const best *b, const sq_trial *r)
{
    bool wanted = b->nat == 0;
    for (int i = 0; i < b->nat; i++)
        wanted |= is_at(r->sizes, &b->at[i]);
    wanted &= !b->target || strcmp(r->target, b->target) == 0;
    return wanted && r->sample.status == SQ_OK && r->sample.n > 0;
}

static void keep_best(const sq_trial *r, void *user)
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

/* ---- trials with other constants ---- */

enum { MOST_OTHERS = 64 };

/* A kernel of the same name that computes something else: constants are part of that. */
typedef struct other {
    const char *hash, *sizes; /* of one of its trials */
    const char *fix;          /* the constants with which it is this one: "M=512,N=512"; NULL: it is another one */
    long n;
} other;

typedef struct others {
    const best *b;
    const char *hash; /* of the kernel itself */
    int n;
    other of[MOST_OTHERS];
} others;

static void note_other(const sq_trial *r, void *user)
{
    others *o = user;
    int i = 0;
    if (strcmp(r->kernel_hash, o->hash) == 0 || !is_wanted(o->b, r))
        return;
    while (i < o->n && strcmp(o->of[i].hash, r->kernel_hash) != 0)
        i++;
    if (i == MOST_OTHERS)
        return;
    if (i == o->n)
        o->of[o->n++] = (other){.hash = sq_arena_strdup(o->b->arena, r->kernel_hash)};
    o->of[i].sizes = sq_arena_strdup(o->b->arena, r->sizes);
    o->of[i].n++;
}

/* fix: its constants that --fix did not say; NULL: none. */
static json_t *best_of(const best *b, const sq_kernel *k, const char *fix, sq_text *to)
{
    json_t *list = json_array();
    const char *with = fix ? sq_arena_printf(b->arena, " with --fix=%s", fix) : "";
    for (int i = 0; i < b->n; i++) {
        const struct row *r = &b->row[i];
        bool is_predicted = strncmp(r->machine, "model of ", 9) == 0; /* cli/measure.c says so */
        sq_text_line(to, "%s at %s%s, %s, %s%.*s: %.4g ms, best of %ld trials", k->name, *r->sizes ? r->sizes : "*",
                     with, r->target, is_predicted ? "not measured, " : "machine ", is_predicted ? 60 : 8, r->machine,
                     1e3 * r->seconds, r->trials);
        sq_text_line(to, "  %s", r->script);
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:s, s:f, s:I, s:s}", "kernel", k->name, "sizes",
                            r->sizes, "target", r->target, "machine", r->machine, "seconds",
                            r->seconds, "trials", (json_int_t)r->trials, "script", r->script));
        if (fix)
            json_object_set_new(json_array_get(list, json_array_size(list) - 1), "fix", json_string(fix));
    }
    return list;
}

/* What --at says. NULL after adding an error. */
static const sq_sizes *wanted_sizes(sq_task *task)
{
    const sq_list *list = &task->o->at;
    sq_loc loc = sq_settings_loc(task->o, "at");
    sq_sizes *at = SQ_NEW_ARRAY(task->arena, sq_sizes, list->n + 1);
    for (int i = 0; i < list->n; i++) {
        if (sq_sizes_parse(list->item[i], &at[i], task->arena, loc, task->d) != 0)
            return NULL;
    }
    return at;
}

/* Those of a kernel by its hash, with the constants that make it this one. */
static int list_with(sq_task *task, const sq_kernel *k, sq_db *db, const best *b, const other *o, sq_text *to,
                     json_t *all)
{
    best found = {.arena = b->arena, .at = b->at, .target = b->target, .nat = b->nat};
    sq_trial like = {.kernel_hash = o->hash};
    if (sq_store_sqlite.get(db, &like, keep_best, &found, task->d) < 0)
        return -1;
    json_t *list = best_of(&found, k, o->fix, to);
    json_array_extend(all, list);
    json_decref(list);
    return 0;
}

/* Those with other constants than --fix says; how many are of another kernel. */
static int show_others(sq_task *task, const sq_kernel *k, sq_db *db, const best *b, sq_text *to, json_t *all)
{
    sq_hash hash = sq_kernel_hash(k);
    others *o = SQ_NEW(b->arena, others);
    sq_trial like = {.kernel = k->name};
    long rest = 0;
    bool given = task->o->fix.n + task->o->fix.nsets > 0;
    *o = (others){.b = b, .hash = hash.hex};
    if (!db || sq_store_sqlite.get(db, &like, note_other, o, task->d) < 0)
        return db ? -1 : 0;
    for (int i = 0; i < o->n; i++) {
        o->of[i].fix = given ? NULL : sq_constants_of(task, k->name, o->of[i].sizes, o->of[i].hash);
        if (!o->of[i].fix)
            rest += o->of[i].n;
        else if (list_with(task, k, db, b, &o->of[i], to, all) != 0)
            return -1;
    }
    if (rest && task->set == 0)
        sq_text_line(to, "%s: %ld other trial%s of a kernel of this name%s", k->name, rest, rest == 1 ? "" : "s",
                     given ? ": without --fix, those of this one are shown with their constants"
                           : " that computes something else");
    return 0;
}

/* " at K=64": which of several constants are meant. */
static const char *set_text(const sq_kernel *k, sq_arena *arena)
{
    const char *text = "";
    for (int s = 0; s < k->nsizes; s++)
        if (k->size[s]->kept)
            text = sq_arena_printf(arena, "%s%s%s=%" PRId64, text, *text ? "," : " at ", k->size[s]->name,
                                   k->size[s]->value);
    return text;
}

/* db: NULL where nobody recorded anything yet. */
static int show_best(sq_task *task, int i, sq_db *db, sq_text *to, json_t *all)
{
    const sq_kernel *k = task->unit->kernel[i];
    best *b = SQ_NEW(task->arena, best);
    sq_hash hash = sq_kernel_hash(k);
    sq_trial like = {.kernel_hash = hash.hex};
    size_t before = json_array_size(all);
    b->arena = task->arena;
    b->nat = task->o->at.n;
    if (task->o->target)
        b->target =
            sq_arena_printf(task->arena, "%s%s", task->target->name, task->openmp ? ",openmp" : "");
    b->at = wanted_sizes(task);
    if (!b->at || (db && sq_store_sqlite.get(db, &like, keep_best, b, task->d) < 0))
        return -1;
    json_t *list = best_of(b, k, NULL, to);
    json_array_extend(all, list);
    json_decref(list);
    sq_text more = {0};
    if (show_others(task, k, db, b, &more, all) != 0)
        return -1;
    if (json_array_size(all) == before)
        sq_text_line(to, "%s%s: no trials %s%s%sin the store", k->name, set_text(k, b->arena),
                     b->nat ? "at these sizes " : "", b->target ? "for " : "",
                     b->target ? sq_arena_printf(b->arena, "%s ", b->target) : "");
    sq_text_puts(to, sq_text_str(&more));
    sq_text_free(&more);
    return 0;
}

typedef struct showing {
    sq_db *db;
    sq_text *to;
    json_t *all;
} showing;

static int show_set(sq_task *task, void *user)
{
    const showing *x = user;
    int bad = 0;
    for (int i = 0; i < task->unit->nkernels && !bad; i++)
        bad = show_best(task, i, x->db, x->to, x->all);
    return bad;
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
    int bad = sq_sets_each(task, show_set, &(showing){db, to, all});
    sq_store_sqlite.close(db);
    if (json)
        json_object_set(json, "best", all);
    json_decref(all);
    return bad ? -1 : 0;
}
