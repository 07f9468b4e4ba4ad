/* Statements: see statements.h. */
#include "codegen/print/statements.h"
#include "codegen/print/panels.h"
#include "codegen/print/tasks.h"
#include "codegen/passes/passes.h"
#include "codegen/isa/strict.h"

/* A part that has been printed in the file. */
struct sq_printed_part {
    const sq_code_part *part;
    const struct sq_printed_part *before;
};

/* Prints a part's function where it is first called. */
static void define_part(const sq_code_part *part, void *user)
{
    sq_printer *p = user;
    sq_c_printer c = sq_print_c(p);
    c.uses.names = NULL; /* a part has its own */
    for (const struct sq_printed_part *x = p->parts; x; x = x->before)
        if (x->part == part)
            return;
    struct sq_printed_part *own = SQ_NEW(p->arena, struct sq_printed_part);
    *own = (struct sq_printed_part){part, p->parts};
    p->parts = own;
    for (int s = 0; s < part->nstmts; s++)
        sq_print_note(p, part->stmt[s], part->lanes, part->overlaps);
    if (part->name)
        sq_c_part(&c, part, &p->tiles);
}

sq_c_printer sq_print_c(sq_printer *p)
{
    return (sq_c_printer){.pool = p->code,
                          .is_marked = p->options->is_marked,
                          .uses = p->uses,
                          .rounded = sq_strict_rounded(p->kernel, p->options->target),
                          .panel = p->panel ? p->panel : sq_panels_declare,
                          .part = define_part,
                          .threads = p->options->tasks ? sq_tasks_loop : NULL,
                          .user = p,
                          .ints = p->options->target->grid ? &p->ints : NULL,
                          .target = p->options->target,
                          .shape = sq_print_shape,
                          .shapes = p};
}

/* Notes the statements that are computed in vectors without a part. */
static void note_vectors(const sq_printer *p, const sq_code *x)
{
    for (; x; x = x->next) {
        if (x->kind == SQ_CODE_STORE && x->stmt)
            sq_print_note(p, x->stmt, x->value->lanes, false);
        note_vectors(p, x->body);
        note_vectors(p, x->other);
    }
}

void sq_print_statements(sq_printer *p, const sq_code *x, sq_text *to)
{
    sq_c_printer c = sq_print_c(p);
    note_vectors(p, x);
    sq_c_code(&c, x, to);
}

void sq_print_lowered(sq_printer *p, sq_code *x, sq_text *to)
{
    const sq_pass_context c = {.kernel = p->kernel, .target = p->options->target, .pool = p->code};
    sq_print_statements(p, sq_passes_run(&c, x, SQ_ALL_PASSES, p->options->pass_times), to);
}
