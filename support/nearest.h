/* Nearest: which known word a misspelt one was probably meant to be, for "did you mean". */
#ifndef SQ_SUPPORT_NEAREST_H
#define SQ_SUPPORT_NEAREST_H
#include <stddef.h>

/* Edit distance with transpositions of neighbours (optimal string alignment); a difference of case
 * only costs nothing but a tie. Words over 63 bytes are compared by their first 63. */
int sq_edit_distance(const char *a, const char *b);

/* The nearest of n names (NULL entries are skipped), or NULL when none is near enough to be worth
 * a suggestion: more than a third of the word's letters (at least one, at most three) would have
 * to change. Of one letter only the case may differ: it is as near to every other. The first of
 * equally near ones. */
const char *sq_nearest(const char *word, const char *const *name, size_t n);
#endif
