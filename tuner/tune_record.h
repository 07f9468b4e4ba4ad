/* Tune record: what a run leaves behind: trials in the store, the best in the .sched file. */
#ifndef SQ_TUNER_TUNE_RECORD_H
#define SQ_TUNER_TUNE_RECORD_H
#include "tuner/tune.h"

typedef struct sq_record sq_record;
/* NULL when o names no store, or after adding an error. */
sq_record *sq_record_open(const sq_kernel *k, const int64_t *sizes, const sq_tune_options *o,
                          sq_diags *d);
/* point: of the space; NULL: the script is no point of it. */
void sq_record_put(sq_record *r, const char *script, const sq_space *space, const int *point, const sq_sample *s,
                   sq_diags *d);
/* The point of a stored trial, into point[SQ_MAX_COORDS]; false if it does not mean the same script any more, or never
 * was a point. */
bool sq_record_place(const sq_trial *row, const sq_tune_problem *p, int *point);
/* Every stored trial of the same kernel, sizes, target, machine and compiler whose point still
 * means the same script, oldest first. */
void sq_record_each(sq_record *r, const sq_tune_problem *p,
                    void (*f)(const sq_trial *row, const int *point, void *user), void *user,
                    sq_diags *d);
/* What all trials of the run have in common; NULL without a record. */
const sq_trial *sq_record_like(const sq_record *r);
/* Every stored trial of the same target and class of machines, of whatever kernel; their number, -1 after adding an
 * error. */
int sq_record_each_of_target(sq_record *r, sq_row_fn f, void *user, sq_diags *d);
void sq_record_close(sq_record *r);
/* Checks that the result may be written to the .sched file. -1 after adding an error: the file has
 * a measured schedule for these sizes, which a prediction does not replace, or cannot be read. */
int sq_record_check(const sq_kernel *k, const int64_t *sizes, const sq_tune_options *o,
                    sq_arena *arena, sq_diags *d);
/* The script that the .sched file has for these sizes, which the result would replace, without its
 * comments and indentation; NULL: there is none. Lives in the arena. */
const char *sq_record_earlier(const sq_kernel *k, const int64_t *sizes, const sq_tune_options *o,
                              sq_arena *arena, sq_diags *d);
/* Writes the best so far into the .sched file, if it may go there. */
int sq_record_keep(const sq_kernel *k, const int64_t *sizes, const sq_tune_options *o,
                   const sq_tune_state *s, sq_arena *arena, sq_diags *d);
#endif
