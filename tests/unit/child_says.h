/* Child says: what a process writes that is expected to end in the middle of its work. */
#ifndef SQ_TESTS_UNIT_CHILD_SAYS_H
#define SQ_TESTS_UNIT_CHILD_SAYS_H
#include "support/arena.h"
#include "tests/unit/unit.h"
#include <sys/wait.h>
#include <unistd.h>

/* Runs it in a child process. Returns what that writes to standard error; its status goes to *status. */
static inline const char *child_says(void (*run)(void *user), void *user, sq_arena *arena, int *status)
{
    enum { MOST = 4096 };
    char *said = SQ_NEW_ARRAY(arena, char, MOST);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        run(user);
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t at = 0, got; (got = read(ends[0], said + at, (size_t)(MOST - 1 - at))) > 0;)
        at += got;
    close(ends[0]);
    assert_int_equal(waitpid(child, status, 0), child);
    return said;
}
#endif
