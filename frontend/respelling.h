/* Respelling: text of regions that says in macros what the rest of the reader takes from the text itself. */
#ifndef SQ_FRONTEND_RESPELLING_H
#define SQ_FRONTEND_RESPELLING_H
#include "frontend/clang.h"

/* Reads the unit, which has regions, once more with such expressions as they are without macros; leaves it as it is
 * where there are none, or where that has errors. Comes behind sq_calls_read. */
void sq_respelling_read(sq_reader *r, CXIndex index, const char **args, int nargs, const char *text, size_t n);
#endif
