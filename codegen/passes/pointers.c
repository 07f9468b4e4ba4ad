/* Pointers: accesses rows of an array through two pointers instead of one. In an unrolled loop that
 * loads from many rows with an unknown stride, each row's offset takes a register, and compilers
 * spill the excess to memory or to vector registers. Such a loop gets a second pointer, to the
 * middle row: the offsets of both halves are the same then. */
#include "codegen/code/build.h"
#include "codegen/passes/rows.h"

/* The number of rows that is too large for one pointer. A CPU has 15 address registers, some of
 * which other pointers, strides and a counter take. */
enum { MANY_ROWS = 10 };

/* An unrolled loop over rows, and how its loads are rewritten. */
typedef struct rows {
    sq_code_pool *pool;
    const sq_code *loop;          /* over the rows */
    const sq_code_buffer *from;   /* the pointer to the first row */
    const sq_code_buffer *middle; /* the second pointer; NULL: not needed so far */
    const sq_code_expr *between;  /* distance of the two in elements */
    int before;                   /* number of pointers made for the current list */
} rows;

static int64_t half_of(const sq_code *loop)
{
    return (loop->hi->number + 1) / 2;
}

/* Returns the offset of row `half`: the term of an index that is a product with a name and changes
 * with the row. NULL: there is none. */
static const sq_code_expr *offset_of_half(const rows *r, const sq_code_expr *index)
{
    const sq_code_expr *half = sq_code_number(r->pool, half_of(r->loop)), *all = NULL;
    const sq_code_expr *const *term = index->op == SQ_CODE_SUM ? index->arg : &index;
    int n = index->op == SQ_CODE_SUM ? index->nargs : 1;
    for (int i = 0; i < n; i++) {
        int64_t coef = index->op == SQ_CODE_SUM ? index->coef[i] : 1;
        if (!sq_code_mentions(term[i], r->loop->name))
            continue;
        if (all || term[i]->op != SQ_CODE_MUL)
            return NULL;
        all = sq_code_scale(r->pool, coef,
                            sq_code_substitute(r->pool, term[i], r->loop->name, half));
    }
    return all;
}

static const sq_code_buffer *middle_of(const rows *r)
{
    const sq_code_buffer *b = r->from;
    const char *name = sq_arena_printf(r->pool->arena, "@%s_%lld", b->name + (*b->name == '@'),
                                       (long long)half_of(r->loop));
    if (r->before) /* another loop of the list has one */
        name = sq_arena_printf(r->pool->arena, "%s_%d", name, r->before + 1);
    if (b->is_anywhere)
        return sq_code_words(r->pool, name, NULL);
    return sq_code_pointer(r->pool, name, b->type, b->is_readonly, false);
}

/* Returns "i < 7 ? A[i * A_s0] : A_7[i * A_s0 - 7 * A_s0]" for a load from one of the rows. */
static const sq_code_expr *split_load(rows *r, const sq_code_expr *e)
{
    sq_code_pool *p = r->pool;
    const sq_code_expr *between = offset_of_half(r, e->arg[0]);
    if (!sq_code_is_pointer(e->buffer) || !e->buffer->is_readonly || !between ||
        (r->middle && (e->buffer != r->from || between != r->between)))
        return e;
    if (!r->middle) {
        r->from = e->buffer;
        r->between = between;
        r->middle = middle_of(r);
    }
    const sq_code_expr *at = sq_code_sub(p, e->arg[0], between),
                       *first = sq_code_compare(p, SQ_CODE_LT, sq_code_name(p, r->loop->name),
                                                sq_code_number(p, half_of(r->loop)));
    return sq_code_choose(p, first, e, sq_code_load(p, r->middle, &at));
}

static const sq_code_expr *split(rows *r, const sq_code_expr *e)
{
    if (sq_code_is_index(e))
        return e;
    if (e->op == SQ_CODE_LOAD)
        return e->buffer->ndim == 1 && e->lanes == 1 ? split_load(r, e) : e;
    const sq_code_expr **arg = SQ_NEW_ARRAY(r->pool->arena, const sq_code_expr *, e->nargs + 1);
    for (int i = 0; i < e->nargs; i++)
        arg[i] = split(r, e->arg[i]);
    return e->nargs ? sq_code_rebuilt(r->pool, e, arg) : e;
}

static void split_list(rows *r, sq_code *x)
{
    for (; x; x = x->next) {
        if (x->kind == SQ_CODE_STORE)
            x->value = split(r, x->value);
        split_list(r, x->body);
    }
}

/* Advances the second pointer as the first one. */
static void advance_too(const rows *r, sq_code *x)
{
    for (; x; x = x->next) {
        if (x->kind == SQ_CODE_ADVANCE && x->buffer == r->from) {
            sq_code *own = sq_code_new(r->pool, SQ_CODE_ADVANCE);
            own->buffer = r->middle;
            own->value = x->value;
            own->next = x->next;
            x->next = own;
            x = own;
            continue;
        }
        advance_too(r, x->body);
    }
}

/* Splits the first unrolled loop over many rows that can be split. */
static bool split_rows(rows *r, sq_code *x)
{
    for (; x && !r->middle; x = x->next) {
        bool unrolled = x->kind == SQ_CODE_LOOP && x->runs == SQ_CODE_UNROLLED && x->hi;
        if (unrolled && x->hi->op == SQ_CODE_NUMBER && x->hi->number >= MANY_ROWS) {
            r->loop = x;
            split_list(r, x->body);
        }
        if (!r->middle)
            split_rows(r, x->body);
    }
    return r->middle != NULL;
}

/* Returns its declaration, and the FRESH that keeps compilers from deriving it from the first
 * one. */
static sq_code *declaration(const rows *r)
{
    sq_code *own = sq_code_new(r->pool, SQ_CODE_POINTER),
            *fresh = sq_code_new(r->pool, SQ_CODE_FRESH);
    own->buffer = r->middle;
    own->of = r->from;
    own->value = r->between;
    fresh->name = r->middle->name;
    own->next = fresh;
    return own;
}

/* n: number of pointers so far. */
static void split_all(sq_code_pool *p, sq_code *x, int *n)
{
    for (; x; x = x->next) {
        rows r = {.pool = p, .before = *n};
        if (x->kind != SQ_CODE_LOOP || x->lo || !split_rows(&r, x->body)) {
            split_all(p, x->body, n);
            split_all(p, x->other, n);
            continue;
        }
        /* the loop moves to a statement of its own, behind the declaration */
        sq_code *loop = sq_code_new(p, SQ_CODE_LOOP);
        *loop = *x;
        advance_too(&r, loop->body);
        ++*n;
        *x = *declaration(&r);
        x->next->next = loop;
        x = loop;
    }
}

sq_code *sq_pass_pointers(const sq_pass_context *c, sq_code *x)
{
    int n = 0;
    if (c->target->language->fresh)
        split_all(c->pool, x, &n);
    return x;
}
