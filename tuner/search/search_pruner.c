/* Pruner's search (Qiao et al., ASPLOS 2025): draft, then verify. The draft is analytic: of each statement of a point's
 * code the seconds of its operations and of its bytes at the machine's limits, each over the shares of these that the
 * statement can reach, its penalties (tuner/model/pruner_features.h). 1536 points evolve for 2 generations on it; its
 * best 512 that were not measured are the drafted ones, for two rounds. Points that chance draws join them, a learned
 * model ranks all of these, and the best 9 are measured, and one that chance draws.
 *
 * The model is PaCM (pacm.h); before anything was told, and where it learns nothing, the draft's own order counts. It
 * learns when there is a fifth more than it learned from.
 *
 * MoA-Pruner, of the same authors, begins with the weights of a network that learned elsewhere, on whatever machine:
 * its Siamese twin. The model learns anew every fourth round, each time from the twin's weights, which then move a
 * hundredth of the way towards it. Between lessons, and before the first, it ranks as it is.
 *
 * Their extension to matrix instructions is part of MetaSchedule: points are its scripts, which its mutators change,
 * with its weights for a GPU (.90 of sizes, the rest of what runs an instruction); the draft's symbols are those of
 * fragments, and the network reads the flow from shared memory to them (tuner/model/grid_features.h). A space without
 * tiles of matrix instructions it does not search.
 *
 * Where nobody can tell a point's statements, the draft is the model's guess of the options, and chance without one. */
#include "tuner/search/mutate_trace.h"
#include "tuner/search/rounds.h"
#include "tuner/search/trees.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUND = 10,
    GREEDY = ROUND - ROUND / 10, /* of a round; the others are drawn by chance */
    POPULATION = 1536,
    MOST_KEPT = POPULATION / 10, /* measured points that a population begins with */
    LEAST_SAMPLED = 50,
    GENERATIONS = 2,
    DRAFTED = 512,
    MIXED_IN = DRAFTED / 8, /* by chance */
    DRAFT_ROUNDS = 2,       /* that a draft is for */
    LESSON_ROUNDS = 4,      /* that MoA's model learns after */
    TRIES = 10              /* for a child that is legal */
};
static const double mutated = 0.85, more = 1.2;

typedef struct variant {
    bool drafts;
    unsigned penalties; /* of the draft: a bit for each sq_draft_number */
    sq_ranker_model verifier;
    int every; /* rounds the model learns anew; 0: when there is a fifth more to learn from */
    const double *scripts; /* the weights of mutators of scripts; NULL: points mutate as in Ansor */
} variant;

enum { NO_PENALTY = 0, PENALTIES = (1 << SQ_DRAFT_NUMBERS) - (1 << SQ_DRAFT_REGISTERS) };

static const double of_fragments[SQ_COORD_KINDS] = {[SQ_COORD_OF_SIZE] = 0.90, [SQ_COORD_OF_STRUCTURE] = 0.10};

struct sq_seek {
    sq_search_base base;
    variant with;
    sq_rounds rounds;
    int nplanned; /* rounds */
    sq_shortlist drafted;
    sq_scored_point now[POPULATION + MOST_KEPT];
};

static void plan(sq_seek *s);

static sq_seek *open_with(const sq_space *space, const sq_search_options *o, variant with)
{
    sq_seek *s = sq_search_new(sizeof *s, space, o);
    s->with = with;
    s->rounds = (sq_rounds){.size = ROUND, .greedy = GREEDY, .plan = plan};
    sq_rounds_open(&s->rounds, &s->base,
                   sq_ranker_new(&s->base, with.verifier), 2 * ROUND);
    s->drafted = sq_shortlist_new(DRAFTED);
    return s;
}

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){true, PENALTIES, SQ_RANKER_PACM, 0, NULL});
}

static sq_seek *open_undrafted(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){false, PENALTIES, SQ_RANKER_PACM, 0, NULL});
}

static sq_seek *open_unverified(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){true, PENALTIES, SQ_RANKER_CHANCE, 0, NULL});
}

static sq_seek *open_unpenalised(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){true, NO_PENALTY, SQ_RANKER_PACM, 0, NULL});
}

static sq_seek *open_trees(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){true, PENALTIES, SQ_RANKER_TREES, 0, NULL});
}

static sq_seek *open_mlp(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){true, PENALTIES, SQ_RANKER_MLP, 0, NULL});
}

static sq_seek *open_moa(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){true, PENALTIES, SQ_RANKER_MOA, LESSON_ROUNDS, NULL});
}

static sq_seek *open_moa_tuned(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){true, PENALTIES, SQ_RANKER_TUNED, LESSON_ROUNDS, NULL});
}

static sq_seek *open_tlp(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){true, PENALTIES, SQ_RANKER_TLP, 0, NULL});
}

