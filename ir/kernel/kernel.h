/* Kernel: one described computation, the record that all stages of the compiler use: arrays, sizes
 * and statements are filled by the frontend, dependences by deps; later stages (schedule, nest, text)
 * refer to it and never change it.
 *
 * A statement is `out[...] = value`, where `value` may contain the result of one reduction
 * (SQ_OP_REDUCED) of `body` over the statement's reduction dimensions. Its dimensions are the free
 * ones, followed by those of the reduction. In sets and maps
 *     S     [free dims]              is the finishing instance: evaluates `value` and writes
 *     S_u   [free dims, reduction]   is an update: evaluates `body` once
 *
 * with S the statement's name ("S0", "S1", ...); a statement without a reduction has no S_u.
 * Parameters of all sets are the kernel's symbolic sizes; fixed sizes are constants everywhere. */
#ifndef SQ_IR_KERNEL_KERNEL_H
#define SQ_IR_KERNEL_KERNEL_H
#include "support/arena.h"
#include "support/diag.h"
#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <stdbool.h>
#include <stdint.h>

#define X(id, ...) id,
typedef enum sq_type {
#include "ir/kernel/types.def"
    SQ_NTYPES
} sq_type;
#undef X
const char *sq_type_name(sq_type t);   /* as written in descriptions: "f32" */
const char *sq_type_ctype(sq_type t);  /* of an element in emitted C: "float" */
const char *sq_type_suffix(sq_type t); /* as part of names: "f32", "i8" */
int sq_type_bytes(sq_type t);
/* Returns the integer type of 1, 2, 4 or 8 bytes. */
sq_type sq_type_integer(int bytes, bool is_unsigned);
bool sq_type_real(sq_type t);
bool sq_type_unsigned(sq_type t);
/* Returns the type in which its arithmetic is done: C's promotion of small integers, f32 for f16
 * and bf16. */
sq_type sq_type_promoted(sq_type t);
/* True for f16 and bf16: elements are bits, values are f32. */
bool sq_type_stored(sq_type t);
/* Returns the type of its values in registers: f32 for f16 and bf16, else itself. */
sq_type sq_type_held(sq_type t);
/* C's usual arithmetic conversions. */
sq_type sq_type_common(sq_type a, sq_type b);
/* Returns its minimum or maximum as C text; for floating types the infinities. */
const char *sq_type_least(sq_type t);
const char *sq_type_greatest(sq_type t);
/* Returns the integer wrapped around to the type; for uint64_t its bits. */
int64_t sq_type_wrap(sq_type t, int64_t value);
/* True if all values of the integer type `narrow` are values of the larger integer type `wide`. */
bool sq_type_holds(sq_type wide, sq_type narrow);
/* Returns the number rounded to a floating type: to nearest, ties to even. */
double sq_type_round(sq_type t, double value);

#define X(id, ...) id,
typedef enum sq_op {
#include "ir/kernel/ops.def"
    SQ_NOPS
} sq_op;
#undef X
typedef struct sq_op_info {
    const char *name;
    int nargs, flops;
    const char *infix;       /* "+", or "" */
    const char *function[2]; /* for f32, f64, or "" */
} sq_op_info;
const sq_op_info *sq_op_get(sq_op op);
/* DOT4, DOT2 or SAD4: the operands are words of smaller integers. */
bool sq_op_takes_words(sq_op op);
/* True for LT, LE, EQ and NE. */
bool sq_op_compares(sq_op op);
/* True for an operator whose value is a truth value: comparisons, AND, OR, NOT. */
bool sq_op_is_condition(sq_op op);

/* An integer parameter that extents depend on. */
typedef struct sq_size {
    const char *name;
    sq_type type;  /* declared type, SQ_I32 or SQ_I64 */
    bool is_size_t; /* declared size_t, which callers see; computed with as SQ_I64, and never negative */
    bool fixed;    /* by --fix: not in the signature */
    bool kept;     /* fixed, but still a parameter: of a function made for several values, of which this
                      is one */
    int64_t value; /* of a fixed size */
    sq_loc loc;
    bool is_truth; /* 0 or 1: whether there is something */
} sq_size;

/* A product of sizes that is an extent in rewritten kernels, which isl cannot express: the product
 * of two sizes, or of a size and an earlier product. isl treats it as a parameter. */
typedef struct sq_product {
    const char *name;
    int factor[2]; /* indices: size[i], or product[i - nsizes] */
} sq_product;

/* A floating-point parameter passed by value, or an integer one that no extent uses. */
typedef struct sq_scalar {
    const char *name;
    sq_type type;
    sq_loc loc;
} sq_scalar;

