/* Widen, inside: shared by the files of this pass, which vectorizes one loop at a time.
 *
 *     widen.c        loops, accumulators, remainders
 *     widen_fit.c    legality: the order of statements, the addresses of elements
 *     widen_value.c  the values of one statement, as vectors
 *     widen_alike.c  interleaved stores in the order of memory, with widen_leaf.c; see widen_alike.h
 *     widen_joint.c  bodies of such stores only
 *     widen_channel.c  loads of all elements that a stride skips
 *     widen_roll.c   loops that were unrolled by hand
 *     widen_best.c   where an extreme is
 *     widen_carry.c  scalars that an iteration leaves to the next one
 *     widen_nest.c   loops around serial ones
 *     widen_pair.c   sums of products of small integers, of two vectors at once
 *     widen_residue.c  loops whose subscripts are divided
 *     widen_short.c  loops around short ones
 *     widen_versions.c  scalars that the body sets again
 *     widen_apart.c  accesses that do not meet in the whole loop
 *     widen_cut.c    loops of which one iteration stores what all others read */
#ifndef SQ_PASSES_WIDEN_H
#define SQ_PASSES_WIDEN_H
#include "codegen/code/build.h"
#include "codegen/isa/vector.h"
#include "codegen/passes/overlap.h"
#include "codegen/passes/passes.h"

enum { SQ_WIDEN_STORES = 16, SQ_WIDEN_ACCESSES = 128, SQ_WIDEN_NAMES = 64, SQ_WIDEN_NEST = 2 };

/* How a store is vectorized. */
typedef enum sq_widen_kind {
    SQ_WIDEN_ELEMENTS, /* its address advances with the loop: vectors are stored */
    SQ_WIDEN_VALUE,    /* its address is constant: a vector register, of which the last lane is stored */
    SQ_WIDEN_SUM, /* its address is constant, and it accumulates: a sum, product or maximum */
    SQ_WIDEN_POSITION /* its address is constant: the iteration that set an extreme, which is a SUM */
} sq_widen_kind;

typedef struct sq_widen_store {
    const sq_code *x;
    sq_widen_kind kind;
    sq_op op;                  /* SUM: how lanes are combined */
    const sq_code_expr *added; /* SUM: the operand that is added; POSITION: the loop's variable */
    bool is_placed; /* SUM: an extreme with a POSITION */
    bool has_pairs; /* SUM: every second chain adds for the next one, too */
    bool is_last;   /* SUM: the greatest iteration at which a condition holds */
    bool keeps_old; /* SUM: an extreme `new > old ? new : old`: it keeps what it has for a NaN */
    struct sq_widen_store *best; /* POSITION: the store of the extreme, which follows */
    const sq_code_expr *place; /* as a load */
    bool is_new;               /* VALUE: the first store to this place */
    bool is_own; /* VALUE: a register of the body that is not read behind the loop */
    const sq_code_buffer *now; /* VALUE: its register; ELEMENTS of a group: its vector */
    const sq_code_buffer *chain[SQ_WIDEN_NEST]; /* VALUE in a nest: the register of each vector side by side */
    struct sq_widen_group *group; /* ELEMENTS interleaved with other stores; or NULL */
} sq_widen_store;

/* Interleaved stores with a stride of n elements that cover all elements, in address order. They
 * are made at the last one, as n vectors. */
typedef struct sq_widen_group {
    int n;
    bool is_alike; /* the vectors are computed in the order of memory */
    const sq_widen_store *member[SQ_STRIDE_MOST], *last;
} sq_widen_group;

/* An element that the body reads or writes. */
typedef struct sq_widen_access {
    const sq_code_expr *place; /* as a load */
    int stmt;                  /* number of the store that it belongs to */
    bool writes, maybe;        /* maybe: under a condition */
} sq_widen_access;

/* A value or condition of the body that was computed to a register, and the mask under which it is
 * valid. */
typedef struct sq_widen_name {
    const sq_code_expr *e, *where;
    const sq_code_buffer *in;
} sq_widen_name;

typedef struct sq_widen {
    const sq_pass_context *c;
    sq_code_pool *pool;
    const sq_code *loop;
    const sq_code_expr *cut; /* the loop is one of two parts, which do not have this iteration; or NULL */
    int lanes, nstores, naccesses;
    int each; /* iterations of a step of the loop over vectors */
    sq_widen_store store[SQ_WIDEN_STORES];
    sq_widen_access access[SQ_WIDEN_ACCESSES];
    bool is_backwards;         /* the first lane is the last iteration */
    bool is_nest;              /* there are serial loops in its body: see widen_nest.c */
    bool is_joint;             /* rows of all stores are computed before they are stored: see widen_joint.c */
    bool has_repeats;          /* a row takes elements of a whole vector of iterations */
    int64_t ahead;             /* iterations that are added to the loop's variable */
    const sq_code_expr *at;    /* the loop's variable */
    const sq_code_expr *last;  /* replaces it in the last vector; NULL: elsewhere */
    const sq_code_expr *left;  /* lanes that exist; NULL: all */
    const sq_code_expr *where; /* mask of what is being evaluated; NULL: none */
    sq_code_list *to;          /* statements of the new body so far */
    int nnamed, nnames;
    sq_widen_name name[SQ_WIDEN_NAMES]; /* values that these have computed */
    sq_code_list before;                /* statements hoisted out of the loop */
    int nbefore;
    const sq_code_expr *once[SQ_WIDEN_ACCESSES];   /* hoisted loads, */
    const sq_code_buffer *kept[SQ_WIDEN_ACCESSES]; /* and their registers */
} sq_widen;

