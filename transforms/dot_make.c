/* Dot, make: the kernel that multiplies words; see dot.h. */
#include "ir/dependence/rewrite.h"
#include "ir/kernel/piece.h"
#include "transforms/dot.h"
#include "transforms/project.h"
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdint.h>
#include <string.h>

typedef struct maker {
    const sq_dot *x;
    sq_kernel *made;
    sq_array *words[2]; /* words of the factors */
    /* the subscript of each factor that is the last one of its words; the others keep their
     * order */
    int last[2];
    sq_array *over; /* the correction for flipped bits; NULL: none are flipped */
} maker;

/* The sign bits of all elements of a word. */
static const int64_t top_bits = INT32_C(-0x7f7f7f80);

/* ---- expressions ---- */

static sq_expr *pair(const maker *m, sq_op op, sq_expr *a, sq_expr *b)
{
    sq_expr *arg[] = {a, b};
    return sq_expr_node(m->made, op, SQ_I32, a->loc, 2, arg);
}

static sq_expr *number(const maker *m, int64_t x)
{
    sq_expr *e = sq_expr_node(m->made, SQ_OP_CONST, SQ_I32, m->x->of->loc, 0, NULL);
    e->integer = x;
    return e;
}

static sq_expr *read_of(const maker *m, sq_access *a)
{
    sq_expr *e = sq_expr_node(m->made, SQ_OP_READ, a->array->type, a->loc, 0, NULL);
    e->access = a;
    return e;
}

static int bits_of(const maker *m)
{
    return 32 / m->x->parts;
}

/* Shifts one element to its place in the word. */
static sq_expr *placed(const maker *m, sq_expr *element, int place)
{
    sq_expr *x = sq_expr_node(m->made, SQ_OP_CAST, SQ_I32, element->loc, 1, &element);
    bool last = place == m->x->parts - 1;
    if (!last && !sq_type_unsigned(element->type))
        x = pair(m, SQ_OP_BIT_AND, x, number(m, (1 << bits_of(m)) - 1));
    return place ? pair(m, SQ_OP_SHL, x, number(m, place * bits_of(m))) : x;
}

/* ---- arrays ---- */

static sq_array *new_array(const maker *m, const char *name, int ndim)
{
    sq_array *a = SQ_NEW(m->made->arena, sq_array);
    *a = (sq_array){.name = name, .type = SQ_I32, .role = SQ_LOCAL, .ndim = ndim, .loc = m->x->of->loc};
    a->extent = SQ_NEW_ARRAY(m->made->arena, isl_aff *, ndim + 1);
    m->made->array[m->made->narrays++] = a;
    return a;
}

/* Returns n / parts, rounded up. */
static isl_aff *in_words(const maker *m, isl_aff *n /* __isl_take */)
{
    n = isl_aff_add_constant_si(n, m->x->parts - 1);
    return isl_aff_floor(isl_aff_scale_down_ui(n, (unsigned)m->x->parts));
}

/* The dimension of the sum's statement that a subscript is by itself; -1. */
static int dim_of(const sq_access *a, int sub)
{
    isl_aff *x = isl_multi_aff_get_aff(a->map, sub);
    isl_local_space *ls = isl_local_space_from_space(isl_aff_get_domain_space(x));
    int found = -1;
    for (int d = 0; d < (int)isl_aff_dim(x, isl_dim_in) && found < 0; d++) {
        isl_aff *own = isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set, (unsigned)d);
        found = isl_aff_plain_is_equal(x, own) == isl_bool_true ? d : -1;
        isl_aff_free(own);
    }
    isl_local_space_free(ls);
    isl_aff_free(x);
    return found;
}

/* Chooses the subscript along which words are contiguous: that of the result's last dimension.
 * Beside a factor in place, whose words of one sum are contiguous, the order is kept. */
static int last_of(const maker *m, const sq_dot_factor *f)
{
    const sq_access *out = m->x->of->write;
    int n = f->read->array->ndim, along = out->array->ndim ? dim_of(out, out->array->ndim - 1) : -1;
    bool in_place = m->x->factor[0].in_place || m->x->factor[1].in_place;
    for (int d = 0; d < n && along >= 0 && !in_place; d++)
        if (dim_of(f->read, d) == along)
            return d;
    return n - 1;
}

/* Returns the position of a factor's subscript in its words. */
static int place_of(const maker *m, int factor, int sub)
{
    int last = m->last[factor];
    return sub == last ? m->words[factor]->ndim - 1 : sub - (sub > last);
}

