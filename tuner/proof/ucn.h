/* UCN: universal character names, in which gcc's preprocessor writes letters of identifiers outside
 * of ASCII. */
#ifndef SQ_TUNER_PROOF_UCN_H
#define SQ_TUNER_PROOF_UCN_H

/* Replaces `\u00f6` and `\U000000f6` outside of strings by the character in UTF-8, in place, as it
 * is shorter. */
void sq_ucn_decode(char *text);
#endif
