/* Bindings for C++20: functions of namespace squall that take spans. */
#include "codegen/emit.h"
#include "codegen/file/bindings.h"
#include "codegen/file/function.h"
#include "codegen/file/packed.h"
#include "codegen/file/views.h"
#include "support/words.h"
#include <string.h>

static const char *const words[] = {"workspace", "squall", "std", NULL};

/* A parameter is called as in the prototype of the C header. */
static bool is_word(const char *name)
{
    return sq_is_header_word(name) || sq_binding_listed(words, name);
}

static const char *name_of(const sq_bound_kernel *of, const sq_param *p, sq_arena *arena)
{
    return sq_binding_name(&sq_binding_cpp, of->k, sq_param_name(p), arena);
}

static const char *ctype_of(const sq_param *p)
{
    return p->size ? sq_size_ctype(p->size) : sq_type_ctype(p->scalar->type);
}

/* types: "std::span<const float> A", "int M"; else "A.data()", "M". */
static void put_param(const sq_bound_kernel *of, const sq_param *p, int types, sq_arena *arena,
                      sq_text *to)
{
    if (types && p->array && p->array->is_packed)
        sq_text_puts(to, "std::span<const std::byte> ");
    else if (types && p->array)
        sq_text_printf(to, "std::span<%s%s> ", p->array->role == SQ_IN ? "const " : "",
                       sq_type_ctype(p->array->type));
    else if (types)
        sq_text_printf(to, "%s ", ctype_of(p));
    sq_text_printf(to, "%s%s", name_of(of, p, arena), p->array && !types ? ".data()" : "");
}

static void put_params(const sq_bound_kernel *of, bool all, bool types, const char *more, sq_text *to)
{
    sq_binding_params(of, all, put_param, types, more, to);
}

/* Those of the functions that pack. */
static void put_packing_prototypes(const sq_bound_kernel *of, const sq_array *a, sq_text *to)
{
    sq_text sizes = {0};
    bool any = sq_emit_has_params(of->k, true);
    sq_emit_sizes(of->k, true, &sizes);
    sq_text_printf(to, "std::size_t %s(%s);\nint %s(%s%sconst %s *, void *);\n",
                   sq_packed_bytes(of->function, a, of->k->arena), sq_text_str(&sizes),
                   sq_packed_function(of->function, a, of->k->arena), any ? sq_text_str(&sizes) : "", any ? ", " : "",
                   sq_type_ctype(a->type));
    sq_text_free(&sizes);
}

/* "::gemm_packed_W_bytes(M, N)" */
static void put_packed_bytes(const sq_bound_kernel *of, const sq_array *a, sq_text *to)
{
    sq_text_printf(to, "::%s(", sq_packed_bytes(of->function, a, of->k->arena));
    put_params(of, false, false, "", to);
    sq_text_puts(to, ")");
}

static void put_prototypes(const sq_bound_kernel *of, sq_text *to)
{
    sq_text all = {0}, sizes = {0};
    sq_emit_params_for(of->k, true, &all);
    sq_emit_sizes(of->k, true, &sizes);
    const char *first = sq_emit_has_params(of->k, false) ? sq_text_str(&all) : "";
    sq_text_printf(to, "%s %s(%s);\nstd::size_t %s_workspace(%s);\nint %s_in(%s%svoid *);\n",
                   of->has_codes ? "int" : "void", of->function, sq_text_str(&all), of->function, sq_text_str(&sizes),
                   of->function, first, *first ? ", " : "");
    if (sq_function_accepts(of->k))
        sq_text_printf(to, "int %s_accepts(%s);\n", of->function, sq_text_str(&sizes));
    for (int i = 0; i < of->k->nparams; i++)
        if (of->k->param[i].array && of->k->param[i].array->is_packed)
            put_packing_prototypes(of, of->k->param[i].array, to);
    sq_text_free(&all);
    sq_text_free(&sizes);
}

