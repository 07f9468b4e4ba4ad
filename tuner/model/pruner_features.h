/* Pruner's features (Qiao et al., ASPLOS 2025), re-derived for processors: eight symbols of a statement, from which its
 * draft follows, and the flow of its data.
 *
 *     symbol   Pruner, on a GPU                   here
 *     S1       registers of a thread              vectors that the register tile holds
 *     S2       operations of a thread             multiply-adds and loads of a step; sums that add up side by side
 *     S3       shared memory of a block           bytes that a register tile touches with its sum, and a block of loops
 *     S4       threads of a block                 share of the lanes in use
 *     S5       bytes that come from memory        bytes that come from beyond the second cache, a block at a time
 *     S6       blocks                             iterations that threads share
 *     S7       length of a transaction            bytes that lie beside each other, beside whole lines
 *     S8       operations                         operations, with those of lanes and rows that are not used */
#ifndef SQ_TUNER_MODEL_PRUNER_FEATURES_H
#define SQ_TUNER_MODEL_PRUNER_FEATURES_H
#include "tuner/model/nest.h"

typedef struct sq_symbols {
    double registers;                 /* S1 */
    double arithmetic, loads, chains; /* S2; chains: 0: nothing is added up */
    double tile, block;               /* S3, bytes */
    double lanes;                     /* S4 */
    double moved;                     /* S5, bytes */
    double chunks;                    /* S6; 1: no loop is parallel */
    double run;                       /* S7, the share of the lines' bytes */
    double operations;                /* S8 */
} sq_symbols;

sq_symbols sq_pruner_symbols(const sq_plan_nest *x, const sq_machine *m, const sq_target *t);
/* The draft of a statement of code for a number of threads: SQ_DRAFT_NUMBERS. */
void sq_pruner_draft(const sq_plan_nest *x, const sq_machine *m, const sq_target *t, int threads, float *to);
/* Bytes that fit into the two levels between registers and what is beyond: the caches of a processor; the shared memory
 * of a block and the second cache of a device. */
typedef struct sq_levels {
    double near, far;
} sq_levels;
sq_levels sq_pruner_levels(const sq_machine *m);
/* Its flow of data: SQ_FLOW_STEPS steps, each of SQ_FLOW_NUMBERS numbers; 0 where it lacks the step:
 *     sums begin; a first operand is packed, a second one; both, or those that it has, are read; sums are updated;
 *     results are written; what is read with finished sums
 * The numbers: operations up to here; where the data is, of registers, the two levels and beyond; the 18 of a buffer of
 * Ansor's; bytes of a copy. */
void sq_pruner_flow(const sq_plan_nest *x, const sq_levels *levels, float *to);
#endif
