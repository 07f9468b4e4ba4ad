/* Dataset: see dataset.h. */
#include "tuner/search/dataset.h"
#include "support/memory.h"
#include "support/stats.h"
#include "tuner/search/steps.h"
#include "tuner/search/tlp.h"
#include "tuner/search/trees.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shallower and fewer than those of one kernel (ranker.c): what these learn is to hold for others. */
static const sq_trees_options options = {
    .depth = 8, .eta = 0.1, .gamma = 0.001, .min_child_weight = 0, .rounds = 200, .patience = 50};

typedef struct item {
    int task, nrows;
    size_t row; /* the first */
    double cost;
    double guess; /* the analytic model's seconds; 0: not known */
    int nsteps;   /* of its script; 0: not known */
    float (*step)[SQ_STEP_NUMBERS];
} item;

struct task {
    char *name;
    int kernel;   /* number of its kernel */
    int n;        /* points */
    double least; /* cost of the fastest; INFINITY: none ran */
};

struct sq_dataset {
    int nitems, ntasks;
    size_t items_room, tasks_room;
    size_t nrows, rows_room;
    item *item;
    struct task *task;
    float (*row)[SQ_STATEMENT];
    sq_words words; /* of scripts */
};

sq_dataset *sq_dataset_new(void)
{
    return sq_allocated(calloc(1, sizeof(sq_dataset)));
}

/* The number of the kernel of a task, "gemm M=64": that of another one with the same word in front, or a new one. */
static int kernel_of(const sq_dataset *d, const char *name)
{
    size_t n = strcspn(name, " ");
    int next = 0;
    for (int i = 0; i < d->ntasks; i++) {
        if (strncmp(d->task[i].name, name, n) == 0 && strcspn(d->task[i].name, " ") == n)
            return d->task[i].kernel;
        next = d->task[i].kernel >= next ? d->task[i].kernel + 1 : next;
    }
    return next;
}

int sq_dataset_task(sq_dataset *d, const char *name)
{
    for (int i = 0; i < d->ntasks; i++)
        if (strcmp(d->task[i].name, name) == 0)
            return i;
    d->task = sq_grown(d->task, (size_t)d->ntasks, &d->tasks_room, sizeof *d->task);
    d->task[d->ntasks] =
        (struct task){.name = sq_allocated(strdup(name)), .kernel = kernel_of(d, name), .least = INFINITY};
    return d->ntasks++;
}

int sq_dataset_add(sq_dataset *d, int task, const float (*row)[SQ_STATEMENT], int nrows, double cost)
{
    if (nrows <= 0)
        return -1;
    d->item = sq_grown(d->item, (size_t)d->nitems, &d->items_room, sizeof *d->item);
    d->item[d->nitems++] = (item){.task = task, .nrows = nrows, .row = d->nrows, .cost = cost};
    d->task[task].n++;
    d->task[task].least = fmin(d->task[task].least, cost);
    for (int i = 0; i < nrows; i++) {
        d->row = sq_grown(d->row, d->nrows, &d->rows_room, sizeof *d->row);
        memcpy(d->row[d->nrows++], row[i], sizeof *d->row);
    }
    return d->nitems - 1;
}

void sq_dataset_describe(sq_dataset *d, int point, double guess, const char *script)
{
    float step[SQ_STEPS][SQ_STEP_NUMBERS];
    item *x = &d->item[point];
    x->guess = isfinite(guess) && guess > 0 ? guess : 0;
    x->nsteps = sq_steps_of_script(&d->words, script, step);
    x->step = sq_allocated(malloc(sizeof step));
    memcpy(x->step, step, (size_t)x->nsteps * sizeof *step);
}

int sq_dataset_tasks(const sq_dataset *d)
{
    return d->ntasks;
}

const char *sq_dataset_name(const sq_dataset *d, int task)
{
    return d->task[task].name;
}

