/* Harness: the child process that runs a candidate. It needs libc only, so that it starts in a
 * millisecond and a candidate cannot damage the tool.
 *
 *     squall-harness reference CASE DATA LIBRARY        makes DATA: inputs and expected outputs
 *     squall-harness check CASE DATA LIBRARY            one call, compared
 *     squall-harness measure CASE DATA LIBRARY [OLD]    compared, then timed, interleaved with OLD
 *     squall-harness rows ROWS NAIVE LIBRARY            each of its rows, compared with NAIVE
 *
 * followed by any of cpu=N seconds=X pairs=N place=end|start clock=wall full=1
 * best=SECONDS cpulimit=SECONDS memory=BYTES device=1 rows=N entry=NAME ran=FILE
 * ends=1.
 *
 *     squall-harness idle CPU COMMAND...        runs a command there at idle priority
 *
 * The reply is one line on standard output:
 *     ok ERROR CALL_SECONDS N times… NBASE times…       seconds of one call each
 *     wrong ERROR sentence        crashed sentence        lost sentence
 *
 * A candidate that ends without a reply has crashed. One that runs on a device (candidate.h) times
 * its calls itself and may give other replies than ok.
 *
 * ROWS is a text file: for each row, from 0, a line `row 0`, and for each of its cases a line `inputs` and a
 * spec in the format of CASE. The reply of `rows` is a line "ok ERROR SECONDS" for each, up to the first one
 * that is wrong.
 * All run in one process, each against data that it cannot write to. Two more replies there:
 *     slow sentence         a call used `seconds` of the processor
 *     unbuilt sentence      LIBRARY cannot be loaded
 *
 * With `ran` nothing is compared, and traps are reported as unaligned accesses: after all rows
 * "0110", a digit per block of a text that counts (candidate.h), is written to FILE. */
#define _GNU_SOURCE
#include "runtime/candidate.h"
#include "runtime/case.h"
#include "runtime/leak.h"
#include "runtime/harness_options.h"
#include "runtime/perturb.h"
#include "runtime/small.h"
#include "runtime/times.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { STACK_BYTES = 8 << 20 };  /* the default of user programs; squall's own stack is larger */
enum { MOST_BLOCKS = 64 << 20 }; /* of a text that counts */
/* Bytes that libc keeps after the library ends, and libgomp. */
enum { LIBC_KEEPS = 4096, LIBGOMP_KEEPS = 65536 };
enum { WIDEST_BYTES = 16 };            /* widest access of a device, which needs alignment */
static const double quick_call = 1e-4; /* calls up to this time are repeated to detect leaks */

static size_t in_use_before; /* before the first call */
static bool is_trapping;     /* the text traps on unaligned accesses */
static sq_case the_case;     /* global: the signal handler reads it */
static double (*volatile keeps_libm)(double, double) = pow; /* links pow, which candidates call */

/* Processor time of this thread: on a shared machine the wall clock also includes whatever else ran
 * in between, several times a batch's length. Candidates of several threads need the wall clock. */
static clockid_t the_clock = CLOCK_THREAD_CPUTIME_ID;

static double now(void)
{
    struct timespec t;
    clock_gettime(the_clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_wall(void)
{
    return the_clock == CLOCK_MONOTONIC;
}

/* ---- crashes ---- */

/* The beginning of the reply if a crash occurs now. */
static const char *volatile at_work = "crashed ";

static void say(const char *s)
{
    if (write(STDOUT_FILENO, s, strlen(s)) < 0)
        _exit(3);
}

static void on_crash(int sig, siginfo_t *info, void *context)
{
    char where[160] = "";
    (void)context;
    say(at_work);
    say(is_trapping && (sig == SIGILL || sig == SIGTRAP)
            ? "an access at an address that is not aligned as its type is"
        : sig == SIGSEGV ? "segmentation fault"
        : sig == SIGBUS  ? "bus error"
        : sig == SIGILL  ? "illegal instruction"
        : sig == SIGTRAP ? "trap"
        : sig == SIGFPE  ? "arithmetic exception"
                         : "abort");
    if ((sig == SIGSEGV || sig == SIGBUS) &&
        sq_case_locate(&the_case, info->si_addr, where, sizeof where)) {
        say(", ");
        say(where);
    }
    say("\n");
    _exit(2);
}

static void catch_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
    static unsigned char stack[65536];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

/* ---- limits ---- */

static void limit(int what, double value)
{
    struct rlimit r = {(rlim_t)value, (rlim_t)value};
    setrlimit((__rlimit_resource_t)what, &r);
}

static void set_limits(const sq_harness_options *o, int writes_data)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, ceil(o->cpulimit));
    if (!o->device)
        limit(RLIMIT_STACK, STACK_BYTES);
    if (!writes_data && !o->device)
        limit(RLIMIT_FSIZE, o->ran ? MOST_BLOCKS : 1 << 20);
    if (o->memory > 0)
        limit(RLIMIT_AS, o->memory);
    if (o->cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(o->cpu, &set);
        sched_setaffinity(0, sizeof set, &set);
    }
}

