/* Limits on input: SQ_MOST_FILE_BYTES and its like, from support/limits.def. What is above one is
 * refused with a message that names it. */
#ifndef SQ_SUPPORT_LIMITS_H
#define SQ_SUPPORT_LIMITS_H

/* A size of 64 bits is 2^56 at most: what is added to it, and small multiples, do not overflow. */
enum { SQ_LARGEST_SIZE_BITS = 56 };

enum {
#define SQ_LIMIT(name, most, unit, what) SQ_MOST_##name = (most),
#include "support/limits.def"
};

typedef struct sq_input_limit {
    const char *name; /* file_bytes */
    int most;
    const char *unit, *what;
} sq_input_limit;

/* All of them; the last has no name. */
extern const sq_input_limit sq_input_limits[];
#endif
