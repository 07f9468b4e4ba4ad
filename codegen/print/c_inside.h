/* C, inside: what the files that print C share. */
#ifndef SQ_PRINT_C_INSIDE_H
#define SQ_PRINT_C_INSIDE_H
#include "codegen/print/c.h"

/* A value that stands alone, behind "=" or between commas: no parentheses around it. */
void sq_c_assigned(const sq_c_printer *p, const sq_code_expr *e, sq_text *to);
/* An index expression, which may have values inside: T[X[i]]. */
void sq_c_index(const sq_c_printer *p, const sq_code_expr *e, sq_code_level level, sq_text *to);
/* A value of several lanes, or a multiply-add; `alone`: as above. */
void sq_c_vector(const sq_c_printer *p, const sq_code_expr *e, bool alone, sq_text *to);
/* A STORE of a vector, to memory. */
void sq_c_store_lanes(const sq_c_printer *p, const sq_code *x, sq_text *to);
/* The functions that copy rows to columns, and that transpose a square of registers. */
const char *sq_c_turn(const sq_c_printer *p, sq_type type, int lanes);
const char *sq_c_transpose(const sq_c_printer *p, const sq_code_buffer *b);
/* The function that copies elements `step` apart, 2 to SQ_STRIDE_MOST, to neighbouring places. */
const char *sq_c_strided_copy(const sq_c_printer *p, sq_type type, int lanes, int step, bool clips);
/* What a value of the type is in registers: "sq_f32x16", "float". */
const char *sq_c_type(const sq_c_printer *p, sq_type type, int lanes);
/* The type of what a pointer to the buffer's elements points to. */
const char *sq_c_element_type(const sq_code_buffer *b);
/* A value as an array's element holds it: of f16 and bf16 the bits. */
void sq_c_stored(const sq_c_printer *p, const sq_code_expr *e, sq_text *to);
/* The condition under which threads share the loop; nothing: always. */
void sq_c_worth(const sq_c_printer *p, const sq_code *x, sq_text *to);
/* A CALL and a COPY. */
void sq_c_call(const sq_code *x, sq_text *to);
void sq_c_copy(const sq_c_printer *p, const sq_code *x, sq_text *to);
#endif
