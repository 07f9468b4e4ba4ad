/* Ranker: see ranker.h. */
#include "cli/ranker.h"
#include "tuner/ranker_file.h"

int sq_ranker_open(const sq_settings *o, const char *machine_class, sq_forest **to, sq_diags *d)
{
    sq_ranker_file file = {0};
    int rc = o->ranker ? sq_ranker_file_read(&file, o->ranker, machine_class, o->arena, d) : 0;
    *to = file.forest;
    return rc;
}

/* "ansor meta": those that begin with one. */
static const char *names_of(sq_arena *arena)
{
    const char *names = "";
    for (const sq_search *const *s = sq_searches; *s; s++)
        if ((*s)->has_prior)
            names = sq_arena_printf(arena, "%s%s%s", names, *names ? " " : "", (*s)->name);
    return names;
}

int sq_ranker_check(const sq_settings *o, const sq_search *const *search, int n, const char *option,
                    sq_diags *d)
{
    bool has_prior = !o->ranker;
    for (int i = 0; i < n; i++)
        has_prior |= search[i]->has_prior;
    if (has_prior)
        return 0;
    sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "ranker"), "search '%s' begins with no ranker",
             search[0]->name);
    sq_help(d, SQ_NOWHERE, "those that do, by --%s: %s", option, names_of(o->arena));
    return -1;
}

static const sq_forest *now(void *user)
{
    return user;
}

sq_prior sq_ranker_prior(sq_forest *f)
{
    return (sq_prior){now, f};
}
