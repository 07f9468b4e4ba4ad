/* Check tiles: what a schedule cuts a dimension into, and what of a register tile leaves a rest. */
#ifndef SQ_CLI_CHECK_TILES_H
#define SQ_CLI_CHECK_TILES_H
#include "ir/schedule/schedule.h"

/* Every loop's step and every panel's block; of a tree, every tile. */
enum { SQ_MAX_TILES = SQ_MAX_LOOPS + SQ_MAX_PACKS * SQ_MAX_PANELS };

typedef struct sq_tiles {
    int n;
    int64_t tile[SQ_MAX_TILES]; /* > 1, each once */
    const char *name[SQ_MAX_TILES];
    int64_t unit; /* points of the register tile, lanes, steps written out; >= 1 */
} sq_tiles;

/* Of dimension d of a group; of a tree, whose loops are chosen for vectors of this number of bytes,
 * of every dimension. */
void sq_tiles_of(const sq_group *g, int d, int64_t vector_bytes, sq_tiles *t);
#endif
