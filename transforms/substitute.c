/* Substitute: see substitute.h. */
#include "transforms/substitute.h"
#include "ir/dependence/flow.h"
#include "ir/dependence/rewrite.h"
#include "ir/kernel/touch.h"
#include "ir/dependence/witness.h"
#include <isl/aff.h>
#include <stdarg.h>

enum {
    MOST_NODES = 16384, /* limit for all copies of a value together */
    MOST_SPOTS = SQ_MAX_STMT_READS * 4
};

static int refuse(sq_substitution *n, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int refuse(sq_substitution *n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    n->why = sq_arena_vprintf(n->k->arena, format, args);
    va_end(args);
    return -1;
}

static const sq_array *array_of(const sq_substitution *n)
{
    return n->of->write->array;
}

/* Returns ": for example with N=2: S1[i=0]", or nothing. Takes the set. */
static const char *example(const sq_substitution *n, const sq_stmt *c, bool update, isl_set *bad)
{
    sq_witness w;
    if (!sq_witness_find(n->k, bad, &w))
        return "";
    return sq_arena_printf(n->k->arena, ": for example %s%s", w.sizes,
                           sq_witness_instance(n->k, c, update, &w, 0));
}

/* ---- a read ---- */

typedef struct fitting {
    isl_map *from;
    isl_multi_aff *one;
} fitting;

/* Takes the first of the pieces that is valid everywhere. */
static isl_stat take_piece(isl_set *where, isl_multi_aff *piece, void *user)
{
    fitting *f = user;
    isl_set_free(where);
    isl_map *all = isl_map_from_multi_aff(isl_multi_aff_copy(piece));
    bool fits = !f->one && isl_map_is_subset(f->from, all) == isl_bool_true;
    isl_map_free(all);
    if (fits)
        f->one = piece;
    else
        isl_multi_aff_free(piece);
    return isl_stat_ok;
}

/* Returns the affine function that equals a map over the instances; NULL if it has several
 * pieces. */
static isl_multi_aff *function(isl_map *from /* __isl_keep */, isl_set *all /* __isl_keep */)
{
    fitting f = {.from = from};
    isl_pw_multi_aff *pieces =
        isl_pw_multi_aff_gist(isl_pw_multi_aff_from_map(isl_map_copy(from)), isl_set_copy(all));
    isl_pw_multi_aff_foreach_piece(pieces, take_piece, &f);
    isl_pw_multi_aff_free(pieces);
    return f.one;
}

/* True if any other statement writes the array. */
static bool written_elsewhere(const sq_substitution *n)
{
    for (int i = 0; i < n->k->nstmts; i++)
        if (n->k->stmt[i] != n->of && n->k->stmt[i]->write->array == array_of(n))
            return true;
    return false;
}

static int under_condition(sq_substitution *n, const sq_stmt *c)
{
    const char *a = array_of(n)->name;
    return refuse(
        n,
        "%s reads %s under a condition (pad, clampedge or a guard), where the element may "
        "be missing; keep %s and fuse instead: fuse(%s, …)",
        c->name, a, a, n->of->name);
}

static int uncovered(sq_substitution *n, const sq_stmt *c, bool update, isl_set *bad)
{
    const char *such = example(n, c, update, bad), *a = array_of(n)->name;
    if (written_elsewhere(n))
        return refuse(n, "%s reads what %s wrote to %s at some instances, and at others not%s",
                      c->name, n->of->name, a, such);
    return refuse(n, "%s reads elements of %s that %s does not write%s", c->name, a, n->of->name,
                  such);
}

static int add_spot(sq_substitution *n, const sq_stmt *c, const sq_access *read, bool update,
                    isl_multi_aff *from /* __isl_take */)
{
    if (n->nspots == MOST_SPOTS) {
        isl_multi_aff_free(from);
        return refuse(n, "%s is read at too many places", array_of(n)->name);
    }
    n->spot = sq_arena_grow(n->k->arena, n->spot, n->nspots, &n->room, sizeof *n->spot);
    n->spot[n->nspots++] = (sq_spot){c, read, update, from};
    return 0;
}

/* Checks that, if the read gets any value of the statement, all its instances do, from an instance
 * that is an affine function; `from` and `all` are kept. */
static int settle(sq_substitution *n, const sq_stmt *c, const sq_access *read, bool update,
                  isl_map *from, isl_set *all)
{
    isl_set *bad = isl_set_subtract(isl_set_copy(all), isl_map_domain(isl_map_copy(from)));
    bool covers = isl_set_is_empty(bad) == isl_bool_true;
    if (read->edge != SQ_EDGE_NONE || (read->where && !covers)) {
        isl_set_free(bad);
        return under_condition(n, c);
    }
    if (!covers)
        return uncovered(n, c, update, bad);
    isl_set_free(bad);
    isl_multi_aff *one = function(from, all);
    if (one)
        return add_spot(n, c, read, update, one);
    return refuse(n, "which instance of %s wrote what %s reads of %s depends on a condition",
                  n->of->name, c->name, array_of(n)->name);
}

static int look_at(sq_substitution *n, const sq_stmt *c, const sq_access *read, bool update)
{
    sq_access everywhere = *read;
    if (read->edge == SQ_EDGE_NONE)
        everywhere.where = NULL;
    isl_map *from = sq_flow_from(n->k, n->of, c, &everywhere, update);
    isl_bool none = isl_map_is_empty(from);
    isl_set *all = sq_stmt_instances(n->k, c, update);
    int rc = none == isl_bool_error
                 ? refuse(n, "the dataflow of %s is too hard to compute", array_of(n)->name)
             : none       ? 0
             : c == n->of ? refuse(n, "%s reads elements of %s after it has written them itself",
                                   c->name, array_of(n)->name)
                          : settle(n, c, read, update, from, all);
    isl_map_free(from);
    isl_set_free(all);
    return rc;
}

/* ---- the readers ---- */

/* True if an earlier one of the reads finds the same, as those of a condition that many values depend on do; where that
 * gets the statement's value, so does this one. */
static int as_before(sq_substitution *n, const sq_stmt *c, sq_access **read, const bool *in_body, int r, bool *is)
{
    int earlier = r - 1;
    while (earlier >= 0 &&
           (in_body[earlier] != in_body[r] || !sq_access_touches_alike(read[earlier], read[r])))
        earlier--;
    *is = earlier >= 0;
    for (int i = 0; i < n->nspots && *is; i++)
        if (n->spot[i].read == read[earlier])
            return add_spot(n, c, read[r], n->spot[i].update, isl_multi_aff_copy(n->spot[i].from));
    return 0;
}

static int spots_of(sq_substitution *n, const sq_stmt *c, sq_access **read, const bool *in_body, int r)
{
    bool again;
    int rc = as_before(n, c, read, in_body, r, &again);
    return again ? rc : look_at(n, c, read[r], in_body[r] && c->updates);
}

static int reads_of(sq_substitution *n, const sq_stmt *c)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int reads = sq_stmt_all_reads(c, read, in_body), before = n->nspots;
    int more = sq_stmt_reads(n->of, NULL, NULL, 0);
    for (int r = 0; r < reads; r++)
        if (read[r]->array == array_of(n) && spots_of(n, c, read, in_body, r))
            return -1;
    int total = reads + (n->nspots - before) * (more - 1);
    if (total > SQ_MAX_STMT_READS)
        return refuse(n, "%s would read %d array elements; %d at most", c->name, total,
                      SQ_MAX_STMT_READS);
    return 0;
}