/* widen_fit.c: true if the loop can be vectorized. Fills stores, accesses, lanes. */
bool sq_widen_fits(sq_widen *w);
/* widen_value.c: true if it converts a scalar, which is done before it goes to all lanes. */
bool sq_widen_casts_scalar(const sq_code_expr *e);
/* Returns the stride between two iterations in elements of memory; false if it is not known. */
bool sq_widen_step(const sq_widen *w, const sq_code_expr *place, int64_t *step);
/* True if the access is made under any condition. */
bool sq_widen_is_sure(const sq_widen *w, const sq_code_expr *place);

/* widen_apart.c: true if no element that one place is in any iteration is the other in any. */
bool sq_widen_is_apart(const sq_widen *w, const sq_code_expr *a, const sq_code_expr *b);

/* widen_cut.c: returns the iteration that stores an element that others read, and the loops before it, of it alone and
 * behind it; NULL: there is none. */
const sq_code_expr *sq_widen_cut_at(const sq_pass_context *c, const sq_code *loop, sq_code *part[3]);
/* True if two places are the same element in no iteration but the one that the loop is cut at. */
bool sq_widen_meets_at_cut(const sq_widen *w, const sq_code_expr *a, const sq_code_expr *b);
/* True if no iteration of a loop that was cut stores an element. */
bool sq_widen_keeps(const sq_widen *w, const sq_code_expr *place);

/* True if the body stores to the buffer. */
bool sq_widen_is_stored(const sq_widen *w, const sq_code_buffer *b);

/* widen_fit.c: true if one place may be in some iteration what the other is in any. */
bool sq_widen_may_meet(const sq_widen *w, const sq_code_expr *a, const sq_code_expr *b);

/* widen_joint.c: sets which groups are alike, is_joint, and the iterations of a step: those of a row, if it needs no
 * more. */
void sq_widen_find_alike(sq_widen *w);
/* Appends the rows of a step, and their stores; false: they have too many values. */
bool sq_widen_append_rows(sq_widen *w, sq_code_list *to);
/* Returns the store of the vector number k of a group. */
sq_code *sq_widen_member(const sq_widen *w, const sq_widen_group *g, int k, const sq_code_expr *v);

/* widen_alike.c: true if the values of a group have one form. */
bool sq_widen_is_alike(sq_widen *w, const sq_widen_group *g);
/* Returns the vector `k` of the group's values in the order of memory, of as many vectors as stores. */
const sq_code_expr *sq_widen_row(sq_widen *w, const sq_widen_group *g, int k);

/* widen_channel.c: returns the number of the channel that a read is, of `step`, all of whose elements
 * exist; -1: it is none. Fills channel[]: what the body reads of each, or NULL. */
int sq_widen_channels(const sq_widen *w, const sq_code_expr *at, int64_t step,
                      const sq_code_expr **channel);

/* True if b's place is `distance` elements behind a's in every iteration. */
bool sq_widen_lies_behind(const sq_widen *w, const sq_code_expr *a, const sq_code_expr *b, int64_t distance);
/* Returns what the body surely reads at a distance from a place; NULL: it does not. */
const sq_code_expr *sq_widen_read_at(const sq_widen *w, const sq_code_expr *place, int64_t distance);

/* widen_roll.c: rerolls a loop whose body is copies of one statement; NULL if it is not such a
 * loop. */
sq_code *sq_widen_rolled(sq_code_pool *p, const sq_code *loop);

/* widen_short.c: returns a loop around statements and short loops with these written out: a loop of statements only;
 * NULL: it is no such loop. */
sq_code *sq_widen_written_out(const sq_pass_context *c, const sq_code *loop);

/* widen_versions.c: returns the loop with a register for each value of the scalars that the body sets several times;
 * NULL: there are none. */
sq_code *sq_widen_versions(const sq_widen *w);

