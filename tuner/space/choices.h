/* Choices: all there is to choose for a kernel, its form included: the sketches of its forms side
 * by side in one space, with a coordinate that says which form, and one for the tile of an online
 * one. What tune searches and `show space` prints. */
#ifndef SQ_TUNER_SPACE_CHOICES_H
#define SQ_TUNER_SPACE_CHOICES_H
#include "tuner/space/sketch.h"

typedef struct sq_choices sq_choices;

/* threads: 1 for serial code. All in arena. */
sq_choices *sq_choices_new(const sq_kernel *k, const sq_machine *m, const sq_target *t,
                           const int64_t *sizes, int threads, sq_arena *arena);
/* The values of coordinate `form`: how many there are (1: no such coordinate), and the calls that
 * make one, "" for the statements as written. */
int sq_choices_forms(const sq_choices *c);
const char *sq_choices_form(const sq_choices *c, int form);
const sq_space *sq_choices_space(const sq_choices *c);
/* Groups with choices in any form; 0: there is nothing to search. */
int sq_choices_groups(const sq_choices *c);
/* Any point gives a script, which may be refused. */
void sq_choices_script(const sq_choices *c, const int *point, sq_text *to);
/* The draft model's guess in seconds, INFINITY where the point is surely useless. */
double sq_choices_cost(const sq_choices *c, const int *point);
/* The draft's bytes that cross into L1, L2 and L3, from L2, L3 and memory; false where it counts none. */
bool sq_choices_traffic(const sq_choices *c, const int *point, double bytes[3]);
/* The space starts at the model's best point, in every form. */
void sq_choices_begin(sq_choices *c);
/* What to measure first: rank 0 the model's best point of the form that is taken untuned, then the
 * best of the other forms, then its second best …; -1 when there are fewer. */
int sq_choices_point(const sq_choices *c, int rank, int *point);
#endif
