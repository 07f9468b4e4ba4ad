/* Check convert: the conversions of single values in a text, f16_get and the like, whose branches are
 * for numbers that a kernel's inputs need not lead to: a quotient is hardly ever no number, and a
 * recurrence that is right ends in none. They are called by themselves, at each kind of number. */
#ifndef SQ_CLI_CHECK_CONVERT_H
#define SQ_CLI_CHECK_CONVERT_H
#include "support/arena.h"
#include "support/text.h"

/* The name of the function that sq_check_convert_put adds; in the arena. NULL: the text has no
 * conversion of the kernel whose function is `root`. */
const char *sq_check_convert_entry(const char *text, const char *root, sq_arena *a);
/* Adds it to what stands behind the text: void NAME(void *const *arg) compares each conversion with
 * the nearest value of the type, aborts where one differs, and then calls `entry` with arg. What has
 * no conversions gets nothing. No proof sees it. */
void sq_check_convert_put(const char *text, const char *root, const char *entry, sq_arena *a,
                          sq_text *to);
#endif
