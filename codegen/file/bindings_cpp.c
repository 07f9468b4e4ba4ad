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

static const char *name_of(const sq_bound_kernel *of, const sq_param *p)
{
    return sq_binding_name(of, sq_param_name(p));
}

/* types: "std::span<const float> A", "int M"; else "A.data()", "M". */
static const char *param(const sq_bound_kernel *of, const sq_param *p, int types)
{
    const sq_array *a = p->array;
    const char *name = name_of(of, p);
    if (!types)
        return a ? sq_arena_printf(of->arena, "%s.data()", name) : name;
    if (a && a->is_packed)
        return sq_arena_printf(of->arena, "std::span<const std::byte> %s", name);
    if (a)
        return sq_arena_printf(of->arena, "std::span<%s%s> %s", a->role == SQ_IN ? "const " : "",
                               sq_type_ctype(a->type), name);
    return sq_arena_printf(of->arena, "%s %s", p->size ? sq_size_ctype(p->size) : sq_type_ctype(p->scalar->type),
                           name);
}

/* The arguments of a call, or of the sizes' functions. */
static const char *values(const sq_bound_kernel *of, bool all)
{
    return sq_binding_params(of, all, param, false, "");
}

/* "::gemm_packed_W_bytes(M, N)" */
static const char *packed_bytes(const sq_bound_kernel *of, const sq_array *a)
{
    return sq_arena_printf(of->arena, "::%s(%s)", sq_packed_bytes(of->function, a, of->arena), values(of, false));
}

static void put_prototypes(const sq_bound_kernel *of, sq_text *to)
{
    const char *f = of->function, *sizes = sq_emit_params(of->k, SQ_EMIT_FOREIGN, true, NULL, of->arena);
    sq_text_printf(to, "%1$s %2$s(%3$s);\nstd::size_t %2$s_workspace(%4$s);\nint %2$s_in(%5$s);\n",
                   of->has_codes ? "int" : "void", f, sq_emit_params(of->k, SQ_EMIT_FOREIGN, false, NULL, of->arena),
                   sizes, sq_emit_params(of->k, SQ_EMIT_FOREIGN, false, "void *", of->arena));
    if (sq_function_accepts(of->k))
        sq_text_printf(to, "int %s_accepts(%s);\n", f, sizes);
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_array *a = of->k->param[i].array;
        if (!a || !a->is_packed)
            continue;
        const char *more = sq_arena_printf(of->arena, "const %s *, void *", sq_type_ctype(a->type));
        sq_text_printf(to, "std::size_t %s(%s);\nint %s(%s);\n", sq_packed_bytes(f, a, of->arena), sizes,
                       sq_packed_function(f, a, of->arena),
                       sq_emit_params(of->k, SQ_EMIT_FOREIGN, true, more, of->arena));
    }
}

/* A view in a list: "strided<const float, 2> A", or as C has it. */
static const char *view(const sq_bound_kernel *of, const sq_param *p, int types)
{
    const sq_array *a = p->array;
    if (!a)
        return param(of, p, types);
    if (types)
        return sq_arena_printf(of->arena, "const strided<%s%s, %d> &%s", a->role == SQ_IN ? "const " : "",
                               sq_type_ctype(a->type), a->ndim, name_of(of, p));
    return sq_arena_printf(of->arena, "%s.c_view<%s>()", name_of(of, p), sq_views_type(a, of->arena));
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

static void put_view_wrappers(const sq_bound_kernel *of, sq_text *to)
{
    static const char workspace[] = "std::span<std::byte> workspace";
    sq_text_printf(to,
                   "\n/* %1$s of arrays with strides. Throws std::invalid_argument where views are refused,\n"
                   " * std::bad_alloc where there is no memory for copies. */\n"
                   "inline void %1$s_views(%2$s)\n{\n"
                   "    detail::accepted(\"%1$s_views\", ::%1$s_views(%3$s), ::%1$s_views_error);\n}\n\n"
                   "inline std::size_t %1$s_views_workspace(%4$s)\n{\n    return ::%1$s_views_workspace(%5$s);\n}\n\n"
                   "/* The same in `workspace`, of %1$s_views_workspace bytes or more. */\n"
                   "inline void %1$s_views_in(%6$s)\n{\n"
                   "    if (workspace.size() < ::%1$s_views_workspace(%5$s))\n"
                   "        detail::refuse(\"%1$s_views_in: workspace\");\n"
                   "    detail::accepted(\"%1$s_views_in\", ::%1$s_views_in(%7$s), ::%1$s_views_error);\n}\n",
                   of->function, sq_binding_views(of, true, view, true, ""),
                   sq_binding_views(of, true, view, false, ""), sq_binding_views(of, false, view, true, ""),
                   sq_binding_views(of, false, view, false, ""), sq_binding_views(of, true, view, true, workspace),
                   sq_binding_views(of, true, view, false, "workspace.data()"));
}

static void put_size_checks(const sq_bound_kernel *of, sq_text *to)
{
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_param *p = &of->k->param[i];
        if (p->size && sq_param_shown(p) && !p->size->is_size_t)
            sq_text_printf(to, "    if (%s < 0)\n        detail::refuse(\"%s: %s is negative\");\n", name_of(of, p),
                           of->function, p->size->name);
    }
    if (sq_function_accepts(of->k))
        sq_text_printf(to,
                       "    if (!::%1$s_accepts(%2$s))\n"
                       "        detail::refuse(\"%1$s: sizes that it does not accept\");\n",
                       of->function, values(of, false));
}

