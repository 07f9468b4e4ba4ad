/* Expansion: macros that double with each use end before they are expanded. */
#ifndef SQ_FRONTEND_EXPANSION_H
#define SQ_FRONTEND_EXPANSION_H
#include "frontend/clang.h"

/* Refuses a file whose own macros expand to more than SQ_MOST_EXPANSION tokens; -1 then. The text ends in
 * a zero byte. */
int sq_expansion_check(sq_reader *r, const char *text, size_t n);
#endif
