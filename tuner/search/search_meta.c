/* MetaSchedule's search (Shao et al., "Tensor Program Optimization with Probabilistic Programs", NeurIPS 2022), with
 * the parameters of its released code, and with the step that Droplet's authors added to it. A program is a trace, the
 * script of the decisions that made it. Rounds are of 64 measurements: traces that chance decides and the best measured
 * ones, 512 in all, evolve for 4 generations on the score of a learned model; the best that were not measured are
 * measured next, but for the last twentieth, which chance draws.
 *
 * A mutator changes decisions of a trace, which is then replayed: the other decisions stay as they were; those that the
 * change makes necessary are drawn by chance, those without effect are dropped (mutate_trace.h); in the
 * place of postprocessors the ranker refuses a program that is not legal or has no code. What stands for MetaSchedule's
 * rules in our space:
 *     multi-level tiling, with a write cache    sizes; every sum is held in registers
 *     auto inline                               done before there is a space, or `form`
 *     add rfactor                               `vector` along the sum, `split`
 *     random compute location                   `together`, `order`, `pack.`, and the other structures
 *     parallel, vectorize, unroll               `parallel`; `vector`, `lanes`; `unroll`, `split`, `taps`
 *
 * The model is Ansor's trees and statements. Scores are random until 100 programs are known; it learns anew when there
 * are a fifth more. The last fifth of a budget is for the droplet step: a descent from the best program along its sizes
 * and marks, one at a time, while its structure stays. */
#include "tuner/search/mutate_trace.h"
#include "tuner/search/rounds.h"
#include "tuner/search/trace.h"
#include "tuner/search/trees.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUND = SQ_ROUND_MOST,
    GREEDY = ROUND - ROUND / 20, /* of a round; the others are drawn by chance */
    POPULATION = 512,
    MOST_KEPT = POPULATION / 5, /* measured programs that a population begins with */
    LEAST_SAMPLED = 50,
    GENERATIONS = 4,
    BEST = 2 * ROUND, /* remembered of all generations */
    TRIES = 10,       /* for a child that the postprocessors take */
    WARM = 100        /* programs that are measured before the model learns */
};
static const double mutated = 0.85, more = 1.2, descent_share = 0.8;

struct sq_seek {
    sq_search_base base;
    bool descends;
    sq_rounds rounds;
    sq_scored_point now[POPULATION];
    sq_space around;  /* what the droplet step searches */
    sq_seek *droplet; /* NULL: it has not begun, or is over */
    bool is_descended;
};

static void plan(sq_seek *s);

static sq_seek *open_with(const sq_space *space, const sq_search_options *o, bool learns, bool descends)
{
    sq_seek *s = sq_search_new(sizeof *s, space, o);
    s->descends = descends;
    s->rounds = (sq_rounds){.size = ROUND, .greedy = GREEDY, .plan = plan};
    sq_rounds_open(&s->rounds, &s->base,
                   sq_ranker_new(&s->base, learns ? SQ_RANKER_TREES : SQ_RANKER_CHANCE), BEST);
    return s;
}

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, true, true);
}

static sq_seek *open_unled(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, false, true);
}

static sq_seek *open_undescended(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, true, false);
}

/* ---- a round ---- */

static const double weight[SQ_COORD_KINDS] = {[SQ_COORD_OF_SIZE] = 0.90,
                                              [SQ_COORD_OF_STRUCTURE] = 0.05,
                                              [SQ_COORD_OF_UNROLLING] = 0.03,
                                              [SQ_COORD_OF_THREADS] = 0.02};

static bool mutate(void *rounds, int *point)
{
    sq_seek *s = sq_rounds_seek(rounds);
    return sq_mutate_trace(&s->base, weight, point) && sq_ranker_accepts(s->rounds.ranker, point);
}

/* Replays a trace without decisions: chance decides all. */
static void draw(sq_search_base *b, int *point)
{
    sq_trace_replay(b->space, &(sq_trace){0}, &b->rng, point);
}

