/* Scop array: arrays as C has them. Parameters `double A[n][m]`, pointers `double (*A)[m]` and
 * `double *a`, variables of constant or variable size: from the type comes the shape. Where C does
 * not say how many rows there are (pointers, parameters), the outermost extent stays open until
 * the accesses have been read; where all accesses are of the form a[i*n + j], the shape is what
 * they have in common (flat.c). */
#include "frontend/calls.h"
#include "frontend/members.h"
#include "frontend/scop_build.h"
#include <isl/aff.h>
#include <isl/val.h>
#include <string.h>

/* The type behind typedefs: an array, a pointer, anything. */
static CXType plain(const sq_builder *b, CXType t)
{
    return b->r.cl->clang_getCanonicalType(t);
}

/* What one subscript gives; kind Invalid where there can be none. */
static CXType inside(const sq_builder *b, CXType t)
{
    t = plain(b, t);
    return t.kind == CXType_Pointer ? b->r.cl->clang_getPointeeType(t)
                                    : b->r.cl->clang_getArrayElementType(t);
}

bool sq_scop_is_array(const sq_builder *b, CXCursor decl)
{
    return inside(b, b->r.cl->clang_getCursorType(decl)).kind != CXType_Invalid;
}

/* The arrays of an array: one dimension each below the first. */
static int inner_dims(const sq_builder *b, CXType element, CXType *scalar)
{
    int n = 0;
    for (element = plain(b, element);
         inside(b, element).kind != CXType_Invalid && element.kind != CXType_Pointer; n++)
        element = plain(b, inside(b, element));
    *scalar = element;
    return n;
}

/* ---- sizes as declared --------------------------------------------------------------------- */

static void add_sizes(sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    if (c.kind == CXCursor_DeclRefExpr) {
        CXCursor decl = b->r.cl->clang_getCursorReferenced(c);
        if (decl.kind == CXCursor_VarDecl || decl.kind == CXCursor_ParmDecl) {
            sq_use *u = sq_scop_add_use(b, decl);
            if (u->symbol)
                u->symbol->shape = true;
        }
    }
    for (int i = 0; i < n; i++)
        add_sizes(b, child[i]);
}

/* Expressions that are children of the declaration: sizes first, innermost first. */
static int size_exprs(const sq_builder *b, CXCursor decl, int most, CXCursor *to)
{
    int n, found = 0;
    CXCursor *child = sq_cursor_children(&b->r, decl, &n);
    for (int i = 0; i < n && found < most; i++)
        if (sq_cursor_is_expression(child[i]))
            to[found++] = child[i];
    return found;
}

void sq_scop_array_sizes(sq_builder *b, CXCursor decl)
{
    CXType scalar;
    CXCursor size[16];
    if (!sq_scop_is_array(b, decl))
        return;
    int rows = inner_dims(b, inside(b, b->r.cl->clang_getCursorType(decl)), &scalar);
    int n = size_exprs(b, decl, rows < 16 ? rows : 16, size);
    for (int i = 0; i < n; i++)
        add_sizes(b, size[i]);
}

static isl_aff *constant(const sq_builder *b, long long value)
{
    return isl_aff_add_constant_val(sq_affine_zero(b), isl_val_int_from_si(b->k->ctx, value));
}

/* The size of one array type, constant or an expression; NULL after adding an error. */
static isl_aff *read_size(sq_builder *b, CXType t, CXCursor decl, const CXCursor *size, int nsizes,
                          int which)
{
    long long n = b->r.cl->clang_getArraySize(plain(b, t));
    if (n >= 0)
        return constant(b, n);
    if (which < nsizes)
        return sq_affine_size(b, size[which]);
    sq_refuse(b, decl, "a size of '%s' stands in a typedef; write all sizes here",
              sq_cursor_spelling(&b->r, decl));
    return NULL;
}

/* Extents 1, 2, … of an array of ndim dimensions. */
static int read_inner(sq_builder *b, sq_symbol *s, CXType t, int ndim, const CXCursor *size,
                      int nsizes)
{
    b->affine_of = SQ_AFFINE_EXTENT;
    for (int d = 1; d < ndim; d++) {
        t = inside(b, t);
        s->extent[d] = read_size(b, t, s->decl, size, nsizes, ndim - 1 - d);
        if (!s->extent[d])
            return -1;
    }
    return 0;
}