typedef enum sq_role { SQ_IN, SQ_OUT, SQ_INOUT, SQ_LOCAL } sq_role;

typedef struct sq_array {
    const char *name;
    sq_type type;
    sq_role role; /* SQ_INOUT: read before written */
    bool alias;   /* may overlap other arrays */
    int align;    /* alignment in bytes that the caller promises; 0: none */
    bool is_flat; /* written with one subscript, a[i*n + j] */
    bool is_open; /* a C array of unknown extent: elements that no statement accesses may not exist */
    /* is_open, and elements between the first and the last accessed subscripts may not exist: no
     * copy is made */
    bool is_ragged;
    const struct sq_array
        *seen;        /* NULL, or the described array that this one is with fewer dimensions */
    /* NULL, or the array whose bytes are its elements: it is read in place, as words at any byte
     * address, and never written */
    const struct sq_array *words_of;
    /* between what its elements are, as callers promise, ends included, over the parameters; NULL: what the
     * type holds. Only of arrays that no statement writes */
    isl_aff *least, *most;
    bool lacks_zero; /* and at some sizes 0 is not between them */
    bool is_packed;   /* callers pass it in the layout of its copies, which K_pack_A has made */
    bool is_hoisted;  /* holds what hoist() has taken out of a statement */
    bool is_named;    /* a scalar whose value subscripts use by name: need not be read */
    int ndim;         /* 0 for a local scalar */
    isl_aff **extent; /* ndim of them, over the parameters only; owned by the kernel */
    sq_loc loc;
} sq_array;

/* One parameter of the function: exactly one pointer is set. */
typedef struct sq_param {
    sq_size *size;
    sq_scalar *scalar;
    sq_array *array;
} sq_param;

typedef struct sq_expr sq_expr;

typedef enum sq_edge { SQ_EDGE_NONE, SQ_EDGE_PAD, SQ_EDGE_CLAMP } sq_edge;

/* A number whose type is known from context: `real` for floating types, else `integer`; for
 * uint64_t the int64_t with the same bits. */
typedef struct sq_number {
    double real;
    int64_t integer;
} sq_number;
/* True if all bits are equal. */
bool sq_number_same(sq_number a, sq_number b);
/* True if all bits are 0; false for -0. */
bool sq_number_is_zero(sq_number a);

/* An access to an array element. map: S_u[dims] -> array[subscripts] for reads in `body`, S[free
 * dims] -> … for reads in `value` and for the write. */
typedef struct sq_access {
    sq_array *array;
    isl_multi_aff *map; /* owned by the kernel */
    sq_edge edge;       /* the value outside of the array's bounds; NONE: proven in bounds */
    /* SQ_EDGE_CLAMP: bits of the subscripts that are proven to be below the array's end, and not below 0 */
    unsigned fits_above, fits_below;
    sq_number outside;  /* SQ_EDGE_PAD: that value, of the array's type */
    /* the subset of instances that read it; NULL: all. Proven in bounds only there, so with PAD if
     * other instances leave the array */
    isl_set *where;
    /* bit d: subscript d is a value, T[X[i]]: the next arg[] of the reading expression, an int64_t,
     * proven in bounds. The map has 0 there */
    unsigned indirect;
    /* as far as is known, the element exists only if the value is evaluated: is_open, and no other
     * access touches it */
    bool is_guarded;
    sq_loc loc;
} sq_access;

struct sq_expr {
    sq_op op;
    sq_type type;
    sq_loc loc;
    int nargs;
    sq_expr *arg[3];
    double real;             /* SQ_OP_CONST of a floating type */
    int64_t integer;         /* SQ_OP_CONST of an integer type */
    int64_t most;            /* SQ_OP_REDUCED of an integer type: its largest magnitude; 0: not known */
    const sq_scalar *scalar; /* SQ_OP_SCALAR */
    sq_access *access;       /* SQ_OP_READ; arg[]: its indirect subscripts */
    isl_aff *index;          /* SQ_OP_INDEX; owned by the kernel */
};