static void plan(sq_seek *s)
{
    sq_rounds_learn(&s->rounds, WARM, more);
    int n = sq_ranker_best(s->rounds.ranker, s->now, MOST_KEPT);
    n += sq_ranker_sample_by(s->rounds.ranker, draw, POPULATION, s->now + n, POPULATION - n, LEAST_SAMPLED);
    sq_evolution e = {.base = &s->base,
                      .population = POPULATION,
                      .generations = GENERATIONS,
                      .mutated = mutated,
                      .tries = TRIES,
                      .score = sq_rounds_score,
                      .mutate = mutate,
                      .user = &s->rounds};
    sq_evolve(&e, s->now, n, &s->rounds.best);
}

/* ---- the droplet step ---- */

/* The space around the best program, whose structure stays; false: no program is known to run. */
static bool fix_structure(sq_seek *s)
{
    sq_scored_point best;
    if (sq_ranker_best(s->rounds.ranker, &best, 1) == 0)
        return false;
    s->around = *s->base.space;
    memcpy(s->around.start, best.point, sizeof best.point);
    for (int c = 0; c < s->around.n; c++)
        if (sq_coord_kind_of(&s->around.coord[c]) == SQ_COORD_OF_STRUCTURE)
            s->around.coord[c].nvalues = 1; /* the start's, which need not be the first */
    return true;
}

static bool is_time_to_descend(const sq_seek *s)
{
    const sq_search_options *o = &s->base.o;
    return s->descends && !s->is_descended && !s->droplet && o->spent && o->spent(o->spent_user) >= descent_share;
}

/* The next point of the droplet step: as ask(), and -1 also before it begins. */
static int descend(sq_seek *s, int *point)
{
    if (is_time_to_descend(s) && fix_structure(s)) {
        sq_search_options o = s->base.o;
        o.seen = s->base.seen;
        s->droplet = sq_search_droplet_single.open(&s->around, &o);
    }
    int got = s->droplet ? sq_search_droplet_single.ask(s->droplet, point) : -1;
    if (s->droplet && got < 0) {
        s->droplet = sq_search_droplet_single.close(s->droplet);
        s->is_descended = true;
    }
    return got;
}

/* ---- the row ---- */

static int ask(sq_seek *s, int *point)
{
    int got = descend(s, point);
    return got >= 0 ? got : sq_rounds_ask(&s->rounds, point);
}

static void tell(sq_seek *s, const sq_told *t)
{
    sq_rounds_tell(&s->rounds, t);
    if (s->droplet)
        sq_search_droplet_single.tell(s->droplet, t);
}

static sq_seek *close(sq_seek *s)
{
    if (s) {
        sq_search_droplet_single.close(s->droplet);
        sq_rounds_close(&s->rounds);
    }
    return sq_search_close(s);
}

static void says(const sq_seek *s, char *to, size_t n)
{
    if (s->droplet)
        snprintf(to, n, "descends from the best point");
    else
        sq_rounds_say(&s->rounds, to, n);
}

const sq_search sq_search_meta = {.name = "meta",
                                  .doc = "evolution of scripts of decisions on trees, then droplet (MetaSchedule's)",
                                  .open = open,
                                  .ask = ask,
                                  .tell = tell,
                                  .close = close,
                                  .lacks = sq_trees_lacks,
                                  .by_chance = 2 * ROUND,
                                  .has_prior = true,
                                  .ends = "every point was tried",
                                  .says = says};

const sq_search sq_search_meta_unled = {.name = "meta-unled",
                                        .doc = "meta without its model: evolution on random scores, then droplet",
                                        .open = open_unled,
                                        .ask = ask,
                                        .tell = tell,
                                        .close = close,
                                        .ends = "every point was tried",
                                        .says = says};

const sq_search sq_search_meta_undescended = {.name = "meta-undescended",
                                              .doc = "meta without its droplet step",
                                              .open = open_undescended,
                                              .ask = ask,
                                              .tell = tell,
                                              .close = close,
                                              .lacks = sq_trees_lacks,
                                              .by_chance = 2 * ROUND,
                                              .has_prior = true,
                                              .ends = "every point was tried",
                                              .says = says};
