/* Verify: compares emitted text with the naive nest at many rows of sizes. Both are built once; one
 * child with limits runs all rows (runtime/harness.c, mode `rows`) and stops at the first wrong
 * one. */
#ifndef SQ_TUNER_MEASURE_VERIFY_H
#define SQ_TUNER_MEASURE_VERIFY_H
#include "support/text.h"
#include "tuner/proof/blocks.h"
#include "tuner/measure/runner.h"

typedef struct sq_verify sq_verify;

/* The result for a text. */
typedef struct sq_verdict {
    sq_status status;  /* SQ_BUILD_FAILED, or the status of the row */
    int row;           /* the first wrong row; the number of rows if all are right */
    double error;      /* largest difference relative to the bound */
    double seconds;    /* time of the slowest row */
    char message[400]; /* compiler's first error, signal, first wrong element */
} sq_verdict;

/* Uses of `o`: cc, cflags, harness, threads, seed, build_timeout, and run_timeout as processor time
 * of one row. NULL after adding an error. */
sq_verify *sq_verify_open(const sq_run_options *o, sq_diags *d);
/* v may be NULL. Returns NULL. */
sq_verify *sq_verify_close(sq_verify *v);
/* Builds the naive nest of k, which must outlive it, as must the `n` rows of k's sizes at which
 * texts are compared with it. Returns the number of the kernel, -1 after adding an error. */
int sq_verify_kernel(sq_verify *v, const sq_kernel *k, const int64_t *rows, int n);
/* Builds text with the arguments in `flags`; "file.h" is searched in `folder`, unless NULL. 0, or
 * -1 with the verdict filled. */
int sq_verify_build(sq_verify *v, const char *text, const char *flags, const char *folder,
                    sq_verdict *verdict);
/* Runs `entry` of the last text that was built, as kernel number `kernel`. */
void sq_verify_run(sq_verify *v, int kernel, const char *entry, sq_verdict *verdict);
/* Replaces the rows of that kernel. -1 after adding an error. */
int sq_verify_rows(sq_verify *v, int kernel, const int64_t *rows, int n);

/* ---- blocks ---- */

/* Text may contain SQ_INTERNAL(declarations) and SQ_ASSUME(condition), which only proofs use;
 * SQ_RUN(statements), which proofs ignore; and within that SQ_ASK(statements), whose blocks do not
 * count as run. */

/* Builds the text of sq_verify_build again, with a counter in each block of its first `lines`
 * lines, and, if `operands`, for the branches of expressions. As sq_verify_build; blocks in the
 * arena. */
int sq_verify_cover(sq_verify *v, int lines, bool operands, sq_arena *arena, sq_blocks *b,
                    sq_verdict *verdict);
/* Finds the blocks of another text, with operands, which is not built. As sq_verify_cover. */
int sq_verify_blocks(sq_verify *v, const char *text, sq_arena *arena, sq_blocks *b,
                     sq_verdict *verdict);
/* Runs that build: sets ran[block] for blocks that ran. */
void sq_verify_run_cover(sq_verify *v, int kernel, const char *entry, const sq_blocks *b, bool *ran,
                         sq_verdict *verdict);
/* Lets the compiler optimise the text under its assumptions: proven[block] is set if it eliminates
 * the block. False if the compiler rejects the text; *why then has its message. */
bool sq_verify_prove(sq_verify *v, const sq_blocks *b, bool *proven, char *why, size_t n);
#endif
