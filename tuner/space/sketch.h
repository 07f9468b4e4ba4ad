/* Sketch: the choices there are for a kernel, as a space of sorted coordinates, and what a point of
 * it says: a plan (the schedule in numbers, which the draft model reads) and a script (which goes
 * through the same checked apply as a hand-written one). A kernel's sketch is its groups' sketches
 * side by side; coordinates of later groups carry the statement's name. */
#ifndef SQ_TUNER_SPACE_SKETCH_H
#define SQ_TUNER_SPACE_SKETCH_H
#include "codegen/emit.h"
#include "tuner/search/search.h"
#include "tuner/space/shape.h"

typedef enum sq_packing { SQ_UNPACKED, SQ_PACKED_PLAIN, SQ_PACKED_PANELS } sq_packing;

typedef struct sq_plan_loop {
    int dim;
    int64_t step;
    bool block; /* an outer loop made by tile: named with a 0 */
    bool parallel;
} sq_plan_loop;

typedef struct sq_chain sq_chain;

/* A group's point, decoded. */
typedef struct sq_plan {
    const sq_shape *shape;
    int vector, row, row2, serial; /* dimensions, -1: none */
    bool across;                   /* the vector is a reduction dimension, and the serial one */
    int lanes, unroll, split;      /* split: accumulators that take turns */
    int64_t points[SQ_MAX_DIMS];   /* of the register tile; a reduction dimension: unrolled whole */
    int64_t block[SQ_MAX_DIMS];    /* cache tile, 0: none */
    int nloops;
    sq_plan_loop loop[SQ_MAX_LOOPS]; /* outer to inner */
    sq_packing packing[SQ_MAX_OPERANDS];
    int pack_loop[SQ_MAX_OPERANDS]; /* index of the loop, -1: at top */
    const sq_chain *chain;          /* that the group shares loops with; or NULL */
    int shared;                     /* how many, the outermost ones */
    bool useless;                   /* known without asking the model */
    bool roomy;                     /* large panels are no dearer than what they hold */
} sq_plan;

typedef struct sq_sketch sq_sketch;

/* naive: the kernel's schedule before any transform. threads: 1 for serial code. All in arena. */
sq_sketch *sq_sketch_new(const sq_schedule *naive, const sq_machine *m, const sq_target *t,
                         const int64_t *sizes, int threads, sq_arena *arena);
const sq_space *sq_sketch_space(const sq_sketch *s);
/* From now on the model counts large panels as no dearer than what they hold, or does again. */
void sq_sketch_roomy(sq_sketch *s, bool roomy);
/* No plan packs the array from now on: copies of it cannot be made. */
void sq_sketch_bar(sq_sketch *s, const sq_array *a);
/* The script of a point; written to `to`. Any point gives one; it may be refused. */
void sq_sketch_script(const sq_sketch *s, const int *point, sq_text *to);
/* The script of one group's plan; ends in a blank. */
void sq_plan_script(const sq_plan *q, sq_text *to);
/* The draft model's guess in seconds; INFINITY where it is sure that the point is useless. */
double sq_sketch_cost(const sq_sketch *s, const int *point);
/* The model's bytes that cross into L1, L2 and L3, from L2, L3 and memory; false where it counts none: of a grid, and
 * where some group has no register tile. */
bool sq_sketch_traffic(const sq_sketch *s, const int *point, double bytes[3]);
/* That of the groups alone whose plans depend on one coordinate. */
double sq_sketch_cost_by(const sq_sketch *s, const int *point, int coordinate);
/* Groups with choices; the plan of one of those with register tiles, which come first, at a point: all zero of
 * others. */
int sq_sketch_groups(const sq_sketch *s);
void sq_sketch_plan(const sq_sketch *s, int group, const int *point, sq_plan *plan);
/* The coordinates that make one of those register tiles, which bound each other: their number. */
enum { SQ_TILE_COORDS = 3 };
int sq_sketch_tile_coords(const sq_sketch *s, int group, int to[SQ_TILE_COORDS]);
#endif
