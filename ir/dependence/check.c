/* Check: verifies that a description is valid. Every access stays inside its array for all sizes
 * that the context allows; an index statement reads nothing that another instance of it writes; no
 * local is read before it is written, and parameters that are become in-out. Each error is located
 * at its access and ends in the smallest sizes and instance that show it. */
#include "ir/dependence/deps.h"
#include "ir/kernel/quota.h"
#include "ir/kernel/touch.h"
#include "ir/dependence/witness.h"
#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERATIONS = 4000000 };

typedef struct check {
    const sq_kernel *k;
    sq_diags *d;
    int errors;
    bool partial;              /* statements are missing, which may write what others read */
    bool settle;               /* determines the roles of outputs; else accesses are checked separately */
    const sq_array *unwritten; /* the last array reported as read before it is written */
} check;

/* One access of a statement. */
typedef struct use {
    const sq_stmt *s;
    const sq_access *a;
    bool update, write;
} use;

static const char *verb(const use *u)
{
    return u->write ? "writes" : "reads";
}

/* "S0[i=0, j=0] reads A[-1][0]" from a point of { instance -> element }. */
static const char *use_text(const check *c, const use *u, const sq_witness *w)
{
    int n = u->update ? u->s->ndim : u->s->nfree;
    return sq_arena_printf(c->k->arena, "%s %s %s",
                           sq_witness_instance(c->k, u->s, u->update, w, 0), verb(u),
                           sq_witness_element(c->k, u->a->array, w->value + n));
}

/* Reports the invalid part of an access, { instance -> element }, if it is not empty. `what` is
 * completed by the array's name. */
static void report(check *c, const use *u, isl_map *bad, const char *what, const char *help)
{
    sq_witness w;
    if (isl_map_is_empty(bad) != isl_bool_false) {
        isl_map_free(bad);
        return;
    }
    if (sq_witness_find(c->k, isl_map_wrap(bad), &w)) {
        sq_error(c->d, SQ_FAULT_INPUT, u->a->loc, "'%s' is %s: for example %s%s", u->a->array->name,
                 what, w.sizes, use_text(c, u, &w));
        sq_help(c->d, u->a->loc, "%s", help);
        c->errors++;
    }
}

/* True if the access would be in bounds with subscripts d and e exchanged. */
static bool fits_turned(const check *c, const use *u, int d, int e)
{
    const sq_array *a = u->a->array;
    isl_map *rel = sq_touch_rel(c->k, u->s, u->a, u->update);
    isl_map *turn =
        isl_map_universe(isl_space_map_from_set(isl_space_range(isl_map_get_space(rel))));
    for (int i = 0; i < a->ndim; i++)
        turn = isl_map_equate(turn, isl_dim_in, i, isl_dim_out, i == d ? e : i == e ? d : i);
    rel = isl_map_subtract_range(isl_map_apply_range(rel, turn), sq_array_bounds(c->k, a));
    rel = isl_map_intersect_params(rel, isl_set_copy(c->k->context));
    bool fits = isl_map_is_empty(rel) == isl_bool_true;
    isl_map_free(rel);
    return fits;
}

/* Suggests exchanging two subscripts, the most common mistake; NULL if that does not help. */
static const char *turned_help(const check *c, const use *u)
{
    for (int d = 0; d < u->a->array->ndim; d++)
        for (int e = d + 1; e < u->a->array->ndim; e++)
            if (fits_turned(c, u, d, e))
                return sq_arena_printf(
                    c->k->arena,
                    "subscripts %d and %d fit in each other's place: did you mean "
                    "to swap them?",
                    d + 1, e + 1);
    return NULL;
}

/* Suggests the smallest value of one size from which on the access is in bounds: Y[0] needs N >= 1.
 * NULL if there is none, or a large one. */
static const char *least_help(const check *c, const use *u, isl_map *bad /* __isl_keep */)
{
    enum { MOST = 8 };
    for (int p = 0; p < (int)isl_map_dim(bad, isl_dim_param); p++) {
        isl_set *left = isl_set_params(isl_map_domain(sq_touch_rel(c->k, u->s, u->a, u->update)));
        isl_set *out = isl_map_params(isl_map_copy(bad));
        int least = 0;
        do {
            least++;
            out = isl_set_lower_bound_si(out, isl_dim_param, (unsigned)p, least);
            left = isl_set_lower_bound_si(left, isl_dim_param, (unsigned)p, least);
        } while (least < MOST && isl_set_is_empty(out) == isl_bool_false);
        bool settles =
            isl_set_is_empty(out) == isl_bool_true && isl_set_is_empty(left) == isl_bool_false;
        isl_set_free(out);
        isl_set_free(left);
        if (settles)
            return sq_arena_printf(c->k->arena,
                                   "is '%s' always at least %d? Then write assume(%s >= %d)",
                                   isl_map_get_dim_name(bad, isl_dim_param, (unsigned)p), least,
                                   isl_map_get_dim_name(bad, isl_dim_param, (unsigned)p), least);
    }
    return NULL;
}

