/* UCN: universal character names, as gcc's preprocessor writes letters of identifiers that ASCII lacks. */
#ifndef SQ_TUNER_PROOF_UCN_H
#define SQ_TUNER_PROOF_UCN_H

/* Replaces `\u00f6` and `\U000000f6` outside of strings by the character's UTF-8, in place: it is shorter. */
void sq_ucn_decode(char *text);
#endif
