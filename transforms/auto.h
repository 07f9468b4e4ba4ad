/* Auto: from the dependences of a group to a tree of loops. isl's scheduler proposes bands; what is
 * made of them (tiles, which loop is innermost, what threads share) is chosen here, and every step
 * is checked against the group's exact dependences before it is kept. */
#ifndef SQ_TRANSFORMS_AUTO_H
#define SQ_TRANSFORMS_AUTO_H
#include "ir/schedule/tree.h"

/* The tree of a group under `how`; in arena. NULL with *why when none was found within the limit on
 * isl's work, or when `how` asks for what the group has not. */
const sq_tree *sq_auto_tree(const sq_kernel *k, const sq_group *g, const sq_auto *how,
                            sq_arena *arena, const char **why);

/* isl's proposal: BAND, SEQUENCE and LEAF nodes only. with_reuse: the order also separates the
 * values that share a temporary's memory. NULL where isl finds none or one with divisions, or, said
 * in *why, where the problem is too large for it. */
sq_tree *sq_auto_bands(const sq_kernel *k, const sq_group *g, const sq_auto *how, bool with_reuse,
                       const sq_tree_deps *deps, sq_arena *arena, const char **why);
/* The size of a question about the group with these pairs: isl's scheduler takes about a
 * microsecond for each unit. whole: all statements get their loops at once; otherwise those of each
 * cycle of pairs do, and the largest cycle counts. */
double sq_auto_size(const sq_kernel *k, const sq_group *g, isl_union_map *pairs /* __isl_keep */,
                    bool whole);
/* A superset of the pairs: basic maps of many constraints, which isl's scheduler would take minutes
 * for, have fewer. An order that respects these respects the pairs. *exact (__isl_give): the basic
 * maps that were left as they are; the distances of the others mean nothing. */
isl_map *sq_auto_loose(sq_arena *arena, isl_map *pairs /* __isl_take */, isl_map **exact);
/* Puts the member whose steps walk memory best last in every innermost band that allows it. */
void sq_auto_sink(const sq_group *g, sq_tree *t);
/* The loops written around all statements, outermost first, that can be kept. */
int sq_auto_keepable(const sq_kernel *k, const sq_group *g);
#endif
