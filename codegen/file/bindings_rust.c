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

static void put_param(const sq_bound_kernel *of, const sq_param *p, int as, sq_arena *arena, sq_text *to)
{
    bool writes = p->array && p->array->role != SQ_IN;
    const char *name = sq_binding_name(&sq_binding_rust, of->k, sq_param_name(p), arena);
    bool is_size_t = p->size && p->size->is_size_t;
    const char *type = is_size_t ? "usize"
                                 : element(p->size     ? p->size->type
                                           : p->scalar ? p->scalar->type
                                                       : p->array->type);
    bool packed = p->array && p->array->is_packed;
    sq_text_puts(to, name);
    if (packed && as == VALUES)
        sq_text_puts(to, ".as_ptr().cast()");
    else if (packed)
        sq_text_puts(to, as == SLICES ? ": &[u8]" : ": *const core::ffi::c_void");
    else if (as == VIEWS && p->array)
        sq_text_printf(to, ": %s", sq_views_type(p->array, arena));
    else if (as == VALUES && p->array)
        sq_text_puts(to, writes ? ".as_mut_ptr()" : ".as_ptr()");
    else if (as == SLICES && p->array)
        sq_text_printf(to, ": &%s[%s]", writes ? "mut " : "", type);
    else if (as == TYPES && p->array)
        sq_text_printf(to, ": *%s %s", writes ? "mut" : "const", type);
    else if (as != VALUES)
        sq_text_printf(to, ": %s", type);
}

/* "M: i32, A: *const f32", or the sizes among them; more: what follows, as a list's last part. */
static void put_params(const sq_bound_kernel *of, bool all, form as, const char *more, sq_text *to)
{
    sq_binding_params(of, all, put_param, as, more, to);
}

/* One of the structs that K_views takes. */
static void put_view(const sq_array *a, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    sq_text_printf(to,
                   "    #[repr(C)]\n    #[derive(Clone, Copy)]\n    #[allow(non_camel_case_types)]\n"
                   "    pub struct %s {\n        pub at: *%s %s,\n        pub extent: [i64; %d],\n"
                   "        pub stride: [i64; %d],\n    }\n",
                   sq_views_type(a, arena), a->role == SQ_IN ? "const" : "mut", element(a->type), a->ndim, a->ndim);
    sq_arena_free(arena);
}

static void put_views(const sq_bound_kernel *of, sq_text *to)
{
    static const char status[] = ") -> core::ffi::c_int;\n";
    sq_text_printf(to, "        pub fn %s_views(", of->function);
    sq_binding_views(of, true, put_param, VIEWS, "", to);
    sq_text_printf(to, "%s        pub fn %s_views_workspace(", status, of->function);
    sq_binding_views(of, false, put_param, VIEWS, "", to);
    sq_text_printf(to, ") -> usize;\n        pub fn %s_views_in(", of->function);
    sq_binding_views(of, true, put_param, VIEWS, "workspace: *mut core::ffi::c_void", to);
    sq_text_printf(to, "%s        pub fn %s_views_error(code: core::ffi::c_int) -> *const core::ffi::c_char;\n", status,
                   of->function);
}

/* The functions that pack an array. */
static void put_packing_foreign(const sq_bound_kernel *of, const sq_array *a, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    sq_text_printf(to, "        pub fn %s(", sq_packed_bytes(of->function, a, arena));
    put_params(of, false, TYPES, "", to);
    sq_text_printf(to, ") -> usize;\n        pub fn %s(", sq_packed_function(of->function, a, arena));
    sq_binding_packing(of, a, put_param, TYPES, "to: *mut core::ffi::c_void", to);
    sq_text_puts(to, ") -> core::ffi::c_int;\n");
    sq_arena_free(arena);
}