typedef struct sq_stmt {
    const char *name;   /* "S0" */
    int position;       /* in textual order, from 0 */
    bool written_loops; /* from C loops (textual order of instances matters), not an index statement */
    int ndim, nfree;    /* all dimensions; the first nfree are free, the rest are reduction dimensions */
    int nindex;        /* written_loops: the last nindex free ones are indices, without an order */
    const char **dim;  /* names, as the user wrote them */
    /* for messages: a map from S, or S_u if it exists, to the C variable of a dimension that counts
     * down or has a step; else NULL */
    isl_aff **counted;
    sq_op reduce; /* SQ_OP_ADD, MUL, MAX, MIN, BIT_AND, BIT_OR, BIT_XOR; SQ_OP_CONST: no reduction */
    /* in C: `value` is a conditional with one arm that is the element itself: then it is not
     * written, and may not exist */
    bool is_maybe;
    /* updates of one element keep the order of the reduction's dimensions, each rounded separately:
     * floating types under SQ_FP_STRICT */
    bool ordered;
    /* an extreme in C: `new > old ? new : old`, which keeps what it has for a NaN; else `old > new ? old : new` */
    bool keeps_old;
    isl_set *domain;  /* { S[free] } : where `value` is written */
    isl_set *updates; /* { S_u[free, reduction] }; NULL without a reduction */
    /* written_loops: { S[free] -> [c0, i, c1, j, …] } its original time, padded to the kernel's
     * textual_dims; NULL for index statements, each of which runs completely at its position */
    isl_map *textual;
    sq_access *write;
    sq_expr *body;   /* the operand of the reduction; NULL without a reduction */
    sq_expr *value;  /* what is written */
    sq_expr *narrow; /* the same in narrower integers, for vectors: narrow.h; NULL: as `value` */
    sq_loc loc;
} sq_stmt;

/* The floating-point contract: the allowed deviations from the order as written. */
typedef enum sq_fp {
    /* sums may be reassociated and contracted; results do not depend on the number of threads */
    SQ_FP_REASSOC,
    SQ_FP_STRICT, /* every operation as written, in the written order, rounded separately */
    SQ_FP_FAST    /* in addition, what docs/LANGUAGE.md lists */
} sq_fp;
const char *sq_fp_name(sq_fp fp); /* "strict", as written in the pragma */

enum {
    SQ_TABLE = 16, /* elements of a table that a lookup reads */
    SQ_MAX_SIZES = 16,
    SQ_MAX_STMT_READS = 512 /* of a statement; the frontend rejects more */
};

typedef struct sq_kernel {
    sq_arena *arena; /* owns everything below except isl's objects, which sq_kernel_free frees */
    isl_ctx *ctx;    /* not owned */
    const char *name;
    const char *plain; /* of gemm_packed, whose arrays are packed: "gemm"; else NULL */
    int nparams;
    sq_param *param;    /* the parameters of the function in order, including fixed sizes */
    const int *written; /* param[written[i]] has position i in the description; NULL: param[i] */
    int nsizes;
    sq_size **size; /* all of them, symbolic and fixed; at most SQ_MAX_SIZES */
    int nproducts;
    sq_product **product; /* products of sizes in a rewritten kernel; described arrays use none */
    int narrays;
    sq_array **array; /* parameters and locals */
    int nstmts;
    sq_stmt **stmt;   /* in textual order */
    int textual_dims; /* length of the `textual` time vectors; 0 without written loops */
    isl_set *context; /* params: constraints on the symbolic sizes (extents >= 0, assumes) */
    isl_set *shapes;  /* the same without the assumes: constraints from the arrays only; NULL if not known */
    /* params, with assumes: sizes at which, given only the shapes, an indirect subscript may be
     * outside of its array; NULL: none */
    isl_set *beyond;
    int nassumes;
    isl_set **assume; /* params: the assumes one by one; operands of && are separate */
    /* params: the shapes and those assumes without which the text as written could leave an array;
     * filled by sq_kernel_check, NULL before */
    isl_set *accepted;
    int64_t (*tune)[SQ_MAX_SIZES]; /* `#pragma squall tune`: ntune rows in the order of size[] */
    int ntune;
    int nasked; /* of the rows the first ones, which the command line gave: none of the description */
    sq_fp fp;
    sq_loc loc;
    isl_union_map *deps; /* filled by sq_deps_compute: instance -> instance that must come later */
    struct sq_deps_pairs *pairs;       /* derived from deps: its maps with their statements */
    struct sq_tree_kept *tree_kept;    /* derived from deps: results of sq_tree_deps_of so far */
    struct sq_inside_kept *inside_kept; /* results of sq_inside_of so far */
    struct sq_kept *kept; /* isl's loops and conditions so far; ir/kernel/kept.h; NULL: none is kept */
    /* derived from deps: kernels made of this one; ir/dependence/rewrite.h */
    struct sq_rewritten *rewritten;
    const struct sq_kernel *described; /* the kernel that this was made of; NULL: none */
    /* of one statement inside of loops that it shares with others (ir/schedule/tree.h): all statements; else NULL */
    const struct sq_kernel *whole;
    int nouter; /* their variables, which are parameters of its sets, and their values sizes */
    const char **outer;
} sq_kernel;

