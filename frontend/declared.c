/* Declared: what stands around the names of a kernel beside their types: attributes, storage
 * classes, forms of parameter lists. What the emitted text would not keep is refused; names that it
 * could not have, too; a parameter that nothing uses is warned of. */
#include "frontend/scop_build.h"
#include "support/words.h"
#include <string.h>

/* ---- names --------------------------------------------------------------------------------- */

/* Functions and macros of the emitted text are written so, until they get the kernel's name. */
static bool is_ours(const char *name)
{
    return strncmp(name, "sq_", 3) == 0 || strncmp(name, "SQ_", 3) == 0;
}

/* Types and constants of the emitted text, and of the header that it includes: a parameter of the same name
 * would hide the type, and a constant would stand in the place of the parameter. */
static bool is_word(const char *name)
{
    static const char words[] =
        " size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t "
        "uintptr_t NULL INT64_C UINT64_C INT8_MIN INT8_MAX INT16_MIN INT16_MAX INT32_MIN "
        "INT32_MAX INT64_MIN INT64_MAX UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX SIZE_MAX "
        "PTRDIFF_MIN PTRDIFF_MAX INTPTR_MIN INTPTR_MAX UINTPTR_MAX INFINITY NAN ";
    return sq_is_word_of(words, name);
}

/* Names that the emitted text uses itself wherever a parameter or a temporary would hide them. */
static bool is_used(const char *name)
{
    static const char used[] =
        " memcpy memset malloc calloc realloc aligned_alloc free abort stderr typeof asm ";
    return is_word(name) || sq_is_word_of(used, name) || is_ours(name) ||
           strncmp(name, "omp_", 4) == 0 || strncmp(name, "__", 2) == 0 ||
           (name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z');
}

/* Of functions: the program's own would be called in the runtime's place. */
static bool is_of_runtime(const char *name)
{
    static const char *const front[] = {"omp_", "ompt_", "GOMP_",   "GOACC_",
                                        "kmp_", "kmpc_", "pthread_"};
    for (size_t i = 0; i < sizeof front / sizeof *front; i++)
        if (strncmp(name, front[i], strlen(front[i])) == 0)
            return true;
    return false;
}

const char *sq_function_name_refused(const char *name)
{
    if (is_of_runtime(name))
        return "begins like the functions of the runtimes of OpenMP and of threads";
    if (strcmp(name, "std") == 0)
        return "is the namespace of C++'s library: C++ could not read the header";
    if (sq_name_reserved(name))
        return "is a name of the C library";
    if (sq_is_macro_word(name))
        return "is a macro of compilers or of the C library, which whoever calls the kernel may "
               "have";
    if (sq_is_cpp_word(name))
        return "is a word of C++, which could not read the header";
    if (name[0] == '_')
        return "begins with an underscore, as what belongs to the compiler outside of functions";
    if (is_used(name))
        return "is a name that the emitted text, the C library or the compiler has for itself";
    return NULL;
}

/* Python and Rust know no $: two names would become one there. */
static int refuse_dollar(sq_builder *b, sq_loc at, const char *name)
{
    return sq_error(
        b->r.d, SQ_FAULT_INPUT, at,
        "'%s' has a $, which other languages and some compilers do not take; accepted are names of "
        "letters, digits and _",
        name);
}

static int check_kernel_name(sq_builder *b)
{
    if (strchr(b->k->name, '$'))
        return refuse_dollar(b, b->k->loc, b->k->name);
    const char *why = sq_function_name_refused(b->k->name);
    if (!why)
        return 0;
    return sq_error(b->r.d, SQ_FAULT_INPUT, b->k->loc, "'%s' %s; call the kernel something else",
                    b->k->name, why);
}

/* What `squall check` writes around a function with a kernel's parameters is called so. */
static bool is_of_check(const char *name)
{
    return strncmp(name, "squall_", 7) == 0;
}

/* What a region calls its variables is looked at less closely: it is somebody's program already. */
int sq_declared_name(sq_builder *b, CXCursor decl)
{
    const char *name = sq_cursor_spelling(&b->r, decl);
    if (!*name)
        return sq_refuse(b, decl, "a parameter needs a name");
    if (!b->scop && strchr(name, '$'))
        return refuse_dollar(b, sq_cursor_loc(&b->r, decl), name);
    bool is_taken = b->scop ? is_ours(name) || is_word(name) : is_used(name) || is_of_check(name);
    if (!is_taken)
        return 0;
    return sq_refuse(b, decl,
                     "'%s' is a name that the emitted text, the C library or the compiler has for "
                     "itself; call this something else",
                     name);
}

/* ---- attributes and storage ---------------------------------------------------------------- */

static bool is_foreign(const sq_builder *b, CXCursor c)
{
    bool ours =
        c.kind == CXCursor_AnnotateAttr && strncmp(sq_cursor_spelling(&b->r, c), "squall.", 7) == 0;
    return c.kind >= CXCursor_FirstAttr && c.kind <= CXCursor_LastAttr && !ours;
}

/* Of a variable of a region: the text as written keeps them. */
static int warn_attributes(sq_builder *b, CXCursor decl)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, decl, &n);
    for (int i = 0; i < n; i++)
        if (is_foreign(b, child[i]))
            sq_warning(b->r.d, sq_cursor_loc(&b->r, child[i]),
                       "this attribute of '%s' holds for the text as written alone: Squall's own "
                       "loops do without it",
                       sq_cursor_spelling(&b->r, decl));
    return 0;
}

