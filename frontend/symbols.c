/* Symbols: what the names of a kernel mean. One walk over the function finds its variables (idx,
 * and what for loops count) and which integer parameters shapes, bounds and subscripts mention:
 * those are sizes, the others scalars. Then parameters are declared in written order, local arrays
 * when their declaration is reached. */
#include "frontend/calls.h"
#include "frontend/scop_build.h"
#include "support/limits.h"
#include <isl/local_space.h>
#include <isl/space.h>
#include <string.h>

static bool is_array(const sq_builder *b, CXCursor decl)
{
    CXType t = b->r.cl->clang_getCursorType(decl);
    return b->r.cl->clang_getArrayElementType(t).kind != CXType_Invalid;
}

static bool counts_around(const sq_builder *b, const char *name)
{
    for (int v = 0; v < b->nvars; v++)
        if (b->var[v].active && strcmp(b->var[v].name, name) == 0)
            return true;
    return false;
}

/* The name, or i_2, i_3, … inside of a loop that counts another i. */
static const char *var_name(const sq_builder *b, CXCursor decl)
{
    const char *stem = sq_cursor_spelling(&b->r, decl), *name = stem;
    for (int i = 2; counts_around(b, name); i++)
        name = sq_arena_printf(b->r.arena, "%s_%d", stem, i);
    return name;
}

static int add_var(sq_builder *b, CXCursor decl, bool is_loop)
{
    if (sq_var_find(b, decl) >= 0)
        return 0;
    if (b->nvars == SQ_MAX_VARS)
        return sq_refuse(b, decl,
                         "more than %d indices and loop variables in one kernel; write "
                         "several kernels",
                         SQ_MAX_VARS);
    if (b->scop ? sq_declared_name(b, decl) || sq_declared_qualifiers(b, decl)
                : sq_declared_variable(b, decl))
        return -1;
    const char *name = var_name(b, decl);
    b->var[b->nvars++] =
        (sq_var){.decl = decl, .is_loop = is_loop, .name = name, .loc = sq_cursor_loc(&b->r, decl)};
    return 0;
}

/* The variable that loops before declared under this name too, and no loop around does: -1 if
 * there is none. */
static int shared_var(const sq_builder *b, CXCursor decl)
{
    const char *name = sq_cursor_spelling(&b->r, decl);
    for (int v = 0; v < b->nvars; v++)
        if (b->var[v].is_loop && !b->var[v].active && b->var[v].own_for &&
            strcmp(b->var[v].name, name) == 0)
            return v;
    return -1;
}

static int add_alias(sq_builder *b, CXCursor decl, int var)
{
    sq_var_alias *a = SQ_NEW(b->r.arena, sq_var_alias);
    *a = (sq_var_alias){b->aliases, decl, var};
    b->aliases = a;
    return 0;
}

static int scan(sq_builder *b, CXCursor c, bool affine);

static int scan_children(sq_builder *b, CXCursor c, int first_affine, int past_affine)
{
    int n, rc = 0;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    for (int i = 0; i < n; i++)
        rc |= scan(b, child[i], i >= first_affine && i < past_affine);
    return rc;
}

/* What a for counts: `for (int i = …` or `for (i = …`; the for itself if it is neither. */
static CXCursor counted(sq_builder *b, CXCursor c)
{
    int n, m;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    CXCursor start = n > 0 && b->scop ? sq_beside_own(b, c, 0) : n > 0 ? part[0] : c;
    if (start.kind == CXCursor_VarDecl)
        return start;
    if (start.kind != CXCursor_DeclStmt && start.kind != CXCursor_BinaryOperator)
        return c;
    CXCursor *child = sq_cursor_children(&b->r, start, &m);
    CXCursor decl = m ? sq_cursor_strip(&b->r, child[0]) : c;
    return decl.kind == CXCursor_DeclRefExpr ? b->r.cl->clang_getCursorReferenced(decl) : decl;
}

static int scan_for(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor decl = counted(b, c), *part = sq_cursor_children(&b->r, c, &n);
    bool counts = decl.kind == CXCursor_VarDecl || (b->scop && decl.kind == CXCursor_ParmDecl);
    if (!counts)
        return scan_children(b, c, 0, 2);
    bool own = part[0].kind == CXCursor_DeclStmt;
    int shared = own ? shared_var(b, decl) : -1;
    if (shared >= 0 ? add_alias(b, decl, shared) : add_var(b, decl, true))
        return -1;
    int v = sq_var_find(b, decl);
    bool outer = b->var[v].active;
    b->var[v].own_for |= own;
    b->var[v].active = true; /* while the loop is scanned */
    int rc = scan_children(b, c, 0, 2);
    b->var[v].active = outer;
    return rc;
}

