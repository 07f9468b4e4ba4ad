/* Tile, inside: what the files of the tile evaluator share. tile_point.c knows points and addresses,
 * tile_value.c expressions, tile_acc.c accumulators, tile_sum.c the serial loop, tile_step.c a step of it,
 * tile.c the end and the function, tile_held.c tiles whose sums outlive loops. All but matrix instructions
 * becomes code. */
#ifndef SQ_CODEGEN_TILE_TILE_INSIDE_H
#define SQ_CODEGEN_TILE_TILE_INSIDE_H
#include "codegen/nest/base.h"
#include "codegen/code/roll.h"
#include "codegen/code/used.h"
#include "codegen/code/verify.h"
#include "codegen/nest/lower.h"
#include "codegen/tile/tile.h"
#include "codegen/tile/values.h"

/* What is defined around the statements of a tile that is printed in place. */
typedef struct sq_tile_scope {
    sq_code_outer outer; /* of these lists */
    const char **name;
    const sq_code_buffer **buffer;
    int most_names, most_buffers;
} sq_tile_scope;

/* What accumulators hold. */
typedef enum sq_acc_kind {
    SQ_ACC_SUMS,
    SQ_ACC_PARTIAL,  /* in f32, exactly, what is added to the sums after a while */
    SQ_ACC_ADDED_UP, /* single values: the sums of the lanes of those */
    SQ_NACC_KINDS
} sq_acc_kind;

struct sq_tile {
    const sq_nest *nest;
    const sq_group *group;
    const sq_variant *variant;
    const sq_target *target;
    int lanes; /* of what is printed now: 1 once partial sums have been added up */
    bool nameless; /* values stand where they are used: those of a single lane */
    bool placing;  /* values say places: rows that do not exist have those of one that does */
    sq_arena *arena;
    sq_code_pool *pool;
    sq_code_list *to; /* where statements go */
    sq_bases bases;
    const sq_code_buffer **pointer; /* of each base */
    int rows, vectors, taps;
    int64_t spread; /* points between two vectors */
    int sets;       /* of accumulators */
    int64_t terms;  /* products that are added in f32, exactly, before they go to the sums; or 0 */
    sq_acc_kind acc_kind; /* which accumulators are in use now */
    bool across;          /* the vector lies along a reduction dimension: lanes are partial sums */
    sq_values *values;
    bool counting;               /* dry run: count uses, append nothing */
    bool rehearses;              /* what is appended is thrown away: all points exist */
    const sq_code_expr *reduced; /* what SQ_OP_REDUCED stands for */
    sq_tile_sink sink;           /* tile_held.c: where it goes, a few statements at a time */
    sq_tile_scope scope;         /* of the same */
    const sq_code_buffer **of;   /* what each base's pointer points into */
    const sq_code_buffer **acc;  /* accumulators, those there are so far: see sq_tile_acc */
    int most_rows, most_vectors;
    const sq_params *rest; /* parameters of the function that are no pointers; NULL: it is none */
};

/* A point of the tile, in offsets from its origin; `vector`: number of the vector it starts. */
typedef struct sq_point {
    int64_t at[SQ_MAX_DIMS];
    int vector;
} sq_point;

/* A box of points whose code becomes loops: tile_box.c. */
typedef struct sq_tile_box {
    sq_roll_dim dim[SQ_ROLL_DIMS];
    int ndims, n, next;
    sq_code_list *at; /* of each point; NULL: statements go where they went before */
    sq_code_list *to; /* where they went */
} sq_tile_box;

/* What is appended between the first `next` and the end is code of the box's points: of `steps` steps of
 * the serial loop, all taps or none, rows and vectors, the last fastest. Each point begins with
 * `next`. */
void sq_tile_box_begin(sq_tile *t, sq_tile_box *b, int steps, bool taps);
/* The same of n points along one dimension. */
void sq_tile_box_line(sq_tile *t, sq_tile_box *b, int dim, int n);
void sq_tile_box_next(sq_tile *t, sq_tile_box *b);
/* Loops over the box, not appended; NULL: it has no such form. */
sq_code *sq_tile_box_end(sq_tile *t, sq_tile_box *b);
/* Appends the loops, or the code of one point after the other. Values of the box are forgotten. */
void sq_tile_box_put(sq_tile *t, sq_tile_box *b);
/* Appends a statement; statements go to the list from here on, which comes back. */
void sq_tile_append(sq_tile *t, sq_code *x);
sq_code_list *sq_tile_into(sq_tile *t, sq_code_list *list);
/* The conditional of what has been appended to `body` and `other` (NULL: nothing). */
void sq_tile_if(sq_tile *t, const sq_code_expr *cond, const sq_code_list *body,
                const sq_code_list *other);
