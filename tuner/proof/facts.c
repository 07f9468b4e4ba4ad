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

/* Forgets what was formed of more than n facts. */
static void forget_known(sq_known *k, int n)
{
    if (k->n > n || n == 0) {
        k->all = isl_set_free(k->all);
        k->n = 0;
    }
    if (k->nused > n || n == 0) {
        k->used = isl_set_free(k->used);
        k->nused = 0;
    }
}

void sq_facts_forget(sq_facts *f, int n)
{
    while (f->n > n) {
        isl_set_free(f->fact[--f->n].holds);
        isl_set_free(f->fact[f->n].overflows);
    }
    forget_known(&f->known, n);
}

sq_known sq_facts_known(const sq_facts *f)
{
    sq_known known = f->known;
    isl_set_copy(known.all);
    isl_set_copy(known.used);
    return known;
}

void sq_facts_restore(sq_facts *f, sq_known known)
{
    isl_set_free(f->known.all);
    isl_set_free(f->known.used);
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
    if (!k->all)
        k->all = no_facts(f);
    for (; k->n < f->n; k->n++)
        if (!is_union(&f->fact[k->n]))
            k->all = meet(k->all, f->fact[k->n].holds);
    isl_set *set = isl_set_copy(k->all);
    for (int i = 0; i < f->n && isl_set_plain_is_empty(set) == isl_bool_false; i++)
        if (is_union(&f->fact[i]))
            set = meet_union(set, f->fact[i].holds);
    return set;
}

/* Stops at the first part that shares a point with *user. */
static isl_stat shares_none(isl_basic_set *part, void *user)
{
    isl_set *both = isl_set_intersect(isl_set_from_basic_set(part), isl_set_copy(user));
    bool empty = isl_set_is_empty(both) == isl_bool_true;
    isl_set_free(both);
    return empty ? isl_stat_ok : isl_stat_error;
}

/* True if no point of `set` is in `what`. Parts of unions are tried one by one: most questions end at the first. */
static bool is_excluded(isl_set *set /* __isl_keep */, isl_set *what /* __isl_keep */)
{
    what = isl_set_align_params(isl_set_copy(what), isl_set_get_space(set));
    set = isl_set_align_params(isl_set_copy(set), isl_set_get_space(what));
    bool excluded = isl_set_foreach_basic_set(set, shares_none, what) == isl_stat_ok;
    isl_set_free(set);
    isl_set_free(what);
    return excluded;
}

/* True if the facts used so far exclude that the fact's expression overflows. */
static bool is_usable(sq_known *k, const sq_fact *f, int i)
{
    if (!f->overflows)
        return true;
    if (k->refused[i] == k->growth)
        return false;
    bool usable = is_excluded(k->used, f->overflows);
    k->refused[i] = usable ? 0 : k->growth;
    return usable;
}

/* Uses further facts, unions or others; returns true if there are any. */
static bool use_more(sq_facts *f, bool unions)
{
    sq_known *k = &f->known;
    bool any = false;
    for (int i = 0; i < f->n; i++) {
        const sq_fact *one = &f->fact[i];
        if (k->is_used[i] || is_union(one) != unions || !is_usable(k, one, i))
            continue;
        k->used = unions ? meet_union(k->used, one->holds) : meet(k->used, one->holds);
        k->is_used[i] = any = true;
        k->growth++;
    }
    return any;
}

/* True if all facts that are not used yet can be. */
static bool is_all_usable(sq_facts *f)
{
    for (int i = 0; i < f->n; i++)
        if (!f->known.is_used[i] && !is_usable(&f->known, &f->fact[i], i))
            return false;
    return true;
}

/* True if the facts that can be used contradict each other, as all together do. Which can be used does not depend on
 * the order: unions come when no other can be added, and not at all where all facts can be used in the end. */
static bool is_usable_contradiction(sq_facts *f)
{
    sq_known *k = &f->known;
    if (!k->used) {
        k->used = no_facts(f);
        k->growth = 1;
    }
    for (; k->nused < f->n; k->nused++) {
        k->is_used[k->nused] = false;
        k->refused[k->nused] = 0;
    }
    do {
        while (use_more(f, false)) {
        }
        if (is_all_usable(f))
            return true;
    } while (use_more(f, true));
    return isl_set_is_empty(k->used) == isl_bool_true;
}

bool sq_facts_contradict(sq_facts *f)
{
    isl_set *set = sq_facts_all(f);
    bool empty = isl_set_is_empty(set) == isl_bool_true;
    isl_set_free(set);
    return empty && is_usable_contradiction(f);
}
