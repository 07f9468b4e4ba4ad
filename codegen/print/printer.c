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

sq_vector *sq_print_shape(void *printer, sq_type type, int lanes)
{
    sq_printer *p = printer;
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