/* A condition: that a flag, "@first" or "@last", is set or not. */
const sq_code_expr *sq_tile_flag(const sq_tile *t, const char *name, bool is_set);
/* Compilers shall not know what a pointer or a variable holds; nothing where the language cannot say
 * so. */
void sq_tile_fresh(sq_tile *t, const char *name);
/* An operation on two values of this type. */
const sq_code_expr *sq_tile_binary(sq_tile *t, sq_op op, sq_type type, const sq_code_expr *a,
                                   const sq_code_expr *b);
/* The type that a reference's memory has: the copy's where it goes through one. */
sq_type sq_tile_memory(const sq_ref *r);
/* True if the points of dimension d are rows of accumulators. */
bool sq_tile_row(const sq_tile *t, int d);
/* rows, vectors and taps of the variant. */
void sq_tile_count(sq_tile *t);
sq_point sq_tile_point(const sq_tile *t, int row, int vector, int tap, int step);
/* Number of lanes of this vector that exist; NULL if all do. */
const sq_code_expr *sq_tile_left(const sq_tile *t, const sq_point *p);
/* "@n_j": how many points of a dimension exist. */
const sq_code_expr *sq_tile_points(const sq_tile *t, int dim);
/* True if steps compute with an index along the serial dimension; the variable that it is then. */
bool sq_tile_counts_steps(const sq_tile *t);
const sq_code_expr *sq_tile_serial(const sq_tile *t);
/* The indices at which the tile begins, per dimension; for the second along the serial one a step. */
void sq_tile_begin(const sq_tile *t, const sq_code_expr **at);
void sq_tile_origin(const sq_tile *t, const sq_code_expr **at);
/* A reference's pointer, and how many elements behind it a point lies: "3 * A_s0 + 1". */
const sq_code_buffer *sq_tile_pointer(const sq_tile *t, int ref);
const sq_code_expr *sq_tile_offset(const sq_tile *t, int ref, const sq_point *p);
/* What an address moves by with each `by` points along dim. */
const sq_code_expr *sq_tile_advance(const sq_tile *t, const sq_ref *r, int dim, int64_t by);
/* Elements between the lanes of the vector that starts at a point; 0 broadcast, 1 contiguous; NULL:
 * not the same between all lanes. */
const sq_code_expr *sq_tile_lane_step(const sq_tile *t, const sq_ref *r, const sq_point *p);
/* Row i of a masked dimension, or one that exists where that does not. */
const sq_code_expr *sq_tile_row_at(const sq_tile *t, int d, int64_t i);
/* True if the rows that steps read of some array lie apart in memory: it has no copy, and the serial dimension moves
 * another subscript than the last. */
bool sq_tile_sum_runs_over_rows(const sq_tile *t);
/* A load, which is also what identifies the value. */
const sq_code_expr *sq_tile_load(sq_tile *t, int ref, const sq_point *p);
/* The register of a value; it is declared when it is new, under a name that begins with stem. */
const sq_code_expr *sq_tile_named(sq_tile *t, const char *stem, const sq_code_expr *e);
/* Number of the reference of an access. */
int sq_tile_ref(const sq_tile *t, const sq_access *a);
/* A scalar in all lanes. */
const sq_code_expr *sq_tile_splat(sq_tile *t, const sq_code_expr *scalar);
/* A number of a type, in all lanes. */
const sq_code_expr *sq_tile_constant(sq_tile *t, sq_type type, sq_number number);
/* An element as a value of another type. */
const sq_code_expr *sq_tile_read_as(sq_tile *t, const sq_expr *read, sq_type type,
                                    const sq_point *p);
/* a value as one of another type, no names given. */
const sq_code_expr *sq_tile_converted(const sq_tile *t, const sq_code_expr *x, sq_type to);
/* a multiply-add of mul's factors, or of their negative product, onto c. */
const sq_code_expr *sq_tile_fma(sq_tile *t, const sq_expr *mul, bool minus, const sq_code_expr *c,
                                const sq_point *p);