static sq_array *words_of(const maker *m, const sq_dot_factor *f)
{
    const sq_array *of = f->read->array;
    sq_array *a = new_array(m, sq_rewritten_name(m->made, m->x->k, of->name, "_words"), of->ndim);
    a->role = f->in_place ? SQ_IN : SQ_LOCAL;
    a->words_of = f->in_place ? of : NULL;
    a->is_ragged = f->in_place; /* panels would be another copy */
    for (int d = 0; d < of->ndim; d++) {
        isl_aff *n = isl_aff_copy(of->extent[d]);
        int last = m->last[f - m->x->factor], to = d == last ? of->ndim - 1 : d - (d > last);
        a->extent[to] = d == f->sub ? in_words(m, n) : n;
    }
    return a;
}

/* ---- statements ---- */

static sq_access *new_access(const maker *m, sq_array *a, isl_multi_aff *map /* __isl_take */)
{
    return sq_access_new(m->made, a, map, m->x->of->loc);
}

static sq_stmt *new_stmt(const maker *m, const char *end, int ndim, int nfree)
{
    sq_stmt *s = SQ_NEW(m->made->arena, sq_stmt);
    const char *name = sq_arena_printf(m->made->arena, "%s_%s", m->x->of->name, end);
    *s = (sq_stmt){.name = sq_rewritten_name(m->made, m->x->k, name, ""),
                   .ndim = ndim,
                   .nfree = nfree,
                   .reduce = SQ_OP_CONST,
                   .loc = m->x->of->loc,
                   .dim = SQ_NEW_ARRAY(m->made->arena, const char *, ndim + 1)};
    return s;
}

static void put(const maker *m, sq_stmt *s)
{
    m->made->stmt[m->made->nstmts++] = s;
}

/* Names the factor's subscripts as the sum does, each name once; "d0" for others. */
static void name_subscripts(const maker *m, const sq_access *a, sq_stmt *s)
{
    bool taken[SQ_MAX_DIMS] = {false};
    for (int d = 0; d < s->ndim; d++) {
        int of = dim_of(a, d);
        const char *own = of >= 0 && !taken[of] ? m->x->of->dim[of] : NULL;
        if (own)
            taken[of] = true;
        s->dim[d] = own ? own
                        : sq_rewritten_name(m->made, m->x->k, sq_arena_printf(m->made->arena, "d%d", d), "");
    }
}

/* Returns 0 <= d < end for each subscript of the factor, along the summed one for words. */
static isl_set *all_words(const maker *m, int factor, const char *name)
{
    const sq_array *words = m->words[factor];
    isl_set *s = isl_set_universe(sq_projected_space(m->made, name, words->ndim));
    for (int d = 0; d < words->ndim; d++) {
        isl_local_space *ls = isl_local_space_from_space(isl_set_get_space(s));
        isl_pw_aff *at = isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)d));
        isl_pw_aff *end = isl_pw_aff_from_aff(isl_aff_copy(words->extent[place_of(m, factor, d)]));
        end = isl_pw_aff_insert_domain(end, isl_set_get_space(s));
        s = isl_set_lower_bound_si(s, isl_dim_set, (unsigned)d, 0);
        s = isl_set_intersect(s, isl_pw_aff_lt_set(at, end));
    }
    s = isl_set_intersect_params(s, isl_set_copy(m->made->context));
    return isl_set_coalesce(isl_set_remove_redundancies(s));
}

/* Permutes a factor's subscripts to the order of its words. */
static isl_multi_aff *in_order(const maker *m, int factor, isl_multi_aff *map /* __isl_take */)
{
    isl_multi_aff *to = isl_multi_aff_reset_tuple_id(isl_multi_aff_copy(map), isl_dim_out);
    for (int d = 0; d < m->words[factor]->ndim; d++)
        to = isl_multi_aff_set_aff(to, place_of(m, factor, d), isl_multi_aff_get_aff(map, d));
    isl_multi_aff_free(map);
    return to;
}

/* Returns element `place` of the word, 0 beyond the array's end unless all words are complete. */
static sq_expr *element(const maker *m, const sq_dot_factor *f, const sq_stmt *s, int place, bool whole)
{
    isl_multi_aff *map = isl_multi_aff_identity_on_domain_space(isl_set_get_space(s->domain));
    isl_aff *at = isl_multi_aff_get_aff(map, f->sub);
    at = isl_aff_add_constant_si(isl_aff_scale_val(at, isl_val_int_from_si(m->made->ctx, m->x->parts)), place);
    map = isl_multi_aff_reset_tuple_id(isl_multi_aff_set_aff(map, f->sub, at), isl_dim_out);
    sq_access *a = new_access(m, f->read->array, map);
    a->edge = whole ? SQ_EDGE_NONE : SQ_EDGE_PAD;
    return read_of(m, a);
}

