/* Sweep: removes dead values. */
#ifndef SQ_CODE_SWEEP_H
#define SQ_CODE_SWEEP_H
#include "codegen/code/code.h"

/* The list without declarations of constant registers that are never read, and without the stores
 * to them; what only those read goes, too. Changes the list in place. */
sq_code *sq_code_sweep(sq_code_pool *p, sq_code *x);
#endif
