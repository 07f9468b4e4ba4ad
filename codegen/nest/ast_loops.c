/* AST loops: see ast_loops.h. */
#include "codegen/nest/ast_loops.h"
#include "codegen/nest/ast_places.h"
#include "ir/kernel/quota.h"
#include "support/text.h"
#include <isl/constraint.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdint.h>

enum { MOST_OPERATIONS = 6000000, MORE_EACH = 20000 };

static isl_ast_node *generate(isl_ast_build *build, isl_union_map *schedule)
{
    isl_ast_node *node = isl_ast_build_node_from_schedule_map(build, schedule);
    isl_ast_build_free(build);
    return node;
}

static isl_ast_node *limited(const sq_kernel *k, isl_ast_build *build, isl_union_map *schedule,
                             isl_ast_node *(*how)(isl_ast_build *, isl_union_map *))
{
    const char *why = NULL;
    unsigned long most = MOST_OPERATIONS + MORE_EACH * (unsigned long)k->nstmts;
    sq_quota q = sq_quota_begin(k->ctx, sq_quota_share(k, most));
    isl_ast_node *tree = how(build, schedule);
    if (!sq_quota_end(q, &why))
        return tree;
    isl_ast_node_free(tree);
    return NULL;
}

isl_ast_node *sq_ast_loops(const sq_kernel *k, isl_ast_build *build, isl_union_map *schedule)
{
    return limited(k, build, schedule, generate);
}

isl_ast_node *sq_ast_loops_placed(const sq_kernel *k, isl_ast_build *build, isl_union_map *schedule)
{
    return limited(k, build, schedule, sq_ast_places);
}

/* The divisors in the conditions of a statement: "7 and 16". */
typedef struct divisors {
    long of[8];
    int n;
} divisors;

static void add_divisor(divisors *to, long of)
{
    int at = 0;
    while (at < to->n && to->of[at] != of)
        at++;
    if (of > 1 && at == to->n && to->n < (int)(sizeof to->of / sizeof *to->of))
        to->of[to->n++] = of;
}

static isl_stat divisors_of(isl_constraint *c /* __isl_take */, void *user)
{
    int n = (int)isl_constraint_dim(c, isl_dim_div);
    for (int i = 0; i < n; i++) {
        isl_val *v = isl_val_abs(isl_constraint_get_coefficient_val(c, isl_dim_div, i));
        if (isl_val_cmp_si(v, INT32_MAX) <= 0)
            add_divisor(user, isl_val_get_num_si(v));
        isl_val_free(v);
    }
    isl_constraint_free(c);
    return isl_stat_ok;
}

static isl_stat divisors_in(isl_basic_set *piece /* __isl_take */, void *user)
{
    isl_basic_set_foreach_constraint(piece, divisors_of, user);
    isl_basic_set_free(piece);
    return isl_stat_ok;
}

static void put_divisors(const sq_stmt *s, sq_text *to)
{
    divisors all = {.n = 0};
    isl_set_foreach_basic_set(s->domain, divisors_in, &all);
    if (s->updates)
        isl_set_foreach_basic_set(s->updates, divisors_in, &all);
    for (int i = 0; i < all.n; i++)
        sq_text_printf(to, "%s%ld",
                       i == 0           ? ", which divide by "
                       : i == all.n - 1 ? " and "
                                        : ", ",
                       all.of[i]);
    if (all.n)
        sq_text_puts(to, ",");
}

int sq_ast_loops_refused(const sq_stmt *s, sq_diags *d)
{
    sq_text by = {0};
    put_divisors(s, &by);
    sq_error(d, SQ_FAULT_REFUSED, s->loc,
             "the loops around '%s' cannot be written down: its conditions and bounds%s fall into "
             "too many cases",
             s->name, sq_text_str(&by));
    sq_help(d, SQ_NOWHERE,
            "fewer remainders, quotients, minima and maxima in one statement, or several kernels");
    sq_text_free(&by);
    return -1;
}
