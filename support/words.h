/* Words: names that a language keeps for itself. */
#ifndef SQ_SUPPORT_WORDS_H
#define SQ_SUPPORT_WORDS_H
#include <stdbool.h>
#include <stddef.h>

bool sq_is_c_word(const char *name);
/* Good names in C that C++ does not allow: emitted headers are read by both. */
bool sq_is_cpp_word(const char *name);
/* Names that CUDA text has from its compiler and headers, or that begin as those do. */
bool sq_is_cuda_word(const char *name);
#endif
