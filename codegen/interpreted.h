/* Interpreted: what a schedule is lowered to, run by the interpreter and compared with the description:
 * names the first stage between both whose code computes something else. Needs no compiler. */
#ifndef SQ_CODEGEN_INTERPRETED_H
#define SQ_CODEGEN_INTERPRETED_H
#include "codegen/target.h"
#include "ir/schedule.h"

typedef struct sq_interpreted {
    int rows;     /* of sizes at which everything was run */
    int nstages;  /* that made code */
    bool is_text; /* a group's loops are shared by a grid, which is no code: nothing was run */
} sq_interpreted;

/* described: the kernel that the schedule's own was made of, or the same. Sizes that are not fixed are
 * small and odd, or a point more or less than tiles have. 0 with *to filled; -1 after adding an error,
 * of squall's own where results differ. */
int sq_interpreted_check(const sq_schedule *s, const sq_kernel *described, const sq_target *t,
                         bool threads, sq_interpreted *to, sq_diags *d);
#endif
