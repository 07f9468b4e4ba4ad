/* Code: statements; see code.h. */
#include "codegen/code/instruction.h"
#include <string.h>

void sq_code_append(sq_code_list *l, sq_code *x)
{
    if (!x)
        return;
    if (l->end)
        *l->end = x;
    else
        l->first = x;
    while (x->next)
        x = x->next;
    l->end = &x->next;
}

sq_code *sq_code_new(sq_code_pool *p, sq_code_kind kind)
{
    sq_code *x = SQ_NEW(p->arena, sq_code);
    x->kind = kind;
    return x;
}

sq_code *sq_code_copy(sq_code_pool *p, const sq_code *x)
{
    sq_code *own = SQ_NEW(p->arena, sq_code);
    *own = *x;
    own->next = NULL;
    return own;
}

sq_code *sq_code_store_with(sq_code_pool *p, const sq_code *store, const char *name, const sq_code_expr *by)
{
    sq_code *own = sq_code_copy(p, store);
    own->index = sq_code_substitute(p, sq_code_load(p, store->buffer, store->index), name, by)->arg;
    own->value = sq_code_substitute(p, store->value, name, by);
    own->cond = store->cond ? sq_code_substitute(p, store->cond, name, by) : NULL;
    return own;
}

static const sq_code_expr *const *copied(sq_code_pool *p, int n, const sq_code_expr *const *arg)
{
    const sq_code_expr **own = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, n);
    for (int i = 0; i < n; i++)
        own[i] = arg[i];
    return own;
}

sq_code *sq_code_store(sq_code_pool *p, const sq_code_buffer *b, const sq_code_expr *const *index,
                       const sq_code_expr *value)
{
    sq_code *x = sq_code_new(p, SQ_CODE_STORE);
    x->buffer = b;
    x->index = copied(p, b->ndim, index);
    x->value = value;
    return x;
}

sq_code *sq_code_let(sq_code_pool *p, const char *name, const sq_code_expr *value)
{
    sq_code *x = sq_code_new(p, SQ_CODE_LET);
    x->name = name;
    x->value = value;
    return x;
}

sq_code *sq_code_declare(sq_code_pool *p, const sq_code_buffer *b, bool zeroed)
{
    sq_code *x = sq_code_new(p, SQ_CODE_DECLARE);
    x->buffer = b;
    x->zeroed = zeroed;
    return x;
}

const sq_code_buffer *sq_code_register(sq_code_pool *p, const char *name, sq_type type)
{
    sq_code_buffer *b = SQ_NEW(p->arena, sq_code_buffer);
    *b = (sq_code_buffer){.name = name, .type = type, .storage = SQ_CODE_REGISTER};
    return b;
}

bool sq_code_loads(const sq_code_expr *e, const sq_code *store)
{
    bool same = e->op == SQ_CODE_LOAD && e->buffer == store->buffer;
    for (int d = 0; same && d < e->nargs; d++)
        same = e->arg[d] == store->index[d];
    return same;
}

/* Returns a buffer of one dimension. */
static sq_code_buffer *row_of(sq_code_pool *p, const char *name, sq_type type,
                              sq_code_storage storage)
{
    sq_code_buffer *b = SQ_NEW(p->arena, sq_code_buffer);
    const sq_code_expr **stride = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, 1);
    stride[0] = sq_code_number(p, 1);
    *b = (sq_code_buffer){
        .name = name, .type = type, .storage = storage, .ndim = 1, .stride = stride};
    return b;
}

const sq_code_buffer *sq_code_pointer(sq_code_pool *p, const char *name, sq_type type,
                                      bool is_readonly, bool is_restrict)
{
    sq_code_buffer *b = row_of(p, name, type, SQ_CODE_MEMORY);
    b->is_readonly = is_readonly;
    b->is_restrict = is_restrict;
    return b;
}

static const sq_code_expr **extents_of(sq_code_pool *p, const sq_code_expr *elements)
{
    const sq_code_expr **extent = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, 1);
    extent[0] = elements;
    return extent;
}

const sq_code_buffer *sq_code_row(sq_code_pool *p, const char *name, sq_type type,
                                  const sq_code_expr *elements, bool is_readonly)
{
    sq_code_buffer *b = row_of(p, name, type, SQ_CODE_MEMORY);
    b->extent = extents_of(p, elements);
    b->is_readonly = is_readonly;
    return b;
}

