/* Check rows: the sizes at which a kernel is checked: those given, else odd and random ones that
 * the description allows, and those that its schedule asks for: around every tile, in the second
 * one after it, and every remainder of a register tile. */
#ifndef SQ_CLI_CHECK_ROWS_H
#define SQ_CLI_CHECK_ROWS_H
#include "cli/measure.h"

typedef struct sq_check_limits {
    double bytes, flops; /* of a row chosen here, at most */
    int rows;            /* of all */
} sq_check_limits;

typedef struct sq_check_rows {
    const sq_kernel *k;
    const sq_schedule *s; /* what packed arrays take follows from it; NULL: nothing */
    int n;
    int64_t *size; /* n rows of nsizes, in the task's arena */
    bool is_given; /* by --at or --fix: no other sizes are asked for */
    sq_list
        beyond; /* what the schedule asks for and no row has: "K=4097, a third tile of k0: why" */
} sq_check_rows;

/* -1 after adding an error when a size is not known or none fits. */
int sq_check_rows_choose(sq_measure *m, const sq_schedule *s, const sq_kernel *k,
                         const sq_check_limits *limits, sq_check_rows *r);
bool sq_check_rows_have(const sq_check_rows *r, const int64_t *row);
/* Returns the bytes of the arrays of a row, packed ones included. */
double sq_check_rows_bytes(const sq_check_rows *r, const int64_t *row);
/* True if the types of the sizes can hold the row's values. */
bool sq_check_rows_hold(const sq_kernel *k, const int64_t *row);
/* Further rows for the wanted values of any size, in place of those before. 0: there are none. */
int sq_check_rows_aim(sq_measure *m, const sq_schedule *s, const sq_check_limits *limits,
                      const int64_t *wanted, int n, sq_check_rows *r);
#endif
