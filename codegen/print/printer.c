/* Printer: see printer.h. */
#include "codegen/print/printer.h"
#include "codegen/nest/base.h"
#include <string.h>

void sq_print_record(sq_printer *p)
{
    p->names = p->of_bytes = p->helpers = sq_uses_none(p->arena);
    p->uses = (sq_uses){&p->names, &p->helpers};
}

const char *sq_print_code(const sq_printer *p, const sq_code_expr *e)
{
    return sq_code_text(e, &p->uses, p->arena);
}

const char *sq_print_pointer(const sq_printer *p, const char *base, const sq_code_expr *offset)
{
    sq_text t = {0};
    sq_uses_name(&p->uses, base);
    sq_text_puts(&t, base);
    sq_code_put_offset(offset, &p->uses, &t);
    const char *s = sq_arena_strdup(p->arena, t.s);
    sq_text_free(&t);
    return s;
}

sq_vector *sq_print_shape(sq_printer *p, sq_type type, int lanes)
{
    for (int i = 0; i < p->nshapes; i++)
        if (p->shape[i].type == type && p->shape[i].lanes == lanes)
            return &p->shape[i];
    if (p->nshapes == SQ_MAX_SHAPES)
        sq_bug("print", "too many vector shapes in %s", p->function);
    p->shape[p->nshapes] = (sq_vector){.type = type, .lanes = lanes, .uses = &p->uses};
    return &p->shape[p->nshapes++];
}

void sq_print_note(const sq_printer *p, const sq_stmt *s, int lanes, bool overlaps)
{
    sq_compiled *c = p->options->compiled;
    for (int i = 0; c && i < c->n; i++) {
        if (lanes <= 1 || strcmp(c->of[i].stmt, s->name) != 0)
            continue;
        c->of[i].lanes = lanes > c->of[i].lanes ? lanes : c->of[i].lanes;
        c->of[i].overlaps |= overlaps;
    }
}

sq_vector *sq_print_shape_of(void *printer, sq_type type, int lanes)
{
    return sq_print_shape(printer, type, lanes);
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
