/* Values: C expressions -> sq_expr. Types are clang's, so C's own conversions are followed: a cast
 * stands wherever clang has one that changes the type. Accesses and indices stay over the universe;
 * stmt.c pulls them back once the statement's dimensions are known. */
#include "frontend/calls.h"
#include "frontend/scop_build.h"
#include <isl/space.h>
#include <isl/val.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* True if it is an element or a part of something whose declaration was refused. */
static bool is_refused(sq_builder *b, CXCursor c)
{
    int n = 1;
    while (n && c.kind != CXCursor_DeclRefExpr) {
        CXCursor *child = sq_cursor_children(&b->r, c, &n);
        c = n ? child[0] : c;
    }
    const sq_symbol *s = sq_symbol_find(b, b->r.cl->clang_getCursorReferenced(c));
    return n && s && s->kind == SQ_SYM_NONE;
}

/* What stands where only an array, or a local scalar, can. */
static int refuse_target(sq_builder *b, CXCursor at, const sq_symbol *s)
{
    static const char none[] = "; accepted are the parameters and local arrays of the kernel";
    const char *name = sq_cursor_spelling(&b->r, at);
    if (b->scop && !*name)
        return sq_refuse(b, at,
                         "this is no element of an array; accepted are variables, arrays and "
                         "pointers with all their subscripts, a[0][i] for (*a)[i]");
    int v = at.kind == CXCursor_DeclRefExpr ? sq_var_find(b, b->r.cl->clang_getCursorReferenced(at))
                                            : -1;
    if (v >= 0)
        return sq_refuse(b, at, "'%s' is %s, which is not assigned; it gets its values %s", name,
                         b->var[v].is_loop ? "the variable of a loop" : "an index",
                         b->var[v].is_loop ? "from its for"
                                           : "from the arrays, or from range(index, lo, hi)");
    if (!s || (s->kind != SQ_SYM_SCALAR && s->kind != SQ_SYM_SIZE && s->kind != SQ_SYM_FORM))
        return *name ? sq_refuse(b, at, "'%s' is no array of the kernel%s", name, none)
                     : sq_refuse(b, at, "this is no array of the kernel%s", none);
    sq_refuse(b, at, "'%s' is a number that the kernel only reads", name);
    if (!b->scop && s->kind == SQ_SYM_SCALAR)
        sq_help(b->r.d, SQ_NOWHERE,
                "a result goes into an array, of one element if need be: f32 %s[1], %s[0] = …",
                name, name);
    return -1;
}

/* Unwinds A[i][j] into its array and subscripts, outermost dimension first. */
static int unwind(sq_builder *b, CXCursor c, CXCursor *subscript, int max, sq_symbol **symbol)
{
    int n, ndim = 0;
    CXCursor at = c, reversed[16];
    while (at.kind == CXCursor_ArraySubscriptExpr) {
        CXCursor *child = sq_cursor_children(&b->r, at, &n);
        if (n != 2 || ndim == max)
            return sq_refuse(b, c, "at most %d subscripts are accepted", max);
        reversed[ndim++] = child[1];
        at = sq_cursor_strip(&b->r, child[0]);
    }
    for (int d = 0; d < ndim; d++)
        subscript[d] = reversed[ndim - 1 - d];
    *symbol = at.kind == CXCursor_DeclRefExpr ? sq_symbol_find(b, b->r.cl->clang_getCursorReferenced(at)) : NULL;
    if (is_refused(b, at))
        return -1;
    if (!*symbol || (*symbol)->kind != SQ_SYM_ARRAY)
        return sq_instead_turned(b, c) ? -1 : refuse_target(b, at, *symbol);
    if ((*symbol)->array->ndim != ndim)
        return sq_refuse(b, c, "'%s' has %d dimension%s, here are %d subscripts; write all of them",
                         (*symbol)->array->name, (*symbol)->array->ndim,
                         (*symbol)->array->ndim == 1 ? "" : "s", ndim);
    return ndim;
}

