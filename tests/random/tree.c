/* Nodes, types and forms of the program tree, and the random numbers that it is drawn with. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

static uint64_t state;

void random_seed(uint64_t seed)
{
    state = seed * 0x9E3779B97F4A7C15u + 0x1234567;
}

/* splitmix64 */
static uint64_t next_bits(void)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

int below(int n)
{
    return n > 0 ? (int)(next_bits() % (uint64_t)n) : 0;
}

bool chance(int percent)
{
    return below(100) < percent;
}

bool type_floats(enum type type)
{
    return type <= F64;
}

bool type_signed(enum type type)
{
    return type <= I64;
}

int type_bytes(enum type type)
{
    static const int bytes[TYPES] = {2, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
    return bytes[type];
}

/* What an element is where it is read: small integers are int, the storage types f32. */
enum type type_promoted(enum type type)
{
    if (type == F16 || type == BF16)
        return F32;
    return !type_floats(type) && type_bytes(type) < 4 ? I32 : type;
}

/* C's usual arithmetic conversions. */
enum type type_common(enum type a, enum type b)
{
    a = type_promoted(a);
    b = type_promoted(b);
    if (a == F64 || b == F64)
        return F64;
    if (a == F32 || b == F32)
        return F32;
    if (type_bytes(a) != type_bytes(b))
        return type_bytes(a) > type_bytes(b) ? a : b;
    return type_signed(a) ? b : a;
}

const char *type_name(enum type type, bool region)
{
    static const char *const names[TYPES] = {"f16", "bf16", "f32", "f64", "int8_t", "int16_t",
        "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
    if (region && type == F32)
        return "float";
    if (region && type == F64)
        return "double";
    return names[type];
}

int new_node(struct program *p, enum op op, enum type type)
{
    if (p->node_count == MAX_NODES) {
        fprintf(stderr, "random-kernels: a program of more than %d nodes\n", MAX_NODES);
        abort();
    }
    struct node *n = &p->nodes[p->node_count];
    memset(n, 0, sizeof *n);
    *n = (struct node){.op = op, .type = type, .a = -1, .b = -1, .c = -1, .array = -1, .var = -1};
    return p->node_count++;
}

int new_number(struct program *p, enum type type, double number)
{
    int n = new_node(p, OP_NUMBER, type);
    p->nodes[n].number = number;
    return n;
}

/* The type of a counter, an index or a size of 32 bits is int. */
int new_var_node(struct program *p, int var)
{
    int n = new_node(p, OP_VAR, I32);
    p->nodes[n].var = var;
    return n;
}

static enum type result_type(enum op op, enum type a, enum type b)
{
    if (op >= OP_LT && op <= OP_LOR)
        return I32;
    return op == OP_SHL || op == OP_SHR ? type_promoted(a) : type_common(a, b);
}

int new_binary(struct program *p, enum op op, int a, int b)
{
    int n = new_node(p, op, result_type(op, p->nodes[a].type, p->nodes[b].type));
    p->nodes[n].a = a;
    p->nodes[n].b = b;
    return n;
}

int new_statement(struct program *p, enum statement_kind kind)
{
    if (p->statement_count == MAX_STATEMENTS) {
        fprintf(stderr, "random-kernels: more than %d statements\n", MAX_STATEMENTS);
        abort();
    }
    p->statements[p->statement_count] = (struct statement){.kind = kind, .next = -1, .body = -1,
        .otherwise = -1, .array = -1, .op = OP_NUMBER, .value = -1, .var = -1, .step = 1};
    return p->statement_count++;
}

struct form form_constant(int c)
{
    return (struct form){.c = c};
}

struct form form_size(int size, int c)
{
    struct form f = {.c = c};
    f.k[size] = 1;
    return f;
}

/* a + factor * b */
struct form form_add(struct form a, struct form b, int factor)
{
    a.c += factor * b.c;
    for (int s = 0; s < MAX_SIZES; s++) {
        a.k[s] += factor * b.k[s];
        a.half[s] += factor * b.half[s];
        a.third[s] += factor * b.third[s];
    }
    return a;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* At least both, for all sizes: sizes are not negative, factors neither. Where size 0 <= size 1 is
 * assumed, size 1 stands for both. */
struct form form_most(const struct program *p, struct form a, struct form b)
{
    if (p->related && (a.k[1] > 0 || b.k[1] > 0)) {
        a.k[1] += a.k[0], b.k[1] += b.k[0];
        a.k[0] = b.k[0] = 0;
    }
    a.c = larger(a.c, b.c);
    for (int s = 0; s < MAX_SIZES; s++) {
        a.k[s] = larger(a.k[s], b.k[s]);
        a.half[s] = larger(a.half[s], b.half[s]);
        a.third[s] = larger(a.third[s], b.third[s]);
    }
    return a;
}

bool form_equal(struct form a, struct form b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

bool form_is_constant(struct form f)
{
    f.c = 0;
    return form_equal(f, form_constant(0));
}

int64_t form_value(struct form f, const int64_t *sizes)
{
    int64_t sum = f.c;
    for (int s = 0; s < MAX_SIZES; s++)
        sum += f.k[s] * sizes[s] + f.half[s] * (sizes[s] / 2) + f.third[s] * (sizes[s] / 3);
    return sum;
}
