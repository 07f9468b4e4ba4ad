/* Tile team: combines the partial sums of a tile that several threads of a block compute. */
#ifndef SQ_CODEGEN_GRID_TILE_TEAM_H
#define SQ_CODEGEN_GRID_TILE_TEAM_H
#include "codegen/tile/tile.h"

/* Called after sq_tile_end: combines the sums of this number of threads (1: the tile's own) and
 * leaves the result in all of them; the block synchronizes here if they are more than a warp. */
void sq_tile_team(sq_tile *t, int threads);
/* Does the same where `parts` rows of `beside` threads have partial sums: afterwards the threads of
 * the first row have the totals. The block synchronizes here. */
void sq_tile_team_beside(sq_tile *t, int parts, int beside);
#endif
