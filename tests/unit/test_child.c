/* Child: what a deadline counts. A process that others keep from running is waited for; one that
 * uses its time up, or does nothing, is ended. */
#include "tuner/measure/child.h"
#include "tests/unit/unit.h"
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RIVALS = 3 };
static char *self;

/* Uses so much processor time, then exits with 7. */
static int spin(double seconds)
{
    struct timespec t;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    while ((double)t.tv_sec + 1e-9 * (double)t.tv_nsec < seconds);
    return 7;
}

static sq_child_end run(const char *what, const char *seconds, double timeout)
{
    char *argv[] = {self, (char *)what, (char *)seconds, NULL};
    sq_child_end end = {0};
    sq_child_run(argv, timeout, &end);
    return end;
}

/* So many bytes to each of its outputs, and their last letter. */
static int print(size_t n)
{
    for (size_t i = 1; i < n; i++)
        putchar('a'), putc('b', stderr);
    putchar('y'), putc('z', stderr);
    return 7;
}

static void prints(const char *bytes, size_t kept, bool is_cut)
{
    sq_child_end end = run("print", bytes, 60);
    assert_int_equal(end.status, 7);
    assert_int_equal(strlen(end.out), kept);
    assert_int_equal(strlen(end.err), kept);
    assert_int_equal(end.out[kept - 1], is_cut ? 'a' : 'y');
    assert_int_equal(end.err[kept - 1], is_cut ? 'b' : 'z');
    assert_int_equal(end.is_cut, is_cut);
    sq_child_end_free(&end);
}

/* What it prints is kept whole, up to a limit that nothing sensible reaches. */
static void test_output(void **state)
{
    (void)state;
    prints("1", 1, false);
    prints("100000", 100000, false);
    prints("4194304", 4194304, false);
    prints("4194305", 4194304, true);
}

/* What it reads, bytes of all values, more than a pipe holds; one that reads nothing is no error. */
static int copy(void)
{
    int c;
    while ((c = getchar()) != EOF)
        putchar(c ? c : 'N');
    return 7;
}

static void test_fed(void **state)
{
    (void)state;
    enum { BYTES = 300000 };
    char *copies[] = {self, "copy", "", NULL}, *deaf[] = {self, "print", "1", NULL}, *text = malloc(BYTES);
    sq_child_end end = {0};
    for (int i = 0; i < BYTES; i++)
        text[i] = (char)(i % 251);
    sq_child_run_fed(copies, text, BYTES, 60, &end);
    assert_int_equal(end.status, 7);
    assert_int_equal(strlen(end.out), BYTES);
    for (int i = 0; i < BYTES; i++)
        assert_int_equal(end.out[i], text[i] ? text[i] : 'N');
    sq_child_run_fed(deaf, text, BYTES, 60, &end);
    assert_int_equal(end.status, 7);
    sq_child_run_fed(copies, "", 0, 60, &end);
    assert_int_equal(end.status, 7);
    assert_string_equal(end.out, "");
    sq_child_end_free(&end);
    free(text);
}

/* On one processor with three that never stop. */
static void test_starved(void **state)
{
    pid_t rival[RIVALS];
    cpu_set_t before, one;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int c = 0; c < CPU_SETSIZE; c++)
        if (CPU_ISSET(c, &before) && CPU_COUNT(&one) == 0)
            CPU_SET(c, &one);
    sched_setaffinity(0, sizeof one, &one);
    for (int i = 0; i < RIVALS; i++)
        if ((rival[i] = fork()) == 0)
            _exit(spin(60));
    sq_child_end end = run("spin", "0.5", 0.7);
    for (int i = 0; i < RIVALS; i++) {
        kill(rival[i], SIGKILL);
        waitpid(rival[i], NULL, 0);
    }
    sched_setaffinity(0, sizeof before, &before);
    assert_true(end.seconds > 0.8); /* longer than the deadline by the clock */
    assert_false(end.timed_out);
    assert_int_equal(end.status, 7);
    sq_child_end_free(&end);
}

static void test_busy(void **state)
{
    (void)state;
    sq_child_end end = run("spin", "60", 0.3);
    assert_true(end.timed_out && end.seconds > 0.25 && end.seconds < 10);
    sq_child_end_free(&end);
}

static void test_idle(void **state)
{
    (void)state;
    sq_child_end end = run("sleep", "20", 0.3);
    assert_true(end.timed_out && end.seconds < 10);
    sq_child_end_free(&end);
}

static void keep(const sq_child_end *end, void *user)
{
    sq_child_end_keep(user, end);
}

static void nap(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    while (nanosleep(&t, &t) != 0) /* the end of a child interrupts it */
        ;
}

/* Who runs the loop does other work at times, a search for its next points say. Neither what was
 * over by then nor what was begun after it has used its time up. */
static void test_late_loop(void **state)
{
    char *quick[] = {self, "spin", "0.01", NULL}, *calm[] = {self, "nap", "0.3", NULL};
    sq_child_end *end = calloc(2, sizeof *end);
    uv_loop_t loop;
    (void)state;
    uv_loop_init(&loop);
    sq_child_start(&loop, quick, 0.5, keep, &end[0]);
    nap(1.5);
    sq_child_start(&loop, calm, 1.2, keep, &end[1]);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    for (int i = 0; i < 2; i++) {
        assert_false(end[i].timed_out);
        assert_int_equal(end[i].signal, 0);
        assert_int_equal(end[i].status, 7);
        sq_child_end_free(&end[i]);
    }
    free(end);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starved), cmocka_unit_test(test_busy),
        cmocka_unit_test(test_idle),    cmocka_unit_test(test_late_loop),
        cmocka_unit_test(test_output),  cmocka_unit_test(test_fed),
    };
    if (argc == 3 && strcmp(argv[1], "sleep") == 0)
        return (int)sleep((unsigned)atoi(argv[2]));
    if (argc == 3 && strcmp(argv[1], "nap") == 0) {
        nap(atof(argv[2]));
        return 7;
    }
    if (argc == 3 && strcmp(argv[1], "copy") == 0)
        return copy();
    if (argc == 3 && strcmp(argv[1], "print") == 0)
        return print((size_t)atol(argv[2]));
    if (argc == 3)
        return spin(atof(argv[2]));
    self = argv[0];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
