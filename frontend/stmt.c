/* Statements: from a draft (variables, expressions over the universe) to the record in the kernel.
 * The domain is the conjunction of the ranges of its variables and of the conditions around it;
 * everything is pulled back along { S[dims] -> universe }. */
#include "frontend/build.h"
#include "support/limits.h"
#include "ir/dependence/witness.h"
#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <string.h>

static uint64_t dims_mask(const sq_draft *s, int n)
{
    uint64_t mask = 0;
    for (int i = 0; i < n; i++)
        mask |= UINT64_C(1) << s->dim[i];
    return mask;
}

/* Where dimension d lies, over the universe. */
static isl_set *range_of(const sq_builder *b, const sq_draft *s, int d)
{
    if (!s->hi[d])
        return isl_set_copy(b->var[s->dim[d]].within);
    isl_set *set = isl_aff_ge_set(sq_affine_of_var(b, s->dim[d]), sq_affine_zero(b));
    isl_aff *hi = isl_aff_copy(s->hi[d]);
    return isl_set_intersect(set, isl_aff_lt_set(sq_affine_of_var(b, s->dim[d]), hi));
}

static uint64_t set_vars(const sq_builder *b, isl_set *set)
{
    uint64_t mask = 0;
    for (int v = 0; v < b->nvars; v++)
        if (isl_set_involves_dims(set, isl_dim_set, (unsigned)v, 1) == isl_bool_true)
            mask |= UINT64_C(1) << v;
    return mask;
}

/* A range or condition may only mention the statement's own variables. */
static int check_vars(sq_builder *b, const sq_draft *s, uint64_t used, sq_loc at, const char *what)
{
    uint64_t strange = used & ~dims_mask(s, s->ndim);
    for (int v = 0; v < b->nvars; v++)
        if (strange >> v & 1) {
            sq_error(b->r.d, SQ_FAULT_INPUT, s->loc,
                     "%s mentions '%s', which this statement does "
                     "not use; accepted are its own indices and sizes",
                     what, b->var[v].name);
            sq_note(b->r.d, at, "%s", "given here");
            return -1;
        }
    return 0;
}

/* Conditions on the first n dimensions and the guard; *leaks: one of them mentions others. */
static isl_set *constraints(sq_builder *b, const sq_draft *s, int n, bool *leaks)
{
    isl_set *all = isl_set_universe(isl_space_copy(b->universe));
    for (int d = 0; d < n; d++) {
        isl_set *range = range_of(b, s, d);
        uint64_t used = set_vars(b, range);
        const char *what = sq_arena_printf(b->r.arena, "the range of '%s'", b->var[s->dim[d]].name);
        if (check_vars(b, s, used, b->var[s->dim[d]].range, what)) {
            isl_set_free(range);
            return isl_set_free(all);
        }
        *leaks |= (used & ~dims_mask(s, n)) != 0;
        all = isl_set_intersect(all, range);
    }
    if (b->guard) {
        uint64_t used = set_vars(b, b->guard);
        if (check_vars(b, s, used, b->guard_loc, "the condition around it"))
            return isl_set_free(all);
        *leaks |= (used & ~dims_mask(s, n)) != 0;
        all = isl_set_intersect(all, isl_set_copy(b->guard));
    }
    return all;
}

/* The space of an instance tuple: `name`[dims]. */
static isl_space *tuple_space(const sq_builder *b, const sq_draft *s, int n, const char *name)
{
    isl_space *space = isl_space_params(isl_space_copy(b->universe));
    space = isl_space_add_dims(isl_space_set_from_params(space), isl_dim_set, (unsigned)n);
    for (int d = 0; d < n; d++)
        space = isl_space_set_dim_name(space, isl_dim_set, (unsigned)d, b->var[s->dim[d]].name);
    return isl_space_set_tuple_name(space, isl_dim_set, name);
}

/* { name[dims] -> universe }; variables that are no dimension become 0. */
static isl_multi_aff *insertion(const sq_builder *b, const sq_draft *s, int n, const char *name)
{
    isl_space *from = tuple_space(b, s, n, name);
    isl_aff_list *list = isl_aff_list_alloc(b->k->ctx, b->nvars);
    for (int v = 0; v < b->nvars; v++) {
        int at = -1;
        for (int d = 0; d < n; d++)
            if (s->dim[d] == v)
                at = d;
        isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
        list =
            isl_aff_list_add(list, at < 0 ? isl_aff_zero_on_domain(ls)
                                          : isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)at));
    }
    isl_space *space = isl_space_map_from_domain_and_range(from, isl_space_copy(b->universe));
    return isl_multi_aff_from_aff_list(space, list);
}

