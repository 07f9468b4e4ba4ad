/* Simt: see simt.h. The text is rewritten as C++ (cuda_text.c), compiled to assembly, instrumented
 * with counters of its flops (simt_flops.c), and linked. A run reports its findings in files. */
#include "tuner/measure/simt.h"
#include "tuner/measure/cuda_parts.h"
#include "tuner/measure/simt_flops.h"
#include "support/file.h"
#include "tuner/measure/workdir.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double build_seconds = 120, run_seconds = 600;

/* ---- tools ---- */

static int find_compiler(sq_simt *s)
{
    static const char *const names[] = {"g++", "clang++", "clang++-19", "clang++-18", "clang++-17"};
    const char *env = getenv("CXX"), *given = s->o.cc ? s->o.cc : env && *env ? env : NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !given; i++)
        if (sq_is_on_path(names[i]))
            given = names[i];
    if (given)
        sq_argv_split(&s->compiler, given);
    if (s->compiler.n && sq_is_on_path(s->compiler.word[0]))
        return 0;
    sq_error(s->d, SQ_FAULT_WORLD, SQ_NOWHERE, "there is no C++ compiler '%s'",
             given ? given : "g++");
    sq_help(s->d, SQ_NOWHERE,
            "install g++ or clang++, or name one with --cc=COMMAND or CXX=COMMAND");
    return -1;
}

static int find_runtime(sq_simt *s)
{
    static const char *const places[] = {"simt", "../libexec/squall/simt", NULL};
    const char *env = getenv("SQUALL_SIMT");
    char library[sizeof s->runtime + 32];
    if (env && *env) {
        snprintf(s->runtime, sizeof s->runtime, "%s", env);
        snprintf(library, sizeof library, "%s/libsquall-simt.a", s->runtime);
        if (!sq_file_exists(library))
            return sq_error(s->d, SQ_FAULT_WORLD, SQ_NOWHERE,
                            "SQUALL_SIMT=%s does not have the library that runs CUDA text: there "
                            "is no %s",
                            s->runtime, library);
    } else if (!sq_installed_find(places, s->runtime, sizeof s->runtime))
        return sq_error(s->d, SQ_FAULT_WORLD, SQ_NOWHERE,
                        "the headers and the library that run CUDA text are missing; they are "
                        "installed with squall on x86-64 and aarch64 (SQUALL_SIMT=DIR names them)");
    return 0;
}

int sq_simt_open(sq_simt *s, const sq_simt_options *o, const sq_target *t, sq_diags *d)
{
    memset(s, 0, sizeof *s);
    s->o = *o;
    s->d = d;
    s->arch = t->grid->arch;
    if (find_compiler(s) < 0 || find_runtime(s) < 0)
        return -1;
    return sq_workdir_open(&s->dir, d);
}

void sq_simt_close(sq_simt *s)
{
    sq_workdir_close(&s->dir);
    sq_argv_free(&s->compiler);
    sq_child_end_free(&s->end);
}

/* ---- building ---- */

/* Vectorised loops would be counted wrongly; other optimizations are needed so that the accesses
 * are those of the device. Of what -g describes, addr2line reads the lines alone. */
static const char flags[] =
    "-std=c++17 -O1 -gdwarf-4 -g1 -w -pipe -fsanitize=thread -fno-tree-vectorize -fno-builtin-fmaf "
    "-fno-builtin-fma -ffp-contract=off -fno-exceptions -include cuda_runtime.h -S";

static void add_list(sq_argv *a, const char *flag, const sq_list *l)
{
    for (int i = 0; i < l->n; i++)
        sq_argv_printf(a, "%s%s", flag, l->item[i]);
}

/* Adds the arguments with which all calls of the compiler begin. */
static void begin_command(const sq_simt *s, sq_argv *a)
{
    for (int i = 0; i < s->compiler.n; i++)
        sq_argv_add(a, s->compiler.word[i]);
}

/* Returns false if it cannot run, or fails. */
static bool runs(sq_simt *s, sq_argv *a, double seconds)
{
    sq_child_run(a->word, seconds, &s->end);
    sq_argv_free(a);
    return s->end.status == 0 && s->end.started && !s->end.timed_out && !s->end.signal;
}

/* A sum in memory that is kept in a register during its loop would be read before the loop, even if
 * the text never reads it: gcc from 12 on has an option against that. */
static void keep_stores(sq_simt *s, sq_argv *to)
{
    static const char flag[] = "-fno-move-loop-stores";
    sq_argv a = {0};
    begin_command(s, &a);
    sq_argv_add(&a, flag);
    sq_argv_split(&a, "-E -x c++ /dev/null");
    if (runs(s, &a, build_seconds))
        sq_argv_add(to, flag);
}

