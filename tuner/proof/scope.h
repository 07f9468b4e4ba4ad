/* Scope: the names of a function of C text that have one value wherever they are visible: int or
 * int64_t, declared with a value or as a parameter, and changed only by the step of the loop that
 * declares them. Anything else that happens to a name in the function (another declaration that is
 * not parsed here, an assignment, its address, a thread's private copy) makes it unknown. */
#ifndef SQ_TUNER_PROOF_SCOPE_H
#define SQ_TUNER_PROOF_SCOPE_H
#include "tuner/proof/blocks.h"

typedef struct sq_name {
    int token;      /* its declaration */
    int bits;       /* 32 for an int, 64 for an int64_t */
    int from, to;   /* tokens in its scope */
    int value, end; /* tokens of its initializer; none for a parameter */
    int param;      /* its index among the parameters; -1: not a parameter */
    long step;      /* increment of its loop per iteration; 0: it is constant */
    int condition, condition_end; /* of that loop */
} sq_name;

typedef struct sq_scope {
    int n;
    sq_name *name; /* sorted by spelling and position */
    int nunknown;
    const sq_token **unknown; /* sorted by spelling */
    int nlocal;
    const sq_token **local; /* all declared names, sorted by spelling */
    bool jumps;             /* there is control flow other than what braces show, such as goto */
} sq_scope;

/* Returns the scope of function f; b caches it. */
const sq_scope *sq_scope_of(const sq_blocks *b, int f);
/* Returns the name at token i. NULL: nothing is known of it. */
const sq_name *sq_scope_find(const sq_scope *s, const sq_blocks *b, int i);
/* Returns parameter number `param`. NULL: nothing is known of it. */
const sq_name *sq_scope_param(const sq_scope *s, const sq_blocks *b, int param);
/* True if the function declares the name, whether its value is known or not. */
bool sq_scope_declares(const sq_scope *s, const sq_token *t);
bool sq_token_same(const sq_token *x, const sq_token *y);
/* True if an assignment, `++` or `--` begins at the token. */
bool sq_token_changes(const sq_token *t);
/* True if the token is one of these punctuators. */
bool sq_token_mark(const sq_token *t, const char *marks);
#endif
