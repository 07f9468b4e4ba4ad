/* Values: what a person may write behind an option, for completions. */
#ifndef SQ_CLI_VALUES_H
#define SQ_CLI_VALUES_H
#include "cli/cli.h"

typedef enum sq_values_kind {
    SQ_VALUES_NONE,  /* a flag: it takes no value */
    SQ_VALUES_ANY,   /* a number, a name: nothing can be offered */
    SQ_VALUES_FILE,  /* a path */
    SQ_VALUES_DIR,   /* a folder */
    SQ_VALUES_WORDS, /* one of the words */
    SQ_VALUES_LIST   /* several of the words, parted by commas */
} sq_values_kind;

/* What the option takes; the words, parted by blanks, are added to `to`. */
sq_values_kind sq_option_values(const sq_option *row, sq_text *to);
#endif