/* `const int n = …`: what it is made of may be needed in bounds and subscripts. */
static bool is_const_integer(const sq_builder *b, CXCursor decl)
{
    CXType t = b->r.cl->clang_getCursorType(decl);
    int type = sq_type_read(b, t);
    return decl.kind == CXCursor_VarDecl && (type == SQ_I32 || type == SQ_I64 || (type == SQ_U64 && !b->scop)) &&
           b->r.cl->clang_isConstQualifiedType(t);
}

/* What a subscript mentions is a size, and so is what the region's own `int row = i * n` is made
 * of, if a subscript mentions row. */
static int mark_shape(sq_builder *b, CXCursor ref)
{
    CXCursor value, decl = b->r.cl->clang_getCursorReferenced(ref);
    sq_symbol *s = sq_symbol_find(b, decl);
    if (s)
        s->shape = true;
    return !s && b->scop && sq_scop_meaning(b, decl, &value) ? scan(b, value, true) : 0;
}

/* Declared with idx, whatever qualifies it. */
static bool is_index(const sq_builder *b, CXCursor decl)
{
    static const char *const qualifiers[] = {"const ", "volatile "};
    const sq_clang *cl = b->r.cl;
    const char *type =
        sq_clang_string(&b->r, cl->clang_getTypeSpelling(cl->clang_getCursorType(decl)));
    for (int i = 0; i < 2; i++)
        if (strncmp(type, qualifiers[i], strlen(qualifiers[i])) == 0)
            type += strlen(qualifiers[i]);
    return strcmp(type, "idx") == 0;
}

/* True if the function's arguments say something of sizes. */
static bool is_condition(const sq_builder *b, const char *name)
{
    return b->scop ? strcmp(name, SQ_CALLS_ASSERT) == 0 : strcmp(name, "range") == 0 || strcmp(name, "assume") == 0;
}

/* Finds variables, and integer parameters in affine text. */
static int scan(sq_builder *b, CXCursor c, bool affine)
{
    int all = affine ? 1000 : 0;
    if (c.kind == CXCursor_DeclRefExpr && affine && mark_shape(b, c))
        return -1;
    if (c.kind == CXCursor_ForStmt)
        return scan_for(b, c);
    if (c.kind == CXCursor_ArraySubscriptExpr)
        return scan_children(b, c, b->scop ? 0 : 1, 2);
    if (b->scop && b->r.cl->clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_Deref)
        return scan_children(b, c, 0, 1);
    if (c.kind == CXCursor_IfStmt)
        return scan_children(b, c, 0, 1);
    if (c.kind == CXCursor_CallExpr && is_condition(b, sq_cursor_spelling(&b->r, c)))
        all = 1000;
    if (c.kind == CXCursor_VarDecl || c.kind == CXCursor_ParmDecl) {
        if (c.kind == CXCursor_VarDecl && !b->scop && is_index(b, c))
            return add_var(b, c, false);
        all = affine || is_array(b, c) || is_const_integer(b, c) ? 1000 : 0;
    }
    return scan_children(b, c, 0, all);
}

int sq_symbols_scan(sq_builder *b, CXCursor c)
{
    return scan(b, c, false);
}

/* The space everything affine is read over. Sizes are in written order. */
void sq_symbols_universe(sq_builder *b)
{
    sq_kernel *k = b->k;
    isl_space *s = isl_space_params_alloc(k->ctx, 0);
    for (int i = 0; i < k->nsizes; i++)
        if (!k->size[i]->fixed) {
            int at = (int)isl_space_dim(s, isl_dim_param);
            s = isl_space_add_dims(s, isl_dim_param, 1);
            s = isl_space_set_dim_name(s, isl_dim_param, (unsigned)at, k->size[i]->name);
        }
    k->context = isl_set_universe(isl_space_copy(s));
    for (int i = 0; i < k->nsizes; i++)
        if (k->size[i]->is_size_t && !k->size[i]->fixed)
            k->context = isl_set_lower_bound_si(
                k->context, isl_dim_param, (unsigned)isl_space_find_dim_by_name(s, isl_dim_param, k->size[i]->name), 0);
    k->shapes = isl_set_copy(k->context);
    b->universe = isl_space_add_dims(isl_space_set_from_params(s), isl_dim_set, (unsigned)b->nvars);
}

