/* Interpret, link: looks up the names and buffers of code. */
#include "codegen/code/interpret_inside.h"
#include <string.h>

typedef struct linker {
    sq_image *m;
    sq_arena *arena;
    const char *wrong;
} linker;

static void complain(linker *l, const char *what, const char *name)
{
    if (!l->wrong)
        l->wrong = sq_arena_printf(l->arena, "%s: %s", name, what);
}

/* ---- names ---- */

static int64_t *variable_of(linker *l, const sq_defined *d, const char *name)
{
    for (; d; d = d->before)
        if (d->name && strcmp(d->name, name) == 0)
            return d->variable;
    for (int i = 0; i < l->m->kernel->nsizes; i++)
        if (strcmp(l->m->kernel->size[i]->name, name) == 0)
            return &l->m->size[i];
    complain(l, "it is used and not defined", name);
    return NULL;
}

static sq_number scalar_of(linker *l, const char *name)
{
    const sq_kernel *k = l->m->kernel;
    for (int p = 0; p < k->nparams; p++)
        if (k->param[p].scalar && strcmp(k->param[p].scalar->name, name) == 0)
            return l->m->scalar[p];
    complain(l, "there is no such scalar", name);
    return (sq_number){0};
}

/* The memory of an array. */
static sq_cells *memory_of(linker *l, const sq_code_buffer *b)
{
    sq_cells *c = SQ_NEW(l->arena, sq_cells);
    sq_image_array *a = sq_image_named(l->m, b->name);
    if (!a || a->array->ndim != b->ndim || a->array->type != b->type) {
        complain(l, "there is no such array of its type and dimensions", b->name);
        return c;
    }
    *c = (sq_cells){b, a->extent, a->count, a->at, a->defined};
    return c;
}

static sq_cells *cells_of(linker *l, const sq_defined *d, const sq_code_buffer *b)
{
    for (; d; d = d->before)
        if (d->cells && d->cells->buffer == b)
            return d->cells;
    if (b->storage == SQ_CODE_MEMORY)
        return memory_of(l, b);
    complain(l, "no declaration of it is around", b->name);
    return NULL;
}

/* What a declaration makes. Extents of what is declared are numbers. */
static sq_cells *declared(linker *l, const sq_code_buffer *b)
{
    sq_cells *c = SQ_NEW(l->arena, sq_cells);
    *c = (sq_cells){.buffer = b, .count = 1};
    c->extent = SQ_NEW_ARRAY(l->arena, int64_t, b->ndim + 1);
    for (int d = 0; d < b->ndim; d++) {
        if (!sq_code_known(b->extent[d], &c->extent[d]) || c->extent[d] < 0)
            complain(l, "an extent is no number", b->name);
        c->count *= c->extent[d];
    }
    c->at = SQ_NEW_ARRAY(l->arena, sq_number, c->count);
    c->defined = SQ_NEW_ARRAY(l->arena, bool, c->count);
    return c;
}

/* ---- expressions ---- */

static sq_linked *link_expr(linker *l, const sq_defined *d, const sq_code_expr *e)
{
    sq_linked *x = SQ_NEW(l->arena, sq_linked);
    x->e = e;
    x->arg = SQ_NEW_ARRAY(l->arena, sq_linked *, e->nargs + 1);
    for (int i = 0; i < e->nargs; i++)
        x->arg[i] = link_expr(l, d, e->arg[i]);
    if (e->op >= SQ_CODE_FMA || e->lanes > 1)
        complain(l, "vectors and multiply-adds are not interpreted", "code of a register tile");
    if (e->op == SQ_CODE_NAME)
        x->variable = variable_of(l, d, e->name);
    if (e->op == SQ_CODE_SCALAR)
        x->scalar = scalar_of(l, e->name);
    if (e->op == SQ_CODE_LOAD)
        x->cells = cells_of(l, d, e->buffer);
    return x;
}

static sq_linked *link_any(linker *l, const sq_defined *d, const sq_code_expr *e)
{
    return e ? link_expr(l, d, e) : NULL;
}

/* ---- statements ---- */

static sq_step *link_list(linker *l, const sq_defined *d, const sq_code *x);

static const sq_defined *define(linker *l, const sq_defined *d, const sq_step *s)
{
    sq_defined *own = SQ_NEW(l->arena, sq_defined);
    *own = (sq_defined){s->variable ? s->x->name : NULL, s->variable,
                        s->x->kind == SQ_CODE_DECLARE ? s->cells : NULL, d};
    return own;
}

static void link_store(linker *l, const sq_defined *d, sq_step *s)
{
    const sq_code_buffer *b = s->x->buffer;
    s->cells = cells_of(l, d, b);
    s->index = SQ_NEW_ARRAY(l->arena, sq_linked *, b->ndim + 1);
    for (int i = 0; i < b->ndim; i++)
        s->index[i] = link_expr(l, d, s->x->index[i]);
    if (b->is_readonly)
        complain(l, "it is read only and stored to", b->name);
}

/* Returns what is defined for the statements that follow. */
static const sq_defined *link_one(linker *l, const sq_defined *d, sq_step *s)
{
    const sq_code *x = s->x;
    bool names = x->kind == SQ_CODE_LOOP || x->kind == SQ_CODE_LET;
    if (x->kind == SQ_CODE_LOOP && !x->lo)
        complain(l, "loops that count down are not interpreted", "code of a register tile");
    s->around = d;
    s->lo = link_any(l, d, x->lo);
    s->hi = link_any(l, d, x->hi);
    s->value = link_any(l, d, x->value);
    if (names)
        s->variable = SQ_NEW(l->arena, int64_t);
    if (x->kind == SQ_CODE_STORE)
        link_store(l, d, s);
    if (x->kind == SQ_CODE_DECLARE)
        s->cells = declared(l, x->buffer);
    const sq_defined *own = names || x->kind == SQ_CODE_DECLARE ? define(l, d, s) : d;
    const sq_defined *inside = x->kind == SQ_CODE_LOOP ? own : d;
    if (x->kind == SQ_CODE_LOOP)
        s->around = own;
    s->cond = link_any(l, inside, x->cond);
    s->body = link_list(l, inside, x->body);
    s->other = link_list(l, inside, x->other);
    return x->kind == SQ_CODE_LOOP ? d : own;
}

static sq_step *link_list(linker *l, const sq_defined *d, const sq_code *x)
{
    sq_step *first = NULL, **end = &first;
    for (; x; x = x->next) {
        sq_step *s = SQ_NEW(l->arena, sq_step);
        s->x = x;
        d = link_one(l, d, s);
        *end = s;
        end = &s->next;
    }
    return first;
}

sq_step *sq_interpret_link(const sq_code *x, sq_image *m, sq_arena *arena, const char **why)
{
    linker l = {m, arena, NULL};
    sq_step *s = link_list(&l, NULL, x);
    *why = l.wrong;
    return l.wrong ? NULL : s;
}
