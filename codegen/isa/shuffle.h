/* Shuffle: prints shuffles of the lanes of one or two vectors. The lanes of the second vector are
 * numbered after those of the first. */
#ifndef SQ_CODEGEN_ISA_SHUFFLE_H
#define SQ_CODEGEN_ISA_SHUFFLE_H
#include "codegen/isa/vector.h"

enum {
    SQ_HALF_BYTES = 16, /* half of a register of 32 bytes */
    SQ_SHUFFLE_MOST = 64
};

/* Prints the shuffle of the lanes `lane` of a and b. b may be a. */
void sq_shuffle_call(const sq_vector *v, const char *a, const char *b, const int *lane, sq_text *to);
/* Prints it as a statement: `result` is "r =" or "return". */
void sq_shuffle_put(const sq_vector *v, const char *result, const char *a, const char *b,
                    const int *lane, sq_text *to);
/* True if v fills registers of 32 bytes whose shuffles work within 16-byte lanes. */
bool sq_vector_halved(const sq_vector *v, const sq_target *t);
#endif
