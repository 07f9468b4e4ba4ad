/* Tile, inside: shared by the files of the tile evaluator. tile_point.c has points and addresses,
 * tile_value.c expressions, tile_acc.c accumulators, tile_sum.c the serial loop, tile_step.c a step
 * of it, tile.c the end and the function, tile_rest.c the end of remainders, tile_held.c tiles whose
 * sums outlive loops, tile_tensor.c and tile_wgmma.c matrix instructions, tile_team.c sums of several
 * threads. */
#ifndef SQ_CODEGEN_TILE_TILE_INSIDE_H
#define SQ_CODEGEN_TILE_TILE_INSIDE_H
#include "codegen/nest/base.h"
#include "codegen/code/instruction.h"
#include "codegen/code/roll.h"
#include "codegen/code/used.h"
#include "codegen/nest/lower.h"
#include "codegen/tile/tile.h"
#include "codegen/tile/values.h"
#include "ir/dependence/tensor.h"

/* What accumulators hold. */
typedef enum sq_acc_kind {
    SQ_ACC_SUMS,
    SQ_ACC_PARTIAL,  /* exact sums in f32, which are added to the sums after some steps */
    SQ_ACC_ADDED_UP, /* scalars: the sums of the lanes of these */
    SQ_NACC_KINDS
} sq_acc_kind;

struct sq_tile {
    const sq_nest *nest;
    const sq_group *group;
    const sq_variant *variant;
    const sq_target *target;
    int lanes; /* of current values: 1 once partial sums of lanes have been added up */
    bool nameless; /* values are not named but repeated: those of a single lane */
    bool placing;  /* values are subscripts: a row that does not exist uses those of one that does */
    sq_arena *arena;
    sq_code_pool *pool;
    sq_code_list *to; /* statements are appended here */
    sq_bases bases;
    const sq_code_buffer **pointer; /* the pointer of each base */
    int rows, vectors, taps;
    int slow; /* steps visit all other rows before the next one along this dimension; -1: along the first one */
    int64_t spread; /* distance of two vectors in points */
    int sets;       /* number of sets of accumulators */
    int64_t terms;  /* products that are added exactly in f32 before they are added to the sums; or 0 */
    sq_acc_kind acc_kind; /* the accumulators in use */
    int parts;            /* elements that a step may add to a lane: tile_pair.c */
    bool pairs;           /* and it does */
    bool across;          /* vectors are along a reduction dimension: lanes are partial sums */
    sq_values *values;
    bool counting;               /* dry run: count uses, append nothing */
    bool rehearses;              /* what is appended is discarded: all points exist */
    const sq_code_expr *reduced; /* the value of SQ_OP_REDUCED */
    const sq_expr *factor;       /* of what the output held, which the first partial sum is added to; or NULL */
    sq_tile_sink sink;           /* tile_held.c: receives the statements, a few at a time */
    const sq_code_buffer **of;   /* the buffer that each base's pointer points into */
    const sq_code_buffer **acc;  /* accumulators made so far: see sq_tile_acc */
    int most_rows, most_vectors;
    const sq_params *rest; /* scalar parameters of the function; NULL: not a function */
};

/* A point of the tile as offsets from its origin; `vector`: number of the vector that starts
 * there. */
typedef struct sq_point {
    int64_t at[SQ_MAX_DIMS];
    int vector;
} sq_point;

/* A box of points whose code is rolled into loops: tile_box.c. */
typedef struct sq_tile_box {
    sq_roll_dim dim[SQ_ROLL_DIMS];
    int ndims, n, next;
    int points, row, vector; /* points begun by sq_tile_box_point; the last one */
    sq_code_list *at; /* the code of each point; NULL: statements are appended as before */
    sq_code_list *to; /* where they were appended before */
} sq_tile_box;

/* Begins a box. What is appended between the first `next` and the end is the code of its points: of
 * `steps` steps of the serial loop, all taps, rows and vectors, the last fastest. Each point begins with
 * `next`. */
