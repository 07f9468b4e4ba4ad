/* squall learn: trees or a network that rank schedules (tuner/search/dataset.h), learned from the stored trials of
 * descriptions and from landscapes, into the file that --ranker names. How well they rank what they have not seen is
 * said of each task: tasks are left out in turns. */
#include "cli/learn.h"
#include "codegen/isa/target.h"
#include "support/file.h"
#include "tuner/landscape.h"
#include "tuner/ranker_file.h"
#include "tuner/search/trees.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FOLDS = 10 };
static const char suffix[] = ".landscape";
static const char *const models[] = {"trees", "pacm", "mlp"}; /* the first is the default */

int sq_learner_class(sq_learner *x, const char *machine_class, const char *from)
{
    if (!x->machine_class)
        x->machine_class = sq_arena_strdup(x->arena, machine_class);
    if (strcmp(x->machine_class, machine_class) == 0)
        return 0;
    return sq_error(x->d, SQ_FAULT_INPUT, SQ_NOWHERE,
                    "'%s' is of class %s, what is before it of class %s: a ranker is of one", from,
                    machine_class, x->machine_class);
}

void sq_learner_point(sq_learner *x, int task, const float (*row)[SQ_STATEMENT], int nrows, double cost, double guess,
                      const char *script)
{
    int point = sq_dataset_add(x->data, task, row, nrows, cost);
    if (point >= 0)
        sq_dataset_describe(x->data, point, guess, script);
}

/* ---- landscapes ---- */

static bool is_landscape(const char *path)
{
    size_t n = strlen(path), end = sizeof suffix - 1;
    return n > end && strcmp(path + n - end, suffix) == 0;
}

/* The model's guess of each candidate, that of its first point. */
static double *guesses_of(const sq_learner *x, const sq_landscape *l)
{
    double *guess = SQ_NEW_ARRAY(x->arena, double, l->ncandidates + 1);
    for (int i = l->npoints; i-- > 0;)
        if (l->candidate[i] >= 0)
            guess[l->candidate[i]] = l->draft[i];
    return guess;
}

static int add_landscape(sq_learner *x, const char *path)
{
    sq_landscape l;
    if (sq_landscape_read(&l, path, x->arena, x->d) != 0)
        return -1;
    const sq_target *target = sq_target_get(l.target);
    if (!target)
        return sq_error(x->d, SQ_FAULT_INPUT, SQ_NOWHERE,
                        "'%s' is of a target that is not known: '%.80s'", path, l.target);
    if (sq_learner_class(x, target->machine, path) != 0)
        return -1;
    int task = sq_dataset_task(x->data, l.label);
    const double *guess = guesses_of(x, &l);
    for (int i = 0; i < l.ncandidates; i++) {
        const sq_landscape_candidate *c = &l.of[i];
        sq_learner_point(x, task, (const float(*)[SQ_STATEMENT])c->row, c->nrows,
                         c->status == SQ_OK ? c->seconds : INFINITY, guess[i], c->script);
    }
    return 0;
}

/* ---- what is said ---- */

static sq_learned learned_of(const sq_learner *x, sq_dataset_fold without)
{
    const char *model = x->o->model ? x->o->model : models[0];
    if (strcmp(model, models[0]) == 0)
        return (sq_learned){.forest = sq_dataset_learn(x->data, without, NULL)};
    return (sq_learned){.weights = sq_dataset_learn_network(x->data, without, strcmp(model, "pacm") == 0)};
}

static bool is_empty(const sq_learned *l)
{
    return !l->forest && !l->weights;
}

/* How what learned from nine tenths of the others ranks each task. */
static sq_ranking *rankings_of(const sq_learner *x)
{
    int n = sq_dataset_tasks(x->data);
    sq_ranking *r = SQ_NEW_ARRAY(x->arena, sq_ranking, n + 1);
    int folds = n < FOLDS ? n : FOLDS;
    for (int fold = 0; fold < folds; fold++) {
        sq_learned l = learned_of(x, (sq_dataset_fold){.at = fold, .of = folds});
        for (int i = fold; i < n; i += folds)
            r[i] = is_empty(&l) ? (sq_ranking){.correlation = NAN} : sq_dataset_rank(x->data, i, &l);
        sq_learned_free(&l);
    }
    return r;
}

