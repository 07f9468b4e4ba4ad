/* Draft, loops: which groups are for auto(), not for register tiles, and which stay as written; see draft.h. */
#include "tuner/model/draft_loops.h"
#include "codegen/isa/vector.h"
#include "ir/dependence/deps.h"
#include "ir/dependence/inside.h"
#include "transforms/auto.h"
#include "tuner/measure/case_spec.h"
#include "tuner/model/draft.h"
#include <isl/ilp.h>
#include <math.h>
#include <string.h>

enum { MOST_BESIDE = 12 /* loads and operations while a sum waits for its last term */ };

/* Bytes of the arrays that the group's statements touch. */
static double footprint(const sq_kernel *k, const sq_group *g, const int64_t *sizes)
{
    double bytes = 0;
    for (int a = 0; a < k->narrays; a++) {
        const sq_array *array = k->array[a];
        bool used = false;
        double n = sq_type_bytes(array->type);
        for (int i = 0; i < g->nstmts; i++)
            used |= sq_stmt_touches(g->stmt[i], array);
        for (int d = 0; d < array->ndim && used; d++)
            n *= (double)sq_size_value(k, array->extent[d], sizes);
        bytes += used ? n : 0;
    }
    return bytes;
}

/* True if an instance depends on another of its statement: a tile of several points is then seldom
 * legal. */
static bool carries(const sq_kernel *k, const sq_stmt *s)
{
    const sq_deps_pair *pair;
    int n = k->deps && !s->updates ? sq_deps_pairs(k, &pair) : 0;
    for (int i = 0; i < n; i++)
        if (pair[i].from == s && pair[i].to == s)
            return true;
    return false;
}

/* True if the element of an access moves along the last dimension of its array, or stays, when the innermost loop goes
 * on; *step: by how many elements. */
static bool find_step(const sq_stmt *s, const sq_access *a, double *step)
{
    double by[SQ_MAX_DIMS] = {0};
    by[s->ndim - 1] = 1;
    return sq_access_step(a, by, s->ndim, step);
}

/* True if lanes along the innermost loop hold neighbouring elements, or one element. */
static bool in_lanes_of(const sq_stmt *s, const sq_access *a)
{
    double step;
    return find_step(s, a, &step) && (step == 0 || step == 1);
}

bool sq_draft_all_in_lanes(const sq_stmt *s)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    bool all = s->ndim > 0 && s->ndim <= SQ_MAX_DIMS && in_lanes_of(s, s->write);
    for (int i = 0; i < n && all; i++)
        all = in_lanes_of(s, read[i]);
    return all;
}

/* True if no register tile serves the statement, and lanes of a loop may: it reads backwards or what exists
 * only where a condition holds, or stores there. */
bool sq_draft_wants_loop(const sq_stmt *s)
{
    double step;
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    if (s->ndim == 0 || s->ndim > SQ_MAX_DIMS)
        return false;
    bool wants = s->is_maybe || (find_step(s, s->write, &step) && step == -1);
    for (int i = 0; i < n; i++)
        wants |= read[i]->is_guarded;
    return wants;
}

bool sq_draft_by_auto(const sq_kernel *k, const sq_group *g)
{
    if (g->note || g->own_order) /* online() has ordered its loops */
        return false;
    if (g->kind == SQ_GROUP_WRITTEN)
        return true;
    if (g->kind != SQ_GROUP_TILED || g->nstmts != 1)
        return false;
    const sq_inside *of = sq_inside_of(k, g->stmt, 1); /* tiles are for these points */
    return sq_draft_wants_loop(of ? of->inside[0] : g->stmt[0]) ||
           (g->stmt[0]->written_loops && carries(k, g->stmt[0]));
}

/* ---- loops that stay as they are written ---- */

/* Iterations of a loop; 0 if that is no number. */
static long iterations(const sq_stmt *s, int loop)
{
    isl_set *all = loop < s->nfree ? s->domain : s->updates;
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(all));
    isl_aff *at = isl_aff_var_on_domain(space, isl_dim_set, (unsigned)loop);
    isl_val *lo = isl_set_min_val(all, at), *hi = isl_set_max_val(all, at);
    bool known = isl_val_is_int(lo) == isl_bool_true && isl_val_is_int(hi) == isl_bool_true;
    long n = known ? isl_val_get_num_si(hi) - isl_val_get_num_si(lo) + 1 : 0;
    isl_val_free(lo);
    isl_val_free(hi);
    isl_aff_free(at);
    return n;
}

/* Loops of a statement, but for a last one that is short: lanes of the loop around it come from the copies of
 * the statement that it is. */
int sq_draft_depth(const sq_stmt *s)
{
    long n = s->ndim > 1 ? iterations(s, s->ndim - 1) : 0;
    return s->ndim - (n > 0 && n <= SQ_STRIDE_MOST);
}