static int check_attributes(sq_builder *b, CXCursor decl, const char *help)
{
    int n, rc = 0;
    CXCursor *child = sq_cursor_children(&b->r, decl, &n);
    for (int i = 0; i < n && rc == 0; i++) {
        if (!is_foreign(b, child[i]))
            continue;
        rc = sq_refuse(b, child[i],
                       "'%s' has this attribute, which the emitted text would not keep; leave it "
                       "out",
                       sq_cursor_spelling(&b->r, decl));
        if (help)
            sq_help(b->r.d, SQ_NOWHERE, "%s", help);
    }
    return rc;
}

static int refuse_static(sq_builder *b, CXCursor decl, const char *name)
{
    if (b->r.cl->clang_Cursor_getStorageClass(decl) != CX_SC_Static)
        return 0;
    return sq_refuse(b, decl,
                     "'%s' is static and would keep its value from call to call; accepted are "
                     "temporaries, leave out the word static",
                     name);
}

static int check_storage(sq_builder *b, CXCursor decl, const char *name)
{
    switch (b->r.cl->clang_Cursor_getStorageClass(decl)) {
    case CX_SC_Register:
        return sq_refuse(b, decl, "'%s' is register, which means nothing here; leave that word out",
                         name);
    case CX_SC_Extern:
        return sq_refuse(b, decl,
                         "'%s' is extern, and a kernel uses nothing but its parameters and "
                         "temporaries",
                         name);
    default:
        return refuse_static(b, decl, name);
    }
}

/* True if the variable's end calls a function. libclang has no kind for that attribute, and where a macro
 * holds it its place says nothing: the declaration is looked at as clang prints it. */
static bool has_cleanup(const sq_builder *b, CXCursor decl)
{
    int n;
    bool any = false;
    CXCursor *child = sq_cursor_children(&b->r, decl, &n);
    for (int i = 0; i < n; i++)
        any |= is_foreign(b, child[i]);
    if (!any)
        return false;
    const char *text = sq_clang_string(&b->r, b->r.cl->clang_getCursorPrettyPrinted(decl, NULL));
    return strstr(text, "cleanup(") || strstr(text, "cleanup__(");
}

int sq_declared_qualifiers(sq_builder *b, CXCursor decl)
{
    const sq_clang *cl = b->r.cl;
    const char *name = sq_cursor_spelling(&b->r, decl);
    if (b->scop && sq_scop_inside(b, decl) && has_cleanup(b, decl))
        return sq_refuse(
            b, decl,
            "'%s' has a cleanup, whose function Squall's own loops would not call; declare it "
            "before the region",
            name);
    CXType t = cl->clang_getCursorType(decl); /* the canonical one of a parameter is a pointer */
    for (CXType e = t; e.kind != CXType_Invalid; e = cl->clang_getArrayElementType(e))
        t = e;
    t = cl->clang_getCanonicalType(t);
    if (cl->clang_isVolatileQualifiedType(t))
        return sq_refuse(
            b, decl, "'%s' is volatile: every access to it counts, and none may be moved", name);
    if (t.kind == CXType_Atomic)
        return sq_refuse(b, decl,
                         "'%s' is _Atomic, and a kernel is no place where threads meet; leave that "
                         "word out",
                         name);
    return 0;
}

