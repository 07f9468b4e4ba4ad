/* Kernel: one described computation. The one record that flows through the compiler: arrays, sizes
 * and statements are filled by the frontend, dependences by deps; what follows (schedule, nest,
 * text) refers to it and never changes it.
 *
 * A statement is `out[...] = value`, where `value` may contain the result of one reduction
 * (SQ_OP_REDUCED) of `body` over the statement's reduction dimensions. Its dimensions are the free
 * ones first, then those of the reduction. In sets and maps
 *     S     [free dims]              is the instance that finishes: evaluates `value` and writes
 *     S_u   [free dims, reduction]   is the instance that updates: evaluates `body` once
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
bool sq_type_real(sq_type t);
bool sq_type_unsigned(sq_type t);
/* What arithmetic on it is done in: C's promotion of small integers, f32 of f16 and bf16. */
sq_type sq_type_promoted(sq_type t);
/* f16 or bf16: elements are bits, values are f32. */
bool sq_type_stored(sq_type t);
/* What a value of it is in a register: f32 of f16 and bf16, else itself. */
sq_type sq_type_held(sq_type t);
/* C's usual arithmetic conversions. */
sq_type sq_type_common(sq_type a, sq_type b);
/* Least and greatest value as C text; of floating types the infinities. */
const char *sq_type_least(sq_type t);
const char *sq_type_greatest(sq_type t);
/* An integer as the type holds it, by wrapping around; the bits of a uint64_t. */
int64_t sq_type_wrap(sq_type t, int64_t value);
/* A number as a floating type holds it: rounded to nearest, ties to even. */
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
/* DOT4 or DOT2: the operands are words of smaller integers. */
bool sq_op_takes_words(sq_op op);

/* An integer parameter that shapes depend on. */
typedef struct sq_size {
    const char *name;
    sq_type type;  /* SQ_I32 or SQ_I64, as declared */
    bool fixed;    /* by --fix: leaves the signature */
    bool kept;     /* fixed, and a parameter all the same: of a function made for several values, of which this
                      is one */
    int64_t value; /* of a fixed size */
    sq_loc loc;
} sq_size;

/* What extents of rewritten kernels are made of, for which isl has no name: two sizes, or a size and
 * an earlier product, multiplied. To isl it is a parameter like a size. */
typedef struct sq_product {
    const char *name;
    int factor[2]; /* of size[]; nsizes + i: product[i] */
} sq_product;

/* A floating-point (or integer, when no shape uses it) parameter passed by value. */
typedef struct sq_scalar {
    const char *name;
    sq_type type;
    sq_loc loc;
} sq_scalar;

typedef enum sq_role { SQ_IN, SQ_OUT, SQ_INOUT, SQ_LOCAL } sq_role;

