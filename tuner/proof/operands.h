/* Operands: where an expression of C branches. The operands of && and ||, and the first one of ?:,
 * are conditions whose outcomes determine what else is evaluated. Operands that a compiler must
 * evaluate at compile time (sizeof, attributes, constants) do not count. */
#ifndef SQ_TUNER_PROOF_OPERANDS_H
#define SQ_TUNER_PROOF_OPERANDS_H
#include "tuner/proof/blocks.h"

/* An operand that is branched on: tokens [from, to), and the outcomes that no other block shows. */
typedef struct sq_branch_operand {
    int from, to;
    bool wants_true, wants_false;
    bool is_kept; /* of `a ?: b`: its value may be the result */
    int guard;    /* the innermost condition known where it is evaluated, -1: none */
} sq_branch_operand;

typedef struct sq_operands {
    sq_arena *arena;
    const sq_token *token; /* and their matching brackets, as in sq_blocks */
    const int *pair;
    int n, room;
    sq_branch_operand *of; /* enclosing ones before nested ones */
    int nguards, guards_room;
    sq_guard *guard;
    int at; /* the innermost guard, -1 */
} sq_operands;

/* Adds the operands of the expression, declaration or list of them in tokens [from, to). */
void sq_operands_find(sq_operands *o, int from, int to);
/* Does the same for the condition of an `if` or a loop, both outcomes of which other blocks
 * show. */
void sq_operands_of_condition(sq_operands *o, int from, int to);
#endif