/* What is read of an element beside its array: the subscripts that are values, none of a write. */
typedef struct place {
    sq_expr *read; /* gets them as arguments; NULL: a write */
    unsigned indirect;
    sq_edge edge;
    isl_aff *beside; /* what is added to the value that is read; NULL: nothing */
} place;

/* Subscript d; NULL after adding an error. */
static isl_aff *read_subscript(sq_builder *b, CXCursor c, sq_symbol *s, int d, place *p)
{
    enum { MOST = sizeof p->read->arg / sizeof *p->read->arg };
    b->affine_of = SQ_AFFINE_SUBSCRIPT;
    if (!p->read || !sq_indirect_is(b, c))
        return sq_affine_read(b, c);
    if (p->read->nargs == MOST) {
        sq_refuse(b, c, "at most %d subscripts of an element are values", MOST);
        return NULL;
    }
    sq_expr *value = sq_indirect_read(b, c, s, d, p->edge, p->beside);
    p->read->arg[p->read->nargs++] = value;
    p->indirect |= 1u << d;
    return value ? sq_affine_zero(b) : NULL;
}

static isl_aff_list *read_subscripts(sq_builder *b, const CXCursor *subscript, int n, sq_symbol *s, place *p)
{
    isl_aff_list *list = isl_aff_list_alloc(b->k->ctx, n);
    for (int d = 0; d < n; d++) {
        isl_aff *a = read_subscript(b, subscript[d], s, d, p);
        if (!a)
            return isl_aff_list_free(list);
        list = isl_aff_list_add(list, a);
    }
    return list;
}

/* Those of a list that are values; takes the list. */
static isl_aff_list *read_values(sq_builder *b, isl_aff_list *list, const CXCursor *value, unsigned dims,
                                 sq_symbol *s, place *p)
{
    for (int d = 0; list && dims >> d; d++)
        if (dims >> d & 1) {
            p->beside = isl_aff_list_get_aff(list, d);
            isl_aff *a = read_subscript(b, value[d], s, d, p);
            p->beside = isl_aff_free(p->beside);
            list = a ? isl_aff_list_set_aff(list, d, a) : isl_aff_list_free(list);
        }
    return list;
}

static sq_access *read_access(sq_builder *b, CXCursor c, sq_symbol **symbol, place *p)
{
    CXCursor subscript[16], value[SQ_FLAT_DIMS];
    sq_symbol *s = NULL;
    unsigned values = 0;
    c = sq_cursor_strip(&b->r, c);
    isl_aff_list *list = NULL;
    bool is_flat = b->scop && sq_flat_access(b, c, &s, &list, value, &values);
    int n = is_flat ? 0 : unwind(b, c, subscript, 16, &s);
    list = n < 0 ? NULL : is_flat ? read_values(b, list, value, values, s, p) : read_subscripts(b, subscript, n, s, p);
    if (!list)
        return NULL;
    int ndim = s->array->ndim;
    isl_space *range = isl_space_params(isl_space_copy(b->universe));
    range = isl_space_add_dims(isl_space_set_from_params(range), isl_dim_set, (unsigned)ndim);
    range = isl_space_set_tuple_name(range, isl_dim_set, s->array->name);
    isl_space *space = isl_space_map_from_domain_and_range(isl_space_copy(b->universe), range);
    sq_access *a = SQ_NEW(b->k->arena, sq_access);
    *a = (sq_access){.array = s->array,
                     .loc = sq_cursor_loc(&b->r, c),
                     .map = isl_multi_aff_from_aff_list(space, list),
                     .where = isl_set_copy(b->where),
                     .indirect = p->indirect,
                     .is_guarded = s->open && b->nconditions > 0};
    sq_builder_own(b, a, NULL, NULL);
    *symbol = s;
    return a;
}

sq_access *sq_access_read(sq_builder *b, CXCursor c, sq_symbol **symbol)
{
    return read_access(b, c, symbol, &(place){.read = NULL});
}

