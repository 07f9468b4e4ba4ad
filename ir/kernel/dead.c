/* Dead statements: drops statements that only fill temporaries which nothing reads, with a warning,
 * so that they cost no memory, loops and dependences. */
#include "ir/kernel/kernel.h"

/* True if another statement, which writes another array, reads what s writes. */
static bool is_read(const sq_kernel *k, const sq_stmt *s)
{
    for (int i = 0; i < k->nstmts; i++)
        if (k->stmt[i] != s && k->stmt[i]->write->array != s->write->array &&
            sq_stmt_reads_array(k->stmt[i], s->write->array))
            return true;
    return false;
}

/* Runs one pass; returns how many were dropped. */
static int drop(sq_kernel *k, sq_diags *d)
{
    int kept = 0, n = k->nstmts;
    bool *dead = SQ_NEW_ARRAY(k->arena, bool, n + 1);
    for (int i = 0; i < n; i++)
        dead[i] = k->stmt[i]->write->array->role == SQ_LOCAL && !is_read(k, k->stmt[i]);
    for (int i = 0; i < n; i++) {
        if (!dead[i]) {
            k->stmt[kept++] = k->stmt[i];
            continue;
        }
        if (!k->stmt[i]->write->array->is_named)
            sq_warning(d, k->stmt[i]->loc, "nothing reads the temporary '%s': left out",
                       k->stmt[i]->write->array->name);
        sq_stmt_free(k->stmt[i]);
    }
    k->nstmts = kept;
    return n - kept;
}

void sq_kernel_drop_dead(sq_kernel *k, sq_diags *d)
{
    while (drop(k, d) > 0)
        ;
}
