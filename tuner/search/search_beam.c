/* Beam search with prices, as in Halide's autoscheduler (Adams et al., SIGGRAPH 2019), in rounds of 32 measurements.
 * Five passes of a beam of 32 go from the fastest measured point on (beam.h), by a network that prices hand-written
 * terms (prices.h). Half of a round are points that nobody asked for: the final ones of all passes in turn, then the
 * best that the passes met. The other half are there for the network to learn from, as in Halide's training: each is
 * the end of a greedy walk, a beam of one, to which chance leaves some of its choices. The network learns from all
 * measurements after each round; before the first it has nominal prices, where there is something to price. */
#include "tuner/search/beam.h"
#include "tuner/search/rounds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUND = 32,
    WALKS = ROUND / 2, /* of a round */
    TRIES = 2          /* walks for each point that they are to find */
};
static const double undropped = 0.01; /* the share of walks to which chance leaves all choices of their way */

typedef struct variant {
    int width, passes;
    bool learns, only_walks;
} variant;

struct sq_seek {
    sq_search_base base;
    variant with;
    sq_rounds rounds;
    sq_shortlist met;            /* by the passes */
    sq_seen *considered, *taken; /* for it, and for the round */
    sq_beam_finals finals;
};

static void plan(sq_seek *s);

static sq_seek *open_with(const sq_space *space, const sq_search_options *o, variant with)
{
    sq_seek *s = sq_search_new(sizeof *s, space, o);
    s->with = with;
    s->rounds = (sq_rounds){.size = ROUND, .greedy = ROUND, .plan = plan};
    sq_rounds_open(&s->rounds, &s->base, sq_ranker_new(&s->base, SQ_RANKER_PRICES), ROUND);
    s->met = sq_shortlist_new(ROUND);
    return s;
}

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){.width = SQ_BEAM_WIDEST, .passes = SQ_BEAM_PASSES, .learns = true});
}

static sq_seek *open_greedy(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){.width = 1, .passes = SQ_BEAM_PASSES, .learns = true});
}

static sq_seek *open_dropout(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){.width = 1, .passes = 1, .learns = true, .only_walks = true});
}

static sq_seek *open_unled(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){.width = SQ_BEAM_WIDEST, .passes = SQ_BEAM_PASSES});
}

static sq_seek *open_unrefined(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){.width = SQ_BEAM_WIDEST, .passes = 1, .learns = true});
}

static void score(void *user, sq_scored_point *of, int n)
{
    sq_seek *s = user;
    sq_ranker_score(s->rounds.ranker, of, n, &s->base.rng);
}

static bool accepts(void *user, const int *point)
{
    sq_seek *s = user;
    return sq_ranker_accepts(s->rounds.ranker, point);
}

static sq_beam beam_of(sq_seek *s)
{
    return (sq_beam){.base = &s->base,
                     .width = s->with.width,
                     .passes = s->with.passes,
                     .survives = 1,
                     .score = score,
                     .accepts = accepts,
                     .user = s};
}

/* Gives the round a point behind those that it has. */
static void take(sq_seek *s, const int *point)
{
    sq_shortlist *best = &s->rounds.best;
    sq_scored_point c = {.score = (float)-best->n};
    memcpy(c.point, point, sizeof c.point);
    sq_shortlist_keep(best, &c, 1, s->base.seen, s->taken);
}

/* Final points of all passes, the best of each first; then the best of all that they met. */
static void search(sq_seek *s, const int *from)
{
    sq_beam b = beam_of(s);
    sq_shortlist *best = &s->rounds.best;
    s->met.n = 0;
    sq_beam_search(&b, from, &s->finals, &s->met, s->considered);
    for (int i = 0; i < SQ_BEAM_WIDEST; i++)
        for (int pass = SQ_BEAM_PASSES - 1; pass >= 0 && best->n < ROUND - WALKS; pass--)
            if (i < s->finals.n[pass])
                take(s, s->finals.of[pass][i].point);
    for (int i = 0; i < s->met.n && best->n < ROUND - WALKS; i++)
        take(s, sq_shortlist_point(&s->met, i));
}

/* Ends of walks fill the round. */
static void walk(sq_seek *s, const int *from)
{
    sq_beam b = beam_of(s);
    sq_shortlist *best = &s->rounds.best;
    b.width = b.passes = 1;
    b.survives = pow(undropped, 1.0 / s->base.space->n);
    for (int i = TRIES * (best->room - best->n); i > 0 && best->n < best->room; i--) {
        sq_beam_search(&b, from, &s->finals, NULL, NULL);
        if (s->finals.n[0] > 0)
            take(s, s->finals.of[0][0].point);
    }
}

static void plan(sq_seek *s)
{
    sq_scored_point from = {.score = 0};
    if (s->with.learns)
        sq_rounds_learn(&s->rounds, ROUND, 1);
    if (sq_ranker_best(s->rounds.ranker, &from, 1) == 0)
        memcpy(from.point, s->base.space->start, sizeof from.point);
    s->rounds.best.n = 0;
    s->considered = sq_seen_new(s->base.space);
    s->taken = sq_seen_new(s->base.space);
    if (!s->with.only_walks)
        search(s, from.point);
    walk(s, from.point);
    s->considered = sq_seen_free(s->considered);
    s->taken = sq_seen_free(s->taken);
}

/* ---- the row ---- */

static int ask(sq_seek *s, int *point)
{
    return sq_rounds_ask(&s->rounds, point);
}

static void tell(sq_seek *s, const sq_told *t)
{
    sq_rounds_tell(&s->rounds, t);
}

static sq_seek *close(sq_seek *s)
{
    if (s) {
        sq_shortlist_free(&s->met);
        sq_rounds_close(&s->rounds);
    }
    return sq_search_close(s);
}

static void says(const sq_seek *s, char *to, size_t n)
{
    sq_rounds_say(&s->rounds, to, n);
}

const sq_search sq_search_beam = {.name = "beam",
                                  .doc = "beam search over partial schedules; a network prices terms (Halide's)",
                                  .open = open,
                                  .ask = ask,
                                  .tell = tell,
                                  .close = close,
                                  .ends = "every point was tried",
                                  .says = says};

const sq_search sq_search_beam_greedy = {.name = "beam-greedy",
                                         .doc = "beam with a beam of one: each choice is the best one alone",
                                         .open = open_greedy,
                                         .ask = ask,
                                         .tell = tell,
                                         .close = close,
                                         .ends = "every point was tried",
                                         .says = says};

const sq_search sq_search_beam_dropout = {.name = "beam-dropout",
                                          .doc = "beam's walks alone: greedy, with choices left out by chance",
                                          .open = open_dropout,
                                          .ask = ask,
                                          .tell = tell,
                                          .close = close,
                                          .ends = "every point was tried",
                                          .says = says};

const sq_search sq_search_beam_unled = {.name = "beam-unled",
                                        .doc = "beam without its network: all terms at nominal prices",
                                        .open = open_unled,
                                        .ask = ask,
                                        .tell = tell,
                                        .close = close,
                                        .ends = "every point was tried",
                                        .says = says};

const sq_search sq_search_beam_unrefined = {.name = "beam-unrefined",
                                            .doc = "beam with one pass in the place of five",
                                            .open = open_unrefined,
                                            .ask = ask,
                                            .tell = tell,
                                            .close = close,
                                            .ends = "every point was tried",
                                            .says = says};
