/* Ways, embedded: one function for several schedules in a file of somebody else; see ways.h. */
#include "codegen/file/function_inside.h"
#include "codegen/file/ways.h"

/* True if the sizes are what all nests were made for: each takes them, or the text as written runs. */
static void put_fits(const sq_ways *w, const char *function, sq_text *to)
{
    const sq_kernel *k = w->of[0].kernel;
    const char *all = "";
    for (int i = 0; i < w->n; i++)
        if (w->of[i].tests_sizes)
            all = sq_arena_printf(k->arena, "%s%s%s", all, *all ? " && " : "",
                                  sq_function_call(k, sq_arena_printf(k->arena, "%s_fits", w->of[i].function),
                                                   SQ_LIST_SIZES, SQ_LIST_PASSED, NULL, k->arena));
    if (*all)
        sq_text_printf(to, "\nstatic inline int %s\n{\n    return %s;\n}\n",
                       sq_function_call(k, sq_arena_printf(k->arena, "%s_fits", function), SQ_LIST_SIZES,
                                        SQ_LIST_DECLARED, NULL, k->arena),
                       all);
}

static void put_case(const sq_ways *w, int i, bool fails, sq_text *to)
{
    const sq_way *x = &w->of[i];
    const char *done =
        sq_function_call(x->kernel, x->function, SQ_LIST_ALL, SQ_LIST_PASSED, NULL, w->of[0].kernel->arena);
    if (i < w->n - 1)
        sq_text_line(to, "case %d:", i);
    else
        sq_text_line(to, "default:");
    sq_text_line(to, "    %s%s;", x->fails ? "return " : "", done);
    if (!x->fails)
        sq_text_line(to, fails ? "    return 0;" : "    return;");
}

void sq_ways_print_embedded(const sq_ways *w, const sq_emit_options *o, sq_text *to)
{
    const sq_kernel *k = w->of[0].kernel;
    bool fails = false;
    for (int i = 0; i < w->n; i++)
        fails |= w->of[i].fails;
    put_fits(w, o->function, to);
    sq_ways_print_choice(w, o->function, to);
    sq_text_printf(to, "\nstatic %s %s(%s)\n{\n", fails ? "int" : "void", o->function,
                   sq_emit_params(k, SQ_EMIT_PUBLIC, false, NULL, k->arena));
    to->indent = 1;
    sq_text_line(to, "switch (%s) {",
                 sq_function_call(k, sq_arena_printf(k->arena, "sq_%s_way", o->function), SQ_LIST_SIZES, SQ_LIST_INSIDE,
                                  NULL, k->arena));
    for (int i = 0; i < w->n; i++)
        put_case(w, i, fails, to);
    sq_text_line(to, "}");
    to->indent = 0;
    sq_text_puts(to, "}\n");
}
