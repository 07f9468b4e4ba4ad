/* Rows: declares the functions of all passes, one file each, for the table in passes.c. To add a
 * pass: write its file, declare its function here, add its row. */
#ifndef SQ_PASSES_ROWS_H
#define SQ_PASSES_ROWS_H
#include "codegen/passes/passes.h"

sq_pass_run sq_pass_sweep, sq_pass_vectorize, sq_pass_first, sq_pass_again, sq_pass_widen, sq_pass_jam,
    sq_pass_branch, sq_pass_hold, sq_pass_unread, sq_pass_pointers, sq_pass_once;
#endif
