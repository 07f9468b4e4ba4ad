/* Jam, own: scalars that each iteration sets before it reads them, such as the state of a filter, which is declared in
 * the body: each row has a register of its own. See jam.h. */
#include "codegen/passes/jam.h"
#include "codegen/code/build.h"

bool sq_jam_is_own(const sq_code *x)
{
    return x->kind == SQ_CODE_DECLARE && x->buffer->storage == SQ_CODE_REGISTER && x->buffer->ndim == 0 &&
           x->buffer->lanes <= 1;
}

void sq_jam_find_own(sq_jam_loop *j)
{
    for (const sq_code *x = j->loop->body; x; x = x->next) {
        if (!sq_jam_is_own(x))
            continue;
        for (int r = 0; r < SQ_JAM_ROWS; r++) {
            sq_code_buffer *b = SQ_NEW(j->pool->arena, sq_code_buffer);
            *b = *x->buffer;
            b->name = sq_arena_printf(j->pool->arena, "%s%d", x->buffer->name, r);
            j->copy[j->nown][r] = b;
        }
        j->own[j->nown++] = x->buffer;
    }
}

static const sq_code_expr *in_row(const sq_jam_loop *j, int row, const sq_code_expr *e)
{
    for (int i = 0; i < j->nown && e; i++)
        e = sq_jam_replaced(j, e, sq_code_load(j->pool, j->own[i], NULL), sq_code_load(j->pool, j->copy[i][row], NULL));
    return e;
}

sq_code *sq_jam_with_own(const sq_jam_loop *j, int row, sq_code *stores)
{
    for (sq_code *x = stores; x; x = x->next) {
        for (int i = 0; i < j->nown; i++)
            if (x->buffer == j->own[i]) {
                x->buffer = j->copy[i][row];
                break;
            }
        x->value = in_row(j, row, x->value);
        x->cond = in_row(j, row, x->cond);
        if (x->kind == SQ_CODE_STORE && x->buffer->ndim)
            x->index = in_row(j, row, sq_code_load(j->pool, x->buffer, x->index))->arg;
        sq_jam_with_own(j, row, x->body);
        sq_jam_with_own(j, row, x->other);
    }
    return stores;
}
