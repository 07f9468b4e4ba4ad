/* Scope: the names of a function of C text that stand for one value wherever they are seen: of int or
 * int64_t, declared with a value or as a parameter, and never changed but by the step of the loop
 * that declares them. Whatever else is done to a name anywhere in the function (another declaration
 * that is not read here, an assignment, its address, a private copy of a thread) makes it unknown.
 */
#ifndef SQ_TUNER_PROOF_SCOPE_H
#define SQ_TUNER_PROOF_SCOPE_H
#include "tuner/proof/blocks.h"

typedef struct sq_name {
    int token;      /* that declares it */
    int bits;       /* 32 of an int, 64 of an int64_t */
    int from, to;   /* tokens that see it */
    int value, end; /* tokens of its first value; none of a parameter */
    int param;      /* its place among the parameters; -1: it is none */
    long step;      /* of a loop, which adds it in every round; 0: it keeps its value */
    int condition, condition_end; /* of that loop */
} sq_name;

typedef struct sq_scope {
    int n;
    sq_name *name; /* sorted by spelling and place */
    int nunknown;
    const sq_token **unknown; /* sorted by spelling */
    int nlocal;
    const sq_token **local; /* all that is declared, sorted by spelling */
    bool jumps;             /* control may come to a place by another way than its braces say */
} sq_scope;

/* Of function f; b keeps it for the next time. */
const sq_scope *sq_scope_of(const sq_blocks *b, int f);
/* What the word at token i means. NULL: nothing is known of it. */
const sq_name *sq_scope_find(const sq_scope *s, const sq_blocks *b, int i);
/* Parameter number `param`. NULL: nothing is known of it. */
const sq_name *sq_scope_param(const sq_scope *s, const sq_blocks *b, int param);
/* True if the function declares the word, whether its value is known or not. */
bool sq_scope_declares(const sq_scope *s, const sq_token *t);
/* Behind the statement that begins at token i. */
int sq_statement_end(const sq_blocks *b, int i);
bool sq_token_same(const sq_token *x, const sq_token *y);
/* True if an assignment, `++` or `--` begins at the token. */
bool sq_token_changes(const sq_token *t);
/* True if the token is one of these marks. */
bool sq_token_mark(const sq_token *t, const char *marks);
#endif