/* ---- timing ---- */

/* Ends with the candidate's error, if it has one. */
static void heed(const sq_candidate *c)
{
    const char *error = c->error ? c->error() : NULL;
    if (!error && c->memory)
        error = c->memory();
    if (!error)
        return;
    printf("%s\n", error);
    fflush(stdout);
    _exit(1); /* cleanup of a device could block the end of the process */
}

/* Prepares for timing the_case. */
static void prepare(const sq_candidate *c)
{
    if (c->open && c->open(the_case.arg))
        heed(c);
    if (c->hold)
        c->hold(1);
}

static double batch(const sq_candidate *c, long reps)
{
    double start = now();
    if (c->time) {
        double one = c->time(reps);
        heed(c);
        return one;
    }
    for (long r = 0; r < reps; r++)
        c->entry(the_case.arg);
    return (now() - start) / (double)reps;
}

/* Returns the calls per batch, so that one takes about a millisecond; *seconds: an estimate for one
 * call. */
static long calibrate(const sq_candidate *c, double *seconds)
{
    const double goal = 1e-3;
    long reps = 1;
    for (;;) {
        *seconds = batch(c, reps);
        if (*seconds * (double)reps > goal / 4)
            break;
        reps *= 4;
    }
    double n = goal / *seconds;
    return n < 1 ? 1 : (long)n;
}

/* ABBA: the order within a pair alternates, so that a drift affects both sides alike. Long calls
 * were timed sufficiently by the calibration, which is the first pair. */
static void time_pairs(const sq_candidate *new_one, const sq_candidate *old_one,
                       const sq_harness_options *o, sq_times *a, sq_times *b)
{
    prepare(new_one);
    prepare(old_one);
    double start = now();
    long reps_new = calibrate(new_one, &a->of[0]), reps_old = calibrate(old_one, &b->of[0]);
    a->n = b->n = reps_new == 1 && reps_old == 1;
    while (!a->n || (a->n < o->pairs && (o->full || !sq_times_hopeless(a, b, is_wall())))) {
        if (a->n >= sq_times_least_pairs(sq_times_minimum(b)) && now() - start > o->seconds)
            return; /* as many as the comparison needs, by the same estimate */
        int i = a->n++;
        b->n++;
        if (i % 2 == 0)
            a->of[i] = batch(new_one, reps_new);
        b->of[i] = batch(old_one, reps_old);
        if (i % 2 == 1)
            a->of[i] = batch(new_one, reps_new);
    }
}

static void time_alone(const sq_candidate *c, const sq_harness_options *o, sq_times *a)
{
    prepare(c);
    double start = now(), one;
    long reps = calibrate(c, &one);
    while (a->n < o->pairs && (a->n < sq_times_least_pairs(one) || now() - start < o->seconds))
        a->of[a->n++] = batch(c, reps);
}

/* ---- modes ---- */

static int reply(const char *status, const char *why)
{
    printf("%s %s\n", status, why);
    return 1;
}

static void print_times(const sq_times *t)
{
    printf(" %d", t->n);
    for (int i = 0; i < t->n; i++)
        printf(" %.9g", t->of[i]);
}

