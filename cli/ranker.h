/* Ranker: what --ranker names, for searches to begin with. */
#ifndef SQ_CLI_RANKER_H
#define SQ_CLI_RANKER_H
#include "cli/cli.h"
#include "tuner/search/forest.h"
#include "tuner/search/search.h"

/* The ranker for a class of machines, which the caller frees; NULL without --ranker, and where the file is damaged,
 * with a warning. -1 after adding an error. */
int sq_ranker_open(const sq_settings *o, const char *machine_class, sq_forest **to, sq_diags *d);
/* -1 after adding an error: --ranker is given, and none of n searches begins with one. option: which names them. */
int sq_ranker_check(const sq_settings *o, const sq_search *const *search, int n, const char *option,
                    sq_diags *d);
/* A prior that never changes; f may be NULL. */
sq_prior sq_ranker_prior(sq_forest *f);
#endif
