/* Child processes with limits of time and memory. */
#ifndef RANDOM_JOB_H
#define RANDOM_JOB_H
#include <stdbool.h>

enum { JOB_WORDS = 96 };

struct job {
    char *words[JOB_WORDS];
    int count;
    int threads;   /* OMP_NUM_THREADS, 0: not set */
    int memory_mb; /* 0: no limit */
};

struct outcome {
    int code;       /* exit status, 128 + signal where one ended it */
    bool timed_out; /* took more than its seconds */
    double seconds; /* of processor time */
    char *text;     /* what it wrote to stderr and stdout; to be freed */
};

void job_word(struct job *job, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Runs and frees the job; `log` is a file for its output. */
struct outcome job_run(struct job *job, const char *log, int seconds);
char *read_text(const char *path, long *length);
bool write_text(const char *path, const char *text);

#endif
