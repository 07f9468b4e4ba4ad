/* Tree, inside: shared by the two files that compute a tree's dependences. */
#ifndef SQ_IR_DEPENDENCE_TREE_INSIDE_H
#define SQ_IR_DEPENDENCE_TREE_INSIDE_H
#include "ir/schedule/tree.h"

typedef struct sq_tree_finder {
    const sq_kernel *k;
    const sq_group *g;
    sq_arena *arena;
    sq_tree_deps *to;
    bool failed; /* isl failed */
} sq_tree_finder;

/* Adds it unless it is empty. Takes its map. */
void sq_tree_dep_add(sq_tree_finder *f, sq_tree_dep d);
/* Returns { p -> q : p of one statement and q of another, or of the same, update one element alike, and access it in no
 * other way }; NULL where they are no such updates. __isl_give */
isl_map *sq_stmts_exchangeable(const sq_kernel *k, const sq_stmt *a, const sq_stmt *b);
/* Finds the dependences of a group with local temporaries, array by array; false if none of these
 * could be private to an iteration. */
bool sq_tree_private_find(sq_tree_finder *f);
#endif
