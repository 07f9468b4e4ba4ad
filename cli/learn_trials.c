/* Learn from trials: the store knows a kernel by its name and hash. Sizes that were constants are part of the hash, so
 * the description is opened anew for each row of sizes, with those constants, and every trial becomes the statements of
 * its point. Times are compared within one machine and compiler alone. */
#include "cli/constants.h"
#include "cli/learn.h"
#include "cli/problem.h"
#include "support/stats.h"
#include "tuner/tune_record.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A kernel at its sizes, of which there are trials. */
typedef struct kind {
    const char *hash, *sizes;
    struct kind *next;
} kind;

typedef struct trials {
    sq_learner *x;
    sq_measure m; /* the description as it is given */
    const char *path, *target;
    sq_db *db;
    const sq_kernel *k;
    kind *kinds; /* of k */
    long other;  /* kinds of other kernels of that name */
} trials;

static void note_kind(const sq_trial *row, void *user)
{
    trials *t = user;
    kind **at = &t->kinds;
    for (; *at; at = &(*at)->next)
        if (strcmp((*at)->hash, row->kernel_hash) == 0 && strcmp((*at)->sizes, row->sizes) == 0)
            return;
    *at = SQ_NEW(t->x->arena, kind);
    **at = (kind){sq_arena_strdup(t->x->arena, row->kernel_hash),
                  sq_arena_strdup(t->x->arena, row->sizes), NULL};
}

/* ---- the trials of a kind ---- */

typedef struct reading {
    trials *t;
    sq_problem *p;
    const char *label;
} reading;

static void take(const sq_trial *row, void *user)
{
    static float statement[SQ_STATEMENTS][SQ_STATEMENT];
    const reading *r = user;
    int point[SQ_MAX_COORDS];
    if (row->sample.status == SQ_INFEASIBLE || row->sample.status >= SQ_NSTATUSES ||
        !sq_record_place(row, &r->p->tune, point))
        return;
    bool good = row->sample.status == SQ_OK && row->sample.n > 0;
    int n = r->p->tune.features(r->p, point, statement);
    const char *task = sq_arena_printf(r->t->x->arena, "%s, %.8s, %.8s", r->label, row->machine,
                                       sq_hash_bytes(row->compiler, strlen(row->compiler)).hex);
    if (n > 0)
        sq_learner_point(r->t->x, sq_dataset_task(r->t->x->data, task), (const float(*)[SQ_STATEMENT])statement, n,
                         good ? sq_median(row->sample.times, (size_t)row->sample.n) : INFINITY,
                         r->p->tune.draft(r->p, point), row->script);
}

static const sq_kernel *named(const sq_unit *u, const char *name)
{
    for (int i = 0; i < u->nkernels; i++)
        if (strcmp(u->kernel[i]->name, name) == 0)
            return u->kernel[i];
    return NULL;
}

/* Of the description with the constants in hand. */
static int take_all(trials *t, const kind *x, sq_measure *m)
{
    int64_t *sizes;
    const sq_kernel *k = named(m->task.unit, t->k->name);
    if (!k || sq_measure_sizes(m, k, &sizes) != 1)
        return 0;
    sq_measure_name(m, k, sizes);
    reading r = {
        .t = t, .p = sq_problem_new(m, k, NULL, sizes, true), .label = sq_text_str(&m->label)};
    sq_trial like = {.kernel_hash = x->hash,
                     .sizes = x->sizes,
                     .target = t->target,
                     .machine_class = t->x->machine_class};
    return r.p && sq_store_sqlite.get(t->db, &like, take, &r, t->x->d) >= 0 ? 0 : -1;
}

/* Settings as the command line that made the trials had them. */
static int settings_for(const trials *t, const kind *x, const char *constants, sq_settings *s)
{
    const char **words = SQ_NEW_ARRAY(t->x->arena, const char *, 2);
    words[0] = t->path;
    words[1] = x->sizes;
    *s = *t->x->o;
    s->files = (sq_list){.n = 1, .item = words};
    s->at = (sq_list){.n = *x->sizes ? 1 : 0, .item = words + 1};
    s->fix = (sq_sizes){0};
    s->kernel = t->k->name;
    return *constants ? sq_sizes_parse(constants, &s->fix, t->x->arena, SQ_NOWHERE, t->x->d) : 0;
}

static int take_kind(trials *t, const kind *x)
{
    sq_settings s;
    sq_measure m;
    const char *constants = strcmp(x->hash, sq_kernel_hash(t->k).hex) == 0
                                ? ""
                                : sq_constants_of(&t->m.task, t->k->name, x->sizes, x->hash);
    t->other += !constants;
    if (!constants)
        return 0;
    if (settings_for(t, x, constants, &s) != 0)
        return -1;
    int rc = sq_measure_open_timed(&m, &s, t->x->d);
    rc = rc ? rc : take_all(t, x, &m);
    sq_measure_close(&m);
    return rc;
}

/* ---- a description ---- */

static int take_kernel(trials *t)
{
    sq_trial like = {
        .kernel = t->k->name, .target = t->target, .machine_class = t->x->machine_class};
    t->kinds = NULL;
    t->other = 0;
    int rc = sq_store_sqlite.get(t->db, &like, note_kind, t, t->x->d) < 0 ? -1 : 0;
    for (const kind *x = t->kinds; x && rc == 0; x = x->next)
        rc = take_kind(t, x);
    if (rc == 0 && t->other)
        sq_note(t->x->d, SQ_NOWHERE,
                "%s: trials at %ld row%s of sizes are of another kernel of this name, and left out",
                t->k->name, t->other, t->other == 1 ? "" : "s");
    return rc;
}

static int take_description(trials *t)
{
    sq_learner *x = t->x;
    const sq_tune_options o = sq_problem_options(&t->m);
    t->target = o.target;
    if (sq_learner_class(x, o.machine_class, t->path) != 0)
        return -1;
    t->db = sq_store_sqlite.open(x->o->store, x->d);
    int rc = t->db ? 0 : -1;
    for (int i = 0; i < t->m.task.unit->nkernels && rc == 0; i++) {
        t->k = t->m.task.unit->kernel[i];
        rc = take_kernel(t);
    }
    if (t->db)
        sq_store_sqlite.close(t->db);
    return rc;
}

int sq_learner_trials(sq_learner *x, const char *path)
{
    trials t = {.x = x, .path = path};
    sq_settings s = *x->o;
    s.files = (sq_list){.n = 1, .item = &t.path};
    int rc = sq_measure_open_timed(&t.m, &s, x->d);
    rc = rc ? rc : take_description(&t);
    sq_measure_close(&t.m);
    return rc;
}
