/* Address: where an element lies, as the text says it: a variable or a member, and sums of subscripts behind it. */
#ifndef SQ_FRONTEND_ADDRESS_H
#define SQ_FRONTEND_ADDRESS_H
#include "frontend/clang.h"

enum { SQ_ADDRESS_TERMS = 8, SQ_LEVEL_STEPS = 4 };

/* A loop of a nest that moves a pointer, by elements: a turn moves it by all turns of the loop in it, and by what is
 * said here. */
typedef struct sq_address_level {
    const struct sq_address_level *inner; /* NULL: it is the innermost */
    CXCursor turn, count; /* its variable, which counts from 0, and the number of its turns */
    int64_t constant;
    int n;
    CXCursor by[SQ_LEVEL_STEPS];
    bool down[SQ_LEVEL_STEPS]; /* by less */
} sq_address_level;

/* index times bytes; where there is a level, times what a turn of it moves by. */
typedef struct sq_address_term {
    CXCursor index;
    int64_t bytes; /* of one step */
    const sq_address_level *level;
} sq_address_term;

typedef struct sq_address {
    CXCursor base;  /* an expression, pointer or array: p, im->data, A[i] of an array of arrays */
    int64_t offset; /* in bytes */
    int n;
    sq_address_term term[SQ_ADDRESS_TERMS];
    bool in_struct; /* it is a member of an element */
    bool is_moved;  /* a pointer of the region, or &, leads to it */
    const char *why; /* it has no such form: "it is a union"; NULL without one where it is no element at all */
    CXCursor at;     /* what has none */
} sq_address;

/* Where a pointer leads that the region declares or moves. */
typedef struct sq_address_row {
    bool has_value; /* else it is the variable `name` as it was before the region */
    CXCursor name, value;
    bool walks; /* and further on by `step` elements for each turn - start */
    CXCursor turn, start;
    int64_t step, ahead; /* ahead: elements, whatever the turn */
    const sq_address_level *nest; /* further on by what this and those in it have done; NULL: there is none */
} sq_address_row;

typedef struct sq_address_reader {
    const sq_reader *r;
    /* Of such a pointer, or of one that is moved here, p++; false of any other expression. */
    bool (*row)(const struct sq_address_reader *a, CXCursor c, sq_address_row *to);
    /* True if elements behind the pointer have members that the region reads: p->x is p[0].x. */
    bool (*is_array)(const struct sq_address_reader *a, CXCursor decl);
    void *user;
} sq_address_reader;

/* Reads the place of c, something that has one. False, maybe with a reason, if it has no such form. */
bool sq_address_read(const sq_address_reader *r, CXCursor c, sq_address *a);
/* The same of the place that a pointer leads to. */
bool sq_address_value(const sq_address_reader *r, CXCursor c, sq_address *a);
/* The canonical type. */
CXType sq_address_type(const sq_reader *r, CXCursor c);
/* True of types of numbers in C that fit a register. */
bool sq_address_is_number(CXType t);
#endif
