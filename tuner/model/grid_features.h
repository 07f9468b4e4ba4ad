/* Grid features: the statements of a unit of a grid in the numbers that learned models read, as those of a processor's
 * plan: Ansor's (ansor_features.h), with the 8 of a grid; Pruner's draft with the symbols of a GPU (Qiao et al., ASPLOS
 * 2025), and with those of fragments where matrix instructions compute the products:
 *
 *     symbol   counted for a unit                                          its penalty
 *     S1       registers of a thread; a fragment's are those of a warp     what a thread may have with enough of them
 *     S2       multiply-adds, instructions that load fragments or values   multiply-adds of all that is issued
 *     S3       shared memory of a block, all of its stages                 room for two blocks
 *     S4       warps of a block                                            whole sets of the four schedulers
 *     S5       bytes from and to device memory                             the second cache, if that takes longer
 *     S6       blocks                                                      whole waves over the multiprocessors
 *     S7       bytes of the sectors that are fetched                       those of them that are of use
 *     S8       operations, with those of tiles beyond the ends             -
 *
 * and its flow of data: device memory or the second cache, shared memory, fragments. */
#ifndef SQ_TUNER_MODEL_GRID_FEATURES_H
#define SQ_TUNER_MODEL_GRID_FEATURES_H
#include "tuner/search/search.h"
#include "tuner/space/grid_unit.h"

/* The numbers of a grid, from SQ_ANSOR_GRID on; Ansor has the extents of a launch there. */
typedef enum sq_grid_number {
    SQ_GRID_IS_ONE, /* 1; statements of processors have 0 */
    SQ_GRID_BLOCKS,
    SQ_GRID_TOGETHER, /* rows of tiles that blocks take together */
    SQ_GRID_RESIDENT, /* blocks of a multiprocessor */
    SQ_GRID_BLOCK_THREADS,
    SQ_GRID_REGISTERS,
    SQ_GRID_SHARED,
    SQ_GRID_STAGES
} sq_grid_number;

/* Writes a row for each statement of the unit, at most `most`. Returns their number; 0 where nothing is counted; -1 if
 * the device has no room for a block, or the parameters are inconsistent. */
int sq_grid_features(const sq_grid_unit *u, const sq_device *d, float (*row)[SQ_STATEMENT], int most);
#endif
