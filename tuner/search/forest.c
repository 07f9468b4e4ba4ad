/* Forest: see forest.h. */
#include "tuner/search/forest.h"
#include "support/memory.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

sq_forest *sq_forest_new(int nfeatures, float base)
{
    sq_forest *f = sq_allocated(calloc(1, sizeof *f));
    f->nfeatures = nfeatures;
    f->base = base;
    return f;
}

static bool is_node(const sq_forest *f, const sq_forest_node *x, int at, int n)
{
    if (!isfinite(x->value) || x->feature < -1 || x->feature >= f->nfeatures)
        return false;
    return x->feature < 0 || (x->below > at && x->below < n && x->above > at && x->above < n);
}

int sq_forest_add(sq_forest *f, const sq_forest_node *node, int n)
{
    if (n < 1)
        return -1;
    for (int i = 0; i < n; i++)
        if (!is_node(f, &node[i], i, n))
            return -1;
    f->first = sq_grown(f->first, (size_t)f->ntrees, &f->trees_room, sizeof *f->first);
    f->first[f->ntrees++] = f->nnodes;
    for (int i = 0; i < n; i++) {
        f->node = sq_grown(f->node, (size_t)f->nnodes, &f->nodes_room, sizeof *f->node);
        f->node[f->nnodes++] = node[i];
    }
    return 0;
}

int sq_forest_nodes(const sq_forest *f, int tree)
{
    return (tree + 1 < f->ntrees ? f->first[tree + 1] : f->nnodes) - f->first[tree];
}

void sq_forest_join(sq_forest *f, const sq_forest *other)
{
    f->base += other->base;
    for (int i = 0; i < other->ntrees; i++)
        sq_forest_add(f, other->node + other->first[i], sq_forest_nodes(other, i));
}

static float score_row(const sq_forest *f, const float *row)
{
    float score = f->base;
    for (int i = 0; i < f->ntrees; i++) {
        const sq_forest_node *tree = f->node + f->first[i], *at = tree;
        while (at->feature >= 0)
            at = tree + (row[at->feature] < at->value ? at->below : at->above);
        score += at->value;
    }
    return score;
}

float sq_forest_score(const sq_forest *f, const float *row, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += score_row(f, row + (size_t)i * (size_t)f->nfeatures);
    return sum;
}

sq_forest *sq_forest_free(sq_forest *f)
{
    if (f) {
        free(f->first);
        free(f->node);
        free(f);
    }
    return NULL;
}