/* tile_word.c: a word of elements that lie side by side, loaded at once; NULL: these do not. */
const sq_code_expr *sq_tile_word(sq_tile *t, const sq_expr *e, const sq_point *p);
/* A product of words added to c. */
const sq_code_expr *sq_tile_dot(sq_tile *t, const sq_expr *dot, const sq_code_expr *c, const sq_point *p);
/* The register of an expression's value at a point. */
const sq_code_expr *sq_tile_eval(sq_tile *t, const sq_expr *e, const sq_point *p);
/* The accumulator of a row and vector, read: of a kind, and of the one in use. */
const sq_code_expr *sq_tile_acc_of(sq_tile *t, sq_acc_kind kind, int row, int vector, int set);
const sq_code_expr *sq_tile_acc(sq_tile *t, int row, int vector, int set);
/* Declares the accumulators of all rows, vectors and sets. */
void sq_tile_declare(sq_tile *t, const sq_stmt *s);
/* Puts a value into an accumulator by the reduction's operation. */
void sq_tile_combine(sq_tile *t, const sq_stmt *s, const sq_code_expr *to,
                     const sq_code_expr *value);
/* All sets into the first. */
void sq_tile_merge_sets(sq_tile *t, const sq_stmt *s);
/* From vectors of partial sums to scalars; everything that follows is scalar. */
void sq_tile_add_up(sq_tile *t, const sq_stmt *s);
/* accumulator = value */
void sq_tile_set(sq_tile *t, const sq_code_expr *acc, const sq_code_expr *value);
/* The whole reduction of the tile: accumulators hold it afterwards. */
void sq_tile_sum(sq_tile *t);
/* The same in parts, for sums that stay in registers across loops: before them, where earlier
 * ones go on, at each, after. */
void sq_tile_sum_begin(sq_tile *t);
void sq_tile_sum_resume(sq_tile *t);
void sq_tile_sum_steps(sq_tile *t);
/* True if an int can count the steps between two iterations of the enclosing loops. */
bool sq_tile_short(const sq_tile *t);
void sq_tile_sum_end(sq_tile *t);
/* tile_scope.c: begins with what the nest defines around the tile: sizes, loops, numbers of points,
 * strides, arrays and copies. */
void sq_tile_scope_begin(sq_tile *t);
/* Verifies statements that are printed next. What they define in their own list is around all that
 * follow; sq_tile_scope_leave forgets what was defined since its mark was taken. */
void sq_tile_scope_add(sq_tile *t, sq_code *x);
sq_code_outer sq_tile_scope_mark(const sq_tile *t);
void sq_tile_scope_leave(sq_tile *t, const sq_code_outer *mark);
/* tile_step.c: n steps of the serial loop, each of so many of its points. */
void sq_tile_step(sq_tile *t, const sq_stmt *s, int n);
int sq_tile_width(const sq_tile *t);

/* tile_tensor.c: the steps of a tile that a warp computes, as text. */
void sq_tile_tensor_steps(sq_tile *t, sq_text *to);
/* The accumulator of row and column number, of those that a lane has. */
const char *sq_tile_tensor_sum(sq_tile *t, int row, int column);
/* Marks the bases whose pointers their text uses. */
void sq_tile_tensor_bases(const sq_tile *t, bool *used);
/* tile.c, for the same: a tile's state without bases' text; rows that a variant masks; the end. */
void sq_tile_start(sq_tile *t, const sq_nest *n, const sq_variant *v, const sq_target *target);
/* The pointers of the bases, under the names that these have. */
void sq_tile_point_to(sq_tile *t);
/* The variable of a masked dimension that is i, or 0 where there is no row i: "r_j3". */
const char *sq_tile_row_name(const sq_tile *t, int dim, int64_t i);
/* Appends all of them. */
void sq_tile_clamps(sq_tile *t);
void sq_tile_finish(sq_tile *t);
/* tile_turn.c: the dimension along which what the tile's statement writes is contiguous where the lanes of its
 * values lie apart, and whole vectors of which the tile has; -1. Its end then. */
int sq_tile_turned(const sq_tile *t);
void sq_tile_finish_turned(sq_tile *t, int dim);
/* The same where the tile has all points that lie between two lanes of what is written, two to four. */
int sq_tile_interleaved(const sq_tile *t);
void sq_tile_finish_interleaved(sq_tile *t, int dim);
#endif