static bool compile(sq_simt *s)
{
    sq_argv a = {0};
    begin_command(s, &a);
    sq_argv_split(&a, flags);
    if (strstr(a.word[0], "clang"))
        sq_argv_split(&a, "-fno-slp-vectorize -mllvm -tsan-instrument-read-before-write=1 "
                          "-mllvm -tsan-distinguish-volatile=1");
    else
        sq_argv_split(&a, "--param tsan-distinguish-volatile=1");
    keep_stores(s, &a);
    sq_argv_printf(&a, "-I%s/include", s->runtime);
    add_list(&a, "-I", &s->o.include);
    add_list(&a, "-D", &s->o.define);
    add_list(&a, "-U", &s->o.undefine);
    add_list(&a, "", &s->o.rest);
    sq_argv_printf(&a, "%s/0.cpp", s->dir.path);
    sq_argv_split(&a, "-o");
    sq_argv_printf(&a, "%s/plain.s", s->dir.path);
    return runs(s, &a, build_seconds);
}

static int count_flops(sq_simt *s)
{
    char from[300], upto[300];
    sq_text counted = {0};
    snprintf(from, sizeof from, "%s/plain.s", s->dir.path);
    snprintf(upto, sizeof upto, "%s/program.s", s->dir.path);
    size_t n;
    char *assembly = sq_file_read(s->d, from, &n);
    if (!assembly)
        return -1;
    for (size_t i = 0; i < n; i++) /* clang's comments contain the characters of bytes */
        assembly[i] = assembly[i] ? assembly[i] : ' ';
    sq_simt_count_flops(assembly, &counted);
    free(assembly);
    int rc = sq_workdir_write(upto, sq_text_str(&counted));
    sq_text_free(&counted);
    return rc < 0 ? sq_error(s->d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot write %s", upto) : 0;
}

static bool link_program(sq_simt *s)
{
    sq_argv a = {0};
    begin_command(s, &a);
    sq_argv_printf(&a, "%s/program.s", s->dir.path);
    sq_argv_printf(&a, "%s/libsquall-simt.a", s->runtime);
    sq_argv_split(&a, "-Wl,--wrap=fmaf,--wrap=fma -lm -o");
    sq_argv_printf(&a, "%s/program", s->dir.path);
    return runs(s, &a, build_seconds);
}

int sq_simt_build(sq_simt *s, const char *file, const char *name)
{
    if (sq_cuda_parts(file, name, &s->o.include, s->dir.path, s->d) != 0)
        return -1;
    bool built = compile(s);
    if (built && count_flops(s) < 0)
        return -1;
    if (built && link_program(s))
        return 0;
    if (!s->o.is_quiet)
        fprintf(stderr, "%s", s->end.err);
    return sq_error(s->d, s->end.started ? SQ_FAULT_INPUT : SQ_FAULT_WORLD, SQ_NOWHERE,
                    "%s is not accepted by %s (its messages are above)", name, s->compiler.word[0]);
}

/* ---- running ---- */

int sq_simt_run(sq_simt *s, const char *name, const char *const *args)
{
    sq_argv a = {0};
    sq_argv_add(&a, "env");
    sq_argv_printf(&a, "SQUALL_SIMT_TEXT=%s/report.txt", s->dir.path);
    sq_argv_printf(&a, "SQUALL_SIMT_JSON=%s/report.json", s->dir.path);
    sq_argv_printf(&a, "SQUALL_SIMT_ARCH=%s", s->arch + strlen("sm_"));
    if (s->dry)
        sq_argv_printf(&a, "SQUALL_SIMT_DRY=%s", s->dry);
    sq_argv_printf(&a, "%s/program", s->dir.path);
    for (; args && *args; args++)
        sq_argv_add(&a, *args);
    runs(s, &a, s->o.seconds > 0 ? s->o.seconds : run_seconds);
    if (!s->end.started)
        return sq_error(s->d, SQ_FAULT_WORLD, SQ_NOWHERE, "%s", s->end.err);
    if (s->end.timed_out)
        return sq_error(s->d, SQ_FAULT_INPUT, SQ_NOWHERE,
                        "%s did not end in time (--budget=TIME gives it more)", name);
    return 0;
}

json_t *sq_simt_report(sq_simt *s, const char *name)
{
    char path[300];
    json_error_t why;
    snprintf(path, sizeof path, "%s/report.json", s->dir.path);
    json_t *report = json_load_file(path, 0, &why);
    if (!report)
        sq_error(s->d, SQ_FAULT_INPUT, SQ_NOWHERE, "%s ended without a report: %.200s", name,
                 s->end.err);
    remove(path); /* the next run writes its own */
    return report;
}

char *sq_simt_report_text(sq_simt *s)
{
    char path[300];
    snprintf(path, sizeof path, "%s/report.txt", s->dir.path);
    return sq_file_read(s->d, path, NULL);
}
