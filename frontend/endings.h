/* Endings: loops that count up by a constant to what is below a bound, for (i = 0; i + 3 < n; i += 4), and where they
 * end: the variable's first value that is no turn. */
#ifndef SQ_FRONTEND_ENDINGS_H
#define SQ_FRONTEND_ENDINGS_H
#include "frontend/spelling.h"

struct sq_respeller;

/* A loop that turns while decl < bound - ahead. */
typedef struct sq_ending {
    CXCursor loop, decl, bound, step, body;
    int64_t ahead, by;
} sq_ending;

/* Adds the first value that the variable of a loop has. */
typedef void sq_ending_first(const struct sq_respeller *x, sq_spelling *s, const sq_ending *of);

/* Of i, i + 3 and 3 + i. */
bool sq_ahead_of(const struct sq_respeller *x, CXCursor c, CXCursor *decl, int64_t *ahead);
/* False if the loop is no such one; it may have no first part. */
bool sq_ending_read(const struct sq_respeller *x, CXCursor loop, sq_ending *to);
/* Adds where the loop ends. */
void sq_ending_put(const struct sq_respeller *x, sq_spelling *s, const sq_ending *of, sq_ending_first *first);
#endif
