/* Files: a reader of whole files and a writer that leaves either the old bytes or the new ones,
 * never a part: everything goes to a temporary file in the same folder first, then one rename puts
 * it in place. A set of outputs writes all its temporaries before the first rename, so that a full
 * disk or a missing folder leaves every old file as it was.
 *
 * What is no regular file (a pipe, /dev/null) cannot be renamed over and is written directly. */
#include "support/file.h"
#include "support/limits.h"
#include "support/memory.h"
#include "support/text.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* One file on its way. */
typedef struct output {
    char *path; /* as the user wrote it */
    char *text;
    size_t n;
    char *real;      /* where the rename goes: path with symbolic links followed */
    char *temporary; /* NULL: nothing to rename */
} output;

struct sq_outputs {
    size_t n, cap;
    output *one;
};

/* "dir" of "dir/file", in to; "" of a name without one. */
static void directory_of(const char *path, char *to, size_t n)
{
    const char *slash = strrchr(path, '/');
    snprintf(to, n, "%.*s", slash ? (int)(slash == path ? 1 : slash - path) : 0, path);
}

int sq_file_refuse(sq_diags *d, const char *what, const char *path)
{
    char directory[PATH_MAX], target[PATH_MAX];
    struct stat st;
    int why = errno;
    ssize_t n = why == ENOENT ? readlink(path, target, sizeof target) : -1;
    if (n >= 0)
        return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE,
                        "cannot %s '%s': it is a link to '%.*s', which does not exist", what, path,
                        (int)n, target);
    directory_of(path, directory, sizeof directory);
    if (why == ENOENT && *directory && stat(directory, &st) != 0 && errno == ENOENT)
        return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot %s '%s': there is no directory '%s'",
                        what, path, directory);
    return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot %s '%s': %s", what, path, strerror(why));
}

static int is_stdio(const char *path)
{
    return path[0] == '-' && path[1] == 0;
}

static long long milliseconds_now(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* Until fd, which does not block, has bytes or an end: takes the wait from *patience, milliseconds.
 * ETIMEDOUT when that is used up. */
static int wait_for_bytes(int fd, long long *patience)
{
    for (;;) {
        struct pollfd one = {.fd = fd, .events = POLLIN};
        long long begin = milliseconds_now();
        int n = poll(&one, 1, *patience > 0 ? (int)*patience : 0);
        int why = errno;
        *patience -= milliseconds_now() - begin;
        if (n > 0)
            return 0;
        if (n == 0 && *patience <= 0)
            why = ETIMEDOUT;
        errno = why;
        if (n < 0 ? why != EINTR : *patience <= 0)
            return -1;
    }
}

/* Appends everything of fd; -1 with errno set, EFBIG when there is more than `most` bytes. A fd that
 * does not block is waited for, SQ_MOST_PIPE_SECONDS in all if it is not standard input. */
static int read_all(int fd, size_t most, sq_text *to)
{
    char buffer[1 << 16];
    long long patience = fd == STDIN_FILENO ? INT_MAX : 1000LL * SQ_MOST_PIPE_SECONDS;
    bool waits = fcntl(fd, F_GETFL) & O_NONBLOCK;
    for (;;) {
        if (to->n > most) {
            errno = EFBIG;
            return -1;
        }
        if (waits && wait_for_bytes(fd, &patience) != 0)
            return -1;
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n == 0)
            return 0;
        if (n > 0)
            sq_text_putn(to, buffer, (size_t)n);
        else if (errno != EINTR && errno != EAGAIN)
            return -1;
    }
}

/* errno says why reading failed. */
static void cannot_read(sq_diags *d, const char *path, size_t most)
{
    if (errno == EFBIG)
        sq_error(d, SQ_FAULT_INPUT, (sq_loc){.file = path},
                 "more than %zu bytes; that is the most of one file that is read", most);
    else if (errno != ETIMEDOUT)
        sq_file_refuse(d, "read", path);
    else {
        sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE,
                 "cannot read '%s': whoever writes this pipe has neither written nor closed it for "
                 "%d seconds",
                 path, SQ_MOST_PIPE_SECONDS);
        sq_help(d, SQ_NOWHERE,
                "what takes longer goes to a file first; or to standard input as a source, -, "
                "which waits");
    }
}

