/* Child processes with limits of time and memory, and whole files as text. */
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void job_word(struct job *job, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *word = NULL;
    if (job->count >= JOB_WORDS - 1 || vasprintf(&word, format, list) < 0) {
        fprintf(stderr, "random-kernels: a command of too many words\n");
        exit(3);
    }
    va_end(list);
    job->words[job->count++] = word;
    job->words[job->count] = NULL;
}

char *read_text(const char *path, long *length)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, used = 0;
    do {
        room = used + 65536;
        text = realloc(text, room + 1);
        if (!text)
            exit(3);
        used += in ? fread(text + used, 1, room - used, in) : 0;
    } while (used == room);
    text[used] = 0;
    if (length)
        *length = in ? (long)used : -1;
    if (in)
        fclose(in);
    return text;
}

bool write_text(const char *path, const char *text)
{
    FILE *out = fopen(path, "wb");
    if (!out)
        return false;
    size_t length = strlen(text);
    bool whole = fwrite(text, 1, length, out) == length;
    return fclose(out) == 0 && whole;
}

static void become(const struct job *job, const char *log, int seconds)
{
    int out = open(log, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    dup2(out, 1);
    dup2(out, 2);
    struct rlimit cpu = {(rlim_t)seconds, (rlim_t)seconds + 1}, core = {0, 0};
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_CORE, &core);
    if (job->memory_mb) {
        struct rlimit memory = {(rlim_t)job->memory_mb << 20, (rlim_t)job->memory_mb << 20};
        setrlimit(RLIMIT_AS, &memory);
    }
    if (job->threads) {
        char number[16];
        snprintf(number, sizeof number, "%d", job->threads);
        setenv("OMP_NUM_THREADS", number, 1);
        setenv("OMP_WAIT_POLICY", "passive", 1);
    }
    execvp(job->words[0], job->words);
    fprintf(stderr, "cannot run %s: %s\n", job->words[0], strerror(errno));
    _exit(127);
}

/* Waits; what neither computes nor ends is killed after 30 times its seconds. */
static bool wait_for(pid_t child, int seconds, int *status, struct rusage *usage)
{
    struct timespec step = {0, 1000000}, now, start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        pid_t done = wait4(child, status, WNOHANG, usage);
        if (done == child)
            return true;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - start.tv_sec > 30 * seconds) {
            kill(child, SIGKILL);
            wait4(child, status, 0, usage);
            return false;
        }
        nanosleep(&step, NULL);
    }
}

struct outcome job_run(struct job *job, const char *log, int seconds)
{
    struct outcome o = {0};
    struct rusage usage;
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become(job, log, seconds);
    bool ended = child > 0 && wait_for(child, seconds, &status, &usage);
    o.code = !ended ? 128 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    o.timed_out = !ended || o.code == 128 + SIGXCPU;
    o.seconds = ended ? (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6
        + (double)usage.ru_stime.tv_sec : seconds;
    o.text = read_text(log, NULL);
    for (int w = 0; w < job->count; w++)
        free(job->words[w]);
    job->count = 0;
    return o;
}