/* The test that parameter i has the length of its shape. */
static void put_length(const sq_bound_kernel *of, int i, sq_text *to)
{
    const sq_param *p = &of->k->param[i];
    sq_text_printf(to, "    detail::length(\"%s: %s\", %s.size(), %s);\n", of->function, p->array->name,
                   name_of(of, p), p->array->ndim ? sq_binding_extents(of, i, " * ") : "1");
}

static void put_checks(const sq_bound_kernel *of, sq_text *to)
{
    put_size_checks(of, to);
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_array *a = of->k->param[i].array;
        if (!a)
            continue;
        const char *name = name_of(of, &of->k->param[i]);
        if (a->is_packed) {
            sq_text_printf(to, "    if (%s.size() < %s)\n        detail::refuse(\"%s: %s is too short\");\n", name,
                           packed_bytes(of, a), of->function, a->name);
            continue;
        }
        put_length(of, i, to);
        if (a->align)
            sq_text_printf(to,
                           "    if (reinterpret_cast<std::uintptr_t>(%1$s.data()) %% %2$d != 0)\n"
                           "        detail::refuse(\"%3$s: %4$s begins at no multiple of %2$d bytes\");\n",
                           name, a->align, of->function, a->name);
    }
}

/* Functions that pack. */
static void put_packing(const sq_bound_kernel *of, int i, sq_text *to)
{
    const sq_array *a = of->k->param[i].array;
    const char *pack = sq_packed_function(of->function, a, of->arena), *bytes = packed_bytes(of, a);
    sq_text_printf(to,
                   "\n/* Bytes that %1$s takes packed. */\ninline std::size_t %2$s(%3$s)\n{\n    return %4$s;\n}\n\n"
                   "/* Packs %1$s for %5$s, into as many bytes or more that begin at a multiple of 64. Throws as "
                   "it does. */\ninline void %6$s(%7$s)\n{\n",
                   a->name, sq_packed_bytes(of->function, a, of->arena),
                   sq_binding_params(of, false, param, true, ""), bytes, of->function, pack,
                   sq_binding_packing(of, a, param, true, "std::span<std::byte> packed"));
    put_size_checks(of, to);
    put_length(of, i, to);
    sq_text_printf(to,
                   "    if (packed.size() < %1$s || ::%2$s(%3$s) != 0)\n"
                   "        detail::refuse(\"%2$s: packed is too short, or misaligned\");\n}\n",
                   bytes, pack, sq_binding_packing(of, a, param, false, "packed.data()"));
}

/* The call of the function; sizes are accepted. */
static void put_call(const sq_bound_kernel *of, sq_text *to)
{
    sq_text_printf(to, "    %s::%s(%s);\n", of->has_codes ? "const int status = " : "", of->function,
                   values(of, true));
    if (of->has_codes && of->k->plain)
        sq_text_printf(to,
                       "    if (status == 3)\n        detail::refuse(\"%s: what is packed is of another layout, of "
                       "other sizes, or misaligned\");\n",
                       of->function);
    sq_text_puts(to, of->has_codes ? "    if (status != 0)\n        throw std::bad_alloc();\n" : "");
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
    sq_text_printf(to, " */\ninline void %s(%s)\n{\n", of->function, sq_binding_params(of, true, param, true, ""));
    put_checks(of, to);
    put_call(of, to);
    sq_text_printf(to,
                   "}\n\n/* The same in `workspace`, of %1$s_workspace bytes or more. */\ninline "
                   "void %1$s_in(%2$s)\n{\n",
                   of->function, sq_binding_params(of, true, param, true, "std::span<std::byte> workspace"));
    put_checks(of, to);
    sq_text_printf(to,
                   "    if (workspace.size() < ::%1$s_workspace(%2$s))\n        detail::refuse(\"%1$s: workspace\");\n"
                   "    if (::%1$s_in(%3$s))\n        detail::refuse(\"%1$s_in\");\n}\n",
                   of->function, values(of, false), sq_binding_params(of, true, param, false, "workspace.data()"));
}

static void put_isa(const sq_bound_kernel *of, sq_text *to)
{
    sq_text_printf(to,
                   "\n/* The target that %1$s uses, the best that this processor has. */\n"
                   "inline const char *%1$s_isa()\n{\n    return ::%1$s_isa();\n}\n",
                   of->function);
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

static void put(const sq_bound_kernel *of, int n, sq_text *to)
{
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
