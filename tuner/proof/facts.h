/* Facts: sets of integers that hold together, and whether they contradict each other. A fact is the formula of an
 * expression if nothing in it overflows. It can be used as soon as the facts used so far exclude overflow. */
#ifndef SQ_TUNER_PROOF_FACTS_H
#define SQ_TUNER_PROOF_FACTS_H
#include <isl/set.h>
#include <stdbool.h>

enum { SQ_MOST_FACTS = 400 };

typedef struct sq_fact {
    isl_set *holds;
    isl_set *overflows; /* NULL: it cannot overflow */
} sq_fact;

/* What is known of the first facts. It stays true when more are added, so that callers of one function share it. */
typedef struct sq_known {
    isl_set *all; /* the conjunction of those of the first n that are no unions; NULL: none is known */
    int n;
    isl_set *used; /* the conjunction of those of the first nused that can be used; NULL: none is known */
    int nused;
    int growth; /* grows with `used` */
    bool is_used[SQ_MOST_FACTS];
    int refused[SQ_MOST_FACTS]; /* growth at which `used` did not allow to use the fact; 0: not tried */
} sq_known;

/* Begins with {.ctx = ctx}; sq_facts_forget(f, 0) frees all. */
typedef struct sq_facts {
    isl_ctx *ctx;
    int n;
    sq_fact fact[SQ_MOST_FACTS];
    sq_known known;
} sq_facts;

/* Adds a fact; none beyond the limit, which only makes less provable. */
void sq_facts_add(sq_facts *f, isl_set *holds /* __isl_take */, isl_set *overflows /* __isl_take */);
/* Drops all but the first n. */
void sq_facts_forget(sq_facts *f, int n);
/* Returns the conjunction of all. __isl_give */
isl_set *sq_facts_all(sq_facts *f);
/* True if those that can be used contradict each other. */
bool sq_facts_contradict(sq_facts *f);
/* Returns what was intersected so far, for sq_facts_restore when the facts added since are forgotten. */
sq_known sq_facts_known(const sq_facts *f);
void sq_facts_restore(sq_facts *f, sq_known known);
#endif