static sq_seek *open_tensorcore(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){true, PENALTIES, SQ_RANKER_PACM, 0, of_fragments});
}

static sq_seek *open_tensorcore_undrafted(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, (variant){false, PENALTIES, SQ_RANKER_PACM, 0, of_fragments});
}

static const char *misses_fragments(const sq_space *space)
{
    return sq_space_has_matrix(space) ? NULL : "tiles of matrix instructions";
}

/* ---- the draft ---- */

static double penalty_of(const sq_seek *s, const float *d, int i)
{
    return s->with.penalties >> i & 1 ? (double)d[i] : 1;
}

/* Seconds of a statement: of its operations, then of its bytes. */
static double seconds_of(const sq_seek *s, const float *d)
{
    double compute = 1, memory = 1;
    for (int i = SQ_DRAFT_REGISTERS; i <= SQ_DRAFT_THREADS; i++)
        compute *= penalty_of(s, d, i);
    for (int i = SQ_DRAFT_L1; i <= SQ_DRAFT_RUN; i++)
        memory *= penalty_of(s, d, i);
    return (double)d[SQ_DRAFT_COMPUTE] / compute + (double)d[SQ_DRAFT_MEMORY] / memory;
}

/* A score that is more where the draft is less. */
static double draft(sq_seek *s, const int *point)
{
    const sq_search_options *o = &s->base.o;
    float(*row)[SQ_STATEMENT];
    double seconds = 0;
    int n = s->with.drafts ? sq_ranker_statements(s->rounds.ranker, point, &row) : 0;
    for (int i = 0; i < n; i++)
        seconds += seconds_of(s, row[i] + SQ_DRAFT);
    if (n == 0 && s->with.drafts && o->draft)
        seconds = o->draft(o->draft_user, point);
    return seconds > 0 ? 1 / seconds : sq_rng_unit(&s->base.rng);
}

static void score_drafts(void *rounds, sq_scored_point *of, int n)
{
    for (int i = 0; i < n; i++)
        of[i].score = (float)draft(sq_rounds_seek(rounds), of[i].point);
}

static bool mutate_script(void *rounds, int *point)
{
    sq_seek *s = sq_rounds_seek(rounds);
    return sq_mutate_trace(&s->base, s->with.scripts, point) && sq_ranker_accepts(s->rounds.ranker, point);
}

static sq_evolution evolution_of(sq_seek *s)
{
    return (sq_evolution){.base = &s->base,
                          .population = POPULATION,
                          .mutated = mutated,
                          .tries = TRIES,
                          .mutate = s->with.scripts ? mutate_script : sq_rounds_mutate,
                          .user = &s->rounds};
}

static void make_draft(sq_seek *s)
{
    int most = s->with.drafts ? POPULATION : DRAFTED;
    int n = sq_ranker_sample(s->rounds.ranker, s->now, most, LEAST_SAMPLED);
    if (s->with.drafts)
        n += sq_ranker_best(s->rounds.ranker, s->now + n, MOST_KEPT);
    sq_evolution e = evolution_of(s);
    e.generations = s->with.drafts ? GENERATIONS : 0;
    e.score = score_drafts;
    sq_evolve(&e, s->now, n, &s->drafted);
}

/* ---- the verification ---- */

static void verify(void *rounds, sq_scored_point *of, int n)
{
    const sq_rounds *r = rounds;
    if (sq_ranker_is_led(r->ranker))
        sq_rounds_score(rounds, of, n);
    else
        score_drafts(rounds, of, n);
}

static void plan(sq_seek *s)
{
    if (s->with.every == 0 || s->nplanned % s->with.every == 0)
        sq_rounds_learn(&s->rounds, ROUND, s->with.every ? 1 : more);
    if (s->nplanned++ % DRAFT_ROUNDS == 0)
        make_draft(s);
    int n = sq_ranker_sample(s->rounds.ranker, s->now, MIXED_IN, 0);
    for (int i = 0; i < s->drafted.n; i++)
        memcpy(s->now[n++].point, sq_shortlist_point(&s->drafted, i), sizeof s->now[0].point);
    sq_evolution e = evolution_of(s);
    e.score = verify;
    sq_evolve(&e, s->now, n, &s->rounds.best);
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
        sq_shortlist_free(&s->drafted);
        sq_rounds_close(&s->rounds);
    }
    return sq_search_close(s);
}

static void says(const sq_seek *s, char *to, size_t n)
{
    sq_rounds_say(&s->rounds, to, n);
}

const sq_search sq_search_pruner = {.name = "pruner",
                                    .doc = "an analytic draft, verified by a network that learns (Pruner's)",
                                    .open = open,
                                    .ask = ask,
                                    .tell = tell,
                                    .close = close,
                                    .ends = "every point was tried",
                                    .says = says};