/* All of fd, which is closed unless it is standard input. */
static char *read_and_close(int fd, sq_diags *d, const char *path, size_t most, size_t *n)
{
    sq_text t = {0};
    sq_text_puts(&t, "");
    int bad = read_all(fd, most, &t);
    if (bad)
        cannot_read(d, path, most);
    if (fd != STDIN_FILENO)
        close(fd);
    if (bad) {
        sq_text_free(&t);
        return NULL;
    }
    if (n)
        *n = t.n;
    return t.s;
}

/* True if fd is a pipe, and not the one of standard input under a name such as /dev/stdin. */
static bool is_named_pipe(int fd)
{
    struct stat st, in;
    if (fstat(fd, &st) != 0 || !S_ISFIFO(st.st_mode))
        return false;
    return fstat(STDIN_FILENO, &in) != 0 || in.st_dev != st.st_dev || in.st_ino != st.st_ino;
}

/* A pipe stays open without blocking: its writer may never come. Everything else blocks. */
static int open_named(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && !is_named_pipe(fd))
        (void)!fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

char *sq_file_read(sq_diags *d, const char *path, size_t *n)
{
    int fd = is_stdio(path) ? STDIN_FILENO : open_named(path);
    if (fd >= 0)
        return read_and_close(fd, d, path, SQ_MOST_FILE_BYTES, n);
    sq_file_refuse(d, "read", path);
    return NULL;
}

static char *read_regular(sq_diags *d, const char *path, size_t most, size_t *n)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO would wait for its writer */
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return read_and_close(fd, d, path, most, n);
    if (fd < 0)
        sq_file_refuse(d, "read", path);
    else
        sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot read '%s': it is no regular file", path);
    if (fd >= 0)
        close(fd);
    return NULL;
}

char *sq_file_read_regular(sq_diags *d, const char *path, size_t *n)
{
    return read_regular(d, path, SQ_MOST_FILE_BYTES, n);
}

char *sq_file_read_made(sq_diags *d, const char *path, size_t most, size_t *n)
{
    return read_regular(d, path, most, n);
}

int sq_file_exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

