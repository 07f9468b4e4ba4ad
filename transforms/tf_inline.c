/* inline(S0): what S0 computes is computed again wherever it is read, and S0 disappears with its
 * temporary. Legal where every read is of an element that exactly one instance of S0 wrote, where
 * what S0 reads is still the same at the reader, and where nobody else sees what S0 wrote. The
 * value keeps the temporary's type, so it is rounded as it was. */
#include "ir/legal.h"
#include "ir/rewrite.h"
#include "ir/touch.h"
#include "ir/witness.h"
#include "transforms/edit.h"
#include "transforms/rows.h"
#include <isl/aff.h>
#include <string.h>

/* Of all copies of an inlined value together. */
enum { MOST_NODES = 16384 };

/* One read that is to be replaced: `from` maps the reader's instances to those of the producer. */
typedef struct spot {
    const sq_access *read;
    isl_multi_aff *from;
} spot;

typedef struct inliner {
    const sq_schedule *s;
    const sq_kernel *k;
    const sq_stmt *p;      /* the producer */
    const sq_array *array; /* that it writes */
    const sq_stmt *next;   /* the statement after it that writes the array too, or NULL */
    const sq_stmt *last;   /* the last reader */
    int nspots;
    spot spot[SQ_MAX_STMT_READS * 4];
    const char **why;
    int *at;
} inliner;

static const char *name(const inliner *n)
{
    return n->p->name;
}

/* ---- one read ---- */

static isl_stat take_piece(isl_set *where, isl_multi_aff *ma, void *user)
{
    isl_set_free(where);
    isl_multi_aff **only = user;
    isl_multi_aff_free(*only);
    *only = ma;
    return isl_stat_ok;
}

/* { reader -> instance of the producer that wrote what it reads }, of instances that are there. */
static isl_map *sources(const inliner *n, const sq_stmt *c, const sq_access *read, bool update)
{
    isl_map *r = sq_touch_rel(n->k, c, read, update);
    isl_map *w = sq_touch_rel(n->k, n->p, n->p->write, false);
    return isl_map_apply_range(r, isl_map_reverse(w));
}

static int uncovered(inliner *n, const sq_stmt *c, bool update, isl_set *bad)
{
    sq_witness w;
    const char *example = "";
    if (sq_witness_find(n->k, bad, &w))
        example = sq_arena_printf(n->k->arena, ": for example %s%s", w.sizes,
                                  sq_witness_instance(n->k, c, update, &w, 0));
    return sq_edit_refuse(n->s, n->why, n->at, 0,
                          "%s reads elements of %s that %s does not write%s", c->name,
                          n->array->name, name(n), example);
}

/* Finds the map of one read, which must be a single affine function. */
static int add_spot(inliner *n, const sq_stmt *c, const sq_access *read, bool update)
{
    const char *a = n->array->name;
    if (read->edge != SQ_EDGE_NONE || read->where)
        return sq_edit_refuse(
            n->s, n->why, n->at, 0,
            "%s reads %s under a condition (pad, clampedge or a guard), where the "
            "element may be missing; keep %s and fuse instead: fuse(%s, …)",
            c->name, a, a, name(n));
    if (n->nspots == (int)(sizeof n->spot / sizeof *n->spot))
        return sq_edit_refuse(n->s, n->why, n->at, 0, "%s is read at too many places", a);
    isl_map *from = sources(n, c, read, update);
    isl_set *all = sq_stmt_instances(n->k, c, update);
    isl_set *bad = isl_set_subtract(isl_set_copy(all), isl_map_domain(isl_map_copy(from)));
    if (isl_set_is_empty(bad) != isl_bool_true) {
        isl_map_free(from);
        isl_set_free(all);
        return uncovered(n, c, update, bad);
    }
    isl_set_free(bad);
    if (isl_map_is_single_valued(from) != isl_bool_true) {
        isl_map_free(from);
        isl_set_free(all);
        return sq_edit_refuse(n->s, n->why, n->at, 0,
                              "several instances of %s write one element of %s, and only the last "
                              "one counts",
                              name(n), a);
    }
    isl_multi_aff *only = NULL;
    isl_pw_multi_aff *pieces = isl_pw_multi_aff_gist(isl_pw_multi_aff_from_map(from), all);
    bool one = isl_pw_multi_aff_n_piece(pieces) == 1;
    isl_pw_multi_aff_foreach_piece(pieces, take_piece, &only);
    isl_pw_multi_aff_free(pieces);
    n->spot[n->nspots++] = (spot){read, only};
    n->last = c;
    return one ? 0
               : sq_edit_refuse(n->s, n->why, n->at, 0,
                                "which instance of %s wrote what %s reads of %s depends on a "
                                "condition",
                                name(n), c->name, a);
}

