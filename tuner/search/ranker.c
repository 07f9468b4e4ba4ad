/* Ranker: see ranker.h. */
#include "tuner/search/ranker.h"
#include "support/memory.h"
#include "tuner/model/ansor_features.h"
#include "tuner/search/forest.h"
#include "tuner/search/pacm.h"
#include "tuner/search/prices.h"
#include "tuner/search/steps.h"
#include "tuner/search/tlp.h"
#include "tuner/search/trees.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256 /* scored at once */, FIRST_ROOM = 64 };
static const sq_trees_options options = {
    .depth = 10, .eta = 0.2, .gamma = 0.001, .min_child_weight = 0, .rounds = 10000, .patience = 50};
/* What the guess gets wrong is less, and learned every other round while a search waits. */
static const sq_trees_options guided_options = {
    .depth = 6, .eta = 0.3, .gamma = 0.001, .min_child_weight = 0, .rounds = 60, .patience = 10};
/* Of its error without a prior what a model has with one that is of use. */
static const double worth = 0.9;

/* Points as the trees read them. */
typedef struct table {
    int n, room; /* points */
    int *size;   /* rows of each */
    float *row;
    float *prior; /* the same rows as a prior reads them: of SQ_PRIOR_FEATURES numbers */
    float *guess; /* of each point the model's seconds; 0: it has none */
    size_t nrows, rows_room;
} table;

struct sq_ranker {
    sq_search_base *base;
    sq_trees *trees;    /* NULL: the library fails, or it does without */
    sq_pacm *pacm;      /* NULL: it does without */
    sq_weights *first;  /* of pacm, what each lesson begins with; NULL: chance */
    bool keeps;         /* lessons go on from the last one */
    bool is_guided;     /* the trees learn what the model's guess gets wrong */
    float guessed;      /* the least guess of what was told */
    int ncolumns;       /* of rows for coordinates */
    sq_prices *prices;  /* NULL: it does without */
    sq_tlp *tlp;        /* NULL: it does without */
    sq_words words;     /* of the scripts that it read */
    int tail, ntail;    /* numbers of a statement that rows have behind its features and coordinates */
    bool is_led;        /* the model has learned, or ranks without */
    bool has_learned;   /* of this kernel */
    const sq_forest *prior; /* what was learned of others; NULL: nothing, or what it is of no use */
    double shift, scale;    /* of its scores, as they fit what was told */
    table known, asked; /* told; those that are scored */
    int *point;         /* of each told its coordinates */
    double *cost;       /* infinite: it was not valid */
    float statement[SQ_STATEMENTS][SQ_STATEMENT];
};

/* ---- what was learned before ---- */

/* Terms with prices are those of a processor: statements of a grid have none. */
static int statements(sq_ranker *r, const int *point)
{
    const sq_search_options *o = &r->base->o;
    int n = o->features ? o->features(o->features_user, point, r->statement) : 0;
    return n > 0 && r->prices && r->statement[0][SQ_ANSOR_GRID] > 0 ? 0 : n;
}

/* The model's guess in seconds; 0: it has none. */
static float guess_of(const sq_ranker *r, const int *point)
{
    double seconds = r->base->o.draft(r->base->o.draft_user, point);
    return isfinite(seconds) ? (float)seconds : 0;
}

/* The prior that there is now, if it can tell points apart. */
static const sq_forest *prior_of(sq_ranker *r)
{
    const sq_prior *p = &r->base->o.prior;
    const sq_forest *f = r->trees && p->now ? p->now(p->user) : NULL;
    return f && f->nfeatures == SQ_PRIOR_FEATURES && statements(r, r->base->space->start) > 0 ? f : NULL;
}

/* A network that begins with the weights of the options, if these are of what it reads. */
static void open_pacm(sq_ranker *r, sq_ranker_model model)
{
    const sq_weights *w = r->base->o.prior.weights;
    bool begins = (model == SQ_RANKER_MOA || model == SQ_RANKER_TUNED) && w && w->nfeatures == SQ_FEATURES &&
                  w->reads_flow && statements(r, r->base->space->start) > 0;
    r->keeps = model == SQ_RANKER_TUNED;
    r->ncolumns = begins ? 0 : r->base->space->n; /* no other kernel has these */
    r->pacm = sq_pacm_new(SQ_FEATURES + r->ncolumns, model != SQ_RANKER_MLP, r->base->o.seed);
    if (begins) {
        r->first = sq_weights_copy(w);
        sq_pacm_take(r->pacm, w);
    }
}

