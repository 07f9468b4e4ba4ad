/* Scan: single points one by one, as text: what is left where points form no register tile, and
 * C loops that are no perfect nest. isl generates the loops. */
#ifndef SQ_CODEGEN_SCAN_H
#define SQ_CODEGEN_SCAN_H
#include "codegen/nest.h"

/* Loops over `points` (of the group's dimensions; the tile loops' variables are parameters) with
 * the whole group evaluated at each. NULL on failure. */
const char *sq_scan_text(const sq_nest *n, isl_set *points, sq_arena *arena);
/* The statements of a group of written loops in their textual order. */
const char *sq_scan_written(const sq_kernel *k, const sq_group *g, const sq_target *t,
                            sq_arena *arena);
#endif