static void put_foreign(const sq_bound_kernel *of, sq_text *to)
{
    if (strcmp(of->name, of->function) != 0)
        sq_text_printf(to, "        #[link_name = \"%s\"]\n", of->function);
    sq_text_printf(to, "        pub fn %s(", of->name);
    put_params(of, true, TYPES, "", to);
    sq_text_printf(to, ")%s;\n        pub fn %s_workspace(", of->has_codes ? " -> core::ffi::c_int" : "", of->function);
    put_params(of, false, TYPES, "", to);
    sq_text_puts(to, ") -> usize;\n");
    if (sq_function_accepts(of->k)) {
        sq_text_printf(to, "        pub fn %s_accepts(", of->function);
        put_params(of, false, TYPES, "", to);
        sq_text_puts(to, ") -> core::ffi::c_int;\n");
    }
    sq_text_printf(to, "        pub fn %s_in(", of->function);
    put_params(of, true, TYPES, "workspace: *mut core::ffi::c_void", to);
    sq_text_puts(to, ") -> core::ffi::c_int;\n");
    for (int i = 0; i < of->k->nparams; i++)
        if (of->k->param[i].array && of->k->param[i].array->is_packed)
            put_packing_foreign(of, of->k->param[i].array, to);
    if (of->has_isa)
        sq_text_printf(to, "        pub fn %s_isa() -> *const core::ffi::c_char;\n", of->function);
    if (of->views)
        put_views(of, to);
}

/* Panics where the C function would do nothing. */
static void put_size_checks(const sq_bound_kernel *of, sq_arena *arena, sq_text *to)
{
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_param *p = &of->k->param[i];
        const char *name = sq_binding_name(&sq_binding_rust, of->k, sq_param_name(p), arena);
        if (p->size && sq_param_shown(p) && !p->size->is_size_t)
            sq_text_printf(to, "    assert!(%s >= 0, \"%s: %s is {}\", %s);\n", name, of->function,
                           name, name);
    }
    if (sq_function_accepts(of->k)) {
        sq_text_printf(to, "    assert!(unsafe { ffi::%s_accepts(", of->function);
        put_params(of, false, VALUES, "", to);
        sq_text_printf(to, ") } != 0, \"%s: sizes that it does not accept\");\n", of->function);
    }
}

/* Panics where the C function would leave the slice that is parameter i. */
static void put_length(const sq_bound_kernel *of, int i, sq_arena *arena, sq_text *to)
{
    const sq_array *a = of->k->param[i].array;
    const char *name = sq_binding_name(&sq_binding_rust, of->k, a->name, arena);
    sq_text_printf(to, "    assert_eq!(%s.len() as i128, ", name);
    sq_binding_extents(&sq_binding_rust, of, i, " * ", to);
    sq_text_printf(to, "%s, \"%s: elements of %s\");\n", a->ndim ? "" : "1", of->function, name);
}

/* The same of `name`, which holds array a packed. */
static void put_packed_length(const sq_bound_kernel *of, const sq_array *a, const char *name, sq_arena *arena,
                              sq_text *to)
{
    sq_text_printf(to, "    assert!(%s.len() >= unsafe { ffi::%s(", name, sq_packed_bytes(of->function, a, arena));
    put_params(of, false, VALUES, "", to);
    sq_text_printf(to, ") }, \"%s: bytes of %s\");\n", of->function, name);
}

static void put_checks(const sq_bound_kernel *of, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    put_size_checks(of, arena, to);
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_array *a = of->k->param[i].array;
        if (!a)
            continue;
        const char *name = sq_binding_name(&sq_binding_rust, of->k, a->name, arena);
        if (a->is_packed)
            put_packed_length(of, a, name, arena, to);
        else
            put_length(of, i, arena, to);
        if (a->align)
            sq_text_printf(to,
                           "    assert!(%s.is_empty() || %s.as_ptr() as usize & %d == 0, \"%s: %s begins at no "
                           "multiple of %d bytes\");\n",
                           name, name, a->align - 1, of->function, name, a->align);
    }
    sq_arena_free(arena);
}

/* The function that packs parameter i. */
static void put_packing(const sq_bound_kernel *of, int i, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    const sq_array *a = of->k->param[i].array;
    const char *pack = sq_packed_function(of->function, a, arena), *bytes = sq_packed_bytes(of->function, a, arena);
    sq_text_printf(to,
                   "\n/// Packs %s for `%s`, once for all calls, into `ffi::%s` bytes or more that begin at a\n"
                   "/// multiple of 64. Panics as it does.\n"
                   "#[allow(non_snake_case, dead_code, clippy::too_many_arguments)]\npub fn %s(",
                   a->name, of->function, bytes, pack);
    sq_binding_packing(of, a, put_param, SLICES, "packed: &mut [u8]", to);
    sq_text_puts(to, ") {\n");
    put_size_checks(of, arena, to);
    put_length(of, i, arena, to);
    put_packed_length(of, a, "packed", arena, to);
    sq_text_printf(to, "    let status = unsafe { ffi::%s(", pack);
    sq_binding_packing(of, a, put_param, VALUES, "packed.as_mut_ptr().cast()", to);
    sq_text_printf(to, ") };\n    assert_eq!(status, 0, \"%s: packed is misaligned\");\n}\n", pack);
    sq_arena_free(arena);
}