/* Suggests that two sizes are equal, where the access is in bounds. NULL if it is not. `bad`: the
 * invalid part, { instance -> element }. */
static const char *equal_help(const check *c, const use *u, isl_map *bad /* __isl_keep */)
{
    int n = (int)isl_map_dim(bad, isl_dim_param);
    for (int p = 0; p < n; p++)
        for (int q = p + 1; q < n; q++) {
            isl_map *rest = isl_map_equate(isl_map_copy(bad), isl_dim_param, p, isl_dim_param, q);
            isl_set *left =
                isl_set_params(isl_map_domain(sq_touch_rel(c->k, u->s, u->a, u->update)));
            left = isl_set_equate(left, isl_dim_param, p, isl_dim_param, q);
            bool settles =
                isl_map_is_empty(rest) == isl_bool_true && isl_set_is_empty(left) == isl_bool_false;
            isl_map_free(rest);
            isl_set_free(left);
            if (settles)
                return sq_arena_printf(
                    c->k->arena,
                    c->k->shapes
                        ? "are the two sizes always equal? Then write assume(%s == %s), or one "
                          "size for both"
                        : "are '%s' and '%s' always equal? Then write one of them for both",
                    isl_map_get_dim_name(bad, isl_dim_param, (unsigned)p),
                    isl_map_get_dim_name(bad, isl_dim_param, (unsigned)q));
        }
    return NULL;
}

/* Regions of ordinary C, which have no shapes of their own, have no pad, range and assume
 * either. */
static const char *inside_help(const check *c, const use *u)
{
    const sq_array *a = u->a->array;
    if (!c->k->shapes && a->is_flat)
        return sq_arena_printf(c->k->arena,
                               "by its subscripts in this region '%s' has %d dimensions, and each "
                               "has to stay inside of its own, as j < n in %s[i*n + j]",
                               a->name, a->ndim, a->name);
    if (!c->k->shapes)
        return "narrow the bounds of its loop, or declare the array larger";
    return u->write ? "narrow the index with range(…) or the bounds of its loop, declare the "
                      "array larger, or assume(…) what is known of the sizes"
                    : "write pad(…, 0) for a value outside, narrow the index with range(…), or "
                      "assume(…) what is known of the sizes";
}

static void in_bounds(check *c, const use *u)
{
    if (u->a->edge == SQ_EDGE_PAD && !u->a->where)
        return;
    isl_map *rel = sq_touch_rel(c->k, u->s, u->a, u->update);
    isl_map *bad = isl_map_subtract_range(rel, sq_array_bounds(c->k, u->a->array));
    const char *slip = NULL;
    if (isl_map_is_empty(bad) == isl_bool_false)
        slip = turned_help(c, u);
    if (!slip && c->k->shapes && isl_map_is_empty(bad) == isl_bool_false)
        slip = least_help(c, u, bad);
    if (!slip && isl_map_is_empty(bad) == isl_bool_false)
        slip = equal_help(c, u, bad);
    report(c, u, bad, u->write ? "written out of bounds" : "read out of bounds",
           slip ? slip : inside_help(c, u));
}

static sq_touch touch_of(const check *c, const use *u)
{
    return (sq_touch){.stmt = u->s,
                      .update = u->update,
                      .write = u->write,
                      .array = u->a->array,
                      .access = u->a,
                      .rel = sq_touch_rel(c->k, u->s, u->a, u->update)};
}

/* Returns the pairs { reader -> writer } of different elements of one index statement, in one
 * iteration of the loops around it. */
static isl_map *foreign(const check *c, const use *u)
{
    isl_map *reads = sq_touch_rel(c->k, u->s, u->a, u->update);
    isl_map *writes = sq_touch_rel(c->k, u->s, u->s->write, false);
    isl_map *pairs = isl_map_apply_range(reads, isl_map_reverse(writes));
    isl_map *own = isl_map_universe(isl_map_get_space(pairs));
    for (int d = 0; d < u->s->nfree; d++)
        own = isl_map_equate(own, isl_dim_in, d, isl_dim_out, d);
    int nloops = u->s->written_loops ? u->s->nfree - u->s->nindex : 0;
    for (int d = 0; d < nloops; d++)
        pairs = isl_map_equate(pairs, isl_dim_in, d, isl_dim_out, d);
    return isl_map_subtract(pairs, own);
}

