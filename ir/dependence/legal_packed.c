/* Legal, packed: copies of a prepacked array are all there is of it when a kernel runs. One pack makes them, and every
 * read of the array is served by it. */
#include "ir/dependence/legal.h"

/* True if the pack's group has loops of its own. */
static bool stands_alone(const sq_schedule *s, const sq_group *g)
{
    for (int i = 0; i < s->ngroups; i++)
        if (s->group[i] == g)
            return !s->kernel->whole && sq_fusion_head(s, i) == i && sq_fusion_length(s, i) == 1;
    return false;
}

static bool is_in(const sq_group *g, const sq_stmt *stmt)
{
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmt[i] == stmt)
            return true;
    return false;
}

/* Returns a statement with a read that the pack does not serve; NULL: there is none. */
static const sq_stmt *reads_besides(const sq_schedule *s, const sq_group *g, const sq_pack *p)
{
    for (int i = 0; i < s->kernel->nstmts; i++) {
        sq_access *read[SQ_MAX_STMT_READS];
        const sq_stmt *stmt = s->kernel->stmt[i];
        int n = sq_stmt_all_reads(stmt, read, NULL);
        for (int r = 0; r < n; r++)
            if (read[r]->array == p->array && (!is_in(g, stmt) || !sq_pack_serves(p, read[r])))
                return stmt;
    }
    return NULL;
}

int sq_packed_legal(const sq_schedule *s, const sq_group *g, const sq_pack *p, const char **why)
{
    const char *name = p->array->name;
    if (!p->array->is_packed)
        return 0;
    if (!stands_alone(s, g))
        return sq_illegal(s, why,
                          "%s is prepacked, and its copies serve a nest of its own: %s shares loops with others", name,
                          g->stmt[0]->name);
    const sq_stmt *other = reads_besides(s, g, p);
    if (other)
        return sq_illegal(
            s, why,
            "%s is prepacked: there is nothing but its copies, and %s reads it elsewhere than in this one; "
            "leave %s out of pack",
            name, other->name, name);
    return 0;
}
