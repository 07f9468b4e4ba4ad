/* Tree, inside: what the two files that find a tree's dependences share. */
#ifndef SQ_IR_DEPENDENCE_TREE_INSIDE_H
#define SQ_IR_DEPENDENCE_TREE_INSIDE_H
#include "ir/schedule/tree.h"

typedef struct sq_tree_finder {
    const sq_kernel *k;
    const sq_group *g;
    sq_arena *arena;
    sq_tree_deps *to;
    bool failed; /* isl */
} sq_tree_finder;

/* Adds it unless it is empty. Takes its map. */
void sq_tree_dep_add(sq_tree_finder *f, sq_tree_dep d);
/* { p -> q : both update one element, and neither looks at it otherwise }; NULL without a sum.
 * __isl_give */
isl_map *sq_stmt_exchangeable(const sq_kernel *k, const sq_stmt *s);
/* Dependences of a group with temporaries of its own, array by array; false if it has none that a
 * copy for each iteration could serve. */
bool sq_tree_private_find(sq_tree_finder *f);
#endif
