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
#include "tuner/search/base.h"
#include "tuner/search/trees.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUND = 64,
    GREEDY = ROUND - ROUND / 20, /* of a round; the others are drawn by chance */
    POPULATION = 2048,
    MOST_KEPT = POPULATION / 5, /* measured programs that a population begins with */
    LEAST_SAMPLED = 50,
    GENERATIONS = 4,
    UNLED_GENERATIONS = 2,
    BEST = 2 * ROUND, /* remembered of all generations */
    CHUNK = 256,      /* scored at once */
    TRIES = 10        /* for a child that is legal */
};
static const double mutated = 0.85;
static const sq_trees_options trees = {
    .depth = 10, .eta = 0.2, .gamma = 0.001, .min_child_weight = 0, .rounds = 10000, .patience = 50};

/* What a mutation changes. */
typedef enum kind { SIZE, STRUCTURE, UNROLLING, THREADS, NKINDS } kind;
static const double weight[NKINDS] = {0.90, 0.05, 0.04, 0.01};

typedef struct program {
    int point[SQ_MAX_COORDS];
    float score;
} program;

/* Programs as the model reads them. */
typedef struct table {
    int n, room; /* programs */
    int *size;   /* rows of each */
    float *row;
    size_t nrows, rows_room;
} table;

struct sq_seek {
    sq_search_base base;
    bool learns, evolves;
    sq_trees *model; /* NULL: the library fails, or it does without */
    bool is_led;     /* the model has learned */
    table known, asked; /* told; those that are scored */
    int *point;         /* of each told its coordinates */
    double *cost;       /* infinite: it was not valid */
    int round[ROUND][SQ_MAX_COORDS]; /* asked in this round */
    bool is_told[ROUND];
    int nround, ntold;
    bool is_planned; /* `best` is this round's */
    int nbest, taken;
    program best[BEST + 1]; /* best first */
    program now[POPULATION + MOST_KEPT], next[POPULATION];
    float features[SQ_FEATURE_ROWS][SQ_FEATURES];
};

