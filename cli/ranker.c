/* Ranker: see ranker.h. */
#include "cli/ranker.h"
#include "tuner/ranker_file.h"
#include "tuner/search/trees.h"

typedef enum kind { TREES = 1, NETWORK = 2 } kind;

/* What a search begins with. */
static int kinds_of(const sq_search *s)
{
    return (s->has_prior ? TREES : 0) | (s->has_weights ? NETWORK : 0);
}

/* "ansor meta": those that begin with one of these kinds. */
static const char *names_of(int kinds, sq_arena *arena)
{
    const char *names = "";
    for (const sq_search *const *s = sq_searches; *s; s++)
        if (kinds_of(*s) & kinds)
            names = sq_arena_printf(arena, "%s%s%s", names, *names ? " " : "", (*s)->name);
    return names;
}

/* None of the searches begins with one of these kinds: an error that says what it begins with instead. */
static int check(const sq_settings *o, const sq_search *const *search, int n, int kinds, const char *option,
                 const char *instead, sq_diags *d)
{
    for (int i = 0; i < n; i++)
        if (kinds_of(search[i]) & kinds)
            return 0;
    sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "ranker"), "search '%s' begins with %s", search[0]->name, instead);
    sq_help(d, SQ_NOWHERE, "those that begin with it, by --%s: %s", option, names_of(kinds, o->arena));
    return -1;
}

/* Without a ranker. */
static int check_none(const sq_search *const *search, int n, sq_diags *d)
{
    for (int i = 0; i < n; i++)
        if (search[i]->has_weights) {
            sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "search '%s' begins with a network: give --ranker=FILE",
                     search[i]->name);
            sq_help(d, SQ_NOWHERE, "`squall learn K.sq --model=pacm --ranker=FILE` makes one");
            return -1;
        }
    return 0;
}

int sq_ranker_open(const sq_settings *o, const char *machine_class, const sq_search *const *search, int n,
                   const char *option, sq_learned *to, sq_diags *d)
{
    sq_ranker_file file = {0};
    *to = (sq_learned){0};
    if (!o->ranker)
        return check_none(search, n, d);
    if (check(o, search, n, TREES | NETWORK, option, "no ranker", d) != 0 ||
        sq_ranker_file_read(&file, o->ranker, machine_class, o->arena, d) != 0)
        return -1;
    *to = file.learned;
    if (to->forest && sq_trees_lacks())
        return sq_error(d, SQ_FAULT_WORLD, sq_settings_loc(o, "ranker"), "this ranker is of trees, which need %s",
                        sq_trees_lacks());
    if (to->forest)
        return check(o, search, n, TREES, option, "a network, and this ranker is of trees", d);
    if (!to->weights->reads_flow)
        return sq_error(d, SQ_FAULT_INPUT, sq_settings_loc(o, "ranker"),
                        "this network reads no flow of data, and no search begins with it: it is for `learn` to judge");
    return check(o, search, n, NETWORK, option, "trees, and this ranker is a network", d);
}

static const sq_forest *now(void *user)
{
    const sq_learned *x = user;
    return x->forest;
}

sq_prior sq_ranker_prior(const sq_learned *x)
{
    return (sq_prior){.now = now, .user = (void *)(uintptr_t)x, .weights = x->weights};
}
