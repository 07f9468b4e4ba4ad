/* Entries: K and what belongs to it, where several functions in the file do what it does, each in its
 * way: a table with a row for each of them, and functions that call those of one row.
 *
 *     static const struct sq_K_row { ... } sq_K_rows[] = {{K_avx2, K_avx2_in, ...}, {K_generic, ...}};
 *     void K(...) { sq_K_rows[number].k(...); }       K_in, K_workspace, K_accepts, K_on
 */
#ifndef SQ_CODEGEN_FILE_ENTRIES_H
#define SQ_CODEGEN_FILE_ENTRIES_H
#include "codegen/emit.h"

typedef struct sq_entries {
    const sq_kernel *k;
    const char *function; /* K */
    int n;
    const char **row;    /* "K_avx2" */
    const char **guard;  /* of a row: the condition under which it is there, or ""; NULL: all are */
    const char *what;    /* "for each target" */
    const char *number;  /* the row to take, as C text of K's sizes */
    bool refuses;        /* it may be negative: sizes that no row takes */
    const char *linkage; /* of K and the rest: "static ", or "" */
    const char *api;     /* as sq_emit_options has it */
    bool tasks;          /* there is K_on */
    bool has_header;     /* which the file includes and which declares them */
    bool has_k;          /* else there are K_in and the rest alone */
    bool has_codes;      /* K is `int K` */
} sq_entries;

void sq_entries_print(const sq_entries *x, sq_text *to);
/* The functions of all rows, as a header declares them. */
void sq_entries_declare_rows(const sq_entries *x, sq_text *to);
#endif
