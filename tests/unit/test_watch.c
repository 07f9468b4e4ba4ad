/* Watch: what its timers leave behind must not end the process that they watched. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tests/unit/unit.h"
#include "cli/watch.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* A tick that comes before the end and is delivered after it, as valgrind does. */
static void watch_with_late_tick(int tick)
{
    const sq_settings settings = {0};
    const sq_task task = {.o = &settings, .path = "a.sq"};
    sigset_t late;
    sigemptyset(&late);
    sigaddset(&late, tick);
    signal(tick, SIG_DFL);
    sq_watch_begin(&task);
    sigprocmask(SIG_BLOCK, &late, NULL);
    raise(tick);
    sq_watch_end();
    sigprocmask(SIG_UNBLOCK, &late, NULL);
    _exit(0);
}

static void late_tick(int tick)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        watch_with_late_tick(tick);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void late_ticks(void **state)
{
    (void)state;
    late_tick(SIGALRM);
    late_tick(SIGPROF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(late_ticks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
