/* Unsigned: C's types end, and what leaves an unsigned or a small one goes on at its other end. An
 * affine form has no such end. So it is read where its value stays inside its type: in a
 * description that has to follow from the text, in a region sizes are tested before its code runs.
 * The variable of a loop passes its end once: what its condition says of it is settled as soon as
 * it is known at which values it is evaluated. Types int and int64_t never leave their range, says
 * C. */
#include "frontend/scop_build.h"
#include "ir/dependence/witness.h"
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

static bool is_small(sq_type t)
{
    return !sq_type_real(t) && sq_type_bytes(t) < 4;
}

/* A size is what its type can hold and int can. */
static isl_set *limit(isl_set *sizes, unsigned at, sq_type t)
{
    int bits = 8 * sq_type_bytes(t) - (!sq_type_unsigned(t) || t == SQ_U32);
    if (sq_type_unsigned(t))
        sizes = isl_set_lower_bound_si(sizes, isl_dim_param, at, 0);
    else if (is_small(t))
        sizes = isl_set_lower_bound_si(sizes, isl_dim_param, at, (int)(-(1u << bits)));
    return bits < 32 ? isl_set_upper_bound_si(sizes, isl_dim_param, at, (int)((1u << bits) - 1))
                     : sizes;
}

/* 0 or 1. */
static void is_truth(sq_builder *b, const sq_size *s)
{
    unsigned at = (unsigned)isl_space_find_dim_by_name(b->universe, isl_dim_param, s->name);
    isl_set *all = isl_set_universe(isl_space_copy(b->universe));
    sq_context_add(b, isl_set_upper_bound_si(isl_set_lower_bound_si(all, isl_dim_param, at, 0), isl_dim_param, at, 1));
}

void sq_unsigned_sizes(sq_builder *b)
{
    for (int i = 0; i < b->scop->nuses; i++) {
        const sq_symbol *s = b->scop->use[i].symbol;
        if (b->scop->use[i].is_given && !s->size->fixed)
            is_truth(b, s->size);
        int type = s && s->size && !s->size->fixed
                       ? sq_type_read(b, b->r.cl->clang_getCursorType(s->decl))
                       : -1;
        if (type < 0 || type == SQ_I32 || type == SQ_I64)
            continue;
        unsigned at =
            (unsigned)isl_set_find_dim_by_name(b->k->context, isl_dim_param, s->size->name);
        b->k->context = limit(b->k->context, at, (sq_type)type);
        if (sq_type_unsigned((sq_type)type))
            b->k->shapes = isl_set_lower_bound_si(b->k->shapes, isl_dim_param, at, 0);
    }
}

isl_set *sq_known(const sq_builder *b, isl_set *set)
{
    set = isl_set_intersect_params(set, isl_set_copy(b->k->context));
    for (int v = 0; v < b->nvars; v++)
        if (b->var[v].active && b->var[v].within)
            set = isl_set_intersect(set, isl_set_copy(b->var[v].within));
    if (b->where)
        set = isl_set_intersect(set, isl_set_copy(b->where));
    return b->guard ? isl_set_intersect(set, isl_set_copy(b->guard)) : set;
}

/* "N=-1" */
static const char *example(sq_builder *b, isl_set *bad /* __isl_take */)
{
    sq_witness w;
    static const char with[] = "with ";
    if (!sq_witness_find(b->k, isl_set_params(bad), &w) ||
        strncmp(w.sizes, with, sizeof with - 1) != 0)
        return "";
    const char *from = w.sizes + sizeof with - 1, *to = strchr(from, ':');
    return sq_arena_strndup(b->r.arena, from, (size_t)(to - from));
}

isl_set *sq_sizes_of_types(const sq_builder *b, isl_set *set)
{
    for (int i = 0; i < b->k->nsizes; i++) {
        const sq_size *s = b->k->size[i];
        int at = isl_set_find_dim_by_name(set, isl_dim_param, s->name);
        if (s->type == SQ_I32 && at >= 0)
            set = isl_set_upper_bound_si(set, isl_dim_param, (unsigned)at, INT32_MAX);
    }
    return set;
}