/* Elements that a loop moves by, 0 of what stays; false where that is not known. */
static bool moves_by(const sq_access *a, int loop, long *elements)
{
    long inner = 1;
    bool known = true;
    *elements = 0;
    for (int d = a->array->ndim - 1; d >= 0 && known; d--) {
        isl_aff *at = isl_multi_aff_get_aff(a->map, d);
        isl_val *by = isl_aff_get_coefficient_val(at, isl_dim_in, loop),
                *extent = isl_aff_get_constant_val(a->array->extent[d]);
        bool moves = isl_val_is_zero(by) != isl_bool_true;
        known = isl_aff_dim(at, isl_dim_div) == 0 && (!moves || inner > 0);
        *elements += moves && known ? isl_val_get_num_si(by) * inner : 0;
        inner = isl_aff_is_cst(a->array->extent[d]) == isl_bool_true
                    ? inner * isl_val_get_num_si(extent)
                    : 0;
        isl_val_free(by);
        isl_val_free(extent);
        isl_aff_free(at);
    }
    return known;
}

/* True if each of the loops moves what is accessed, or none does: no order of them would use an element of a
 * large array again. Of three loops and more, neighbours in the outer ones lie far apart. */
static bool is_met_once(const sq_access *a, int loops)
{
    int n = 0;
    for (int d = 0; d < loops; d++)
        n += sq_access_moves(a, d);
    return loops <= 2 && (n == loops || n == 0);
}

/* True if the innermost of a statement's loops goes along all that it touches, which is not used again. */
static bool goes_along(const sq_kernel *k, const sq_stmt *s, int loops, long *stored_by)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    long by;
    bool along = loops > 0 && s->ndim == s->nfree && !s->updates &&
                 moves_by(s->write, loops - 1, stored_by) && *stored_by > 0 &&
                 *stored_by <= SQ_STRIDE_MOST && is_met_once(s->write, loops) && !carries(k, s);
    for (int i = 0; i < n && along; i++)
        along = moves_by(read[i], loops - 1, &by) && by >= 0 && by <= SQ_STRIDE_MOST &&
                is_met_once(read[i], loops);
    return along;
}

static bool has(const sq_group *g, const sq_stmt *s)
{
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmt[i] == s)
            return true;
    return false;
}

/* True if one of the statements needs what another one does. */
static bool are_tied(const sq_kernel *k, const sq_group *g)
{
    const sq_deps_pair *pair;
    int n = sq_deps_pairs(k, &pair);
    for (int i = 0; i < n; i++)
        if (pair[i].from != pair[i].to && has(g, pair[i].from) && has(g, pair[i].to))
            return true;
    return false;
}

/* True if two statements store to elements of one array between which the loop skips. */
static bool store_between(const sq_group *g, int loops)
{
    long by;
    for (int i = 0; i < g->nstmts; i++)
        for (int j = 0; j < i; j++)
            if (g->stmt[i]->write->array == g->stmt[j]->write->array &&
                moves_by(g->stmt[i]->write, loops - 1, &by) && by > 1)
                return true;
    return false;
}

/* What the outer loops of a statement run over. */
static isl_set *iterations_of(const sq_stmt *s, int loops)
{
    isl_set *all = isl_set_reset_tuple_id(isl_set_copy(s->domain));
    return isl_set_project_out(all, isl_dim_set, (unsigned)loops, (unsigned)(s->ndim - loops));
}

/* True if the loops compute all of the statements in each iteration. Under conditions of their own, as in
 * `if (da) da[i] += …; if (db) db[i] += …;`, one loop of all is not vectors. */
static bool are_met_together(const sq_group *g, int loops)
{
    isl_set *first = iterations_of(g->stmt[0], loops);
    bool together = true;
    for (int i = 1; i < g->nstmts && together; i++) {
        isl_set *other = iterations_of(g->stmt[i], loops);
        together = isl_set_is_equal(first, other) == isl_bool_true;
        isl_set_free(other);
    }
    isl_set_free(first);
    return together;
}

bool sq_draft_goes_along(const sq_kernel *k, const sq_group *g, int loops)
{
    long by = 0;
    bool all =
        k->deps && g->kind == SQ_GROUP_WRITTEN && g->nstmts > 1 && sq_auto_keepable(k, g) >= loops;
    for (int i = 0; i < g->nstmts && all; i++)
        all = sq_draft_depth(g->stmt[i]) == loops && goes_along(k, g->stmt[i], loops, &by);
    return all && (store_between(g, loops) || !are_tied(k, g)) && are_met_together(g, loops);
}