int sq_file_set_aside(const char *path, char *to, size_t n)
{
    for (int i = 1; i < 1000; i++) {
        snprintf(to, n, "%s.bad-%d", path, i);
        if (renameat2(AT_FDCWD, path, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
            return 0;
        bool old_system = errno == EINVAL || errno == ENOSYS; /* it cannot be told that */
        if (old_system && !sq_file_exists(to))
            return rename(path, to);
        if (errno != EEXIST && !old_system)
            return -1;
    }
    return -1;
}

static int write_all(int fd, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t put = write(fd, text, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return -1;
        text += put;
        n -= (size_t)put;
    }
    return 0;
}

static int same_bytes(const char *path, const char *text, size_t n)
{
    struct stat st;
    if (stat(path, &st) != 0 || (size_t)st.st_size != n)
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    sq_text old = {0};
    int same = read_all(fd, n, &old) == 0 && old.n == n && (n == 0 || memcmp(old.s, text, n) == 0);
    close(fd);
    sq_text_free(&old);
    return same;
}

/* Writes to fd and closes it; the first failure decides errno. */
static int write_and_close(int fd, const char *text, size_t n)
{
    int bad = write_all(fd, text, n);
    int saved = errno;
    if (close(fd) != 0 && !bad) /* a network file system tells of a full disk only here */
        return -1;
    errno = saved;
    return bad;
}

/* Standard output and what is no regular file: no way back once written, so no temporary. */
static int write_directly(output *o, sq_diags *d)
{
    if (is_stdio(o->path))
        return write_all(STDOUT_FILENO, o->text, o->n)
                   ? sq_file_refuse(d, "write", "standard output")
                   : 0;
    int fd = open(o->path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write_and_close(fd, o->text, o->n) != 0)
        return sq_file_refuse(d, "write", o->path);
    return 0;
}

/* A new file beside the target; two processes of one number may share a file system. */
static int open_temporary(output *o)
{
    int fd = -1;
    for (int i = 0; i < 100 && fd < 0; i++) {
        sq_text name = {0};
        sq_text_printf(&name, "%s.%ld-%d.tmp", o->real, (long)getpid(), i);
        fd = open(name.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            o->temporary = name.s;
        else
            sq_text_free(&name);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

/* Fills o->temporary with a written file beside the target, with the target's permissions. */
static int write_temporary(output *o, sq_diags *d)
{
    struct stat st;
    int had = stat(o->real, &st) == 0;
    if (had && access(o->real, W_OK) != 0) /* a rename would not care that it is read-only */
        return sq_file_refuse(d, "write", o->path);
    int fd = open_temporary(o);
    if (fd >= 0 && had)
        (void)!fchmod(fd, st.st_mode & 07777);
    if (fd < 0 || write_and_close(fd, o->text, o->n) != 0)
        return sq_file_refuse(d, "write", o->path);
    return 0;
}

static int is_special(const char *path)
{
    struct stat st;
    return is_stdio(path) || (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

static int prepare(output *o, sq_diags *d, int if_changed)
{
    struct stat st;
    if (stat(o->path, &st) == 0 && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return sq_file_refuse(d, "write", o->path);
    }
    if (is_special(o->path) || (if_changed && same_bytes(o->path, o->text, o->n)))
        return 0;
    o->real = realpath(o->path, NULL);
    if (!o->real && lstat(o->path, &st) == 0) { /* a link to nothing, or to itself */
        (void)!stat(o->path, &st);
        return sq_file_refuse(d, "write", o->path);
    }
    if (!o->real)
        o->real = strdup(o->path);
    return o->real ? write_temporary(o, d) : sq_file_refuse(d, "write", o->path);
}

static int put_in_place(output *o, sq_diags *d)
{
    if (!o->temporary)
        return 0;
    if (rename(o->temporary, o->real) != 0)
        return sq_file_refuse(d, "write", o->path);
    char *done = o->temporary;
    o->temporary = NULL;
    free(done);
    return 0;
}

sq_outputs *sq_outputs_new(void)
{
    return sq_allocated(calloc(1, sizeof(sq_outputs)));
}

void sq_outputs_add(sq_outputs *o, const char *path, const char *text, size_t n)
{
    o->one = sq_grown(o->one, o->n, &o->cap, sizeof *o->one);
    output *one = &o->one[o->n++];
    *one = (output){.path = sq_allocated(strdup(path)), .text = sq_allocated(malloc(n + 1)), .n = n};
    if (n)
        memcpy(one->text, text, n);
}

static sq_outputs *volatile under_way; /* what sq_outputs_commit writes now */

void sq_outputs_remove_temporaries(void)
{
    const sq_outputs *o = under_way;
    for (size_t i = 0; o && i < o->n; i++)
        if (o->one[i].temporary)
            unlink(o->one[i].temporary);
}

int sq_outputs_commit(sq_outputs *o, sq_diags *d, int if_changed)
{
    int bad = 0;
    under_way = o;
    for (size_t i = 0; i < o->n && !bad; i++)
        bad = prepare(&o->one[i], d, if_changed);
    for (size_t i = 0; i < o->n && !bad; i++)
        if (is_special(o->one[i].path))
            bad = write_directly(&o->one[i], d);
    for (size_t i = 0; i < o->n && !bad; i++)
        bad = put_in_place(&o->one[i], d);
    under_way = NULL;
    sq_outputs_free(o);
    return bad ? -1 : 0;
}

/* Temporaries that never got their place are removed. */
void sq_outputs_free(sq_outputs *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->n; i++) {
        output *one = &o->one[i];
        if (one->temporary)
            unlink(one->temporary);
        free(one->temporary);
        free(one->real);
        free(one->path);
        free(one->text);
    }
    free(o->one);
    free(o);
}

int sq_file_write(sq_diags *d, const char *path, const char *text, size_t n, int if_changed)
{
    sq_outputs *o = sq_outputs_new();
    sq_outputs_add(o, path, text, n);
    return sq_outputs_commit(o, d, if_changed);
}