/* True of a constant of other kernels alone. */
static bool is_of_another(const sq_builder *b, int fix)
{
    int kept = fix - (b->o->nfix - b->o->nkept);
    return kept >= 0 && b->o->kept_of && strcmp(b->o->kept_of[kept], b->k->name) != 0;
}

static const sq_fix *fix_of(const sq_builder *b, const char *name)
{
    for (int i = 0; i < b->o->nfix; i++)
        if (strcmp(b->o->fix[i].name, name) == 0 && !is_of_another(b, i))
            return &b->o->fix[i];
    return NULL;
}

/* True if the type is written size_t, or as another name for it. */
static bool is_declared_size_t(const sq_builder *b, CXCursor decl)
{
    const sq_clang *cl = b->r.cl;
    for (CXType t = cl->clang_getCursorType(decl);;) {
        const char *name = sq_clang_string(&b->r, cl->clang_getTypedefName(t));
        CXCursor type = cl->clang_getTypeDeclaration(t);
        if (strcmp(name, "size_t") == 0)
            return true;
        if (type.kind != CXCursor_TypedefDecl)
            return false;
        t = cl->clang_getTypedefDeclUnderlyingType(type);
    }
}

int sq_symbol_size(sq_builder *b, sq_symbol *s, const sq_size *size)
{
    const char *name = size->name;
    const sq_fix *fix = fix_of(b, name);
    sq_kernel *k = b->k;
    if (k->nsizes == SQ_MAX_SIZES)
        return sq_error(b->r.d, SQ_FAULT_INPUT, size->loc,
                        "'%s' is the size number %d; a kernel has at most %d, make "
                        "some of them constants with an enum",
                        name, SQ_MAX_SIZES + 1, SQ_MAX_SIZES);
    if (fix && size->type == SQ_I32 && fix->value > INT32_MAX)
        return sq_error(b->r.d, SQ_FAULT_USAGE, size->loc,
                        "--fix: %s=%lld does not fit its type int; "
                        "declare it int64_t",
                        name, (long long)fix->value);
    if (fix && fix->value > (int64_t)1 << SQ_LARGEST_SIZE_BITS)
        return sq_error(b->r.d, SQ_FAULT_USAGE, size->loc, "--fix: %s=%lld is beyond 2^%d", name, (long long)fix->value,
                        SQ_LARGEST_SIZE_BITS);
    s->kind = SQ_SYM_SIZE;
    s->size = SQ_NEW(k->arena, sq_size);
    *s->size = *size;
    s->size->fixed = fix != NULL;
    s->size->kept = fix && fix - b->o->fix >= b->o->nfix - b->o->nkept;
    s->size->value = fix ? fix->value : 0;
    k->size[k->nsizes++] = s->size;
    return 0;
}

static int declare_integer(sq_builder *b, sq_symbol *s, const char *name, sq_type type, sq_loc loc)
{
    const sq_fix *fix = fix_of(b, name);
    sq_kernel *k = b->k;
    if (!s->shape && !fix) {
        s->kind = SQ_SYM_SCALAR;
        s->scalar = SQ_NEW(k->arena, sq_scalar);
        *s->scalar = (sq_scalar){name, type, loc};
        return 0;
    }
    if (b->scop) /* scop_bounds.c sees to what does not fit; C makes an int of what is shorter */
        type = type == SQ_U32 || type == SQ_U64 ? SQ_I64 : sq_type_promoted(type);
    bool is_size_t = !b->scop && type == SQ_U64 && is_declared_size_t(b, s->decl);
    if (is_size_t)
        type = SQ_I64;
    if (type != SQ_I32 && type != SQ_I64)
        return sq_refuse(b, s->decl, "'%s' is a size and has the type '%s'; declare it int, int64_t or size_t", name,
                         sq_type_name(type));
    return sq_symbol_size(b, s, &(sq_size){.name = name, .type = type, .is_size_t = is_size_t, .loc = loc});
}

