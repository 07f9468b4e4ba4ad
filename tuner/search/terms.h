/* Terms: the costs of a statement that people can write down, as in Halide's autoscheduler (Adams et al., SIGGRAPH
 * 2019), re-derived from what learned models read of a point's code. Each is a count times a nominal price: seconds on
 * a core of today. What they really cost beside each other is learned (prices.h).
 *
 *     term            Halide                               here
 *     compute         vectors and scalars, idle cores      the same, functions and integers apart; the draft's seconds,
 *                                                          and what spills, waits and loads add to them
 *     loads           bytes and lines of a realization,    bytes and lines of all reads, of distinct data, of what is
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
    SQ_TERM_SCALARS,    /* of floats, where there are no vectors */
    SQ_TERM_PEAK,       /* operations at the machine's peak, with lanes and rows that are not used */
    SQ_TERM_SPILLS,
    SQ_TERM_LOAD_PORTS,
    SQ_TERM_WAITS,
    SQ_TERM_BYTES,
    SQ_TERM_LINES,
    SQ_TERM_DISTINCT_BYTES,
    SQ_TERM_DISTINCT_LINES,
    SQ_TERM_BYTES_AGAIN,
    SQ_TERM_LINES_AGAIN,
    SQ_TERM_APART, /* lines of reads whose neighbours do not lie side by side */
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

/* Of a row's SQ_FEATURES numbers and of its draft, seconds of each term. A row of 0 is a launch alone, and the draft's
 * seconds where it has these; a share of 0 in a draft counts as 1. */
void sq_terms_of(const float *features, const float *draft, float *to);
/* Operations of an iteration by kind: what the algorithm is, whatever its schedule. */
void sq_terms_histogram(const float *features, float *to);
/* Magnitudes: the nest, the curve of intensity, copies, loops that are vectorized, unrolled and parallel; shares of the
 * machine's limits; what all arrays together are touched. */
void sq_terms_schedule(const float *features, const float *draft, float *to);
#endif