void sq_tile_box_steps(sq_tile *t, sq_tile_box *b, int steps);
/* Does the same for n points along one dimension. */
void sq_tile_box_line(sq_tile *t, sq_tile_box *b, int dim, int n);
void sq_tile_box_next(sq_tile *t, sq_tile_box *b);
/* Returns a box of all rows and vectors, whose points `while (sq_tile_box_point(t, &box))` begins and then puts. */
sq_tile_box sq_tile_box_points(sq_tile *t);
bool sq_tile_box_point(sq_tile *t, sq_tile_box *b);
/* Returns loops over the box, which are not appended; NULL: it cannot be rolled. */
sq_code *sq_tile_box_end(sq_tile *t, sq_tile_box *b);
/* Appends the loops, or the code of each point in sequence. Values of the box are forgotten. */
void sq_tile_box_put(sq_tile *t, sq_tile_box *b);
/* Returns the variable of the loop over a dimension. That over vectors is "@v". */
#define SQ_TILE_VECTORS "@v"
const char *sq_tile_loop_name(const sq_tile *t, int dim);
/* Appends a statement; redirects statements to another list, and returns the previous one. */
void sq_tile_append(sq_tile *t, sq_code *x);
sq_code_list *sq_tile_into(sq_tile *t, sq_code_list *list);
/* Appends the conditional of what was appended to `body` and `other` (NULL: nothing). */
void sq_tile_if(sq_tile *t, const sq_code_expr *cond, const sq_code_list *body,
                const sq_code_list *other);
/* Returns the condition that a flag, "@first" or "@last", is set or is not. */
const sq_code_expr *sq_tile_flag(const sq_tile *t, const char *name, bool is_set);
/* Hides the value of a pointer or a variable from compilers; no effect if the language has no means
 * for it. */
void sq_tile_fresh(sq_tile *t, const char *name);
/* Returns an operation on two values of this type. */
const sq_code_expr *sq_tile_binary(sq_tile *t, sq_op op, sq_type type, const sq_code_expr *a,
                                   const sq_code_expr *b);
/* Returns the type of the elements that a reference accesses: the copy's if it has one. */
sq_type sq_tile_memory(const sq_ref *r);
/* True if the points of dimension d are rows of accumulators. */
bool sq_tile_row(const sq_tile *t, int d);
/* Compute the rows, vectors and taps of the variant. */
void sq_tile_count(sq_tile *t);
sq_point sq_tile_point(const sq_tile *t, int row, int vector, int tap, int step);
/* Returns how many lanes of this vector exist; NULL if all do. */
const sq_code_expr *sq_tile_left(const sq_tile *t, const sq_point *p);
/* Returns "@n_j": how many points of a dimension exist. */
const sq_code_expr *sq_tile_points(const sq_tile *t, int dim);
/* True if steps use an index along the serial dimension as a value; returns its variable. */
bool sq_tile_counts_steps(const sq_tile *t);
const sq_code_expr *sq_tile_serial(const sq_tile *t);
/* Write the indices at which the tile begins, per dimension; the second one those of a step along
 * the serial dimension. */
void sq_tile_begin(const sq_tile *t, const sq_code_expr **at);
void sq_tile_origin(const sq_tile *t, const sq_code_expr **at);
/* Return a reference's pointer, and the offset of a point from it in elements: "3 * A_s0 + 1". */
const sq_code_buffer *sq_tile_pointer(const sq_tile *t, int ref);
const sq_code_expr *sq_tile_offset(const sq_tile *t, int ref, const sq_point *p);
/* Returns the difference of addresses `by` points apart along dim. */
const sq_code_expr *sq_tile_advance(const sq_tile *t, const sq_ref *r, int dim, int64_t by);
/* Returns the stride of the lanes of the vector that starts at a point, in elements; 0: broadcast,
 * 1: contiguous; NULL: it varies. */
const sq_code_expr *sq_tile_lane_step(const sq_tile *t, const sq_ref *r, const sq_point *p);
/* Returns row i of a masked dimension, or an existing row if that one does not exist. */
const sq_code_expr *sq_tile_row_at(const sq_tile *t, int d, int64_t i);
/* True if steps read rows of some array that are not adjacent in memory: it has no copy, and the
 * serial dimension moves a subscript other than the last. */
