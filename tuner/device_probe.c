/* Device probe: see device_probe.h. The program is tuner/device_probe.cu, and its lines are read
 * here. */
#include "tuner/device_probe.h"
#include "tuner/child.h"
#include "tuner/toolchain.h"
#include "tuner/workdir.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char sq_device_program[]; /* tuner/device_probe.cu */

enum { INSUFFICIENT_DRIVER = 35, NO_DEVICE = 100 }; /* of cudaError_t */
static const double patience = 60;

struct probe {
    sq_device *to;
    double seconds;
    char dir[256];
    sq_child_end end;
};

__attribute__((format(printf, 3, 4))) static int fail(sq_device *to, sq_device_state state,
                                                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    to->state = state;
    vsnprintf(to->message, sizeof to->message, format, args);
    va_end(args);
    return -1;
}

static bool runs(struct probe *p, sq_argv *a)
{
    sq_child_run(a->word, p->seconds, &p->end);
    sq_argv_free(a);
    return p->end.started && !p->end.timed_out && p->end.status == 0 && !p->end.signal;
}

/* What a child that did not end well said first. */
static const char *said(const struct probe *p, char *to, size_t n)
{
    const char *text = p->end.timed_out ? "it took too long" : p->end.err;
    if (!*text && p->end.signal)
        text = strsignal(p->end.signal);
    snprintf(to, n, "%.*s", (int)strcspn(text, "\n"), text);
    return to;
}

static int build(struct probe *p, const char *command)
{
    char path[300], why[200];
    sq_argv a = {0};
    snprintf(path, sizeof path, "%s/probe.cu", p->dir);
    if (sq_workdir_write(path, sq_device_program) < 0)
        return fail(p->to, SQ_DEVICE_UNUSABLE, "cannot write %s", path);
    sq_argv_add(&a, "env");
    sq_argv_printf(&a, "TMPDIR=%s", p->dir);
    sq_argv_split(&a, command);
    sq_argv_split(&a, "-w -o");
    sq_argv_printf(&a, "%s/probe", p->dir);
    sq_argv_add(&a, path);
    if (runs(p, &a))
        return 0;
    return fail(p->to, SQ_DEVICE_NO_COMPILER, "%s builds no program: %s", command,
                said(p, why, sizeof why));
}

/* ---- its answer ---- */

static void read_figure(sq_device *to, const char *line)
{
    const struct {
        const char *name;
        int64_t *at;
    } figures[] = {{"major", &to->major},
                   {"minor", &to->minor},
                   {"multiprocessors", &to->multiprocessors},
                   {"clock_khz", &to->clock_khz},
                   {"memory_khz", &to->memory_khz},
                   {"bus_bits", &to->bus_bits},
                   {"l2_bytes", &to->l2_bytes},
                   {"shared_bytes", &to->shared_bytes},
                   {"block_shared_bytes", &to->block_shared_bytes},
                   {"registers", &to->registers},
                   {"threads", &to->threads},
                   {"blocks", &to->blocks},
                   {"devices", &to->devices},
                   {"driver", &to->driver},
                   {"memory_bytes", &to->memory_bytes}};
    size_t n = strcspn(line, " ");
    const char *value = line + n + (line[n] == ' ');
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (strlen(figures[i].name) == n && strncmp(line, figures[i].name, n) == 0)
            *figures[i].at = strtoll(value, NULL, 10);
    if (n == 4 && strncmp(line, "name", 4) == 0)
        snprintf(to->name, sizeof to->name, "%s", value);
}

static int read_error(sq_device *to, const char *line)
{
    char *text;
    long number = strtol(line, &text, 10);
    sq_device_state state = number == INSUFFICIENT_DRIVER ? SQ_DEVICE_NO_DRIVER
                            : number == NO_DEVICE         ? SQ_DEVICE_NONE
                                                          : SQ_DEVICE_UNUSABLE;
    return fail(to, state, "%s (%ld,%.200s)",
                state == SQ_DEVICE_NO_DRIVER
                    ? "there is no driver of a CUDA device, or too old a one"
                : state == SQ_DEVICE_NONE ? "there is no CUDA device"
                                          : "the CUDA device cannot be used",
                number, text);
}

static int read_answer(struct probe *p)
{
    char *rest = NULL;
    for (char *line = strtok_r(p->end.out, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "error ", 6) == 0)
            return read_error(p->to, line + 6);
        read_figure(p->to, line);
    }
    sq_device *d = p->to;
    d->bandwidth = 2e3 * (double)d->memory_khz * (double)d->bus_bits / 8 * 1e-9;
    if (d->name[0] && d->major > 0)
        return 0;
    return fail(d, SQ_DEVICE_UNUSABLE, "the program that asks the CUDA device says nothing of it");
}

/* Code for an architecture runs on it and on later ones; of a name that ends in a letter
 * ("sm_90a"), there alone. */
static int check_arch(sq_device *d, const char *arch)
{
    char *end;
    long wants = arch ? strtol(arch + strcspn(arch, "0123456789"), &end, 10) : 0;
    int64_t has = d->major * 10 + d->minor;
    if (!arch || has == wants || (has > wants && !*end))
        return 0;
    return fail(d, SQ_DEVICE_TOO_OLD,
                "the device, %s, is of sm_%" PRId64 " and does not run what is built for %s",
                d->name, has, arch);
}

static int run(struct probe *p)
{
    char why[200];
    sq_argv a = {0};
    sq_argv_printf(&a, "%s/probe", p->dir);
    if (!runs(p, &a))
        return fail(p->to, SQ_DEVICE_UNUSABLE,
                    "the program that asks the CUDA device ends badly: %s",
                    said(p, why, sizeof why));
    return read_answer(p);
}

int sq_device_probe(const char *cc, const char *arch, double seconds, sq_device *to)
{
    char command[1024];
    struct probe *p = calloc(1, sizeof *p);
    sq_diags *d = sq_diags_new();
    if (!p)
        abort();
    memset(to, 0, sizeof *to);
    *p = (struct probe){.to = to, .seconds = seconds > 0 ? seconds : patience};
    int rc = 0;
    bool found = sq_nvcc_command(cc, command, sizeof command);
    bool opened = found && sq_workdir_open(p->dir, sizeof p->dir, d) == 0;
    if (!found)
        rc = fail(to, SQ_DEVICE_NO_COMPILER, "there is no CUDA compiler '%s'", command);
    else if (!opened)
        rc = fail(to, SQ_DEVICE_UNUSABLE, "%s", sq_diags_message(d, 0));
    if (rc == 0 && (rc = build(p, command)) == 0 && (rc = run(p)) == 0)
        rc = check_arch(to, arch);
    if (opened)
        sq_workdir_close(p->dir);
    sq_diags_free(d);
    free(p);
    return rc;
}
