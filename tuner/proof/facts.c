/* Facts: see facts.h. Unions are intersected last, when there is little left to multiply; the other facts of a function
 * once for all its callers. */
#include "tuner/proof/facts.h"
#include <isl/space.h>

void sq_facts_add(sq_facts *f, isl_set *holds, isl_set *overflows)
{
    if (holds && f->n < SQ_MOST_FACTS) {
        f->fact[f->n++] = (sq_fact){holds, overflows};
        return;
    }
    isl_set_free(holds);
    isl_set_free(overflows);
}

void sq_facts_forget(sq_facts *f, int n)
{
    while (f->n > n) {
        isl_set_free(f->fact[--f->n].holds);
        isl_set_free(f->fact[f->n].overflows);
    }
    if (f->known.n > n || n == 0) {
        isl_set_free(f->known.set);
        f->known = (sq_known){NULL, 0};
    }
}

sq_known sq_facts_known(const sq_facts *f)
{
    return (sq_known){isl_set_copy(f->known.set), f->known.n};
}

void sq_facts_restore(sq_facts *f, sq_known known)
{
    isl_set_free(f->known.set);
    f->known = known;
}

static isl_set *meet(isl_set *set, isl_set *with /* __isl_keep */)
{
    with = isl_set_align_params(isl_set_copy(with), isl_set_get_space(set));
    set = isl_set_align_params(set, isl_set_get_space(with));
    return isl_set_intersect(set, with);
}

static isl_set *no_facts(const sq_facts *f)
{
    return isl_set_universe(isl_space_params_alloc(f->ctx, 0));
}

static bool is_union(const sq_fact *f)
{
    return isl_set_n_basic_set(f->holds) > 1;
}

static isl_stat keep_inhabited(isl_basic_set *part, void *user)
{
    isl_set **kept = user;
    if (isl_basic_set_is_empty(part) == isl_bool_true)
        isl_basic_set_free(part);
    else
        *kept = isl_set_union(*kept, isl_set_from_basic_set(part));
    return *kept ? isl_stat_ok : isl_stat_error;
}

/* Intersects with a union and drops the parts that are empty, lest the next union multiply them. */
static isl_set *meet_union(isl_set *set, isl_set *with /* __isl_keep */)
{
    set = meet(set, with);
    isl_set *kept = isl_set_empty(isl_set_get_space(set));
    if (isl_set_foreach_basic_set(set, keep_inhabited, &kept) < 0)
        kept = isl_set_free(kept);
    isl_set_free(set);
    return kept;
}

isl_set *sq_facts_all(sq_facts *f)
{
    sq_known *k = &f->known;
    if (!k->set)
        *k = (sq_known){no_facts(f), 0};
    for (; k->n < f->n; k->n++)
        if (!is_union(&f->fact[k->n]))
            k->set = meet(k->set, f->fact[k->n].holds);
    isl_set *set = isl_set_copy(k->set);
    for (int i = 0; i < f->n && isl_set_plain_is_empty(set) == isl_bool_false; i++)
        if (is_union(&f->fact[i]))
            set = meet_union(set, f->fact[i].holds);
    return set;
}

static bool is_excluded(isl_set *set, isl_set *what)
{
    isl_set *both = meet(isl_set_copy(set), what);
    bool empty = isl_set_is_empty(both) == isl_bool_true;
    isl_set_free(both);
    return empty;
}

/* True if the facts used so far, whose conjunction is `set`, exclude that the fact's expression overflows. */
static bool is_usable(isl_set *set, const sq_fact *f)
{
    return !f->overflows || is_excluded(set, f->overflows);
}

/* Intersects `set`, the facts used so far, with further ones, unions or others; counts[i]: fact i is used. */
static isl_set *count_more(const sq_facts *f, isl_set *set, bool unions, bool *counts, bool *any)
{
    *any = false;
    for (int i = 0; i < f->n; i++) {
        const sq_fact *one = &f->fact[i];
        if (counts[i] || is_union(one) != unions || !is_usable(set, one))
            continue;
        set = unions ? meet_union(set, one->holds) : meet(set, one->holds);
        counts[i] = *any = true;
    }
    return set;
}

/* True if all facts that are not used yet can be. */
static bool is_all_usable(const sq_facts *f, isl_set *set, const bool *counts)
{
    for (int i = 0; i < f->n; i++)
        if (!counts[i] && !is_usable(set, &f->fact[i]))
            return false;
    return true;
}

/* True if the facts that can be used contradict each other, as all together do. Which can be used does not depend on
 * the order: unions come when no other can be added, and not at all where all facts can be used in the end. */
static bool is_usable_contradiction(const sq_facts *f)
{
    isl_set *set = no_facts(f);
    bool counts[SQ_MOST_FACTS] = {false}, any = true, empty = false;
    while (any && !empty) {
        while (any)
            set = count_more(f, set, false, counts, &any);
        empty = is_all_usable(f, set, counts);
        if (!empty)
            set = count_more(f, set, true, counts, &any);
    }
    empty = empty || isl_set_is_empty(set) == isl_bool_true;
    isl_set_free(set);
    return empty;
}

bool sq_facts_contradict(sq_facts *f)
{
    isl_set *set = sq_facts_all(f);
    bool empty = isl_set_is_empty(set) == isl_bool_true;
    isl_set_free(set);
    return empty && is_usable_contradiction(f);
}
