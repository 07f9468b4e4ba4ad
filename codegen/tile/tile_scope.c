/* Tile scope: the definitions in scope of a tile's statements when it is printed in place, part by
 * part. The code around it is still text; its parts are verified against these names. */
#include "codegen/lower/verified.h"
#include "codegen/tile/tile_inside.h"

static void add_name(sq_tile *t, const char *name)
{
    sq_tile_scope *s = &t->scope;
    s->name = sq_arena_grow(t->arena, s->name, s->outer.n, &s->most_names, sizeof *s->name);
    s->name[s->outer.n++] = name;
    s->outer.name = s->name;
}

static void add_buffer(sq_tile *t, const sq_code_buffer *b)
{
    sq_tile_scope *s = &t->scope;
    s->buffer =
        sq_arena_grow(t->arena, s->buffer, s->outer.nbuffers, &s->most_buffers, sizeof *s->buffer);
    s->buffer[s->outer.nbuffers++] = b;
    s->outer.buffer = s->buffer;
}

/* Adds the variables in the start and strides of a base. */
static void add_base(sq_tile *t, const sq_base *b)
{
    const sq_ref *r = b->ref;
    for (int s = 0; s < r->nsubs; s++) {
        if (r->buffer && r->buffer->axis[s].lo_value)
            add_name(t, r->buffer->axis[s].lo->name);
        if (b->runtime[s])
            add_name(t, sq_stride_name(r->array, s, t->arena));
    }
}

void sq_tile_scope_begin(sq_tile *t)
{
    const sq_nest *n = t->nest;
    t->scope.outer.is_in_text = true;
    for (int i = 0; i < n->kernel->nsizes; i++)
        add_name(t, n->kernel->size[i]->name);
    for (int i = 0; i < n->kernel->nproducts; i++)
        add_name(t, n->kernel->product[i]->name);
    for (int i = 0; i < n->kernel->nouter; i++)
        add_name(t, n->kernel->outer[i]);
    for (int l = 0; l < n->group->nloops; l++)
        add_name(t, n->group->loop[l].name);
    add_name(t, SQ_TILE_THREAD);
    for (int d = 0; d < n->group->ndim; d++)
        if (n->count[d].number && n->count[d].kind != SQ_COUNT_FULL)
            add_name(t, sq_tile_points(t, d)->name);
    for (int i = 0; i < t->bases.n; i++) {
        add_base(t, &t->bases.base[i]);
        add_buffer(t, t->of[i]);
    }
}

void sq_tile_scope_add(sq_tile *t, sq_code *x)
{
    sq_lower_verified_part(t->nest->kernel, t->group, t->pool, x, &t->scope.outer);
    for (; x; x = x->next)
        if (sq_code_defines(x) && x->buffer)
            add_buffer(t, x->buffer);
        else if (sq_code_defines(x))
            add_name(t, x->name);
}

sq_code_outer sq_tile_scope_mark(const sq_tile *t)
{
    return t->scope.outer;
}

void sq_tile_scope_leave(sq_tile *t, const sq_code_outer *mark)
{
    t->scope.outer.n = mark->n;
    t->scope.outer.nbuffers = mark->nbuffers;
}
