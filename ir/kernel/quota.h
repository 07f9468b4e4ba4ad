/* Quota: a limit on isl's work on one problem; isl reports no errors meanwhile. All calls of isl
 * about a schedule or kernel are between begin and end. */
#ifndef SQ_IR_KERNEL_QUOTA_H
#define SQ_IR_KERNEL_QUOTA_H
#include "ir/kernel/kernel.h"
#include <isl/ctx.h>
#include <stdbool.h>

typedef struct sq_quota {
    isl_ctx *ctx;
    unsigned long before; /* the previous limit; one set from outside stays in force */
    int on_error;
} sq_quota;

/* Limits isl to `operations` from here on, unless a limit is set already. */
sq_quota sq_quota_begin(isl_ctx *ctx, unsigned long operations);
/* Restores the previous state. True if the limit was exceeded or isl failed otherwise; then all
 * results since begin are void, and isl is usable again. *text describes the failure. */
bool sq_quota_end(sq_quota q, const char **text);

/* Adds the error for a computation on a whole kernel that exceeded its limit: what "the
 * dependences" cannot "be computed" of it, and what to write instead. Returns -1. */
int sq_quota_refuse(const sq_kernel *k, const char *what, const char *text, sq_diags *d);

/* Returns the share of `operations` for a computation on this kernel. The cost of an operation
 * grows with the divisions in its conditions and in the constraints on its sizes (each adds an
 * unknown, with large coefficients in its rows): by a factor of a hundred for five of them. A
 * division by 128 or more counts as several: it may stand for as many remainders. */
unsigned long sq_quota_share(const sq_kernel *k, unsigned long operations);

/* Sets a limit for one of several computations between begin and end; its work does not count
 * against the outer limit, which is returned. */
unsigned long sq_quota_narrow(isl_ctx *ctx, unsigned long operations);
/* Does the same for a computation whose numbers may grow: it also stops when they have exceeded two
 * machine words `growths` times. The number of operations does not bound the time in this case: one
 * operation of isl's scheduler goes through a table of such numbers, and some ten thousand take
 * seconds. Computations that finish have none of them. */
unsigned long sq_quota_narrow_growing(isl_ctx *ctx, unsigned long operations,
                                      unsigned long growths);
/* Removes the limit: what follows begins and ends its own. */
unsigned long sq_quota_lift(isl_ctx *ctx);
/* Restores the outer limit. True if the computation exceeded its own: then its results are void;
 * isl's error remains set, for sq_quota_end to report or for the next computation to reset. */
bool sq_quota_widen(isl_ctx *ctx, unsigned long around);
#endif
