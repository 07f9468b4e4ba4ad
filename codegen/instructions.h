/* Instructions: how many the loops of a group execute, counted in the code that is emitted. */
#ifndef SQ_CODEGEN_INSTRUCTIONS_H
#define SQ_CODEGEN_INSTRUCTIONS_H
#include "codegen/isa/target.h"
#include "ir/schedule/schedule.h"

/* Returns the instructions of the innermost loops of a group, vectors being one, as if every loop had equally many
 * iterations; -1: of a grid, or where it cannot be lowered. Conditions are counted where statements ask for them. */
double sq_instructions_of(const sq_schedule *s, int group, const sq_target *t, sq_arena *arena);
/* True if passes make vectors of all loops of a group. */
bool sq_is_in_vectors(const sq_schedule *s, int group, const sq_target *t, sq_arena *arena);
#endif
