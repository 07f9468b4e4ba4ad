/* Countdown: loops that count a name down, in the form in which text is emitted:
 *
 *     int64_t left = n;
 *     for (; left >= 4; left -= 4) {...}
 *     for (; left > 0; left--) {...}
 *
 * The first body runs only if n is at least 4, the second for what 4 leaves of n. */
#ifndef SQ_TUNER_PROOF_COUNTDOWN_H
#define SQ_TUNER_PROOF_COUNTDOWN_H
#include "tuner/proof/blocks.h"

typedef struct sq_countdown {
    int value, end;   /* tokens [value, end) of what is declared in front of the loops */
    const char *says; /* of that value, called v: a formula of isl that holds where the body runs */
} sq_countdown;

/* False if block b, of a function whose first token is `first`, is no body of such a loop, or if what is left may
 * change by anything else. */
bool sq_countdown_find(const sq_blocks *all, sq_arena *arena, int first, const sq_block *b,
                       sq_countdown *countdown);
#endif