/* Visits statements behind it in the text first, then those before: most refusals are found
 * there. */
static int find_spots(sq_substitution *n)
{
    for (int i = 0; i < n->k->nstmts; i++)
        if (reads_of(n, n->k->stmt[(n->of->position + i) % n->k->nstmts]))
            return -1;
    if (n->nspots == 0)
        return refuse(n, "nothing reads what %s writes to %s", n->of->name, array_of(n)->name);
    return 0;
}

/* ---- reads of the value ---- */

static int still_there(sq_substitution *n, const sq_access *read, const sq_spot *at)
{
    for (int i = 0; i < n->k->nstmts; i++) {
        const sq_stmt *w = n->k->stmt[i];
        if (w == n->of || !sq_arrays_overlap(w->write->array, read->array))
            continue;
        isl_map *gone = sq_flow_overwritten(n->k, n->of, read, at->from, at->reader, at->update, w);
        bool none = isl_map_is_empty(gone) == isl_bool_true;
        isl_map_free(gone);
        if (!none)
            return refuse(
                n, "%s reads %s, and %s writes it before the value is used for the last time",
                n->of->name, read->array->name, w->name);
    }
    return 0;
}

/* True if an earlier spot of the same reader asks for the same instances. */
static bool is_repeated(const sq_substitution *n, int s)
{
    const sq_spot *of = &n->spot[s];
    bool found = false;
    for (int i = s - 1; i >= 0 && n->spot[i].reader == of->reader && !found; i--)
        found = n->spot[i].update == of->update &&
                isl_multi_aff_plain_is_equal(n->spot[i].from, of->from) == isl_bool_true;
    return found;
}

