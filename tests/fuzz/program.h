/* Program: a random kernel as a tree of ours, from which two texts are printed that must mean the
 * same: the description that squall reads, and plain C in written order. The second one is made
 * without squall, so that a description that is misread is found as well as one that is
 * miscompiled.
 *
 * Every variable has a box: 0 <= v < extent of a dimension, narrowed by margins. A subscript is
 * used only if it stays in its array for all values of the box and all sizes >= 0, so that nearly
 * all programs are accepted. */
#ifndef SQ_TESTS_FUZZ_PROGRAM_H
#define SQ_TESTS_FUZZ_PROGRAM_H
#include "ir/kernel/kernel.h"
#include "support/stats.h"
#include "support/text.h"

enum { MOST_VARS = 40, MOST_PROGRAM_SIZES = 4, MOST_ARRAYS = 20, MOST_SUBS = 4, MOST_SCALARS = 2 };

/* size * times + plus; size -1: only plus. Never negative. */
typedef struct extent {
    int size, times, plus;
} extent;

/* A sum of multiples; as a subscript or value also divided by `divisor`, or its remainder. */
typedef struct affine {
    int var[MOST_VARS], size[MOST_PROGRAM_SIZES], constant;
    int divisor;
    bool remainder;
} affine;

/* What an array is in a region of ordinary C: a parameter with sizes, a pointer to rows, a pointer
 * to elements, or a variable of the function that a parameter fills: an array, or a number. */
typedef enum array_form { A_ARRAY, A_ROWS, A_FLAT, A_VARIABLE, A_NUMBER } array_form;

typedef struct array {
    char name[24];
    sq_type type;
    int ndim;
    extent dim[MOST_SUBS];
    bool local, inout, written, read, restricted;
    array_form form;
    int magnitude; /* of floating values: at most 2^magnitude, roughly */
} array;

typedef struct variable {
    char name[24];
    bool index; /* declared with idx */
    extent box;
    int low, high; /* margins: low <= v < box - high */
    bool ranged;   /* of indices: a range() says lo and hi */
    affine lo, hi; /* half open */
} variable;

typedef enum kind {
    E_CONST,  /* number, of the node's type */
    E_READ,   /* array element; pad: zero or `number` outside */
    E_SCALAR, /* scalar parameter `which` */
    E_INDEX,  /* affine value, cast to the type */
    E_CAST,   /* implicit: C converts without being told */
    E_UNARY,  /* text before the argument: "-", "relu", "expf", "sat_int8" … */
    E_BINARY, /* "+" … or "max2", "min2", "pow"; arguments may differ in type */
    E_SELECT, /* arg[0] compared with arg[1] by text, or affine >= 0; ? arg[2] : arg[3] */
    E_REDUCE  /* text: sum prod rmax rmin argmax argmin; over vars */
} kind;

typedef struct expr {
    kind kind;
    sq_type type;
    const char *text; /* static */
    double number;
    int which; /* array or scalar */
    bool pad, clamp, affine_condition, implicit;
    affine sub[MOST_SUBS]; /* sub[0]: the value of E_INDEX, the condition of E_SELECT */
    int nvars, var[4];     /* E_REDUCE */
    bool listed;           /* E_REDUCE: the variables are named */
    bool named;            /* in a loop: computed before, into a variable */
    struct expr *arg[4];
    int nargs;
} expr;

typedef enum node_kind { N_LOOP, N_GUARD, N_ASSIGN, N_INDEX } node_kind;

typedef struct node {
    node_kind kind;
    struct node *next, *body, *other; /* other: the else part of a guard */
    /* N_LOOP */
    int var;
    int stride;  /* 1; 2, 3: i += 2; -1: downward */
    bool closed; /* i <= hi - 1 */
    /* N_GUARD: conditions joined by && or || */
    int nconditions;
    affine condition[2]; /* >= 0, or == 0 */
    bool equal[2], either;
    int modulus; /* condition[0] % modulus == 0, when > 0 */
    /* N_ASSIGN, N_INDEX */
    int target;
    const char *op; /* "=" "+=" … static */
    affine sub[MOST_SUBS];
    int nfree, free_var[MOST_SUBS]; /* N_INDEX */
    expr *value;
} node;

typedef struct program {
    int nsizes;
    sq_fp fp;
    int nscalars;
    sq_type scalar[MOST_SCALARS];
    int narrays;
    array array[MOST_ARRAYS];
    int nvars;
    variable var[MOST_VARS];
    bool rounds;         /* matrix instructions may round factors of its sums */
    bool region;         /* a region of ordinary C, not a description */
    bool outer_counters; /* loop variables are declared outside of it */
    bool companion;      /* another kernel stands before it in the file, another one behind */
    bool assumes;        /* assumed >= 0, which nothing else needs */
    affine assumed;
    int overlap[2]; /* arrays that are one in memory; equal: none */
    node *body;
} program;

/* A program with its statements; in arena. */
program *program_copy(const program *p, sq_arena *arena);
/* The description, `#include "squall.h"` and `kernel fuzzed(…)`. */
void program_print(const program *p, sq_text *to);
/* Plain C: a function of k's parameters; sizes that are fixed in k are constants. */
void program_print_c(const program *p, const sq_kernel *k, const char *function, sq_text *to);
/* The name of the kernel, and what stands around it in the file. */
#define PROGRAM_NAME "fuzzed"
/* A file of ordinary C with a region; its function has the parameters of the description. */
void program_print_region(const program *p, const char *function, sq_text *to);
/* Sets written and read of every array from the statements. */
void program_settle(program *p);
int program_statements(const program *p);

/* program_edit.c: makes the program smaller in the way numbered `edit`, from 0; false when there
 * is no such way. The result need not be acceptable. */
bool program_edit(program *p, int edit);

/* draw.c */
/* What may be drawn; every feature is one that the frontend was seen to accept. */
typedef struct features {
    bool select, otherwise, downward, stride, modulus, either, clamp, strict, integer_operators;
    bool small_types, locals, halves, saturate, arguments, functions;
    bool words; /* of the prelude: not in ordinary C */
    bool regions, overlap, assumes, hostile, companions, variables;
} features;
program *program_draw(sq_rng *r, const features *f, sq_arena *arena);
#endif
