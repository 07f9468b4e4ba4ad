/* Ansor's search (Zheng et al., OSDI 2020), with the parameters of its released code: rounds of 64 measurements. For a
 * round, programs are sampled at random, the best measured ones join them, and 2048 evolve for 4 generations on the
 * score of a learned model; the best that were not measured are measured next, but for the last twentieth, which chance
 * draws. The model is of boosted trees over the statements of a program: its score is the sum of theirs, and its
 * squared error counts by its speed. Trees are learned anew from all that was measured after each round. As long as
 * less than a round is known, scores are random.
 *
 * Ansor derives sketches by rules and annotates them at random; here a point of the space has both:
 *     multi-level tiling                register tiles and cache blocks, each a size; the outermost level follows
 *     multi-level tiling with fusion    `together`, `order`, where statements may share loops
 *     always inline                     done before there is a space, or `form`
 *     cache read                        `pack.`
 *     cache write                       every sum is held in registers: no choice
 *     rfactor                           `vector` along the sum, `split`
 *     cross-thread reduction            a kind of unit of a grid, which is chosen before there is a space
 *     vectorize, unroll, parallel       `vector`, `lanes`; `unroll`, `split`, `taps`; `parallel`
 *
 * Nothing stands for compute locations beside `together` and the blocks, for constant tensors and for Winograd's
 * transformation. The other way, `outer` and `inner`, orders of loops, are no choice of Ansor's; they are sampled as
 * its sketches are. A size need not divide an extent.
 *
 * A program is mutated as in the released code, by weights: a size moves a factor from one level to another (0.90), a
 * place or structure is drawn again (0.05), an unrolling (0.04), the loop of threads (0.01). What has no such choice
 * leaves its weight to the others. The paper's crossover is not in the released code, and not here. */
#include "tuner/search/rounds.h"
#include "tuner/search/trees.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ROUND = SQ_ROUND_MOST,
    GREEDY = ROUND - ROUND / 20, /* of a round; the others are drawn by chance */
    POPULATION = 2048,
    MOST_KEPT = POPULATION / 5, /* measured programs that a population begins with */
    LEAST_SAMPLED = 50,
    GENERATIONS = 4,
    UNLED_GENERATIONS = 2,
    BEST = 2 * ROUND, /* remembered of all generations */
    TRIES = 10        /* for a child that is legal */
};
static const double mutated = 0.85;

struct sq_seek {
    sq_search_base base;
    bool evolves;
    sq_rounds rounds;
    sq_scored_point now[POPULATION + MOST_KEPT];
};

static void plan(sq_seek *s);

static sq_seek *open_with(const sq_space *space, const sq_search_options *o, bool learns, bool evolves)
{
    sq_seek *s = sq_search_new(sizeof *s, space, o);
    s->evolves = evolves;
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

static sq_seek *open_unevolved(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, true, false);
}

/* ---- the row ---- */

static void plan(sq_seek *s)
{
    sq_rounds_learn(&s->rounds, ROUND, 1);
    int n = sq_ranker_sample(s->rounds.ranker, s->now, POPULATION, LEAST_SAMPLED);
    n += sq_ranker_best(s->rounds.ranker, s->now + n, MOST_KEPT);
    sq_evolution e = {.base = &s->base,
                      .population = POPULATION,
                      .generations = !s->evolves                     ? 0
                                     : sq_ranker_is_led(s->rounds.ranker) ? GENERATIONS
                                                                    : UNLED_GENERATIONS,
                      .mutated = mutated,
                      .tries = TRIES,
                      .score = sq_rounds_score,
                      .mutate = sq_rounds_mutate,
                      .user = &s->rounds};
    sq_evolve(&e, s->now, n, &s->rounds.best);
}

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
    if (s)
        sq_rounds_close(&s->rounds);
    return sq_search_close(s);
}

static void says(const sq_seek *s, char *to, size_t n)
{
    sq_rounds_say(&s->rounds, to, n);
}

const sq_search sq_search_ansor = {.name = "ansor",
                                   .doc = "evolution on trees that learn statements of 64 points a round (Ansor's)",
                                   .open = open,
                                   .ask = ask,
                                   .tell = tell,
                                   .close = close,
                                   .lacks = sq_trees_lacks,
                                   .by_chance = ROUND,
                                   .has_prior = true,
                                   .ends = "every point was tried",
                                   .says = says};

const sq_search sq_search_ansor_unled = {.name = "ansor-unled",
                                         .doc = "ansor without its model: evolution on random scores",
                                         .open = open_unled,
                                         .ask = ask,
                                         .tell = tell,
                                         .close = close,
                                         .ends = "every point was tried",
                                         .says = says};

const sq_search sq_search_ansor_unevolved = {.name = "ansor-unevolved",
                                             .doc = "ansor without evolution: the best of a sample by its model",
                                             .open = open_unevolved,
                                             .ask = ask,
                                             .tell = tell,
                                             .close = close,
                                             .lacks = sq_trees_lacks,
                                             .by_chance = ROUND,
                                             .has_prior = true,
                                             .ends = "every point was tried",
                                             .says = says};
