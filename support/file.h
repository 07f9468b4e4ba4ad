/* Files: read whole, written whole or not at all. */
#ifndef SQ_SUPPORT_FILE_H
#define SQ_SUPPORT_FILE_H
#include "support/diag.h"
#include <stddef.h>

/* The file's bytes, terminated, malloced (caller frees), length in *n if n is not NULL. NULL after
 * adding an error (SQ_FAULT_WORLD with errno's text). "-" reads standard input. */
char *sq_file_read(sq_diags *d, const char *path, size_t *n);
/* Writes to a temporary file beside path and renames; "-" writes to standard output. With
 * if_changed, leaves a file with the same bytes untouched. Returns -1 after adding an error. */
int sq_file_write(sq_diags *d, const char *path, const char *text, size_t n, int if_changed);
int sq_file_exists(const char *path);

/* A set of outputs that appears whole or not at all: all temporaries are written before the first
 * rename. */
typedef struct sq_outputs sq_outputs;
sq_outputs *sq_outputs_new(void);
void sq_outputs_add(sq_outputs *o, const char *path, const char *text, size_t n);
/* Writes everything; frees o either way. Returns -1 after adding an error. */
int sq_outputs_commit(sq_outputs *o, sq_diags *d, int if_changed);
void sq_outputs_free(sq_outputs *o);
#endif
