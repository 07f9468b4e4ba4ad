/* Check mixed: sizes of a text by hand whose numbers decide together. Where two of them have to be passed, by one size
 * or by two, no row that aims at one number shows what happens behind both. */
#ifndef SQ_CLI_CHECK_MIXED_H
#define SQ_CLI_CHECK_MIXED_H
#include "cli/check_rows.h"

/* In place of the rows before, in the arena: every size behind the same number, two sizes each behind one of its own,
 * and sizes behind sums, differences and small multiples of numbers. */
void sq_check_mixed(const sq_kernel *k, sq_arena *arena, const int64_t *number, int n, sq_check_rows *r);
#endif