sq_expr *sq_element_read(sq_builder *b, CXCursor c, sq_edge edge)
{
    sq_symbol *s;
    sq_expr *e = sq_expr_new(b, SQ_OP_READ, SQ_I32, SQ_NOWHERE);
    place p = {.read = e, .edge = edge};
    e->access = read_access(b, c, &s, &p);
    if (!e->access)
        return NULL;
    e->type = e->access->array->type;
    e->loc = e->access->loc;
    return e;
}

sq_expr *sq_number_read(sq_builder *b, CXCursor c)
{
    const sq_clang *cl = b->r.cl;
    int type = sq_type_read(b, cl->clang_getCursorType(c));
    CXEvalResult r = type < 0 ? NULL : cl->clang_Cursor_Evaluate(c);
    sq_expr *e = NULL;
    if (r && cl->clang_EvalResult_getKind(r) == CXEval_Float)
        e = sq_expr_constant(b, (sq_type)type, cl->clang_EvalResult_getAsDouble(r), 0, sq_cursor_loc(&b->r, c));
    else if (r && cl->clang_EvalResult_getKind(r) == CXEval_Int) {
        int64_t i = cl->clang_EvalResult_getAsLongLong(r);
        e = sq_expr_constant(b, (sq_type)type, (double)i, i, sq_cursor_loc(&b->r, c));
    }
    if (r)
        cl->clang_EvalResult_dispose(r);
    return e;
}

/* An index, a size or an enum constant as a value. */
static sq_expr *read_integer_name(sq_builder *b, CXCursor c)
{
    CXCursor decl = b->r.cl->clang_getCursorReferenced(c);
    int type = sq_type_read(b, b->r.cl->clang_getCursorType(c));
    sq_loc loc = sq_cursor_loc(&b->r, c);
    int64_t number;
    if (!sq_symbol_find(b, decl) && sq_var_find(b, decl) < 0 &&
        sq_integer_constant(b, decl, &number))
        return sq_expr_constant(b, type < 0 ? SQ_I32 : (sq_type)type, (double)number, number, loc);
    b->affine_of = SQ_AFFINE_VALUE;
    isl_aff *a = sq_affine_read(b, c);
    if (!a)
        return NULL;
    if (isl_aff_is_cst(a) == isl_bool_true) {
        isl_val *v = isl_aff_get_constant_val(a);
        int64_t i = isl_val_get_num_si(v);
        isl_val_free(v);
        isl_aff_free(a);
        return sq_expr_constant(b, type < 0 ? SQ_I32 : (sq_type)type, (double)i, i, loc);
    }
    sq_expr *e = sq_expr_new(b, SQ_OP_INDEX, type < 0 ? SQ_I32 : (sq_type)type, loc);
    e->index = a;
    sq_builder_own(b, NULL, e, NULL);
    return e;
}

/* A const of the file with a floating-point value. */
static bool is_const_number(sq_builder *b, CXCursor c)
{
    const sq_clang *cl = b->r.cl;
    CXCursor decl = cl->clang_getCursorReferenced(c);
    CXType t = cl->clang_getCursorType(decl);
    int type = sq_type_read(b, t);
    if (decl.kind != CXCursor_VarDecl || type < 0 || !sq_type_real((sq_type)type) ||
        !cl->clang_isConstQualifiedType(t))
        return false;
    CXEvalResult e = cl->clang_Cursor_Evaluate(c);
    bool number = e && cl->clang_EvalResult_getKind(e) == CXEval_Float;
    if (e)
        cl->clang_EvalResult_dispose(e);
    return number;
}

static sq_expr *read_name(sq_builder *b, CXCursor c)
{
    CXCursor value;
    const sq_symbol *s = sq_symbol_find(b, b->r.cl->clang_getCursorReferenced(c));
    if (s && s->kind == SQ_SYM_NONE)
        return NULL;
    if (b->follows_names && s && s->kind == SQ_SYM_ARRAY && sq_scop_stands_for(b, s->decl, &value))
        return sq_indirect_name(b, s, value);
    if (s && s->kind == SQ_SYM_ARRAY)
        return sq_expr_promoted(b, sq_element_read(b, c, SQ_EDGE_NONE));
    if (!s && is_const_number(b, c))
        return sq_number_read(b, c);
    if (!s || s->kind == SQ_SYM_SIZE || s->kind == SQ_SYM_FORM)
        return read_integer_name(b, c);
    sq_expr *e = sq_expr_new(b, SQ_OP_SCALAR, s->scalar->type, sq_cursor_loc(&b->r, c));
    e->scalar = s->scalar;
    return sq_expr_promoted(b, e);
}

