/* Bindings for C++20: functions of namespace squall that take spans. */
#include "codegen/emit.h"
#include "codegen/file/bindings.h"
#include "codegen/file/function.h"
#include "support/words.h"
#include <string.h>

/* The prototypes of C have names that C++ takes; these are the wrappers' own. */
static const char *const words[] = {"workspace", "floor_of", "refuse", "squall", "std", NULL};

static const char *name_of(const sq_param *p, sq_arena *arena)
{
    const char *name = sq_binding_name(&sq_binding_cpp, sq_param_name(p), arena);
    return sq_is_header_word(name) ? sq_arena_printf(arena, "%s_", name) : name;
}

/* types: "std::span<const float> A"; else "A.data()". Or the sizes among them. */
static void put_params(const sq_bound *of, bool all, bool types, const char *more, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    int shown = 0;
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_param *p = &of->k->param[i];
        if (!sq_binding_shows(p) || !(all || p->size))
            continue;
        sq_text_puts(to, shown++ ? ", " : "");
        if (types && p->array)
            sq_text_printf(to, "std::span<%s%s> ", p->array->role == SQ_IN ? "const " : "",
                           sq_type_ctype(p->array->type));
        else if (types)
            sq_text_printf(to, "%s ",
                           p->size && p->size->type == SQ_I32
                               ? "int"
                               : sq_type_ctype(p->size ? p->size->type : p->scalar->type));
        sq_text_printf(to, "%s%s", name_of(p, arena), p->array && !types ? ".data()" : "");
    }
    sq_text_printf(to, "%s%s", shown && *more ? ", " : "", more);
    sq_arena_free(arena);
}

static void put_prototypes(const sq_bound *of, sq_text *to)
{
    sq_text all = {0}, sizes = {0};
    sq_emit_params_for(of->k, true, &all);
    sq_emit_sizes(of->k, true, &sizes);
    const char *first = strcmp(sq_text_str(&all), "void") == 0 ? "" : sq_text_str(&all);
    sq_text_printf(to, "void %s(%s);\nstd::size_t %s_workspace(%s);\nint %s_in(%s%svoid *);\n",
                   of->function, sq_text_str(&all), of->function, sq_text_str(&sizes), of->function,
                   first, *first ? ", " : "");
    if (sq_function_accepts(of->k))
        sq_text_printf(to, "int %s_accepts(%s);\n", of->function, sq_text_str(&sizes));
    sq_text_free(&all);
    sq_text_free(&sizes);
}

static void put_checks(const sq_bound *of, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_param *p = &of->k->param[i];
        if (p->size && !p->size->fixed)
            sq_text_printf(to, "    if (%s < 0)\n        refuse(\"%s: %s is negative\");\n",
                           name_of(p, arena), of->function, p->size->name);
    }
    if (sq_function_accepts(of->k)) {
        sq_text_printf(to, "    if (!::%s_accepts(", of->function);
        put_params(of, false, false, "", to);
        sq_text_printf(to, "))\n        refuse(\"%s: sizes that it does not accept\");\n",
                       of->function);
    }
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_param *p = &of->k->param[i];
        if (!p->array)
            continue;
        sq_text_printf(to, "    if (static_cast<long long>(%s.size()) != ", name_of(p, arena));
        sq_binding_elements(&sq_binding_cpp, of->k, p->array, to);
        sq_text_printf(to, ")\n        refuse(\"%s: elements of %s\");\n", of->function,
                       p->array->name);
    }
    sq_arena_free(arena);
}

static void put_wrappers(const sq_bound *of, sq_text *to)
{
    sq_text_puts(
        to, "\n/* Throws std::invalid_argument where sizes are not accepted, or a span has another "
            "length.\n");
    sq_emit_roles(of->k, " *", to);
    sq_text_printf(to, " */\ninline void %s(", of->function);
    put_params(of, true, true, "", to);
    sq_text_puts(to, ")\n{\n");
    put_checks(of, to);
    sq_text_printf(to, "    ::%s(", of->function);
    put_params(of, true, false, "", to);
    sq_text_printf(to,
                   ");\n}\n\n/* The same in `workspace`, of %s_workspace bytes or more. */\ninline "
                   "void %s_in(",
                   of->function, of->function);
    put_params(of, true, true, "std::span<std::byte> workspace", to);
    sq_text_puts(to, ")\n{\n");
    put_checks(of, to);
    sq_text_printf(to, "    if (workspace.size() < ::%s_workspace(", of->function);
    put_params(of, false, false, "", to);
    sq_text_printf(to, "))\n        refuse(\"%s: workspace\");\n    if (::%s_in(", of->function,
                   of->function);
    put_params(of, true, false, "workspace.data()", to);
    sq_text_printf(to, "))\n        refuse(\"%s_in\");\n}\n", of->function);
}

static void put(const sq_binding *b, const sq_bound *of, int n, sq_text *to)
{
    (void)b;
    sq_text_puts(to, "#pragma once\n#include <cstddef>\n#include <cstdint>\n#include <span>\n"
                     "#include <stdexcept>\n\nextern \"C\" {\n");
    for (int i = 0; i < n; i++)
        put_prototypes(&of[i], to);
    sq_text_puts(to,
                 "}\n\nnamespace squall {\n[[noreturn]] inline void refuse(const char *why)\n{\n"
                 "    throw std::invalid_argument(why);\n}\n\n"
                 "/* a / b towards minus infinity */\n"
                 "constexpr long long floor_of(long long a, long long b)\n{\n"
                 "    return a / b - (a % b < 0);\n}\n");
    for (int i = 0; i < n; i++)
        put_wrappers(&of[i], to);
    sq_text_puts(to, "}\n");
}

const sq_binding sq_binding_cpp = {.name = "C++",
                                   .suffix = ".hpp",
                                   .comment = "//",
                                   .words = words,
                                   .first_floor = "floor_of(",
                                   .mid_floor = ", ",
                                   .widen = "static_cast<long long>(@)",
                                   .put = put};
