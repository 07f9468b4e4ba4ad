/* Draft: the analytic model. What a plan would cost, from counted instructions, footprints and the
 * machine's figures alone; no data, no measurement. Sources: the symbols of Pruner (ASPLOS 2025)
 * re-derived for CPUs; reuse by footprint against capacity as in Yotov et al., "Is Search Really
 * Necessary to Generate High-Performance BLAS?" (2005).
 *
 * It decides the first choice of `compile` and which candidates of a storm are worth measuring. */
#ifndef SQ_TUNER_DRAFT_H
#define SQ_TUNER_DRAFT_H
#include "tuner/sketch.h"

/* Seconds; INFINITY for plans that cannot be good (the tile does not fit the registers by far). */
double sq_draft_cost(const sq_plan *q, const sq_machine *m, const sq_target *t, int threads);

/* The point the model likes best (rank 0), second best …, by descent from several starts;
 * deterministic. -1 when there are not so many. */
int sq_draft_point(sq_sketch *s, int rank, int *point);

/* Distributes C loops that hold a product of matrices, so that a register tile serves it; adds the
 * calls to the script. Comes before everything else. */
void sq_draft_distribute(sq_schedule *s, sq_arena *a, sq_text *script);

/* Fuses neighbouring statements over the same points wherever that is legal; adds the calls to the
 * script. What tune and the first choice start from. */
void sq_draft_fuse(sq_schedule *s, sq_arena *a, sq_text *script);

/* Is the group one for auto(), not for register tiles: written loops that are no perfect nest, or
 * one that carries what it computes. No longer where auto found nothing (it has a note). */
bool sq_draft_by_auto(const sq_kernel *k, const sq_group *g);
/* Do the arrays it touches exceed the second cache. */
bool sq_draft_large(const sq_kernel *k, const sq_group *g, const sq_machine *m,
                    const int64_t *sizes);
/* Orders the groups that no register tile serves by auto(); adds the calls to the script. Where no
 * order is found the group gets a note and runs as written. */
void sq_draft_auto(sq_schedule *s, const sq_machine *m, int threads, sq_arena *a, sq_text *script);
/* Applies a script, quietly; false when it is refused. */
bool sq_draft_try(sq_schedule *s, const char *script, sq_arena *a);

/* The model's best choice that is legal and whose copies can all be made, applied to a copy of s,
 * and its calls; NULL: there is none. Where its first choice is another one, arrays that cannot be
 * packed are barred from the sketch, and d (NULL: nobody) is told what was refused and what is taken
 * instead. */
sq_schedule *sq_draft_choice(sq_sketch *k, const sq_schedule *s, sq_arena *a, const char **script,
                             sq_diags *d);

/* Applies that choice to the naive schedule s, and writes its script (may be empty: nothing to
 * tile). threads > 1: loops are made parallel. Always leaves a legal schedule; returns 0, or 1 when
 * every choice of the model was refused and s stays naive. */
int sq_draft_schedule(sq_schedule *s, const sq_machine *m, const sq_target *t, int threads,
                      sq_arena *a, sq_text *script, sq_diags *d);
#endif