int sq_sizes_exclude(sq_builder *b, isl_set *bad, const char **sizes)
{
    *sizes = "";
    bad = sq_known(b, bad);
    isl_set *possible = sq_sizes_of_types(b, isl_set_copy(bad));
    if (isl_set_is_empty(possible) == isl_bool_true) {
        isl_set_free(possible);
        isl_set_free(bad);
        return 0;
    }
    isl_set *rest = isl_set_subtract(isl_set_copy(b->k->context), isl_set_params(bad));
    isl_set *left = sq_sizes_of_types(b, isl_set_copy(rest));
    bool few =
        !b->scop || isl_set_is_empty(left) == isl_bool_true || sq_scop_cut_off(b->k->context, left);
    isl_set_free(left);
    if (few) {
        isl_set_free(rest);
        *sizes = example(b, possible);
        return 1;
    }
    isl_set_free(possible);
    isl_set_free(b->k->context);
    b->k->context = isl_set_coalesce(rest);
    return 0;
}

/* ---- one value ----------------------------------------------------------------------------- */

static int type_of(const sq_builder *b, CXCursor c)
{
    return sq_type_read(b, b->r.cl->clang_getCursorType(c));
}

/* Where the value does not lie in the type. Keeps the value. */
static isl_set *outside(const sq_builder *b, isl_pw_aff *value, sq_type t)
{
    int bits = 8 * sq_type_bytes(t) - !sq_type_unsigned(t);
    isl_set *fine = isl_pw_aff_domain(isl_pw_aff_copy(value));
    if (sq_type_unsigned(t) || bits < 63) {
        int64_t least = sq_type_unsigned(t) ? 0 : -(INT64_C(1) << bits);
        isl_pw_aff *lo = isl_pw_aff_from_aff(sq_affine_constant(b, least));
        fine = isl_set_intersect(fine, isl_pw_aff_ge_set(isl_pw_aff_copy(value), lo));
    }
    if (bits < 63) {
        isl_pw_aff *end = isl_pw_aff_from_aff(sq_affine_constant(b, INT64_C(1) << bits));
        fine = isl_set_intersect(fine, isl_pw_aff_lt_set(isl_pw_aff_copy(value), end));
    }
    return isl_set_subtract(isl_pw_aff_domain(isl_pw_aff_copy(value)), fine);
}

static int refuse(sq_builder *b, CXCursor at, sq_type t, const char *sizes)
{
    const char *type = sq_type_unsigned(t) && !is_small(t) ? "unsigned" : sq_type_name(t);
    sq_refuse(b, at,
              "this is %s and leaves its range%s%s, where C goes on at the other end; declare "
              "its variables int or int64_t",
              type, *sizes ? ", for example with " : "", sizes);
    if (*sizes && !b->scop)
        sq_help(b->r.d, SQ_NOWHERE, "or exclude such sizes with assume(...)");
    return -1;
}

/* True if it mentions the variable of a loop whose condition is still being read. */
static bool is_open(const sq_builder *b, isl_pw_aff *value)
{
    for (int v = 0; v < b->nvars; v++) {
        bool inside = false;
        for (int l = 0; l < b->nloops; l++)
            inside |= b->loop[l] == v;
        if (!inside && b->var[v].is_loop &&
            isl_pw_aff_involves_dims(value, isl_dim_in, (unsigned)v, 1))
            return true;
    }
    return false;
}

bool sq_unsigned_modular(const sq_builder *b, CXCursor c)
{
    int type = type_of(b, c), own = type_of(b, sq_cursor_strip(&b->r, c));
    if (b->scop)
        return false;
    if (own == SQ_U64 && (type == SQ_I64 || type == SQ_I32))
        return true;
    return b->is_modular && type == SQ_U64 && (own == SQ_U64 || own == SQ_I64 || own == SQ_I32);
}

