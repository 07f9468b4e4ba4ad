/* Tile wgmma: products of a tile that a warpgroup computes asynchronously. */
#ifndef SQ_CODEGEN_GRID_TILE_WGMMA_H
#define SQ_CODEGEN_GRID_TILE_WGMMA_H
#include "codegen/tile/tile.h"
#include "ir/dependence/tensor.h"
#include "support/text.h"

/* Prints the steps of a tile with this product: starts the instructions of the warpgroup. */
void sq_tile_wgmma_steps(sq_tile *t, const sq_tensor_product *p, sq_text *to);

/* Prints the wait until the instructions of the last iteration have added to the tile's sums. */
void sq_tile_wgmma_wait(sq_tile *t, sq_text *to);
#endif
