/* Ranges: see ranges.h. */
#include "ir/kernel/ranges.h"

typedef struct seen {
    bool couples, divides;
} seen;

int sq_constraint_dims(isl_constraint *c)
{
    int used = 0;
    for (int d = 0; d < (int)isl_constraint_dim(c, isl_dim_set); d++)
        used += isl_constraint_involves_dims(c, isl_dim_set, (unsigned)d, 1) == isl_bool_true;
    return used;
}

static isl_stat look_at(__isl_take isl_constraint *c, void *user)
{
    seen *s = user;
    s->couples |= sq_constraint_dims(c) > 1;
    s->divides |= isl_constraint_dim(c, isl_dim_div) > 0;
    isl_constraint_free(c);
    return isl_stat_ok;
}

static isl_stat look_at_piece(__isl_take isl_basic_set *b, void *user)
{
    isl_basic_set_foreach_constraint(b, look_at, user);
    isl_basic_set_free(b);
    return isl_stat_ok;
}

static seen look(isl_set *s)
{
    seen all = {0};
    isl_set_foreach_basic_set(s, look_at_piece, &all);
    return all;
}

bool sq_set_couples(isl_set *s)
{
    return look(s).couples;
}

bool sq_set_is_box(isl_set *s)
{
    seen all = look(s);
    return isl_set_n_basic_set(s) == 1 && isl_set_is_empty(s) == isl_bool_false && !all.couples && !all.divides;
}
