/* Chains of groups that share loops; see chain.h. */
#include "tuner/space/chain.h"
#include "transforms/transform.h"
#include <string.h>

/* ---- which groups ---- */

static bool has_free(const sq_group *g, const char *name)
{
    int d = sq_group_dim(g, name);
    return d >= 0 && d < g->nfree;
}

static bool reads(const sq_group *g, const sq_array *a)
{
    for (int i = 0; i < g->nstmts; i++)
        if (sq_stmt_reads_array(g->stmt[i], a))
            return true;
    return false;
}

/* True if group g reads what a group of the chain writes. */
static bool follows(const sq_chain *c, const sq_group *g)
{
    for (int i = 0; i < c->n; i++) {
        const sq_group *before = c->naive->group[c->first + i];
        for (int j = 0; j < before->nstmts; j++)
            if (reads(g, before->stmt[j]->write->array))
                return true;
    }
    return false;
}

/* Finds names that are free dimensions of group g as well. */
static int common(const sq_chain *c, const sq_group *g, const char **name)
{
    int n = 0;
    for (int d = 0; d < c->ndims; d++)
        if (has_free(g, c->dim[d]))
            name[n++] = c->dim[d];
    return n;
}

/* rows > 1: the innermost shared loop has tiles of this many. */
static void put_order(const sq_chain *c, const sq_group *g, int64_t rows, sq_text *to)
{
    const char *last = c->dim[c->ndims - 1];
    sq_text_printf(to, "%s: ", g->stmt[0]->name);
    if (rows > 1)
        sq_text_printf(to, "tile(%s:%lld) ", last, (long long)rows);
    sq_text_puts(to, "order(");
    for (int d = 0; d < c->ndims; d++)
        sq_text_printf(to, "%s%s%s", d ? ", " : "", c->dim[d], rows > 1 && d == c->ndims - 1 ? "0" : "");
    if (rows > 1)
        sq_text_printf(to, ", %s", last);
    for (int l = 0; l < g->nloops; l++) {
        bool shared = false;
        for (int d = 0; d < c->ndims; d++)
            shared |= strcmp(g->loop[l].name, c->dim[d]) == 0;
        if (!shared)
            sq_text_printf(to, ", %s", g->loop[l].name);
    }
    sq_text_puts(to, ") ");
    if (c->in_threads)
        sq_text_printf(to, "parallel(%s%s) ", c->dim[0], rows > 1 && c->ndims == 1 ? "0" : "");
}

/* True if all groups of the chain may legally run together, with this number of rows at a time. If
 * there are threads, the rows must be parallel: a chain without parallel rows costs more than it
 * saves. */
static bool legal(const sq_chain *c, int64_t rows)
{
    sq_text script = {0};
    for (int i = 0; i < c->n; i++)
        put_order(c, c->naive->group[c->first + i], rows, &script);
    sq_chain_script(c, rows, &script);
    sq_arena *scratch = sq_arena_new();
    bool ok = sq_script_try(sq_schedule_copy(c->naive, scratch), sq_text_str(&script), scratch);
    sq_arena_free(scratch);
    sq_text_free(&script);
    return ok;
}

/* True if it multiplies words in place: the other factor has few words, and rows of the result that
 * wait for them would be computed one by one. */
static bool has_words_in_place(const sq_group *g)
{
    bool found = false;
    for (int s = 0; s < g->nstmts; s++) {
        sq_access *read[SQ_MAX_STMT_READS];
        int n = sq_stmt_all_reads(g->stmt[s], read, NULL);
        for (int i = 0; i < n; i++)
            found |= read[i]->array->words_of != NULL;
    }
    return found;
}

static bool is_tiled(const sq_group *g)
{
    return g->kind == SQ_GROUP_TILED && !sq_group_unstorable(g);
}

/* True if a free dimension moves one of the two reads and not the other. */
static bool moves_alone(const sq_stmt *s, const sq_access *moved, const sq_access *other)
{
    for (int d = 0; d < s->nfree; d++)
        if (sq_access_moves(moved, d) && !sq_access_moves(other, d))
            return true;
    return false;
}

/* True if it sums up products of operands that both are used again, as those of a product of matrices are. */
static bool multiplies(const sq_group *g)
{
    const sq_stmt *s = g->stmt[0];
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS], found = false;
    int n = s->updates && g->nstmts == 1 ? sq_stmt_all_reads(s, read, in_body) : 0;
    for (int i = 0; i < n && !found; i++)
        for (int j = 0; j < i && !found; j++)
            found = in_body[i] && in_body[j] && moves_alone(s, read[i], read[j]) && moves_alone(s, read[j], read[i]);
    return found;
}

/* True if the chain so far computes what a statement behind it reads in the place of an operation. */
static bool is_hoisted(const sq_chain *c)
{
    const sq_group *last = c->naive->group[c->first + c->n - 1];
    return last->nstmts == 1 && last->stmt[0]->write->array->is_hoisted;
}

