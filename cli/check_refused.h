/* Check refused: what the functions of a kernel say of sizes that it does not take, and of those that it does. */
#ifndef SQ_CLI_CHECK_REFUSED_H
#define SQ_CLI_CHECK_REFUSED_H
#include "cli/check_rows.h"

/* The functions as they are called where K's parameters are declared; NULL: the text has none. */
typedef struct sq_check_functions {
    const char *k, *in, *workspace, *accepts, *on, *on_workspace; /* NULL: there is none */
    bool chooses; /* by its sizes, among functions that are each for some constants */
} sq_check_functions;

/* A statement for a function with K's parameters: calls all of them once with sizes that are refused, and K_accepts
 * with those at hand. squall_error() then says what was wrong. */
void sq_check_refused_put(const sq_check_rows *r, const sq_check_functions *f, sq_text *to);
/* Once a file, before those: squall_error(), which the harness asks. */
void sq_check_refused_head(sq_text *to);
#endif
