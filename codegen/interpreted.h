/* Interpreted: the code of a schedule as lowered and after each pass, run by the interpreter and compared
 * with the description: names the first of them whose code computes something else. Needs no compiler. */
#ifndef SQ_CODEGEN_INTERPRETED_H
#define SQ_CODEGEN_INTERPRETED_H
#include "codegen/passes/passes.h"
#include "ir/schedule/schedule.h"

typedef struct sq_interpreted {
    int rows;     /* of sizes at which everything was run */
    bool is_text; /* a group's loops are shared by a grid, which is no code: nothing was run */
} sq_interpreted;

typedef struct sq_interpreted_options {
    const sq_target *target;
    bool threads; /* parallel loops are shared by threads */
    int npasses;
    const sq_pass *pass; /* in their order: the rows of sq_passes */
} sq_interpreted_options;

/* described: the kernel that the schedule's own was made of, or the same. Sizes that are not fixed are
 * small and odd, or a point more or less than tiles have. 0 with *to filled; -1 after adding an error: of
 * squall's own where results differ, a refusal where the code as lowered takes too many statements. */
int sq_interpreted_check(const sq_schedule *s, const sq_kernel *described,
                         const sq_interpreted_options *how, sq_interpreted *to, sq_diags *d);
#endif