bool sq_tile_sum_runs_over_rows(const sq_tile *t);
/* Returns a load, which also identifies the value. */
const sq_code_expr *sq_tile_load(sq_tile *t, int ref, const sq_point *p);
/* tile_mask.c: return what a condition selects; the condition as a value, 1 or 0. */
const sq_code_expr *sq_tile_select(sq_tile *t, const sq_expr *e, const sq_point *p);
const sq_code_expr *sq_tile_truth(sq_tile *t, const sq_expr *e, const sq_point *p);
/* tile_channel.c: returns the number of the channel that a load of lanes is, of as many as their stride;
 * -1: the elements between are not read. */
int sq_tile_channel(const sq_tile *t, int ref, const sq_point *p, const sq_code_expr *step);
/* Returns the register of a value; a new one is declared, under a name that begins with stem. */
const sq_code_expr *sq_tile_named(sq_tile *t, const char *stem, const sq_code_expr *e);
/* Returns the number of the reference of an access. */
int sq_tile_ref(const sq_tile *t, const sq_access *a);
/* Broadcasts a scalar. */
const sq_code_expr *sq_tile_splat(sq_tile *t, const sq_code_expr *scalar);
/* Returns a constant of a type, in all lanes. */
const sq_code_expr *sq_tile_constant(sq_tile *t, sq_type type, sq_number number);
/* Returns an element converted to another type. */
const sq_code_expr *sq_tile_read_as(sq_tile *t, const sq_expr *read, sq_type type,
                                    const sq_point *p);
/* Converts a value to another type, without naming it. */
const sq_code_expr *sq_tile_converted(const sq_tile *t, const sq_code_expr *x, sq_type to);
/* Returns a multiply-add of mul's factors, or of their negated product, and c. */
const sq_code_expr *sq_tile_fma(sq_tile *t, const sq_expr *mul, bool minus, const sq_code_expr *c,
                                const sq_point *p);
/* tile_word.c: returns a word of contiguous elements, loaded at once; NULL: they are not
 * contiguous. */
const sq_code_expr *sq_tile_word(sq_tile *t, const sq_expr *e, const sq_point *p);
/* tile_order.c: the terms of a step, in the order in which they are added: a tap at the sum of a row. */
typedef struct sq_tile_order {
    int n;
    struct sq_tile_term {
        int64_t key[2]; /* terms are sorted by these, then as in turn */
        int tap, row;
    } *at;
} sq_tile_order;
/* Returns the terms tap by tap, for all rows in turn. */
sq_tile_order sq_tile_order_in_turn(const sq_tile *t);
/* Returns the number of the row that steps visit as the i-th one. */
int sq_tile_row_in_turn(const sq_tile *t, int i);
/* Returns the dimension along which rows are visited slowest so that the operands in registers are fewest; -1: the
 * first one. */
int sq_tile_slow_rows(const sq_tile *t);
/* Orders them by the elements of a window that rows slide over: those that read the same element follow each other.
 * False if no rows slide. */
bool sq_tile_order_sliding(const sq_tile *t, sq_tile_order *order);
/* tile_pair.c: true if steps add several products or distances of small integers to each lane, while there are
 * lanes. */
bool sq_tile_pairs(const sq_tile *t);
/* Returns c plus those of the body. */
const sq_code_expr *sq_tile_pair_products(sq_tile *t, const sq_expr *body, const sq_code_expr *c, const sq_point *p);
/* Returns c plus a product of words. */
const sq_code_expr *sq_tile_dot(sq_tile *t, const sq_expr *dot, const sq_code_expr *c, const sq_point *p);
/* Returns the register of an expression's value at a point. */
const sq_code_expr *sq_tile_eval(sq_tile *t, const sq_expr *e, const sq_point *p);
/* Return the value of the accumulator of a row and vector: of a given kind, and of the kind in
 * use. */
