/* Interpret, link: resolves the names and buffers of code. */
#include "codegen/code/interpret_threads.h"
#include <string.h>

typedef struct linker {
    sq_image *m;
    sq_arena *arena;
    sq_linked_part *parts; /* newest first */
    sq_thread_frame *frame;       /* of the threads of a block around; NULL: none */
    const char *wrong;
} linker;

static void complain(linker *l, const char *what, const char *name)
{
    if (!l->wrong)
        l->wrong = sq_arena_printf(l->arena, "%s: %s", name, what);
}

/* Returns memory that each thread of a block has, if one is around. */
static void *own_memory(linker *l, size_t bytes)
{
    enum { ALIGN = 16, ROOM = 1 << 18 };
    sq_thread_frame *f = l->frame;
    if (f && !f->at) {
        f->at = SQ_NEW_ARRAY(l->arena, char, ROOM);
        f->room = ROOM;
    }
    size_t n = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (f && f->used + n <= f->room) {
        f->used += n;
        return f->at + f->used - n;
    }
    if (f)
        complain(l, "its registers are too many", "a thread");
    return SQ_NEW_ARRAY(l->arena, char, n);
}

static int64_t *variable_new(linker *l)
{
    return own_memory(l, sizeof(int64_t));
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
    for (int i = 0; i < l->m->kernel->nproducts; i++)
        if (strcmp(l->m->kernel->product[i]->name, name) == 0)
            return &l->m->size[l->m->kernel->nsizes + i];
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

/* Returns the memory of an array, as its dimensions or as one contiguous dimension. */
static sq_cells *memory_of(linker *l, const sq_code_buffer *b)
{
    sq_cells *c = SQ_NEW(l->arena, sq_cells);
    sq_image_array *a = sq_image_named(l->m, b->name);
    bool is_flat = a && b->ndim == 1 && a->array->ndim != 1;
    if (!a || (!is_flat && a->array->ndim != b->ndim) || a->array->type != b->type) {
        complain(l, "there is no such array of its type and dimensions", b->name);
        return c;
    }
    *c = (sq_cells){.buffer = b,
                    .extent = is_flat ? &a->count : a->extent,
                    .count = a->count,
                    .at = a->at,
                    .defined = a->defined};
    return c;
}

static sq_cells *pointer_new(linker *l, const sq_code_buffer *b)
{
    sq_cells *c = own_memory(l, sizeof *c);
    *c = (sq_cells){.buffer = b};
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

/* Allocates a declared buffer. Its extents are constants. */
static sq_cells *declared(linker *l, const sq_code_buffer *b)
{
    sq_cells *c = SQ_NEW(l->arena, sq_cells);
    bool is_register = b->storage == SQ_CODE_REGISTER;
    *c = (sq_cells){.buffer = b, .lanes = is_register && b->lanes > 1 ? b->lanes : 1};
    c->count = c->lanes;
    c->extent = SQ_NEW_ARRAY(l->arena, int64_t, b->ndim + 1);
    for (int d = 0; d < b->ndim; d++) {
        if (!sq_code_known(b->extent[d], &c->extent[d]) || c->extent[d] < 0)
            complain(l, "an extent is no number", b->name);
        c->count *= c->extent[d];
    }
    sq_thread_frame *frame = l->frame;
    bool is_shared = b->storage == SQ_CODE_SHARED || b->storage == SQ_CODE_PANEL;
    l->frame = is_shared ? NULL : frame;
    c->at = own_memory(l, (size_t)c->count * sizeof *c->at);
    c->defined = own_memory(l, (size_t)c->count * sizeof *c->defined);
    if (is_register || b->storage == SQ_CODE_STACK)
        c->unknown = own_memory(l, (size_t)c->count * sizeof *c->unknown);
    l->frame = frame;
    if (frame && is_shared)
        c->touched = SQ_NEW_ARRAY(l->arena, sq_touched, c->count);
    return c;
}

/* ---- expressions ---- */

static sq_linked *link_expr(linker *l, const sq_defined *d, const sq_code_expr *e)
{
    sq_linked *x = SQ_NEW(l->arena, sq_linked);
    x->e = e;
    x->arg = SQ_NEW_ARRAY(l->arena, sq_linked *, e->nargs + 1); /* terminated by NULL */
    for (int i = 0; i < e->nargs; i++)
        x->arg[i] = link_expr(l, d, e->arg[i]);
    if (e->op == SQ_CODE_NAME)
        x->variable = variable_of(l, d, e->name);
    if (e->op == SQ_CODE_SCALAR)
        x->scalar = scalar_of(l, e->name);
    if (e->op == SQ_CODE_LOAD || e->op == SQ_CODE_LOAD_LANES || e->op == SQ_CODE_LOAD_WHERE ||
        e->op == SQ_CODE_INDEXED || e->op == SQ_CODE_LOAD_WORDS || e->op == SQ_CODE_ALIGNED)
        x->cells = cells_of(l, d, e->buffer);
    return x;
}

static sq_linked *link_any(linker *l, const sq_defined *d, const sq_code_expr *e)
{
    return e ? link_expr(l, d, e) : NULL;
}

/* ---- statements ---- */

static sq_linked_step *link_list(linker *l, const sq_defined *d, const sq_code *x);

static const sq_defined *define(linker *l, const sq_defined *d, const char *name, int64_t *variable,
                                sq_cells *cells)
{
    sq_defined *own = SQ_NEW(l->arena, sq_defined);
    *own = (sq_defined){name, variable, cells, d};
    return own;
}

static sq_linked **link_index(linker *l, const sq_defined *d, const sq_code *x)
{
    sq_linked **index = SQ_NEW_ARRAY(l->arena, sq_linked *, x->buffer->ndim + 1);
    for (int i = 0; i < x->buffer->ndim; i++)
        index[i] = link_expr(l, d, x->index[i]);
    return index;
}

static void link_store(linker *l, const sq_defined *d, sq_linked_step *s)
{
    const sq_code_buffer *b = s->x->buffer;
    s->cells = cells_of(l, d, b);
    s->index = link_index(l, d, s->x);
    s->lane_step = link_any(l, d, s->x->lane_step);
    s->left = link_any(l, d, s->x->left);
    if (b->is_readonly)
        complain(l, "it is read only and stored to", b->name);
}

/* Resolves the buffers that pointers point into. */
static void link_of(linker *l, const sq_defined *d, sq_linked_step *s, int n)
{
    s->of = SQ_NEW_ARRAY(l->arena, sq_cells *, n + 1);
    if (s->x->kind != SQ_CODE_CALL)
        s->of[0] = cells_of(l, d, s->x->of);
    for (int i = 0; i < n && s->x->kind == SQ_CODE_CALL; i++)
        s->of[i] = cells_of(l, d, s->x->pointer[i].of);
}

static void link_copy(linker *l, const sq_defined *d, sq_linked_step *s)
{
    const sq_code_run *r = s->x->run;
    s->cells = cells_of(l, d, s->x->buffer);
    s->index = link_index(l, d, s->x);
    s->row = link_expr(l, d, r->row);
    s->first = link_expr(l, d, r->lo);
    s->n = link_expr(l, d, r->n);
    s->extent = link_any(l, d, r->extent);
    s->rows = link_any(l, d, r->rows);
    s->between = link_any(l, d, r->between);
    link_of(l, d, s, 1);
}

static sq_linked_part *link_part(linker *l, const sq_code_part *part)
{
    const sq_defined *d = NULL;
    for (sq_linked_part *p = l->parts; p; p = p->before)
        if (p->part == part)
            return p;
    sq_linked_part *p = SQ_NEW(l->arena, sq_linked_part);
    *p = (sq_linked_part){.part = part, .before = l->parts};
    l->parts = p;
    sq_thread_frame *frame = l->frame;
    l->frame = NULL; /* a call ends before another thread runs */
    p->variable = SQ_NEW_ARRAY(l->arena, int64_t *, part->nparams + 1);
    p->pointer = SQ_NEW_ARRAY(l->arena, sq_cells *, part->npointers + 1);
    for (int i = 0; i < part->nparams; i++) {
        if (part->param[i].kind == SQ_CODE_VALUE)
            continue;
        p->variable[i] = variable_new(l);
        d = define(l, d, part->param[i].name, p->variable[i], NULL);
    }
    for (int i = 0; i < part->npointers; i++) {
        p->pointer[i] = pointer_new(l, part->pointer[i]);
        d = define(l, d, NULL, NULL, p->pointer[i]);
    }
    p->body = link_list(l, d, part->body);
    l->frame = frame;
    return p;
}

static void link_call(linker *l, const sq_defined *d, sq_linked_step *s)
{
    const sq_code_part *part = s->x->part;
    s->part = link_part(l, part);
    s->at = SQ_NEW_ARRAY(l->arena, sq_linked *, part->npointers + 1);
    s->arg = SQ_NEW_ARRAY(l->arena, sq_linked *, part->nparams + 1);
    for (int i = 0; i < part->npointers; i++)
        s->at[i] = link_expr(l, d, s->x->pointer[i].at);
    for (int i = 0; i < part->nparams; i++)
        s->arg[i] = link_any(l, d, s->x->arg[i]);
    link_of(l, d, s, part->npointers);
}

static void link_instruction(linker *l, const sq_defined *d, sq_linked_step *s)
{
    const sq_code_instruction *x = s->x->instruction;
    s->of = SQ_NEW_ARRAY(l->arena, sq_cells *, x->noperands + 1);
    s->at = SQ_NEW_ARRAY(l->arena, sq_linked *, x->noperands + 1);
    for (int i = 0; i < x->noperands; i++) {
        s->of[i] = x->operand[i].buffer ? cells_of(l, d, x->operand[i].buffer) : NULL;
        s->at[i] = link_any(l, d, x->operand[i].at);
    }
    s->meets = sq_run_meets(x);
    if (!l->frame)
        complain(l, "no threads of a block are around", "an instruction");
}

static bool any_meets(const sq_linked_step *s)
{
    while (s && !s->meets)
        s = s->next;
    return s != NULL;
}

static void link_loop(linker *l, const sq_defined *d, sq_linked_step *s)
{
    const sq_code *x = s->x;
    sq_thread_frame *around = l->frame;
    if (x->runs == SQ_CODE_BLOCK_THREADS)
        l->frame = s->frame = SQ_NEW(l->arena, sq_thread_frame);
    if (x->lo) {
        s->variable = variable_new(l);
        d = define(l, d, x->name, s->variable, NULL);
        s->around = d;
    } else if (x->name) {
        s->variable = variable_of(l, d, x->name);
    }
    s->cond = link_any(l, d, x->cond);
    s->body = link_list(l, d, x->body);
    l->frame = around;
    s->meets = around && any_meets(s->body);
}

/* Returns the definitions in scope for the statements that follow. */
static const sq_defined *link_one(linker *l, const sq_defined *d, sq_linked_step *s)
{
    const sq_code *x = s->x;
    s->around = d;
    s->lo = link_any(l, d, x->lo);
    s->hi = link_any(l, d, x->hi);
    s->value = link_any(l, d, x->value);
    switch (x->kind) {
    case SQ_CODE_LOOP:
        link_loop(l, d, s);
        return d;
    case SQ_CODE_LET:
    case SQ_CODE_VARIABLE:
        s->variable = variable_new(l);
        return define(l, d, x->name, s->variable, NULL);
    case SQ_CODE_ASSIGN:
        s->variable = variable_of(l, d, x->name);
        return d;
    case SQ_CODE_DECLARE:
        s->cells = declared(l, x->buffer);
        s->meets = l->frame && (x->buffer->storage == SQ_CODE_SHARED || x->buffer->storage == SQ_CODE_PANEL);
        return define(l, d, NULL, NULL, s->cells);
    case SQ_CODE_POINTER:
        s->cells = pointer_new(l, x->buffer);
        link_of(l, d, s, 1);
        return define(l, d, NULL, NULL, s->cells);
    case SQ_CODE_ADVANCE:
    case SQ_CODE_TRANSPOSE:
        s->cells = cells_of(l, d, x->buffer);
        return d;
    case SQ_CODE_STORE:
        s->cond = link_any(l, d, x->cond);
        link_store(l, d, s);
        return d;
    case SQ_CODE_COPY:
        link_copy(l, d, s);
        return d;
    case SQ_CODE_CALL:
        link_call(l, d, s);
        return d;
    case SQ_CODE_INSTRUCTION:
        link_instruction(l, d, s);
        return d;
    default:
        s->cond = link_any(l, d, x->cond);
        s->body = link_list(l, d, x->body);
        s->other = link_list(l, d, x->other);
        s->meets = any_meets(s->body) || any_meets(s->other);
        return d;
    }
}

static sq_linked_step *link_list(linker *l, const sq_defined *d, const sq_code *x)
{
    sq_linked_step *first = NULL, **end = &first;
    for (; x; x = x->next) {
        sq_linked_step *s = SQ_NEW(l->arena, sq_linked_step);
        s->x = x;
        d = link_one(l, d, s);
        *end = s;
        end = &s->next;
    }
    return first;
}

sq_linked_step *sq_interpret_link(const sq_code *x, sq_image *m, sq_arena *arena, const char **why)
{
    linker l = {.m = m, .arena = arena};
    sq_linked_step *s = link_list(&l, NULL, x);
    *why = l.wrong;
    return l.wrong ? NULL : s;
}
