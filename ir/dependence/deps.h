/* Dependences: which instance must run before which. They are exact (all pairs of instances that
 * access the same element, one of them writing, in textual order), and computed on points, not on
 * tiles. Of many statements that write the same elements, those between neighbours stand for all
 * (writers.h). A reduction declared by sum() and the like may be reordered: updates of one element do not
 * depend on each other; only the finishing instance depends on all its updates. In an `ordered`
 * statement (fp strict), each update depends on all earlier ones. */
#ifndef SQ_IR_DEPENDENCE_DEPS_H
#define SQ_IR_DEPENDENCE_DEPS_H
#include "ir/kernel/kernel.h"

struct sq_text;

/* Checks that accesses stay in bounds (SQ_EDGE_NONE), that an index statement does not read what
 * another instance of itself writes, and that no SQ_LOCAL is read before it is written. An SQ_OUT
 * array of which any element is read before it is written becomes SQ_INOUT. Finds the assumes that
 * this depends on: k->accepted. Adds errors with a counter-example ("for example with M=1: S0[i=0,
 * j=0] reads A[-1][0]"). Returns -1 if it added any. */
int sq_kernel_check(sq_kernel *k, sq_diags *d);
/* For a kernel with errors: checks the bounds, and what index statements read of their own output,
 * for those statements that have a domain. */
int sq_kernel_check_read(const sq_kernel *k, sq_diags *d);

/* Fills k->deps: { S… -> T… }, tuple names as in kernel.h. -1 on isl's failure (error added). */
int sq_deps_compute(sq_kernel *k, sq_diags *d);

/* Returns the statement of an instance tuple ("S0" or "S0_u"), NULL if there is none. */
const sq_stmt *sq_deps_stmt(const sq_kernel *k, const char *tuple, bool *update);
/* A map of k->deps, the statements of its two sides, and their positions in k->stmt; NULL and
 * k->nstmts for a tuple that is not a statement's. */
typedef struct sq_deps_pair {
    isl_map *map;
    const sq_stmt *from, *to;
    int from_index, to_index;
    bool from_update, to_update; /* the instances are those of the reduction's body */
} sq_deps_pair;
/* Returns the number of maps of k->deps, in no particular order. They are computed once, and owned
 * by the kernel until its dependences change. */
int sq_deps_pairs(const sq_kernel *k, const sq_deps_pair **pair);
/* Must be called whenever k->deps changes; sq_tree_deps_drop does. */
void sq_deps_pairs_drop(sq_kernel *k);
/* Returns "with N=2: S0[i=1] needs S0[i=0]": the smallest pair of a nonempty part of deps. */
const char *sq_deps_example(const sq_kernel *k, isl_map *pairs /* __isl_keep */);

/* Prints one line per pair of statements, in the user's names. */
void sq_deps_print(const sq_kernel *k, struct sq_text *to);
#endif
