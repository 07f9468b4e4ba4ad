/* Schedule: builds the naive order of a kernel, copies schedules, looks up names.
 *
 * The naive order has one group per statement, with a loop of step 1 per dimension, in written
 * order. Two kinds of statements differ. C loops that are not perfectly nested (several statements
 * share a loop, or a loop runs in another order than its dimension) stay together in one group that
 * runs as written. A reduction whose partial sums cannot live in the output array is inside the
 * tile from the start: its last dimension of variable extent is the serial loop, short constant
 * dimensions are unrolled. Time is in schedule_time.c, legality in legal.c. */
#include "ir/schedule/schedule.h"
#include "ir/kernel/touch.h"
#include <stdio.h>
#include <string.h>

enum { LONGEST_UNROLL = 64 }; /* limit on the reduction points that the naive order unrolls */

/* True if the statement's textual order is the order of its dimensions. */
static bool in_dim_order(const sq_stmt *s)
{
    isl_map *t = isl_map_copy(s->textual);
    int n = (int)isl_map_dim(t, isl_dim_out);
    for (int d = 0; d < s->nfree && t; d++) {
        if (2 * d + 1 >= n) {
            isl_map_free(t);
            return false;
        }
        t = isl_map_equate(t, isl_dim_in, d, isl_dim_out, 2 * d + 1);
    }
    isl_bool same = isl_map_is_equal(t, s->textual);
    isl_map_free(t);
    return same == isl_bool_true;
}

static void add_loop(sq_group *g, int dim)
{
    sq_loop *l = &g->loop[g->nloops++];
    *l = (sq_loop){.name = g->dim[dim], .dim = dim, .step = 1};
}

static void remove_loop(sq_group *g, int at)
{
    memmove(&g->loop[at], &g->loop[at + 1], (size_t)(g->nloops - at - 1) * sizeof *g->loop);
    g->nloops--;
}

/* Moves a whole reduction into the tile, as far as its extents allow. */
static void hold_reduction(sq_group *g)
{
    const sq_stmt *s = g->stmt[0];
    int64_t points = 1;
    for (int d = s->ndim - 1; d >= s->nfree; d--) {
        int64_t extent = sq_stmt_extent(s, d);
        bool fits = extent >= 2 && extent <= LONGEST_UNROLL / points;
        if (g->micro.serial >= 0 && (!fits || s->ordered))
            continue; /* stays a loop, and the legality check reports it */
        if (g->micro.serial < 0 && (!fits || d == s->nfree)) {
            g->micro.serial = d;
        } else {
            g->micro.points[d] = extent;
            points *= extent;
        }
        remove_loop(g, sq_group_inner_loop(g, d));
    }
}

static void reset_micro(sq_micro *m)
{
    *m = (sq_micro){.vector = -1, .lanes = 1, .serial = -1, .unroll = 1, .split = 1};
    for (int d = 0; d < SQ_MAX_DIMS; d++)
        m->points[d] = 1;
}

sq_group *sq_group_new(const sq_kernel *k, const sq_stmt *s, sq_arena *arena)
{
    sq_group *g = SQ_NEW(arena, sq_group);
    g->stmt = SQ_NEW_ARRAY(arena, const sq_stmt *, k->nstmts);
    g->kind = SQ_GROUP_TILED;
    g->nstmts = 1;
    g->stmt[0] = s;
    g->ndim = s->ndim;
    g->nfree = s->nfree;
    reset_micro(&g->micro);
    for (int d = 0; d < s->ndim; d++) {
        g->dim[d] = s->dim[d];
        add_loop(g, d);
    }
    if (sq_group_unstorable(g))
        hold_reduction(g);
    return g;
}

/* Makes a group run as written. */
static void as_written(sq_group *g)
{
    g->kind = SQ_GROUP_WRITTEN;
    g->nloops = 0;
    reset_micro(&g->micro);
}

/* Returns the naive order; see the contract in the header. NULL if a statement has more dimensions
 * than a schedule has room for. */
sq_schedule *sq_schedule_new(const sq_kernel *k, sq_arena *arena)
{
    sq_schedule *s = SQ_NEW(arena, sq_schedule);
    s->kernel = k;
    s->group = SQ_NEW_ARRAY(arena, sq_group *, k->nstmts + 1);
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *stmt = k->stmt[i];
        sq_group *last = s->ngroups > 0 ? s->group[s->ngroups - 1] : NULL;
        if (last && sq_stmts_share_loop(last->stmt[0], stmt)) {
            last->stmt[last->nstmts++] = stmt;
            as_written(last);
            continue;
        }
        if (stmt->ndim > SQ_MAX_DIMS)
            return NULL;
        s->group[s->ngroups] = sq_group_new(k, stmt, arena);
        if (stmt->written_loops && (!in_dim_order(stmt) || sq_stmt_waits_for_unreduced(k, stmt)))
            as_written(s->group[s->ngroups]);
        s->ngroups++;
    }
    return s;
}

sq_group *sq_group_copy(const sq_schedule *s, const sq_group *g, sq_arena *arena)
{
    sq_group *c = SQ_NEW(arena, sq_group);
    *c = *g;
    c->stmt = SQ_NEW_ARRAY(arena, const sq_stmt *, s->kernel->nstmts);
    memcpy(c->stmt, g->stmt, (size_t)g->nstmts * sizeof *c->stmt);
    return c;
}

/* Returns a deep copy: groups are copied, statements and arrays stay the kernel's. */
sq_schedule *sq_schedule_copy(const sq_schedule *s, sq_arena *arena)
{
    sq_schedule *c = SQ_NEW(arena, sq_schedule);
    *c = *s;
    c->group = SQ_NEW_ARRAY(arena, sq_group *, s->kernel->nstmts + 1);
    for (int i = 0; i < s->ngroups; i++)
        c->group[i] = sq_group_copy(s, s->group[i], arena);
    return c;
}

int sq_group_loop(const sq_group *g, const char *name)
{
    for (int i = 0; i < g->nloops; i++)
        if (strcmp(g->loop[i].name, name) == 0)
            return i;
    return -1;
}

int sq_group_dim(const sq_group *g, const char *name)
{
    for (int d = 0; d < g->ndim; d++)
        if (strcmp(g->dim[d], name) == 0)
            return d;
    return -1;
}

bool sq_group_writes(const sq_group *g, const sq_array *a)
{
    for (int s = 0; s < g->nstmts; s++)
        if (g->stmt[s]->write->array == a)
            return true;
    return false;
}

int sq_group_inner_loop(const sq_group *g, int dim)
{
    for (int i = g->nloops - 1; i >= 0; i--)
        if (g->loop[i].dim == dim)
            return i;
    return -1;
}

bool sq_group_partial_sums(const sq_group *g)
{
    if (g->kind != SQ_GROUP_TILED)
        return false;
    for (int i = 0; i < sq_group_held(g); i++)
        if (g->loop[i].dim >= g->nfree)
            return true;
    return false;
}

bool sq_group_panel(const sq_group *g, const char *name, int *dim, int64_t *block)
{
    size_t best = 0;
    for (int d = 0; d < g->ndim; d++) {
        size_t n = strlen(g->dim[d]);
        size_t digits = strncmp(name, g->dim[d], n) == 0 ? strspn(name + n, "0123456789") : 0;
        if (digits == 0 || digits > 9 || name[n + digits] || n <= best)
            continue;
        best = n;
        *dim = d;
        *block = 0;
        for (const char *c = name + n; *c; c++)
            *block = *block * 10 + (*c - '0');
    }
    return best > 0;
}
