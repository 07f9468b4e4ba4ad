/* Device probe: see device_probe.h. The program is tuner/device/device_probe.cu; its lines are
 * parsed here. */
#include "tuner/device/device_probe.h"
#include "support/memory.h"
#include "tuner/measure/child.h"
#include "tuner/device/device_file.h"
#include "tuner/measure/toolchain.h"
#include "tuner/measure/workdir.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char sq_device_program[]; /* tuner/device/device_probe.cu */

enum { INSUFFICIENT_DRIVER = 35, NO_DEVICE = 100 }; /* values of cudaError_t */
static const double patience = 60;
static const double reached = 0.9; /* share of the memory's bandwidth that copies reach */

/* What the program prints beside the name, "NAME NUMBER" each. */
struct told {
    int64_t multiprocessors, clock_khz, memory_khz, bus_bits, l2, shared, shared_block, registers,
        threads, blocks, devices, major, minor, driver, memory;
};

struct asking {
    sq_probe *to;
    sq_arena *arena;
    double seconds;
    sq_workdir dir;
    char name[256];
    struct told told;
    sq_child_end end;
};

__attribute__((format(printf, 3, 4))) static int fail(sq_probe *to, sq_probe_state state,
                                                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    to->state = state;
    vsnprintf(to->message, sizeof to->message, format, args);
    va_end(args);
    return -1;
}

static bool runs(struct asking *p, sq_argv *a)
{
    sq_child_run(a->word, p->seconds, &p->end);
    sq_argv_free(a);
    return p->end.started && !p->end.timed_out && p->end.status == 0 && !p->end.signal;
}

/* Copies the first message of a child that failed. */
static const char *said(const struct asking *p, char *to, size_t n)
{
    const char *text = p->end.timed_out ? "it took too long" : p->end.err;
    if (!*text && p->end.signal)
        text = strsignal(p->end.signal);
    snprintf(to, n, "%.*s", (int)strcspn(text, "\n"), text);
    return to;
}

static int build(struct asking *p, const char *command)
{
    char path[300], why[200];
    sq_argv a = {0};
    snprintf(path, sizeof path, "%s/probe.cu", p->dir.path);
    if (sq_workdir_write(path, sq_device_program) < 0)
        return fail(p->to, SQ_PROBE_UNUSABLE, "cannot write %s", path);
    sq_argv_add(&a, "env");
    sq_argv_printf(&a, "TMPDIR=%s", p->dir.path);
    sq_argv_split(&a, command);
    sq_argv_split(&a, "-w -o");
    sq_argv_printf(&a, "%s/probe", p->dir.path);
    sq_argv_add(&a, path);
    if (runs(p, &a))
        return 0;
    return fail(p->to, SQ_PROBE_NO_COMPILER, "%s builds no program: %s", command,
                said(p, why, sizeof why));
}

/* ---- its output ---- */

static void read_figure(struct asking *p, const char *line)
{
    struct told *t = &p->told;
    const struct {
        const char *name;
        int64_t *at;
    } figures[] = {{"major", &t->major},
                   {"minor", &t->minor},
                   {"multiprocessors", &t->multiprocessors},
                   {"clock_khz", &t->clock_khz},
                   {"memory_khz", &t->memory_khz},
                   {"bus_bits", &t->bus_bits},
                   {"l2_bytes", &t->l2},
                   {"shared_bytes", &t->shared},
                   {"block_shared_bytes", &t->shared_block},
                   {"registers", &t->registers},
                   {"threads", &t->threads},
                   {"blocks", &t->blocks},
                   {"devices", &t->devices},
                   {"driver", &t->driver},
                   {"memory_bytes", &t->memory}};
    size_t n = strcspn(line, " ");
    const char *value = line + n + (line[n] == ' ');
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (strlen(figures[i].name) == n && strncmp(line, figures[i].name, n) == 0)
            *figures[i].at = strtoll(value, NULL, 10);
    if (n == 4 && strncmp(line, "name", 4) == 0)
        snprintf(p->name, sizeof p->name, "%s", value);
}

static int read_error(sq_probe *to, const char *line)
{
    char *text;
    long number = strtol(line, &text, 10);
    sq_probe_state state = number == INSUFFICIENT_DRIVER ? SQ_PROBE_NO_DRIVER
                           : number == NO_DEVICE         ? SQ_PROBE_NO_DEVICE
                                                         : SQ_PROBE_UNUSABLE;
    return fail(to, state, "%s (%ld,%.200s)",
                state == SQ_PROBE_NO_DRIVER
                    ? "there is no driver of a CUDA device, or too old a one"
                : state == SQ_PROBE_NO_DEVICE ? "there is no CUDA device"
                                              : "the CUDA device cannot be used",
                number, text);
}