int sq_dataset_points(const sq_dataset *d, int task)
{
    return task < 0 ? d->nitems : d->task[task].n;
}

/* The rows of a point as trees read them, into `to`. */
static void put_prior(const sq_dataset *d, const item *x, float *to)
{
    for (int i = 0; i < x->nrows; i++)
        memcpy(to + (ptrdiff_t)i * SQ_PRIOR_FEATURES, d->row[x->row + (size_t)i], SQ_PRIOR_FEATURES * sizeof *to);
}

static float score(const sq_dataset *d, const item *x, const sq_forest *f)
{
    float row[SQ_STATEMENTS * SQ_PRIOR_FEATURES];
    put_prior(d, x, row);
    return sq_forest_score(f, row, x->nrows);
}

/* Of a point beside the fastest of its task. */
static float speed(const sq_dataset *d, const item *x)
{
    return isfinite(x->cost) ? (float)(d->task[x->task].least / x->cost) : 0;
}

/* ---- learning ---- */

/* Points as trees take them. */
typedef struct lesson {
    size_t n, nrows;
    float *row, *y, *offset;
    int *size;
} lesson;

bool sq_dataset_is_in(const sq_dataset *d, sq_dataset_fold fold, int task)
{
    return fold.of > 0 && (fold.by_kernel ? d->task[task].kernel : task) % fold.of == fold.at;
}

/* True if the task's points are learned from: it is not held out, and one of them ran. */
static bool is_taught(const sq_dataset *d, sq_dataset_fold without, int task)
{
    return !sq_dataset_is_in(d, without, task) && isfinite(d->task[task].least);
}

static lesson lesson_of(const sq_dataset *d, sq_dataset_fold without, const sq_forest *given)
{
    size_t n = (size_t)d->nitems + 1;
    lesson l = {.row = sq_allocated(malloc((d->nrows + 1) * sizeof *d->row)),
                .y = sq_allocated(malloc(2 * n * sizeof *l.y)),
                .size = sq_allocated(malloc(n * sizeof *l.size))};
    l.offset = l.y + n;
    for (int i = 0; i < d->nitems; i++) {
        const item *x = &d->item[i];
        if (!is_taught(d, without, x->task))
            continue;
        put_prior(d, x, l.row + l.nrows * SQ_PRIOR_FEATURES);
        l.nrows += (size_t)x->nrows;
        l.size[l.n] = x->nrows;
        l.offset[l.n] = given ? score(d, x, given) : 0;
        l.y[l.n++] = speed(d, x);
    }
    return l;
}

sq_forest *sq_dataset_learn(const sq_dataset *d, sq_dataset_fold without, const sq_forest *given)
{
    lesson l = lesson_of(d, without, given);
    sq_trees *b = l.n > 0 ? sq_trees_new(SQ_PRIOR_FEATURES, &options) : NULL;
    sq_forest *f = b && sq_trees_fit_packs(b, l.row, l.size, l.y, given ? l.offset : NULL, l.n) == 0
                       ? sq_forest_of_trees(b, SQ_PRIOR_FEATURES)
                       : NULL;
    if (f && given)
        sq_forest_join(f, given);
    sq_trees_free(b);
    free(l.row);
    free(l.y);
    free(l.size);
    return f;
}

/* ---- networks ---- */

static const unsigned long long seed = 1;

static size_t width_of(bool reads_flow)
{
    return SQ_FEATURES + (reads_flow ? SQ_FLOW_STEPS * SQ_FLOW_NUMBERS : 0);
}

/* The rows of a point as a network reads them, into `to`. */
static void put_network(const sq_dataset *d, const item *x, bool reads_flow, float *to)
{
    for (int i = 0; i < x->nrows; i++, to += width_of(reads_flow)) {
        const float *row = d->row[x->row + (size_t)i];
        memcpy(to, row, SQ_FEATURES * sizeof *to);
        if (reads_flow)
            memcpy(to + SQ_FEATURES, row + SQ_FLOW, (size_t)SQ_FLOW_STEPS * SQ_FLOW_NUMBERS * sizeof *to);
    }
}

