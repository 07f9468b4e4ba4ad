/* Shared loops: which of the C loops around two statements are the same. Times have the kernel's length. */
#ifndef SQ_IR_KERNEL_SHARED_LOOPS_H
#define SQ_IR_KERNEL_SHARED_LOOPS_H
#include "ir/kernel/kernel.h"

/* True if the n outer loops of both are the same, and each iteration of them has other values. */
bool sq_stmts_share_loops(const sq_stmt *a, const sq_stmt *b, int n);
/* Returns the position of the statement, or of its loop, inside of its n outer loops; -1: it is not constant. */
int sq_stmt_place_inside(const sq_stmt *s, int n);
/* True if `first` runs in each iteration of the n outer loops in which `then` runs. */
bool sq_stmt_always_has(const sq_kernel *k, const sq_stmt *then, const sq_stmt *first, int n);
#endif
