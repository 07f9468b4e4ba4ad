/* Check rows: the sizes at which a kernel is checked: those given, else odd and random ones that
 * the description allows. */
#ifndef SQ_CLI_CHECK_ROWS_H
#define SQ_CLI_CHECK_ROWS_H
#include "cli/measure.h"

typedef struct sq_check_limits {
    double bytes, flops; /* of a row chosen here, at most */
} sq_check_limits;

typedef struct sq_check_rows {
    const sq_kernel *k;
    int n;
    int64_t *size; /* n rows of nsizes, in the task's arena */
} sq_check_rows;

/* -1 after adding an error when a size is not known or none fits. */
int sq_check_rows_choose(sq_measure *m, const sq_kernel *k, const sq_check_limits *limits,
                         sq_check_rows *r);
#endif
