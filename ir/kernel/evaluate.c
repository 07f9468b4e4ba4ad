/* Evaluate: see evaluate.h. */
#include "ir/kernel/evaluate.h"
#include <math.h>

/* ---- floating types ---- */

/* Computes in double: after rounding to f32, a sum, product, quotient and root are as if computed
 * in f32, since a double has more than twice its digits. */
static double of_reals(sq_op op, double x, double y)
{
    switch (op) {
#define X(id, name, nargs, flops, infix, f32, f64, value)                                          \
    case id:                                                                                       \
        return value;
#include "ir/kernel/ops.def"
#undef X
    default:
        return NAN;
    }
}

/* Returns a double that rounds to a narrower type as the integer does: rounded to odd if double has
 * too few digits. */
static double odd(sq_type from, int64_t v)
{
    bool negative = v < 0 && !sq_type_unsigned(from);
    uint64_t size = negative ? 0 - (uint64_t)v : (uint64_t)v;
    if (size >> 53)
        size = (size & ~UINT64_C(0xfff)) | (size & 0xfff ? 0x800u : 0u);
    return negative ? -(double)size : (double)size;
}

/* ---- casts ---- */

/* True if the integer type can represent the number without its fraction. */
static bool holds(sq_type type, double whole)
{
    int bits = 8 * sq_type_bytes(type) - !sq_type_unsigned(type);
    double end = ldexp(1, bits);
    return whole < end && whole >= (sq_type_unsigned(type) ? 0 : -end);
}

static const char *cast(sq_type type, sq_type from, sq_number a, sq_number *to)
{
    *to = (sq_number){0};
    if (sq_type_real(type)) {
        bool is_unsigned = sq_type_unsigned(from);
        double x = a.real;
        if (!sq_type_real(from) && type == SQ_F64)
            x = is_unsigned ? (double)(uint64_t)a.integer : (double)a.integer;
        else if (!sq_type_real(from))
            x = odd(from, a.integer);
        to->real = sq_type_round(type, x);
        return NULL;
    }
    if (!sq_type_real(from)) {
        to->integer = sq_type_wrap(type, a.integer);
        return NULL;
    }
    double whole = trunc(a.real);
    if (!holds(type, whole))
        return "a cast of a number that the integer type does not hold";
    to->integer = sq_type_unsigned(type) ? (int64_t)(uint64_t)whole : (int64_t)whole;
    return NULL;
}

/* ---- integers ---- */

static bool is_less(sq_type type, int64_t a, int64_t b)
{
    return sq_type_unsigned(type) ? (uint64_t)a < (uint64_t)b : a < b;
}

static const char *divide(sq_op op, sq_type type, int64_t a, int64_t b, uint64_t *to)
{
    if (b == 0)
        return "a division by zero";
    if (sq_type_unsigned(type))
        *to = op == SQ_OP_DIV ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b;
    else if (b == -1 && sq_type_wrap(type, (int64_t)(0 - (uint64_t)a)) == a && a != 0)
        return "a division whose quotient the type does not hold";
    else
        *to = (uint64_t)(op == SQ_OP_DIV ? a / b : a % b);
    return NULL;
}

static const char *shift(sq_op op, sq_type type, int64_t a, int64_t by, uint64_t *to)
{
    if (by < 0 || by >= 8 * sq_type_bytes(type))
        return "a shift by a distance that the type does not have";
    if (op == SQ_OP_SHL)
        *to = (uint64_t)a << by;
    else
        *to = sq_type_unsigned(type) ? (uint64_t)a >> by : (uint64_t)(a >> by);
    return NULL;
}

/* Returns the dot product of the n parts of two words. */
static uint64_t dot(sq_op op, int64_t a, int64_t b)
{
    int n = op == SQ_OP_DOT4 ? 4 : 2, bits = 32 / n;
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) {
        int64_t x = a >> i * bits, y = b >> i * bits;
        sum += (uint64_t)(n == 4 ? (uint8_t)x * (int8_t)y : (int16_t)x * (int16_t)y);
    }
    return sum;
}

/* Returns the sum of the distances of the bytes of two words. */
static uint64_t distances(int64_t a, int64_t b)
{
    uint64_t sum = 0;
    for (int i = 0; i < 32; i += 8) {
        int x = (uint8_t)(a >> i), y = (uint8_t)(b >> i);
        sum += (uint64_t)(x > y ? x - y : y - x);
    }
    return sum;
}