/* True if it sums up products of words. */
bool sq_stmt_has_words(const sq_stmt *s);

sq_kernel *sq_kernel_free(sq_kernel *k);
/* Returns a new node in k's arena. */
sq_expr *sq_expr_node(const sq_kernel *k, sq_op op, sq_type type, sq_loc loc, int nargs,
                      sq_expr *const *arg);
/* Frees isl's objects of a statement; its memory is the arena's. */
void sq_stmt_free(sq_stmt *s);
/* Drops statements that only fill temporaries which nothing else reads; adds a warning for each. */
void sq_kernel_drop_dead(sq_kernel *k, sq_diags *d);

/* Walks an expression in preorder. */
typedef void (*sq_expr_visit)(sq_expr *e, void *user);
void sq_expr_walk(sq_expr *e, sq_expr_visit visit, void *user);
/* True if two expressions are structurally equal in value. */
bool sq_expr_same(const sq_expr *x, const sq_expr *y);
/* Returns the flops of one evaluation, from ops.def; common subexpressions count once. */
int sq_expr_flops(const sq_expr *e);
/* The same by the type that they are computed in. */
typedef struct sq_expr_work {
    int f64, f32, integer;
} sq_expr_work;
sq_expr_work sq_expr_work_of(const sq_expr *e);
/* Returns the number of operations that are not flops: comparisons and logical operators, and twice
 * the indices used as values. */
int sq_expr_decisions(const sq_expr *e);
/* Returns the multiply-adds and decisions that are numbers where the index of dimension `dim` is one. */
double sq_expr_index_work(const sq_expr *e, int dim);
/* True if it contains an operator without a value at 0 or below: a root, a logarithm, an integer
 * division or shift by a value that is not constant. */
bool sq_expr_is_partial(const sq_expr *e);
/* True if it depends only on sizes and constants and has no division: it has one value for all
 * points. */
bool sq_expr_of_sizes(const sq_expr *e);
/* True if it is a read without indirect subscripts. */
bool sq_expr_is_element(const sq_expr *e);
/* Returns the value that is the only indirect subscript of a read, in its last dimension. It has at
 * most 4 bytes and is less than 2^31, or 8 bytes if the elements have as many; all elements of that
 * dimension exist. NULL: it is no such read. */
const sq_expr *sq_expr_place(const sq_expr *read);
/* True if such a read is from a table that fits into registers: SQ_TABLE elements of 4 bytes. */
bool sq_expr_is_lookup(const sq_expr *read);
/* True if its value may change with an instance's dimension d. */
bool sq_expr_moves(const sq_expr *e, int d);
/* Returns the read of a statement that has this access; NULL: it is the access of the write. */
const sq_expr *sq_stmt_read_of(const sq_stmt *s, const sq_access *a);
/* Returns the value that is subscript d of a read; NULL: the subscript is in the map. */
sq_expr *sq_expr_subscript(const sq_expr *read, int d);
/* Collects all reads of a statement: body first, then value. Returns their number and fills read[]
 * (at most max of them; pass NULL, 0 to count). in_body[i] says where read[i] is; may be NULL. */
int sq_stmt_reads(const sq_stmt *s, sq_access **read, bool *in_body, int max);
/* The same with room for SQ_MAX_STMT_READS, which no statement exceeds: the frontend and the transforms refuse more. */
int sq_stmt_all_reads(const sq_stmt *s, sq_access **read, bool *in_body);
/* Computes the elements by which the last subscript moves when an instance's first n dimensions
 * change by `by`; false if another subscript moves as well, or one that moves has a division. */
bool sq_access_step(const sq_access *a, const double *by, int n, double *step);
/* True if two accesses of one array have the same coefficients in their first n dimensions: without
 * divisions, they differ by constants only. */
bool sq_access_alike(const sq_access *a, const sq_access *b, int n);
/* Returns its type as callers declare it: "int", "int64_t" or "size_t". */
const char *sq_size_ctype(const sq_size *s);
/* Returns the parameter's name, whatever its kind. */
const char *sq_param_name(const sq_param *p);
/* True if the function has it: a size that is a constant has left the signature. */
bool sq_param_shown(const sq_param *p);
/* True if the element depends on a dimension of the instances. */
bool sq_access_moves(const sq_access *a, int dim);
/* True if an expression, or a statement's body or value, reads the array; sq_stmt_touches(): if the
 * statement reads or writes it. */
