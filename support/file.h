/* Files: read whole, written whole or not at all. */
#ifndef SQ_SUPPORT_FILE_H
#define SQ_SUPPORT_FILE_H
#include "support/diag.h"
#include <stddef.h>

/* The file's bytes, terminated, malloced (caller frees), length in *n if n is not NULL. NULL after
 * adding an error: SQ_FAULT_WORLD with errno's text, or SQ_FAULT_INPUT when it has more than
 * SQ_MOST_FILE_BYTES. "-" reads standard input. A pipe of another name, whose writer may be silent for ever,
 * is waited for SQ_MOST_PIPE_SECONDS at most. */
char *sq_file_read(sq_diags *d, const char *path, size_t *n);
/* The same of a file that nobody named, found beside another: a pipe or a device in its place is an
 * error, since it may never end. */
char *sq_file_read_regular(sq_diags *d, const char *path, size_t *n);
/* The same of a file that a program of ours wrote, up to `most` bytes. */
char *sq_file_read_made(sq_diags *d, const char *path, size_t most, size_t *n);
/* Writes to a temporary file beside path and renames; "-" writes to standard output. With
 * if_changed, leaves a file with the same bytes untouched. Returns -1 after adding an error. */
int sq_file_write(sq_diags *d, const char *path, const char *text, size_t n, int if_changed);
/* 1 if there is anything of that name, also a link whose target is missing; else 0. */
int sq_file_exists(const char *path);
/* Adds the error for a file that cannot be read or written ("read", "write"), as errno says why;
 * names the directory that is missing, and where a link leads that leads nowhere. Returns -1. */
int sq_file_refuse(sq_diags *d, const char *what, const char *path);
/* Renames a file to PATH.bad-N, the first that is not there; the new name goes to `to`. -1 with
 * errno set. */
int sq_file_set_aside(const char *path, char *to, size_t n);

/* A set of outputs that appears whole or not at all: all temporaries are written before the first
 * rename. */
typedef struct sq_outputs sq_outputs;
sq_outputs *sq_outputs_new(void);
void sq_outputs_add(sq_outputs *o, const char *path, const char *text, size_t n);
/* Writes everything; frees o either way. Returns -1 after adding an error. */
int sq_outputs_commit(sq_outputs *o, sq_diags *d, int if_changed);
void sq_outputs_free(sq_outputs *o);
/* Removes the temporaries of a commit under way; for a handler of signals. */
void sq_outputs_remove_temporaries(void);
#endif
