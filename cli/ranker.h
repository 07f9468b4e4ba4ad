/* Ranker: what --ranker names, for searches to begin with. */
#ifndef SQ_CLI_RANKER_H
#define SQ_CLI_RANKER_H
#include "cli/cli.h"
#include "tuner/search/dataset.h"
#include "tuner/search/search.h"

/* The ranker for a class of machines, which the caller frees; nothing without --ranker. -1 after adding an error: the
 * file cannot be used, none of n searches begins with what it has, or one of them begins with nothing else and --ranker
 * is not given. option: which names the searches. */
int sq_ranker_open(const sq_settings *o, const char *machine_class, const sq_search *const *search, int n,
                   const char *option, sq_learned *to, sq_diags *d);
/* A prior that never changes. */
sq_prior sq_ranker_prior(const sq_learned *x);
#endif
