/* Interpreted: runs the code of a schedule in the interpreter, as lowered and after each pass, and compares the results
 * with the description. Reports the first pass after which they differ. Needs no compiler. */
#ifndef SQ_CODEGEN_INTERPRETED_H
#define SQ_CODEGEN_INTERPRETED_H
#include "codegen/passes/passes.h"
#include "ir/schedule/schedule.h"

typedef struct sq_interpreted {
    int rows; /* of sizes at which everything was run */
} sq_interpreted;

typedef struct sq_interpreted_options {
    const sq_target *target;
    bool threads; /* parallel loops are shared by threads */
    int npasses;
    const sq_pass *pass; /* in their order: the rows of sq_passes */
} sq_interpreted_options;

/* described: the kernel of the description, from which the schedule's may have been rewritten. Sizes that are not fixed
 * are small and odd, or one more or less than a multiple of a tile. Returns 0 with *to filled, or -1 after adding an
 * error: an internal one if results differ, a refusal if the code as lowered takes too many statements. */
int sq_interpreted_check(const sq_schedule *s, const sq_kernel *described,
                         const sq_interpreted_options *how, sq_interpreted *to, sq_diags *d);
#endif
