/* Respelling: text of regions in the words that the rest of the reader knows: members that macros write, members of
 * structs in arrays, pointers that a region declares. */
#ifndef SQ_FRONTEND_RESPELLING_H
#define SQ_FRONTEND_RESPELLING_H
#include "frontend/members.h"

/* Reads the unit, which has regions, once more with such text; leaves it as it is where there is none, or where that
 * has errors. Arrays of structs become members of r->members. Comes behind sq_calls_read. */
void sq_respelling_read(sq_reader *r, CXIndex index, const char **args, int nargs, const char *text, size_t n);
#endif
