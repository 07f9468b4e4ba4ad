/* Lower, inside: what the other files of this room need of a nest. */
#ifndef SQ_CODEGEN_NEST_LOWER_H
#define SQ_CODEGEN_NEST_LOWER_H
#include "codegen/code/code.h"
#include "codegen/nest/nest.h"
#include "codegen/tile/tile.h"

/* The loops around the nest of a group in a fusion. */
typedef struct sq_frame {
    sq_nest *nest;   /* nest of the shared loops */
    isl_set *domain; /* set over their dimensions and the sizes, without a name */
    isl_set *inside; /* params: what holds inside of them, over the sizes and their variables */
    int nwindows;
    const sq_window *window; /* of the temporaries that the loops give fewer elements */
} sq_frame;

/* Lowers one group, inside of frame (or NULL), for text of a target (NULL: any); NULL after adding
 * an error. */
sq_nest *sq_lower(const sq_schedule *s, int group, const sq_frame *frame, const sq_target *t,
                  sq_code_pool *code, sq_diags *d);
/* Completes the frame, whose domain is given, of the fusion that starts with group `head`: fills
 * its nest, with `fusion` as the leaf, and inside (__isl_give). Returns 0, or -1 after adding an
 * error. */
int sq_lower_frame(const sq_schedule *s, int head, const sq_fusion *fusion, sq_frame *frame,
                   sq_code_pool *code, sq_diags *d);

/* True for a local array that only one group accesses, each element at a single point of the tile:
 * its values stay in registers. */
bool sq_nest_contracted(const sq_nest *n, const sq_array *a);
/* True if the group's statements share elements of arrays that one of them writes only at the same
 * point of the tile: then they may run in sequence at each point. Otherwise each must complete the
 * tile before the next begins. */
bool sq_nest_pointwise(const sq_nest *n);
/* True if the point counts of all leaves are known now. */
bool sq_nest_counts_known(const sq_nest *n);
/* True if remainders along the lanes are not only masked: nest->ends. */
bool sq_ends_any(const sq_nest *n);
/* Writes the values of the dimensions at a leaf: loop variables. */
void sq_nest_origin(const sq_nest *n, const sq_code_expr **at);
/* Marks the dimensions of the group whose indices are used as values in a statement. */
void sq_nest_index_values(const sq_nest *n, bool *is_value);
/* Returns the name of the parameter of a tile function for such a value: "@from_j". */
const char *sq_index_origin_name(const sq_nest *n, int dim);
/* The parameters of a tile function after its pointers. */
enum { SQ_MOST_TILE_PARAMS = 512 };
typedef struct sq_params {
    int n;
    sq_code_param of[SQ_MOST_TILE_PARAMS];
    const sq_code_expr *value[SQ_MOST_TILE_PARAMS]; /* argument of a call; NULL for a VALUE */
} sq_params;
void sq_params_rest(const sq_nest *n, const sq_variant *v, sq_params *p);
/* Returns a, where the value is a*REDUCED + b (sq_expr_linear): the factor of later partial sums.
 * NULL if the value does not depend on the reduction. */
sq_expr *sq_expr_slope(const sq_expr *value, sq_arena *arena);
/* True if two affine references to one array have the same subscripts. */
bool sq_ref_same_place(const sq_ref *a, const sq_ref *b);
/* True if e is this constant. */
bool sq_expr_is(const sq_expr *e, int value);
#endif
