/* Optimize: what gcc is asked for the function of a nest, by the loops that it has. */
#ifndef SQ_PRINT_OPTIMIZE_H
#define SQ_PRINT_OPTIMIZE_H
#include "codegen/code/code.h"
#include "support/text.h"

/* Which innermost loops a nest has. */
typedef struct sq_loops_seen {
    bool plain; /* of single values, of which the compiler may make vectors */
    bool other; /* of vectors, or in which an iteration waits for the one before */
    bool tile;  /* of the steps of a large register tile */
    bool chains; /* none, in a tile that computes functions of several vectors */
} sq_loops_seen;

/* Adds those of the list. */
void sq_optimize_see(sq_loops_seen *seen, const sq_code *x);
/* Appends the attribute; nothing where such tiles take the time. */
void sq_optimize_put(const sq_loops_seen *seen, sq_text *to);
#endif
