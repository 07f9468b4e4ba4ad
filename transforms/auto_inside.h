/* Auto, inside: what auto.c and auto_grid.c share while a tree is built. */
#ifndef SQ_TRANSFORMS_AUTO_INSIDE_H
#define SQ_TRANSFORMS_AUTO_INSIDE_H
#include "transforms/auto.h"

typedef struct sq_auto_maker {
    const sq_kernel *k;
    const sq_group *g;
    const sq_auto *how;
    sq_arena *arena;
    const sq_tree_deps *deps;
    sq_tree *root;
    const char *why; /* there are no bands or none that can be written down, where known; or NULL */
} sq_auto_maker;

/* True if the tree in its present state is legal. */
bool sq_auto_respects(const sq_auto_maker *m);
/* A node's statements by the loops around its member `at`, which stay: those of a cycle side by
 * side in list, nothing before what it must come after; size of each, and their number. 1 where
 * they are not known. */
int sq_auto_components(sq_auto_maker *m, const sq_tree *b, int at, int *list, int *size);
/* A loop nest of members [from, nmembers) of a band over leaves, around some of its statements. */
sq_tree *sq_auto_own_loops(const sq_auto_maker *m, const sq_tree *b, int from, const int *stmt,
                           int n);
/* True if a node is a leaf or a sequence of leaves. */
bool sq_auto_only_leaves(const sq_tree *t);
/* Lets threads share member i, with copies of temporaries where these help; false, and nothing
 * changed, where it carries something. */
bool sq_auto_share(sq_auto_maker *m, sq_tree *t, int i);
/* The same of the tiles along the sum of a node's first two members. Where the loop over that sum
 * cannot be written down m->why says so, and the tree is of no use. */
bool sq_auto_wavefront(sq_auto_maker *m, sq_tree *t);

/* auto_front.c. True if isl finds the loop over a wavefront of tiles in little time. Kept with the
 * dependences: scripts that differ elsewhere share the result. */
bool sq_auto_front_is_simple(const sq_auto_maker *m, const sq_tree *t);

/* auto_grid.c. Before probing: bands of which no outer loop is free get another one outermost. */
void sq_auto_free_inner(sq_auto_maker *m, sq_tree **place);
/* After it: marks the loops that a grid shares. */
void sq_auto_deal(sq_auto_maker *m);
#endif
