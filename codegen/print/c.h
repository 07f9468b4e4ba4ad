/* C: code as text of C and its like. Decides nothing: each statement and each expression has its
 * text. Names with an @ get the prefix of the emitted function later. */
#ifndef SQ_PRINT_C_H
#define SQ_PRINT_C_H
#include "codegen/code/code.h"
#include "codegen/isa/target.h"
#include "codegen/isa/vector.h"

typedef struct sq_c_printer {
    sq_code_pool *pool;        /* owns what is printed */
    const sq_rounded *rounded; /* see codegen/isa/strict.h */
    bool is_marked;            /* lines "//= S0" before stores: see sq_emit_options */
    bool by_dimension;         /* elements are A[i][j], for people: C has only the flat index */
    /* prints the DECLARE of a PANEL; defines a part that is about to be called, hears of one that stands
     * in place. NULL where there are none */
    void (*panel)(const sq_code *declare, void *user, sq_text *to);
    void (*part)(const sq_code_part *part, void *user);
    /* prints a loop that threads share; NULL: with the pragma of OpenMP */
    void (*threads)(const sq_code *loop, void *user, sq_text *to);
    bool is_task; /* one thread runs it: loops that threads would share are its own */
    void *user;
    /* of vectors; NULL where there are none. shape: that with n lanes, of `shapes` */
    const sq_target *target;
    sq_vector *(*shape)(void *shapes, sq_type type, int lanes);
    void *shapes;
} sq_c_printer;

/* Appends a list of statements, at the text's indent. */
void sq_c_code(const sq_c_printer *p, const sq_code *x, sq_text *to);
/* "for (…) {" of a loop; its body follows. */
void sq_c_loop(const sq_c_printer *p, const sq_code *x, sq_text *to);
/* The function that a part becomes: to be inlined. */
void sq_c_part(const sq_c_printer *p, const sq_code_part *part, sq_text *to);
/* What helpers that copy elements of one type as another are called: "f16_f32". */
const char *sq_c_copy_name(sq_type from, sq_type to, sq_arena *arena);
/* A value, in parentheses unless it is one operand. */
void sq_c_value(const sq_c_printer *p, const sq_code_expr *e, sq_text *to);
/* The address of an element of a buffer of one dimension: "A + 3 * A_s0". p may be NULL where `at` has no values
 * inside. */
void sq_c_address(const sq_c_printer *p, const sq_code_buffer *b, const sq_code_expr *at,
                  sq_text *to);
/* The element of a buffer: "A[i * A_s0 + j]". */
void sq_c_element(const sq_c_printer *p, const sq_code_buffer *b, const sq_code_expr *const *index,
                  sq_text *to);
#endif
