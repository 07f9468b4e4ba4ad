/* Auto, inside: shared by the files of auto() while a tree is built. */
#ifndef SQ_TRANSFORMS_AUTO_INSIDE_H
#define SQ_TRANSFORMS_AUTO_INSIDE_H
#include "transforms/auto.h"

typedef struct sq_auto_maker {
    const sq_kernel *k;
    const sq_group *g;
    const sq_auto *how;
    sq_arena *arena;
    const sq_tree_deps *deps;
    sq_tree_memo *memo; /* of the trees looked at so far */
    sq_tree *root;
    const char *why; /* why there are no bands, or none that can be expressed, if known; or NULL */
} sq_auto_maker;

/* True if the tree in its present state is legal. */
bool sq_auto_respects(const sq_auto_maker *m);
/* Finds the strongly connected components of a node's statements, given that the loops around its
 * member `at` are fixed: list has the statements component by component, in a legal order, and size
 * the length of each. Returns their number; 1 if they are not known. */
int sq_auto_components(sq_auto_maker *m, const sq_tree *b, int at, int *list, int *size);
/* Returns a loop nest of members [from, nmembers) of a band over leaves, around some of its
 * statements. */
sq_tree *sq_auto_own_loops(const sq_auto_maker *m, const sq_tree *b, int from, const int *stmt,
                           int n);
/* True if a node is a leaf or a sequence of leaves. */
bool sq_auto_only_leaves(const sq_tree *t);
/* Makes member i parallel, with private temporaries where these help; returns false and changes
 * nothing if it carries a dependence. */
bool sq_auto_share(sq_auto_maker *m, sq_tree *t, int i);
/* Does the same for the tiles along the sum of a node's first two members. If the loop over that
 * sum cannot be expressed, m->why says so, and the tree is unusable. */
bool sq_auto_wavefront(sq_auto_maker *m, sq_tree *t);

/* After probing: vectorizes innermost loops of one statement that carry nothing, or only its sums. */
void sq_auto_vectors(const sq_auto_maker *m, sq_tree *t);

/* auto_jam.c. After probing, and after vectors are chosen: finds loops whose iterations may alternate in a serial loop
 * inside of them. around: the band whose last loop is around the node; or NULL. */
void sq_auto_jam(const sq_auto_maker *m, sq_tree *t, sq_tree *around);
/* Makes all temporaries private to x, a member of the node, whose memory is reused below it. */
void sq_auto_own(const sq_auto_maker *m, const sq_tree *t, sq_member *x);

/* auto_front.c. True if isl finds the loop over a wavefront of tiles quickly. The result is kept
 * with the dependences: scripts that differ elsewhere share it. */
bool sq_auto_front_is_simple(const sq_auto_maker *m, const sq_tree *t);

/* auto_grid.c. Before probing: adds an outermost loop to bands without a parallel outer loop. */
void sq_auto_free_inner(sq_auto_maker *m, sq_tree **place);
/* After probing: marks the loops that a grid shares. */
void sq_auto_deal(sq_auto_maker *m);
#endif