bool sq_expr_reads(const sq_expr *e, const sq_array *a);
bool sq_stmt_reads_array(const sq_stmt *s, const sq_array *a);
bool sq_stmt_touches(const sq_stmt *s, const sq_array *a);
/* True if two statements written as C loops share their outermost loop. */
bool sq_stmts_share_loop(const sq_stmt *a, const sq_stmt *b);
/* Returns the isl name of the update instances: "S0_u"; allocated in the kernel's arena. */
const char *sq_stmt_update_name(const sq_kernel *k, const sq_stmt *s);
/* Returns { array[subscripts] : within the declared extents }, over the parameters. __isl_give */
isl_set *sq_array_bounds(const sq_kernel *k, const sq_array *a);
/* True if they may share elements: one array, or two parameters of which one is `alias`. */
bool sq_arrays_overlap(const sq_array *a, const sq_array *b);
/* True if any of its arrays is `alias`. */
bool sq_kernel_overlaps(const sq_kernel *k);
/* Returns the array as described, whose shape is that of the caller's memory: its extents depend on
 * sizes only. */
const sq_array *sq_array_described(const sq_array *a);
/* Returns the extent of dimension d if it is a constant, else -1. */
int64_t sq_array_extent(const sq_array *a, int d);
/* Returns the useful flops at given sizes: one value per entry of size[]; those of fixed sizes are
 * ignored. */
double sq_kernel_flops(const sq_kernel *k, const int64_t *sizes);
/* The same by type. Integers as the bytes that they take in a vector: of an operation those of the narrowest elements
 * that its statement reads or writes, of a sum those of what it is added to. */
typedef struct sq_work {
    double f64, f32, integer_bytes;
} sq_work;
sq_work sq_kernel_work(const sq_kernel *k, const int64_t *sizes);
/* Returns the flops plus one operation for each value that is written without flops: a measure of
 * the time of a call. */
double sq_kernel_operations(const sq_kernel *k, const int64_t *sizes);
/* Returns the value of size[i], or of product[i - nsizes], at given sizes. */
int64_t sq_kernel_size_at(const sq_kernel *k, int i, const int64_t *sizes);
/* Returns the set at given sizes: no parameter of it stays free. */
isl_set *sq_kernel_at(const sq_kernel *k, isl_set *set /* __isl_take */, const int64_t *sizes);
/* Returns the size in bytes of its smallest elements, which limits how fast a device may be;
 * *has_f64 becomes true if it has arrays of f64. */
int sq_kernel_finest(const sq_kernel *k, bool *has_f64);
/* True if it has temporary arrays: it then needs a workspace where it does not allocate. */
bool sq_kernel_has_locals(const sq_kernel *k);
/* True if the sizes are in a set of parameters such as the kernel's context. */
bool sq_kernel_takes(const sq_kernel *k, isl_set *context /* __isl_keep */, const int64_t *sizes);
/* Returns the number of points of a set (or of images, without a name) at given sizes. */
double sq_kernel_count(const sq_kernel *k, isl_set *set /* __isl_take */, const int64_t *sizes);
/* Computes a bound on the difference of two correct evaluations at given sizes, relative to 1 +
 * |value|, per array of the kernel: it follows from types, lengths of reductions and the preceding
 * statements; all 0 under strict. Fills narrays elements. */
void sq_kernel_rounding(const sq_kernel *k, const int64_t *sizes, double *bound);
sq_stmt *sq_kernel_stmt(const sq_kernel *k, const char *name);
/* True if the statement's instances depend on size number i; what is known of the sizes alone does not count. */
bool sq_stmt_involves_size(const sq_kernel *k, const sq_stmt *s, int i);
/* True if some size is a constant that stays a parameter. */
bool sq_kernel_has_constants(const sq_kernel *k);
/* Finds the sizes that are nothing but distances of neighbours in memory, `incx` where all reads of an array are
 * `x[i * incx]`. to[]: room for nsizes. Returns how many. */
int sq_kernel_strides(const sq_kernel *k, sq_size **to);
sq_array *sq_kernel_array(const sq_kernel *k, const char *name);
/* Prints the kernel for --dump=parse: arrays, statements, domains, accesses. */
struct sq_text;
void sq_kernel_dump(const sq_kernel *k, struct sq_text *to);
/* Prints the same without the alignment of arrays, the types of sizes and the order of the parameters:
 * what it computes. */
void sq_kernel_dump_computed(const sq_kernel *k, struct sq_text *to);
#endif
