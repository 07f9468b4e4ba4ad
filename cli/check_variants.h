/* Check variants: where the function of a kernel has several schedules, each is checked as a file of its own would be,
 * at sizes around its tiles; then the file with all of them, whose functions have to take the right one and give the
 * right results with it. */
#ifndef SQ_CLI_CHECK_VARIANTS_H
#define SQ_CLI_CHECK_VARIANTS_H
#include "cli/check_text.h"

/* True if some kernel has several. */
bool sq_check_variants_any(const sq_task *task);
/* True if the text has several schedules of the kernel and chooses from them. */
bool sq_check_variants_in(const sq_kernel *k, const char *text);
/* `pass` checks the task in hand. The first that is not 0, else 0. */
int sq_check_variants(sq_check *c, int (*pass)(sq_check *c));
/* The same with texts that were given, in which they are not alone: with each set of constants. */
int sq_check_variants_given(sq_check *c, int (*pass)(sq_check *c));
/* Asks a function which of its ways it takes, at their sizes and around them. */
void sq_check_variants_put(const sq_kernel *k, const sq_ways *w, sq_text *to);
#endif
