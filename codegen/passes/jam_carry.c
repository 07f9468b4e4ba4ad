/* Jam, carry: what an iteration reads that the one before stored, y[i][j - 1], is kept in a register of its row: the
 * next one waits for the value and not for memory. See jam.h. */
#include "codegen/passes/jam.h"
#include "codegen/code/build.h"
#include "codegen/passes/overlap.h"

static bool reads(const sq_code_expr *e, const sq_code_expr *place)
{
    bool found = e == place;
    for (int i = 0; e && i < e->nargs && !found; i++)
        found = reads(e->arg[i], place);
    return found;
}

/* True if the value is read whatever a condition is. */
static bool reads_surely(const sq_code_expr *e, const sq_code_expr *place)
{
    bool choice =
        e->op == SQ_CODE_SELECT ||
        (e->op == SQ_CODE_OPERATION && (e->operation == SQ_OP_AND || e->operation == SQ_OP_OR));
    bool found = e == place;
    for (int i = 0; i < (choice ? 1 : e->nargs) && !found; i++)
        found = reads_surely(e->arg[i], place);
    return found;
}

/* Counts stores to the buffer, and to what may overlap it. */
static int writers(const sq_jam_loop *j, const sq_code *x, const sq_code_buffer *b)
{
    int n = 0;
    for (; x; x = x->next) {
        n +=
            x->kind == SQ_CODE_STORE && (x->buffer == b || sq_pass_may_overlap(j->c, x->buffer, b));
        n += writers(j, x->body, b) + writers(j, x->other, b);
    }
    return n;
}

/* True if rows store to rows of their own. */
static bool tells_rows(const sq_jam_loop *j, const sq_code *store)
{
    bool tells = false;
    int64_t coef;
    for (int d = 0; d < store->buffer->ndim && !tells; d++)
        tells = !sq_code_mentions(store->index[d], j->inner->name) &&
                sq_code_is_affine(store->index[d], j->loop->name, &coef) && coef != 0;
    return tells;
}

/* True if an iteration surely reads the place. */
static bool is_read(const sq_jam_loop *j, const sq_code_expr *place)
{
    bool found = false;
    for (const sq_code *x = j->inner->body; x && !found; x = x->next)
        found = x->kind == SQ_CODE_STORE && !x->cond && reads_surely(x->value, place);
    return found;
}

sq_jam_carries sq_jam_carried(const sq_jam_loop *j)
{
    sq_jam_carries c = {0};
    const sq_code_expr *back = sq_code_plus(j->pool, sq_code_name(j->pool, j->inner->name), -1);
    for (const sq_code *x = j->inner->body; x && c.n < SQ_JAM_CARRIES; x = x->next) {
        bool plain = x->kind == SQ_CODE_STORE && !x->cond && x->buffer->ndim > 0 &&
                     x->value->type == x->buffer->type && !sq_type_stored(x->buffer->type);
        if (!plain || !tells_rows(j, x) || writers(j, j->inner->body, x->buffer) != 1)
            continue;
        const sq_code_expr *place = sq_code_load(j->pool, x->buffer, x->index),
                           *before = sq_code_substitute(j->pool, place, j->inner->name, back);
        if (before == place || !is_read(j, before))
            continue;
        for (int r = 0; r < SQ_JAM_ROWS; r++) {
            const char *name = sq_arena_printf(j->pool->arena, "@before%d_%d", c.n, r);
            c.old[c.n][r] = sq_code_register(j->pool, name, x->buffer->type);
            name = sq_arena_printf(j->pool->arena, "@now%d_%d", c.n, r);
            c.now[c.n][r] = sq_code_register(j->pool, name, x->buffer->type);
        }
        c.before[c.n] = before;
        c.store[c.n++] = x;
    }
    return c;
}

/* Returns what the iteration before stored in a row, which is behind the first one. */
static const sq_code_expr *before_in(const sq_jam_loop *j, const sq_jam_carries *c, int i, int row)
{
    const sq_code_expr *at = sq_code_plus(j->pool, sq_code_name(j->pool, j->inner->name), -(int64_t)j->delay * row);
    return sq_code_substitute(j->pool, sq_jam_in_row(j, c->before[i], sq_jam_row(j, row)), j->inner->name, at);
}

void sq_jam_begin(const sq_jam_loop *j, sq_jam_carries *c, const sq_code_expr *lo, sq_code_list *to)
{
    for (int i = 0; i < c->n; i++)
        for (int r = 0; r < SQ_JAM_ROWS; r++) {
            sq_code_append(to, sq_code_declare(j->pool, c->old[i][r], false));
            sq_code_append(to, sq_code_set(j->pool, c->old[i][r],
                                           sq_code_substitute(j->pool, before_in(j, c, i, r), j->inner->name, lo)));
        }
}

const sq_code_expr *sq_jam_replaced(const sq_jam_loop *j, const sq_code_expr *e, const sq_code_expr *place,
                                    const sq_code_expr *by)
{
    if (e == place)
        return by;
    if (!e || !reads(e, place))
        return e;
    const sq_code_expr **arg = SQ_NEW_ARRAY(j->pool->arena, const sq_code_expr *, e->nargs);
    for (int i = 0; i < e->nargs; i++)
        arg[i] = sq_jam_replaced(j, e->arg[i], place, by);
    return sq_code_rebuilt(j->pool, e, arg);
}

/* Replaces the places of a row in stores, and in those inside of them, and those of the row before. */
static void replace(const sq_jam_loop *j, const sq_jam_carries *c, int row, sq_code *x)
{
    for (; x; x = x->next) {
        for (int k = 0; k < 2 * c->n; k++) {
            int i = k / 2, of = k % 2 ? row - 1 : row;
            if (of < 0)
                continue;
            const sq_code_expr *place = before_in(j, c, i, of), *by = sq_code_load(j->pool, c->old[i][of], NULL);
            x->value = sq_jam_replaced(j, x->value, place, by);
            x->cond = sq_jam_replaced(j, x->cond, place, by);
        }
        replace(j, c, row, x->body);
        replace(j, c, row, x->other);
    }
}

sq_code *sq_jam_resolve(const sq_jam_loop *j, const sq_jam_carries *c, int row, sq_code *stores)
{
    sq_code_list all = {0};
    const sq_code *from = j->inner->body;
    replace(j, c, row, stores);
    for (sq_code *x = stores, *next; x; x = next, from = from->next) {
        next = x->next;
        x->next = NULL;
        for (int i = 0; i < c->n; i++)
            if (c->store[i] == from) {
                sq_code_append(&all, sq_code_declare(j->pool, c->now[i][row], false));
                sq_code_append(&all, sq_code_set(j->pool, c->now[i][row], x->value));
                x->value = sq_code_load(j->pool, c->now[i][row], NULL);
            }
        sq_code_append(&all, x);
    }
    return all.first;
}

void sq_jam_advance(const sq_jam_loop *j, const sq_jam_carries *c, sq_code_list *to)
{
    for (int i = 0; i < c->n; i++)
        for (int r = 0; r < SQ_JAM_ROWS; r++)
            sq_code_append(
                to, sq_code_set(j->pool, c->old[i][r], sq_code_load(j->pool, c->now[i][r], NULL)));
}
