/* Words: names that a language keeps for itself, and names in text. */
#ifndef SQ_SUPPORT_WORDS_H
#define SQ_SUPPORT_WORDS_H
#include "support/text.h"
#include <stdbool.h>
#include <stddef.h>

bool sq_is_c_word(const char *name);
/* Good names in C that C++ does not allow: emitted headers are read by both. */
bool sq_is_cpp_word(const char *name);
/* These, and the others of the C library: no names of kernels. */
bool sq_is_macro_word(const char *name);
/* What a program that reads an emitted header may have as a word or a macro: a parameter of it is
 * called otherwise there. */
bool sq_is_header_word(const char *name);
/* True if the name is in the list, whose words have a blank before and behind each. */
bool sq_is_word_of(const char *list, const char *name);
/* Of an identifier; bytes of UTF-8 are, and the $ that compilers take. */
bool sq_is_word_byte(char c);
/* True if `word` is an identifier of the text; what comments say does not count. */
bool sq_text_mentions(const char *text, const char *word);
/* `#undef` for each macro of compilers' GNU modes and of the C library that the text has as a name:
 * they are not what a description means. Of macros that emitted text uses itself there is none; in
 * C++ some are words. */
void sq_macros_undefine(const char *text, bool is_cpp, sq_text *to);
/* Names that CUDA text has from its compiler and headers, or that begin as those do. */
bool sq_is_cuda_word(const char *name);
#endif