/* ---- calls ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    sq_op op;
    bool position;
} reductions[] = {{"sum", SQ_OP_ADD, false},   {"prod", SQ_OP_MUL, false},
                  {"rmax", SQ_OP_MAX, false},  {"rmin", SQ_OP_MIN, false},
                  {"argmax", SQ_OP_MAX, true}, {"argmin", SQ_OP_MIN, true}};
enum { NREDUCTIONS = sizeof reductions / sizeof *reductions };

/* The idx variables after the value; -1 when something else stands there. */
static int read_listed(sq_builder *b, CXCursor c, int n, sq_reduction *r)
{
    for (int i = 1; i < n; i++) {
        CXCursor arg = sq_cursor_strip(&b->r, b->r.cl->clang_Cursor_getArgument(c, (unsigned)i));
        int v = arg.kind == CXCursor_DeclRefExpr
                    ? sq_var_find(b, b->r.cl->clang_getCursorReferenced(arg))
                    : -1;
        if (v < 0 || b->var[v].is_loop)
            return sq_refuse(b, arg,
                             "after the value a reduction lists variables declared with "
                             "idx, nothing else");
        if (r->nlisted == SQ_MAX_DIM)
            return sq_refuse(b, arg, "a reduction lists at most %d indices", SQ_MAX_DIM);
        r->listed |= UINT64_C(1) << v;
        r->order[r->nlisted++] = v;
    }
    return 0;
}

static sq_expr *read_reduction(sq_builder *b, CXCursor c, int which, sq_reading *into)
{
    const char *name = reductions[which].name;
    sq_op op = reductions[which].op;
    int n = b->r.cl->clang_Cursor_getNumArguments(c);
    if (into->inside || into->nreductions == SQ_MAX_REDUCTIONS) {
        sq_refuse(b, c,
                  into->inside ? "'%s' stands inside another reduction; assign the inner one "
                                 "to a local array first"
                               : "'%s' is one reduction too many in one statement; "
                                 "assign some of them to local arrays first",
                  name);
        return NULL;
    }
    sq_reduction *r = &into->reduction[into->nreductions++];
    *r = (sq_reduction){
        .op = op, .position = reductions[which].position, .loc = sq_cursor_loc(&b->r, c)};
    into->inside = true;
    r->body = sq_value_read(b, b->r.cl->clang_Cursor_getArgument(c, 0), into);
    into->inside = false;
    if (!r->body || read_listed(b, c, n, r))
        return NULL;
    if (op == SQ_OP_ADD || op == SQ_OP_MUL)
        r->body = sq_expr_cast(b, sq_type_promoted(r->body->type), r->body);
    r->type = r->position ? SQ_I64 : r->body->type;
    sq_expr *e = sq_expr_new(b, SQ_OP_REDUCED, r->type, r->loc);
    e->integer = r - into->reduction;
    return r->position ? sq_position_result(b, e) : e;
}

/* max2 min2 relu, and the functions of ops.def by their C names. */
static bool find_function(const char *name, sq_op *op, sq_type *type)
{
    for (int i = 0; i < SQ_NOPS; i++) {
        const sq_op_info *info = sq_op_get((sq_op)i);
        *op = (sq_op)i;
        for (int t = 0; t < 2; t++)
            if (strcmp(name, info->function[t]) == 0) {
                *type = t ? SQ_F64 : SQ_F32;
                return true;
            }
    }
    return false;
}

static bool is_two(const sq_expr *e)
{
    if (e->op == SQ_OP_CAST)
        return is_two(e->arg[0]);
    return e->op == SQ_OP_CONST && (sq_type_real(e->type) ? e->real == 2 : e->integer == 2);
}