static int refuse_param(sq_builder *b, const sq_symbol *s, const char *name, CXType t)
{
    if (b->scop)
        return sq_scop_refuse_type(b, s->decl, t);
    sq_refuse(b, s->decl,
              "parameter '%s' has the type '%s'; accepted are %s by value, "
              "and arrays of them with all sizes written",
              name, sq_clang_string(&b->r, b->r.cl->clang_getTypeSpelling(t)), sq_type_names(b));
    if (t.kind == CXType_Pointer)
        sq_help(b->r.d, SQ_NOWHERE,
                "an array has its sizes: f32 %s[M][N], or f32 %s[1] for one number; functions with "
                "pointers stay as they are with #pragma scop around their loops",
                name, name);
    return -1;
}

/* Integers and floating-point values; arrays come after all sizes are known. */
int sq_symbol_number(sq_builder *b, sq_symbol *s)
{
    CXType t = b->r.cl->clang_getCursorType(s->decl);
    const char *name = sq_cursor_spelling(&b->r, s->decl);
    sq_loc loc = sq_cursor_loc(&b->r, s->decl);
    int type = sq_type_read(b, t);
    if (type < 0)
        return refuse_param(b, s, name, t);
    if (!sq_type_real((sq_type)type))
        return declare_integer(b, s, name, (sq_type)type, loc);
    s->kind = SQ_SYM_SCALAR;
    s->scalar = SQ_NEW(b->k->arena, sq_scalar);
    *s->scalar = (sq_scalar){name, (sq_type)type, loc};
    return 0;
}

/* As the user wrote it, without const. */
static const char *type_text(const sq_builder *b, CXType t)
{
    const char *text = sq_clang_string(&b->r, b->r.cl->clang_getTypeSpelling(t));
    return strncmp(text, "const ", 6) == 0 ? text + 6 : text;
}

/* Element type of an array type, as written; counts its dimensions. */
static CXType element_of(const sq_builder *b, CXCursor decl, int *ndim)
{
    CXType t = b->r.cl->clang_getCursorType(decl);
    *ndim = 0;
    for (;;) {
        CXType e = b->r.cl->clang_getArrayElementType(t);
        if (e.kind == CXType_Invalid)
            return t;
        t = e;
        ++*ndim;
    }
}

/* Size expressions are children of the declaration, innermost dimension first. */
static int read_extents(sq_builder *b, sq_symbol *s, int ndim)
{
    int n, found = 0;
    CXCursor *child = sq_cursor_children(&b->r, s->decl, &n);
    s->extent = SQ_NEW_ARRAY(b->r.arena, isl_aff *, ndim);
    s->array->extent = SQ_NEW_ARRAY(b->r.arena, isl_aff *, ndim);
    s->array->ndim = ndim;
    b->affine_of = SQ_AFFINE_EXTENT;
    for (int i = 0; i < n; i++) {
        if (!sq_cursor_is_expression(child[i]) || child[i].kind == CXCursor_InitListExpr)
            continue;
        if (found == ndim)
            return sq_refuse(b, child[i],
                             "this initial value of an array is not accepted; write a list, as in "
                             "{1, 2, 3}, or assign its elements");
        isl_aff *a = sq_affine_size(b, child[i]);
        if (!a)
            return -1;
        if (sq_affine_vars(b, a)) {
            isl_aff_free(a);
            return sq_refuse(b, child[i],
                             "the size of a local array depends on a loop; declare it with the "
                             "largest size, outside of the loop");
        }
        int d = ndim - 1 - found++;
        s->extent[d] = a;
        s->array->extent[d] = isl_aff_project_domain_on_params(isl_aff_copy(a));
        sq_context_add(b, isl_aff_ge_set(isl_aff_copy(a), sq_affine_zero(b)));
    }
    if (found != ndim)
        return sq_refuse(b, s->decl,
                         "array '%s' has a dimension without a size; write all of "
                         "them, as in A[M][N]",
                         s->array->name);
    return 0;
}

/* The canonical type would have lost where the const stood. */
static bool is_const(const sq_builder *b, CXCursor decl)
{
    const sq_clang *cl = b->r.cl;
    for (CXType t = cl->clang_getCursorType(decl); t.kind != CXType_Invalid;
         t = cl->clang_getArrayElementType(t))
        if (cl->clang_isConstQualifiedType(t))
            return true;
    return false;
}

