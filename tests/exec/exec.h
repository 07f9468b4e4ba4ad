/* Exec, inside: generated code against the naive nest. exec.c walks kernels, scripts and sizes;
 * script.c draws random scripts; batch.c pastes many candidates into one program (run.c is its
 * main) and runs it in a child. */
#ifndef SQ_TESTS_EXEC_EXEC_H
#define SQ_TESTS_EXEC_EXEC_H
#include "codegen/emit.h"
#include "codegen/file/dispatch.h"
#include "support/stats.h"
#include "support/text.h"

enum { MOST_SIZES = 8, MOST_ROWS = 16 };

/* How a batch is built and run. */
typedef struct tools {
    const char *cc, *cflags; /* compiler and all its flags */
    const char *others;      /* NULL, or the flags of seven batches of eight */
    const char *emulator;    /* "" or the program that runs the result */
    const char *source;      /* root of the repository, for run.c and runtime/case.c */
    const char *scratch;     /* folder for the batch's files */
    bool keep;               /* leave them there */
    bool openmp;
    int ntargets; /* several: a library, which chooses when it runs; all runs are repeated with each forced */
    const sq_target *target[SQ_MOST_TARGETS]; /* best first */
} tools;

/* Candidates waiting to be built. */
typedef struct batch {
    const tools *tools;
    int candidates, kernels, cases;
    int turn;                      /* batches before this one */
    int open_candidate, open_case; /* first ones of the kernel added last */
    sq_text code;                  /* candidates' sources */
    sq_text tables;                /* arrays of their entries */
    sq_text references;            /* the naive nests: compiled apart, without warnings asked for */
    sq_text reference_table;
    sq_text manifest; /* what to run: read by run.c */
    bool handwritten; /* some reference is linked from polybench_ref*.c */
    long ran, failed; /* totals over all batches */
} batch;

/* Adds the naive nest of k; its number. -1 when it cannot be emitted. With a handwritten reference
 * (a function of polybench_ref.h) that one gives the expected values, and the naive nest is the
 * first candidate. */
int batch_kernel(batch *b, const sq_kernel *k, const char *handwritten, sq_diags *d);
/* Adds a case (sizes) of that kernel. more: "" or further lines of the spec. */
void batch_case(batch *b, const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                const char *more);
/* Adds a candidate for it, with a schedule for each target. 0; 1 refused; -1 failed (told on stdout). */
int batch_candidate(batch *b, const sq_schedule *const *s, const char *label);
/* All candidates of the kernel are to run on all its cases; the next kernel may follow. */
void batch_close(batch *b);
/* Builds and runs what was added, counts it, and empties the batch. */
void batch_run(batch *b);

/* A random script for the kernel's default schedule; blind ones may well be refused. */
void random_script(const sq_kernel *k, sq_rng *r, sq_text *to);
/* One whose statements are all under auto(): loops without register tiles. */
void random_auto(const sq_kernel *k, sq_rng *r, sq_text *to);
/* Now and then a statement is put into its readers, or C loops are taken apart: done to s, and
 * written, so that the rest of a script is about what is left. */
void random_rewrites(sq_schedule *s, sq_rng *r, sq_arena *arena, sq_text *to);
/* script_run.c: one whose groups share loops; false (and nothing written) where none could. */
bool random_run(const sq_schedule *s, sq_rng *r, sq_text *to);
#endif
