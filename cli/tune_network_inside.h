/* Tune network, inside: its state, for tune_network.c, which runs it, and tune_network_say.c, which says how it stands
 * and what came of it. */
#ifndef SQ_CLI_TUNE_NETWORK_INSIDE_H
#define SQ_CLI_TUNE_NETWORK_INSIDE_H
#include "cli/problem.h"
#include "cli/tune_log.h"
#include "cli/tune_network_file.h"
#include "cli/tune_shown.h"
#include "tuner/experience.h"
#include "tuner/network.h"

enum { SQ_TRANSFERS = 2 }; /* points of other layers that one begins with */

struct sq_network;

/* A kernel at its sizes, however often the network has it. */
typedef struct sq_tuned_layer {
    struct sq_network *net;
    const sq_network_entry *entry; /* the first of its layers */
    bool is_open;                  /* m is to be closed */
    sq_measure m;
    const sq_kernel *k;
    const int64_t *sizes;
    sq_roof roof;
    sq_problem *p; /* from its first turn on */
    sq_tune_problem problem;
    int seed[SQ_TRANSFERS + SQ_PROBLEM_SEEDS][SQ_MAX_COORDS];
    sq_tune_options o;
    bool begun;
    sq_tuning *run; /* NULL: it has not begun, could not, or is over */
    sq_tune_state state;
    int rc; /* what its run ended with */
} sq_tuned_layer;

typedef struct sq_network {
    const sq_settings *o;
    sq_arena *arena;
    sq_diags *d;
    const sq_network_file *file;
    const sq_search *search;
    sq_learned ranker;         /* that of a file */
    sq_experience *experience; /* of all layers; NULL: the search has no use for it */
    sq_tune_log log;
    int n;
    sq_tuned_layer *layer;
    sq_network_layer *turn; /* of each layer */
    double budget;          /* seconds; 0: only trials end it */
    long trials;            /* 0: only time ends it */
    double began, end;      /* sq_terminal_seconds */
    sq_tune_shown shown;
} sq_network;

/* Trials of this run; those of the store that it goes on from are given. */
static inline long sq_layer_trials(const sq_tuned_layer *l)
{
    return l->state.trials - l->state.resumed;
}

/* For sq_tune_options, user being the layer. */
void sq_network_progress(const sq_tune_state *s, const sq_tune_trial *trial, void *user);
void sq_network_show_open(sq_network *net);
/* A line of the log, of a layer whose run is over. */
void sq_network_log_result(const sq_tuned_layer *l);
/* The table, or JSON. -1 if a layer failed. */
int sq_network_say(const sq_network *net);
#endif
