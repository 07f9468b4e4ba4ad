/* Forest: boosted trees as plain nodes. They score rows without the library that learned them, and a file can keep them
 * (tuner/ranker_file.h). */
#ifndef SQ_TUNER_SEARCH_FOREST_H
#define SQ_TUNER_SEARCH_FOREST_H
#include "tuner/search/trees.h"
#include <stddef.h>

typedef struct sq_forest_node {
    int feature; /* -1: a leaf */
    int below,
        above; /* the next node where the feature is less than `value`, and where it is not: numbers within the
                         tree, behind this one */
    float value; /* of a leaf: its score */
} sq_forest_node;

typedef struct sq_forest {
    int nfeatures;
    float base; /* the score of a row without trees */
    int ntrees, nnodes;
    size_t trees_room, nodes_room;
    int *first; /* node of each tree */
    sq_forest_node *node;
} sq_forest;

/* Without trees. Ends the process without memory. */
sq_forest *sq_forest_new(int nfeatures, float base);
/* Adds a tree of n nodes, the first of which is its root. -1 and nothing added where that is no tree: a feature that
 * rows have not, a node that is not behind its parent, a value that is not finite. */
int sq_forest_add(sq_forest *f, const sq_forest_node *node, int n);
/* How many nodes a tree has. */
int sq_forest_nodes(const sq_forest *f, int tree);
/* Adds all trees of another one, and its base: the scores add up. */
void sq_forest_join(sq_forest *f, const sq_forest *other);
/* The sum of the scores of n rows of nfeatures numbers, none of them NaN. */
float sq_forest_score(const sq_forest *f, const float *row, int n);
/* NULL is fine. Returns NULL. */
sq_forest *sq_forest_free(sq_forest *f);

/* A model as XGBoost writes it, in JSON (n bytes); NULL: it cannot be read. */
sq_forest *sq_forest_of_xgboost(const char *text, size_t n, int nfeatures);
/* What trees learned of rows of nfeatures; NULL without a fit, and where the library cannot say. */
sq_forest *sq_forest_of_trees(const sq_trees *b, int nfeatures);
#endif
