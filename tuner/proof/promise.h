/* Promise: attributes of C text that a compiler trusts without checking. */
#ifndef SQ_TUNER_PROOF_PROMISE_H
#define SQ_TUNER_PROOF_PROMISE_H
#include "support/text.h"

/* Appends the text to `to` without such attributes. */
void sq_promise_strike(const char *text, sq_text *to);
/* Macros that remove the others, to be put in front of the text. */
extern const char sq_promise_macros[];
#endif
