/* Sketch, inside: the choices of a kernel's groups, made by sketch_space.c and read by sketch.c. */
#ifndef SQ_TUNER_SPACE_SKETCH_INSIDE_H
#define SQ_TUNER_SPACE_SKETCH_INSIDE_H
#include "tuner/space/chain.h"
#include "tuner/space/grid_plan.h"
#include "tuner/space/known_costs.h"

typedef enum choice {
    R_VECTOR,
    R_LANES,
    R_VECTORS,
    R_ROWS,
    R_ROWS2,
    R_TAPS,
    R_UNROLL,
    R_SPLIT,
    R_KC,
    R_NC,
    R_MC,
    R_YC,
    R_OUTER,
    R_INNER,
    R_PARALLEL,
    R_NEST, /* of a statement of a tree: whether it has a tile */
    R_PACK,
    R_COUNT = R_PACK + SQ_MAX_OPERANDS
} choice;

typedef struct part {
    sq_shape shape;
    int coord[R_COUNT]; /* index in the space, -1: no choice */
    int candidate[4];   /* dimensions that can be vectorized */
    int ncandidates;
    int chain;    /* of the sketch, -1 */
    int tree;     /* of the sketch, whose statement has the loops by itself; -1 */
    double loops; /* seconds of these as they are */
} part;

/* A group that auto() schedules: its coordinates, -1: no choice. */
typedef struct sq_sketch_tree {
    const sq_group *group;
    bool large;   /* its arrays exceed the L2 cache */
    bool streams; /* the order as written suits it: see sq_draft_streams */
    int order, keep, tile, along, parallel;
    /* The order in which statements have register tiles in their own loops; none of them does: fused is 0. */
    int nest_order, nest_keep; /* values of the coordinates */
    double fused, rest; /* seconds of all loops in auto()'s first order, and of those without a tile in this one */
} sq_sketch_tree;

struct sq_sketch {
    const sq_schedule *naive;
    const sq_machine *machine;
    const sq_target *target;
    int threads, nparts;
    bool roomy, thrifty;
    part *part;
    int nchains;
    sq_chain chain[SQ_MAX_CHAINS];
    int chain_rows[SQ_MAX_CHAINS]; /* coordinate: rows at a time, 0: separately; -1: no choice */
    int ntrees;
    sq_sketch_tree *tree;
    sq_grid_plan *grid; /* for a target whose kernels run as a grid; NULL: another target */
    const sq_device *device;
    int unit_of[SQ_MAX_COORDS]; /* for the grid's plan: the unit of each coordinate */
    sq_grid_knob knob_of[SQ_MAX_COORDS];
    sq_space space;
    int part_of[SQ_MAX_COORDS];  /* the group of each coordinate, or -1 */
    int chain_of[SQ_MAX_COORDS]; /* or the chain, which concerns all its groups, or -1; neither: a tree */
    sq_sketch_ends *ends; /* NULL: nobody asked for them */
    sq_known_costs *known; /* of plans */
    sq_arena *arena;
};

/* Adds a coordinate that starts at the largest value not above `start`; returns its index, or
 * -1. */
int sq_sketch_coordinate(sq_sketch *s, const char *prefix, const char *name, const long *value,
                         int n, long start, bool structural);
void sq_sketch_add_trees(sq_sketch *s, const int64_t *sizes);
/* True if statements of the tree have register tiles at the point. */
bool sq_sketch_tree_has_nests(const sq_sketch *s, int tree, const int *point);
struct sq_draft_nest;
/* Adds the choices of a statement's own loops. False if no register tile serves them. */
bool sq_sketch_add_nest(sq_sketch *s, int tree, const struct sq_draft_nest *n, const int64_t *sizes);
void sq_sketch_tree_scripts(const sq_sketch *s, const int *point, sq_text *to);
/* Returns an estimate in seconds. */
double sq_sketch_tree_cost(const sq_sketch *s, const int *point);

void sq_sketch_add_grid(sq_sketch *s, const int64_t *sizes);
void sq_sketch_grid_script(const sq_sketch *s, const int *point, sq_text *to);
/* Returns that of all units, or of the one that a coordinate belongs to; coordinate -1: all. */
double sq_sketch_grid_cost(const sq_sketch *s, const int *point, int coordinate);
/* The same as sq_sketch_features. */
int sq_sketch_grid_features(const sq_sketch *s, const int *point, float (*row)[SQ_STATEMENT]);

long sq_sketch_lanes(const sq_sketch *s, const part *p);
/* Returns the number of operands that read the array. */
int sq_sketch_walks(const sq_shape *h, const sq_array *a);
/* True if the operand can be packed in panels for a tile with this vector and row dimension. */
bool sq_sketch_panels_fit(const sq_operand *o, int vector, int row);
#endif
