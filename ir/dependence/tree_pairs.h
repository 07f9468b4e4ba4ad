/* Tree pairs: the pairs of instances that a dependence orders, as far as the loops around leave them to those inside.
 * A builder of trees asks for the legality of many trees that differ in a loop or a mark: what their outer loops leave
 * is computed once for all. */
#ifndef SQ_IR_DEPENDENCE_TREE_PAIRS_H
#define SQ_IR_DEPENDENCE_TREE_PAIRS_H
#include "ir/schedule/tree.h"

typedef enum sq_tree_side { SQ_TREE_BACK, SQ_TREE_STAY, SQ_TREE_AHEAD } sq_tree_side;

typedef struct sq_tree_pairs {
    isl_map *map; /* owned */
    bool none;    /* it is empty */
    /* How it was made of the set that it is in the list of; the next one there; those made of it. */
    sq_row from, to;
    sq_tree_side side;
    struct sq_tree_pairs *next, *inside;
} sq_tree_pairs;

/* Returns the sets of a group's dependences, all pairs of each; NULL if isl fails. The caller frees them before the
 * dependences. */
sq_tree_memo *sq_tree_memo_new(const sq_kernel *k, const sq_group *g, const sq_tree_deps *deps);
void sq_tree_memo_free(sq_tree_memo *m);
/* Returns all pairs of the dependence with that number. */
sq_tree_pairs *sq_tree_pairs_all(const sq_tree_memo *m, int dep);
/* Returns those of a set that the row of a member, a loop over its values, sends back, leaves in one iteration or
 * carries; NULL if isl fails. */
sq_tree_pairs *sq_tree_pairs_part(sq_tree_memo *m, sq_tree_pairs *of, const sq_tree_dep *dep, const sq_member *x,
                                  sq_tree_side side);
#endif
