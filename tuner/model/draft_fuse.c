/* Draft, fusion: element-wise statements are computed with the one before them wherever that is
 * legal. Every attempt is proven against the dependences between all pairs of statements, so a
 * chain is not fused one statement at a time: attempts double in length while they succeed and
 * halve where they fail. What is legal for a run of statements is legal for its beginning, so the
 * result is that of single steps. */
#include "transforms/transform.h"
#include "tuner/model/draft.h"

/* True if it makes words of elements: what another statement computes at the same points is of no use to it, and alone
 * its words may be stored in another order than their elements are read in. */
static bool makes_words(const sq_group *g)
{
    const sq_expr *e = g->stmt[0]->value;
    return e->op == SQ_OP_WORD || (e->nargs && e->arg[0]->op == SQ_OP_WORD);
}

/* How many of the groups behind g have a form that fuses with it, as many as one call names. */
static int candidates(const sq_schedule *s, int g)
{
    const sq_group *x = s->group[g];
    int n = 0;
    while (x->kind == SQ_GROUP_TILED && g + n + 1 < s->ngroups && n + 1 < SQ_MAX_ARGS) {
        const sq_group *y = s->group[g + n + 1];
        if (y->kind != SQ_GROUP_TILED || y->nfree != x->nfree || y->stmt[0]->updates || makes_words(x) ||
            makes_words(y))
            break;
        n++;
    }
    return n;
}

static bool fuse_next(sq_schedule *s, int g, int n, sq_arena *a, sq_text *script)
{
    sq_text call = {0};
    sq_text_puts(&call, "fuse(");
    for (int i = 0; i <= n; i++)
        sq_text_printf(&call, "%s%s", i ? ", " : "", s->group[g + i]->stmt[0]->name);
    sq_text_puts(&call, ") ");
    bool legal = sq_script_try(s, sq_text_str(&call), a);
    if (legal)
        sq_text_puts(script, sq_text_str(&call));
    sq_text_free(&call);
    return legal;
}

void sq_draft_fuse(sq_schedule *s, sq_arena *a, sq_text *script)
{
    for (int g = 0; g + 1 < s->ngroups; g++) {
        bool grows = true;
        int n = 1, most;
        while (n > 0 && (most = candidates(s, g)) > 0) {
            n = n < most ? n : most;
            bool fused = fuse_next(s, g, n, a, script);
            grows = grows && fused;
            n = grows ? 2 * n : fused ? n : n / 2;
        }
    }
}