sq_ranker *sq_ranker_new(sq_search_base *base, sq_ranker_model model)
{
    sq_ranker *r = sq_allocated(calloc(1, sizeof *r));
    r->base = base;
    r->ncolumns = base->space->n;
    bool is_pacm = model >= SQ_RANKER_PACM && model <= SQ_RANKER_TUNED;
    r->is_guided = model == SQ_RANKER_GUIDED && base->o.draft;
    if (base->space->n > 0 && (model == SQ_RANKER_TREES || model == SQ_RANKER_GUIDED))
        r->trees = sq_trees_new(SQ_FEATURES + base->space->n, model == SQ_RANKER_TREES ? &options : &guided_options);
    if (base->space->n > 0 && is_pacm)
        open_pacm(r, model);
    if (base->space->n > 0 && model == SQ_RANKER_PRICES)
        r->prices = sq_prices_new(base->space->n, base->o.seed);
    if (base->space->n > 0 && model == SQ_RANKER_TLP)
        r->tlp = sq_tlp_new(base->o.seed);
    r->scale = 1;
    r->prior = prior_of(r);
    if (r->is_guided)
        r->guessed = guess_of(r, base->space->start);
    r->is_led = r->prior || r->first || (r->prices && (base->o.features || base->o.draft));
    bool reads_flow = is_pacm && model != SQ_RANKER_MLP;
    r->tail = reads_flow ? SQ_FLOW : SQ_DRAFT;
    r->ntail = reads_flow                  ? SQ_FLOW_STEPS * SQ_FLOW_NUMBERS
               : model == SQ_RANKER_PRICES ? SQ_DRAFT_NUMBERS
                                           : 0;
    return r;
}

/* ---- points as rows ---- */

/* Makes room for more rows, all 0, and returns the first of them. */
static float *new_rows(table *t, int n, size_t width)
{
    if (t->n == t->room) {
        t->room = 2 * t->room + FIRST_ROOM;
        t->size = sq_allocated(realloc(t->size, (size_t)t->room * sizeof *t->size));
        t->guess = sq_allocated(realloc(t->guess, (size_t)t->room * sizeof *t->guess));
    }
    if (t->nrows + (size_t)n > t->rows_room) {
        t->rows_room = 2 * t->rows_room + (size_t)n;
        t->row = sq_allocated(realloc(t->row, t->rows_room * width * sizeof *t->row));
        t->prior = sq_allocated(realloc(t->prior, t->rows_room * SQ_PRIOR_FEATURES * sizeof *t->prior));
    }
    float *first = t->row + t->nrows * width;
    memset(first, 0, (size_t)n * width * sizeof *first);
    memset(t->prior + t->nrows * SQ_PRIOR_FEATURES, 0, (size_t)n * SQ_PRIOR_FEATURES * sizeof *t->prior);
    t->size[t->n++] = n;
    t->nrows += (size_t)n;
    return first;
}

int sq_ranker_statements(sq_ranker *r, const int *point, float (**row)[SQ_STATEMENT])
{
    *row = r->statement;
    return statements(r, point);
}

bool sq_ranker_accepts(sq_ranker *r, const int *point)
{
    return sq_search_legal(&r->base->o, point) && statements(r, point) >= 0;
}

int sq_ranker_sample_by(sq_ranker *r, void (*draw)(sq_search_base *b, int *point), int tries, sq_scored_point *to,
                        int most, int least)
{
    sq_seen *drawn = sq_seen_new(r->base->space);
    int n = 0, before;
    do {
        before = n;
        for (int i = 0; i < tries && n < most; i++) {
            draw(r->base, to[n].point);
            n += sq_seen_add(drawn, to[n].point) && sq_ranker_accepts(r, to[n].point);
        }
    } while (n > before && n < least && n < most);
    sq_seen_free(drawn);
    return n;
}

int sq_ranker_sample(sq_ranker *r, sq_scored_point *to, int most, int least)
{
    return sq_ranker_sample_by(r, sq_search_draw, most, to, most, least);
}