/* Evaluates all operators except conditions; wraps around. */
static const char *of_integers(sq_op op, sq_type type, int64_t a, int64_t b, sq_number *to)
{
    const char *wrong = NULL;
    uint64_t x = (uint64_t)a, y = (uint64_t)b, r = 0;
    switch (op) {
    case SQ_OP_NEG:
        r = 0 - x;
        break;
    case SQ_OP_ADD:
        r = x + y;
        break;
    case SQ_OP_SUB:
        r = x - y;
        break;
    case SQ_OP_MUL:
        r = x * y;
        break;
    case SQ_OP_DIV:
    case SQ_OP_MOD:
        wrong = divide(op, type, a, b, &r);
        break;
    case SQ_OP_BIT_AND:
        r = x & y;
        break;
    case SQ_OP_BIT_OR:
        r = x | y;
        break;
    case SQ_OP_BIT_XOR:
        r = x ^ y;
        break;
    case SQ_OP_BIT_NOT:
        r = ~x;
        break;
    case SQ_OP_AVERAGE:
        r = (x + y + 1) >> 1;
        break;
    case SQ_OP_SHL:
    case SQ_OP_SHR:
        wrong = shift(op, type, a, b, &r);
        break;
    case SQ_OP_WORD:
        r = x;
        break;
    case SQ_OP_DOT4:
    case SQ_OP_DOT2:
        r = dot(op, a, b);
        break;
    case SQ_OP_SAD4:
        r = distances(a, b);
        break;
    case SQ_OP_MUL_LOW:
        r = (uint64_t)((int64_t)(int32_t)a * (int32_t)b);
        break;
    case SQ_OP_MIN:
        r = is_less(type, a, b) ? x : y;
        break;
    case SQ_OP_MAX:
        r = is_less(type, b, a) ? x : y;
        break;
    default:
        return "an operator that integers do not have";
    }
    *to = (sq_number){.integer = sq_type_wrap(type, (int64_t)r)};
    return wrong;
}

/* ---- all of them ---- */

/* Returns 0 or 1; -1 if it is not a condition. */
static int condition(sq_op op, sq_type from, const sq_number *a)
{
    bool real = sq_type_real(from);
    switch (op) {
    case SQ_OP_LT:
        return real ? a[0].real < a[1].real : is_less(from, a[0].integer, a[1].integer);
    case SQ_OP_LE:
        return real ? a[0].real <= a[1].real : !is_less(from, a[1].integer, a[0].integer);
    case SQ_OP_EQ:
        return real ? a[0].real == a[1].real : a[0].integer == a[1].integer;
    case SQ_OP_NE:
        return real ? a[0].real != a[1].real : a[0].integer != a[1].integer;
    case SQ_OP_AND:
        return sq_number_is_true(from, a[0]) && sq_number_is_true(from, a[1]);
    case SQ_OP_OR:
        return sq_number_is_true(from, a[0]) || sq_number_is_true(from, a[1]);
    case SQ_OP_NOT:
        return !sq_number_is_true(from, a[0]);
    default:
        return -1;
    }
}

const char *sq_op_evaluate(sq_op op, sq_type type, sq_type from, const sq_number *arg,
                           sq_number *to)
{
    bool two = sq_op_get(op)->nargs > 1;
    if (op == SQ_OP_CAST)
        return cast(type, from, arg[0], to);
    int outcome = condition(op, from, arg);
    if (outcome >= 0) {
        *to = (sq_number){.integer = outcome};
        return NULL;
    }
    if (!sq_type_real(type))
        return of_integers(op, type, arg[0].integer, two ? arg[1].integer : 0, to);
    *to =
        (sq_number){.real = sq_type_round(type, of_reals(op, arg[0].real, two ? arg[1].real : 0))};
    return NULL;
}

sq_number sq_op_identity(sq_op reduce, sq_type type)
{
    bool least = reduce == SQ_OP_MAX, is_unsigned = sq_type_unsigned(type);
    int unused = 64 - 8 * sq_type_bytes(type);
    int64_t end = is_unsigned ? least ? 0 : -1 : least ? INT64_MIN : INT64_MAX;
    if (reduce == SQ_OP_MUL)
        return (sq_number){1, 1};
    if (reduce == SQ_OP_BIT_AND)
        return (sq_number){-1, is_unsigned ? sq_type_wrap(type, -1) : -1};
    if (!least && reduce != SQ_OP_MIN)
        return (sq_number){0};
    return (sq_number){least ? -INFINITY : INFINITY, is_unsigned ? sq_type_wrap(type, end) : end >> unused};
}
