/* Uses: see uses.h. */
#include "codegen/code/uses.h"

sq_code_keys sq_uses_none(sq_arena *arena)
{
    return (sq_code_keys){.arena = arena, .of_names = true};
}

/* Most names are in the set already: only new ones are copied. */
static void add(sq_code_keys *to, const char *name)
{
    if (to && !sq_code_keys_has(to, name))
        sq_code_keys_add(to, sq_arena_strdup(to->arena, name));
}

void sq_uses_name(const sq_uses *u, const char *name)
{
    add(u ? u->names : NULL, name);
}

const char *sq_uses_helper(const sq_uses *u, const char *name)
{
    add(u ? u->helpers : NULL, name);
    return name;
}

void sq_uses_join(const sq_uses *u, const sq_code_keys *helpers)
{
    for (size_t i = 0; i < helpers->room; i++)
        if (helpers->at[i])
            add(u->helpers, helpers->at[i]);
}
