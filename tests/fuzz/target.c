/* Target: what the fuzz targets share. */
#include "tests/fuzz/target.h"
#include <stdio.h>
#include <stdlib.h>

void print_quietly(const sq_diags *d)
{
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    sq_diags_print(d, nowhere, SQ_DIAG_GCC, 1);
    sq_diags_print(d, nowhere, SQ_DIAG_JSON, 0);
    if (sq_diags_fault(d) == SQ_FAULT_BUG) {
        sq_diags_print(d, stderr, SQ_DIAG_GCC, 0);
        abort();
    }
}
