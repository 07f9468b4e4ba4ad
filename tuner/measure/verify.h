/* Verify: emitted text beside the naive nest at many rows of sizes. Both are built once; one
 * limited child runs all rows (runtime/harness.c, mode `rows`) and ends with the first that is
 * wrong. */
#ifndef SQ_TUNER_MEASURE_VERIFY_H
#define SQ_TUNER_MEASURE_VERIFY_H
#include "support/text.h"
#include "tuner/proof/blocks.h"
#include "tuner/measure/runner.h"

typedef struct sq_verify sq_verify;

/* What came of a text. */
typedef struct sq_verdict {
    sq_status status;  /* SQ_BUILD_FAILED, or of the row */
    int row;           /* the one that is not right; the number of rows where all are */
    double error;      /* largest difference of them over the bound */
    double seconds;    /* of the slowest row */
    char message[400]; /* compiler's first error, signal, first wrong element */
} sq_verdict;

/* Of `o`: cc, cflags, harness, threads, seed, build_timeout, and run_timeout as processor time of
 * one row. NULL after adding an error. */
sq_verify *sq_verify_open(const sq_run_options *o, sq_diags *d);
/* NULL is fine. Returns NULL. */
sq_verify *sq_verify_close(sq_verify *v);
/* Builds the naive nest of k, which must outlive it, as must the `n` rows of k's sizes at which texts
 * are compared with it. The number of the kernel, -1 after adding an error. */
int sq_verify_kernel(sq_verify *v, const sq_kernel *k, const int64_t *rows, int n);
/* Builds text with the words of `flags`; `folder`, unless NULL, is where its "file.h" are looked
 * for. 0, or -1 with the verdict filled. */
int sq_verify_build(sq_verify *v, const char *text, const char *flags, const char *folder,
                    sq_verdict *verdict);
/* Runs `entry` of the text that was built last, as kernel number `kernel`. */
void sq_verify_run(sq_verify *v, int kernel, const char *entry, sq_verdict *verdict);
/* Other rows for that kernel. -1 after adding an error. */
int sq_verify_rows(sq_verify *v, int kernel, const int64_t *rows, int n);

/* ---- blocks ---- */

/* Text may hold what only a proof reads, SQ_INTERNAL(declarations) and SQ_ASSUME(condition), and
 * what it does not, SQ_RUN(statements), and of that what is not counted as having run, SQ_ASK(statements). */

/* Builds the text of sq_verify_build once more, with a counter in every block of its first `lines`
 * lines, and, if `operands`, for what expressions branch by. As sq_verify_build; blocks in the arena. */
int sq_verify_cover(sq_verify *v, int lines, bool operands, sq_arena *arena, sq_blocks *b,
                    sq_verdict *verdict);
/* The blocks of another text, with operands, which is only read. As sq_verify_cover. */
int sq_verify_blocks(sq_verify *v, const char *text, sq_arena *arena, sq_blocks *b,
                     sq_verdict *verdict);
/* Runs that: sets ran[block] of what ran. */
void sq_verify_run_cover(sq_verify *v, int kernel, const char *entry, const sq_blocks *b, bool *ran,
                         sq_verdict *verdict);
/* Lets the compiler optimise the text with what it assumes: proven[block] is set where nothing is
 * left of the block. False if the compiler refuses the text; *why then holds its message. */
bool sq_verify_prove(sq_verify *v, const sq_blocks *b, bool *proven, char *why, size_t n);
#endif
