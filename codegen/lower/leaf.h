/* Leaf: lowers the register tile at a nest's leaf: to a call of the part that computes it, chosen
 * by how many of its points exist. */
#ifndef SQ_LOWER_LEAF_H
#define SQ_LOWER_LEAF_H
#include "codegen/code/code.h"
#include "codegen/tile/tile.h"

/* The parts made so far, newest first. */
typedef struct sq_leaf_part {
    const sq_nest *nest;
    sq_variant variant;
    sq_code_part *part;
    const struct sq_leaf_part *before;
} sq_leaf_part;

typedef struct sq_parts {
    const sq_leaf_part *last;
} sq_parts;

/* Shared by all calls of a leaf. */
typedef struct sq_leaf {
    const sq_nest *nest;
    const sq_target *target;
    sq_parts *parts;
} sq_leaf;

sq_code *sq_lower_leaf(const sq_nest *n, const sq_target *t, sq_parts *parts);
/* Returns the innermost loop from lo to hi, where it is over the lanes and sq_ends says that it is
 * a run. */
sq_code *sq_lower_lanes(const sq_leaf *l, const sq_code_expr *lo, const sq_code_expr *hi);
/* Returns a call of a variant's part, which is made on its first call; known: see sq_tile_call. */
sq_code *sq_leaf_call(const sq_leaf *l, const sq_variant *v, const int64_t *known);
/* Returns the call of the full tile. */
sq_code *sq_leaf_whole(const sq_leaf *l);
/* Appends "const int64_t @n_i = …" for every dimension except `but` (-1: none) along which points
 * may be missing. Returns the condition that all points exist, NULL if there is none. */
const sq_code_expr *sq_lower_counts(const sq_nest *n, int but, sq_code_list *to);
/* Returns the part that a tile whose sums outlive loops is: inlined, without a body. */
sq_code_part *sq_lower_inlined(const sq_nest *n, const sq_target *t);
/* Returns the variant with all points; with `part`, a variable number of points along the
 * dimensions in which points may be missing. */
sq_variant sq_lower_variant(const sq_nest *n, bool part);
#endif