/* widen_best.c: true if the store sets the position of an extreme; fills both stores. */
bool sq_widen_is_position(sq_widen *w, sq_widen_store *s);
/* Returns its statement in the body, on the accumulators of positions and of extremes; NULL: it has no vectors. */
sq_code *sq_widen_position(sq_widen *w, const sq_widen_store *s, const sq_code_buffer *acc, const sq_code_buffer *best);
/* Appends the statements behind the loop, before the extreme is stored. */
void sq_widen_finish_position(sq_widen *w, const sq_widen_store *s, const sq_code_buffer *acc,
                              const sq_code_buffer *best, sq_code_list *to);
/* Returns the loop with the position first, where one condition sets both; NULL: it is no such loop. */
sq_code *sq_widen_position_first(const sq_pass_context *c, const sq_code *loop);
/* True if the store sets the last iteration at which a condition holds; fills it. */
bool sq_widen_is_last_match(sq_widen *w, sq_widen_store *s);
/* Returns its statement in the body, on the accumulator; NULL: it has no vectors. */
sq_code *sq_widen_last_match(sq_widen *w, const sq_widen_store *s, const sq_code_buffer *acc);
/* Appends what stores the greatest iteration of all lanes, or what was there before. */
void sq_widen_finish_last_match(sq_widen *w, const sq_widen_store *s, const sq_code_buffer *acc, sq_code_list *to);

/* widen_nest.c: true for a loop around serial ones whose iterations do not depend on each other. */
bool sq_widen_is_nest(const sq_code *loop);
/* Sets the iterations of a step and the registers of vectors side by side. */
void sq_widen_begin_nest(sq_widen *w);
/* Returns the vector of a store; NULL: it has none. */
typedef sq_code *sq_widen_plain(sq_widen *w, const sq_widen_store *s);
/* Returns its body for vectors side by side, at most SQ_WIDEN_NEST; NULL: it has none. */
sq_code *sq_widen_nest(sq_widen *w, int chains, sq_widen_plain *plain);

/* widen_pair.c: true if the products that the store adds are of factors of 16 bits. */
bool sq_widen_has_pairs(const sq_widen *w, const sq_widen_store *s);
/* Returns the sum so far and what two vectors of iterations add to it. */
const sq_code_expr *sq_widen_pairs(sq_widen *w, const sq_code_expr *so_far, const sq_code_expr *product);

/* widen_carry.c: returns the loop behind its first iterations, which are *peeled, where scalars are the
 * values that the iteration before stored; NULL: no scalar is carried. */
sq_code *sq_widen_carried(sq_code_pool *p, const sq_code *loop, sq_code **peeled);

/* widen_residue.c: returns a loop whose body is that of several iterations, in which subscripts are no
 * longer divided; NULL: it is no such loop. *rest: a loop of the iterations that are left, or NULL. */
sq_code *sq_widen_residues(sq_code_pool *p, const sq_code *loop, sq_code **rest);

/* widen_value.c: returns a value as a vector; NULL if it cannot be one. */
const sq_code_expr *sq_widen_value(sq_widen *w, const sq_code_expr *e);
/* Returns a condition as a mask with this number of bytes per lane; NULL if it cannot be one. */
const sq_code_expr *sq_widen_condition(sq_widen *w, const sq_code_expr *e, int bytes);
/* Puts the value of e into a register from here on; NULL stays NULL. */
const sq_code_expr *sq_widen_named(sq_widen *w, const sq_code_expr *e, const sq_code_expr *value);
/* Puts a value into a register before the loop, once for each key. */
const sq_code_expr *sq_widen_hoisted(sq_widen *w, const sq_code_expr *key, const sq_code_expr *value, const char *stem);
/* True if an operation has vectors. */
bool sq_widen_has_form(const sq_code_expr *e);
/* Forgets values computed from what is stored at a place, as a load; NULL: all values. */
void sq_widen_forget(sq_widen *w, const sq_code_expr *place);
/* Returns a op b, for vectors. */
const sq_code_expr *sq_widen_both(sq_widen *w, sq_op op, const sq_code_expr *a,
                                  const sq_code_expr *b);
/* Combines all lanes of a vector. */
const sq_code_expr *sq_widen_whole(sq_widen *w, sq_op op, const sq_code_buffer *acc);
/* Returns a value converted to a type; NULL stays NULL. */
const sq_code_expr *sq_widen_converted(const sq_widen *w, const sq_code_expr *x, sq_type to);
/* Returns a + b or a - b, where b is an expression of the loop; a multiply-add if b is a
 * product. */
const sq_code_expr *sq_widen_added(sq_widen *w, const sq_code_expr *a, bool minus,
                                   const sq_code_expr *b);
/* Returns the subscripts at the first lane, advanced by a number of iterations. */
const sq_code_expr *const *sq_widen_subscripts(const sq_widen *w, const sq_code_expr *place,
                                               int64_t further);
/* Returns a new vector register for values of a type. */
const sq_code_buffer *sq_widen_register(const sq_widen *w, const char *stem, sq_type type);
#endif
