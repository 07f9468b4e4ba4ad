/* Assign: what the files that read assignments share. */
#ifndef SQ_FRONTEND_ASSIGN_H
#define SQ_FRONTEND_ASSIGN_H
#include "frontend/build.h"

typedef struct sq_assignment {
    sq_symbol *target;
    sq_access *write;
    sq_op op;       /* of `op=`; SQ_OP_CONST for a plain assignment */
    sq_expr *right; /* as read, before `op` is applied */
    bool keeps_old; /* as in sq_stmt */
    sq_reading in;
    uint64_t idx, left, loops; /* bits: all idx variables, those on the left, loops around */
    bool is_initial;           /* of a declaration */
    bool maybe;                /* stored to where its value is another one than the element's */
    sq_loc loc;
} sq_assignment;

/* The statements of an assignment whose sides are read. -1 after adding an error. */
int sq_assignment_add(sq_builder *b, sq_assignment *a);
#endif