static void reads_itself(check *c, const use *u)
{
    sq_witness w;
    if ((u->s->written_loops && !u->s->nindex) || u->write || u->a->array != u->s->write->array)
        return;
    isl_map *pairs = foreign(c, u);
    if (isl_map_is_empty(pairs) != isl_bool_false) {
        isl_map_free(pairs);
        return;
    }
    if (sq_witness_find(c->k, isl_map_wrap(pairs), &w)) {
        int n = u->update ? u->s->ndim : u->s->nfree;
        sq_error(c->d, SQ_FAULT_INPUT, u->a->loc,
                 "an index statement has no order, so it cannot "
                 "read what it writes elsewhere: for example %s%s reads an element of '%s' that "
                 "%s writes",
                 w.sizes, sq_witness_instance(c->k, u->s, u->update, &w, 0), u->a->array->name,
                 sq_witness_instance(c->k, u->s, false, &w, n));
        sq_help(c->d, u->a->loc, "write a loop, for (…), to give the elements an order");
        c->errors++;
    }
}

/* Returns the part of a read that some write precedes. */
static isl_set *covered(const check *c, const sq_touch *read)
{
    isl_set *all = isl_set_empty(isl_space_domain(isl_map_get_space(read->rel)));
    for (int i = 0; i < c->k->nstmts; i++) {
        const sq_stmt *s = c->k->stmt[i];
        use w = {.s = s, .a = s->write, .write = true};
        if (s->write->array != read->array)
            continue;
        sq_touch t = touch_of(c, &w);
        all = isl_set_union(all, isl_map_range(sq_touch_pairs(c->k, &t, read)));
        isl_map_free(t.rel);
    }
    return all;
}

/* A local must be written first. A parameter whose elements are read before the kernel has written
 * them has values from the caller: in-out. */
static void written_before(check *c, const use *u)
{
    sq_array *a = u->a->array;
    bool asked = a->role == SQ_LOCAL || (a->role == SQ_OUT && c->settle);
    if (u->write || !asked || c->partial || a == c->unwritten)
        return;
    int before = c->errors;
    sq_touch t = touch_of(c, u);
    isl_map *in = isl_map_intersect_range(isl_map_copy(t.rel), sq_array_bounds(c->k, a));
    isl_map *bad = isl_map_subtract_domain(in, covered(c, &t));
    isl_map_free(t.rel);
    if (a->role == SQ_OUT) {
        if (isl_map_is_empty(bad) != isl_bool_true)
            a->role = SQ_INOUT;
        isl_map_free(bad);
        return;
    }
    report(c, u, bad, "read before it is written",
           a->ndim ? "write every element that is read before"
                   : sq_arena_printf(c->k->arena, "give it a value before that, as in %s = 0",
                                     a->name));
    if (c->errors > before)
        c->unwritten = a;
}

static void check_stmt(check *c, const sq_stmt *s)
{
    int n = sq_stmt_reads(s, NULL, NULL, 0);
    sq_access **read = SQ_NEW_ARRAY(c->k->arena, sq_access *, n + 1);
    bool *in_body = SQ_NEW_ARRAY(c->k->arena, bool, n + 1);
    sq_stmt_reads(s, read, in_body, n);
    n = sq_reads_distinct(read, in_body, n);
    for (int i = 0; i < n; i++) {
        use u = {.s = s, .a = read[i], .update = in_body[i]};
        in_bounds(c, &u);
        reads_itself(c, &u);
        written_before(c, &u);
    }
    use w = {.s = s, .a = s->write, .write = true};
    in_bounds(c, &w);
}

/* Constant extents by themselves must keep element numbers within 64 bits; those that depend on
 * sizes are checked when the kernel is called. An extent of 0 does not help: strides do not include
 * the first one. */
static void countable(check *c, const sq_array *a)
{
    int64_t n = 1;
    for (int x = 0; x < a->ndim; x++) {
        int64_t e = sq_array_extent(a, x);
        if (e <= 1 || !__builtin_mul_overflow(n, e, &n))
            continue;
        sq_error(c->d, SQ_FAULT_INPUT, a->loc, "array '%s' would have more than 2^63 elements",
                 a->name);
        sq_help(c->d, a->loc, "accepted are arrays whose elements 64-bit numbers can count");
        c->errors++;
        return;
    }
}

/* Checks all statements, for sizes in `context`. */
static int check_in(const sq_kernel *k, isl_set *context /* __isl_keep */, bool settle, sq_diags *d)
{
    sq_kernel of = *k;
    check c = {.k = &of, .d = d, .settle = settle};
    const char *text = NULL;
    size_t mark = sq_diags_mark(d);
    of.context = context;
    sq_quota q = sq_quota_begin(k->ctx, MOST_OPERATIONS);
    for (int i = 0; i < k->nstmts; i++)
        check_stmt(&c, k->stmt[i]);
    if (!sq_quota_end(q, &text))
        return c.errors ? -1 : 0;
    sq_diags_rewind(d, mark); /* proofs that exceeded their limit */
    return sq_quota_refuse(k, "accesses", text, d);
}

