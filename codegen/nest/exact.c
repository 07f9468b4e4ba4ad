/* Exact: see exact.h. A significand of 24 bits holds all integers up to 2^24. */
#include "codegen/nest/exact.h"

/* Returns the largest magnitude of a factor, an 8-bit element cast to int32_t; 0 for anything
 * else. */
static int64_t magnitude(const sq_expr *e)
{
    if (e->op != SQ_OP_CAST || e->type != SQ_I32 || e->arg[0]->op != SQ_OP_READ ||
        e->arg[0]->access->edge != SQ_EDGE_NONE || e->arg[0]->access->indirect)
        return 0;
    return e->arg[0]->type == SQ_I8 ? 128 : e->arg[0]->type == SQ_U8 ? 255 : 0;
}

int64_t sq_exact_terms(const sq_group *g)
{
    const sq_stmt *s = g->stmt[0];
    if (!s->updates || s->reduce != SQ_OP_ADD || s->body->op != SQ_OP_MUL)
        return 0;
    int64_t product = magnitude(s->body->arg[0]) * magnitude(s->body->arg[1]);
    return product ? ((int64_t)1 << 24) / product / 64 * 64 : 0;
}

bool sq_exact_factor(const sq_group *g, const sq_array *a)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    if (!sq_exact_terms(g))
        return false;
    for (int i = 0; i < g->nstmts; i++) {
        int n = sq_stmt_all_reads(g->stmt[i], read, in_body);
        for (int r = 0; r < n; r++)
            if (read[r]->array == a && (i > 0 || !in_body[r]))
                return false;
    }
    return true;
}
