/* Tile wgmma: a tile's products that a warpgroup computes while its threads go on. */
#ifndef SQ_CODEGEN_GRID_TILE_WGMMA_H
#define SQ_CODEGEN_GRID_TILE_WGMMA_H
#include "codegen/tile/tile.h"
#include "ir/dependence/tensor.h"
#include "support/text.h"

/* The steps of a tile that a warpgroup computes, of this product: starts its instructions. */
void sq_tile_wgmma_steps(sq_tile *t, const sq_tensor_product *p, sq_text *to);

/* Waits until the instructions of the last iteration have added to the tile's sums. */
void sq_tile_wgmma_wait(sq_tile *t, sq_text *to);
#endif
