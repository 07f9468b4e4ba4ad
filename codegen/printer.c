/* Printer: see printer.h. */
#include "codegen/printer.h"
#include "codegen/base.h"
#include <string.h>

const char *sq_print_code(const sq_printer *p, const sq_code_expr *e)
{
    return sq_code_text(e, p->arena);
}

const char *sq_print_pointer(const sq_printer *p, const char *base, const sq_code_expr *offset)
{
    sq_text t = {0};
    sq_text_puts(&t, base);
    sq_code_put_offset(offset, &t);
    const char *s = sq_arena_strdup(p->arena, t.s);
    sq_text_free(&t);
    return s;
}

void sq_print_starts(sq_printer *p, const sq_buffer *b)
{
    for (int a = 0; a < b->naxes; a++)
        if (b->axis[a].lo_value)
            sq_text_line(&p->body, "const int64_t %s = %s;", b->axis[a].lo->name,
                         sq_print_code(p, b->axis[a].lo_value));
}

sq_vector *sq_print_shape(sq_printer *p, sq_type type, int lanes)
{
    for (int i = 0; i < p->nshapes; i++)
        if (p->shape[i].type == type && p->shape[i].lanes == lanes)
            return &p->shape[i];
    if (p->nshapes == SQ_MAX_SHAPES)
        sq_bug("print", "too many vector shapes in %s", p->function);
    p->shape[p->nshapes] = (sq_vector){.type = type, .lanes = lanes};
    return &p->shape[p->nshapes++];
}

void sq_print_note(const sq_printer *p, const sq_stmt *s, int lanes)
{
    sq_compiled *c = p->options->compiled;
    for (int i = 0; c && i < c->n; i++)
        if (lanes > 1 && strcmp(c->of[i].stmt, s->name) == 0 && lanes > c->of[i].lanes)
            c->of[i].lanes = lanes;
}

sq_vector *sq_print_shape_of(void *printer, sq_type type, int lanes)
{
    return sq_print_shape(printer, type, lanes);
}

/* The schedule's vectors, or the target's where those are narrower: a script that does not name
 * lanes serves every target. Lanes are powers of two, so the tile still holds whole vectors. */
sq_tile_shapes sq_print_shapes(sq_printer *p, const sq_nest *n)
{
    int lanes = n->group->micro.vector < 0 ? 1 : n->group->micro.lanes;
    int most = p->options->target->vector_bytes / sq_group_bytes(n->group);
    lanes = lanes > most && !p->options->target->grid ? most : lanes; /* a grid's are narrow */
    for (int s = 0; s < n->group->nstmts; s++)
        sq_print_note(p, n->group->stmt[s], lanes);
    return (sq_tile_shapes){.target = p->options->target,
                            .lanes = lanes > 1 ? lanes : 1,
                            .get = sq_print_shape_of,
                            .of = p};
}

void sq_print_loop_head(sq_printer *p, const sq_node *x, const sq_code_expr *lo, int64_t share)
{
    const char *from = sq_print_code(p, lo), *to = sq_print_code(p, x->hi);
    int64_t step = x->step * share;
    if (step == 1)
        sq_text_open(&p->body, "for (int64_t %s = %s; %s < %s; %s++) {", x->name, from, x->name, to,
                     x->name);
    else
        sq_text_open(&p->body, "for (int64_t %s = %s; %s < %s; %s += %lld) {", x->name, from,
                     x->name, to, x->name, (long long)step);
}
