/* Naive, inside: what the builder of the naive nest (naive.c) and its printer (naive_text.c) share.
 * Tuples of the nest are named by statement and phase: "S0_clear", "S0_add", "S0_write". */
#ifndef SQ_CODEGEN_REFERENCE_NAIVE_H
#define SQ_CODEGEN_REFERENCE_NAIVE_H
#include "ir/kernel/kernel.h"
#include "support/text.h"
#include <isl/ast.h>

typedef enum sq_naive_phase {
    SQ_NAIVE_CLEAR,
    SQ_NAIVE_ADD,
    SQ_NAIVE_WRITE,
    SQ_NAIVE_PHASES
} sq_naive_phase;
extern const char *const sq_naive_suffix[SQ_NAIVE_PHASES];

/* Statement and phase from a tuple's name; NULL if it names no statement. */
const sq_stmt *sq_naive_stmt(const sq_kernel *k, const char *tuple, sq_naive_phase *phase);
/* What the names of the nest's own variables begin with and no name of the kernel: "sq_", or
 * longer. */
const char *sq_naive_stem(const sq_kernel *k);

typedef struct sq_naive {
    const sq_kernel *k;
    const char *prefix; /* of helpers: "gemm_" */
    bool is_as_written; /* what a person would write: own types, one sum at a time */
    bool in_threads;    /* OpenMP's threads share the outermost loop of index statements */
} sq_naive;

/* The C type partial sums are kept in: double for floating types, but their own under strict and
 * in plain loops. */
const char *sq_naive_sum_ctype(const sq_naive *n, const sq_stmt *s);
/* Prints the tree. The annotation of a leaf is an id whose user pointer is the isl_ast_expr of its
 * partial sum's index; none means 0. Partial sums of S0 lie in `sq_sum_S0`, loops count `sq_c0`…:
 * after the stem. shared: a pragma for the loops of the outermost dimension, where there are any; or NULL. */
void sq_naive_print(const sq_naive *n, isl_ast_node *tree /* __isl_take */, const char *shared,
                    sq_text *to);
#endif
