/* Spelling: an expression or statement of the unit as text again, macros expanded, with something else in the place of
 * what the caller knows better. The text is C for clang to read, not for people. */
#ifndef SQ_FRONTEND_SPELLING_H
#define SQ_FRONTEND_SPELLING_H
#include "frontend/clang.h"
#include "support/text.h"

enum { SQ_SPELLING_BYTES = 1 << 15 };

typedef struct sq_spelling {
    const sq_reader *r;
    sq_text out;
    bool fails; /* something in it has no text, or there is too much of it */
    /* Puts what stands for the expression, an operand of any operator, for a variable's declaration, for an if or
     * for the body of a loop; false: that stands for itself. May be NULL. */
    bool (*other)(struct sq_spelling *s, CXCursor c);
    void *user;
} sq_spelling;

/* How tightly operators bind. */
enum {
    SQ_BINDS_COMMA = 1,
    SQ_BINDS_ASSIGN,
    SQ_BINDS_CHOICE,
    SQ_BINDS_SUM = 12,
    SQ_BINDS_PRODUCT,
    SQ_BINDS_UNARY,
    SQ_BINDS_POSTFIX
};

/* Adds the expression, in parentheses where it binds less than that. */
void sq_spelling_expression(sq_spelling *s, CXCursor c, int binds);
/* Adds the body of a loop. */
void sq_spelling_body(sq_spelling *s, CXCursor c);
/* Adds a statement with its end. */
void sq_spelling_statement(sq_spelling *s, CXCursor c);
#endif
