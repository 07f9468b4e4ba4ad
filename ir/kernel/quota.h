/* Quota: a bound on the work that isl may do for one problem, and quiet errors meanwhile. All calls
 * of isl about a schedule or kernel are between begin and end. */
#ifndef SQ_IR_KERNEL_QUOTA_H
#define SQ_IR_KERNEL_QUOTA_H
#include "ir/kernel/kernel.h"
#include <isl/ctx.h>
#include <stdbool.h>

typedef struct sq_quota {
    isl_ctx *ctx;
    unsigned long before; /* the limit found; one set from outside stays in force */
    int on_error;
} sq_quota;

/* At most `operations` of isl's from here on, unless a limit is set already. */
sq_quota sq_quota_begin(isl_ctx *ctx, unsigned long operations);
/* Restores what was there. Returns true if the limit was hit or isl failed otherwise; then every
 * result since begin is void, and isl is usable again. *text is what happened. */
bool sq_quota_end(sq_quota q, const char **text);

/* The error of a question about a whole kernel that hit its limit: what "the dependences" of it
 * cannot "be computed", and what to write instead. Returns -1. */
int sq_quota_refuse(const sq_kernel *k, const char *what, const char *text, sq_diags *d);

/* The share of `operations` for a question about this kernel. What one operation costs grows with
 * the divisions in its conditions and in what is known of its sizes (each is one more unknown, with
 * large numbers in its rows): a hundredfold for a handful of them. One by 128 or more counts as
 * several: it may stand for as many remainders. */
unsigned long sq_quota_share(const sq_kernel *k, unsigned long operations);

/* One of several questions between begin and end gets a limit of its own, from here on; what it
 * used does not count against the one around. Returns that one. */
unsigned long sq_quota_narrow(isl_ctx *ctx, unsigned long operations);
/* The same of a question whose numbers may grow: it is given up, too, when they outgrew two machine
 * words `growths` times. The number of operations bounds no work there: one of isl's scheduler goes
 * through a table of such numbers, and some ten thousand take seconds. What fits has none of them. */
unsigned long sq_quota_narrow_growing(isl_ctx *ctx, unsigned long operations,
                                      unsigned long growths);
/* The same without one: what follows begins and ends its own. */
unsigned long sq_quota_lift(isl_ctx *ctx);
/* Back to the limit around. True if the question was given up at its own: then its results are
 * void; isl's error stands, for sq_quota_end to tell or for the next question to reset. */
bool sq_quota_widen(isl_ctx *ctx, unsigned long around);
#endif
