/* Draft: the analytic model. What a plan would cost, from counted instructions, footprints and the
 * machine's figures alone; no data, no measurement. Sources: the symbols of Pruner (ASPLOS 2025)
 * re-derived for CPUs; reuse by footprint against capacity as in Yotov et al., "Is Search Really
 * Necessary to Generate High-Performance BLAS?" (2005).
 *
 * It decides the first choice of `compile` and which candidates of a storm are worth measuring. */
#ifndef SQ_TUNER_MODEL_DRAFT_H
#define SQ_TUNER_MODEL_DRAFT_H
#include "ir/machine/device.h"
#include "tuner/space/sketch.h"

/* Bytes of panels at once, those of one thread counted once. A model's choice has never more than
 * SQ_PANELS_MOST, where all sizes are constants SQ_PANELS_FITTED: so much K keeps from call to call
 * (codegen/file/block_pool.c). Its price begins at SQ_PANELS_DEAR. */
enum { SQ_PANELS_DEAR = 4 << 20, SQ_PANELS_MOST = 8 << 20, SQ_PANELS_FITTED = 16 << 20 };
/* Which of the two it is for a kernel, less what aligns the first panel. */
int64_t sq_draft_room(const sq_kernel *k);

/* Seconds; INFINITY for plans that cannot be good (the tile does not fit the registers by far). */
double sq_draft_cost(const sq_plan *q, const sq_machine *m, const sq_target *t, int threads);

/* Bytes that cross into L1, L2 and L3: from L2, L3 and memory. */
void sq_draft_traffic(const sq_plan *q, const sq_machine *m, double bytes[3]);

/* The point the model likes best (rank 0), second best …, by descent from several starts;
 * deterministic. -1 when there are fewer. */
int sq_draft_point(sq_sketch *s, int rank, int *point);

/* Puts values of C loops in the place of temporaries, where that is no loss (forward.h); adds the
 * call to the script. Comes before everything else. */
void sq_draft_forward(sq_schedule *s, sq_arena *a, sq_text *script);

/* Distributes C loops that hold a product of matrices, so that a register tile serves it; adds the
 * calls to the script. Comes before all but sq_draft_forward. */
void sq_draft_distribute(sq_schedule *s, sq_arena *a, sq_text *script);

/* Computes once what a register tile would compute again and again (transforms/hoist.h), where that pays; adds the
 * calls to the script. Comes after sq_draft_distribute; for processors; sizes: the likely ones. */
void sq_draft_hoist(sq_schedule *s, const int64_t *sizes, sq_arena *a, sq_text *script);
/* Returns the number of arrays that the schedule's kernel has through hoist(). */
int sq_draft_hoisted(const sq_schedule *s);
/* True if how often one of them is used depends on size number i. */
bool sq_draft_hoist_involves(const sq_schedule *s, int i);

/* Merges dimensions that lie side by side, and drops those of one value; adds the calls to the
 * script. Comes after sq_draft_hoist; for processors. */
void sq_draft_merge(sq_schedule *s, sq_arena *a, sq_text *script);

/* Makes products of words of those of small integers that sums add up, where the target has them and the
 * words are used often; adds the calls to the script. Comes after sq_draft_narrow; sizes: the likely ones. */
void sq_draft_dot(sq_schedule *s, const sq_target *t, const int64_t *sizes, sq_arena *a, sq_text *script);

/* Puts sums into the narrowest integers that hold them where a vector then has more lanes; adds the calls to the
 * script. Comes after sq_draft_merge; for processors. */
void sq_draft_narrow(sq_schedule *s, const sq_target *t, sq_arena *a, sq_text *script);

/* Takes long sums in parts that blocks of their own compute, where the kernel has too few sums for the device; adds the
 * calls to the script. Comes after sq_draft_distribute; for grids; sizes: the likely ones. */
void sq_draft_parts(sq_schedule *s, const sq_device *d, const int64_t *sizes, sq_arena *a, sq_text *script);

/* Fuses neighbouring statements over the same points wherever that is legal; adds the calls to the
 * script. What tune and the first choice start from. */
void sq_draft_fuse(sq_schedule *s, sq_arena *a, sq_text *script);

/* True if the group is one for auto(), not for register tiles: written loops that are not a perfect
 * nest, or a statement with a dependence on itself. False once auto() found nothing (the group then
 * has a note). */
bool sq_draft_by_auto(const sq_kernel *k, const sq_group *g);
/* The same on a processor, where loops in vectors are also better for a loop over the channels of a pixel and
 * the like, for rows of a triangle, and, without threads, for sums of what lies a small stride apart. */
bool sq_draft_by_loops(const sq_kernel *k, const sq_group *g, int threads);
/* True if several statements share all of their loops, but for a last one over a few channels, which go along
 * what they touch: one pass over it, in the order as it is written, is the first choice. Those that need each other
 * do, where stores to one array lie between each other's: in one loop they meet in whole vectors, in loops of their
 * own they would skip. Several threads share the outer loop by auto() instead, and where there is none they gain
 * less than such vectors do. */
bool sq_draft_streams(const sq_kernel *k, const sq_group *g, int threads);
/* True if C loops go from row to row of a few elements each, as points that a matrix transforms: written out, one loop
 * over the rows is vectors of several, where a register tile would have the lanes of a single one. */
bool sq_draft_has_rows(const sq_kernel *k, const sq_group *g, int vector_bytes);
/* True if the arrays that the group touches exceed the second-level cache, and tiles may use them again. */
bool sq_draft_large(const sq_kernel *k, const sq_group *g, const sq_machine *m,
                    const int64_t *sizes);
/* Orders the groups that no register tile serves by auto(); adds the calls to the script. Where no
 * order is found the group gets a note and runs as written. */
void sq_draft_auto(sq_schedule *s, const sq_machine *m, const sq_target *t, int threads, sq_arena *a,
                   sq_text *script);
/* What a choice must pass besides the checks of its own schedule. */
typedef struct sq_draft_check {
    bool (*passes)(void *user, const sq_schedule *s);
    void *user;
} sq_draft_check;

typedef struct sq_draft_chosen {
    const char *script;
    double seconds; /* by the model */
} sq_draft_chosen;

/* The model's best choice that is legal and passes the check (NULL: any does), whose copies can all be made, and whose
 * panels take `room` bytes at most, applied to a copy of s, and its calls; NULL: there is none. Arrays that cannot be
 * packed, or whose panels are too large in all its choices, are barred from the sketch. d (NULL:
 * nobody) is told what cannot be packed and what is taken instead. */
sq_schedule *sq_draft_choice(sq_sketch *k, const sq_schedule *s, int64_t room, sq_arena *a,
                             const sq_draft_check *check, sq_draft_chosen *chosen, sq_diags *d);

/* Applies that choice to the naive schedule s, and writes its script (may be empty: nothing to
 * tile). threads > 1: loops are made parallel. Always leaves a legal schedule; returns 0, or 1 when
 * every choice of the model was refused and s stays naive. */
int sq_draft_schedule(sq_schedule *s, const sq_machine *m, const sq_target *t, int threads,
                      sq_arena *a, sq_text *script, sq_diags *d);
#endif