const sq_code_buffer *sq_code_words(sq_code_pool *p, const char *name, const sq_code_expr *elements)
{
    sq_code_buffer *b = row_of(p, name, SQ_I32, SQ_CODE_MEMORY);
    b->extent = elements ? extents_of(p, elements) : NULL;
    b->is_readonly = b->is_anywhere = true;
    return b;
}

sq_code_buffer *sq_code_array(sq_code_pool *p, const char *name, sq_type type, int64_t elements,
                              sq_code_storage storage)
{
    sq_code_buffer *b = row_of(p, name, type, storage);
    b->extent = extents_of(p, sq_code_number(p, elements));
    return b;
}

const sq_code_buffer *sq_code_panel(sq_code_pool *p, const char *name, sq_type type,
                                    int64_t elements, bool is_own)
{
    sq_code_buffer *b = sq_code_array(p, name, type, elements, SQ_CODE_PANEL);
    b->is_own = is_own;
    return b;
}

int64_t sq_code_block_place(const sq_code_buffer *panel, int64_t *used)
{
    enum { VECTOR = 16 }; /* bytes that a thread copies at once */
    int64_t bytes = panel->extent[0]->number * sq_type_bytes(panel->type),
            at = (*used + panel->alignment - 1) / panel->alignment * panel->alignment;
    *used = at + (bytes + VECTOR - 1) / VECTOR * VECTOR;
    return at;
}

bool sq_code_is_pointer(const sq_code_buffer *b)
{
    return b->storage == SQ_CODE_MEMORY && b->ndim == 1 && !b->extent;
}

bool sq_code_defines(const sq_code *x)
{
    return x->kind == SQ_CODE_LET || x->kind == SQ_CODE_VARIABLE || x->kind == SQ_CODE_DECLARE ||
           x->kind == SQ_CODE_POINTER;
}

bool sq_code_is_constant(const sq_code *x)
{
    return x->kind == SQ_CODE_DECLARE && x->buffer->is_constant && x->next && x->next->kind == SQ_CODE_STORE &&
           x->next->buffer == x->buffer;
}

sq_code *sq_code_set(sq_code_pool *p, const sq_code_buffer *b, const sq_code_expr *value)
{
    return sq_code_store(p, b, NULL, value);
}

int64_t sq_code_iterations(const sq_code *loop)
{
    int64_t lo, hi;
    if (!loop->lo || !loop->hi || !sq_code_known(loop->lo, &lo) || !sq_code_known(loop->hi, &hi))
        return -1;
    return hi <= lo ? 0 : (hi - lo + loop->step - 1) / loop->step;
}

bool sq_code_is_brief(const sq_code *loop)
{
    int64_t n = sq_code_iterations(loop);
    return n >= 0 && n <= SQ_CODE_BRIEF;
}

sq_code *sq_code_loop(sq_code_pool *p, const char *name, const sq_code_expr *lo,
                      const sq_code_expr *hi, int64_t step)
{
    sq_code *x = sq_code_new(p, SQ_CODE_LOOP);
    x->name = name;
    x->lo = lo;
    x->hi = hi;
    x->step = step;
    return x;
}

sq_code *sq_code_guarded(sq_code_pool *p, const sq_code_expr *cond, sq_code *body)
{
    sq_code *x = sq_code_new(p, cond ? SQ_CODE_IF : SQ_CODE_BLOCK);
    x->cond = cond;
    x->body = body;
    return x;
}

static sq_code *named(sq_code_pool *p, sq_code_kind kind, const char *name)
{
    sq_code *x = sq_code_new(p, kind);
    x->name = name;
    return x;
}

sq_code *sq_code_comment(sq_code_pool *p, const char *text)
{
    return named(p, SQ_CODE_COMMENT, text);
}

sq_code *sq_code_unused(sq_code_pool *p, const char *name)
{
    return named(p, SQ_CODE_UNUSED, name);
}

sq_code *sq_code_assign(sq_code_pool *p, const char *name, const sq_code_expr *value)
{
    sq_code *x = sq_code_let(p, name, value);
    x->kind = SQ_CODE_ASSIGN;
    return x;
}

