/* Scan: lowers points that form no register tile, one by one, and C loops that are not perfectly
 * nested. isl orders and bounds the loops. */
#ifndef SQ_LOWER_SCAN_H
#define SQ_LOWER_SCAN_H
#include "codegen/code/code.h"
#include "codegen/nest/nest.h"

/* Writes loops over `points` (of the group's dimensions; the tile loops' variables are parameters),
 * with the whole group evaluated at each, to *to. False on failure. */
bool sq_scan_points(const sq_nest *n, isl_set *points /* __isl_keep */, sq_code **to);
/* Writes the statements of a group of C loops in textual order to *to: NULL if they have no
 * instances. False if their bounds have too many cases: sq_ast_loops_refused. */
bool sq_scan_written(const sq_kernel *k, const sq_group *g, sq_code_pool *code, sq_code **to);
#endif
