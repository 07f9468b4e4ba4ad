/* Form: affine forms over the universe and what is known of the sizes: made, and asked. */
#include "frontend/build.h"
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

isl_aff *sq_affine_zero(const sq_builder *b)
{
    return isl_aff_zero_on_domain(isl_local_space_from_space(isl_space_copy(b->universe)));
}

isl_aff *sq_affine_of_var(const sq_builder *b, int var)
{
    return isl_aff_var_on_domain(isl_local_space_from_space(isl_space_copy(b->universe)),
                                 isl_dim_set, (unsigned)var);
}

isl_aff *sq_affine_constant(const sq_builder *b, int64_t value)
{
    isl_val *v = isl_val_int_from_si(b->k->ctx, value);
    return isl_aff_val_on_domain(isl_local_space_from_space(isl_space_copy(b->universe)), v);
}

void sq_context_add(sq_builder *b, isl_set *set)
{
    set = isl_set_params(set);
    b->k->shapes = isl_set_intersect(b->k->shapes, isl_set_copy(set));
    b->k->context = isl_set_intersect(b->k->context, set);
}

void sq_context_assume(sq_builder *b, isl_set *set)
{
    sq_kernel *k = b->k;
    isl_set **more = SQ_NEW_ARRAY(k->arena, isl_set *, k->nassumes + 1);
    if (k->nassumes)
        memcpy(more, k->assume, (size_t)k->nassumes * sizeof *more);
    set = isl_set_params(set);
    k->assume = more;
    k->assume[k->nassumes++] = isl_set_copy(set);
    k->context = isl_set_intersect(k->context, set);
}

static isl_stat take_piece(isl_set *where, isl_aff *form, void *user)
{
    isl_aff **to = user;
    isl_aff_free(*to);
    *to = form;
    isl_set_free(where);
    return isl_stat_ok;
}

bool sq_affine_is_number(isl_pw_aff *form, int64_t *value)
{
    if (isl_pw_aff_is_cst(form) != isl_bool_true || isl_pw_aff_isa_aff(form) != isl_bool_true)
        return false;
    isl_aff *one = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
    isl_val *v = isl_aff_get_constant_val(one);
    *value = isl_val_get_num_si(v);
    isl_val_free(v);
    isl_aff_free(one);
    return true;
}

static bool is_beyond(isl_val *v, int bits)
{
    isl_val *most = isl_val_2exp(isl_val_int_from_si(isl_val_get_ctx(v), bits));
    v = isl_val_abs(v);
    bool beyond = isl_val_gt(v, most) == isl_bool_true;
    isl_val_free(v);
    isl_val_free(most);
    return beyond;
}

typedef struct factors {
    int bits;
    bool fit;
} factors;

static isl_stat find_factors(isl_set *set, isl_aff *a, void *user)
{
    static const enum isl_dim_type types[] = {isl_dim_param, isl_dim_in, isl_dim_div};
    factors *f = user;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int d = 0; d < (int)isl_aff_dim(a, types[t]); d++)
            f->fit &= !is_beyond(isl_aff_get_coefficient_val(a, types[t], d), f->bits);
    isl_set_free(set);
    isl_aff_free(a);
    return isl_stat_ok;
}

bool sq_affine_factors_fit(isl_pw_aff *form, int bits)
{
    factors f = {bits, true};
    isl_pw_aff_foreach_piece(form, find_factors, &f);
    return f.fit;
}

bool sq_affine_constant_fits(isl_aff *form, int bits)
{
    return !is_beyond(isl_aff_get_constant_val(form), bits);
}

isl_aff *sq_affine_sole(const sq_builder *b, isl_pw_aff *form)
{
    isl_aff *sole = NULL;
    form = isl_pw_aff_intersect_params(form, sq_sizes_of_types(b, isl_set_copy(b->k->context)));
    if (isl_pw_aff_n_piece(form) == 1)
        isl_pw_aff_foreach_piece(form, take_piece, &sole);
    isl_pw_aff_free(form);
    return sole;
}

static const char *with_term(const sq_builder *b, const char *text, int64_t factor, const char *name)
{
    const char *sign = factor < 0 ? (*text ? " - " : "-") : *text ? " + " : "";
    int64_t size = factor < 0 ? -factor : factor;
    if (!*name)
        return sq_arena_printf(b->r.arena, "%s%s%lld", text, sign, (long long)size);
    return size == 1 ? sq_arena_printf(b->r.arena, "%s%s%s", text, sign, name)
                     : sq_arena_printf(b->r.arena, "%s%s%lld * %s", text, sign, (long long)size, name);
}

static int64_t number_of(isl_val *v)
{
    int64_t n = isl_val_get_num_si(v);
    isl_val_free(v);
    return n;
}

const char *sq_affine_text(const sq_builder *b, isl_aff *a)
{
    const char *text = "";
    isl_val *whole = isl_aff_get_denominator_val(a);
    bool is_whole = isl_val_is_one(whole) == isl_bool_true;
    isl_val_free(whole);
    if (!is_whole || isl_aff_dim(a, isl_dim_div) > 0 || sq_affine_vars(b, a))
        return NULL;
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int p = 0; p < (int)isl_aff_dim(a, isl_dim_param); p++) {
            int64_t factor = number_of(isl_aff_get_coefficient_val(a, isl_dim_param, p));
            if (factor * sign > 0)
                text = with_term(b, text, factor, isl_aff_get_dim_name(a, isl_dim_param, (unsigned)p));
        }
    int64_t rest = number_of(isl_aff_get_constant_val(a));
    return rest || !*text ? with_term(b, text, rest, "") : text;
}

bool sq_affine_involves(const sq_builder *b, isl_aff *a, int var)
{
    (void)b;
    return isl_aff_involves_dims(a, isl_dim_in, (unsigned)var, 1) == isl_bool_true;
}

uint64_t sq_affine_vars(const sq_builder *b, isl_aff *a)
{
    uint64_t set = 0;
    for (int v = 0; v < b->nvars; v++)
        if (sq_affine_involves(b, a, v))
            set |= UINT64_C(1) << v;
    return set;
}

int sq_affine_bare(const sq_builder *b, isl_aff *a)
{
    for (int v = 0; v < b->nvars; v++) {
        if (!sq_affine_involves(b, a, v))
            continue;
        isl_aff *rest = isl_aff_sub(isl_aff_copy(a), sq_affine_of_var(b, v));
        bool bare = isl_aff_plain_is_zero(rest) == isl_bool_true;
        isl_aff_free(rest);
        return bare ? v : -1;
    }
    return -1;
}