sq_weights *sq_dataset_learn_network(const sq_dataset *d, sq_dataset_fold without, bool reads_flow)
{
    size_t room = (size_t)d->nitems + 1, width = width_of(reads_flow), n = 0, nrows = 0;
    float *row = sq_allocated(malloc((d->nrows + 1) * width * sizeof *row));
    float *y = sq_allocated(malloc(room * sizeof *y));
    int *size = sq_allocated(malloc(2 * room * sizeof *size)), *group = size + room, ngroups = 0;
    for (int task = 0; task < d->ntasks; task++) {
        size_t before = n;
        for (int i = 0; i < d->nitems; i++) {
            const item *x = &d->item[i];
            if (x->task != task || !is_taught(d, without, task))
                continue;
            put_network(d, x, reads_flow, row + nrows * width);
            nrows += (size_t)x->nrows;
            size[n] = x->nrows;
            group[n] = ngroups;
            y[n++] = speed(d, x);
        }
        ngroups += n > before;
    }
    sq_pacm *m = sq_pacm_new(SQ_FEATURES, reads_flow, seed);
    if (n > 0)
        sq_pacm_go_on(m, row, size, y, group, n);
    sq_weights *w = n > 0 ? sq_pacm_weights(m) : NULL;
    sq_pacm_free(m);
    free(row);
    free(y);
    free(size);
    return w;
}

sq_tlp *sq_dataset_learn_tlp(const sq_dataset *d, sq_dataset_fold without)
{
    size_t room = (size_t)d->nitems + 1, n = 0, nrows = 0;
    float(*row)[SQ_STEP_NUMBERS] = sq_allocated(malloc(room * SQ_STEPS * sizeof *row));
    float *y = sq_allocated(malloc(room * sizeof *y));
    int *size = sq_allocated(malloc(2 * room * sizeof *size)), *group = size + room, ngroups = 0;
    for (int task = 0; task < d->ntasks; task++) {
        size_t before = n;
        for (int i = 0; i < d->nitems; i++) {
            const item *x = &d->item[i];
            if (x->task != task || x->nsteps == 0 || !is_taught(d, without, task))
                continue;
            memcpy(row[nrows], x->step, (size_t)x->nsteps * sizeof *row);
            nrows += (size_t)x->nsteps;
            size[n] = x->nsteps;
            group[n] = ngroups;
            y[n++] = speed(d, x);
        }
        ngroups += n > before;
    }
    sq_tlp *m = n > 0 ? sq_tlp_new(seed) : NULL;
    if (m)
        sq_tlp_fit(m, row[0], size, y, group, n);
    free(row);
    free(y);
    free(size);
    return m;
}

void sq_learned_free(sq_learned *x)
{
    x->tlp = sq_tlp_free(x->tlp);
    x->forest = sq_forest_free(x->forest);
    x->weights = sq_weights_free(x->weights);
}

/* ---- ranking ---- */

typedef struct place {
    double value;
    int at;
} place;

static int by_value(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->at > y->at) - (x->at < y->at);
}

/* Scores of the points of a task by a network. */
static void score_by_network(const sq_dataset *d, int task, const sq_weights *w, double *scored)
{
    sq_pacm *m = sq_pacm_new(w->nfeatures, w->reads_flow, seed);
    float *row = sq_allocated(malloc(SQ_STATEMENTS * width_of(w->reads_flow) * sizeof *row)), score_of;
    sq_pacm_take(m, w);
    for (int i = 0; i < d->nitems; i++) {
        const item *x = &d->item[i];
        if (x->task != task)
            continue;
        put_network(d, x, w->reads_flow, row);
        sq_pacm_predict(m, row, &x->nrows, 1, &score_of);
        *scored++ = (double)score_of;
    }
    free(row);
    sq_pacm_free(m);
}

