/* Grid: lowers what blocks of a grid and threads of a block share to kernels, and the loops around them to code of the
 * host, which launches them. */
#ifndef SQ_LOWER_GRID_H
#define SQ_LOWER_GRID_H
#include "codegen/code/code.h"
#include "codegen/nest/nest.h"

/* Lowers the nests of a fusion to *to: kernels, in the loops and conditions that are not shared by the grid.
 * stmts: the names of its statements. Returns 0, or -1 after adding an error. */
int sq_lower_kernels(const sq_fusion *r, const char *stmts, const sq_target *t, sq_code **to, sq_diags *d);
/* Returns the code of a group that is not tiled with its kernels: loops that the grid shares become those of one. The
 * statements between them are kernels of one thread. */
sq_code *sq_lower_grid_tree(const sq_kernel *k, const sq_group *g, const char *stmts, sq_code_pool *code, sq_code *x);
#endif
