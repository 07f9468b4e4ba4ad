/* C: prints code in C and similar languages. It makes no decisions: each statement and expression
 * determines its text. Names with an @ get the prefix of the emitted function later. */
#ifndef SQ_PRINT_C_H
#define SQ_PRINT_C_H
#include "codegen/code/code.h"
#include "codegen/isa/target.h"
#include "codegen/isa/vector.h"

typedef struct sq_c_printer {
    sq_code_pool *pool;        /* owns what is printed */
    const sq_rounded *rounded; /* see codegen/isa/strict.h */
    sq_uses uses;              /* what the text names */
    bool is_marked;            /* prints lines "//= S0" before stores: see sq_emit_options */
    bool by_dimension;         /* prints elements as A[i][j], for people: C has only the flat index */
    /* prints the DECLARE of a PANEL; defines a part that is about to be called, or is told of an
     * inlined part. NULL where there are none */
    void (*panel)(const sq_code *declare, void *user, sq_text *to);
    void (*part)(const sq_code_part *part, void *user);
    /* prints a parallel loop; NULL: with an OpenMP pragma */
    void (*threads)(const sq_code *loop, void *user, sq_text *to);
    /* prints a kernel of a grid and its launch; NULL: the kernel in its place */
    void (*kernel)(const sq_code *threads, void *user, sq_text *to);
    sq_code_keys *ints; /* variables of 32 bits so far, which need no conversion; NULL: all have one */
    bool is_task; /* runs on one thread: parallel loops run serially */
    void *user;
    /* for vectors; NULL where there are none. shape: one of `shapes`, with n lanes */
    const sq_target *target;
    sq_vector *(*shape)(void *shapes, sq_type type, int lanes);
    void *shapes;
} sq_c_printer;

/* Appends a list of statements, with the text's indentation. */
void sq_c_code(const sq_c_printer *p, const sq_code *x, sq_text *to);
/* Appends "2.0 * (double)M * (double)N + 8.0 * (double)M": work. */
void sq_c_work(const sq_c_printer *p, const sq_code_work *w, sq_text *to);
/* Appends the function of a part. */
void sq_c_part(const sq_c_printer *p, const sq_code_part *part, sq_text *to);
/* Returns the suffix of helpers that copy elements of one type to another: "f16_f32". */
const char *sq_c_copy_name(sq_type from, sq_type to, sq_arena *arena);
/* Appends a value, in parentheses unless it is a single operand. */
void sq_c_value(const sq_c_printer *p, const sq_code_expr *e, sq_text *to);
/* Appends the address of an element of a buffer of one dimension: "A + 3 * A_s0". */
void sq_c_address(const sq_c_printer *p, const sq_code_buffer *b, const sq_code_expr *at,
                  sq_text *to);
/* Appends an element of a buffer: "A[i * A_s0 + j]". */
void sq_c_element(const sq_c_printer *p, const sq_code_buffer *b, const sq_code_expr *const *index,
                  sq_text *to);
#endif
