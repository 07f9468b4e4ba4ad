/* What check, bench and tune need, and what this machine is: rows of `squall doctor`. */
#include "cli/doctor.h"
#include "codegen/isa/target.h"
#include "tuner/measure/child.h"
#include "tuner/device/device_probe.h"
#include "tuner/device/machine_host.h"
#include "tuner/measure/simt.h"
#include "tuner/search/search.h"
#include "tuner/store/store.h"
#include "tuner/measure/toolchain.h"
#include "tuner/measure/workdir.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SECONDS = 30 };
#define DEVICE_SECONDS 60.0

static const char plain[] =
    "#include <stdio.h>\nint main(void) { return printf(\"%d\", 42) != 2; }\n";
static const char threads[] =
    "#include <omp.h>\n#include <stdio.h>\nint main(void)\n{\n    int n = 0;\n"
    "#pragma omp parallel reduction(+ : n)\n    n += 1;\n"
    "    return printf(\"%d\", n) < 1 || n != omp_get_max_threads();\n}\n";

/* A program of the text; -1 with why. */
static int build(const sq_doctor *x, const char *source, const char *program, const char *text,
                 const char *flags, char *why, size_t n)
{
    sq_diags *d = sq_diags_new();
    sq_child_end end = {0};
    sq_argv a = {0};
    int bad = sq_compiler_command(x->o->cc, &a, d);
    if (bad)
        snprintf(why, n, "%s; %s", sq_doctor_message(d, SQ_ERROR), sq_doctor_message(d, SQ_HELP));
    remove(source);
    if (!bad && (bad = sq_workdir_write(source, text)))
        snprintf(why, n, "'%.300s' cannot be written", source);
    if (!bad) {
        sq_argv_split(&a, flags);
        sq_argv_add(&a, "-o");
        sq_argv_add(&a, program);
        sq_argv_add(&a, source);
        sq_child_run(a.word, SECONDS, &end);
        bad = !end.started || end.status != 0 || end.signal ? -1 : 0;
        if (bad)
            sq_child_first_error(&end, why, n);
    }
    sq_argv_free(&a);
    sq_child_end_free(&end);
    sq_diags_free(d);
    return bad;
}

/* What a program that is built of the text prints; "" with why, if it is not built or does not end
 * well. */
static void build_and_run(const sq_doctor *x, const sq_workdir *w, const char *text,
                          const char *flags, char *out, char *why, size_t n)
{
    char source[PATH_MAX], program[PATH_MAX];
    snprintf(source, sizeof source, "%s/doctor.c", w->path);
    snprintf(program, sizeof program, "%s/doctor", w->path);
    out[0] = why[0] = 0;
    if (build(x, source, program, text, flags, why, n) != 0)
        return;
    char *const run[] = {program, NULL};
    sq_child_end end = {0};
    sq_child_run(run, SECONDS, &end);
    if (end.started && end.status == 0 && !end.signal)
        snprintf(out, n, "%s", end.out);
    else if (!end.started)
        snprintf(why, n, "it builds no program: %s", end.err);
    else
        snprintf(why, n, "what it builds does not run: status %lld, signal %d",
                 (long long)end.status, end.signal);
    sq_child_end_free(&end);
}

static void check_compilers(sq_doctor *x)
{
    char out[400], why[400], version[200] = "";
    sq_workdir w = {0};
    sq_diags *d = sq_diags_new();
    if (sq_workdir_open(&w, d) != 0) {
        sq_doctor_error(x, "temporary", SQ_NEEDED_TO_MEASURE, d);
        sq_diags_free(d);
        return;
    }
    build_and_run(x, &w, plain, "", out, why, sizeof out);
    if (strcmp(out, "42") == 0) {
        sq_compiler_version(x->o->cc, version, sizeof version);
        sq_doctor_row(x, "C compiler", SQ_NEEDED_TO_MEASURE, SQ_HEALTH_OK,
                      "%s; builds a program that runs", version);
        build_and_run(x, &w, threads, "-fopenmp", out, why, sizeof out);
        if (out[0])
            sq_doctor_row(x, "OpenMP", SQ_NEEDED_BY_NONE, SQ_HEALTH_OK, "-fopenmp, %s threads",
                          out);
        else
            sq_doctor_row(x, "OpenMP", SQ_NEEDED_BY_NONE, SQ_HEALTH_ABSENT,
                          "-fopenmp builds nothing that runs: %s", why);
    } else {
        sq_doctor_row(x, "C compiler", SQ_NEEDED_TO_MEASURE, SQ_HEALTH_BROKEN, "%s", why);
    }
    sq_workdir_close(&w);
    sq_diags_free(d);
}

