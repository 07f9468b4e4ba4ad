/* Check broken: sizes that break an assumption of the description. The text is right at them all the
 * same, more slowly; what decides between its two ways may be wrong near the sizes that it was made
 * for. */
#ifndef SQ_CLI_CHECK_BROKEN_H
#define SQ_CLI_CHECK_BROKEN_H
#include "cli/check_rows.h"

/* In place of the rows before: few of each size, none of one, long ones, and those that one size
 * alone breaks by little. The kernel has assumptions that may be broken; the rows are in the arena. */
void sq_check_broken(const sq_kernel *k, sq_arena *arena, sq_check_rows *r);
#endif