/* The first extent, where the declaration has one that can be understood. A parameter's says
 * nothing to C, and is taken at its word only as far as it is tested. */
static isl_aff *read_outer(sq_builder *b, CXType t, const CXCursor *size, int nsizes, int ndim)
{
    t = plain(b, t);
    if (t.kind == CXType_Pointer)
        return NULL;
    long long n = b->r.cl->clang_getArraySize(t);
    if (n >= 0 || t.kind == CXType_IncompleteArray || nsizes < ndim)
        return n > 0 ? constant(b, n) : NULL;
    size_t mark = sq_diags_mark(b->r.d);
    isl_aff *a = sq_affine_size(b, size[ndim - 1]);
    sq_diags_rewind(b->r.d, mark);
    return a;
}

/* ---- the array ----------------------------------------------------------------------------- */

/* What the region does with elements of the variable that no array of numbers has; NULL: nothing. */
static const sq_member_refused *refused_member(const sq_builder *b, CXCursor decl)
{
    size_t at;
    const sq_members *m = b->r.members;
    for (int i = 0; m && sq_scop_name_at(&b->r, decl, &at) && i < m->nrefused; i++)
        if (m->refused[i].decl == at)
            return &m->refused[i];
    return NULL;
}

/* What another variable of the region is refused for. After that nothing else is read by other names: the structs
 * without a refusal of their own are no fault. */
static const sq_member_refused *refused_elsewhere(const sq_builder *b, const char **name)
{
    for (int i = 0; i < b->scop->nuses; i++) {
        const sq_use *u = &b->scop->use[i];
        const sq_member_refused *member = refused_member(b, u->decl);
        *name = u->name;
        if (member && member->at.line >= b->scop->region->text.line &&
            member->at.line <= b->scop->region->text.last_line)
            return member;
    }
    return NULL;
}

static int refuse_member(sq_builder *b, const char *name, const sq_member_refused *member)
{
    if (!member->why) {
        sq_error(b->r.d, SQ_FAULT_INPUT, member->at,
                 "a macro names '%s' here, and what it stands for cannot be said in the place of the macro", name);
        sq_help(b->r.d, SQ_NOWHERE,
                "have the macro be an expression in parentheses, or whole statements, or write what it stands for");
    } else if (member->is_single) {
        sq_error(b->r.d, SQ_FAULT_INPUT, member->at, "a region cannot write this of the struct of '%s': %s", name,
                 member->why);
        sq_help(b->r.d, SQ_NOWHERE,
                "a region writes members of single structs that are numbers; copy others to variables before it, and "
                "back behind it");
    } else {
        sq_error(b->r.d, SQ_FAULT_INPUT, member->at, "a region cannot read or write this of the structs of '%s': %s",
                 name, member->why);
        sq_help(b->r.d, SQ_NOWHERE,
                "a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, "
                "%s[i].x and %s[i].v[k]; copy others to variables or arrays of their own before it",
                name, name);
    }
    return -1;
}

/* The same of another variable is told once: see sq_diags_sort. */
static int refuse_struct(sq_builder *b, CXCursor decl, CXType t)
{
    const char *name = sq_cursor_spelling(&b->r, decl);
    const sq_member_refused *member = refused_member(b, decl);
    if (!member)
        member = refused_elsewhere(b, &name);
    if (member)
        return refuse_member(b, name, member);
    sq_refuse(b, decl, "'%s' is made of the type '%s'; accepted are %s", sq_cursor_spelling(&b->r, decl),
              sq_clang_string(&b->r, b->r.cl->clang_getTypeSpelling(t)), sq_type_names(b));
    sq_help(b->r.d, SQ_NOWHERE,
            "a region reads members of single structs that are numbers or pointers to numbers, and writes those that "
            "are numbers, where nothing in it changes the struct as a whole; and numbers of structs in arrays; copy "
            "others to variables before it");
    sq_call_why_of(b, t);
    return -1;
}

