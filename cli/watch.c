/* Watch: see watch.h. Messages are made before, since a signal handler can only write bytes. */
#include "cli/watch.h"
#include "support/limits.h"
#include "support/memory.h"
#include "support/terminal.h"
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_SHADOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SHADOW 1
#endif
#endif
#ifndef HAS_SHADOW
#define HAS_SHADOW 0 /* 1: the address sanitizer's, which is larger than any limit */
#endif

enum {
    WAIT = 12, /* of the time on the clock for that of the processor: others run, too */
    IDLE = 2,  /* seconds on the clock in which nothing runs: it waits for what nobody writes */
    STACK = 64 /* MiB, where the shell allows more */
};

/* What ends the reading, and the words for it. */
static struct end {
    int signal;
    const char *what;
    char *message;
    size_t length;
    struct sigaction before;
} ends[] = {
    {.signal = SIGPROF, .what = "more processor time"},
    {.signal = SIGALRM, .what = "more time, waiting for a file"},
    {.signal = SIGABRT, .what = "more memory"},
    {.signal = SIGSEGV, .what = "deeper nesting"},
    {.signal = SIGBUS, .what = "deeper nesting"},
};
enum { NENDS = sizeof ends / sizeof *ends };

static int ticks, idle_ticks, most_ticks; /* seconds on the clock: in all, those without work */
static long long worked;                  /* microseconds of processor time at the last tick */
static struct rlimit memory_before;
static struct rlimit stack_limit_before;
static stack_t stack_before;
static char *own_stack; /* what overflowed its stack cannot run a handler on it */
static const char *stack_top;
static uintptr_t stack_bytes;

/* MiB of data this process has. */
static long data_now(void)
{
    char text[128];
    long pages[6] = {0};
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC), field = 0;
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text);
    for (ssize_t i = 0; i < n && field < 6; i++) /* the sixth field: data and stack, in pages */
        if (text[i] >= '0' && text[i] <= '9')
            pages[field] = 10 * pages[field] + (text[i] - '0');
        else
            field++;
    return pages[5] * (sysconf(_SC_PAGESIZE) >> 10) >> 10;
}

/* True if what happened is the input's doing: time, a full stack, an allocation refused near the
 * limit. A crash or a failed assertion for another reason stays what it is: our fault. */
static bool is_limit(int signal, const siginfo_t *info)
{
    if (signal == SIGABRT) /* a buffer that could not be doubled */
        return data_now() > SQ_MOST_READ_MEMORY / 4;
    if (signal == SIGSEGV || signal == SIGBUS) {
        uintptr_t at = (uintptr_t)info->si_addr, top = (uintptr_t)stack_top;
        return at < top && top - at > stack_bytes - (1 << 20) && top - at < stack_bytes + (1 << 20);
    }
    return true;
}

static long long work_now(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

/* Each second on the clock: a machine that is busy with others gives some of it to this process, a
 * pipe that nobody writes to none. */
static bool still_works(void)
{
    const long long some = 500; /* microseconds, more than a tick itself */
    long long now = work_now();
    idle_ticks = now - worked < some ? idle_ticks + 1 : 0;
    worked = now;
    return ++ticks < most_ticks && idle_ticks < IDLE;
}

static void give_up(int signal, siginfo_t *info, void *context)
{
    (void)context;
    struct end *e = ends;
    while (e->signal != signal)
        e++;
    if (signal == SIGALRM && still_works())
        return;
    if (!is_limit(signal, info)) {
        sigaction(signal, &e->before, NULL);
        raise(signal);
        return;
    }
    for (size_t at = 0; at < e->length;) {
        ssize_t n = write(STDERR_FILENO, e->message + at, e->length - at);
        if (n <= 0)
            break;
        at += (size_t)n;
    }
    _exit(SQ_FAULT_INPUT);
}

static int seconds_of(const sq_task *task)
{
    const long long most = 100000, given = task->o->read_seconds;
    return !given ? SQ_MOST_READ_SECONDS : (int)(given < most ? given : most);
}

static void make_message(const sq_task *task, struct end *e)
{
    FILE *to = sq_allocated(open_memstream(&e->message, &e->length));
    sq_diags *d = sq_diags_new();
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){.file = task->path},
             "reading this takes %s than is allowed: %d s of processor time and %d MiB of memory",
             e->what, seconds_of(task), SQ_MOST_READ_MEMORY);
    sq_help(d, SQ_NOWHERE,
            "macros that double with each use, deep nesting, and includes of what is no regular "
            "file do that; a slow machine may need --read-seconds=N");
    sq_diags_print(d, to, (sq_diag_format)task->o->diag,
                   sq_terminal_color(stderr, (sq_color)task->o->color));
    sq_diags_free(d);
    fclose(to);
}

