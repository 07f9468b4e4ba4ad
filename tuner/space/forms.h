/* Forms: the kernels into which a kernel's statements can be rewritten before loops are chosen: a
 * value substituted into its only reader (inline), a maximum and its sums run tile by tile
 * (online). Each is a kernel of its own, with groups and choices of its own. Every call was tried
 * by the checked transforms; a refusal means that there is no such form. */
#ifndef SQ_TUNER_SPACE_FORMS_H
#define SQ_TUNER_SPACE_FORMS_H
#include "ir/schedule/schedule.h"
#include "support/text.h"

enum { SQ_MAX_FORMS = 4, SQ_FORM_TILE = 128 };

typedef struct sq_form {
    const char *script; /* the calls that make it, each followed by a blank; "": none */
    sq_schedule *start; /* the resulting schedule */
    /* online: the maximum and its index, else NULL; its call, the last one, is not in the script */
    const char *most, *index;
    bool pays; /* is preferred to the described form as the first choice */
} sq_form;

/* Finds the forms of a kernel whose loops are not chosen yet, the described one first. Returns
 * their number. */
int sq_forms_find(const sq_schedule *naive, sq_arena *arena, sq_form *form);
/* Returns the form that is used untuned. */
int sq_forms_first(const sq_form *form, int n);
/* Appends "inline(S2) online(S1, j:128) " */
void sq_form_put(const sq_form *f, long tile, sq_text *to);
const char *sq_form_script(const sq_form *f, long tile, sq_arena *arena);
#endif
