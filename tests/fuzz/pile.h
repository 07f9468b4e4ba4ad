/* Pile: many candidates in one program, so that a compiler is started once for all of them. Every
 * kernel comes with its naive nest, which gives the expected results, and with the plain C of the
 * program it was printed from, which is a candidate like the others. tests/exec/run.c is the main:
 * arrays against unmapped pages, outputs poisoned, everything around them watched.
 *
 * A pair is one candidate (kernel, sizes fixed or not, script, target) at one row of sizes. */
#ifndef SQ_TESTS_FUZZ_PILE_H
#define SQ_TESTS_FUZZ_PILE_H
#include "codegen/emit.h"
#include "tests/fuzz/fault.h"
#include "tests/fuzz/reading.h"

enum { MOST_PILED = 256, WHY_LENGTH = 300 };

typedef struct pile {
    const char *scratch, *source, *cc, *cflags;
    const sq_target *grid;  /* what all candidates are for, or NULL: whatever runs here */
    const char *cxx, *simt; /* for a grid: the compiler, and where runtime/simt lies */
    const reading *open;    /* the kernel added last */
    int candidates, kernels, cases;
    int open_candidate, open_case;        /* first ones of the kernel added last */
    char *text[MOST_PILED];               /* of each candidate; NULL: lies with the references */
    char why[MOST_PILED][WHY_LENGTH];     /* what is wrong with it; "" */
    char warning[MOST_PILED][WHY_LENGTH]; /* what a compiler says of it; "" */
    sq_text references, reference_table, manifest;
    long pairs; /* of all runs */
} pile;

/* Adds a kernel, which is closed after pile_close; plain: with the plain C of its program. Number
 * of the plain C among the candidates, else -1; -2 when squall cannot print the naive nest. What a
 * region is compared with is its file as it is. */
int pile_kernel(pile *b, const reading *x, bool plain, sq_diags *d);
void pile_case(pile *b, const int64_t *sizes, unsigned long long seed);
/* Number of the candidate; -1 refused, with the reason in d; a fault of squall's is in d, too. */
int pile_candidate(pile *b, const sq_schedule *s, const sq_target *target, bool openmp,
                   fault_kind fault, sq_rng *r, sq_diags *d);
/* All candidates of the kernel are to run on all its cases. */
void pile_close(pile *b);
/* Builds and runs; fills warning[], and why[] of the candidates that are wrong. -1 when nothing
 * could be run. */
int pile_run(pile *b);
/* Forgets all candidates. */
void pile_empty(pile *b);

int pile_shell(const pile *b, const char *what, const char *output);
int pile_build_references(const pile *b);

/* pile_grid.c: the same for a grid. The text of a candidate as C++, and its entry. */
int pile_grid_text(int candidate, const char *text, sq_text *to, sq_diags *d);
void pile_grid_entry(const sq_kernel *k, int candidate, const char *function, sq_text *to);
int pile_grid_build(pile *b);
void pile_grid_run(pile *b);
/* Says what was found in candidates that are known to be wrong. */
void pile_grid_findings(pile *b);

/* pile_text.c */
/* `void <entry>(void *const *arg)`, which calls function; arrays of the program that are one in
 * memory get one address. */
void pile_entry(const reading *x, const char *function, const char *entry, sq_text *to);
/* The text of a candidate, with its function. -1 refused. */
int pile_text(const reading *x, const sq_schedule *s, const sq_emit_options *o, sq_text *to,
              sq_diags *d);
/* Text with the function of a region's file renamed. */
void pile_rename(const char *text, const char *function, sq_text *to);
#endif
