/* Toolchain: the C compiler that builds candidates, the harness that runs them, and command lines
 * as lists of arguments (a shell is never involved). */
#ifndef SQ_TUNER_MEASURE_TOOLCHAIN_H
#define SQ_TUNER_MEASURE_TOOLCHAIN_H
#include "support/diag.h"
#include <stdbool.h>
#include <stddef.h>

enum { SQ_ARGV_MAX = 64 };

/* Arguments of a command, terminated by NULL. A zeroed one is empty. */
typedef struct sq_argv {
    char *word[SQ_ARGV_MAX + 1];
    int n;
} sq_argv;
void sq_argv_add(sq_argv *a, const char *word);
void sq_argv_printf(sq_argv *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds the arguments of a text, separated by blanks. */
void sq_argv_split(sq_argv *a, const char *words);
void sq_argv_free(sq_argv *a);
/* Adds the run-time library of -fopenmp, if that is among the flags: the default libraries are
 * omitted. */
void sq_argv_openmp(sq_argv *a, const sq_argv *compiler, const char *cflags);

/* Adds the compiler (cc, else $CC, else "cc"; may have arguments) with the flags for all
 * candidates. -1 after adding an error if there is no such program on PATH. */
int sq_compiler_words(const char *cc, const char *cflags, sq_argv *to, sq_diags *d);
/* Adds the compiler without those flags. */
int sq_compiler_command(const char *cc, sq_argv *to, sq_diags *d);
/* Does the same for CUDA's compiler: cc, else $NVCC, else nvcc on PATH, in $CUDA_PATH/bin or in
 * /usr/local/cuda/bin; with the flags for all candidates, for a C++ compiler's host part. */
int sq_nvcc_words(const char *cc, const char *cflags, sq_argv *to, sq_diags *d);
/* Returns the command only; false: there is none. */
bool sq_nvcc_command(const char *cc, char *to, size_t n);
/* Returns the first line of `cc --version`, for records; "" if there is none. */
void sq_compiler_version(const char *cc, char *to, size_t n);
/* Returns the line of `nvcc --version` with its release; "" without one. */
void sq_nvcc_version(const char *cc, char *to, size_t n);
/* True if there is a program of that name (or path). */
bool sq_is_on_path(const char *name);
/* Finds the first existing one of the places, which are relative to the tool's folder and
 * terminated by NULL. */
bool sq_installed_find(const char *const *places, char *to, size_t n);
/* Finds the path of squall-harness: `given`, else $SQUALL_HARNESS, else beside the tool or in its
 * libexec. */
int sq_harness_find(const char *given, char *to, size_t n, sq_diags *d);
#endif