typedef struct sq_array {
    const char *name;
    sq_type type;
    sq_role role;   /* SQ_INOUT: read before written */
    bool alias;     /* may overlap other arrays */
    int align;      /* the caller's promise: it begins at a multiple of so many bytes; 0: none */
    bool is_flat;   /* written with one subscript, a[i*n + j] */
    bool is_open;   /* of ordinary C, which does not say how large it is: what no statement
                         touches may not exist */
    bool is_ragged; /* is_open, and between the first and the last subscripts that are touched in
                         each dimension there is what may not exist: no copy is made */
    const struct sq_array
        *seen;        /* NULL, or the described one that this is, with fewer dimensions */
    const struct sq_array *words_of; /* NULL, or the array whose bytes its elements are: it is read where that lies, as
                                        words that may begin at any byte, and never written */
    bool is_named;    /* a scalar that subscripts know by its value: need not be read */
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

/* A number of a type that is known elsewhere: `real` of a floating one, else `integer`, of uint64_t
 * the int64_t with its bits. */
typedef struct sq_number {
    double real;
    int64_t integer;
} sq_number;
/* In every bit. */
bool sq_number_same(sq_number a, sq_number b);
/* True if all bits are 0; false for -0. */
bool sq_number_is_zero(sq_number a);

/* An array element. map: S_u[dims] -> array[subscripts] for reads in `body`, S[free dims] -> … for
 * reads in `value` and for the write. */
typedef struct sq_access {
    sq_array *array;
    isl_multi_aff *map; /* owned by the kernel */
    sq_edge edge;       /* what happens outside the array's bounds; NONE is proven in bounds */
    sq_number outside;  /* SQ_EDGE_PAD: the value there, of the array's type */
    isl_set *where;     /* instances that read it, of those that could; NULL: all. Proven in bounds
                           there alone, so with PAD where others leave the array */
    unsigned indirect; /* bit d: subscript d is a value, T[X[i]]: of the expression that reads, the arg[] of that
                          rank among them, of int64_t; proven in bounds. The map has 0 there */
    bool is_guarded; /* the element exists, as far as is known, only where the value is evaluated:
                        is_open, and nobody else touches it */
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
    const sq_scalar *scalar; /* SQ_OP_SCALAR */
    sq_access *access;       /* SQ_OP_READ; arg[]: its indirect subscripts */
    isl_aff *index;          /* SQ_OP_INDEX; owned by the kernel */
};

typedef struct sq_stmt {
    const char *name;   /* "S0" */
    int position;       /* in textual order, from 0 */
    bool written_loops; /* from C loops (textual order of instances counts), not an index statement
                         */
    int ndim, nfree;    /* all dimensions; the first nfree are free, the rest reduced */
    int nindex;        /* written_loops: the last so many free ones are indices, without an order */
    const char **dim;  /* names, as the user wrote them */
    isl_aff **counted; /* for messages: over S, or S_u where there is one, what the variable of a
                          dimension is that counts down or by a step; else NULL */
    sq_op reduce;      /* SQ_OP_ADD, MUL, MAX, MIN; SQ_OP_CONST when there is no reduction */
    bool is_maybe;     /* of C: `value` is a choice, one side of which is the element itself: there it is
                          not written, and may not exist */
    bool ordered;      /* updates of one element keep the order of the reduction's dimensions, each
                          rounded by itself: floating types under SQ_FP_STRICT */
    isl_set *domain;   /* { S[free] } : where `value` is written */
    isl_set *updates;  /* { S_u[free, reduction] }; NULL without a reduction */
    isl_map *textual; /* written_loops: { S[free] -> [c0, i, c1, j, …] } its original time, padded
                         to the kernel's textual_dims; NULL for index statements, which run whole
                         at their position */
    sq_access *write;
    sq_expr *body;   /* what is reduced; NULL without a reduction */
    sq_expr *value;  /* what is written */
    sq_expr *narrow; /* the same in narrower integers, for lanes: narrow.h; NULL: as `value` */
    sq_loc loc;
} sq_stmt;

/* The floating-point contract: what may differ from the order written. */
typedef enum sq_fp {
    SQ_FP_REASSOC, /* sums may be regrouped and contracted; the number of threads changes nothing */
    SQ_FP_STRICT,  /* every operation as written, in the written order, rounded by itself */
    SQ_FP_FAST     /* moreover what docs/LANGUAGE.md lists */
} sq_fp;
const char *sq_fp_name(sq_fp fp); /* "strict", as written in the pragma */

enum {
    SQ_TABLE = 16, /* elements that a lookup chooses from */
    SQ_MAX_SIZES = 16,
    SQ_MAX_STMT_READS = 512 /* of one statement; the frontend refuses more */
};

typedef struct sq_kernel {
    sq_arena *arena; /* owns everything below but isl's objects, which sq_kernel_free frees */
    isl_ctx *ctx;    /* not owned */
    const char *name;
    int nparams;
    sq_param *param;    /* the signature of the function, in its order (fixed sizes still in it) */
    const int *written; /* param[written[i]] stands at place i in the description; NULL: at i */
    int nsizes;
    sq_size **size; /* all of them, symbolic and fixed; at most SQ_MAX_SIZES */
    int nproducts;
    sq_product **product; /* of a rewritten kernel's sizes; no array as described needs one */
    int narrays;
    sq_array **array; /* parameters and locals */
    int nstmts;
    sq_stmt **stmt;   /* in textual order */
    int textual_dims; /* length of the `textual` time vectors; 0 without written loops */
    isl_set *context; /* params: what is known of the symbolic sizes (extents >= 0, assumes) */
    isl_set *shapes;  /* the same without the assumes: what the arrays alone demand; NULL where it
                         is not known */
    isl_set *beyond;  /* params, of a description with assumes: sizes at which, given the shapes alone, a value may
                          say a place outside of its array; NULL: none */
    int nassumes;
    isl_set **assume;  /* params: the assumes one by one, parts joined by && apart */
    isl_set *accepted; /* params: the shapes and those assumes without which the text as written
                          would leave an array; filled by sq_kernel_check, NULL before */
    int64_t (*tune)[SQ_MAX_SIZES]; /* `#pragma squall tune`: ntune rows in the order of size[] */
    int ntune;
    sq_fp fp;
    sq_loc loc;
    isl_union_map *deps; /* filled by sq_deps_compute: instance -> instance that must come later */
    struct sq_deps_pairs *pairs;       /* comes with deps: its maps with their statements */
    struct sq_tree_kept *tree_kept;    /* comes with deps: what sq_tree_deps_of has found so far */
    struct sq_rewritten *rewritten;    /* comes with deps: kernels made of this one; ir/dependence/rewrite.h */
    const struct sq_kernel *described; /* the one that this was made of; NULL: was made of none */
} sq_kernel;

/* True if it adds up products of words. */
bool sq_stmt_has_words(const sq_stmt *s);

sq_kernel *sq_kernel_free(sq_kernel *k);
/* A new node in k's arena. */
sq_expr *sq_expr_node(const sq_kernel *k, sq_op op, sq_type type, sq_loc loc, int nargs,
                      sq_expr *const *arg);
/* isl's objects of one statement; its memory is the arena's. */
void sq_stmt_free(sq_stmt *s);
/* Leaves out statements that only fill temporaries which nothing else reads; adds a warning for
 * each. */
void sq_kernel_drop_dead(sq_kernel *k, sq_diags *d);

/* Walks an expression, every node before its arguments. */
typedef void (*sq_expr_visit)(sq_expr *e, void *user);
void sq_expr_walk(sq_expr *e, sq_expr_visit visit, void *user);
/* True if two expressions have the same value by their form. */
bool sq_expr_same(const sq_expr *x, const sq_expr *y);
/* Flops of evaluating it once, from ops.def; equal parts are evaluated once. */
int sq_expr_flops(const sq_expr *e);
/* Operations that are no flops: comparisons and what joins them, and twice the indices that are values. */
int sq_expr_decisions(const sq_expr *e);
/* True if the operator has no value at 0 or below: a root, a logarithm, a division or a shift of integers by what is no
 * constant. */
bool sq_expr_is_partial(const sq_expr *e);
/* True if it depends on sizes and constants alone and has no division: one value for all points. */
bool sq_expr_of_sizes(const sq_expr *e);
/* True if it reads an element whose place no value decides. */
bool sq_expr_is_element(const sq_expr *e);
/* The value of at most 4 bytes, or of 8 if elements have as many, that is the one indirect subscript of a read, that
 * of the last dimension, and less than 2^31 if it has at most 4; all elements of that dimension exist. NULL: it is no
 * such read. */
const sq_expr *sq_expr_place(const sq_expr *read);
/* True if such a read is in a table that fits into registers: SQ_TABLE elements of 4 bytes. */
bool sq_expr_is_lookup(const sq_expr *read);
/* True if its value may be another one where an instance's dimension d is. */
bool sq_expr_moves(const sq_expr *e, int d);
/* The read of a statement that has this access; NULL: it is that of the write. */
const sq_expr *sq_stmt_read_of(const sq_stmt *s, const sq_access *a);
/* The value that is subscript d of a read; NULL: the map says it. */
sq_expr *sq_expr_subscript(const sq_expr *read, int d);
/* All reads of a statement: body first, then value. Returns their number and fills read[] (at most
 * max of them; pass NULL, 0 to count). in_body[i] says where read[i] stands; may be NULL. */
int sq_stmt_reads(const sq_stmt *s, sq_access **read, bool *in_body, int max);
/* Elements by which the last subscript moves when an instance's first n dimensions change by `by`;
 * false where another subscript moves, too, or one that moves divides. */
bool sq_access_step(const sq_access *a, const double *by, int n, double *step);
/* True if two accesses of one array have the same coefficients in their first n dimensions: without
 * divisions, they differ by constants only. */
bool sq_access_alike(const sq_access *a, const sq_access *b, int n);
/* The parameter's name, whichever it is. */
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
/* The isl name of the update instances: "S0_u"; allocated in the kernel's arena. */
const char *sq_stmt_update_name(const sq_kernel *k, const sq_stmt *s);
/* { array[subscripts] : within the declared extents }, over the parameters. __isl_give */
isl_set *sq_array_bounds(const sq_kernel *k, const sq_array *a);
/* True if they may share elements: one array, or two parameters of which one is `alias`. */
bool sq_arrays_overlap(const sq_array *a, const sq_array *b);
/* True if any of its arrays is `alias`. */
bool sq_kernel_overlaps(const sq_kernel *k);
/* The array as described, whose shape its caller and its memory have: its extents are of sizes
 * alone. */
const sq_array *sq_array_described(const sq_array *a);
/* Extent of dimension d when it is a constant, else -1. */
int64_t sq_array_extent(const sq_array *a, int d);
/* Useful flops at given sizes: one value per entry of size[]; those of fixed sizes are ignored. */
double sq_kernel_flops(const sq_kernel *k, const int64_t *sizes);
/* The same with one operation for each value that is written without flops: how long a call takes. */
double sq_kernel_operations(const sq_kernel *k, const int64_t *sizes);
/* The value of size[i], or of product[i - nsizes], at given sizes. */
int64_t sq_kernel_size_at(const sq_kernel *k, int i, const int64_t *sizes);
/* Set at given sizes: no parameter of theirs is left free. */
isl_set *sq_kernel_at(const sq_kernel *k, isl_set *set /* __isl_take */, const int64_t *sizes);
/* Returns the size in bytes of its smallest elements, which limits how fast a device may be;
 * *has_f64 becomes true if it has arrays of f64. */
int sq_kernel_finest(const sq_kernel *k, bool *has_f64);
/* True if it has temporary arrays: it then needs a workspace where it does not allocate. */
bool sq_kernel_has_locals(const sq_kernel *k);
/* True if the sizes are in a set of parameters such as the kernel's context. */
bool sq_kernel_takes(const sq_kernel *k, isl_set *context /* __isl_keep */, const int64_t *sizes);
/* Number of points of a set (or of images, without a name) at given sizes. */
double sq_kernel_count(const sq_kernel *k, isl_set *set /* __isl_take */, const int64_t *sizes);
/* What two correct evaluations may differ by at given sizes, relative to 1 + |value|, per array of
 * the kernel: follows from types, lengths of reductions and the statements before; all 0 under
 * strict. Fills narrays elements. */
void sq_kernel_rounding(const sq_kernel *k, const int64_t *sizes, double *bound);
sq_stmt *sq_kernel_stmt(const sq_kernel *k, const char *name);
sq_array *sq_kernel_array(const sq_kernel *k, const char *name);
/* A readable dump of the kernel for --dump=parse: arrays, statements, domains, accesses. */
struct sq_text;
void sq_kernel_dump(const sq_kernel *k, struct sq_text *to);
/* The same without where arrays begin and the order of the parameters: what it computes. */
void sq_kernel_dump_computed(const sq_kernel *k, struct sq_text *to);
#endif
