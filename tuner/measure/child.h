/* Child: one process with a deadline whose output is collected. A session of its own, so that
 * everything it started ends with it and Squall handles a Ctrl-C at the terminal. */
#ifndef SQ_TUNER_MEASURE_CHILD_H
#define SQ_TUNER_MEASURE_CHILD_H
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum { SQ_CHILD_OUTPUT = 4 << 20 }; /* bytes of each that are kept */

typedef struct sq_child_end {
    bool started; /* false: could not be started, `err` says why */
    bool timed_out;
    int64_t status; /* exit status */
    int signal;     /* that ended it, or 0 */
    double seconds;
    char *out, *err; /* what it printed; NULL before it ran */
    bool is_cut;     /* it printed more than is kept */
} sq_child_end;

typedef struct sq_child sq_child;
/* Starts argv (argv[0] looked for on PATH), for `timeout` seconds: of the clock, but a child that
 * others keep from running may first use that much processor time. `done` is called once from the
 * loop, also when the start failed; the child and what it printed are freed after it. */
sq_child *sq_child_start(uv_loop_t *loop, char *const *argv, double timeout,
                         void (*done)(const sq_child_end *end, void *user), void *user);
/* Runs argv to its end, which an interrupt (support/interrupt.h) brings about. *end is zeroed or an
 * earlier run's, whose text goes; the caller frees it. */
void sq_child_run(char *const *argv, double timeout, sq_child_end *end);
/* The same of one that reads these bytes on standard input. */
void sq_child_run_fed(char *const *argv, const char *input, size_t n, double timeout, sq_child_end *end);
/* A copy that lasts longer than `done`; sq_child_end_free. */
void sq_child_end_keep(sq_child_end *to, const sq_child_end *end);
/* Frees what it printed; *end is zeroed. */
void sq_child_end_free(sq_child_end *end);
/* A compiler's first error, or whatever it said first. */
void sq_child_first_error(const sq_child_end *end, char *to, size_t n);
/* True if `end` is this child's: finds it in a list from its callback. */
bool sq_child_is(const sq_child *c, const sq_child_end *end);
/* Kills it and all it started; `done` is still called. */
void sq_child_kill(sq_child *c);
#endif
