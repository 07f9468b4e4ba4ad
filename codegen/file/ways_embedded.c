/* Ways, embedded: one function for several schedules in a file of somebody else; see ways.h. */
#include "codegen/file/function_inside.h"
#include "codegen/file/ways.h"

/* "static int K(int M, const float *A)", or of its sizes alone. */
static void put_head(const sq_kernel *k, const char *type, const char *name, bool sizes, sq_text *to)
{
    sq_text params = {0};
    if (sizes)
        sq_function_list(k, SQ_LIST_SIZES, SQ_LIST_DECLARED, NULL, &params);
    else
        sq_emit_params_for(k, false, &params);
    sq_text_printf(to, "static %s %s(%s)\n{\n", type, name, sq_text_str(&params));
    sq_text_free(&params);
}

/* "f(M, N)" */
static const char *call(const sq_kernel *k, const char *function, sq_listed which, sq_list_form form)
{
    sq_text list = {0};
    sq_function_list(k, which, form, NULL, &list);
    const char *text = sq_arena_printf(k->arena, "%s(%s)", function, sq_text_str(&list));
    sq_text_free(&list);
    return text;
}

/* True if the sizes are what all nests were made for: each takes them, or the text as written runs. */
static void put_fits(const sq_ways *w, const char *function, sq_text *to)
{
    const sq_kernel *k = w->of[0].kernel;
    const char *all = "";
    for (int i = 0; i < w->n; i++)
        if (w->of[i].tests_sizes)
            all = sq_arena_printf(k->arena, "%s%s%s", all, *all ? " && " : "",
                                  call(k, sq_arena_printf(k->arena, "%s_fits", w->of[i].function), SQ_LIST_SIZES,
                                       SQ_LIST_PASSED));
    if (!*all)
        return;
    sq_text_puts(to, "\n");
    put_head(k, "inline int", sq_arena_printf(k->arena, "%s_fits", function), true, to);
    sq_text_printf(to, "    return %s;\n}\n", all);
}

static void put_case(const sq_ways *w, int i, bool fails, sq_text *to)
{
    const sq_way *x = &w->of[i];
    const char *done = call(x->kernel, x->function, SQ_LIST_ALL, SQ_LIST_PASSED);
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
    sq_text_puts(to, "\n");
    put_head(k, fails ? "int" : "void", o->function, false, to);
    to->indent = 1;
    sq_text_line(to, "switch (%s) {",
                 call(k, sq_arena_printf(k->arena, "sq_%s_way", o->function), SQ_LIST_SIZES, SQ_LIST_INSIDE));
    for (int i = 0; i < w->n; i++)
        put_case(w, i, fails, to);
    sq_text_line(to, "}");
    to->indent = 0;
    sq_text_puts(to, "}\n");
}