/* A view in a list: "strided<const float, 2> A", or as C has it. */
static void put_view(const sq_bound_kernel *of, const sq_param *p, int types, sq_arena *arena, sq_text *to)
{
    const sq_array *a = p->array;
    const char *name = name_of(of, p, arena);
    if (!a)
        put_param(of, p, types, arena, to);
    else if (types)
        sq_text_printf(to, "const strided<%s%s, %d> &%s", a->role == SQ_IN ? "const " : "", sq_type_ctype(a->type),
                       a->ndim, name);
    else
        sq_text_printf(to, "%s.c_view<%s>()", name, sq_views_type(a, arena));
}

static void put_view_prototypes(const sq_bound_kernel *of, sq_text *to)
{
    sq_text_printf(to, "int %s_views(", of->function);
    sq_views_params(of->views, SQ_VIEWS_FOREIGN, true, NULL, to);
    sq_text_printf(to, ");\nstd::size_t %s_views_workspace(", of->function);
    sq_views_params(of->views, SQ_VIEWS_FOREIGN, false, NULL, to);
    sq_text_printf(to, ");\nint %s_views_in(", of->function);
    sq_views_params(of->views, SQ_VIEWS_FOREIGN, true, "void *", to);
    sq_text_printf(to, ");\nconst char *%s_views_error(int);\n", of->function);
}

/* "inline int gemm_views_in(…)\n{" */
static void put_view_head(const sq_bound_kernel *of, const char *type, const char *suffix, bool all, const char *more,
                          sq_text *to)
{
    sq_text_printf(to, "inline %s %s_views%s(", type, of->function, suffix);
    sq_binding_views(of, all, put_view, true, more, to);
    sq_text_puts(to, ")\n{\n");
}

/* "::gemm_views_in(…)" */
static void put_view_call(const sq_bound_kernel *of, const char *suffix, bool all, const char *more, sq_text *to)
{
    sq_text_printf(to, "::%s_views%s(", of->function, suffix);
    sq_binding_views(of, all, put_view, false, more, to);
    sq_text_puts(to, ")");
}

static void put_view_wrappers(const sq_bound_kernel *of, sq_text *to)
{
    const char *f = of->function;
    sq_text_printf(to,
                   "\n/* %s of arrays with strides. Throws std::invalid_argument where views are refused,\n"
                   " * std::bad_alloc where there is no memory for copies. */\n",
                   f);
    put_view_head(of, "void", "", true, "", to);
    sq_text_printf(to, "    detail::accepted(\"%s_views\", ", f);
    put_view_call(of, "", true, "", to);
    sq_text_printf(to, ", ::%s_views_error);\n}\n\n", f);
    put_view_head(of, "std::size_t", "_workspace", false, "", to);
    sq_text_puts(to, "    return ");
    put_view_call(of, "_workspace", false, "", to);
    sq_text_printf(to, ";\n}\n\n/* The same in `workspace`, of %s_views_workspace bytes or more. */\n", f);
    put_view_head(of, "void", "_in", true, "std::span<std::byte> workspace", to);
    sq_text_puts(to, "    if (workspace.size() < ");
    put_view_call(of, "_workspace", false, "", to);
    sq_text_printf(to, ")\n        detail::refuse(\"%s_views_in: workspace\");\n", f);
    sq_text_printf(to, "    detail::accepted(\"%s_views_in\", ", f);
    put_view_call(of, "_in", true, "workspace.data()", to);
    sq_text_printf(to, ", ::%s_views_error);\n}\n", f);
}

/* The test that there are as many bytes. */
static void put_packed_check(const sq_bound_kernel *of, const sq_param *p, sq_arena *arena, sq_text *to)
{
    sq_text_printf(to, "    if (%s.size() < ", name_of(of, p, arena));
    put_packed_bytes(of, p->array, to);
    sq_text_printf(to, ")\n        detail::refuse(\"%s: %s is too short\");\n", of->function, p->array->name);
}

