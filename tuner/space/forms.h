/* Forms: what a kernel's statements can be made into before loops are chosen: a value put into the
 * one place that reads it (inline), a maximum and its sums run tile by tile (online). Each is a
 * kernel of its own, with groups and choices of its own. Every call was tried by the checked
 * transforms; a refusal means that there is no such form. */
#ifndef SQ_TUNER_SPACE_FORMS_H
#define SQ_TUNER_SPACE_FORMS_H
#include "ir/schedule/schedule.h"
#include "support/text.h"

enum { SQ_MAX_FORMS = 4, SQ_FORM_TILE = 128 };

typedef struct sq_form {
    const char *script;       /* the calls that make it, each followed by a blank; "": none */
    sq_schedule *start;       /* what they leave behind */
    const char *most, *index; /* online: the maximum and what it is over, else NULL; its call, the
                                 last one, is not in the script */
    bool pays;                /* is rather the first choice than the form as described */
} sq_form;

/* The forms of a kernel without loops chosen, the one as described first. Returns their number. */
int sq_forms_find(const sq_schedule *naive, sq_arena *arena, sq_form *form);
/* The one that is taken untuned. */
int sq_forms_first(const sq_form *form, int n);
/* "inline(S2) online(S1, j:128) " */
void sq_form_put(const sq_form *f, long tile, sq_text *to);
const char *sq_form_script(const sq_form *f, long tile, sq_arena *arena);
#endif
