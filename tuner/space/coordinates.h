/* Coordinates: what the name of a coordinate of the space stands for, for people. */
#ifndef SQ_TUNER_SPACE_COORDINATES_H
#define SQ_TUNER_SPACE_COORDINATES_H
#include <stdbool.h>

/* A few words on "rows", "S0.rows" or "online.S0.pack.A"; on_grid: of a target whose kernels run as a grid. "": the
 * name is not known. */
const char *sq_coordinate_doc(const char *name, bool on_grid);
#endif
