/* Point text: a point as the store keeps it, the values of its coordinates by name: "rows=8,pack.B=2". It can be read
 * in another space: of a later version, of other sizes, of another kernel. */
#ifndef SQ_TUNER_POINT_TEXT_H
#define SQ_TUNER_POINT_TEXT_H
#include "tuner/search/search.h"

void sq_point_print(const sq_space *s, const int *point, sq_text *to);
/* False unless the text has a value of each coordinate, and nothing else; earlier versions wrote indices ("3,0,7"). */
bool sq_point_read(const char *text, const sq_space *s, int *point);
/* The value behind a name; false if the text has not this name. */
bool sq_point_read_value(const char *text, const char *name, long *value);
/* The point with these values, or with those nearest to them; a coordinate without has the start's. False if a size of
 * the space is not named: the point is of another kind of kernel. One of the same kernel has fewer sizes to choose
 * where it is small. */
bool sq_point_transfer(const char *text, const sq_space *s, bool of_same_kernel, int *point);
#endif
