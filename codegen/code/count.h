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

/* What a printer makes of vectors. */
typedef struct sq_count_vectors {
    int bytes;     /* of a register */
    int most_step; /* lanes at most so many elements apart are shuffled out of whole vectors, as many
                      as that; others are loaded one by one */
} sq_count_vectors;

/* The innermost loop of a list of statements: the first one in which there is no other, but for what
 * compilers write out; NULL where there is none. */
const sq_code *sq_code_innermost(const sq_code *x);
/* Counts the statements of a list; of the body of a loop that is written out all iterations are one
 * after the other, and *steps (1 elsewhere) says how many the list has. */
sq_code_count sq_code_counted(const sq_code *x, const sq_count_vectors *v, double *steps);
/* The same of one of so many steps; registers stay. */
sq_code_count sq_code_count_of_step(sq_code_count all, double steps);
#endif