/* Loads and operations of a value; more than MOST_BESIDE where one of them takes long. */
static int work_of(const sq_expr *e)
{
    bool is_long = e->op == SQ_OP_DIV || e->op == SQ_OP_MOD || e->op > SQ_OP_MAX;
    int n = is_long ? MOST_BESIDE + 1 : e->op == SQ_OP_READ || e->nargs > 0;
    for (int i = 0; i < e->nargs; i++)
        n += work_of(e->arg[i]);
    return n;
}

/* True if one of the statements of a loop waits for what it computed in the iteration before, and the others are
 * computed meanwhile: in vectors, in a loop of their own, they would only come in addition. */
static bool hides_behind_sum(const sq_kernel *k, const sq_group *g)
{
    int work = 0;
    bool waits = false, fits = k->deps && g->kind == SQ_GROUP_WRITTEN && g->nstmts > 1;
    for (int i = 0; i < g->nstmts && fits; i++) {
        const sq_stmt *s = g->stmt[i];
        fits = s->ndim == 1 && s->nfree == 1 && !s->updates && sq_type_real(s->write->array->type);
        waits |= fits && carries(k, s);
        work += fits && !carries(k, s) ? 1 + work_of(s->value) : 0;
    }
    return fits && waits && work <= MOST_BESIDE && are_met_together(g, 1);
}

static isl_multi_aff *place_of(const sq_access *a)
{
    return isl_multi_aff_reset_tuple_id(isl_multi_aff_copy(a->map), isl_dim_in);
}

/* True if one of the group's statements stores to the element that is read, in the same iteration, or none stores to
 * its array. */
static bool reads_own(const sq_group *g, const sq_access *read)
{
    isl_multi_aff *at = place_of(read);
    bool stored = false, own = false;
    for (int i = 0; i < g->nstmts; i++) {
        const sq_access *w = g->stmt[i]->write;
        isl_multi_aff *other = place_of(w);
        stored |= w->array == read->array;
        own |= w->array == read->array && isl_multi_aff_plain_is_equal(at, other) == isl_bool_true;
        isl_multi_aff_free(other);
    }
    isl_multi_aff_free(at);
    return own || !stored;
}

/* True if the innermost loop as written goes along interleaved elements that its statements store to, as complex
 * numbers: it has vectors of them, which in any other order lie apart. */
static bool interleaves(const sq_kernel *k, const sq_group *g, int loops)
{
    bool all = k->deps && g->kind == SQ_GROUP_WRITTEN && loops > 0 && sq_auto_keepable(k, g) >= loops &&
               store_between(g, loops);
    for (int i = 0; i < g->nstmts && all; i++) {
        const sq_stmt *s = g->stmt[i];
        sq_access *read[SQ_MAX_STMT_READS];
        int n = sq_stmt_all_reads(s, read, NULL);
        long by;
        all = sq_draft_depth(s) == loops && s->ndim == s->nfree && !s->updates && moves_by(s->write, loops - 1, &by) &&
              by > 1 && by <= SQ_STRIDE_MOST;
        for (int r = 0; r < n && all; r++)
            all = moves_by(read[r], loops - 1, &by) && by >= 0 && by <= SQ_STRIDE_MOST && reads_own(g, read[r]);
    }
    return all && are_met_together(g, loops);
}

/* True if the loops inside of a statement's outermost one are over the few elements of a row. */
static bool is_over_row(const sq_stmt *s)
{
    bool all = s->ndim > 0 && !s->updates && !s->nindex && s->ndim == s->nfree;
    for (int d = 1; d < s->ndim && all; d++) {
        long n = iterations(s, d);
        all = n > 0 && n <= SQ_STRIDE_MOST;
    }
    return all;
}

/* True for a scalar that the loops leave to no one. */
static bool is_temporary(const sq_access *a)
{
    return a->array->role == SQ_LOCAL && a->array->ndim == 0;
}

/* True if the outermost loop goes from row to row of all that a statement touches, or stays, and stores rows that are
 * shorter than a vector. */
static bool goes_by_rows(const sq_group *g, const sq_stmt *s, int vector_bytes)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    long by;
    bool all = is_temporary(s->write) || (moves_by(s->write, 0, &by) && by > 0 && by <= SQ_STRIDE_MOST &&
                                          by * sq_type_bytes(s->write->array->type) < vector_bytes);
    for (int r = 0; r < n && all; r++)
        all = moves_by(read[r], 0, &by) && by >= 0 && by <= SQ_STRIDE_MOST && reads_own(g, read[r]);
    return all;
}

bool sq_draft_has_rows(const sq_kernel *k, const sq_group *g, int vector_bytes)
{
    int depth = 0;
    bool all = k->deps && g->kind == SQ_GROUP_WRITTEN, stores = false;
    for (int i = 0; i < g->nstmts && all; i++) {
        all = is_over_row(g->stmt[i]) && goes_by_rows(g, g->stmt[i], vector_bytes);
        stores |= !is_temporary(g->stmt[i]->write);
        depth = g->stmt[i]->ndim > depth ? g->stmt[i]->ndim : depth;
    }
    return all && stores && depth > 1 && are_met_together(g, 1);
}

