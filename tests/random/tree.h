/* The program tree of the second generator: random kernels and regions, as data.
 *
 * Nothing here or in the other files of this folder is shared with squall: no header of its rooms, no
 * code. What a program means is taken from docs/LANGUAGE.md alone and stated in eval.c.
 * A program is one value without pointers, so that it can be copied and cut down (shrink.c). */
#ifndef RANDOM_TREE_H
#define RANDOM_TREE_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    MAX_SIZES = 4,
    MAX_DIMS = 4,
    MAX_ARRAYS = 20,
    MAX_VARS = 40,
    MAX_NODES = 1200,
    MAX_STATEMENTS = 48,
    MAX_REDUCED = 3,
    NAME_LENGTH = 12
};

enum type { F16, BF16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, TYPES };

/* c + k[] * size + half[] * (size / 2) + third[] * (size / 3): extents of arrays, ends of ranges. */
struct form {
    int c, k[MAX_SIZES], half[MAX_SIZES], third[MAX_SIZES];
};

enum op {
    OP_NUMBER, OP_VAR, OP_READ, OP_PAD, OP_CLAMP,
    OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD, OP_AND, OP_OR, OP_XOR, OP_SHL, OP_SHR,
    OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE, OP_LAND, OP_LOR,
    OP_NEG, OP_NOT, OP_CAST, OP_SAT, OP_SELECT, OP_MAX, OP_MIN, OP_RELU, OP_CALL,
    OP_SUM, OP_PROD, OP_RMAX, OP_RMIN, OP_ARGMAX, OP_ARGMIN,
    OPS
};

/* From CALL_SIGMOID on they are words of descriptions alone. */
enum call {
    CALL_FABS, CALL_SQRT, CALL_EXP, CALL_TANH, CALL_FLOOR, CALL_SIN, CALL_COS, CALL_CEIL, CALL_EXP2,
    CALL_LOG, CALL_LOG2, CALL_ERF, CALL_SIGMOID, CALL_RSQRT,
    CALLS
};

struct node {
    enum op op;
    enum type type;      /* of the value, after C's promotions */
    int a, b, c;         /* operands */
    int array;           /* OP_READ, OP_PAD, OP_CLAMP */
    bool guarded;        /* a read that is in bounds only where a choice evaluates it */
    int sub[MAX_DIMS];
    int var;             /* OP_VAR */
    double number;       /* OP_NUMBER; the value outside of the array of OP_PAD */
    enum call call;
    int reduced[MAX_REDUCED], reduced_count;
};

enum var_kind { VAR_SIZE, VAR_INDEX, VAR_LOOP };

/* A size, an index or a loop's counter, which runs over [lo, hi), of two nodes. `least` and `last`
 * bound what it takes: in triangles they are wider than the ends of the range. */
struct var {
    char name[NAME_LENGTH];
    enum var_kind kind;
    int lo, hi;
    int least;
    struct form last;
    bool rectangular; /* true if [least, last] is exactly the range */
};

enum layout { LAYOUT_ARRAY, LAYOUT_FLAT, LAYOUT_ROWS, LAYOUT_CONSTANT };

struct array {
    char name[NAME_LENGTH];
    enum type type;
    int dims; /* 0: a scalar */
    struct form extent[MAX_DIMS];
    bool used, written, local, declared; /* declared: by a statement, not at the head */
    bool kept, table; /* kept: never written; table: values say where it is read */
    bool inout;
    bool promised; /* assumed to be of numbers from least to most */
    int least, most;
    enum layout layout;
    int least_written[MAX_DIMS]; /* local: what its first statement fills */
    struct form last_written[MAX_DIMS];
};

enum statement_kind { ST_INDEX, ST_ASSIGN, ST_LOOP, ST_IF, ST_DECLARE };

/* A list is a chain of `next`; -1 ends it. */
struct statement {
    enum statement_kind kind;
    int next, body, otherwise;
    int array, sub[MAX_DIMS]; /* what is assigned */
    enum op op;               /* OP_NUMBER: =; else what op= does */
    int value;                /* node; of ST_IF the condition */
    int var, step;            /* ST_LOOP: step < 0 counts down from hi - 1 to lo */
};

struct program {
    char name[NAME_LENGTH + 8];
    bool region, related; /* region: C between pragmas; related: size 0 <= size 1 is assumed */
    bool integers_small;
    int rounding; /* of `#pragma squall fp`: 0 as by default, 1 strict, 2 fast */
    int size_count, sizes_fixed; /* bit mask of what --fix makes constant */
    int64_t fixed[MAX_SIZES];
    int least_size;
    bool size_long[MAX_SIZES];
    struct array arrays[MAX_ARRAYS];
    struct var vars[MAX_VARS]; /* the first size_count are the sizes */
    struct node nodes[MAX_NODES];
    struct statement statements[MAX_STATEMENTS];
    int array_count, var_count, node_count, statement_count, first;
};

/* random numbers: the same on every machine */
void random_seed(uint64_t seed);
int below(int n);
bool chance(int percent);

bool type_floats(enum type type);
bool type_signed(enum type type);
int type_bytes(enum type type);
enum type type_promoted(enum type type);
enum type type_common(enum type a, enum type b);
const char *type_name(enum type type, bool region);

int new_node(struct program *p, enum op op, enum type type);
int new_number(struct program *p, enum type type, double number);
int new_var_node(struct program *p, int var);
int new_binary(struct program *p, enum op op, int a, int b);
int new_statement(struct program *p, enum statement_kind kind);

struct form form_constant(int c);
struct form form_size(int size, int c);
struct form form_add(struct form a, struct form b, int factor);
struct form form_most(const struct program *p, struct form a, struct form b);
bool form_equal(struct form a, struct form b);
bool form_is_constant(struct form f);
int64_t form_value(struct form f, const int64_t *sizes);

void draw_sizes(struct program *p);
void draw_index_kernel(struct program *p, int number);
void draw_loop_program(struct program *p, int number, bool region);

/* What the two kinds of drawing have in common: draw_value.c. `scope` lists variables that may be
 * used, `forbidden` is the array that an index statement writes (or -1). */
struct scope {
    int vars[12], count;
    int forbidden;
    bool loops;      /* C loops: written arrays may be read anywhere */
    int reductions;  /* how many may still be drawn */
    int lhs_vars[MAX_DIMS], lhs_count, lhs_read; /* lhs_read: the array that is updated, or -1 */
    bool seen_read;
};
int draw_value(struct program *p, struct scope *scope, int depth, bool floats);
int draw_subscript(struct program *p, const struct scope *scope, int *least, struct form *last,
                   bool may_leave);
int draw_read(struct program *p, struct scope *scope, bool floats);
int draw_array(struct program *p, enum type type, int dims);
enum type draw_type(const struct program *p);
void need_extent(struct program *p, int array, int dim, struct form last);
int draw_index_range(struct program *p, const struct scope *scope, const char *stem, bool inner);
void finish_extents(struct program *p);

/* draw_table.c: an element whose place is a value; -1: none is drawn here. */
extern bool with_tables; /* false: none at all */
int draw_table(struct program *p, const struct scope *scope, bool floats);

void print_program(const struct program *p, FILE *out);
void print_form(const struct program *p, struct form f, FILE *out);
bool needs_range(const struct program *p, const struct statement *s, int var);
void print_parameters(const struct program *p, FILE *out);

#endif