static void put_size_checks(const sq_bound_kernel *of, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_param *p = &of->k->param[i];
        if (p->size && sq_param_shown(p) && !p->size->is_size_t)
            sq_text_printf(to, "    if (%s < 0)\n        detail::refuse(\"%s: %s is negative\");\n",
                           name_of(of, p, arena), of->function, p->size->name);
    }
    if (sq_function_accepts(of->k)) {
        sq_text_printf(to, "    if (!::%s_accepts(", of->function);
        put_params(of, false, false, "", to);
        sq_text_printf(to, "))\n        detail::refuse(\"%s: sizes that it does not accept\");\n",
                       of->function);
    }
    sq_arena_free(arena);
}

/* The test that parameter i has the length of its shape. */
static void put_length(const sq_bound_kernel *of, int i, sq_arena *arena, sq_text *to)
{
    const sq_param *p = &of->k->param[i];
    sq_text_printf(to, "    detail::length(\"%s: %s\", %s.size(), ", of->function, p->array->name,
                   name_of(of, p, arena));
    sq_binding_extents(&sq_binding_cpp, of, i, " * ", to);
    sq_text_puts(to, p->array->ndim ? ");\n" : "1);\n");
}

static void put_checks(const sq_bound_kernel *of, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    put_size_checks(of, to);
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_param *p = &of->k->param[i];
        if (!p->array)
            continue;
        if (p->array->is_packed) {
            put_packed_check(of, p, arena, to);
            continue;
        }
        put_length(of, i, arena, to);
        if (p->array->align)
            sq_text_printf(to,
                           "    if (reinterpret_cast<std::uintptr_t>(%s.data()) %% %d != 0)\n        detail::refuse("
                           "\"%s: %s begins at no multiple of %d bytes\");\n",
                           name_of(of, p, arena), p->array->align, of->function, p->array->name, p->array->align);
    }
    sq_arena_free(arena);
}

/* Functions that pack. */
static void put_packing(const sq_bound_kernel *of, int i, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    const sq_array *a = of->k->param[i].array;
    const char *bytes = sq_packed_bytes(of->function, a, arena), *pack = sq_packed_function(of->function, a, arena);
    sq_text_printf(to, "\n/* Bytes that %s takes packed. */\ninline std::size_t %s(", a->name, bytes);
    put_params(of, false, true, "", to);
    sq_text_puts(to, ")\n{\n    return ");
    put_packed_bytes(of, a, to);
    sq_text_printf(to,
                   ";\n}\n\n/* Packs %s for %s, into as many bytes or more that begin at a multiple of 64. Throws as "
                   "it does. */\ninline void %s(",
                   a->name, of->function, pack);
    sq_binding_packing(of, a, put_param, true, "std::span<std::byte> packed", to);
    sq_text_puts(to, ")\n{\n");
    put_size_checks(of, to);
    put_length(of, i, arena, to);
    sq_text_puts(to, "    if (packed.size() < ");
    put_packed_bytes(of, a, to);
    sq_text_printf(to, " || ::%s(", pack);
    sq_binding_packing(of, a, put_param, false, "packed.data()", to);
    sq_text_printf(to, ") != 0)\n        detail::refuse(\"%s: packed is too short, or misaligned\");\n}\n", pack);
    sq_arena_free(arena);
}

/* The call of a function with codes; sizes are accepted. */
static void put_call_with_codes(const sq_bound_kernel *of, sq_text *to)
{
    sq_text_printf(to, "    const int status = ::%s(", of->function);
    put_params(of, true, false, "", to);
    sq_text_puts(to, ");\n");
    if (of->k->plain)
        sq_text_printf(to,
                       "    if (status == 3)\n        detail::refuse(\"%s: what is packed is of another layout, of "
                       "other sizes, or misaligned\");\n",
                       of->function);
    sq_text_puts(to, "    if (status != 0)\n        throw std::bad_alloc();\n");
}

