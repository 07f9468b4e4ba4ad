/* Files: a reader of whole files and a writer that leaves either the old bytes or the new ones,
 * never a part: everything goes to a temporary file in the same folder first, then one rename puts
 * it in place. A set of outputs writes all its temporaries before the first rename, so that a full
 * disk or a missing folder leaves every old file as it was.
 *
 * What is no regular file (a pipe, /dev/null) cannot be renamed over and is written directly. */
#include "support/file.h"
#include "support/text.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

static int world(sq_diags *d, const char *what, const char *path)
{
    return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot %s '%s': %s", what, path,
                    strerror(errno));
}

static int is_stdio(const char *path)
{
    return path[0] == '-' && path[1] == 0;
}

/* Appends everything of fd; -1 with errno set. */
static int read_all(int fd, sq_text *to)
{
    char buffer[1 << 16];
    for (;;) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n == 0)
            return 0;
        if (n > 0)
            sq_text_putn(to, buffer, (size_t)n);
        else if (errno != EINTR)
            return -1;
    }
}

char *sq_file_read(sq_diags *d, const char *path, size_t *n)
{
    int fd = is_stdio(path) ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        world(d, "read", path);
        return NULL;
    }
    sq_text t = {0};
    sq_text_puts(&t, "");
    int bad = read_all(fd, &t);
    if (bad)
        world(d, "read", path);
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

int sq_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
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
    int same = read_all(fd, &old) == 0 && old.n == n && (n == 0 || memcmp(old.s, text, n) == 0);
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
        return write_all(STDOUT_FILENO, o->text, o->n) ? world(d, "write", "standard output") : 0;
    int fd = open(o->path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write_and_close(fd, o->text, o->n) != 0)
        return world(d, "write", o->path);
    return 0;
}

/* Fills o->temporary with a written file beside the target, with the target's permissions. */
static int write_temporary(output *o, sq_diags *d)
{
    sq_text name = {0};
    sq_text_printf(&name, "%s.%ld.tmp", o->real, (long)getpid());
    struct stat st;
    int had = stat(o->real, &st) == 0;
    if (had && access(o->real, W_OK) != 0) { /* a rename would not care that it is read-only */
        sq_text_free(&name);
        return world(d, "write", o->path);
    }
    int fd = open(name.s, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd >= 0)
        o->temporary = name.s;
    else
        free(name.s);
    if (fd >= 0 && had)
        (void)!fchmod(fd, st.st_mode & 07777);
    if (fd < 0 || write_and_close(fd, o->text, o->n) != 0)
        return world(d, "write", o->path);
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
        return world(d, "write", o->path);
    }
    if (is_special(o->path) || (if_changed && same_bytes(o->path, o->text, o->n)))
        return 0;
    o->real = realpath(o->path, NULL);
    if (!o->real)
        o->real = strdup(o->path);
    return o->real ? write_temporary(o, d) : world(d, "write", o->path);
}

static int put_in_place(output *o, sq_diags *d)
{
    if (!o->temporary)
        return 0;
    if (rename(o->temporary, o->real) != 0)
        return world(d, "write", o->path);
    free(o->temporary);
    o->temporary = NULL;
    return 0;
}

sq_outputs *sq_outputs_new(void)
{
    sq_outputs *o = calloc(1, sizeof *o);
    if (!o)
        abort();
    return o;
}

void sq_outputs_add(sq_outputs *o, const char *path, const char *text, size_t n)
{
    if (o->n == o->cap) {
        o->cap = o->cap ? 2 * o->cap : 4;
        output *more = realloc(o->one, o->cap * sizeof *more);
        if (!more)
            abort();
        o->one = more;
    }
    output *one = &o->one[o->n++];
    *one = (output){.path = strdup(path), .text = malloc(n + 1), .n = n};
    if (!one->path || !one->text)
        abort();
    if (n)
        memcpy(one->text, text, n);
}

int sq_outputs_commit(sq_outputs *o, sq_diags *d, int if_changed)
{
    int bad = 0;
    for (size_t i = 0; i < o->n && !bad; i++)
        bad = prepare(&o->one[i], d, if_changed);
    for (size_t i = 0; i < o->n && !bad; i++)
        if (is_special(o->one[i].path))
            bad = write_directly(&o->one[i], d);
    for (size_t i = 0; i < o->n && !bad; i++)
        bad = put_in_place(&o->one[i], d);
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
