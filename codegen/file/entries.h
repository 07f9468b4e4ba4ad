/* Entries: the entry points of K in a file with several implementations of it: a table with a row for each
 * implementation, and functions that call those of one row.
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
    const char **guard;  /* the condition under which a row exists, or ""; NULL: all exist */
    const char *what;    /* "for each target" */
    const char *number;  /* the selected row, as C text of K's sizes */
    bool refuses;        /* `number` may be negative, for sizes that no row accepts */
    const char *linkage; /* of K and the rest: "static ", or "" */
    const char *api;     /* as sq_emit_options has it */
    bool tasks;          /* there is K_on */
    bool has_header;     /* the file includes a header that declares them */
    bool has_k;          /* K exists; otherwise only K_in and the others do */
    bool has_codes;      /* K is `int K` */
} sq_entries;

void sq_entries_print(const sq_entries *x, sq_text *to);
/* Append "#if guard" and its end; nothing for "". */
void sq_guard_begin(const char *guard, sq_text *to);
void sq_guard_end(const char *guard, sq_text *to);
/* Appends declarations of the functions of all rows, for a header. */
void sq_entries_declare_rows(const sq_entries *x, sq_text *to);
#endif
