/* Point: lowers what a statement computes and writes at one point. */
#ifndef SQ_LOWER_POINT_H
#define SQ_LOWER_POINT_H
#include "codegen/code/code.h"
#include "ir/schedule/window.h"

/* The buffer that replaces an array; the newest one of an array hides the others. */
typedef struct sq_bound_array {
    const sq_array *array;
    const sq_code_buffer *buffer;
    struct sq_bound_array *before;
} sq_bound_array;

typedef struct sq_point_values {
    const sq_kernel *kernel;
    sq_code_pool *pool;
    const sq_code_expr *at[SQ_MAX_DIMS]; /* the point's coordinates */
    const sq_code_buffer *sum;           /* SQ_OP_REDUCED is loaded from it */
    sq_bound_array *bound;               /* buffers that replace arrays */
    sq_bound_array *memory;              /* buffers of the arrays seen so far */
    int nwindows;
    const sq_window *window; /* of the fusion that the group is in */
    const sq_group *group;   /* whose loops they count from */
} sq_point_values;

/* Replaces the array by the buffer from here on. */
void sq_point_bind(sq_point_values *p, const sq_array *a, const sq_code_buffer *b);
/* Returns a local copy of an array whose extents are constants, to be declared; a copy of one
 * element is a register. */
const sq_code_buffer *sq_point_stack(sq_point_values *p, const sq_array *a, const char *name);

/* Returns the value of an expression at the point. */
const sq_code_expr *sq_point_value(sq_point_values *p, const sq_expr *e);
/* Returns the element that an access refers to, without its boundary condition. */
const sq_code_expr *sq_point_element(sq_point_values *p, const sq_access *a);
/* Returns the store of a value, cast to the element's type, to the element of the access. */
sq_code *sq_point_store(sq_point_values *p, const sq_access *a, const sq_code_expr *value);
/* Returns what completes an instance of a statement: its store, under conditions if it is_maybe. */
sq_code *sq_point_finish(sq_point_values *p, const sq_stmt *s);
/* Returns place = place op v, with the operation of the statement's reduction; the place is a
 * load. */
sq_code *sq_point_combine(sq_point_values *p, const sq_stmt *s, const sq_code_expr *place,
                          const sq_code_expr *v);
/* Returns the initial value of the statement's reduction. */
const sq_code_expr *sq_point_identity(sq_point_values *p, const sq_stmt *s);
const sq_code_expr *sq_point_cast(sq_point_values *p, sq_type type, const sq_code_expr *e);
/* Returns the store to the place of a load. */
sq_code *sq_point_assign(sq_point_values *p, const sq_code_expr *place, const sq_code_expr *value);
/* Returns the value of a register. */
const sq_code_expr *sq_point_register(sq_point_values *p, const sq_code_buffer *b);
#endif