static void say(const sq_learner *x, const sq_ranker_file *r)
{
    const sq_ranking *rank = rankings_of(x);
    printf("%s: ", x->o->ranker);
    if (r->learned.forest)
        printf("%d trees", r->learned.forest->ntrees);
    else
        printf("a network of %d numbers", r->learned.weights->n);
    printf(" of %d points, class %s\n", r->points, r->machine_class);
    printf("  %-52s %8s  %s\n", "task", "points", "rank correlation when left out, best of its first 1, 5");
    for (int i = 0; i < r->ntasks; i++) {
        printf("  %-52s %8d  ", r->task[i], sq_dataset_points(x->data, i));
        if (isnan(rank[i].correlation))
            printf("-\n");
        else
            printf("%5.2f  %.3f  %.3f\n", rank[i].correlation, rank[i].top[0], rank[i].top[1]);
    }
}

/* ---- the ranker ---- */

static int nothing(const sq_learner *x)
{
    const char *lacks = sq_trees_lacks();
    if (sq_dataset_points(x->data, -1) > 0)
        return sq_error(x->d, SQ_FAULT_WORLD, SQ_NOWHERE,
                        "learning needs %s, of version 1.6 or later",
                        lacks ? lacks : "XGBoost's library");
    sq_error(x->d, SQ_FAULT_WORLD, SQ_NOWHERE,
             "there is nothing to learn from: no trial whose schedule has statements that "
             "a ranker reads");
    sq_help(x->d, SQ_NOWHERE,
            "`squall tune K.sq` makes trials, `squall race K.sq --record=FILE.landscape` many");
    return -1;
}

static int write_ranker(const sq_learner *x, const sq_ranker_file *r)
{
    sq_text text = {0};
    int rc = sq_ranker_file_print(r, &text);
    if (rc != 0)
        sq_error(x->d, SQ_FAULT_WORLD, SQ_NOWHERE, "a name is not UTF-8, which a ranker is");
    else
        rc = sq_file_write(x->d, x->o->ranker, sq_text_str(&text), text.n, 0);
    sq_text_free(&text);
    return rc;
}

static int learn(const sq_learner *x)
{
    int n = sq_dataset_tasks(x->data);
    sq_ranker_file r = {.machine_class = x->machine_class,
                        .ntasks = n,
                        .task = SQ_NEW_ARRAY(x->arena, const char *, n + 1),
                        .points = sq_dataset_points(x->data, -1),
                        .learned = learned_of(x, (sq_dataset_fold){0})};
    if (is_empty(&r.learned))
        return nothing(x);
    for (int i = 0; i < n; i++)
        r.task[i] = sq_dataset_name(x->data, i);
    int rc = write_ranker(x, &r);
    if (rc == 0 && !x->o->quiet)
        say(x, &r);
    sq_learned_free(&r.learned);
    return rc;
}

static int check_options(const sq_settings *o, sq_diags *d)
{
    if (o->files.n == 0)
        return sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE,
                        "learn from what? Give descriptions, or landscapes, files *.landscape");
    if (o->eval)
        return sq_learner_check_eval(o, d);
    if (!o->ranker || strcmp(o->ranker, "-") == 0)
        return sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE,
                        "where is the ranker to go? Give --ranker=FILE");
    bool is_model = !o->model;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        is_model |= o->model && strcmp(o->model, models[i]) == 0;
    if (!is_model)
        return sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "model"), "there is no model '%s': trees, pacm or mlp",
                        o->model);
    if (sq_ranker_file_is_other(o->ranker))
        return sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "ranker"),
                        "'%s' is there and is no ranker: it is left alone", o->ranker);
    return 0;
}

int sq_cmd_learn(const sq_settings *o, sq_diags *d)
{
    if (check_options(o, d) != 0)
        return -1;
    sq_learner x = {.o = o, .d = d, .arena = sq_arena_new(), .data = sq_dataset_new()};
    int rc = 0;
    for (int i = 0; i < o->files.n && rc == 0; i++)
        rc = is_landscape(o->files.item[i]) ? add_landscape(&x, o->files.item[i])
                                            : sq_learner_trials(&x, o->files.item[i]);
    if (rc == 0)
        rc = o->eval ? sq_learner_eval(&x) : learn(&x);
    sq_dataset_free(x.data);
    sq_arena_free(x.arena);
    return rc;
}
