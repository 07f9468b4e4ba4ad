/* Passes: code to code, after lowering and before printing. The rows of one table (passes.c), run in
 * its order on the code of each group. A pass has a file of its own and changes no result. */
#ifndef SQ_PASSES_PASSES_H
#define SQ_PASSES_PASSES_H
#include "codegen/code/code.h"
#include "codegen/isa/target.h"

/* What a pass knows beside the statements. */
typedef struct sq_pass_context {
    const sq_kernel *kernel;
    const sq_target *target;
    sq_code_pool *pool; /* owns the code */
    /* Other text is around the list: it defines names, and uses what the list defines. */
    bool is_fragment;
} sq_pass_context;

/* A list of statements, changed in place or replaced: the code of a group, and each part that it calls
 * by itself, once. */
typedef sq_code *sq_pass_run(const sq_pass_context *c, sq_code *x);

typedef struct sq_pass {
    const char *name, *doc;
    sq_pass_run *run;
} sq_pass;

extern const sq_pass sq_passes[];
extern const int sq_npasses;
enum { SQ_ALL_PASSES = 1000 };

/* What lowering or a pass took, over all code that it made. */
typedef struct sq_pass_time {
    double seconds;
    long statements; /* that it left */
} sq_pass_time;

/* Row of a pass; -1: there is none of that name. */
int sq_pass_find(const char *name);
/* The list after one pass, the row-th of those that it gets, from 0 on; verified. */
sq_code *sq_pass_step(const sq_pass_context *c, const sq_pass *pass, int row, sq_code *x);
/* The list after the first n passes, or all; parts that it calls are changed in place. Code that is
 * verified (codegen/code/verify.h) is so before the first pass and after each. times: added to,
 * the first of lowering, whose time is not known here, then one a row; or NULL. */
sq_code *sq_passes_run(const sq_pass_context *c, sq_code *x, int n, sq_pass_time *times);
#endif
