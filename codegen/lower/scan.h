/* Scan: single points one by one, as code: what is left where points form no register tile, and C
 * loops that are no perfect nest. isl orders and bounds the loops. */
#ifndef SQ_LOWER_SCAN_H
#define SQ_LOWER_SCAN_H
#include "codegen/code/code.h"
#include "codegen/nest/nest.h"

/* Loops over `points` (of the group's dimensions; the tile loops' variables are parameters) with
 * the whole group evaluated at each, to *to. False on failure. */
bool sq_scan_points(const sq_nest *n, isl_set *points /* __isl_keep */, sq_code **to);
/* The statements of a group of written loops in their textual order, to *to: none where they have no
 * instances. False where their bounds fall into too many cases: sq_ast_loops_refused. */
bool sq_scan_written(const sq_kernel *k, const sq_group *g, sq_code_pool *code, sq_code **to);
#endif
