/* Kernel: lookups in the record of a described computation, and freeing it. Everything except isl's
 * objects is in the kernel's arena, so freeing means visiting the few places that hold an isl
 * object: extents, domains, accesses, index expressions. See also kernel_dump.c (text) and
 * kernel_flops.c (counting). */
#include "ir/kernel/kernel.h"
#include "ir/dependence/rewrite.h"
#include "ir/schedule/tree.h"
#include "support/diag.h"
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/val.h>
#include <math.h>
#include <string.h>

const char *sq_fp_name(sq_fp fp)
{
    static const char *const names[] = {"reassoc", "strict", "fast"};
    return names[fp];
}

typedef struct collected {
    sq_access **read;
    bool *in_body, body;
    int n, max;
} collected;

static void collect(sq_expr *e, void *user)
{
    collected *c = user;
    if (e->op != SQ_OP_READ)
        return;
    if (c->n < c->max) {
        if (c->read)
            c->read[c->n] = e->access;
        if (c->in_body)
            c->in_body[c->n] = c->body;
    }
    c->n++;
}

int sq_stmt_reads(const sq_stmt *s, sq_access **read, bool *in_body, int max)
{
    collected c = {.read = read, .in_body = in_body, .body = true, .max = max};
    sq_expr_walk(s->body, collect, &c);
    c.body = false;
    sq_expr_walk(s->value, collect, &c);
    return c.n;
}

int sq_stmt_all_reads(const sq_stmt *s, sq_access **read, bool *in_body)
{
    int n = sq_stmt_reads(s, read, in_body, SQ_MAX_STMT_READS);
    if (n > SQ_MAX_STMT_READS)
        sq_bug("kernel", "statement %s reads %d elements, and there may be %d", s->name, n, SQ_MAX_STMT_READS);
    return n;
}

const char *sq_stmt_update_name(const sq_kernel *k, const sq_stmt *s)
{
    return sq_arena_printf(k->arena, "%s_u", s->name);
}

/* Adds { a[x] : 0 <= x[d] < extent d } to `set`. */
static isl_set *bound_dim(isl_set *set, const sq_array *a, int d)
{
    isl_local_space *ls = isl_local_space_from_space(isl_set_get_space(set));
    isl_aff *x = isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set, (unsigned)d);
    isl_pw_aff *extent = isl_pw_aff_from_aff(isl_aff_copy(a->extent[d]));
    extent = isl_pw_aff_insert_domain(extent, isl_set_get_space(set));
    isl_aff *zero = isl_aff_zero_on_domain(ls);
    set = isl_set_intersect(set, isl_aff_ge_set(isl_aff_copy(x), zero));
    return isl_set_intersect(set, isl_pw_aff_lt_set(isl_pw_aff_from_aff(x), extent));
}

isl_set *sq_array_bounds(const sq_kernel *k, const sq_array *a)
{
    isl_space *space = isl_space_set_from_params(isl_set_get_space(k->context));
    space = isl_space_add_dims(space, isl_dim_set, (unsigned)a->ndim);
    isl_set *set = isl_set_universe(isl_space_set_tuple_name(space, isl_dim_set, a->name));
    for (int d = 0; d < a->ndim; d++)
        set = bound_dim(set, a, d);
    return set;
}

bool sq_arrays_overlap(const sq_array *a, const sq_array *b)
{
    return a == b || ((a->alias || b->alias) && a->role != SQ_LOCAL && b->role != SQ_LOCAL);
}

bool sq_kernel_overlaps(const sq_kernel *k)
{
    for (int i = 0; i < k->narrays; i++)
        if (k->array[i]->alias)
            return true;
    return false;
}

const sq_array *sq_array_described(const sq_array *a)
{
    return a->seen ? a->seen : a;
}

int64_t sq_array_extent(const sq_array *a, int d)
{
    int64_t n = -1;
    if (isl_aff_is_cst(a->extent[d]) == isl_bool_true) {
        isl_val *v = isl_aff_get_constant_val(a->extent[d]);
        n = isl_val_get_num_si(v);
        isl_val_free(v);
    }
    return n;
}

static bool involves_size(const sq_kernel *k, isl_set *instances /* __isl_keep */, int i)
{
    isl_set *own = isl_set_gist_params(isl_set_copy(instances), isl_set_copy(k->context));
    int at = isl_set_find_dim_by_name(own, isl_dim_param, k->size[i]->name);
    bool involved = at >= 0 && isl_set_involves_dims(own, isl_dim_param, (unsigned)at, 1) != isl_bool_false;
    isl_set_free(own);
    return involved;
}

bool sq_stmt_involves_size(const sq_kernel *k, const sq_stmt *s, int i)
{
    return involves_size(k, s->domain, i) || (s->updates && involves_size(k, s->updates, i));
}

sq_stmt *sq_kernel_stmt(const sq_kernel *k, const char *name)
{
    for (int i = 0; i < k->nstmts; i++)
        if (strcmp(k->stmt[i]->name, name) == 0)
            return k->stmt[i];
    return NULL;
}

bool sq_expr_reads(const sq_expr *e, const sq_array *a)
{
    if (e->op == SQ_OP_READ && e->access->array == a)
        return true;
    for (int i = 0; i < e->nargs; i++)
        if (sq_expr_reads(e->arg[i], a))
            return true;
    return false;
}

bool sq_access_moves(const sq_access *a, int dim)
{
    return isl_multi_aff_involves_dims(a->map, isl_dim_in, (unsigned)dim, 1) == isl_bool_true;
}