/* The steps of a point's script; where nobody can tell it, of its coordinates. */
static int steps_of(sq_ranker *r, const int *point, float (*row)[SQ_STEP_NUMBERS])
{
    const sq_search_options *o = &r->base->o;
    sq_text text = {0};
    int n = o->script && o->script(o->script_user, point, &text) == 0
                ? sq_steps_of_script(&r->words, sq_text_str(&text), row)
                : 0;
    sq_text_free(&text);
    for (int c = 0; n == 0 && c < r->base->space->n && c < SQ_STEPS; c++)
        sq_step_of_value(c, sq_space_value(r->base->space, point, c), row[c]);
    return n > 0 ? n : r->base->space->n < SQ_STEPS ? r->base->space->n : SQ_STEPS;
}

/* Adds the steps of a point. */
static void add_steps(sq_ranker *r, table *t, const int *point)
{
    float step[SQ_STEPS][SQ_STEP_NUMBERS];
    int n = steps_of(r, point, step);
    memcpy(new_rows(t, n, SQ_STEP_NUMBERS), step, (size_t)n * sizeof *step);
}

/* Adds a point: steps of its script, or rows of its statements; where nobody can tell these, a row of its coordinates,
 * in columns of their own, and for prices the model's guess in that of the draft's seconds. */
static void add_point(sq_ranker *r, table *t, const int *point)
{
    if (r->tlp) {
        add_steps(r, t, point);
        return;
    }
    int n = statements(r, point), ncoords = r->ncolumns;
    size_t features = SQ_FEATURES + (size_t)ncoords, width = features + (size_t)r->ntail, first = t->nrows;
    float *row = new_rows(t, n > 0 ? n : 1, width), *before = t->prior + first * SQ_PRIOR_FEATURES;
    for (int i = 0; i < n; i++) {
        float *to = row + (size_t)i * width;
        memcpy(to, r->statement[i], SQ_FEATURES * sizeof *to);
        memcpy(to + features, r->statement[i] + r->tail, (size_t)r->ntail * sizeof *to);
        memcpy(before + i * SQ_PRIOR_FEATURES, r->statement[i], SQ_PRIOR_FEATURES * sizeof *before);
    }
    for (int c = 0; c < ncoords && n <= 0; c++)
        row[SQ_FEATURES + c] = (float)log2(1 + fabs((double)sq_space_value(r->base->space, point, c)));
    if (n <= 0 && r->prices && r->base->o.draft)
        row[features + SQ_DRAFT_COMPUTE] = guess_of(r, point);
    if (r->is_guided)
        t->guess[t->n - 1] = guess_of(r, point);
}

/* ---- what was told ---- */

void sq_ranker_tell(sq_ranker *r, const sq_told *t)
{
    size_t ncoords = (size_t)r->base->space->n, n = (size_t)r->known.n;
    int room = r->known.room;
    add_point(r, &r->known, t->point);
    if (r->known.room != room) {
        r->point = sq_allocated(realloc(r->point, (size_t)r->known.room * (ncoords + 1) * sizeof *r->point));
        r->cost = sq_allocated(realloc(r->cost, (size_t)r->known.room * sizeof *r->cost));
    }
    memcpy(r->point + n * ncoords, t->point, ncoords * sizeof *t->point);
    r->cost[n] = t->valid ? t->cost : INFINITY;
}

int sq_ranker_known(const sq_ranker *r)
{
    return r->known.n;
}

static int by_cost(const void *a, const void *b)
{
    const double *x = *(const double *const *)a, *y = *(const double *const *)b;
    return *x != *y ? (*x > *y) - (*x < *y) : (x > y) - (x < y);
}

int sq_ranker_best(const sq_ranker *r, sq_scored_point *to, int most)
{
    const double **order = sq_allocated(malloc(((size_t)r->known.n + 1) * sizeof *order));
    size_t ncoords = (size_t)r->base->space->n;
    int n = 0;
    for (int i = 0; i < r->known.n; i++)
        order[i] = &r->cost[i];
    qsort(order, (size_t)r->known.n, sizeof *order, by_cost);
    for (; n < r->known.n && n < most && isfinite(*order[n]); n++) {
        memset(&to[n], 0, sizeof to[n]);
        memcpy(to[n].point, r->point + (size_t)(order[n] - r->cost) * ncoords, ncoords * sizeof to[n].point[0]);
    }
    free(order);
    return n;
}

/* ---- the model ---- */

