/* Call graph of C text; see blocks.h. A function is called where an identifier names it, unless the
 * enclosing function declares that identifier for something else, and no argument list follows. */
#include "tuner/proof/scope.h"
#include <string.h>

int sq_blocks_function(const sq_blocks *b, const sq_token *t)
{
    int from = 0, to = t->kind == SQ_TOKEN_WORD ? b->nfunctions : 0;
    while (from < to) {
        int f = b->by_name[(from + to) / 2];
        int order = strncmp(t->at, b->function[f].name, (size_t)t->n);
        if (order == 0 && !b->function[f].name[t->n])
            return f;
        if (order > 0)
            from = (from + to) / 2 + 1;
        else
            to = (from + to) / 2;
    }
    return -1;
}

int sq_blocks_named(const sq_blocks *b, int in, int i)
{
    int f = sq_blocks_function(b, &b->token[i]);
    return f >= 0 && !sq_token_is(&b->token[i + 1], "(") &&
                   sq_scope_declares(sq_scope_of(b, in), &b->token[i])
               ? -1
               : f;
}

static void reach(const sq_blocks *b, int f, bool *reached)
{
    reached[f] = true;
    for (int i = b->function[f].first; i < b->function[f].last; i++) {
        int g = sq_blocks_named(b, f, i);
        if (g >= 0 && !reached[g])
            reach(b, g, reached);
    }
}

void sq_blocks_reach(const sq_blocks *b, const char *const *root, bool *reached)
{
    memset(reached, 0, (size_t)b->nfunctions * sizeof *reached);
    for (; *root; root++)
        for (int f = 0; f < b->nfunctions; f++)
            if (strcmp(b->function[f].name, *root) == 0)
                reach(b, f, reached);
    for (int f = 0; f < b->nfunctions; f++)
        if (b->function[f].is_value && !reached[f])
            reach(b, f, reached); /* a table may be its only caller */
}

/* Returns the innermost block around token i: the last one that begins before it and ends behind
 * it. */
static int block_around(const sq_blocks *b, const sq_block_function *in, int i)
{
    int found = -1;
    for (int k = in->block; k < in->end; k++)
        if (!sq_block_is_outcome(&b->of[k]) && b->of[k].from <= i && i < b->of[k].to)
            found = k;
    return found;
}

/* True if token i is in a dead block. */
static bool is_dead(const sq_blocks *b, const sq_block_function *in, int i, const bool *dead)
{
    int block = block_around(b, in, i);
    return block >= 0 && dead[block];
}

bool sq_blocks_dead(const sq_blocks *b, int f, const bool *reached, const bool *dead)
{
    for (int g = 0; g < b->nfunctions; g++) {
        const sq_block_function *in = &b->function[g];
        for (int i = in->first; reached[g] && g != f && i < in->last; i++)
            if (sq_blocks_named(b, g, i) == f && !is_dead(b, in, i, dead))
                return false;
    }
    return !b->function[f].is_value;
}