/* ---- the whole ---- */

static int reads_of(inliner *n, const sq_stmt *c)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int reads = sq_stmt_reads(c, read, in_body, SQ_MAX_STMT_READS);
    int more = sq_stmt_reads(n->p, NULL, NULL, 0), total = reads;
    for (int r = 0; r < reads; r++) {
        if (read[r]->array != n->array)
            continue;
        total += more - 1;
        if (add_spot(n, c, read[r], in_body[r] && c->updates))
            return -1;
    }
    if (total > SQ_MAX_STMT_READS)
        return sq_edit_refuse(n->s, n->why, n->at, 0, "%s would read %d array elements; %d at most",
                              c->name, total, SQ_MAX_STMT_READS);
    return 0;
}

/* The next one that writes the array must read what the producer wrote, not what it wrote itself in
 * an earlier turn of its loops. */
static int reads_itself(inliner *n, const sq_stmt *c)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int reads = c->textual && !c->updates ? sq_stmt_reads(c, read, NULL, SQ_MAX_STMT_READS) : 0;
    bool again = false;
    for (int r = 0; r < reads && !again; r++) {
        if (read[r]->array != n->array)
            continue;
        isl_map *m = isl_map_apply_range(sq_touch_rel(n->k, c, c->write, false),
                                         isl_map_reverse(sq_touch_rel(n->k, c, read[r], false)));
        m = isl_map_intersect(
            m, isl_map_lex_lt_map(isl_map_copy(c->textual), isl_map_copy(c->textual)));
        again = isl_map_is_empty(m) != isl_bool_true;
        isl_map_free(m);
    }
    return !again ? 0
                  : sq_edit_refuse(n->s, n->why, n->at, 0,
                                   "%s reads elements of %s after it has written them itself",
                                   c->name, n->array->name);
}

/* Statements that see what the producer wrote: up to the next one that writes the array too. */
static int find_spots(inliner *n)
{
    for (int i = n->p->position + 1; i < n->k->nstmts; i++) {
        if (reads_of(n, n->k->stmt[i]))
            return -1;
        if (n->k->stmt[i]->write->array == n->array) {
            n->next = n->k->stmt[i];
            break;
        }
    }
    if (n->next && reads_itself(n, n->next))
        return -1;
    if (n->nspots == 0)
        return sq_edit_refuse(n->s, n->why, n->at, 0, "nothing reads what %s writes to %s", name(n),
                              n->array->name);
    return 0;
}

/* Groups of the order written: each statement must run whole before the next. */
static int runs_whole(inliner *n, const sq_stmt *c)
{
    for (int g = 0; g < n->s->ngroups; g++)
        for (int i = 0; i < n->s->group[g]->nstmts; i++)
            if (n->s->group[g]->stmt[i] == c && n->s->group[g]->kind != SQ_GROUP_TILED)
                return sq_edit_refuse(n->s, n->why, n->at, 0,
                                      "%s shares C loops with other statements, so it does not run "
                                      "whole before what follows",
                                      c->name);
    return 0;
}

static bool same_map(isl_multi_aff *a, isl_multi_aff *b)
{
    isl_multi_aff *x = isl_multi_aff_reset_tuple_id(isl_multi_aff_copy(a), isl_dim_in);
    isl_multi_aff *y = isl_multi_aff_reset_tuple_id(isl_multi_aff_copy(b), isl_dim_in);
    bool same = isl_multi_aff_plain_is_equal(x, y) == isl_bool_true;
    isl_multi_aff_free(x);
    isl_multi_aff_free(y);
    return same;
}