static int read_reply(struct asking *p)
{
    char *rest = NULL;
    for (char *line = strtok_r(p->end.out, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "error ", 6) == 0)
            return read_error(p->to, line + 6);
        read_figure(p, line);
    }
    if (p->name[0] && p->told.major > 0)
        return 0;
    return fail(p->to, SQ_PROBE_UNUSABLE,
                "the program that asks the CUDA device says nothing of it");
}

/* Code for an architecture runs on it and on later ones; code for a name that ends in a letter
 * ("sm_90a") only on that one. */
static int check_arch(struct asking *p, const char *arch)
{
    char *end;
    long wants = strtol(arch + strcspn(arch, "0123456789"), &end, 10);
    int64_t has = p->told.major * 10 + p->told.minor;
    if (has == wants || (has > wants && !*end))
        return 0;
    return fail(p->to, SQ_PROBE_TOO_OLD,
                "the device, %s, is of sm_%" PRId64 " and does not run what is built for %s",
                p->name, has, arch);
}

/* Sets the multiply-adds of a multiprocessor per cycle, which drivers do not report. */
static void put_rates(sq_device *d, int64_t arch)
{
    bool is_for_science = arch % 10 == 0 && arch < 120; /* 8.0, 9.0, 10.0: the large chips */
    d->fma_f32 = arch == 80 ? 64 : 128;
    d->fma_f64 = arch == 80 ? 32 : is_for_science ? 64 : 2;
    d->fma_tensor = is_for_science ? d->fma_tensor : 512;
}

/* Takes a figure if it is reported. */
#define TAKE(to, from)                                                                             \
    do                                                                                             \
        if ((from) > 0)                                                                            \
            (to) = (from);                                                                         \
    while (0)

static void describe(struct asking *p, const char *arch)
{
    /* for an unknown architecture */
    static const sq_device unknown = {
        .multiprocessors = 1, .ghz = 1, .fma_tensor = 1024, .l2_cycle = 24};
    const struct told *t = &p->told;
    sq_probe *to = p->to;
    const sq_device *like = sq_device_known(arch);
    sq_device *d = &to->device;
    *d = like ? *like : unknown;
    d->name = sq_arena_strdup(p->arena, p->name);
    d->arch = sq_arena_strdup(p->arena, arch);
    d->l2_cycle *= t->multiprocessors > 0 ? (double)t->multiprocessors / d->multiprocessors : 1;
    put_rates(d, t->major * 10 + t->minor);
    TAKE(d->multiprocessors, (int)t->multiprocessors);
    TAKE(d->ghz, 1e-6 * (double)t->clock_khz);
    TAKE(d->threads, (int)t->threads);
    TAKE(d->blocks, (int)t->blocks);
    TAKE(d->registers, (int)t->registers);
    TAKE(d->shared, t->shared);
    TAKE(d->shared_block, t->shared_block);
    TAKE(d->l2, t->l2);
    TAKE(d->bandwidth, reached * 2e3 * (double)t->memory_khz * (double)t->bus_bits / 8 * 1e-9);
    to->devices = (int)t->devices;
    to->major = (int)t->major;
    to->minor = (int)t->minor;
    to->driver = (int)t->driver;
    to->memory = t->memory;
    to->memory_khz = (int)t->memory_khz;
    to->bus_bits = (int)t->bus_bits;
}

static int run(struct asking *p)
{
    char why[200];
    sq_argv a = {0};
    sq_argv_printf(&a, "%s/probe", p->dir.path);
    if (!runs(p, &a))
        return fail(p->to, SQ_PROBE_UNUSABLE,
                    "the program that asks the CUDA device ends badly: %s",
                    said(p, why, sizeof why));
    return read_reply(p);
}

static int ask(struct asking *p, const char *cc, const char *arch)
{
    char command[1024];
    if (!sq_nvcc_command(cc, command, sizeof command))
        return fail(p->to, SQ_PROBE_NO_COMPILER, "there is no CUDA compiler '%s'", command);
    sq_diags *d = sq_diags_new();
    bool opened = sq_workdir_open(&p->dir, d) == 0;
    int rc = opened ? 0 : fail(p->to, SQ_PROBE_UNUSABLE, "%s", sq_diags_message(d, 0));
    sq_diags_free(d);
    if (rc == 0 && (rc = build(p, command)) == 0)
        rc = run(p);
    sq_workdir_close(&p->dir);
    return rc == 0 ? check_arch(p, arch) : -1;
}

int sq_device_probe(const char *cc, const char *arch, double seconds, sq_arena *arena, sq_probe *to)
{
    struct asking *p = sq_allocated(calloc(1, sizeof *p));
    memset(to, 0, sizeof *to);
    *p = (struct asking){.to = to, .arena = arena, .seconds = seconds > 0 ? seconds : patience};
    int rc = ask(p, cc, arch);
    if (rc == 0)
        describe(p, arch);
    sq_child_end_free(&p->end);
    free(p);
    return rc;
}