const sq_search sq_search_pruner_undrafted = {.name = "pruner-undrafted",
                                              .doc = "pruner without its draft: the network ranks points by chance",
                                              .open = open_undrafted,
                                              .ask = ask,
                                              .tell = tell,
                                              .close = close,
                                              .by_chance = ROUND,
                                              .ends = "every point was tried",
                                              .says = says};

const sq_search sq_search_pruner_unverified = {.name = "pruner-unverified",
                                               .doc = "pruner without its network: what the draft likes best",
                                               .open = open_unverified,
                                               .ask = ask,
                                               .tell = tell,
                                               .close = close,
                                               .ends = "every point was tried",
                                               .says = says};

const sq_search sq_search_pruner_unpenalised = {.name = "pruner-unpenalised",
                                                .doc = "pruner without the penalties of its draft",
                                                .open = open_unpenalised,
                                                .ask = ask,
                                                .tell = tell,
                                                .close = close,
                                                .ends = "every point was tried",
                                                .says = says};

const sq_search sq_search_pruner_trees = {.name = "pruner-trees",
                                          .doc = "pruner with boosted trees in the place of its network",
                                          .open = open_trees,
                                          .ask = ask,
                                          .tell = tell,
                                          .close = close,
                                          .lacks = sq_trees_lacks,
                                          .has_prior = true,
                                          .ends = "every point was tried",
                                          .says = says};

const sq_search sq_search_pruner_mlp = {.name = "pruner-mlp",
                                        .doc = "pruner with TenSet's network, which reads no flow of data",
                                        .open = open_mlp,
                                        .ask = ask,
                                        .tell = tell,
                                        .close = close,
                                        .ends = "every point was tried",
                                        .says = says};

const sq_search sq_search_pruner_tlp = {.name = "pruner-tlp",
                                        .doc = "pruner with TLP's network, which reads scripts alone",
                                        .open = open_tlp,
                                        .ask = ask,
                                        .tell = tell,
                                        .close = close,
                                        .ends = "every point was tried",
                                        .says = says};

const sq_search sq_search_moa = {.name = "moa",
                                 .doc = "pruner whose network begins with what it learned elsewhere (MoA-Pruner's)",
                                 .open = open_moa,
                                 .ask = ask,
                                 .tell = tell,
                                 .close = close,
                                 .has_weights = true,
                                 .ends = "every point was tried",
                                 .says = says};

const sq_search sq_search_moa_tuned = {.name = "moa-tuned",
                                       .doc = "moa without its twin: each lesson goes on from the last one",
                                       .open = open_moa_tuned,
                                       .ask = ask,
                                       .tell = tell,
                                       .close = close,
                                       .has_weights = true,
                                       .ends = "every point was tried",
                                       .says = says};

const sq_search sq_search_tensorcore = {.name = "tensorcore",
                                        .doc = "pruner over tiles of matrix instructions (Pruner's in MetaSchedule)",
                                        .open = open_tensorcore,
                                        .ask = ask,
                                        .tell = tell,
                                        .close = close,
                                        .misses = misses_fragments,
                                        .ends = "every point was tried",
                                        .says = says};

const sq_search sq_search_tensorcore_undrafted = {.name = "tensorcore-undrafted",
                                                  .doc = "tensorcore without its draft: the network ranks points by "
                                                         "chance",
                                                  .open = open_tensorcore_undrafted,
                                                  .ask = ask,
                                                  .tell = tell,
                                                  .close = close,
                                                  .misses = misses_fragments,
                                                  .by_chance = ROUND,
                                                  .ends = "every point was tried",
                                                  .says = says};

/* ---- the draft alone, without one of its penalties ---- */

#define WITHOUT(penalty, number)                                                                                       \
    static sq_seek *open_no_##penalty(const sq_space *space, const sq_search_options *o)                               \
    {                                                                                                                  \
        return open_with(space, o, (variant){true, PENALTIES & ~(1U << (number)), SQ_RANKER_CHANCE, 0, NULL});         \
    }                                                                                                                  \
    const sq_search sq_search_pruner_no_##penalty = {.name = "pruner-no-" #penalty,                                    \
                                                     .doc = "pruner-unverified without the penalty of " #penalty,      \
                                                     .open = open_no_##penalty,                                        \
                                                     .ask = ask,                                                       \
                                                     .tell = tell,                                                     \
                                                     .close = close,                                                   \
                                                     .ends = "every point was tried",                                  \
                                                     .says = says};

WITHOUT(registers, SQ_DRAFT_REGISTERS)
WITHOUT(loads, SQ_DRAFT_LOADS)
WITHOUT(chains, SQ_DRAFT_CHAINS)
WITHOUT(lanes, SQ_DRAFT_LANES)
WITHOUT(threads, SQ_DRAFT_THREADS)
WITHOUT(l1, SQ_DRAFT_L1)
WITHOUT(l2, SQ_DRAFT_L2)
WITHOUT(run, SQ_DRAFT_RUN)
