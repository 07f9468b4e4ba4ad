/* Naive, inside: shared by the builder of the naive nest (naive.c) and its printer (naive_text.c).
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

/* Finds the statement and phase of a tuple's name; NULL if it names no statement. */
const sq_stmt *sq_naive_stmt(const sq_kernel *k, const char *tuple, sq_naive_phase *phase);
/* Returns a prefix for the nest's own variables that no name of the kernel has: "sq_", or
 * longer. */
const char *sq_naive_stem(const sq_kernel *k);

typedef struct sq_naive {
    const sq_kernel *k;
    const char *prefix; /* prefix of helpers: "gemm_" */
    bool is_as_written; /* prints the loops as a person would write them: own types, one sum at a time */
    bool in_threads;    /* OpenMP threads share the outermost loop of index statements */
} sq_naive;

/* Returns the C type of partial sums: double for floating types; the element's own type under
 * strict and in plain C loops. */
const char *sq_naive_sum_ctype(const sq_naive *n, const sq_stmt *s);
/* Prints the tree. The annotation of a leaf is an id whose user pointer is the isl_ast_expr of the
 * index of its partial sum; none means 0. Partial sums of S0 are in `sq_sum_S0`, and loop variables
 * are `sq_c0`…, with that prefix. shared: a pragma for the loops of the outermost dimension, where
 * there are any; or NULL. */
void sq_naive_print(const sq_naive *n, isl_ast_node *tree /* __isl_take */, const char *shared,
                    sq_text *to);
#endif
