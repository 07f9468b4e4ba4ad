/* Tile: evaluates one statement (or fused group) at all points of a register tile. Each distinct
 * address is loaded once; broadcast, vector or strided load, hoisting and masks follow from the
 * coefficients of the accesses (ref.h), never from the kernel's name.
 *
 * A variant says which points are covered: all of them; fewer, known now (the remainder of a fixed
 * size); or any number up to all, given at run time and masked. */
#ifndef SQ_CODEGEN_TILE_TILE_H
#define SQ_CODEGEN_TILE_TILE_H
#include "codegen/code/code.h"
#include "codegen/nest/nest.h"

/* Terms of a step that are written one after the other in the order of the elements that they share (tile_order.c);
 * more are loops. */
enum { SQ_TILE_MOST_SLIDING = 160 };

typedef struct sq_variant {
    int64_t points[SQ_MAX_DIMS]; /* covered along each dimension, at least 1 */
    bool runtime[SQ_MAX_DIMS];   /* the number that exists is an argument */
} sq_variant;

/* Returns the lanes of a tile's vectors on a target, which is one number for all vectors: the
 * schedule's, or the target's if that is smaller; 1 without vectors. */
int sq_tile_lanes(const sq_nest *n, const sq_target *t);
/* Returns how many terms a lane along the sum takes in a step: 2 products, 4 distances, or 1 (tile_pair.c). */
int sq_tile_pair_parts(const sq_nest *n, const sq_target *t);
/* Returns how many terms of a body an instruction of the target adds to a lane, whatever they read: 4, 2 or 1. */
int sq_tile_pair_terms(const sq_expr *body, const sq_target *t);
/* Returns the points along the tile's serial loop that its lanes take in a step; 1: no vectors along it. */
int sq_tile_along_lanes(const sq_nest *n, const sq_target *t);
/* Returns the part that computes a variant, and a call of it at a leaf. */
sq_code_part *sq_tile_part(const sq_nest *n, const sq_variant *v, const char *name,
                           const sq_target *t);
/* known: how many points exist along dimensions whose number the variant takes as an argument; 0:
 * known at run time only; NULL: all are. */
sq_code *sq_tile_call(const sq_nest *n, const sq_variant *v, sq_code_part *part,
                      const int64_t *known);
/* A tile whose sums stay in registers across loops, printed in place: opened before the loops, with
 * its steps at their leaf and its end after them, for the points of any variant. Opening reads
 * partial sums at the variant's points, under the guard (NULL: always). Its statements are passed
 * to `sink` as they are made. */
typedef struct sq_tile sq_tile;
typedef struct sq_tile_sink {
    void (*put)(void *to, sq_code *x);
    void *to;
} sq_tile_sink;
sq_tile *sq_tile_open(const sq_nest *n, const sq_variant *v, const sq_target *t,
                      const sq_code_expr *guard, const sq_tile_sink *sink);
/* True if opening the tile reads partial sums from memory. */
bool sq_tile_resumes(const sq_nest *n);
void sq_tile_steps(sq_tile *t, const sq_code_expr *guard);
/* Called after the steps: combines several accumulators of a sum. */
void sq_tile_end(sq_tile *t);
/* tile_team.c: makes the accumulators of a tile whose sums the threads of a block share, adjacent ones,
 * the sums of all: they are valid in the first thread of each warp, and in all if there are several. */
void sq_tile_team(sq_tile *t, int threads);
/* The same for a tile of one accumulator, of which thread i has part i / beside of sum i % beside. */
void sq_tile_team_beside(sq_tile *t, int parts, int beside);
/* Waits for the steps of a warpgroup, which are asynchronous. */
sq_code *sq_tile_wgmma_wait(sq_tile *t);
/* The name of the number of a thread in its block. */
#define SQ_TILE_THREAD "@thread"
void sq_tile_close(sq_tile *t, const sq_variant *v);
void sq_tile_free(sq_tile *t);
/* True if all steps read shared memory of the block only. */
bool sq_tile_reads_shared(const sq_nest *n);
/* True if the group can be evaluated as a tile: all of it can be vectorized. */
bool sq_tile_possible(const sq_nest *n);
#endif
