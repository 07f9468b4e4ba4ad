/* Expr: integer expressions and conditions of emitted code, as data. All of one pool are hash-consed:
 * equal ones are the same pointer, and they are simplified when they are built. Arithmetic is that of
 * int64_t, and nothing overflows: sizes and indices are far from its ends. */
#ifndef SQ_CODE_EXPR_H
#define SQ_CODE_EXPR_H
#include "support/arena.h"
#include "support/text.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum sq_code_op {
    SQ_CODE_NUMBER, /* number */
    SQ_CODE_NAME,   /* name: a size, the variable of a loop */
    SQ_CODE_SUM,    /* number + coef[0] * arg[0] + …: in the order in which they were added */
    SQ_CODE_MUL,
    SQ_CODE_DIV,    /* towards zero */
    SQ_CODE_REM,    /* what that leaves */
    SQ_CODE_FLOORD, /* towards minus infinity */
    SQ_CODE_MIN,
    SQ_CODE_MAX,
    SQ_CODE_SELECT, /* arg[0] ? arg[1] : arg[2] */
    SQ_CODE_EQ,     /* from here on conditions: 0 or 1 */
    SQ_CODE_LT,
    SQ_CODE_LE,
    SQ_CODE_GT,
    SQ_CODE_GE,
    SQ_CODE_AND, /* of any number */
    SQ_CODE_OR
} sq_code_op;

typedef struct sq_code_expr {
    sq_code_op op;
    int nargs;
    int64_t number;
    const char *name;
    const struct sq_code_expr *const *arg;
    const int64_t *coef; /* of a sum's arguments, never 0 */
} sq_code_expr;

typedef struct sq_code_pool {
    sq_arena *arena; /* owns the expressions */
    const sq_code_expr **table;
    size_t room, used;
} sq_code_pool;

sq_code_pool *sq_code_pool_new(sq_arena *arena);

/* ---- building ---- */

const sq_code_expr *sq_code_number(sq_code_pool *p, int64_t number);
/* The name is copied. */
const sq_code_expr *sq_code_name(sq_code_pool *p, const char *name);
const sq_code_expr *sq_code_add(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b);
const sq_code_expr *sq_code_sub(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b);
/* a + number */
const sq_code_expr *sq_code_plus(sq_code_pool *p, const sq_code_expr *a, int64_t number);
/* a + coef * b */
const sq_code_expr *sq_code_add_scaled(sq_code_pool *p, const sq_code_expr *a, int64_t coef,
                                       const sq_code_expr *b);
const sq_code_expr *sq_code_scale(sq_code_pool *p, int64_t coef, const sq_code_expr *a);
const sq_code_expr *sq_code_mul(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b);
/* op: DIV, REM or FLOORD; b is not 0. */
const sq_code_expr *sq_code_divide(sq_code_pool *p, sq_code_op op, const sq_code_expr *a,
                                   const sq_code_expr *b);
const sq_code_expr *sq_code_min(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b);
const sq_code_expr *sq_code_max(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b);
const sq_code_expr *sq_code_select(sq_code_pool *p, const sq_code_expr *condition,
                                   const sq_code_expr *a, const sq_code_expr *b);
/* op: EQ, LT, LE, GT or GE. */
const sq_code_expr *sq_code_compare(sq_code_pool *p, sq_code_op op, const sq_code_expr *a,
                                    const sq_code_expr *b);
/* A condition that is NULL always holds. */
const sq_code_expr *sq_code_and(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b);
const sq_code_expr *sq_code_or(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b);

/* ---- asking ---- */

/* True if e is that number. */
bool sq_code_is(const sq_code_expr *e, int64_t number);
/* True if e is a number, which goes to *number. */
bool sq_code_known(const sq_code_expr *e, int64_t *number);
/* True if e is a number or a name, or adds numbers and multiples of names: what text repeats without
 * a variable of its own. */
bool sq_code_is_short(const sq_code_expr *e);
/* True if e takes something away from something else, or is negative: text of it that follows a
 * pointer stands in parentheses. */
bool sq_code_subtracts(const sq_code_expr *e);
/* True if the name stands in e. */
bool sq_code_mentions(const sq_code_expr *e, const char *name);

/* ---- text ---- */

/* How tightly an operator binds, as in C: what stands in its argument is put in parentheses where it
 * binds less. */
typedef enum sq_code_level {
    SQ_LEVEL_ANY,
    SQ_LEVEL_OR,
    SQ_LEVEL_AND,
    SQ_LEVEL_EQUAL,
    SQ_LEVEL_ORDER,
    SQ_LEVEL_SUM,
    SQ_LEVEL_PRODUCT,
    SQ_LEVEL_UNARY
} sq_code_level;

/* Appends e as C on int64_t; helpers are sq_min, sq_max, sq_floord. */
void sq_code_put(const sq_code_expr *e, sq_code_level level, sq_text *to);
/* The same as a string of the arena. */
const char *sq_code_text(const sq_code_expr *e, sq_arena *arena);
/* In parentheses unless it is a name or a number that is not negative. */
const char *sq_code_factor(const sq_code_expr *e, sq_arena *arena);
#endif