/* The last reader writes what the producer reads: at each instance the element it writes must be
 * the one that is read there. */
static bool writes_own(const inliner *n, const sq_access *read)
{
    bool fine = !n->last->written_loops && !n->last->updates;
    for (int i = 0; i < n->nspots && fine; i++) {
        bool here = false;
        sq_access *r[SQ_MAX_STMT_READS];
        int count = sq_stmt_reads(n->last, r, NULL, SQ_MAX_STMT_READS);
        for (int j = 0; j < count; j++)
            here |= r[j] == n->spot[i].read;
        if (!here)
            continue;
        isl_multi_aff *at = isl_multi_aff_pullback_multi_aff(isl_multi_aff_copy(read->map),
                                                             isl_multi_aff_copy(n->spot[i].from));
        fine = same_map(at, n->last->write->map);
        isl_multi_aff_free(at);
    }
    return fine;
}

/* What the producer reads must be unchanged where it is computed again. */
static int still_there(inliner *n, const sq_access *read)
{
    if (sq_arrays_overlap(read->array, n->array) &&
        !(read->array == n->array && same_map(read->map, n->p->write->map) &&
          read->edge == SQ_EDGE_NONE))
        return sq_edit_refuse(n->s, n->why, n->at, 0,
                              "%s reads other elements of %s than the one that it writes", name(n),
                              n->array->name);
    for (int i = n->p->position + 1; i <= n->last->position; i++) {
        const sq_stmt *c = n->k->stmt[i];
        if (!sq_arrays_overlap(c->write->array, read->array))
            continue;
        if (c == n->last && c->write->array == read->array && writes_own(n, read))
            continue;
        return sq_edit_refuse(n->s, n->why, n->at, 0,
                              "%s reads %s, and %s writes it before the value is used for the last "
                              "time",
                              name(n), read->array->name, c->name);
    }
    return 0;
}

static bool read_after(const inliner *n)
{
    for (int i = n->next->position + 1; i < n->k->nstmts; i++)
        if (sq_stmt_reads_array(n->k->stmt[i], n->array))
            return true;
    return false;
}

/* Nobody may see what the producer wrote but the readers that were found. */
static int disappears(inliner *n)
{
    const sq_array *a = n->array;
    if (n->next) {
        isl_set *ours = isl_map_range(sq_touch_rel(n->k, n->p, n->p->write, false));
        isl_set *theirs = isl_map_range(sq_touch_rel(n->k, n->next, n->next->write, false));
        bool gone = isl_set_is_subset(ours, theirs) == isl_bool_true;
        isl_set_free(ours);
        isl_set_free(theirs);
        if (gone || (a->role == SQ_LOCAL && !read_after(n)))
            return 0;
        return sq_edit_refuse(n->s, n->why, n->at, 0,
                              "%s overwrites only a part of what %s writes to %s, and the rest is "
                              "seen later",
                              n->next->name, name(n), a->name);
    }
    if (a->role == SQ_LOCAL)
        return 0;
    return sq_edit_refuse(
        n->s, n->why, n->at, 0,
        "%s is the caller's array, who sees what %s writes; a local array, or one "
        "that is overwritten later, can disappear: fuse(%s, …) keeps it",
        a->name, name(n), name(n));
}

static void count_node(sq_expr *e, void *user)
{
    (void)e;
    ++*(int64_t *)user;
}

/* The value stands once for every read: values inlined into each other grow without end. */
static int small_enough(inliner *n)
{
    int64_t nodes = 0;
    sq_expr_walk(n->p->value, count_node, &nodes);
    if (nodes * n->nspots <= MOST_NODES)
        return 0;
    return sq_edit_refuse(n->s, n->why, n->at, 0,
                          "the value of %s has %lld operators and operands, and stands in for %d "
                          "reads; their product may be %d at most",
                          name(n), (long long)nodes, n->nspots, MOST_NODES);
}