int sq_scop_refuse_type(sq_builder *b, CXCursor decl, CXType t)
{
    const char *name = sq_cursor_spelling(&b->r, decl);
    t = plain(b, t);
    if (t.kind == CXType_Pointer) {
        sq_refuse(b, decl,
                  "the rows of '%s' are pointers, and may lie anywhere; accepted are arrays "
                  "of one piece, double A[n][m], double (*A)[m] or double *a with a[i*m + j]",
                  name);
        sq_help(b->r.d, SQ_NOWHERE,
                "or a region for one row, which a variable before the region leads to, double *row = %s[i];", name);
        return -1;
    }
    if (t.kind == CXType_FunctionProto || t.kind == CXType_FunctionNoProto)
        return sq_refuse(b, decl,
                         "'%s' points to a function, and what it does is not known; accepted are "
                         "calls of functions of <math.h>",
                         name);
    if (t.kind == CXType_Record)
        return refuse_struct(b, decl, t);
    sq_refuse(b, decl, "'%s' is made of the type '%s'; accepted are %s", name,
              sq_clang_string(&b->r, b->r.cl->clang_getTypeSpelling(t)), sq_type_names(b));
    if (t.kind == CXType_Bool)
        sq_help(b->r.d, SQ_NOWHERE, "declare it uint8_t, and give it the values of comparisons, which are 0 and 1");
    if (t.kind == CXType_Complex)
        sq_help(b->r.d, SQ_NOWHERE,
                "declare it as an array of struct { float re, im; }, of the same memory, and write out products");
    return -1;
}

int sq_scop_refuse_volatile(sq_builder *b, const sq_use *u)
{
    return sq_refuse(b, u->decl,
                     "'%s' is volatile: every access to it counts, and none may be moved", u->name);
}

static int read_element_type(sq_builder *b, const sq_use *u, CXType t, sq_type *type)
{
    const sq_clang *cl = b->r.cl;
    int read = sq_type_read(b, t);
    if (cl->clang_isVolatileQualifiedType(t))
        return sq_scop_refuse_volatile(b, u);
    if (read < 0)
        return sq_scop_refuse_type(b, u->decl, t);
    if (t.kind == CXType_LongLong || t.kind == CXType_ULongLong)
        return sq_refuse(
            b, u->decl,
            "the elements of '%s' are %slong long, which C distinguishes from %sint64_t; "
            "declare them %sint64_t",
            u->name, t.kind == CXType_ULongLong ? "unsigned " : "",
            t.kind == CXType_ULongLong ? "u" : "", t.kind == CXType_ULongLong ? "u" : "");
    *type = (sq_type)read;
    return 0;
}

static void use_flat(sq_builder *b, sq_symbol *s, const sq_flat *f)
{
    s->flat = f;
    s->array->is_flat = true;
    for (int d = 1; d < f->ndim; d++)
        s->extent[d] = sq_flat_extent(b, f, d);
}

/* Extents over the parameters, and that none is negative. */
static void share_extents(sq_builder *b, sq_symbol *s)
{
    s->open = s->extent[0] == NULL;
    if (s->open)
        s->extent[0] = sq_affine_zero(b);
    for (int d = 0; d < s->array->ndim; d++) {
        s->array->extent[d] = isl_aff_project_domain_on_params(isl_aff_copy(s->extent[d]));
        sq_context_add(b, isl_aff_ge_set(isl_aff_copy(s->extent[d]), sq_affine_zero(b)));
    }
}

static int read_shape(sq_builder *b, const sq_use *u, CXType t, int ndim)
{
    sq_symbol *s = u->symbol;
    CXCursor size[16];
    bool failed = false;
    int nsizes = size_exprs(b, u->decl, plain(b, t).kind == CXType_Pointer ? ndim - 1 : ndim, size);
    const sq_flat *f = ndim == 1 ? sq_flat_find(b, u->decl, &failed) : NULL;
    ndim = f ? f->ndim : ndim;
    s->array->ndim = ndim;
    s->extent = SQ_NEW_ARRAY(b->r.arena, isl_aff *, ndim);
    s->array->extent = SQ_NEW_ARRAY(b->k->arena, isl_aff *, ndim);
    if (failed)
        return -1;
    if (f)
        use_flat(b, s, f);
    else if (read_inner(b, s, t, ndim, size, nsizes))
        return -1;
    else
        s->extent[0] = read_outer(b, t, size, nsizes, ndim);
    share_extents(b, s);
    return 0;
}

