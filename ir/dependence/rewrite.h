/* Rewrite: kernels that transforms derive from a described one, such as inline() and online(). The
 * new kernel has the same parameters and computes the same outputs with statements of its own, so
 * that everything after the transforms (dependences, legality, loops, text) treats it like any
 * other. The original kernel owns it; a script that is applied again finds it by the text of the
 * call. */
#ifndef SQ_IR_DEPENDENCE_REWRITE_H
#define SQ_IR_DEPENDENCE_REWRITE_H
#include "ir/schedule/schedule.h"

/* Returns the schedule of the kernel that `call` made of k before, or NULL. */
const sq_schedule *sq_rewritten_find(const sq_kernel *k, const char *call);
/* Capacity for arrays that a rewritten kernel adds to those of the original. */
enum { SQ_MOST_NEW_ARRAYS = 64 };
/* Returns a new kernel without statements, with room for `nstmts`, owned by k. NULL if k's
 * dependences were not computed. */
sq_kernel *sq_rewritten_begin(const sq_kernel *k, int nstmts);
/* Numbers the statements of `made`, computes its dependences and keeps `start`, a schedule of it,
 * as the result of `call` on k. -1 with *why if the dependences cannot be computed or start is
 * NULL. */
int sq_rewritten_end(const sq_kernel *k, sq_kernel *made, const sq_schedule *start,
                     const char *call, const char **why);
/* Keeps start in the same way, for a kernel that is never checked by itself: it has no dependences. */
void sq_rewritten_keep(const sq_kernel *k, sq_kernel *made, const sq_schedule *start, const char *call);
/* Returns "stem" "end", with a number if `made` or the original kernel has that name. */
const char *sq_rewritten_name(const sq_kernel *made, const sq_kernel *of, const char *stem,
                              const char *end);
/* Sets what the tune lines of k say, also of what was made of it. */
void sq_rewritten_tune(sq_kernel *k, int64_t (*rows)[SQ_MAX_SIZES], int n);
/* Frees the kernels derived from k, and its statements at fewer points (inside.h). */
void sq_rewritten_free(sq_kernel *k);

/* Returns the replacement of a read in a copy of an expression, NULL: the read itself. */
typedef sq_expr *sq_expr_instead(const sq_expr *read, void *user);
/* Copies an expression to k's arena, over other dimensions: `by` maps the new instances to the old
 * ones (NULL: the same). `instead` may be NULL. */
sq_expr *sq_expr_copied(const sq_kernel *k, const sq_expr *e, isl_multi_aff *by /* __isl_keep */,
                        sq_expr_instead *instead, void *user);
/* Returns a function of the old instances as one of the new ones; parameters may differ. __isl_give */
isl_aff *sq_aff_moved(isl_aff *a /* __isl_keep */, isl_multi_aff *by /* __isl_keep */);
/* Returns an access in k's arena to elements that exist. */
sq_access *sq_access_new(const sq_kernel *k, sq_array *a, isl_multi_aff *map /* __isl_take */, sq_loc loc);
sq_access *sq_access_copied(const sq_kernel *k, const sq_access *a, isl_multi_aff *by /* keep */);
/* Copies a statement with the same dimensions to k's arena; in_body and in_value replace reads of
 * either. */
sq_stmt *sq_stmt_copied(const sq_kernel *k, const sq_stmt *s, sq_expr_instead *instead, void *user);

/* Replaces a schedule that only rewriting has changed: its groups are those of `start`, the
 * schedule of `made`, and its script begins with `call`. */
void sq_schedule_rewritten(sq_schedule *s, const sq_schedule *start, const char *call);
/* True if only calls that rewrite statements have changed it. */
bool sq_schedule_untouched(const sq_schedule *s);
#endif
