/* Scop: regions of ordinary C files. What stands between `#pragma scop` and `#pragma endscop` is
 * read as a kernel, without the prelude; the file around it is not touched. A region says beside
 * its kernel where its text lies, how its function is called, and what has to be tested before the
 * call: C promises less than a description does (pointers may overlap, sizes may be anything), and
 * where a test fails the text as written runs. */
#ifndef SQ_FRONTEND_SCOP_H
#define SQ_FRONTEND_SCOP_H
#include "support/arena.h"
#include "support/diag.h"
#include <stdbool.h>
#include <stddef.h>

/* Byte offsets into the file. */
typedef struct sq_region_text {
    size_t from, to;        /* the region with its two lines, the last one's end included */
    size_t inner, inner_to; /* what lies between the two lines */
    int line, inner_line, last_line; /* of from, of inner, of the line `#pragma endscop` */
} sq_region_text;

/* What __FILE__ and __LINE__ are in a line: a `#line` before it may say something else than its place. */
typedef struct sq_region_line {
    const char *file; /* NULL: the file itself */
    int line;
} sq_region_line;

/* What a parameter of the kernel is outside, in the order of kernel->param. */
typedef struct sq_region_arg {
    const char *name;
    const char *text; /* what the file says: the name, or a member of a struct */
    bool is_array;    /* of one dimension or more; else a number */
    bool by_address;  /* a number that the region writes */
    bool is_unsigned; /* a size of 64 bits without a sign, which the functions take as int64_t */
    bool has_address; /* a number that something else may refer to: it takes part in `apart` */
    int nrows;        /* declared dimensions below the first: their sizes are tested */
    const char *given; /* the size that is 0 where this pointer is NULL; NULL: the region does not ask */
} sq_region_arg;

/* A variable outside of the region that its text names. */
typedef struct sq_region_var {
    const char *name, *type; /* "float (*)[n]": as it is declared, without typedefs */
    bool is_array;           /* by its type: its argument is a pointer to the first element */
    bool is_param;           /* of the function: if is_array, it is such a pointer itself */
    int arg;                 /* the argument that is its value; -1: it has none before the region */
} sq_region_var;

typedef struct sq_region {
    sq_arena *arena; /* of the unit: what depends on the region lives there */
    sq_region_text text;
    const char *function; /* the one it stands in */
    const char *emitted;  /* the name its own function gets */
    size_t insert;        /* where that can stand: before the function it is called from */
    sq_region_line at_insert, at_inner, behind; /* of these places, and of the line behind the region */
    int narg;
    sq_region_arg *arg;
    const char *own; /* what lies between its two lines, without `#pragma squall`; variables in the place of members */
    int nvars;
    sq_region_var *var; /* of these and of what is declared before the function it can be compiled */
    const char *untold; /* why it would not compute the same with arguments alone; NULL: it does */
    int ndisjoint, (*disjoint)[2]; /* pairs of arguments that must not overlap */
    int nguards;
    const char **guard; /* what has to hold for the call to read members and products, which the text may not: `p` */
    int nidle;
    const char **idle; /* variables and functions that only the region's text used */
    int nmacros;
    const char **macro; /* all macros of the file and its own headers */
    int nglobals;
    const char **global; /* variables, types and constants at their top: what locals would shadow */
    bool own_ints;       /* these declare int64_t or its like themselves */
} sq_region;

/* True if the text has scop or endscop, as #pragma or as _Pragma, outside of comments and strings.
 */
bool sq_scop_present(const char *text, size_t n);
/* Offset of the first thing in [from, to) that is neither blank, comment nor directive; `to` if
 * there is none. from must not lie inside of one of them. */
size_t sq_scop_token(const char *text, size_t from, size_t to);
/* What lies between the two lines, its `#pragma squall` made blank. In the arena. */
char *sq_scop_original(sq_arena *arena, const char *text, const sq_region_text *t);
#endif