bool sq_draft_streams(const sq_kernel *k, const sq_group *g, int threads)
{
    int loops = sq_draft_depth(g->stmt[0]);
    if (threads <= 1 && (hides_behind_sum(k, g) || interleaves(k, g, loops)))
        return true;
    return sq_draft_goes_along(k, g, loops) && (threads <= 1 || (loops == 1 && store_between(g, loops)));
}

/* True if a statement's last loop is over the channels of a pixel and the like, all of which it stores. */
static bool stores_channels(const sq_kernel *k, const sq_group *g)
{
    const sq_stmt *s = g->stmt[0];
    long by, of_last;
    int loops = sq_draft_depth(s);
    return k->deps && g->kind == SQ_GROUP_TILED && g->nstmts == 1 && loops == s->ndim - 1 &&
           goes_along(k, s, loops, &by) && by == iterations(s, loops) &&
           moves_by(s->write, loops, &of_last) && of_last == 1;
}

/* True if a statement adds up to one element what lanes of its only loop load with a small stride, all of
 * one kind with the others. A register tile would add up one iteration after the other. */
static bool adds_strided(const sq_stmt *s)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    bool strided = false, all = s->nfree == 0 && s->ndim == 1;
    double by;
    for (int i = 0; i < n && all; i++) {
        all = !read[i]->indirect && find_step(s, read[i], &by) && by >= 0 && by <= SQ_STRIDE_MOST;
        strided |= all && by > 1;
    }
    return all && strided;
}

/* True if the bounds of the last loop move with those around it, and it leaves nothing out between them. */
static bool is_ragged(const sq_stmt *s)
{
    unsigned last = (unsigned)s->ndim - 1;
    isl_set *domain = isl_set_reset_tuple_id(isl_set_copy(s->domain));
    isl_set *outer = isl_set_project_out(isl_set_copy(domain), isl_dim_set, last, 1);
    isl_set *inner = isl_set_project_out(isl_set_copy(domain), isl_dim_set, 0, last);
    isl_set *box = isl_set_flat_product(outer, inner),
            *filled = isl_set_remove_divs(isl_set_copy(domain));
    bool ragged = isl_set_is_equal(domain, box) == isl_bool_false &&
                  isl_set_is_equal(domain, filled) == isl_bool_true;
    isl_set_free(domain);
    isl_set_free(box);
    isl_set_free(filled);
    return ragged;
}

/* True for a statement on a triangle and the like whose rows are what it stores and reads: a loop in vectors
 * has no more to save, and ends where the row does. */
static bool goes_along_rows(const sq_stmt *s)
{
    return s->ndim > 1 && s->ndim <= SQ_MAX_DIMS && s->ndim == s->nfree && !s->updates && !s->nindex &&
           sq_draft_all_in_lanes(s) && is_ragged(s);
}

/* True if the value looks up elements that no vector gathers, of one or two bytes, at places that each of the loops
 * moves. */
static bool looks_up(const sq_stmt *s, const sq_expr *e)
{
    bool is = e->op == SQ_OP_READ && e->access->indirect && sq_type_bytes(e->type) < 4;
    for (int d = 0; d < s->ndim && is; d++) {
        bool moves = false;
        for (int i = 0; i < e->nargs; i++)
            moves |= sq_expr_moves(e->arg[i], d);
        is = moves;
    }
    for (int i = 0; i < e->nargs && !is; i++)
        is = looks_up(s, e->arg[i]);
    return is;
}

/* True for a statement whose points are computed one by one whatever its tile is, and have nothing in common. */
static bool has_no_lanes(const sq_group *g)
{
    const sq_stmt *s = g->stmt[0];
    return g->kind == SQ_GROUP_TILED && g->nstmts == 1 && s->ndim > 0 && s->ndim == s->nfree && !s->updates &&
           looks_up(s, s->value);
}

static bool wants_vectors(const sq_group *g, int threads)
{
    const sq_stmt *s = g->stmt[0];
    return g->kind == SQ_GROUP_TILED && g->nstmts == 1 &&
           (goes_along_rows(s) || (threads <= 1 && adds_strided(s)));
}

bool sq_draft_by_loops(const sq_kernel *k, const sq_group *g, int threads)
{
    return sq_draft_by_auto(k, g) ||
           (!g->note && !g->own_order &&
            (stores_channels(k, g) || wants_vectors(g, threads) || (threads <= 1 && has_no_lanes(g))));
}

bool sq_draft_large(const sq_kernel *k, const sq_group *g, const sq_machine *m,
                    const int64_t *sizes)
{
    return footprint(k, g, sizes) > (double)m->l2 && !stores_channels(k, g);
}
