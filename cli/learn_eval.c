/* Learn --eval: kernels are left out in turns, with all of their sizes, and ranked by what learned from the others; the
 * analytic model beside them has learned nothing. One table of all models, by which they can be compared. */
#include "cli/learn.h"
#include "support/stats.h"
#include "tuner/search/tlp.h"
#include "tuner/search/trees.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FOLDS = 5, LEAST_POINTS = 16 /* of a task that is judged */ };
static const char *const models[] = {"draft", "trees", "mlp", "pacm", "tlp"};

/* What the rankings of a model come to. */
typedef struct verdict {
    int ntasks;
    double correlation, near, recall; /* medians */
    double top[SQ_RANKING_TOPS];      /* means */
} verdict;

static bool is_asked(const sq_learner *x, const char *model)
{
    return !x->o->model || strcmp(x->o->model, model) == 0;
}

static sq_learned learned_of(const sq_learner *x, const char *model, sq_dataset_fold without)
{
    if (strcmp(model, "trees") == 0)
        return (sq_learned){.forest = sq_dataset_learn(x->data, without, NULL)};
    if (strcmp(model, "tlp") == 0)
        return (sq_learned){.tlp = sq_dataset_learn_tlp(x->data, without)};
    if (strcmp(model, "draft") == 0)
        return (sq_learned){0};
    return (sq_learned){.weights = sq_dataset_learn_network(x->data, without, strcmp(model, "pacm") == 0)};
}

static double median_of(const double *value, int n)
{
    return n > 0 ? sq_median(value, (size_t)n) : NAN;
}

static verdict verdict_of(const sq_learner *x, const sq_ranking *r, const bool *is_judged)
{
    int n = sq_dataset_tasks(x->data), nnear = 0;
    double *all = SQ_NEW_ARRAY(x->arena, double, 3 * n + 1), *near = all + n, *recall = near + n;
    verdict v = {0};
    for (int i = 0; i < n; i++) {
        if (!is_judged[i])
            continue;
        recall[v.ntasks] = r[i].recall;
        all[v.ntasks++] = r[i].correlation;
        if (isfinite(r[i].near))
            near[nnear++] = r[i].near;
        for (int k = 0; k < SQ_RANKING_TOPS; k++)
            v.top[k] += r[i].top[k];
    }
    for (int k = 0; k < SQ_RANKING_TOPS; k++)
        v.top[k] /= v.ntasks;
    v.correlation = median_of(all, v.ntasks);
    v.near = median_of(near, nnear);
    v.recall = median_of(recall, v.ntasks);
    return v;
}

static void say_task(const sq_learner *x, const char *model, int task, const sq_ranking *r)
{
    printf("  %-5s %-46s %6d  %5.2f  %5.2f  %d ", model, sq_dataset_name(x->data, task),
           sq_dataset_points(x->data, task), r->correlation, r->near, r->recall);
    for (int k = 0; k < SQ_RANKING_TOPS; k++)
        printf("  %.3f", r->top[k]);
    printf("\n");
}

static verdict judge(const sq_learner *x, const char *model, const bool *is_judged)
{
    int n = sq_dataset_tasks(x->data);
    sq_ranking *r = SQ_NEW_ARRAY(x->arena, sq_ranking, n + 1);
    for (int fold = 0; fold < FOLDS; fold++) {
        sq_dataset_fold without = {.at = fold, .of = FOLDS, .by_kernel = true};
        sq_learned l = learned_of(x, model, without);
        for (int i = 0; i < n; i++)
            if (is_judged[i] && sq_dataset_is_in(x->data, without, i))
                r[i] = sq_dataset_rank(x->data, i, &l);
        sq_learned_free(&l);
    }
    for (int i = 0; i < n && x->o->verbose; i++)
        if (is_judged[i])
            say_task(x, model, i, &r[i]);
    return verdict_of(x, r, is_judged);
}

static void say(const char *model, const verdict *v)
{
    printf("%-7s %5d  %5.2f  %5.2f  %4.1f ", model, v->ntasks, v->correlation, v->near, v->recall);
    for (int k = 0; k < SQ_RANKING_TOPS; k++)
        printf("  %.3f", v->top[k]);
    printf("\n");
}

int sq_learner_check_eval(const sq_settings *o, sq_diags *d)
{
    bool is_model = !o->model;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        is_model |= o->model && strcmp(o->model, models[i]) == 0;
    if (o->ranker)
        return sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "ranker"), "--eval writes no ranker");
    if (!is_model)
        return sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "model"),
                        "there is no model '%s' to judge: draft, trees, mlp, pacm or tlp", o->model);
    return 0;
}

int sq_learner_eval(sq_learner *x)
{
    int n = sq_dataset_tasks(x->data), njudged = 0;
    bool *is_judged = SQ_NEW_ARRAY(x->arena, bool, n + 1);
    for (int i = 0; i < n; i++)
        njudged += is_judged[i] = sq_dataset_points(x->data, i) >= LEAST_POINTS;
    if (njudged == 0)
        return sq_error(x->d, SQ_FAULT_WORLD, SQ_NOWHERE, "there is nothing to judge by: no task has %d points",
                        LEAST_POINTS);
    printf("%d of %d tasks have at least %d points. Rank correlation: the median, then that among points within\n"
           "1.3 times of the best. Of the 5 best points, how many are among the 8 ranked first: the median. Speed\n"
           "of the fastest of the first 1, 5, 64 and 512, beside the task's best: the mean.\n\n",
           njudged, n, LEAST_POINTS);
    printf("model   tasks    all   near  of 5      1      5     64    512\n");
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        if (!is_asked(x, models[i]))
            continue;
        if (strcmp(models[i], "trees") == 0 && sq_trees_lacks()) {
            sq_warning(x->d, SQ_NOWHERE, "trees are left out: they need %s", sq_trees_lacks());
            continue;
        }
        verdict v = judge(x, models[i], is_judged);
        say(models[i], &v);
        fflush(stdout);
    }
    return 0;
}
