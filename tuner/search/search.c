/* Searches: the table. */
#include "tuner/search/search.h"
#include <string.h>

const sq_search *const sq_searches[] = {&sq_search_default, &sq_search_storm, &sq_search_raindrop,
                                        &sq_search_random,  &sq_search_grid,  &sq_search_genetic,
                                        &sq_search_annealing, &sq_search_boosted, &sq_search_droplet,
                                        &sq_search_ansor,   &sq_search_meta,  &sq_search_pruner,
                                        &sq_search_moa,     &sq_search_tensorcore, &sq_search_beam,
                                        NULL};

const sq_search *const sq_search_ablations[] = {
    &sq_search_ansor_unled,      &sq_search_ansor_unevolved,   &sq_search_meta_unled,
    &sq_search_meta_undescended, &sq_search_droplet_single,    &sq_search_pruner_undrafted,
    &sq_search_pruner_unverified, &sq_search_pruner_unpenalised, &sq_search_pruner_trees,
    &sq_search_pruner_mlp,       &sq_search_pruner_tlp,        &sq_search_moa_tuned,
    &sq_search_tensorcore_undrafted,
    &sq_search_storm_unlearned,    &sq_search_beam_greedy,      &sq_search_beam_dropout,
    &sq_search_beam_unled,       &sq_search_beam_unrefined,    &sq_search_pruner_no_registers,
    &sq_search_pruner_no_loads,  &sq_search_pruner_no_chains,  &sq_search_pruner_no_lanes,
    &sq_search_pruner_no_threads, &sq_search_pruner_no_l1,     &sq_search_pruner_no_l2,
    &sq_search_pruner_no_run,    NULL};

static const sq_search *find(const sq_search *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp((*list)->name, name) == 0)
            return *list;
    return NULL;
}

const sq_search *sq_search_get(const char *name)
{
    const sq_search *found = find(sq_searches, name);
    return found ? found : find(sq_search_ablations, name);
}
