/* Store: the evidence. Every trial ever made, with what it was made on; a cache for --resume and a
 * record for people, never an input of `compile`. */
#ifndef SQ_TUNER_STORE_STORE_H
#define SQ_TUNER_STORE_STORE_H
#include "tuner/measure/runner.h"
#include <stdbool.h>

/* One trial. Strings of a row got from a store live until the callback returns. */
typedef struct sq_row {
    const char *kernel;      /* name */
    const char *kernel_hash; /* what it computes (sq_kernel_hash) */
    const char *sizes;       /* "M=512,N=512,K=512" */
    const char *target;      /* "avx512" or "avx512,openmp" */
    const char *machine_class;
    const char *machine;  /* fingerprint of the exact machine */
    const char *compiler; /* version and flags */
    const char *script;
    const char *point; /* "3,0,7": where it lay in the space it was drawn from, or "" */
    const char *tool, *who; /* version of squall, user; put fills those that are NULL */
    sq_sample sample;
    int64_t when; /* seconds since 1970; 0: put fills it */
} sq_row;

typedef struct sq_db sq_db;
typedef void (*sq_row_fn)(const sq_row *row, void *user);
typedef struct sq_store {
    const char *name, *doc;
    /* path NULL: the default place, whose directories are made. A damaged store, or one of a newer
     * version, is set aside with a warning and a new one begun; a file that is no store is left
     * alone and refused. NULL after adding an error. */
    sq_db *(*open)(const char *path, sq_diags *d);
    /* The number of trials of the store that is there, which is only read; 0 where there is none yet.
     * -1 after adding an error. */
    long (*look)(const char *path, sq_diags *d);
    /* On disk when it returns, whatever happens to the process then. -1 after adding an error. */
    int (*put)(sq_db *db, const sq_row *row, sq_diags *d);
    /* Calls f for every row that equals `like` in all its fields that are not NULL (but point and
     * sample), oldest first. Returns their number, -1 after adding an error. */
    int (*get)(sq_db *db, const sq_row *like, sq_row_fn f, void *user, sq_diags *d);
    /* All that is put from now on is on disk when `end` returns, or, where that is not to keep it, nothing of it. -1
     * after adding an error. */
    int (*begin)(sq_db *db, sq_diags *d);
    int (*end)(sq_db *db, bool keep, sq_diags *d);
    /* 1 if the same trial is there, with its time and its timings; 0; -1 after adding an error. */
    int (*has)(sq_db *db, const sq_row *row, sq_diags *d);
    /* Of each kernel, sizes, target, machine and compiler the fastest `keep` trials stay. Their number in all, -1 after
     * adding an error. */
    long (*prune)(sq_db *db, long keep, sq_diags *d);
    sq_db *(*close)(sq_db *db);
} sq_store;

/* All rows, ended by NULL. */
extern const sq_store *const sq_stores[];
const sq_store *sq_store_get(const char *name);
extern const sq_store sq_store_sqlite;
/* $XDG_STATE_HOME/squall/samples.db, else below ~/.local/state; relative values are ignored. */
void sq_store_default_path(char *to, size_t n);
/* Makes the folders above a file. */
void sq_make_parents(const char *path);
#endif
