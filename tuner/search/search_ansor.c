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
#include "tuner/search/ranker.h"
#include "tuner/search/trees.h"
#include <math.h>
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

/* Of what a mutation changes. */
static const double weight[SQ_COORD_KINDS] = {
    [SQ_COORD_OF_SIZE] = 0.90,
    [SQ_COORD_OF_STRUCTURE] = 0.05,
    [SQ_COORD_OF_UNROLLING] = 0.04,
    [SQ_COORD_OF_THREADS] = 0.01,
};

struct sq_seek {
    sq_search_base base;
    bool evolves;
    sq_ranker *ranker;
    sq_round round;
    bool is_planned; /* `best` is this round's */
    int taken;       /* of `best` */
    sq_shortlist best;
    sq_candidate at[BEST + 1], now[POPULATION + MOST_KEPT];
};

static sq_seek *open_with(const sq_space *space, const sq_search_options *o, bool learns, bool evolves)
{
    sq_seek *s = sq_search_new(sizeof *s, space, o);
    s->evolves = evolves;
    s->ranker = sq_ranker_new(&s->base, learns);
    s->best = (sq_shortlist){.room = BEST, .at = s->at};
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

/* ---- the first generation ---- */

static bool is_program(sq_seek *s, const int *point)
{
    return sq_search_legal(&s->base.o, point) && sq_ranker_has_code(s->ranker, point);
}

/* Draws programs, each once, a population at a time, until there are enough or no new one is found. */
static int sample(sq_seek *s)
{
    sq_seen *drawn = sq_seen_new(s->base.space);
    int n = 0, before;
    do {
        before = n;
        for (int i = 0; i < POPULATION && n < POPULATION; i++) {
            int *point = s->now[n].point;
            sq_search_draw(&s->base, point);
            n += sq_seen_add(drawn, point) && is_program(s, point);
        }
    } while (n > before && n < LEAST_SAMPLED);
    sq_seen_free(drawn);
    return n;
}

/* ---- mutation ---- */

/* One of the coordinates of a kind that vary at the point, by chance; -1: there is none. */
static int any_of(sq_seek *s, const int *point, sq_coord_kind k)
{
    const sq_space *space = s->base.space;
    int n = 0, at = -1;
    for (int c = 0; c < space->n; c++)
        if (sq_coord_kind_of(&space->coord[c]) == k && sq_space_varies(space, point, c) &&
            sq_rng_below(&s->base.rng, (size_t)++n) == 0)
            at = c;
    return at;
}

/* The coordinate to change: the kind by the weights of those that are there, then any of that kind; -1. */
static int choose_coord(sq_seek *s, const int *point)
{
    int of[SQ_COORD_KINDS];
    double sum = 0;
    for (int k = 0; k < SQ_COORD_KINDS; k++) {
        of[k] = any_of(s, point, (sq_coord_kind)k);
        sum += of[k] >= 0 ? weight[k] : 0;
    }
    double left = sum * sq_rng_unit(&s->base.rng);
    int at = -1;
    for (int k = 0; k < SQ_COORD_KINDS && left >= 0; k++)
        if (of[k] >= 0) {
            at = of[k];
            left -= weight[k];
        }
    return at;
}

/* Another level of the same dimension, by chance; -1: the outermost, which has no coordinate and takes what is left of
 * the extent. */
static int other_level(sq_seek *s, const int *point, int coord)
{
    const sq_space *space = s->base.space;
    int n = 1, at = -1;
    for (int c = 0; c < space->n && space->coord[coord].axis >= 0; c++)
        if (c != coord && space->coord[c].axis == space->coord[coord].axis && sq_space_varies(space, point, c) &&
            sq_rng_below(&s->base.rng, (size_t)++n) == 0)
            at = c;
    return at;
}

/* Changes a size; another level of its dimension becomes so many times larger as this one became smaller. */
static void move_factor(sq_seek *s, int *point, int coord)
{
    const sq_space *space = s->base.space;
    int level = other_level(s, point, coord);
    double from = (double)sq_space_value(space, point, coord);
    sq_search_change(&s->base, point, coord);
    double to = (double)sq_space_value(space, point, coord);
    if (level < 0 || from <= 0 || to <= 0)
        return;
    double other = (double)sq_space_value(space, point, level) * from / to;
    point[level] = sq_coord_nearest(&space->coord[level], (long)fmax(1, other + 0.5));
}

static bool mutate(void *user, int *point)
{
    sq_seek *s = user;
    int c = choose_coord(s, point);
    if (c >= 0 && sq_coord_kind_of(&s->base.space->coord[c]) == SQ_COORD_OF_SIZE)
        move_factor(s, point, c);
    else if (c >= 0)
        sq_search_change(&s->base, point, c);
    sq_space_settle(s->base.space, point);
    return is_program(s, point);
}

/* ---- the row ---- */

static void score(void *user, sq_candidate *of, int n)
{
    sq_seek *s = user;
    sq_ranker_score(s->ranker, of, n, &s->base.rng);
}

static void plan(sq_seek *s)
{
    s->taken = 0;
    s->is_planned = true;
    if (sq_ranker_known(s->ranker) >= ROUND)
        sq_ranker_learn(s->ranker);
    int n = sample(s);
    n += sq_ranker_best(s->ranker, s->now + n, MOST_KEPT);
    sq_evolution e = {.base = &s->base,
                      .population = POPULATION,
                      .generations = !s->evolves                     ? 0
                                     : sq_ranker_is_led(s->ranker) ? GENERATIONS
                                                                    : UNLED_GENERATIONS,
                      .mutated = mutated,
                      .tries = TRIES,
                      .score = score,
                      .mutate = mutate,
                      .user = s};
    sq_evolve(&e, s->now, n, &s->best);
}

static int give(sq_seek *s, const int *point)
{
    sq_round_add(&s->round, point);
    return 1;
}

static int ask(sq_seek *s, int *point)
{
    if (s->round.n == ROUND && s->round.ntold < ROUND)
        return 0; /* the next round is planned on all of this one */
    if (s->round.n == ROUND) {
        s->round.n = s->round.ntold = 0;
        s->is_planned = false;
    }
    if (sq_search_start(&s->base, point))
        return give(s, point);
    if (!s->is_planned && s->base.space->n > 0 && !s->base.rest)
        plan(s);
    while (s->taken < s->best.n && s->round.n < GREEDY) {
        memcpy(point, s->at[s->taken++].point, sizeof s->at[0].point);
        if (sq_search_take(&s->base, point))
            return give(s, point);
    }
    return sq_search_chance(&s->base, point) == 1 ? give(s, point) : -1;
}

static void tell(sq_seek *s, const sq_told *t)
{
    sq_seen_add(s->base.seen, t->point);
    sq_ranker_tell(s->ranker, t);
    sq_round_hear(&s->round, s->base.space, t->point);
}

static sq_seek *close(sq_seek *s)
{
    if (s)
        sq_ranker_free(s->ranker);
    return sq_search_close(s);
}

const sq_search sq_search_ansor = {.name = "ansor",
                                   .doc = "evolution on trees that learn statements of 64 points a round (Ansor's)",
                                   .open = open,
                                   .ask = ask,
                                   .tell = tell,
                                   .close = close,
                                   .lacks = sq_trees_lacks,
                                   .by_chance = ROUND,
                                   .ends = "every point was tried"};

const sq_search sq_search_ansor_unled = {.name = "ansor-unled",
                                         .doc = "ansor without its model: evolution on random scores",
                                         .open = open_unled,
                                         .ask = ask,
                                         .tell = tell,
                                         .close = close,
                                         .ends = "every point was tried"};

const sq_search sq_search_ansor_unevolved = {.name = "ansor-unevolved",
                                             .doc = "ansor without evolution: the best of a sample by its model",
                                             .open = open_unevolved,
                                             .ask = ask,
                                             .tell = tell,
                                             .close = close,
                                             .lacks = sq_trees_lacks,
                                             .by_chance = ROUND,
                                             .ends = "every point was tried"};
