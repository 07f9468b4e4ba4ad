/* Sketch: the choices for a kernel, as a space of sorted coordinates. A point of it determines a
 * plan (the schedule in numbers, which the draft model reads) and a script (which goes through the
 * same checked apply as a hand-written one). A kernel's sketch combines those of its groups;
 * coordinates of later groups carry the statement's name. */
#ifndef SQ_TUNER_SPACE_SKETCH_H
#define SQ_TUNER_SPACE_SKETCH_H
#include "codegen/emit.h"
#include "tuner/search/search.h"
#include "tuner/space/shape.h"

typedef enum sq_packing { SQ_UNPACKED, SQ_PACKED_PLAIN, SQ_PACKED_PANELS } sq_packing;

typedef struct sq_plan_loop {
    int dim;
    int64_t step;
    bool block; /* an outer loop made by tile: its name ends in 0 */
    bool parallel;
} sq_plan_loop;

typedef struct sq_chain sq_chain;

/* The plan of a group at a point. */
typedef struct sq_plan {
    const sq_shape *shape;
    int vector, row, row2, serial; /* dimensions, -1: none */
    bool across;                   /* the vector dimension is a reduction dimension, and the serial one */
    int lanes, unroll, split;      /* split: independent accumulators */
    /* of the register tile; for a reduction dimension: it is unrolled completely */
    int64_t points[SQ_MAX_DIMS];
    int64_t block[SQ_MAX_DIMS]; /* cache tile, 0: none */
    int nloops;
    sq_plan_loop loop[SQ_MAX_LOOPS]; /* outer to inner */
    sq_packing packing[SQ_MAX_OPERANDS];
    int pack_loop[SQ_MAX_OPERANDS]; /* index of the loop, -1: before all loops */
    const sq_chain *chain;          /* whose loops the group shares; or NULL */
    int shared;                     /* number of shared loops, the outermost ones */
    bool waits;                     /* loops as they are: each iteration of the innermost needs the one before */
    bool useless;                   /* known to be useless without the model */
    bool roomy;                     /* large panels cost no more than their contents */
    bool thrifty;                   /* copies cost the first touch of their memory */
} sq_plan;

/* Points along its dimension that all iterations of loop l cover, and how many iterations these are. */
int64_t sq_plan_covered(const sq_plan *q, int l);
int64_t sq_plan_trips(const sq_plan *q, int l);
/* How often the copy of operand i is made, and the points along each dimension that it covers then. */
double sq_plan_fillings(const sq_plan *q, int i, int64_t points[SQ_MAX_DIMS]);

typedef struct sq_sketch sq_sketch;

/* naive: the kernel's schedule before any transform. threads: 1 for serial code. All in arena. */
sq_sketch *sq_sketch_new(const sq_schedule *naive, const sq_machine *m, const sq_target *t,
                         const int64_t *sizes, int threads, sq_arena *arena);
/* The same for the loops that one statement of several has by itself (ir/schedule/tree.h), as a schedule. single: the
 * dimensions of which a tile has one point. */
sq_sketch *sq_sketch_of_nest(const sq_schedule *nest, const bool *single, const sq_machine *m, const sq_target *t,
                             const int64_t *sizes, int threads, sq_arena *arena);
const sq_space *sq_sketch_space(const sq_sketch *s);
/* Switches the model's penalty for large panels off, or on again. */
void sq_sketch_roomy(sq_sketch *s, bool roomy);
/* Switches the model's price of memory that is touched for the first time on, or off again. */
void sq_sketch_thrifty(sq_sketch *s, bool thrifty);
/* The points at which the model's descents ended, the cheapest first. */
enum { SQ_SKETCH_ENDS = 11 };
typedef struct sq_sketch_ends {
    int n; /* -1: not known yet */
    int point[SQ_SKETCH_ENDS][SQ_MAX_COORDS];
    double cost[SQ_SKETCH_ENDS];
} sq_sketch_ends;
/* Returns those of the plans as they are now, for tuner/model/draft_choice.c to fill in. */
sq_sketch_ends *sq_sketch_known_ends(sq_sketch *s);
/* Excludes plans that pack the array from now on: copies of it cannot be made. */
void sq_sketch_bar(sq_sketch *s, const sq_array *a);
/* Writes the script of a point to `to`. Every point has one; it may be refused. */
void sq_sketch_script(const sq_sketch *s, const int *point, sq_text *to);
/* Writes the script of one group's plan, followed by a blank. */
void sq_plan_script(const sq_plan *q, sq_text *to);
/* Returns the draft model's estimate in seconds; INFINITY if it is sure that the point is
 * useless. */
double sq_sketch_cost(const sq_sketch *s, const int *point);
/* Computes the model's traffic in bytes into L1, L2 and L3, from L2, L3 and memory; false if it has
 * none: for a grid, and if some group has no register tile. */
bool sq_sketch_traffic(const sq_sketch *s, const int *point, double bytes[3]);
/* The statements of a point's code as rows of numbers: tuner/model/ansor_features.h, pruner_features.h, of a grid
 * grid_features.h. 0 where some group has no register tile, or a grid runs the loops of auto(). */
int sq_sketch_features(const sq_sketch *s, const int *point, float (*row)[SQ_STATEMENT]);
/* Returns the estimate for the groups only whose plans depend on one coordinate. */
double sq_sketch_cost_by(const sq_sketch *s, const int *point, int coordinate);
/* Returns the number of groups with choices; and the plan of one of them at a point: all zero for
 * groups without register tiles, which come last. */
int sq_sketch_groups(const sq_sketch *s);
void sq_sketch_plan(const sq_sketch *s, int group, const int *point, sq_plan *plan);
/* The number of coordinates that define a register tile, which limit each other. */
enum { SQ_TILE_COORDS = 3 };
int sq_sketch_tile_coords(const sq_sketch *s, int group, int to[SQ_TILE_COORDS]);
/* True if the coordinate is the size of a block around register tiles of C loops. */
bool sq_sketch_blocks_loops(const sq_sketch *s, int coordinate);
/* True if the coordinate says how many rows of loops that groups share run at a time; value 0: they share none. */
bool sq_sketch_shares(const sq_sketch *s, int coordinate);
#endif
