/* Reading: a program as squall reads it. Of a region there are two kernels: the one squall makes of
 * ordinary C, and the one of the description that means the same, whose parameters are those of the
 * function around the region. */
#ifndef SQ_TESTS_FUZZ_READING_H
#define SQ_TESTS_FUZZ_READING_H
#include "frontend/frontend.h"
#include "tests/fuzz/program.h"

typedef struct reading {
    const program *p;
    isl_ctx *ctx;
    char *text; /* what squall reads */
    sq_unit *unit, *description;
    int number;               /* of the kernel in its unit */
    sq_kernel *kernel;        /* what is scheduled */
    const sq_kernel *outside; /* what is called: its parameters, sizes and bounds */
    bool comparable;          /* plain C has the same bits, or may differ in them */
} reading;

isl_ctx *new_context(void);
/* The text that squall reads; to be freed. */
char *text_of(const program *p);
/* With sizes fixed; -1 with the reason in d. To be closed in any case. */
int reading_open(reading *x, const program *p, int nfix, const sq_fix *fix, sq_diags *d);
void reading_close(reading *x);
#endif
