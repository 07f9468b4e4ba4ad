/* Tile, inside: what the three files of the tile evaluator share. tile_value.c knows points,
 * addresses and expressions, tile_sum.c accumulators and the serial loop, tile.c the end and the
 * function. */
#ifndef SQ_CODEGEN_TILE_INSIDE_H
#define SQ_CODEGEN_TILE_INSIDE_H
#include "codegen/base.h"
#include "codegen/lower.h"
#include "codegen/tile.h"
#include "codegen/values.h"

struct sq_tile {
    const sq_nest *nest;
    const sq_group *group;
    const sq_variant *variant;
    const sq_target *target;
    const sq_tile_shapes *shapes;
    int lanes; /* of what is printed now: 1 once partial sums have been added up */
    sq_arena *arena;
    sq_text *to;
    sq_bases bases;
    int rows, vectors, taps;
    int64_t spread; /* points between two vectors */
    int sets;       /* of accumulators */
    int64_t terms;  /* products that are added in f32, exactly, before they go to the sums; or 0 */
    bool partial;   /* accumulators are those f32 ones now */
    bool across;    /* the vector lies along a reduction dimension: lanes are partial sums */
    bool added_up;  /* … and have been added up: accumulators are scalars now */
    sq_values *values;
    bool apart;          /* taps are kept from sharing loads behind our back */
    bool counting;       /* dry run: count uses, print nothing */
    const char *reduced; /* the accumulator that SQ_OP_REDUCED stands for */
};

/* A point of the tile, in offsets from its origin; `vector`: number of the vector it starts. */
typedef struct sq_point {
    int64_t at[SQ_MAX_DIMS];
    int vector;
} sq_point;

/* The type that a value has in registers: f32 for f16 and bf16. */
sq_type sq_tile_held(sq_type t);
/* Its C type, and an operation on it. */
const char *sq_tile_type(const sq_tile *t, sq_type type);
const char *sq_tile_op(const sq_tile *t, sq_type type, sq_vop op);
/* a + b and its like; signed integers wrap around. */
const char *sq_tile_infix(sq_tile *t, sq_type type, const char *a, char infix, const char *b);
/* The type that a reference's memory has: the copy's where it goes through one. */
sq_type sq_tile_memory(const sq_ref *r);
/* Is d a dimension whose points are rows of accumulators. */
bool sq_tile_row(const sq_tile *t, int d);
/* rows, vectors and taps of the variant. */
void sq_tile_count(sq_tile *t);
sq_point sq_tile_point(const sq_tile *t, int row, int vector, int tap, int step);
/* Number of lanes of this vector that exist, as text; NULL if all do. */
const char *sq_tile_left(const sq_tile *t, const sq_point *p);
/* "A + 3 * A_s0 + 1" */
const char *sq_tile_address(const sq_tile *t, int ref, const sq_point *p);
/* What an address moves by with each `by` points along dim. */
const sq_code_expr *sq_tile_advance(const sq_tile *t, const sq_ref *r, int dim, int64_t by);
/* Elements between the lanes of the vector that starts at a point; 0 broadcast, 1 contiguous; NULL:
 * not the same between all lanes. */
const sq_code_expr *sq_tile_lane_step(const sq_tile *t, const sq_ref *r, const sq_point *p);
/* The text of a load, which is also what identifies the value. */
const char *sq_tile_load(sq_tile *t, int ref, const sq_point *p);
/* The name of the value of a type with this text; defines it when it is new. */
const char *sq_tile_named(sq_tile *t, sq_type type, const char *stem, const char *text);
/* Number of the reference of an access. */
int sq_tile_ref(const sq_tile *t, const sq_access *a);
/* A scalar in all lanes. */
const char *sq_tile_splat(sq_tile *t, sq_type type, const char *scalar);
/* An element as a value of another type. */
const char *sq_tile_read_as(sq_tile *t, const sq_expr *read, sq_type type, const sq_point *p);
/* a value of one type as one of another, no names given. */
const char *sq_tile_converted(const sq_tile *t, const char *x, sq_type from, sq_type to);
/* a multiply-add of mul's factors onto c; sign: "" or "-". */
const char *sq_tile_fma(sq_tile *t, const sq_expr *mul, const char *sign, const char *c,
                        const sq_point *p);
/* The name of an expression's value at a point. */
const char *sq_tile_eval(sq_tile *t, const sq_expr *e, const sq_point *p);
/* Name of the accumulator of a row and vector. */
const char *sq_tile_acc(const sq_tile *t, int row, int vector, int set);
/* Two values of the reduction, of this type, in one. */
const char *sq_tile_combined(sq_tile *t, sq_op reduce, sq_type type, const char *a, const char *b);
/* The whole reduction of the tile: accumulators hold it afterwards. */
void sq_tile_sum(sq_tile *t);
/* The same in parts, for sums that stay in registers across loops: before them, where earlier
 * ones go on, at each, after. */
void sq_tile_sum_begin(sq_tile *t);
void sq_tile_sum_resume(sq_tile *t);
void sq_tile_sum_steps(sq_tile *t);
/* Are steps between two iterations of the loops around few enough for an int to count. */
bool sq_tile_short(const sq_tile *t);
void sq_tile_sum_end(sq_tile *t);
/* tile_tensor.c: the steps of a tile that a warp computes. */
void sq_tile_tensor_steps(sq_tile *t);
/* tile.c, for the same: a tile's state without bases' text; rows that a variant masks; the end. */
void sq_tile_start(sq_tile *t, const sq_nest *n, const sq_variant *v, sq_arena *arena);
/* The variable of a masked dimension that is i, or 0 where there is no row i: "r_j3". */
const char *sq_tile_row_name(const sq_tile *t, int dim, int64_t i);
void sq_tile_clamps(const sq_tile *t, const sq_text *body);
void sq_tile_finish(sq_tile *t);
/* Is the value applied with the last partial sum. */
bool sq_tile_finishes_last(const sq_tile *t);
#endif
