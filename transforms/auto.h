/* Auto: builds a tree of loops from the dependences of a group. isl's scheduler proposes bands; the
 * tiles, the innermost loops and the parallel loops are chosen here, and every step is checked
 * against the group's exact dependences before it is kept. */
#ifndef SQ_TRANSFORMS_AUTO_H
#define SQ_TRANSFORMS_AUTO_H
#include "ir/schedule/tree.h"

/* Returns the tree of a group under `how`, in arena. NULL with *why if none was found within the
 * limit on isl's work, or if the group cannot satisfy `how`. */
const sq_tree *sq_auto_tree(const sq_kernel *k, const sq_group *g, const sq_auto *how,
                            sq_arena *arena, const char **why);

/* Returns isl's proposal: BAND, SEQUENCE and LEAF nodes only. with_reuse: the order also separates
 * the values that share a temporary's memory. NULL if isl finds none or one with divisions, or,
 * reported in *why, if the problem is too large. */
sq_tree *sq_auto_bands(const sq_kernel *k, const sq_group *g, const sq_auto *how, bool with_reuse,
                       const sq_tree_deps *deps, sq_arena *arena, const char **why);
/* Returns the size of the scheduling problem for the group with these pairs: isl's scheduler takes
 * about a microsecond per unit. whole: all statements are scheduled at once; otherwise one cycle of
 * pairs at a time, and the largest one counts. */
double sq_auto_size(const sq_kernel *k, const sq_group *g, isl_union_map *pairs /* __isl_keep */,
                    bool whole);
/* Returns a superset of the pairs: basic maps of many constraints, which isl's scheduler would take
 * minutes for, get fewer. An order that respects these respects the pairs. *exact (__isl_give): the
 * basic maps that are unchanged; the distances of the others are meaningless. */
isl_map *sq_auto_loose(sq_arena *arena, isl_map *pairs /* __isl_take */, isl_map **exact);
/* In each innermost band, moves the member with the best memory access pattern last, if that is
 * legal. */
void sq_auto_sink(const sq_group *g, sq_tree *t);
/* Returns the number of loops around all statements, outermost first, that can be kept as
 * written. */
int sq_auto_keepable(const sq_kernel *k, const sq_group *g);
#endif
