/* squall check K.cu: the text, rewritten as C++ (cuda_text.c), is compiled with the headers of
 * runtime/simt and run as a program of its own: every thread on the processor, every access looked
 * at. What it found and counted comes back in files; the exit code says whether there was anything.
 */
#include "cli/check_cuda.h"
#include "cli/cuda_parts.h"
#include "support/file.h"
#include "support/nearest.h"
#include "tuner/child.h"
#include "tuner/toolchain.h"
#include "tuner/workdir.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double build_seconds = 120, run_seconds = 600;

struct check {
    const sq_settings *o;
    sq_diags *d;
    const char *file;
    const char *arch; /* "80" */
    char simt[1024], dir[256];
    sq_argv compiler;
    sq_child_end end;
};

bool sq_is_cuda_text(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".cu") == 0;
}

/* ---- what is needed ---- */

/* What --target may say of CUDA text, and the device that is played. */
static const struct arch {
    const char *target, *number;
} arches[] = {{"cuda", "90"}, {"cuda,arch=sm_80", "80"}, {"cuda,arch=sm_90", "90"}};
enum { ARCHES = sizeof arches / sizeof *arches };

static int read_target(struct check *c)
{
    const char *target = c->o->target ? c->o->target : arches[0].target, *names[ARCHES];
    for (size_t i = 0; i < ARCHES; i++) {
        names[i] = arches[i].target;
        c->arch = strcmp(target, names[i]) == 0 ? arches[i].number : c->arch;
    }
    if (c->arch)
        return 0;
    const char *nearest = sq_nearest(target, names, ARCHES);
    sq_error(c->d, SQ_FAULT_USAGE, sq_settings_loc(c->o, "target"),
             "CUDA text is not checked for the target '%s'", target);
    sq_help(c->d, SQ_NOWHERE, "write --target=%s", nearest ? nearest : arches[1].target);
    return -1;
}

static int find_compiler(struct check *c)
{
    static const char *const names[] = {"g++", "clang++", "clang++-19", "clang++-18", "clang++-17"};
    const char *env = getenv("CXX"), *given = c->o->cc ? c->o->cc : env && *env ? env : NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !given; i++)
        if (sq_is_on_path(names[i]))
            given = names[i];
    if (given)
        sq_argv_split(&c->compiler, given);
    if (c->compiler.n && sq_is_on_path(c->compiler.word[0]))
        return 0;
    sq_error(c->d, SQ_FAULT_WORLD, SQ_NOWHERE, "there is no C++ compiler '%s'",
             given ? given : "g++");
    sq_help(c->d, SQ_NOWHERE,
            "install g++ or clang++, or name one with --cc=COMMAND or CXX=COMMAND");
    return -1;
}

static int find_runtime(struct check *c)
{
    static const char *const places[] = {"simt", "../libexec/squall/simt", NULL};
    const char *env = getenv("SQUALL_SIMT");
    if (env && *env)
        snprintf(c->simt, sizeof c->simt, "%s", env);
    else if (!sq_installed_find(places, c->simt, sizeof c->simt))
        return sq_error(c->d, SQ_FAULT_WORLD, SQ_NOWHERE,
                        "the headers and the library that run CUDA text are missing; they are "
                        "installed with squall on x86-64 and aarch64 (SQUALL_SIMT=DIR names them)");
    return 0;
}

/* ---- building ---- */

static void add_list(sq_argv *a, const char *flag, const sq_list *l)
{
    for (int i = 0; i < l->n; i++)
        sq_argv_printf(a, "%s%s", flag, l->item[i]);
}

/* Vectorised loops would be counted as what they are not; the optimiser's other work is what makes
 * the accesses those of the device. */
static const char flags[] =
    "-std=c++17 -O1 -gdwarf-4 -w -pipe -fsanitize=thread -fno-tree-vectorize -fno-builtin-fmaf "
    "-fno-builtin-fma -ffp-contract=off -fno-exceptions -include cuda_runtime.h";