const int sq_ranking_top[SQ_RANKING_TOPS] = {1, 5, 64, 512};

/* The points of a task in the order of what they have, the largest first. The caller frees it. */
static place *order_of(const double *what, int n)
{
    place *order = sq_allocated(malloc(((size_t)n + 1) * sizeof *order));
    for (int i = 0; i < n; i++)
        order[i] = (place){-what[i], i};
    qsort(order, (size_t)n, sizeof *order, by_value);
    return order;
}

/* The largest speed of the first n points. */
static double best_of(const place *order, const double *seen, int npoints, int n)
{
    double best = 0;
    for (int i = 0; i < n && i < npoints; i++)
        best = fmax(best, seen[order[i].at]);
    return best;
}

/* How many of the fastest are among those that are ranked first. */
static int recall_of(const place *ranked, const place *fastest, int n)
{
    int found = 0;
    for (int i = 0; i < SQ_RANKING_BEST && i < n; i++)
        for (int k = 0; k < SQ_RANKING_MEASURED && k < n; k++)
            found += fastest[i].at == ranked[k].at;
    return found;
}

/* The correlation among the points within 1.3 times of the best. */
static double near_of(const double *scored, const double *seen, int n)
{
    static const double near = 1 / 1.3;
    double *x = sq_allocated(malloc((2 * (size_t)n + 1) * sizeof *x)), *y = x + n;
    size_t some = 0;
    for (int i = 0; i < n; i++)
        if (seen[i] >= near) {
            x[some] = scored[i];
            y[some++] = seen[i];
        }
    double r = some < 3 ? NAN : sq_rank_correlation(x, y, some);
    free(x);
    return r;
}

/* Scores of the points of a task; the largest is ranked first. */
static void score_task(const sq_dataset *d, int task, const sq_learned *l, double *scored)
{
    if (l->weights) {
        score_by_network(d, task, l->weights, scored);
        return;
    }
    for (int i = 0; i < d->nitems; i++) {
        const item *x = &d->item[i];
        float by_steps = 0;
        if (x->task != task)
            continue;
        if (l->tlp && x->nsteps > 0)
            sq_tlp_predict(l->tlp, x->step[0], &x->nsteps, 1, &by_steps);
        *scored++ = l->forest ? (double)score(d, x, l->forest) : l->tlp ? (double)by_steps : -x->guess;
    }
}

static sq_ranking ranking_of(const double *scored, const double *seen, int n)
{
    place *ranked = order_of(scored, n), *fastest = order_of(seen, n);
    sq_ranking r = {.correlation = sq_rank_correlation(scored, seen, (size_t)n),
                    .near = near_of(scored, seen, n),
                    .recall = recall_of(ranked, fastest, n)};
    for (int i = 0; i < SQ_RANKING_TOPS; i++)
        r.top[i] = best_of(ranked, seen, n, sq_ranking_top[i]);
    free(ranked);
    free(fastest);
    return r;
}

sq_ranking sq_dataset_rank(const sq_dataset *d, int task, const sq_learned *learned)
{
    double *scored = sq_allocated(malloc((2 * (size_t)d->nitems + 1) * sizeof *scored)), *seen = scored + d->nitems;
    int n = 0;
    score_task(d, task, learned, scored);
    for (int i = 0; i < d->nitems; i++)
        if (d->item[i].task == task)
            seen[n++] = (double)speed(d, &d->item[i]);
    sq_ranking r = ranking_of(scored, seen, n);
    free(scored);
    return r;
}

sq_dataset *sq_dataset_free(sq_dataset *d)
{
    for (int i = 0; d && i < d->ntasks; i++)
        free(d->task[i].name);
    for (int i = 0; d && i < d->nitems; i++)
        free(d->item[i].step);
    if (d) {
        sq_words_free(&d->words);
        free(d->task);
        free(d->item);
        free(d->row);
    }
    free(d);
    return NULL;
}
