/* Respelling names: names for what stands in another text, which nothing else has. */
#include "frontend/respelling_inside.h"
#include "support/words.h"
#include <string.h>

bool sq_respeller_is_new(const sq_respeller *x, const char *name)
{
    bool is = !sq_text_mentions(x->f.text, name);
    for (int i = 0; i < x->ntop && is; i++)
        is = strcmp(sq_cursor_spelling(x->r, x->top[i]), name) != 0;
    for (int i = 0; i < x->found->n && is; i++)
        is = strcmp(x->found->member[i].name, name) != 0;
    return is;
}

void sq_respeller_says(sq_respeller *x, const char *name, const char *text)
{
    sq_members *m = x->found;
    m->said = sq_arena_grow(x->r->arena, m->said, m->nsaid, &m->said_room, sizeof *m->said);
    m->said[m->nsaid++] = (sq_said_name){name, text};
}

const char *sq_respeller_name(sq_respeller *x)
{
    const char *name;
    do
        name = sq_arena_printf(x->r->arena, "R%x", x->nnames++);
    while (!sq_respeller_is_new(x, name));
    return name;
}