int sq_kernel_check_read(const sq_kernel *k, sq_diags *d)
{
    check c = {.k = k, .d = d, .partial = true};
    const char *text = NULL;
    size_t mark = sq_diags_mark(d);
    sq_quota q = sq_quota_begin(k->ctx, MOST_OPERATIONS);
    for (int i = 0; i < k->nstmts; i++)
        if (k->stmt[i]->domain)
            check_stmt(&c, k->stmt[i]);
    if (!sq_quota_end(q, &text))
        return c.errors ? -1 : 0;
    sq_diags_rewind(d, mark); /* expensive checks run when the rest is correct */
    return 0;
}

/* ---- assumes ------------------------------------------------------------------------------- */

static isl_set *with_assumes(const sq_kernel *k, const bool *kept)
{
    isl_set *all = isl_set_copy(k->shapes);
    for (int i = 0; i < k->nassumes; i++)
        if (kept[i])
            all = isl_set_intersect(all, isl_set_copy(k->assume[i]));
    return isl_set_coalesce(all);
}

static bool is_sound(const sq_kernel *k, const bool *kept)
{
    isl_set *context = with_assumes(k, kept);
    sq_diags *d = sq_diags_new();
    bool sound = check_in(k, context, false, d) == 0 &&
                 (!k->beyond || isl_set_is_disjoint(context, k->beyond) == isl_bool_true);
    sq_diags_free(d);
    isl_set_free(context);
    return sound;
}

/* Returns how many of the others follow from it. */
static int strength(const sq_kernel *k, int i)
{
    int n = 0;
    for (int j = 0; j < k->nassumes; j++)
        n += isl_set_is_subset(k->assume[i], k->assume[j]) == isl_bool_true;
    return n;
}

/* Sorts strong ones first, so that of two sufficient ones the weak one is kept; equally strong ones
 * by their text, not by their position. */
static void sort_assumes(const sq_kernel *k, int *order)
{
    for (int i = 0; i < k->nassumes; i++) {
        char *text = isl_set_to_str(k->assume[i]);
        int at = i, own = strength(k, i);
        for (; at > 0; at--) {
            int before = strength(k, order[at - 1]);
            char *other = isl_set_to_str(k->assume[order[at - 1]]);
            bool later = before > own || (before == own && strcmp(other, text) <= 0);
            free(other);
            if (later)
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
        free(text);
    }
}

/* Drops every assume without which the text as written is still valid; only speed depends on
 * those. */
static isl_set *find_accepted(const sq_kernel *k)
{
    bool *kept = SQ_NEW_ARRAY(k->arena, bool, k->nassumes);
    int *order = SQ_NEW_ARRAY(k->arena, int, k->nassumes);
    if (is_sound(k, kept)) /* without all of them, which is the usual case */
        return with_assumes(k, kept);
    for (int i = 0; i < k->nassumes; i++)
        kept[i] = true;
    sort_assumes(k, order);
    for (int i = 0; i < k->nassumes; i++) {
        kept[order[i]] = false;
        kept[order[i]] = !is_sound(k, kept);
    }
    return with_assumes(k, kept);
}

/* Points with an empty reduction come after all others. C loops that cannot have that run as
 * written (sq_schedule_new); of index statements, only those with overlapping arrays read what they
 * write. */
static int check_turns(const sq_kernel *k, sq_diags *d)
{
    int errors = 0;
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *s = k->stmt[i];
        if (s->written_loops || !sq_stmt_waits_for_unreduced(k, s))
            continue;
        sq_error(d, SQ_FAULT_INPUT, s->loc,
                 "%s: some of its points have nothing to reduce, and 'alias' arrays make the order "
                 "of all points count",
                 s->name);
        sq_help(d, SQ_NOWHERE, "write it as C loops, which run in their order");
        errors++;
    }
    return errors ? -1 : 0;
}

int sq_kernel_check(sq_kernel *k, sq_diags *d)
{
    check c = {.k = k, .d = d};
    bool promised = k->shapes && k->nassumes > 0;
    for (int i = 0; i < k->narrays; i++)
        countable(&c, k->array[i]);
    if (c.errors || (promised && check_in(k, k->context, false, d)))
        return -1;
    isl_set_free(k->accepted);
    k->accepted = promised ? find_accepted(k) : isl_set_copy(k->context);
    return check_in(k, k->accepted, true, d) || check_turns(k, d) ? -1 : 0;
}
