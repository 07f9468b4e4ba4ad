/* Blocks: the basic blocks of C text. Inserts a statement SQ_RAN(n); at the head of the body of
 * each function and loop, of both arms of each conditional, and behind labels, so that a run tells
 * which of them ran, or a compiler which it can prove unreachable; on request also SQ_SAW(n, m,
 * value) behind each operand that an expression branches on (tuner/proof/operands.h): block n if it
 * is true, m if it is not, SQ_BLOCKS: none. The text is the output of a preprocessor: it has no
 * other control flow. */
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
    bool own; /* from the main file, within its first lines */
} sq_token;

typedef enum sq_block_kind {
    SQ_BLOCK_FUNCTION,
    SQ_BLOCK_LOOP,
    SQ_BLOCK_THEN,
    SQ_BLOCK_ELSE,
    SQ_BLOCK_NEVER_FALSE, /* the missing `else` of a conditional */
    SQ_BLOCK_CASE,
    SQ_BLOCK_LABEL,
    SQ_BLOCK_TRUE, /* the operand had this value */
    SQ_BLOCK_FALSE
} sq_block_kind;

/* Tokens [from, to) are true, or false, where something is evaluated. */
typedef struct sq_guard {
    int from, to;
    bool holds;
    int outer; /* an enclosing guard that holds as well, or -1 */
} sq_guard;

typedef struct sq_block {
    sq_block_kind kind;
    int line, function;
    const char
        *condition; /* condition of the arm, between its parentheses, or the operand; NULL: none */
    int header; /* token: the parenthesis in front of the condition or of a loop's header; 0: none */
    int from, to;  /* its tokens, from behind that to the end */
    int last;      /* blocks up to this one are nested in it */
    bool is_empty; /* has no statements of its own, only nested blocks */
    bool is_exit;  /* it only returns */
    int guard;     /* guard of an operand, -1: none */
} sq_block;

typedef struct sq_block_function {
    const char *name;
    int line;
    int first, last; /* its tokens, from the brace that opens its body on */
    int block, end;  /* its blocks: [block, end) */
    bool is_value;   /* some variable of the file is initialized with it */
} sq_block_function;

typedef struct sq_blocks {
    int n, nfunctions;
    sq_block *of; /* in the arena, as are all members */
    sq_block_function *function;
    int *by_name; /* functions, sorted by name */
    sq_guard *guard;
    const sq_token *token;
    int ntokens;
    sq_arena *arena;
    int *pair;       /* the index of the matching bracket; -1 for other tokens */
    const char *why; /* why it cannot be parsed */
    struct sq_scope **scope; /* of functions for which one was requested (tuner/proof/scope.h) */
} sq_blocks;

/* Marks the blocks of functions that begin in the first `lines` lines of the preprocessor's main
 * file, and, if `operands`, the operands that their expressions branch on. -1: the text cannot be
 * parsed, for example as brackets do not match; b->why. */
int sq_blocks_mark(const char *text, int lines, bool operands, sq_arena *arena, sq_text *to,
                   sq_blocks *b);
/* True if the block is an outcome of an operand, not a position in the text. */
bool sq_block_is_outcome(const sq_block *b);
/* Returns the function of that name; -1: none. */
int sq_blocks_function(const sq_blocks *b, const sq_token *t);
/* Returns the function that token i in the body of function `in` names; -1: none. */
int sq_blocks_named(const sq_blocks *b, int in, int i);
/* True if reached functions name function f in dead blocks only, and its address is not taken. */
bool sq_blocks_dead(const sq_blocks *b, int f, const bool *reached, const bool *dead);
bool sq_token_is(const sq_token *t, const char *text);
/* True if it is one of the words, which are terminated by NULL. */
bool sq_token_is_one_of(const sq_token *t, const char *const *words);
/* Sets reached[f] if function f is one of the roots (terminated by NULL), or named by a reached
 * one, or as a value outside of all functions. */
void sq_blocks_reach(const sq_blocks *b, const char *const *root, bool *reached);
#endif
