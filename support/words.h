/* Words: names that a language keeps for itself. */
#ifndef SQ_SUPPORT_WORDS_H
#define SQ_SUPPORT_WORDS_H
#include <stdbool.h>
#include <stddef.h>

bool sq_is_c_word(const char *name);
/* Good names in C that C++ does not allow: emitted headers are read by both. */
bool sq_is_cpp_word(const char *name);
#endif
