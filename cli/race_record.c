/* Race record: see race_record.h. The space is made thin, every point of it becomes a script, and each script is
 * measured once, in random order: what drifts on the machine then hits all alike. */
#include "cli/race_record.h"
#include "cli/problem.h"
#include "cli/simulated_task.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/interrupt.h"
#include "tuner/landscape.h"
#include "tuner/thin.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINTS = 4096 }; /* without --points and --schedules */

typedef struct record {
    sq_measure *m;
    sq_simulated_task simulated;
    const sq_kernel *kernel; /* as the model runs it; NULL: it is measured */
    const sq_tune_problem *problem;
    sq_landscape l;
    int *slot; /* of scripts, by their hash: number of the candidate and 1; 0: none */
    int nslots;
    int nknown;
} record;

/* ---- the space ---- */

/* True if the points that the model does not rule out have more schedules than that. */
static bool has_more(const sq_tune_problem *p, long most)
{
    long n = 0;
    int npoints = (int)sq_space_size(p->space), point[SQ_MAX_COORDS];
    sq_seen *seen = sq_seen_new(p->space);
    for (int i = 0; i < npoints && n <= most && !sq_interrupt_signal(); i++) {
        sq_landscape_point(p->space, i, point);
        n += isfinite(p->draft(p->user, point)) && sq_seen_add(seen, point);
    }
    sq_seen_free(seen);
    return n > most;
}

/* The largest space, within a twentieth, whose schedules are at most as many as asked for. */
static sq_tune_problem *thin_to_schedules(const sq_tune_problem *whole, int points, long most, sq_arena *arena)
{
    static const double near = 1.05;
    sq_tune_problem *p = sq_thin_new(whole, points, arena);
    double low = 1, high = points;
    if (!has_more(p, most))
        return p;
    while (high > near * low) {
        double middle = sqrt(low * high);
        bool is_more = has_more(sq_thin_new(whole, (int)middle, arena), most);
        low = is_more ? low : middle;
        high = is_more ? middle : high;
    }
    return sq_thin_new(whole, (int)low, arena);
}

/* What --points and --schedules leave of the space. */
static sq_tune_problem *thin(const sq_measure *m, const sq_tune_problem *whole)
{
    const sq_settings *o = &m->settings;
    int points = o->points ? (int)o->points : o->schedules ? SQ_LANDSCAPE_POINTS : POINTS;
    return o->schedules ? thin_to_schedules(whole, points, (long)o->schedules, m->task.arena)
                        : sq_thin_new(whole, points, m->task.arena);
}

/* ---- candidates ---- */

/* The slot of a script, which may be empty. */
static int *slot_of(const record *r, const char *script)
{
    int i = (int)(sq_hash64(script, strlen(script)) % (unsigned)r->nslots);
    while (r->slot[i] && strcmp(r->l.of[r->slot[i] - 1].script, script) != 0)
        i = (i + 1) % r->nslots;
    return &r->slot[i];
}

static sq_landscape_candidate new_candidate(const record *r, const int *point, const char *script)
{
    static float row[SQ_STATEMENTS][SQ_STATEMENT];
    sq_arena *arena = r->m->task.arena;
    int n = r->problem->features(r->problem->user, point, row);
    sq_landscape_candidate c = {.script = sq_arena_strdup(arena, script), .status = SQ_NSTATUSES, .nrows = n};
    c.row = sq_arena_alloc(arena, (size_t)n * sizeof *row + 1);
    memcpy(c.row, row, (size_t)n * sizeof *row);
    return c;
}

static int candidate_of(record *r, const int *point, const char *script)
{
    int *slot = slot_of(r, script);
    if (*slot == 0) {
        r->l.of[r->l.ncandidates] = new_candidate(r, point, script);
        *slot = ++r->l.ncandidates;
    }
    return *slot - 1;
}

/* Scripts of all points that the model does not rule out. */
static void find_candidates(record *r)
{
    sq_landscape *l = &r->l;
    sq_arena *arena = r->m->task.arena;
    l->space = *r->problem->space;
    l->npoints = (int)sq_space_size(&l->space);
    l->candidate = SQ_NEW_ARRAY(arena, int, l->npoints);
    l->draft = SQ_NEW_ARRAY(arena, double, l->npoints);
    l->of = SQ_NEW_ARRAY(arena, sq_landscape_candidate, l->npoints);
    r->nslots = 2 * l->npoints + 1;
    r->slot = SQ_NEW_ARRAY(arena, int, r->nslots);
    for (int i = 0; i < l->npoints && !sq_interrupt_signal(); i++) {
        int point[SQ_MAX_COORDS];
        sq_text script = {0};
        sq_landscape_point(&l->space, i, point);
        l->draft[i] = r->problem->draft(r->problem->user, point);
        bool made = isfinite(l->draft[i]) && r->problem->script(r->problem->user, point, &script) == 0;
        l->candidate[i] = made ? candidate_of(r, point, sq_text_str(&script)) : -1;
        sq_text_free(&script);
    }
}

