/* Forward: which temporaries of C loops are worth no memory. A scalar between two statements keeps
 * them in one loop that runs point by point; its value in its readers leaves nests that register
 * tiles and lanes serve. What inline() does, chosen where it is no loss: what is cheap may be
 * computed again, and what is not where it is computed no more often than it was. */
#ifndef SQ_TRANSFORMS_FORWARD_H
#define SQ_TRANSFORMS_FORWARD_H
#include "ir/schedule/schedule.h"

/* What becomes of a statement that gives a temporary of C loops a value. */
typedef struct sq_forwarded {
    const sq_stmt *stmt; /* as described */
    bool can;
    const char *why; /* a sentence: who reads the value now; or why the temporary is kept */
} sq_forwarded;

/* All such statements of a naive schedule; returns their number. *call is the script that forwards
 * those that can, "" where there is none. In the arena. */
int sq_forward_find(const sq_schedule *naive, sq_arena *arena, sq_forwarded **list,
                    const char **call);
#endif
