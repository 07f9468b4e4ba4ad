/* Trial lines: trials of a store as text, for export to another one: a JSON object per line. The
 * first is {"squall-trials": 1}; each of the others has the members of sq_trial under their own
 * names, with those of its sample (`times` and `base` are lists of seconds), and `at`, when it was
 * made, in seconds since 1970. */
#ifndef SQ_TUNER_STORE_TRIAL_LINES_H
#define SQ_TUNER_STORE_TRIAL_LINES_H
#include "support/text.h"
#include "tuner/store/store.h"

void sq_trial_lines_begin(sq_text *to);
/* Adds nothing and returns -1 if the trial is damaged: invalid times, texts that are not UTF-8. */
int sq_trial_lines_add(const sq_trial *row, sq_text *to);
/* True if a trial is complete: a known status, a time when it was made, and timings if its result
 * is right. */
bool sq_trial_is_good(const sq_trial *row);
/* Calls f for every trial of a file, as sq_row_fn, until it returns a negative number; - is
 * standard input, which has the size limit of descriptions. Returns their number, -1 after adding
 * an error with the invalid line, or if f failed. */
long sq_trial_lines_read(const char *path, int (*f)(const sq_trial *row, void *user), void *user, sq_diags *d);
#endif
