/* Draft, tree: what the loops of several statements cost in the order that they have, and register tiles for the
 * loops that one of them has by itself. Loops as they are, written or found by auto(), are a plan like any other: a
 * tile of one vector, or of one point, inside of the tree's loops. So both have a price of the same model. */
#ifndef SQ_TUNER_MODEL_DRAFT_TREE_H
#define SQ_TUNER_MODEL_DRAFT_TREE_H
#include "ir/schedule/tree.h"
#include "tuner/model/draft.h"

/* What a choice depends on. */
typedef struct sq_draft_context {
    const sq_machine *machine;
    const sq_target *target;
    int threads;
    const int64_t *sizes; /* the likely ones */
    sq_arena *arena;
} sq_draft_context;

/* Returns the seconds of one statement of a group in the loops of a tree. */
double sq_draft_loops_cost(const sq_draft_context *c, const sq_kernel *k, const sq_group *g,
                           const sq_tree *root, int stmt);

enum { SQ_MOST_NESTS = 8 };

/* The loops that a statement has by itself, which a register tile serves. */
typedef struct sq_draft_nest {
    int stmt; /* of the group */
    const sq_tree_nest *nest;
    bool single
        [SQ_MAX_DIMS]; /* dimensions of which a tile has one point: several would break a dependence */
    double loops;      /* seconds as the loops are */
} sq_draft_nest;

/* An order of a group's loops. */
typedef struct sq_draft_order {
    const char *calls; /* that make it: "auto(keep:1) "; "": as written */
    const char *
        marks; /* those that give statements register tiles: "S3: micro(…) "; "": none gains by them */
    double seconds; /* with these */
} sq_draft_order;

/* Fills marks and seconds for a group of a schedule to which the calls of the order have been applied. False if its
 * loops are no tree. */
bool sq_draft_order_price(const sq_draft_context *c, const sq_schedule *s, int group,
                          sq_draft_order *o);

/* True for C loops of several statements in which a product may take the time. */
bool sq_draft_has_product(const sq_group *g);
/* Finds the statements of a group whose own loops a register tile may serve: those that take a share of the time, and
 * use what they load several times. Returns their number; *loops: the seconds of all loops as they are, INFINITY if
 * they are no tree. */
int sq_draft_nests_find(const sq_draft_context *c, const sq_schedule *s, int group, sq_draft_nest nest[SQ_MOST_NESTS],
                        double *loops);
/* Returns the seconds of all loops of a group as they are; INFINITY if they are no tree. */
double sq_draft_order_loops(const sq_draft_context *c, const sq_schedule *s, int group);
/* True if another schedule of a nest respects what its statement depends on. */
bool sq_draft_nest_respects(const sq_kernel *k, const sq_group *g, const sq_draft_nest *n,
                            const sq_schedule *own);
#endif
