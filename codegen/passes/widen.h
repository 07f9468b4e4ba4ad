/* Widen, inside: what the files of this pass share while one loop becomes vectors.
 *
 *     widen.c        loops, accumulators, what is left over at the end
 *     widen_fit.c    which loops may: the order of their statements, where their elements lie
 *     widen_value.c  what one statement computes, in lanes
 *     widen_roll.c   loops that were unrolled by hand */
#ifndef SQ_PASSES_WIDEN_H
#define SQ_PASSES_WIDEN_H
#include "codegen/code/build.h"
#include "codegen/isa/vector.h"
#include "codegen/passes/passes.h"

enum { SQ_WIDEN_STORES = 16, SQ_WIDEN_ACCESSES = 128, SQ_WIDEN_NAMES = 64 };

/* What becomes of a store. */
typedef enum sq_widen_kind {
    SQ_WIDEN_ELEMENTS, /* its place moves with the loop: vectors are stored */
    SQ_WIDEN_VALUE,    /* its place stays: a vector register, of which the last lane counts */
    SQ_WIDEN_SUM /* its place stays, and it adds to that, or multiplies, or takes the greater one */
} sq_widen_kind;

typedef struct sq_widen_store {
    const sq_code *x;
    sq_widen_kind kind;
    sq_op op;                  /* SUM: how lanes are put together */
    const sq_code_expr *added; /* SUM: what is added */
    const sq_code_expr *place; /* as a load */
    bool is_new;               /* VALUE: the first store to this place */
    bool is_own; /* VALUE: a register of the body, which nothing reads behind the loop */
    const sq_code_buffer *now; /* VALUE: its register; ELEMENTS of a group: its part */
    const struct sq_widen_group *group; /* ELEMENTS that lie between others'; or NULL */
} sq_widen_store;

/* Stores to elements n apart, which together are all of them: in the order of their places. They are made
 * at the last one, of n vectors. */
typedef struct sq_widen_group {
    int n;
    const sq_widen_store *member[SQ_STRIDE_MOST], *last;
} sq_widen_group;

/* An element that the body reads or writes. */
typedef struct sq_widen_access {
    const sq_code_expr *place; /* as a load */
    int stmt;                  /* of which store */
    bool writes, maybe;        /* maybe: where a condition holds */
} sq_widen_access;

/* A value or condition of the body that has a register, and the mask that it stands under. */
typedef struct sq_widen_name {
    const sq_code_expr *e, *where;
    const sq_code_buffer *in;
} sq_widen_name;

typedef struct sq_widen {
    const sq_pass_context *c;
    sq_code_pool *pool;
    const sq_code *loop;
    int lanes, nstores, naccesses;
    sq_widen_store store[SQ_WIDEN_STORES];
    sq_widen_access access[SQ_WIDEN_ACCESSES];
    bool is_backwards;         /* the first lane is the last iteration */
    int64_t ahead;             /* iterations by which the loop's variable is ahead */
    const sq_code_expr *at;    /* the loop's variable */
    const sq_code_expr *left;  /* lanes that exist; NULL: all */
    const sq_code_expr *where; /* mask that what is being evaluated stands under; NULL: none */
    sq_code_list *to;          /* statements so far of the body in hand */
    int nnamed, nnames;
    sq_widen_name name[SQ_WIDEN_NAMES]; /* what these have computed already */
    sq_code_list before;                /* what is computed once, before the loop */
    int nbefore;
    const sq_code_expr *once[SQ_WIDEN_ACCESSES];   /* of these loads, */
    const sq_code_buffer *kept[SQ_WIDEN_ACCESSES]; /* in these registers */
} sq_widen;

/* widen_fit.c: true if the loop may run in vectors. Fills stores, accesses, lanes. */
bool sq_widen_fits(sq_widen *w);
/* Elements of memory between two iterations; false if that is not known. */
bool sq_widen_step(const sq_widen *w, const sq_code_expr *place, int64_t *step);
/* True if the access is made whatever conditions say. */
bool sq_widen_is_sure(const sq_widen *w, const sq_code_expr *place);
/* The integer type as wide as so many bytes, which masks have. */
sq_type sq_widen_mask(int bytes);

/* widen_roll.c: a loop of copies of one statement, as a loop over that; NULL: it is none. */
sq_code *sq_widen_rolled(sq_code_pool *p, const sq_code *loop);

/* widen_value.c: a value in lanes; NULL: it has no such form. */
const sq_code_expr *sq_widen_value(sq_widen *w, const sq_code_expr *e);
/* A condition as a mask of so many bytes a lane; NULL: it has no such form. */
const sq_code_expr *sq_widen_condition(sq_widen *w, const sq_code_expr *e, int bytes);
/* Forgets what was computed from a buffer that is stored to; NULL: all. */
void sq_widen_forget(sq_widen *w, const sq_code_buffer *b);
/* a op b, of vectors. */
const sq_code_expr *sq_widen_both(sq_widen *w, sq_op op, const sq_code_expr *a,
                                  const sq_code_expr *b);
/* a + b or a - b, b as it stands in the loop: one multiply-add where it is a product. */
const sq_code_expr *sq_widen_added(sq_widen *w, const sq_code_expr *a, bool minus,
                                   const sq_code_expr *b);
/* Subscripts at the first lane, and that many iterations further. */
const sq_code_expr *const *sq_widen_subscripts(const sq_widen *w, const sq_code_expr *place,
                                               int64_t further);
/* A vector register for values of a type. */
const sq_code_buffer *sq_widen_register(const sq_widen *w, const char *stem, sq_type type);
#endif
