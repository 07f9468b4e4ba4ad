/* Source of calls: what the file that is rewritten says. */
#include "frontend/calls_inside.h"
#include "support/words.h"
#include <string.h>

bool sq_call_is_taken(const sq_call_finder *f, const char *name)
{
    bool is = sq_text_mentions(f->text, name);
    for (int i = 0; i < f->ntop && !is; i++)
        is = strcmp(sq_cursor_spelling(f->r, f->top[i]), name) == 0;
    return is;
}

size_t sq_call_with_semicolon(const sq_call_finder *f, size_t to)
{
    size_t at = sq_scop_token(f->text, to, f->region.inner_to);
    return f->text[to - 1] != ';' && at < f->region.inner_to && f->text[at] == ';' ? at + 1 : to;
}
