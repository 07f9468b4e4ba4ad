/* Expr: the IR of expressions. Those of one pool are hash-consed: equal ones are the same pointer.
 * Two kinds share one type of node:
 *
 *     index expressions  of sizes and loop variables, and conditions on them. Arithmetic is that of
 *                        int64_t, and nothing overflows: sizes and indices are far below its
 *                        limits. They are simplified when they are built.
 *     values             what statements compute, with the description's types and operators
 *                        (ir/kernel/types.def, ir/kernel/ops.def), evaluated as written: nothing is simplified. A
 *                        value of f16 or bf16 is an f32 that fits; memory holds its bits.
 *
 * A cast makes a value of an index expression, a position an index expression of a value, as in
 * T[X[i]]; a select accepts a condition of either kind.
 *
 * A value has one lane or several. Comparisons of vectors give masks: integers as wide as what they
 * choose between, all bits set where they hold and none elsewhere. `and`, `or`, `not` and casts to
 * another width apply to those; nothing else computes with them, since a target may keep a mask in
 * another form (codegen/isa/isa.h). */
#ifndef SQ_CODE_EXPR_H
#define SQ_CODE_EXPR_H
#include "codegen/code/uses.h"
#include "ir/kernel/kernel.h"
#include "support/text.h"

typedef enum sq_code_op {
    SQ_CODE_NUMBER, /* a number */
    SQ_CODE_NAME,   /* a name: a size, the variable of a loop */
    SQ_CODE_SUM,    /* number + coef[0] * arg[0] + …, in the order in which the terms were added */
    SQ_CODE_MUL,
    SQ_CODE_DIV,    /* rounds towards zero */
    SQ_CODE_REM,    /* the remainder of DIV */
    SQ_CODE_FLOORD, /* rounds towards minus infinity */
    SQ_CODE_MIN,
    SQ_CODE_MAX,
    SQ_CODE_CLAMP,    /* arg[0] clamped to 0 ... arg[1] - 1 */
    SQ_CODE_POSITION, /* arg[0], a value of int64_t, as an index expression */
    SQ_CODE_NARROW,   /* arg[0], which 32 bits hold, computed in these; number: without a sign */
    SQ_CODE_SWIZZLED, /* element arg[0] of a copy whose rows of 128 bytes are permuted: see sq_buffer */
    SQ_CODE_SELECT,   /* arg[0] ? arg[1] : arg[2]; of index expressions or of values */
    SQ_CODE_EQ,       /* conditions from here on: 0 or 1 */
    SQ_CODE_LT,
    SQ_CODE_LE,
    SQ_CODE_GT,
    SQ_CODE_GE,
    SQ_CODE_ALIGNED, /* the address of element arg[0] of buffer is a multiple of `number` bytes */
    SQ_CODE_AND, /* any number of arguments */
    SQ_CODE_OR,
    SQ_CODE_CONSTANT,  /* values from here on. number or real, by type */
    SQ_CODE_SCALAR,    /* name: a parameter passed by value */
    SQ_CODE_LOAD,      /* the element of buffer at arg[]: one index expression per dimension */
    SQ_CODE_OPERATION, /* operation, a row of ir/kernel/ops.def, of arg[]; of vectors lane by lane */
    SQ_CODE_COMMA,     /* the last of arg[]; the others are only mentioned */
    /* arg[0] * arg[1] + arg[2], rounded once unless the contract forbids it. operation: the product
     * of the first two, MUL, MUL_LOW, DOT4, DOT2 or SAD4. number: 1 where arg[2] is subtracted in the even lanes of
     * a vector */
    SQ_CODE_FMA,
    /* a vector of elements of buffer. arg[]: the index expressions of the first one, one per
     * dimension; the stride of the lanes in the last dimension; the number of lanes that exist, the
     * others being 0 (absent: all); the channel, for one. number: an sq_code_lane_kind */
    SQ_CODE_LOAD_LANES,
    /* a vector of contiguous elements. arg[]: the index expressions of the first one, and a mask;
     * lanes that it excludes are 0, and need not exist */
    SQ_CODE_LOAD_WHERE,
    /* int32_t: packs contiguous elements of a buffer of smaller integers and one dimension into a
     * word, the first in the lowest bits, from arg[0] on; each lane continues after the previous
     * one. arg[1]: lanes that exist, the others being 0 (absent: all) */
    SQ_CODE_LOAD_WORDS,
    /* a gather from a buffer of one dimension, from arg[0] on, at the offsets in the lanes of
     * arg[1], integers as wide as the elements. number: SQ_TABLE if all offsets are less, else 0 */
    SQ_CODE_INDEXED,
    /* the lanes of arg[0] within each two, `number` being an sq_code_swizzles, or within each four:
     * see sq_code_fours */
    SQ_CODE_SWIZZLE,
    /* the interleaved lanes of two or three vectors arg[]; `number` selects one of the vectors that
     * result */
    SQ_CODE_ZIP,
    /* int32_t: two lanes of arg[0], of int16_t, as the halves of a word, the first in the lower one; or four, of
     * uint8_t */
    SQ_CODE_PAIRS,
    SQ_CODE_BROADCAST, /* arg[0] in all lanes */
    SQ_CODE_VECTOR,    /* lane l is arg[l] */
    SQ_CODE_ADD_LANES, /* the sum of the lanes of arg[0] */
    SQ_CODE_EXTRACT    /* lane `number` of arg[0] */
} sq_code_op;

