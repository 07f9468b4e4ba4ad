/* Terms: hand-written cost terms of a statement, as in Halide's autoscheduler (Adams et al., SIGGRAPH 2019), derived
 * from the features of a point's code. Each is a count times a nominal price in seconds on a current core. Their actual
 * prices are learned (prices.h).
 *
 *     term            Halide                               here
 *     compute         vectors and scalars, idle cores      the same, functions and integers separately; seconds of
 *                                                          the draft, and the cost of spills, waits and loads
 *     loads           bytes and lines of a realization,    bytes and lines of all reads, of distinct data, of data
 *                     a vector, a task                     fetched again; lines whose neighbours are not read
 *     stores          false sharing of lines               the same, by the bytes that a task writes
 *     page faults     of outputs and inputs                the same
 *     allocation      of each realization                  of packed copies: how many, and their bytes
 *     tasks           begun, and run                       the same
 *     working set     bytes                                bytes beyond the caches */
#ifndef SQ_TUNER_SEARCH_TERMS_H
#define SQ_TUNER_SEARCH_TERMS_H

typedef enum sq_cost_term {
    SQ_TERM_ARITHMETIC, /* of floats, in vectors */
    SQ_TERM_FUNCTIONS,  /* and divisions */
    SQ_TERM_INTEGERS,   /* and conditions */
    SQ_TERM_SCALARS,    /* of floats, if there are no vectors */
    SQ_TERM_PEAK,       /* operations at the machine's peak, including unused lanes and rows */
    SQ_TERM_SPILLS,
    SQ_TERM_LOAD_PORTS,
    SQ_TERM_WAITS,
    SQ_TERM_BYTES,
    SQ_TERM_LINES,
    SQ_TERM_DISTINCT_BYTES,
    SQ_TERM_DISTINCT_LINES,
    SQ_TERM_BYTES_AGAIN,
    SQ_TERM_LINES_AGAIN,
    SQ_TERM_APART, /* lines of reads that are not contiguous */
    SQ_TERM_MEMORY,
    SQ_TERM_PARTS_OF_LINES,
    SQ_TERM_STORED_BYTES,
    SQ_TERM_STORED_LINES,
    SQ_TERM_SHARED_LINES,
    SQ_TERM_PAGES_WRITTEN,
    SQ_TERM_PAGES_READ,
    SQ_TERM_COPIES,
    SQ_TERM_COPIED_BYTES,
    SQ_TERM_LAUNCH,
    SQ_TERM_TASKS,
    SQ_TERM_WORKING_SET,
    SQ_TERMS
} sq_cost_term;

enum {
    SQ_TERM_HISTOGRAM = 16, /* kinds of operations */
    SQ_TERM_SCHEDULE = 39   /* numbers of a schedule */
};

/* Computes the seconds of each term from a row's SQ_FEATURES numbers and its draft. A row of zeros has only the
 * launch, and the draft's seconds if there are any; a share of 0 in a draft counts as 1. */
void sq_terms_of(const float *features, const float *draft, float *to);
/* Counts the operations of an iteration by kind, which describe the algorithm and not its schedule. */
void sq_terms_histogram(const float *features, float *to);
/* Computes magnitudes of the nest, of the intensity curve, of copies, of vectorized, unrolled and parallel loops;
 * shares of the machine's limits; the data touched in all arrays. */
void sq_terms_schedule(const float *features, const float *draft, float *to);
#endif
