/* Parts: see parts.h. */
#include "codegen/code/parts.h"
#include "codegen/code/keys.h"

typedef struct found {
    sq_arena *arena;
    sq_code_parts *to;
    int most;
    sq_code_keys seen;
} found;

static void find(found *f, const sq_code *x)
{
    for (; x; x = x->next) {
        if (x->kind == SQ_CODE_CALL && !sq_code_keys_has(&f->seen, x->part)) {
            sq_code_parts *to = f->to;
            sq_code_keys_add(&f->seen, x->part);
            find(f, x->part->body);
            to->part = sq_arena_grow(f->arena, to->part, to->n, &f->most, sizeof *to->part);
            to->part[to->n++] = x->part;
        }
        find(f, x->body);
        find(f, x->other);
    }
}

sq_code_parts sq_code_parts_of(const sq_code *x, sq_arena *arena)
{
    sq_code_parts all = {0};
    find(&(found){.arena = arena, .to = &all, .seen = {.arena = arena}}, x);
    return all;
}
