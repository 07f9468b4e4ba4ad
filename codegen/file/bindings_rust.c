/* Bindings for Rust (1.82 and later, any edition): the functions in a module of their own, and safe ones
 * that take slices. */
#include "codegen/emit.h"
#include "codegen/file/bindings.h"
#include "codegen/file/function.h"
#include "codegen/file/packed.h"
#include "codegen/file/views.h"
#include <string.h>

// clang-format off
static const char *const words[] = {
    "Err", "None", "Ok", "Self", "Some", "_", "abstract", "as", "async", "await", "become", "box", "break",
    "const", "continue", "crate", "do", "dyn", "else", "enum", "extern", "false", "ffi", "final", "fn", "for",
    "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv",
    "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "workspace", "yield", NULL};
// clang-format on

static bool is_word(const char *name)
{
    return sq_binding_listed(words, name);
}

/* What stands in a parameter list. */
typedef enum form { TYPES, SLICES, VALUES, VIEWS } form;

static const char *element(sq_type t)
{
    return sq_type_stored(t) ? "u16" : sq_type_suffix(t);
}

static const char *name_of(const sq_bound_kernel *of, const sq_param *p)
{
    return sq_binding_name(of, sq_param_name(p));
}

/* The name of a function of the kernel. */
static const char *named(const sq_bound_kernel *of, const char *suffix)
{
    return sq_arena_printf(of->arena, "%s%s", of->function, suffix);
}

/* What stands behind the name of a parameter. */
static const char *behind(const sq_bound_kernel *of, const sq_param *p, form as)
{
    const sq_array *a = p->array;
    bool writes = a && a->role != SQ_IN;
    if (a && a->is_packed)
        return as == VALUES   ? ".as_ptr().cast()"
               : as == SLICES ? ": &[u8]"
                              : ": *const core::ffi::c_void";
    if (as == VALUES)
        return !a ? "" : writes ? ".as_mut_ptr()" : ".as_ptr()";
    if (a && as == VIEWS)
        return sq_arena_printf(of->arena, ": %s", sq_views_type(a, of->arena));
    if (a && as == SLICES)
        return sq_arena_printf(of->arena, ": &%s[%s]", writes ? "mut " : "", element(a->type));
    if (a)
        return sq_arena_printf(of->arena, ": *%s %s", writes ? "mut" : "const", element(a->type));
    bool is_size_t = p->size && p->size->is_size_t;
    return sq_arena_printf(of->arena, ": %s",
                           is_size_t ? "usize" : element(p->size ? p->size->type : p->scalar->type));
}

static const char *param(const sq_bound_kernel *of, const sq_param *p, int as)
{
    return sq_arena_printf(of->arena, "%s%s", name_of(of, p), behind(of, p, as));
}

/* "M: i32, A: *const f32", or the sizes among them. */
static const char *params(const sq_bound_kernel *of, bool all, form as)
{
    return sq_binding_params(of, all, param, as, "");
}

/* One of the structs that K_views takes. */
static void put_view(const sq_bound_kernel *of, const sq_array *a, sq_text *to)
{
    sq_text_printf(to,
                   "    #[repr(C)]\n    #[derive(Clone, Copy)]\n    #[allow(non_camel_case_types)]\n"
                   "    pub struct %1$s {\n        pub at: *%2$s %3$s,\n        pub extent: [i64; %4$d],\n"
                   "        pub stride: [i64; %4$d],\n    }\n",
                   sq_views_type(a, of->arena), a->role == SQ_IN ? "const" : "mut", element(a->type), a->ndim);
}

/* A function of the module ffi. */
static void put_foreign(const char *name, const char *params, const char *result, sq_text *to)
{
    sq_text_printf(to, "        pub fn %s(%s)%s;\n", name, params, result);
}

static void put_all_foreign(const sq_bound_kernel *of, sq_text *to)
{
    static const char size[] = " -> usize", status[] = " -> core::ffi::c_int", text[] = " -> *const core::ffi::c_char",
                      workspace[] = "workspace: *mut core::ffi::c_void";
    const char *sizes = params(of, false, TYPES);
    if (strcmp(of->name, of->function) != 0)
        sq_text_printf(to, "        #[link_name = \"%s\"]\n", of->function);
    put_foreign(of->name, params(of, true, TYPES), of->has_codes ? status : "", to);
    put_foreign(named(of, "_workspace"), sizes, size, to);
    if (sq_function_accepts(of->k))
        put_foreign(named(of, "_accepts"), sizes, status, to);
    put_foreign(named(of, "_in"), sq_binding_params(of, true, param, TYPES, workspace), status, to);
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_array *a = of->k->param[i].array;
        if (!a || !a->is_packed)
            continue;
        put_foreign(sq_packed_bytes(of->function, a, of->arena), sizes, size, to);
        put_foreign(sq_packed_function(of->function, a, of->arena),
                    sq_binding_packing(of, a, param, TYPES, "to: *mut core::ffi::c_void"), status, to);
    }
    if (of->has_isa)
        put_foreign(named(of, "_isa"), "", text, to);
    if (!of->views)
        return;
    put_foreign(named(of, "_views"), sq_binding_views(of, true, param, VIEWS, ""), status, to);
    put_foreign(named(of, "_views_workspace"), sq_binding_views(of, false, param, VIEWS, ""), size, to);
    put_foreign(named(of, "_views_in"), sq_binding_views(of, true, param, VIEWS, workspace), status, to);
    put_foreign(named(of, "_views_error"), "code: core::ffi::c_int", text, to);
}

