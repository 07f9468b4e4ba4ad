/* Child: a process with a deadline whose output is collected. It has a session of its own, so that
 * everything it started ends with it and Squall handles a Ctrl-C at the terminal. */
#ifndef SQ_TUNER_MEASURE_CHILD_H
#define SQ_TUNER_MEASURE_CHILD_H
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum { SQ_CHILD_OUTPUT = 4 << 20 }; /* bytes of each stream that are kept */

typedef struct sq_child_end {
    bool started; /* false: could not be started; `err` has the reason */
    bool timed_out;
    int64_t status; /* exit status */
    int signal;     /* signal that ended it, or 0 */
    double seconds;
    char *out, *err; /* its output; NULL before it ran */
    bool is_cut;     /* it printed more than is kept */
} sq_child_end;

typedef struct sq_child sq_child;
/* Starts argv (argv[0] is searched on PATH) with a limit of `timeout` seconds of wall time; a child
 * that is kept waiting by other processes may use this much processor time first. `done` is called
 * once from the loop, also when the start failed; afterwards the child and its output are freed. */
sq_child *sq_child_start(uv_loop_t *loop, char *const *argv, double timeout,
                         void (*done)(const sq_child_end *end, void *user), void *user);
/* Runs argv to its end; an interrupt (support/interrupt.h) ends it. *end is zeroed or from an
 * earlier run, whose output is freed; the caller frees it. */
void sq_child_run(char *const *argv, double timeout, sq_child_end *end);
/* Does the same for a child that reads these bytes on standard input. */
void sq_child_run_fed(char *const *argv, const char *input, size_t n, double timeout, sq_child_end *end);
/* Copies the end, so that it outlives `done`; freed by sq_child_end_free. */
void sq_child_end_keep(sq_child_end *to, const sq_child_end *end);
/* Frees the output; *end is zeroed. */
void sq_child_end_free(sq_child_end *end);
/* Copies a compiler's first error, or else its first message. */
void sq_child_first_error(const sq_child_end *end, char *to, size_t n);
/* True if `end` is this child's; used in a callback to find the child in a list. */
bool sq_child_is(const sq_child *c, const sq_child_end *end);
/* Kills it and all processes it started; `done` is still called. */
void sq_child_kill(sq_child *c);
#endif