/* const, inout and alias of a declaration. */
static void read_attributes(sq_builder *b, sq_symbol *s)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, s->decl, &n);
    for (int i = 0; i < n; i++) {
        if (child[i].kind != CXCursor_AnnotateAttr)
            continue;
        const char *what = sq_cursor_spelling(&b->r, child[i]);
        s->is_inout |= strcmp(what, "squall.inout") == 0;
        s->array->alias |= strcmp(what, "squall.alias") == 0;
    }
    s->is_const = is_const(b, s->decl);
}

static int add_array(sq_builder *b, sq_symbol *s)
{
    sq_kernel *k = b->k;
    sq_array **more = SQ_NEW_ARRAY(k->arena, sq_array *, k->narrays + 1);
    if (k->narrays)
        memcpy(more, k->array, (size_t)k->narrays * sizeof *more);
    more[k->narrays++] = s->array;
    k->array = more;
    return 0;
}

static int declare_array(sq_builder *b, sq_symbol *s)
{
    int ndim;
    CXType e = element_of(b, s->decl, &ndim);
    int type = sq_type_read(b, e);
    const char *name = sq_cursor_spelling(&b->r, s->decl);
    if (type < 0)
        return sq_refuse(b, s->decl, "'%s' has elements of type '%s'; accepted are %s", name,
                         type_text(b, e), sq_type_names(b));
    if (strncmp(type_text(b, e), "typeof ", 7) == 0)
        return sq_refuse(b, s->decl,
                         "'%s' has its type from typeof, which is read for single numbers alone; "
                         "write the type of the elements",
                         name);
    s->kind = SQ_SYM_ARRAY;
    s->array = SQ_NEW(b->k->arena, sq_array);
    *s->array = (sq_array){
        .name = name, .type = (sq_type)type, .role = SQ_OUT, .loc = sq_cursor_loc(&b->r, s->decl)};
    add_array(b, s);
    read_attributes(b, s);
    int rc = read_extents(b, s, ndim) | sq_aligned_read(b, s->decl, &s->array->align) |
             sq_prepacked_read(b, s, s->decl);
    if (rc == 0 && s->is_const && s->is_inout)
        rc = sq_refuse(b, s->decl, "'%s' is const and inout; an array that is written is not const",
                       name);
    s->kind = rc ? SQ_SYM_NONE : SQ_SYM_ARRAY;
    return rc;
}

static int declare_params(sq_builder *b, CXCursor *param, int n)
{
    sq_kernel *k = b->k;
    k->param = SQ_NEW_ARRAY(k->arena, sq_param, n);
    k->size = SQ_NEW_ARRAY(k->arena, sq_size *, SQ_MAX_SIZES);
    k->nparams = n;
    int rc = 0;
    for (int i = 0; i < n; i++) {
        int bad = sq_declared_variable(b, param[i]);
        if (!bad && !is_array(b, param[i]))
            bad = sq_aligned_read(b, param[i], NULL) | sq_prepacked_read(b, NULL, param[i]) |
                  sq_symbol_number(b, sq_symbol_find(b, param[i]));
        rc |= bad;
    }
    sq_symbols_universe(b);
    for (int i = 0; i < n; i++) {
        sq_symbol *s = sq_symbol_find(b, param[i]);
        if (is_array(b, param[i]))
            rc |= declare_array(b, s);
        k->param[i] = (sq_param){s->size, s->scalar, s->array};
    }
    return rc;
}

int sq_symbols_declare(sq_builder *b)
{
    int n, nparams = 0;
    CXCursor *child = sq_cursor_children(&b->r, b->function, &n);
    CXCursor *param = SQ_NEW_ARRAY(b->r.arena, CXCursor, n);
    for (int i = 0; i < n; i++)
        if (child[i].kind == CXCursor_ParmDecl) {
            param[nparams++] = child[i];
            sq_symbol_add(b, child[i]);
        }
    if (scan(b, b->function, false))
        return -1;
    return declare_params(b, param, nparams);
}

/* True if an array, a size or a scalar has that name: a local of an inner block may hide one. */
static bool is_taken(const sq_builder *b, const char *name)
{
    for (const sq_symbol *s = b->symbols; s; s = s->next)
        if ((s->size && strcmp(s->size->name, name) == 0) ||
            (s->scalar && strcmp(s->scalar->name, name) == 0))
            return true;
    return sq_kernel_array(b->k, name) != NULL;
}