static int run_reference(const char *data, const sq_candidate *c)
{
    char why[200];
    if (sq_case_map(&the_case, data, 1, why) < 0 ||
        sq_case_place(&the_case, SQ_PLACE_ALIGNED, why) < 0)
        return reply("lost", why);
    double start = now();
    c->entry(the_case.arg);
    double seconds = now() - start;
    sq_case_keep(&the_case);
    if (the_case.carried && sq_case_perturb(&the_case, c->entry, why) < 0)
        return reply("lost", why);
    printf("ok 0 %.9g 0 0\n", seconds);
    return 0;
}

/* Limits the processor time from now on. */
static void set_timer(double seconds)
{
    struct itimerval t = {.it_value = {(time_t)seconds, (suseconds_t)(1e6 * (seconds - floor(seconds)))}};
    setitimer(ITIMER_PROF, &t, NULL);
}

/* Only where values differ does the nest as written run, in the same place. */
static int compare(const sq_candidate *naive, sq_place place, double *error, char *why)
{
    char lost[200];
    if (sq_case_check(&the_case, error, why) == 0)
        return 0;
    if (!naive || !naive->as_written || !(*error > 1))
        return -1;
    set_timer(0);
    at_work = "lost the nest as written: ";
    bool again = sq_case_doubt(&the_case, place, naive->as_written, lost) == 0;
    at_work = "crashed ";
    return again ? sq_case_check(&the_case, error, why) : -1;
}

/* naive: the library of the naive nest, which may have one as written as well; NULL: none. */
static int check_at(const sq_candidate *c, const sq_candidate *naive, sq_place place, double *error, double *seconds)
{
    char why[200];
    if (sq_case_place(&the_case, place, why) < 0)
        return reply("lost", why);
    double start = now();
    c->entry(the_case.arg);
    *seconds = now() - start;
    heed(c);
    if (compare(naive, place, error, why) < 0) {
        printf("wrong %.9g %s\n", *error, why);
        return 1;
    }
    return 0;
}

/* True if a device sees some unaligned array at this place. */
static bool is_shifted(sq_place place)
{
    for (int i = 0; i < the_case.nparams; i++)
        if (place == SQ_PLACE_END && the_case.param[i].kind == 'a' &&
            the_case.param[i].bytes % WIDEST_BYTES != 0)
            return true;
    return false;
}

/* On a device aligned arrays, as those that are timed, may take another code path: both are
 * checked. */
static int run_check(const sq_candidate *c, const sq_harness_options *o, double *error, double *seconds)
{
    double other_error, other_seconds;
    if (!c->time)
        return check_at(c, NULL, o->place, error, seconds);
    if (check_at(c, NULL, SQ_PLACE_ALIGNED, error, seconds))
        return 1;
    return is_shifted(o->place) ? check_at(c, NULL, o->place, &other_error, &other_seconds) : 0;
}

static int run_measure(const sq_candidate *c, const char *old, const sq_harness_options *o, int timed)
{
    double error = 0, seconds = 0;
    sq_times a = {0}, b = {0};
    char why[200];
    if (run_check(c, o, &error, &seconds))
        return 1;
    bool enough = seconds > sq_slow_call && o->best > 0 && seconds > 1.5 * o->best && !is_wall();
    if (timed && enough && !o->full) {
        a.of[a.n++] = seconds; /* one long call suffices */
        b.of[b.n++] = o->best;
    } else if (timed) {
        sq_candidate old_one;
        if ((old && sq_candidate_load(&old_one, old, SQ_CANDIDATE_ENTRY, why) < 0) ||
            sq_case_place(&the_case, SQ_PLACE_ALIGNED, why) < 0)
            return reply("lost", why);
        unsigned long numbers = sq_small_flush();
        if (old)
            time_pairs(c, &old_one, o, &a, &b);
        else
            time_alone(c, o, &a);
        sq_small_back(numbers);
    }
    printf("ok %.9g %.9g", error, seconds);
    print_times(&a);
    print_times(&b);
    printf("\n");
    return 0;
}

/* ---- rows ---- */

static void on_slow(int sig)
{
    (void)sig;
    say("slow took too long\n");
    _exit(2);
}

static int place_row(sq_place place, char *why)
{
    return sq_case_map(&the_case, NULL, 1, why) < 0 ? -1 : sq_case_place(&the_case, place, why);
}

