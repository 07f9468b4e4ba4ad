/* Toolchain: the C compiler that builds candidates, the harness that runs them, and command lines
 * as lists of words (no shell is ever involved). */
#ifndef SQ_TUNER_MEASURE_TOOLCHAIN_H
#define SQ_TUNER_MEASURE_TOOLCHAIN_H
#include "support/diag.h"
#include <stdbool.h>
#include <stddef.h>

enum { SQ_ARGV_MAX = 64 };

/* Words of a command, ended by NULL. A zeroed one is empty. */
typedef struct sq_argv {
    char *word[SQ_ARGV_MAX + 1];
    int n;
} sq_argv;
void sq_argv_add(sq_argv *a, const char *word);
void sq_argv_printf(sq_argv *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds the words of a text parted by blanks. */
void sq_argv_split(sq_argv *a, const char *words);
void sq_argv_free(sq_argv *a);
/* The run-time library of -fopenmp, if that is among the flags: the default ones are left out. */
void sq_argv_openmp(sq_argv *a, const sq_argv *compiler, const char *cflags);

/* The compiler (cc, else $CC, else "cc"; may have arguments) with the flags every candidate is
 * built with. -1 after adding an error when there is no such program on PATH. */
int sq_compiler_words(const char *cc, const char *cflags, sq_argv *to, sq_diags *d);
/* Its words without those flags. */
int sq_compiler_command(const char *cc, sq_argv *to, sq_diags *d);
/* The same of CUDA's compiler: cc, else $NVCC, else nvcc on PATH, in $CUDA_PATH/bin or in
 * /usr/local/cuda/bin; with the flags that every candidate is built with, for a C++ compiler's
 * host part. */
int sq_nvcc_words(const char *cc, const char *cflags, sq_argv *to, sq_diags *d);
/* The command alone; false: there is none. */
bool sq_nvcc_command(const char *cc, char *to, size_t n);
/* First line of `cc --version`, for the records; "" if it does not say. */
void sq_compiler_version(const char *cc, char *to, size_t n);
/* The line of `nvcc --version` that has its release; "" without one. */
void sq_nvcc_version(const char *cc, char *to, size_t n);
/* True if there is a program of that name (or path). */
bool sq_is_on_path(const char *name);
/* First of the places, relative to the tool's folder and ended by NULL, that is there. */
bool sq_installed_find(const char *const *places, char *to, size_t n);
/* Path of squall-harness: `given`, else $SQUALL_HARNESS, else beside the tool or in its libexec. */
int sq_harness_find(const char *given, char *to, size_t n, sq_diags *d);
#endif