static int build(struct check *c)
{
    char source[300], program[300];
    snprintf(source, sizeof source, "%s/0.cpp", c->dir);
    snprintf(program, sizeof program, "%s/program", c->dir);
    if (sq_cuda_parts(c->file, &c->o->include, c->dir, c->d) != 0)
        return -1;
    sq_argv *a = &c->compiler;
    sq_argv_split(a, flags);
    if (strstr(a->word[0], "clang"))
        sq_argv_split(a, "-fno-slp-vectorize -mllvm -tsan-instrument-read-before-write=1 "
                         "-mllvm -tsan-distinguish-volatile=1");
    else
        sq_argv_split(a, "--param tsan-distinguish-volatile=1");
    sq_argv_printf(a, "-I%s/include", c->simt);
    add_list(a, "-I", &c->o->include);
    add_list(a, "-D", &c->o->define);
    add_list(a, "-U", &c->o->undefine);
    add_list(a, "", &c->o->clang);
    const char *rest[] = {"-c", source, "-o"};
    for (size_t i = 0; i < 3; i++)
        sq_argv_add(a, rest[i]);
    sq_argv_printf(a, "%s.o", program);
    sq_child_run(a->word, build_seconds, &c->end);
    if (c->end.status == 0 && c->end.started && !c->end.timed_out) {
        sq_argv link = {0};
        sq_argv_add(&link, a->word[0]);
        sq_argv_printf(&link, "%s.o", program);
        sq_argv_printf(&link, "%s/libsquall-simt.a", c->simt);
        sq_argv_split(&link, "-Wl,--wrap=fmaf,--wrap=fma -lm -o");
        sq_argv_add(&link, program);
        sq_child_run(link.word, build_seconds, &c->end);
        sq_argv_free(&link);
    }
    if (c->end.status == 0 && c->end.started && !c->end.timed_out)
        return 0;
    fprintf(stderr, "%s", c->end.err);
    return sq_error(c->d, c->end.started ? SQ_FAULT_INPUT : SQ_FAULT_WORLD, SQ_NOWHERE,
                    "%s is not accepted by %s (its messages are above)", c->file,
                    c->compiler.word[0]);
}

/* ---- running ---- */

static int run(struct check *c)
{
    sq_argv a = {0};
    sq_argv_add(&a, "env");
    sq_argv_printf(&a, "SQUALL_SIMT_TEXT=%s/report.txt", c->dir);
    sq_argv_printf(&a, "SQUALL_SIMT_JSON=%s/report.json", c->dir);
    sq_argv_printf(&a, "SQUALL_SIMT_ARCH=%s", c->arch);
    sq_argv_printf(&a, "%s/program", c->dir);
    sq_child_run(a.word, c->o->budget > 0 ? c->o->budget : run_seconds, &c->end);
    sq_argv_free(&a);
    if (!c->end.started)
        return sq_error(c->d, SQ_FAULT_WORLD, SQ_NOWHERE, "%s", c->end.err);
    if (c->end.timed_out)
        return sq_error(c->d, SQ_FAULT_INPUT, SQ_NOWHERE,
                        "%s did not end in time (--budget=TIME gives it more)", c->file);
    return 0;
}

static json_t *read_report(struct check *c)
{
    char path[300];
    json_error_t why;
    snprintf(path, sizeof path, "%s/report.json", c->dir);
    json_t *report = json_load_file(path, 0, &why);
    if (!report)
        sq_error(c->d, SQ_FAULT_INPUT, SQ_NOWHERE, "%s ended without a report: %.200s", c->file,
                 c->end.err);
    return report;
}

static int print_text(struct check *c)
{
    char path[300];
    snprintf(path, sizeof path, "%s/report.txt", c->dir);
    char *text = sq_file_read(c->d, path, NULL);
    if (!text)
        return -1;
    fputs(c->end.out, stdout);
    fputs(c->end.err, stderr);
    fputs(text, stdout);
    free(text);
    return 0;
}

static void print_json(struct check *c, json_t *report)
{
    json_object_set_new(report, "file", json_string(c->file));
    json_object_set_new(report, "exit_status", json_integer(c->end.status));
    json_t *output = json_string(c->end.out); /* none when it is no UTF-8 */
    json_object_set_new(report, "output", output ? output : json_null());
    json_dumpf(report, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    putchar('\n');
}

static int report(struct check *c)
{
    json_t *r = read_report(c);
    if (!r)
        return -1;
    size_t findings = json_array_size(json_object_get(r, "findings"));
    size_t launches = json_array_size(json_object_get(r, "launches"));
    int rc = 0;
    if (c->o->json)
        print_json(c, r);
    else
        rc = print_text(c);
    json_decref(r);
    if (rc == 0 && findings)
        rc = sq_error(c->d, SQ_FAULT_INPUT, SQ_NOWHERE, "%s: %zu finding%s", c->file, findings,
                      findings == 1 ? "" : "s");
    else if (rc == 0 && (c->end.status || c->end.signal))
        rc = sq_error(c->d, SQ_FAULT_INPUT, SQ_NOWHERE, "%s: the program exited with %d", c->file,
                      (int)c->end.status);
    else if (rc == 0 && launches == 0)
        rc = sq_error(c->d, SQ_FAULT_INPUT, SQ_NOWHERE,
                      "%s: the program launches no kernel: nothing was checked", c->file);
    return rc;
}

int sq_check_cuda(const sq_settings *o, sq_diags *d)
{
    struct check *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    c->o = o;
    c->d = d;
    c->file = o->files.item[0];
    int rc = read_target(c) < 0 || find_compiler(c) < 0 || find_runtime(c) < 0 ||
                     sq_workdir_open(c->dir, sizeof c->dir, d) < 0
                 ? -1
                 : 0;
    if (rc == 0)
        rc = build(c);
    if (rc == 0)
        rc = run(c);
    if (rc == 0)
        rc = report(c);
    if (c->dir[0])
        sq_workdir_close(c->dir);
    sq_argv_free(&c->compiler);
    free(c);
    return rc;
}