/* The speed of a point beside the fastest, by the model's guess and by what was learned of others: the mean of both. */
static double prior_score(const sq_ranker *r, const table *t, int i, const float *row)
{
    double guess = r->is_guided && t->guess[i] > 0 ? (double)(r->guessed / t->guess[i]) : 0;
    double learned = r->prior ? (double)sq_forest_score(r->prior, row, t->size[i]) : 0;
    return (guess + learned) / (r->is_guided && r->prior ? 2 : 1);
}

/* What the prior makes of each point of a table. */
static float *prior_scores(const sq_ranker *r, const table *t)
{
    float *score = sq_allocated(malloc(((size_t)t->n + 1) * sizeof *score)), *row = t->prior;
    for (int i = 0; i < t->n; row += (size_t)t->size[i++] * SQ_PRIOR_FEATURES)
        score[i] = (float)(r->shift + r->scale * prior_score(r, t, i, row));
    return score;
}

/* The line through the prior's scores that comes nearest to the speeds, which count by themselves. It does not fall: a
 * prior that is wrong of this kernel is left out. */
static void fit_prior(sq_ranker *r, const float *score, const float *speed, int n)
{
    double w = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < n; i++) {
        double s = (double)score[i], v = (double)speed[i];
        w += v;
        x += v * s;
        y += v * v;
        xx += v * s * s;
        xy += v * v * s;
    }
    double vary = w * xx - x * x, both = w * xy - x * y;
    r->scale = both > 0 && vary > 1e-9 * w * w ? both / vary : 0;
    r->shift = w > 0 ? (y - r->scale * x) / w : 0;
}

/* The scores of the prior that there is now, as they fit what was told; NULL where trees without it know nearly as well
 * what they have not seen. */
static float *fitted_scores(sq_ranker *r, const float *speed)
{
    const table *k = &r->known;
    r->prior = prior_of(r);
    r->shift = 0;
    r->scale = 1;
    if (!r->prior)
        return NULL;
    float *score = prior_scores(r, k);
    fit_prior(r, score, speed, k->n);
    free(score);
    score = prior_scores(r, k);
    if (r->scale > 0 && sq_trees_left_out(r->trees, k->row, k->size, speed, score, (size_t)k->n) <
                            worth * sq_trees_left_out(r->trees, k->row, k->size, speed, NULL, (size_t)k->n))
        return score;
    free(score);
    r->shift = r->scale = 0;
    return NULL;
}

static void note_least_guess(sq_ranker *r)
{
    r->guessed = INFINITY;
    for (int i = 0; i < r->known.n; i++)
        if (r->known.guess[i] > 0 && r->known.guess[i] < r->guessed)
            r->guessed = r->known.guess[i];
}

/* The error of scores, as trees count it. */
static double error_of(const float *score, const float *speed, int n)
{
    double error = 0;
    for (int i = 0; i < n; i++)
        error += (double)(speed[i] * (score[i] - speed[i]) * (score[i] - speed[i]));
    return error;
}

/* Learns what the guess gets wrong. The trees count where they foretell what they have not seen better than the guess
 * alone does: else its order is the best there is. */
static int learn_guided(sq_ranker *r, const float *speed)
{
    const table *k = &r->known;
    r->prior = prior_of(r);
    note_least_guess(r);
    r->shift = 0;
    r->scale = 1;
    float *score = prior_scores(r, k);
    fit_prior(r, score, speed, k->n);
    free(score);
    score = prior_scores(r, k);
    bool helps = r->scale > 0 && sq_trees_left_out(r->trees, k->row, k->size, speed, score, (size_t)k->n) <
                                     worth * error_of(score, speed, k->n);
    int rc = helps ? sq_trees_fit_packs(r->trees, k->row, k->size, speed, score, (size_t)k->n) : -1;
    free(score);
    return rc;
}

static int learn_trees(sq_ranker *r, const float *speed)
{
    const table *k = &r->known;
    float *offset = fitted_scores(r, speed);
    int rc = sq_trees_fit_packs(r->trees, k->row, k->size, speed, offset, (size_t)k->n);
    free(offset);
    return rc;
}

/* Of a Siamese network each lesson begins with the first weights, which follow it by little: MoA's momentum. */
static void learn_on(sq_ranker *r, const float *speed)
{
    static const double share = 0.01;
    const table *k = &r->known;
    if (!r->keeps)
        sq_pacm_take(r->pacm, r->first);
    sq_pacm_go_on(r->pacm, k->row, k->size, speed, NULL, (size_t)k->n);
    sq_weights *now = sq_pacm_weights(r->pacm);
    sq_weights_follow(r->first, now, share);
    sq_weights_free(now);
}

