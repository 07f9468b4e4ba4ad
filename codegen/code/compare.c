/* Compare: see compare.h. */
#include "codegen/code/compare.h"
#include <inttypes.h>

static const char *order_name(sq_interpret_order o)
{
    static const char *const names[] = {"as written", "reversed", "shuffled"};
    return names[o];
}

/* "at M = 5, N = 3, parallel loops reversed: C[0][1] is 2, expected 3" */
static const char *placed(const sq_image *m, sq_interpret_order order, const char *why,
                          sq_arena *arena)
{
    const char *at = "at";
    for (int i = 0; i < m->kernel->nsizes; i++)
        at = sq_arena_printf(arena, "%s%s %s = %" PRId64, at, i ? "," : "",
                             m->kernel->size[i]->name, m->size[i]);
    return sq_arena_printf(arena, "%s%s parallel loops %s: %s", m->kernel->nsizes ? at : "",
                           m->kernel->nsizes ? "," : "with", order_name(order), why);
}

/* Runs the code once, on a copy of the memory image. */
static const char *departs(const sq_code *x, const sq_code_inputs *in, int i,
                           sq_interpret_order order, const sq_image *expected, sq_arena *arena)
{
    const sq_interpret_options o = {.order = order, .seed = 1, .is_over = in->is_over};
    sq_arena *own = sq_arena_new();
    sq_image *m = sq_image_like(in->before[i], own);
    sq_image_copy(m, in->before[i]);
    const char *why = sq_code_interpret(x, m, &o, own);
    if (!why)
        sq_image_same(expected, m, in->bound ? in->bound[i] : NULL, own, &why);
    why = why ? placed(in->before[i], order, why, arena) : NULL;
    sq_arena_free(own);
    return why;
}

const char *sq_code_departs(const sq_code *x, const sq_code_inputs *in, sq_image *const *expected,
                            sq_arena *arena)
{
    const char *why = NULL;
    for (int i = 0; i < in->n && !why; i++)
        for (int o = SQ_INTERPRET_WRITTEN; o <= SQ_INTERPRET_SHUFFLED && !why; o++)
            why = departs(x, in, i, (sq_interpret_order)o, expected[i], arena);
    return why;
}
