/* Operands: where an expression of C branches. The operands of && and ||, and what stands in front of
 * a ?, are conditions whose outcomes decide what else is evaluated. What a compiler has to know at
 * compile time (sizeof, attributes, numbers alone) is none. */
#ifndef SQ_TUNER_PROOF_OPERANDS_H
#define SQ_TUNER_PROOF_OPERANDS_H
#include "tuner/proof/blocks.h"

/* An operand that decides: tokens [from, to), and which of its outcomes nothing else shows. */
typedef struct sq_operand {
    int from, to;
    bool wants_true, wants_false;
    bool is_kept; /* of `a ?: b`: its value is one of the result's */
    int guard;    /* what is known where it is evaluated: the innermost, -1: nothing */
} sq_operand;

typedef struct sq_operands {
    sq_arena *arena;
    const sq_token *token; /* and their brackets, as in sq_blocks */
    const int *pair;
    int n, room;
    sq_operand *of; /* those around others before these */
    int nguards, guards_room;
    sq_guard *guard;
    int at; /* the innermost guard, -1 */
} sq_operands;

/* Adds those of the expression, declaration or list of them in tokens [from, to). */
void sq_operands_find(sq_operands *o, int from, int to);
/* The same of what an `if` or a loop decides by: both its outcomes are to be seen elsewhere. */
void sq_operands_of_condition(sq_operands *o, int from, int to);
#endif
