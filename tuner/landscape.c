/* Landscape: numbers of points, and runs. See landscape.h; landscape_file.c prints and reads. */
#include "tuner/landscape.h"
#include "support/terminal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

int sq_landscape_number(const sq_space *s, const int *point)
{
    int number = 0;
    for (int c = s->n; c-- > 0;)
        number = number * s->coord[c].nvalues + point[c];
    return number;
}

void sq_landscape_point(const sq_space *s, int number, int *point)
{
    memset(point, 0, SQ_MAX_COORDS * sizeof *point);
    for (int c = 0; c < s->n; c++) {
        point[c] = number % s->coord[c].nvalues;
        number /= s->coord[c].nvalues;
    }
}

/* ---- runs ---- */

struct play {
    const sq_landscape *l;
    sq_landscape_run *run;
    sq_tune_state *state;
    double began;
};

static const sq_landscape_candidate *candidate_of(const sq_landscape *l, const int *point)
{
    int candidate = l->candidate[sq_landscape_number(&l->space, point)];
    return candidate < 0 ? NULL : &l->of[candidate];
}

static double draft(void *user, const int *point)
{
    struct play *p = user;
    p->run->drafts++;
    return p->l->draft[sq_landscape_number(&p->l->space, point)];
}

static int features(void *user, const int *point, float (*row)[SQ_STATEMENT])
{
    const struct play *p = user;
    const sq_landscape_candidate *c = candidate_of(p->l, point);
    if (!c)
        return -1;
    if (c->nrows > 0)
        memcpy(row, c->row, (size_t)c->nrows * sizeof *row);
    return c->nrows;
}

static int script(void *user, const int *point, sq_text *to)
{
    const struct play *p = user;
    const sq_landscape_candidate *c = candidate_of(p->l, point);
    if (c)
        sq_text_puts(to, c->script);
    return c ? 0 : -1;
}

static double spent(void *user)
{
    const struct play *p = user;
    return p->run->trials > 0 ? (double)p->state->trials / (double)p->run->trials : 0;
}

static bool is_good(const sq_landscape_candidate *c)
{
    return c && c->status == SQ_OK;
}

/* Counts a trial; true if it is the best so far. */
static bool count(struct play *p, const sq_landscape_candidate *c)
{
    sq_tune_state *s = p->state;
    bool wins = is_good(c) && (!s->found || c->seconds < s->best_seconds);
    sq_status status = c ? c->status : SQ_INFEASIBLE;
    s->trials += status != SQ_INFEASIBLE;
    s->failed[status]++;
    s->elapsed = sq_terminal_seconds() - p->began;
    if (!wins)
        return false;
    s->kept_start = !s->found;
    s->found = true;
    s->best_seconds = c->seconds;
    s->best_script = c->script;
    s->best_trial = s->trials;
    return true;
}

static void try_point(struct play *p, sq_seek *seek, const int *point)
{
    const sq_landscape_candidate *c = candidate_of(p->l, point);
    bool wins = count(p, c);
    sq_told told = {.valid = is_good(c), .cost = is_good(c) ? c->seconds : 0, .wins = wins};
    memcpy(told.point, point, sizeof told.point);
    p->run->search->tell(seek, &told);
    sq_sample sample = {.status = c ? c->status : SQ_INFEASIBLE};
    sq_tune_trial trial = {.number = p->state->trials,
                           .script = c ? c->script : NULL,
                           .point = point,
                           .sample = &sample,
                           .seconds = told.cost,
                           .wins = wins};
    if (p->run->progress)
        p->run->progress(p->state, &trial, p->run->user);
}

static void play(struct play *p, const sq_space *space)
{
    int point[SQ_MAX_COORDS] = {0};
    sq_search_options o = {.seed = p->run->seed,
                           .draft = p->run->has_model ? draft : NULL,
                           .draft_user = p,
                           .features = features,
                           .features_user = p,
                           .script = script,
                           .script_user = p,
                           .prior = p->run->prior,
                           .spent = spent,
                           .spent_user = p};
    sq_seek *seek = p->run->search->open(space, &o);
    int rc = 1;
    while ((p->run->trials <= 0 || p->state->trials < p->run->trials) && !(p->run->cancel && *p->run->cancel) &&
           (rc = p->run->search->ask(seek, point)) == 1)
        try_point(p, seek, point);
    if (rc < 0)
        p->state->ended = p->run->search->ends;
    p->run->search->close(seek);
}

int sq_landscape_replay(const sq_landscape *l, sq_landscape_run *run, sq_tune_state *result, sq_diags *d)
{
    static const int least[SQ_MAX_COORDS];
    sq_space space = l->space;
    if (!run->has_model && is_good(candidate_of(l, least)))
        memcpy(space.start, least, sizeof space.start);
    *result = (sq_tune_state){0};
    const sq_landscape_candidate *start = candidate_of(l, space.start);
    if (!is_good(start))
        return sq_error(d, SQ_FAULT_INPUT, SQ_NOWHERE, "the start of the landscape is not known to run");
    result->start_seconds = start->seconds;
    run->drafts = 0;
    struct play p = {l, run, result, sq_terminal_seconds()};
    play(&p, &space);
    return 0;
}
