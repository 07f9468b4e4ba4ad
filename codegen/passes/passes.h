/* Passes: transform code between lowering and printing. The rows of one table (passes.c) run in its
 * order on the code of each group. A pass has a file of its own and changes no result. */
#ifndef SQ_PASSES_PASSES_H
#define SQ_PASSES_PASSES_H
#include "codegen/code/code.h"
#include "codegen/isa/target.h"

/* What a pass knows besides the statements. */
typedef struct sq_pass_context {
    const sq_kernel *kernel;
    const sq_target *target;
    sq_code_pool *pool; /* owns the code */
} sq_pass_context;

/* A pass. It gets a list of statements, which it changes in place or replaces: the code of a group,
 * and each part that it calls, once. */
typedef sq_code *sq_pass_run(const sq_pass_context *c, sq_code *x);

typedef struct sq_pass {
    const char *name, *doc;
    sq_pass_run *run;
} sq_pass;

extern const sq_pass sq_passes[];
extern const int sq_npasses;
enum { SQ_ALL_PASSES = 1000 };

/* Time of lowering or of a pass, over all code. */
typedef struct sq_pass_time {
    double seconds;
    long statements; /* number of statements afterwards */
} sq_pass_time;

/* Returns the row of a pass; -1 if there is none of this name. */
int sq_pass_find(const char *name);
/* Runs one pass on a list; `row` counts the passes that the list has had. The result is
 * verified. */
sq_code *sq_pass_step(const sq_pass_context *c, const sq_pass *pass, int row, sq_code *x);
/* Runs the first n passes, or all; parts that are called are changed in place. Code that is to be
 * verified (codegen/code/verify.h) is verified before the first pass and after each. times: added
 * to, entry 0 for lowering, whose time is not known here, then one per pass; or NULL. */
sq_code *sq_passes_run(const sq_pass_context *c, sq_code *x, int n, sq_pass_time *times);
#endif
