/* Forward: which temporaries of C loops are substituted by default. A scalar between two statements
 * keeps them in one loop that runs point by point; with its value substituted into its readers, the
 * nests can have register tiles and vectors. This is inline(), applied where nothing is lost: cheap
 * values may be recomputed, others only where they are computed no more often than before. */
#ifndef SQ_TRANSFORMS_FORWARD_H
#define SQ_TRANSFORMS_FORWARD_H
#include "ir/schedule/schedule.h"

/* The outcome for a statement that writes a temporary of C loops. */
typedef struct sq_forwarded {
    const sq_stmt *stmt; /* as described */
    bool can;
    const char *why; /* a sentence: who reads the value now, or why the temporary is kept */
} sq_forwarded;

/* Finds all such statements of a naive schedule; returns their number. *call is the script that
 * substitutes them where possible, "" if there are none. In the arena. */
int sq_forward_find(const sq_schedule *naive, sq_arena *arena, sq_forwarded **list,
                    const char **call);
#endif