/* What is known of the memory of a SQ_CODE_LOAD_LANES. */
typedef enum sq_code_lane_kind {
    SQ_LANES_ANY,
    SQ_LANES_ALIGNED, /* the address is a multiple of the vector's size */
    SQ_LANES_CHANNEL  /* it is one of as many channels as the stride, all of whose elements exist */
} sq_code_lane_kind;

/* What a SQ_CODE_SWIZZLE makes of each two lanes. */
typedef enum sq_code_swizzles {
    SQ_SWIZZLE_FIRST,  /* the first one twice */
    SQ_SWIZZLE_SECOND, /* the second one twice */
    SQ_SWIZZLE_SWAP,
    SQ_NSWIZZLES,
    SQ_SWIZZLE_FOURS = 1 << 8 /* added to what sq_code_fours returns */
} sq_code_swizzles;

struct sq_code_buffer; /* codegen/code/code.h */

typedef struct sq_code_expr {
    sq_code_op op;
    sq_type type; /* SQ_I64 of index arithmetic, SQ_I32 of conditions */
    int lanes;    /* 1 except for vectors */
    bool is_mask; /* of several lanes, each of which is true or false */
    int nargs;
    int64_t number;
    double real;
    const char *name;
    sq_op operation;
    const struct sq_code_buffer *buffer;
    const struct sq_code_expr *const *arg;
    const int64_t *coef; /* coefficients of a sum's arguments, never 0 */
} sq_code_expr;