/* Panics where the C function would do nothing. */
static void put_size_checks(const sq_bound_kernel *of, sq_text *to)
{
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_param *p = &of->k->param[i];
        if (p->size && sq_param_shown(p) && !p->size->is_size_t)
            sq_text_printf(to, "    assert!(%1$s >= 0, \"%2$s: %1$s is {}\", %1$s);\n", name_of(of, p), of->function);
    }
    if (sq_function_accepts(of->k))
        sq_text_printf(to,
                       "    assert!(unsafe { ffi::%1$s_accepts(%2$s) } != 0, "
                       "\"%1$s: sizes that it does not accept\");\n",
                       of->function, params(of, false, VALUES));
}

/* Panics where the C function would leave the slice that is parameter i. */
static void put_length(const sq_bound_kernel *of, int i, sq_text *to)
{
    sq_text_printf(to, "    assert_eq!(%1$s.len() as i128, %2$s, \"%3$s: elements of %1$s\");\n",
                   name_of(of, &of->k->param[i]),
                   of->k->param[i].array->ndim ? sq_binding_extents(of, i, " * ") : "1", of->function);
}

/* The same of `name`, which holds array a packed. */
static void put_packed_length(const sq_bound_kernel *of, const sq_array *a, const char *name, sq_text *to)
{
    sq_text_printf(to, "    assert!(%1$s.len() >= unsafe { ffi::%2$s(%3$s) }, \"%4$s: bytes of %1$s\");\n", name,
                   sq_packed_bytes(of->function, a, of->arena), params(of, false, VALUES), of->function);
}

static void put_checks(const sq_bound_kernel *of, sq_text *to)
{
    put_size_checks(of, to);
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_array *a = of->k->param[i].array;
        if (!a)
            continue;
        const char *name = name_of(of, &of->k->param[i]);
        if (a->is_packed)
            put_packed_length(of, a, name, to);
        else
            put_length(of, i, to);
        if (a->align)
            sq_text_printf(to,
                           "    assert!(%1$s.is_empty() || %1$s.as_ptr() as usize & %2$d == 0, \"%3$s: %1$s begins at "
                           "no multiple of %4$d bytes\");\n",
                           name, a->align - 1, of->function, a->align);
    }
}

/* The function that packs parameter i. */
static void put_packing(const sq_bound_kernel *of, int i, sq_text *to)
{
    const sq_array *a = of->k->param[i].array;
    const char *pack = sq_packed_function(of->function, a, of->arena);
    sq_text_printf(to,
                   "\n/// Packs %s for `%s`, once for all calls, into `ffi::%s` bytes or more that begin at a\n"
                   "/// multiple of 64. Panics as it does.\n"
                   "#[allow(non_snake_case, dead_code, clippy::too_many_arguments)]\npub fn %s(%s) {\n",
                   a->name, of->function, sq_packed_bytes(of->function, a, of->arena), pack,
                   sq_binding_packing(of, a, param, SLICES, "packed: &mut [u8]"));
    put_size_checks(of, to);
    put_length(of, i, to);
    put_packed_length(of, a, "packed", to);
    sq_text_printf(to,
                   "    let status = unsafe { ffi::%1$s(%2$s) };\n"
                   "    assert_eq!(status, 0, \"%1$s: packed is misaligned\");\n}\n",
                   pack, sq_binding_packing(of, a, param, VALUES, "packed.as_mut_ptr().cast()"));
}

