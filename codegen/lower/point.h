/* Point: what a statement computes and writes at one point, as code. */
#ifndef SQ_LOWER_POINT_H
#define SQ_LOWER_POINT_H
#include "codegen/code/code.h"
#include "ir/schedule/schedule.h"

/* The buffer that stands for an array; the last one of an array hides those before. */
typedef struct sq_bound_array {
    const sq_array *array;
    const sq_code_buffer *buffer;
    struct sq_bound_array *before;
} sq_bound_array;

typedef struct sq_point_values {
    const sq_kernel *kernel;
    sq_code_pool *pool;
    const sq_code_expr *at[SQ_MAX_DIMS]; /* the point's coordinates */
    const sq_code_buffer *sum;           /* what SQ_OP_REDUCED is loaded from */
    sq_bound_array *bound;               /* buffers that hide the arrays' memory */
    sq_bound_array *memory;              /* of the arrays seen so far */
} sq_point_values;

/* From here on the buffer stands for the array. */
void sq_point_bind(sq_point_values *p, const sq_array *a, const sq_code_buffer *b);
const sq_code_buffer *sq_point_buffer(sq_point_values *p, const sq_array *a);
/* A copy of an array whose extents are numbers, to be declared; of one element it is a register. */
const sq_code_buffer *sq_point_stack(sq_point_values *p, const sq_array *a, const char *name);

/* An expression's value at the point. */
const sq_code_expr *sq_point_value(sq_point_values *p, const sq_expr *e);
/* The element that an access refers to, whatever its edge. */
const sq_code_expr *sq_point_element(sq_point_values *p, const sq_access *a);
/* The access's element = value, which is cast to the type of the element. */
sq_code *sq_point_store(sq_point_values *p, const sq_access *a, const sq_code_expr *value);
/* What finishes an instance of a statement: its store, under the conditions of one that is_maybe. */
sq_code *sq_point_finish(sq_point_values *p, const sq_stmt *s);
/* place = place op v, in the operation of the statement's reduction; the place is a load. */
sq_code *sq_point_combine(sq_point_values *p, const sq_stmt *s, const sq_code_expr *place,
                          const sq_code_expr *v);
/* What the statement's reduction begins with. */
const sq_code_expr *sq_point_identity(sq_point_values *p, const sq_stmt *s);
const sq_code_expr *sq_point_cast(sq_point_values *p, sq_type type, const sq_code_expr *e);
/* Stores to the place of a load. */
sq_code *sq_point_assign(sq_point_values *p, const sq_code_expr *place, const sq_code_expr *value);
/* A register's value. */
const sq_code_expr *sq_point_register(sq_point_values *p, const sq_code_buffer *b);
#endif
