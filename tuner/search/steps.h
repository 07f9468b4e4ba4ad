/* Steps: a schedule's script as TLP reads it (Zhai et al., ASPLOS 2023): a row for each call, its kind, then the names
 * and numbers of its arguments in their order. Nothing is computed of the kernel. */
#ifndef SQ_TUNER_SEARCH_STEPS_H
#define SQ_TUNER_SEARCH_STEPS_H
#include <stddef.h>

enum {
    SQ_STEPS = 25, /* of a script; what is behind them is not read */
    SQ_STEP_KINDS = 11,
    SQ_STEP_NUMBERS = 22 /* of a row: one of the kinds is 1, then arguments, as many as there is room for */
};

/* The names that scripts have, numbered from 1 as they come. */
typedef struct sq_words {
    size_t n, room;
    char **name;
} sq_words;
void sq_words_free(sq_words *w);

/* Writes the rows of a script, and returns their number. A name with a number at its end (i0, j16) counts as both. */
int sq_steps_of_script(sq_words *w, const char *script, float (*row)[SQ_STEP_NUMBERS]);
/* A row for what has a number and a value in the place of a script: a coordinate. */
void sq_step_of_value(int number, long value, float *row);
#endif
