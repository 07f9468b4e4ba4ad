/* Store: the database of trials. It has every trial ever made, with its environment; a cache for
 * --resume and a record for people, never an input of `compile`. */
#ifndef SQ_TUNER_STORE_STORE_H
#define SQ_TUNER_STORE_STORE_H
#include "tuner/measure/runner.h"
#include <stdbool.h>

/* A trial. Strings of a row from a store live until the callback returns. */
typedef struct sq_trial {
    const char *kernel;      /* name */
    const char *kernel_hash; /* what it computes (sq_kernel_hash) */
    const char *sizes;       /* "M=512,N=512,K=512" */
    const char *target;      /* "avx512" or "avx512,openmp" */
    const char *machine_class;
    const char *machine;  /* fingerprint of the exact machine */
    const char *compiler; /* version and flags */
    const char *script;
    const char *point; /* "rows=8,kc=256": the point of the space it was drawn from (tuner/point_text.h), or "" */
    const char *tool, *who; /* version of squall, user; put fills in those that are NULL */
    sq_sample sample;
    int64_t when; /* seconds since 1970; 0: put fills it in */
} sq_trial;

typedef struct sq_db sq_db;
typedef void (*sq_row_fn)(const sq_trial *row, void *user);
typedef struct sq_store {
    const char *name, *doc;
    /* path NULL: the default path, whose directories are made; a damaged store, or one of a newer
     * version, is renamed there with a warning and a new one begun. One that was named is refused
     * and left alone, as is a file that is no store. NULL after adding an error. */
    sq_db *(*open)(const char *path, sq_diags *d);
    /* Returns the number of trials of an existing store, without changing it; 0 if it does not
     * exist. -1 after adding an error. */
    long (*look)(const char *path, sq_diags *d);
    /* The row is on disk when it returns, even if the process crashes afterwards. -1 after adding
     * an error. */
    int (*put)(sq_db *db, const sq_trial *row, sq_diags *d);
    /* Calls f for every row that equals `like` in all its fields that are not NULL (except point
     * and sample), oldest first. Returns their number, -1 after adding an error. */
    int (*get)(sq_db *db, const sq_trial *like, sq_row_fn f, void *user, sq_diags *d);
    /* Begins a transaction: all rows that are put are on disk when `end` returns, or none if that
     * does not keep it. -1 after adding an error. */
    int (*begin)(sq_db *db, sq_diags *d);
    int (*end)(sq_db *db, bool keep, sq_diags *d);
    /* Returns 1 if the same trial exists, with its time and its timings; else 0; -1 after adding an
     * error. */
    int (*has)(sq_db *db, const sq_trial *row, sq_diags *d);
    /* Keeps the fastest `keep` trials for each combination of kernel, sizes, target, machine and
     * compiler. Returns the number of all that remain, -1 after adding an error. */
    long (*prune)(sq_db *db, long keep, sq_diags *d);
    sq_db *(*close)(sq_db *db);
} sq_store;

extern const sq_store sq_store_sqlite;
/* Returns $XDG_STATE_HOME/squall/samples.db, else a path below ~/.local/state; relative values are
 * ignored. */
void sq_store_default_path(char *to, size_t n);
/* Makes the parent folders of a file. */
void sq_make_parents(const char *path);
#endif
