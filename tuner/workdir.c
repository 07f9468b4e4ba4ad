/* Work directory: named by the process that owns it, so that another run can tell an abandoned one
 * from one in use. Only folders of this user with our name and a dead owner are ever touched. */
#include "tuner/workdir.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

void sq_workdir_close(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* squall-<pid>-XXXXXX of a process that is no more. */
static int is_abandoned(const char *name)
{
    long pid;
    int end = 0;
    if (sscanf(name, "squall-%ld-%n", &pid, &end) != 1 || end == 0 || strlen(name + end) != 6)
        return 0;
    return pid > 0 && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

static void sweep(const char *parent)
{
    DIR *dir = opendir(parent);
    struct dirent *e;
    while (dir && (e = readdir(dir))) {
        char path[PATH_MAX];
        struct stat st;
        if (!is_abandoned(e->d_name))
            continue;
        snprintf(path, sizeof path, "%s/%s", parent, e->d_name);
        if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == getuid())
            sq_workdir_close(path);
    }
    if (dir)
        closedir(dir);
}

int sq_workdir_open(char *path, size_t n, sq_diags *d)
{
    sweep(temporary());
    snprintf(path, n, "%s/squall-%ld-XXXXXX", temporary(), (long)getpid());
    if (mkdtemp(path))
        return 0;
    return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot make a folder in %s: %s", temporary(),
                    strerror(errno));
}

int sq_workdir_write(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return -1;
    int ok = fputs(text, f) >= 0;
    return fclose(f) == 0 && ok ? 0 : -1;
}
