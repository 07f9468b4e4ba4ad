/* Work directory: its owner holds a lock on a file in it, which the kernel releases when the
 * process ends, however it ends. Process numbers would not work: containers that share a /tmp do
 * not share those. A process that gets the lock of an existing folder removes it; if that happens
 * to a new folder between its creation and its locking, another one is made. */
#include "tuner/measure/workdir.h"
#include "support/interrupt.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char name[] = "squall-work-XXXXXX";
enum { TRIES = 10, FOREIGN = -2 };

static const char *temporary(void)
{
    const char *t = getenv("TMPDIR");
    return t && t[0] == '/' ? t : "/tmp";
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *f)
{
    (void)st;
    (void)kind;
    (void)f;
    remove(path);
    return 0;
}

static void remove_tree(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* Returns the locked descriptor; FOREIGN: another process has the lock, or the folder is gone; -1:
 * this file system has no locks, or the file cannot be made. */
static int take_lock(const char *folder)
{
    char path[PATH_MAX];
    struct stat st;
    snprintf(path, sizeof path, "%s/lock", folder);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return errno == ENOENT ? FOREIGN : -1;
    bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
    bool foreign = locked ? fstat(fd, &st) != 0 || st.st_nlink == 0 : errno == EWOULDBLOCK;
    if (locked && !foreign)
        return fd;
    close(fd);
    return foreign ? FOREIGN : -1;
}

static bool is_ours(const char *path, const char *last)
{
    struct stat st;
    return strlen(last) == sizeof name - 1 && strncmp(last, name, sizeof name - 7) == 0 &&
           lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == getuid();
}

/* Removes the folders of runs that have ended. */
static void sweep(const char *parent)
{
    DIR *dir = opendir(parent);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", parent, e->d_name);
        int lock = is_ours(path, e->d_name) ? take_lock(path) : -1;
        if (lock < 0)
            continue;
        remove_tree(path);
        close(lock);
    }
    if (dir)
        closedir(dir);
}

int sq_workdir_open(sq_workdir *w, sq_diags *d)
{
    sweep(temporary());
    sq_interrupt_hold();
    for (int i = 0; i < TRIES; i++) {
        int n = snprintf(w->path, sizeof w->path, "%s/%s", temporary(), name);
        errno = ENAMETOOLONG;
        if (n >= (int)sizeof w->path || !mkdtemp(w->path))
            break;
        w->lock = take_lock(w->path);
        if (w->lock != FOREIGN)
            return 0;
    }
    w->path[0] = 0;
    sq_interrupt_release();
    return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot make a folder in %s: %s", temporary(),
                    strerror(errno));
}

void sq_workdir_close(sq_workdir *w)
{
    if (!w->path[0])
        return;
    remove_tree(w->path);
    if (w->lock >= 0)
        close(w->lock);
    w->path[0] = 0;
    sq_interrupt_release();
}

int sq_workdir_write(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return -1;
    int ok = fputs(text, f) >= 0;
    return fclose(f) == 0 && ok ? 0 : -1;
}
