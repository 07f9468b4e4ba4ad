/* Grid, statements: see grid_inside.h. */
#include "codegen/code/instruction.h"
#include "codegen/lower/grid_inside.h"

void sq_grid_append(sq_kernel_walk *w, sq_code *x)
{
    sq_code_append(&w->scope->list, x);
}

void sq_grid_open(sq_kernel_walk *w, sq_code *x)
{
    sq_grid_scope *own = SQ_NEW(w->arena, sq_grid_scope);
    *own = (sq_grid_scope){.of = x, .around = w->scope};
    w->scope = own;
}

void sq_grid_open_if(sq_kernel_walk *w, const sq_code_expr *cond)
{
    sq_grid_open(w, sq_code_guarded(w->code, cond, NULL));
}

void sq_grid_open_block(sq_kernel_walk *w)
{
    sq_grid_open_if(w, NULL);
}

/* Ends the arm under construction. */
static void end_arm(sq_grid_scope *s)
{
    *(s->in_other ? &s->of->other : &s->of->body) = s->list.first;
    s->list = (sq_code_list){0};
}

void sq_grid_else(sq_kernel_walk *w)
{
    end_arm(w->scope);
    w->scope->in_other = true;
}

void sq_grid_close(sq_kernel_walk *w)
{
    sq_grid_scope *s = w->scope;
    end_arm(s);
    w->scope = s->around;
    sq_grid_append(w, s->of);
}

void sq_grid_close_all(sq_kernel_walk *w, int n)
{
    for (; n > 0; n--)
        sq_grid_close(w);
}

void sq_grid_let(sq_kernel_walk *w, const char *name, const sq_code_expr *value)
{
    sq_grid_append(w, sq_code_let(w->code, name, value));
}

void sq_grid_let_int(sq_kernel_walk *w, const char *name, const sq_code_expr *value)
{
    sq_code *x = sq_code_let(w->code, name, value);
    x->is_int = true;
    sq_grid_append(w, x);
}

void sq_grid_let_any(sq_kernel_walk *w, const char *name, const sq_code_expr *value)
{
    sq_grid_let(w, name, value);
    sq_grid_append(w, sq_code_unused(w->code, name));
}

void sq_grid_barrier(sq_kernel_walk *w)
{
    sq_grid_append(w, sq_code_barrier(w->code));
}

const sq_code_buffer *sq_grid_point(sq_kernel_walk *w, const char *name, const sq_code_buffer *of,
                                    const sq_code_expr *at)
{
    sq_code *x = sq_code_new(w->code, SQ_CODE_POINTER);
    x->buffer = sq_code_pointer(w->code, name, of->type, true, false);
    x->of = of;
    x->value = at;
    sq_grid_append(w, x);
    return x->buffer;
}

sq_code *sq_grid_loop(const sq_kernel_walk *w, const sq_node *x, const sq_code_expr *lo, int64_t share)
{
    return sq_code_loop(w->code, x->name, lo, x->hi, x->step * share);
}

const sq_code_expr *sq_grid_number(const sq_kernel_walk *w, int64_t n)
{
    return sq_code_number(w->code, n);
}

const sq_code_expr *sq_grid_name(const sq_kernel_walk *w, const char *name)
{
    return sq_code_name(w->code, name);
}

const sq_code_expr *sq_grid_thread(const sq_kernel_walk *w)
{
    return sq_grid_name(w, SQ_TILE_THREAD);
}

const sq_code_expr *sq_grid_over(const sq_kernel_walk *w, const sq_code_expr *a, int64_t b)
{
    return sq_code_divide(w->code, SQ_CODE_DIV, a, sq_grid_number(w, b));
}

const sq_code_expr *sq_grid_rest(const sq_kernel_walk *w, const sq_code_expr *a, int64_t b)
{
    return sq_code_divide(w->code, SQ_CODE_REM, a, sq_grid_number(w, b));
}

const sq_code_expr *sq_grid_below(const sq_kernel_walk *w, const sq_code_expr *a, const sq_code_expr *b)
{
    return sq_code_compare(w->code, SQ_CODE_LT, a, b);
}
