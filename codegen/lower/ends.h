/* Ends: a loop over lanes whose remainder is whole vectors: what is left over along them as code. */
#ifndef SQ_LOWER_ENDS_H
#define SQ_LOWER_ENDS_H
#include "codegen/lower/leaf.h"

/* A call of a tile of so many points along the lanes, the last of which is the last of the tile at hand,
 * whose numbers of points are known: it may begin in front of the loop's variable. */
sq_code *sq_lower_at_end(const sq_nest *n, sq_code *call, int64_t points);
/* What is left over at a leaf, where numbers of points are known at run time. */
sq_code *sq_lower_ends(const sq_leaf *l);
/* The innermost loop from lo to hi: whole tiles, and what is left over. rows: condition that all points of a tile
 * along other dimensions exist; NULL: they do. */
sq_code *sq_lower_run(const sq_leaf *l, const sq_code_expr *rows, const sq_code_expr *lo,
                      const sq_code_expr *hi);
/* Condition that there is room for such a tile, at the tile at hand. */
const sq_code_expr *sq_ends_room(const sq_nest *n, const sq_overlap *o);
/* True if nothing that is left over is a tile of as many points along the lanes as a whole one. */
bool sq_ends_cut(const sq_nest *n);
#endif
