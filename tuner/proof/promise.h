/* Promise: what C text says to a compiler that a compiler believes and does not check. */
#ifndef SQ_TUNER_PROOF_PROMISE_H
#define SQ_TUNER_PROOF_PROMISE_H
#include "support/text.h"

/* Adds the text to `to` with such attributes struck out. */
void sq_promise_strike(const char *text, sq_text *to);
/* What in front of it strikes out the others. */
extern const char sq_promise_macros[];
#endif