/* Pulls the accesses and index values of an expression back. */
static void place_node(sq_expr *e, void *user)
{
    isl_multi_aff *to = user;
    if (e->op == SQ_OP_READ)
        e->access->map = isl_multi_aff_pullback_multi_aff(e->access->map, isl_multi_aff_copy(to));
    if (e->op == SQ_OP_READ && e->access->where)
        e->access->where = isl_set_preimage_multi_aff(e->access->where, isl_multi_aff_copy(to));
    if (e->op == SQ_OP_INDEX)
        e->index = isl_aff_pullback_multi_aff(e->index, isl_multi_aff_copy(to));
    if (e->op == SQ_OP_REDUCED)
        e->integer = 0; /* which one was of interest while there were several */
}

/* Time of a written statement: [position, loop, position, loop, …, position]. */
static isl_map *textual_time(sq_builder *b, const sq_draft *s, const char *name)
{
    isl_space *from = tuple_space(b, s, s->nfree, name);
    isl_aff_list *list = isl_aff_list_alloc(b->k->ctx, 2 * s->nfree + 1);
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
    for (int d = 0; d <= s->nfree; d++) {
        int position = d <= b->nloops ? b->counter[d] : 0;
        isl_val *v = isl_val_int_from_si(b->k->ctx, position);
        list = isl_aff_list_add(list, isl_aff_val_on_domain(isl_local_space_copy(ls), v));
        if (d < s->nfree)
            list = isl_aff_list_add(
                list, isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set, (unsigned)d));
    }
    isl_local_space_free(ls);
    isl_space *space =
        isl_space_add_dims(isl_space_from_domain(from), isl_dim_out, (unsigned)(2 * s->nfree + 1));
    return isl_map_from_multi_aff(isl_multi_aff_from_aff_list(space, list));
}

static sq_stmt *new_stmt(sq_builder *b, const sq_draft *s)
{
    sq_kernel *k = b->k;
    sq_stmt *r = SQ_NEW(k->arena, sq_stmt);
    *r = (sq_stmt){.name = sq_arena_printf(k->arena, "S%d", k->nstmts),
                   .position = k->nstmts,
                   .written_loops = s->written,
                   .ndim = s->ndim,
                   .nfree = s->nfree,
                   .reduce = s->reduce,
                   .keeps_old = s->keeps_old,
                   .is_maybe = s->maybe,
                   .ordered = s->body && k->fp == SQ_FP_STRICT && sq_type_real(s->body->type),
                   .write = s->write,
                   .body = s->body,
                   .value = s->value,
                   .loc = s->loc};
    r->dim = SQ_NEW_ARRAY(k->arena, const char *, s->ndim);
    for (int d = 0; d < s->ndim; d++)
        r->dim[d] = b->var[s->dim[d]].name;
    for (int d = 0; d < s->nfree && s->written; d++)
        r->nindex += !b->var[s->dim[d]].is_loop;
    sq_stmt **more = SQ_NEW_ARRAY(k->arena, sq_stmt *, k->nstmts + 1);
    if (k->nstmts)
        memcpy(more, k->stmt, (size_t)k->nstmts * sizeof *more);
    more[k->nstmts++] = r;
    k->stmt = more;
    return r;
}

/* ---- divisions in subscripts --------------------------------------------------------------- */

void sq_floors_forget(sq_builder *b)
{
    for (sq_floor *f = b->floors; f; f = f->next) {
        isl_aff_free(f->numerator);
        isl_set_free(f->where);
    }
    b->floors = NULL;
}

/* Where, among `all` instances of a statement, a numerator is negative. */
static isl_set *negative(const sq_floor *f, isl_set *all)
{
    isl_set *bad = isl_set_from_basic_set(isl_aff_neg_basic_set(isl_aff_copy(f->numerator)));
    bad = isl_set_intersect(bad, isl_set_copy(all));
    return f->where ? isl_set_intersect(bad, isl_set_copy(f->where)) : bad;
}

/* Proves that no division in a subscript rounds up. */
static int check_floors(sq_builder *b, const sq_draft *s, const sq_stmt *r, isl_set *all)
{
    int rc = 0;
    for (sq_floor *f = b->floors; f && rc == 0; f = f->next) {
        sq_witness w;
        if (sq_affine_vars(b, f->numerator) & ~dims_mask(s, s->ndim))
            continue;
        bool reduces = s->ndim > s->nfree;
        isl_multi_aff *dims = insertion(b, s, s->ndim, r->name);
        isl_set *bad = isl_set_preimage_multi_aff(negative(f, all), dims);
        if (isl_set_is_empty(bad) == isl_bool_true)
            isl_set_free(bad);
        else if (sq_witness_find(b->k, bad, &w)) {
            rc = sq_error(b->r.d, SQ_FAULT_INPUT, f->loc,
                          "C rounds this division toward zero, which a subscript cannot do: what "
                          "it divides is negative, for example %s%s",
                          w.sizes, sq_witness_instance(b->k, r, reduces, &w, 0));
            sq_help(b->r.d, SQ_NOWHERE,
                    "divide a sum that is never negative, or narrow the index with range(…)");
        }
    }
    return rc;
}

