/* Reports: see report_parts.h. What all of them have in common. */
#include "cli/report_parts.h"
#include <math.h>

int sq_report_write(sq_html *h, const sq_settings *o, sq_diags *d)
{
    int rc = sq_html_write(h, o->words, o->html, d);
    sq_html_free(h);
    return rc;
}

void sq_report_seconds(sq_html *h, double seconds)
{
    char text[32];
    if (isfinite(seconds))
        sq_html_number(h, seconds, "%s", sq_seconds_text(seconds, text, sizeof text));
    else
        sq_html_number(h, NAN, "-");
}
