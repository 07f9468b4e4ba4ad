/* At: the size vectors of --at against what --fix and the description say, alike for all commands. */
#ifndef SQ_CLI_AT_H
#define SQ_CLI_AT_H
#include "cli/task.h"

/* What a vector is to a kernel of the file. */
typedef enum sq_at_use { SQ_AT_WHOLE, SQ_AT_OF_OTHERS, SQ_AT_LACKS } sq_at_use;

/* WHOLE: it has all sizes of the kernel, which are now in `row`, what it lacks of them as in `rest`, or NULL.
 * OF_OTHERS: it is whole for another kernel. LACKS: for none. */
sq_at_use sq_at_row(const sq_unit *u, const sq_kernel *k, const sq_sizes *at, const int64_t *rest, int64_t *row);
/* Where vector i stands on the command line. */
sq_loc sq_at_loc(const sq_settings *o, int i);
/* True if vector i names sizes that the kernel has not. */
bool sq_at_has_others(const sq_task *task, const sq_kernel *k, int i);
/* True if it does, and another one names all of the kernel's and no other: that one is meant for it. */
bool sq_at_is_passed_over(sq_task *task, const sq_kernel *k, int i);
/* Errors about a kernel that no vector is for: which size the vector lacks, or that it lacks some. Return -1. */
int sq_at_unknown(sq_task *task, const sq_kernel *k, const sq_sizes *at);
int sq_at_refuse(sq_task *task, const sq_kernel *k);
/* Each size that --at and --fix both give has one value, or one of those of --fix. -1 after adding a usage error. */
int sq_at_check_fixed(const sq_settings *o, sq_diags *d);
/* Of parsed and checked kernels: the names are sizes, the values fit their types, and vectors that are whole are sizes
 * that the kernel accepts, and where a schedule is chosen or measured some that it is made for. -1 after adding an
 * error. */
int sq_at_check(sq_task *task);
#endif