/* It is started: without a case to run it says so and ends. */
static void check_harness(sq_doctor *x)
{
    char path[PATH_MAX];
    sq_diags *d = sq_diags_new();
    sq_child_end end = {0};
    if (sq_harness_find(NULL, path, sizeof path, d) != 0) {
        sq_doctor_error(x, "harness", SQ_NEEDED_TO_MEASURE, d);
    } else {
        char *const run[] = {path, NULL};
        sq_child_run(run, SECONDS, &end);
        bool ok = end.started && end.err && strstr(end.err, "squall-harness");
        sq_doctor_row(x, "harness", SQ_NEEDED_TO_MEASURE, ok ? SQ_HEALTH_OK : SQ_HEALTH_BROKEN,
                      "%s%s", path, ok ? "" : " cannot be run");
    }
    sq_child_end_free(&end);
    sq_diags_free(d);
}

static void check_store(sq_doctor *x)
{
    sq_diags *d = sq_diags_new();
    char place[PATH_MAX];
    sq_store_default_path(place, sizeof place);
    if (x->o->store)
        snprintf(place, sizeof place, "%s", x->o->store);
    long n = sq_store_sqlite.look(place, d);
    if (n < 0)
        sq_doctor_error(x, "store", SQ_NEEDED_TO_MEASURE, d);
    else
        sq_doctor_row(x, "store", SQ_NEEDED_TO_MEASURE, SQ_HEALTH_OK, "%s, %ld trial%s", place, n,
                      n == 1 ? "" : "s");
    sq_diags_free(d);
}

/* What `check` runs CUDA text with, on the processor. */
static void check_simulator(sq_doctor *x)
{
    const sq_target *t = sq_targets;
    while (t->name && !t->grid)
        t++;
    if (!t->name)
        return;
    sq_diags *d = sq_diags_new();
    sq_simt s = {0};
    sq_simt_options o = {0};
    if (sq_simt_open(&s, &o, t, d) == 0)
        sq_doctor_row(x, "CUDA on CPU", SQ_NEEDED_BY_NONE, SQ_HEALTH_OK,
                      "%s and %s: `check --target=cuda` works without a device", s.compiler.word[0],
                      s.runtime);
    else
        sq_doctor_row(x, "CUDA on CPU", SQ_NEEDED_BY_NONE, SQ_HEALTH_ABSENT, "%s",
                      sq_diags_message(d, 0));
    sq_simt_close(&s);
    sq_diags_free(d);
}

static void check_ptxas(sq_doctor *x, const char *nvcc)
{
    char beside[PATH_MAX];
    const char *slash = strrchr(nvcc, '/');
    snprintf(beside, sizeof beside, "%.*sptxas", slash ? (int)(slash - nvcc + 1) : 0, nvcc);
    bool there = sq_is_on_path(beside) || sq_is_on_path("ptxas");
    sq_doctor_row(x, "ptxas", SQ_NEEDED_BY_NONE, there ? SQ_HEALTH_OK : SQ_HEALTH_ABSENT, "%s",
                  there ? "beside nvcc or on PATH" : "neither beside nvcc nor on PATH");
}

static void check_device(sq_doctor *x)
{
    char command[PATH_MAX], version[200];
    sq_probe p;
    if (!sq_nvcc_command(NULL, command, sizeof command)) {
        sq_doctor_row(x, "nvcc", SQ_NEEDED_BY_NONE, SQ_HEALTH_ABSENT,
                      "no '%s': CUDA files are written, checked on the processor, and not built "
                      "here",
                      command);
        return;
    }
    sq_nvcc_version(NULL, version, sizeof version);
    sq_doctor_row(x, "nvcc", SQ_NEEDED_BY_NONE, SQ_HEALTH_OK, "%s (%s)", version, command);
    check_ptxas(x, command);
    if (sq_device_probe(NULL, "sm_80", DEVICE_SECONDS, x->o->arena, &p) == 0)
        sq_doctor_row(x, "device", SQ_NEEDED_BY_NONE, SQ_HEALTH_OK,
                      "%s, compute capability %d.%d, %lld MiB, driver for CUDA %d.%d; %d visible",
                      p.device.name, p.major, p.minor, (long long)p.memory >> 20, p.driver / 1000,
                      p.driver % 1000 / 10, p.devices);
    else
        sq_doctor_row(x, "device", SQ_NEEDED_BY_NONE, SQ_HEALTH_ABSENT, "%s", p.message);
}