static bool learn(sq_ranker *r, const float *speed)
{
    const table *k = &r->known;
    if (r->first)
        learn_on(r, speed);
    else if (r->pacm)
        sq_pacm_fit(r->pacm, k->row, k->size, speed, (size_t)k->n);
    else if (r->tlp)
        sq_tlp_fit(r->tlp, k->row, k->size, speed, NULL, (size_t)k->n);
    else if (r->prices)
        sq_prices_fit(r->prices, k->row, k->size, speed, (size_t)k->n);
    else if (r->is_guided)
        return r->trees && learn_guided(r, speed) == 0;
    else if (learn_trees(r, speed) != 0)
        r->trees = sq_trees_free(r->trees);
    return r->pacm || r->tlp || r->prices || r->trees;
}

void sq_ranker_learn(sq_ranker *r, int enough)
{
    if (!r->trees && !r->pacm && !r->tlp && !r->prices)
        return;
    float *speed = sq_allocated(malloc(((size_t)r->known.n + 1) * sizeof *speed));
    double least = INFINITY;
    for (int i = 0; i < r->known.n; i++)
        least = fmin(least, r->cost[i]);
    for (int i = 0; i < r->known.n; i++)
        speed[i] = isfinite(r->cost[i]) ? (float)(least / r->cost[i]) : 0;
    bool learned = isfinite(least) && learn(r, speed); /* where nothing ran there is no order */
    bool leads = r->first || (r->prior && r->scale > 0 && !r->is_guided);
    r->has_learned = learned && r->trees;
    r->is_led = leads || (learned && r->known.n >= enough);
    free(speed);
}

bool sq_ranker_has_prior(const sq_ranker *r)
{
    return r->prior;
}

bool sq_ranker_is_led(const sq_ranker *r)
{
    return r->is_led;
}

/* Scores of the trees on top of the prior's, of the points that are asked. */
static int score_trees(sq_ranker *r, float *score)
{
    const table *t = &r->asked;
    float *prior = (r->prior || r->is_guided) && r->scale > 0 ? prior_scores(r, t) : NULL;
    int rc = r->has_learned ? sq_trees_predict_packs(r->trees, t->row, t->size, (size_t)t->n, score) : 0;
    for (int i = 0; i < t->n; i++)
        score[i] = (r->has_learned ? score[i] : 0) + (prior ? prior[i] : 0);
    free(prior);
    return rc;
}

/* Scores up to CHUNK points. */
static int score_chunk(sq_ranker *r, sq_scored_point *of, int n)
{
    float score[CHUNK];
    r->asked.n = 0;
    r->asked.nrows = 0;
    for (int i = 0; i < n; i++)
        add_point(r, &r->asked, of[i].point);
    int rc = 0;
    if (r->pacm)
        sq_pacm_predict(r->pacm, r->asked.row, r->asked.size, (size_t)n, score);
    else if (r->tlp)
        sq_tlp_predict(r->tlp, r->asked.row, r->asked.size, (size_t)n, score);
    else if (r->prices)
        sq_prices_predict(r->prices, r->asked.row, r->asked.size, (size_t)n, score);
    else
        rc = score_trees(r, score);
    for (int i = 0; rc == 0 && i < n; i++)
        of[i].score = score[i];
    return rc;
}

void sq_ranker_score(sq_ranker *r, sq_scored_point *of, int n, sq_rng *rng)
{
    for (int i = 0; i < n && r->is_led; i += CHUNK)
        r->is_led = score_chunk(r, of + i, n - i < CHUNK ? n - i : CHUNK) == 0;
    for (int i = 0; i < n && !r->is_led; i++)
        of[i].score = (float)sq_rng_unit(rng);
}

sq_ranker *sq_ranker_free(sq_ranker *r)
{
    if (r) {
        sq_trees_free(r->trees);
        sq_pacm_free(r->pacm);
        sq_weights_free(r->first);
        sq_prices_free(r->prices);
        sq_tlp_free(r->tlp);
        sq_words_free(&r->words);
        free(r->known.size);
        free(r->known.row);
        free(r->known.prior);
        free(r->known.guess);
        free(r->asked.size);
        free(r->asked.row);
        free(r->asked.prior);
        free(r->asked.guess);
        free(r->point);
        free(r->cost);
        free(r);
    }
    return NULL;
}