int sq_declared_variable(sq_builder *b, CXCursor decl)
{
    const char *name = sq_cursor_spelling(&b->r, decl);
    int rc = sq_declared_qualifiers(b, decl);
    if (b->scop)
        return rc || sq_declared_name(b, decl) || refuse_static(b, decl, name)
                   ? -1
                   : warn_attributes(b, decl);
    return rc || check_storage(b, decl, name) || sq_declared_name(b, decl) ||
                   check_attributes(b, decl, NULL)
               ? -1
               : 0;
}

int sq_declared_function(sq_builder *b)
{
    const sq_clang *cl = b->r.cl;
    CXType t = cl->clang_getCursorType(b->function);
    const char *help =
        "what a caller's compiler shall know of the function stands in a declaration "
        "of its own beside the header, or in an option such as -fvisibility=hidden";
    if (check_kernel_name(b))
        return -1;
    if (cl->clang_getCursorLinkage(b->function) == CXLinkage_Internal ||
        cl->clang_Cursor_isFunctionInlined(b->function))
        return sq_error(b->r.d, SQ_FAULT_INPUT, b->k->loc,
                        "kernel '%s' is static or inline, and is called from other files; leave "
                        "these words out, or write '#pragma scop' around the loops of a static "
                        "function of C",
                        b->k->name);
    if (cl->clang_isFunctionTypeVariadic(t) && t.kind != CXType_FunctionNoProto)
        return sq_error(b->r.d, SQ_FAULT_INPUT, b->k->loc,
                        "kernel '%s' takes '...'; write all of its parameters", b->k->name);
    if (t.kind == CXType_FunctionNoProto)
        return sq_error(b->r.d, SQ_FAULT_INPUT, b->k->loc,
                        "the parameters of kernel '%s' have no types in its parentheses; write "
                        "them there, as in %s(int N, f32 A[N])",
                        b->k->name, b->k->name);
    return check_attributes(b, b->function, help);
}

/* ---- parameters that nothing uses ---------------------------------------------------------- */

typedef struct search {
    const sq_builder *b;
    CXCursor decl;
    bool found;
} search;

static enum CXChildVisitResult look_at(CXCursor c, CXCursor parent, CXClientData user)
{
    search *s = user;
    const sq_clang *cl = s->b->r.cl;
    (void)parent;
    s->found |= c.kind == CXCursor_DeclRefExpr &&
                cl->clang_equalCursors(cl->clang_getCursorReferenced(c), s->decl);
    return s->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool sq_declared_mentions(const sq_builder *b, CXCursor c, CXCursor decl)
{
    search s = {.b = b, .decl = decl};
    if (look_at(c, c, &s) == CXChildVisit_Recurse)
        b->r.cl->clang_visitChildren(c, look_at, &s);
    return s.found;
}

static enum CXChildVisitResult mark_used(CXCursor c, CXCursor parent, CXClientData user)
{
    const sq_builder *b = user;
    (void)parent;
    sq_symbol *s = c.kind == CXCursor_DeclRefExpr
                       ? sq_symbol_find(b, b->r.cl->clang_getCursorReferenced(c))
                       : NULL;
    if (s)
        s->is_used = true;
    return CXChildVisit_Recurse;
}

void sq_declared_unused(sq_builder *b)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, b->function, &n);
    b->r.cl->clang_visitChildren(b->function, mark_used, b);
    for (int i = 0; i < n; i++)
        if (child[i].kind == CXCursor_ParmDecl && !sq_symbol_find(b, child[i])->is_used)
            sq_warning(b->r.d, sq_cursor_loc(&b->r, child[i]),
                       "parameter '%s' is not used; it stays, since callers pass it",
                       sq_cursor_spelling(&b->r, child[i]));
}