static void put_wrappers(const sq_bound_kernel *of, sq_text *to)
{
    for (int i = 0; i < of->k->nparams; i++)
        if (of->k->param[i].array && of->k->param[i].array->is_packed)
            put_packing(of, i, to);
    sq_text_printf(
        to,
        "\n/* Throws std::invalid_argument where sizes are not accepted, or a span has another "
        "length.%s\n",
        sq_emit_may_overlap(of->k) ? "" : "\n * What it writes must not overlap another array.");
    sq_ways_about(of->ways, of->k, " *", sq_emit_roles, to);
    sq_text_printf(to, " */\ninline void %s(", of->function);
    put_params(of, true, true, "", to);
    sq_text_puts(to, ")\n{\n");
    put_checks(of, to);
    if (of->has_codes) {
        put_call_with_codes(of, to);
    } else {
        sq_text_printf(to, "    ::%s(", of->function);
        put_params(of, true, false, "", to);
        sq_text_puts(to, ");\n");
    }
    sq_text_printf(to,
                   "}\n\n/* The same in `workspace`, of %s_workspace bytes or more. */\ninline "
                   "void %s_in(",
                   of->function, of->function);
    put_params(of, true, true, "std::span<std::byte> workspace", to);
    sq_text_puts(to, ")\n{\n");
    put_checks(of, to);
    sq_text_printf(to, "    if (workspace.size() < ::%s_workspace(", of->function);
    put_params(of, false, false, "", to);
    sq_text_printf(to, "))\n        detail::refuse(\"%s: workspace\");\n    if (::%s_in(",
                   of->function, of->function);
    put_params(of, true, false, "workspace.data()", to);
    sq_text_printf(to, "))\n        detail::refuse(\"%s_in\");\n}\n", of->function);
}

static void put_isa(const sq_bound_kernel *of, sq_text *to)
{
    const char *f = of->function;
    sq_text_printf(to,
                   "\n/* The target that %s uses, the best that this processor has. */\n"
                   "inline const char *%s_isa()\n{\n    return ::%s_isa();\n}\n",
                   f, f, f);
}

/* Files of several descriptions are included together. */
static const char helpers[] =
    "#ifndef SQUALL_BINDINGS\n#define SQUALL_BINDINGS\nnamespace squall::detail {\n"
    "[[noreturn]] inline void refuse(const std::string &why)\n{\n"
    "    throw std::invalid_argument(why);\n}\n\n"
    "inline void length(const char *name, std::size_t found, long long expected)\n{\n"
    "    if (found != static_cast<unsigned long long>(expected))\n"
    "        refuse(std::string(name) + \" has \" + std::to_string(found) + \" elements, not \" +\n"
    "               std::to_string(expected));\n}\n\n"
    "/* a / b towards minus infinity */\n"
    "constexpr long long floor_of(long long a, long long b)\n{\n"
    "    return a / b - (a % b < 0);\n}\n}\n#endif\n";

