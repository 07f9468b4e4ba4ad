/* Widen, alike, inside: shared by what computes the values of interleaved stores in the order of memory.
 *
 *     widen_alike.c  operations of one form
 *     widen_leaf.c   what they read: rows of memory, values that are the same in all iterations
 *     widen_joint.c  bodies all of whose stores are computed so
 *
 * The values of a group's n stores are matched as n expressions at once, `e[m]` of store m. */
#ifndef SQ_PASSES_WIDEN_ALIKE_H
#define SQ_PASSES_WIDEN_ALIKE_H
#include "codegen/passes/widen.h"

enum { SQ_ALIKE_MOST = 128 };

/* A row: the vector number k of the values of each group. */
typedef struct sq_alike {
    sq_widen *w;
    const sq_widen_group *g;
    int n;       /* stores: those of lanes l, l + n, ... are one */
    int k;       /* number of the row */
    bool is_dry; /* nothing is named or hoisted: only whether there is a value matters */
    /* matched expressions, as what sq_code_comma makes of them, and their vectors; NULL: they have none */
    int nknown;
    int nordered, nrepeated; /* loads so far: of rows as they lie, and of elements that are each taken n times */
    const sq_code_expr *key[SQ_ALIKE_MOST], *vector[SQ_ALIKE_MOST];
} sq_alike;

/* True if vectors of n elements in turn have a form: what two or four lanes exchange lies within each n; rows of three
 * are only loaded in their order. */
bool sq_alike_has_rows(const sq_widen *w, int n);
/* Returns which of the n stores the first lane of the row is of: rows of three begin at each of them in turn. */
int sq_alike_phase(const sq_alike *a);
/* Returns the vector of n values; NULL: they have no form that is one. */
const sq_code_expr *sq_alike_vector(sq_alike *a, const sq_code_expr *const *e);
/* True if that is no dearer than taking rows apart and interleaving the stores of this many groups: elements that are
 * taken n times are shuffled once for each row, as interleaving does for a store. */
bool sq_alike_pays(const sq_alike *a, int ngroups);
/* Returns that of the group's values, of the stores' type. */
const sq_code_expr *sq_alike_group(sq_alike *a, const sq_widen_group *g);

/* widen_leaf.c: returns values that are the same in all iterations: one for all lanes, or several in turn. */
const sq_code_expr *sq_alike_fixed(const sq_alike *a, const sq_code_expr *const *e);
const sq_code_expr *sq_alike_in_turn(const sq_alike *a, const sq_code_expr *const *e);
/* Returns elements that lie beside each other, in any order; at equal distances; each of them n times. */
const sq_code_expr *sq_alike_loads(const sq_alike *a, const sq_code_expr *const *e);
const sq_code_expr *sq_alike_strided(const sq_alike *a, const sq_code_expr *const *e);
const sq_code_expr *sq_alike_repeated(const sq_alike *a, const sq_code_expr *const *e);
/* Returns what the body has stored to the scalar that is loaded, or e itself. */
const sq_code_expr *sq_alike_resolved(const sq_widen *w, const sq_code_expr *e);
#endif
