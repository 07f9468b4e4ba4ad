/* Passes: the table of passes and its driver; see passes.h. */
#include "codegen/passes/rows.h"
#include "codegen/code/parts.h"
#include "codegen/passes/verified.h"
#include "support/terminal.h"
#include <string.h>

/* clang-format off */
const sq_pass sq_passes[] = {
    {"sweep", "removes values, variables and pointers that nothing uses", sq_pass_sweep},
    {"vectorize", "makes vectors of loops in lanes", sq_pass_vectorize},
    {"first", "runs what only the first iteration of a loop does before it", sq_pass_first},
    {"again", "keeps in a register what an iteration stores and stores again", sq_pass_again},
    {"widen", "makes vectors of serial loops whose statements keep their order so", sq_pass_widen},
    {"jam", "runs iterations side by side in serial loops inside of theirs", sq_pass_jam},
    {"branch", "asks once for a condition that statements of serial loops share", sq_pass_branch},
    {"hold", "keeps what serial loops update at one place in registers", sq_pass_hold},
    {"unread", "removes registers that are only written", sq_pass_unread},
    {"pointers", "reads many rows at unknown distances through two pointers", sq_pass_pointers},
    {"once", "puts values that are used once where they are used", sq_pass_once},
};
/* clang-format on */
const int sq_npasses = sizeof sq_passes / sizeof *sq_passes;

int sq_pass_find(const char *name)
{
    for (int i = 0; i < sq_npasses; i++)
        if (strcmp(sq_passes[i].name, name) == 0)
            return i;
    return -1;
}

/* Parts that have had the pass already, as called by earlier code, are skipped. */
sq_code *sq_pass_step(const sq_pass_context *c, const sq_pass *pass, int row, sq_code *x)
{
    const sq_code_parts parts = sq_code_parts_of(x, c->pool->arena);
    for (int i = 0; i < parts.n; i++) {
        sq_code_part *part = parts.part[i];
        if (part->npasses != row)
            continue;
        part->body = pass->run(c, part->body);
        part->npasses = row + 1;
    }
    x = pass->run(c, x);
    sq_passes_verify(c, pass->name, x);
    return x;
}

static long count(const sq_code *x)
{
    long n = 0;
    for (; x; x = x->next)
        n += 1 + count(x->body) + count(x->other);
    return n;
}

/* Counts the statements of a list and of the parts that it calls. */
static long count_all(const sq_pass_context *c, const sq_code *x)
{
    const sq_code_parts parts = sq_code_parts_of(x, c->pool->arena);
    long n = count(x);
    for (int i = 0; i < parts.n; i++)
        n += count(parts.part[i]->body);
    return n;
}

sq_code *sq_passes_run(const sq_pass_context *c, sq_code *x, int n, sq_pass_time *times)
{
    sq_passes_verify(c, "lowering", x);
    if (times)
        times[0].statements += count_all(c, x);
    for (int i = 0; i < sq_npasses && i < n; i++) {
        double start = times ? sq_terminal_seconds() : 0;
        x = sq_pass_step(c, &sq_passes[i], i, x);
        if (!times)
            continue;
        times[i + 1].seconds += sq_terminal_seconds() - start;
        times[i + 1].statements += count_all(c, x);
    }
    return x;
}
