/* Forest of JSON: the trees of XGBoost's own format, of which four lists are of importance here: the two children of
 * each node (-1: it is a leaf), its feature, the value that it is compared with or, of a leaf, its score. Nodes that
 * were pruned are still in the lists, but no node leads to them. */
#include "tuner/search/forest.h"
#include "support/memory.h"
#include <jansson.h>
#include <stdlib.h>

enum { MOST_DEPTH = 64 };

typedef struct lists {
    const json_t *left, *right, *feature, *value;
} lists;

typedef struct nodes {
    int n;
    size_t room;
    sq_forest_node *of;
} nodes;

static int int_at(const json_t *list, int i)
{
    return (int)json_integer_value(json_array_get(list, (size_t)i));
}

/* Adds node `at` and all behind it; its number, or -1. */
static int take_node(const lists *l, int at, int depth, nodes *to)
{
    if (depth > MOST_DEPTH || at < 0 || (size_t)at >= json_array_size(l->left))
        return -1;
    int number = to->n, left = int_at(l->left, at);
    sq_forest_node x = {.feature = left < 0 ? -1 : int_at(l->feature, at),
                        .value = (float)json_number_value(json_array_get(l->value, (size_t)at))};
    to->of = sq_grown(to->of, (size_t)to->n++, &to->room, sizeof *to->of);
    if (left >= 0) {
        x.below = take_node(l, left, depth + 1, to);
        x.above = x.below < 0 ? -1 : take_node(l, int_at(l->right, at), depth + 1, to);
    }
    to->of[number] = x;
    return x.below < 0 || x.above < 0 ? -1 : number;
}

static int take_tree(sq_forest *f, const json_t *tree)
{
    lists l = {json_object_get(tree, "left_children"), json_object_get(tree, "right_children"),
               json_object_get(tree, "split_indices"), json_object_get(tree, "split_conditions")};
    nodes x = {0};
    int rc = take_node(&l, 0, 0, &x) == 0 ? sq_forest_add(f, x.of, x.n) : -1;
    free(x.of);
    return rc;
}

static const json_t *inside(const json_t *x, const char *a, const char *b)
{
    return json_object_get(json_object_get(x, a), b);
}

sq_forest *sq_forest_of_xgboost(const char *text, size_t n, int nfeatures)
{
    json_t *all = json_loadb(text, n, 0, NULL);
    const json_t *learner = json_object_get(all, "learner");
    const json_t *trees = json_object_get(inside(learner, "gradient_booster", "model"), "trees");
    const char *base = json_string_value(inside(learner, "learner_model_param", "base_score"));
    sq_forest *f =
        base && json_is_array(trees) ? sq_forest_new(nfeatures, strtof(base, NULL)) : NULL;
    int rc = 0;
    for (size_t i = 0; f && rc == 0 && i < json_array_size(trees); i++)
        rc = take_tree(f, json_array_get(trees, i));
    json_decref(all);
    return rc == 0 ? f : sq_forest_free(f);
}

sq_forest *sq_forest_of_trees(const sq_trees *b, int nfeatures)
{
    size_t n;
    const int *column;
    int ncolumns;
    const char *text = sq_trees_text(b, &n, &column, &ncolumns);
    sq_forest *f = text ? sq_forest_of_xgboost(text, n, ncolumns) : NULL;
    for (int i = 0; f && i < f->nnodes; i++)
        if (f->node[i].feature >= 0)
            f->node[i].feature = column[f->node[i].feature];
    if (f)
        f->nfeatures = nfeatures;
    return f;
}