static int all_there(sq_substitution *n)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int reads = sq_reads_distinct(read, in_body, sq_stmt_all_reads(n->of, read, in_body));
    for (int r = 0; r < reads; r++)
        for (int s = 0; s < n->nspots; s++)
            if (!is_repeated(n, s) && still_there(n, read[r], &n->spot[s]))
                return -1;
    return 0;
}

/* ---- other readers ---- */

/* Refuses a caller's array that may overlap another one: a statement may then read or overwrite its
 * elements through the other. 0; -1 if refused. */
static int seen_by_name(sq_substitution *n)
{
    if (array_of(n)->role == SQ_LOCAL || !sq_kernel_overlaps(n->k))
        return 0;
    return refuse(n,
                  "%s is the caller's array, and may overlap another one (alias), through which "
                  "what %s writes is read or overwritten; only a local array can disappear here",
                  array_of(n)->name, n->of->name);
}

static int seen_by_caller(sq_substitution *n)
{
    const char *a = array_of(n)->name;
    if (array_of(n)->role == SQ_LOCAL)
        return 0;
    isl_set *last = sq_flow_last(n->k, n->of);
    bool none = isl_set_is_empty(last) == isl_bool_true;
    if (!none && array_of(n)->ndim == 0) {
        isl_set_free(last);
        return refuse(n, "the value of %s that %s writes last is read after the region", a,
                      n->of->name);
    }
    if (none || !written_elsewhere(n)) {
        isl_set_free(last);
        return none ? 0
                    : refuse(n,
                             "%s is the caller's array, who sees what %s writes; a local array, or "
                             "one that is overwritten later, can disappear: fuse(%s, …) keeps it",
                             a, n->of->name, n->of->name);
    }
    return refuse(n, "%s is the caller's array, and what %s writes to it is not all overwritten%s",
                  a, n->of->name, example(n, n->of, false, last));
}

/* ---- the whole ---- */

static void count_node(sq_expr *e, void *user)
{
    (void)e;
    ++*(int64_t *)user;
}

/* Limits the size: the value is copied for every read, and nested values grow exponentially. */
static int small_enough(sq_substitution *n)
{
    int64_t nodes = 0;
    sq_expr_walk(n->of->value, count_node, &nodes);
    if (nodes * n->nspots <= MOST_NODES)
        return 0;
    return refuse(n,
                  "the value of %s has %lld operators and operands, and stands in for %d reads; "
                  "their product may be %d at most",
                  n->of->name, (long long)nodes, n->nspots, MOST_NODES);
}

int sq_substitution_find_reads(sq_substitution *n, const sq_kernel *k, const sq_stmt *of)
{
    *n = (sq_substitution){.k = k, .of = of};
    return seen_by_name(n) || find_spots(n) || seen_by_caller(n) ? -1 : 0;
}

int sq_substitution_find(sq_substitution *n, const sq_kernel *k, const sq_stmt *of)
{
    *n = (sq_substitution){.k = k, .of = of};
    if (of->updates)
        return refuse(n,
                      "%s has a reduction, which would be computed again for every use; fuse(%s, … "
                      "at loop) shares loops instead",
                      of->name, of->name);
    return seen_by_name(n) || find_spots(n) || small_enough(n) || all_there(n) || seen_by_caller(n)
               ? -1
               : 0;
}

void sq_substitution_free(sq_substitution *n)
{
    for (int i = 0; i < n->nspots; i++)
        isl_multi_aff_free(n->spot[i].from);
    n->nspots = 0;
}

/* ---- the new kernel ---- */

static sq_expr *instead(const sq_expr *e, void *user)
{
    const sq_substitution *n = user;
    for (int i = 0; i < n->nspots; i++) {
        if (n->spot[i].read != e->access)
            continue;
        sq_expr *value = sq_expr_copied(n->k, n->of->value, n->spot[i].from, NULL, NULL);
        if (value->type == array_of(n)->type)
            return value;
        return sq_expr_node(n->k, SQ_OP_CAST, array_of(n)->type, e->loc, 1, &value);
    }
    return NULL;
}

sq_kernel *sq_substitution_make(const sq_substitution *n, const sq_kernel *root)
{
    sq_kernel *made = sq_rewritten_begin(root, n->k->nstmts);
    for (int i = 0; made && i < n->k->nstmts; i++)
        if (n->k->stmt[i] != n->of)
            made->stmt[made->nstmts++] =
                sq_stmt_copied(made, n->k->stmt[i], instead, (sq_substitution *)n);
    for (int i = 0; made && i < made->nstmts; i++)
        made->stmt[i]->position = i;
    return made;
}
