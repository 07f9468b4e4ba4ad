/* Limits: the rows of limits.def as a table, for `squall show limits`. */
#include "support/limits.h"

const sq_input_limit sq_input_limits[] = {
#define SQ_LIMIT(name, most, unit, what) {#name, most, unit, what},
#include "support/limits.def"
    {0}};