/* Makes the statement words[…] = the packed elements, the first in the lowest bits. */
static void fill_words(const maker *m, int factor)
{
    const sq_dot_factor *f = &m->x->factor[factor];
    const sq_array *of = f->read->array;
    sq_array *words = m->words[factor];
    bool whole = sq_stmt_multiple(m->x->of, m->x->dim, m->x->k->context) % m->x->parts == 0;
    sq_stmt *s = new_stmt(m, of->name, of->ndim, of->ndim);
    name_subscripts(m, f->read, s);
    s->domain = all_words(m, factor, s->name);
    isl_multi_aff *own = isl_multi_aff_identity_on_domain_space(isl_set_get_space(s->domain));
    s->write = new_access(m, words, in_order(m, factor, own));
    for (int i = 0; i < m->x->parts; i++) {
        sq_expr *e = placed(m, element(m, f, s, i, whole), i);
        s->value = s->value ? pair(m, SQ_OP_BIT_OR, s->value, e) : e;
    }
    if (f->sub == of->ndim - 1)
        s->value = sq_expr_node(m->made, SQ_OP_WORD, SQ_I32, s->loc, 1, &s->value);
    if (f->turns)
        s->value = pair(m, SQ_OP_BIT_XOR, s->value, number(m, top_bits));
    put(m, s);
}

/* Returns a word of elements outside of the array, with their bits flipped if necessary. */
static int64_t outside(const maker *m, const sq_dot_factor *f)
{
    int bits = bits_of(m);
    uint32_t one = (uint32_t)f->read->outside.integer & ((1u << bits) - 1), all = 0;
    for (int i = 0; i < m->x->parts; i++)
        all |= one << i * bits;
    return (int32_t)(f->turns ? all ^ (uint32_t)top_bits : all);
}

/* Returns a factor's word, at instances that `by` (NULL: identity) maps to those of the sum. */
static sq_expr *word(const maker *m, int factor, isl_multi_aff *by /* __isl_keep */)
{
    const sq_dot_factor *f = &m->x->factor[factor];
    sq_access *a = sq_access_copied(m->made, f->read, by);
    a->array = m->words[factor];
    a->map = in_order(m, factor, a->map);
    a->map = isl_multi_aff_set_tuple_name(a->map, isl_dim_out, a->array->name);
    a->outside = (sq_number){.integer = outside(m, f)};
    bool turn = f->in_place && f->turns;
    return turn ? pair(m, SQ_OP_BIT_XOR, read_of(m, a), number(m, top_bits)) : read_of(m, a);
}

static sq_op product(const maker *m)
{
    return m->x->parts == 4 ? SQ_OP_DOT4 : SQ_OP_DOT2;
}

/* Returns the same instances, with the sum's dimension counting words. */
static isl_set *of_words(const maker *m, isl_set *of /* __isl_take */)
{
    isl_map *to = isl_map_universe(isl_space_map_from_set(isl_set_get_space(of)));
    for (int d = 0; d < (int)isl_set_dim(of, isl_dim_set); d++)
        if (d != m->x->dim)
            to = isl_map_equate(to, isl_dim_in, d, isl_dim_out, d);
    isl_local_space *ls = isl_local_space_from_space(isl_map_get_space(to));
    for (int end = 0; end < 2; end++) { /* parts * word <= element < parts * word + parts */
        isl_constraint *c = isl_constraint_alloc_inequality(isl_local_space_copy(ls));
        c = isl_constraint_set_coefficient_si(c, isl_dim_in, m->x->dim, end ? -1 : 1);
        c = isl_constraint_set_coefficient_si(c, isl_dim_out, m->x->dim, end ? m->x->parts : -m->x->parts);
        c = isl_constraint_set_constant_si(c, end ? m->x->parts - 1 : 0);
        to = isl_map_add_constraint(to, c);
    }
    isl_local_space_free(ls);
    isl_set *words = isl_set_apply(of, to);
    return isl_set_coalesce(isl_set_remove_redundancies(isl_set_detect_equalities(words)));
}

/* ---- the correction for flipped bits ---- */

/* The dimensions of the sum that the factor with unchanged elements moves with, and those that are
 * summed; the first nfree are not. */
typedef struct kept {
    sq_projection of;
    int nfree;
} kept;