typedef struct sq_code_pool {
    sq_arena *arena;  /* owns the expressions */
    bool is_verified; /* code with these expressions is verified before it is printed */
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
/* op: DIV, REM or FLOORD; b must not be 0. */
const sq_code_expr *sq_code_divide(sq_code_pool *p, sq_code_op op, const sq_code_expr *a,
                                   const sq_code_expr *b);
const sq_code_expr *sq_code_min(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b);
const sq_code_expr *sq_code_max(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b);
const sq_code_expr *sq_code_select(sq_code_pool *p, const sq_code_expr *condition,
                                   const sq_code_expr *a, const sq_code_expr *b);
const sq_code_expr *sq_code_clamp(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *end);
/* value: an int64_t with one lane. */
const sq_code_expr *sq_code_position(sq_code_pool *p, const sq_code_expr *value);
const sq_code_expr *sq_code_narrow(sq_code_pool *p, const sq_code_expr *e, bool is_unsigned);
const sq_code_expr *sq_code_swizzled_at(sq_code_pool *p, const sq_code_expr *at);
const sq_code_expr *sq_code_aligned(sq_code_pool *p, const struct sq_code_buffer *buffer, const sq_code_expr *at,
                                    int64_t bytes);
/* op: EQ, LT, LE, GT or GE. */
const sq_code_expr *sq_code_compare(sq_code_pool *p, sq_code_op op, const sq_code_expr *a,
                                    const sq_code_expr *b);
/* NULL is a condition that always holds. */
const sq_code_expr *sq_code_and(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b);
const sq_code_expr *sq_code_or(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b);

/* ---- building values ---- */

/* Takes the member of the number that belongs to the type. */
const sq_code_expr *sq_code_constant(sq_code_pool *p, sq_type type, sq_number number);
/* The name is copied. */
const sq_code_expr *sq_code_scalar(sq_code_pool *p, sq_type type, const char *name);
/* index: one per dimension of the buffer. The type is that of its elements. */
const sq_code_expr *sq_code_load(sq_code_pool *p, const struct sq_code_buffer *buffer,
                                 const sq_code_expr *const *index);
/* arg: as many as ir/kernel/ops.def says. op may not be CONST, SCALAR, INDEX, READ, REDUCED or
 * SELECT. */
const sq_code_expr *sq_code_operation(sq_code_pool *p, sq_op operation, sq_type type,
                                      const sq_code_expr *const *arg);
/* Keeps both arms, even if the condition is known. */
const sq_code_expr *sq_code_choose(sq_code_pool *p, const sq_code_expr *condition,
                                   const sq_code_expr *a, const sq_code_expr *b);
const sq_code_expr *sq_code_comma(sq_code_pool *p, int n, const sq_code_expr *const *arg);
/* Returns a * b + c, of a type; all operands have the same number of lanes. */
const sq_code_expr *sq_code_fma(sq_code_pool *p, sq_type type, const sq_code_expr *a,
                                const sq_code_expr *b, const sq_code_expr *c);
/* The same of floating vectors, but for even lanes: a * b - c. */
const sq_code_expr *sq_code_fma_turned(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b,
                                       const sq_code_expr *c);
/* Returns a * b + c of int64_t, of factors that are sign-extended from 32 bits. */
const sq_code_expr *sq_code_fma_low(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b,
                                    const sq_code_expr *c);
/* Returns a sum with another product: SQ_OP_DOT4, DOT2 or SAD4, of words in int32_t. */
const sq_code_expr *sq_code_dot(sq_code_pool *p, sq_op product, const sq_code_expr *a, const sq_code_expr *b,
                                const sq_code_expr *c);

/* ---- building vectors ---- */

/* The addresses of the lanes of a load. */
typedef struct sq_code_lanes {
    /* index of the first lane in a buffer of one dimension; stride of the lanes in elements */
    const sq_code_expr *first, *step;
    const sq_code_expr *left; /* number of lanes that exist; NULL: all */
    sq_code_lane_kind kind;
    const sq_code_expr *channel; /* its number */
    const sq_code_expr *const *index; /* replaces `first`: one per dimension of the buffer */
} sq_code_lanes;

const sq_code_expr *sq_code_load_lanes(sq_code_pool *p, const struct sq_code_buffer *buffer,
                                       int lanes, const sq_code_lanes *at);
/* index: that of the first lane, one per dimension. mask: integers as wide as the elements. */
const sq_code_expr *sq_code_load_where(sq_code_pool *p, const struct sq_code_buffer *buffer,
                                       const sq_code_expr *const *index, const sq_code_expr *mask);
/* first: an index expression; left: the number of lanes that exist, or NULL. */
const sq_code_expr *sq_code_load_words(sq_code_pool *p, const struct sq_code_buffer *buffer, int lanes,
                                       const sq_code_expr *first, const sq_code_expr *left);
/* begin: an index expression; places: offsets, as many lanes as the result, all less than `end`,
 * which is SQ_TABLE or 0 (no limit). */
const sq_code_expr *sq_code_indexed(sq_code_pool *p, const struct sq_code_buffer *buffer,
                                    const sq_code_expr *begin, const sq_code_expr *places, int end);
/* Returns the stride of the lanes of a load; the number of lanes that exist, NULL: all. */
const sq_code_expr *sq_code_lane_step(const sq_code_expr *load);
const sq_code_expr *sq_code_lanes_left(const sq_code_expr *load);
/* Returns the number of a channel. */
const sq_code_expr *sq_code_lane_channel(const sq_code_expr *load);
/* Returns the load of the first channel beside it. */
const sq_code_expr *sq_code_first_channel(sq_code_pool *p, const sq_code_expr *load);
/* Returns the value itself if there is one lane. */
const sq_code_expr *sq_code_broadcast(sq_code_pool *p, int lanes, const sq_code_expr *value);
const sq_code_expr *sq_code_vector(sq_code_pool *p, int lanes, const sq_code_expr *const *lane);
/* vector: of an even number of lanes, or of a multiple of four. how: an sq_code_swizzles, or a number
 * of sq_code_fours. */
const sq_code_expr *sq_code_swizzle(sq_code_pool *p, const sq_code_expr *vector, int64_t how);
/* Returns the number of a swizzle: lane k of each four comes from lane from[k] of these. */
int64_t sq_code_fours(const int *from);
/* Returns where the value of a lane comes from. */
int sq_code_swizzled(int64_t how, int lane);
/* Interleaves the lanes of n vectors, 2 to 4, and returns the vector `number` of the result. For
 * four vectors it is built of zips of two. */
const sq_code_expr *sq_code_zip(sq_code_pool *p, int n, const sq_code_expr *const *vector,
                                int number);
/* Returns a mask of integers of a type that holds in all lanes, or in none. */
const sq_code_expr *sq_code_mask(sq_code_pool *p, sq_type type, int lanes, bool holds);
/* vector: of int16_t, the result has half as many lanes; or of uint8_t, and a quarter. */
const sq_code_expr *sq_code_pairs(sq_code_pool *p, const sq_code_expr *vector);
const sq_code_expr *sq_code_add_lanes(sq_code_pool *p, const sq_code_expr *vector);
const sq_code_expr *sq_code_extract(sq_code_pool *p, const sq_code_expr *vector, int lane);

/* ---- rewriting ---- */

/* Returns the expression with `by` in place of the name, simplified as the builders do. */
const sq_code_expr *sq_code_substitute(sq_code_pool *p, const sq_code_expr *e, const char *name,
                                       const sq_code_expr *by);

/* ---- queries ---- */

/* True if e is an index expression or a condition on those; otherwise it is a value. */
bool sq_code_is_index(const sq_code_expr *e);
/* Returns the number of values in an index expression and writes the first `most` of them to to[],
 * from left to right. */
int sq_code_positions(const sq_code_expr *e, const sq_code_expr **to, int most);
/* True if e is c * name plus terms without the name; c is written to *coef. */
bool sq_code_is_affine(const sq_code_expr *e, const char *name, int64_t *coef);

/* True if e is this number. */
bool sq_code_is(const sq_code_expr *e, int64_t number);
/* True if e is a number, which is written to *number. */
bool sq_code_known(const sq_code_expr *e, int64_t *number);
/* Returns a number that divides all values of an index expression: 8 for 8 * N - 16 * k0; 0 for
 * 0. */
int64_t sq_code_divisor(const sq_code_expr *e);
/* True if e is a number, a name, or a sum of numbers and multiples of names: short enough to be
 * printed repeatedly without a variable of its own. */
bool sq_code_is_short(const sq_code_expr *e);
/* True if e has a subtraction or is negative: its text needs parentheses behind a pointer. */
bool sq_code_subtracts(const sq_code_expr *e);
/* True if e has a choice, `a ? b : c`, or a division, which sanitizers look at first. */
bool sq_code_branches(const sq_code_expr *e);
/* True if e mentions the name. */
bool sq_code_mentions(const sq_code_expr *e, const char *name);

/* ---- text ---- */

/* How tightly an operator binds, as in C: an argument is parenthesised if its operator binds less
 * tightly. */
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

/* Prints the values inside of an index expression. `alone`: nothing surrounds the text; otherwise
 * it binds tighter than any operator. */
typedef struct sq_code_values {
    void (*put)(const void *user, const sq_code_expr *value, bool alone, sq_text *to);
    const void *user;
    const char *helpers; /* prefix of the helpers; NULL: "sq_" */
    const sq_uses *uses; /* names and helpers of the text are added; NULL: they are not */
} sq_code_values;

/* Appends an index expression as C on int64_t; helpers are sq_min, sq_max, sq_floord, sq_clamp. */
void sq_code_put_with(const sq_code_expr *e, sq_code_level level, const sq_code_values *values,
                      sq_text *to);
/* Appends an index expression without values. Here and below `uses` may be NULL: nothing is recorded. */
void sq_code_put(const sq_code_expr *e, sq_code_level level, const sq_uses *uses, sq_text *to);
/* Returns the same as a string in the arena. */
const char *sq_code_text(const sq_code_expr *e, const sq_uses *uses, sq_arena *arena);
/* Returns the text in parentheses, unless it is a name or a number that is not negative. */
const char *sq_code_factor(const sq_code_expr *e, const sq_uses *uses, sq_arena *arena);
/* Appends " + offset" to the text of a pointer; nothing for 0. A difference is parenthesised: A - i
 * + j would form an address before the array. */
void sq_code_put_offset(const sq_code_expr *offset, const sq_uses *uses, sq_text *to);
#endif
