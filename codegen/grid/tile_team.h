/* Tile team: the threads of a block that share a tile's sums. */
#ifndef SQ_CODEGEN_GRID_TILE_TEAM_H
#define SQ_CODEGEN_GRID_TILE_TEAM_H
#include "codegen/tile/tile.h"

/* After sq_tile_end: the sums of this number of threads (1: the tile's own) are combined in all of them;
 * the block synchronizes here where they are more than a warp. */
void sq_tile_team(sq_tile *t, int threads);
/* The same where each of `parts` rows of `beside` threads has a part of that many sums: the first row's threads have
 * them then. The block synchronizes here. */
void sq_tile_team_beside(sq_tile *t, int parts, int beside);
#endif