/* Whether a statement reads or overwrites elements through another array, nobody knows. */
static int seen_by_name(inliner *n)
{
    if (n->array->role == SQ_LOCAL || !sq_kernel_overlaps(n->k))
        return 0;
    return sq_edit_refuse(n->s, n->why, n->at, 0,
                          "%s is the caller's array, and may overlap another one (alias), through "
                          "which what %s writes is read or overwritten; only a local array can "
                          "disappear here",
                          n->array->name, name(n));
}

static int legal(inliner *n)
{
    sq_access *read[SQ_MAX_STMT_READS];
    if (n->p->updates)
        return sq_edit_refuse(n->s, n->why, n->at, 0,
                              "%s has a reduction, which would be computed again for every use; "
                              "fuse(%s, … at loop) shares loops instead",
                              name(n), name(n));
    if (seen_by_name(n) || runs_whole(n, n->p) || find_spots(n) || small_enough(n))
        return -1;
    for (int i = 0; i < n->nspots; i++)
        for (int c = n->p->position + 1; c <= n->last->position; c++)
            if (sq_stmt_reads_array(n->k->stmt[c], n->array) && runs_whole(n, n->k->stmt[c]))
                return -1;
    int reads = sq_stmt_reads(n->p, read, NULL, SQ_MAX_STMT_READS);
    for (int r = 0; r < reads; r++)
        if (still_there(n, read[r]))
            return -1;
    return disappears(n);
}

/* ---- the new kernel ---- */

static sq_expr *instead(const sq_expr *e, void *user)
{
    const inliner *n = user;
    for (int i = 0; i < n->nspots; i++) {
        if (n->spot[i].read != e->access)
            continue;
        sq_expr *value = sq_expr_copied(n->k, n->p->value, n->spot[i].from, NULL, NULL);
        if (value->type == n->array->type)
            return value;
        return sq_expr_node(n->k, SQ_OP_CAST, n->array->type, e->loc, 1, &value);
    }
    return NULL;
}

static const sq_schedule *make(inliner *n, const char *call)
{
    sq_kernel *k = sq_rewritten_begin(n->k, n->k->nstmts);
    if (!k) {
        sq_edit_refuse(n->s, n->why, n->at, -1, "the dependences are not known");
        return NULL;
    }
    for (int i = 0; i < n->k->nstmts; i++)
        if (n->k->stmt[i] != n->p)
            k->stmt[k->nstmts++] = sq_stmt_copied(k, n->k->stmt[i], instead, n);
    const sq_schedule *start = sq_schedule_new(k, k->arena);
    return sq_rewritten_end(n->k, k, start, call, n->why) ? NULL : start;
}

static int find_stmt(inliner *n, const sq_call *call)
{
    n->p = sq_kernel_stmt(n->k, call->arg[0].name);
    if (!n->p)
        return sq_edit_no_stmt(n->s, call, 0, n->why, n->at);
    n->array = n->p->write->array;
    return 0;
}

int sq_apply_inline(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, int *at)
{
    (void)g;
    inliner *n = SQ_NEW(s->kernel->arena, inliner);
    *n = (inliner){.s = s, .k = s->kernel, .why = why, .at = at};
    if (call->nargs != 1 || call->arg[0].has_value || call->arg[0].section || !call->arg[0].name[0])
        return sq_edit_refuse(s, why, at, -1, "name one statement: inline(S0)");
    if (!sq_schedule_untouched(s))
        return sq_edit_refuse(s, why, at, -1,
                              "inline changes the statements that the other calls are about; write "
                              "it before them");
    if (find_stmt(n, call))
        return -1;
    const char *text = sq_arena_printf(s->kernel->arena, "inline(%s)", name(n));
    const sq_schedule *start = sq_rewritten_find(s->kernel, text);
    if (!start && legal(n) == 0)
        start = make(n, text);
    for (int i = 0; i < n->nspots; i++)
        isl_multi_aff_free(n->spot[i].from);
    if (!start)
        return -1;
    sq_schedule_rewritten(s, start, text);
    return 0;
}