static void describe_host(sq_doctor *x)
{
    sq_host h;
    sq_diags *d = sq_diags_new();
    sq_host_get(&h, false, d);
    const sq_machine *m = &h.machine;
    sq_doctor_row(x, "machine", SQ_NEEDED_BY_NONE, SQ_HEALTH_OK, "%s, %d core%s at %.2f GHz", h.cpu,
                  m->cores, m->cores == 1 ? "" : "s", h.ghz);
    sq_doctor_row(x, "caches", SQ_NEEDED_BY_NONE, SQ_HEALTH_OK,
                  "L1 %lld KiB, L2 %lld KiB, L3 %lld KiB", (long long)m->l1 >> 10,
                  (long long)m->l2 >> 10, (long long)m->l3 >> 10);
    sq_doctor_row(x, "speed", SQ_NEEDED_BY_NONE, SQ_HEALTH_OK,
                  "%.1f GFLOP/s f32, %.1f f64, %.1f GB/s, of one core", m->peak_f32, h.peak_f64,
                  m->bandwidth);
    const char *why = sq_doctor_message(d, SQ_WARNING);
    if (why)
        sq_doctor_row(x, "cache", SQ_NEEDED_BY_NONE, SQ_HEALTH_ABSENT, "%s", why);
    sq_diags_free(d);
}

static double seconds_between(struct timespec a, struct timespec b)
{
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

/* The clock that measures: what a reading costs, and the smallest step seen. */
static void check_timer(sq_doctor *x)
{
    enum { READINGS = 2000 };
    struct timespec first, now, before;
    double step = 1;
    if (clock_gettime(CLOCK_MONOTONIC, &first) != 0) {
        sq_doctor_row(x, "timer", SQ_NEEDED_TO_MEASURE, SQ_HEALTH_BROKEN, "%s", strerror(errno));
        return;
    }
    before = first;
    for (int i = 0; i < READINGS; i++, before = now) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        double dt = seconds_between(before, now);
        step = dt > 0 && dt < step ? dt : step;
    }
    double each = seconds_between(first, before) / READINGS;
    bool coarse = step > 1e-5;
    sq_doctor_row(x, "timer", SQ_NEEDED_TO_MEASURE, coarse ? SQ_HEALTH_BROKEN : SQ_HEALTH_OK,
                  "a reading takes %.0f ns, the smallest step is %.0f ns%s", 1e9 * each, 1e9 * step,
                  coarse ? ": too coarse for kernels" : "");
}

/* What a search may need. */
static void check_searches(sq_doctor *x)
{
    for (const sq_search *const *s = sq_searches; *s; s++) {
        const char *lacks = (*s)->lacks ? (*s)->lacks() : NULL;
        if (lacks)
            sq_doctor_row(x, "searches", SQ_NEEDED_BY_NONE, SQ_HEALTH_ABSENT, "'%s' needs %s", (*s)->name, lacks);
    }
}

/* What draws the plots of --html. */
static void check_plots(sq_doctor *x)
{
    bool there = sq_is_on_path("gnuplot");
    sq_doctor_row(x, "plots", SQ_NEEDED_BY_NONE, there ? SQ_HEALTH_OK : SQ_HEALTH_ABSENT, "%s",
                  there ? "gnuplot" : "no gnuplot: pages of --html have tables alone");
}

void sq_doctor_tools(sq_doctor *x)
{
    check_timer(x);
    check_compilers(x);
    check_harness(x);
    check_store(x);
    check_searches(x);
    check_plots(x);
    check_simulator(x);
    check_device(x);
    describe_host(x);
}