static void limit_memory(void)
{
    const rlim_t most = (rlim_t)SQ_MOST_READ_MEMORY << 20;
    if (HAS_SHADOW)
        return;
    getrlimit(RLIMIT_DATA, &memory_before);
    struct rlimit now = {.rlim_cur = most, .rlim_max = memory_before.rlim_max};
    if (memory_before.rlim_cur > most)
        setrlimit(RLIMIT_DATA, &now);
}

/* What the shell does not limit is limited here: it would end at other memory, anywhere. */
static void limit_stack(void)
{
    const rlim_t most = (rlim_t)STACK << 20;
    getrlimit(RLIMIT_STACK, &stack_limit_before);
    struct rlimit now = stack_limit_before;
    stack_top = __builtin_frame_address(0);
    if (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > most) {
        now.rlim_cur = most;
        setrlimit(RLIMIT_STACK, &now);
    }
    stack_bytes = (uintptr_t)now.rlim_cur;
}

static void limit_time(int seconds)
{
    const struct itimerval processor = {.it_value.tv_sec = seconds};
    const struct itimerval clock = {.it_value.tv_sec = seconds > 0, .it_interval.tv_sec = 1};
    ticks = idle_ticks = 0;
    most_ticks = WAIT * seconds;
    worked = work_now();
    setitimer(ITIMER_PROF, &processor, NULL);
    setitimer(ITIMER_REAL, &clock, NULL);
}

static void catch_all(void)
{
    const size_t bytes = 64 << 10;
    struct sigaction catch = {.sa_sigaction = give_up,
                              .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_RESTART};
    sigemptyset(&catch.sa_mask);
    own_stack = malloc(bytes);
    stack_t s = {.ss_sp = own_stack, .ss_size = bytes};
    if (own_stack)
        sigaltstack(&s, &stack_before);
    for (int i = 0; i < NENDS; i++)
        sigaction(ends[i].signal, &catch, &ends[i].before);
}

void sq_watch_begin(const sq_task *task)
{
    for (int i = 0; i < NENDS; i++)
        make_message(task, &ends[i]);
    catch_all();
    limit_stack();
    limit_memory();
    limit_time(seconds_of(task));
}

/* A tick may be pending although its timer is stopped: valgrind delivers signals late. The handler
 * from before, which may end the process, must not see it: ignoring a signal discards it. */
static void restore_handlers(void)
{
    for (int i = 0; i < NENDS; i++) {
        signal(ends[i].signal, SIG_IGN);
        sigaction(ends[i].signal, &ends[i].before, NULL);
    }
}

void sq_watch_end(void)
{
    limit_time(0);
    if (!HAS_SHADOW)
        setrlimit(RLIMIT_DATA, &memory_before);
    setrlimit(RLIMIT_STACK, &stack_limit_before);
    restore_handlers();
    for (int i = 0; i < NENDS; i++) {
        free(ends[i].message);
        ends[i].message = NULL;
    }
    if (own_stack)
        sigaltstack(&stack_before, NULL);
    free(own_stack);
    own_stack = NULL;
}