/* "#[allow(...)] pub fn gemm(M: i32, A: &[f32]) {" and the checks. */
static void put_begin(const sq_bound_kernel *of, const char *name, const char *more, sq_text *to)
{
    sq_text_printf(to,
                   "#[allow(non_snake_case, dead_code, clippy::too_many_arguments%s)]\n"
                   "pub fn %s(%s) {\n",
                   of->ways ? ", unused_parens" : "", /* lengths by constants have some */
                   name, sq_binding_params(of, true, param, SLICES, more));
    put_checks(of, to);
}

static void put_safe(const sq_bound_kernel *of, sq_text *to)
{
    const char *all = params(of, true, VALUES);
    sq_text roles = {0};
    sq_ways_about(of->ways, of->k, "///", sq_emit_roles, &roles);
    sq_text_puts(to, "\n/// Panics where sizes are not accepted, or a slice has another length.\n");
    if (roles.n)
        sq_text_printf(to, "/// ```text\n%s/// ```\n", sq_text_str(&roles));
    sq_text_free(&roles);
    put_begin(of, of->name, "", to);
    if (of->has_codes)
        sq_text_printf(to, "    let status = unsafe { ffi::%s(%s) };\n    assert_eq!(status, 0, \"%s: %s\");\n}\n",
                       of->name, all, of->function,
                       of->k->plain ? "what is packed is of another layout, of other sizes, or misaligned"
                                    : "no memory to work in");
    else
        sq_text_printf(to, "    unsafe { ffi::%s(%s) }\n}\n", of->name, all);
    sq_text_printf(to, "\n/// The same in `workspace`, of `ffi::%s_workspace` bytes or more.\n", of->function);
    put_begin(of, named(of, "_in"), "workspace: &mut [u8]", to);
    sq_text_printf(to,
                   "    assert!(workspace.len() >= unsafe { ffi::%1$s_workspace(%2$s) }, \"%1$s: workspace\");\n"
                   "    let status = unsafe { ffi::%1$s_in(%3$s) };\n    assert_eq!(status, 0, \"%1$s_in\");\n}\n",
                   of->function, params(of, false, VALUES),
                   sq_binding_params(of, true, param, VALUES, "workspace.as_mut_ptr().cast()"));
}

static void put_isa(const sq_bound_kernel *of, sq_text *to)
{
    sq_text_printf(to,
                   "\n/// The target that `%1$s` uses, the best that this processor has.\n"
                   "#[allow(non_snake_case, dead_code)]\n"
                   "pub fn %2$s_isa() -> &'static str {\n"
                   "    unsafe { core::ffi::CStr::from_ptr(ffi::%2$s_isa()) }.to_str().unwrap()\n}\n",
                   of->name, of->function);
}

static void put(const sq_bound_kernel *of, int n, sq_text *to)
{
    sq_text_puts(to,
                 "/// As C has them: pointers, and nothing is checked.\n"
                 "#[allow(non_snake_case, dead_code)]\npub mod ffi {\n");
    for (int i = 0; i < n; i++)
        for (int p = 0; p < of[i].k->nparams && of[i].views; p++)
            if (sq_binding_is_new(of, i, &of[i].k->param[p]))
                put_view(&of[i], of[i].k->param[p].array, to);
    sq_text_puts(to, "    unsafe extern \"C\" {\n");
    for (int i = 0; i < n; i++)
        put_all_foreign(&of[i], to);
    sq_text_puts(to, "    }\n}\n");
    for (int i = 0; i < n; i++) {
        for (int p = 0; p < of[i].k->nparams; p++)
            if (of[i].k->param[p].array && of[i].k->param[p].array->is_packed)
                put_packing(&of[i], p, to);
        put_safe(&of[i], to);
        if (of[i].has_isa)
            put_isa(&of[i], to);
    }
}

const sq_binding sq_binding_rust = {.name = "Rust",
                                    .suffix = ".rs",
                                    .comment = "//",
                                    .is_word = is_word,
                                    .first_floor = "(",
                                    .mid_floor = ").div_euclid(",
                                    .either = "(if @ { 1 } else { 2 })",
                                    .and = "&&",
                                    .widen = "i128::from(@)",
                                    .widen_size_t = "(@ as i128)",
                                    .suffix_of_number = "",
                                    .put = put};
