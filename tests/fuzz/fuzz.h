/* Fuzz, inside: what the walker (fuzz.c), the trial of one program (trial.c) and the shrinker
 * (shrink.c) share. */
#ifndef SQ_TESTS_FUZZ_FUZZ_H
#define SQ_TESTS_FUZZ_FUZZ_H
#include "frontend/frontend.h"
#include "tests/fuzz/fault.h"
#include "tests/fuzz/pile.h"
#include "tests/fuzz/program.h"

enum { MOST_CASES = 12, MOST_FIXED = 4, MOST_CLASSES = 60 };

typedef struct setup {
    const char *source, *cc, *cflags;
    const sq_target *grid; /* the one target, or NULL: those of processors */
    const char *cxx, *simt;
    features can;
    fault_kind fault;
    bool verbose;
    bool interpret; /* candidates are lowered to code and interpreted, not built */
} setup;

/* One candidate, enough to try it again. */
typedef struct trial {
    long program;                   /* its number */
    bool plain;                     /* not emitted: the plain C */
    bool fixed[MOST_PROGRAM_SIZES]; /* sizes given by --fix */
    char *script;
    const sq_target *target;
    bool openmp;
    int ncases;
    int64_t size[MOST_CASES][MOST_PROGRAM_SIZES]; /* in the order of the program's sizes */
    unsigned long long seed[MOST_CASES];
} trial;

/* Counters, by worker; classes are messages without names and numbers. */
typedef struct class_count {
    char message[80];
    long n;
} class_count;

typedef struct counts {
    long programs, refused, scripts, scripts_refused, candidates, pairs, warned;
    long excused, failures;
    long interpreted, cases_undefined; /* candidates that were lowered; rows of sizes at
                                          which the program itself has no defined result */
    class_count programs_by[MOST_CLASSES], scripts_by[MOST_CLASSES], warned_by[MOST_CLASSES];
} counts;

void count_class(class_count *table, const char *message);
void counts_add(counts *to, const counts *n);
void counts_print(const counts *n, const setup *s);

/* feature.c: all of them are part of the language by now: 0 if none is missing. */
int find_features(features *can);
/* The --fix of a trial at its first row of sizes; their number. */
int fixes_of(const trial *t, int nsizes, sq_fix *fix);
/* A row of sizes in the kernel's order. */
void sizes_of(const trial *t, int row, const sq_kernel *k, int64_t *sizes);
/* Name of a program's size. */
const char *size_text(int size);
/* Random sizes that the context allows; false when none were found. */
bool draw_sizes(sq_rng *r, const sq_kernel *k, isl_set *context, int64_t *sizes, bool nonzero);

/* script_grid.c: a random script for a target whose kernels run as a grid. */
void grid_script(const sq_kernel *k, const sq_target *t, sq_rng *r, sq_text *to);

/* An empty pile, to be given a folder. */
pile pile_of(const setup *s);

/* interpret.c: tries scripts on a program without a compiler: what they are lowered to is interpreted and
 * compared with the program's own evaluation. Counts; prints what is wrong. */
void interpret_reading(const setup *s, const reading *x, trial *t, sq_rng *r, counts *n);

/* Makes a failing program, its script and its sizes smaller while it fails alike; prints the
 * result, the command that shows it, and leaves the description in `folder`. */
void shrink(const setup *s, const program *p, const trial *t, const char *why, const char *folder);
#endif