/* What functions of views take. */
static const char strided[] =
    "#ifndef SQUALL_STRIDED\n#define SQUALL_STRIDED\nnamespace squall {\n"
    "/* Elements of N dimensions where they lie: at is element 0; strides count elements. */\n"
    "template <class T, std::size_t N> struct strided {\n"
    "    T *at;\n    std::array<std::int64_t, N> extent, stride;\n\n"
    "    strided(T *where, const std::array<std::int64_t, N> &extents, const std::array<std::int64_t, N> &strides)\n"
    "        : at(where), extent(extents), stride(strides)\n    {\n    }\n"
    "    /* Row-major without gaps. */\n"
    "    strided(T *where, const std::array<std::int64_t, N> &extents) : at(where), extent(extents)\n    {\n"
    "        std::int64_t step = 1;\n"
    "        for (std::size_t i = N; i-- > 0; step *= extent[i])\n            stride[i] = step;\n    }\n"
    "    /* Of a std::mdspan, or what has the same members. */\n"
    "    template <class M>\n"
    "        requires(M::rank() == N) && requires(const M &m) { m.data_handle(), m.extent(0), m.stride(0); }\n"
    "    strided(const M &m) : at(m.data_handle())\n    {\n"
    "        for (std::size_t i = 0; i < N; i++) {\n"
    "            extent[i] = static_cast<std::int64_t>(m.extent(i));\n"
    "            stride[i] = static_cast<std::int64_t>(m.stride(i));\n        }\n    }\n"
    "    /* What may be written may be read. */\n"
    "    strided(const strided<std::remove_const_t<T>, N> &other)\n"
    "        requires std::is_const_v<T>\n"
    "        : at(other.at), extent(other.extent), stride(other.stride)\n    {\n    }\n\n"
    "    template <class C> C c_view() const\n    {\n"
    "        C c{};\n        c.at = at;\n"
    "        for (std::size_t i = 0; i < N; i++) {\n"
    "            c.extent[i] = extent[i];\n            c.stride[i] = stride[i];\n        }\n"
    "        return c;\n    }\n};\n\n"
    "namespace detail {\n"
    "inline void accepted(const char *name, int code, const char *(*error)(int))\n{\n"
    "    if (code == SQUALL_VIEWS_MEMORY)\n        throw std::bad_alloc();\n"
    "    if (code != 0)\n        refuse(std::string(name) + \": \" + error(code));\n"
    "}\n}\n}\n#endif\n";

static bool any_codes(const sq_bound_kernel *of, int n)
{
    bool any = false;
    for (int i = 0; i < n; i++)
        any |= of[i].has_codes;
    return any;
}

static void put(const sq_binding *b, const sq_bound_kernel *of, int n, sq_text *to)
{
    (void)b;
    sq_text_puts(to, "#pragma once\n#if __cplusplus < 202002L && !(defined(_MSVC_LANG) && "
                     "_MSVC_LANG >= 202002L)\n"
                     "#error \"this takes std::span: compile as C++20 or later\"\n#endif\n"
                     "#include <cstddef>\n#include <cstdint>\n#include <span>\n"
                     "#include <stdexcept>\n#include <string>\n");
    if (of->views)
        sq_text_puts(to, "#include <array>\n#include <new>\n#include <type_traits>\n");
    else if (any_codes(of, n))
        sq_text_puts(to, "#include <new>\n");
    sq_text_puts(to, "\n");
    for (int i = 0; i < n && of->views; i++)
        sq_views_types(of[i].k, to);
    sq_text_puts(to, "extern \"C\" {\n");
    for (int i = 0; i < n; i++) {
        put_prototypes(&of[i], to);
        if (of[i].has_isa)
            sq_text_printf(to, "const char *%s_isa(void);\n", of[i].function);
        if (of->views)
            put_view_prototypes(&of[i], to);
    }
    sq_text_printf(to, "}\n\n%s%s\nnamespace squall {\n", helpers, of->views ? strided : "");
    for (int i = 0; i < n; i++) {
        put_wrappers(&of[i], to);
        if (of[i].has_isa)
            put_isa(&of[i], to);
        if (of->views)
            put_view_wrappers(&of[i], to);
    }
    sq_text_puts(to, "}\n");
}

const sq_binding sq_binding_cpp = {.name = "C++",
                                   .suffix = ".hpp",
                                   .comment = "//",
                                   .is_word = is_word,
                                   .first_floor = "detail::floor_of(",
                                   .mid_floor = ", ",
                                   .either = "(@ ? 1 : 2)",
                                   .and = "&&",
                                   .widen = "static_cast<long long>(@)",
                                   .widen_size_t = "static_cast<long long>(@)",
                                   .suffix_of_number = "LL",
                                   .put = put};
