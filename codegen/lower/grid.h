/* Grid: lowers the loops of a nest that blocks of a grid and threads of a block share, to kernels. */
#ifndef SQ_LOWER_GRID_H
#define SQ_LOWER_GRID_H
#include "codegen/lower/leaf.h"
#include "codegen/lower/nest.h"

/* Returns the kernel of a list of nodes: a loop over the threads of a block. NULL after adding an error. */
sq_code *sq_lower_kernel(const sq_nest *n, const sq_node *x, const sq_target *t, sq_parts *parts, sq_diags *d);
/* Lowers the nests of a fusion to *to: kernels, in the loops and conditions that are not shared by the grid,
 * which run on the host. Returns 0, or -1 after adding an error. */
int sq_lower_kernels(const sq_fusion *r, const sq_target *t, sq_code **to, sq_diags *d);

/* True for a loop or condition of the host: the grid does not share it, but something inside. A loop with
 * a shared copy is part of the kernel, as the copy lives no longer than a kernel. */
bool sq_node_on_host(const sq_node *x);
/* Returns the number of threads that share the loops of a nest; 1 if the loops are not shared. */
int sq_nest_threads(const sq_nest *n);
/* Returns the dimension of a loop. */
int sq_node_dim(const sq_nest *n, const sq_node *x);
/* Returns the next inner loop that blocks share; it may be inside of a condition. */
const sq_node *sq_node_next_block(const sq_node *x);
/* True if the code at or below these nodes has a barrier for all threads of the block: it has a
 * copy in shared memory. */
bool sq_node_meets(const sq_node *x);
#endif