/* The name, or name_2, name_3, … when it is taken. */
static const char *unique_name(const sq_builder *b, const char *stem)
{
    const char *name = stem;
    for (int i = 2; is_taken(b, name); i++)
        name = sq_arena_printf(b->r.arena, "%s_%d", stem, i);
    return name;
}

void sq_symbol_array(sq_builder *b, sq_symbol *s, const char *name, sq_type type)
{
    s->kind = SQ_SYM_ARRAY;
    s->array = SQ_NEW(b->k->arena, sq_array);
    *s->array = (sq_array){.name = unique_name(b, name),
                           .type = type,
                           .role = SQ_LOCAL,
                           .loc = sq_cursor_loc(&b->r, s->decl)};
    add_array(b, s);
}

int sq_symbols_form(sq_builder *b, CXCursor decl, isl_aff *form)
{
    sq_symbol *s = sq_symbol_add(b, decl);
    s->kind = SQ_SYM_FORM;
    s->form = form;
    sq_builder_own(b, NULL, NULL, form);
    return 0;
}

static int refuse_local(sq_builder *b, CXCursor decl, const char *name, CXType t)
{
    sq_refuse(b, decl, "'%s' has the type '%s'; accepted are %s", name, type_text(b, t),
              sq_type_names(b));
    if (b->scop && b->r.cl->clang_getCanonicalType(t).kind == CXType_Pointer)
        sq_help(b->r.d, SQ_NOWHERE,
                "accepted are pointers to places of arrays, double *%s = a + i*n, that nothing in their block "
                "moves, or one loop moves by as much in each turn, *%s++, and that are only followed; else "
                "write a[i*n + j] for %s[j]",
                name, name, name);
    CXCursor value;
    if (b->scop && sq_cursor_initial(&b->r, decl, &value) && sq_cursor_strip(&b->r, value).kind == CXCursor_CallExpr)
        sq_call_why(b, sq_cursor_spelling(&b->r, sq_cursor_strip(&b->r, value)));
    if (b->scop && b->r.cl->clang_getCanonicalType(t).kind == CXType_Record)
        sq_help(b->r.d, SQ_NOWHERE,
                "accepted are structs of at most 16 numbers and no other bytes that get all of their value from an "
                "element, from another one or from a list in the order of the members, and whose numbers are named, "
                "%s.x; nothing takes the address of %s",
                name, name);
    return -1;
}

int sq_symbols_local(sq_builder *b, CXCursor decl)
{
    sq_symbol *s = sq_symbol_add(b, decl);
    if (sq_declared_variable(b, decl) ||
        (!is_array(b, decl) && (sq_aligned_read(b, decl, NULL) || sq_prepacked_read(b, NULL, decl))))
        return -1;
    if (is_array(b, decl)) {
        if (declare_array(b, s))
            return -1;
        b->k->narrays--; /* so that it does not find itself */
        s->array->name = unique_name(b, s->array->name);
        b->k->narrays++;
        s->array->role = SQ_LOCAL;
        return 0;
    }
    CXType t = b->r.cl->clang_getCursorType(decl);
    int type = sq_type_read(b, t);
    const char *name = sq_cursor_spelling(&b->r, decl);
    if (type < 0)
        return refuse_local(b, decl, name, t);
    sq_symbol_array(b, s, name, (sq_type)type);
    return 0;
}

sq_symbol *sq_symbol_temporary(sq_builder *b, const char *stem, sq_type type,
                               const sq_symbol *shape, sq_loc loc)
{
    sq_symbol *s = sq_symbol_add(b, b->r.cl->clang_getNullCursor());
    int ndim = shape ? shape->array->ndim : 0;
    s->kind = SQ_SYM_ARRAY;
    s->array = SQ_NEW(b->k->arena, sq_array);
    *s->array = (sq_array){
        .name = unique_name(b, stem), .type = type, .role = SQ_LOCAL, .ndim = ndim, .loc = loc};
    s->extent = SQ_NEW_ARRAY(b->r.arena, isl_aff *, ndim);
    s->array->extent = SQ_NEW_ARRAY(b->r.arena, isl_aff *, ndim);
    for (int d = 0; d < ndim; d++) {
        s->extent[d] = isl_aff_copy(shape->extent[d]);
        s->array->extent[d] = isl_aff_copy(shape->array->extent[d]);
    }
    add_array(b, s);
    return s;
}
