/* Foreign: pragmas of compilers that a kernel is under, and that its emitted text would not follow. */
#ifndef SQ_FRONTEND_FOREIGN_H
#define SQ_FRONTEND_FOREIGN_H
#include "frontend/scop_build.h"

/* Refuses those in force at the function, or at its region; -1 then. `contract_named`: the kernel has a
 * line `#pragma squall fp`, which decides how it rounds. */
int sq_foreign_check(const sq_reader *r, sq_pragmas *p, CXCursor function, const sq_scop *scop,
                     const char *name, bool contract_named);
#endif
