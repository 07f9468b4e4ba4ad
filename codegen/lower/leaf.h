/* Leaf: the register tile at a nest's leaf as code: a call of the part that computes it, chosen by how
 * many of its points there are. */
#ifndef SQ_LOWER_LEAF_H
#define SQ_LOWER_LEAF_H
#include "codegen/code/code.h"
#include "codegen/tile/tile.h"

/* The parts that exist already, the newest first. */
typedef struct sq_leaf_part {
    const sq_nest *nest;
    sq_variant variant;
    sq_code_part *part;
    const struct sq_leaf_part *before;
} sq_leaf_part;

typedef struct sq_parts {
    const sq_leaf_part *last;
} sq_parts;

/* What all calls of a leaf share. */
typedef struct sq_leaf {
    const sq_nest *nest;
    const sq_target *target;
    sq_parts *parts;
} sq_leaf;

sq_code *sq_lower_leaf(const sq_nest *n, const sq_target *t, sq_parts *parts);
/* The innermost loop, where that is over the lanes and sq_ends says that it is a run: from lo to hi. */
sq_code *sq_lower_lanes(const sq_leaf *l, const sq_code_expr *lo, const sq_code_expr *hi);
/* A call of a variant's part, which is made when it is first called; known: see sq_tile_call. */
sq_code *sq_leaf_call(const sq_leaf *l, const sq_variant *v, const int64_t *known);
/* The call of the tile that has all of its points. */
sq_code *sq_leaf_whole(const sq_leaf *l);
/* Appends "const int64_t @n_i = …" for every dimension but one (-1: none) of which not all points need
 * exist; the condition that they do, NULL where there is none. */
const sq_code_expr *sq_lower_counts(const sq_nest *n, int but, sq_code_list *to);
/* A tile with all of its points; with `part`, as many as there are along the dimensions of which not
 * all need exist. */
sq_variant sq_lower_variant(const sq_nest *n, bool part);
#endif