/* The instances without their reduced dimensions: those that update at least once. */
static isl_set *updated(const sq_draft *s, isl_set *all)
{
    isl_set *some = isl_set_copy(all);
    for (int d = s->nfree; d < s->ndim; d++)
        some = isl_set_insert_dims(isl_set_project_out(some, isl_dim_set, (unsigned)s->dim[d], 1),
                                   isl_dim_set, (unsigned)s->dim[d], 1);
    return some;
}

/* A loop that is never entered writes nothing. Where that would be outside of the array, instances
 * without an update must be left out; elsewhere writing the old value back is simpler. */
static bool writes_outside(const sq_builder *b, const sq_draft *s, isl_set *finish, isl_set *all)
{
    if (!s->loops_only || s->ndim == s->nfree)
        return false;
    isl_set *idle = isl_set_subtract(isl_set_copy(finish), updated(s, all));
    idle = isl_set_intersect_params(idle, isl_set_copy(b->k->context));
    isl_set *reached =
        isl_set_apply(idle, isl_map_from_multi_aff(isl_multi_aff_copy(s->write->map)));
    reached = isl_set_subtract(reached, sq_array_bounds(b->k, s->write->array));
    bool outside = isl_set_is_empty(reached) != isl_bool_true;
    isl_set_free(reached);
    return outside;
}

/* Updates first: where a free variable's range mentions a reduced one (a loop inside it), the
 * domain is what the updates project to. */
static int fill_domains(sq_builder *b, const sq_draft *s, sq_stmt *r, isl_multi_aff *free_dims)
{
    bool leaks = false, ignored = false;
    isl_set *all = constraints(b, s, s->ndim, &ignored);
    isl_set *finish = all ? constraints(b, s, s->nfree, &leaks) : NULL;
    if (!finish || check_floors(b, s, r, all)) {
        isl_set_free(all);
        isl_set_free(finish);
        return -1;
    }
    if (s->ndim > s->nfree) {
        isl_multi_aff *dims = insertion(b, s, s->ndim, sq_stmt_update_name(b->k, r));
        r->updates = isl_set_preimage_multi_aff(isl_set_copy(all), isl_multi_aff_copy(dims));
        sq_expr_walk(r->body, place_node, dims);
        isl_multi_aff_free(dims);
    }
    if (leaks || writes_outside(b, s, finish, all)) {
        isl_set_free(finish);
        finish = updated(s, all);
    }
    isl_set_free(all);
    r->domain = isl_set_coalesce(isl_set_preimage_multi_aff(finish, isl_multi_aff_copy(free_dims)));
    return 0;
}

/* What the user's variables are, for messages. */
static void note_counts(sq_builder *b, const sq_draft *s, sq_stmt *r)
{
    r->counted = SQ_NEW_ARRAY(b->k->arena, isl_aff *, s->ndim);
    const char *name = r->updates ? sq_stmt_update_name(b->k, r) : r->name;
    for (int d = 0; d < s->ndim; d++) {
        isl_aff *value = b->var[s->dim[d]].value;
        if (value)
            r->counted[d] =
                isl_aff_pullback_multi_aff(isl_aff_copy(value), insertion(b, s, s->ndim, name));
    }
}

int sq_stmt_add(sq_builder *b, const sq_draft *s)
{
    if (s->crowded)
        return sq_error(b->r.d, SQ_FAULT_INPUT, s->loc,
                        "this statement has more than %d "
                        "dimensions, loops and summed indices included",
                        SQ_MAX_DIM);
    if (b->k->nstmts == SQ_MOST_STATEMENTS) {
        b->is_full = true;
        return sq_error(b->r.d, SQ_FAULT_INPUT, s->loc,
                        "more than %d statements in one kernel; make it several kernels",
                        SQ_MOST_STATEMENTS);
    }
    sq_stmt *r = new_stmt(b, s);
    isl_multi_aff *dims = insertion(b, s, s->nfree, r->name);
    int rc = fill_domains(b, s, r, dims);
    note_counts(b, s, r);
    if (rc == 0) {
        sq_expr_walk(r->value, place_node, dims);
        r->write->map = isl_multi_aff_pullback_multi_aff(r->write->map, isl_multi_aff_copy(dims));
        r->write->where = isl_set_free(r->write->where); /* the instances are those that write */
    }
    isl_multi_aff_free(dims);
    if (rc == 0 && sq_stmt_reads(r, NULL, NULL, 0) > SQ_MAX_STMT_READS)
        rc = sq_error(b->r.d, SQ_FAULT_INPUT, s->loc,
                      "this statement reads %d array elements; accepted are up to %d: compute a "
                      "part of it into a temporary first",
                      sq_stmt_reads(r, NULL, NULL, 0), SQ_MAX_STMT_READS);
    if (rc == 0 && s->written) {
        r->textual = textual_time(b, s, r->name);
        if (s->nfree > b->max_depth)
            b->max_depth = s->nfree;
    }
    return rc;
}