static kept kept_of(const maker *m)
{
    const sq_stmt *of = m->x->of;
    const sq_access *a = m->x->factor[m->x->factor[0].turns ? 1 : 0].read;
    kept x = {0};
    for (int d = 0; d < of->ndim; d++)
        if (d >= of->nfree || sq_access_moves(a, d)) {
            x.nfree += d < of->nfree;
            x.of.dim[x.of.n++] = d;
        }
    return x;
}

/* Returns `over` at its own instances. */
static sq_access *over_itself(const maker *m, const sq_stmt *s)
{
    return new_access(m, m->over, isl_multi_aff_identity_on_domain_space(isl_set_get_space(s->domain)));
}

/* Returns `over` at the kept dimensions of the sum's instances. */
static sq_access *over_at(const maker *m, const kept *x, const sq_stmt *sum)
{
    return new_access(m, m->over, sq_projected_subscripts(&x->of, x->nfree, isl_set_get_space(sum->domain)));
}

/* Makes the statement over[…] = the sum of the corrections for the other factor. */
static void sum_over(maker *m)
{
    const sq_stmt *of = m->x->of;
    const kept x = kept_of(m);
    int turned = m->x->factor[0].turns ? 0 : 1;
    m->over = new_array(m, sq_rewritten_name(m->made, m->x->k, of->write->array->name, "_over"), x.nfree);
    sq_stmt *s = new_stmt(m, "over", x.of.n, x.nfree);
    const char *update = sq_stmt_update_name(m->made, s);
    for (int i = 0; i < x.of.n; i++)
        s->dim[i] = of->dim[x.of.dim[i]];
    isl_set *words = of_words(m, isl_set_copy(of->updates));
    s->updates = sq_projected_set(m->made, &x.of, words, update);
    isl_set_free(words);
    sq_projection kept_free = {.n = x.nfree};
    memcpy(kept_free.dim, x.of.dim, sizeof kept_free.dim);
    s->domain = sq_projected_set(m->made, &kept_free, of->domain, s->name);
    for (int i = 0; i < x.nfree; i++) {
        isl_pw_aff *last = isl_set_dim_max(isl_set_copy(s->domain), i);
        m->over->extent[i] = isl_aff_add_constant_si(sq_only_piece(isl_pw_aff_coalesce(last)), 1);
    }
    isl_multi_aff *by = sq_projected_instance(m->made, &x.of, update, of->updates);
    sq_expr *own = word(m, 1 - turned, by), *bits = number(m, top_bits);
    isl_multi_aff_free(by);
    s->reduce = SQ_OP_ADD;
    s->body = pair(m, product(m), turned ? own : bits, turned ? bits : own);
    s->write = over_itself(m, s);
    s->value = sq_expr_node(m->made, SQ_OP_REDUCED, SQ_I32, s->loc, 0, NULL);
    put(m, s);
}

/* ---- the sum ---- */

/* Returns the value minus the correction. */
static sq_expr *corrected(const maker *m, sq_expr *e, const sq_expr *over)
{
    if (e->op == SQ_OP_REDUCED)
        return pair(m, SQ_OP_SUB, e, sq_expr_copied(m->made, over, NULL, NULL, NULL));
    for (int i = 0; i < e->nargs; i++)
        e->arg[i] = corrected(m, e->arg[i], over);
    return e;
}

static void multiply_words(const maker *m)
{
    const sq_stmt *of = m->x->of;
    sq_stmt bare = *of;
    bare.body = NULL;
    sq_stmt *s = sq_stmt_copied(m->made, &bare, NULL, NULL);
    put(m, s);
    s->body = pair(m, product(m), word(m, 0, NULL), word(m, 1, NULL));
    s->updates = of_words(m, s->updates);
    if (!m->over)
        return;
    const kept x = kept_of(m);
    s->value = corrected(m, s->value, read_of(m, over_at(m, &x, s)));
}

sq_kernel *sq_dot_make(const sq_dot *x)
{
    const sq_kernel *k = x->k;
    maker m = {.x = x, .made = sq_rewritten_begin(k, k->nstmts + 3)};
    if (!m.made)
        return NULL;
    for (int i = 0; i < k->nstmts; i++) {
        if (k->stmt[i] != x->of) {
            m.made->stmt[m.made->nstmts++] = sq_stmt_copied(m.made, k->stmt[i], NULL, NULL);
            continue;
        }
        for (int f = 0; f < 2; f++) {
            m.last[f] = last_of(&m, &x->factor[f]);
            m.words[f] = words_of(&m, &x->factor[f]);
            if (!x->factor[f].in_place)
                fill_words(&m, f);
        }
        if (x->factor[0].turns || x->factor[1].turns)
            sum_over(&m);
        multiply_words(&m);
    }
    return m.made;
}