/* A variable that is written as a whole: an array without dimensions. */
static int read_number(sq_builder *b, const sq_use *u)
{
    sq_symbol *s = u->symbol;
    CXType t = plain(b, b->r.cl->clang_getCursorType(u->decl));
    int type = sq_type_read(b, t);
    if (type < 0)
        return sq_scop_refuse_type(b, u->decl, t);
    if (b->r.cl->clang_Cursor_getStorageClass(u->decl) == CX_SC_Register)
        return sq_refuse(b, u->decl,
                         "the region writes '%s', which is register and so has no address; leave "
                         "that word out",
                         u->name);
    sq_symbol_array(b, s, u->name, (sq_type)type);
    return 0;
}

/* The first place that assigns to the variable; false: there is none in c. */
static bool find_assigned(const sq_builder *b, CXCursor c, CXCursor decl, CXCursor *at)
{
    int n;
    CXCursor to, *child = sq_cursor_children(&b->r, c, &n);
    bool is = sq_scop_assigned_by(b, c, &to) && b->r.cl->clang_equalCursors(to, decl);
    if (is)
        *at = c;
    for (int i = 0; i < n && !is; i++)
        is = find_assigned(b, child[i], decl, at);
    return is;
}

static int refuse_moved(sq_builder *b, const sq_use *u)
{
    CXCursor at = u->decl;
    for (int i = 0; i < b->scop->nstmts && !find_assigned(b, b->scop->stmt[i], u->decl, &at); i++)
        continue;
    sq_refuse(b, at, "the region moves the pointer '%s' in a way that no subscript says", u->name);
    sq_help(b->r.d, SQ_NOWHERE,
            "accepted are pointers that stay as they are, and those that one loop moves, as in "
            "for (i = 0; i < n; i++) *%s++ = …, or a nest of loops from 0 the innermost of which follows them, by as "
            "much in each turn, which nothing reads behind the loops; declare the pointer in the block of the loop, "
            "or write %s[i]",
            u->name, u->name);
    return -1;
}

int sq_scop_array(sq_builder *b, sq_use *u)
{
    CXType scalar, t = b->r.cl->clang_getCursorType(u->decl);
    sq_type type = SQ_I32;
    if (!sq_scop_is_array(b, u->decl))
        return read_number(b, u);
    int ndim = 1 + inner_dims(b, inside(b, t), &scalar);
    if (read_element_type(b, u, scalar, &type))
        return -1;
    if (ndim > 16)
        return sq_refuse(b, u->decl, "'%s' has more than 16 dimensions", u->name);
    if (u->assigned)
        return refuse_moved(b, u);
    sq_symbol_array(b, u->symbol, u->name, type);
    return read_shape(b, u, t, ndim);
}

void sq_scop_array_views(sq_builder *b, int i)
{
    const sq_use of = b->scop->use[i];
    for (sq_view *v = b->scop->views; v; v = v->next) {
        if (v->symbol || !b->r.cl->clang_equalCursors(v->decl, of.decl))
            continue;
        sq_use u = of;
        u.symbol = v->symbol = sq_symbol_add(b, b->r.cl->clang_getNullCursor());
        sq_symbol_array(b, v->symbol, of.name, of.symbol->array->type);
        u.name = v->symbol->array->name;
        u.is_view = u.named = true;
        v->symbol->array->ndim = v->flat->ndim;
        v->symbol->extent = SQ_NEW_ARRAY(b->r.arena, isl_aff *, v->flat->ndim);
        v->symbol->array->extent = SQ_NEW_ARRAY(b->k->arena, isl_aff *, v->flat->ndim);
        use_flat(b, v->symbol, v->flat);
        share_extents(b, v->symbol);
        sq_scop_put_use(b, &u);
    }
}
