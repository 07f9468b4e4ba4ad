/* Default search: storm, then raindrop. The storm ends with its trials, when it finds nothing
 * better for long, or when two fifths of the budget are gone; the raindrop then descends from the
 * best point, and from the best of other kinds. If the budget outlasts it, storm and raindrop take
 * turns until every point was tried. */
#include "tuner/search/search.h"
#include "support/memory.h"
#include <stdio.h>
#include <stdlib.h>

static const double storm_share = 0.4;
enum { STORM_TRIALS = 40, MAX_LOG = 4096 };

struct sq_seek {
    const sq_space *space;
    sq_search_options o;
    sq_seen *own;
    sq_seek *storm, *drop;
    bool storming;
    int turns; /* storms begun */
    int nlog;
    sq_told *log; /* what a later storm starts from */
};

static sq_seek *open_storm(const sq_seek *s)
{
    sq_search_options o = s->o;
    o.seed += 100 * (unsigned)s->turns;
    o.follows = s->turns > 0;
    o.storm_trials = o.storm_trials > 0 ? o.storm_trials : STORM_TRIALS;
    sq_seek *storm = sq_search_storm.open(s->space, &o);
    for (int i = 0; i < s->nlog; i++)
        sq_search_storm.tell(storm, &s->log[i]);
    return storm;
}

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    sq_seek *s = sq_allocated(calloc(1, sizeof *s));
    s->space = space;
    s->o = *o;
    s->own = o->seen ? NULL : sq_seen_new(space);
    if (!o->seen)
        s->o.seen = s->own;
    s->log = sq_allocated(malloc(MAX_LOG * sizeof *s->log));
    s->storm = open_storm(s);
    s->drop = sq_search_raindrop.open(space, &s->o);
    s->storming = true;
    s->turns = 1;
    return s;
}

static bool is_share_spent(const sq_seek *s)
{
    return s->o.spent && s->turns == 1 && s->o.spent(s->o.spent_user) > storm_share;
}

static void next_turn(sq_seek *s)
{
    s->turns++;
    sq_search_storm.close(s->storm);
    s->storm = open_storm(s);
    s->storming = true;
}

static int ask(sq_seek *s, int *point)
{
    for (;;) {
        if (s->storming) {
            int got = is_share_spent(s) ? -1 : sq_search_storm.ask(s->storm, point);
            if (got == 1)
                return 1;
            s->storming = false;
        }
        int got = sq_search_raindrop.ask(s->drop, point);
        if (got >= 0)
            return got;
        next_turn(s);
        return sq_search_storm.ask(s->storm, point); /* it finds what is left */
    }
}

static void tell(sq_seek *s, const sq_told *t)
{
    if (t->valid && s->nlog < MAX_LOG)
        s->log[s->nlog++] = *t;
    sq_search_storm.tell(s->storm, t);
    sq_search_raindrop.tell(s->drop, t);
}

static sq_seek *close(sq_seek *s)
{
    if (s) {
        sq_search_storm.close(s->storm);
        sq_search_raindrop.close(s->drop);
        sq_seen_free(s->own);
        free(s->log);
        free(s);
    }
    return NULL;
}

static void says(const sq_seek *s, char *to, size_t n)
{
    int used = s->turns > 1 ? snprintf(to, n, "turn %d, ", s->turns) : 0;
    const sq_search *now = s->storming ? &sq_search_storm : &sq_search_raindrop;
    now->says(s->storming ? s->storm : s->drop, to + used, n - (size_t)used);
}

const sq_search sq_search_default = {.name = "default",
                                     .doc = "storm, then raindrop, in turns",
                                     .open = open,
                                     .ask = ask,
                                     .tell = tell,
                                     .close = close,
                                     .has_prior = true,
                                     .ends = "every point was tried",
                                     .says = says};
