/* Compare: see compare.h. */
#include "codegen/code/compare.h"
#include <inttypes.h>

static const char *order_name(sq_interpret_order o)
{
    static const char *const names[] = {"as written", "reversed", "shuffled"};
    return names[o];
}

/* What the code makes of an image, to *after. NULL, or what is undefined about it. */
static const char *result_of(const sq_code *x, const sq_image *before, sq_interpret_order order,
                             sq_image **after, sq_arena *arena)
{
    const sq_interpret_options o = {.order = order, .seed = 1};
    *after = sq_image_like(before, arena);
    sq_image_copy(*after, before);
    return sq_code_interpret(x, *after, &o, arena);
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

/* The results of the expected version in written order; NULL, or what is undefined about one. */
static const char *expected_of(const sq_code *x, const sq_code_inputs *in, sq_image **after,
                               sq_arena *arena)
{
    for (int i = 0; i < in->n; i++) {
        const char *why = result_of(x, in->before[i], SQ_INTERPRET_WRITTEN, &after[i], arena);
        if (why)
            return placed(in->before[i], SQ_INTERPRET_WRITTEN, why, arena);
    }
    return NULL;
}

/* One run of the code, in memory of its own. */
static const char *departs(const sq_code *x, const sq_code_inputs *in, int i,
                           sq_interpret_order order, const sq_image *expected, sq_arena *arena)
{
    sq_image *m;
    sq_arena *own = sq_arena_new();
    const char *why = result_of(x, in->before[i], order, &m, own);
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

const char *sq_code_differs(const sq_code *expected, const sq_code *actual,
                            const sq_code_inputs *in, sq_arena *arena)
{
    sq_image **after = SQ_NEW_ARRAY(arena, sq_image *, in->n + 1);
    const char *why = expected_of(expected, in, after, arena);
    return why ? why : sq_code_departs(actual, in, after, arena);
}

int sq_code_first_departure(const sq_code_version *version, int n, const sq_code_inputs *in,
                            sq_image *const *expected, sq_arena *arena, const char **why)
{
    for (int v = 0; v < n; v++) {
        *why = sq_code_departs(version[v].code, in, expected, arena);
        if (*why)
            return v;
    }
    return -1;
}

int sq_code_first_change(const sq_code_version *version, int n, const sq_code_inputs *in,
                         sq_arena *arena, const char **why)
{
    sq_image **after = SQ_NEW_ARRAY(arena, sq_image *, in->n + 1);
    *why = n > 0 ? expected_of(version[0].code, in, after, arena) : NULL;
    return *why ? 0 : sq_code_first_departure(version, n, in, after, arena, why);
}
