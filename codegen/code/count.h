/* Count: the instructions of an innermost loop, read off its code, and the registers that they need. What
 * a compiler makes of it may be less: it merges loads into operations, and drops what it finds twice. */
#ifndef SQ_CODE_COUNT_H
#define SQ_CODE_COUNT_H
#include "codegen/code/code.h"

/* Of one step. Values with more lanes than a vector has bytes for take several instructions each. */
typedef struct sq_code_count {
    double multiply_adds;
    double operations; /* others, and conversions */
    double calls;      /* of functions such as exp, of many instructions each */
    double loads, stores;
    double shuffles;     /* lanes put together, taken out, or filled with one value */
    double bytes_loaded; /* of different addresses or not */
    double bytes_stored;
    int registers; /* that hold values at once, at most; those of the whole loop included */
} sq_code_count;

struct sq_target;
/* Loads and shuffles that lanes at a known distance take in one vector. */
typedef struct sq_count_lanes {
    double loads, shuffles;
} sq_count_lanes;

/* What printers and compilers make of code. */
typedef struct sq_count_how {
    int vector_bytes;
    int most_step; /* lanes at most so many elements apart, and more than one, are shuffled out of vectors as
                      `strided` says; others are loaded one by one */
    sq_count_lanes (*strided)(const struct sq_target *t, int bytes, int lanes, int step);
    const struct sq_target *target; /* what it asks for */
    bool is_fused; /* a sum with a product is a multiply-add, also where the code does not say so */
} sq_count_how;

/* The innermost loop of a list of statements: the first one in which there is no other, but for what
 * compilers write out; NULL where there is none. */
const sq_code *sq_code_innermost(const sq_code *x);
/* Counts the statements of a list once, and those of loops that are written out as often as these run.
 * Of the two arms of a conditional what both have. p: of its expressions. */
sq_code_count sq_code_counted(sq_code_pool *p, const sq_code *x, const sq_count_how *how);
/* The same of one of so many steps; registers stay. */
sq_code_count sq_code_count_of_step(sq_code_count all, double steps);
#endif
