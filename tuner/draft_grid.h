/* Draft grid: see draft_grid.c. */
#ifndef SQ_TUNER_DRAFT_GRID_H
#define SQ_TUNER_DRAFT_GRID_H
#include "codegen/emit.h"

/* Applies the first choice for a target with a grid to the naive schedule s and writes its script.
 * Always leaves a legal schedule. */
void sq_draft_grid(sq_schedule *s, const sq_target *t, sq_arena *a, sq_text *script);
#endif