/* pow(x, 2) is x * x, which is rounded once, as compilers have it, too. */
static sq_expr *read_math(sq_builder *b, CXCursor c, sq_op op, sq_type type, sq_reading *into)
{
    int n = sq_op_get(op)->nargs;
    sq_expr *e = sq_expr_new(b, op, type, sq_cursor_loc(&b->r, c));
    e->nargs = n;
    for (int i = 0; i < n; i++) {
        sq_expr *x = sq_value_read(b, b->r.cl->clang_Cursor_getArgument(c, (unsigned)i), into);
        if (!x)
            return NULL;
        e->arg[i] = sq_expr_cast(b, type, x);
    }
    bool squares = op == SQ_OP_POW && is_two(e->arg[1]);
    return squares ? sq_expr_binary(b, SQ_OP_MUL, e->arg[0], sq_expr_copy(b, e->arg[0]), e->loc) : e;
}

/* relu(x) is max2(x, 0); max2 and min2 keep clang's choice of type. */
static sq_expr *read_max(sq_builder *b, CXCursor c, const char *name, sq_reading *into)
{
    const sq_clang *cl = b->r.cl;
    sq_expr *x = sq_value_read(b, cl->clang_Cursor_getArgument(c, 0), into), *y = NULL;
    if (!x)
        return NULL;
    if (strcmp(name, "relu") == 0)
        y = sq_expr_constant(b, x->type, 0, 0, x->loc);
    else
        y = sq_value_read(b, cl->clang_Cursor_getArgument(c, 1), into);
    return sq_expr_binary(b, strcmp(name, "min2") == 0 ? SQ_OP_MIN : SQ_OP_MAX, x, y,
                          sq_cursor_loc(&b->r, c));
}

/* What headers make of INFINITY, NAN, isnan(x) and the like. */
static bool is_builtin(const char *name)
{
    return strncmp(name, "__builtin_", strlen("__builtin_")) == 0;
}

/* signbit(x) and not what its macro stands for, which nobody wrote. */
static const char *written_name(const char *name)
{
    return is_builtin(name) ? name + strlen("__builtin_") : name;
}

/* The same of a call in a region, where the text may say __builtin_ itself. */
static const char *called_name(const sq_builder *b, CXCursor c, const char *name)
{
    size_t from, to;
    bool says = sq_scop_span(&b->r, c, &from, &to) && strncmp(b->scop->text + from, name, strlen(name)) == 0;
    return says ? name : written_name(name);
}

/* What to write instead of a function that a header or the compiler makes; false: nothing was said, since it is none of
 * these. */
static bool help_call(sq_builder *b, const char *name)
{
    const char *other = b->scop ? sq_instead_of(name) : NULL;
    if (other)
        sq_help(b->r.d, SQ_NOWHERE, "%s", other);
    if (strncmp(written_name(name), "popcount", strlen("popcount")) == 0)
        sq_help(b->r.d, SQ_NOWHERE,
                "write a function of the file that counts with >>, & and +, as in v -= v >> 1 & 0x55555555");
    if (strcmp(written_name(name), "signbit") == 0)
        sq_help(b->r.d, SQ_NOWHERE, "write x < 0, which is false for -0 and for NaN");
    return is_builtin(name) || strcmp(name, "signbit") == 0;
}

static sq_expr *refuse_call(sq_builder *b, CXCursor c, const char *name)
{
    if (b->is_hurt) /* clang tells of an unknown function at its first call alone */
        return NULL;
    sq_refuse(
        b, c,
        "function '%s' is not accepted in a value; accepted are exp exp2 log log2 "
        "sqrt rsqrt tanh sigmoid erf sin cos fabs floor ceil pow and their f forms, abs isnan isinf isfinite, relu "
        "max2 min2, sum prod rmax rmin argmax argmin, pad clampedge, sat_int8 to sat_uint64",
        written_name(name));
    if (!help_call(b, name))
        sq_help(b->r.d, SQ_NOWHERE, "a function of your own may be a macro: #define %s(x) ((x) * (x))", name);
    return NULL;
}