/* "#[allow(...)] pub fn gemm(M: i32, A: &[f32]) {" and the checks. */
static void put_begin(const sq_bound_kernel *of, const char *name, const char *suffix, const char *more,
                      sq_text *to)
{
    sq_text_printf(to,
                   "#[allow(non_snake_case, dead_code, clippy::too_many_arguments%s)]\n"
                   "pub fn %s%s(",
                   of->ways ? ", unused_parens" : "", name, suffix); /* lengths by constants have some */
    put_params(of, true, SLICES, more, to);
    sq_text_puts(to, ") {\n");
    put_checks(of, to);
}

static void put_safe(const sq_bound_kernel *of, sq_text *to)
{
    sq_text roles = {0};
    sq_ways_about(of->ways, of->k, "///", sq_emit_roles, &roles);
    sq_text_puts(to, "\n/// Panics where sizes are not accepted, or a slice has another length.\n");
    if (roles.n)
        sq_text_printf(to, "/// ```text\n%s/// ```\n", sq_text_str(&roles));
    sq_text_free(&roles);
    put_begin(of, of->name, "", "", to);
    sq_text_printf(to, of->has_codes ? "    let status = unsafe { ffi::%s(" : "    unsafe { ffi::%s(", of->name);
    put_params(of, true, VALUES, "", to);
    if (of->has_codes)
        sq_text_printf(to, ") };\n    assert_eq!(status, 0, \"%s: %s\"", of->function,
                       of->k->plain ? "what is packed is of another layout, of other sizes, or misaligned"
                                    : "no memory to work in");
    sq_text_puts(to, of->has_codes ? ");\n}\n" : ") }\n}\n");
    sq_text_printf(to, "\n/// The same in `workspace`, of `ffi::%s_workspace` bytes or more.\n",
                   of->function);
    put_begin(of, of->function, "_in", "workspace: &mut [u8]", to);
    sq_text_printf(to, "    assert!(workspace.len() >= unsafe { ffi::%s_workspace(", of->function);
    put_params(of, false, VALUES, "", to);
    sq_text_printf(to, ") }, \"%s: workspace\");\n    let status = unsafe { ffi::%s_in(",
                   of->function, of->function);
    put_params(of, true, VALUES, "workspace.as_mut_ptr().cast()", to);
    sq_text_printf(to, ") };\n    assert_eq!(status, 0, \"%s_in\");\n}\n", of->function);
}

static void put_isa(const sq_bound_kernel *of, sq_text *to)
{
    const char *f = of->function;
    sq_text_printf(to,
                   "\n/// The target that `%s` uses, the best that this processor has.\n"
                   "#[allow(non_snake_case, dead_code)]\n"
                   "pub fn %s_isa() -> &'static str {\n"
                   "    unsafe { core::ffi::CStr::from_ptr(ffi::%s_isa()) }.to_str().unwrap()\n}\n",
                   of->name, f, f);
}

static void put(const sq_binding *b, const sq_bound_kernel *of, int n, sq_text *to)
{
    (void)b;
    sq_text_puts(to,
                 "/// As C has them: pointers, and nothing is checked.\n"
                 "#[allow(non_snake_case, dead_code)]\npub mod ffi {\n");
    for (int i = 0; i < n; i++)
        for (int p = 0; p < of[i].k->nparams && of[i].views; p++)
            if (sq_binding_is_new(of, i, &of[i].k->param[p]))
                put_view(of[i].k->param[p].array, to);
    sq_text_puts(to, "    unsafe extern \"C\" {\n");
    for (int i = 0; i < n; i++)
        put_foreign(&of[i], to);
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