/* What is searched for: one of the two members is NULL. */
typedef struct wanted {
    const sq_code_buffer *buffer;
    const char *name;
    bool is_read; /* stores to the buffer do not count */
} wanted;

static bool loads(const sq_code_expr *e, const sq_code_buffer *b)
{
    bool found = e->buffer == b;
    for (int i = 0; i < e->nargs && !found; i++)
        found = loads(e->arg[i], b);
    return found;
}

static bool in_expr(const sq_code_expr *e, const wanted *w)
{
    return e && (w->name ? sq_code_mentions(e, w->name) : loads(e, w->buffer));
}

/* True if the statement reads or changes a variable that it does not define. */
static bool names_variable(const sq_code *x, const wanted *w)
{
    bool has = x->kind == SQ_CODE_ASSIGN || (x->kind == SQ_CODE_LOOP && !x->lo && x->name);
    return has && w->name && strcmp(x->name, w->name) == 0;
}

static bool moves(const sq_code *x)
{
    return x->kind == SQ_CODE_POINTER || x->kind == SQ_CODE_ADVANCE ||
           x->kind == SQ_CODE_TRANSPOSE;
}

static bool in_run(const sq_code *x, const wanted *w)
{
    const sq_code_run *r = x->run;
    return in_expr(x->index[0], w) || in_expr(r->row, w) || in_expr(r->lo, w) || in_expr(r->n, w) ||
           in_expr(r->extent, w) || in_expr(r->rows, w) || in_expr(r->between, w) ||
           (w->buffer && (x->of == w->buffer || (x->buffer == w->buffer && !w->is_read)));
}

static bool in_call(const sq_code *x, const wanted *w)
{
    bool found = false;
    for (int i = 0; i < x->part->npointers && !found; i++)
        found = (w->buffer && x->pointer[i].of == w->buffer) || in_expr(x->pointer[i].at, w);
    for (int i = 0; i < x->part->nparams && !found; i++)
        found = x->arg[i] ? in_expr(x->arg[i], w)
                          : w->name && strcmp(x->part->param[i].name, w->name) == 0;
    return found;
}

static bool in_instruction(const sq_code_instruction *x, const wanted *w)
{
    bool found = false;
    for (int i = 0; i < x->noperands && !found; i++)
        found = (w->buffer && x->operand[i].buffer == w->buffer) || in_expr(x->operand[i].at, w);
    return found;
}

static bool in_work(const sq_code_work *work, const wanted *w)
{
    bool found = false;
    for (int i = 0; work && i < work->n; i++)
        for (int f = 0; f < work->term[i].n && !found; f++)
            found = in_expr(work->term[i].factor[f], w);
    return found;
}

static bool in_list(const sq_code *x, const wanted *w)
{
    bool found = false;
    for (; x && !found; x = x->next) {
        found = in_expr(x->lo, w) || in_expr(x->hi, w) || in_expr(x->cond, w) ||
                in_expr(x->value, w) || in_expr(x->lane_step, w) || in_expr(x->left, w) ||
                in_list(x->body, w) || in_list(x->other, w) || names_variable(x, w);
        found = found || (w->buffer && moves(x) && (x->buffer == w->buffer || x->of == w->buffer));
        found = found || (x->kind == SQ_CODE_COPY && in_run(x, w)) ||
                (x->kind == SQ_CODE_CALL && in_call(x, w)) || in_work(x->work, w) ||
                (x->kind == SQ_CODE_INSTRUCTION && in_instruction(x->instruction, w));
        if (x->kind != SQ_CODE_STORE || found)
            continue;
        found = w->buffer && x->buffer == w->buffer && !w->is_read;
        for (int i = 0; i < x->buffer->ndim && !found; i++)
            found = in_expr(x->index[i], w);
    }
    return found;
}

bool sq_code_uses(const sq_code *x, const sq_code_buffer *b)
{
    return in_list(x, &(wanted){.buffer = b});
}

bool sq_code_reads(const sq_code *x, const sq_code_buffer *b)
{
    return in_list(x, &(wanted){.buffer = b, .is_read = true});
}

bool sq_code_names(const sq_code *x, const char *name)
{
    return in_list(x, &(wanted){.name = name});
}