static sq_expr *read_extremum(sq_builder *b, CXCursor c, const char *name, sq_reading *into)
{
    sq_expr *arg[2] = {NULL, NULL};
    for (int i = 0; i < sq_extremum_args(name); i++) {
        arg[i] = sq_value_read(b, b->r.cl->clang_Cursor_getArgument(c, (unsigned)i), into);
        if (!arg[i])
            return NULL;
    }
    return sq_extremum(b, name, arg, sq_cursor_loc(&b->r, c));
}

/* Refuses a call of a function of the file that stays a call; false: nothing says why it does. */
static bool refuse_own(sq_builder *b, CXCursor c, const char *name)
{
    const sq_calls *calls = b->r.calls;
    for (int i = 0; calls && i < calls->nrefused; i++) {
        const sq_call_refused *f = &calls->refused[i];
        if (strcmp(f->name, name) != 0)
            continue;
        sq_refuse(b, c, "a region cannot call '%s': %s", name, f->why);
        sq_note(b->r.d, f->at, "here");
        return true;
    }
    return false;
}

/* In ordinary C a function is what the C library calls so; sum and pad may be anybody's. */
static sq_expr *read_library_call(sq_builder *b, CXCursor c, const char *name, sq_reading *into)
{
    sq_op op;
    sq_type type;
    if (*name && sq_scop_is_library(b, c) && find_function(name, &op, &type))
        return read_math(b, c, op, type, into);
    if (sq_scop_is_library(b, c) && sq_extremum_args(name) > 0)
        return read_extremum(b, c, name, into);
    if (sq_scop_is_library(b, c) && sq_rounds(name))
        return sq_round(b, name, sq_value_read(b, b->r.cl->clang_Cursor_getArgument(c, 0), into));
    bool known = sq_scop_is_library(b, c) || is_builtin(name);
    if (known && sq_classifies(name))
        return sq_classify(b, name, sq_value_read(b, b->r.cl->clang_Cursor_getArgument(c, 0), into));
    sq_expr *number = is_builtin(name) ? sq_number_read(b, c) : NULL;
    if (number)
        return number;
    if (refuse_own(b, c, name))
        return NULL;
    sq_refuse(b, c,
              "function '%s' is not accepted in a region; accepted are exp exp2 log log2 sqrt tanh erf sin cos "
              "fabs floor ceil round trunc rint nearbyint lround lrint pow fmax fmin and their f forms, abs isnan "
              "isinf isfinite, and functions of the file",
              called_name(b, c, name));
    help_call(b, name);
    return NULL;
}

static sq_expr *read_call(sq_builder *b, CXCursor c, sq_reading *into)
{
    const char *name = sq_cursor_spelling(&b->r, c);
    sq_op op;
    sq_type type;
    if (b->scop)
        return read_library_call(b, c, name, into);
    for (int i = 0; i < NREDUCTIONS; i++)
        if (strcmp(name, reductions[i].name) == 0)
            return read_reduction(b, c, i, into);
    if (strcmp(name, "pad") == 0)
        return sq_pad_read(b, c);
    if (strcmp(name, "clampedge") == 0)
        return sq_clampedge_read(b, c);
    if (strcmp(name, "relu") == 0 || strcmp(name, "max2") == 0 || strcmp(name, "min2") == 0)
        return read_max(b, c, name, into);
    if (sq_saturate_type(name) >= 0)
        return sq_saturate(b, sq_value_read(b, b->r.cl->clang_Cursor_getArgument(c, 0), into),
                           (sq_type)sq_saturate_type(name));
    if (*name && find_function(name, &op, &type))
        return read_math(b, c, op, type, into);
    if (sq_classifies(name))
        return sq_classify(b, name, sq_value_read(b, b->r.cl->clang_Cursor_getArgument(c, 0), into));
    if (sq_extremum_args(name) == 1)
        return sq_extremum_takes(b, c, name) ? read_extremum(b, c, name, into) : NULL;
    sq_expr *e = sq_number_read(b, c);
    return e ? e : refuse_call(b, c, name);
}

/* ---- the rest ---------------------------------------------------------------------------- */

