/* Blocks: where C text branches. Marks put a statement SQ_RAN(n); at the head of every body of a
 * function, a loop and a condition's two sides, and behind labels, so that a run tells which of them
 * ran, or a compiler which it can prove never to run; where that is asked for, SQ_SAW(n, m, value)
 * behind what an expression branches by (tuner/proof/operands.h): block n if it is true, m if it is not,
 * SQ_BLOCKS: none. The text is what a preprocessor left: there are no other ways through it. */
#ifndef SQ_TUNER_PROOF_BLOCKS_H
#define SQ_TUNER_PROOF_BLOCKS_H
#include "support/arena.h"
#include "support/text.h"
#include <stdbool.h>

typedef enum sq_token_kind {
    SQ_TOKEN_WORD,
    SQ_TOKEN_MARK,
    SQ_TOKEN_TEXT,
    SQ_TOKEN_DIRECTIVE,
    SQ_TOKEN_END
} sq_token_kind;

typedef struct sq_token {
    sq_token_kind kind;
    const char *at;
    int n, line;
    bool own; /* of the main file, and of its first lines */
} sq_token;

typedef enum sq_block_kind {
    SQ_BLOCK_FUNCTION,
    SQ_BLOCK_LOOP,
    SQ_BLOCK_THEN,
    SQ_BLOCK_ELSE,
    SQ_BLOCK_NEVER_FALSE, /* the side that a condition without `else` does not write */
    SQ_BLOCK_CASE,
    SQ_BLOCK_LABEL,
    SQ_BLOCK_TRUE, /* an operand was that */
    SQ_BLOCK_FALSE
} sq_block_kind;

/* Tokens [from, to) are true, or they are not, where something is evaluated. */
typedef struct sq_guard {
    int from, to;
    bool holds;
    int outer; /* what is known there, too: a guard, or -1 */
} sq_guard;

typedef struct sq_block {
    sq_block_kind kind;
    int line, function;
    const char
        *condition; /* of the side, between its parentheses, or the operand; NULL: it has none */
    int header; /* token: the bracket in front of the condition or of a loop's; 0: there is none */
    int from, to;  /* its tokens: from what stands behind that to the end */
    int last;      /* blocks up to this one are inside */
    bool is_empty; /* of statements of its own: nothing happens but what its blocks do */
    bool is_exit;  /* it only returns */
    int guard;     /* of an operand, -1: none */
} sq_block;

typedef struct sq_block_function {
    const char *name;
    int line;
    int first, last; /* its tokens, from the bracket that opens its body on */
    int block, end;  /* its blocks: from this one to before that one */
    bool is_value;   /* what some variable of the file begins with */
} sq_block_function;

typedef struct sq_blocks {
    int n, nfunctions;
    sq_block *of; /* in the arena, as all of it */
    sq_block_function *function;
    int *by_name; /* functions, sorted by their names */
    sq_guard *guard;
    const sq_token *token;
    int ntokens;
    sq_arena *arena;
    int *pair;       /* of each bracket among the tokens the other one; of other tokens -1 */
    const char *why; /* it cannot be read */
    struct sq_scope **scope; /* of functions, where one was requested (tuner/proof/scope.h) */
} sq_blocks;

/* Marks the blocks of functions that begin in the first `lines` lines of the preprocessor's main
 * file, and, if `operands`, what their expressions branch by. -1: the text is none that this can read,
 * b->why: brackets do not match, or so. */
int sq_blocks_mark(const char *text, int lines, bool operands, sq_arena *arena, sq_text *to,
                   sq_blocks *b);
/* True if the block is an outcome of an operand, not a place in the text. */
bool sq_block_is_outcome(const sq_block *b);
/* The function of that name; -1: none. */
int sq_blocks_function(const sq_blocks *b, const sq_token *t);
/* The function that token i in the body of function `in` names; -1: none. */
int sq_blocks_named(const sq_blocks *b, int in, int i);
/* True if reached functions name function f in dead blocks only, and nothing takes it as a value.
 */
bool sq_blocks_dead(const sq_blocks *b, int f, const bool *reached, const bool *dead);
bool sq_token_is(const sq_token *t, const char *text);
/* True if it is one of the words, which end with NULL. */
bool sq_token_is_one_of(const sq_token *t, const char *const *words);
/* reached[f]: function f is one of the roots (NULL ends them), or named by one that is reached or as a value outside of
 * all. */
void sq_blocks_reach(const sq_blocks *b, const char *const *root, bool *reached);
#endif
