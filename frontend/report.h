/* Report: clang's messages in the words of descriptions. */
#ifndef SQ_FRONTEND_REPORT_H
#define SQ_FRONTEND_REPORT_H
#include "frontend/clang.h"
#include "frontend/frontend.h"

/* Adds what libclang has to say of the unit, whose text is given: an error for each cause, notes,
 * and help where the correction is known. Warnings only where there is no error. -1 if there is
 * one. */
int sq_report(sq_reader *r, const char *text, size_t n);
/* How many errors clang has in these lines of the description, those that were not told included;
 * anywhere, with 0 and 0. */
int sq_report_count(sq_reader *r, int first, int last);
/* True if those in these lines are about names and types in assignments: what else stands there is to
 * clang what it would be without them. */
bool sq_report_mild(sq_reader *r, const char *text, int first, int last);
/* If clang's text is about a word before a variable (register, inline, …): the variable's name, and what
 * is said of it instead; NULL otherwise. `source` is the text from the error's place on. */
const char *sq_report_storage(const sq_reader *r, const char *text, const char *source,
                              const char **ours);
/* Refuses a --kernel= that is none of the n names of `what` ("kernel", "region") in the file: says which
 * there are. -1. */
int sq_report_unknown(const sq_reader *r, const sq_parse_options *o, const char *what, const char *const *name, int n);
#endif