/* Keeps the value; -1 after an error. */
static int stays_inside(sq_builder *b, CXCursor c, isl_pw_aff *value, sq_type t)
{
    const char *sizes;
    if (b->is_modular && t == SQ_U64)
        return 0;
    isl_set *bad = outside(b, value, t);
    if (is_open(b, value)) {
        sq_wrap *w = SQ_NEW(b->r.arena, sq_wrap);
        *w = (sq_wrap){b->wraps, bad, c, t};
        b->wraps = w;
        return 0;
    }
    return sq_sizes_exclude(b, bad, &sizes) ? refuse(b, c, t, sizes) : 0;
}

/* True if the value of an expression can leave its type: one of unsigned arithmetic, or the
 * variable of a loop of a small type; arithmetic on the latter is int's. */
static bool can_leave(const sq_builder *b, CXCursor c, int type)
{
    if (type == SQ_U32 || type == SQ_U64)
        return true;
    return type >= 0 && is_small((sq_type)type) && c.kind == CXCursor_DeclRefExpr &&
           sq_var_find(b, b->r.cl->clang_getCursorReferenced(c)) >= 0;
}

/* The same of one that C converts without a word. */
static bool can_lose(const sq_builder *b, int from, int to)
{
    if (from == to || to < 0)
        return false;
    if (to == SQ_I32)
        return b->scop && (from == SQ_I64 || from == SQ_U64 || from == SQ_U32);
    return sq_type_unsigned((sq_type)to) || is_small((sq_type)to);
}

isl_pw_aff *sq_unsigned_form(sq_builder *b, CXCursor c, isl_pw_aff *value)
{
    CXCursor inner = sq_cursor_strip(&b->r, c);
    int type = type_of(b, c), own = type_of(b, inner);
    if ((can_leave(b, inner, own) && stays_inside(b, inner, value, (sq_type)own)) ||
        (can_lose(b, own, type) && stays_inside(b, c, value, (sq_type)type)))
        return isl_pw_aff_free(value);
    return value;
}

bool sq_unsigned_keeps(const sq_builder *b, isl_pw_aff *value, sq_type t)
{
    isl_set *bad = sq_sizes_of_types(b, sq_known(b, outside(b, value, t)));
    bool keeps = isl_set_is_empty(bad) == isl_bool_true;
    isl_set_free(bad);
    return keeps;
}

isl_pw_aff *sq_unsigned_cast(sq_builder *b, CXCursor c, isl_pw_aff *value)
{
    return stays_inside(b, c, value, (sq_type)type_of(b, c)) ? isl_pw_aff_free(value) : value;
}

/* True if the variable becomes less with each iteration. */
static bool counts_down(const sq_builder *b, int v)
{
    if (!b->var[v].value)
        return false;
    isl_val *by = isl_aff_get_coefficient_val(b->var[v].value, isl_dim_in, v);
    bool down = isl_val_is_neg(by) == isl_bool_true;
    isl_val_free(by);
    return down;
}

int sq_unsigned_settle(sq_builder *b, int var, isl_set *evaluated)
{
    int rc = 0;
    for (sq_wrap *w = b->wraps; w; w = w->next) {
        const char *sizes;
        if (!evaluated || rc) {
            isl_set_free(w->where);
            continue;
        }
        isl_set *bad = isl_set_intersect(w->where, isl_set_copy(evaluated));
        rc = sq_sizes_exclude(b, bad, &sizes) ? refuse(b, w->at, w->type, sizes) : 0;
    }
    if (rc && counts_down(b, var))
        sq_help(b->r.d, SQ_NOWHERE, "a loop down to 0 that ends there is for (%s = n; %s-- > 0;)",
                b->var[var].name, b->var[var].name);
    b->wraps = NULL;
    isl_set_free(evaluated);
    return rc;
}
