/* C, inside: shared by the files that print C. */
#ifndef SQ_PRINT_C_INSIDE_H
#define SQ_PRINT_C_INSIDE_H
#include "codegen/print/c.h"

/* Appends a value without parentheses, behind "=" or between commas. */
void sq_c_assigned(const sq_c_printer *p, const sq_code_expr *e, sq_text *to);
/* Appends an index expression, which may contain values: T[X[i]]. */
void sq_c_index(const sq_c_printer *p, const sq_code_expr *e, sq_code_level level, sq_text *to);
/* Appends a value of several lanes, or a multiply-add; `alone`: without parentheses. */
void sq_c_vector(const sq_c_printer *p, const sq_code_expr *e, bool alone, sq_text *to);
/* Appends a STORE of a vector to memory. */
void sq_c_store_lanes(const sq_c_printer *p, const sq_code *x, sq_text *to);
/* Return the functions that copy rows to columns, and that transpose a square of registers. */
const char *sq_c_turn(const sq_c_printer *p, sq_type type, int lanes);
const char *sq_c_transpose(const sq_c_printer *p, const sq_code_buffer *b);
/* Returns the function that copies elements with the stride `step`, 2 to SQ_STRIDE_MOST, to
 * contiguous memory. */
const char *sq_c_strided_copy(const sq_c_printer *p, sq_type type, int lanes, int step, bool clips);
/* Appends the name of a buffer. */
void sq_c_name(const sq_c_printer *p, const sq_code_buffer *b, sq_text *to);
/* Returns the C type of a value in registers: "sq_f32x16", "float". */
const char *sq_c_type(const sq_c_printer *p, sq_type type, int lanes);
/* Returns that of a register, which may hold a mask: "uint16_t". */
const char *sq_c_register_type(const sq_c_printer *p, const sq_code_buffer *b);
/* Returns the C type that a pointer to the buffer's elements points to. */
const char *sq_c_element_type(const sq_code_buffer *b);
/* Appends a value as it is stored in an array: the bits of f16 and bf16. */
void sq_c_stored(const sq_c_printer *p, const sq_code_expr *e, sq_text *to);
/* True if the bits of a value of f16 or bf16 are at hand, as of an element that is copied; appends them. */
bool sq_c_has_bits(const sq_code_expr *e);
void sq_c_bits(const sq_c_printer *p, const sq_code_expr *e, sq_text *to);
/* Appends lanes of a vector in memory, without converting them. */
void sq_c_lanes(const sq_c_printer *p, const sq_code_expr *load, sq_text *to);
/* Appends the condition under which the loop is parallel; nothing: always. */
void sq_c_worth(const sq_c_printer *p, const sq_code *x, sq_text *to);
/* Append a CALL and a COPY. */
void sq_c_call(const sq_c_printer *p, const sq_code *x, sq_text *to);
void sq_c_copy(const sq_c_printer *p, const sq_code *x, sq_text *to);
#endif
