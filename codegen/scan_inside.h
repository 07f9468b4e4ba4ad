/* Scan, inside: values and places of single points, shared by the texts that go point by point. */
#ifndef SQ_CODEGEN_SCAN_INSIDE_H
#define SQ_CODEGEN_SCAN_INSIDE_H
#include "codegen/scan.h"

typedef struct sq_scan {
    const sq_kernel *kernel;
    const sq_group *group;
    const sq_nest *nest; /* NULL for written loops and trees */
    sq_arena *arena;
    sq_text *to;
    const char *at[SQ_MAX_DIMS]; /* text of the current point's coordinates */
    const sq_stmt *reducing;     /* trees: points are those of its reduction */
    const sq_rounded *rounded;   /* see strict.h */
    const char *sum;             /* what SQ_OP_REDUCED stands for; NULL: "@sum" */
} sq_scan;

/* An expression's value at the point. */
const char *sq_scan_value(sq_scan *s, const sq_expr *e);
/* The same in the form in which the array's elements are stored. */
const char *sq_scan_stored(sq_scan *s, const sq_expr *e);
/* The element an access means. */
const char *sq_scan_place(sq_scan *s, const sq_access *a);
/* A line: "a += v;" in the operation of the statement's reduction. */
void sq_scan_combine(sq_scan *s, const sq_stmt *st, const char *a, const char *v);
#endif