/* ---- measuring ---- */

static void on_progress(const sq_tune_state *s, const sq_tune_trial *t, void *user)
{
    record *r = user;
    int candidate = t && t->point ? r->l.candidate[sq_landscape_number(&r->l.space, t->point)] : -1;
    if (candidate >= 0 && r->l.of[candidate].status == SQ_NSTATUSES) {
        bool good = t->sample->status == SQ_OK;
        r->l.of[candidate].status = good && !(t->seconds > 0) ? SQ_LOST : t->sample->status;
        r->l.of[candidate].seconds = good ? t->seconds : 0;
        r->nknown++;
    }
    double gain = s->best_seconds > 0 ? s->start_seconds / s->best_seconds : 1;
    sq_progress_show(&r->m->progress, "%s  recorded %d of %d schedules  best %.2fx the start",
                     sq_text_str(&r->m->label), r->nknown, r->l.ncandidates, gain);
}

static int measure(record *r, const sq_kernel *k, const int64_t *sizes, sq_tune_state *state)
{
    sq_measure *m = r->m;
    sq_tune_options o = sq_problem_options(m);
    o.search = &sq_search_random;
    o.run.simulated = r->kernel;
    o.progress = on_progress;
    o.user = r;
    int rc = sq_tune(k, sizes, r->problem, &o, state, m->task.arena, m->task.d);
    sq_progress_close(&m->progress);
    return rc;
}

static int refuse_part(const record *r)
{
    const char *label = sq_text_str(&r->m->label);
    if (!sq_interrupt_signal())
        return sq_error(r->m->task.d, SQ_FAULT_WORLD, SQ_NOWHERE,
                        "%s: %d of %d schedules were measured, which is no landscape: nothing is written", label,
                        r->nknown, r->l.ncandidates);
    fprintf(stderr, "%s: interrupted after %d of %d schedules: nothing is written\n", label, r->nknown,
            r->l.ncandidates);
    return -1;
}

static int write_file(record *r, const sq_tune_state *state)
{
    const sq_measure *m = r->m;
    sq_text text = {0};
    r->l.label = sq_text_str(&m->label);
    r->l.target = m->task.target->name;
    r->l.machine = m->fingerprint;
    int rc = sq_landscape_print(&r->l, &text);
    if (rc != 0)
        sq_error(m->task.d, SQ_FAULT_WORLD, SQ_NOWHERE, "%s: a name is not UTF-8, which a landscape is", r->l.label);
    else
        rc = sq_file_write(m->task.d, m->settings.record, sq_text_str(&text), text.n, 0);
    if (rc == 0 && !m->settings.quiet)
        printf("%s: %d points, %d schedules, %ld of them right, the best %.2fx the start: %s\n", r->l.label,
               r->l.npoints, r->l.ncandidates, state->failed[SQ_OK], state->start_seconds / state->best_seconds,
               m->settings.record);
    sq_text_free(&text);
    return rc;
}

/* The one kernel and the one row of sizes. */
static int choose(sq_measure *m, const sq_kernel **k, int64_t **sizes)
{
    const sq_unit *unit = m->task.unit;
    int n = unit->nkernels == 1 ? sq_measure_sizes(m, unit->kernel[0], sizes) : 0;
    if (n == 1) {
        *k = unit->kernel[0];
        sq_measure_name(m, *k, *sizes);
        return sq_measure_is_any(m, *k, *sizes);
    }
    if (n < 0)
        return -1;
    bool is_one = unit->nkernels == 1;
    return sq_error(m->task.d, SQ_FAULT_USAGE, sq_settings_loc(&m->settings, "record"),
                    "a landscape is of one kernel at one row of sizes; here are %d %s", is_one ? n : unit->nkernels,
                    is_one ? "rows of sizes" : "kernels");
}

int sq_race_record(sq_measure *m)
{
    record r = {.m = m};
    const sq_kernel *k = NULL;
    int64_t *sizes = NULL;
    sq_tune_state state = {0};
    if (choose(m, &k, &sizes) != 0)
        return -1;
    if (sq_simulated_task_kernel(&r.simulated, m, k, &r.kernel) != 0)
        return -1;
    sq_problem *p = sq_problem_new(m, k, r.kernel, sizes, true);
    if (!p)
        return -1;
    r.problem = thin(m, &p->tune);
    find_candidates(&r);
    int rc = sq_interrupt_signal() ? 0 : measure(&r, k, sizes, &state);
    sq_simulated_task_close(&r.simulated);
    if (rc != 0 && !sq_interrupt_signal())
        return -1;
    return r.nknown < r.l.ncandidates || sq_interrupt_signal() ? refuse_part(&r) : write_file(&r, &state);
}
