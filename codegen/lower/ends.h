/* Ends: lowers the remainders of a vectorized loop where they are computed by full vectors. */
#ifndef SQ_LOWER_ENDS_H
#define SQ_LOWER_ENDS_H
#include "codegen/lower/leaf.h"

/* Returns a call of a tile with this number of points along the lanes whose last point is the last
 * one of the current tile; the tile's point counts are known. It may begin before the loop's
 * variable. */
sq_code *sq_lower_at_end(const sq_nest *n, sq_code *call, int64_t points);
/* Returns the remainder at a leaf where the point counts are known at run time. */
sq_code *sq_lower_ends(const sq_leaf *l);
/* Returns the innermost loop from lo to hi: full tiles, and the remainder. rows: condition that all
 * points of a tile along other dimensions exist; NULL: they do. */
sq_code *sq_lower_run(const sq_leaf *l, const sq_code_expr *rows, const sq_code_expr *lo,
                      const sq_code_expr *hi);
/* Returns the condition that such a tile fits before the end of the current tile. */
const sq_code_expr *sq_ends_room(const sq_nest *n, const sq_overlap *o);
/* True if no remainder is a tile with as many points along the lanes as a full one. */
bool sq_ends_cut(const sq_nest *n);
#endif
