/* Program: the whole of bench-gemm and bench-conv but their lists. Library threads are limited by
 * environment variables that the libraries read when they are loaded, hence the second start. */
#include "bench/program.h"
#include "bench/ours.h"
#include "bench/peak.h"
#include "bench/report.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_OURS = 8, EXIT_USAGE = 64, EXIT_ENVIRONMENT = 3 };
static const char mark[] = "SQUALL_BENCH_STARTED";
/* Rounding of sums of 4608 terms stays a hundred times below, a forgotten term far above. */
static const double wrong = 1e-4;

static void usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [--list] [--only=SHAPE]... [--kernels=DIR] [--seconds=S] "
            "[--json|--markdown]\n"
            "bench/run builds the kernels and calls this.\n",
            program);
    exit(EXIT_USAGE);
}

static const char *value(const char *arg, const char *option)
{
    size_t n = strlen(option);
    return strncmp(arg, option, n) == 0 && arg[n] == '=' ? arg + n + 1 : NULL;
}

static void options(bench_program *b, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *v;
        if (strcmp(argv[i], "--json") == 0)
            b->json = true;
        else if (strcmp(argv[i], "--markdown") == 0)
            b->markdown = true;
        else if (strcmp(argv[i], "--list") == 0)
            b->list = true;
        else if ((v = value(argv[i], "--kernels")))
            b->kernels = v;
        else if ((v = value(argv[i], "--seconds")))
            b->seconds = atof(v);
        else if ((v = value(argv[i], "--only")) && b->nonly < BENCH_MAX_ONLY)
            b->only[b->nonly++] = v;
        else
            usage(argv[0]);
    }
}

static void start_again(char **argv, int threads)
{
    static const char *const counts[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                                         "BLIS_NUM_THREADS", NULL};
    char n[16];
    if (getenv(mark))
        return;
    snprintf(n, sizeof n, "%d", threads);
    for (int i = 0; counts[i]; i++)
        setenv(counts[i], n, 1);
    setenv(mark, "1", 1);
    execv("/proc/self/exe", argv);
    perror("/proc/self/exe");
    exit(EXIT_ENVIRONMENT);
}

/* To the last processor we may use: the first one gets most interrupts. */
static void pin(void)
{
    cpu_set_t may, one;
    if (sched_getaffinity(0, sizeof may, &may) != 0)
        return;
    int cpu = CPU_SETSIZE - 1;
    while (cpu > 0 && !CPU_ISSET(cpu, &may))
        cpu--;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void open_rivals(bench_program *b)
{
    for (int i = 0; bench_rivals[i] && b->nrivals < BENCH_MAX_RIVALS; i++) {
        const bench_rival *r = bench_rivals[i];
        const char *why = r->open(b->version[b->nrivals], sizeof b->version[0]);
        if (why)
            fprintf(stderr, "%s takes no part: %s\n", r->name, why);
        else
            b->rival[b->nrivals++] = r;
    }
}

void bench_program_open(bench_program *b, int argc, char **argv, int threads)
{
    *b = (bench_program){.kernels = ".", .seconds = 3, .threads = threads};
    options(b, argc, argv);
    if (b->list)
        return;
    start_again(argv, threads);
    if (threads == 1)
        pin();
    open_rivals(b);
}

bool bench_program_wants(const bench_program *b, const bench_problem *p)
{
    for (int i = 0; i < b->nonly; i++)
        if (strcmp(b->only[i], p->id) == 0)
            return true;
    return b->nonly == 0;
}

void bench_program_list(const bench_program *b, const bench_problem *list)
{
    for (; list->id; list++) {
        char words[256];
        bench_problem_words(list, words, sizeof words);
        if (bench_program_wants(b, list))
            printf("%s %s\n", list->id, words);
    }
}

double bench_program_try(bench_problem *p, void (*call)(void *), void *state)
{
    bench_problem_spoil(p);
    /* gemm reads its output, times 0; the naive loops would make NaNs of NaNs. */
    if (!p->is_conv)
        memset(p->c, 0, p->nc * sizeof *p->c);
    call(state);
    return bench_problem_error(p);
}

static void add(bench_contest *t, bench_problem *p, bench_kind kind, const char *name,
                void (*call)(void *), void *state)
{
    double error = bench_program_try(p, call, state);
    if (error > wrong)
        fprintf(stderr, "%s: %s computes wrongly (error %.1g) and takes no part\n", p->id, name,
                error);
    else
        bench_contest_add(t, kind, name, bench_problem_flops(p), call, state, error);
}

/* Opened states of convolutions, by rival; gemm needs none. */
static void add_rivals(const bench_program *b, bench_contest *t, bench_problem *p, void **state)
{
    for (int i = 0; i < b->nrivals; i++) {
        const bench_rival *r = b->rival[i];
        state[i] = p->is_conv && r->conv_open ? r->conv_open(p) : NULL;
        if (state[i])
            add(t, p, BENCH_RIVAL, r->name, r->conv, state[i]);
        else if (!p->is_conv && r->gemm)
            add(t, p, BENCH_RIVAL, r->name, r->gemm, p);
    }
}

static void contest(bench_program *b, bench_contest *t, bench_problem *p)
{
    bench_ours ours[MAX_OURS];
    void *state[BENCH_MAX_RIVALS] = {NULL};
    int n = bench_ours_open(p, b->kernels, ours, MAX_OURS);
    snprintf(t->id, sizeof t->id, "%s", p->id);
    bench_contest_add(t, BENCH_PEAK, "peak", bench_peak_flops(), bench_peak_call, NULL, -1);
    for (int i = 0; i < n; i++)
        add(t, p, strcmp(ours[i].label, "naive") == 0 ? BENCH_NAIVE : BENCH_OURS, ours[i].label,
            bench_ours_call, &ours[i]);
    add_rivals(b, t, p, state);
    bench_contest_run(t, b->seconds, true);
    for (int i = 0; i < b->nrivals; i++)
        if (state[i])
            b->rival[i]->conv_close(state[i]);
    bench_ours_close(ours, n);
}

int bench_program_run(bench_program *b, const bench_problem *list)
{
    if (b->list) {
        bench_program_list(b, list);
        return 0;
    }
    bench_report_head(b, list[0].is_conv);
    for (; list->id && b->ncontests < BENCH_MAX_SHAPES; list++) {
        if (!bench_program_wants(b, list))
            continue;
        bench_problem *p = &b->problem[b->ncontests];
        *p = *list;
        if (bench_problem_open(p) != 0) {
            fprintf(stderr, "%s: out of memory\n", p->id);
            return EXIT_ENVIRONMENT;
        }
        contest(b, &b->contest[b->ncontests], p);
        bench_problem_close(p);
        bench_report_row(b, b->ncontests++);
    }
    bench_report_end(b);
    return 0;
}