/* Extends the chain by the next group, with fewer dimensions if necessary. */
static bool extend(sq_chain *c)
{
    sq_chain longer = *c;
    int next = c->first + c->n;
    if (next >= c->naive->ngroups || sq_fusion_length(c->naive, next) > 1)
        return false;
    const sq_group *g = c->naive->group[next];
    if (!is_tiled(g) || !follows(c, g) || has_words_in_place(g))
        return false;
    if (is_hoisted(c) && multiplies(g)) /* each few rows would need the other factor again */
        return false;
    longer.n++;
    for (longer.ndims = common(c, g, longer.dim); longer.ndims > 0; longer.ndims--) {
        longer.rows = longer.ndims - 1;
        if (legal(&longer, 1) && legal(&longer, 2)) {
            *c = longer;
            return true;
        }
    }
    return false;
}

/* Takes groups that share loops already. */
static void take_run(sq_chain *c)
{
    c->n = sq_fusion_length(c->naive, c->first);
    c->ndims = sq_fusion_shared(c->naive, c->first);
    c->given = true;
    for (int l = 0; l < c->ndims; l++)
        c->dim[l] = c->naive->group[c->first]->loop[l].name;
    c->rows = c->ndims - 2;
}

int sq_chains_find(const sq_schedule *naive, int threads, sq_chain *chain)
{
    int n = 0;
    for (int g = 0; g < naive->ngroups && n < SQ_MAX_CHAINS;) {
        const sq_group *first = naive->group[g];
        sq_chain c = {
            .naive = naive, .first = g, .n = 1, .ndims = first->nfree, .in_threads = threads > 1};
        memcpy(c.dim, first->dim, (size_t)first->nfree * sizeof *c.dim);
        if (sq_fusion_length(naive, g) > 1)
            take_run(&c);
        while (!c.given && is_tiled(first) && extend(&c))
            ;
        if (c.n > 1)
            chain[n++] = c;
        g += c.n;
    }
    return n;
}

/* ---- plans ---- */

/* Limits the tile to what one iteration covers of a shared dimension, in full vectors. */
static void fit_tile(sq_plan *q, int d, int64_t rows)
{
    q->block[d] = rows > 1 ? rows : 0;
    if (q->points[d] > rows)
        q->points[d] = rows;
    if (d == q->vector && (q->points[d] < q->lanes || q->points[d] % q->lanes))
        q->useless = true;
}

static bool is_shared(const sq_chain *c, const sq_plan *q, const sq_plan_loop *l, int64_t rows)
{
    for (int k = 0; k < c->ndims; k++)
        if (sq_group_dim(q->shape->group, c->dim[k]) == l->dim)
            return l->block || k != c->rows || rows == 1;
    return false;
}

void sq_chain_plan(const sq_chain *c, int64_t rows, sq_plan *q)
{
    sq_plan_loop old[SQ_MAX_LOOPS];
    int n = q->nloops;
    memcpy(old, q->loop, sizeof old);
    q->nloops = 0;
    for (int k = 0; k < c->ndims; k++) {
        int d = sq_group_dim(q->shape->group, c->dim[k]);
        int64_t step = k == c->rows ? rows : 1;
        fit_tile(q, d, step);
        q->loop[q->nloops++] = (sq_plan_loop){d, step, step > 1, false};
    }
    q->chain = c;
    q->shared = q->nloops;
    for (int l = 0; l < n && q->nloops < SQ_MAX_LOOPS; l++) {
        if (is_shared(c, q, &old[l], rows))
            continue;
        if (!old[l].block)
            old[l].step = q->points[old[l].dim];
        q->loop[q->nloops++] = old[l];
    }
}

bool sq_chain_keeps(const sq_chain *c, const sq_group *g, const sq_operand *o)
{
    bool after = false, is_read = false, is_written = false;
    for (int i = 0; i < c->n; i++) {
        const sq_group *other = c->naive->group[c->first + i];
        if (other == g) {
            after = true;
            continue;
        }
        bool reads_it = reads(other, o->array), writes_it = sq_group_writes(other, o->array);
        if (!o->written && !after && (reads_it || writes_it))
            return true;
        is_read |= after && reads_it;
        is_written |= after && writes_it;
    }
    return o->written && is_read && (is_written || o->array->role == SQ_LOCAL);
}

void sq_chain_script(const sq_chain *c, int64_t rows, sq_text *to)
{
    if (c->given)
        return;
    sq_text_puts(to, "fuse(");
    for (int i = 0; i < c->n; i++)
        sq_text_printf(to, "%s%s", i ? ", " : "", c->naive->group[c->first + i]->stmt[0]->name);
    sq_text_printf(to, " at %s%s) ", c->dim[c->ndims - 1], rows > 1 ? "0" : "");
}
