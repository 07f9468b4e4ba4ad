/* Lower, inside: what the other files of this room ask about a nest. */
#ifndef SQ_CODEGEN_NEST_LOWER_H
#define SQ_CODEGEN_NEST_LOWER_H
#include "codegen/code/code.h"
#include "codegen/nest/nest.h"
#include "codegen/tile/tile.h"

/* What encloses the nest of a group in a fusion. */
typedef struct sq_frame {
    sq_nest *nest;   /* of the shared loops */
    isl_set *domain; /* of their dimensions, without a name; over the sizes */
    isl_set *inside; /* params: what holds inside of them, over the sizes and their variables */
} sq_frame;

/* Lowers one group, with frame (or NULL) around it, for text of a target (NULL: any); NULL after
 * adding an error. */
sq_nest *sq_lower(const sq_schedule *s, int group, const sq_frame *frame, const sq_target *t,
                  sq_code_pool *code, sq_diags *d);
/* The frame, whose domain is given, of the fusion that starts with group `head`: fills its nest, with
 * `fusion` as the leaf, and inside (__isl_give). 0, or -1 after adding an error. */
int sq_lower_frame(const sq_schedule *s, int head, const sq_fusion *fusion, sq_frame *frame,
                   sq_code_pool *code, sq_diags *d);

/* A local array that one group alone writes and reads, each element at one point of the tile: its
 * values stay in registers. */
bool sq_nest_contracted(const sq_nest *n, const sq_array *a);
/* True if the group's statements share elements of arrays that one of them writes only at the same
 * point of the tile: they may then run one after the other at each point. Else each must finish the
 * tile before the next begins. */
bool sq_nest_pointwise(const sq_nest *n);
/* True if all numbers of points at a leaf are known now. */
bool sq_nest_counts_known(const sq_nest *n);
/* True if what is left over along the lanes is not just masked: nest->ends. */
bool sq_ends_any(const sq_nest *n);
/* The dimensions' values at a leaf: loop variables. */
void sq_nest_origin(const sq_nest *n, const sq_code_expr **at);
/* Marks the dimensions of the group whose indices are values in a statement. */
void sq_nest_index_values(const sq_nest *n, bool *is_value);
/* The parameter of a tile function that has such a value: "@from_j". */
const char *sq_index_origin_name(const sq_nest *n, int dim);
/* The parameters of a tile function after its pointers. */
enum { SQ_MOST_TILE_PARAMS = 512 };
typedef struct sq_params {
    int n;
    sq_code_param of[SQ_MOST_TILE_PARAMS];
    const sq_code_expr *value[SQ_MOST_TILE_PARAMS]; /* what a call passes; NULL for a VALUE */
} sq_params;
void sq_params_rest(const sq_nest *n, const sq_variant *v, sq_params *p);
/* a of a value a*REDUCED + b (sq_expr_linear): what later partial sums are scaled by. NULL if the
 * value does not depend on the reduction. */
sq_expr *sq_expr_slope(const sq_expr *value, sq_arena *arena);
/* True if e is this constant. */
bool sq_expr_is(const sq_expr *e, int value);
#endif
