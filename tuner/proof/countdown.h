/* Countdown: loops that decrement a variable, in the form that is emitted:
 *
 *     int64_t left = n;
 *     for (; left >= 4; left -= 4) {...}
 *     for (; left > 0; left--) {...}
 *
 * The first body runs only if n is at least 4, the second for the remainder of n by 4. */
#ifndef SQ_TUNER_PROOF_COUNTDOWN_H
#define SQ_TUNER_PROOF_COUNTDOWN_H
#include "tuner/proof/blocks.h"

typedef struct sq_countdown {
    int value, end;   /* tokens [value, end) of the initializer in front of the loops */
    const char *says; /* a formula of isl in v, the initial value, that holds where the body runs */
} sq_countdown;

/* False if block b, of a function whose first token is `first`, is not the body of such a loop, or
 * if the variable may change in another way. */
bool sq_countdown_find(const sq_blocks *all, sq_arena *arena, int first, const sq_block *b,
                       sq_countdown *countdown);
#endif
