/* Choices: the whole search space of a kernel, including its forms: the sketches of its forms in
 * one space, with a coordinate that selects the form, and one for the tile of an online form. tune
 * searches it and `show space` prints it. */
#ifndef SQ_TUNER_SPACE_CHOICES_H
#define SQ_TUNER_SPACE_CHOICES_H
#include "tuner/space/sketch.h"

typedef struct sq_choices sq_choices;

/* threads: 1 for serial code. All in arena. */
sq_choices *sq_choices_new(const sq_kernel *k, const sq_machine *m, const sq_target *t,
                           const int64_t *sizes, int threads, sq_arena *arena);
/* Returns the number of values of coordinate `form` (1: no such coordinate), and the calls that
 * make a form, "" for the statements as written. */
int sq_choices_forms(const sq_choices *c);
const char *sq_choices_form(const sq_choices *c, int form);
const sq_space *sq_choices_space(const sq_choices *c);
/* Returns the number of groups with choices in any form; 0: there is nothing to search. */
int sq_choices_groups(const sq_choices *c);
/* Appends the script of a point. Every point has one, which may be refused. */
void sq_choices_script(const sq_choices *c, const int *point, sq_text *to);
/* Returns the draft model's estimate in seconds, INFINITY if the point is surely useless. */
double sq_choices_cost(const sq_choices *c, const int *point);
/* Computes the model's traffic in bytes into L1, L2 and L3, from L2, L3 and memory; false if it has
 * none. */
bool sq_choices_traffic(const sq_choices *c, const int *point, double bytes[3]);
/* The statements of a point's code as rows of numbers; 0 where plans do not say all of it. Of an online form those of
 * its usual tile. */
int sq_choices_features(const sq_choices *c, const int *point, float (*row)[SQ_STATEMENT]);
/* Starts the space at the model's best point, in every form. */
void sq_choices_begin(sq_choices *c);
/* Returns the points to measure first: rank 0 is the model's best point of the form that is used
 * untuned, followed by the best of the other forms, then its second best …; -1 if there are
 * fewer. */
int sq_choices_point(const sq_choices *c, int rank, int *point);
#endif
