/* JSON line: a value as a line of text. Inline: used for files of trials and of landscapes. */
#ifndef SQ_TUNER_STORE_JSON_LINE_H
#define SQ_TUNER_STORE_JSON_LINE_H
#include "support/text.h"
#include <jansson.h>
#include <stdlib.h>

/* Takes the value, and appends it with this number of digits per number. Returns -1 and appends
 * nothing if it is NULL or cannot be written, such as text that is not UTF-8. */
static inline int sq_json_line(json_t *value, size_t digits, sq_text *to)
{
    char *text = value ? json_dumps(value, JSON_REAL_PRECISION(digits)) : NULL;
    int rc = text ? 0 : -1;
    if (text)
        sq_text_line(to, "%s", text);
    free(text);
    json_decref(value);
    return rc;
}
#endif
