/* Count: counts the instructions of an innermost loop, and the registers that they need, in its
 * code. A compiler may emit fewer: it folds loads into operations and eliminates common
 * subexpressions. */
#ifndef SQ_CODE_COUNT_H
#define SQ_CODE_COUNT_H
#include "codegen/code/code.h"

/* The counts of one step. Values wider than a vector register take several instructions each. */
typedef struct sq_code_count {
    double multiply_adds;
    double operations; /* other operations, and conversions */
    double calls;      /* calls of functions such as exp, each of many instructions */
    double loads, stores;
    double shuffles;     /* lanes combined, extracted, or filled with one value */
    double bytes_loaded; /* whether the addresses differ or not */
    double bytes_stored;
    /* the largest number of live registers, including values live across the whole loop */
    int registers;
} sq_code_count;

struct sq_target;
/* Loads and shuffles for lanes at a known stride. */
typedef struct sq_count_lanes {
    double loads, shuffles;
} sq_count_lanes;

/* How printers and compilers translate code. */
typedef struct sq_count_how {
    int vector_bytes;
    /* lanes with a stride from 2 to this many elements are shuffled out of vectors as `strided`
     * says; others are loaded one by one */
    int most_step;
    sq_count_lanes (*strided)(const struct sq_target *t, int bytes, int lanes, int step,
                              bool channels);
    const struct sq_target *target; /* passed to `strided` */
    /* a product that is added to a sum is a multiply-add, even where the code does not say so */
    bool is_fused;
} sq_count_how;

/* Returns the innermost loop of a list of statements: the first one that contains no loop, apart
 * from loops that compilers unroll; NULL if there is none. */
const sq_code *sq_code_innermost(const sq_code *x);
/* Counts each statement of a list once, and those of unrolled loops once for each iteration. For a
 * conditional, counts what both arms have in common. p: the pool of the expressions. */
sq_code_count sq_code_counted(sq_code_pool *p, const sq_code *x, const sq_count_how *how);
/* Divides the counts by a number of steps; registers are unchanged. */
sq_code_count sq_code_count_of_step(sq_code_count all, double steps);
#endif
