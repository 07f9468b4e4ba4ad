/* Run: main of a batch of candidates, natively or under an emulator. Reads the manifest
 *
 *     case <kernel> <spec file>  makes arrays, lets the kernel's naive nest fill the expected ones
 *     run <candidate>            calls a candidate on the case before, twice: every array against
 *                                the end of its mapping, then against its start and with another
 *                                number of threads; the results must be the same, bit for bit
 *
 * and prints one line for every candidate that is wrong. A crash is told by a child's end: the
 * parent goes on behind it. */
#include "runtime/case.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void entry(void *const *arg);
extern entry *const squall_candidates[], *const squall_references[];

enum { MOST_CANDIDATES = 4096 };

/* Shared with the child. */
static struct progress {
    long offset; /* in the manifest: the line being worked on */
    long ran, failed;
    int candidate;
    char bad[MOST_CANDIDATES]; /* wrong once is enough */
} * shared;

static sq_case current;
static int must_be_finite; /* of this program's cases: --finite */

static void fail(int candidate, const char *why)
{
    printf("wrong %d %s\n", candidate, why);
    fflush(stdout);
    shared->failed++;
    shared->bad[candidate] = 1;
}

static int start_case(int kernel, const char *spec)
{
    char why[400] = "";
    sq_case_free(&current);
    if (sq_case_read(&current, spec, why) < 0 || sq_case_map(&current, "exec.data", 1, why) < 0 ||
        sq_case_place(&current, SQ_PLACE_ALIGNED, why) < 0) {
        printf("broken case %s: %s\n", spec, why);
        exit(3);
    }
    squall_references[kernel](current.arg);
    sq_case_keep(&current);
    if (must_be_finite && sq_case_finite(&current, why) < 0) {
        printf("broken case %s: %s\n", spec, why);
        exit(3);
    }
    return 0;
}

/* All outputs, one after the other. */
static unsigned char *outputs(size_t *bytes)
{
    *bytes = 0;
    for (int i = 0; i < current.nparams; i++)
        if (current.param[i].kind == 'a' && current.param[i].role != 'i')
            *bytes += current.param[i].bytes;
    unsigned char *all = malloc(*bytes + 1), *to = all;
    for (int i = 0; all && i < current.nparams; i++)
        if (current.param[i].kind == 'a' && current.param[i].role != 'i') {
            memcpy(to, current.param[i].at, current.param[i].bytes);
            to += current.param[i].bytes;
        }
    if (!all)
        exit(2);
    return all;
}

/* What nobody wrote is what was there before, another pattern at every place. */
static int differ(unsigned char *const before[2], unsigned char *const after[2], size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (after[0][i] != after[1][i] &&
            !(after[0][i] == before[0][i] && after[1][i] == before[1][i]))
            return 1;
    return 0;
}

extern void omp_set_num_threads(int threads) __attribute__((weak));
/* Of a library for several targets: the one in use. */
extern const char *squall_isa(void) __attribute__((weak));

/* True if SQUALL_ISA asks for no other target than the one in use. */
static int is_as_forced(void)
{
    const char *wanted = getenv("SQUALL_ISA");
    if (!squall_isa || !wanted || strcmp(wanted, squall_isa()) == 0)
        return 1;
    printf("SQUALL_ISA=%s, and %s is used\n", wanted, squall_isa());
    return 0;
}

static int run_at(int candidate, sq_place place, int threads, unsigned char **before,
                  unsigned char **after, size_t *bytes)
{
    char why[400] = "";
    double error;
    int ok = sq_case_place(&current, place, why) == 0;
    if (ok) {
        *before = outputs(bytes);
        if (omp_set_num_threads)
            omp_set_num_threads(threads);
        squall_candidates[candidate](current.arg);
        *after = outputs(bytes);
        ok = sq_case_check(&current, &error, why) == 0;
    }
    if (!ok)
        fail(candidate, why);
    return ok;
}

static void run(int candidate)
{
    static const sq_place places[] = {SQ_PLACE_END, SQ_PLACE_START};
    unsigned char *before[2] = {NULL, NULL}, *after[2] = {NULL, NULL};
    size_t bytes = 0;
    int done = 0;
    shared->ran++;
    while (done < 2 &&
           run_at(candidate, places[done], done + 2, &before[done], &after[done], &bytes))
        done++;
    if (done == 2 && differ(before, after, bytes))
        fail(candidate, "another result with three threads than with two");
    for (int i = 0; i < 2; i++) {
        free(before[i]);
        free(after[i]);
    }
}

static void crashed(int signal, siginfo_t *info, void *context)
{
    char where[200] = "";
    (void)context;
    if (!sq_case_locate(&current, info->si_addr, where, sizeof where))
        strcpy(where, "at an address of no array");
    printf("wrong %d crashed with signal %d, %s\n", shared->candidate, signal, where);
    fflush(stdout);
    shared->failed++;
    shared->bad[shared->candidate] = 1;
    _exit(99);
}

static void child(FILE *manifest)
{
    struct sigaction act = {0};
    act.sa_sigaction = crashed;
    act.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &act, NULL);
    sigaction(SIGBUS, &act, NULL);
    sigaction(SIGILL, &act, NULL);
    sigaction(SIGFPE, &act, NULL);
    char line[512], spec[400], last_spec[400] = "";
    int n, last_kernel = 0;
    long skip = shared->offset;
    rewind(manifest);
    while (fgets(line, sizeof line, manifest)) {
        long at = ftell(manifest);
        if (sscanf(line, "case %d %399s", &n, spec) == 2) {
            last_kernel = n;
            strcpy(last_spec, spec);
            if (at > skip)
                start_case(n, spec);
        } else if (sscanf(line, "run %d", &n) == 1 && at > skip && !shared->bad[n]) {
            if (shared->offset == skip && skip > 0 && !current.nparams)
                start_case(last_kernel, last_spec);
            shared->offset = at;
            shared->candidate = n;
            alarm(60);
            run(n);
        }
    }
    exit(0);
}

int main(int argc, char **argv)
{
    FILE *manifest = argc > 1 ? fopen(argv[1], "r") : NULL;
    must_be_finite = argc > 2 && strcmp(argv[2], "--finite") == 0;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!manifest || shared == MAP_FAILED || !is_as_forced())
        return 2;
    for (;;) {
        int status;
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0)
            child(manifest);
        waitpid(pid, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 3)
            return 3;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 99) {
            printf("wrong %d ended with status %d\n", shared->candidate, status);
            shared->failed++;
            shared->bad[shared->candidate] = 1;
        }
    }
    printf("ran %ld failed %ld\n", shared->ran, shared->failed);
    return 0;
}