/* Makes the naive nest's results for the inputs the expected ones. */
static int expect_row(const sq_candidate *naive, char *why)
{
    if (place_row(SQ_PLACE_ALIGNED, why) < 0)
        return -1;
    at_work = "lost the naive nest: ";
    naive->entry(the_case.arg);
    sq_case_keep(&the_case);
    if (the_case.carried && sq_case_perturb(&the_case, naive->entry, why) < 0)
        return -1;
    if (sq_case_spread(&the_case, naive->entry, why) < 0)
        return -1;
    at_work = "crashed ";
    return sq_case_seal(&the_case, why);
}

static int check_leak(const sq_candidate *c, double seconds)
{
    size_t kept = seconds < quick_call ? sq_leak(c->entry, the_case.arg) : 0;
    if (kept)
        printf("wrong 0 each call keeps %zu bytes of malloc's and frees none\n", kept);
    return kept > 0;
}

typedef struct span {
    const char *at;
    size_t n;
} span;

/* Skips the first line. */
static void skip_line(span *rest)
{
    const char *stop = memchr(rest->at, '\n', rest->n);
    size_t line = stop ? (size_t)(stop - rest->at) + 1 : rest->n;
    rest->at += line;
    rest->n -= line;
}

/* Returns the text up to the next line that begins with word, or the end; *rest is the
 * remainder. */
static span take_until(span *rest, const char *word)
{
    const char *from = rest->at;
    size_t n = strlen(word);
    while (rest->n && (rest->n < n || memcmp(rest->at, word, n) != 0))
        skip_line(rest);
    return (span){from, (size_t)(rest->at - from)};
}

/* Maps a file read-only; it is never unmapped. */
static int map_text(const char *path, span *to)
{
    struct stat s;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *at = fd >= 0 && fstat(fd, &s) == 0 && s.st_size > 0
                   ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                   : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    if (at != MAP_FAILED)
        *to = (span){at, (size_t)s.st_size};
    return at == MAP_FAILED ? -1 : 0;
}

/* Runs a case with one set of its inputs, and adds to the result of the row. */
static int run_draw(const sq_candidate *naive, const sq_candidate *c, span spec, const sq_harness_options *o,
                    sq_place place, int draw, int *draws, double worst[2])
{
    double error = 0, seconds = 0;
    char why[200];
    if (sq_case_read_text(&the_case, spec.at, spec.n, why) < 0)
        return reply("lost", why);
    *draws = o->ran ? 1 : the_case.draws;
    the_case.seed += (uint64_t)draw;
    if ((o->ran ? place_row(place, why) : expect_row(naive, why)) < 0)
        return reply("lost", why);
    set_timer(o->seconds);
    if (o->ran)
        c->entry(the_case.arg);
    else if (check_at(c, naive, place, &error, &seconds) || (draw == 0 && check_leak(c, seconds)))
        return 1;
    set_timer(0);
    worst[0] = fmax(worst[0], error);
    worst[1] = fmax(worst[1], seconds);
    sq_case_unmap(&the_case);
    sq_case_free(&the_case);
    return 0;
}

static int run_case(const sq_candidate *naive, const sq_candidate *c, span spec, const sq_harness_options *o,
                    sq_place place, double worst[2])
{
    int rc = 0, draws = 1;
    for (int draw = 0; rc == 0 && draw < draws; draw++)
        rc = run_draw(naive, c, spec, o, place, draw, &draws, worst);
    return rc;
}

/* True if this process has only one thread: then no other runs code of a library that is
 * unloaded. */
static bool is_alone(void)
{
    struct stat s;
    return stat("/proc/self/task", &s) == 0 && s.st_nlink == 3; /* ".", ".." and one folder */
}

/* Checks that memory that calls keep is freed when the library is unloaded. */
static int check_end(sq_candidate *c)
{
    size_t now = is_alone() && sq_candidate_unload(c) == 0 ? sq_leak_in_use() : 0;
    size_t kept = now > in_use_before ? now - in_use_before : 0;
    size_t most = dlopen("libgomp.so.1", RTLD_NOW | RTLD_NOLOAD) ? LIBGOMP_KEEPS : LIBC_KEEPS;
    if (kept > most)
        printf("wrong 0 %zu bytes of malloc's are in use behind all calls and the library's end\n",
               kept);
    return kept > most;
}