/* To clang arithmetic on f16 has the type f16: what stays f16 for it is left in f32, and so is an
 * integer that meets one. What is left is rounded: a cast, and a wider value that is assigned. */
static sq_expr *stored_cast(sq_builder *b, CXCursor c, CXCursor from, sq_type type, sq_expr *e)
{
    int before = sq_type_read(b, b->r.cl->clang_getCursorType(from));
    bool implicit = c.kind == CXCursor_UnexposedExpr;
    if (before == (int)type || (implicit && before >= 0 && sq_type_stored((sq_type)before)))
        return e;
    if (implicit && !sq_type_real(e->type))
        return sq_expr_cast(b, SQ_F32, e);
    return sq_expr_promoted(b, sq_expr_cast(b, type, e));
}

static sq_expr *refuse_value(sq_builder *b, CXCursor c)
{
    if (is_refused(b, c))
        return NULL;
    sq_refuse(b, c,
              "%s is not accepted in a value; accepted are numbers, array elements, "
              "indices, parameters, C's operators, casts and functions",
              sq_control_value_name(&b->r, c));
    return NULL;
}

/* Nodes without a name of their own are mostly implicit casts: cast when the type changes. */
static sq_expr *read_wrapped(sq_builder *b, CXCursor c, sq_reading *into)
{
    int n, type = sq_type_read(b, b->r.cl->clang_getCursorType(c));
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    if (n == 0 || (type < 0 && c.kind != CXCursor_UnexposedExpr)) {
        sq_refuse(
            b, c, "the type '%s' is not accepted; accepted are %s",
            sq_clang_string(&b->r, b->r.cl->clang_getTypeSpelling(b->r.cl->clang_getCursorType(c))),
            sq_type_names(b));
        return NULL;
    }
    if (c.kind == CXCursor_UnexposedExpr && !sq_cursor_covers(&b->r, child[n - 1], c))
        return refuse_value(b, c);
    sq_expr *e = sq_value_read(b, child[n - 1], into);
    if (e && type >= 0 && sq_type_stored((sq_type)type))
        return stored_cast(b, c, child[n - 1], (sq_type)type, e);
    return type < 0 ? e : sq_expr_cast(b, (sq_type)type, e);
}

/* `sizeof a / sizeof a[0]` is one number, of a type in which nothing overflows. NULL: the type is
 * another one, or it is no constant. */
static sq_expr *read_sizes(sq_builder *b, CXCursor c)
{
    bool is_size = sq_type_read(b, b->r.cl->clang_getCursorType(c)) == SQ_U64;
    return b->scop && is_size ? sq_number_read(b, c) : NULL;
}

static sq_expr *refuse_size(sq_builder *b, CXCursor c)
{
    if (!b->scop)
        return refuse_value(b, c);
    sq_refuse(b, c, "in a region, sizeof is accepted for what has a constant length");
    return NULL;
}

sq_expr *sq_value_read(sq_builder *b, CXCursor c, sq_reading *into)
{
    switch (c.kind) {
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
        return read_wrapped(b, c, into);
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral: {
        sq_expr *e = sq_number_read(b, c);
        return e ? e : refuse_value(b, c);
    }
    case CXCursor_UnaryExpr: {
        sq_expr *e = read_sizes(b, c);
        return e ? e : refuse_size(b, c);
    }
    case CXCursor_DeclRefExpr:
        return read_name(b, c);
    case CXCursor_ArraySubscriptExpr:
        return sq_expr_promoted(b, sq_clamped_read(b, c));
    case CXCursor_UnaryOperator:
        if (b->scop && b->r.cl->clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_Deref)
            return sq_expr_promoted(b, sq_clamped_read(b, c));
        return sq_operator_read(b, c, into);
    case CXCursor_BinaryOperator: {
        sq_expr *e = read_sizes(b, c);
        return e ? e : sq_operator_read(b, c, into);
    }
    case CXCursor_ConditionalOperator:
        return sq_operator_read(b, c, into);
    case CXCursor_CallExpr:
        return read_call(b, c, into);
    default:
        return refuse_value(b, c);
    }
}