static sq_seek *open_with(const sq_space *space, const sq_search_options *o, bool learns, bool evolves)
{
    sq_seek *s = sq_search_new(sizeof *s, space, o);
    s->learns = learns;
    s->evolves = evolves;
    s->model = learns && space->n > 0 ? sq_trees_new(SQ_FEATURES + space->n, &trees) : NULL;
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

static void *grow(void *p, size_t bytes)
{
    p = realloc(p, bytes);
    if (!p)
        abort();
    return p;
}

/* ---- programs as rows ---- */

/* Makes room for so many rows more, all 0; the first of them. */
static float *new_rows(table *t, int n, size_t width)
{
    if (t->n == t->room) {
        t->room = 2 * t->room + ROUND;
        t->size = grow(t->size, (size_t)t->room * sizeof *t->size);
    }
    if (t->nrows + (size_t)n > t->rows_room) {
        t->rows_room = 2 * t->rows_room + (size_t)n;
        t->row = grow(t->row, t->rows_room * width * sizeof *t->row);
    }
    float *first = t->row + t->nrows * width;
    memset(first, 0, (size_t)n * width * sizeof *first);
    t->size[t->n++] = n;
    t->nrows += (size_t)n;
    return first;
}

static int statements(sq_seek *s, const int *point)
{
    const sq_search_options *o = &s->base.o;
    return o->features ? o->features(o->features_user, point, s->features) : 0;
}

/* Adds a program: rows of its statements; where nobody can tell these, one row of its coordinates, in columns of their
 * own. */
static void add_program(sq_seek *s, table *t, const int *point)
{
    int n = statements(s, point), ncoords = s->base.space->n;
    size_t width = SQ_FEATURES + (size_t)ncoords;
    float *row = new_rows(t, n > 0 ? n : 1, width);
    for (int i = 0; i < n; i++)
        memcpy(row + (size_t)i * width, s->features[i], sizeof s->features[i]);
    for (int c = 0; c < ncoords && n <= 0; c++)
        row[SQ_FEATURES + c] = (float)log2(1 + fabs((double)sq_space_value(s->base.space, point, c)));
}

/* ---- the model ---- */

static void learn(sq_seek *s)
{
    float *speed = grow(NULL, ((size_t)s->known.n + 1) * sizeof *speed);
    double least = INFINITY;
    for (int i = 0; i < s->known.n; i++)
        least = fmin(least, s->cost[i]);
    for (int i = 0; i < s->known.n; i++)
        speed[i] = isfinite(s->cost[i]) ? (float)(least / s->cost[i]) : 0;
    s->is_led = sq_trees_fit_packs(s->model, s->known.row, s->known.size, speed, (size_t)s->known.n) == 0;
    if (!s->is_led)
        s->model = sq_trees_free(s->model);
    free(speed);
}

/* Scores up to CHUNK programs. */
static int score_chunk(sq_seek *s, program *of, int n)
{
    float score[CHUNK];
    s->asked.n = 0;
    s->asked.nrows = 0;
    for (int i = 0; i < n; i++)
        add_program(s, &s->asked, of[i].point);
    int rc = sq_trees_predict_packs(s->model, s->asked.row, s->asked.size, (size_t)n, score);
    for (int i = 0; rc == 0 && i < n; i++)
        of[i].score = score[i];
    return rc;
}

static void score(sq_seek *s, program *of, int n)
{
    for (int i = 0; i < n && s->is_led; i += CHUNK)
        s->is_led = score_chunk(s, of + i, n - i < CHUNK ? n - i : CHUNK) == 0;
    for (int i = 0; i < n && !s->is_led; i++)
        of[i].score = (float)sq_rng_unit(&s->base.rng);
}

/* ---- the first generation ---- */

static bool is_program(sq_seek *s, const int *point)
{
    return sq_search_legal(&s->base.o, point) && statements(s, point) >= 0;
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

static int by_cost(const void *a, const void *b)
{
    const double *x = *(const double *const *)a, *y = *(const double *const *)b;
    return *x != *y ? (*x > *y) - (*x < *y) : (x > y) - (x < y);
}

/* Adds the best that were measured to n sampled ones; their number. */
static int add_measured(sq_seek *s, int n)
{
    const double **order = grow(NULL, ((size_t)s->known.n + 1) * sizeof *order);
    size_t ncoords = (size_t)s->base.space->n;
    for (int i = 0; i < s->known.n; i++)
        order[i] = &s->cost[i];
    qsort(order, (size_t)s->known.n, sizeof *order, by_cost);
    for (int i = 0; i < s->known.n && i < MOST_KEPT && isfinite(*order[i]); i++) {
        program *x = &s->now[n++];
        memset(x->point, 0, sizeof x->point);
        memcpy(x->point, s->point + (size_t)(order[i] - s->cost) * ncoords, ncoords * sizeof *x->point);
    }
    free(order);
    return n;
}

/* ---- mutation ---- */

static kind kind_of(const sq_coord *c)
{
    return c->mark == SQ_COORD_UNROLLS    ? UNROLLING
           : c->mark == SQ_COORD_THREADS ? THREADS
           : c->structural              ? STRUCTURE
                                        : SIZE;
}

/* One of the coordinates of a kind that vary at the point, by chance; -1: there is none. */
static int any_of(sq_seek *s, const int *point, kind k)
{
    const sq_space *space = s->base.space;
    int n = 0, at = -1;
    for (int c = 0; c < space->n; c++)
        if (kind_of(&space->coord[c]) == k && sq_space_varies(space, point, c) &&
            sq_rng_below(&s->base.rng, (size_t)++n) == 0)
            at = c;
    return at;
}

/* The coordinate to change: the kind by the weights of those that are there, then any of that kind; -1. */
static int choose_coord(sq_seek *s, const int *point)
{
    int of[NKINDS];
    double sum = 0;
    for (int k = 0; k < NKINDS; k++) {
        of[k] = any_of(s, point, (kind)k);
        sum += of[k] >= 0 ? weight[k] : 0;
    }
    double left = sum * sq_rng_unit(&s->base.rng);
    int at = -1;
    for (int k = 0; k < NKINDS && left >= 0; k++)
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

static void mutate(sq_seek *s, int *point)
{
    int c = choose_coord(s, point);
    if (c >= 0 && kind_of(&s->base.space->coord[c]) == SIZE)
        move_factor(s, point, c);
    else if (c >= 0)
        sq_search_change(&s->base, point, c);
    sq_space_settle(s->base.space, point);
}

/* ---- evolution ---- */

/* The first whose sum of scores up to it exceeds x. */
static int find_share(const double *sum, int n, double x)
{
    int low = 0, high = n - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sum[middle] > x)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The next generation of n programs: parents by the share of their scores, mutated or as they are. */
static void breed(sq_seek *s, int n)
{
    double sum[POPULATION + MOST_KEPT], total = 0;
    for (int i = 0; i < n; i++)
        sum[i] = total += fmax(0, s->now[i].score);
    for (int i = 0; i < POPULATION; i++) {
        double x = sq_rng_unit(&s->base.rng);
        const program *parent = &s->now[total > 0 ? find_share(sum, n, x * total) : (int)(x * n)];
        s->next[i] = *parent;
        bool is_fit = sq_rng_unit(&s->base.rng) >= mutated;
        for (int t = 0; t < TRIES && !is_fit; t++) {
            s->next[i] = *parent;
            mutate(s, s->next[i].point);
            is_fit = is_program(s, s->next[i].point);
        }
        if (!is_fit)
            s->next[i] = *parent;
    }
    memcpy(s->now, s->next, sizeof s->next);
}

/* Puts those among the best that are better than these, were not measured and are not there: what is `considered` is,
 * or was not good enough. */
static void keep_best(sq_seek *s, const program *of, int n, sq_seen *considered)
{
    for (int i = 0; i < n; i++) {
        bool is_full = s->nbest == BEST;
        if ((is_full && of[i].score <= s->best[BEST - 1].score) || sq_seen_has(s->base.seen, of[i].point) ||
            !sq_seen_add(considered, of[i].point))
            continue;
        int at = s->nbest;
        for (; at > 0 && s->best[at - 1].score < of[i].score; at--)
            s->best[at] = s->best[at - 1];
        s->best[at] = of[i];
        s->nbest += !is_full;
    }
}

static void plan(sq_seek *s)
{
    s->nbest = s->taken = 0;
    s->is_planned = true;
    if (s->model && s->known.n >= ROUND)
        learn(s);
    int n = add_measured(s, sample(s));
    int generations = n == 0 || !s->evolves ? 0 : s->is_led ? GENERATIONS : UNLED_GENERATIONS;
    sq_seen *considered = sq_seen_new(s->base.space);
    for (int g = 0; g <= generations; g++) {
        if (g > 0) {
            breed(s, n);
            n = POPULATION;
        }
        score(s, s->now, n);
        keep_best(s, s->now, n, considered);
    }
    sq_seen_free(considered);
}

/* ---- the row ---- */

static int give(sq_seek *s, const int *point)
{
    memcpy(s->round[s->nround], point, sizeof s->round[0]);
    s->is_told[s->nround++] = false;
    return 1;
}

static int ask(sq_seek *s, int *point)
{
    if (s->nround == ROUND && s->ntold < ROUND)
        return 0; /* the next round is planned on all of this one */
    if (s->nround == ROUND) {
        s->nround = s->ntold = 0;
        s->is_planned = false;
    }
    if (sq_search_start(&s->base, point))
        return give(s, point);
    if (!s->is_planned && s->base.space->n > 0 && !s->base.rest)
        plan(s);
    while (s->taken < s->nbest && s->nround < GREEDY) {
        memcpy(point, s->best[s->taken++].point, sizeof s->best[0].point);
        if (sq_search_take(&s->base, point))
            return give(s, point);
    }
    return sq_search_chance(&s->base, point) == 1 ? give(s, point) : -1;
}

static void remember(sq_seek *s, const sq_told *t)
{
    size_t ncoords = (size_t)s->base.space->n, n = (size_t)s->known.n;
    int room = s->known.room;
    add_program(s, &s->known, t->point);
    if (s->known.room != room) {
        s->point = grow(s->point, (size_t)s->known.room * (ncoords + 1) * sizeof *s->point);
        s->cost = grow(s->cost, (size_t)s->known.room * sizeof *s->cost);
    }
    memcpy(s->point + n * ncoords, t->point, ncoords * sizeof *t->point);
    s->cost[n] = t->valid ? t->cost : INFINITY;
}

static void tell(sq_seek *s, const sq_told *t)
{
    sq_seen_add(s->base.seen, t->point);
    remember(s, t);
    for (int i = 0; i < s->nround; i++)
        if (!s->is_told[i] && memcmp(s->round[i], t->point, (size_t)s->base.space->n * sizeof *t->point) == 0) {
            s->is_told[i] = true;
            s->ntold++;
            break;
        }
}

static sq_seek *close(sq_seek *s)
{
    if (s) {
        sq_trees_free(s->model);
        free(s->known.size);
        free(s->known.row);
        free(s->asked.size);
        free(s->asked.row);
        free(s->point);
        free(s->cost);
    }
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