/* Runs all cases of a row, of which there is at least one. */
static int run_row(const sq_candidate *naive, sq_candidate *c, span text, int row, const sq_harness_options *o)
{
    sq_place place = row % 2 ? SQ_PLACE_START : SQ_PLACE_END;
    double worst[2] = {0, 0};
    int rc = 0;
    take_until(&text, "inputs\n");
    if (text.n == 0)
        return reply("lost", "a row without a case");
    while (rc == 0 && text.n) {
        skip_line(&text);
        rc = run_case(naive, c, take_until(&text, "inputs\n"), o, place, worst);
    }
    if (rc == 0 && row == o->rows - 1 && o->ends)
        rc = check_end(c);
    if (rc)
        return rc;
    printf("ok %.3g %.3g\n", worst[0], worst[1]);
    fflush(stdout); /* must not be lost in a crash of the next row */
    return 0;
}

/* Writes for each block of the text whether it ran, to a file, as there may be millions. */
static int write_blocks(const sq_candidate *c, const char *path)
{
    FILE *f = fopen(path, "w");
    for (int i = 0; f && i < *c->blocks; i++)
        putc(c->ran[i] ? '1' : '0', f);
    return f && fclose(f) == 0 ? 0 : reply("lost", "cannot write which blocks ran");
}

static int run_rows(const char *rows, const char *library, sq_candidate *c,
                    const sq_harness_options *o)
{
    sq_candidate naive;
    char why[200];
    int rc = 0;
    span text;
    if (sq_candidate_load(&naive, library, SQ_CANDIDATE_ENTRY, why) < 0)
        return reply("lost", why);
    if (map_text(rows, &text) < 0)
        return reply("lost", "cannot read the rows");
    signal(SIGPROF, on_slow);
    if (c->count)
        c->count(&sq_leak_extra);
    in_use_before = sq_leak_in_use();
    is_trapping = o->ran;
    for (int row = 0; row < o->rows && rc == 0; row++) {
        skip_line(&text);
        rc = run_row(&naive, c, take_until(&text, "row "), row, o);
    }
    return rc == 0 && o->ran && c->blocks ? write_blocks(c, o->ran) : rc;
}

/* Executes the command on one processor at the lowest priority, for a build that yields to
 * timing. */
static int run_idle(char **argv)
{
    struct sched_param none = {0};
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(atoi(argv[0]), &set);
    sched_setaffinity(0, sizeof set, &set);
    sched_setscheduler(0, SCHED_IDLE, &none);
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 127;
}

int main(int argc, char **argv)
{
    const char *old = NULL;
    char why[200];
    if (argc >= 4 && strcmp(argv[1], "idle") == 0)
        return run_idle(argv + 2);
    if (argc < 5) {
        fprintf(stderr,
                "usage: squall-harness reference|check|measure|rows CASE DATA LIBRARY [OLD] "
                "[option=value…]\n");
        return 64;
    }
    sq_harness_options o = sq_harness_options_read(argc, argv, &old);
    if (o.wall)
        the_clock = CLOCK_MONOTONIC;
    int is_reference = strcmp(argv[1], "reference") == 0, is_rows = strcmp(argv[1], "rows") == 0;
    if (!keeps_libm || (!is_rows && sq_case_read(&the_case, argv[2], why) < 0))
        return reply("lost", why);
    if (is_rows)
        sq_leak_exact();
    if (strcmp(argv[1], "measure") != 0)
        setenv("OMP_WAIT_POLICY", "passive", 0); /* spinning threads would take time from working ones */
    set_limits(&o, is_reference);
    catch_crashes();
    if (!is_reference && !is_rows && sq_case_map(&the_case, argv[3], 0, why) < 0)
        return reply("lost", why);
    sq_candidate c;
    if (sq_candidate_load(&c, argv[4], o.entry, why) < 0)
        return reply(is_rows ? "unbuilt" : "crashed", why);
    if (is_rows)
        return run_rows(argv[2], argv[3], &c, &o);
    if (is_reference)
        return run_reference(argv[3], &c);
    return run_measure(&c, old, &o, strcmp(argv[1], "measure") == 0);
}
