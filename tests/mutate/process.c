/* Process: child processes with a limit on time, and whole files. */
#include "tests/mutate/mutate.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

uint64_t random_next(random_state *r) /* splitmix64, Steele, Lea and Flood 2014 */
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int run_words(char *const *words, const char *output, unsigned seconds)
{
    pid_t pid = fork();
    if (pid == 0) {
        int fd = open(output ? output : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        struct rlimit limit = {seconds, seconds + 1};
        setrlimit(RLIMIT_CPU, &limit);
        if (fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
            _exit(127);
        execvp(words[0], words);
        _exit(127);
    }
    int status;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

char *read_whole(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0, cap = 0;
    while (f && !feof(f) && !ferror(f)) {
        if (used + 1 >= cap) {
            cap = cap ? 2 * cap : 1 << 16;
            text = realloc(text, cap);
            if (!text)
                abort();
        }
        used += fread(text + used, 1, cap - used - 1, f);
    }
    if (f)
        fclose(f);
    if (text)
        text[used] = 0;
    *n = used;
    return text;
}

bool write_whole(const char *path, const char *text, size_t n)
{
    FILE *f = fopen(path, "wb");
    bool good = f && fwrite(text, 1, n, f) == n;
    return f && fclose(f) == 0 && good;
}