bool sq_stmt_has_words(const sq_stmt *s)
{
    return s->body && sq_op_takes_words(s->body->op);
}

bool sq_stmt_reads_array(const sq_stmt *s, const sq_array *a)
{
    return (s->body && sq_expr_reads(s->body, a)) || sq_expr_reads(s->value, a);
}

bool sq_stmt_touches(const sq_stmt *s, const sq_array *a)
{
    return s->write->array == a || sq_stmt_reads_array(s, a);
}

bool sq_stmts_share_loop(const sq_stmt *a, const sq_stmt *b)
{
    if (!a->written_loops || !b->written_loops)
        return false;
    isl_val *x = isl_map_plain_get_val_if_fixed(a->textual, isl_dim_out, 0);
    isl_val *y = isl_map_plain_get_val_if_fixed(b->textual, isl_dim_out, 0);
    bool differ = isl_val_is_int(x) == isl_bool_true && isl_val_is_int(y) == isl_bool_true &&
                  isl_val_eq(x, y) == isl_bool_false;
    isl_val_free(x);
    isl_val_free(y);
    return !differ;
}

sq_array *sq_kernel_array(const sq_kernel *k, const char *name)
{
    for (int i = 0; i < k->narrays; i++)
        if (strcmp(k->array[i]->name, name) == 0)
            return k->array[i];
    return NULL;
}

static void free_access(sq_access *a)
{
    if (!a)
        return;
    a->map = isl_multi_aff_free(a->map);
    a->where = isl_set_free(a->where);
}

/* May be called twice for a node: an access may be in an expression and be the write. */
static void free_node(sq_expr *e, void *user)
{
    (void)user;
    free_access(e->access);
    e->index = isl_aff_free(e->index);
}

void sq_stmt_free(sq_stmt *s)
{
    sq_expr_walk(s->body, free_node, NULL);
    sq_expr_walk(s->value, free_node, NULL);
    free_access(s->write);
    for (int d = 0; s->counted && d < s->ndim; d++)
        isl_aff_free(s->counted[d]);
    s->domain = isl_set_free(s->domain);
    s->updates = isl_set_free(s->updates);
    s->textual = isl_map_free(s->textual);
}

sq_expr *sq_expr_node(const sq_kernel *k, sq_op op, sq_type type, sq_loc loc, int nargs,
                      sq_expr *const *arg)
{
    sq_expr *e = SQ_NEW(k->arena, sq_expr);
    *e = (sq_expr){.op = op, .type = type, .loc = loc, .nargs = nargs};
    for (int i = 0; i < nargs; i++)
        e->arg[i] = arg[i];
    return e;
}

/* Computes the stride of a subscript; false if that depends on a division. */
static bool subscript_step(isl_aff *f /* __isl_keep */, const double *by, int n, double *step)
{
    bool divides = isl_aff_dim(f, isl_dim_div) > 0;
    *step = 0;
    for (int d = 0; d < n && d < (int)isl_aff_dim(f, isl_dim_in); d++) {
        if (by[d] != 0 && divides && isl_aff_involves_dims(f, isl_dim_in, (unsigned)d, 1))
            return false;
        isl_val *c = isl_aff_get_coefficient_val(f, isl_dim_in, d);
        *step += isl_val_get_d(c) * by[d];
        isl_val_free(c);
    }
    return true;
}

bool sq_access_step(const sq_access *a, const double *by, int n, double *step)
{
    static const double nothing = 1e-9; /* directions come from a floating-point solver */
    bool known = true;
    *step = 0;
    for (int i = 0; i < a->array->ndim && known && fabs(*step) < nothing; i++) {
        isl_aff *f = isl_multi_aff_get_aff(a->map, i);
        known = subscript_step(f, by, n, step);
        known = known && (i == a->array->ndim - 1 || fabs(*step) < nothing);
        isl_aff_free(f);
    }
    return known;
}

bool sq_access_alike(const sq_access *a, const sq_access *b, int n)
{
    bool same = true;
    for (int x = 0; x < a->array->ndim && same; x++) {
        isl_aff *f = isl_multi_aff_get_aff(a->map, x), *h = isl_multi_aff_get_aff(b->map, x);
        for (int d = 0; d < n && same; d++) {
            isl_val *u = isl_aff_get_coefficient_val(f, isl_dim_in, d);
            isl_val *v = isl_aff_get_coefficient_val(h, isl_dim_in, d);
            same = isl_val_eq(u, v) == isl_bool_true;
            isl_val_free(u);
            isl_val_free(v);
        }
        isl_aff_free(f);
        isl_aff_free(h);
    }
    return same;
}

const char *sq_size_ctype(const sq_size *s)
{
    return s->is_size_t ? "size_t" : s->type == SQ_I32 ? "int" : sq_type_ctype(s->type);
}

const char *sq_param_name(const sq_param *p)
{
    return p->size ? p->size->name : p->scalar ? p->scalar->name : p->array->name;
}

bool sq_param_shown(const sq_param *p)
{
    return !p->size || !p->size->fixed || p->size->kept;
}

bool sq_kernel_has_locals(const sq_kernel *k)
{
    for (int i = 0; i < k->narrays; i++)
        if (k->array[i]->role == SQ_LOCAL)
            return true;
    return false;
}

int sq_kernel_finest(const sq_kernel *k, bool *has_f64)
{
    int finest = 8;
    *has_f64 = false;
    for (int a = 0; a < k->narrays; a++) {
        int bytes = sq_type_bytes(k->array[a]->type);
        *has_f64 |= k->array[a]->type == SQ_F64;
        finest = bytes < finest ? bytes : finest;
    }
    return finest;
}