const sq_code_expr *sq_tile_acc_of(sq_tile *t, sq_acc_kind kind, int row, int vector, int set);
const sq_code_expr *sq_tile_acc(sq_tile *t, int row, int vector, int set);
/* Declares the accumulators of all rows, vectors and sets. */
void sq_tile_declare(sq_tile *t, const sq_stmt *s);
/* Returns what the statement's reduction makes of what it has and one more value. */
const sq_code_expr *sq_tile_reduced(sq_tile *t, const sq_stmt *s, sq_type type, const sq_code_expr *old,
                                    const sq_code_expr *more);
/* Combines a value with an accumulator by the reduction's operation. */
void sq_tile_combine(sq_tile *t, const sq_stmt *s, const sq_code_expr *to,
                     const sq_code_expr *value);
/* Combines all sets into the first. */
void sq_tile_merge_sets(sq_tile *t, const sq_stmt *s);
/* Adds up the lanes of vectors of partial sums; everything that follows is scalar. */
void sq_tile_add_up(sq_tile *t, const sq_stmt *s);
/* Appends accumulator = value. */
void sq_tile_set(sq_tile *t, const sq_code_expr *acc, const sq_code_expr *value);
/* Appends the reduction of the tile; the accumulators hold the result. */
void sq_tile_sum(sq_tile *t);
/* Append it in parts, for sums that stay in registers across loops: before them, where earlier sums
 * are continued, at each, after them. */
void sq_tile_sum_begin(sq_tile *t);
void sq_tile_sum_resume(sq_tile *t);
void sq_tile_sum_steps(sq_tile *t);
/* True if an int can count the steps between two iterations of the enclosing loops. */
bool sq_tile_short(const sq_tile *t);
void sq_tile_sum_end(sq_tile *t);
/* tile_step.c: appends n steps of the serial loop, each of several of its points. */
void sq_tile_step(sq_tile *t, const sq_stmt *s, int n);
int sq_tile_width(const sq_tile *t);

/* tile_tensor.c: appends the steps of a tile that a warp computes. */
void sq_tile_tensor_steps(sq_tile *t);
/* Returns the accumulator with this row and column number among those of a lane. */
sq_code_operand sq_tile_tensor_sum(sq_tile *t, int row, int column);
/* Returns the loop over the steps of instructions, whose variable is SQ_TILE_STEP. */
#define SQ_TILE_STEP "@step"
sq_code *sq_tile_tensor_loop(sq_tile *t, sq_code *body);
/* tile_wgmma.c: appends the steps of a tile that a warpgroup computes. */
void sq_tile_wgmma_steps(sq_tile *t, const sq_tensor_product *p);
/* tile.c: initializes the state of a tile. */
void sq_tile_start(sq_tile *t, const sq_nest *n, const sq_variant *v, const sq_target *target);
/* Makes the pointers of the bases, under their own names. */
void sq_tile_point_to(sq_tile *t);
/* Returns the variable that is i, or 0 if row i of a masked dimension does not exist: "r_j3". */
const char *sq_tile_row_name(const sq_tile *t, int dim, int64_t i);
/* Appends all of them. */
void sq_tile_clamps(sq_tile *t);
void sq_tile_finish(sq_tile *t);
/* Appends the end for tiles that lack points, where it has a shorter form: loops that ask at each point whether the
 * tile is the first one. */
void sq_tile_finish_rest(sq_tile *t);
/* tile_rest.c: true if some points of the tile may be missing, how many is known at run time. */
bool sq_tile_may_lack(const sq_tile *t);
/* Appends what follows the sums, of such a tile in two forms. */
void sq_tile_put_end(sq_tile *t, const sq_code_list *end);
/* tile_turn.c: returns the dimension along which the tile's store is contiguous although the lanes
 * of its values are not, if the tile has full vectors of it; else -1. The second one appends the
 * end of the tile in this case. */
int sq_tile_turned(const sq_tile *t);
void sq_tile_finish_turned(sq_tile *t, int dim);
/* Does the same if the tile has all two to four points that lie between two lanes of the store. */
int sq_tile_interleaved(const sq_tile *t);
void sq_tile_finish_interleaved(sq_tile *t, int dim);
#endif
