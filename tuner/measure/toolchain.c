/* Toolchain: finds programs and builds command lines. See toolchain.h. */
#include "tuner/measure/toolchain.h"
#include "support/memory.h"
#include "tuner/measure/child.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take(sq_argv *a, char *word)
{
    sq_allocated(word);
    if (a->n == SQ_ARGV_MAX) {
        free(word);
        return;
    }
    a->word[a->n++] = word;
    a->word[a->n] = NULL;
}

void sq_argv_add(sq_argv *a, const char *word)
{
    take(a, strdup(word));
}

void sq_argv_printf(sq_argv *a, const char *format, ...)
{
    va_list args;
    char *word = NULL;
    va_start(args, format);
    if (vasprintf(&word, format, args) < 0)
        word = NULL;
    va_end(args);
    take(a, word);
}

void sq_argv_split(sq_argv *a, const char *words)
{
    while (*(words += strspn(words, " \t"))) {
        size_t n = strcspn(words, " \t");
        take(a, strndup(words, n));
        words += n;
    }
}

void sq_argv_free(sq_argv *a)
{
    while (a->n > 0) {
        free(a->word[--a->n]);
        a->word[a->n] = NULL;
    }
}

void sq_argv_openmp(sq_argv *a, const sq_argv *compiler, const char *cflags)
{
    if (cflags && strstr(cflags, "-fopenmp"))
        sq_argv_add(a, strstr(compiler->word[0], "clang") ? "-lomp" : "-lgomp");
}

static int is_program(const char *path)
{
    return access(path, X_OK) == 0;
}

bool sq_is_on_path(const char *name)
{
    char file[PATH_MAX];
    const char *at = getenv("PATH");
    if (strchr(name, '/'))
        return is_program(name);
    for (; at && *at; at += strcspn(at, ":"), at += *at == ':') {
        snprintf(file, sizeof file, "%.*s/%s", (int)strcspn(at, ":"), at, name);
        if (is_program(file))
            return true;
    }
    return false;
}

static const char *command_of(const char *cc)
{
    const char *env = getenv("CC");
    return cc && *cc ? cc : env && *env ? env : "cc";
}

int sq_compiler_command(const char *cc, sq_argv *to, sq_diags *d)
{
    const char *command = command_of(cc);
    sq_argv_split(to, command);
    if (to->n == 0 || !sq_is_on_path(to->word[0])) {
        sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "there is no C compiler '%s'", command);
        sq_help(d, SQ_NOWHERE, "install gcc or clang, or name one with --cc=COMMAND or CC=COMMAND");
        return -1;
    }
    return 0;
}

int sq_compiler_words(const char *cc, const char *cflags, sq_argv *to, sq_diags *d)
{
    if (sq_compiler_command(cc, to, d) != 0)
        return -1;
    sq_argv_split(to, cflags ? cflags : "");
    /* Without start files and default libraries linking takes half as long. */
    sq_argv_split(to, "-pipe -shared -fPIC -nostdlib");
    return 0;
}

bool sq_nvcc_command(const char *cc, char *to, size_t n)
{
    const char *env = getenv("NVCC"), *toolkit = getenv("CUDA_PATH");
    const char *given = cc && *cc ? cc : env && *env ? env : NULL;
    snprintf(to, n, "%s", given ? given : "nvcc");
    if (!given && !sq_is_on_path(to) && toolkit && *toolkit)
        snprintf(to, n, "%s/bin/nvcc", toolkit);
    if (!given && !sq_is_on_path(to))
        snprintf(to, n, "/usr/local/cuda/bin/nvcc");
    sq_argv words = {0};
    sq_argv_split(&words, to);
    bool found = words.n > 0 && sq_is_on_path(words.word[0]);
    if (!given && !found)
        snprintf(to, n, "nvcc");
    sq_argv_free(&words);
    return found;
}

int sq_nvcc_words(const char *cc, const char *cflags, sq_argv *to, sq_diags *d)
{
    char command[PATH_MAX];
    if (!sq_nvcc_command(cc, command, sizeof command)) {
        sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "there is no CUDA compiler '%s'", command);
        sq_help(d, SQ_NOWHERE,
                "install CUDA's toolkit, or name its nvcc with --cc=COMMAND or NVCC=COMMAND");
        return -1;
    }
    sq_argv_split(to, command);
    sq_argv_split(to, cflags ? cflags : "");
    sq_argv_split(to, "-w -shared -Xcompiler -fPIC");
    return 0;
}

/* Copies the line of its version output that contains the word. */
static void version_of(const char *command, const char *word, char *to, size_t n)
{
    sq_child_end end = {0};
    sq_argv a = {0};
    sq_argv_split(&a, command);
    sq_argv_add(&a, "--version");
    sq_child_run(a.word, 10, &end);
    sq_argv_free(&a);
    const char *line = strstr(end.out, word);
    while (line && line > end.out && line[-1] != '\n')
        line--;
    snprintf(to, n, "%.*s", line ? (int)strcspn(line, "\n") : 0, line ? line : "");
    sq_child_end_free(&end);
}

void sq_compiler_version(const char *cc, char *to, size_t n)
{
    version_of(command_of(cc), "", to, n);
}

void sq_nvcc_version(const char *cc, char *to, size_t n)
{
    char command[PATH_MAX];
    sq_nvcc_command(cc, command, sizeof command);
    version_of(command, "release", to, n);
}

bool sq_installed_find(const char *const *places, char *to, size_t n)
{
    char self[PATH_MAX], path[PATH_MAX + 64], plain[PATH_MAX]; /* plain: without ".." */
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    char *slash = strrchr(self, '/');
    for (; slash && *places; places++) {
        snprintf(path, sizeof path, "%.*s/%s", (int)(slash - self), self, *places);
        if (access(path, R_OK) != 0)
            continue;
        snprintf(to, n, "%s", realpath(path, plain) ? plain : path);
        return true;
    }
    return false;
}

int sq_harness_find(const char *given, char *to, size_t n, sq_diags *d)
{
    static const char *const places[] = {"squall-harness", "../libexec/squall/squall-harness",
                                         "../../squall-harness", NULL};
    const char *env = getenv("SQUALL_HARNESS");
    if (!given && env && *env)
        given = env;
    if (given && is_program(given)) {
        snprintf(to, n, "%s", given);
        return 0;
    }
    if (given)
        return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot run %s", given);
    if (sq_installed_find(places, to, n))
        return 0;
    sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "squall-harness, which runs candidates, is missing");
    sq_help(d, SQ_NOWHERE, "it is installed with squall; SQUALL_HARNESS=PATH names another one");
    return -1;
}
