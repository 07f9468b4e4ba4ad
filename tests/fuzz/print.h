/* Print, inside: what the three texts of a program (program_print.c, program_c.c) share. */
#ifndef SQ_TESTS_FUZZ_PRINT_H
#define SQ_TESTS_FUZZ_PRINT_H
#include "tests/fuzz/program.h"

typedef struct printer {
    const program *p;
    bool c;      /* C, not a description */
    bool region; /* ordinary C: arrays have the form they are given */
    sq_text *to;
    const expr *defined; /* the variable whose value is printed */
} printer;

void put_affine(const printer *o, const affine *a);
void put_extent(const printer *o, const extent *e);
void put_nodes(const printer *o, const node *n);
#endif
